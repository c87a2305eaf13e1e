"""The lobby's picture: a ship card met by two torpedo cards and one still face down."""

from __future__ import annotations

from navalkit.view.drawn.art import back, card, svg

PICTURE = svg(
    card(66, 72, -4, "8", "D"),
    '<path class="nk-art-evidence" stroke-dasharray="9 6" d="M126 72H104m0 0 8-6m-8 6 8 6"/>',
    back(222, 74, 12), card(190, 70, 4, "7", "S"), card(158, 72, -6, "5", "H"),
)
