"""The lobby's picture: two ships broadside on, with splashes where the salvo fell."""

from __future__ import annotations

from navalkit.view.drawn.art import hull, squares, svg

_fallen = ((150, 58, 5), (172, 40, 7), (140, 36, 4))
_splash = "".join(f'<circle cx="{x}" cy="{y}" r="{r}"/>' for x, y, r in _fallen)
PICTURE = svg(
    squares(28),
    hull(84, 104, 96, -16, "#0072b2", "B"),
    hull(196, 40, 88, 8, "#d55e00", "C"),
    '<path class="nk-art-evidence" stroke-dasharray="3 7" d="M96 92Q126 30 168 40"/>',
    f'<g class="nk-art-line">{_splash}</g>',
)
