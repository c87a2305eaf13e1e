"""What a shape takes up on a picture."""

from __future__ import annotations

from navalkit.view.scene import Circle, Line, Polygon, Rect, Text

EM = 0.56  # mean width of a character
NARROW = " .,:;·'|ijlI"  # of half that width at most


def box(shape, em=EM):
    """Left, top, right, bottom; a text as if its characters were ``em`` of its size wide, narrow ones half of it."""
    match shape:
        case Rect(x, y, w, h):
            return x, y, x + w, y + h
        case Circle(x, y, r):
            return x - r, y - r, x + r, y + r
        case Polygon(points) | Line(points):
            xs, ys = zip(*points, strict=True)
            return min(xs), min(ys), max(xs), max(ys)
        case Text(x, y, words, _, size, anchor):
            width = em * size * (len(words) - sum(each in NARROW for each in words) / 2)
            left = {"start": x, "middle": x - width / 2, "end": x - width}[anchor]
            return left, y - size / 2, left + width, y + size / 2
    raise AssertionError(shape)


def outside(shapes, frame, slack=0.0, em=EM):
    """Those that stick out of a frame (left, top, right, bottom) by more than the slack."""
    left, top, right, bottom = frame
    return [
        shape
        for shape in shapes
        for x0, y0, x1, y1 in [box(shape, em)]
        if x0 < left - slack or y0 < top - slack or x1 > right + slack or y1 > bottom + slack
    ]
