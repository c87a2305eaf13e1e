"""The fleets that fit what was seen: all of them where that is affordable, else an even sample.

A population of part fleets grows by one ship at a time, and every way of adding it makes a part fleet of its own, so
that the population holds each possible part fleet exactly once. What was seen comes first, as *clauses*: of these
squares at least one is a ship's (a hit is a clause of one square, a missile one of up to four). Then come the ships
that nothing was seen of.

Where the population grows too large it is thinned: all part fleets laid end to end, those that promise more being
longer, K are picked at even steps from a random start. A part fleet kept with chance p stands for 1/p of them, so that
every sum over fleets is estimated without bias (sequential Monte Carlo with systematic resampling). The sample is kept
in several groups, each thinned on its own: how they differ gives the error.
"""

from __future__ import annotations
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from navalkit.core.awaited import Pace, Steps, finish
from .placements import Waters

Words = NDArray[np.uint64]
Ints = NDArray[np.intp]
"""Numbers of rows, of placements, and how often: of the size that numpy's own indices have on this machine."""
_TRUST_SHIPS, _TRUST_ROOM = 0.6, 0.3
"""How far `_Growth` trusts its two guesses at how fertile a part fleet is: these gave the smallest errors."""


@dataclass(frozen=True)
class Population:
    """Fleets that fit, each with the number of fleets it stands for."""

    ships: NDArray[np.bool_]
    """The squares each fleet covers."""
    weights: NDArray[np.float64]
    """1 each if ``exact``."""
    group: Ints
    """The groups, 0 to ``groups`` - 1, were sampled one without the other."""
    groups: int
    exact: bool
    """Whether every fleet that fits is here, once."""

    @property
    def size(self) -> int:
        """How many fleets are here."""
        return len(self.weights)

    @property
    def total(self) -> float:
        """How many fleets fit, exactly or estimated."""
        return float(self.weights.sum()) / (1 if self.exact else self.groups)


@dataclass(frozen=True)
class _Clause:
    """At least one of the squares is a ship's. ``options`` are the placements that would make it so. A fleet may do it
    in several squares: it belongs to the first of them, so a branch with a later one keeps ships out of those before:
    ``excludes``, by placement."""

    options: Words
    excludes: Words | None


class Fleets:
    """What is to be found. ``hits``: squares that hold a ship. ``water``: squares that hold none. ``beside``: squares
    next to at least one ship (they need not be in ``water``)."""

    def __init__(self, waters: Waters, hits: Iterable[int] = (), water: Iterable[int] = (),
                 beside: Iterable[int] = ()) -> None:
        self.waters = waters
        table = waters.placements
        cover, reach = table.cover, table.reach
        hit, wet = np.zeros(waters.grid.size, dtype=bool), np.zeros(waters.grid.size, dtype=bool)
        hit[list(hits)] = True
        wet[list(water)] = True
        # A ship that touches a hit without covering it would touch the ship that was hit.
        possible = np.logical_and.reduce(~((cover & wet) | (reach & ~cover & hit)), axis=1)
        self.possible = _pack(possible[None, :])[0]
        clauses: list[tuple[int, ...]] = [(s,) for s in np.flatnonzero(hit).tolist()]
        for square in beside:
            clauses.append(tuple(s for s in waters.grid.neighbours[square] if not wet[s]))
        makers = [(possible & cover[:, list(squares)].any(axis=1), squares) for squares in clauses]
        makers.sort(key=lambda m: (len(m[1]) > 1, int(m[0].sum())))  # hits first, the narrowest choice first
        self.clauses = [_Clause(_pack(who[None, :])[0], self._excludes(squares)) for who, squares in makers]
        sizes = [int((possible & (table.of_class == t)).sum()) for t in range(len(waters.classes))]
        # Lone ships first, then the classes with the narrowest choice: measured, this loses the fewest part fleets.
        self.class_order = sorted(range(len(sizes)), key=lambda t: (waters.classes[t].count > 1, sizes[t]))

    def _excludes(self, squares: tuple[int, ...]) -> Words | None:
        if len(squares) < 2:
            return None
        cover = self.waters.placements.cover
        rows = np.zeros((len(cover), len(cover)), dtype=bool)
        for i, square in enumerate(squares[1:], 1):
            rows[cover[:, square]] = cover[:, list(squares[:i])].any(axis=1)
        return _pack(rows)

    def sample(self, n: int, rng: np.random.Generator, limit: int | None = None, groups: int = 10) -> Population:
        """All fleets that fit, or an even sample of them. ``n``: size of the population once it has to be thinned.
        ``limit``: the population is thinned when it would pass this size; left out, ``n``. ``groups``: into how many
        independent groups the sample is cut."""
        return finish(self.growing(n, rng, limit, groups))

    def growing(self, n: int, rng: np.random.Generator, limit: int | None = None,
                groups: int = 10) -> Steps[Population]:
        """The work of `sample` in short steps; it yields the share that is done."""
        grown = _Growth(self, n, n if limit is None else limit, groups, rng)
        for clause in self.clauses:
            yield from grown.meet(clause)
        for number in self.class_order:
            yield from grown.complete(number)
        return grown.population()


class _Rows(NamedTuple):
    """Part fleets, a row each."""

    free: Words  # the placements still possible
    taken: Words  # those of its ships
    squares: Words  # what these cover
    left: Ints  # (n, classes): the ships to come
    room: Ints  # (n, classes): the placements still possible
    weights: NDArray[np.float64]
    group: Ints
    wanted: Ints  # of the class being completed: ships to come at its beginning,
    newest: Ints  # and the placement added last (-1 for none)

    def take(self, rows: Ints | slice) -> _Rows:
        return _Rows._make(column[rows] for column in self)



def stacked(parts: list[Any]) -> list[NDArray[Any]]:
    """The columns of several tables, each below the one before; the list is emptied on the way, and no row held twice.

    Parameters
    ----------
    parts : list of sequences of arrays
        Each with the same columns, and as many rows in all of them. Empty afterwards.

    Returns
    -------
    list of arrays
        One for each column.

    >>> stacked([(np.zeros(2), np.ones(2)), (np.zeros(1), np.ones(1))])
    [array([0., 0., 0.]), array([1., 1., 1.])]
    """
    rows = sum(len(part[0]) for part in parts)
    whole = [np.empty((rows, *column.shape[1:]), dtype=column.dtype) for column in parts[0]]
    parts.reverse()
    at = 0
    while parts:
        part = parts.pop()
        for column, into in zip(part, whole, strict=True):
            into[at : at + len(column)] = column
        at += len(part[0])
        del part, column
    return whole


_AT_ONCE = 2048  # rows that grow between two looks at the clock


class _Growth:
    """A population of part fleets that grows in steps."""

    def __init__(self, task: Fleets, n: int, limit: int, groups: int, rng: np.random.Generator) -> None:
        self.waters, self.tools = task.waters, _tools(task.waters)
        self.each, self.limit, self.groups, self.rng = max(1, n // groups), limit, groups, rng
        self.pace = Pace()
        self.exact = True
        left = np.array([[kind.count for kind in self.waters.classes]], dtype=np.intp)
        free, one = task.possible[None, :].copy(), np.zeros(1, dtype=np.intp)
        squares = np.zeros((1, self.tools.cover.shape[1]), dtype=np.uint64)
        self.rows = _Rows(free, np.zeros_like(free), squares, left, np.zeros_like(left), np.ones(1), one, one, one)

    def meet(self, clause: _Clause) -> Steps[None]:
        """Add a ship wherever the clause is not met yet."""
        met = (self.rows.taken & clause.options).any(axis=1)
        yield from self._rest()
        yield from self._branch(np.logical_not(met), self.rows.free & clause.options, clause.excludes)

    def complete(self, number: int) -> Steps[None]:
        """Add the ships of a class of which nothing was seen. While nothing is thinned they come in rising order, each
        set once. In a sample that would make some part fleets far more fertile than others, so there they come in any
        order, and a set counts once for all its orders."""
        wanted = self.rows.left[:, number].copy()
        self.rows = self.rows._replace(wanted=wanted, newest=np.full(len(wanted), -1, dtype=np.intp))
        factorials = np.cumprod([1.0, *range(1, self.waters.classes[number].count + 1)])
        in_order = self.exact
        if not in_order:
            self._weigh(1 / factorials[wanted])
        for step in range(int(wanted.max(initial=0))):
            options = self.rows.free & self.tools.of_class[number]
            if in_order:
                options &= self.tools.later[self.rows.newest]
            yield from self._branch(self.rows.left[:, number] > 0, options, None)
            if in_order and not self.exact:  # thinned just now: those kept came in order, the others will not
                wanted = self.rows.wanted
                self._weigh(factorials[np.minimum(wanted, step + 1)] / factorials[wanted])
                in_order = False

    def _weigh(self, factors: NDArray[np.float64]) -> None:
        self.rows = self.rows._replace(weights=self.rows.weights * factors)

    def population(self) -> Population:
        """What has grown, once all ships are there."""
        rows = self.rows.take(np.flatnonzero(~self.rows.left.any(axis=1)))
        ships = _unpack(rows.squares, self.waters.grid.size).astype(bool)
        return Population(ships, rows.weights, rows.group, 1 if self.exact else self.groups, self.exact)

    def _branch(self, active: NDArray[np.bool_], options: Words, excludes: Words | None) -> Steps[None]:
        """Put every option of the active rows in their place; the other rows stay. Thin the new rows if need be."""
        yield from self._rest()
        counts = np.where(active, np.bitwise_count(options).sum(axis=1, dtype=np.intp), 1)
        yield from self._rest()
        if self.exact and int(counts.sum()) <= self.limit:
            parent = np.repeat(np.arange(len(counts)), counts)
            rank = np.arange(len(parent)) - np.repeat(np.cumsum(counts) - counts, counts)
            weights, group = self.rows.weights[parent], self.rows.group[parent]
        else:
            promise = self.rows.weights * self._prospects()
            yield from self._rest()
            parent, rank, weights, group = self._thin(counts, promise)
        grown = []
        for start in range(0, max(len(parent), 1), _AT_ONCE):
            yield from self._rest()
            some = slice(start, start + _AT_ONCE)
            rows = self.rows.take(parent[some])._replace(weights=weights[some], group=group[some])
            grown.append(self._grow(rows, active[parent[some]], options[parent[some]], rank[some], excludes))
        yield from self._rest()
        self.rows = grown[0]  # the old rows are not needed any more, and on a large map they are large
        self.rows = _Rows._make(stacked(grown))

    def _rest(self) -> Steps[None]:
        if self.pace():
            yield None

    def _grow(self, rows: _Rows, active: NDArray[np.bool_], options: Words, rank: Ints,
              excludes: Words | None) -> _Rows:
        """Give each active row its option of that rank, and drop the rows that are now without hope."""
        grows = np.flatnonzero(active)
        chosen = _nth_bit(options[grows], rank[grows])
        closed = self.tools.conflict[chosen]
        if excludes is not None:
            closed = closed | excludes[chosen]
        rows.free[grows] &= ~closed
        rows.taken[grows] |= self.tools.single[chosen]
        rows.squares[grows] |= self.tools.cover[chosen]
        number = self.waters.placements.of_class[chosen]
        rows.left[grows, number] -= 1
        rows.newest[grows] = chosen
        spent = rows.left[grows, number] == 0
        rows.free[grows[spent]] &= ~self.tools.of_class[number[spent]]
        # A row whose free placements cannot hold the ships still to come will have no children.
        for each, words in enumerate(self.tools.of_class):
            rows.room[:, each] = np.bitwise_count(rows.free & words).sum(axis=1)
        alive = (rows.room >= rows.left).all(axis=1)
        return rows if alive.all() else rows.take(np.flatnonzero(alive))

    def _thin(self, counts: Ints, promise: NDArray[np.float64]) -> tuple[Ints, Ints, NDArray[np.float64], Ints]:
        """Choose among the new rows: the old row of each, which of its options, its weight and its group. A group takes
        even steps through the new rows laid end to end, each as long as its row is promising."""
        rows = self.rows
        if self.exact:  # the first thinning: every group takes its own sample of all there is
            self.exact = False
            spans = [(0, len(counts))] * self.groups
        else:
            edges = np.searchsorted(rows.group, np.arange(self.groups + 1)).tolist()
            spans = list(zip(edges[:-1], edges[1:], strict=True))
        chosen = [(np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp), np.zeros(0), np.zeros(0, dtype=np.intp))]
        for number, (start, stop) in enumerate(spans):
            length = promise[start:stop] * counts[start:stop]
            ends = np.cumsum(length)
            if not len(ends) or not ends[-1] > 0:
                continue
            step = ends[-1] / self.each
            at = (np.arange(self.each) + self.rng.random()) * step
            row = np.minimum(np.searchsorted(ends, at, side="right"), stop - start - 1)
            parent = start + row
            rank = ((at - (ends[row] - length[row])) / promise[parent]).astype(np.intp)
            rank = np.clip(rank, 0, counts[parent] - 1)
            weights = rows.weights[parent] * step / promise[parent]
            chosen.append((parent, rank, weights, np.full(self.each, number, dtype=np.intp)))
        parent, rank, weights, group = (np.concatenate(column) for column in zip(*chosen, strict=True))
        return parent, rank, weights, group

    def _prospects(self) -> NDArray[np.float64]:
        """About how fertile each row is; any positive guess keeps sums unbiased, a good one keeps them steady. The ways
        to place each class by itself, for the ships this row has still to come with the room that is usual, and for how
        much more or less room it has. Both say too much, since classes crowd each other: hence the powers."""
        left, room = self.rows.left, self.rows.room
        wanting = left > 0
        usual = (room * wanting).sum(axis=0) // np.maximum(wanting.sum(axis=0), 1)
        expected = self.tools.log_choose[usual[None, :], left]
        own = self.tools.log_choose[room, left]
        promise: NDArray[np.float64] = (_TRUST_SHIPS * expected + _TRUST_ROOM * (own - expected)).sum(axis=1)
        result: NDArray[np.float64] = np.exp(promise - promise.max(initial=0))
        return result


@dataclass(frozen=True)
class _Tools:
    """Sets of placements of some waters as words of 64 bits, shape (.., words)."""

    conflict: Words  # (P, words): what each placement rules out, itself included
    single: Words  # (P, words): just itself
    cover: Words  # (P, words of squares): the squares it covers
    of_class: Words  # (classes, words)
    later: Words  # (P + 1, words): all with a higher number; the last row, for "none yet", all
    log_choose: NDArray[np.float64]  # [n, k]: the logarithm of n over k, 0 where that is none


@lru_cache(maxsize=16)
def _tools(waters: Waters) -> _Tools:
    table = waters.placements
    size = len(table)
    numbers = np.arange(size)
    of_class = np.stack([table.of_class == t for t in range(len(waters.classes))])
    later = np.concatenate([numbers[None, :] > numbers[:, None], np.ones((1, size), dtype=bool)])
    most = max(kind.count for kind in waters.classes)
    log_choose = np.log([[float(max(comb(n, k), 1)) for k in range(most + 1)] for n in range(size + 1)])
    single = np.eye(size, dtype=bool)
    conflict, single, cover, of_class, later = map(_pack, (table.conflict, single, table.cover, of_class, later))
    return _Tools(conflict, single, cover, of_class, later, log_choose)


def _pack(bits: NDArray[np.bool_]) -> Words:
    """Rows of bits as rows of words."""
    packed = np.packbits(bits, axis=1, bitorder="little")
    padded = np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8)))
    return np.ascontiguousarray(padded).view("<u8").astype(np.uint64)


def _unpack(words: Words, width: int) -> NDArray[np.uint8]:
    raw = np.ascontiguousarray(words.astype("<u8")).view(np.uint8).reshape(len(words), 8 * words.shape[1])
    return np.unpackbits(raw, axis=1, bitorder="little")[:, :width]


def _nth_bit(words: Words, n: Ints) -> Ints:
    """For each row the place of its set bit number n, counted from 0."""
    if not len(words):
        return np.zeros(0, dtype=np.intp)
    ends = np.cumsum(np.bitwise_count(words), axis=1, dtype=np.intp)
    word: Ints = (ends <= n[:, None]).sum(axis=1)
    row = np.arange(len(words))
    left = n - np.where(word > 0, ends[row, word - 1], 0)
    bits, place = words[row, word], 64 * word
    for half in (32, 16, 8, 4, 2, 1):  # is it among the low bits of what is left of the word, or past them?
        below = np.bitwise_count(bits & np.uint64((1 << half) - 1)).astype(np.intp)
        past = left >= below
        left -= below * past
        step = half * past
        bits >>= step.astype(np.uint64)
        place += step
    return place
