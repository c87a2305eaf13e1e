"""USS Lox: a submarine patrol with a pack of cards."""

from __future__ import annotations

from navalkit.core.registry import lazily
from . import cards, cribbage
from .game import UssLox

GAME = UssLox

__all__ = [
    "BOTS", "CAPTAINS", "CODING", "GAME", "ODDS", "PAGE", "PICTURE", "PREDICTIONS", "PROOF", "QUESTIONS", "REVIEW",
    "UssLox", "cards", "cribbage", "odds", "simulate", "lesson", "WALK",
]
__getattr__ = lazily(__name__, CODING=".coding", BOTS=".bots", CAPTAINS=".bots", ODDS=".odds", PAGE=".page",
                     PICTURE=".page", PREDICTIONS=".measures", PROOF=".measures", QUESTIONS=".questions",
                     REVIEW=".measures", simulate=".patrols", odds=".odds", lesson=".lesson", WALK=".walk")
