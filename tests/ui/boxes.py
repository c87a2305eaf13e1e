"""What a shape takes up on a picture."""

from __future__ import annotations

from navalkit.view.scene import Circle, Line, Polygon, Rect, Text

EM = 0.56  # mean width of a character


def box(shape):
    """Left, top, right, bottom."""
    match shape:
        case Rect(x, y, w, h):
            return x, y, x + w, y + h
        case Circle(x, y, r):
            return x - r, y - r, x + r, y + r
        case Polygon(points) | Line(points):
            xs, ys = zip(*points, strict=True)
            return min(xs), min(ys), max(xs), max(ys)
        case Text(x, y, words, _, size, anchor):
            width = EM * size * len(words)
            left = {"start": x, "middle": x - width / 2, "end": x - width}[anchor]
            return left, y - size / 2, left + width, y + size / 2
    raise AssertionError(shape)
