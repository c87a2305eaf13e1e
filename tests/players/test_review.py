"""The review: chances between the turns of a game, and the move that lost it."""

from __future__ import annotations
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from navalkit.core.awaited import Awaited, Steps, run
from navalkit.core.match import Match
from navalkit.core.registry import load, package
from navalkit.core.trace import Decision
from navalkit.games.fleet_action import FleetAction
from navalkit.games.uss_lox.measures import ABOUT, COUNTED, doubts, levels
from navalkit.games.uss_lox.state import Phase as Step, State
from navalkit.players import player
from navalkit.players.review import (
    SEVERAL,
    SURE,
    Estimate,
    Judge,
    Mistake,
    Point,
    Review,
    Turn,
    Yardstick,
    mistakes,
    review,
)
from navalkit.view.lobby import suggested, tutorial
from ..samples import sizes

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


def test_what_the_player_decided_is_summed_up_as_far_as_it_is_told_apart(blunder):
    match = played(*LOST)
    own = [ply for ply, each in enumerate(match.plies) if each.by == 0]
    assert 0 < blunder.apart(match) <= 1
    told = Review(0, (), (Turn(own[0] + 1, own[0] + 1, 0, -1, 0), Turn(own[0] + 2, match.ply, SEVERAL, 0, 0)))
    assert told.apart(match) == 1 / len(own)


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
        self.costs, self.pairs, self.anew = costs, dict[int, int](), dict[int, int]()

    def advice(self, ply: int) -> Steps[Decision]:
        yield None
        return Decision("better" if ply in self.costs else self.match.plies[ply].action, "", "")

    def gain(self, ply: int, n: int, taken: Any, other: Any, first: int = 0) -> Steps[Estimate]:
        yield None
        if first:
            self.anew[ply] = n - first
            return self.costs[ply] / 2, 0.5 / (n - first) ** 0.5
        if ply not in self.anew:
            self.pairs[ply] = n
        return self.costs[ply], 0.5 / n**0.5


class Noisy(Pairs):
    """Whose pairs of games differ by what is given for each step."""

    def gain(self, ply: int, n: int, taken: Any, other: Any, first: int = 0) -> Steps[Estimate]:
        yield from super().gain(ply, n, taken, other, first)
        pairs = self.costs[ply][first:n]
        return float(np.mean(pairs)), float(np.std(pairs) / max(1, len(pairs) - 1)**0.5)


def test_what_may_have_cost_most_is_played_out_most() -> None:
    match = over("on-patrol", "skipper", 1)
    own = [ply for ply, each in enumerate(match.plies) if each.by == 0][:12]
    judge = Pairs(match, dict.fromkeys(own, 0.0) | {own[-1]: 0.4})
    game = Review(0, (Point(0, 1, 0),), (Turn(1, match.ply, SEVERAL, -1, 0),))
    found = run(Awaited("mistakes", lambda: mistakes(judge, game, 16, 8, lambda _: None)))
    assert [each.ply for each in found.mistakes] == [own[-1] + 1] and found.mistakes[0].sure
    assert judge.pairs[own[-1]] == max(judge.pairs.values()) > 3 * min(judge.pairs.values())
    assert sum(judge.pairs.values()) <= 16 * 8
    assert judge.anew == {own[-1]: 2 * judge.pairs[own[-1]]} and found.mistakes[0].cost == 0.2, "by other pairs"


def test_a_mistake_costs_what_other_games_say_than_those_it_was_named_by() -> None:
    """Orders that are all alike: the worst of them looked costlier than it is, in the games it was named by."""
    rng, truth, told, named_by = np.random.default_rng(7), 0.5, [], []
    match = over("on-patrol", "skipper", 1)
    own = [ply for ply, each in enumerate(match.plies) if each.by == 0][:12]
    game = Review(0, (Point(0, 1, 0),), (Turn(1, match.ply, SEVERAL, -1, 0),))
    for _ in range(200):
        judge = Noisy(match, {ply: rng.normal(truth, 1, 400) for ply in own})
        found = run(Awaited("mistakes", lambda judge=judge: mistakes(judge, game, 24, 8, lambda _: None)))
        for each in found.mistakes[:3]:
            if each.sure:
                told.append(each.cost)
                named_by.append(float(np.mean(judge.costs[each.ply - 1][: judge.pairs[each.ply - 1]])))
    assert len(told) > 300 and np.mean(named_by) - truth > 0.3, "as it was stated once"
    assert abs(np.mean(told) - truth) < 0.1, "a few that cost little are taken back, so that it stays a little too high"



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


def test_a_patrol_is_measured_by_tables_and_its_luck_and_skill_add_up():
    match = over("uss-lox", "harper", 3)
    found = run(review(Judge(match, 0, package("uss-lox").offered("REVIEW", None))))
    values = [point.value for point in found.points]
    assert values[-1] == match.outcome.scores[0]
    assert found.points[0].error == COUNTED * 81 and found.points[-1].error == 0
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


HIDING = {
    "wolf-pack": ({"transports": 1, "u_boats": 1}, "greedy"),
    "task-force": ({"rows": 5, "columns": 5, "deep": 3, "fleet": "tiny"}, "hunter"),
    "fleet-action": ({"scenario": "build_your_own", "blue": "Norfolk", "red": "Fletcher", "light": "night"}, "gunnery"),
}


@pytest.mark.parametrize("name", HIDING)
def test_worlds_look_as_what_the_player_saw_and_what_was_hidden_changes_no_review(name: str) -> None:
    options, who = HIDING[name]
    game, rng = load(name, **options), np.random.default_rng(4)
    match, captain, yardstick = Match.new(game, 4), player(who, game), package(name).offered("REVIEW", None)
    while not match.over:
        match.play(captain.decide(match.observe(), match.legal(), rng).action)
    own = [ply for ply, each in enumerate(match.plies) if each.by == 0]
    for ply in own[:: max(1, len(own) // 4)]:
        seen = game.observe(match.at(ply), 0)
        worlds = run(Awaited(ply, lambda seen=seen: yardstick.worlds(game, seen, 3, rng)))
        assert all(game.observe(each, 0) == seen and game.legal(each) == game.legal(match.at(ply)) for each in worlds)
    ply = own[len(own) // 2]
    legal = game.legal(match.at(ply))
    found = [Judge(match, 0, yardstick), Elsewhere(match, 0, yardstick, worlds=run(_worlds(match, ply)))]
    gains = [run(Awaited(judge, lambda judge=judge: judge.gain(ply, 3, legal[0], legal[-1]))) for judge in found]
    assert gains[0] == gains[1]


def _worlds(match: Match, ply: int) -> Awaited[Any]:
    seen, worlds = match.game.observe(match.at(ply), 0), package(match.game.name).offered("REVIEW", None).worlds
    return Awaited("worlds", lambda: worlds(match.game, seen, 1, np.random.default_rng(9)))


class Elsewhere(Judge):
    """A judge of a match in which something else was hidden."""

    def __init__(self, match: Match, me: int, yardstick: Yardstick, worlds: Any) -> None:
        super().__init__(match, me, yardstick)
        self.match = _Swapped(match, worlds[0])  # type: ignore[assignment]


class _Swapped:
    def __init__(self, match: Match, state: Any) -> None:
        self.game, self.plies, self._state = match.game, match.plies, state

    def at(self, ply: int) -> Any:
        return self._state


def test_what_costs_less_than_a_trifle_is_no_mistake_however_sure() -> None:
    assert not Mistake(1, "a", "b", 0.02, 0.001, 0.03).sure and not Mistake(1, "a", "b", 0.02, 0.001, 0.03).open
    assert Mistake(1, "a", "b", 0.2, 0.05, 0.03).sure and not Mistake(1, "a", "b", 0.2, 0.07, 0.03).sure


def seated(who: str, spy: Any = None) -> Judge:
    """The judge of a game of Wolf Pack in which that player had the convoy."""
    match, rng = Match.new(load("wolf-pack", transports=1, u_boats=1), 3, ["Ada", who]), np.random.default_rng(3)
    while not match.over:
        match.play(player("greedy", match.game).decide(match.observe(), match.legal(), rng).action)
    yardstick = package("wolf-pack").offered("REVIEW", None)
    return Judge(match, 0, replace(yardstick, rest=spy) if spy else yardstick)


@pytest.mark.parametrize(("who", "plays"), [
    ("careful", ["careful"]), ("kestrel", ["careful"]), ("greedy", ["greedy"]), ("brandt", ["greedy"]),
    ("Bob", ["careful", "greedy"]),
])  # fmt: skip
def test_the_other_side_is_played_out_as_it_was_played(who: str, plays: list[str]) -> None:
    """And of anybody else by careful players, as hints assume; but a mistake must be one against a greedy one too."""
    met = set[tuple[str, ...]]()

    def spy(game: Any, state: Any, me: int, crew: Any, rng: Any) -> float:
        met.add(tuple(each.name for each in crew))
        return 0.5

    judge = seated(who, spy)
    ply = next(n for n, each in enumerate(judge.match.plies) if each.by == 0)
    legal = judge.match.game.legal(judge.match.at(ply))
    run(Awaited("value", lambda: judge.value(ply, 8)))
    assert met == {("careful", plays[0])}
    run(Awaited("gain", lambda: judge.gain(ply, 8, legal[0], legal[-1])))
    assert met == {("careful", each) for each in plays}


def test_against_whom_nobody_knows_a_mistake_is_as_large_as_against_the_kinder_opponent() -> None:
    judges, told = [seated(who) for who in ("careful", "greedy", "Bob")], 0
    match = judges[0].match
    for ply in [n for n, each in enumerate(match.plies) if each.by == 0][::3]:
        legal = match.game.legal(match.at(ply))
        gains = [run(Awaited(judge, lambda judge=judge, ply=ply, legal=legal: judge.gain(ply, 40, legal[0], legal[-1])))
                 for judge in judges]
        assert gains[2] == min(gains[:2], key=lambda each: each[0] - SURE * each[1])
        told += gains[0] != gains[1]
    assert told


@sizes("games", 1, 6)
def test_who_obeys_every_hint_of_wolf_pack_has_made_no_mistake(games: int) -> None:
    """Though the review compares with the orders of a simpler player, who would have given others."""
    others = 0
    for seed in range(2, 2 + games):
        game, yardstick = load("wolf-pack", transports=1, u_boats=1), package("wolf-pack").offered("REVIEW", None)
        match, rng = Match.new(game, seed, ["Ada", "careful"]), np.random.default_rng(seed)
        hints, careful = player("ismcts", game), player("careful", game)
        while not match.over:
            dice = np.random.default_rng(match.ply) if match.turn == 0 else rng
            captain = hints if match.turn == 0 else careful
            match.play(captain.decide(match.observe(), match.legal(), dice).action)
        judge = Judge(match, 0, yardstick)
        whole = Review(0, (Point(0, 1, 0),), (Turn(1, match.ply, SEVERAL, -1, 0),))
        looked = partial(mistakes, judge, whole, 2, 40, lambda so_far: None)
        assert run(Awaited("none", looked)).mistakes == ()
        own = [ply for ply, each in enumerate(match.plies) if each.by == 0]
        others += sum(judge.advised(ply).action != match.plies[ply].action for ply in own)
    assert others


def test_dice_are_held_against_what_was_to_be_expected_of_them() -> None:
    """She sinks on the last salvo, or does not: what the dice did is what the game was worth before and after them."""
    match = over("wolf-pack", "greedy", 5)
    judge = Judge(match, 0, package("wolf-pack").offered("REVIEW", None))
    first = next(n for n, each in enumerate(match.plies) if each.by >= 0)
    luck, error = run(Awaited("dice", lambda: judge.dice(1, first, 12)))
    assert abs(luck) < 1 and 0 < error < 1
    assert run(Awaited("none", lambda: judge.dice(first + 1, first + 1, 4))) == (0, 0), "nothing was thrown"


@pytest.mark.parametrize("name", ["fleet-action", "on-patrol", "task-force", "uss-lox", "wolf-pack"])
def test_orders_of_the_first_game_are_never_its_mistakes(name: str) -> None:
    first = tutorial(name)
    game = load(name, **first.options)
    match, rng = Match.new(game, first.seed), np.random.default_rng(0)
    others = [player(seat or "random", game) for seat in first.seats] or [player("random", game)]
    for step in (each for each in first.steps if each.order):
        while match.turn != 0:
            match.play(others[match.turn].decide(match.observe(), match.legal(), rng).action)
        match.play(step.order)
    given = suggested(match, 0)
    assert given == {ply for ply, each in enumerate(match.plies) if each.by == 0}
    judge = Judge(match, 0, package(name).offered("REVIEW", None), given=given)
    whole = Review(0, (Point(0, 1, 0),), (Turn(1, match.ply, SEVERAL, -1, 0),))
    assert run(Awaited("mistakes", lambda: mistakes(judge, whole, 2, 2, lambda _: None))).mistakes == ()
    assert not suggested(Match.new(game, first.seed + 1), 0)


@pytest.mark.parametrize("home", [False, True])
@pytest.mark.parametrize("unseen", [9, 10, 11, 12])
def test_the_level_of_lox_is_exact_where_its_orders_are(unseen: int, home: bool) -> None:
    """Whatever the goal is: with it more or fewer cards are counted out."""
    game, seen = load("uss-lox", home=home), sum(1 << card for card in range(unseen, 52))
    state = State(Step.TARGET, patrol=1, ocean=(0, 1, 2), supply=(3, 4), deck=tuple(range(5, unseen)), ship=51,
                  role="target", seen=seen)
    yardstick = package("uss-lox").offered("REVIEW", None)
    level, doubt = yardstick.level(game, state), yardstick.doubt(game, state)
    assert (level == 0) == (doubt == 0)


@pytest.mark.slow
def test_the_tables_of_uss_lox_are_as_far_off_as_is_said() -> None:
    found = np.array(doubts(load("uss-lox"), range(200, 210), 20_000))
    assert ABOUT / 3 < float((found[:, 0] ** 2).mean() ** 0.5) < 1.5 * ABOUT


@pytest.mark.slow
def test_the_level_of_lox_is_as_far_off_as_the_curve_draws_it():
    game = load("uss-lox")
    found = levels(game, range(9000, 9004), 20_000)
    for state, more, error in found:
        assert abs(more) < package("uss-lox").offered("REVIEW", None).level(game, state) + ABOUT + 3 * error
    starts = [(more, error) for state, more, error in found if not state.seen]
    assert all(abs(more - COUNTED * 81) < 3 * error + 60 for more, error in starts)
