"""The PNG painter: a scene as a bitmap by Pillow and the font it carries; no browser, no system font.

Everything is drawn several times too large and shrunk, which is what makes the edges smooth. Pillow's font has few
signs: suits and the dots of umlauts are drawn, other missing ones give way to their nearest plain relative.
"""

from __future__ import annotations
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from importlib import resources
from io import BytesIO
from itertools import groupby, pairwise
from math import ceil, cos, hypot, pi, radians, sin
from unicodedata import normalize

from PIL import Image, ImageDraw, ImageFont

from navalkit.core.errors import OptionError
from navalkit.core.shown import Markup, html
from navalkit.core.words import SAY, voice
from .drawings import SIGN_OF, suit
from .film import FADE, Film, Going, Mark, Pose
from .painters import BASELINE, arrow_head, dashes, document, elements, number, rounded, shaft, svg
from .scene import Circle, Flat, Line, Piece, Point, Polygon, Rect, Scene, Style, Text
from .theme import Theme, rgb, theme as find_theme

_SMOOTH = 3  # each pixel of the result is the mean of a square with this side
_MAX_PIXELS = 8_000_000  # of the result; the large drawing takes 27 bytes for each
_SIGN_EM = 0.8  # room for a suit sign within text
_PLAIN = {"–": "-", "—": "-", "−": "-", "→": ">", "←": "<", "×": "x", "…": "...", "·": "-", "’": "'",
          "ß": "ss"}
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
def _mask(image: Image.Image, points: Sequence[Point], margin: float, colour: str,
          opacity: float) -> Iterator[tuple[ImageDraw.ImageDraw, int, int]]:
    """Draw 255 where there shall be paint; it is laid on once, so that overlapping strokes do not add up. Gives the
    drawing and the place of its corner in the image; it covers ``points`` with a margin around them."""
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
    umlauts = [[] if sign else _umlauts(run) for run, sign in runs]
    runs = [(run if sign else "".join(map(_known, run)), sign) for run, sign in runs]
    widths = [len(run) * _SIGN_EM * size if sign else font.getlength(run) for run, sign in runs]
    if shape.turn:
        _turned(image, shape, colours, big, sum(widths))
        return
    x0, y0 = shape.x * big - _ANCHOR[shape.anchor] * sum(widths), shape.y * big
    bold = size / 42 if shape.bold else 0.0  # the font has one weight: a bold letter is one with an edge
    for token, edge in ((style.stroke, bold + style.width * big / 2), (style.fill, bold)):
        if token is None:
            continue
        corners = ((x0, y0 - size), (x0 + sum(widths), y0 + size))
        with _mask(image, corners, size / 4 + edge, colours[token], style.opacity) as (draw, left, top):
            x, y = x0 - left, y0 - top
            for (run, sign), width, dotted in zip(runs, widths, umlauts, strict=True):
                if sign:
                    for i, glyph in enumerate(run):
                        middle = x + (i + 0.5) * _SIGN_EM * size
                        draw.polygon(suit(SIGN_OF[glyph], middle, y, 0.95 * _SIGN_EM * size, Style()).points, 255)
                else:
                    draw.text((x, y + BASELINE * size), run, 255, font, anchor="ls", stroke_width=edge)
                for i in dotted:
                    letter, radius = run[i], 0.055 * size + edge
                    middle = x + font.getlength(run[:i]) + font.getlength(letter) / 2
                    high = y + BASELINE * size + font.getbbox(letter, anchor="ls")[1] - 0.12 * size
                    for way in (-1, 1):
                        dot = middle + way * 0.13 * size
                        draw.ellipse((dot - radius, high - radius, dot + radius, high + radius), 255)
                x += width


def _turned(image: Image.Image, shape: Text, colours: Theme, big: float, wide: float) -> None:
    """A text that is turned: painted upright on a picture of its own, which is then laid on turned."""
    way, half = radians(shape.turn or 0.0), (0.5 - _ANCHOR[shape.anchor]) * wide
    x, y = shape.x * big + half * cos(way), shape.y * big + half * sin(way)
    across, high = ceil(wide + 2 * shape.size * big), ceil(2 * shape.size * big)
    plain, upright = Image.new("RGB", (across, high)), replace(shape, turn=None, anchor="middle")
    at = replace(upright, x=across / 2 / big, y=high / 2 / big)
    _text(plain, replace(at, style=replace(at.style, fill="on_heat_low", stroke=at.style.stroke and "on_heat_low")),
          colours, big)  # white on black: how much of it lies where
    mask = plain.convert("L").rotate(-(shape.turn or 0.0), Image.Resampling.BICUBIC, expand=True)
    place = round(x - mask.width / 2), round(y - mask.height / 2)
    image.paste(rgb(colours[shape.style.fill or "ink"]), place, mask)


def _umlauts(run: str) -> list[int]:
    """At which places of a text, as `_known` has it, two dots are to be drawn over a letter: the font has none."""
    places, at = [], 0
    for character in run:
        if normalize("NFD", character)[1:2] == "\u0308" and not _has(character):
            places.append(at)
        at += len(_known(character))
    return places


def _has(character: str) -> bool:
    """Whether the font has a character."""
    font = ImageFont.load_default(24)
    return bytes(font.getmask(character)) != bytes(font.getmask("\uffff"))


@lru_cache(maxsize=1024)
def _known(character: str) -> str:
    """A character if the font has it, else its plain relative ("–" is "-", "é" is "e") or at last "?"."""
    if _has(character):
        return character
    bare = normalize("NFKD", character)[:1]
    return _PLAIN.get(character) or (bare if bare.isascii() else "?")


# -- A film as an animated SVG: the last scene, and over it, again and again, how it came about ----
# What stands in the document without its animations is the last scene, so that a reader who shows no motion shows that.
# The animations are SMIL's, which browsers play in an ``<img>`` too.

REST = 2000
"""Milliseconds for which the last scene is seen before the film begins again."""
_STEPS = 12  # straight stretches in which a way, its speed and its turns are told
_GROWING = {"ring": (1.6, 1.0), "flash": (0.3, 1.0), "hit": (0.4, 1.4), "light": (1.0, 1.0)}  # of the radius
_FILLED = ("flash", "hit", "light", "shell", "track")
_STILL = ("bar", "die", "join", "count")  # of which a picture in a loop has the words alone


def film_svg(scene: Scene, film: Film, theme: str | Theme = "light") -> str:
    """The film that leads to a scene. ``scene``: the last one. Returns an SVG document that tells its time in
    ``<animate>`` and ``<animateTransform>``."""
    colours = find_theme(theme)
    clock = _Clock(film.ms + REST)
    moving = {going.after.id: going for going in film.goings if going.after and going.ms}
    gone = [going for going in film.goings if going.after is None and going.before is not None and going.ms]
    last = max((i for i, layer in enumerate(scene.layers) if layer.pieces), default=len(scene.layers) - 1)

    told = film.told if film.told >= 0 else film.ms

    def layer(number: int) -> list[str]:
        drawn: list[str] = []
        now = scene.layers[number]
        was = next((each for each in film.under if each.name == now.name), now)
        if was != now and not (was.pieces or now.pieces or now.late):  # as it was, then as it is
            olds, news = ([line for shape in each.flat for line in elements(shape, colours)] for each in (was, now))
            before, after = clock.seen(0, told, [1, 1], 1, 0), clock.seen(0, told, [0, 0], 0, 1)
            return [f'<g opacity="0">{before}', *olds, "</g>", f"<g>{after}", *news, "</g>"]
        for shape in now.shapes:
            if isinstance(shape, Piece):
                going = moving.get(shape.id) or Going(shape, shape, (shape.pose,))
                drawn += _going(going, clock, colours)
            else:
                drawn += elements(shape, colours)
        if number == last:
            drawn += [line for going in gone for line in _going(going, clock, colours)]
            drawn += [line for mark in film.marks for line in _mark(mark, clock, colours)]
        if scene.layers[number].late and drawn:
            drawn = [f"<g>{clock.seen(0, film.ms, [0, 0], 0, 1)}", *drawn, "</g>"]
        return drawn

    return document(scene, colours, layer)


class _Clock:
    """Says animations that all begin anew together."""

    def __init__(self, whole: float) -> None:
        self.whole = whole

    def animate(self, what: str, at: float, ms: float, values: Sequence[str], before: str, after: str) -> str:
        """One from ``at`` on for ``ms``; what holds before and after it."""
        steps = len(values) - 1
        times = [0.0, at, *(at + ms * i / steps for i in range(steps + 1)), at + ms, self.whole]
        keys = ";".join(f"{time / self.whole:.4f}" for time in times)
        said = ";".join((before, before, *values, after, after))
        name, _, kind = what.partition(" ")
        tag = f'animateTransform attributeName="transform" type="{kind}" additive="sum"' if kind else "animate"
        attribute = "" if kind else f' attributeName="{name}"'
        whole = f'dur="{number(self.whole)}ms" repeatCount="indefinite"'
        return f'<{tag}{attribute} {whole} keyTimes="{keys}" values="{said}"/>'

    def seen(self, at: float, ms: float, values: Sequence[float], before: float, after: float) -> str:
        """Opacity."""
        return self.animate("opacity", at, ms, [number(value) for value in values], number(before), number(after))


def _going(going: Going, clock: _Clock, colours: Theme) -> Iterator[str]:
    """A piece on its way: as it was, and as it is."""
    before, after, at, ms = going.before, going.after, going.at, going.ms
    if before == after or ms == 0:
        yield from _look(going, after or before, clock, colours, "")
    elif before is not None and after is not None and before.shapes == after.shapes:
        yield from _look(going, after, clock, colours, "")
    else:
        turns = any(piece.flips for piece in (before, after) if piece is not None) and before is not None
        old = [1.0, 1.0, 0.0, 0.0] if turns and after is not None else [1.0, 0.0]
        new = [0.0, 0.0, 1.0, 1.0] if turns else [0.0, 1.0]
        if going.changes >= 0:
            at, ms = going.changes, FADE
        if before is not None:
            yield from _look(going, before, clock, colours, clock.seen(at, ms, old, 1, 0), shown=False)
        if after is not None:
            yield from _look(going, after, clock, colours, clock.seen(at, ms, new, 0, 1))


def _look(going: Going, piece: Piece | None, clock: _Clock, colours: Theme, fade: str, *,
          shown: bool = True) -> Iterator[str]:
    """One look of it along the way. Texts keep upright: they stand beside what turns."""
    assert piece is not None, "a going has a piece"
    x, y, heading = going.way[-1]
    moves = turn = wide = ""
    if len(set(going.way)) > 1:
        poses = list(_poses(going.way))
        places = [f"{number(px - x)} {number(py - y)}" for px, py, _ in poses]
        moves = clock.animate("transform translate", going.at, going.ms, places, places[0], "0 0")
        turns = [number(h - poses[-1][2]) for *_, h in poses]
        if len(set(turns)) > 1:
            turn = clock.animate("transform rotate", going.at, going.ms, turns, turns[0], "0")
    if fade and piece.flips and going.before is not None and going.after is not None:
        widths = [f"{number(abs(cos(i * pi / 8)))} 1" for i in range(9)]
        wide = clock.animate("transform scale", going.at, going.ms, widths, "1 1", "1 1")
    bare = [line for shape in piece.shapes if not isinstance(shape, Text) for line in elements(shape, colours)]
    upright = replace(piece, x=0, y=0, heading=heading).placed()
    texts = [line for shape in upright if isinstance(shape, Text) for line in elements(shape, colours)]
    hidden = "" if shown else ' opacity="0"'
    yield f'<g transform="translate({number(x)} {number(y)})"{hidden}>{moves}{fade}'
    yield f'<g transform="rotate({number(heading)})">{turn}{wide}'
    yield from bare
    yield "</g>"
    yield from texts
    yield "</g>"


def _poses(way: Sequence[Pose]) -> Iterator[Pose]:
    """Places along a way at even times: slowly off and slowly in, turning the short way round."""
    turned = [way[0]]
    for x, y, heading in way[1:]:
        turned.append((x, y, turned[-1][2] + (heading - turned[-1][2] + 180) % 360 - 180))
    legs = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(turned)]
    for step in range(_STEPS + 1):
        share = step / _STEPS
        smooth = share * share * (3 - 2 * share)
        left, i = smooth * sum(legs), 0 if sum(legs) else len(legs) - 1
        while i < len(legs) - 1 and left > legs[i]:
            left, i = left - legs[i], i + 1
        part = min(1, left / (legs[i] or 1)) if sum(legs) else smooth
        yield tuple(a + (b - a) * part for a, b in zip(turned[i], turned[i + 1], strict=True))  # type: ignore[misc]


def _mark(mark: Mark, clock: _Clock, colours: Theme) -> Iterator[str]:
    """A sign that comes and goes: a ring or a disc that grows, a dot that flies, words that rise."""
    at, ms, to = mark.at, mark.ms, mark.to
    fade = clock.seen(at, ms, [1, 0.8, 0], 0, 0)
    yield f'<g opacity="0" data-mark="{mark.kind}">{fade}'
    if mark.kind in ("shell", "track") and to is not None:
        there = f"{number(to[0] - mark.x)} {number(to[1] - mark.y)}"
        flies = clock.animate("transform translate", at, ms, ["0 0", there], "0 0", there)
        if mark.kind == "track":
            wake = Line(((mark.x, mark.y), to), Style(None, mark.tone, 2.5, (7, 5), 0.5))
            yield from elements(wake, colours)
        yield from _group(Circle(mark.x, mark.y, 3.5, Style(mark.tone)), colours, flies)
    elif mark.kind not in ("note", *_STILL):
        low, high = _GROWING.get(mark.kind, (0.05, 1.0))
        style = Style(mark.tone, opacity=0.7) if mark.kind in _FILLED else Style(None, mark.tone, 2.5)
        (circle,) = elements(Circle(mark.x, mark.y, mark.r, style), colours)
        radii = [number(mark.r * share) for share in (low, high)]
        yield circle.replace("/>", f">{clock.animate('r', at, ms, radii, radii[0], radii[-1])}</circle>")
    if mark.text:
        rises = clock.animate("transform translate", at, ms, ["0 0", "0 -14"], "0 0", "0 -14")
        y = mark.y - (0 if mark.kind in ("note", *_STILL) else mark.r)
        words = mark.text.replace("{}", f"{mark.share[1]:,.0f}")
        yield from _group(Text(mark.x, y, words, Style("ink", "halo", 4), 15, bold=True), colours, rises)
    yield "</g>"


def _group(shape: Flat, colours: Theme, animation: str) -> list[str]:
    return [f"<g>{animation}", *elements(shape, colours), "</g>"]


# -- Scenes on paper: one HTML page that a browser prints, or saves as a PDF, a sheet of A4 a scene 

def printed(scenes: Sequence[Scene]) -> str:
    """A page of scenes for light paper, each in vectors as large as its sheet; always the same for the same scenes. Its
    title is that of the first scene, which also says which way the paper lies. On a screen it says how to print it."""
    first = scenes[0]
    parts = {
        "lang": voice().lang, "title": first.title, "button": SAY("print.button"),
        "how": SAY("print.how"), "turn": "landscape" if first.width > first.height else "portrait",
        "sheets": Markup("".join(map(svg, scenes))),
    }
    frame = (resources.files(__package__) / "printed.html").read_text(encoding="utf-8")
    return re.sub(r"{{(\w+)}}", lambda part: html("{}", parts[part[1]]), frame)
