"""Geometry for the players, as arrays: distances, bearings and lines of sight between all squares of a board."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navalkit.grids.square import SquareGrid
from navalkit.grids.square_headings import ahead, bearing
from navalkit.grids.square_lines import clear

Array = NDArray[Any]
FAR = 10  # squares beyond every gun and torpedo: ranges are cut off here
UNREACHED = 999


class Chart:
    """A board with its land.

    ``distance`` and ``bearing`` (squares x squares): squares from the first to the second, and the heading nearest to
    the line from the first to the second. ``ahead`` (squares x 8): the next square on each heading; the square itself
    where there is no sea.
    """

    def __init__(self, grid: SquareGrid, land: frozenset[int]) -> None:
        self.grid, self.land = grid, land
        rows, columns = np.divmod(np.arange(grid.size), grid.columns)
        down, right = (place[None, :] - place[:, None] for place in (rows, columns))
        self.distance: Array = np.abs(down) + np.abs(right)
        turns = np.zeros((2 * grid.rows - 1, 2 * grid.columns - 1), dtype=np.int64)
        for y in range(1 - grid.rows, grid.rows):
            for x in range(1 - grid.columns, grid.columns):
                start = max(0, -y) * grid.columns + max(0, -x)
                turns[y, x] = bearing(grid, start, start + y * grid.columns + x)
        self.bearing: Array = turns[down, right]
        self.ahead: Array = np.array([[self._next(square, h) for h in range(8)] for square in range(grid.size)])
        self._clear: dict[frozenset[int], tuple[Array, Array]] = {}  # what masks -> rows of lines, and which are known

    def _next(self, square: int, heading: int) -> int:
        to = ahead(self.grid, square, heading)
        return square if to is None or to in self.land else to

    def sight(self, squares: Array, masked: frozenset[int]) -> Array:
        """Whether nothing masks the line from each of those squares to those nearer than `FAR`: rows x squares."""
        if masked not in self._clear:
            size = self.grid.size
            self._clear[masked] = np.zeros((size, size), dtype=bool), np.zeros(size, dtype=bool)
        rows, known = self._clear[masked]
        for square in set(squares[~known[squares]].tolist()):
            near = np.flatnonzero(self.distance[square] < FAR).tolist()
            rows[square, near] = [clear(self.grid, square, to, masked) for to in near]
            known[square] = True
        return np.asarray(rows[squares])


@lru_cache(maxsize=32)
def chart(grid: SquareGrid, land: frozenset[int]) -> Chart:
    """The chart of a board."""
    return Chart(grid, land)


@lru_cache(maxsize=256)
def sailing_distance(grid: SquareGrid, land: frozenset[int], goals: frozenset[int]) -> Array:
    """Squares to the nearest goal by sea for every square; `UNREACHED` where there is no way."""
    far = np.full(grid.size, UNREACHED)
    edge = sorted(goals - land)
    far[edge] = 0
    steps = 0
    while edge:
        steps += 1
        near = {n for square in edge for n in grid.neighbours[square] if n not in land and far[n] == UNREACHED}
        edge = sorted(near)
        far[edge] = steps
    return far
