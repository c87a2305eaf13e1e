"""Mines: laid, struck and swept (rules F23 to F27)."""

from __future__ import annotations
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from navalkit.core.words import Event
from ..cards import SAY
from ..state import MINES_A_SQUARE, Fate, Lay, Mine, Minefield, Scenario, State, Step, Struck, Sweep, Task, with_ship
from .firing import hit

LAYING_SPEED = 30  # knots: at this speed a ship lays as she passes
MISS = 12
SWEEPER = "minesweeper"
NEEDED = 2  # half moves of one sweeper to clear a square
IN_PASSING = 4  # sweepers that clear a square as they pass


# Laying (F23) ---------------------------------------------------------------------------------------------------

def lay_orders(battle: Scenario, state: State, ship: int) -> Iterator[Lay]:
    """The ways in which a ship can lay mines now."""
    own, card, name = state.ships[ship], battle.card(ship), battle.units[ship].name
    cargo = own.mines // MINES_A_SQUARE
    if own.fate is not Fate.AT_SEA or not cargo:
        return
    if card.speed >= LAYING_SPEED:
        if own.task is Task.MOVE:
            yield from (Lay(name, n) for n in range(1, min(cargo, len(own.wake)) + 1))
    elif own.task is Task.NONE:
        yield Lay(name)


def why_not_lay(battle: Scenario, state: State, action: Lay) -> str | None:
    """Why a ship of the side on turn cannot lay mines like this, or None."""
    ship = battle.numbers[action.ship]
    own, card = state.ships[ship], battle.card(ship)
    if action in lay_orders(battle, state, ship):
        return None
    if not card.mines:
        return SAY("no.cargo", name=action.ship)
    if own.mines < MINES_A_SQUARE * action.squares or action.squares < 1:
        return SAY("no.mines", name=action.ship, n=own.mines, each=MINES_A_SQUARE)
    if card.speed < LAYING_SPEED:
        return SAY("no.slow", name=action.ship, knots=LAYING_SPEED)
    return SAY("no.passed", name=action.ship)


def lay(battle: Scenario, state: State, action: Lay) -> Step:
    """Sow ten mines in each of the last squares of the ship's way, or in her own."""
    ship = battle.numbers[action.ship]
    own, side = state.ships[ship], battle.side(ship)
    squares = own.wake[-action.squares :] if own.wake else (own.square,)
    state = with_ship(state, ship, task=Task.LAY, mines=own.mines - MINES_A_SQUARE * len(squares))
    for square in squares:
        field = _field(state, square, side) or Minefield(square, side, left=0)
        state = _put(state, replace(field, left=field.left + MINES_A_SQUARE))
    names = ", ".join(battle.grid.names[square] for square in squares)
    event = SAY.event("F23", "laid", to=frozenset((side,)), ship=action.ship, squares=names)
    return state, (event,)


# Striking (F24, F25) --------------------------------------------------------------------------------------------

def struck(battle: Scenario, state: State, ship: int, squares: Iterable[int]) -> tuple[Struck, ...]:
    """The mined squares on a ship's way."""
    if battle.card(ship).type == SWEEPER:
        return ()
    return tuple(Struck(ship, square) for square in squares if _field(state, square, 1 - battle.side(ship)))


def next_strike(battle: Scenario, state: State) -> State:
    """The state without those dice that are no longer due: the ship has sunk, or the mines are used up."""
    mined = state.mined
    while mined:
        ship, square = mined[0]
        if state.ships[ship].fate is Fate.AT_SEA and _field(state, square, 1 - battle.side(ship)):
            break
        mined = mined[1:]
    return replace(state, mined=mined)


def strike(battle: Scenario, state: State, action: Mine) -> Step:
    """A ship on a mined square: two dice, ten times the sum, but nothing for two sixes."""
    (ship, square), *rest = state.mined
    field = _field(state, square, 1 - battle.side(ship))
    assert field is not None
    state = _put(replace(state, mined=tuple(rest)), replace(field, left=field.left - 1, known=True))
    state = with_ship(state, ship, marked=True, announced=state.ships[ship].dived)
    facts: dict[str, Any] = {"ship": action.ship, "square": action.square, "pips": action.pips}
    if action.pips == MISS:
        return state, (SAY.event("F24", "mine_missed", **facts),)
    event = SAY.event("F24", "mine", **facts, damage=10 * action.pips)
    state, more = hit(battle, state, ship, 10 * action.pips, square)
    return state, (event, *more)


# Sweeping (F26, F27) --------------------------------------------------------------------------------------------

def sweep_orders(battle: Scenario, state: State, ship: int) -> Iterator[Sweep]:
    """Whether a ship can sweep where she lies."""
    own = state.ships[ship]
    if battle.card(ship).type == SWEEPER and own.fate is Fate.AT_SEA and own.task is Task.NONE:
        yield Sweep(battle.units[ship].name)


def why_not_sweep(battle: Scenario, state: State, action: Sweep) -> str | None:
    """Why a ship of the side on turn cannot sweep, or None."""
    ship = battle.numbers[action.ship]
    if battle.card(ship).type != SWEEPER:
        return SAY("no.sweeper", name=action.ship)
    return None if any(sweep_orders(battle, state, ship)) else SAY("no.moved", name=action.ship)


def sweep_in_passing(battle: Scenario, state: State, ship: int) -> Step:
    """Four sweepers that pass over a square in one move clear it."""
    events: list[Event] = []
    if battle.card(ship).type != SWEEPER:
        return state, ()
    for square in state.ships[ship].wake:
        own = ((battle.card(n), state.ships[n]) for n in battle.fleet(battle.side(ship)))
        passed = [card for card, other in own if other.fate is Fate.AT_SEA and square in other.wake]
        if sum(card.type == SWEEPER for card in passed) >= IN_PASSING:
            state, more = _clear(battle, state, square)
            events += more
    return state, tuple(events)


def sweep_all(battle: Scenario, state: State) -> Step:
    """What the sweepers have done at the end of a move: one clears a square in two, two or three in one."""
    events: list[Event] = []
    at_work: dict[tuple[int, int], int] = {}
    for number, ship in enumerate(state.ships):
        if ship.task is Task.SWEEP and ship.fate is Fate.AT_SEA:
            place = (ship.square, battle.side(number))
            at_work[place] = at_work.get(place, 0) + 1
    for (square, side), sweepers in at_work.items():
        facts = {"square": battle.grid.names[square], "side": battle.sides[side]}
        done = min(sweepers, NEEDED)
        fields = [field for s in (0, 1) if (field := _field(state, square, s))]
        if not fields:
            events.append(SAY.event("F26", "swept_nothing", to=frozenset((side,)), **facts))
        elif min(field.swept for field in fields) + done >= NEEDED:
            state, more = _clear(battle, state, square)
            events += more
        else:
            for field in fields:
                state = _put(state, replace(field, swept=field.swept + done, known=field.known or field.side != side))
            events.append(SAY.event("F26", "sweeping", to=frozenset((side,)), **facts))
    return state, tuple(events)


def _clear(battle: Scenario, state: State, square: int) -> Step:
    left = tuple(field for field in state.fields if field.square != square)
    if left == state.fields:
        return state, ()
    return replace(state, fields=left), (SAY.event("F26", "swept", square=battle.grid.names[square]),)


def _field(state: State, square: int, side: int) -> Minefield | None:
    return next((f for f in state.fields if f.square == square and f.side == side), None)


def _put(state: State, field: Minefield) -> State:
    """The state with that field; one that is used up goes (rule F25)."""
    others = [f for f in state.fields if (f.square, f.side) != (field.square, field.side)]
    fields = sorted((*others, field) if field.left else others, key=lambda f: (f.square, f.side))
    return replace(state, fields=tuple(fields))
