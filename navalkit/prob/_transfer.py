"""Counting fleets by a frontier that sweeps over the board, square by square, and drawing one on the way back.

The sweep goes along the longer side, so that the frontier is short. A state is what the part already swept means for
the rest: for every lane what its last swept square asks of the next, how much of a ship lying across the lanes is still
to come, and how many ships of each class are used. It is packed into one integer, and equal states are merged by
sorting, so that a few million of them take a second or so.
"""

from __future__ import annotations
from collections.abc import Iterator
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from navalkit.core._sums import IntegerSource
from navalkit.core.errors import DataError
from navalkit.core.words import SAY

if TYPE_CHECKING:
    from .placements import Waters

FREE, BLOCKED = 0, 1
"""What a lane asks of its next square, 3 bits a lane: whatever; no ship, for one ended there. From 2 on, k: the same
ship goes on for k - 1 squares."""
Keys = NDArray[np.int64]


class _Move(NamedTuple):
    """One way to fill a square: where it is possible, what it adds to the state, and the placement it begins."""

    where: NDArray[np.bool_]
    change: int
    place: int = -1


class Sweep:
    """The states after each square of a board, with the ways to come to each. ``waters``: its shorter side has at most
    16 squares. ``ship`` and ``water``: squares known to hold a ship, and known to hold none. ``keep``: whether the
    states after every square are kept, to draw from; else only the last ones. DataError if the board is too large."""

    def __init__(self, waters: Waters, ship: frozenset[int], water: frozenset[int], keep: bool = False) -> None:
        self.classes, self.ship, self.water = waters.classes, ship, water
        rows, columns = waters.rows, waters.columns
        self.lanes = min(rows, columns)
        swept = np.arange(rows * columns).reshape(rows, columns)
        self.order: list[int] = (swept if columns <= rows else swept.T).ravel().tolist()
        self.run_at = 3 * self.lanes  # 3 bits: squares still to come of a ship across the lanes
        self.used_at = self.run_at + 3  # mixed radix: ships used, by class
        self.radix = [1]
        for kind in self.classes:
            self.radix.append(self.radix[-1] * (kind.count + 1))
        if self.used_at + self.radix[-1].bit_length() > 63:
            raise DataError(SAY("placements.too_wide", lanes=self.lanes))
        # By first square: placement, class, and whether it lies along the sweep.
        self.starts: dict[int, list[tuple[int, int, bool]]] = {}
        table, step = waters.placements, columns if columns <= rows else 1
        for place, (cells, number) in enumerate(zip(table.cells, table.of_class.tolist(), strict=True)):
            self.starts.setdefault(cells[0], []).append((place, number, cells[1] - cells[0] == step))
        keys: Keys = np.zeros(1, dtype=np.int64)
        ways: NDArray[Any] = np.ones(1, dtype=np.int64 if _fits_int64(waters) else object)
        self.states = [(keys, ways)]
        for at in range(len(self.order)):
            moves = [(move.change, np.flatnonzero(move.where)) for move in self._moves(at, keys)]
            new = np.concatenate([keys[chosen] + change for change, chosen in moves])
            keys, ways = _merged(new, ways[np.concatenate([chosen for _, chosen in moves])])
            self.states[0 if not keep else len(self.states) :] = [(keys, ways)]
        self.whole = self.radix[-1] - 1  # every ship used

    @property
    def total(self) -> int:
        """How many fleets there are."""
        keys, ways = self.states[-1]
        return int(ways[keys >> self.used_at == self.whole].sum())

    def _moves(self, at: int, keys: Keys) -> Iterator[_Move]:
        """How the square number ``at`` of the sweep may be filled in each of those states."""
        square, lane = self.order[at], at % self.lanes
        shift = 3 * lane
        above = keys >> shift & 7
        left = keys >> (shift - 3) & 7 if lane else np.zeros_like(keys)
        run = keys >> self.run_at & 7
        if square not in self.ship:
            yield _Move((run == 0) & (above == FREE), 0)
            yield _Move((run == 0) & (above == BLOCKED), -(BLOCKED << shift))
        if square not in self.water:
            yield _Move((run > 0) & (above == FREE), (BLOCKED << shift) - (1 << self.run_at))
            yield _Move((run == 0) & (above > BLOCKED) & (left == FREE), -(1 << shift))
            open_, used = (run == 0) & (above == FREE) & (left == FREE), keys >> self.used_at
            for place, number, along in self.starts.get(square, ()):
                kind = self.classes[number]
                start = open_ & (used // self.radix[number] % (kind.count + 1) < kind.count)
                use = self.radix[number] << self.used_at
                ahead = kind.length << shift if along else (BLOCKED << shift) + (kind.length - 1 << self.run_at)
                yield _Move(start, use + ahead, place)

    def draw(self, rng: IntegerSource) -> tuple[int, ...]:
        """One fleet, each with the same chance: back from the last square, every step by the ways that lead there."""
        keys, ways = self.states[-1]
        last = np.flatnonzero(keys >> self.used_at == self.whole)
        key, fleet = int(keys[last[_pick(ways[last].tolist(), rng)]]), []
        for at in reversed(range(len(self.order))):
            keys, ways = self.states[at]
            changes = [(move.change, move.place) for move in self._moves(at, keys[:1])]
            before = np.array([key - change for change, _ in changes])
            found = np.minimum(np.searchsorted(keys, before), len(keys) - 1)
            there = keys[found] == before
            fits = [bool(there[i]) and bool(move.where[i]) for i, move in enumerate(self._moves(at, before))]
            step = _pick([int(ways[i]) * fit for i, fit in zip(found, fits, strict=True)], rng)
            key = int(before[step])
            if changes[step][1] >= 0:
                fleet.append(changes[step][1])
        return tuple(sorted(fleet))


@lru_cache(maxsize=2)
def sweep(waters: Waters) -> Sweep:
    """The sweep over an empty board, to draw from."""
    return Sweep(waters, frozenset(), frozenset(), keep=True)


def count(waters: Waters, ship: frozenset[int], water: frozenset[int]) -> int:
    """See `navalkit.prob.placements.count`."""
    return 0 if ship & water else Sweep(waters, ship, water).total


def _pick(weights: list[int], rng: IntegerSource) -> int:
    """A place, each with a chance in proportion to its weight."""
    left = int(rng.integers(sum(weights)))
    for place, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return place
    raise AssertionError("weights add up to more than is picked from")


def _merged(keys: Keys, ways: NDArray[Any]) -> tuple[Keys, NDArray[Any]]:
    """Equal states made one, their ways added; in rising order."""
    if not len(keys):
        return keys, ways
    order = np.argsort(keys, kind="stable")
    keys, ways = keys[order], ways[order]
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return keys[first], np.add.reduceat(ways, first)


def _fits_int64(waters: Waters) -> bool:
    """Whether no number on the way can pass 2**63: each counts part fleets, of which there are at most that many."""
    of_class = waters.placements.of_class
    bound = 1
    for number, kind in enumerate(waters.classes):
        places = int((of_class == number).sum())
        bound *= max(comb(places, k) for k in range(kind.count + 1))
    return bound < 2**63
