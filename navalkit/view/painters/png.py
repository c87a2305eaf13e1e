"""The PNG painter: a scene as a bitmap by Pillow and the font it carries; no browser, no system font.

Everything is drawn several times too large and shrunk, which is what makes the edges smooth. Pillow's font
has few signs: suits are drawn from their outlines, other missing ones give way to their nearest plain
relative.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from io import BytesIO
from itertools import groupby
from math import ceil, cos, pi, sin
from unicodedata import normalize

from PIL import Image, ImageDraw, ImageFont

from navalkit.core.errors import OptionError
from navalkit.core.language.say import SAY
from navalkit.view.drawn.cards import SIGN_OF, suit
from navalkit.view.painters.flatten import BASELINE, arrow_head, dashes, rounded, shaft
from navalkit.view.scene import Circle, Line, Point, Polygon, Rect, Scene, Style, Text
from navalkit.view.theme import Theme, rgb
from navalkit.view.theme import theme as find_theme

_SMOOTH = 3  # each pixel of the result is the mean of a square with this side
_MAX_PIXELS = 8_000_000  # of the result; the large drawing takes 27 bytes for each
_SIGN_EM = 0.8  # room for a suit sign within text
_PLAIN = {"–": "-", "—": "-", "−": "-", "→": ">", "←": "<", "×": "x", "…": "...", "·": "-", "’": "'"}
_ANCHOR = {"start": 0.0, "middle": 0.5, "end": 1.0}


def png(scene: Scene, theme: str | Theme = "light", *, scale: float = 2) -> bytes:
    """The scene as a PNG file, ``scale`` pixels to the CSS pixel; OptionError for a scale that is not positive, or a
    picture too big to draw."""
    w, h = round(scene.width * scale), round(scene.height * scale)
    if min(w, h) < 1 or w * h > _MAX_PIXELS:
        raise OptionError(SAY("view.scale", width=scene.width, height=scene.height, scale=scale, most=_MAX_PIXELS))
    colours = find_theme(theme)
    image = Image.new("RGB", (w * _SMOOTH, h * _SMOOTH), rgb(colours["paper"]))
    for shape in scene.shapes():
        if isinstance(shape, Text):
            _text(image, shape, colours, scale * _SMOOTH)
        else:
            _shape(image, shape, colours, scale * _SMOOTH)
    out = BytesIO()
    image.reduce(_SMOOTH).save(out, "PNG")
    return out.getvalue()


def _shape(image: Image.Image, shape: Rect | Circle | Polygon | Line, colours: Theme, big: float) -> None:
    """Paint one shape: its fill, then its stroke and the head of an arrow. ``big`` is pixels to the unit."""
    style = shape.style
    points = [(x * big, y * big) for x, y in _points(shape)]
    closed = not isinstance(shape, Line)
    if style.fill and closed:
        with _mask(image, points, 0, colours[style.fill], style.opacity) as (draw, left, top):
            draw.polygon([(x - left, y - top) for x, y in points], 255)
    if style.stroke:
        width = max(1, round(style.width * big))
        head = [(x * big, y * big) for x, y in arrow_head(shape)] if isinstance(shape, Line) else []
        with _mask(image, points + head, width, colours[style.stroke], style.opacity) as (draw, left, top):
            local = [(x - left, y - top) for x, y in (*points, points[0])[: len(points) + closed]]
            for piece in dashes(local, [each * big for each in style.dash]):
                # the second point once more joins the last corner of a loop like the others
                joined = [*piece, piece[1]] if closed and not style.dash else piece
                draw.line(joined, 255, width, joint="curve")
            if head:
                draw.polygon([(x - left, y - top) for x, y in head], 255)


def _points(shape: Rect | Circle | Polygon | Line) -> tuple[Point, ...]:
    match shape:
        case Rect():
            return rounded(shape)
        case Circle(x, y, r):
            n = max(12, ceil(r * 2 * pi))
            return tuple((x + r * cos(2 * pi * i / n), y + r * sin(2 * pi * i / n)) for i in range(n))
        case Polygon(points):
            return points
        case Line():
            return shaft(shape)


@contextmanager
def _mask(
    image: Image.Image, points: Sequence[Point], margin: float, colour: str, opacity: float
) -> Iterator[tuple[ImageDraw.ImageDraw, int, int]]:
    """Draw 255 where there shall be paint; it is laid on once, so that overlapping strokes do not add up.

    Gives the drawing and the place of its corner in the image; it covers ``points`` with a margin around
    them.
    """
    left, top = (int(min(each) - margin) - 1 for each in zip(*points, strict=True))
    right, bottom = (int(max(each) + margin) + 2 for each in zip(*points, strict=True))
    mask = Image.new("L", (right - left, bottom - top))
    yield ImageDraw.Draw(mask), left, top
    if opacity < 1:
        mask = mask.point([round(value * opacity) for value in range(256)])
    image.paste(rgb(colour), (left, top), mask)


def _text(image: Image.Image, shape: Text, colours: Theme, big: float) -> None:
    """Paint a text run by run, letters from the font and suit signs as polygons; its halo (stroke) first."""
    size, style = shape.size * big, shape.style
    font = ImageFont.load_default(size)
    runs = [("".join(run), sign) for sign, run in groupby(shape.text, SIGN_OF.__contains__)]
    runs = [(run if sign else "".join(map(_known, run)), sign) for run, sign in runs]
    widths = [len(run) * _SIGN_EM * size if sign else font.getlength(run) for run, sign in runs]
    x0, y0 = shape.x * big - _ANCHOR[shape.anchor] * sum(widths), shape.y * big
    bold = size / 42 if shape.bold else 0.0  # the font has one weight: a bold letter is one with an edge
    for token, edge in ((style.stroke, bold + style.width * big / 2), (style.fill, bold)):
        if token is None:
            continue
        corners = ((x0, y0 - size), (x0 + sum(widths), y0 + size))
        with _mask(image, corners, size / 4 + edge, colours[token], style.opacity) as (draw, left, top):
            x, y = x0 - left, y0 - top
            for (run, sign), width in zip(runs, widths, strict=True):
                if sign:
                    for i, glyph in enumerate(run):
                        middle = x + (i + 0.5) * _SIGN_EM * size
                        draw.polygon(suit(SIGN_OF[glyph], middle, y, 0.95 * _SIGN_EM * size, Style()).points, 255)
                else:
                    draw.text((x, y + BASELINE * size), run, 255, font, anchor="ls", stroke_width=edge)
                x += width


@lru_cache(maxsize=1024)
def _known(character: str) -> str:
    """A character if the font has it, else its plain relative ("–" is "-", "é" is "e") or at last "?"."""
    font = ImageFont.load_default(24)
    missing = bytes(font.getmask("\uffff"))
    if bytes(font.getmask(character)) != missing:
        return character
    bare = normalize("NFKD", character)[:1]
    return _PLAIN.get(character) or (bare if bare.isascii() else "?")
