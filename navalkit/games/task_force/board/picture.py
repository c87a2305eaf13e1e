"""The lobby's picture: a square sea shaded by where the hidden fleet is likely, with a hit and two misses."""

from __future__ import annotations

from math import exp

from navalkit.view.drawn.art import squares, svg

_shades = "".join(
    f'<rect x="{20 * c}" y="{20 * r}" width="20" height="20" fill="#56b4e9" '
    f'fill-opacity="{0.75 * exp(-((c - 8.5) ** 2 / 9 + (r - 3) ** 2 / 3)):.2f}"/>'
    for r in range(7) for c in range(14)
)
PICTURE = svg(
    _shades, squares(20), '<path class="nk-art-evidence" d="M163 63l14 14m0-14-14 14"/>',
    '<g class="nk-art-line"><circle cx="90" cy="50" r="6"/><circle cx="230" cy="110" r="6"/></g>',
)
