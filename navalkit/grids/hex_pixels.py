"""Hexes on a screen: centres and corners in pixels, and the hex under a pixel. y grows downward."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, floor, sqrt

from navalkit.core.errors import OptionError
from navalkit.core.language.say import SAY

from .hex_cells import Hex, nearest

_H = sqrt(3) / 2  # half the height of a hex of side 1
_FINE = 1 << 20  # parts of a hex in which a pixel's place is told
CORNERS = ((1.0, 0.0), (0.5, _H), (-0.5, _H), (-1.0, 0.0), (-0.5, -_H), (0.5, -_H))


@dataclass(frozen=True, slots=True)
class Layout:
    """How flat-topped hexes lie on a screen.

    Parameters
    ----------
    size : float
        Side of a hex in pixels, which is also the distance from its centre to each corner; above 0.
    x0, y0 : float
        Where the centre of A1 is, in pixels.

    Raises
    ------
    OptionError
        If the size is not above 0.
    """

    size: float
    x0: float = 0.0
    y0: float = 0.0

    def __post_init__(self) -> None:
        if not self.size > 0:
            raise OptionError(SAY("hex.pixels", size=self.size))

    @property
    def width(self) -> float:
        """Pixels from the left corner of a hex to the right one; columns are 3/4 of it apart."""
        return 2 * self.size

    @property
    def height(self) -> float:
        """Pixels from the upper edge of a hex to the lower one, and from row to row."""
        return 2 * _H * self.size

    def center(self, h: Hex) -> tuple[float, float]:
        """Pixel (x, y) of a hex's centre."""
        return self.x0 + 1.5 * self.size * h.q, self.y0 + self.height * (h.r + h.q / 2)

    def corners(self, h: Hex) -> list[tuple[float, float]]:
        """Pixels (x, y) of the six corners, clockwise on the screen from the right one."""
        x, y = self.center(h)
        return [(x + self.size * dx, y + self.size * dy) for dx, dy in CORNERS]

    def edge(self, h: Hex, direction: int) -> tuple[tuple[float, float], tuple[float, float]]:
        """The two corners of the side towards a direction, clockwise."""
        corners = self.corners(h)
        return corners[(direction + 4) % 6], corners[(direction + 5) % 6]

    def hex_at(self, x: float, y: float) -> Hex:
        """The hex under a pixel; on a border either one."""
        q = (x - self.x0) / (1.5 * self.size)
        r = (y - self.y0) / self.height - q / 2
        return nearest(round(_FINE * q), round(_FINE * r), _FINE)

    def hexes_in(self, left: float, top: float, right: float, bottom: float) -> Iterator[Hex]:
        """The hexes that a rectangle of the screen touches, column by column.

        Parameters
        ----------
        left, top, right, bottom : float
            Pixels.

        Yields
        ------
        Hex
            A few of them lie beside it.

        >>> [h.label for h in Layout(10).hexes_in(0, 0, 12, 12)]
        ['A1', 'A2', 'B0', 'B1']
        """
        column = 1.5 * self.size
        first_q = ceil((left - self.x0 - self.size) / column)
        last_q = floor((right - self.x0 + self.size) / column)
        for q in range(first_q, last_q + 1):
            first = ceil((top - self.y0) / self.height - 0.5 - q / 2)
            last = floor((bottom - self.y0) / self.height + 0.5 - q / 2)
            for r in range(first, last + 1):
                yield Hex(q, r)
