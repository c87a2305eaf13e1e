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

import numpy as np
from numpy.typing import NDArray

from .placements import Waters

Words = NDArray[np.uint64]
_TRUST_SHIPS, _TRUST_ROOM = 0.6, 0.3
"""How far `_Growth` trusts its two guesses at how fertile a part fleet is: these gave the smallest errors."""


@dataclass(frozen=True)
class Population:
    """Fleets that fit, each with the number of fleets it stands for.

    Parameters
    ----------
    ships : array of bool, shape (n, squares)
        The squares each fleet covers.
    weights : array of float, shape (n,)
        1 each if ``exact``.
    group : array of int, shape (n,)
        The groups, 0 to ``groups`` - 1, were sampled one without the other.
    groups : int
    exact : bool
        Whether every fleet that fits is here, once.
    """

    ships: NDArray[np.bool_]
    weights: NDArray[np.float64]
    group: NDArray[np.int64]
    groups: int
    exact: bool

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
    """At least one of the squares is a ship's.

    ``options`` are the placements that would make it so. A fleet may do it in several squares: it belongs to the
    first of them, so whoever takes a later one keeps ships out of those before: ``excludes``, by placement.
    """

    options: Words
    excludes: Words | None


class Fleets:
    """What is to be found.

    Parameters
    ----------
    waters : Waters
    hits : iterable of int
        Squares that hold a ship.
    water : iterable of int
        Squares that hold none.
    beside : iterable of int
        Squares next to at least one ship (they need not be in ``water``).
    """

    def __init__(
        self, waters: Waters, hits: Iterable[int] = (), water: Iterable[int] = (), beside: Iterable[int] = ()
    ) -> None:
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
        """All fleets that fit, or an even sample of them.

        Parameters
        ----------
        n : int
            Size of the population once it has to be thinned.
        rng : numpy Generator
        limit : int, optional
            The population is thinned when it would pass this size; left out, ``n``.
        groups : int
            Into how many independent groups the sample is cut.
        """
        grown = _Growth(self, n, n if limit is None else limit, groups, rng)
        for clause in self.clauses:
            grown.meet(clause)
        for number in self.class_order:
            grown.complete(number)
        return grown.population()


class _Growth:
    """A population of part fleets, a row each.

    ``free`` are the placements still possible, ``taken`` those of its ships, ``squares`` what these cover, ``left`` the
    ships to come by class, ``room`` the placements still possible by class.
    """

    def __init__(self, task: Fleets, n: int, limit: int, groups: int, rng: np.random.Generator) -> None:
        self.waters, self.tools = task.waters, _tools(task.waters)
        self.each, self.limit, self.groups, self.rng = max(1, n // groups), limit, groups, rng
        self.free = task.possible[None, :].copy()
        self.taken = np.zeros_like(self.free)
        self.squares = np.zeros((1, self.tools.cover.shape[1]), dtype=np.uint64)
        self.left = np.array([[kind.count for kind in self.waters.classes]], dtype=np.int64)
        self.weights = np.ones(1)
        self.group = np.zeros(1, dtype=np.int64)
        self.wanted = np.zeros(1, dtype=np.int64)  # of the class being completed: ships to come at its beginning,
        self.newest = np.zeros(1, dtype=np.int64)  # and the placement added last (-1 for none)
        self.room = np.zeros_like(self.left)
        self.exact = True

    def meet(self, clause: _Clause) -> None:
        """Add a ship wherever the clause is not met yet."""
        unmet = ~(self.taken & clause.options).any(axis=1)
        self._branch(unmet, self.free & clause.options, clause.excludes)

    def complete(self, number: int) -> None:
        """Add the ships of a class of which nothing was seen.

        While nothing is thinned they come in rising order, each set once. In a sample that would make some part
        fleets far more fertile than others, so there they come in any order, and a set counts once for all its orders.
        """
        self.wanted = self.left[:, number].copy()
        self.newest = np.full(len(self.wanted), -1)
        factorials = np.cumprod([1, *range(1, self.waters.classes[number].count + 1)])
        in_order = self.exact
        if not in_order:
            self.weights /= factorials[self.wanted]
        for step in range(int(self.wanted.max(initial=0))):
            options = self.free & self.tools.of_class[number]
            if in_order:
                options &= self.tools.later[self.newest]
            self._branch(self.left[:, number] > 0, options, None)
            if in_order and not self.exact:  # thinned just now: so many came in order, the others will not
                self.weights *= factorials[np.minimum(self.wanted, step + 1)] / factorials[self.wanted]
                in_order = False

    def population(self) -> Population:
        """What has grown, once all ships are there."""
        whole = ~self.left.any(axis=1)
        ships = _unpack(self.squares[whole], self.waters.grid.size).astype(bool)
        groups = 1 if self.exact else self.groups
        return Population(ships, self.weights[whole], self.group[whole], groups, self.exact)

    def _branch(self, active: NDArray[np.bool_], options: Words, excludes: Words | None) -> None:
        """Put every option of the active rows in their place; the other rows stay. Thin the new rows if need be."""
        counts = np.where(active, np.bitwise_count(options).sum(axis=1, dtype=np.int64), 1)
        if self.exact and int(counts.sum()) <= self.limit:
            parent = np.repeat(np.arange(len(counts)), counts)
            rank = np.arange(len(parent)) - np.repeat(np.cumsum(counts) - counts, counts)
            self._take(parent)
        else:
            parent, rank = self._thin(counts)
        grows = np.flatnonzero(active[parent])
        chosen = _nth_bit(options[parent[grows]], rank[grows])
        closed = self.tools.conflict[chosen]
        if excludes is not None:
            closed = closed | excludes[chosen]
        self.free[grows] &= ~closed
        self.taken[grows] |= self.tools.single[chosen]
        self.squares[grows] |= self.tools.cover[chosen]
        number = self.waters.placements.of_class[chosen]
        self.left[grows, number] -= 1
        self.newest[grows] = chosen
        spent = self.left[grows, number] == 0
        self.free[grows[spent]] &= ~self.tools.of_class[number[spent]]
        # A row whose free placements cannot hold the ships still to come will have no children: drop it now.
        self.room = np.stack([np.bitwise_count(self.free & words).sum(axis=1) for words in self.tools.of_class], axis=1)
        alive = (self.room >= self.left).all(axis=1)
        if not alive.all():
            self._take(np.flatnonzero(alive))

    def _take(self, rows: NDArray[np.int64]) -> None:
        for name in ("free", "taken", "squares", "left", "weights", "wanted", "newest", "group", "room"):
            setattr(self, name, getattr(self, name)[rows])

    def _thin(self, counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Choose among the new rows: the old row of each, and which of its options.

        A group takes even steps through the new rows laid end to end, each as long as it is promising.
        """
        promise = self.weights * self._prospects()
        if self.exact:  # the first thinning: every group takes its own sample of all there is
            self.exact = False
            spans = [(0, len(counts))] * self.groups
        else:
            edges = np.searchsorted(self.group, np.arange(self.groups + 1)).tolist()
            spans = list(zip(edges[:-1], edges[1:], strict=True))
        parents, ranks, weights = [], [], []
        for start, stop in spans:
            length = promise[start:stop] * counts[start:stop]
            ends = np.cumsum(length)
            if not len(ends) or not ends[-1] > 0:
                parents.append(np.zeros(0, dtype=np.int64))
                ranks.append(parents[-1])
                weights.append(np.zeros(0))
                continue
            step = ends[-1] / self.each
            at = (np.arange(self.each) + self.rng.random()) * step
            row = np.minimum(np.searchsorted(ends, at, side="right"), stop - start - 1)
            parent = start + row
            rank = ((at - (ends[row] - length[row])) / promise[parent]).astype(np.int64)
            parents.append(parent)
            ranks.append(np.clip(rank, 0, counts[parent] - 1))
            weights.append(self.weights[parent] * step / promise[parent])
        parent = np.concatenate(parents)
        self._take(parent)
        self.weights = np.concatenate(weights)
        self.group = np.repeat(np.arange(self.groups), [len(p) for p in parents])
        return parent, np.concatenate(ranks)

    def _prospects(self) -> NDArray[np.float64]:
        """About how fertile each row is; any positive guess keeps sums unbiased, a good one keeps them steady.

        The ways to place each class by itself, for the ships this row has still to come with the room that is usual,
        and for how much more or less room it has. Both say too much, since classes crowd each other: hence the powers.
        """
        wanting = self.left > 0
        usual = (self.room * wanting).sum(axis=0, dtype=np.int64) // np.maximum(wanting.sum(axis=0), 1)
        expected = self.tools.log_choose[usual[None, :], self.left]
        own = self.tools.log_choose[self.room, self.left]
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


def _nth_bit(words: Words, n: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each row the place of its set bit number n, counted from 0."""
    if not len(words):
        return np.zeros(0, dtype=np.int64)
    ends = np.cumsum(np.bitwise_count(words), axis=1, dtype=np.int64)
    word: NDArray[np.int64] = (ends <= n[:, None]).sum(axis=1)
    row = np.arange(len(words))
    left = n - np.where(word > 0, ends[row, word - 1], 0)
    bits, place = words[row, word], 64 * word
    for half in (32, 16, 8, 4, 2, 1):  # is it among the low bits of what is left of the word, or past them?
        below = np.bitwise_count(bits & np.uint64((1 << half) - 1)).astype(np.int64)
        past = left >= below
        left -= below * past
        step = half * past
        bits >>= step.astype(np.uint64)
        place += step
    return place
