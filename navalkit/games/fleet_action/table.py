"""How the machine players stand against each other: a script that can be run again.

    python -m navalkit.games.fleet_action.table -n 200 --workers 2
    python -m navalkit.games.fleet_action.table -n 40 --battle river_plate --pair admiral gunnery

Every seed is played twice with the sides swapped, so that a battle that favours a side favours nobody. Intervals are
Wilson's, of 95 %; a draw is half a point.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import combinations
from statistics import median
from types import MappingProxyType
from typing import Any

import numpy as np

from navalkit.core.game import TERMINAL
from navalkit.core.match import Match
from navalkit.players import player
from navalkit.prob.intervals import wilson

from .rules import FleetAction

ROSTER = ("admiral", "gunnery", "random")
BATTLES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "river_plate": {"scenario": "river_plate"},
        "cruisers": {
            "scenario": "build_your_own",
            "blue": "Ajax, Norfolk, Fletcher, Jenkins",
            "red": "Achilles, Exeter, Radford, Cossack",
        },
        "battleships": {
            "scenario": "build_your_own",
            "blue": "Duke of York, Akatsuki, Kagero",
            "red": "Prince of Wales, Fubuki, Yukikaze",
        },
    }
)
"""Battles of the table: name -> options. The squadrons of one's own match, ship for ship, as near as can be."""


@dataclass(frozen=True, slots=True)
class Result:
    """Games between two players.

    Parameters
    ----------
    games : int
    share : float
        The first player's share of the points, a draw half a point.
    moves : float
        The median length of a battle.
    """

    games: int
    share: float
    moves: float

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share."""
        return wilson(self.share, self.games)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.share:.1%} ({low:.1%} to {high:.1%}, n = {self.games}; median {self.moves:g} moves)"


Job = tuple[Mapping[str, Any], tuple[str, str], int]
"""Options of the game, the players (blue first), and the seed."""


def play_one(job: Job) -> tuple[float, int]:
    """Blue's points and the moves of one battle; a pure function of the job."""
    options, names, seed = job
    game = FleetAction(**options)
    seated = [player(name, game) for name in names]
    generators = [np.random.default_rng([seed, side]) for side in range(2)]
    match = Match.new(game, seed)
    while match.turn != TERMINAL:
        side = match.turn
        match.play(seated[side].decide(match.observe(side), match.legal(), generators[side]).action)
    outcome = match.outcome
    assert outcome is not None
    return outcome.scores[0], match.state.move


def meet(
    one: str, two: str, games: int, seed: int, *, options: Mapping[str, Any], workers: int = 1
) -> tuple[Result, Result, Result]:
    """Two players against each other, sides swapped: every seed is played twice.

    Parameters
    ----------
    one, two : str
        Names of players.
    games : int
        In all; half of them with ``one`` as blue.
    seed : int
        Of the first game; the others follow.
    options : mapping
        Of the game.
    workers : int
        Processes.

    Returns
    -------
    three Results
        The share of ``one`` overall, as blue, and as red.
    """
    seeds = range(seed, seed + max(1, games // 2))
    jobs = [(dict(options), names, s) for names in ((one, two), (two, one)) for s in seeds]
    if workers == 1:
        rows = list(map(play_one, jobs))
    else:
        with ProcessPoolExecutor(workers) as pool:
            rows = list(pool.map(play_one, jobs, chunksize=4))
    n = len(seeds)
    points = [score for score, _ in rows[:n]] + [1 - score for score, _ in rows[n:]]
    moves = [m for _, m in rows]
    parts = (slice(0, 2 * n), slice(0, n), slice(n, 2 * n))
    a, b, c = (Result(len(points[p]), sum(points[p]) / len(points[p]), median(moves[p])) for p in parts)
    return a, b, c


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the script; ``arguments`` as on the command line."""
    parser = argparse.ArgumentParser(prog="table", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-n", type=int, default=200, help="games of each pair in each battle")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--battle", choices=tuple(BATTLES), action="append", help="only this battle")
    parser.add_argument("--pair", nargs=2, choices=ROSTER, metavar="PLAYER", help="only these two players")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args(arguments)
    for battle in given.battle or BATTLES:
        for one, two in [given.pair] if given.pair else combinations(ROSTER, 2):
            both, blue, red = meet(one, two, given.n, given.seed, options=BATTLES[battle], workers=given.workers)
            print(f"{battle}: {one} against {two}: {both}", flush=True)
            print(f"  as blue {blue.share:.1%}, as red {red.share:.1%}", flush=True)


if __name__ == "__main__":
    main()
