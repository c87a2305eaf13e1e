"""How far shapes reach."""

from __future__ import annotations

from collections.abc import Iterable

from .scene import Circle, Flat, Line, Point, Polygon, Rect, Text, rect_outline

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def extent(shapes: Iterable[Flat]) -> Box:
    """The box that holds shapes; texts are left out, whose width no painter knows beforehand. ValueError where there is
    nothing to hold."""
    points = [point for shape in shapes for point in _corners(shape)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _corners(shape: Flat) -> tuple[Point, ...]:
    match shape:
        case Rect(x, y, w, h):
            return rect_outline(x, y, w, h)
        case Circle(x, y, r):
            return rect_outline(x - r, y - r, 2 * r, 2 * r)
        case Polygon(points) | Line(points):
            return points
        case Text():
            return ()
