"""Ratings from games between pairs of players, on Elo's scale, with intervals.

By the model of Bradley and Terry a player of rating r scores 1 / (1 + 10 ** ((s - r) / 400)) on average against one of
rating s. The ratings that make the results likeliest are found by Newton's method, with the mean of all at 0; how
well the results fix them (the information matrix) gives their standard errors. Each pair counts as having drawn one
game more, so that a player who won all has a rating too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log

import numpy as np

from .meeting import Result

SCALE = 400 / log(10)
"""Points of Elo for a factor of e in the odds."""
STEPS = 50


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's strength."""

    elo: float
    """Points above the mean of those rated; 100 more win 64 %, 200 more 76 %."""
    half: float
    """Half the width of its 95 % interval, in points."""
    games: int
    """On which it rests."""

    def __str__(self) -> str:
        return f"{self.elo:+.0f} ± {self.half:.0f} (n = {self.games:,})"


def ratings(pairs: Mapping[tuple[str, str], Result]) -> dict[str, Rating]:
    """The ratings of players, the strongest first. ``pairs``: (one, two) -> the first one's result; every player is in
    a pair, and no group of them is cut off from the rest."""
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    ends = [(names.index(one), names.index(two)) for one, two in pairs]
    games = np.array([result.games + 1.0 for result in pairs.values()])
    won = np.array([result.share * result.games + 0.5 for result in pairs.values()])
    design = np.zeros((len(ends), len(names)))
    for row, (one, two) in zip(design, ends, strict=True):
        row[one], row[two] = 1.0, -1.0
    strength = np.zeros(len(names))
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-design @ strength))
        spread = np.linalg.pinv(design.T @ ((games * chance * (1 - chance))[:, None] * design))
        strength += spread @ design.T @ (won - games * chance)
    errors = np.sqrt(np.diag(spread))
    played = [int(sum(r.games for pair, r in pairs.items() if name in pair)) for name in names]
    found = {
        name: Rating(SCALE * float(s), SCALE * 1.96 * float(e), n)
        for name, s, e, n in zip(names, strength, errors, played, strict=True)
    }
    return dict(sorted(found.items(), key=lambda each: -each[1].elo))
