"""What every machine player implements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from .trace import Decision


class Player(Protocol):
    """Chooses one of the legal actions from what it may see."""

    name: str

    def decide(self, observation: Any, legal: Sequence[Any], rng: np.random.Generator) -> Decision:
        """The action it takes, with its reasons.

        Parameters
        ----------
        observation : object
            What ``game.observe(state, player)`` gave; never the state of a game that hides something.
        legal : sequence of actions
            Not empty.
        rng : numpy Generator
            For players that need chance of their own.
        """
        ...
