"""Pictures and films in short lists for the browser, which is sent each thing it needs once and then called its number.

A board changes little from move to move: most of its shapes, ships and cards have been seen before. So a layer is a
list of numbers of looks, and a move is a few of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from ..effect import Film
from ..scene import Circle, Flat, Layer, Line, Piece, Point, Polygon, Rect, Style, Text
from ..theme import Theme
from .flatten import arrow_head, shaft

__all__ = ["Looks", "packed", "runs"]


class Looks:
    """What a browser has been sent of looks and styles, in one theme. ``colours``: what the tokens mean."""

    def __init__(self, colours: Theme) -> None:
        self.colours = colours
        self._numbers: dict[Hashable, int] = {}
        self._styles: dict[Style, int] = {}
        self._new: list[Any] = []
        self._new_styles: list[Any] = []

    def __len__(self) -> int:
        return len(self._numbers)

    def of(self, shapes: tuple[Flat, ...]) -> int:
        """The number of what these shapes look like; OptionError for a colour that the theme has not."""
        return self._number(shapes, lambda: self._look(shapes))

    def outline(self, points: tuple[Point, ...]) -> int:
        """The number of an outline to point at, in whole pixels."""
        return self._number(points, lambda: [round(value) for point in points for value in point])

    def news(self) -> dict[str, Any]:
        """What has been numbered since this was last asked: the browser numbers it likewise."""
        news = {"styles": self._new_styles, "looks": self._new}
        self._new, self._new_styles = [], []
        return {name: new for name, new in news.items() if new}

    def layer(self, layer: Layer) -> list[int | float]:
        """A layer: 1 and of each piece its look, place and heading; or 0, 2 for a late one, and runs of looks: the
        first, how many."""
        if layer.pieces:
            poses = ((self.of(p.shapes), *_tenths(p.x, p.y, p.heading)) for p in layer.pieces)
            return [1, *(value for pose in poses for value in pose)]
        return [2 * layer.late, *runs(self.of((shape,)) for shape in layer.flat if _seen(shape))]

    def _number(self, key: Hashable, make: Callable[[], Any]) -> int:
        if key not in self._numbers:
            self._new.append(make())
            self._numbers[key] = len(self._numbers)
        return self._numbers[key]

    def _look(self, shapes: Iterable[Flat]) -> list[list[Any]]:
        return [_outline(part, self._style(part.style)) for each in shapes if _seen(each) for part in _parts(each)]

    def _style(self, style: Style) -> int:
        if style not in self._styles:
            fill, stroke = (self.colours[token] if token else 0 for token in (style.fill, style.stroke))
            self._new_styles.append([fill, stroke, style.width, style.opacity, list(style.dash)])
            self._styles[style] = len(self._styles)
        return self._styles[style]


def packed(made: Film, looks: Looks, places: Mapping[str, int]) -> dict[str, Any]:
    """A film: what moves in it, and its marks; what stands still is in the layers. ``places``: which piece of the last
    scene each id is, counted from 0."""

    def look(piece: Piece | None) -> int:
        return -1 if piece is None else looks.of(piece.shapes)

    goings = []
    for each in made.goings:
        if each.ms:
            flips = any(piece.flips for piece in (each.before, each.after) if piece is not None)
            place = places[each.after.id] if each.after else -1
            pose = _tenths(*(value for step in each.way for value in step))
            times = map(round, (each.at, each.ms, each.changes))
            goings.append([look(each.before), look(each.after), place, int(flips), *times, *pose])
    marks = [
        [m.kind, *map(round, (m.at, m.ms, m.x, m.y, m.r)), looks.colours[m.tone], m.text, *map(round, m.to or ())]
        for m in made.marks
    ]
    return {"ms": round(made.ms), "go": goings, "marks": marks}


def runs(numbers: Iterable[int]) -> list[int]:
    """Numbers as runs of those that follow each other: the first of each, and how many there are."""
    found: list[int] = []
    for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        each = list(run)
        found += [each[0][1], len(each)]
    return found


def _seen(shape: Flat) -> bool:
    return bool(shape.style.fill or shape.style.stroke)


def _parts(shape: Flat) -> Iterable[Flat]:
    """A shape without arrows: an arrow is a line and its head."""
    if isinstance(shape, Line) and shape.arrow:
        return Line(shaft(shape), shape.style), Polygon(arrow_head(shape), Style(shape.style.stroke))
    return (shape,)


def _outline(shape: Flat, style: int) -> list[Any]:
    """Its kind, the number of its style, and its own numbers, to a tenth of a pixel."""
    match shape:
        case Rect(x, y, w, h, _, r):
            return ["r", style, *_tenths(x, y, w, h, r)]
        case Circle(x, y, r):
            return ["c", style, *_tenths(x, y, r)]
        case Polygon(points):
            return ["p", style, *_tenths(*(value for point in points for value in point))]
        case Line(points):
            return ["l", style, *_tenths(*(value for point in points for value in point))]
        case Text(x, y, text, _, size, anchor, bold):
            return ["t", style, *_tenths(x, y, size), anchor, int(bold), text]


def _tenths(*values: float) -> Sequence[float]:
    rounded = (round(float(value), 1) for value in values)
    return [int(value) if value.is_integer() else value for value in rounded]
