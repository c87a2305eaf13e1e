"""A board of squares: names ("C7" is column C, row 7), neighbours by edge and all around.

Squares are numbered row by row from the top left: ``row * columns + column``, both from 0.
"""

from __future__ import annotations
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property, lru_cache

from navalkit.core.errors import DataError, NotationError, brief
from navalkit.core.words import SAY

__all__ = ["HEADINGS", "Line", "SquareGrid", "ahead", "bearing", "clear", "distance", "heading", "quarter", "sections"]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class SquareGrid:
    """A board of ``rows`` by ``columns`` squares.

    Parameters
    ----------
    rows : int
        1 or more, numbered from 1 downward.
    columns : int
        1 to 26, lettered from A.

    Raises
    ------
    DataError
        If there are no rows, or no letter for a column.
    """

    rows: int
    columns: int

    def __post_init__(self) -> None:
        if self.rows < 1 or not 1 <= self.columns <= len(LETTERS):
            raise DataError(SAY("square.board", rows=self.rows, columns=self.columns))

    @property
    def size(self) -> int:
        """How many squares there are."""
        return self.rows * self.columns

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all squares, by number."""
        return tuple(f"{LETTERS[c]}{r + 1}" for r in range(self.rows) for c in range(self.columns))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def number(self, name: str) -> int:
        """The number of the square of that name; case does not matter. NotationError if there is no such square."""
        found = self._numbers.get(name.upper())
        if found is None:
            raise NotationError(SAY("square.notation", name=repr(name[:12]), names=self.names[-1]))
        return found

    def place(self, square: int) -> tuple[int, int]:
        """Row and column of a square, from 0."""
        return divmod(square, self.columns)

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """For each square the 2 to 4 that share an edge with it, in rising order."""
        return self._reached(((-1, 0), (0, -1), (0, 1), (1, 0)))

    @cached_property
    def around(self) -> tuple[tuple[int, ...], ...]:
        """For each square the 3 to 8 that share an edge or a corner with it, in rising order."""
        return self._reached(tuple((r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c))

    @cached_property
    def rim(self) -> tuple[int, ...]:
        """The squares along the edge of the board, in rising order."""
        return tuple(s for s in range(self.size) if len(self.around[s]) < 8)

    def _reached(self, steps: tuple[tuple[int, int], ...]) -> tuple[tuple[int, ...], ...]:
        return tuple(
            tuple((r + dr) * self.columns + c + dc
                  for dr, dc in steps if 0 <= r + dr < self.rows and 0 <= c + dc < self.columns)
            for r, c in map(self.place, range(self.size))
        )


# -- Eight headings on a board of squares: steps, bearings, range, and boards made of sections -----
# Headings are numbered clockwise from north, 0 N to 7 NW; north is up. One metric serves movement and range: columns
# plus rows, so that a diagonal step counts two.

HEADINGS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
STEPS = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
"""Rows and columns of one step on each heading."""
SECTION = (10, 8)
"""Rows and columns of a section."""


def heading(name: str) -> int:
    """The number of the heading of that name ("NE"); case does not matter. NotationError if it is none of the eight."""
    if (upper := name.upper()) not in HEADINGS:
        raise NotationError(SAY("square.heading", name=brief(name), listed=", ".join(HEADINGS)))
    return HEADINGS.index(upper)


def step_cost(heading: int) -> int:
    """What one step on that heading counts: 1, or 2 on a diagonal."""
    return 1 + heading % 2


def shifted(grid: SquareGrid, square: int, rows: int, columns: int) -> int | None:
    """The square some rows (downward) and columns (to the right) away, or None beyond the edge of the board.

    Parameters
    ----------
    grid : SquareGrid
    square : int
        By number.
    rows, columns : int
        Negative ones go up, and to the left.

    Returns
    -------
    int or None

    >>> grid = SquareGrid(8, 10)
    >>> grid.names[shifted(grid, grid.number("C4"), -1, 2)]
    'E3'
    """
    row, column = grid.place(square)
    row, column = row + rows, column + columns
    return row * grid.columns + column if 0 <= row < grid.rows and 0 <= column < grid.columns else None


def ahead(grid: SquareGrid, square: int, heading: int) -> int | None:
    """The next square on that heading (0 north, clockwise by 45 degrees), or None beyond the edge of the board.

    Parameters
    ----------
    grid : SquareGrid
    square : int
        Its number, row by row from 0.
    heading : int
        0 to 7.

    Returns
    -------
    int or None

    >>> grid = SquareGrid(8, 10)
    >>> grid.names[ahead(grid, grid.number("A1"), 3)]
    'B2'
    """
    return shifted(grid, square, *STEPS[heading])


def distance(grid: SquareGrid, a: int, b: int) -> int:
    """Columns plus rows between two squares: a diagonal step counts two (Fleet Action F1a).

    Parameters
    ----------
    grid : SquareGrid
    a, b : int
        Squares by number.

    Returns
    -------
    int

    >>> grid = SquareGrid(8, 10)
    >>> distance(grid, grid.number("A1"), grid.number("C4"))
    5
    """
    return abs(a // grid.columns - b // grid.columns) + abs(a % grid.columns - b % grid.columns)


def bearing(grid: SquareGrid, origin: int, target: int) -> int:
    """The heading nearest to the line from one square's centre to another's; of a square to itself, 0.

    Each heading stands for the 45 degrees about it. No square lies just between two, for tan 22.5 degrees is
    irrational, so the answer is exact: a line runs along an axis if ``(|x| + |y|)^2 < 2 max(|x|, |y|)^2``.

    Parameters
    ----------
    grid : SquareGrid
    origin, target : int
        Squares by number.

    Returns
    -------
    int
        0 to 7, clockwise from north.

    >>> grid = SquareGrid(8, 10)
    >>> bearing(grid, grid.number("A1"), grid.number("C4"))
    3
    """
    y = target // grid.columns - origin // grid.columns
    x = target % grid.columns - origin % grid.columns
    if (abs(x) + abs(y)) ** 2 < 2 * max(abs(x), abs(y)) ** 2:
        x, y = (x, 0) if abs(x) > abs(y) else (0, y)
    sign = ((y > 0) - (y < 0), (x > 0) - (x < 0))
    return STEPS.index(sign) if sign in STEPS else 0


def sections(across: int, down: int) -> SquareGrid:
    """A board of sections of ten rows by eight columns laid side by side.

    Raises
    ------
    DataError
        If there is not at least one section, or no letter for a column.
    """
    most = len(LETTERS) // SECTION[1]
    if not 1 <= across <= most or not 1 <= down <= 10:
        raise DataError(SAY("square.sections", most=most, across=across, down=down))
    return SquareGrid(SECTION[0] * down, SECTION[1] * across)


def quarter(grid: SquareGrid, square: int) -> int:
    """The quarter of the board a square lies in: 0 and 1 above from left to right, 2 and 3 below.

    A middle column belongs to the left, a middle row to the upper quarter.
    """
    row, column = grid.place(square)
    return 2 * (2 * row > grid.rows - 1) + (2 * column > grid.columns - 1)


# -- Lines of sight between the centres of squares, exact: what they cross, and whether something masks them

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
