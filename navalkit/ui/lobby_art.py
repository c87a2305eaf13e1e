"""The lobby's pictures: small SVGs drawn by code, coloured by the page's theme (static/navalkit.css)."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, exp, pi, sin

WIDTH, HEIGHT = 280, 140

# Suit shapes on a 20 x 20 square about the origin.
_SUITS = {
    "S": ("#14202b", "M0-9C3-4 9-1 9 4a4 4 0 0 1-7 2l2 4h-8l2-4a4 4 0 0 1-7-2C-9-1-3-4 0-9z"),
    "H": ("#b00020", "M0 9C-4 4-9 1-9-4a4.5 4.5 0 0 1 9-1 4.5 4.5 0 0 1 9 1C9 1 4 4 0 9z"),
    "D": ("#b00020", "M0-10 8 0 0 10-8 0z"),
}


def svg(*parts: str) -> str:
    """A picture of the lobby's size; it is decoration, so that screen readers pass it over."""
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true" focusable="false">{"".join(parts)}</svg>'
    )


Points = Sequence[tuple[float, float]]


def _path(points: Points, style: str, *, closed: bool = False, attributes: str = "") -> str:
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return f'<path class="{style}" d="M{line}{"z" if closed else ""}" {attributes}/>'


def _card(x: float, y: float, turn: float, rank: str, suit: str) -> str:
    colour, shape = _SUITS[suit]
    return (
        f'<g transform="translate({x} {y}) rotate({turn})">'
        '<rect class="nk-art-card" x="-26" y="-38" width="52" height="76" rx="6"/>'
        f'<text x="-19" y="-17" font-size="19" font-weight="700" fill="{colour}">{rank}</text>'
        f'<path transform="translate(3 9) scale(1.25)" fill="{colour}" d="{shape}"/></g>'
    )


def _back(x: float, y: float, turn: float) -> str:
    waves = "".join(f'<path d="M-20 {v}q5-6 10 0t10 0 10 0 10 0"/>' for v in range(-24, 31, 13))
    return (
        f'<g transform="translate({x} {y}) rotate({turn})">'
        '<rect x="-26" y="-38" width="52" height="76" rx="6" fill="#0072b2" stroke="#fff" stroke-width="2"/>'
        f'<g fill="none" stroke="#fff" stroke-opacity=".75" stroke-width="2">{waves}</g></g>'
    )


def _hull(x: float, y: float, length: float, turn: float, band: str, letter: str = "") -> str:
    """A ship seen from above, bow to the right before it is turned."""
    half, beam = length / 2, 9
    return (
        f'<g transform="translate({x} {y}) rotate({turn})">'
        f'<path class="nk-art-hull" d="M{-half} {-beam}H{half - 18}L{half} 0 {half - 18} {beam}H{-half}z"/>'
        f'<rect x="{-half + 6}" y="{-beam + 1}" width="7" height="{2 * beam - 2}" fill="{band}"/>'
        f'<text class="nk-art-text" y="5" font-weight="700">{letter}</text></g>'
    )


def _hexes(size: float) -> str:
    def corners(cx: float, cy: float) -> list[tuple[float, float]]:
        return [(cx + size * cos(pi / 3 * k), cy + size * sin(pi / 3 * k)) for k in range(6)]

    step, rise = 1.5 * size, 3**0.5 * size
    return "".join(
        _path(corners(column * step, (row + column % 2 / 2) * rise), "nk-art-grid", closed=True)
        for column in range(int(WIDTH / step) + 2)
        for row in range(int(HEIGHT / rise) + 2)
    )


def _squares(size: int) -> str:
    down = "".join(f"M{x} 0V{HEIGHT}" for x in range(0, WIDTH + 1, size))
    across = "".join(f"M0 {y}H{WIDTH}" for y in range(0, HEIGHT + 1, size))
    return f'<path class="nk-art-grid" d="{down}{across}"/>'


def uss_lox() -> str:
    """A ship card met by two torpedo cards and one still face down."""
    return svg(
        _card(66, 72, -4, "8", "D"),
        '<path class="nk-art-evidence" stroke-dasharray="9 6" d="M126 72H104m0 0 8-6m-8 6 8 6"/>',
        _back(222, 74, 12), _card(190, 70, 4, "7", "S"), _card(158, 72, -6, "5", "H"),
    )


def task_force() -> str:
    """A square sea shaded by where the hidden fleet is likely, with a hit and two misses."""
    shades = "".join(
        f'<rect x="{20 * c}" y="{20 * r}" width="20" height="20" fill="#56b4e9" '
        f'fill-opacity="{0.75 * exp(-((c - 8.5) ** 2 / 9 + (r - 3) ** 2 / 3)):.2f}"/>'
        for r in range(7) for c in range(14)
    )
    return svg(
        shades, _squares(20), '<path class="nk-art-evidence" d="M163 63l14 14m0-14-14 14"/>',
        '<g class="nk-art-line"><circle cx="90" cy="50" r="6"/><circle cx="230" cy="110" r="6"/></g>',
    )


def wolf_pack() -> str:
    """A convoy above the waves, a periscope, and a hand held face down."""
    wave = "M0 84q10-8 20 0" + "t20 0" * 13
    freighter = "M{0} 70h62l-7 14h-48zm14 0V56h16v14m18 0V60h6v10"
    return svg(
        f'<path fill="var(--nk-sea-shallow)" d="{wave}V140H0z"/>',
        *(f'<path class="nk-art-hull" d="{freighter.format(x)}"/>' for x in (24, 106)),
        f'<path class="nk-art-line" d="{wave}"/>',
        '<path class="nk-art-line" d="M54 126V98h10" stroke-width="6"/>',
        _back(214, 88, -10), _back(236, 88, 4), _back(256, 94, 16),
    )


def fleet_action() -> str:
    """Two ships broadside on, with splashes where the salvo fell."""
    fallen = ((150, 58, 5), (172, 40, 7), (140, 36, 4))
    splash = "".join(f'<circle cx="{x}" cy="{y}" r="{r}"/>' for x, y, r in fallen)
    return svg(
        _squares(28), _hull(84, 104, 96, -16, "#0072b2", "B"), _hull(196, 40, 88, 8, "#d55e00", "C"),
        '<path class="nk-art-evidence" stroke-dasharray="3 7" d="M96 92Q126 30 168 40"/>',
        f'<g class="nk-art-line">{splash}</g>',
    )


def on_patrol() -> str:
    """Hexes, a submarine, an escort and the bearing it hears her on."""
    return svg(
        _hexes(18), '<path class="nk-art-evidence" stroke-dasharray="2 6" d="M88 94 186 46"/>',
        _hull(72, 100, 66, -26, "#0072b2", "S"), _hull(206, 38, 66, 150, "#d55e00"),
        '<g class="nk-art-line"><circle cx="122" cy="56" r="11"/><circle cx="122" cy="56" r="4"/></g>',
    )


def escort_stepper() -> str:
    """A question, its answers, and the path that was taken."""
    def box(x: int, y: int, text: str, taken: bool) -> str:
        edge = 'class="nk-art-evidence"' if taken else 'class="nk-art-line"'
        return (
            f'<rect {edge} x="{x - 34}" y="{y - 14}" width="68" height="28" rx="7"/>'
            f'<text class="nk-art-text" x="{x}" y="{y + 5}">{text}</text>'
        )

    return svg(
        '<path class="nk-art-line" d="M124 44 80 84"/><path class="nk-art-evidence" d="M156 44l44 40"/>',
        box(140, 30, "contact?", True), box(66, 98, "search", False), box(214, 98, "attack", True),
    )


def sinking_explorer() -> str:
    """Bars of the chance of sinking for 0 to 5 torpedoes, over a slider."""
    heights = (6, 26, 48, 64, 74, 80)
    colours = ("#56b4e9", "#56b4e9", "#56b4e9", "#e69f00", "#56b4e9", "#56b4e9")
    bars = "".join(
        f'<rect x="{52 + 32 * i}" y="{98 - height}" width="20" height="{height}" fill="{colour}"/>'
        for i, (height, colour) in enumerate(zip(heights, colours, strict=True))
    )
    return svg(
        bars, '<path class="nk-art-line" d="M40 98h204M40 122h204"/>',
        '<circle class="nk-art-hull" cx="158" cy="122" r="8"/>',
    )


def lessons() -> str:
    """A page with a curve, a line to fill in and a tick."""
    bell = [(86 + x, 88 - 46 * exp(-(((x - 40) / 17) ** 2))) for x in range(0, 81, 4)]
    tail = [point for point in bell if point[0] >= 126]
    area = _path([(126, 88), *tail, (166, 88)], "", closed=True, attributes='fill="#56b4e9"')
    return svg(
        '<rect class="nk-art-hull" x="68" y="12" width="144" height="140" rx="6"/>', area,
        _path(bell, "nk-art-line"), '<path class="nk-art-line" d="M86 88h80M86 112h64"/>',
        '<path fill="none" stroke="#009e73" stroke-width="6" d="M172 108l9 9 17-21"/>',
    )
