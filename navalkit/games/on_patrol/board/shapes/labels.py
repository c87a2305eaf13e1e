"""Names beside ships that do not lie over one another: each takes the first free place round its ship."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import cos, hypot, radians, sin
from typing import NamedTuple

from navalkit.view.scene import Flat, Line, Piece, Style, Text

SIZE = 13.0
_WIDE = 0.58  # of a letter, in its size
_NEAR, _NARROW = 16, 600.0  # of the places, those close by; windows narrower than this, in px
_LED = 34.0  # px from a ship's middle to her name beyond which a line leads there
Box = tuple[float, float, float, float]


class Named(NamedTuple):
    """Something with a name."""

    id: str  # of the piece it belongs to
    text: str
    pose: tuple[float, float, float]  # (x, y, heading)
    length: float  # pixels of the ship it stands beside
    beam: float  # half her breadth in pixels
    keep: bool = False  # whether the name is wanted even where no place is free


def labels(
    named: Iterable[Named], size: tuple[float, float], shunned: Sequence[Box] = (), taken: Sequence[Box] = ()
) -> list[Piece]:
    """The names as pieces, the first named the first placed; one without a free place is left out.

    ``named``: in the order of their weight. ``size``: of the window: names stay inside it. ``shunned``: what names do
    not lie over as long as there is another place, as (left, top, right, bottom). ``taken``: where no name stands, as
    on a hull.
    """
    named, narrow = list(named), size[0] < _NARROW  # there names far off, and lines to them, would be a tangle
    full: list[Box] = [*taken, *(box for each in named for box in _hull_boxes(each))]
    pieces = []
    for each in named:
        places = _places(each)[: _NEAR if narrow and not each.keep else None]
        free = None
        for at in places:
            if _inside(at, size) and not any(_meet(at, box) for box in full):
                clear = not any(_meet(at, box) for box in shunned)
                free = at if clear else free or at
                if clear:
                    break
        if free is None and each.keep:
            free = min(places, key=lambda at: (not _inside(at, size), sum(_meet(at, box) for box in full)))
        if free is not None:
            full.append(free)
            middle = (free[0] + free[2]) / 2, (free[1] + free[3]) / 2
            pieces.append(Piece(f"{each.id} name", *middle, (*_written(each.text), *_leader(each.pose, free))))
    return pieces


def rim(x: float, y: float, radius: float) -> list[Box]:
    """Small boxes along a circle, for names to shun."""
    around = [radians(degrees) for degrees in range(0, 360, 15)]
    spots = [(x + radius * cos(angle), y + radius * sin(angle)) for angle in around]
    r = 0.15 * radius
    return [(sx - r, sy - r, sx + r, sy + r) for sx, sy in spots]


def _leader(pose: tuple[float, float, float], box: Box) -> tuple[Flat, ...]:
    """A thin line from a name that had to stand off to its ship, about the name's middle."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    end = max(box[0], min(box[2], pose[0])), max(box[1], min(box[3], pose[1]))
    far = hypot(pose[0] - end[0], pose[1] - end[1])
    if far < _LED:
        return ()
    share = (far - 6) / far
    tip = end[0] + (pose[0] - end[0]) * share, end[1] + (pose[1] - end[1]) * share
    points = tuple((px - x, py - y) for px, py in (end, tip))
    return Line(points, Style(None, "paper", 3, opacity=0.8)), Line(points, Style(None, "ink", 1.2))


@lru_cache(maxsize=512)
def _written(text: str) -> tuple[Flat, ...]:
    return (Text(0, 0, text, Style("ink", "paper", 3), SIZE, "middle", True),)


def _hull_boxes(each: Named) -> list[Box]:
    """A few small boxes along the hull: less water than one about all of it."""
    x, y, heading = each.pose
    dx, dy = sin(radians(heading)), -cos(radians(heading))
    r = each.beam + 2
    spots = [(x + dx * each.length * k, y + dy * each.length * k) for k in (-0.4, -0.2, 0.0, 0.2, 0.4)]
    return [(sx - r, sy - r, sx + r, sy + r) for sx, sy in spots]


def _places(each: Named) -> list[Box]:
    """Where a name may stand, the best first: abeam to the right, to the left, ahead, astern, and further out."""
    (x, y, heading), wide = each.pose, _WIDE * SIZE * len(each.text) + 4
    sx, sy = abs(sin(radians(heading))) * each.length / 2, abs(cos(radians(heading))) * each.length / 2
    across, down = max(sx, each.beam), max(sy, each.beam)
    found = []
    for out in (0.0, 9.0, 20.0, 32.0, 46.0):
        right, low = across * 0.75 + 4 + out, down + SIZE / 2 + 2 + out
        beside = [(dx, dy) for dy in (0.0, low / 2, -low / 2) for dx in (right, -right - wide)]
        for dx, dy in (*beside, (-wide / 2, low), (-wide / 2, -low)):
            found.append((x + dx, y + dy - SIZE / 2, x + dx + wide, y + dy + SIZE / 2))
    return found


def _inside(box: Box, size: tuple[float, float]) -> bool:
    return box[0] >= 2 and box[1] >= 2 and box[2] <= size[0] - 2 and box[3] <= size[1] - 2


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
