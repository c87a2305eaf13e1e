"""Harbours and depot ships: repairs and torpedoes (rules F21, F22)."""

from __future__ import annotations

from collections.abc import Iterator

from navalkit.core.event import Event

from ..state import Fate, Reload, State, Step, Task, Told, sight, with_ship
from ..state.scenario import Scenario
from ..words import SAY
from .damage import restore
from .movement import can_move, depot


def full_load(battle: Scenario, ship: int) -> int:
    """The value of `Ship.loaded` with all sets loaded."""
    return (1 << len(battle.card(ship).torpedoes)) - 1


def in_harbour(battle: Scenario, state: State, ship: int) -> bool:
    """Whether a ship lies in a harbour of her own side."""
    return state.ships[ship].square in battle.harbours[battle.side(ship)]


def reload_orders(battle: Scenario, state: State, ship: int) -> Iterator[Reload]:
    """Whether a ship can take on torpedoes from a depot ship."""
    if can_move(state, ship) and state.ships[ship].loaded != full_load(battle, ship):
        if depot(battle, state, ship) is not None:
            yield Reload(battle.units[ship].name)


def why_not_reload(battle: Scenario, state: State, action: Reload) -> str | None:
    """Why a ship of the side on turn cannot take on torpedoes at sea, or None."""
    ship = battle.numbers[action.ship]
    if state.ships[ship].loaded == full_load(battle, ship):
        return SAY("no.full", name=action.ship)
    if depot(battle, state, ship) is None:
        return SAY("no.depot", name=action.ship)
    return None if can_move(state, ship) else SAY("no.moved", name=action.ship)


def _tenth(rate: int, move: int) -> int:
    """A tenth of a sinking rate in whole points, the fractions made up in later moves: ten moves restore all of it."""
    return move * rate // 10 - (move - 1) * rate // 10


def work(battle: Scenario, state: State) -> Step:
    """What harbours and depot ships have done at the end of a move."""
    events: list[Event] = []
    for number, ship in enumerate(state.ships):
        if ship.fate is not Fate.AT_SEA:
            continue
        name, rate = battle.units[number].name, battle.card(number).sinking_rate
        rests = in_harbour(battle, state, number) and not ship.wake
        to = frozenset((battle.side(number),))
        alongside = ship.task is Task.RELOAD and depot(battle, state, number) is not None
        if ship.loaded != full_load(battle, number) and (rests or alongside):
            state = with_ship(state, number, loaded=full_load(battle, number))
            events.append(SAY.event("F21", "reloaded", to=to, ship=name))
        if ship.damage and rests:
            mended = min(ship.damage, _tenth(rate, state.move))
            state = restore(battle, with_ship(state, number, damage=ship.damage - mended), number)
            events.append(SAY.event("F22", "repaired", to=to, ship=name, damage=ship.damage - mended, rate=rate))
        if state.ships[number] != ship and not ship.told and not sight.known(battle, state, number):
            state = with_ship(state, number, told=Told(ship.damage, ship.out, ship.loaded))
    return state, tuple(events)
