"""Counting fleets by a frontier that sweeps over the board, square by square.

A state is what the part already swept means for the rest: for every column what its lowest swept square asks of the
one below, how much of a ship lying along the row is still to come, and how many ships of each class are used. It is
packed into one integer, and equal states are merged by sorting, so that a few million of them take a second or so.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from navalkit.core.errors import DataError

if TYPE_CHECKING:
    from .placements import Waters

# What a column asks of its next square, 3 bits a column. FREE: whatever. BLOCKED: no ship, one ended above. k >= 2:
# the same ship goes on for k - 1 squares.
FREE, BLOCKED = 0, 1


def count(waters: Waters, ship: frozenset[int], water: frozenset[int]) -> int:
    """See `navalkit.prob.placements.count`."""
    if ship & water:
        return 0
    columns, classes = waters.columns, waters.classes
    run_at = 3 * columns  # 3 bits: squares still to come of a ship along the row
    used_at = run_at + 3  # mixed radix: ships used, by class
    radix = [1]
    for kind in classes:
        radix.append(radix[-1] * (kind.count + 1))
    if used_at + radix[-1].bit_length() > 63:
        raise DataError(f"counting fleets takes boards of at most 16 columns, not {columns}.")
    keys = np.zeros(1, dtype=np.int64)
    ways: NDArray[Any] = np.ones(1, dtype=np.int64 if _fits_int64(waters) else object)
    for square in range(waters.rows * columns):
        row, column = divmod(square, columns)
        at = 3 * column
        above = keys >> at & 7
        left = keys >> (at - 3) & 7 if column else np.zeros_like(keys)
        run = keys >> run_at & 7
        used = keys >> used_at
        new: list[NDArray[np.int64]] = []
        from_: list[NDArray[np.intp]] = []

        def go(where: NDArray[np.bool_], change: int, new: Any = new, from_: Any = from_, keys: Any = keys) -> None:
            chosen = np.flatnonzero(where)
            new.append(keys[chosen] + change)
            from_.append(chosen)

        if square not in ship:
            go((run == 0) & (above == FREE), 0)
            go((run == 0) & (above == BLOCKED), -(BLOCKED << at))
        if square not in water:
            go((run > 0) & (above == FREE), (BLOCKED << at) - (1 << run_at))
            go((run == 0) & (above > BLOCKED) & (left == FREE), -(1 << at))
            open_ = (run == 0) & (above == FREE) & (left == FREE)
            for number, kind in enumerate(classes):
                last = columns if kind.last < 0 else min(kind.last, columns)
                start = open_ & (used // radix[number] % (kind.count + 1) < kind.count)
                use = radix[number] << used_at
                if kind.down and row + kind.length <= waters.rows and kind.first <= column < last:
                    go(start, use + (kind.length << at))
                if kind.across and kind.first <= column and column + kind.length <= last:
                    go(start, use + (BLOCKED << at) + (kind.length - 1 << run_at))
        keys, ways = _merged(np.concatenate(new), ways[np.concatenate(from_)])
        if not len(keys):
            return 0
    return int(ways[keys >> used_at == radix[-1] - 1].sum())


def _merged(keys: NDArray[np.int64], ways: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Equal states made one, their ways added."""
    if not len(keys):
        return keys, ways
    order = np.argsort(keys, kind="stable")
    keys, ways = keys[order], ways[order]
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return keys[first], np.add.reduceat(ways, first)


def _fits_int64(waters: Waters) -> bool:
    """Whether no number on the way can pass 2**63: each counts part fleets, of which there are at most so many."""
    of_class = waters.placements.of_class
    bound = 1
    for number, kind in enumerate(waters.classes):
        places = int((of_class == number).sum())
        bound *= max(comb(places, k) for k in range(kind.count + 1))
    return bound < 2**63
