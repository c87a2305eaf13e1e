"""Shapes for the lobby's pictures: small SVGs drawn by code, coloured by the page's theme (static/navalkit.css)."""

from __future__ import annotations
from collections.abc import Iterable, Sequence
from math import cos, pi, sin

from navalkit.core.words import local
from .scene import Circle, Layer, Line, Polygon, Rect, Scene, Shape, Style, Text

WIDTH, HEIGHT = 280, 140

# Suit shapes on a 20 x 20 square about the origin.
_SUITS = {
    "S": ("#14202b", "M0-9C3-4 9-1 9 4a4 4 0 0 1-7 2l2 4h-8l2-4a4 4 0 0 1-7-2C-9-1-3-4 0-9z"),
    "H": ("#b00020", "M0 9C-4 4-9 1-9-4a4.5 4.5 0 0 1 9-1 4.5 4.5 0 0 1 9 1C9 1 4 4 0 9z"),
    "D": ("#b00020", "M0-10 8 0 0 10-8 0z"),
}


def svg(*parts: str) -> str:
    """A picture of the lobby's size; it is decoration, so that screen readers pass it over."""
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true" focusable="false">{"".join(parts)}</svg>'


Points = Sequence[tuple[float, float]]


def path(points: Points, style: str, *, closed: bool = False, attributes: str = "") -> str:
    """A line through points."""
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return f'<path class="{style}" d="M{line}{"z" if closed else ""}" {attributes}/>'


def card(x: float, y: float, turn: float, rank: str, suit: str) -> str:
    """A playing card, face up."""
    colour, shape = _SUITS[suit]
    return (
        f'<g transform="translate({x} {y}) rotate({turn})">'
        '<rect class="nk-art-card" x="-26" y="-38" width="52" height="76" rx="6"/>'
        f'<text x="-19" y="-17" font-size="19" font-weight="700" fill="{colour}">{rank}</text>'
        f'<path transform="translate(3 9) scale(1.25)" fill="{colour}" d="{shape}"/></g>'
    )


def back(x: float, y: float, turn: float) -> str:
    """A playing card, face down."""
    waves = "".join(f'<path d="M-20 {v}q5-6 10 0t10 0 10 0 10 0"/>' for v in range(-24, 31, 13))
    return (
        f'<g transform="translate({x} {y}) rotate({turn})">'
        '<rect x="-26" y="-38" width="52" height="76" rx="6" fill="#0072b2" stroke="#fff" stroke-width="2"/>'
        f'<g fill="none" stroke="#fff" stroke-opacity=".75" stroke-width="2">{waves}</g></g>'
    )


def hull(x: float, y: float, length: float, turn: float, band: str, letter: str = "") -> str:
    """A ship seen from above, bow to the right before it is turned."""
    half, beam = length / 2, 9
    return (
        f'<g transform="translate({x} {y}) rotate({turn})">'
        f'<path class="nk-art-hull" d="M{-half} {-beam}H{half - 18}L{half} 0 {half - 18} {beam}H{-half}z"/>'
        f'<rect x="{-half + 6}" y="{-beam + 1}" width="7" height="{2 * beam - 2}" fill="{band}"/>'
        f'<text class="nk-art-text" y="5" font-weight="700">{letter}</text></g>'
    )


def hexes(size: float) -> str:
    """A sea of hexes of that size."""
    def corners(cx: float, cy: float) -> list[tuple[float, float]]:
        return [(cx + size * cos(pi / 3 * k), cy + size * sin(pi / 3 * k)) for k in range(6)]

    step, rise = 1.5 * size, 3**0.5 * size
    return "".join(path(corners(column * step, (row + column % 2 / 2) * rise), "nk-art-grid", closed=True)
                   for column in range(int(WIDTH / step) + 2) for row in range(int(HEIGHT / rise) + 2))


def squares(size: int) -> str:
    """A sea of squares of that size."""
    down = "".join(f"M{x} 0V{HEIGHT}" for x in range(0, WIDTH + 1, size))
    across = "".join(f"M0 {y}H{WIDTH}" for y in range(0, HEIGHT + 1, size))
    return f'<path class="nk-art-grid" d="{down}{across}"/>'


# -- A game as a picture to share: its headline, and the chance to win from its start to its end ---

CURVE_WIDTH, CURVE_HEIGHT = 800.0, 420.0
_LEFT, _TOP, _RIGHT, _BOTTOM = 80.0, 130.0, 770.0, 370.0
_LINE, _LONGEST = 46, 2  # characters a line of the headline has room for, and lines


def curve_top(line: Iterable[tuple[int, float, float]], percent: bool) -> float:
    """The value at the upper end of a curve: 1 where these are chances, or nothing was ever expected."""
    most = 0.0 if percent else max((value + error for _, value, error in line), default=0.0)
    return 1.1 * most if most > 1e-6 else 1.0


def curve_picture(headline: str, about: str, line: Sequence[tuple[int, float, float]], marked: Sequence[int], *,
                  percent: bool, ringed: int | None = None) -> Scene:
    """The picture. ``headline``: how the game ended, in a sentence or two. ``about``: which game it was. ``line``:
    step, value and standard error, in order. ``marked``: steps that get a dot with their number in this sequence, from
    1. ``percent``: whether values are chances, drawn from 0 to 100 %. ``ringed``: the step that decided it, which gets
    a ring."""
    last = max(1, line[-1][0])
    top = curve_top(line, percent)

    def at(step: float, value: float) -> tuple[float, float]:
        share = min(max(value / top, 0), 1)
        return _LEFT + (_RIGHT - _LEFT) * step / last, _BOTTOM - (_BOTTOM - _TOP) * share

    ink, soft = Style("ink"), Style("muted")
    shapes: list[Shape] = [Rect(0, 0, CURVE_WIDTH, CURVE_HEIGHT, Style("paper"))]
    shapes += [Text(30, 40 + 28 * n, each, ink, 24, "start", True) for n, each in enumerate(_lines(headline))]
    shapes.append(Text(30, 104, about, soft, 15, "start"))
    for share in (0.0, 0.5, 1.0):
        _, y = at(0, top * share)
        shapes.append(Line(((_LEFT, y), (_RIGHT, y)), Style(None, "muted", 1, opacity=0.4)))
        said = f"{share:.0%}" if percent else f"{top * share:,.3g}" if top < 100 else f"{top * share:,.0f}"
        shapes.append(Text(_LEFT - 8, y + 5, local(said), soft, 14, "end"))
    band = [at(x, y + e) for x, y, e in line] + [at(x, y - e) for x, y, e in reversed(line)]
    shapes.append(Polygon(tuple(band), Style("blue", opacity=0.2)))
    shapes.append(Line(tuple(at(x, y) for x, y, _ in line), Style(None, "blue", 3)))
    for number, step in enumerate(marked, 1):
        x, y = at(step, max((each for each in line if each[0] <= step), default=line[0])[1])
        shapes += [Circle(x, y, 11, Style("vermilion")), Text(x, y + 5, str(number), Style("paper"), 14, bold=True)]
    if ringed is not None:
        x, y = at(ringed, max((each for each in line if each[0] <= ringed), default=line[0])[1])
        shapes.append(Circle(x, y, 17, Style(None, "orange", 4.5)))
    shapes.append(Text(_LEFT, _BOTTOM + 24, str(line[0][0]), soft, 14))
    shapes.append(Text(_RIGHT, _BOTTOM + 24, str(last), soft, 14, "end"))
    desc = f"{headline} {about}"
    return Scene(CURVE_WIDTH, CURVE_HEIGHT, (Layer("curve", tuple(shapes)),), title=headline, desc=desc)


def _lines(text: str) -> list[str]:
    """A text in at most a few lines; what has no room ends in an ellipsis."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) < _LINE:
            lines[-1] = f"{lines[-1]} {word}".strip()
        else:
            lines.append(word)
    return lines if len(lines) <= _LONGEST else [*lines[: _LONGEST - 1], lines[_LONGEST - 1] + "…"]
