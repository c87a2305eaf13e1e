"""Eight headings on a board of squares: steps, bearings, range, and boards made of sections.

Headings are numbered clockwise from north, 0 N to 7 NW; north is up. One metric serves movement and range: columns
plus rows, so that a diagonal step counts two.
"""

from __future__ import annotations

from navalkit.core.echo import brief
from navalkit.core.errors import DataError, NotationError
from navalkit.core.language.say import SAY

from .square import LETTERS, SquareGrid

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
