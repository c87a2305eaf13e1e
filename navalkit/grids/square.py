"""A board of squares: names ("C7" is column C, row 7), neighbours by edge and all around.

Squares are numbered row by row from the top left: ``row * columns + column``, both from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from navalkit.core.errors import DataError, NotationError
from navalkit.core.language.say import SAY

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
            tuple(
                (r + dr) * self.columns + c + dc
                for dr, dc in steps
                if 0 <= r + dr < self.rows and 0 <= c + dc < self.columns
            )
            for r, c in map(self.place, range(self.size))
        )
