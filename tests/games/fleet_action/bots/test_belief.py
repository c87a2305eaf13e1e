"""What captains believe about hidden enemies: walks, discs, what is kept in mind, and that nothing else enters."""

from __future__ import annotations
from collections import defaultdict
from itertools import permutations
from math import prod

import numpy as np
import pytest

import navalkit as nk
from navalkit.core.game import TERMINAL
from navalkit.games.fleet_action import FleetAction
from navalkit.games.fleet_action.bots import belief
from navalkit.games.fleet_action.bots.belief import FIGURES, assigned, believe
from navalkit.games.fleet_action.bots.sea import Sea
from navalkit.games.fleet_action.rules.sailing import ways
from navalkit.games.fleet_action.sight import permute
from navalkit.games.fleet_action.state import HIDDEN, Fate, Sighting
from navalkit.grids.square import ahead, distance, step_cost
from navalkit.players import player
from navalkit.testing import finding, said
from ....sentences import FLEET_BOTS
from ..battles import Story, battle

DARK = ("night_action", {}), ("raider_hunt", {}), ("iowa_convoy", {"light": "night"})


def walk(battle_, square, heading, allowance):
    """All walks of one move, one after the other: the chance of each place where one ends."""
    found = defaultdict(float)

    def on(square, heading, left, chance, fresh):
        steps = {}
        for turn, weight in ((0, 1.0), (1, FIGURES["belief_turn"]), (7, FIGURES["belief_turn"])):
            course = (heading + turn) % 8
            to = ahead(battle_.grid, square, course)
            sides = [ahead(battle_.grid, square, (course + by) % 8) for by in (1, 7)]
            squeezed = course % 2 and all(side in battle_.land for side in sides)
            if to is not None and to not in battle_.land and not squeezed:
                steps[course, to] = weight
        total = sum(steps.values()) + FIGURES["belief_stop"]
        stays = chance
        for (course, to), weight in steps.items():
            cost = step_cost(course)
            if left and (cost <= left or (fresh and allowance == 1)):
                stays -= chance * weight / total
                on(to, course, max(0, left - cost), chance * weight / total, False)
        found[square, heading] += stays

    about = FIGURES["belief_about"] if allowance else 0.0
    on(square, heading, allowance, 1 - about, True)
    if about:
        on(square, (heading + 4) % 8, allowance - 1, about, False)
    return found


@pytest.mark.parametrize("allowance", range(6))
@pytest.mark.parametrize("place", [("D5", 2), ("B8", 5), ("A1", 7)])
def test_a_walk_is_the_sum_of_all_walks(allowance, place):
    """Land lies round D5 so that ships squeeze between, and the edge of the board is near."""
    game = battle("Ajax A5 E", "Emden W5 W", more='coast = ["E4", "F5", "C6", "B7", "A8"]\n')
    square, heading = game.battle.grid.number(place[0]), place[1]
    start = np.zeros((game.battle.grid.size, 8))
    start[square, heading] = 1.0
    found = belief._move(game.battle, 1, allowance, 1, start)
    slow = walk(game.battle, square, heading, allowance)
    possible = {there for there, chance in slow.items() if chance > 1e-15}
    assert {(int(s), int(h)) for s, h in zip(*np.nonzero(found > 1e-15), strict=True)} == possible
    for there, chance in slow.items():
        assert found[there] == pytest.approx(chance, abs=1e-12)
    legal = set(ways(game.battle.grid, game.battle.land, square, heading, allowance, frozenset()))
    assert possible == legal | {(square, heading)}


def test_two_moves_are_a_walk_from_wherever_the_first_has_ended():
    game = battle("Ajax A5 E", "Emden W5 W", more='coast = ["T4"]\n')
    square = game.battle.grid.number("W5")
    slow = defaultdict(float)
    for (there, heading), chance in walk(game.battle, square, 6, 3).items():
        for end, further in walk(game.battle, there, heading, 4).items():
            slow[end] += chance * further
    found = belief._walked(game.battle, 1, ((square, 6),), 0, (3, 4))
    assert found.sum() == pytest.approx(1.0) and np.count_nonzero(found > 1e-15) == len(slow)
    assert all(found[end] == pytest.approx(chance, abs=1e-12) for end, chance in slow.items())


@pytest.mark.parametrize("count", range(1, 7))
def test_discs_are_given_to_ships_as_all_ways_together_say(count):
    weights = np.random.default_rng(count).random((count, count)) ** 4
    ways_ = {way: prod(weights[k, ship] for k, ship in enumerate(way)) for way in permutations(range(count))}
    slow = np.zeros((count, count))
    for way, chance in ways_.items():
        for k, ship in enumerate(way):
            slow[k, ship] += chance / sum(ways_.values())
    assert np.allclose(assigned(weights), slow)


def test_many_discs_are_looked_at_one_by_one():
    found = assigned(np.random.default_rng(1).random((belief.EXACT + 2,) * 2))
    assert np.allclose(found.sum(axis=1), 1) and (found > 0).all()


def decisions(scenario, options, seed):
    """The decisions of a battle between two admirals."""
    game = FleetAction(scenario=scenario, **options)
    seats = [player("admiral", game) for _ in range(2)]
    match, rng = nk.Match.new(game, seed), np.random.default_rng(seed)
    while match.turn != TERMINAL and match.state.move < 7:
        yield match
        match.play(seats[match.turn].decide(match.observe(), match.legal(), rng).action)


@pytest.mark.parametrize("scenario, options", DARK, ids=[row[0] for row in DARK])
def test_beliefs_hold_the_truth_and_hang_on_the_observation_alone(scenario, options):
    """The place of every hidden ship is held possible; another state that looks the same is believed the same; and the
    right ship is thought likelier than any would be by lot."""
    rng, logs, hidden = np.random.default_rng(5), [], 0
    for match in decisions(scenario, options, 4):
        game, side, state = match.game, match.turn, match.state
        seen = match.observe()
        found = believe(seen)
        assert found.ships == tuple(n for n in game.battle.fleet(1 - side) if seen.view.ships[n].square == HIDDEN)
        if not found.ships:
            continue
        assert np.allclose(found.places.sum(axis=(1, 2)), 1) and np.allclose(found.which.sum(axis=0), bool(found.discs))
        for row, n in enumerate(found.ships):
            there = float(found.places[row, state.ships[n].square].sum())
            assert there > 0
            hidden += 1
            if found.discs:
                logs.append(np.log(there * len(found.discs)))
        other = game.observe(permute(game.battle, state, side, rng), side)
        assert other == seen
        again = believe(other)
        assert again.discs == found.discs and np.array_equal(again.which, found.which)
        assert np.array_equal(again.places, found.places)
    assert hidden > 20
    if scenario == "iowa_convoy":
        assert np.mean(logs) > 0.7, "by lot it would be 0"


def test_where_a_ship_was_lost_from_sight_is_kept_in_mind():
    """By night Emden is known two squares off; when she has gone, that is where she is followed from."""
    story = Story(battle("Ajax E5 E", "Emden G5 W, Cossack R5 W", light="night"), first="red")
    assert story.state.ships[1].seen is None
    story.play("Emden: I5 E")
    last = Sighting(story.battle.grid.number("G5"), 6, 0)
    assert story.state.ships[1].seen == last
    seen = story.game.observe(story.state, 0)
    assert seen.view.ships[1].square == HIDDEN and seen.view.ships[1].seen == last
    assert story.game.observe(story.state, 1).view.ships[1].seen is None, "her own side's page says nothing of it"
    assert believe(seen).which[0] == pytest.approx([1, 0], abs=1e-6), "Cossack cannot have come so far"
    story.next_move().next_move()
    assert story.state.ships[1].seen == last and story.state.ships[1].fate is Fate.AT_SEA
    story.hurt("Emden", marked=True).play("done")
    assert story.state.ships[1].seen is None


def test_behind_the_screen_ships_spread_over_their_own_half():
    story = Story(battle("Ajax C5 E", "Emden V5 W", more="hidden = 12\n", hidden_start="on"))
    before = believe(story.game.observe(story.state, 0))
    assert before.places[0, story.battle.grid.number("V5"), 6] == 1
    after = believe(story.next_move().next_move().game.observe(story.state, 0))
    where = np.flatnonzero(after.places[0].sum(axis=1))
    assert len(where) > 20 and set(where.tolist()) <= story.battle.halves[1] - story.battle.land


def test_discs_that_will_still_move_are_feared_and_aimed_at_where_they_may_go():
    story = Story(battle("Ajax C5 E", "Cossack J5 W", light="night"), first="blue")
    (foe,) = Sea(story.game.observe(story.state, 0)).foes
    assert foe.square == story.battle.grid.number("J5") and len(set(foe.places.squares.tolist())) > 5
    assert foe.likely.sum() == pytest.approx(1.0) and foe.likely.argmax() == 0
    (still,) = Sea(story.game.observe(story.state, 0), {**FIGURES, "belief": 0.0}).foes
    assert set(still.places.squares.tolist()) == {foe.square}


def test_in_fog_a_disc_is_not_thought_to_go_far():
    story = Story(battle("Ajax C5 E", "Cossack W5 W", weather="on"), first="blue")
    story.play("weather 1 1", "weather 2 6", "weather 3 1", "weather 4 6")
    seen = story.game.observe(story.state, 0)
    places = belief.onward(seen, 1, believe(seen).places[0])
    lies = story.battle.grid.number("W5")
    assert seen.discs == (lies,)
    assert max(distance(story.battle.grid, lies, int(square)) for square in np.nonzero(places)[0]) <= 2


def test_reasons_tell_what_was_believed():
    story = Story(battle("Ajax C5 E", "Cossack J5 W, Emden V5 W", light="night"), first="blue")
    decision = player("admiral", story.game).decide(
        story.game.observe(story.state, 0), story.game.legal(story.state), np.random.default_rng(1)
    )
    told = finding(decision, "F31")
    said(told.question, FLEET_BOTS, "disc.ask", square="J5")
    assert "Cossack" in told.verdict and [mark.at for mark in told.facts[0].marks] == [("J5",)]
