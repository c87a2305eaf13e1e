"""A game played well but for one move that lost it: the review names that move, and what would have been better."""

from __future__ import annotations

import pytest

from navalkit.core.awaited import run
from navalkit.core.registry import package
from navalkit.players.judge import Judge
from navalkit.players.review import review

from ..blunders import blundered

EFFORT = {"fleet-action": (3, 5), "on-patrol": (2, 4), "task-force": (8, 8), "uss-lox": (1, 5), "wolf-pack": (8, 8)}
"""How much is played out: games a point, points."""


@pytest.mark.parametrize("name", EFFORT)
def test_the_review_of_a_lost_game_names_its_blunder(name: str) -> None:
    match, step, better = blundered(name)
    yardstick = package(name).offered("REVIEW", None)
    assert step and yardstick.worth(match.game, match.state, 0) < 0.5, match.outcome
    found = run(review(Judge(match, 0, yardstick), *EFFORT[name]))
    assert (found.mistakes[0].ply, found.mistakes[0].better) == (step, better)
