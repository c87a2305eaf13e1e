"""The orders of the movement phase: which there are, why not others, and what a move does (rules F5 to F12)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from navalkit.core.echo import brief
from navalkit.core.event import Event
from navalkit.grids.square_headings import HEADINGS

from ..state import OFF, Action, Done, Enter, Fate, Lay, Leave, Move, Reload, State, Step, Sweep, Task, sight, with_ship
from ..state.scenario import Scenario
from ..words import SAY
from . import harbour, mines
from .movement import can_move, carried, crowding, has_room, movers, plan, reach


def orders(battle: Scenario, state: State) -> Iterator[Action]:
    """All orders the side on turn can give in the movement phase, but for `Done`."""
    fleet = battle.fleet(state.side)
    for ship in fleet:
        if can_move(state, ship):
            yield from _single_moves(battle, state, ship)
            yield from harbour.reload_orders(battle, state, ship)
            yield from mines.sweep_orders(battle, state, ship)
            if state.ships[ship].square in battle.exits[state.side]:
                yield Leave(battle.units[ship].name)
        yield from mines.lay_orders(battle, state, ship)
    for name, ships in battle.divisions.items():
        if battle.side(ships[0]) == state.side and len(together := movers(battle, state, name)) > 1:
            yield from _division_moves(battle, state, name, together)


def _single_moves(battle: Scenario, state: State, ship: int) -> Iterator[Move]:
    together = (ship, *carried(battle, state, ship))
    lying, names, who = crowding(state, together), battle.grid.names, battle.units[ship].name
    for square, heading in reach(battle, state, ship):
        if has_room(battle, square, lying.get(square, ()), together):
            yield Move(who, names[square], HEADINGS[heading])


def _division_moves(battle: Scenario, state: State, name: str, ships: tuple[int, ...]) -> Iterator[Move]:
    grid = battle.grid
    for square, heading in reach(battle, state, ships[0]):
        if not isinstance(plan(battle, state, ships, square, heading), str):
            yield Move(name, grid.names[square], HEADINGS[heading])


def why_not(battle: Scenario, state: State, action: Action) -> str | None:
    """Why the side on turn cannot give that order of the movement phase, or None."""
    if isinstance(action, Done):
        return None
    name = action.who if isinstance(action, Move) else action.ship  # type: ignore[union-attr]
    if isinstance(action, Move) and name in battle.divisions:
        if battle.side(battle.divisions[name][0]) != state.side:
            return SAY("no.division", name=name)
        if len(movers(battle, state, name)) < 2:
            return SAY("no.together", name=name)
        return _why_not_move(battle, state, action)
    if name not in battle.numbers:
        return SAY("no.ship", name=brief(name))
    ship = battle.numbers[name]
    if battle.side(ship) != state.side:
        return SAY("no.own", name=name)
    if state.ships[ship].fate is not Fate.AT_SEA:
        return SAY("no.board", name=name)
    if isinstance(action, Lay):
        return mines.why_not_lay(battle, state, action)
    if isinstance(action, Sweep):
        return mines.why_not_sweep(battle, state, action)
    if isinstance(action, Reload):
        return harbour.why_not_reload(battle, state, action)
    if not can_move(state, ship):
        return SAY("no.moved", name=name)
    if isinstance(action, Leave):
        return None if state.ships[ship].square in battle.exits[state.side] else SAY("no.exit", name=name)
    return _why_not_move(battle, state, action)


def _why_not_move(battle: Scenario, state: State, action: Action) -> str | None:
    assert isinstance(action, Move)
    if action.square not in battle.grid.names or action.heading not in HEADINGS:
        return SAY("no.place", square=brief(action.square), heading=brief(action.heading))
    ships = movers(battle, state, action.who)
    square, heading = battle.grid.number(action.square), HEADINGS.index(action.heading)
    found = plan(battle, state, ships, square, heading)
    if isinstance(found, str):
        return found
    if action.spent is not None and action.spent != found[0].cost:
        facts = {"name": action.who, "square": action.square, "heading": action.heading}
        return SAY("no.spent", cost=found[0].cost, spent=action.spent, **facts)
    return None


# What orders do -------------------------------------------------------------------------------------------------


def move(battle: Scenario, state: State, action: Move) -> Step:
    """Ships go to their places; for the mined squares they have passed dice become due."""
    grid = battle.grid
    square, heading = grid.number(action.square), HEADINGS.index(action.heading)
    ships = movers(battle, state, action.who)
    found = plan(battle, state, ships, square, heading)
    assert not isinstance(found, str)
    events: list[Event] = []
    for ship, way in zip(ships, found, strict=True):
        end = way.squares[-1] if way.squares else state.ships[ship].square
        for guest in carried(battle, state, ship):
            state = with_ship(state, guest, square=end, heading=heading, wake=way.squares)
            state = replace(state, mined=state.mined + mines.struck(battle, state, guest, way.squares))
        state = with_ship(state, ship, square=end, heading=heading, wake=way.squares, task=Task.MOVE)
        state, more = mines.sweep_in_passing(battle, state, ship)
        state = replace(state, mined=state.mined + mines.struck(battle, state, ship, way.squares))
        facts: dict[str, Any] = {
            "ship": battle.units[ship].name,
            "square": grid.names[end],
            "heading": HEADINGS[heading],
        }
        facts["way"] = [grid.names[square] for square in way.squares]
        events += [SAY.event("F5", "moved", to=sight.audience(battle, state, ship), **facts), *more]
    return state, tuple(events)


def leave(battle: Scenario, state: State, action: Leave) -> Step:
    """A ship is off the board for good."""
    ship = battle.numbers[action.ship]
    state = with_ship(state, ship, fate=Fate.LEFT, square=OFF, task=Task.MOVE)
    return state, (SAY.event("F12", "left", ship=action.ship),)


def reload(battle: Scenario, state: State, action: Reload) -> Step:
    """A ship begins to take on torpedoes."""
    ship = battle.numbers[action.ship]
    state = with_ship(state, ship, task=Task.RELOAD)
    return state, (SAY.event("F21", "reloading", to=sight.audience(battle, state, ship), ship=action.ship),)


def sweep(battle: Scenario, state: State, action: Sweep) -> Step:
    """A minesweeper begins to sweep."""
    ship = battle.numbers[action.ship]
    state = with_ship(state, ship, task=Task.SWEEP)
    facts = {"ship": action.ship, "square": battle.grid.names[state.ships[ship].square]}
    return state, (SAY.event("F26", "sweeps", to=sight.audience(battle, state, ship), **facts),)


# Entry (F34) ----------------------------------------------------------------------------------------------------


def entering(battle: Scenario, state: State) -> tuple[int, tuple[int, ...]] | None:
    """The next ship to come onto the board in this move, and the squares diced for; None if there is none."""
    for ship, (unit, own) in enumerate(zip(battle.units, state.ships, strict=True)):
        if own.fate is Fate.WAITING and unit.enters <= state.move:
            lying = crowding(state, ())
            free = tuple(s for s in unit.entry if has_room(battle, s, lying.get(s, ()), (ship,)))
            if free:
                return ship, free
    return None


def enter(battle: Scenario, state: State, action: Enter) -> Step:
    """A ship comes onto the board."""
    ship, square = battle.numbers[action.ship], battle.grid.number(action.square)
    state = with_ship(state, ship, square=square, fate=Fate.AT_SEA)
    facts = {"ship": action.ship, "square": action.square}
    return state, (SAY.event("F34", "entered", to=sight.audience(battle, state, ship), **facts),)
