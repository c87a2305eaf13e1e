"""The part of the board that the page shows, and where its squares lie in px."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from navalkit.grids.square import SquareGrid

LEFT, TOP = 24.0, 20.0  # px beside and above the squares, for the numbers of rows and the letters of columns
ROOMS = (800.0, 660.0), (390.0, 560.0)
"""Px of the scene where the page says nothing of its room: wide, and on a phone."""
PANELS = 160.0, 172.0  # px kept free below the squares for the conning panel: wide, and on a phone
MOST_ROWS, MOST_COLUMNS, LARGEST = 20, 24, 80.0
TALL_ROWS, TOUCH = 10, 36.0  # rows of the window on a phone, and the smallest square there
_FEWEST = 6


@dataclass(frozen=True, slots=True)
class Window:
    """A window on the board."""

    grid: SquareGrid
    row: int  # of the square in its top left corner
    column: int  # of the same
    rows: int  # how many it shows
    columns: int  # how many of these
    side: float  # px of a square
    width: float  # px of the picture

    @property
    def left(self) -> float:
        """Px from the left edge of the picture to the squares, which stand in its middle."""
        return LEFT + max(0.0, (self.width - LEFT - 4 - self.columns * self.side) / 2)

    @property
    def height(self) -> float:
        """Px of the squares and of the letters above them."""
        return TOP + self.rows * self.side + 4

    @property
    def top(self) -> float:
        """Px from the upper edge of the picture to the squares."""
        return TOP

    @property
    def bottom(self) -> float:
        """Px from the upper edge of the picture to the lower end of the squares."""
        return TOP + self.rows * self.side

    @property
    def whole(self) -> bool:
        """Whether it shows the whole board."""
        return self.rows == self.grid.rows and self.columns == self.grid.columns

    def holds(self, square: int) -> bool:
        """Whether a square is in the window."""
        if square < 0:
            return False
        row, column = self.grid.place(square)
        return 0 <= row - self.row < self.rows and 0 <= column - self.column < self.columns

    def corner(self, square: int) -> tuple[float, float]:
        """The top left corner of a square."""
        row, column = self.grid.place(square)
        return self.left + (column - self.column) * self.side, TOP + (row - self.row) * self.side

    def centre(self, square: int) -> tuple[float, float]:
        """The middle of a square, in the window or beyond it."""
        x, y = self.corner(square)
        return x + self.side / 2, y + self.side / 2

    def squares(self) -> Iterator[int]:
        """The squares in the window, in reading order."""
        for row in range(self.row, self.row + self.rows):
            yield from range(
                row * self.grid.columns + self.column, row * self.grid.columns + self.column + self.columns
            )


def window(grid: SquareGrid, tall: bool, middle: int | None, room: tuple[float, float] | None = None) -> Window:
    """The whole board where there is room for it, else a window with the square ``middle`` near its middle.

    ``tall``: for a phone. ``room``: px of the scene, the panel below included.
    """
    width, height = room or ROOMS[tall]
    rows = min(TALL_ROWS if tall else MOST_ROWS, grid.rows)
    across, down = width - LEFT - 4, height - TOP - 4 - PANELS[tall]
    if tall:  # fewer rows rather than a picture that is higher than its room
        rows = min(rows, max(_FEWEST, int(down // TOUCH)))
    side = float(down // rows)
    columns = min(MOST_COLUMNS, grid.columns)
    if tall:
        side = max(TOUCH, min(side, across // 6))
        columns = min(columns, int(across // side))
    side = min(LARGEST, side if tall else max(28.0, min(side, across // columns)))
    row, column = grid.place(middle) if middle is not None and middle >= 0 else (0, 0)
    top, left = (
        min(max(0, row - rows // 2), grid.rows - rows),
        min(max(0, column - columns // 2), grid.columns - columns),
    )
    return Window(grid, top, left, rows, columns, side, width)
