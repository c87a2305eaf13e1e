"""Shortest legal ways for ships: a search over places (bow hex and direction), not over hexes alone.

Of equally short paths the one with the fewest turns is taken, and of those the one that turns soonest, port
before starboard: the same question always has the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush

from .hex_cells import DIRECTIONS, STEPS, Hex, HexSet
from .hex_ships import NONE, TURNS, Place

DETOUR = 20  # hexes a path may be longer than the straight distance, unless told otherwise


def any_heading(*hexes: Hex) -> list[Place]:
    """All places with the bow in one of these hexes, as goals when the heading does not matter."""
    return [Place(h, d) for h in hexes for d in DIRECTIONS]


def _best_first(
    start: Place, limit: int, to_go: Callable[[int, int], int], forbidden: HexSet, taken: HexSet
) -> Iterator[tuple[Place, tuple[int, ...]]]:
    """Each place within ``limit`` hexes, once, with its best path as ranks in ``TURNS``.

    A* search: ``to_go`` must never exceed the hexes still to go. Paths are compared by length, number of
    turns and ranks, and an extension preserves that order, so that the first time a place comes up is its
    best. It works on bare numbers (q, r, direction): what it does a hundred thousand times is ``obstacle``.
    """
    origin = (start.bow.q, start.bow.r, start.direction)
    heap: list[tuple[int, int, tuple[int, ...], tuple[int, int, int]]] = [(to_go(*start.bow), 0, (), origin)]
    done: set[tuple[int, int, int]] = set()
    while heap:
        _, turns, ranks, at = heappop(heap)
        if at in done:
            continue
        done.add(at)
        q, r, heading = at
        yield Place(Hex(q, r), heading), ranks
        for rank, turn in enumerate(TURNS):
            course = (heading - 1 + turn) % 6 + 1
            dq, dr = STEPS[course]
            entered = (q + dq, r + dr)
            new = (*entered, course)
            if new in done or entered in forbidden or entered in taken or (turn and (q - dq, r - dr) in taken):
                continue
            least = len(ranks) + 1 + to_go(*entered)
            if least <= limit:
                heappush(heap, (least, turns + abs(turn), (*ranks, rank), new))


def _path(start: Place, ranks: tuple[int, ...]) -> list[Place]:
    """The places of a path, its start left out."""
    path, place = [], start
    for rank in ranks:
        place = place.entering(TURNS[rank])
        path.append(place)
    return path


def reachable(start: Place, n: int, forbidden: HexSet = NONE, taken: HexSet = NONE) -> dict[Place, list[Place]]:
    """The places a ship can reach by entering at most ``n`` hexes, each with its best path, nearest first.

    Parameters
    ----------
    start : Place
        Itself among them, with an empty path.
    n : int
        Speed left, in hexes.
    forbidden, taken : set of Hex
        As in ``moves``.
    """
    best = _best_first(start, n, lambda _q, _r: 0, forbidden, taken)
    return {place: _path(start, ranks) for place, ranks in best}


def shortest_path(
    start: Place,
    goals: Iterable[Place],
    forbidden: HexSet = NONE,
    taken: HexSet = NONE,
    limit: int | None = None,
) -> list[Place] | None:
    """The best legal path to the goal that is fewest hexes away.

    Parameters
    ----------
    start : Place
    goals : iterable of Place
        Any of them will do; ``any_heading`` gives those for a hex.
    forbidden, taken : set of Hex
        As in ``moves``.
    limit : int or None
        Hexes the path may enter; by default ``DETOUR`` more than the straight distance to the nearest goal.

    Returns
    -------
    list of Place or None
        One place for each hex entered, the start left out: empty if the ship is there already, None if
        there is no path within the limit.
    """
    wanted = set(goals)
    if not wanted:
        return None
    bows = {goal.bow for goal in wanted}
    known: dict[tuple[int, int], int] = {}

    def to_go(q: int, r: int) -> int:
        if (q, r) not in known:
            known[q, r] = min(map(Hex(q, r).distance, bows))
        return known[q, r]

    most = to_go(*start.bow) + DETOUR if limit is None else limit
    for place, ranks in _best_first(start, most, to_go, forbidden, taken):
        if place in wanted:
            return _path(start, ranks)
    return None
