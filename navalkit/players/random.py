"""The player that takes any legal action."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from navalkit.core.game import Game
from navalkit.core.language.say import SAY
from navalkit.core.player import Luck
from navalkit.core.trace import Decision, Option


class Random:
    """Takes every legal action with the same chance: the yardstick for all others.

    Parameters
    ----------
    game : Game
        What it plays; any game will do.
    """

    name = "random"

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game

    def decide(self, observation: Any, legal: Sequence[Any], rng: Luck = None) -> Decision:
        chance = Fraction(1, len(legal))
        return Decision(
            action=legal[int(np.random.default_rng(rng).integers(len(legal)))],
            by=self.name,
            reason=SAY.phrase("random.any", legal=len(legal)),
            options=tuple(Option(action, chance) for action in legal),
            unit=SAY("random.unit"),
        )
