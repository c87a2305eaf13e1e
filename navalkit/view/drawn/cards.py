"""Playing cards as shapes: face, back, empty place, and the marks that lie on them.

Suits are polygons, so that every painter draws the same ones whatever fonts there are. For the text painter
each card carries a `Text` that paints nothing ("8♦", "▒▒"): see `navalkit.view.painters.text`. All sizes follow the
card's width; a card is legible from about 44 px, and looks best about 1.4 times as high as wide.
"""

from __future__ import annotations

from collections.abc import Callable
from math import copysign, cos, pi, sin, sqrt

from navalkit.core.echo import brief
from navalkit.core.errors import NotationError, OptionError
from navalkit.core.language.say import SAY
from navalkit.view.drawn.drawings import drawing
from navalkit.view.scene import Flat, Line, Point, Polygon, Rect, Style, Text

RANKS = "A23456789TJQK"
SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
BACK, JOKER = "▒▒", "★"
UNPAINTED = Style()

COURT = {"J": "sampan", "Q": "tanker", "K": "battleship"}
"""The ship on each court card."""
STATES = {"up": "{}", "selected": "[{}]", "sunk": "{}×", "gone": "({})"}
"""What a face-up card can be, and the sign by which the text painter shows it."""

_NAMES = {"C": "club", "D": "diamond", "H": "heart", "S": "spade"}
RATIO = 1.4
"""A card's height by its width."""
_LARGE = 60.0  # a card this wide has its index in two corners
_CHARACTER = 0.62  # mean width of a bold character in em: room enough in every common sans-serif


def card(x: float, y: float, w: float, h: float, label: str, *, state: str = "up") -> tuple[Flat, ...]:
    """A card face.

    ``x``, ``y``, ``w`` and ``h``: top left corner and size, px. ``label``: rank and suit, "8D" or "TS", or a joker:
    "X", "X1", "X2". ``state``: "up"; "selected" (thick frame); "sunk" (crossed out); "gone" (pale, dashed frame).
    NotationError for a label that is no card; OptionError for an unknown state.
    """
    if state not in STATES:
        raise OptionError(SAY("view.state", state=brief(state), listed=", ".join(STATES)))
    pale = state in ("gone", "sunk")
    frame = {
        "up": Style("card_face", "card_line", 1.5),
        "selected": Style("card_face", "select", 4),
        "sunk": Style("card_face", "card_line", 1.5),
        "gone": Style(None, "card_line", 1.5, (4, 4)),
    }[state]
    glyph, face = _face(x, y, w, h, label, 0.5 if pale else 1.0)
    shapes: tuple[Flat, ...] = (_base(x, y, w, h, frame), *face)
    if state == "sunk":
        m = 0.14 * w
        cross = Style(None, "card_ink", max(2.0, w / 22))
        shapes += (
            Line(((x + m, y + m), (x + w - m, y + h - m)), cross),
            Line(((x + w - m, y + m), (x + m, y + h - m)), cross),
        )
    return (*shapes, _spoken(x, y, w, h, STATES[state].format(glyph)))


def face_down(x: float, y: float, w: float, h: float, *, selected: bool = False) -> tuple[Flat, ...]:
    """The back of a card: a sea with waves, which says nothing about its face."""
    frame = Style("card_back", "select", 4) if selected else Style("card_back", "card_line", 1.5)
    inset = 0.09 * w
    wave_style = Style(None, "card_back_wave", max(1.5, w / 34))
    left, right = x + 2 * inset, x + w - 2 * inset
    waves = (Line(_wave(left, right, y + h * share, 0.035 * w), wave_style) for share in (0.32, 0.44, 0.56, 0.68))
    inner = Rect(
        x + inset,
        y + inset,
        w - 2 * inset,
        h - 2 * inset,
        Style(None, "card_back_wave", 1, opacity=0.6),
        0.06 * w,
    )
    return (_base(x, y, w, h, frame), inner, *waves, _spoken(x, y, w, h, BACK))


def empty_place(x: float, y: float, w: float, h: float) -> tuple[Flat, ...]:
    """Where a card lay or will lie: a dashed frame."""
    return (Rect(x, y, w, h, Style(None, "muted", 1.5, (5, 5)), _radius(w)),)


def outline(x: float, y: float, w: float, h: float) -> tuple[Flat, ...]:
    """Evidence: a frame around a card in the accent colour, edged in ink to stand out on any surface."""
    gap, width = 3.0, 4.0
    place = (x - gap, y - gap, w + 2 * gap, h + 2 * gap)
    r = _radius(w) + gap
    return tuple(Rect(*place, Style(None, t, extra + width), r) for t, extra in (("ink", 2.0), ("accent", 0.0)))


def badge(
    x: float, y: float, label: str, *, fill: str = "accent", ink: str = "on_accent", size: float = 14.0
) -> tuple[Flat, ...]:
    """A small label in a pill, centred on (x, y), px."""
    w, h = len(label) * _CHARACTER * size + size, 1.6 * size
    pill = Rect(x - w / 2, y - h / 2, w, h, Style(fill, "ink", 1), h / 2)
    return (pill, Text(x, y, label, Style(ink), size, bold=True))


def suit(letter: str, x: float, y: float, size: float, style: Style) -> Polygon:
    """A suit sign (of "CDHS"), or the joker's star ("X"), centred on (x, y) in a square of ``size`` px."""
    return Polygon(tuple((x + u * size / 2, y + v * size / 2) for u, v in _SIGNS[letter]), style)


def _face(x: float, y: float, w: float, h: float, label: str, opacity: float) -> tuple[str, tuple[Flat, ...]]:
    """The text form of a card and the shapes of its face.

    A small card has a large index over a suit sign; a larger one its index in two corners, and between them a large
    sign or, of a court card, the ship that it stands for.
    """
    unit = min(w, h / RATIO)
    if label[:1] == "X" and label[1:] in ("", "1", "2"):
        style = Style("suit_spade", opacity=opacity)
        name = Text(x + w / 2, y + h - 0.24 * unit, "JOKER", style, 0.23 * unit, bold=True, glyph=False)
        return JOKER, (suit("X", x + w / 2, y + 0.42 * h, 0.72 * unit, style), name)
    if len(label) != 2 or label[0] not in RANKS or label[1] not in SUITS:
        raise NotationError(SAY("view.card", card=brief(label), ranks=RANKS))
    rank, letter = ("10" if label[0] == "T" else label[0]), label[1]
    style = Style(f"suit_{_NAMES[letter]}", opacity=opacity)
    glyph = rank + SUITS[letter]
    if unit < _LARGE:
        index = Text(x + 0.1 * unit, y + 0.33 * unit, rank, style, 0.54 * unit, anchor="start", bold=True, glyph=False)
        return glyph, (index, suit(letter, x + w - 0.37 * unit, y + h - 0.39 * unit, 0.52 * unit, style))
    corners: tuple[Flat, ...] = ()
    for cx, cy, anchor, side in ((0.08 * unit, 0.21 * unit, "start", 1), (w - 0.08 * unit, h - 0.21 * unit, "end", -1)):
        corners += (
            Text(x + cx, y + cy, rank, style, 0.34 * unit, anchor=anchor, bold=True, glyph=False),
            suit(letter, x + cx + side * (0.26 + 0.2 * len(rank)) * unit, y + cy, 0.24 * unit, style),
        )
    if rank in COURT and opacity == 1:
        return glyph, (*corners, *drawing(COURT[rank], w - 0.14 * unit, x + w / 2, y + h / 2))
    return glyph, (*corners, suit(letter, x + w / 2, y + h / 2, 0.56 * unit, style))


def _base(x: float, y: float, w: float, h: float, style: Style) -> Rect:
    return Rect(x, y, w, h, style, _radius(w))


def _radius(w: float) -> float:
    return 0.09 * w


def _spoken(x: float, y: float, w: float, h: float, glyph: str) -> Text:
    """What the text painter shows: a text that no other painter paints."""
    return Text(x + w / 2, y + h / 2, glyph, UNPAINTED)


def _wave(left: float, right: float, y: float, height: float) -> tuple[Point, ...]:
    """Two crests between two points."""
    n = 24
    return tuple((left + (right - left) * i / n, y - height * sin(4 * pi * i / n)) for i in range(n + 1))


# The signs are drawn in the square from (-1, -1) to (1, 1), y downward, and computed once. Each is one
# outline, so that it keeps one tint when it is pale.

_STEM: tuple[Point, ...] = ((-0.12, 0.62), (-0.36, 0.97), (0.36, 0.97), (0.12, 0.62))


def _around(curve: Callable[[float], Point], n: int, start: float = 0.0, gap: float = 0.0) -> tuple[Point, ...]:
    """``n`` points of a closed curve from angle ``start`` on; ``gap`` is left open on both sides of it."""
    if not gap:
        return tuple(curve(start + 2 * pi * i / n) for i in range(n))
    return tuple(curve(start + gap + 2 * (pi - gap) * i / (n - 1)) for i in range(n))


def _heart(t: float) -> Point:
    """The well-known heart curve in sines and cosines of multiples of the angle, fitted to the square."""
    x = 16 * sin(t) ** 3
    y = 13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t)
    return 0.95 * x / 16, -0.95 * (y + 2.6) / 14.6


def _spade(t: float) -> Point:
    """A heart on its head, moved up to leave room for the stem; its notch is at t = 0."""
    x, y = _heart(t)
    return x, -0.86 * y - 0.13


def _diamond(t: float) -> Point:
    """A rhombus with slightly hollow sides."""

    def power(value: float) -> float:
        return copysign(abs(value) ** 2.3, value)

    return 0.78 * power(cos(t)), 0.98 * power(sin(t))


def _clover(t: float) -> Point:
    """The outer edge of three discs, seen from their middle: on each ray the farthest point of any disc."""
    ux, uy = -cos(t), sin(t)
    reach = 0.0
    for cx, cy in ((0.0, -0.5), (-0.49, 0.22), (0.49, 0.22)):
        along, across = cx * ux + cy * uy, cx * uy - cy * ux
        if abs(across) <= 0.46:
            reach = max(reach, along + sqrt(0.46**2 - across**2))
    return reach * ux, reach * uy


def _star(t: float) -> Point:
    """Ten corners, every other one pulled in."""
    r = 0.4 if round(t * 10 / (2 * pi)) % 2 else 1.0
    return r * sin(t), -r * cos(t)


_SIGNS: dict[str, tuple[Point, ...]] = {
    "H": _around(_heart, 48),
    "D": _around(_diamond, 48),
    "C": (*_STEM, *_around(_clover, 72, start=pi / 2, gap=0.15)),
    "S": (*_STEM, *_around(_spade, 48, gap=0.41)),
    "X": _around(_star, 10),
}
SIGN_OF = {glyph: letter for letter, glyph in SUITS.items()} | {JOKER: "X"}
"""The letter of each suit glyph, for painters whose font has none."""
