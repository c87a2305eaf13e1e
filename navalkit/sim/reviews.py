"""How good reviews are: what they name, and what they leave out, is held against play-outs of another seed.

    python -m navalkit.sim.reviews wolf-pack -n 10 --seed 1

Games are played by captains unlike the adviser, who slip now and then. Every order of theirs that the adviser would not
have given is played out beside the adviser's, in the same worlds and with the same dice (`players.review.Judge.gain`).

* A mistake that the review is sure of is *refuted* if those pairs say that it cost less than a mistake's least, beyond
  two errors; *borne out* if they say that it cost something, beyond two errors, and do not refute it. Precision is the
  share borne out; what stays open counts against it.
* A *blunder* is an order that the pairs prove to have cost a turning point's least, beyond three errors. Recall is the
  share of blunders that the review is sure of. Orders are looked at no more once a part of the pairs (`LOOKS`) gives
  them less than half of that; the review has no part in this.
"""

from __future__ import annotations
import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from operator import add
from typing import Any

import numpy as np

from navalkit.core.awaited import finish
from navalkit.core.match import Match
from navalkit.core.registry import load, package
from navalkit.core.words import Words
from navalkit.players import player
from navalkit.players.generic import Careless
from navalkit.players.review import SEVERAL, SURE, Estimate, Judge, Point, Review, Turn, Yardstick, mistakes
from navalkit.prob.intervals import wilson
from . import game_seed
from .balance import table

SAY = Words.load("navalkit.sim", "reviews.toml")
PAIRS = 200
LOOKS = 0.08, 0.32, 1.0  # parts of the pairs after which it is looked at whether an order may be a blunder
BORNE = 2.0  # errors beyond which a cost is borne out, or refuted
OTHERS = 1_000  # added to the seed of the review's own play-outs

SMALL = {"rows": 6, "columns": 6, "deep": 3, "fleet": "tiny", "anti_air": 0, "strike_fighters": 0, "helicopters": False}
CRUISERS = {"scenario": "build_your_own", "blue": "Norfolk", "red": "Fletcher", "light": "dusk"}
PLAYED: Mapping[str, tuple[Mapping[str, Any], str, float]] = {
    "fleet-action": (CRUISERS, "gunnery", 0.15),
    "on-patrol": ({"scenario": "lone-merchant"}, "skipper", 0.34),
    "task-force": (SMALL, "bayes", 0.15),
    "uss-lox": ({}, "harper", 0.0),
    "wolf-pack": ({"transports": 2, "u_boats": 2}, "greedy", 0.15),
}
"""Game -> its options, who plays the first seat, and his share of orders without a look. The adviser has the others."""


@dataclass(frozen=True, slots=True)
class Score:
    """What became of reviews of one game or more."""

    games: int = 0
    orders: int = 0
    """Orders that the adviser would not have given."""
    named: int = 0
    borne: int = 0
    refuted: int = 0
    blunders: int = 0
    found: int = 0
    """Blunders that were named."""

    def __add__(self, other: Score) -> Score:
        return Score(*map(add, astuple(self), astuple(other)))

    def row(self, game: str) -> tuple[str, ...]:
        """As texts, for the table."""
        return (
            game, str(self.games), str(self.orders), str(self.named), str(self.borne), str(self.refuted),
            _share(self.borne, self.named), str(self.blunders), str(self.found), _share(self.found, self.blunders),
        )


def _share(some: int, of: int) -> str:
    """A share with Wilson's 95 % interval; "" of nothing."""
    if not of:
        return ""
    low, high = wilson(some / of, of)
    return f"{some / of:.0%} ({low:.0%} to {high:.0%})"


def played(name: str, seed: int) -> Match:
    """A game of that name between somebody who slips and the adviser."""
    options, captain, slips = PLAYED[name]
    game = load(name, **options)
    yardstick: Yardstick = package(name).offered("REVIEW", None)
    adviser = yardstick.adviser or str(yardstick.captains[0])
    others = [adviser] * (len(game.players) - 1)
    seated = [Careless(player(captain, game), game, slips), *[player(each, game) for each in others]]
    match, rng = Match.new(game, seed, [captain, *others]), np.random.default_rng(seed % 2**32)
    while not match.over:
        match.play(seated[match.turn].decide(match.observe(), match.legal(), rng).action)
    return match


def scored(match: Match, effort: tuple[int, int], pairs: int = PAIRS) -> Score:
    """What the review of a match names as mistakes, held against play-outs of another seed. ``effort``: play-outs a
    point, and points. ``pairs``: of a proof; `Yardstick.times` as many where there is a quick way to play out."""
    yardstick: Yardstick = package(match.game.name).offered("REVIEW", None)
    pairs *= yardstick.times if yardstick.rest else 1
    judge, other = Judge(match, 0, yardstick), Judge(match, 0, yardstick, OTHERS + 1)
    n, points = effort
    whole = Review(0, (Point(0, 0, 0),), (Turn(1, match.ply, SEVERAL, 0, 0),))
    looked = finish(mistakes(judge, whole, n * yardstick.times, points // 2, lambda so_far: None))
    named = {each.ply - 1 for each in looked.mistakes if each.sure}
    found = Score(games=1, named=len(named))
    for ply, each in enumerate(match.plies):
        if each.by != 0 or finish(judge.obeyed(ply)):
            continue
        better = finish(judge.advice(ply)).action
        for part in LOOKS:
            cost, error = _proof(other, ply, each.action, better, round(part * pairs))
            if cost < yardstick.least / 2 and ply not in named:
                break
        blunder = part == LOOKS[-1] and cost > SURE * error and cost >= yardstick.least
        refuted = cost + BORNE * error < yardstick.trifle
        found += Score(0, 1, 0, ply in named and cost > BORNE * error and not refuted, ply in named and refuted,
                       blunder, blunder and ply in named)
    return found


def _proof(judge: Judge, ply: int, taken: Any, better: Any, pairs: int) -> Estimate:
    """What the better order was worth more, by that many pairs of play-outs; a game may have a quicker way."""
    prove: Callable[..., Estimate] | None = package(judge.match.game.name).offered("PROOF", None)
    if prove is not None:
        return prove(judge.match, ply, taken, better, pairs, OTHERS)
    return finish(judge.gain(ply, pairs, taken, better))


def bench(name: str, n: int, seed: int, effort: tuple[int, int], pairs: int = PAIRS) -> Iterator[Score]:
    """The scores of games 0 to n - 1 of a run, one after the other."""
    for number in range(n):
        yield scored(played(name, game_seed(seed, number)), effort, pairs)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run it; ``arguments`` as on the command line. A row stands for all games so far: the last is the result."""
    parser = argparse.ArgumentParser(prog="reviews", description=SAY("about"))
    parser.add_argument("game", choices=PLAYED)
    parser.add_argument("-n", type=int, default=10, help=SAY("n"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=PAIRS, help=SAY("pairs"))
    parser.add_argument("--effort", type=int, nargs=2, default=(12, 16), help=SAY("effort"))
    given = parser.parse_args(arguments)
    total = Score()
    print(table(SAY("head").split(" | "), ()))
    for score in bench(given.game, given.n, given.seed, tuple(given.effort), given.pairs):
        total += score
        print(table(total.row(given.game), ()).splitlines()[0], flush=True)


if __name__ == "__main__":
    main()
