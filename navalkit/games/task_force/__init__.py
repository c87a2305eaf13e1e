"""Task Force: the search for a hidden fleet."""

from __future__ import annotations
from functools import partial

from navalkit.core.registry import lazily
from navalkit.core.seeds import daily_seed as _daily_seed
from .game import SMALL, TaskForce

GAME = TaskForce
WARM = False
"""Whether its first board is drawn before a page needs it: it takes 50 MB, which no other page needs."""
daily_seed = partial(_daily_seed, "task-force")  # the seed of a day's map, the same for everybody (rule T10)

__all__ = [
    "BOTS", "CAPTAINS", "CODING", "GAME", "ODDS", "PAGE", "PERMUTE", "PICTURE", "PREDICTIONS", "QUESTIONS",
    "REVIEW", "SMALL", "TaskForce", "daily_seed", "odds", "lesson", "WALK",
]
__getattr__ = lazily(__name__, CODING=".coding", BOTS=".bots", CAPTAINS=".bots", ODDS=".odds", PAGE=".page",
                     PICTURE=".card", PREDICTIONS=".measures", QUESTIONS=".questions", REVIEW=".measures",
                     odds=".odds", lesson=".lesson", WALK=".walk", PERMUTE=".measures")
