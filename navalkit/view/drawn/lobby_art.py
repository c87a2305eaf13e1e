"""The lobby's pictures of its tools; a game's own is in its package."""

from __future__ import annotations

from math import exp

from navalkit.view.drawn.art import path, svg


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
    area = path([(126, 88), *tail, (166, 88)], "", closed=True, attributes='fill="#56b4e9"')
    return svg(
        '<rect class="nk-art-hull" x="68" y="12" width="144" height="140" rx="6"/>', area,
        path(bell, "nk-art-line"), '<path class="nk-art-line" d="M86 88h80M86 112h64"/>',
        '<path fill="none" stroke="#009e73" stroke-width="6" d="M172 108l9 9 17-21"/>',
    )
