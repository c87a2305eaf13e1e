"""A board of squares, the fleet that lies hidden on it, and every way one of its ships can lie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from navalkit.core.errors import DataError
from navalkit.core.language.say import SAY
from navalkit.grids.square import SquareGrid


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
