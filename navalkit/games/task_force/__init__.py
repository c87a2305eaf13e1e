"""Task Force: the search for a hidden fleet."""

from __future__ import annotations

from navalkit.core.registry import lazily

from .rules.game import SMALL, TaskForce, daily_seed

GAME = TaskForce

__all__ = ["BOTS", "GAME", "ODDS", "PAGE", "PICTURE", "PREDICTIONS", "QUESTIONS", "SMALL", "TaskForce", "daily_seed"]
__getattr__ = lazily(
    __name__,
    BOTS=".bots",
    ODDS=".odds",
    PAGE=".board.page",
    PICTURE=".board.picture",
    PREDICTIONS=".predictions",
    QUESTIONS=".questions",
)
