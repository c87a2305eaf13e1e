"""Shapes for the lobby's pictures: small SVGs drawn by code, coloured by the page's theme (static/navalkit.css)."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

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
    return "".join(
        path(corners(column * step, (row + column % 2 / 2) * rise), "nk-art-grid", closed=True)
        for column in range(int(WIDTH / step) + 2)
        for row in range(int(HEIGHT / rise) + 2)
    )


def squares(size: int) -> str:
    """A sea of squares of that size."""
    down = "".join(f"M{x} 0V{HEIGHT}" for x in range(0, WIDTH + 1, size))
    across = "".join(f"M0 {y}H{WIDTH}" for y in range(0, HEIGHT + 1, size))
    return f'<path class="nk-art-grid" d="{down}{across}"/>'
