"""A player that now and then gives an order without a look: what makes a beginner of a machine captain.

It is weaker by not looking, and not by a thumb on the dice: every order it gives is legal, and says how it came about.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from navalkit.core.awaited import Steps, finish
from navalkit.core.errors import OptionError
from navalkit.core.language.say import SAY
from navalkit.core.player import Luck, Player, Weigher, thinking
from navalkit.core.trace import Decision, Option

from .random import Random


class Careless:
    """Another player, but for a share of its orders that are any legal ones.

    ``player``: who looks, when somebody does. ``game``: what it plays. ``slips``: the chance, for every order, that
    nobody looks: 0 to 1. OptionError if the chance is out of range.
    """

    def __init__(self, player: Player, game: Any, slips: float) -> None:
        if not 0 <= slips <= 1:
            raise OptionError(SAY("careless.slips", slips=slips))
        self.name, self.slips = player.name, slips
        self._careful, self._any = player, Random(game)

    def decide(self, observation: Any, legal: Sequence[Any], rng: Luck = None) -> Decision:
        """The player's own decision, or any legal order."""
        return finish(self.think(observation, legal, np.random.default_rng(rng)))

    def think(self, observation: Any, legal: Sequence[Any], rng: np.random.Generator) -> Steps[Decision]:
        """As `decide`, in steps; where there is one order alone, nobody can slip."""
        if len(legal) > 1 and rng.random() < self.slips:
            return replace(self._any.decide(observation, legal, rng), by=self.name)
        return (yield from thinking(self._careful, observation, legal, rng))

    def weigh(self, observation: Any, legal: Sequence[Any], actions: Sequence[Any]) -> Steps[Sequence[Option]]:
        """What orders are worth to the player who looks."""
        if isinstance(self._careful, Weigher):
            return (yield from self._careful.weigh(observation, legal, actions))
        return ()


def careless(maker: Callable[..., Player], slips: float, game: Any, **options: Any) -> Player:
    """A player of a maker's, made to slip; ``options`` are the maker's own."""
    return Careless(maker(game, **options), game, slips)
