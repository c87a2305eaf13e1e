"""The sea under the ships: depths, a few waves, a faint grid, night and light, coordinates along the edges.

All of it hangs on the view and the lights alone, so that it is drawn anew only when one of them changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import cos, floor, pi, sin, sqrt

from navalkit.grids.hex import Hex
from navalkit.view.scene import Circle, Layer, Line, Point, Polygon, Rect, Shape, Style, Text

from ...sea.state import Light
from .view import View

GRID_FROM = 9.0  # side of a hex in pixels from which the grid is drawn
NIGHT = Style("black", opacity=0.42)  # what lies over the sea at night
_PATCH = 20  # hexes from the middle of one patch of deep water to the next
_WAVE = 9
_LABEL = 12.0


@dataclass(frozen=True, slots=True)
class Water(Layer):
    """The sea, and the view it is seen through."""

    view: View = View(Hex(0, 0))


@lru_cache(maxsize=16)
def water(view: View, night: bool, lights: tuple[Light, ...] = ()) -> Water:
    """The sea: the same layer as long as view and lights are the same."""
    width, height = view.size
    shapes: list[Shape] = [Rect(0, 0, width, height, Style("sea_shallow")), *_patches(view)]
    if night:
        shapes.append(Rect(0, 0, width, height, NIGHT))
        for light in lights:
            x, y = view.layout.center(light.at)
            r = (light.radius + 0.5) * view.layout.height
            shapes += [
                Circle(x, y, r, Style("sea_shallow", opacity=0.9)),
                Circle(x, y, r, Style(None, "yellow", 1.5, opacity=0.7)),
            ]
    if view.side >= GRID_FROM:
        shapes += _grid(view)
    return Water("sea", (*shapes, *_waves(view), *_edges(view)), view=view)


def _chance(q: int, r: int, salt: int) -> float:
    """A number from 0 to 1 that a place in the sea always has."""
    mixed = (q * 73856093 ^ r * 19349663 ^ salt * 83492791) & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 13) * 0x5BD1E995 & 0xFFFFFFFF
    return (mixed ^ mixed >> 15) / 0xFFFFFFFF


def _spots(view: View, each: int) -> Iterator[tuple[int, int, float, float]]:
    """Places spread over the sea, ``each`` hexes apart: their numbers and pixels."""
    step = each * view.layout.height
    x0, y0 = view.layout.center(Hex(0, 0))
    for column in range(floor(-x0 / step) - 1, floor((view.size[0] - x0) / step) + 2):
        for row in range(floor(-y0 / step) - 1, floor((view.size[1] - y0) / step) + 2):
            across, down = (step * _chance(column, row, salt) for salt in (1, 2))
            yield column, row, x0 + step * column + across, y0 + step * row + down


def _patches(view: View) -> Iterator[Shape]:
    """Deep water: each patch a soft blot with a deeper heart."""
    unit = _PATCH * view.layout.height
    for column, row, x, y in _spots(view, _PATCH):
        for n, (share, opacity) in enumerate(((1.0, 0.4), (0.7, 0.5))):
            if _chance(column, row, 3) < 0.75:
                yield Polygon(_blot(x, y, unit * share, column, row), Style("sea_deep", opacity=opacity + 0.1 * n))


def _blot(x: float, y: float, r: float, column: int, row: int) -> tuple[Point, ...]:
    turn, flat = 2 * pi * _chance(column, row, 4), 0.45 + 0.25 * _chance(column, row, 5)
    points = []
    for k in range(18):
        a = 2 * pi * k / 18
        far = r * (0.8 + 0.14 * sin(2 * a + turn) + 0.1 * sin(3 * a - 2 * turn))
        points.append((x + far * cos(a), y + flat * far * sin(a)))
    return tuple(points)


def _waves(view: View) -> Iterator[Shape]:
    """Here and there the crest of a wave."""
    style = Style(None, "foam", 1.2, opacity=0.5)
    for column, row, x, y in _spots(view, _WAVE):
        if _chance(column, row, 6) < 0.5:
            crest = [(x - 8 + 2 * k, y - 2.2 * sin(pi * k / 4) * (1 if k < 4 else 0.6)) for k in range(9)]
            yield Line(tuple(crest), style)


def _grid(view: View) -> Iterator[Shape]:
    """The edges of all hexes: along each of three directions they lie on parallel lines, a third of each drawn."""
    side, high = view.side, sqrt(3) / 2 * view.side
    cx, cy = view.layout.center(view.centre)
    reach = sqrt(view.size[0] ** 2 + view.size[1] ** 2) / 2
    style = Style(None, "grid", 0.8, (side, 2 * side), 0.55 if side < 16 else 0.75)
    for turn in range(3):
        ux, uy = cos(pi / 3 * turn), sin(pi / 3 * turn)
        for k in range(-int(reach / high), int(reach / high) + 1):
            v = k * high
            half = sqrt(max(0.0, reach * reach - v * v))
            begin = -side / 2 + (0 if k % 2 else 1.5 * side)
            begin -= 3 * side * floor((begin + half) / (3 * side))  # the last edge that begins within reach
            if ends := _clipped(view, (cx - uy * v, cy + ux * v), (ux, uy), begin, 3 * side):
                yield Line(ends, style)


def _clipped(view: View, at: Point, unit: Point, phase: float, period: float) -> tuple[Point, Point] | None:
    """The part of a line in the window, begun where a dash begins."""
    low, high = -1e9, 1e9
    for a, u, size in zip(at, unit, view.size, strict=True):
        if abs(u) < 1e-9:
            if not 0 <= a <= size:
                return None
            continue
        first, last = sorted(((0 - a) / u, (size - a) / u))
        low, high = max(low, first), min(high, last)
    if low >= high:
        return None
    low = phase + period * floor((low - phase) / period)
    return (at[0] + unit[0] * low, at[1] + unit[1] * low), (at[0] + unit[0] * high, at[1] + unit[1] * high)


def _edges(view: View) -> Iterator[Shape]:
    """Column letters along the top and row numbers along the left, a few of each."""
    width, height = view.size
    style = Style("muted", "sea_shallow", 3)
    columns = next(n for n in (1, 2, 4, 8) if n * 1.5 * view.side >= 34)
    rows = next(n for n in (1, 2, 5, 10) if n * view.layout.height >= 34)
    first, last = view.layout.hex_at(0, 0), view.layout.hex_at(width, height)
    for q in range(first.q, last.q + 1):
        x, _ = view.layout.center(Hex(q, 0))
        if q % columns == 0 and 40 < x < width - 12:
            letters = Hex(q, 0).label.rstrip("-0123456789") or "A"
            yield Text(x, 10, letters, style, _LABEL, glyph=False)
    left = view.layout.hex_at(20, height / 2)
    for row in range(first.row - 1, last.row + 2):
        _, y = view.layout.center(Hex.at(left.column, row))
        if row % rows == 0 and 28 < y < height - 8:
            yield Text(6, y, str(row), style, _LABEL, "start", glyph=False)
