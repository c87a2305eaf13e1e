"""Blank sheets for the desk, as A4 pages in points: a sheet of hexes to draw a hunt on, and the submarine's log."""

from __future__ import annotations

from navalkit.grids.hex import DIRECTIONS, Hex, Layout
from navalkit.view.scene import Layer, Line, Polygon, Rect, Scene, Shape, Style, Text

from .words import SAY

LANDSCAPE = (842.0, 595.0)
_MARGIN = 36.0
_HEAD = 40.0
_INK, _SOFT, _RULE = Style("ink"), Style("muted"), Style(None, "grid", 0.8)
_BEARINGS = ("NE", "SE", "S", "SW", "NW", "N")
LOG_COLUMNS = {
    "turn": 34.0, "bow": 58.0, "course": 46.0, "speed": 42.0, "depth": 56.0, "hull": 38.0,
    "tubes": 80.0, "fired": 116.0, "target": 52.0, "mode": 40.0, "happened": 208.0,
}  # fmt: skip
"""Columns of the log, by the key of their sentence, and their width in points."""


def hex_sheet(side: float = 11.0, first: str = "A1") -> Scene:
    """A sheet of empty hexes with their names along the edges, landscape. ``side``: side of a hex in points. ``first``:
    the hex in the upper left corner."""
    width, height = LANDSCAPE
    corner = Hex.parse(first)
    unit = Layout(side)
    x, y = unit.center(corner)
    left, top = _MARGIN + 20 + side, _MARGIN + _HEAD + side
    layout = Layout(side, left - x, top - y)
    shapes: list[Shape] = []
    columns = int((width - _MARGIN - left) / (1.5 * side)) + 1
    rows = int((height - _MARGIN - top) / unit.height)
    for q in range(corner.column, corner.column + columns):
        for row in range(corner.row, corner.row + rows):
            shapes.append(Polygon(tuple(layout.corners(Hex.at(q, row))), _RULE))
        letters = Hex.at(q, 1).label.removesuffix("1")
        shapes.append(Text(layout.center(Hex.at(q, 1))[0], _MARGIN + _HEAD - 8, letters, _SOFT, 8))
    for row in range(corner.row, corner.row + rows):
        at = layout.center(Hex.at(corner.column, row))[1]
        shapes.append(Text(_MARGIN + 8, at, str(row), _SOFT, 8))
    head = _head(SAY("sheets.hexes"))
    return _page(LANDSCAPE, SAY("sheets.hexes.title"), (*head, *shapes, *_rose(LANDSCAPE)))


def submarine_log(turns: int = 24) -> Scene:
    """The submarine's log: a line a turn, landscape. ``turns``: lines on the sheet."""
    width, height = LANDSCAPE
    top, bottom = _MARGIN + _HEAD, height - _MARGIN
    step = (bottom - top) / (turns + 1)
    total = sum(LOG_COLUMNS.values())
    scale = (width - 2 * _MARGIN) / total
    shapes: list[Shape] = [Rect(_MARGIN, top, width - 2 * _MARGIN, step, Style("sea_shallow"))]
    x = _MARGIN
    for key, wide in LOG_COLUMNS.items():
        shapes.append(Text(x + 3, top + step / 2, SAY(f"sheets.{key}"), _INK, 8.5, "start", True))
        shapes.append(Line(((x, top), (x, bottom)), _RULE))
        x += wide * scale
    shapes.append(Line(((x, top), (x, bottom)), _RULE))
    for n in range(turns + 2):
        y = top + n * step
        shapes.append(Line(((_MARGIN, y), (width - _MARGIN, y)), _RULE))
        if 1 <= n <= turns:
            shapes.append(Text(_MARGIN + 14, y + step / 2, str(n), _SOFT, 9))
    title = SAY("sheets.log")
    return _page(LANDSCAPE, SAY("sheets.log.title"), (*_head(title), *shapes, *_rose(LANDSCAPE)))


def sheets() -> tuple[Scene, Scene]:
    """Both sheets."""
    return hex_sheet(), submarine_log()


def _page(size: tuple[float, float], title: str, shapes: tuple[Shape, ...]) -> Scene:
    paper = Rect(0, 0, *size, Style("paper"))
    return Scene(*size, (Layer("sheet", (paper, *shapes)),), (), title, SAY("sheets.desc", title=title))


def _head(title: str) -> tuple[Shape, ...]:
    return (
        Text(_MARGIN, _MARGIN + 2, "On Patrol", _INK, 14, "start", True),
        Text(_MARGIN + 84, _MARGIN + 2, title, _INK, 11, "start"),
    )


def _rose(size: tuple[float, float]) -> tuple[Shape, ...]:
    """The six courses, as a reminder: "1 NE  2 SE ..."."""
    text = "   ".join(f"{d} {name}" for d, name in zip(DIRECTIONS, _BEARINGS, strict=True))
    return (Text(size[0] - _MARGIN, _MARGIN + 2, f"Courses: {text}", _SOFT, 9, "end"),)
