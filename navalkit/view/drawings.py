"""The drawings on cards: ships from the side, what they hunt with, and the sea; the same in every theme.

A drawing lies about (0, 0) in a panel four by three: x from -1 to 1, y from -0.75 (sky) to 0.75 of half its width.
"""

from __future__ import annotations
from collections.abc import Callable
from functools import cache
from math import copysign, cos, pi, sin, sqrt

from navalkit.core.errors import NotationError, OptionError, brief
from navalkit.core.words import SAY
from .scene import Circle, Flat, Line, Point, Polygon, Rect, Style, Text

HEIGHT = 0.75
"""A drawing's height by its width."""
_SKY, _SEA, _DEEP, _STEEL, _LIGHT, _RUST = (
    Style(f"drawn_{tone}") for tone in ("sky", "sea", "deep", "steel", "light", "rust")
)
_HORIZON = 0.2


def _line(points: tuple[Point, ...], tone: str = "light", width: float = 0.05, dash: tuple[float, ...] = ()) -> Line:
    return Line(points, Style(None, f"drawn_{tone}", width, dash))


def _wave(y: float, left: float = -0.9, right: float = 0.9, tone: str = "light") -> Line:
    step = (right - left) / 16
    return _line(tuple((left + i * step, y - 0.04 * sin(i * pi / 2 + 0.7)) for i in range(17)), tone, 0.035)


def _above() -> tuple[Flat, ...]:
    """Sky, and the sea from its horizon down."""
    return (Rect(-1, -0.75, 2, 1.5, _SKY), Rect(-1, _HORIZON, 2, 0.75 - _HORIZON, _SEA), _wave(0.5), _wave(0.64, -0.5))


def _below() -> tuple[Flat, ...]:
    """Under water: lighter on top."""
    return (Rect(-1, -0.75, 2, 1.5, _DEEP), Rect(-1, -0.75, 2, 0.3, _SEA), _wave(-0.44, tone="sea"))


def _ship(*upper: Point, low: float = 0.34) -> tuple[Flat, ...]:
    """A hull with its bow to the right, and what stands on it."""
    hull = Polygon(((-0.8, 0.1), (0.68, 0.1), (0.86, 0.02), (0.72, low), (-0.7, low)), _STEEL)
    return (hull, Polygon(upper, _STEEL), _line(((-0.74, low - 0.05), (0.74, low - 0.05)), "rust", 0.07))


def _submarine(x: float = 0.0, y: float = 0.0, tilt: float = 0.0, size: float = 1.0) -> tuple[Polygon, ...]:
    """A U-boat from the side, bow to the right and down by ``tilt`` radians."""
    c, s = size * cos(tilt), size * sin(tilt)
    hull = [(-0.8, 0.0), (-0.66, -0.09), (0.6, -0.09), (0.8, 0.0), (0.66, 0.09), (-0.6, 0.1)]
    tower = [(-0.14, -0.09), (-0.1, -0.27), (0.16, -0.27), (0.2, -0.09)]
    mast = [(0.0, -0.27), (0.0, -0.42), (0.05, -0.42), (0.05, -0.27)]
    fin = [(-0.8, -0.2), (-0.7, -0.2), (-0.6, 0.0), (-0.74, 0.0)]
    return tuple(Polygon(tuple((x + u * c - v * s, y + u * s + v * c) for u, v in part), _STEEL)
                 for part in (hull, tower, mast, fin))


def _bubbles(*places: tuple[float, float, float]) -> tuple[Circle, ...]:
    return tuple(Circle(x, y, r, Style(None, "drawn_light", 0.03)) for x, y, r in places)


def _burst(x: float, y: float, r: float) -> Polygon:
    points = ((r if i % 2 else 0.45 * r, i * pi / 9) for i in range(18))
    return Polygon(tuple((x + reach * sin(a), y - reach * cos(a)) for reach, a in points), _LIGHT)


def _column(x: float, low: float, high: float) -> Polygon:
    """Water thrown up by a shell or a charge."""
    tall = low - high
    crown = ((-0.3, 0.62), (-0.2, 0.82), (-0.11, 0.72), (-0.02, 1.0), (0.09, 0.76), (0.2, 0.88), (0.28, 0.6))
    return Polygon(((x - 0.1, low), *((x + u, low - v * tall) for u, v in crown), (x + 0.1, low)), _LIGHT)


def _periscope() -> tuple[Flat, ...]:
    tube = ((-0.09, 0.3), (-0.09, -0.36), (0.0, -0.55), (0.26, -0.55), (0.26, -0.33), (0.09, -0.33), (0.09, 0.3))
    far = Polygon(((0.44, 0.14), (0.86, 0.14), (0.9, 0.2), (0.42, 0.2)), _STEEL)
    funnel = Rect(0.56, 0.05, 0.07, 0.1, _STEEL)
    return (
        *_above(), far, funnel, Polygon(tube, _STEEL), Circle(0.21, -0.44, 0.07, _LIGHT),
        _line(((-0.34, 0.3), (-0.12, 0.24), (0.12, 0.24), (0.34, 0.3)), width=0.06), _wave(0.38, -0.7, 0.7),
    )


def _torpedo() -> tuple[Flat, ...]:
    body = ((-0.5, -0.09), (0.52, -0.09), (0.66, -0.05), (0.72, 0.03), (0.66, 0.11), (0.52, 0.15), (-0.5, 0.15))
    tail = ((-0.5, -0.09), (-0.72, -0.2), (-0.74, -0.2), (-0.66, 0.03), (-0.74, 0.26), (-0.72, 0.26), (-0.5, 0.15))
    return (
        *_below(), Polygon(body, _STEEL), Polygon(tail, _STEEL), Rect(0.4, -0.09, 0.07, 0.24, _RUST),
        *_bubbles((-0.82, 0.0, 0.05), (-0.9, -0.14, 0.04), (-0.94, 0.12, 0.035), (-0.7, -0.32, 0.05)),
        _line(((-0.4, -0.02), (0.3, -0.02)), "sea", 0.04), _wave(0.46, tone="sea"),
    )


def _transport() -> tuple[Flat, ...]:
    house = ((-0.3, 0.1), (-0.3, -0.16), (-0.18, -0.16), (-0.18, -0.4), (0.0, -0.4), (0.0, -0.16), (0.16, -0.16),
             (0.16, 0.1))
    derricks = tuple(
        _line(points, "steel", 0.045)
        for points in (((-0.58, 0.1), (-0.58, -0.4)), ((-0.58, -0.36), (-0.38, 0.0)), ((0.46, 0.1), (0.46, -0.4)),
                       ((0.46, -0.36), (0.26, 0.0)), ((0.46, -0.36), (0.68, 0.0)))
    )
    smoke = (Circle(-0.24, -0.48, 0.1, _LIGHT), Circle(-0.42, -0.56, 0.12, _LIGHT))
    return (*_above(), *smoke, *derricks, *_ship(*house), Rect(-0.18, -0.33, 0.18, 0.06, _RUST), _wave(0.36, -0.9, 0.9))


def _tanker() -> tuple[Flat, ...]:
    house = ((-0.72, 0.1), (-0.72, -0.16), (-0.58, -0.16), (-0.58, -0.36), (-0.46, -0.36), (-0.46, -0.16),
             (-0.36, -0.16), (-0.36, 0.1))
    bridge = Polygon(((0.04, 0.1), (0.04, -0.2), (0.24, -0.2), (0.24, 0.1)), _STEEL)
    walk = _line(((-0.36, 0.0), (0.66, 0.0)), "steel", 0.04)
    masts = tuple(_line(((x, 0.1), (x, -0.36)), "steel", 0.04) for x in (-0.14, 0.48))
    return (*_above(), bridge, walk, *masts, *_ship(*house), Rect(-0.58, -0.3, 0.12, 0.06, _RUST), _wave(0.36))


def _sampan() -> tuple[Flat, ...]:
    hull = Polygon(((-0.6, 0.06), (0.5, 0.06), (0.72, -0.06), (0.5, 0.34), (-0.48, 0.34)), _STEEL)
    house = Polygon(((-0.44, 0.06), (-0.44, -0.14), (-0.06, -0.14), (-0.06, 0.06)), _STEEL)
    mast = _line(((0.16, 0.06), (0.16, -0.6)), "steel", 0.05)
    sail = Polygon(((0.2, -0.56), (0.2, -0.02), (0.54, -0.06)), _RUST)
    return (*_above(), hull, house, mast, sail, _wave(0.36))


def _battleship() -> tuple[Flat, ...]:
    tower = ((-0.24, 0.1), (-0.24, -0.14), (-0.04, -0.14), (0.0, -0.56), (0.14, -0.56), (0.16, -0.2), (0.3, -0.1),
             (0.3, 0.1))
    funnel = Polygon(((-0.22, -0.14), (-0.2, -0.4), (-0.08, -0.4), (-0.06, -0.14)), _STEEL)
    turrets = tuple(Polygon(((x - 0.1, y), (x - 0.07, y - 0.1), (x + 0.07, y - 0.1), (x + 0.1, y)), _STEEL)
                    for x, y in ((0.54, 0.1), (0.4, 0.02), (-0.42, 0.02), (-0.58, 0.1)))
    guns = tuple(
        _line(ends, "steel", 0.05)
        for ends in (((0.56, 0.05), (0.8, -0.02)), ((0.42, -0.04), (0.68, -0.12)), ((-0.6, 0.05), (-0.84, -0.02)))
    )
    return (*_above(), funnel, *turrets, *guns, *_ship(*tower), _wave(0.36))


def _destroyer() -> tuple[Flat, ...]:
    house = ((0.0, 0.1), (0.06, -0.28), (0.24, -0.28), (0.3, -0.04), (0.4, -0.04), (0.42, 0.1))
    funnels = tuple(Polygon(((x, 0.1), (x + 0.03, -0.22), (x + 0.13, -0.22), (x + 0.12, 0.1)), _STEEL)
                    for x in (-0.4, -0.18))
    mast = _line(((0.14, -0.28), (0.14, -0.58)), "steel", 0.04)
    bow = Polygon(((0.56, 0.4), (0.8, 0.06), (0.96, 0.4)), _LIGHT)
    wake = _line(((-0.98, 0.4), (-0.7, 0.28)), width=0.09)
    return (*_above(), *funnels, mast, *_ship(*house), bow, wake, _wave(0.4, -0.8, 0.6))


def _sonar() -> tuple[Flat, ...]:
    rings = tuple(Circle(-0.5, -0.4, r, Style(None, "drawn_light", 0.045, opacity=1.1 - 0.25 * i))
                  for i, r in enumerate((0.28, 0.56, 0.84, 1.12)))
    inside = tuple(
        Line(tuple((ring.x + ring.r * cos(a), ring.y + ring.r * sin(a)) for a in (i * pi / 24 for i in range(13))),
             ring.style)
        for ring in rings
    )  # a quarter of each, towards the boat
    hull = Polygon(((-0.86, -0.56), (-0.24, -0.56), (-0.12, -0.62), (-0.24, -0.44), (-0.76, -0.44)), _STEEL)
    return (*_below(), Rect(-1, -0.75, 2, 0.28, _SKY), hull, *inside, *_submarine(0.42, 0.42, size=0.55))


def _charges() -> tuple[Flat, ...]:
    def drum(x: float, y: float) -> tuple[Flat, ...]:
        ends = tuple(Rect(x + dx, y - 0.17, 0.07, 0.34, _RUST) for dx in (-0.14, 0.07))
        return (Rect(x - 0.14, y - 0.15, 0.28, 0.3, _LIGHT), *ends)

    return (
        *_below(), *_bubbles((-0.5, -0.36, 0.05), (-0.44, -0.54, 0.035), (0.04, -0.14, 0.05), (0.1, -0.32, 0.04)),
        *drum(-0.5, -0.1), *drum(0.04, 0.16), _burst(0.58, 0.36, 0.34), Circle(0.58, 0.36, 0.12, _RUST),
    )


def _u_boat() -> tuple[Flat, ...]:
    gun = _line(((0.34, 0.06), (0.56, -0.02)), "steel", 0.06)
    wire = _line(((-0.74, 0.1), (0.06, -0.24), (0.74, 0.1)), "steel", 0.025)
    return (*_above(), wire, gun, *_submarine(0, 0.16), _wave(0.28, -0.98, 0.98), _wave(0.38, -0.7, 0.9))


def _dive() -> tuple[Flat, ...]:
    arrow = (
        _line(((0.72, -0.3), (0.72, 0.3)), width=0.09),
        Polygon(((0.56, 0.26), (0.88, 0.26), (0.72, 0.56)), _LIGHT),
    )
    return (
        *_below(), *_submarine(-0.12, 0.06, 0.45, 0.85), *arrow,
        *_bubbles((-0.8, -0.5, 0.06), (-0.62, -0.56, 0.045), (-0.4, -0.4, 0.05)),
    )


def _cat_and_mouse() -> tuple[Flat, ...]:
    track = tuple((0.62 * cos(a), 0.46 * sin(a)) for a in (i * pi / 24 for i in range(49)))
    cat = Polygon(((0.34, -0.5), (-0.1, -0.58), (-0.34, -0.46), (-0.1, -0.34), (0.34, -0.38)), _STEEL)
    mouse = Polygon(((-0.3, 0.5), (0.0, 0.58), (0.4, 0.5), (0.44, 0.44), (0.36, 0.38), (0.0, 0.36), (-0.3, 0.42)),
                    _LIGHT)
    return (
        Rect(-1, -0.75, 2, 1.5, _SEA), Rect(-1, 0.05, 2, 0.7, _DEEP), _line(track, dash=(0.12, 0.09)), cat, mouse,
        Rect(0.0, 0.41, 0.12, 0.1, _STEEL),
    )


def _near_miss() -> tuple[Flat, ...]:
    return (
        *_above(), *_submarine(-0.34, 0.18, -0.06, 0.7), _column(0.52, 0.36, -0.66), _wave(0.3, -0.98, 0.98),
        _wave(0.4, -0.7)
    )


def _water() -> tuple[Flat, ...]:
    waves = tuple(_wave(y, -0.86 + shift, 0.74 + shift)
                  for y, shift in ((-0.46, 0), (-0.22, 0.1), (0.02, 0), (0.26, 0.1), (0.5, 0)))
    return (Rect(-1, -0.75, 2, 1.5, _SEA), Rect(-1, -0.1, 2, 0.85, _DEEP), *waves)


_DRAWN: dict[str, Callable[[], tuple[Flat, ...]]] = {
    "periscope": _periscope, "torpedo": _torpedo, "transport": _transport, "sonar": _sonar, "charges": _charges,
    "u-boat": _u_boat, "dive": _dive, "sweep": _destroyer, "mouse": _cat_and_mouse, "miss": _near_miss, "water": _water,
    "sampan": _sampan, "tanker": _tanker, "battleship": _battleship,
}


@cache
def drawing(name: str, width: float, x: float = 0.0, y: float = 0.0) -> tuple[Flat, ...]:
    """A drawing in its frame. ``name``: "periscope", "torpedo", "transport", "sonar", "charges", "u-boat", "dive",
    "sweep", "mouse", "miss", "water", "sampan", "tanker" or "battleship". ``width``: of the panel, px; its height is
    `HEIGHT` times that. ``x`` and ``y``: its middle. OptionError if there is none of that name."""
    if name not in _DRAWN:
        raise OptionError(SAY("view.drawing", name=brief(name), listed=", ".join(_DRAWN)))
    half = width / 2
    frame = Rect(x - half, y - HEIGHT * half, width, HEIGHT * width, Style(None, "card_ink", 1.2))
    return (*(_placed(shape, x, y, half) for shape in _DRAWN[name]()), frame)


def _placed(shape: Flat, x: float, y: float, half: float) -> Flat:
    def style(of: Style) -> Style:
        return Style(of.fill,
                     of.stroke,
                     max(1.0, of.width * half) if of.stroke else 1.0,
                     tuple(d * half for d in of.dash),
                     of.opacity)

    def at(points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple((x + u * half, y + v * half) for u, v in points)

    match shape:
        case Rect(u, v, w, h, of):
            return Rect(x + u * half, y + v * half, w * half, h * half, style(of))
        case Circle(u, v, r, of):
            return Circle(x + u * half, y + v * half, r * half, style(of))
        case Polygon(points, of):
            return Polygon(at(points), style(of))
        case Line(points, of):
            return Line(at(points), style(of))
    raise TypeError(shape)


# -- Playing cards as shapes: face, back, empty place, and the marks that lie on them --------------
# Suits are polygons, so that every painter draws the same ones whatever fonts there are. For the text painter
# each card carries a `Text` that paints nothing ("8♦", "▒▒"): see `navalkit.view.painters`. All sizes follow the
# card's width; a card is legible from about 44 px, and looks best about 1.4 times as high as wide.

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
    """A card face. ``x``, ``y``, ``w`` and ``h``: top left corner and size, px. ``label``: rank and suit, "8D" or "TS",
    or a joker: "X", "X1", "X2". ``state``: "up"; "selected" (thick frame); "sunk" (crossed out); "gone" (pale, dashed
    frame). NotationError for a label that is no card; OptionError for an unknown state."""
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
    waves = (Line(_swell(left, right, y + h * share, 0.035 * w), wave_style) for share in (0.32, 0.44, 0.56, 0.68))
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


def badge(x: float, y: float, label: str, *, fill: str = "accent", ink: str = "on_accent",
          size: float = 14.0) -> tuple[Flat, ...]:
    """A small label in a pill, centred on (x, y), px."""
    w, h = len(label) * _CHARACTER * size + size, 1.6 * size
    pill = Rect(x - w / 2, y - h / 2, w, h, Style(fill, "ink", 1), h / 2)
    return (pill, Text(x, y, label, Style(ink), size, bold=True))


def suit(letter: str, x: float, y: float, size: float, style: Style) -> Polygon:
    """A suit sign (of "CDHS"), or the joker's star ("X"), centred on (x, y) in a square of ``size`` px."""
    return Polygon(tuple((x + u * size / 2, y + v * size / 2) for u, v in _SIGNS[letter]), style)


def _face(x: float, y: float, w: float, h: float, label: str, opacity: float) -> tuple[str, tuple[Flat, ...]]:
    """The text form of a card and the shapes of its face. A small card has a large index over a suit sign; a larger one
    its index in two corners, and between them a large sign or, of a court card, the ship that it stands for."""
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


def _swell(left: float, right: float, y: float, height: float) -> tuple[Point, ...]:
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
