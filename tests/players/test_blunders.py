"""A game played well but for one move that lost it: the review names that move, and what would have been better."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from navalkit.core.awaited import run
from navalkit.core.game import TERMINAL
from navalkit.core.match import Match
from navalkit.core.registry import load, package
from navalkit.core.trace import Decision
from navalkit.games.on_patrol.sea.actions import Order
from navalkit.players import player
from navalkit.players.judge import Judge
from navalkit.players.review import review

SMALL = {"rows": 6, "columns": 6, "deep": 3, "fleet": "tiny", "anti_air": 0, "strike_fighters": 0, "helicopters": False}


def strike_left(match: Match, best: Decision) -> Any:
    """Wolf Pack: she passes where her card would have won."""
    won = match.turn == 0 and match.game.turn(match.game.apply(match.state, best.action).state) == TERMINAL
    return match.game.parse_action("pass") if won else None


def wide_of_her(match: Match, best: Decision) -> Any:
    """On Patrol: all that is loaded runs on a course on which nobody sails."""
    order = best.action
    if not isinstance(order, Order) or not order.shots:
        return None
    aimed = {shot.direction for shot in order.shots}
    salvo = order.shots[0]._replace(number=sum(shot.number for shot in order.shots))
    away = (order._replace(shots=(salvo._replace(direction=course),)) for course in range(1, 7) if course not in aimed)
    return next((each for each in away if match.game.why_not(match.state, each) is None), None)


def into_the_missile(match: Match, best: Decision) -> Any:
    """Task Force: the last ship but one is risked on the worst square there is."""
    valued = [option for option in best.options if option.value is not None]
    if len(match.state.afloat) > 1 or not valued:
        return None
    return min(valued, key=lambda option: option.value or 0).action


Blunder = Callable[[Match, Decision], Any]
CASES = {
    "on-patrol": ({"scenario": "lone-merchant"}, "skipper", wide_of_her, 1, (2, 4)),
    "task-force": (SMALL, "planner", into_the_missile, 38, (8, 8)),
    "wolf-pack": ({"transports": 2, "u_boats": 2}, "careful", strike_left, 25, (8, 8)),
}
"""Options, the captain in all seats, the blunder, the seed, and how much is played out: games a point, points."""


@pytest.mark.parametrize("name", CASES)
def test_the_review_of_a_lost_game_names_its_blunder(name: str) -> None:
    options, captain, blunder, seed, effort = CASES[name]
    game = load(name, **options)
    match, rng, step, better = Match.new(game, seed), np.random.default_rng(seed), 0, None
    players = [player(captain, game) for _ in game.players]
    while not match.over:
        best = players[match.turn].decide(match.observe(), match.legal(), rng)
        worse = None if step else blunder(match, best)
        if worse is not None:
            step, better = match.ply + 1, best.action
        match.play(best.action if worse is None else worse)
    yardstick = package(name).offered("REVIEW", None)
    assert step and yardstick.worth(game, match.state, 0) < 0.5, match.outcome
    found = run(review(Judge(match, 0, yardstick), *effort))
    assert (found.mistakes[0].ply, found.mistakes[0].better) == (step, better)
