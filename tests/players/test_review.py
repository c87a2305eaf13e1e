"""The review: chances between the turns of a game, and the move that lost it."""

from __future__ import annotations

import pytest

from navalkit.core.awaited import run
from navalkit.core.match import Match
from navalkit.games.fleet_action import FleetAction
from navalkit.players.review import Review, review

BLUNDER = """
title = "A blunder"
blurb = "One merchantman is to leave in time."
sides = ["Blue", "Red"]
sections = [2, 1]
moves = 3

[[exit]]
side = "Blue"
squares = ["A5"]

[[ship]]
side = "Blue"
name = "Doric Star"
at = "D5 W"

[[ship]]
side = "Red"
name = "Altmark"
at = "P1 W"

[[objective]]
side = "Blue"
aim = "exit"
points = 50

[[objective]]
side = "Red"
aim = "survive"
points = 10
"""
"""She leaves in the last move if she steams for the exit at once, and never if she lies still in the first."""

LOST = ("done", "Doric Star: B5 W", "Doric Star: A5 W")


def played(*orders: str) -> Match:
    """The merchantman's orders, one a move; the enemy stays where she is."""
    match, waiting = Match.new(FleetAction(custom=BLUNDER), 1), list(orders)
    while not match.over:
        own = match.turn == 0 and waiting and match.state.move > len(orders) - len(waiting)
        match.play(match.game.parse_action(waiting.pop(0) if own else "done"))
    return match


@pytest.fixture(scope="module")
def blunder() -> Review:
    return run(review(played(*LOST), 0, "admiral", n=2))


def test_the_review_names_the_move_that_lost(blunder):
    match = played(*LOST)
    assert match.outcome.scores[0] == 0.0
    turn = blunder.deciding
    assert turn is not None and turn.by == 0 and turn.change == -1.0
    lost = [ply for ply in match.plies[turn.first - 1 : turn.last] if ply.by == 0]
    assert [str(ply.action) for ply in lost] == ["done"] and turn.first == 2
    assert blunder.mistakes == (turn,) and blunder.skill == pytest.approx(-1) and blunder.luck == 0


def test_chances_run_from_the_start_to_the_end(blunder):
    plies = [point.ply for point in blunder.points]
    assert plies == sorted(plies) and plies[0] == 0
    assert blunder.points[0].chance == 1.0 and blunder.points[-1].chance == 0.0 and blunder.points[-1].error == 0.0
    assert sum(turn.change for turn in blunder.turns) == pytest.approx(-1)


def test_a_game_without_a_mistake_has_none():
    found = run(review(played("Doric Star: B5 W", "Doric Star: A5 W", "Doric Star: leave"), 0, "admiral", n=2))
    assert found.points[-1].chance == 1.0 and not found.mistakes and found.deciding is None


def test_the_same_review_twice_is_the_same(blunder):
    again = review(played(*LOST), 0, "admiral", n=2)
    assert run(again) == blunder
