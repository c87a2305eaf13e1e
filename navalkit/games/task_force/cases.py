"""Maps that fit what was seen, walked through case by case: one of them, or why there is none.

A walk asks again and again what has the fewest explanations left: a hit without its ship, a missile without a ship
beside it, a class with ships still to come. It tries each of them; where nothing is left to try, this case fails. So a
walk that finds no map leaves behind a tree of `Case`, which is a proof. Sets of placements and of squares are bits of
whole numbers.
"""

from __future__ import annotations
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import NamedTuple

from navalkit.core.awaited import Pace, Steps
from navalkit.prob.placements import Waters, union
from .state import EMPTY, HIT, MISSILES, SUBMARINE, UNSEEN, Observation

MOST = 30_000  # cases after which a walk is given up: what it asks about is then not called certain


class Case(NamedTuple):
    """Why there is no map: what had to be explained, and each way to do so with why it fails."""

    # "ship" (on a square that holds one), "missile" (a ship beside it), "class" (another ship of it), "submarines", or
    # "room" (for submarines and missiles beside a whole fleet)
    need: str
    which: int  # the square, or the number of the class
    ways: tuple[tuple[int, Case], ...] = ()  # placement and case

    @property
    def size(self) -> int:
        """How many cases there are in all."""
        return 1 + sum(case.size for _, case in self.ways)


class Fleet(NamedTuple):
    """A fleet that fits, as bits of squares: those covered, and those covered or next to them."""

    covered: int
    halo: int


class _Part(NamedTuple):
    """Ships placed so far, and what is still to be explained."""

    free: int
    left: tuple[int, ...]
    ships: tuple[int, ...]  # squares that hold a ship not placed yet
    missiles: tuple[int, ...]
    fleet: Fleet


class Suppose(NamedTuple):
    """What a walk assumes besides what was seen: "ship", "no_ship", "submarine" or "missile", and where."""

    what: str
    square: int


class _Sets:
    """Sets of placements and squares of some waters, as bits."""

    def __init__(self, waters: Waters) -> None:
        table = waters.placements
        self.classes = tuple(_bits(table.of(number)) for number in range(len(waters.classes)))
        self.clash = tuple(_bits(row.nonzero()[0].tolist()) for row in table.conflict)
        self.through = tuple(_bits(column.nonzero()[0].tolist()) for column in table.cover.T)
        self.reach = tuple(_bits(column.nonzero()[0].tolist()) for column in table.reach.T)
        self.near = tuple(map(_bits, waters.grid.neighbours))
        self.beside = tuple(union(self.through[n] for n in near) for near in waters.grid.neighbours)


_sets = lru_cache(maxsize=8)(_Sets)


class Walk:
    """All maps that fit an observation, and squares known to hold a ship or none."""

    def __init__(self, observation: Observation) -> None:
        sea, sets = observation.sea, _sets(observation.sea.waters)
        self.table = sea.waters.placements
        self.classes, self.clash, self.through = sets.classes, sets.clash, sets.through
        self.reach, self.near, self.beside = sets.reach, sets.near, sets.beside
        self.counts = tuple(kind.count for kind in sea.waters.classes)
        subs, missiles = observation.squares(SUBMARINE), observation.squares(MISSILES)
        self.unseen = _bits(observation.squares(UNSEEN))
        beside_subs = union(self.near[s] for s in subs)
        self.may_hide = self.unseen & ~beside_subs & ~union(self.near[s] for s in missiles)
        self.may_launch = self.unseen & ~beside_subs
        self.to_find = sea.submarines - len(subs)
        self.unfired = sea.missiles - len(missiles)
        self.missiles = missiles
        self.ships = list[int]()
        self.free = (1 << len(self.table)) - 1
        for square in (*observation.squares(EMPTY + SUBMARINE + MISSILES), *squares(beside_subs)):
            self.no_ship(square)
        for square in observation.squares(HIT):
            self.ship(square)
        self.failed = dict[tuple[str, int], int]()  # how often each need could not be met, here and in walks before
        self.pace = Pace()
        self.rng = Random(0)

    def ship(self, square: int) -> None:
        """From now on, that square holds a ship."""
        if square not in self.ships:
            self.ships.append(square)
            self.free &= ~(self.reach[square] & ~self.through[square])

    def no_ship(self, square: int) -> None:
        """From now on, that square holds none."""
        self.free &= ~self.through[square]

    def go(self, suppose: Suppose | None = None, *, stray: bool = False) -> Steps[Fleet | Case | None]:
        """A fleet that fits, with room for submarines and missiles, or why there is none. ``stray``: whether ways are
        tried in random order, so that fleets differ, or in order, so that proofs do not. None if it was given up after
        `MOST` cases."""
        free, ships, missiles = self.free, list(self.ships), list(self.missiles)
        if suppose:
            what, square = suppose
            if what == "ship":
                free &= ~(self.reach[square] & ~self.through[square])
                ships.append(square)
            else:
                free &= ~self.through[square]
            if what == "submarine":
                free &= ~self.beside[square]
            if what == "missile":
                missiles.append(square)
            if not self._may(what, square):
                return Case("room", square)
        self.suppose, self.stray, self.left = suppose, stray, MOST
        if not stray:
            self.failed.clear()  # what was learnt elsewhere makes walks shorter, and proofs longer
        start = _Part(free, self.counts, tuple(ships), tuple(missiles), Fleet(0, 0))
        return (yield from self._go(start))

    def _may(self, what: str, square: int) -> bool:
        """Whether what was seen beside a square leaves room there for a submarine, or a missile."""
        if what == "submarine":
            return bool(self.to_find and self.may_hide >> square & 1)
        return what != "missile" or bool(self.unfired and self.may_launch >> square & 1)

    def _go(self, part: _Part) -> Steps[Fleet | Case | None]:
        if self.pace():
            yield None
        self.left -= 1
        if self.left < 0:
            return None
        need, which, options, fewest = self._need(part)
        if fewest <= 0:
            self.failed[need, which] = self.failed.get((need, which), 1) + 1
            return Case(need, which)
        if need == "room":
            return part.fleet if self.room(part.fleet, self.suppose) else Case(need, which)
        free, failed = part.free, []
        places = list(squares(options))
        if self.stray:
            self.rng.shuffle(places)
        for place in places[:fewest]:
            result = yield from self._go(self._with(part._replace(free=free), place))
            if not isinstance(result, Case):
                return result
            failed.append((place, result))
            free &= ~(1 << place)
        return Case(need, which, tuple(failed))

    def _need(self, part: _Part) -> tuple[str, int, int, int]:
        """What has the fewest explanations left: what it is, where, the placements, and how many must be tried."""
        if (self.may_hide & ~part.fleet.halo).bit_count() < self.to_find:
            return "submarines", 0, 0, 0
        found, best = ("room", 0, 0, 10**9), float("inf")
        for need, where, options, n in self._needs(part):
            if n <= 0:
                return need, where, 0, 0
            if (score := n / self.failed.get((need, where), 1)) < best:
                found, best = (need, where, options, n), score
        return found

    def _needs(self, part: _Part) -> Iterator[tuple[str, int, int, int]]:
        for need, where, table in (("ship", part.ships, self.through), ("missile", part.missiles, self.beside)):
            for square in where:
                options = part.free & table[square]
                yield need, square, options, options.bit_count()
        for number, (left, of_class) in enumerate(zip(part.left, self.classes, strict=True)):
            if left:
                options = part.free & of_class  # without the last of them, too few would be left
                yield "class", number, options, options.bit_count() - left + 1

    def _with(self, part: _Part, place: int) -> _Part:
        """One more ship."""
        table = self.table
        number, mask, halo = int(table.of_class[place]), table.masks[place], table.halos[place]
        left = tuple(n - (i == number) for i, n in enumerate(part.left))
        free = part.free & ~self.clash[place]
        if not left[number]:
            free &= ~self.classes[number]
        ships = tuple(s for s in part.ships if not mask >> s & 1)
        missiles = tuple(s for s in part.missiles if not self.near[s] & mask)
        return _Part(free, left, ships, missiles, Fleet(part.fleet.covered | mask, part.fleet.halo | halo))

    def room(self, fleet: Fleet, suppose: Suppose | None) -> bool:
        """Whether all submarines and missiles find room beside a fleet, those supposed among them."""
        launchers = fleet.halo & ~fleet.covered & self.may_launch
        lairs = list(squares(self.may_hide & ~fleet.halo))
        what, square = suppose or ("", -1)
        if what == "submarine":
            if square not in lairs:
                return False
            lairs = [square, *(s for s in lairs if s != square)]
        if launchers.bit_count() < self.unfired:
            return False
        for subs in combinations(lairs, self.to_find):
            if what == "submarine" and subs[0] != square:
                break
            around = union(self.near[s] for s in subs)
            free = launchers & ~around
            if not around & _bits(subs) and free.bit_count() >= self.unfired and (
                what != "missile" or free >> square & 1
            ):
                return True
        return False


def certain(walk: Walk, asked: tuple[int, ...]) -> Steps[dict[int, str]]:
    """The squares, of those asked about, of which something is certain: "hit", "empty" or "no_ship"."""
    always, never = (1 << walk.table.cover.shape[1]) - 1, 0  # bits of squares that held a ship in every map, in any
    found = dict[int, str]()

    def possible(what: str, square: int) -> Steps[bool]:
        nonlocal always, never
        result = yield from walk.go(Suppose(what, square), stray=True)
        if isinstance(result, Fleet):
            always, never = always & result.covered, never | result.covered
        return not isinstance(result, Case)

    for square in asked:
        if not never >> square & 1 and not (yield from possible("ship", square)):
            sub = yield from possible("submarine", square)
            found[square] = "no_ship" if sub or (yield from possible("missile", square)) else "empty"
        elif always >> square & 1 and not (yield from possible("no_ship", square)):
            found[square] = "hit"
    return found


def squares(bits: int) -> Iterator[int]:
    """The places of the bits that are set, in rising order."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def _bits(places: tuple[int, ...] | list[int]) -> int:
    return union(1 << place for place in places)
