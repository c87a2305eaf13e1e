"""The players of Fleet Action: honest, repeatable, always legal, with reasons; and in the right order."""

from __future__ import annotations
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import navalkit as nk
from navalkit.core.errors import IllegalActionError
from navalkit.core.game import TERMINAL
from navalkit.games.fleet_action import FleetAction, odds, prospects
from navalkit.games.fleet_action.bots import belief as ai_power
from navalkit.games.fleet_action.bots.belief import FAR, Chart, sailing_distance
from navalkit.games.fleet_action.bots.sea import Sea, fighting_range, range_values
from navalkit.games.fleet_action.cards import allowance, ship
from navalkit.games.fleet_action.sight import NIGHT_SIGHT, permute
from navalkit.games.fleet_action.state import HIDDEN, Done, Fate, Guns, Leave, Move, Phase, Sweep, Torpedoes, Turret
from navalkit.grids.square import bearing, clear, distance
from navalkit.players import player
from navalkit.players.meeting import Meeting
from navalkit.prob.intervals import wilson
from navalkit.testing import refused, said
from ....samples import sizes
from ....sentences import FLEET_BOTS
from ..battles import Story, battle

NAMES = ("gunnery", "admiral")
BATTLES = {
    "river_plate": {"scenario": "river_plate"},
    "cruisers": {
        "scenario": "build_your_own",
        "blue": "Ajax, Norfolk, Fletcher, Jenkins",
        "red": "Achilles, Exeter, Radford, Cossack",
    },
}
SCENARIOS = ("river_plate", "night_action", "raider_hunt", "mined_strait", "iowa_convoy", "denmark_strait")


def decide(name, story_or_match, seed=1):
    game = story_or_match.game
    state = story_or_match.state
    side = game.turn(state)
    return player(name, game).decide(game.observe(state, side), game.legal(state), np.random.default_rng(seed))


def objective(side, aim, points, of=""):
    return f'[[objective]]\nside = "{side}"\naim = "{aim}"\npoints = {points}\n' + f"of = {of}\n" * bool(of)


def positions(scenario, seed, every, moves=3):
    """Decisions along the beginning of a battle between an admiral and a gunner."""
    game = FleetAction(scenario=scenario, moves=moves)
    seats = [player(name, game) for name in ("admiral", "gunnery")]
    match, rng = nk.Match.new(game, seed), np.random.default_rng(seed)
    while match.turn != TERMINAL:
        if match.ply % every == 0:
            yield match
        match.play(seats[match.turn].decide(match.observe(), match.legal(), rng).action)


# All players ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_orders_are_legal_reasoned_repeatable_and_honest(scenario):
    rng = np.random.default_rng(3)
    cells = None
    for match in positions(scenario, 2, 11):
        game, side, legal = match.game, match.turn, match.legal()
        seen = match.observe()
        cells = set(game.battle.grid.names)
        other = permute(game.battle, match.state, side, rng)
        for name in NAMES:
            one = player(name, game).decide(seen, legal, np.random.default_rng(1))
            assert one.action in legal and one.reason and one.by == name
            assert one.options[0].action == one.action or isinstance(one.action, Done)
            assert all(option.rejected == "" for option in one.options if option.action == one.action)
            assert all(finding.rule in game.rules() for finding in one.findings)
            assert {cell for mark in one.marks() for cell in mark.at} <= cells
            again = player(name, game).decide(seen, legal, np.random.default_rng(2))
            assert again.explain() == one.explain()
            assert game.observe(other, side) == seen
            masked = player(name, game).decide(game.observe(other, side), game.legal(other), np.random.default_rng(1))
            assert masked.explain() == one.explain()
    assert cells


@pytest.mark.parametrize("name", ["admiral", "gunnery"])
def test_of_orders_in_a_row_each_has_a_reason_of_its_own(name):
    """The same reason for six orders in a row would say nothing of any."""
    match, last, fired = nk.Match.new("fleet-action", seed=3), ("", -1), 0
    while fired < 12:
        decision, side = decide(name, match), match.turn
        if isinstance(decision.action, Guns | Torpedoes):
            assert (str(decision.reason), side) != last
            fired, last = fired + 1, (str(decision.reason), side)
        match.play(decision.action)


def test_F36_what_is_told_of_a_move_adds_up_to_what_it_gains():
    """What it is worth there and where she lies: their difference is the gain, and the parts told make the sum."""
    told = 0
    for match in positions("river_plate", 3, every=1):
        decision = decide("admiral", match)
        facts = [fact for finding in decision.findings for fact in finding.facts if finding.question.key == "sum.ask"]
        if not isinstance(decision.action, Move) or len(facts) != 2:  # a division has a sum for each of its ships
            continue
        there, here = (float(fact.value) for fact in facts)
        assert there - here == pytest.approx(decision.options[0].value, abs=0.11)
        keys = {finding.question.key: finding for finding in decision.findings}
        parts = [(sign, fact.value) for key, sign in (("hit.ask", 1), ("hurt.ask", -1), ("later.ask", 1))
                 for fact in keys[key].facts]
        if not keys.keys() & {"task.ask", "mines.ask", "formation.ask"}:
            assert sum(sign * float(value) for sign, value in parts) == pytest.approx(there, abs=0.35)
            told += 1
    assert told


def test_a_player_out_of_turn_is_refused():
    match = nk.Match.new("fleet-action", seed=1)
    for name in NAMES:
        with refused(IllegalActionError, FLEET_BOTS, "out_of_turn"):
            player(name, match.game).decide(match.observe(1 - match.turn), match.legal(), np.random.default_rng(1))


def test_what_is_hidden_is_not_in_the_observation_players_get():
    match = nk.Match.new(FleetAction(scenario="night_action"), seed=1)
    view = match.observe().view
    assert any(ship.square == HIDDEN for ship in view.ships)
    for name in NAMES:
        assert decide(name, match).action in match.legal()


def test_two_discs_in_one_square_are_two():
    """Destroyers share a square, so that by night two discs lie in one: players weigh each, and know which is which."""
    story = Story(battle("Exeter C4 E, Ajax D4 E", "Cossack H4 W, Fletcher H4 W", light="night"))
    while story.state.phase is Phase.MOVE and story.state.side != 0:
        story.done()
    seen = story.game.observe(story.state, 0)
    assert len(seen.discs) == 2 and len(set(seen.discs)) == 1
    one, two = Sea(seen).foes
    assert one != two and one.square == two.square
    for name in NAMES:
        choice = player(name, story.game).decide(seen, story.game.legal(story.state), np.random.default_rng(1))
        assert choice.action in story.game.legal(story.state) and choice.reason


def test_by_night_the_admiral_fights_and_fears_no_further_than_ships_are_seen():
    seas = {}
    for light in ("day", "night"):
        story = Story(battle("Iowa C4 E, Ajax D4 E", "Cossack R4 W, Fletcher S6 W", light=light))
        while story.state.phase is Phase.MOVE and story.state.side != 0:
            story.done()
        seas[light] = Sea(story.game.observe(story.state, 0))
    assert fighting_range(seas["night"], 0) == NIGHT_SIGHT < fighting_range(seas["day"], 0)
    pulled = {light: -range_values(sea, 0, 20)[0] for light, sea in seas.items()}
    beyond = NIGHT_SIGHT + max(allowance(ship(name).speed)[0] for name in ("Iowa", "Cossack", "Fletcher")) + 1
    steps = np.diff(pulled["night"][beyond:])
    assert np.allclose(steps, steps[0]) and steps[0] > 0, "beyond one move and sight nothing but the pull is left"


# What they calculate with --------------------------------------------------------------------------------------------


def test_the_chart_agrees_with_the_geometry_of_the_rules():
    game = FleetAction(scenario="mined_strait")
    grid, land = game.battle.grid, game.battle.land
    chart = Chart(grid, land)
    squares = range(0, grid.size, 7)
    sight = chart.sight(np.array(squares), land)
    for row, (a, b) in ((i, (a, b)) for i, a in enumerate(squares) for b in squares):
        assert chart.distance[a, b] == distance(grid, a, b) and chart.bearing[a, b] == bearing(grid, a, b)
        assert sight[row, b] == (distance(grid, a, b) < FAR and clear(grid, a, b, land))


def test_ways_by_sea_go_round_the_land():
    game = FleetAction(scenario="mined_strait")
    grid, land = game.battle.grid, game.battle.land
    far = sailing_distance(grid, land, frozenset((grid.number("D3"),)))
    assert far[grid.number("D3")] == 0 and far[grid.number("D5")] == 2
    sea = [s for s in range(grid.size) if s not in land and 0 < far[s] < 999]
    assert all(far[s] == 1 + min(far[n] for n in grid.neighbours[s]) for s in sea)
    assert far[grid.number("J3")] > distance(grid, grid.number("D3"), grid.number("J3"))


@pytest.mark.parametrize("name", ["Iowa", "Exeter", "Fubuki"])
@pytest.mark.parametrize("far, relative", list(product((1, 3, 6, 8), (0, 1, 2, 4))))
def test_mean_damage_is_that_of_the_odds(name, far, relative):
    card = ship(name)
    guns = ai_power.gun_power(card, (0,) * len(card.mounts))
    assert guns[far, relative] == pytest.approx(float(odds.broadside(name, far, relative).mean))


@pytest.mark.parametrize("left", [66, 500])
def test_torpedoes_do_no_more_than_sink(left):
    card = ship("Fubuki")
    table_ = ai_power.torpedo_power(card, 0b011, left, 5000)
    for shown, aspect in enumerate(ai_power.SIDES_SHOWN):
        fire = odds.torpedoes("Type 93", 6, aspect)
        mean = sum(float(p) * min(d, left) for d, p in fire.items())
        assert table_[5, shown] == table_[0, shown] == pytest.approx(mean)
    assert not table_[6:].any() and not ai_power.torpedo_power(card, 0, left, 5000).any()


# What they do -----------------------------------------------------------------------------------------------------


def test_gunnery_closes_until_its_guns_bear():
    story = Story(battle("Ajax A5 E", "Emden P5 W"))
    decision = decide("gunnery", story)
    said(decision.reason, FLEET_BOTS, "why.approach", who="Ajax")
    assert isinstance(decision.action, Move)
    near = Story(battle("Ajax A5 E", "Emden H5 W"))
    near.play(str(decide("gunnery", near).action)).to_fire(0)
    whole = odds.broadside("Ajax", 5).mean  # all her guns in range bear
    order = Guns("Ajax", "Emden")
    assert prospects.volley(near.battle, near.state, order).mean >= whole * Fraction(9, 10)


def test_the_admiral_makes_a_torpedo_run_that_sinks_and_says_so():
    story = Story(battle("Fletcher E5 E, Jenkins E6 E", "Iowa J5 N"), first="red").done()
    while story.state.phase is Phase.MOVE:
        story.play(str(decide("admiral", story).action))
    iowa, ours = story.ship("Iowa").square, [story.ship(name).square for name in ("Fletcher", "Jenkins")]
    assert min(distance(story.battle.grid, square, iowa) for square in ours) <= 2  # as far as torpedoes run
    decision = decide("admiral", story)
    while not isinstance(decision.action, Torpedoes):
        story.play(str(decision.action))
        decision = decide("admiral", story)
    assert any(finding.rule == "F19" and "Iowa" in finding.question for finding in decision.findings)


def test_the_admiral_takes_a_convoy_out_by_its_exit():
    more = '[[exit]]\nside = "Blue"\nsquares = ["A5", "A6"]\n'
    aims = objective("Blue", "exit", 30) + objective("Red", "sink", 30)
    story = Story(battle("Altmark D5 W", "Emden W5 W", more=more, aims=aims))
    for _ in range(40):
        if story.state.phase is Phase.END:
            break
        story.play(str(decide("admiral", story).action))
    assert story.state.result == "blue" and "F12" in story.rules


def test_F12_who_is_paid_for_leaving_is_gone_in_time_when_nobody_stops_her():
    """Enemies far astern draw her back only while there are moves to spare."""
    for seed in (1, 2):
        game = FleetAction(scenario="rudder")
        match = nk.Match.new(game, seed)
        while not match.over:
            legal = match.legal()
            quiet = next((each for each in legal if isinstance(each, Done)), legal[0])
            admiral = match.turn == 1
            match.play(decide("admiral", match).action if admiral else quiet)
        assert match.state.ships[game.battle.numbers["Bismarck"]].fate is Fate.LEFT, seed


def test_the_admiral_counts_a_merchants_own_safety_on_her_way_out():
    """What is at stake with her draws her on; for the points alone, fear of the next blow drives her up and down."""
    game, away = FleetAction(scenario="iowa_convoy"), {}
    far = sailing_distance(game.battle.grid, game.battle.land, game.battle.exits[0])
    convoy = game.battle.divisions["Convoy"]
    for haven in (0.0, 1.0):
        match = nk.Match.new(game, 20001)
        seats = player("admiral", game, figures={"haven": haven}), player("commodore", game)
        while match.state.move < 5:
            side = match.turn
            order = seats[side].decide(match.observe(side), match.legal(), np.random.default_rng(1))
            match.play(order.action)
        away[haven] = sum(int(far[match.state.ships[n].square]) for n in convoy if match.state.ships[n].square >= 0)
    assert away[1.0] < away[0.0]


def test_a_last_ship_does_not_leave_a_battle_that_this_would_lose():
    more = '[[exit]]\nside = "Blue"\nsquares = ["A5"]\n'
    aims = objective("Blue", "exit", 5) + objective("Red", "damage", 9) + objective("Blue", "sink", 50)
    fresh = Story(battle("Ajax A5 W", "Emden F5 W", more=more, aims=aims))
    assert isinstance(decide("admiral", fresh).action, Leave)
    fresh.hurt("Ajax", damage=110)
    assert not isinstance(decide("admiral", fresh).action, Leave)


def test_the_admiral_sweeps_known_mines_and_goes_round_them():
    story = Story(battle("Halcyon E5 E", "Emden W9 W")).mine("E5", 1, known=True)
    assert decide("admiral", story).action == Sweep("Halcyon")
    story = Story(battle("Ajax E5 E", "Emden I5 W")).mine("F5", 1, known=True).mine("F4", 1, known=True)
    decision = decide("admiral", story)
    story.play(str(decision.action))
    assert story.game.turn(story.state) >= 0  # no mine dice are due


def test_the_turret_given_up_is_the_one_that_bears_least():
    story = Story(battle("Iowa E5 E", "Musashi J5 W"), phase=Phase.TURRETS)
    story.hurt("Iowa", damage=240)
    for name in NAMES:
        assert decide(name, story).action == Turret("Iowa", 2)  # the after turret, with the enemy right ahead


def test_in_fire_the_admiral_goes_by_what_the_scenario_pays():
    aims = objective("Blue", "sink", 100, '["Fletcher"]') + objective("Red", "sink", 10)
    story = Story(battle("Exeter E5 N", "Fletcher H5 N, Jenkins H6 N", aims=aims)).to_fire(0)
    assert decide("admiral", story).action.target == "Fletcher"


# Who beats whom ---------------------------------------------------------------------------------------------------


@sizes("games, at_least", (8, 0.0), (20, 0.5))
def test_gunnery_beats_random(games, at_least):
    result, _, _ = Meeting("fleet-action", options=BATTLES["cruisers"]).meet("gunnery", "random", games, 1)
    assert result.games == games and result.share > 0.5 and result.interval[0] > at_least


@pytest.mark.slow
def test_the_admiral_beats_gunnery():
    """A small sample from fixed seeds, sides swapped; the full table comes from `navalkit tournament`."""
    meetings = [Meeting("fleet-action", options=options) for options in BATTLES.values()]
    results = [meeting.meet("admiral", "gunnery", 16, 1)[0] for meeting in meetings]
    assert [result.games for result in results] == [16, 16]
    low, _ = wilson(sum(result.share for result in results) / 2, 32)
    assert low > 0.5, "Wilson's interval of all games lies above one half"
