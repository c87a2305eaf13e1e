"""Hidden fleets on a board of squares: which there are, how many, one at random, and those that fit what was seen.

A fleet is a set of straight ships; no two share an edge, corners may touch. Three algorithms work on the same list of
placements, each where it is the quickest:

* `count` sweeps a frontier over the board, exactly and at any size;
* `draw` and `sample` take every legal fleet with the same chance: by exact rejection, and `draw` from the sweep where
  too few tries succeed;
* `navalkit.prob.search` builds the fleets that fit what was seen, all of them or an even sample.
"""

from __future__ import annotations
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb, factorial
from typing import Any, ClassVar, NoReturn

import numpy as np
from numpy.typing import NDArray

from navalkit.core._sums import IntegerSource
from navalkit.core.errors import DataError
from navalkit.core.game import Draw
from navalkit.core.seeds import Stream
from navalkit.core.words import SAY
from navalkit.grids.square import SquareGrid
from . import _transfer

__all__ = ["Fleet", "Placements", "ShipClass", "Waters", "count", "draw", "identify", "possible", "sample", "tries"]


# -- A board of squares, the fleet that lies hidden on it, and every way one of its ships can lie --

@dataclass(frozen=True, slots=True)
class ShipClass:
    """Ships that are alike.

    Parameters
    ----------
    name : str
    length : int
        Squares, 2 to 7.
    count : int
        How many there are, 1 or more.
    across, down : bool
        Whether they may lie along a row, along a column.
    first, last : int
        The columns they must lie in wholly, from 0, ``last`` not among them (-1: to the edge).
    """

    name: str
    length: int
    count: int = 1
    across: bool = True
    down: bool = True
    first: int = 0
    last: int = -1

    def __post_init__(self) -> None:
        if not 2 <= self.length <= 7 or self.count < 1:
            raise DataError(SAY("placements.class", count=self.count, length=self.length))


@dataclass(frozen=True)
class Waters:
    """A board and the fleet that lies hidden on it.

    Parameters
    ----------
    rows, columns : int
    classes : tuple of ShipClass
    """

    rows: int
    columns: int
    classes: tuple[ShipClass, ...]

    @cached_property
    def grid(self) -> SquareGrid:
        """The board."""
        return SquareGrid(self.rows, self.columns)

    @property
    def ships(self) -> int:
        """How many ships the fleet has."""
        return sum(c.count for c in self.classes)

    @property
    def squares(self) -> int:
        """How many squares the fleet covers."""
        return sum(c.count * c.length for c in self.classes)

    @cached_property
    def placements(self) -> Placements:
        """Every way one ship can lie."""
        return Placements(self)


class Placements:
    """Every way one ship of some waters can lie, numbered class by class.

    Attributes
    ----------
    cells : tuple of tuple of int
        The squares of each placement, in rising order.
    of_class : array of intp, shape (P,)
        The class of each, as its place in ``waters.classes``.
    masks, halos : tuple of int
        Bit s is set if square s is covered; covered or next to one that is.
    cover, reach : arrays of bool, shape (P, squares)
        The same as arrays.
    conflict : array of bool, shape (P, P)
        Whether two placements overlap or share an edge.
    """

    def __init__(self, waters: Waters) -> None:
        grid = waters.grid
        found = [(cells, number) for number, kind in enumerate(waters.classes) for cells in _lines(waters, kind)]
        self.cells = tuple(cells for cells, _ in found)
        self.of_class: NDArray[np.intp] = np.array([number for _, number in found], dtype=np.intp)
        self.masks = tuple(sum(1 << s for s in cells) for cells in self.cells)
        near = [sum(1 << s for s in beside) for beside in grid.neighbours]
        self.halos = tuple(mask | union(near[s] for s in c) for c, mask in zip(self.cells, self.masks, strict=True))
        self.cover = _bits(self.masks, grid.size)
        self.reach = _bits(self.halos, grid.size)
        overlap = self.cover.astype(np.float32) @ self.reach.T.astype(np.float32)
        self.conflict: NDArray[np.bool_] = overlap > 0

    def __len__(self) -> int:
        return len(self.cells)

    def of(self, number: int) -> tuple[int, ...]:
        """The placements of a class."""
        return tuple(np.flatnonzero(self.of_class == number).tolist())


def _lines(waters: Waters, kind: ShipClass) -> Iterable[tuple[int, ...]]:
    """The squares of every ship of that class, row by row, those along a row first."""
    last = waters.columns if kind.last < 0 else min(kind.last, waters.columns)
    for r in range(waters.rows):
        for c in range(kind.first, last):
            start = r * waters.columns + c
            if kind.across and c + kind.length <= last:
                yield tuple(range(start, start + kind.length))
            if kind.down and r + kind.length <= waters.rows:
                yield tuple(range(start, start + kind.length * waters.columns, waters.columns))


def union(masks: Iterable[int]) -> int:
    """All the squares of some masks."""
    result = 0
    for mask in masks:
        result |= mask
    return result


def _bits(masks: Sequence[int], width: int) -> NDArray[np.bool_]:
    """The low ``width`` bits of each mask, shape (len(masks), width)."""
    size = -(-width // 8)
    raw = np.frombuffer(b"".join(mask.to_bytes(size, "little") for mask in masks), dtype=np.uint8)
    return np.unpackbits(raw.reshape(-1, size), axis=1, bitorder="little")[:, :width].astype(bool)


Fleet = tuple[int, ...]
"""Numbers of placements, in rising order."""
Sets = NDArray[np.unsignedinteger[Any]]
"""Numbers of placements, shape (sets, ships), in as few bytes as hold them: there are long lists."""
MAX_LIST = 3_000_000
"""A class that might have more sets of its ships than this is cut into halves, for `draw` and `sample`."""
MERGE = 3_000_000
"""They merge lists whose product is no longer than this: the fewer lists, the fewer tries fail."""
LARGE = 100
"""On a map of more squares than the usual one a third of either is listed, for memory's sake."""
KNOWN = 400_000
"""Sets in a list whose squares are kept with them: so are those of the usual map."""
BLOCK = 2048
"""Sets that are made longer at once: what is worked with meanwhile stays small beside the list."""
TRIES = 20_000
"""After this many failed tries, some 0.2 s, `draw` takes another way to the same distribution."""
_NARROW = 8  # squares of the shorter side up to which a sweep of the board takes no longer than 2 s


def identify(waters: Waters, ships: Iterable[Sequence[int]]) -> Fleet | None:
    """The fleet of those ships, each the squares it covers in rising order; None if it is no legal fleet."""
    known = _by_cells(waters)
    table = waters.placements
    choices = [known.get(tuple(cells), ()) for cells in ships]
    if any(table.masks[a[0]] & table.halos[b[0]] for a, b in combinations([c for c in choices if c], 2)):
        return None
    # Two classes may hold ships of the same length and place (cruisers lie one each way, so here they do not).
    left = [c.count for c in waters.classes]
    fleet = []
    for places in choices:
        place = next((p for p in places if left[table.of_class[p]]), None)
        if place is None:
            return None
        left[table.of_class[place]] -= 1
        fleet.append(place)
    return None if any(left) else tuple(sorted(fleet))


@lru_cache(maxsize=32)
def _by_cells(waters: Waters) -> dict[tuple[int, ...], tuple[int, ...]]:
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    for number, cells in enumerate(waters.placements.cells):
        found[cells] = (*found.get(cells, ()), number)
    return found


def count(waters: Waters, ship: Iterable[int] = (), water: Iterable[int] = ()) -> int:
    """The exact number of legal fleets.

    Parameters
    ----------
    waters : Waters
        Its shorter side has at most 16 squares.
    ship, water : iterable of int
        Squares known to hold a ship, and known to hold none.

    Raises
    ------
    DataError
        If the board is too large.

    Notes
    -----
    A square is surely a ship's in ``count(waters, ship=[s]) / count(waters)`` of all fleets: this is how tests get
    exact marginals. Ten rows of the full game take some 10 s, and less the more is known.

    Returns
    -------
    int

    Examples
    --------
    >>> small = Waters(3, 3, (ShipClass("boat", 2),))
    >>> count(small), count(small, ship=[4])
    (12, 4)
    """
    return _transfer.count(waters, frozenset(ship), frozenset(water))


class _Bits:
    """The squares of each set of placements in a list, as words of 64 bits. They are put together for the sets that
    are asked for, or, once many are, for all: of a long list that would take ten times its memory."""

    def __init__(self, words: NDArray[np.uint64], sets: Sets) -> None:
        self._words, self._sets = words, sets
        self._known: NDArray[np.uint64] | None = None

    def _of(self, sets: Sets) -> NDArray[np.uint64]:
        found: NDArray[np.uint64] = np.bitwise_or.reduce(self._words[sets], axis=-2)
        return found

    def __getitem__(self, which: int | NDArray[np.int64]) -> NDArray[np.uint64]:
        if self._known is None and not isinstance(which, int) and len(self._sets) <= KNOWN:
            self._known = self._of(self._sets)
        return self._of(self._sets[which]) if self._known is None else self._known[which]


class _Parts:
    """The fleet cut into a few parts, each with the list of all its legal sets of ships.

    A fleet is drawn by taking from every list one set, each with the same chance, and starting again unless all of
    them go together. A class with too many sets to list is cut into halves, so that a fleet is ``repeats`` choices of
    sets, every fleet equally many: each has the same chance. A try succeeds with probability
    ``count * repeats / ways``, which the tests hold against the count.
    """

    def __init__(self, waters: Waters) -> None:
        table = waters.placements
        parts: list[Sets] = []
        share = 1 if waters.grid.size <= LARGE else 3
        self.repeats = 1
        for number, kind in enumerate(waters.classes):
            sizes = _cut(int((table.of_class == number).sum()), kind.count, MAX_LIST // share)
            self.repeats *= factorial(kind.count)
            for size in sizes:
                self.repeats //= factorial(size)
                parts.append(_sets_of(waters, number, size))
        while len(parts) > 1:
            parts.sort(key=len)
            if len(parts[0]) * len(parts[1]) > MERGE // share:
                break
            parts[:2] = [_join(table, parts[0], parts[1])]
        self.parts = sorted(parts, key=len)
        words = -(-waters.grid.size // 64)
        cover, reach = _words(table.cover, words), _words(table.reach, words)
        self.covers = [_Bits(cover, part) for part in self.parts]
        self.reaches = [_Bits(reach, part) for part in self.parts]

    @property
    def ways(self) -> int:
        """How many choices of sets there are, legal or not."""
        product = 1
        for part in self.parts:
            product *= len(part)
        return product

    def draw(self, rng: IntegerSource) -> Fleet | None:
        """A fleet, or None after `TRIES` tries in vain."""
        for _ in range(TRIES):
            chosen: list[int] = []
            covered: NDArray[np.uint64] | None = None
            for part, cover, reach in zip(self.parts, self.covers, self.reaches, strict=True):
                i = int(rng.integers(len(part)))
                if covered is None:
                    covered = cover[i]
                elif (covered & reach[i]).any():
                    break
                else:
                    covered = covered | cover[i]
                chosen.extend(part[i].tolist())
            else:
                return tuple(sorted(chosen))
        return None

    def sample(self, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
        found: list[NDArray[np.int64]] = []
        missing = n
        batch = 1 << 16
        while missing > 0:
            picks = [rng.integers(len(self.parts[0]), size=batch)]
            covered = self.covers[0][picks[0]]
            for part, cover, reach in zip(self.parts[1:], self.covers[1:], self.reaches[1:], strict=True):
                new = rng.integers(len(part), size=len(covered))
                fits = ~(covered & reach[new]).any(axis=1)
                picks = [p[fits] for p in picks] + [new[fits]]
                covered = covered[fits] | cover[picks[-1]]
            sets = [part[p] for part, p in zip(self.parts, picks, strict=True)]
            fleets = np.concatenate(sets, axis=1, dtype=np.int64)
            found.append(np.sort(fleets, axis=1))
            missing -= len(fleets)
        return np.concatenate(found)[:n]


def _cut(places: int, ships: int, most: int) -> list[int]:
    """Sizes that add up to ``ships``, each so small that its sets, ``most`` of them, can be listed."""
    if ships == 1 or comb(places, ships) <= most:
        return [ships]
    return _cut(places, ships // 2, most) + _cut(places, ships - ships // 2, most)


def _sets_of(waters: Waters, number: int, size: int) -> Sets:
    """All legal sets of a number of ships of one class, shape (sets, size)."""
    table = waters.placements
    mine = np.array(table.of(number), dtype=np.min_scalar_type(len(table)))
    sets = mine[:, None]
    for _ in range(size - 1):
        sets = np.concatenate([_longer(table, some, mine) for some in np.array_split(sets, 1 + len(sets) // BLOCK)])
    return sets


def _longer(table: Placements, sets: Sets, mine: Sets) -> Sets:
    """The sets with one more ship each, of a higher number than their last."""
    later = sets[:, -1, None] < mine[None, :]
    apart = np.logical_and.reduce([~table.conflict[np.ix_(column, mine)] for column in sets.T])
    i, j = np.nonzero(later & apart)
    return np.concatenate([sets[i], mine[j][:, None]], axis=1)


def _join(table: Placements, a: Sets, b: Sets) -> Sets:
    """All legal pairs of a set of ``a`` and a set of ``b``."""
    clash = np.zeros((len(a), len(b)), dtype=bool)
    for one in a.T:
        for other in b.T:
            clash |= table.conflict[np.ix_(one, other)]
    i, j = np.nonzero(~clash)
    return np.concatenate([a[i], b[j]], axis=1)


def _words(bits: NDArray[np.bool_], words: int) -> NDArray[np.uint64]:
    packed = np.packbits(bits, axis=1, bitorder="little")
    return np.pad(packed, ((0, 0), (0, words * 8 - packed.shape[1]))).view(np.uint64)


@lru_cache(maxsize=4)
def _parts(waters: Waters) -> _Parts:
    parts = _Parts(waters)
    if not parts.ways or not possible(waters):
        raise DataError(SAY("placements.no_room", columns=waters.columns, rows=waters.rows))
    return parts


@lru_cache(maxsize=32)
def possible(waters: Waters) -> bool:
    """Whether there is a legal fleet at all: found, or on a narrow board counted."""
    from .search import Fleets

    found = Fleets(waters).sample(2000, np.random.default_rng(0))
    return found.size > 0 or (not found.exact and _is_narrow(waters) and count(waters) > 0)


def _is_narrow(waters: Waters) -> bool:
    return min(waters.rows, waters.columns) <= _NARROW


def draw(waters: Waters, rng: IntegerSource) -> Fleet:
    """One legal fleet, each with exactly the same chance.

    Parameters
    ----------
    waters : Waters
    rng : IntegerSource
        A numpy Generator, or a `navalkit.core.seeds.Stream`.

    Raises
    ------
    DataError
        If there is none.
    """
    fleet = _parts(waters).draw(rng)
    if fleet is None and _is_narrow(waters):
        return _transfer.sweep(waters).draw(rng)
    if fleet is None:
        bits = np.random.PCG64(int(rng.integers(2**63)))
        return tuple(sample(waters, 1, np.random.Generator(bits))[0].tolist())
    return fleet


def sample(waters: Waters, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """``n`` independent legal fleets, each with exactly the same chance.

    Parameters
    ----------
    waters : Waters
        Board and fleet.
    n : int
        How many.
    rng : numpy Generator

    Returns
    -------
    array of int, shape (n, ships)
        Numbers of placements (``waters.placements``), a row a fleet; ships in the order of their classes.

    Raises
    ------
    As `draw`.

    Examples
    --------
    >>> sample(Waters(3, 3, (ShipClass("boat", 2),)), 5, np.random.default_rng(0)).shape
    (5, 1)
    """
    return _parts(waters).sample(n, rng)


def tries(waters: Waters) -> Fraction:
    """How many tries `draw` needs for a fleet, times ``count(waters)``."""
    parts = _parts(waters)
    return Fraction(parts.ways, parts.repeats)


# -- A chance node whose outcomes are too many to list, but equally likely, easy to draw and easy to recognise

class Unlisted(Draw):
    """A uniform `Draw` that samples and recognises its outcomes without listing them.

    Whatever needs the list (iteration, moments, tables) raises DataError.

    ``sampler``: random generator -> one outcome, each with the same chance. ``contains``: whether something is an
    outcome. ``count``: the exact number of outcomes; asked for when it is needed. ``slot`` names what is decided, as in
    `Draw`.
    """

    __slots__ = ("_sampler", "_contains", "_count")
    listed: ClassVar[bool] = False

    def __init__(self, sampler: Callable[[IntegerSource], Any], contains: Callable[[object], bool],
                 count: Callable[[], int], *, slot: str) -> None:
        self._weights = self._urn = self._ends = None
        self._total = 0
        self.slot, self.deck, self.index = slot, (), 0
        self._sampler, self._contains, self._count = sampler, contains, count

    def pick(self, seed: int) -> Any:
        """The outcome that ``seed`` has in this slot."""
        return self._sampler(Stream(seed, self.slot))

    def sample(self, rng: IntegerSource, size: int | None = None) -> Any:
        """One outcome, or a list of ``size`` of them."""
        return self._sampler(rng) if size is None else [self._sampler(rng) for _ in range(size)]

    def __contains__(self, outcome: object) -> bool:
        return self._contains(outcome)

    @property
    def total(self) -> int:
        """How many outcomes there are."""
        return self._count()

    def prob(self, outcome: object) -> Fraction:
        """1 by the number of outcomes, or 0 for what is none."""
        return Fraction(1, self._count()) if self._contains(outcome) else Fraction(0)

    __getitem__ = prob

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"<Unlisted draw of {self.slot!r}>"

    def _counts(self) -> NoReturn:
        raise DataError(SAY("unlisted", slot=repr(self.slot)))
