"""Where things lie on the card of Task Force, in px: one layout for screens, one for phones."""

from __future__ import annotations

from dataclasses import dataclass

LARGEST = 96.0  # side of a square of a small map


@dataclass(frozen=True, slots=True)
class Layout:
    """Places of the parts, by their top left corners."""

    width: float
    height: float
    map: tuple[float, float, float, float]  # room for the squares: x, y, w, h
    switches: tuple[tuple[float, float], ...]  # the switches of the map
    switch: tuple[float, float]  # size of a switch: w, h
    key: tuple[float, float, float]  # legend of the map: x, y, w
    group: tuple[float, float, float]  # our carrier group: x, y, w
    high: float  # height of one of its ships
    notes: tuple[float, float] | None  # the check-boxes; None leaves them out
    note: tuple[float, float]  # size of a check-box with its name
    across: int  # check-boxes side by side


def side(layout: Layout, rows: int, columns: int) -> float:
    """The side of a square of the map."""
    _, _, w, h = layout.map
    return min(w / columns, h / rows, LARGEST)


WIDE = Layout(
    800, 644, (30, 36, 480, 480), ((540, 36), (660, 36), (540, 72), (660, 72)), (116, 32), (540, 118, 236),
    (24, 550, 752), 84, (540, 218), (236, 30), 1,
)  # fmt: skip
_PHONE = 390.0, 616.0
"""Room of a usual phone, where a page does not say how much there is: a large map makes it higher."""
_THUMB = 33.0
"""Least side of a square beside the notes; with less the notes give way, and the legend has their place."""
_LOW = 181.0  # height of all below the map without the notes


def tall(rows: int, columns: int, room: tuple[float, float] | None = None) -> Layout:
    """The layout for phones: the map as large as its room allows, all else below it in reach of the thumb."""
    width, height = room or (_PHONE[0], max(_PHONE[1], 20 + rows * _THUMB + _LOW))
    widest = min((width - 26) / columns, LARGEST)
    side = min(widest, (height - 256) / rows)
    notes = side >= _THUMB
    if not notes:
        side = min(widest, (height - 20 - _LOW) / rows)
    y = 20 + rows * side
    group = 68.0 if notes else 58.0
    spare = max(0.0, (height - y - (236 if notes else _LOW)) / 2)
    y, switch = y + spare, (width - 24) / 4
    places = tuple((6 + (switch + 4) * i, y + 5) for i in range(4))
    return Layout(
        width, height, (20, 20 + spare, width - 26, rows * side), places, (switch, 44),
        (12, y + (154 if notes else 131), width - 24), (6, y + 70, width - 12), group,
        (8, y + 144) if notes else None, ((width - 40) / 5, 46), 5,
    )  # fmt: skip
