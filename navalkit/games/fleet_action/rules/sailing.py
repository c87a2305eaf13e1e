"""The orders of the movement phase: which there are, why not others, and what a move does (rules F5 to F12)."""

from __future__ import annotations
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from navalkit.core.errors import brief
from navalkit.core.words import Event
from navalkit.grids.square import HEADINGS, SquareGrid, ahead, shifted, step_cost
from .. import sight
from ..cards import SAY, ShipCard, allowance, quarters
from ..craft import Depth, Load
from ..state import (
    OFF,
    Action,
    Done,
    Enter,
    Fate,
    Lay,
    Leave,
    Move,
    Reload,
    Scenario,
    State,
    Step,
    Sweep,
    Task,
    Told,
    with_ship,
)
from . import boats, mines
from .firing import restore

# -- Movement: allowances, ways to a square and heading, stacking, depot ships (rules F4 to F11) ---

ROOM = 4  # what a square holds: one large ship, two destroyers or four motor torpedo boats
LARGE = 3500  # tons: above that a ship has a square to herself
LIGHT = 10_000  # tons: below that high seas slow a ship
SMALL = ("motor torpedo boat", "minesweeper")
DEPOT = "depot ship"


@dataclass(frozen=True, slots=True)
class Way:
    """A way: the squares entered, in order, and what it costs of the allowance."""

    squares: tuple[int, ...]
    cost: int


def full_speed(knots: float, move: int) -> int:
    """Squares a sound ship of that speed goes in that move: the first is a short one (rule F4)."""
    return allowance(knots)[1 - move % 2]


def squares_a_move(battle: Scenario, state: State, ship: int) -> int:
    """How many squares a ship may go in this move: short and long moves, damage, seas and fog (rules F4, F19, F29)."""
    own, card = state.ships[ship], battle.card(ship)
    full = full_speed(card.speed, state.move)
    lost = quarters(own.damage, card.sinking_rate)
    if own.dived:
        return boats.squares(battle, state, ship)
    if full == 0:
        return 0
    if lost >= 3 or own.loading >= 0 or own.screws or sight.foggy(battle, state, own.square):
        return 1
    return max(1, full - lost - (card.displacement < LIGHT and sight.rough(battle, state, own.square)))


@lru_cache(maxsize=1 << 12)
def ways(grid: SquareGrid, closed: frozenset[int], start: int, heading: int, allowance: int,
         shunned: frozenset[int]) -> Mapping[tuple[int, int], Way]:
    """All places a ship can reach: (square, heading) -> the way there.

    The way is that over the fewest ``shunned`` squares, of those the cheapest, of those the one that turns latest.

    ``closed``: squares that cannot be entered. ``allowance``: squares she may go. With one square alone she may still
    make one diagonal step. ``shunned``: squares to be avoided where there is a choice.
    """
    best: dict[tuple[int, int], tuple[tuple[int, int, int], Way]] = {}
    for number, (square, course, way) in enumerate(_courses(grid, closed, start, heading, allowance)):
        rank = (len(shunned.intersection(way.squares)), way.cost, number)
        if (square, course) not in best or rank < best[square, course][0]:
            best[square, course] = (rank, way)
    return {place: way for place, (_, way) in best.items() if place != (start, heading)}


def _courses(grid: SquareGrid, closed: frozenset[int], start: int, heading: int,
             allowance: int) -> Iterator[tuple[int, int, Way]]:
    """Every way there is, those that go straight ahead first; last those that begin with turning about (F7)."""
    todo = [(start, (heading + 4) % 8, Way((), 1))] if allowance else []
    todo.append((start, heading, Way((), 0)))
    while todo:
        square, course, way = todo.pop()
        yield square, course, way
        for turn in (1, 7, 0):
            onward = (course + turn) % 8
            cost = way.cost + step_cost(onward)
            if cost > allowance and not (allowance == 1 and way.cost == 0):
                continue
            if (to := step(grid, square, onward, closed)) is not None:
                todo.append((to, onward, Way((*way.squares, to), cost)))


def step(grid: SquareGrid, square: int, heading: int, closed: Collection[int]) -> int | None:
    """The square one step away on that heading; None where she cannot go (rules F3, F5)."""
    to = ahead(grid, square, heading)
    return None if to is None or to in closed or _cuts(grid, square, heading, closed) else to


def _cuts(grid: SquareGrid, square: int, heading: int, closed: Collection[int]) -> bool:
    """Whether a diagonal step squeezes between two closed squares."""
    if heading % 2 == 0:
        return False
    sides = (ahead(grid, square, (heading - 1) % 8), ahead(grid, square, (heading + 1) % 8))
    return all(side in closed for side in sides)


def reach(battle: Scenario, state: State, ship: int) -> Mapping[tuple[int, int], Way]:
    """Where a ship can go in this move, wherever others lie: (square, heading) -> the way there."""
    own, side = state.ships[ship], battle.side(ship)
    sweeps = battle.card(ship).type == "minesweeper"
    known = (f.square for f in state.fields if f.side != side and f.known and f.left and not sweeps)
    steps = squares_a_move(battle, state, ship)
    closed = closed_to(battle, state, ship)
    return ways(battle.grid, closed, own.square, own.heading, steps, frozenset(known))


def closed_to(battle: Scenario, state: State, ship: int) -> frozenset[int]:
    """The squares closed to a ship in this move: land, beyond the screen, nets and booms (rules F3, F33, F43)."""
    closed, side = battle.land, battle.side(ship)
    if sight.is_screened(battle, state.move):
        closed |= battle.halves[1 - side]
    return closed | battle.harbours[1 - side] if battle.card(ship).boat else closed


# Stacking (F9) --------------------------------------------------------------------------------------------------

def room(card: ShipCard) -> int:
    """How much of a square's `ROOM` a ship takes."""
    if card.displacement > LARGE:
        return ROOM
    return 1 if card.type in SMALL else 2


def crowding(battle: Scenario, state: State, movers: Collection[int], side: int = -1) -> Mapping[int, list[int]]:
    """Square -> the ships on it, the movers left out. Dived boats block nothing, nor do for a ``side`` enemies of whom
    it sees nothing (rule F43)."""
    lying: dict[int, list[int]] = {}
    for number, ship in enumerate(state.ships):
        if ship.fate is Fate.AT_SEA and number not in movers and not ship.dived:
            if side == 1 - battle.side(number) and sight.lost(battle, state, number):
                continue
            lying.setdefault(ship.square, []).append(number)
    return lying


def has_room(battle: Scenario, square: int, lying: Collection[int], movers: Collection[int]) -> bool:
    """Whether the movers may end their move in a square where those others lie. Harbours take any number; beside a
    depot ship there is as much room as if she were not there."""
    side = battle.side(next(iter(movers)))
    if any(battle.side(other) != side for other in lying):
        return False
    if square in battle.harbours[side]:
        return True
    cards = [battle.card(ship) for ship in (*lying, *movers)]
    return sum(room(card) for card in cards if card.type != DEPOT) <= ROOM and (
        sum(card.type == DEPOT for card in cards) <= 1
    )


# Divisions (F11) ------------------------------------------------------------------------------------------------

def can_move(state: State, ship: int) -> bool:
    """Whether a ship is on the board and has done nothing yet in this move."""
    return state.ships[ship].fate is Fate.AT_SEA and state.ships[ship].task is Task.NONE


def movers(battle: Scenario, state: State, who: str) -> tuple[int, ...]:
    """The ships that an order to ``who`` moves: one, or the unmoved ships of a division, the guide first."""
    named = (battle.numbers[who],) if who in battle.numbers else battle.divisions.get(who, ())
    return tuple(ship for ship in named if can_move(state, ship))


def plan(battle: Scenario, state: State, ships: Collection[int], square: int, heading: int,
         before: State | None = None) -> tuple[Way, ...] | str:
    """The ways of ships that move together, the first to that square, the others by as many rows and columns. A way for
    each ship, or in words why they cannot go there. ``before``: the state in which a boat has not changed her depth
    yet; what she sees only from her new depth blocks nothing."""
    grid, found, ends = battle.grid, [], dict[int, list[int]]()
    guide = state.ships[next(iter(ships))].square
    (row, column), (to_row, to_column) = grid.place(guide), grid.place(square)
    for ship in ships:
        name = battle.units[ship].name
        end = shifted(grid, state.ships[ship].square, to_row - row, to_column - column)
        way = None if end is None else reach(battle, state, ship).get((end, heading))
        if end is None or way is None:
            if end is None:
                return SAY("no.reach_off", name=name)
            return SAY("no.reach", name=name, square=grid.names[end], n=squares_a_move(battle, state, ship))
        found.append(way)
        if not state.ships[ship].dived:
            ends.setdefault(end, []).extend((ship, *carried(battle, state, ship)))
    lying = crowding(battle, before or state, [ship for arriving in ends.values() for ship in arriving], state.side)
    for end, arriving in ends.items():
        if not has_room(battle, end, lying.get(end, ()), arriving):
            return SAY("no.room", name=battle.units[arriving[0]].name, square=grid.names[end])
    return tuple(found)


def depot(battle: Scenario, state: State, ship: int) -> int | None:
    """The depot ship of her own side in a ship's square, if there is one."""
    square = state.ships[ship].square
    if state.ships[ship].dived:
        return None
    for other in battle.fleet(battle.side(ship)):
        if other != ship and battle.card(other).type == DEPOT:
            if state.ships[other].fate is Fate.AT_SEA and state.ships[other].square == square:
                return other
    return None


def carried(battle: Scenario, state: State, ship: int) -> tuple[int, ...]:
    """The ships that take on torpedoes beside that depot ship, and go where she goes."""
    if battle.card(ship).type != DEPOT:
        return ()
    return tuple(other for other in battle.fleet(battle.side(ship))
                 if state.ships[other].task is Task.RELOAD and depot(battle, state, other) == ship)


# -- Harbours and depot ships: repairs and torpedoes (rules F21, F22) ------------------------------

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


def work(battle: Scenario, state: State) -> Step:
    """What harbours and depot ships have done at the end of a move."""
    events: list[Event] = []
    for number, ship in enumerate(state.ships):
        if ship.fate is not Fate.AT_SEA:
            continue
        name, rate = battle.units[number].name, battle.card(number).sinking_rate
        idle = ship.task in (Task.NONE, Task.RELOAD) and not ship.wake
        rests = in_harbour(battle, state, number) and idle
        to = frozenset((battle.side(number),))
        alongside = ship.task is Task.RELOAD and depot(battle, state, number) is not None
        if ship.loaded != full_load(battle, number) and (rests or alongside):
            state = with_ship(state, number, loaded=full_load(battle, number))
            events.append(SAY.event("F21", "reloaded", to=to, ship=name))
        if ship.damage and rests:
            tenth = state.move * rate // 10 - (state.move - 1) * rate // 10  # ten moves restore all of it
            mended = min(ship.damage, tenth)
            state = restore(battle, with_ship(state, number, damage=ship.damage - mended, screws=False), number)
            events.append(SAY.event("F22", "repaired", to=to, ship=name, damage=ship.damage - mended, rate=rate))
        if state.ships[number] != ship and not ship.told and not sight.known(battle, state, number):
            state = with_ship(state, number, told=Told(ship.damage, ship.out, ship.loaded))
    return state, tuple(events)


def orders(battle: Scenario, state: State) -> Iterator[Action]:
    """All orders the side on turn can give in the movement phase, but for `Done`."""
    fleet = battle.fleet(state.side)
    for ship in fleet:
        if can_move(state, ship):
            yield from _single_moves(battle, state, ship)
            yield from boats.load_orders(battle, state, ship)
            yield from reload_orders(battle, state, ship)
            yield from mines.sweep_orders(battle, state, ship)
            if state.ships[ship].square in battle.exits[state.side]:
                yield Leave(battle.units[ship].name)
        yield from mines.lay_orders(battle, state, ship)
    for name, ships in battle.divisions.items():
        if battle.side(ships[0]) == state.side and len(together := movers(battle, state, name)) > 1:
            yield from _division_moves(battle, state, name, together)


def _single_moves(battle: Scenario, state: State, ship: int) -> Iterator[Move]:
    together = (ship, *carried(battle, state, ship))
    lying, names = crowding(battle, state, together, state.side), battle.grid.names
    who, own = battle.units[ship].name, state.ships[ship]
    for depth in (own.depth, *boats.depths(battle, state, ship)):
        there = boats.at_depth(state, ship, depth)
        places = () if there.ships[ship].still else reach(battle, there, ship)
        for square, heading in (*places, *[(own.square, own.heading)] * (depth is not own.depth)):
            if depth is not Depth.SURFACE or has_room(battle, square, lying.get(square, ()), together):
                yield Move(who, names[square], HEADINGS[heading], depth="" if depth is own.depth else depth)


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
        return why_not_reload(battle, state, action)
    if isinstance(action, Load):
        return boats.why_not_load(battle, state, action)
    if not can_move(state, ship):
        return SAY("no.moved", name=name)
    if isinstance(action, Leave):
        return None if state.ships[ship].square in battle.exits[state.side] else SAY("no.exit", name=name)
    return _why_not_move(battle, state, action)


def _why_not_move(battle: Scenario, state: State, action: Action) -> str | None:
    assert isinstance(action, Move)
    if action.square not in battle.grid.names or action.heading not in HEADINGS:
        return SAY("no.place", square=brief(action.square), heading=brief(action.heading))
    if action.depth and action.who not in battle.numbers:
        return SAY("no.boat", name=action.who)
    if action.depth and (reason := boats.why_not_depth(battle, state, battle.numbers[action.who], action)):
        return reason
    found = _planned(battle, *_dived(battle, state, action), action, state)
    if isinstance(found, str):
        return found
    if action.spent is not None and action.spent != found[0].cost:
        facts = {"name": action.who, "square": action.square, "heading": action.heading}
        return SAY("no.spent", cost=found[0].cost, spent=action.spent, **facts)
    return None


def _dived(battle: Scenario, state: State, action: Move) -> tuple[State, tuple[int, ...]]:
    """The state once a boat has changed to the depth of an order, and the ships that it moves."""
    ships = movers(battle, state, action.who)
    return (boats.at_depth(state, ships[0], Depth(action.depth)) if action.depth else state), ships


def _planned(battle: Scenario, state: State, ships: tuple[int, ...], action: Move,
             before: State) -> tuple[Way, ...] | str:
    """The ways of the ships of an order, as `plan`; a boat that changes her depth may stay where she is."""
    own, square, heading = state.ships[ships[0]], battle.grid.number(action.square), HEADINGS.index(action.heading)
    if not action.depth or (square, heading) != (own.square, own.heading):
        return plan(battle, state, ships, square, heading, before)
    lying = crowding(battle, before, ships, state.side).get(square, ())
    if not own.dived and not has_room(battle, square, lying, ships):
        return SAY("no.room", name=action.who, square=action.square)
    return (Way((), 0),)


# What orders do -------------------------------------------------------------------------------------------------

def move(battle: Scenario, state: State, action: Move) -> Step:
    """Ships go to their places; for the mined squares they have passed dice become due."""
    grid = battle.grid
    heading = HEADINGS.index(action.heading)
    before_her, (state, ships) = state, _dived(battle, state, action)
    found = _planned(battle, state, ships, action, before_her)
    assert not isinstance(found, str)
    events: list[Event] = []
    for ship, way in zip(ships, found, strict=True):
        end = way.squares[-1] if way.squares else state.ships[ship].square
        before = state.ships[ship]
        for guest in carried(battle, state, ship):
            state = with_ship(state, guest, square=end, heading=heading, wake=way.squares)
            state = replace(state, mined=state.mined + mines.struck(battle, state, guest, way.squares))
        state = with_ship(state, ship, square=end, heading=heading, wake=way.squares, task=Task.MOVE)
        if battle.boats or battle.flights:
            spent = len(way.squares) if before.dived else 0
            straight = (before.square, *way.squares)
            turned = any(ahead(grid, a, heading) != b for a, b in zip(straight, way.squares, strict=False))
            turned |= heading != before.heading
            state = with_ship(state, ship, went=way.cost, battery=before.battery - spent, turned=turned)
        state, more = mines.sweep_in_passing(battle, state, ship)
        state = replace(state, mined=state.mined + mines.struck(battle, state, ship, way.squares))
        facts: dict[str, Any] = {
            "ship": battle.units[ship].name, "square": grid.names[end], "heading": HEADINGS[heading]
        }
        facts["way"] = [grid.names[square] for square in way.squares]
        rule, key = ("F41", f"moved.{action.depth}") if action.depth else ("F5", "moved")
        events += [SAY.event(rule, key, to=sight.audience(battle, state, ship), **facts), *more]
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
            lying = crowding(battle, state, ())
            free = tuple(s for s in unit.entry if own.dived or has_room(battle, s, lying.get(s, ()), (ship,)))
            if free:
                return ship, free
    return None


def enter(battle: Scenario, state: State, action: Enter) -> Step:
    """A ship comes onto the board."""
    ship, square = battle.numbers[action.ship], battle.grid.number(action.square)
    state = with_ship(state, ship, square=square, fate=Fate.AT_SEA)
    facts = {"ship": action.ship, "square": action.square}
    return state, (SAY.event("F34", "entered", to=sight.audience(battle, state, ship), **facts),)
