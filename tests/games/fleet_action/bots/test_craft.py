"""Captains with boats, hunters and flights: honest, with reasons, and with some sense."""

from __future__ import annotations
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import navalkit as nk
from navalkit.core.awaited import finish
from navalkit.core.game import TERMINAL
from navalkit.core.match import Match
from navalkit.core.trace import Decision
from navalkit.games.fleet_action import FleetAction, prospects, raids, scenarios
from navalkit.games.fleet_action.bots import hunt, orders
from navalkit.games.fleet_action.bots.belief import FIGURES, believe
from navalkit.games.fleet_action.bots.sea import Places, Sea
from navalkit.games.fleet_action.craft import Attack, Depth, Launch, Patrol, Place, Search, Seek
from navalkit.games.fleet_action.measures import imagined
from navalkit.games.fleet_action.sight import permute, watched
from navalkit.games.fleet_action.state import Done, Fate, Guns, Move, Phase, Sighting, Torpedoes
from navalkit.grids.square import distance
from navalkit.players import player
from navalkit.testing import heard, said
from ....sentences import FLEET_BOTS
from ..battles import CHAPTERS, Story, battle
from ..rules.test_boats import story
from ..rules.test_flights import air, carrier, flight

NAMES = ("gunnery", "admiral")
SAVED = ("why.hold.kept", "why.hold.hits", "why.hold.searched.more", "why.hold.search.more")
HOLDS = ("why.hold", "why.hold.searched", "why.hold.search", *SAVED, "why.hold.kept.little")


def decide(told: Story, name: str = "admiral") -> Decision:
    side = told.game.turn(told.state)
    found: Decision = player(name, told.game).decide(told.game.observe(told.state, side), told.game.legal(told.state))
    return found


def sea(told: Story, side: int) -> Sea:
    return Sea(told.game.observe(told.state, side), FIGURES)


def to_side(told: Any, side: int, phase: Phase = Phase.MOVE) -> Any:
    while told.state.phase is not phase or told.state.side != side:
        told.done()
    return told


# All captains -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", CHAPTERS)
def test_orders_are_legal_reasoned_repeatable_and_honest(key: str) -> None:
    """Another state that looks the same is decided alike, in every phase of boats and flights."""
    game = FleetAction(scenario=key, moves=3 if key == "carriers_in_the_cloud" else 5)
    seats, rng = [player(name, game) for name in ("admiral", "gunnery")], np.random.default_rng(3)
    match, phases = Match.new(game, 2), set()
    while match.turn != TERMINAL:
        if match.ply % 7 == 0:
            side, seen, legal = match.turn, match.observe(), match.legal()
            phases.add(match.state.phase)
            other = permute(game.battle, match.state, side, rng)
            assert game.observe(other, side) == seen
            for name in NAMES:
                one = player(name, game).decide(seen, legal)
                assert one.action in legal and one.reason and one.by == name
                assert all(finding.rule in game.rules() for finding in one.findings)
                assert {cell for mark in one.marks() for cell in mark.at} <= set(game.battle.grid.names)
                assert all(option.rejected == "" for option in one.options if option.action == one.action)
                masked = player(name, game).decide(game.observe(other, side), game.legal(other))
                assert masked.explain() == one.explain()
        match.play(seats[match.turn].decide(match.observe(), match.legal(), rng).action)
    assert Phase.MOVE in phases


def fired(key: str, seed: int) -> Counter[str]:
    """Of a battle how often each reason was given for no more fire; each is held against the chances on the buttons."""
    game, told = FleetAction(scenario=key), Counter[str]()
    seats, match = [player(name, game) for name in ("admiral", "admiral")], Match.new(game, seed)
    while match.turn != TERMINAL:
        seen, legal = match.observe(), match.legal()
        decision = seats[match.turn].decide(seen, legal)
        if match.state.phase is Phase.FIRE and isinstance(decision.action, Done) and len(legal) > 1:
            fire = [prospects.prospect(game.battle, seen.view, order)
                    for order in legal if isinstance(order, Guns | Torpedoes)]
            holds = [each for each in HOLDS if heard(decision.reason, FLEET_BOTS, each)]
            assert len(holds) == 1
            told[holds[0]] += 1
            if not holds[0].startswith(SAVED):
                assert not any(each.hit for each in fire), (match.state.move, decision.reason)
            if "why.hold.hits" in holds:
                assert all(each.sink > 0.99 for each in fire)
        match.play(decision.action)
    return told


@pytest.mark.parametrize("key", ["iowa_convoy", "mined_strait", "night_convoy", "wounded_cruiser"])
def test_no_hint_calls_fire_useless_that_would_hit(key: str) -> None:
    """Torpedoes that are saved are said to be saved: their buttons may show 97 %."""
    assert fired(key, 2)


@pytest.mark.slow
@pytest.mark.parametrize("key", scenarios.names())
def test_no_hint_calls_fire_useless_in_any_battle(key: str) -> None:
    for seed in range(1, 6):
        fired(key, seed)


# Where a boat is --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vain", [[], ["F6"], ["F6", "F6", "F7"]])
def test_F50_the_belief_over_a_dived_boat_is_the_exact_walk(vain: list[str]) -> None:
    """As the odds have it: known in F6 in move 1, searched in vain in move 2."""
    told = story(red="Walker K6 W (Walker 1941), Vanoc L6 W (Walker 1941)")
    grid, boat = told.battle.grid, told.battle.numbers["U 552"]
    ships = list(told.state.ships)
    ships[boat] = replace(ships[boat], seen=Sighting(grid.number("F6"), 0, 1))
    searched = tuple(Search(2, told.battle.numbers["Walker"], grid.number(square), 5) for square in vain)
    told.state = replace(told.state, ships=tuple(ships), move=2, phase=Phase.FIRE, side=1, searched=searched)
    found = believe(told.game.observe(told.state, 1)).places[0].sum(axis=1)
    exact = raids.where({"F6": Fraction(1)}, [{square: vain.count(square) for square in vain}],
                        columns=grid.columns, rows=grid.rows)
    assert {grid.names[n]: round(p, 9) for n, p in enumerate(found) if p} == {
        square: round(float(p), 9) for square, p in exact.items()}
    assert believe(told.game.observe(told.state, 0)).ships == ()  # the boat's side has nobody to look for


def test_F50_each_hunter_searches_where_contact_is_likeliest() -> None:
    told = story(red="Walker F6 W (Walker 1941), Vanoc A1 W (Walker 1941)")
    grid, boat = told.battle.grid, told.battle.numbers["U 552"]
    ships = list(told.state.ships)
    ships[boat] = replace(ships[boat], seen=Sighting(grid.number("F6"), 0, 1), square=grid.number("F7"))
    told.state = replace(told.state, ships=tuple(ships), move=2, phase=Phase.FIRE, side=1)
    found = decide(told)
    assert found.action == Seek("Walker", "F6") and found.findings[0].rule == "F50"
    assert found.options[0].value == pytest.approx(100 / 5 / 3)  # a fifth of the squares, two faces of six
    told.play("Walker: hunt F6")
    assert not isinstance(decide(told).action, Seek)  # nothing is heard a board away


def test_F58_where_a_side_looks_and_sees_nothing_nobody_is() -> None:
    told = air("Ajax C4 E", "Exeter P4 W", "", more="wide = true")
    view = told.game.observe(told.state, 0)
    seen_by_us = watched(told.battle, view.view, 0)
    assert seen_by_us and believe(view).places[0][sorted(seen_by_us)].sum() < 1e-6


# Boats ------------------------------------------------------------------------------------------------------------


def test_F45_a_boat_fires_when_torpedoes_reach_and_goes_down_when_hunted() -> None:
    told = story(red="Patrick Henry G6 N, Ajax X10 N")
    while told.state.phase is not Phase.FIRE or told.state.side != 0:
        if told.state.phase is Phase.SEEN:
            told.play("U 552: periscope unseen")
        else:
            told.done()
    assert isinstance(decide(told).action, Torpedoes)


def test_F41_a_surfaced_boat_in_sight_of_guns_dives() -> None:
    told = to_side(story(red="Walker H6 W (Walker 1941), Ajax K6 W", depth=Depth.SURFACE), 0)
    action = decide(told).action
    assert isinstance(action, Move) and action.depth == "periscope"


def test_F42_a_boat_out_of_range_goes_to_meet_her_enemy() -> None:
    told = to_side(story(red="Patrick Henry L6 W", more="light = 'night'", depth=Depth.SURFACE), 0)
    action, grid = decide(told).action, told.battle.grid
    assert isinstance(action, Move) and not action.depth
    assert grid.place(grid.number(action.square))[1] > grid.place(grid.number("F6"))[1]


def test_F45_a_boat_without_a_target_loads_from_her_spares() -> None:
    told = story(red="Ajax X10 N").hurt("U 552", loaded=0, depth=Depth.DEEP)
    to_side(told, 0)
    orders = set()
    for _ in range(2):
        orders.add(str(decide(told).action))
        told.play(str(decide(told).action))
    assert any("reload" in order for order in orders)


def test_a_screen_keeps_to_those_it_guards() -> None:
    told = to_side(story(red="Patrick Henry N6 W, Walker N5 W (Walker 1941)"), 1)
    near = hunt.stations(sea(told, 1), told.battle.numbers["Walker"], _places(told, "N5", "X10"))
    assert near[0] > near[1]


def _places(told: Story, *names: str) -> Any:
    squares = np.array([told.battle.grid.number(name) for name in names])
    return Places(squares, np.full(len(squares), 6))


# Flights ----------------------------------------------------------------------------------------------------------


def test_F55_a_carrier_goes_straight_ahead_to_launch() -> None:
    told = air("Ark Royal C4 E", "Ajax L4 W", flight("Blue", "Wing", "Swordfish", 9, "Ark Royal", "ranged = true"))
    to_side(told, 0)
    action = decide(told).action
    assert isinstance(action, Move) and action.heading == "E" and action.square[1:] == "4" and action.square != "C4"
    told.play(str(action)).to(Phase.FLY, 0)
    assert decide(told).action == Launch("Wing")


def test_F66_a_strike_goes_where_it_does_most_and_comes_home() -> None:
    told = carrier(red="Ajax H4 N, Fletcher H5 N").to(Phase.FLY, 0).aloft("Wing", "E4")
    found = decide(told)
    assert isinstance(found.action, Attack) and {finding.rule for finding in found.findings} == {"F61", "F62", "F66"}
    told.aloft("Wing", "E4", loaded=False)
    assert decide(told).action != found.action


def test_F65_a_strike_waits_for_those_who_could_go_with_it() -> None:
    flights = "".join([flight("Blue", "One", "Nell", 3, more='call = 3\nentry = ["A1"]'),
                       flight("Blue", "Two", "Nell", 9, more='call = 3\nentry = ["A1"]'),
                       flight("Red", "Patrol", "Zero", 9, more='enters = 9\nentry = ["X1"]')])
    told = air("Norfolk A10 E", "Ajax M4 N", flights)
    for name, square in (("One", "H4"), ("Two", "A9")):
        told.aloft(name, square)
    told.aloft("Patrol", "M4", shown=True)
    told.to(Phase.FLY, 0)
    assert not isinstance(decide(told).action, Attack)
    told.aloft("Two", "G4").to(Phase.FLY, 0)
    assert isinstance(decide(told).action, Attack)


def test_F61_fighters_guard_who_is_worth_most() -> None:
    told = air("Repulse E5 W, Acasta L5 W", "", flight("Blue", "Buffaloes", "Buffalo", 9, more="call = 3\n"
               'entry = ["A1"]') + flight("Red", "Nells", "Nell", 9, more='enters = 9\nentry = ["X1"]'))
    told.to(Phase.FLY, 0).aloft("Buffaloes", "C5")
    assert decide(told).action == Patrol("Buffaloes", "Repulse")


@pytest.mark.parametrize("seed", [1, 2])
def test_F56_no_flight_is_lost_for_want_of_fuel_while_it_has_a_deck(seed: int) -> None:
    game = FleetAction(scenario="rudder")
    match, one = Match.new(game, seed), player("admiral", game)
    while match.turn != TERMINAL:
        match.play(one.decide(match.observe(), match.legal()).action)
    deck = game.battle.numbers["Ark Royal"]
    kinds = [(event.kind, ply.state.ships[deck].fate) for ply in match.plies for event in ply.events]
    assert ("launches", Fate.AT_SEA) in kinds and ("ditched", Fate.AT_SEA) not in kinds


# What they tell ---------------------------------------------------------------------------------------------------

def test_F36_only_what_the_aims_bring_is_told_as_points() -> None:
    aims = ('[[objective]]\nside = "Blue"\naim = "exit"\npoints = 20\nof = ["Ajax"]\n'
            '[[objective]]\nside = "Red"\naim = "sink"\npoints = 30\nof = ["Ajax"]\n')
    told = Story(battle("Ajax C4 E", "Emden M5 W", '[[exit]]\nside = "Blue"\nsquares = ["X1"]\n', aims=aims))
    (lead,) = [each for each in decide(told).findings if each.question.key == "lead.ask"]
    said(lead.verdict, FLEET_BOTS, "lead.points", mine=0, theirs=0)
    (lead,) = [each for each in decide(to_side(told, 1)).findings if each.question.key == "lead.ask"]
    said(lead.verdict, FLEET_BOTS, "lead", mine=0, theirs=0, dearest="Ajax", worth="50.0")


def test_F56_flights_in_sight_that_can_reach_a_ship_are_named() -> None:
    edge = 'enters = 9\nentry = ["X1"]'
    told = air("Norfolk C4 E", "Ajax X10 W", "".join(flight("Red", name, plane, 8, more=edge) for name, plane in (
        ("Seen", "Nell"), ("Shown", "Nell"), ("Far", "Nell"), ("Zeros", "Zero"))))
    told.aloft("Seen", "J4").aloft("Shown", "K4", shown=True).aloft("Far", "X1").aloft("Zeros", "K5", shown=True)
    decision = decide(told)
    assert isinstance(decision.action, Move)
    square = told.battle.grid.number(decision.action.square)
    assert distance(told.battle.grid, square, told.battle.grid.number("X1")) > 12
    (found,) = [each for each in decision.findings if each.question.key == "air.reach.ask"]
    assert [fact.value for fact in found.facts] == [8, 8]
    assert {fact.marks[0].at[0] for fact in found.facts} == {"J4", "K4"} and "Seen" not in str(found.verdict)


@pytest.mark.parametrize(("screened", "key", "rule"), [(0, "boat.ask", "F43"), (4, "screen.ask", "F33")])
def test_F33_a_boat_that_is_not_seen_is_behind_the_screen_only_where_there_is_one(
        screened: int, key: str, rule: str) -> None:
    told = Story(battle("Walker C5 E (Walker 1941)", "U 552 T6 W (U 552)", f"hidden = {screened}\nscreen = \"M\"",
                        light="night"))
    seen = sea(told, 0)
    (found,) = orders.believed(seen)
    said(found.question, FLEET_BOTS, key, ship="U 552")
    assert found.rule == rule


def test_F58_a_strike_that_waits_beside_a_disc_says_why() -> None:
    match = Match.new(FleetAction(scenario="rudder"), 4)
    one, told = player("admiral", match.game), set()
    while match.state.move < 3:
        decision = one.decide(match.observe(), match.legal())
        if match.state.phase is Phase.FLY and match.turn == 0 and match.state.move == 2:
            told.add(getattr(decision.reason, "key", ""))
        match.play(decision.action)
    assert "why.fly_done.load" in told and "why.fly_done" not in told


def test_a_gain_that_is_too_small_to_tell_has_no_figure() -> None:
    """No reason says that a move is worth "0.0 points" more."""
    little = 0
    match = Match.new(FleetAction(scenario="carriers_in_the_cloud"), 3)
    one = player("admiral", match.game)
    while match.state.move < 4:
        decision = one.decide(match.observe(), match.legal())
        key = getattr(decision.reason, "key", "")
        little += key in ("why.move.little", "why.together.little")
        assert key not in ("why.move", "why.together") or float(decision.reason.facts["gain"]) > 0
        match.play(decision.action)
    assert little


SEATS = {"admiral": ("admiral", "random"), "random": ("random", "admiral")}  # who leads blue -> the two


def fought(key: str, seats: tuple[str, ...], seed: int) -> Match:
    game = nk.load("fleet-action", scenario=key)
    match, players, rng = Match.new(game, seed), [nk.player(name, game) for name in seats], np.random.default_rng(seed)
    while not match.over:
        match.play(players[match.turn].decide(match.observe(), match.legal(), rng).action)
    return match


@pytest.mark.slow
@pytest.mark.parametrize(("key", "blue"), [(key, blue) for key in CHAPTERS for blue in SEATS
                                           if (key, blue) != ("force_z", "random")])
def test_random_orders_never_beat_a_captain(key: str, blue: str) -> None:
    """Fewer than one battle in five, on either side. Force Z has a test of its own: bombers drop whatever she orders
    (RULINGS.md)."""
    ends = [fought(key, SEATS[blue], seed).outcome for seed in range(10)]
    assert sum(end is not None and end.scores[SEATS[blue].index("random")] == 1.0 for end in ends) < 2


@pytest.mark.slow
def test_F62_a_captain_brings_down_three_times_as_many_bombers_as_random_orders() -> None:
    """Of the same ten days, with the same guns: consorts kept near, and fighters called in time."""
    shot = {name: sum(own.lost for match in (fought("force_z", (name, "admiral"), seed) for seed in range(10))
                      for own, squadron in zip(match.state.flights, match.game.battle.flights, strict=True)
                      if squadron.side == 1) for name in SEATS}
    assert shot["admiral"] > 3 * shot["random"]


@pytest.mark.parametrize("key", ["force_z", "rudder"])
def test_a_reviews_imagined_battles_look_the_same_and_have_the_enemys_flights(key: str) -> None:
    """Those that are seen, and of those over the horizon all that are still to come."""
    game = FleetAction(scenario=key, moves=6)
    match, one, rng, aloft = Match.new(game, 5), player("admiral", game), np.random.default_rng(2), 0
    while match.turn != TERMINAL:
        if match.ply % 5 == 0:
            seen = match.observe()
            (state,) = finish(imagined(game, seen, 1, rng))
            there = {n for n, own in enumerate(state.flights) if own.place is Place.ALOFT and own.moves > 0}
            aloft += len(seen.sky)
            assert game.observe(state, seen.me).sky == seen.sky
            for n, (own, squadron) in enumerate(zip(match.state.flights, game.battle.flights, strict=True)):
                if own.place is Place.COMING and squadron.side != seen.me and squadron.enters > match.state.move:
                    assert state.flights[n].place is Place.COMING and n not in there
        match.play(one.decide(match.observe(), match.legal()).action)
    assert aloft or key != "force_z"
