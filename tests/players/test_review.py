"""The review: chances between the turns of a game, and the move that lost it."""

from __future__ import annotations
from typing import Any

import numpy as np
import pytest

from navalkit.core.awaited import Awaited, Steps, run
from navalkit.core.match import Match
from navalkit.core.registry import load, package
from navalkit.core.trace import Decision
from navalkit.games.fleet_action import FleetAction
from navalkit.players import player
from navalkit.players.review import SEVERAL, Estimate, Judge, Point, Review, Turn, Yardstick, _mistakes, review

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


def reviewed(match: Match, **of: int) -> Review:
    """The review of such a game, played out by admirals."""
    return run(review(Judge(match, 0, Yardstick(("admiral",))), **of))


@pytest.fixture(scope="module")
def blunder() -> Review:
    return reviewed(played(*LOST), n=2)


def test_the_review_names_the_move_that_lost_and_the_better_one(blunder):
    match = played(*LOST)
    assert match.outcome.scores[0] == 0.0
    turn = blunder.deciding
    assert turn is not None and turn.by == 0 and turn.change == -1.0 and turn.first == 2
    (mistake,) = blunder.mistakes
    assert (mistake.ply, str(mistake.taken), str(mistake.better)) == (2, "done", "Doric Star: B5 W")
    assert mistake.cost == 1.0 and blunder.skill == pytest.approx(-1) and blunder.luck == 0


def test_chances_run_from_the_start_to_the_end(blunder):
    plies = [point.ply for point in blunder.points]
    assert plies == sorted(plies) and plies[0] == 0
    assert blunder.points[0].value == 1.0 and blunder.points[-1].value == 0.0 and blunder.points[-1].error == 0.0
    assert sum(turn.change for turn in blunder.turns) == pytest.approx(-1)


def test_a_game_without_a_mistake_has_none():
    found = reviewed(played("Doric Star: B5 W", "Doric Star: A5 W", "Doric Star: leave"), n=2)
    assert found.points[-1].value == 1.0 and not found.mistakes and found.deciding is None


def test_the_same_review_twice_is_the_same(blunder):
    assert reviewed(played(*LOST), n=2) == blunder


class Pairs(Judge):
    """Remembers how many pairs of games were played out for each step, and says what it is told to."""

    def __init__(self, match: Match, costs: dict[int, float]) -> None:
        super().__init__(match, 0, Yardstick(("skipper",)))
        self.costs, self.pairs = costs, dict[int, int]()

    def advice(self, ply: int) -> Steps[Decision]:
        yield None
        return Decision("better" if ply in self.costs else self.match.plies[ply].action, "", "")

    def gain(self, ply: int, n: int, taken: Any, other: Any) -> Steps[Estimate]:
        self.pairs[ply] = n
        yield None
        return self.costs[ply], 0.5 / n**0.5


def test_what_may_have_cost_most_is_played_out_most() -> None:
    match = over("on-patrol", "skipper", 1)
    own = [ply for ply, each in enumerate(match.plies) if each.by == 0][:12]
    judge = Pairs(match, dict.fromkeys(own, 0.0) | {own[-1]: 0.4})
    game = Review(0, (Point(0, 1, 0),), (Turn(1, match.ply, SEVERAL, -1, 0),))
    found = run(Awaited("mistakes", lambda: _mistakes(judge, game, 16, 8, lambda _: None)))
    assert [each.ply for each in found.mistakes] == [own[-1] + 1] and found.mistakes[0].sure
    assert judge.pairs[own[-1]] == max(judge.pairs.values()) > 3 * min(judge.pairs.values())
    assert sum(judge.pairs.values()) <= 16 * 8


def test_an_action_taken_is_worth_what_came_of_it() -> None:
    judge, ply = Judge(played(*LOST), 0, Yardstick(("admiral",))), 1
    value = run(Awaited("value", lambda: judge.value(ply, 2, judge.match.plies[ply].action)))
    assert value == run(Awaited("after", lambda: judge.value(ply + 1, 2))) and len(judge._ends) == 1


def test_a_judge_plays_nothing_out_twice(blunder):
    judge = Judge(played(*LOST), 0, Yardstick(("admiral",)))
    run(review(judge, 1, 3))
    assert run(review(judge, 2)) == blunder


def over(name: str, who: str, seed: int) -> Match:
    match, captain, rng = Match.new(load(name), seed), player(who, name), np.random.default_rng(seed)
    while not match.over:
        match.play(captain.decide(match.observe(), match.legal(), rng).action)
    return match


def test_a_patrol_is_measured_exactly_and_its_luck_and_skill_add_up():
    match = over("uss-lox", "harper", 3)
    found = run(review(Judge(match, 0, package("uss-lox").offered("REVIEW", None))))
    values = [point.value for point in found.points]
    assert values[-1] == match.outcome.scores[0] and not any(point.error for point in found.points)
    assert found.skill + found.luck == pytest.approx(values[-1] - values[0]) and found.skill < 0 and not found.others
    worst = found.mistakes[0]
    assert (worst.ply, str(worst.taken), str(worst.better)) == (8, "attack 1", "attack 3")
    (shot,) = (turn for turn in found.turns if turn.first == turn.last == 8)
    assert worst.cost == pytest.approx(-shot.change) and found.unit == "t"


def test_a_scratch_is_judged_by_what_was_known_not_by_what_it_found():
    match = over("task-force", "hunter", 2)
    judge = Judge(match, 0, package("task-force").offered("REVIEW", None))
    first = next(number for number, ply in enumerate(match.plies) if ply.by == 0)
    other = match.branch(first + 1)
    worlds = [run(Awaited("world", lambda number=number: judge._start(first, number))) for number in range(4)]
    seen = [match.game.observe(world, 0) for world in worlds]
    assert all(each == match.game.observe(match.at(first), 0) for each in seen)
    assert len({world.fleet for world in worlds}) > 1, "the fleet may lie elsewhere"
    assert other.analysis


def test_a_hunt_is_won_with_the_points_of_its_goal():
    match, worth = over("on-patrol", "skipper", 1), package("on-patrol").offered("REVIEW", None).worth
    assert match.outcome.result == "win" and worth(match.game, match.state, 0) == 1.0
    assert worth(match.game, match.at(0), 0) == 0.0


def test_what_is_found_is_told_as_it_is_found_the_end_first() -> None:
    match, told = played(*LOST), list[Review]()
    found = run(review(Judge(match, 0, Yardstick(("admiral",))), 4, 8, told.append))
    assert told[0].points == found.points[-1:] and not told[0].turns, "the end takes no play-out"
    looked = [len(each.points) for each in told]
    assert looked == sorted(looked) and looked[1] == 2 and told[-1].points == found.points
    assert told[-1].mistakes == found.mistakes != () == told[1].mistakes
