"""Fleet Action: squadrons, guns, torpedoes and mines on a grid of squares."""

from __future__ import annotations

from navalkit.core.registry import lazily
from .cards import points, range_squares, ship
from .game import FleetAction

GAME = FleetAction

__all__ = [
    "ACCOUNT", "BOTS", "CAPTAINS", "CODING", "GAME", "ODDS", "PAGE", "PERMUTE", "PICTURE", "PREDICTIONS",
    "QUESTIONS", "REVIEW", "STOCK", "WALK", "WORKSHOP", "FleetAction", "lesson", "odds", "points", "range_squares",
    "ship",
]
__getattr__ = lazily(__name__, CODING=".coding", ACCOUNT=".measures", BOTS=".bots", CAPTAINS=".bots", ODDS=".odds",
                     PAGE=".board.page", PICTURE=".board.page", PREDICTIONS=".measures", QUESTIONS=".questions",
                     REVIEW=".measures", WALK=".walk", STOCK=".board.choice", lesson=".lesson", odds=".odds",
                     PERMUTE=".measures", WORKSHOP=".board.workshop")
