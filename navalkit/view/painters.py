"""The SVG painter: one scene in, one self-contained SVG document out, always the same for the same scene."""

from __future__ import annotations
import re
from base64 import b64encode
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import atan2, ceil, cos, hypot, pi, sin
from typing import Any

from navalkit.core.errors import OptionError
from navalkit.core.shown import Markup, html
from navalkit.core.words import SAY
from .film import Film
from .scene import Circle, Flat, Layer, Line, Piece, Point, Polygon, Rect, Scene, Style, Text, contains
from .theme import FONT, Theme, theme as find_theme

# -- Shapes as plain points: what the painters share, so that a curve is the same curve in all of them

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
    points = [(cx + r * cos(angle), cy + r * sin(angle))
              for cx, cy, quarter in corners for angle in ((quarter + i / steps) * pi / 2 for i in range(steps + 1))]
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
    """The drawn pieces of a line under a dash pattern (on, off, on, ... in px, repeated), corners kept. A pattern of
    odd length is taken twice, as SVG and canvas do; an empty one leaves the line whole."""
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


# -- Pictures and films in short lists for the browser, which is sent each thing once and then called its number
# A board changes little from move to move: most of its shapes, ships and cards have been seen before. So a layer is a
# list of numbers of looks, and a move is a few of them.

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
        # Asked once: what a look is known by is long, and its hash is made anew each time.
        known = self._numbers.get(shapes)
        return self._number(shapes, self._look(shapes)) if known is None else known

    def outline(self, points: tuple[Point, ...]) -> int:
        """The number of an outline to point at, in whole pixels."""
        known = self._numbers.get(points)
        return self._number(points, [round(value) for point in points for value in point]) if known is None else known

    def news(self) -> dict[str, Any]:
        """What has been numbered since this was last asked: the browser numbers it likewise."""
        news = {"styles": self._new_styles, "looks": self._new}
        self._new, self._new_styles = [], []
        return {name: new for name, new in news.items() if new}

    def layer(self, layer: Layer) -> list[int | float]:
        """A layer: 1 and of each piece its look, place and heading; or 0, 2 for a late one, and runs of looks: the
        first, how many."""
        if layer.pieces:
            poses = ((self.of(p.shapes), *_tenths(*p.pose)) for p in layer.pieces)
            return [1, *(value for pose in poses for value in pose)]
        return [2 * layer.late, *runs(self.of((shape,)) for shape in layer.flat if _seen(shape))]

    def _number(self, key: Hashable, made: Any) -> int:
        self._new.append(made)
        self._numbers[key] = number = len(self._numbers)
        return number

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
    marks = [[m.kind, *map(round, (m.at, m.ms, m.x, m.y, m.r)), looks.colours[m.tone], m.text, *m.share,
              *map(round, m.to or ())] for m in made.marks]
    beats = [[round(beat.at), beat.text] for beat in made.beats]
    told = round(made.told if made.told >= 0 else made.ms)
    return {"ms": round(made.ms), "go": goings, "marks": marks, "beats": beats, "told": told}


def runs(numbers: Iterable[int]) -> list[int]:
    """Numbers as runs of those that follow each other: the first of each, and how many there are."""
    found: list[int] = []
    follows = None
    for number in numbers:
        if number == follows:
            found[-1] += 1
        else:
            found += number, 1
        follows = number + 1
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
            turn = [] if shape.turn is None else _tenths(shape.turn)
            return ["t", style, *_tenths(x, y, size), anchor, int(bold), text, *turn]


def _tenths(*values: float) -> Sequence[float]:
    rounded = (round(float(value), 1) for value in values)
    return [int(value) if value.is_integer() else value for value in rounded]


# -- The text painter: a scene as lines of characters, for a terminal, a test and a screen reader's description
# Each `Text` whose ``glyph`` is set stands where it stands in the picture, in proportion; it is shown whatever
# its style, so a text with neither fill nor stroke is for this painter alone (that is how a card, drawn as an
# index and a suit, reads "8♦" here). A cell with no text in it shows a dot.

EMPTY_CELL = "·"
_ASPECT = 2.0  # a terminal's character is about twice as high as wide
_COLUMN_PX = 9.0  # about the width of a character of the picture's 16 px text
_START = {"start": 0.0, "middle": 0.5, "end": 1.0}


def text(scene: Scene, *, columns: int | None = None) -> str:
    """The scene as text. ``columns``: width of the picture in characters; by default one for every 9 px. A line runs
    longer where labels would otherwise cover each other: the later one moves right. Several empty lines in a row shrink
    to one. Returns lines without trailing blanks, no newline at the end. OptionError for fewer than one column."""
    if columns is None:
        columns = max(1, round(scene.width / _COLUMN_PX))
    if columns < 1:
        raise OptionError(SAY("view.columns", n=columns))
    px = scene.width / columns
    lines: dict[int, str] = {}
    for x, y, label, anchor in sorted(_labels(scene), key=lambda each: (each[1] // (px * _ASPECT), each[0])):
        row = int(y // (px * _ASPECT))
        line = lines.get(row, "")
        column = round(x / px - _START[anchor] * len(label))
        lines[row] = line.ljust(max(column, len(line) + bool(line))) + label
    if not lines:
        return ""
    rows = [lines.get(row, "").rstrip() for row in range(min(lines), max(lines) + 1)]
    return "\n".join(row for row, before in zip(rows, ("-", *rows), strict=False) if row or before)


def _labels(scene: Scene) -> list[tuple[float, float, str, str]]:
    """(x, y, text, anchor) of every shown text, and of a dot in every cell that has none."""
    labels = [(s.x, s.y, s.text, s.anchor) for s in scene.shapes() if isinstance(s, Text) and s.glyph and s.text]
    empty = (c for c in scene.cells if not any(contains(c.outline, x, y) for x, y, _, _ in labels))
    return labels + [(*cell.centre, EMPTY_CELL, "middle") for cell in empty]


_ESCAPED = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"}
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def svg(scene: Scene, theme: str | Theme = "light", *, scale: float = 1.0, background: bool = True) -> str:
    """The scene as an SVG document.

    ``theme``: what the colour tokens mean. ``scale``: size of the picture on the page: 2 makes it twice as wide and
    high. ``background``: paint the theme's ``paper`` behind everything; off leaves it transparent. ``<title>`` and
    ``<desc>`` come from the scene, and the description ends with the text painting, so that the picture can be read
    without being seen. Each layer is a ``<g>`` with the layer's name as id.
    """
    colours = find_theme(theme)

    def layer(number: int) -> list[str]:
        return [element for shape in scene.layers[number].flat for element in elements(shape, colours)]

    return document(scene, colours, layer, scale=scale, background=background)


def image(scene: Scene) -> Markup:
    """A scene as an HTML image that holds its SVG, with the scene's description: so it survives the cleaning of
    notebooks that are not trusted yet, and is shown where there are no widgets."""
    data = b64encode(svg(scene).encode()).decode()
    stop = "" if scene.title.endswith((".", "?", "!")) else "."
    alt = " ".join(f"{scene.title}{stop} {scene.desc}".split())
    size = f"width:{round(scene.width)}px;max-width:100%;height:auto"
    return html('<img alt="{}" style="{}" src="data:image/svg+xml;base64,{}">', alt, size, data)


def document(scene: Scene, colours: Theme, layer: Callable[[int], list[str]], *, scale: float = 1,
             background: bool = True) -> str:
    """A document of the scene, the elements of each of its layers made by ``layer``."""
    w, h = scene.width, scene.height
    described = "\n\n".join(filter(None, (scene.desc, text(scene))))
    named = 'role="img"' if scene.title or described else 'aria-hidden="true"'  # what says nothing is decoration
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {named} width="{number(w * scale)}" '
        f'height="{number(h * scale)}" viewBox="0 0 {number(w)} {number(h)}" '
        f"font-family='{FONT}' " 'style="font-variant-numeric:tabular-nums" stroke-linejoin="round">'
    ]
    if name := scene.title or described:
        parts.append(f"<title>{_clean(name)}</title>")
    if scene.title and described:
        parts.append(f"<desc>{_clean(described)}</desc>")
    if background:
        parts.append(f'<rect width="{number(w)}" height="{number(h)}" fill="{colours["paper"]}"/>')
    for i, each in enumerate(scene.layers):
        parts.append("\n".join((f'<g id="{_clean(each.name)}">', *layer(i), "</g>")))
    return "\n".join((*parts, "</svg>")) + "\n"


def number(value: float) -> str:
    """A coordinate to a hundredth of a pixel, as short as can be: 12, 0.5, -3.25."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def elements(shape: Flat, colours: Theme) -> list[str]:
    """The elements that draw one shape: none if its style paints nothing, two for an arrow."""
    if shape.style.fill is None and shape.style.stroke is None:
        return []
    paint = _paint(shape.style, colours)
    match shape:
        case Rect(x, y, w, h, _, r):
            corner = f' rx="{number(r)}"' if r else ""
            at = f'x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}"'
            return [f"<rect {at}{corner} {paint}/>"]
        case Circle(x, y, r):
            return [f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}" {paint}/>']
        case Polygon(points):
            return [f'<polygon points="{_points(points)}" {paint}/>']
        case Line():
            stroke = _paint(replace(shape.style, fill=None), colours)
            lines = [f'<polyline points="{_points(shaft(shape))}" {stroke}/>']
            if head := arrow_head(shape):
                filled = _paint(Style(fill=shape.style.stroke, opacity=shape.style.opacity), colours)
                lines.append(f'<polygon points="{_points(head)}" {filled}/>')
            return lines
        case Text(x, y, content, style, size, anchor, bold):
            weight = ' font-weight="bold"' if bold else ""
            halo = ' paint-order="stroke"' if style.stroke else ""
            at = f'x="{number(x)}" y="{number(y + BASELINE * size)}" text-anchor="{anchor}"'
            font = f'font-size="{number(size)}"{weight}'
            turn = f' transform="rotate({number(shape.turn)} {number(x)} {number(y)})"' if shape.turn else ""
            return [f"<text {at} {font}{halo}{turn} {paint}>{_clean(content)}</text>"]


def _paint(style: Style, colours: Theme) -> str:
    """Fill and stroke as attributes. Opacity is given to each of them, as a canvas does it."""
    attributes = [f'fill="{colours[style.fill] if style.fill else "none"}"']
    if style.stroke:
        attributes += [f'stroke="{colours[style.stroke]}"', f'stroke-width="{number(style.width)}"']
        if style.dash:
            attributes.append(f'stroke-dasharray="{" ".join(map(number, style.dash))}"')
    if style.opacity != 1:
        attributes += [f'{each}-opacity="{number(style.opacity)}"' for each in ("fill", "stroke")]
    return " ".join(attributes)


def _points(points: tuple[Point, ...]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def _clean(content: str) -> str:
    """Text fit for XML: markup escaped, and the characters that XML 1.0 forbids left out."""
    return _NOT_XML.sub("", content).translate(_ESCAPED)
