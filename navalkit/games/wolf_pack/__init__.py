"""Wolf Pack: U-boats against a convoy, two hands of cards from one deck."""

from __future__ import annotations

from navalkit.core.registry import lazily

from .rules import cards
from .rules.game import WolfPack

GAME = WolfPack

__all__ = [
    "BOTS", "CAPTAINS", "GAME", "ODDS", "PAGE", "PICTURE", "PREDICTIONS", "QUESTIONS", "REVIEW",
    "WolfPack", "cards", "odds", "lesson", "WALK",
]  # fmt: skip
__getattr__ = lazily(
    __name__, BOTS=".bots", CAPTAINS=".bots", ODDS=".odds", PAGE=".board.page",
    PICTURE=".board.picture", PREDICTIONS=".predictions", QUESTIONS=".questions", REVIEW=".review", odds=".odds",
    lesson=".lesson", WALK=".walk",
)  # fmt: skip
