"""Wolf Pack: U-boats against a convoy, two hands of cards from one deck."""

from __future__ import annotations

from navalkit.core.registry import lazily
from . import cards
from .rules import WolfPack

GAME = WolfPack

__all__ = [
    "ACCOUNT", "BOTS", "CAPTAINS", "CODING", "GAME", "ODDS", "PAGE", "PERMUTE", "PICTURE", "PREDICTIONS", "PROOF",
    "QUESTIONS", "REVIEW", "WolfPack", "cards", "odds", "lesson", "WALK",
]
__getattr__ = lazily(__name__, CODING=".coding", ACCOUNT=".measures", BOTS=".bots", CAPTAINS=".bots", ODDS=".odds",
                     PAGE=".page", PERMUTE=".measures", PICTURE=".page", PREDICTIONS=".measures", PROOF=".measures",
                     QUESTIONS=".questions", REVIEW=".measures", odds=".odds", lesson=".lesson", WALK=".walk")
