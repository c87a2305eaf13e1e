"""Shapes as plain points: what the painters share, so that a curve is the same curve in all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import atan2, ceil, cos, hypot, pi, sin

from navalkit.view.scene import Line, Point, Rect

BASELINE = 0.35
"""Capitals and digits are about 0.7 em high: with the baseline this many em below y they are centred on y.

Painters place text by this instead of a "middle" of their own, which differs from renderer to renderer.
"""


def rounded(rect: Rect) -> tuple[Point, ...]:
    """The outline of a rectangle, its round corners as chords no longer than about 2 px."""
    x0, y0, x1, y1 = rect.x, rect.y, rect.x + rect.w, rect.y + rect.h
    r = min(rect.r, rect.w / 2, rect.h / 2)
    if r <= 0:
        return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    steps = max(2, ceil(r * pi / 4))
    corners = ((x1 - r, y0 + r, -1), (x1 - r, y1 - r, 0), (x0 + r, y1 - r, 1), (x0 + r, y0 + r, 2))
    points = [
        (cx + r * cos(angle), cy + r * sin(angle))
        for cx, cy, quarter in corners
        for angle in ((quarter + i / steps) * pi / 2 for i in range(steps + 1))
    ]
    return (points[-1], *points[:-1])  # from the left end of the top edge, as in SVG: dashes begin there


def arrow_head(line: Line) -> tuple[Point, ...]:
    """The triangle at the end of an arrow, its tip on the line's last point; () for a line without a head."""
    if not line.arrow or len(line.points) < 2:
        return ()
    (x0, y0), (x1, y1) = line.points[-2:]
    angle, size = atan2(y1 - y0, x1 - x0), 4 + 3 * line.style.width
    sides = ((x1 - size * cos(angle + turn), y1 - size * sin(angle + turn)) for turn in (-0.45, 0.45))
    return ((x1, y1), *sides)


def shaft(line: Line) -> tuple[Point, ...]:
    """The points of a line, cut short under its arrow head so that the head's tip stays sharp."""
    head = arrow_head(line)
    if not head:
        return line.points
    (_, (ax, ay), (bx, by)) = head
    return (*line.points[:-1], ((ax + bx) / 2, (ay + by) / 2))


def dashes(points: Sequence[Point], pattern: Iterable[float]) -> Iterator[tuple[Point, ...]]:
    """The drawn pieces of a line under a dash pattern (on, off, on, ... in px, repeated), corners kept.

    A pattern of odd length is taken twice, as SVG and canvas do; an empty one leaves the line whole.
    """
    lengths = tuple(pattern)
    if not lengths or min(lengths) < 0 or not any(lengths):
        yield tuple(points)
        return
    lengths *= 1 + len(lengths) % 2
    index, left = 0, lengths[0]
    piece = [points[0]]
    for (x0, y0), (x1, y1) in pairwise(points):
        span = hypot(x1 - x0, y1 - y0)
        done = 0.0
        while span - done > left:
            done += left
            at = (x0 + (x1 - x0) * done / span, y0 + (y1 - y0) * done / span)
            if index % 2 == 0:
                yield (*piece, at)
            piece = [at]
            index = (index + 1) % len(lengths)
            left = lengths[index]
        left -= span - done
        piece.append((x1, y1))
    if index % 2 == 0 and len(piece) > 1:
        yield tuple(piece)
