"""Players against each other over many seeds, sides swapped, so that a game that favours a side favours nobody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from math import sqrt
from statistics import fmean, median, stdev
from typing import Any

import numpy as np

from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.prob.intervals import wilson

from . import player

Options = Mapping[str, Any]
CHUNK = 4
"""Games handed to a process at a time."""


@dataclass(frozen=True, slots=True)
class Result:
    """Games between two players.

    Parameters
    ----------
    games : int
    share : float
        The first player's share of the points, a draw half a point.
    length : float
        The median length of a game, in ``unit``.
    unit : str
        "turns", say.
    """

    games: int
    share: float
    length: float
    unit: str

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share."""
        return wilson(self.share, self.games)

    def __str__(self) -> str:
        low, high = self.interval
        interval = f"95 %: {low:.1%} to {high:.1%}"
        return f"{self.share:.1%} ({interval}), median {self.length:g} {self.unit}, n = {self.games:,}"


@dataclass(frozen=True, slots=True)
class Scores:
    """One player's games of a game for one.

    Parameters
    ----------
    scores : tuple of float
        One a game.
    """

    scores: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean score."""
        return fmean(self.scores)

    @property
    def half(self) -> float:
        """Half the width of the mean's 95 % interval; 0 for a single game."""
        return 1.96 * stdev(self.scores) / sqrt(len(self.scores)) if len(self.scores) > 1 else 0.0

    def against(self, other: Scores) -> Result:
        """How often a score is higher than another's on the same game, a tie half."""
        points = [0.5 + 0.5 * np.sign(own - theirs) for own, theirs in zip(self.scores, other.scores, strict=True)]
        return Result(len(points), float(np.mean(points)), 1, "games")

    def __str__(self) -> str:
        return f"{self.mean:,.2f} ± {self.half:,.2f} (95 %), n = {len(self.scores):,}"


@dataclass(frozen=True, slots=True)
class Meeting:
    """What is played: a game for two or for one, under options, with players of options of their own.

    Parameters
    ----------
    game : str
        Its name, such as "wolf-pack".
    length : str
        The fact of its outcome that says how long it was; "" for the number of actions.
    unit : str
        What that is counted in.
    options : mapping
        Of the game.
    tuned : mapping of str to mapping
        Player -> options.
    """

    game: str
    length: str = ""
    unit: str = "actions"
    options: Options = field(default_factory=dict)
    tuned: Mapping[str, Options] = field(default_factory=dict)

    def play(self, names: tuple[str, ...], seed: int) -> tuple[float, float]:
        """The first side's points in one game, and its length; the same whenever it is asked."""
        game = load(self.game, **self.options)
        seated = [player(name, game, **self.tuned.get(name, {})) for name in names]
        generators = [np.random.default_rng([seed, side]) for side in range(len(names))]
        match = Match.new(game, seed)
        while not match.over:
            side = match.turn
            match.play(seated[side].decide(match.observe(side), match.legal(), generators[side]).action)
        assert match.outcome is not None
        return match.outcome.scores[0], match.outcome.facts[self.length] if self.length else match.ply

    def alone(self, name: str, games: int, seed: int, workers: int = 1) -> Scores:
        """A player of a game for one, on the games of seeds ``seed``, ``seed`` + 1 ...; parameters as for `meet`."""
        rows = self._rows([((name,), s) for s in range(seed, seed + games)], workers)
        return Scores(tuple(score for score, _ in rows))

    def even(self, name: str, games: int, seed: int, workers: int = 1) -> Result:
        """A player against itself, every seed once: the first side's share; parameters as for `meet`."""
        return self._result(self._rows([((name, name), s) for s in range(seed, seed + games)], workers))

    def meet(self, one: str, two: str, games: int, seed: int, workers: int = 1) -> tuple[Result, Result, Result]:
        """Two players against each other: every seed is played twice, sides swapped.

        Parameters
        ----------
        one, two : str
            Names of players.
        games : int
            In all; half of them with ``one`` on the first side.
        seed : int
            Of the first game; the others follow.
        workers : int
            Processes.

        Returns
        -------
        three Results
            The share of ``one`` overall, on the first side, and on the second.

        >>> Meeting("wolf-pack").meet("greedy", "random", games=2, seed=1)[0].share
        1.0
        """
        seeds = range(seed, seed + max(1, games // 2))
        rows = self._rows([(names, s) for names in ((one, two), (two, one)) for s in seeds], workers)
        first, second = rows[: len(seeds)], [(1 - points, length) for points, length in rows[len(seeds) :]]
        return self._result(first + second), self._result(first), self._result(second)

    def _rows(self, jobs: Sequence[tuple[tuple[str, ...], int]], workers: int) -> list[tuple[float, float]]:
        if workers == 1:
            return [self.play(*job) for job in jobs]
        # Views of dictionaries cannot be sent to another process.
        sent = replace(self, options=dict(self.options), tuned={name: dict(own) for name, own in self.tuned.items()})
        with ProcessPoolExecutor(workers) as pool:
            return list(pool.map(sent.play, *zip(*jobs, strict=True), chunksize=CHUNK))

    def _result(self, rows: Sequence[tuple[float, float]]) -> Result:
        points, lengths = zip(*rows, strict=True)
        return Result(len(rows), sum(points) / len(rows), median(lengths), self.unit)
