"""The drawings on cards: ships from the side, what they hunt with, and the sea; the same in every theme.

A drawing lies about (0, 0) in a panel four by three: x from -1 to 1, y from -0.75 (sky) to 0.75 of half its width.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import cos, pi, sin

from navalkit.core.echo import brief
from navalkit.core.errors import OptionError
from navalkit.core.language.say import SAY

from ..scene import Circle, Flat, Line, Point, Polygon, Rect, Style

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
    return tuple(
        Polygon(tuple((x + u * c - v * s, y + u * s + v * c) for u, v in part), _STEEL)
        for part in (hull, tower, mast, fin)
    )


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
    )  # fmt: skip


def _torpedo() -> tuple[Flat, ...]:
    body = ((-0.5, -0.09), (0.52, -0.09), (0.66, -0.05), (0.72, 0.03), (0.66, 0.11), (0.52, 0.15), (-0.5, 0.15))
    tail = ((-0.5, -0.09), (-0.72, -0.2), (-0.74, -0.2), (-0.66, 0.03), (-0.74, 0.26), (-0.72, 0.26), (-0.5, 0.15))
    return (
        *_below(), Polygon(body, _STEEL), Polygon(tail, _STEEL), Rect(0.4, -0.09, 0.07, 0.24, _RUST),
        *_bubbles((-0.82, 0.0, 0.05), (-0.9, -0.14, 0.04), (-0.94, 0.12, 0.035), (-0.7, -0.32, 0.05)),
        _line(((-0.4, -0.02), (0.3, -0.02)), "sea", 0.04), _wave(0.46, tone="sea"),
    )  # fmt: skip


def _transport() -> tuple[Flat, ...]:
    house = ((-0.3, 0.1), (-0.3, -0.16), (-0.18, -0.16), (-0.18, -0.4), (0.0, -0.4), (0.0, -0.16), (0.16, -0.16),
             (0.16, 0.1))  # fmt: skip
    derricks = tuple(
        _line(points, "steel", 0.045)
        for points in (((-0.58, 0.1), (-0.58, -0.4)), ((-0.58, -0.36), (-0.38, 0.0)), ((0.46, 0.1), (0.46, -0.4)),
                       ((0.46, -0.36), (0.26, 0.0)), ((0.46, -0.36), (0.68, 0.0)))
    )  # fmt: skip
    smoke = (Circle(-0.24, -0.48, 0.1, _LIGHT), Circle(-0.42, -0.56, 0.12, _LIGHT))
    return (*_above(), *smoke, *derricks, *_ship(*house), Rect(-0.18, -0.33, 0.18, 0.06, _RUST), _wave(0.36, -0.9, 0.9))


def _tanker() -> tuple[Flat, ...]:
    house = ((-0.72, 0.1), (-0.72, -0.16), (-0.58, -0.16), (-0.58, -0.36), (-0.46, -0.36), (-0.46, -0.16),
             (-0.36, -0.16), (-0.36, 0.1))  # fmt: skip
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
             (0.3, 0.1))  # fmt: skip
    funnel = Polygon(((-0.22, -0.14), (-0.2, -0.4), (-0.08, -0.4), (-0.06, -0.14)), _STEEL)
    turrets = tuple(
        Polygon(((x - 0.1, y), (x - 0.07, y - 0.1), (x + 0.07, y - 0.1), (x + 0.1, y)), _STEEL)
        for x, y in ((0.54, 0.1), (0.4, 0.02), (-0.42, 0.02), (-0.58, 0.1))
    )
    guns = tuple(
        _line(ends, "steel", 0.05)
        for ends in (((0.56, 0.05), (0.8, -0.02)), ((0.42, -0.04), (0.68, -0.12)), ((-0.6, 0.05), (-0.84, -0.02)))
    )
    return (*_above(), funnel, *turrets, *guns, *_ship(*tower), _wave(0.36))


def _destroyer() -> tuple[Flat, ...]:
    house = ((0.0, 0.1), (0.06, -0.28), (0.24, -0.28), (0.3, -0.04), (0.4, -0.04), (0.42, 0.1))
    funnels = tuple(
        Polygon(((x, 0.1), (x + 0.03, -0.22), (x + 0.13, -0.22), (x + 0.12, 0.1)), _STEEL) for x in (-0.4, -0.18)
    )
    mast = _line(((0.14, -0.28), (0.14, -0.58)), "steel", 0.04)
    bow = Polygon(((0.56, 0.4), (0.8, 0.06), (0.96, 0.4)), _LIGHT)
    wake = _line(((-0.98, 0.4), (-0.7, 0.28)), width=0.09)
    return (*_above(), *funnels, mast, *_ship(*house), bow, wake, _wave(0.4, -0.8, 0.6))


def _sonar() -> tuple[Flat, ...]:
    rings = tuple(Circle(-0.5, -0.4, r, Style(None, "drawn_light", 0.045, opacity=1.1 - 0.25 * i))
                  for i, r in enumerate((0.28, 0.56, 0.84, 1.12)))  # fmt: skip
    inside = tuple(
        Line(
            tuple((ring.x + ring.r * cos(a), ring.y + ring.r * sin(a)) for a in (i * pi / 24 for i in range(13))),
            ring.style,
        )
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
    )  # fmt: skip


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
    )  # fmt: skip


def _cat_and_mouse() -> tuple[Flat, ...]:
    track = tuple((0.62 * cos(a), 0.46 * sin(a)) for a in (i * pi / 24 for i in range(49)))
    cat = Polygon(((0.34, -0.5), (-0.1, -0.58), (-0.34, -0.46), (-0.1, -0.34), (0.34, -0.38)), _STEEL)
    mouse = Polygon(
        ((-0.3, 0.5), (0.0, 0.58), (0.4, 0.5), (0.44, 0.44), (0.36, 0.38), (0.0, 0.36), (-0.3, 0.42)), _LIGHT
    )
    return (
        Rect(-1, -0.75, 2, 1.5, _SEA), Rect(-1, 0.05, 2, 0.7, _DEEP), _line(track, dash=(0.12, 0.09)), cat, mouse,
        Rect(0.0, 0.41, 0.12, 0.1, _STEEL),
    )  # fmt: skip


def _near_miss() -> tuple[Flat, ...]:
    return (
        *_above(),
        *_submarine(-0.34, 0.18, -0.06, 0.7),
        _column(0.52, 0.36, -0.66),
        _wave(0.3, -0.98, 0.98),
        _wave(0.4, -0.7),
    )


def _water() -> tuple[Flat, ...]:
    waves = tuple(
        _wave(y, -0.86 + shift, 0.74 + shift)
        for y, shift in ((-0.46, 0), (-0.22, 0.1), (0.02, 0), (0.26, 0.1), (0.5, 0))
    )
    return (Rect(-1, -0.75, 2, 1.5, _SEA), Rect(-1, -0.1, 2, 0.85, _DEEP), *waves)


_DRAWN: dict[str, Callable[[], tuple[Flat, ...]]] = {
    "periscope": _periscope, "torpedo": _torpedo, "transport": _transport, "sonar": _sonar, "charges": _charges,
    "u-boat": _u_boat, "dive": _dive, "sweep": _destroyer, "mouse": _cat_and_mouse, "miss": _near_miss, "water": _water,
    "sampan": _sampan, "tanker": _tanker, "battleship": _battleship,
}  # fmt: skip


@cache
def drawing(name: str, width: float, x: float = 0.0, y: float = 0.0) -> tuple[Flat, ...]:
    """A drawing in its frame.

    ``name``: "periscope", "torpedo", "transport", "sonar", "charges", "u-boat", "dive", "sweep", "mouse", "miss",
    "water", "sampan", "tanker" or "battleship". ``width``: of the panel, px; its height is `HEIGHT` times that. ``x``
    and ``y``: its middle. OptionError if there is none of that name.
    """
    if name not in _DRAWN:
        raise OptionError(SAY("view.drawing", name=brief(name), listed=", ".join(_DRAWN)))
    half = width / 2
    frame = Rect(x - half, y - HEIGHT * half, width, HEIGHT * width, Style(None, "card_ink", 1.2))
    return (*(_placed(shape, x, y, half) for shape in _DRAWN[name]()), frame)


def _placed(shape: Flat, x: float, y: float, half: float) -> Flat:
    def style(of: Style) -> Style:
        return Style(
            of.fill,
            of.stroke,
            max(1.0, of.width * half) if of.stroke else 1.0,
            tuple(d * half for d in of.dash),
            of.opacity,
        )

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
