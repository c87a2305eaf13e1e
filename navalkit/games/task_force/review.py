"""How the review after a game of Task Force measures: in own ships left at the end, over all seas that look alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from navalkit.core.awaited import Steps
from navalkit.players.judge import Yardstick

from .odds.belief import filled, searching
from .rules.game import TaskForce
from .rules.state import Observation, State

SAMPLE = 200  # weighted fleets from which the states are drawn


def _ships(game: TaskForce, state: State, me: int) -> float:
    return float(len(state.afloat)) if state.result == "win" else 0.0


def _worlds(seen: Observation, state: State, n: int, rng: np.random.Generator) -> Steps[Sequence[State]]:
    """States that look the same, by their odds."""
    found = yield from searching(seen, SAMPLE, rng, groups=2)
    rows = rng.choice(len(found.weights), n, p=found.weights / found.weights.sum())
    return [filled(seen, state, found, int(row), rng) for row in rows]


REVIEW = Yardstick("hunter", adviser="planner", unit="ships", least=0.5, worth=_ships, worlds=_worlds)
