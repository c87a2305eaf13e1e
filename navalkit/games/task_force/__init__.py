"""Task Force: the search for a hidden fleet."""

from __future__ import annotations

from navalkit.core.registry import lazily

from .rules import SMALL, TaskForce, daily_seed

GAME = TaskForce

__all__ = ["BOTS", "GAME", "ODDS", "PICTURE", "QUESTIONS", "SMALL", "TaskForce", "daily_seed"]
__getattr__ = lazily(__name__, BOTS=".ai", ODDS=".odds", PICTURE=".picture", QUESTIONS=".questions")
