"""The player that looks one decision ahead, by trying."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np

from navalkit.core.awaited import Steps, finish
from navalkit.core.game import TERMINAL, Game
from navalkit.core.language.say import SAY
from navalkit.core.player import Luck
from navalkit.core.trace import Decision, Fact, Option

from .base import Evaluate, best_of, check_count, check_open, play_out, scores, settle


class Greedy:
    """Tries every legal action many times and takes the one with the best mean score.

    Parameters
    ----------
    game : Game
        What it plays; nothing in it may be hidden.
    samples : int
        How often each action is tried. The standard error of a value shrinks with its square root.
    evaluate : callable, optional
        State -> what it is worth, one number a player. Left out, the game is played to its end at random.

    Raises
    ------
    OptionError
        If the game hides something, or ``samples`` is no whole number from 1 up.
    """

    name = "greedy"

    def __init__(self, game: Game[Any, Any], samples: int = 50, evaluate: Evaluate | None = None) -> None:
        check_open(game, self.name)
        self.game = game
        self.samples = check_count(self.name, "samples", samples)
        self.evaluate = evaluate

    def decide(self, observation: Any, legal: Sequence[Any], rng: Luck = None) -> Decision:
        return finish(self.think(observation, legal, np.random.default_rng(rng)))

    def think(self, observation: Any, legal: Sequence[Any], rng: np.random.Generator) -> Steps[Decision]:
        """As `decide`, in steps: one a try."""
        options = []
        for number, action in enumerate(legal):
            tries = []
            for tried in range(self.samples):
                tries.append(self._try(observation, action, rng))
                yield (number + (tried + 1) / self.samples) / len(legal)
            values = np.array(tries)
            error = float(values.std(ddof=1)) / sqrt(self.samples) if self.samples > 1 else float("nan")
            fact = Fact(SAY.phrase("greedy.unit"), f"{values.mean():,.4g} ± {error:,.2g} (n = {self.samples:,})")
            options.append(Option(action, float(values.mean()), (fact,)))
        how = SAY("greedy.played_out") if self.evaluate is None else SAY("greedy.ahead")
        return best_of(self.name, options, SAY("greedy.best", samples=self.samples, how=how))

    def _try(self, state: Any, action: Any, rng: np.random.Generator) -> float:
        """What one try of ``action`` was worth to the player on turn."""
        game = self.game
        after = settle(game, game.apply(state, action).state, rng)
        if game.turn(after) == TERMINAL:
            worth = scores(game, after)
        else:
            worth = self.evaluate(after) if self.evaluate else play_out(game, after, rng)
        return worth[game.turn(state)]
