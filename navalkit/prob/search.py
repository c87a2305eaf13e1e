"""The fleets that fit what was seen: all of them where that is affordable, else an even sample.

A population of part fleets grows by one ship at a time, and every way of adding it makes a part fleet of its own, so
that the population holds each possible part fleet exactly once. What was seen comes first, as *clauses*: of these
squares at least one is a ship's (a hit is a clause of one square, a missile one of up to four). Then come the ships that
nothing was seen of.

Where the population grows too large it is thinned: of M part fleets K are kept at even steps from a random start, so
that each stays with the same chance K/M and stands for M/K of them. All weights stay equal, and every sum over fleets is
estimated without bias. The sample is kept in several groups, each thinned on its own: how they differ gives the error.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .placements import Waters

Words = NDArray[np.uint64]


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
        possible = ~(cover & wet).any(axis=1) & ~(reach & ~cover & hit).any(axis=1)
        self.possible = _pack(possible[None, :])[0]
        clauses = [(s,) for s in np.flatnonzero(hit).tolist()]
        for square in beside:
            clauses.append(tuple(s for s in waters.grid.neighbours[square] if not wet[s]))
        makers = [(possible & cover[:, list(squares)].any(axis=1), squares) for squares in clauses]
        makers.sort(key=lambda m: (len(m[1]) > 1, int(m[0].sum())))  # hits first, the narrowest choice first
        self.clauses = [_Clause(_pack(who[None, :])[0], self._excludes(squares)) for who, squares in makers]
        sizes = [int((possible & (table.of_class == t)).sum()) for t in range(len(waters.classes))]
        self.class_order = sorted(range(len(sizes)), key=lambda t: sizes[t])

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

    ``free`` are the placements still possible, ``taken`` those of its ships, ``left`` the ships to come by class.
    """

    def __init__(self, task: Fleets, n: int, limit: int, groups: int, rng: np.random.Generator) -> None:
        self.waters, self.tools = task.waters, _tools(task.waters)
        self.each, self.limit, self.groups, self.rng = max(1, n // groups), limit, groups, rng
        self.free = task.possible[None, :].copy()
        self.taken = np.zeros_like(self.free)
        self.left = np.array([[kind.count for kind in self.waters.classes]], dtype=np.int64)
        self.weights = np.ones(1)
        self.group = np.zeros(1, dtype=np.int64)
        self.wanted = np.zeros(1, dtype=np.int64)  # of the class being completed: ships to come at its beginning,
        self.newest = np.zeros(1, dtype=np.int64)  # and the placement added last (-1 for none)
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
        in_order = 0
        for step in range(int(self.wanted.max(initial=0))):
            options = self.free & self.tools.of_class[number]
            if self.exact:
                options &= self.tools.later[self.newest]
                in_order = step + 1
            self._branch(self.left[:, number] > 0, options, None)
        if not self.exact:
            factorials = np.cumprod([1, *range(1, max(k.count for k in self.waters.classes) + 1)])
            self.weights *= factorials[np.minimum(self.wanted, in_order)] / factorials[self.wanted]

    def population(self) -> Population:
        """What has grown, once all ships are there."""
        whole = ~self.left.any(axis=1)
        taken = _unpack(self.taken[whole], len(self.waters.placements)).astype(np.float32)
        ships = taken @ self.waters.placements.cover.astype(np.float32) > 0
        groups = 1 if self.exact else self.groups
        return Population(ships, self.weights[whole], self.group[whole], groups, self.exact)

    def _branch(self, active: NDArray[np.bool_], options: Words, excludes: Words | None) -> None:
        """Put every option of the active rows in their place; the other rows stay. Thin the new rows if need be."""
        counts = np.where(active, np.bitwise_count(options).sum(axis=1, dtype=np.int64), 1)
        ends = np.cumsum(counts)
        rows, group = self._kept(ends)
        parent = np.searchsorted(ends, rows, side="right")
        rank = rows - (ends - counts)[parent]
        for name in ("free", "taken", "left", "weights", "wanted", "newest"):
            setattr(self, name, getattr(self, name)[parent])
        self.weights *= self._scale[group]
        self.group = group
        grows = np.flatnonzero(active[parent])
        chosen = _nth_bit(options[parent[grows]], rank[grows])
        closed = self.tools.conflict[chosen]
        if excludes is not None:
            closed = closed | excludes[chosen]
        self.free[grows] &= ~closed
        self.taken[grows] |= self.tools.single[chosen]
        number = self.waters.placements.of_class[chosen]
        self.left[grows, number] -= 1
        self.newest[grows] = chosen
        spent = grows[self.left[grows, number] == 0]
        self.free[spent] &= ~self.tools.of_class[number[self.left[grows, number] == 0]]
        # A row whose free placements cannot hold the ships still to come will have no children: drop it now.
        room = np.stack([np.bitwise_count(self.free & words).sum(axis=1) for words in self.tools.of_class], axis=1)
        alive = (room >= self.left).all(axis=1)
        if not alive.all():
            for name in ("free", "taken", "left", "weights", "wanted", "newest", "group"):
                setattr(self, name, getattr(self, name)[alive])

    def _kept(self, ends: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Which of the new rows to keep, and the group of each."""
        total = int(ends[-1]) if len(ends) else 0
        self._scale = np.ones(self.groups)
        if self.exact and total <= self.limit:
            return np.arange(total), np.zeros(total, dtype=np.int64)
        if self.exact:  # the first thinning: every group takes its own sample of all there is
            self.exact = False
            spans = [(0, total)] * self.groups
        else:
            edges = np.searchsorted(self.group, np.arange(self.groups + 1))
            marks = np.concatenate(([0], ends))[edges].tolist()
            spans = list(zip(marks[:-1], marks[1:], strict=True))
        rows, sizes = [], []
        for g, (start, stop) in enumerate(spans):
            kept = np.arange(start, stop)
            if len(kept) > self.each:
                step = len(kept) / self.each
                self._scale[g] = step
                kept = start + ((np.arange(self.each) + self.rng.random()) * step).astype(np.int64)
            rows.append(kept)
            sizes.append(len(kept))
        return np.concatenate(rows), np.repeat(np.arange(self.groups), sizes)


@dataclass(frozen=True)
class _Tools:
    """Sets of placements of some waters as words of 64 bits, shape (.., words)."""

    conflict: Words  # (P, words): what each placement rules out, itself included
    single: Words  # (P, words): just itself
    of_class: Words  # (classes, words)
    later: Words  # (P + 1, words): all with a higher number; the last row, for "none yet", all


@lru_cache(maxsize=16)
def _tools(waters: Waters) -> _Tools:
    table = waters.placements
    size = len(table)
    numbers = np.arange(size)
    of_class = np.stack([table.of_class == t for t in range(len(waters.classes))])
    later = np.concatenate([numbers[None, :] > numbers[:, None], np.ones((1, size), dtype=bool)])
    return _Tools(_pack(table.conflict), _pack(np.eye(size, dtype=bool)), _pack(of_class), _pack(later))


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
    word = (ends <= n[:, None]).sum(axis=1)
    row = np.arange(len(words))
    before = np.where(word > 0, ends[row, word - 1], 0)
    bits = _unpack(words[row, word][:, None], 64)
    seen = np.cumsum(bits, axis=1, dtype=np.int8)
    inside = (seen > (n - before)[:, None]).argmax(axis=1)
    return 64 * word + inside
