"""How good the captains are: every one on the same maps. Run ``python -m navalkit.games.task_force.report 200``."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from navalkit.core.match import Match
from navalkit.core.seeds import Stream
from navalkit.players import player
from navalkit.prob.intervals import wilson

from ..rules.game import TaskForce

CAPTAINS = ("random", "hunter", "bayes", "planner")


@dataclass(frozen=True)
class Line:
    """How one captain did.

    Parameters
    ----------
    name : str
    ships : tuple of float
        Ships left on each map; 0 where the game was lost.
    milliseconds : float
        Mean time of a decision.
    """

    name: str
    ships: tuple[float, ...]
    milliseconds: float

    @property
    def won(self) -> float:
        """The share of games won."""
        return sum(s > 0 for s in self.ships) / len(self.ships)

    @property
    def mean(self) -> float:
        """Mean ships left (the rank: 5 Admiral to 1 Ensign, 0 lost)."""
        return sum(self.ships) / len(self.ships)

    def __str__(self) -> str:
        n = len(self.ships)
        low, high = wilson(self.won, n)
        half = 1.96 * float(np.std(self.ships, ddof=1)) / sqrt(n) if n > 1 else float("nan")
        return (
            f"{self.name:<10} won {self.won:6.1%} ({low:.1%} to {high:.1%})   ships left {self.mean:.2f} ± {half:.2f}"
            f"   {self.milliseconds:.0f} ms a decision   n = {n}"
        )


def play(name: str, game: TaskForce, seeds: Iterable[int], **options: Any) -> Line:
    """One captain's games on the maps of those seeds."""
    ships, decisions, spent = [], 0, 0.0
    for seed in seeds:
        captain = player(name, game, **options)
        rng = np.random.default_rng([seed, Stream(seed, name).integers(2**32)])
        match = Match.new(game, seed)
        start = time.perf_counter()
        while not match.over:
            match.play(captain.decide(match.observe(), match.legal(), rng).action)
            decisions += 1
        spent += time.perf_counter() - start
        outcome = match.outcome
        assert outcome is not None
        ships.append(outcome.scores[0])
    return Line(name, tuple(ships), 1000 * spent / decisions)


def compare(maps: int = 200, captains: Sequence[str] = CAPTAINS, **options: Any) -> Iterator[Line]:
    """All captains on the maps of seeds 0 to ``maps`` - 1, under the game options given; a line as each is done."""
    game = TaskForce(**options)
    for name in captains:
        yield play(name, game, range(maps))


if __name__ == "__main__":
    for line in compare(int(sys.argv[1]) if len(sys.argv) > 1 else 200):
        print(line, flush=True)
