"""Where things lie on the card of Task Force, in px: one layout for screens, one for phones."""

from __future__ import annotations

from dataclasses import dataclass

LARGEST = 96.0
"""Side of a square of a small map."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Places of the parts, by their top left corners.

    Parameters
    ----------
    width, height : float
    map : tuple of float
        Room for the squares: x, y, w, h.
    switches : tuple of pairs of float
        The switches of the map.
    switch : tuple of float
        Size of a switch: w, h.
    key : tuple of float
        Legend of the map: x, y, w.
    group : tuple of float
        Our carrier group: x, y, w.
    notes : tuple of float
        The check-boxes.
    note : tuple of float
        Size of a check-box with its name.
    across : int
        Check-boxes side by side.
    """

    width: float
    height: float
    map: tuple[float, float, float, float]
    switches: tuple[tuple[float, float], ...]
    switch: tuple[float, float]
    key: tuple[float, float, float]
    group: tuple[float, float, float]
    notes: tuple[float, float]
    note: tuple[float, float]
    across: int


def side(layout: Layout, rows: int, columns: int) -> float:
    """The side of a square of the map."""
    _, _, w, h = layout.map
    return min(w / columns, h / rows, LARGEST)


WIDE = Layout(
    800, 644, (30, 36, 480, 480), ((540, 36), (660, 36), (540, 72), (660, 72)), (116, 32), (540, 118, 236),
    (24, 550, 752), (540, 218), (236, 30), 1,
)  # fmt: skip


def tall(rows: int, columns: int) -> Layout:
    """The layout for phones: the map as large as the width allows, all else below it in reach of the thumb."""
    side = min(364 / columns, max(350 / max(rows, 10), 33), LARGEST)
    y = 20 + rows * side
    places = tuple((6.0 + 95 * i, y + 6) for i in range(4))
    return Layout(
        390, y + 236, (20, 20, 364, y - 20), places, (92, 44), (12, y + 154, 366), (6, y + 70, 378),
        (8, y + 144), (70, 46), 5,
    )  # fmt: skip
