"""The lobby's picture: hexes, a submarine, an escort and the bearing it hears her on."""

from __future__ import annotations

from navalkit.view.drawn.art import hexes, hull, svg

PICTURE = svg(
    hexes(18), '<path class="nk-art-evidence" stroke-dasharray="2 6" d="M88 94 186 46"/>',
    hull(72, 100, 66, -26, "#0072b2", "S"), hull(206, 38, 66, 150, "#d55e00"),
    '<g class="nk-art-line"><circle cx="122" cy="56" r="11"/><circle cx="122" cy="56" r="4"/></g>',
)
