"""Movement: allowances, ways to a square and heading, stacking, depot ships (rules F4 to F11)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from navalkit.grids.square import SquareGrid
from navalkit.grids.square_headings import ahead, shifted, step_cost

from ..cards.vessels import ShipCard, allowance, quarters
from ..state import Fate, State, Task, sight
from ..state.scenario import Scenario
from ..words import SAY

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
    if full == 0:
        return 0
    if lost >= 3 or sight.foggy(battle, state, own.square):
        return 1
    return max(1, full - lost - (card.displacement < LIGHT and sight.rough(battle, state, own.square)))


@lru_cache(maxsize=1 << 12)
def ways(
    grid: SquareGrid, closed: frozenset[int], start: int, heading: int, allowance: int, shunned: frozenset[int]
) -> Mapping[tuple[int, int], Way]:
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


def _courses(
    grid: SquareGrid, closed: frozenset[int], start: int, heading: int, allowance: int
) -> Iterator[tuple[int, int, Way]]:
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
            to = ahead(grid, square, onward)
            if to is not None and to not in closed and not _cuts(grid, square, onward, closed):
                todo.append((to, onward, Way((*way.squares, to), cost)))


def _cuts(grid: SquareGrid, square: int, heading: int, closed: Collection[int]) -> bool:
    """Whether a diagonal step squeezes between two closed squares."""
    if heading % 2 == 0:
        return False
    sides = (ahead(grid, square, (heading - 1) % 8), ahead(grid, square, (heading + 1) % 8))
    return all(side in closed for side in sides)


def reach(battle: Scenario, state: State, ship: int) -> Mapping[tuple[int, int], Way]:
    """Where a ship can go in this move, wherever others lie: (square, heading) -> the way there."""
    own, side = state.ships[ship], battle.side(ship)
    closed = battle.land
    if sight.is_screened(battle, state.move):
        closed |= battle.halves[1 - side]
    sweeps = battle.card(ship).type == "minesweeper"
    known = (f.square for f in state.fields if f.side != side and f.known and f.left and not sweeps)
    steps = squares_a_move(battle, state, ship)
    return ways(battle.grid, closed, own.square, own.heading, steps, frozenset(known))


# Stacking (F9) --------------------------------------------------------------------------------------------------


def room(card: ShipCard) -> int:
    """How much of a square's `ROOM` a ship takes."""
    if card.displacement > LARGE:
        return ROOM
    return 1 if card.type in SMALL else 2


def crowding(state: State, movers: Collection[int]) -> Mapping[int, list[int]]:
    """Square -> the ships on it, the movers left out."""
    lying: dict[int, list[int]] = {}
    for number, ship in enumerate(state.ships):
        if ship.fate is Fate.AT_SEA and number not in movers:
            lying.setdefault(ship.square, []).append(number)
    return lying


def has_room(battle: Scenario, square: int, lying: Collection[int], movers: Collection[int]) -> bool:
    """Whether the movers may end their move in a square where those others lie.

    Harbours take any number; beside a depot ship there is as much room as if she were not there.
    """
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


def plan(battle: Scenario, state: State, ships: Collection[int], square: int, heading: int) -> tuple[Way, ...] | str:
    """The ways of ships that move together, the first to that square, the others by as many rows and columns. A way for
    each ship, or in words why they cannot go there."""
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
        ends.setdefault(end, []).extend((ship, *carried(battle, state, ship)))
    lying = crowding(state, [ship for arriving in ends.values() for ship in arriving])
    for end, arriving in ends.items():
        if not has_room(battle, end, lying.get(end, ()), arriving):
            return SAY("no.room", name=battle.units[arriving[0]].name, square=grid.names[end])
    return tuple(found)


# Depot ships --------------------------------------------------------------------------------------------------------


def depot(battle: Scenario, state: State, ship: int) -> int | None:
    """The depot ship of her own side in a ship's square, if there is one."""
    square = state.ships[ship].square
    for other in battle.fleet(battle.side(ship)):
        if other != ship and battle.card(other).type == DEPOT:
            if state.ships[other].fate is Fate.AT_SEA and state.ships[other].square == square:
                return other
    return None


def carried(battle: Scenario, state: State, ship: int) -> tuple[int, ...]:
    """The ships that take on torpedoes beside that depot ship, and go where she goes."""
    if battle.card(ship).type != DEPOT:
        return ()
    return tuple(
        other
        for other in battle.fleet(battle.side(ship))
        if state.ships[other].task is Task.RELOAD and depot(battle, state, other) == ship
    )
