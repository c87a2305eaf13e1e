"""The lobby's picture: a convoy above the waves, a periscope, and a hand held face down."""

from __future__ import annotations

from navalkit.view.drawn.art import back, svg

_wave = "M0 84q10-8 20 0" + "t20 0" * 13
_freighter = "M{0} 70h62l-7 14h-48zm14 0V56h16v14m18 0V60h6v10"
PICTURE = svg(
    f'<path fill="var(--nk-sea-shallow)" d="{_wave}V140H0z"/>',
    *(f'<path class="nk-art-hull" d="{_freighter.format(x)}"/>' for x in (24, 106)),
    f'<path class="nk-art-line" d="{_wave}"/>',
    '<path class="nk-art-line" d="M54 126V98h10" stroke-width="6"/>',
    back(214, 88, -10),
    back(236, 88, 4),
    back(256, 94, 16),
)
