"""Shortest legal ways for ships: a search over places (bow hex and direction), not over hexes alone.

Of equally short paths the one with the fewest turns is taken, and of those the one that turns soonest, port
before starboard: the same question always has the same answer.
"""

from __future__ import annotations
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

from navalkit.core.words import SAY
from .hex import DIRECTIONS, STEPS, Hex, HexSet, Side, side_sign, turn_between, turned

__all__ = ["Place", "any_heading", "moves", "reachable", "shortest_path", "why_not_move", "why_not_path", "williamson"]

# -- Ships on two hexes, bow and stern: how they turn and move, and the Williamson turn ------------
# A ship's place is its bow hex and its direction; the stern is in the hex behind. It moves a hex at a time:
# at most one turn of 60 degrees, made before it enters the hex ahead. A turn pivots on the bow, so that the
# stern swings into a hex next to both old ones.

TURNS = (-1, 1, 0)  # before each hex, in the order equal paths are preferred: early turns, port first
NONE: HexSet = frozenset()


class Place(NamedTuple):
    """Where a ship lies; equal to the plain pair ``(bow, direction)``.

    Parameters
    ----------
    bow : Hex
    direction : int
        1 to 6.
    """

    bow: Hex
    direction: int

    def __str__(self) -> str:
        return SAY("ship.place", bow=self.bow, course=self.direction)

    @property
    def stern(self) -> Hex:
        """The hex behind the bow."""
        return _hexes(self)[1]

    @property
    def hexes(self) -> tuple[Hex, Hex]:
        """Bow and stern."""
        return _hexes(self)

    @property
    def pivots(self) -> tuple[Hex, Hex]:
        """The hexes beside bow and stern into which a turn to port, and one to starboard, swings the stern
        (108.1.2)."""
        return self.turned(-1).stern, self.turned(1).stern

    def turned(self, turns: int) -> Place:
        """The place after turns of 60 degrees on the spot, negative to port; only fleet turns are so made."""
        return Place(self.bow, turned(self.direction, turns))

    def ahead(self, n: int = 1) -> Place:
        """The place ``n`` hexes on, straight ahead."""
        return Place(self.bow.step(self.direction, n), self.direction)

    def entering(self, turn: int) -> Place:
        """The place after one move: a turn of -1 (port), 0 or 1 (starboard), then one hex ahead."""
        return self.turned(turn).ahead()


@lru_cache(maxsize=1 << 14)
def _hexes(place: Place) -> tuple[Hex, Hex]:
    return place.bow, place.bow.step(place.direction, -1)


def obstacle(place: Place, turn: int, forbidden: HexSet, taken: HexSet) -> Hex | None:
    """The hex that stands in the way of a move: the one the stern would swing into, or the one entered."""
    turning = place.turned(turn)
    if turn and taken and turning.stern in taken:
        return turning.stern
    entered = turning.ahead().bow
    return entered if entered in forbidden or entered in taken else None


def moves(place: Place, forbidden: HexSet = NONE, taken: HexSet = NONE) -> list[Place]:
    """The places one legal move away, in the order of preference: port, starboard, ahead.

    Parameters
    ----------
    place : Place
    forbidden : set of Hex
        Hexes the bow may not enter.
    taken : set of Hex
        Hexes others occupy: the bow may not enter them, nor the stern swing into them.

    Returns
    -------
    list of Place
        Three at most.

    >>> [str(place) for place in moves(Place(Hex.parse("M20"), 3))]
    ['N20 course 2', 'L20 course 4', 'M21 course 3']
    """
    return [place.entering(turn) for turn in TURNS if obstacle(place, turn, forbidden, taken) is None]


def why_not_move(place: Place, to: Place, forbidden: HexSet = NONE, taken: HexSet = NONE) -> str | None:
    """What is wrong with a move, in one sentence; None if it is legal. Parameters as in ``moves``.

    Parameters
    ----------
    place : Place
    to : Place
        Where the ship would be after it.
    forbidden, taken : set of Hex
        As in ``moves``.

    Returns
    -------
    str or None

    >>> here = Place(Hex.parse("M20"), 3)
    >>> why_not_move(here, here.ahead())
    """
    turn = turn_between(place.direction, to.direction)
    if abs(turn) > 1:
        return SAY("ship.turn", place=place, direction=to.direction, abs=60 * abs(turn))
    entered = place.entering(turn).bow
    if to.bow != entered:
        return SAY("ship.course", place=place, direction=to.direction, entered=entered, bow=to.bow)
    hindrance = obstacle(place, turn, forbidden, taken)
    if hindrance is None:
        return None
    if hindrance != entered:
        return SAY("ship.stern", place=place, hex=hindrance)
    key = "ship.bow.taken" if hindrance in taken else "ship.bow.forbidden"
    return SAY(key, place=place, hex=hindrance)


def why_not_path(start: Place, path: Sequence[Place], forbidden: HexSet = NONE, taken: HexSet = NONE) -> str | None:
    """What is wrong with the first illegal move of a path; None if all are legal.

    Parameters
    ----------
    start : Place
    path : sequence of Place
        The places entered, the start left out.
    forbidden : set of Hex
        Her bow may not enter them.
    taken : set of Hex
        Others lie there: she may not swing her stern into them either.

    Returns
    -------
    str or None
        One sentence.

    >>> here = Place(Hex.parse("M20"), 3)
    >>> why_not_path(here, [here.ahead(), here.ahead(2)]) is None
    True
    """
    for place, to in zip([start, *path], path, strict=False):
        if (reason := why_not_move(place, to, forbidden, taken)) is not None:
            return reason
    return None


def williamson(bow: Hex, direction: int, side: Side) -> list[Place]:
    """The six places of a Williamson turn: onto the opposite course in the same row of hexes (105.2).

    One turn to ``side``, one hex straight on, then four turns the other way. It ends one hex ahead of where
    it began; no way is shorter.

    Parameters
    ----------
    bow : Hex
    direction : int
        Where the ship begins.
    side : "port" or "starboard"
        Where it turns first.

    Returns
    -------
    list of Place

    Raises
    ------
    IllegalActionError
        If the side or the direction is neither.

    >>> [str(place.bow) for place in williamson(Hex.parse("M20"), 3, "port")]
    ['N20', 'O21', 'O22', 'N22', 'M22', 'M21']
    """
    sign = side_sign(side)
    place, path = Place(bow, direction), []
    for turn in (sign, 0, -sign, -sign, -sign, -sign):
        place = place.entering(turn)
        path.append(place)
    return path


DETOUR = 20  # hexes a path may be longer than the straight distance, unless told otherwise


def any_heading(*hexes: Hex) -> list[Place]:
    """All places with the bow in one of these hexes, as goals when the heading does not matter."""
    return [Place(h, d) for h in hexes for d in DIRECTIONS]


Bare = tuple[int, int, int]
"""A place as bare numbers: q and r of the bow, direction."""
_ONWARD = {
    heading: [(rank, abs(turn), course, *STEPS[course]) for rank, turn in enumerate(TURNS)
              for course in [(heading - 1 + turn) % 6 + 1]] for heading in DIRECTIONS
}
"""By heading the three moves: rank, whether it turns, the new heading, and the step."""
Rest = tuple[int, int]
"""What is still to go at least: hexes and, of ways that long, turns."""


def _best_first(start: Place, limit: int, to_go: Callable[[int, int, int], Rest], forbidden: HexSet,
                taken: HexSet) -> Iterator[tuple[Bare, tuple[int, ...]]]:
    """Each place within ``limit`` hexes, once, with its best path as ranks in ``TURNS``.

    A* search: ``to_go`` must never exceed what is still to go. Paths are compared by length, number of
    turns and ranks, and an extension preserves that order, so that the first time a place comes up is its
    best. It works on bare numbers: what it does a hundred thousand times is ``obstacle``.
    """
    origin = _bare(start)
    heap: list[tuple[int, int, tuple[int, ...], int, Bare]] = [(*to_go(*origin), (), 0, origin)]
    done: set[Bare] = set()
    while heap:
        _, _, ranks, turns, at = heappop(heap)
        if at in done:
            continue
        done.add(at)
        q, r, heading = at
        yield at, ranks
        for rank, turn, course, dq, dr in _ONWARD[heading]:
            entered = (q + dq, r + dr)
            new = (*entered, course)
            if new in done or entered in forbidden or entered in taken or (turn and (q - dq, r - dr) in taken):
                continue
            hexes, bends = to_go(*new)
            least, made = len(ranks) + 1 + hexes, turns + turn
            if least <= limit:
                heappush(heap, (least, made + bends, (*ranks, rank), made, new))


def _bare(place: Place) -> Bare:
    return (*place.bow, place.direction)


def _path(start: Place, ranks: tuple[int, ...]) -> list[Place]:
    """The places of a path, its start left out."""
    path, ((q, r), heading) = [], start
    for rank in ranks:
        _, _, heading, dq, dr = _ONWARD[heading][rank]
        q, r = q + dq, r + dr
        path.append(Place(Hex(q, r), heading))
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

    Returns
    -------
    dict of Place to list of Place
        The places entered on the way, the start left out.

    >>> len(reachable(Place(Hex.parse("M20"), 3), 2))
    13
    """
    best = _best_first(start, n, lambda _q, _r, _heading: (0, 0), forbidden, taken)
    return {Place(Hex(q, r), heading): _path(start, ranks) for (q, r, heading), ranks in best}


def shortest_path(start: Place, goals: Iterable[Place], forbidden: HexSet = NONE, taken: HexSet = NONE,
                  limit: int | None = None) -> list[Place] | None:
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

    >>> here, there = Place(Hex.parse("M20"), 3), Place(Hex.parse("M24"), 3)
    >>> [str(place) for place in shortest_path(here, [there])]
    ['M21 course 3', 'M22 course 3', 'M23 course 3', 'M24 course 3']
    """
    wanted = {goal for goal in goals if goal == start or _open(goal, start, forbidden, taken)}
    if not wanted:
        return None
    bows = {goal.bow for goal in wanted}
    straight = min(map(start.bow.distance, bows))
    most = straight + DETOUR if limit is None else limit
    to_go = _homeward(next(iter(wanted))) if len(wanted) == 1 else _distance(bows)
    ends = set(map(_bare, wanted))
    for at, ranks in _best_first(start, most, to_go, forbidden, taken):
        if at in ends:
            return _path(start, ranks)
    return None


def _open(goal: Place, start: Place, forbidden: HexSet, taken: HexSet) -> bool:
    """Whether a ship could come to a place at all: her last step is from the hex astern of it."""
    entered = (goal.bow,) if goal.stern == start.bow else goal.hexes
    return not any(h in forbidden or h in taken for h in entered)


def _distance(bows: set[Hex]) -> Callable[[int, int, int], Rest]:
    """The straight distance to the nearest of some hexes."""
    known: dict[tuple[int, int], Rest] = {}

    def to_go(q: int, r: int, _heading: int) -> Rest:
        if (q, r) not in known:
            known[q, r] = min(map(Hex(q, r).distance, bows)), 0
        return known[q, r]

    return to_go


def _homeward(goal: Place) -> Callable[[int, int, int], Rest]:
    """What is still to go to one place in open water, exactly."""
    home, ((to_q, to_r), direction) = _home(), goal
    (qq, rq), (qr, rr) = _TURNED[direction]  # turn the sea until the goal heads north, as in the table

    def to_go(q: int, r: int, heading: int) -> Rest:
        dq, dr = q - to_q, r - to_r
        at = qq * dq + qr * dr, rq * dq + rr * dr, (heading - direction - 1) % 6 + 1
        return home.get(at) or _from_afar(*at)

    return to_go


_TURNED = {d: (STEPS[(7 - d) % 6 + 1], STEPS[(8 - d) % 6 + 1]) for d in DIRECTIONS}
"""By direction, what the steps (1, 0) and (0, 1), courses 2 and 3, become when the sea is turned until it is north."""
NEAR, LONGEST = 4, 12
"""Every way runs on two courses 60 degrees apart, but for turning at either end. More than ``NEAR`` hexes on a course
make it longer, and change nothing else of it; ways with no more are at most ``LONGEST`` hexes long."""


def _from_afar(q: int, r: int, heading: int) -> Rest:
    """What is still to go to the place (A1, 6) from one that the table leaves out: as from the nearest that it holds in
    the same quarter of the sea, and the hexes between."""
    s = -q - r
    near_q = q if -NEAR <= q <= NEAR else NEAR if q > 0 else -NEAR
    near_r = r if -NEAR <= r <= NEAR else NEAR if r > 0 else -NEAR
    near_s = s if -NEAR <= s <= NEAR else NEAR if s > 0 else -NEAR
    if q * r >= 0:
        between = abs(s) - abs(near_q + near_r)
    elif q * s >= 0:
        near_r = -near_q - near_s
        between = abs(r) - abs(near_r)
    else:
        near_q = -near_r - near_s
        between = abs(q) - abs(near_q)
    hexes, turns = _home()[near_q, near_r, heading]
    return hexes + between, turns


@cache
def _home() -> dict[Bare, Rest]:
    """From places near the place (A1, 6) the hexes and turns of the best way there."""
    known: dict[Bare, Rest] = {(0, 0, 6): (0, 0)}
    ring = known
    for _ in range(LONGEST):
        further: dict[Bare, Rest] = {}
        for (q, r, heading), (hexes, turns) in ring.items():
            dq, dr = STEPS[heading]
            for turn in TURNS:
                before = (q - dq, r - dr, (heading - 1 - turn) % 6 + 1)
                rest = hexes + 1, turns + abs(turn)
                if before not in known and rest < further.get(before, (hexes + 2, 0)):
                    further[before] = rest
        known |= further
        ring = further
    return known
