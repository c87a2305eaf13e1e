"""Damage: sinking, speed lost, guns out of action in the owner's choice (rules F19, F20)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from navalkit.core.event import Event

from ..cards.vessels import guns_out, quarters
from ..state import OFF, Fate, State, Step, Turret, sight, with_ship
from ..state.scenario import Scenario
from ..words import SAY


def hit(battle: Scenario, state: State, ship: int, points: int, square: int | None = None) -> Step:
    """A ship takes damage; if it exceeds her sinking rate she sinks (rule F19), in ``square`` if not in her own."""
    unit, own = battle.units[ship], state.ships[ship]
    total, rate = own.damage + points, unit.card.sinking_rate
    if total > rate:
        there = own.square if square is None else square
        state = with_ship(state, ship, damage=total, marked=True, square=there)
        wreck = (there,) if sight.known(battle, state, ship) else ()
        state = with_ship(state, ship, fate=Fate.SUNK, square=OFF, wake=wreck)
        return state, (SAY.event("F19", "sunk", ship=unit.name, damage=total, rate=rate),)
    before, after = quarters(own.damage, rate), quarters(total, rate)
    state = with_ship(state, ship, damage=total, told=own.told and replace(own.told, damage=total, out=own.out))
    if after == before:
        return state, ()
    return state, (SAY.event("F19", "quarter", ship=unit.name, quarters=after, damage=total, rate=rate),)


def main_mounts(battle: Scenario, ship: int) -> tuple[int, ...]:
    """The mounts of a ship's main battery, by number from 0."""
    return tuple(n for n, mount in enumerate(battle.card(ship).mounts) if mount.battery == "main")


def due(battle: Scenario, state: State, ship: int) -> int:
    """How many of a ship's main guns have still to go out of action; below 0, how many come back."""
    own, card = state.ships[ship], battle.card(ship)
    return guns_out(card.main_guns, quarters(own.damage, card.sinking_rate)) - sum(own.out)


def mounts_left(battle: Scenario, state: State, ship: int) -> tuple[int, ...]:
    """The mounts of her main battery with guns in action."""
    mounts, out = battle.card(ship).mounts, state.ships[ship].out
    return tuple(n for n in main_mounts(battle, ship) if mounts[n].guns > out[n])


def failing(battle: Scenario, state: State) -> tuple[int, ...]:
    """The ships that have main guns to lose, blue's first."""
    return tuple(
        ship
        for side in (0, 1)
        for ship in battle.fleet(side)
        if state.ships[ship].fate is Fate.AT_SEA and due(battle, state, ship) > 0
    )


def knock_out(battle: Scenario, state: State, ship: int, mount: int) -> Step:
    """A mount loses as many guns as are due, or all it has."""
    unit, own = battle.units[ship], state.ships[ship]
    guns = min(due(battle, state, ship), unit.card.mounts[mount].guns - own.out[mount])
    out = tuple(n + guns * (m == mount) for m, n in enumerate(own.out))
    row = unit.card.mounts[mount]
    facts: dict[str, Any] = {"ship": unit.name, "gun": row.gun, "mount": mount + 1, "arc": row.arc}
    return with_ship(state, ship, out=out), (SAY.event("F20", "turret", guns=guns, **facts),)


def choose(battle: Scenario, state: State, action: Turret) -> Step:
    """The owner has named the mount that loses guns."""
    return knock_out(battle, state, battle.numbers[action.ship], action.mount - 1)


def settle(battle: Scenario, state: State) -> tuple[State, tuple[Event, ...], int | None]:
    """Put guns out of action where the owner has no choice; the ship whose owner must choose, if any."""
    events: tuple[Event, ...] = ()
    while ships := failing(battle, state):
        left = mounts_left(battle, state, ships[0])
        if battle.choose and len(left) > 1:
            return state, events, ships[0]
        state, more = knock_out(battle, state, ships[0], left[-1])  # of her own accord a ship loses after guns first
        events += more
    return state, events, None


def why_not_turret(battle: Scenario, state: State, action: Turret) -> str | None:
    """Why that turret cannot be the one, or None."""
    ship = failing(battle, state)[0]
    if action.ship != battle.units[ship].name:
        return SAY("no.loses", ship=battle.units[ship].name, name=action.ship)
    left = mounts_left(battle, state, ship)
    if action.mount - 1 not in left:
        numbers = ", ".join(str(n + 1) for n in left)
        return SAY("no.turret", name=action.ship, numbers=numbers, mount=action.mount)
    return None


def restore(battle: Scenario, state: State, ship: int) -> State:
    """Guns that damage no longer keeps out of action come back, those of the first mounts first (rule F22)."""
    back = -due(battle, state, ship)
    out = list(state.ships[ship].out)
    for mount, lost in enumerate(out):
        mended = max(0, min(back, lost))
        out[mount] -= mended
        back -= mended
    return with_ship(state, ship, out=tuple(out))
