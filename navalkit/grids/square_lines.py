"""Lines of sight between the centres of squares, exact: what they cross, and whether something masks them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from .square import SquareGrid


@dataclass(frozen=True, slots=True)
class Line:
    """What the line between two centres crosses.

    Parameters
    ----------
    squares : tuple of int
        The squares between the two whose inside it crosses, in order.
    corners : tuple of pairs of int
        Where it runs through a corner, the two squares on either side that it only touches there.
    """

    squares: tuple[int, ...]
    corners: tuple[tuple[int, int], ...]


@lru_cache(maxsize=1 << 15)
def line(grid: SquareGrid, a: int, b: int) -> Line:
    """What the straight line from the centre of ``a`` to the centre of ``b`` crosses."""
    row, column = grid.place(a)
    row_b, column_b = grid.place(b)
    down, right = abs(row_b - row), abs(column_b - column)
    row_step, column_step = (1 if row_b > row else -1), (1 if column_b > column else -1)
    squares, corners = [], []
    gone_down = gone_right = 0
    while gone_down < down or gone_right < right:
        # The next edge between rows lies (2 gone_down + 1) / (2 down) of the way along, that between columns likewise.
        to_row, to_column = (2 * gone_down + 1) * right, (2 * gone_right + 1) * down
        if to_row == to_column:
            corners.append(((row + row_step) * grid.columns + column, row * grid.columns + column + column_step))
        if to_row <= to_column:
            row, gone_down = row + row_step, gone_down + 1
        if to_column <= to_row:
            column, gone_right = column + column_step, gone_right + 1
        squares.append(row * grid.columns + column)
    return Line(tuple(squares[:-1]), tuple(corners))


def clear(grid: SquareGrid, a: int, b: int, land: Collection[int]) -> bool:
    """Whether nothing masks the line between the centres of two squares.

    A square of ``land`` masks if the line crosses its inside; a corner masks if there is land on both its sides. The
    two ends never do. (Fleet Action F14.)

    Parameters
    ----------
    grid : SquareGrid
    a, b : int
        Squares by number.
    land : collection of int
        Squares that mask.

    Returns
    -------
    bool

    >>> grid = SquareGrid(8, 10)
    >>> clear(grid, grid.number("A1"), grid.number("A5"), {grid.number("A3")})
    False
    """
    if not land:
        return True
    found = line(grid, a, b)
    return not any(s in land for s in found.squares) and not any(c in land and d in land for c, d in found.corners)
