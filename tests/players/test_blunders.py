"""A game played well but for one move that lost it: the review names that move, and what would have been better."""

from __future__ import annotations

import pytest

from navalkit.core.awaited import run
from navalkit.core.registry import package
from navalkit.players.review import Judge, review
from ..blunders import SEEDS, blundered

EFFORT = {"fleet-action": (3, 5), "on-patrol": (1, 4), "task-force": (1, 8), "uss-lox": (1, 5), "wolf-pack": (1, 8)}
"""How much is played out: games a point, points."""
MORE = EFFORT | {"on-patrol": (3, 10), "task-force": (24, 24), "wolf-pack": (3, 8)}


def names_its_blunder(name: str, seed: int, effort: tuple[int, int]) -> bool:
    match, step, better = blundered(name, seed)
    yardstick = package(name).offered("REVIEW", None)
    assert step and yardstick.worth(match.game, match.state, 0) < 0.5, match.outcome
    found = run(review(Judge(match, 0, yardstick), *effort))
    return (found.mistakes[0].ply, found.mistakes[0].better) == (step, better)


@pytest.mark.parametrize("name", EFFORT)
def test_the_review_of_a_lost_game_names_its_blunder(name: str) -> None:
    assert names_its_blunder(name, SEEDS[name][0], EFFORT[name])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed"), [(name, seed) for name in EFFORT for seed in SEEDS[name][1:]])
def test_so_it_does_in_further_games(name: str, seed: int) -> None:
    assert names_its_blunder(name, seed, MORE[name])

