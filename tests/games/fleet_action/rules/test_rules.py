"""The rules of Fleet Action, each under its id, and what must hold whatever is played."""

from __future__ import annotations
import random
import re
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import navalkit as nk
from navalkit.core.dist import Dist
from navalkit.core.errors import OptionError
from navalkit.core.game import CHANCE, TERMINAL
from navalkit.core.words import Phrase
from navalkit.games.fleet_action import FleetAction, odds, points, range_squares, ship, sight
from navalkit.games.fleet_action.board.effects import sheet
from navalkit.games.fleet_action.cards import TABLES
from navalkit.games.fleet_action.craft import Place
from navalkit.games.fleet_action.rules import play, sailing
from navalkit.games.fleet_action.sight import permute
from navalkit.games.fleet_action.state import HIDDEN, OFF, Fate, Hits, Phase, State, Task, with_ship
from navalkit.grids.square import HEADINGS, bearing
from navalkit.testing import check_game, refused, said
from navalkit.testing.strategies import walks
from ....sentences import CORE, FLEET, FLEET_PAGE
from ..battles import AIMS, Story, battle, tell


def duel(blue: str, red: str, more: str = "", **options: Any) -> Story:
    """A story that is in the firing phase at once, blue ordering first."""
    return Story(battle(blue, red, more, **options)).to_fire()


# The board and the order of play ----------------------------------------------------------------------------------


def test_F1_the_board_is_made_of_sections() -> None:
    grid = battle("Ajax C4 NE", "Exeter H4 W").battle.grid
    assert (grid.rows, grid.columns, grid.names[-1]) == (10, 24, "X10")
    grid = battle("Ajax C4 NE", "Exeter H4 W", "sections = [1, 2]").battle.grid
    assert (grid.rows, grid.columns, grid.size) == (20, 8, 160)


def test_F1a_one_metric_serves_movement_and_range() -> None:
    story = Story(battle("Ajax C4 E", "Exeter X10 W"))  # 32 knots: 4 squares in a short move
    assert {"G4 E", "F5 SE", "E5 SE"} <= story.of("Ajax") and not {"H4 E", "G5 E", "G6 SE"} & story.of("Ajax")
    near, far = duel("Ajax C4 E", "Exeter F6 W"), duel("Ajax C4 E", "Exeter F7 W")  # 6 in: 5 squares, 8 in: 6
    assert near.of("Ajax") and not far.of("Ajax") and far.of("Exeter")


def test_F2_the_first_move_is_diced_for_and_then_alternates() -> None:
    story = Story(battle("Ajax C4 E", "Exeter X10 W"), first="red")
    assert (story.state.side, story.state.move) == (1, 1)
    assert [story.next_move().state.side for _ in range(3)] == [0, 1, 0]
    fresh = battle("Ajax C4 E", "Exeter X10 W")
    assert {str(a): p for a, p in fresh.chance(fresh.initial()).items()} == dict.fromkeys(
        ("first blue", "first red"), Fraction(1, 2)
    )


def test_F2_dicing_each_move_is_an_option() -> None:
    story = Story(battle("Ajax C4 E", "Exeter X10 W", first_mover="dice")).next_move()
    assert story.state.phase is Phase.FIRST and story.state.move == 2
    assert story.play("first blue").state.side == 0


def test_F2a_a_move_runs_in_order() -> None:
    story, seen = Story(battle("Fletcher C4 E", "Exeter E4 N", weather="on")), []
    plan = [f"weather {zone} 1" for zone in range(1, 5)] + ["done", "done", "Fletcher: torpedoes 1 Exeter", "done"]
    plan += ["Exeter: torpedoes 1 Fletcher", "done", "Fletcher: torpedoes 1 at Exeter hits 1"]
    plan += ["Exeter: torpedoes 1 at Fletcher hits 0", "Exeter: turret 1 out"]
    for order in plan:
        seen.append((story.state.phase, story.game.turn(story.state)))
        story.play(order)
    order = [(Phase.WEATHER, CHANCE), (Phase.MOVE, 0), (Phase.MOVE, 1), (Phase.FIRE, 0), (Phase.FIRE, 1)]
    order += [(Phase.SALVO, CHANCE), (Phase.TURRETS, 1)]
    assert [step for i, step in enumerate(seen) if step not in seen[:i]] == order
    assert story.state.move == 2 and story.state.phase is Phase.WEATHER


def test_F3_no_ship_enters_land_or_slips_between_two_corners_of_it() -> None:
    story = Story(battle("Ajax C4 E", "Exeter X10 W", 'coast = ["D4", "C5"]'))
    places = {text.split()[0] for text in story.of("Ajax")}
    assert "D4" not in places and "C5" not in places and "D3" in places
    assert "D5 SE" not in story.of("Ajax")  # between C5 and D4
    open_sea = Story(battle("Ajax C4 E", "Exeter X10 W", 'coast = ["D4"]'))
    assert "D5 SE" in open_sea.of("Ajax")
    said(story.refusal("Ajax: D5 SE"), FLEET, "no.reach", name="Ajax", square="D5")


# Movement ---------------------------------------------------------------------------------------------------------


def test_F4_squares_go_by_bands_of_four_knots() -> None:
    slow = (3, 7, 11, 12, 15, 16, 19, 20, 23)
    short, long = ([sailing.full_speed(knots, move) for knots in slow] for move in (1, 2))
    assert short == [0, 1, 1, 2, 2, 2, 2, 3, 3] and long == [1, 1, 2, 2, 2, 3, 3, 3, 3]
    assert [sailing.full_speed(knots, 1) for knots in (24, 28, 31, 32, 35, 36, 42)] == [3, 4, 4, 4, 4, 5, 5]
    assert [sailing.full_speed(knots, 2) for knots in (24, 28, 31, 32, 35, 36, 42)] == [4, 4, 4, 5, 5, 5, 5]


def test_F4_short_and_long_moves_alternate_for_everybody() -> None:
    story = Story(battle("Ajax C4 E", "Exeter X4 W"))  # both 32 knots
    assert "G4 E" in story.of("Ajax") and "H4 E" not in story.of("Ajax")
    story.next_move()
    assert "S4 W" in story.of("Exeter") and "R4 W" not in story.of("Exeter")
    story.done()
    assert "H4 E" in story.of("Ajax")
    said(story.refusal("Ajax: I4 E"), FLEET, "no.reach", square="I4", n=5)


def test_F5_a_step_turns_45_degrees_at_most() -> None:
    story = Story(battle("Dreadnought H5 E", "Exeter X4 W"))  # 21 knots: 3 squares
    found = {place for place in story.of("Dreadnought") if "lay" not in place}
    ahead = {"I5 E", "J5 E", "K5 E", "I4 NE", "I6 SE", "J4 NE", "J6 SE", "J4 E", "J6 E", "I3 N", "I7 S"}
    about = {"H5 W", "G5 W", "F5 W", "G4 NW", "G6 SW"}
    assert found == ahead | about  # a right angle is a knight's move: I3 N


def test_F5_the_ways_are_those_of_a_slow_twin() -> None:
    """Every string of steps, tried one by one."""
    grid = battle("Ajax C4 E", "Exeter X4 W").battle.grid
    land = frozenset(map(grid.number, ("E5", "F4", "G6", "D7")))
    for start, heading, allowance in product(map(grid.number, ("E4", "A1", "F5")), range(8), range(6)):
        reached = set()
        for steps, about in product(range(6), (False, True)):
            for turns in product((-1, 0, 1), repeat=steps):
                square, course, cost = start, (heading + 4 * about) % 8, int(about)
                for turn in turns:
                    course = (course + turn) % 8
                    cost += 1 + course % 2
                    row, column = grid.place(square)
                    d_row, d_column = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))[course]
                    beside = {(row + d_row) * 24 + column, row * 24 + column + d_column}
                    on = 0 <= row + d_row < 10 and 0 <= column + d_column < 24
                    square = (row + d_row) * 24 + column + d_column
                    if not on or square in land or (course % 2 and beside <= land):
                        break
                else:
                    if cost <= allowance or (allowance == 1 and steps == 1 and not about):
                        reached.add((square, course))
        assert set(sailing.ways(grid, land, start, heading, allowance, frozenset())) == reached - {(start, heading)}


def test_F6_one_square_is_enough_for_one_diagonal_step() -> None:
    story = Story(battle("Patrick Henry H5 E", "Exeter X4 W"))  # 11 knots: 1 square, then 2
    assert story.of("Patrick Henry") == {"I5 E", "I4 NE", "I6 SE", "H5 W"}


def test_F7_turning_about_costs_one_square_and_comes_first() -> None:
    story = Story(battle("Patrick Henry H5 E", "Exeter X4 W")).play("Patrick Henry: H5 W")
    assert (story.square("Patrick Henry"), story.ship("Patrick Henry").heading) == ("H5", 6)
    refusal = Story(battle("Patrick Henry H5 E", "Exeter X4 W")).refusal("Patrick Henry: H5 W 0")
    said(refusal, FLEET, "no.spent", cost=1, spent=0)
    ajax = Story(battle("Ajax H5 E", "Exeter X4 W")).of("Ajax")
    assert "E5 W" in ajax and "D5 W" not in ajax and "I5 W" not in ajax


def test_F8_the_way_avoids_mines_one_knows_of() -> None:
    story = Story(battle("Ajax C4 E", "Exeter X4 W"))
    plain = story.mine("E4", 1).play("Ajax: G4 E 4").ship("Ajax")
    grid = story.battle.grid
    assert [grid.names[s] for s in plain.wake] == ["D4", "E4", "F4", "G4"]
    dodge = Story(battle("Ajax C4 E", "Exeter X4 W")).mine("D4", 1, known=True).play("Ajax: E5 E").ship("Ajax")
    assert grid.names[dodge.wake[0]] == "D5" and story.state.phase is Phase.MINES
    through = Story(battle("Ajax C4 E", "Exeter X4 W")).mine("D4", 1, known=True)
    # where there is no other way, through them
    said(through.refusal("Ajax: D4 E 2"), FLEET, "no.spent", cost=1, spent=2)


def test_F9_a_square_has_room_for_a_few() -> None:
    boats = "MTB 102 C4 E, PT 109 C4 E, S 26 C4 E, S 38 C5 E, Walker D4 E, Clemson D4 E, Acasta E4 W, Ajax F4 W"
    story = Story(battle(boats, "Exeter X4 W"))
    assert {"C4 NW", "C4 W"} & story.of("S 38") == set()  # not because of room, but of her heading
    story.hurt("S 38", heading=0)
    assert "C4 N" in story.of("S 38")  # four boats
    said(story.refusal("Acasta: D4 W"), FLEET, "no.room", name="Acasta", square="D4")  # a third destroyer
    said(story.refusal("Ajax: E4 W"), FLEET, "no.room", name="Ajax", square="E4")  # a cruiser wants a square alone
    story.play("S 38: C4 N")
    said(story.refusal("Acasta: C4 W"), FLEET, "no.room")


def test_F9_four_boats_fill_a_square_and_3500_tons_want_one_alone() -> None:
    boats = "MTB 102 C4 E, PT 109 C4 E, S 26 C4 E, S 38 C4 E, MAS 15 B4 E, Walker D6 E, S 26 b D6 E (S 26)"
    others = "Acasta C6 E, S 38 b B6 E (S 38), Emden H6 E, Sydney J6 E, Clemson G6 E"
    story = Story(battle(f"{boats}, {others}", "Exeter X4 W"))
    said(story.refusal("MAS 15: C4 E"), FLEET, "no.room", name="MAS 15", square="C4")  # a fifth boat
    said(story.refusal("Acasta: D6 E"), FLEET, "no.room", name="Acasta", square="D6")  # two destroyers and a boat
    assert "D6 E" in story.of("S 38 b")  # a destroyer and two boats
    said(story.refusal("Clemson: H6 E"), FLEET, "no.room", name="Clemson", square="H6")  # Emden has 3,664 tons
    said(story.refusal("Emden: J6 E"), FLEET, "no.room", name="Emden", square="J6")


def test_F9_harbours_and_depot_ships_make_room() -> None:
    ships = "Ajax C4 E, Exeter B4 E, Tyne E4 E, Walker F4 W, Achilles G4 W"
    story = Story(battle(ships, "Norfolk X4 W", '[[harbour]]\nside = "Blue"\nsquares = ["C4"]\n'))
    assert "C4 E" in story.of("Exeter") and "E4 W" in story.of("Walker")
    story.play("Walker: E4 W")
    said(story.refusal("Achilles: E4 W"), FLEET, "no.room", name="Achilles", square="E4")
    two = Story(battle("Tyne C4 E, Dixie D4 E", "Norfolk X4 W"))  # one depot ship makes room, and not for another
    said(two.refusal("Tyne: D4 E"), FLEET, "no.room", name="Tyne", square="D4")


def test_F10_one_passes_through_but_does_not_stop_with_an_enemy() -> None:
    story = Story(battle("Ajax C4 E, Achilles D4 E", "Walker F4 E"))
    assert "D4 E" not in story.of("Ajax") and "E4 E" in story.of("Ajax")
    assert "F4 E" not in story.of("Ajax") and "G4 E" in story.of("Ajax")
    said(story.refusal("Ajax: F4 E"), FLEET, "no.room", name="Ajax", square="F4")


def test_F11_a_division_moves_in_formation() -> None:
    ships = "Ajax C4 E [First], Achilles B5 E [First], Exeter B3 NE [First]"
    story = Story(battle(ships, "Norfolk X4 W"))
    assert "First: E4 E" in story.legal  # Achilles takes D5, Exeter D3
    other = Story(battle(ships.replace("B3 NE", "B3 W"), "Norfolk X4 W"))
    said(other.refusal("First: G4 E"), FLEET, "no.reach", name="Exeter", square="F3")  # she would have to turn about
    story.play("First: E4 E")
    assert [story.square(name) for name in ("Ajax", "Achilles", "Exeter")] == ["E4", "D5", "D3"]
    assert {story.ship(name).heading for name in ("Ajax", "Achilles", "Exeter")} == {HEADINGS.index("E")}
    assert story.state.side == 1  # all of them have moved


def test_F11_ships_of_a_division_follow_each_other_into_their_squares() -> None:
    story = Story(battle("Ajax C4 E [First], Achilles B4 E [First]", "Norfolk X4 W"))
    assert "C4 E" not in story.of("Achilles")
    story.play("First: D4 E")
    assert story.square("Achilles") == "C4"


def test_F11_a_division_without_two_ships_to_move_is_moved_ship_by_ship() -> None:
    story = Story(battle("Ajax C4 E [First], Achilles B5 E [First], Exeter H9 E", "Norfolk X4 W"))
    story.play("Ajax: D4 E")
    assert not story.of("First")
    said(story.refusal("First: C5 E"), FLEET, "no.together")


def test_F12_a_ship_leaves_by_her_exit() -> None:
    more = '[[exit]]\nside = "Blue"\nsquares = ["A4"]\n'
    story = Story(battle("Ajax B4 W, Exeter C9 E", "Norfolk X4 W", more))
    said(story.refusal("Ajax: leave"), FLEET, "no.exit")
    story.play("Ajax: A4 W").next_move().done()  # red moves first now
    story.play("Ajax: leave")
    assert story.ship("Ajax").fate is Fate.LEFT and story.ship("Ajax").square == OFF
    assert story.rules[-1] == "F12" and not story.of("Ajax")


# Guns -------------------------------------------------------------------------------------------------------------


def test_F13_guns_bear_by_their_mounting() -> None:
    """Each of the ranges and arcs of Exeter against a plain reading of her card."""
    card = ship("Exeter")
    for row, column in product(range(-4, 5), repeat=2):
        if (row, column) == (0, 0):
            continue
        target = f"{'ABCDEFGHIJKLMNOP'[8 + column]}{5 + row} E"
        story = duel("Exeter I5 N", f"Ajax {target}")
        own, other = story.ship("Exeter").square, story.ship("Ajax").square
        relative = bearing(story.battle.grid, own, other)
        bearing_main = {0: 4, 4: 2}.get(relative, 6) if abs(row) + abs(column) <= 6 else 0
        abeam = relative in (1, 2, 3, 5, 6, 7) and abs(row) + abs(column) <= 4
        assert ("guns main Ajax" in story.of("Exeter")) == bool(bearing_main)
        assert ("guns secondary Ajax" in story.of("Exeter")) == abeam
        if bearing_main:
            story.play("Exeter: guns main once Ajax").dice()
            assert len(story.chances) == bearing_main + 1
    assert range_squares(card.mounts[0].gun) == 6


def test_F14_land_masks_guns_and_torpedoes() -> None:
    assert duel("Exeter C4 E", "Ajax E4 W", 'coast = ["D5"]').of("Exeter") >= {"guns Ajax", "torpedoes 1 Ajax"}
    story = duel("Exeter C4 E", "Ajax E4 W, Sydney C6 W", 'coast = ["D4"]')
    assert "guns Ajax" not in story.of("Exeter") and "guns Sydney" in story.of("Exeter")
    said(story.refusal("Exeter: guns Ajax"), FLEET, "no.guns", target="Ajax")
    said(story.refusal("Exeter: torpedoes 1 Ajax"), FLEET, "no.torpedo")


def binomial(n: int, p: Fraction) -> list[Fraction]:
    return [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


def test_F15_sixes_hit_at_the_greatest_range_and_fives_inside_it() -> None:
    for square, p in (("I4", Fraction(1, 6)), ("H4", Fraction(1, 3))):  # the 8 in gun reaches 6 squares
        story = duel("Exeter C4 E", f"Norfolk {square} N").play("Exeter: guns main once Norfolk").dice()
        expected = binomial(4, p)
        assert story.chances == {f"Exeter: salvo 1.1 at Norfolk hits {k}": expected[k] for k in range(5)}


def test_F15_a_hit_does_damage_by_the_weight_of_the_shell() -> None:
    story = duel("Iowa C4 E", "Musashi G4 N").play("Iowa: guns main Musashi").dice().throw(3)
    assert story.ship("Musashi").damage == 3 * TABLES.guns["16in/50 Mk 7"].damage == 81


def test_F15_firings_may_take_different_targets_and_batteries_too() -> None:
    story = duel("Exeter C4 N", "Ajax E4 W, Achilles E5 W")  # the 8 in guns fire three times, the 4 in four times
    story.play("Exeter: guns main once Ajax", "Exeter: guns main Achilles")
    assert not any("guns main" in order for order in story.of("Exeter"))
    said(story.refusal("Exeter: guns main Ajax"), FLEET, "no.battery_guns")
    story.play("Exeter: guns secondary once Ajax", "Exeter: guns Achilles")
    shots = [(s.number, s.firing, story.battle.units[s.target].name) for s in story.state.shots]
    assert shots == [
        (0, 1, "Ajax"), (0, 2, "Achilles"), (0, 3, "Achilles"),
        (1, 1, "Ajax"), (1, 2, "Achilles"), (1, 3, "Achilles"), (1, 4, "Achilles"),
    ]  # fmt: skip


def test_F15_the_last_firing_needs_no_once() -> None:
    story = duel("Exeter C4 E", "Norfolk H4 N").play("Exeter: guns once Norfolk", "Exeter: guns once Norfolk")
    assert story.of("Exeter") == {"guns Norfolk", "guns main Norfolk"}
    said(story.refusal("Exeter: guns once Norfolk"), FLEET, "no.once")


def test_F16_fours_hit_when_the_same_guns_fire_at_the_same_target_again() -> None:
    story = duel("Exeter C4 E", "Norfolk I4 N, Suffolk H5 N")  # Norfolk at the greatest range
    story.play("Exeter: guns main Norfolk").dice()
    chances = []
    while story.state.phase is Phase.SALVO:
        chances.append(list(story.chances.values()))
        story.throw(0)
    assert chances == [binomial(4, Fraction(1, 6)), binomial(4, Fraction(1, 2)), binomial(4, Fraction(1, 2))]
    assert [event.rule for event in story.events if event.kind == "salvo"] == ["F15", "F16", "F16"]


def test_F16_at_a_new_target_they_start_afresh() -> None:
    story = duel("Exeter C4 E", "Norfolk H4 N, Suffolk G5 N")
    story.play("Exeter: guns main once Norfolk", "Exeter: guns main once Suffolk", "Exeter: guns main Norfolk").dice()
    chances = []
    while story.state.phase is Phase.SALVO:
        chances.append(story.chances)
        story.throw(0)
    assert [list(c.values()) for c in chances] == [binomial(4, Fraction(1, 3))] * 3


# Torpedoes --------------------------------------------------------------------------------------------------------


def test_F17_torpedoes_fire_by_sets_and_once() -> None:
    story = duel("Fletcher C4 E, Jenkins C9 E", "Iowa E4 N, Oakland F4 N")  # the Mk 15 reaches 2 squares
    assert story.of("Fletcher") >= {"torpedoes 1 Iowa", "torpedoes 2 Iowa"}
    assert "torpedoes 1 Oakland" not in story.of("Fletcher")
    said(story.refusal("Fletcher: torpedoes 1 Oakland"), FLEET, "no.torpedo")
    said(story.refusal("Fletcher: torpedoes 3 Iowa"), FLEET, "no.set", number=3)
    said(duel("Iowa C4 E", "Oakland E4 N").refusal("Iowa: torpedoes 1 Oakland"), FLEET, "no.set_none")
    story.play("Fletcher: torpedoes 2 Iowa")
    said(story.refusal("Fletcher: torpedoes 2 Iowa"), FLEET, "no.fired", number=2, name="Fletcher")
    story.dice()
    assert len(story.chances) == 6  # five tubes
    story.throw(2)
    assert story.ship("Iowa").damage == 200 and story.ship("Fletcher").loaded == 0b01
    story.to_fire(0)
    assert "torpedoes 1 Iowa" in story.of("Fletcher") and "torpedoes 2 Iowa" not in story.of("Fletcher")


@pytest.mark.parametrize(
    "heading, hits", [("N", 4), ("S", 4), ("E", 6), ("W", 6), ("NE", 5), ("SE", 5), ("SW", 5), ("NW", 5)]
)
def test_F18_the_aspect_of_the_target_decides_what_hits(heading: str, hits: int) -> None:
    story = duel("Fletcher C4 E", f"Iowa E4 {heading}").play("Fletcher: torpedoes 1 Iowa").dice()
    assert list(story.chances.values()) == binomial(5, Fraction(7 - hits, 6))


def test_F18_the_aspect_is_seen_from_the_target() -> None:
    story = duel("Fubuki C4 E", "Iowa G5 W").play("Fubuki: torpedoes 1 Iowa").dice()  # more ahead than on the bow
    assert list(story.chances.values()) == binomial(3, Fraction(1, 6))
    story = duel("Fubuki C4 E", "Iowa F6 W").play("Fubuki: torpedoes 1 Iowa").dice()
    assert list(story.chances.values()) == binomial(3, Fraction(1, 3))


# Damage -----------------------------------------------------------------------------------------------------------


def test_F19_a_ship_sinks_when_damage_exceeds_her_sinking_rate() -> None:
    rate = ship("Exeter").sinking_rate
    for damage, fate in ((rate - 100, Fate.AT_SEA), (rate - 99, Fate.SUNK)):
        story = duel("Fletcher C4 E, Jenkins C9 E", "Exeter E4 N, Ajax X9 W", turrets="automatic")
        story.hurt("Exeter", damage=damage).play("Fletcher: torpedoes 1 Exeter").dice().throw(1)
        assert story.ship("Exeter").fate is fate  # just her rate leaves her awash
        assert story.ship("Exeter").damage == damage + 100


def test_F19_both_fire_before_either_sinks() -> None:
    story = duel("Fletcher C4 E, Sydney A9 E", "Jenkins D4 W, Emden X9 W")
    story.play("Fletcher: torpedoes 1 Jenkins", "done", "Jenkins: torpedoes 1 Fletcher", "done").throw(1)
    assert story.ship("Jenkins").fate is Fate.AT_SEA and story.state.phase is Phase.SALVO
    story.throw(1)
    assert story.ship("Jenkins").fate is story.ship("Fletcher").fate is Fate.SUNK


def test_F19_the_order_of_resolution_changes_nothing() -> None:
    """The same fire ordered in any order gives the same state after the same seed's dice."""
    game = battle("Exeter D5 N, Ajax D6 N, Fletcher E4 E", "Norfolk F5 W, Emden F6 W", turrets="automatic")
    start = Story(game).to_fire().state
    orders = ["Exeter: guns main Norfolk", "Ajax: guns Norfolk", "Fletcher: torpedoes 2 Norfolk"]
    orders += ["Exeter: torpedoes 1 Norfolk"]
    answers = ["Norfolk: guns Exeter", "Emden: guns Fletcher", "Norfolk: torpedoes 1 Exeter"]
    for seed in range(3):
        ends = set()
        for mine in permutations(orders):
            state, rng = start, random.Random(str(mine))
            theirs = rng.sample(answers, len(answers))
            for text in (*mine, "done", *theirs, "done"):
                state = game.apply(state, game.parse_action(text)).state
            while state.phase is Phase.SALVO:
                state = game.apply(state, game.chance(state).pick(seed)).state
            ends.add(game.format_state(state))
        assert len(ends) == 1


def test_F19_speed_is_lost_by_quarters() -> None:
    rate = ship("Iowa").sinking_rate
    story = Story(battle("Iowa C4 E", "Musashi X4 W")).next_move().done()  # a long move: 33 knots are 5 squares
    for quarters, squares in ((0, 5), (1, 4), (2, 3), (3, 1), (4, 1)):
        story.hurt("Iowa", damage=rate * quarters // 4)
        assert sailing.squares_a_move(story.battle, story.state, story.battle.numbers["Iowa"]) == squares
    story.hurt("Iowa", damage=rate * 3 // 4 - 1)
    (row,) = sheet(story.battle, story.state, 0)
    assert (row.quarters, row.speed, row.full) == (2, 3, 5)
    said(row.told, FLEET_PAGE, "sheet.damage", damage=rate * 3 // 4 - 1, rate=rate, quarters=2)
    lost = replace(row, damage=3 * rate, quarters=4, fate=Fate.SUNK)  # nobody loses more than she had
    said(lost.told, FLEET_PAGE, "sheet.sunk", rate=rate, quarters=4)
    assert str(3 * rate) not in lost.told


def test_F19_a_slow_ship_keeps_one_square() -> None:
    story = Story(battle("Patrick Henry C4 E", "Musashi X4 W")).hurt("Patrick Henry", damage=80)
    assert story.of("Patrick Henry") == {"D4 E", "D3 NE", "D5 SE", "C4 W"}


def test_F20_the_owner_chooses_the_turret() -> None:
    story = duel("Fletcher C4 E", "Exeter E4 N")
    story.play("Fletcher: torpedoes 1 Exeter").dice().throw(1)  # 100 of 265: one quarter, 2 of 6 guns
    assert story.state.phase is Phase.TURRETS and story.game.turn(story.state) == 1
    assert story.legal == {"Exeter: turret 1 out", "Exeter: turret 2 out"}
    said(story.refusal("Exeter: turret 3 out"), FLEET, "no.turret", numbers="1, 2", mount=3)
    said(story.refusal("Fletcher: turret 1 out"), FLEET, "no.loses", ship="Exeter")
    story.play("Exeter: turret 2 out")
    assert story.ship("Exeter").out == (0, 2, 0, 0) and story.state.move == 2
    story.to_fire(0).play("Fletcher: torpedoes 2 Exeter").dice().throw(1)  # 200: three quarters, 5 of 6 guns
    assert story.ship("Exeter").out == (3, 2, 0, 0)  # only the fore turrets were left


def test_F20_automatically_guns_go_from_aft_to_fore() -> None:
    story = duel("Fletcher C4 E", "Exeter E4 N", turrets="automatic")
    story.play("Fletcher: torpedoes 1 Exeter").dice().throw(1)
    assert story.ship("Exeter").out == (0, 2, 0, 0) and story.rules[-1] == "F20"


def test_F20_guns_out_of_action_do_not_fire() -> None:
    story = duel("Exeter C4 E", "Ajax E4 N").hurt("Exeter", damage=70, out=(1, 1, 0, 0))
    story.play("Exeter: guns main once Ajax").dice()
    assert len(story.chances) == 1 + 3  # ahead the four fore guns bear, and one of them is out


# Harbours ---------------------------------------------------------------------------------------------------------

HARBOUR = '[[harbour]]\nside = "Blue"\nsquares = ["C4", "C5"]\n'


def test_F21_torpedoes_are_loaded_in_harbour() -> None:
    story = Story(battle("Fletcher C4 E, Jenkins D4 W, Radford H4 W", "Emden X9 W", HARBOUR))
    for name in ("Fletcher", "Jenkins", "Radford"):
        story.hurt(name, loaded=0b00)
    story.play("Jenkins: C4 W").next_move()
    assert [story.ship(name).loaded for name in ("Fletcher", "Jenkins", "Radford")] == [0b11, 0, 0]
    story.next_move()
    assert story.ship("Jenkins").loaded == 0b11  # she came in, and then stayed for a move


def test_F21_torpedoes_are_taken_on_beside_a_depot_ship() -> None:
    story = Story(battle("Tyne C4 E, Fletcher C4 E, Jenkins F4 W", "Emden G5 W"))
    said(story.refusal("Fletcher: reload"), FLEET, "no.full")
    story.hurt("Fletcher", loaded=0b10).hurt("Jenkins", loaded=0)
    said(story.refusal("Jenkins: reload"), FLEET, "no.depot")
    story.play("Fletcher: reload")
    said(story.refusal("Fletcher: reload"), FLEET, "no.moved")
    story.play("Tyne: E4 E")
    assert story.square("Fletcher") == "E4" and story.ship("Fletcher").task is Task.RELOAD
    story.to_fire()
    assert not story.of("Fletcher")
    said(story.refusal("Fletcher: guns Emden"), FLEET, "no.reloading")
    story.next_move()
    assert story.ship("Fletcher").loaded == 0b11 and story.ship("Jenkins").loaded == 0


def test_F21_a_depot_ship_sunk_in_that_move_loads_nobody() -> None:
    story = Story(battle("Tyne C4 E, Fletcher C4 E", "Emden E4 W")).hurt("Fletcher", loaded=0)
    story.hurt("Tyne", damage=ship("Tyne").sinking_rate).play("Fletcher: reload").to_fire(1)
    story.play("Emden: guns Tyne").dice()
    while story.state.phase is Phase.SALVO:
        story.throw(1)
    assert story.ship("Tyne").fate is Fate.SUNK and story.state.move == 2 and story.ship("Fletcher").loaded == 0


def test_F21_a_depot_ship_finds_room_for_those_she_takes_along() -> None:
    ships = "Tyne C4 E, Fletcher C4 E, Jenkins D4 E, Radford D4 E, Walker E4 W, Ajax F4 E"
    story = Story(battle(ships, "Emden X9 W")).hurt("Fletcher", loaded=0)
    assert {"D4 E", "E4 E"} <= story.of("Tyne")
    story.play("Fletcher: reload")
    assert "D4 E" not in story.of("Tyne")
    said(story.refusal("Tyne: D4 E"), FLEET, "no.room", name="Tyne", square="D4")
    assert {"E4 E", "C4 W"} <= story.of("Tyne") and "F4 E" not in story.of("Tyne")
    story.play("Tyne: C4 W")
    assert story.square("Fletcher") == "C4" and story.ship("Fletcher").heading == HEADINGS.index("W")


def test_F22_a_tenth_is_repaired_each_move_in_harbour() -> None:
    rate = ship("Exeter").sinking_rate  # 265
    story = Story(battle("Exeter C4 E, Ajax F4 E", "Emden X9 W", HARBOUR))
    story.hurt("Exeter", damage=140, out=(1, 2, 0, 0)).hurt("Ajax", damage=100, out=(2, 2, 0, 0))
    story.next_move()
    assert story.ship("Exeter").damage == 140 - rate // 10 and story.ship("Ajax").damage == 100
    assert story.ship("Exeter").out == (0, 2, 0, 0)  # below half: two guns out of six, no longer three
    for _ in range(4):
        story.next_move()
    assert story.ship("Exeter").damage == 140 - rate // 2 and sum(story.ship("Exeter").out) == 0
    story.next_move()
    assert story.ship("Exeter").damage == 0


@pytest.mark.parametrize("rate", sorted({card.sinking_rate for card in TABLES.ships.values()}))
def test_F22_ten_moves_repair_any_ship_from_the_brink(rate: int) -> None:
    card = next(card.name for card in TABLES.ships.values() if card.sinking_rate == rate)
    game = battle(f"Patient C4 E ({card}), Roma A9 E", "Pisa X9 W (Roma)", HARBOUR, turrets="automatic")
    story = Story(game).hurt("Patient", damage=rate)
    for left in range(10, 0, -1):
        assert story.ship("Patient").damage > 0 and abs(story.ship("Patient").damage - rate * left / 10) < 1
        story.next_move()
    assert story.ship("Patient").damage == 0


def test_F22_who_moves_is_not_repaired_and_nobody_fires_in_harbour() -> None:
    story = Story(battle("Exeter C4 N, Ajax H9 E", "Emden E4 W", HARBOUR)).hurt("Exeter", damage=100, out=(2, 0, 0, 0))
    story.play("Exeter: C3 N").to_fire()
    assert story.of("Exeter")
    story.next_move()
    assert story.ship("Exeter").damage == 100
    story = duel("Exeter C4 N, Ajax E6 E", "Emden E4 W", HARBOUR)
    assert story.of("Ajax") and not story.of("Exeter")
    said(story.refusal("Exeter: guns Emden"), FLEET, "no.harbour")


@pytest.mark.parametrize("order", ["C4 S", "lay mines", ""])
def test_F22_who_turns_about_or_lays_mines_in_harbour_is_not_at_rest(order: str) -> None:
    story = Story(battle("Brummer C4 N", "Emden X9 W", HARBOUR, turrets="automatic")).hurt("Brummer", damage=50)
    if order:
        story.play(f"Brummer: {order}")
    story.next_move()
    assert (story.ship("Brummer").damage < 50) == (order == "")


# Mines ------------------------------------------------------------------------------------------------------------


def test_F23_a_fast_minelayer_lays_as_she_passes() -> None:
    story = Story(battle("Abdiel C4 E", "Emden X9 W"))
    said(story.refusal("Abdiel: lay mines 1"), FLEET, "no.passed")
    story.play("Abdiel: G4 E")
    assert story.of("Abdiel") == {f"lay mines {n}" for n in (1, 2, 3, 4)}
    story.play("Abdiel: lay mines 3")
    names = story.battle.grid.names
    assert [(names[f.square], f.side, f.left) for f in story.state.fields] == [(n, 0, 10) for n in ("E4", "F4", "G4")]
    assert story.ship("Abdiel").mines == ship("Abdiel").mines - 30 and story.state.side == 1
    assert [event.to for event in story.events if event.rule == "F23"] == [{0}]


def test_F23_a_slow_minelayer_stays_for_it() -> None:
    story = Story(battle("Brummer C4 E, Ajax D9 E", "Emden X9 W"))
    assert "lay mines 1" in story.of("Brummer") and "lay mines 2" not in story.of("Brummer")
    said(story.refusal("Brummer: lay mines 2"), FLEET, "no.slow")
    said(story.refusal("Ajax: lay mines 1"), FLEET, "no.cargo")
    story.play("Brummer: lay mines")
    assert story.ship("Brummer").task is Task.LAY and not story.of("Brummer")
    moved = Story(battle("Brummer C4 E, Ajax D9 E", "Emden X9 W")).play("Brummer: D4 E")
    assert not moved.of("Brummer")


def test_F23_mines_run_out() -> None:
    story = Story(battle("Abdiel C4 E", "Emden X9 W")).hurt("Abdiel", mines=26).play("Abdiel: G4 E")
    assert story.of("Abdiel") == {"lay mines 1", "lay mines 2"}
    said(story.refusal("Abdiel: lay mines 3"), FLEET, "no.mines", n=26, each=10)


def test_F24_two_dice_times_ten_and_two_sixes_miss() -> None:
    story = Story(battle("Iowa C4 E", "Emden X9 W", turrets="automatic")).mine("D4", 1).mine("F4", 1).play("Iowa: G4 E")
    dice = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}
    assert story.chances == {f"Iowa: mine D4 {pips}": Fraction(ways, 36) for pips, ways in dice.items()}
    story.play("Iowa: mine D4 11")
    assert story.ship("Iowa").damage == 110
    said(story.refusal("Iowa: mine D4 11"), FLEET, "no.dice")
    story.play("Iowa: mine F4 12")
    assert story.ship("Iowa").damage == 110 and story.state.phase is Phase.MOVE


def test_F24_own_mines_do_no_harm_and_a_ship_may_sink_on_the_way() -> None:
    story = Story(battle("Walker C4 E, Ajax A1 E", "Emden X9 W")).mine("D4", 0).mine("E4", 1).mine("F4", 1)
    story.play("Walker: G4 E", "Walker: mine E4 6")
    assert story.ship("Walker").fate is Fate.SUNK and story.state.phase is Phase.MOVE
    fields = [(story.battle.grid.names[f.square], f.left) for f in story.state.fields]
    assert fields == [("D4", 10), ("E4", 9), ("F4", 10)]


def test_F24_a_ship_sunk_by_a_mine_lies_where_she_struck() -> None:
    story = Story(battle("Walker C4 E, Ajax A1 E", "Emden X9 W")).mine("E4", 1)
    story.play("Walker: G4 E", "Walker: mine E4 6")
    assert story.battle.grid.names[story.ship("Walker").wreck] == "E4"


def test_F25_ten_ships_use_a_field_up_and_strikes_are_announced() -> None:
    story = Story(battle("Iowa C4 E, Ajax A9 E", "Emden X9 W")).mine("D4", 1, left=2)
    assert not story.game.observe(story.state, 0).view.fields and story.game.observe(story.state, 1).view.fields
    story.play("Iowa: E4 E", "Iowa: mine D4 12")
    assert story.state.fields[0].left == 1 and story.ship("Iowa").marked
    assert story.game.observe(story.state, 0).view.fields[0].square == story.battle.grid.number("D4")
    story.next_move().done().hurt("Ajax", square=story.battle.grid.number("C4"))
    story.play("Ajax: D4 E", "Ajax: mine D4 12")
    assert story.state.fields == ()


def test_F26_sweepers_clear_a_square_in_two_moves_or_one() -> None:
    for sweepers, moves in ((1, 2), (2, 1), (3, 1)):
        names = ["Halcyon", "Bramble", "Auk"][:sweepers]
        story = Story(battle(", ".join(f"{name} C4 E" for name in names) + ", Ajax A9 E", "Emden X9 W")).mine("C4", 1)
        for move in range(1, moves + 1):
            assert story.state.fields
            if story.state.side == 1:
                story.done()
            story.play(*(f"{name}: sweep" for name in names)).next_move()
            assert bool(story.state.fields) == (move < moves)
        assert tell(story.events, "F26")[-1] == FLEET("swept", square="C4")


def test_F26_sweeping_shows_whether_there_are_mines() -> None:
    story = Story(battle("Halcyon C4 E, Ajax A9 E", "Emden X9 W"))
    said(story.refusal("Ajax: sweep"), FLEET, "no.sweeper")
    story.play("Halcyon: sweep").next_move()
    assert tell(story.events, "F26")[-1] == FLEET("swept_nothing", side="Blue", square="C4")
    story = Story(battle("Halcyon C4 E, Ajax A9 E", "Emden X9 W")).mine("C4", 1).play("Halcyon: sweep")
    said(story.refusal("Halcyon: sweep"), FLEET, "no.moved")
    story.next_move()
    assert story.state.fields[0].known and story.state.fields[0].swept == 1
    assert story.game.observe(story.state, 1).view.fields[0].swept == 0  # whose mines they are does not know of it


def test_F26_four_sweepers_clear_a_square_as_they_pass() -> None:
    names = ("Halcyon", "Bramble", "Auk", "M 1")
    story = Story(battle(", ".join(f"{name} C4 E" for name in names), "Emden X9 W")).mine("D4", 1)
    for name in names[:3]:
        story.play(f"{name}: E4 E")
        assert story.state.fields
    story.play("M 1: E4 E")
    assert not story.state.fields and story.rules[-1] == "F26"


def test_F26_a_wreck_sweeps_nothing() -> None:
    names = ("Halcyon", "Bramble", "Auk")
    story = Story(battle(", ".join(f"{name} C4 E" for name in (*names, "M 1")), "Emden X9 W")).mine("D4", 1)
    lost = story.battle.card(3).sinking_rate + 1
    story.hurt("M 1", damage=lost, fate=Fate.SUNK, square=OFF, wake=(story.battle.grid.number("D4"),))
    story.play(*(f"{name}: E4 E" for name in names))
    assert story.state.fields


def test_F27_sweepers_do_not_set_mines_off() -> None:
    story = Story(battle("Halcyon C4 E, Ajax A9 E", "Emden X9 W")).mine("D4", 1).play("Halcyon: E4 E")
    assert story.state.phase is Phase.MOVE and story.state.fields[0].left == 10


# Weather and night ------------------------------------------------------------------------------------------------


def test_F28_a_die_for_each_quarter_of_the_board() -> None:
    game = battle("Ajax C4 E", "Exeter X10 W", weather="on")
    story = Story(game)
    for zone in range(1, 5):
        assert story.state.phase is Phase.WEATHER
        assert story.chances == {f"weather {zone} {pips}": Fraction(1, 6) for pips in range(1, 7)}
        story.play(f"weather {zone} {(3, 4, 5, 6)[zone - 1]}")
    weather = [(event.kind, event.facts["zone"], event.facts["pips"]) for event in story.events if event.rule == "F28"]
    assert weather == [("clear", 1, 3), ("rough", 2, 4), ("rough", 3, 5), ("fog", 4, 6)]
    at = story.battle.grid.number
    assert [sight.rough(story.battle, story.state, at(s)) for s in ("A1", "X1", "A10", "X10")] == [0, 1, 1, 0]
    assert [sight.foggy(story.battle, story.state, at(s)) for s in ("A1", "X1", "A10", "X10")] == [0, 0, 0, 1]
    assert story.next_move().state.phase is Phase.WEATHER


def weather(story: Story, *pips: int) -> Story:
    return story.play(*(f"weather {zone} {die}" for zone, die in enumerate(pips, 1)))


def test_F29_high_seas_slow_the_small_and_fog_slows_all() -> None:
    game = battle("Ajax C4 E, Iowa C3 E, Exeter C8 E, Hood C9 E, Patrick Henry A1 E", "Emden X9 W", weather="on")
    story = weather(Story(game), 5, 1, 6, 1)
    squares = [
        sailing.squares_a_move(story.battle, story.state, story.battle.numbers[name])
        for name in ("Ajax", "Iowa", "Exeter", "Hood", "Patrick Henry")
    ]
    assert squares == [3, 4, 1, 1, 1]


def test_F30_nobody_fires_in_fog_and_ships_there_are_discs() -> None:
    game = battle("Ajax K4 E, Achilles K3 E", "Exeter M4 W, Norfolk M3 W", weather="on")
    story = weather(Story(game), 1, 6, 1, 1)
    seen = story.game.observe(story.state, 0)
    assert [story.battle.grid.names[s] for s in seen.discs] == ["M3", "M4"]
    assert {seen.view.ships[n].square for n in story.battle.fleet(1)} == {HIDDEN}
    assert story.game.observe(story.state, 1).discs == ()
    assert story.done(2).state.move == 2  # nobody could fire, so that the move was over
    story = weather(Story(game), 1, 6, 1, 1).done()
    story.play("Exeter: L4 W")  # out of the fog
    assert story.events[-1].to is None and len(story.game.observe(story.state, 0).discs) == 1
    story.play("Norfolk: M3 E")
    assert story.events[-1].to == {1}
    assert "guns Exeter" in story.of("Ajax")
    said(story.refusal("Ajax: guns Norfolk"), FLEET, "no.seen")


def test_F30_who_lies_in_fog_cannot_fire() -> None:
    game = battle("Ajax L4 E, Sydney A9 E", "Exeter M4 W, Emden L6 W", weather="on")
    story = weather(Story(game), 1, 6, 1, 1).to_fire()  # Exeter in fog, Ajax and Emden in sight of each other
    assert "guns Emden" in story.of("Ajax") and not any("Exeter" in order for order in story.of("Ajax"))
    story.to_fire(1)
    said(story.refusal("Exeter: guns Ajax"), FLEET, "no.fog")
    assert story.of("Emden")


def test_F30_nobody_fires_across_fog() -> None:
    game = battle("Ajax L4 E", "Exeter M6 W", weather="on")  # in the quarters that meet at a corner with the other two
    clear, fog = ((1, 1, 1, 1), (1, 6, 1, 1))
    assert "guns Exeter" in weather(Story(game), *clear).to_fire(0).of("Ajax")
    foggy = weather(Story(game), *fog)  # the line from L4 to M6 crosses M5, in the fog
    assert game.observe(foggy.state, 0).view.ships[1].square == foggy.battle.grid.number("M6")
    assert foggy.done(2).state.move == 2  # nobody could fire
    night = weather(Story(battle("Ajax L5 E", "Exeter M6 W", weather="on", light="night")), 1, 6, 6, 1)
    assert not sight.known(night.battle, night.state, 1)  # past the corner where two banks of fog meet


def test_F31_four_moves_of_night_and_eight_of_day() -> None:
    def nights(light: str) -> list[int]:
        game = battle("Ajax C4 E", "Exeter X10 W", light=light)
        return [move for move in range(1, 26) if sight.is_night(game.battle, move)]

    assert nights("scenario") == nights("day") == [] and nights("night") == list(range(1, 26))
    assert nights("dawn") == [9, 10, 11, 12, 21, 22, 23, 24]
    assert nights("dusk") == [1, 2, 3, 4, 13, 14, 15, 16, 25]


def test_F32_by_night_ships_are_known_within_two_squares() -> None:
    game = battle("Ajax C4 E", "Exeter E4 W, Emden F4 W, Sydney C6 W", 'coast = ["C5"]', light="night")
    story = Story(game)
    assert [sight.known(story.battle, story.state, n) for n in range(4)] == [True, True, False, False]
    story.to_fire()
    assert "guns Exeter" in story.of("Ajax")
    said(story.refusal("Ajax: guns Emden"), FLEET, "no.seen")
    assert [story.battle.grid.names[s] for s in story.game.observe(story.state, 0).discs] == ["F4", "C6"]


def test_F32_who_fires_by_night_is_known_in_the_next_move() -> None:
    game = battle("Ajax C4 E, Iowa A4 E", "Exeter E4 W, Emden X9 W", light="night")
    story = Story(game).to_fire().play("Ajax: guns main once Exeter").to_fire(1)
    story.play("Exeter: guns main once Ajax").dice().throw(0, 0)
    assert story.state.move == 2 and story.ship("Exeter").marked and not story.ship("Exeter").fired
    story.hurt("Exeter", square=story.battle.grid.number("H4")).to_fire(0)  # she has run out of sight
    assert "guns Exeter" in story.of("Iowa")
    story.next_move()
    assert not story.ship("Exeter").marked
    assert not sight.known(story.battle, story.state, story.battle.numbers["Exeter"])


def test_F33_a_screen_hides_the_deployment() -> None:
    game = battle("Ajax L4 E, Exeter C9 E", "Norfolk M4 W, Emden X9 W", hidden_start="on")
    story = Story(game)
    seen = story.game.observe(story.state, 0)
    assert seen.discs == () and {seen.view.ships[n].square for n in (2, 3)} == {HIDDEN}
    assert {text.split()[0][0] for text in story.of("Ajax")} <= set("HIJKL")
    assert story.play("Exeter: D9 E").events[-1].to == {0}  # nothing is told of what goes on behind the screen
    story.next_move()
    assert story.state.move == 2 and not any(event.rule == "F38" for event in story.events)  # nobody could fire
    story.next_move()
    assert story.game.observe(story.state, 0).view.ships[2].square == HIDDEN
    story.next_move()
    assert story.game.observe(story.state, 0).view.ships[2].square == story.battle.grid.number("M4")
    with refused(OptionError, FLEET, "scenario.screen", name="Norfolk"):
        battle("Ajax L4 E", "Norfolk C4 W", hidden_start="on")


def test_F34_a_ship_comes_onto_the_board_at_a_square_diced_for() -> None:
    more = '[[ship]]\nside = "Blue"\nname = "Norfolk"\nat = "A5 E"\nenters = 2\nentry = ["A1", "A5", "A9"]\n'
    story = Story(battle("Ajax A5 E", "Emden X9 W", ships=more))
    assert story.ship("Norfolk").fate is Fate.WAITING and not story.of("Norfolk")
    story.next_move()
    assert story.state.phase is Phase.ENTRY  # Ajax still lies in A5
    assert story.chances == {f"Norfolk: enter {square}": Fraction(1, 2) for square in ("A1", "A9")}
    story.play("Norfolk: enter A9")
    assert story.square("Norfolk") == "A9" and story.state.phase is Phase.MOVE


# Victory ----------------------------------------------------------------------------------------------------------

ISLAND = '[[island]]\nname = "Savo"\nsquares = ["H5", "I5"]\n'
HOLD = "".join(f'[[objective]]\nside = "{side}"\naim = "island"\npoints = 7\n' for side in ("Blue", "Red"))


def test_F35_an_island_is_captured_by_two_moves_beside_it() -> None:
    story = Story(battle("Ajax G4 E, Exeter A1 E", "Emden X9 W", ISLAND, aims=AIMS + HOLD)).next_move()
    assert story.state.islands[0].owner == -1
    story.next_move()
    assert story.state.islands[0].owner == 0 and story.rules.count("F35") == 1
    assert [play.score(story.battle, story.state, side) for side in (0, 1)] == [7, 0]
    story.next_move()
    assert story.rules.count("F35") == 1


def test_F35_not_with_an_enemy_beside_it_nor_by_two_ships_in_turn() -> None:
    story = Story(battle("Ajax G4 E, Exeter A1 E", "Emden J4 W", ISLAND)).next_move().next_move()
    assert story.state.islands[0].owner == -1
    story = Story(battle("Ajax G4 E, Exeter A1 E", "Emden X9 W", ISLAND)).next_move().done()
    at = story.battle.grid.number
    story.hurt("Ajax", square=at("A9")).hurt("Exeter", square=at("G4")).next_move()
    assert story.state.islands[0].owner == -1 and story.next_move().state.islands[0].owner == 0


def test_F36_points_for_all_aims_on_one_scale() -> None:
    aims = "".join(
        f'[[objective]]\nside = "Blue"\naim = "{aim}"\n{more}'
        for aim, more in (
            ("sink", 'of = ["Emden"]\npoints = 20\n'),
            ("sink", 'of = ["Sydney"]\n'),
            ("damage", "points = 3\n"),
            ("exit", "points = 5\n"),
            ("survive", "points = 1\n"),
        )
    )
    exits = '[[exit]]\nside = "Blue"\nsquares = ["A9"]\n'
    red = "Emden X9 W, Sydney X7 W, Norfolk X5 W"
    story = Story(battle("Ajax G4 E, Exeter A1 E, Hood A3 E", red, exits, aims=aims))

    def score() -> int:
        return play.score(story.battle, story.state, 0)

    rate = {name: ship(name).sinking_rate for name in ("Emden", "Sydney", "Norfolk")}
    assert score() == 0
    story.hurt("Norfolk", damage=rate["Norfolk"] // 2 + 1)
    assert score() == 6
    story.hurt("Norfolk", damage=rate["Norfolk"])
    assert score() == 9  # awash, with three quarters to count; the fourth is for sinking her
    story.hurt("Emden", damage=rate["Emden"] + 1, fate=Fate.SUNK, square=OFF)
    assert score() == 9 + 20 + 12
    story.hurt("Sydney", damage=rate["Sydney"] + 1, fate=Fate.SUNK, square=OFF)
    assert score() == 9 + 20 + 12 + points(ship("Sydney")) + 12
    story.hurt("Ajax", fate=Fate.LEFT, square=OFF)
    before = score()
    assert before == 9 + 20 + 12 + points(ship("Sydney")) + 12 + 5
    story.state = play.verdict(story.battle, story.state)[0]
    assert story.state.phase is not Phase.END
    aims = aims.replace('["Sydney"]', '["Emden"]')
    last = Story(battle("Ajax G4 E, Exeter A1 E", "Emden X9 W", f"moves = 1\n{exits}", aims=aims)).next_move()
    assert last.game.outcome(last.state).facts["blue_points"] == 2  # both are left at the end


def test_F37_the_battle_ends_with_the_points_agreed_upon() -> None:
    story = duel("Fletcher C4 E, Ajax A1 E", "Walker D4 N, Emden X9 W", "moves = 20\ntotal = 10")
    story.play("Fletcher: torpedoes 1 Walker").dice().throw(1)
    assert story.game.turn(story.state) == TERMINAL and story.rules[-1] == "F37"
    outcome = story.game.outcome(story.state)
    assert outcome is not None and (outcome.result, outcome.scores) == ("blue", (1.0, 0.0))
    assert outcome.facts == {"move": 1, "blue": "Blue", "red": "Red", "blue_points": 10, "red_points": 0}
    assert story.legal == set()
    said(story.refusal("done"), FLEET, "now.end")


def test_F37_the_battle_ends_when_a_side_has_no_ship_left() -> None:
    story = duel("Fletcher C4 E, Ajax A1 E", "Walker D4 N").play("Fletcher: torpedoes 1 Walker").dice().throw(1)
    assert story.state.phase is Phase.END and story.state.result == "blue"


def test_F37_when_the_enemy_has_nothing_left_who_could_still_leave_counts_as_away() -> None:
    aims = '[[objective]]\nside = "Blue"\naim = "exit"\npoints = 20\nof = ["Ajax", "Norfolk", "Exeter"]\n'
    exits = '[[exit]]\nside = "Blue"\nsquares = ["N1"]\n'
    ships = "Fletcher C4 E, Ajax D1 E, Norfolk A8 E, Exeter A1 E"

    def over(moves: int, loser: str = "Walker") -> Story:
        game = battle(ships, "Walker D4 N", f"moves = {moves}\nsections = [2, 1]\n{exits}", aims=aims)
        story = Story(game).hurt("Exeter", screws=True)
        return story.hurt(loser, damage=ship(loser).sinking_rate + 1, fate=Fate.SUNK, square=OFF)

    def ended(story: Story) -> tuple[set[str], int]:
        state, events = play.verdict(story.battle, story.state)
        assert state.phase is not Phase.END or [event.rule for event in events] == ["F37"] * len(events)
        return {event.facts["ship"] for event in events if event.kind == "away"}, play.score(story.battle, state, 0)

    assert ended(over(20)) == ({"Ajax", "Norfolk", "Exeter"}, 60)  # no points for Fletcher, who may stay
    assert ended(over(7)) == ({"Ajax", "Norfolk"}, 40)  # one square a move is too slow
    assert ended(over(2)) == (set(), 0)
    assert ended(over(20, "Ajax")) == (set(), 0)  # an enemy is there, and the battle goes on


def test_F37_the_battle_ends_with_the_last_move() -> None:
    for moves, more in ((3, "moves = 3"), (2, "moves = 9")):
        game = battle("Ajax C4 E", "Exeter X10 W", more, moves=0 if moves == 3 else 2)
        story = Story(game)
        for _ in range(moves):
            assert story.state.phase is not Phase.END
            story.next_move()
        outcome = story.game.outcome(story.state)
        assert outcome is not None and outcome.result == "draw" and outcome.scores == (0.5, 0.5)


def test_F37_why_a_battle_ended_is_told_as_the_rule_ended_it() -> None:
    def told(story: Story) -> str:
        state, events = play.verdict(story.battle, story.state)
        outcome = story.game.outcome(state)
        assert outcome is not None and outcome.text == " ".join(event.text for event in events[-2:])
        return events[-2].kind

    def fought(more: str, *sunk: str) -> Story:
        story = Story(battle("Fletcher C4 E, Ajax D1 E", "Walker D4 N", f"sections = [2, 1]\n{more}"))
        for name in sunk:
            story.hurt(name, damage=ship(name).sinking_rate + 1, fate=Fate.SUNK, square=OFF)
        return story

    assert told(fought("moves = 1")) == "ended.moves"
    assert told(fought("moves = 1\ntotal = 10", "Walker")) == "ended.points"
    assert told(fought("moves = 1", "Walker")) == told(fought("moves = 9", "Walker")) == "ended.bare"
    assert told(fought("moves = 9\ntotal = 30", "Fletcher", "Ajax", "Walker")) == "ended.both"


@pytest.mark.parametrize("key", ["rudder", "force_z", "wounded_cruiser", "iowa_convoy", "river_plate"])
def test_F37_the_reason_told_is_what_the_board_shows(key: str) -> None:
    for seed in range(3):
        match = nk.Match.new(nk.load("fleet-action", scenario=key), seed)
        captain = nk.player("gunnery", match.game)
        while not match.over:
            match.play(captain.decide(match.observe(), match.legal()).action)
        game, state = match.game, match.state
        assert isinstance(game, FleetAction)
        fight, home = game.battle, {event.facts["ship"] for event in match.log if event.kind == "away"}
        there = {unit.side for unit, own in zip(fight.units, state.ships, strict=True)
                 if own.fate in (Fate.AT_SEA, Fate.WAITING) or unit.name in home}
        for squadron, flight in zip(fight.flights, state.flights, strict=True):
            afar = squadron.base < 0 and flight.place not in (Place.HOME, Place.LOST)
            there |= {squadron.side} if flight.place is Place.ALOFT or afar else set()
        before = replace(state, phase=Phase.TURRETS)
        for name in home:
            before = with_ship(before, fight.numbers[name], fate=Fate.AT_SEA)
        reached = fight.total and max(play.score(fight, before, side) for side in (0, 1)) >= fight.total
        kinds = {"ended.points"} if reached else {"ended.bare", "ended.home"} if len(there) == 1 else {"ended.moves"}
        assert match.log[-2].kind in ({"ended.both"} if not reached and not there else kinds), (key, seed)
        if not reached and len(there) == 1:
            assert match.log[-2].facts["side"] == fight.sides[1 - min(there)]
        if match.log[-2].kind == "ended.moves":
            assert state.move == fight.moves


def test_F37_flights_that_have_flown_home_are_told_as_the_end() -> None:
    match = nk.Match.new(nk.load("fleet-action", scenario="force_z"), 1)
    captain = nk.player("gunnery", match.game)
    while not match.over:
        match.play(captain.decide(match.observe(), match.legal()).action)
    outcome = match.outcome
    assert outcome is not None and match.log[-2].kind == "ended.home" and match.log[-2].text in outcome.text


def test_F38_orders_are_secret_until_both_have_given_theirs() -> None:
    story = duel("Ajax C4 E", "Exeter E4 W")
    before = story.game.observe(story.state, 1)
    story.play("Ajax: guns once Exeter")
    assert story.events[-1].rule == "F38" and story.events[-1].to == {0}
    assert story.game.observe(story.state, 1) == before and story.game.observe(story.state, 0).view.shots
    legal = Story(story.game).to_fire().done().legal
    story.done()
    assert story.state.side == 1 and not story.game.observe(story.state, 1).view.shots and story.legal == legal
    story.play("Exeter: guns main Ajax").done()
    assert len(story.game.observe(story.state, 1).view.shots) == len(story.state.shots) > 3


def test_F39_squadrons_of_ones_own() -> None:
    game = nk.load("fleet-action", scenario="build_your_own", blue="iowa, FLETCHER,Jenkins", red="Musashi")
    assert game.options["blue"] == "Iowa, Fletcher, Jenkins"
    assert [unit.name for unit in game.battle.units] == ["Iowa", "Fletcher", "Jenkins", "Musashi"]
    squares = {unit.name: game.battle.grid.names[unit.square] for unit in game.battle.units}
    assert squares["Fletcher"] == squares["Jenkins"] != squares["Iowa"]
    sunk = Story(game).hurt("Musashi", damage=5000, fate=Fate.SUNK, square=OFF)
    assert play.score(sunk.battle, sunk.state, 0) == points(ship("Musashi")) + 40


@pytest.mark.parametrize(
    "options, reason",
    [
        ({"blue": "Iowa, Yamoto"}, FLEET.phrase("table.unknown", what=FLEET("table.ship"), name="'Yamoto'")),
        ({"blue": "Iowa, iowa"}, FLEET.phrase("squadron.twice")),
        ({"blue": ", ".join(list(TABLES.ships)[:13])}, FLEET.phrase("squadron.many", most=12, n=13)),
        ({"blue": "Bismarck"}, FLEET.phrase("squadron.both", name="Bismarck")),
        ({"budget": 1}, FLEET.phrase("squadron.blue_costs", budget=1)),
        ({"blue": ""}, CORE.phrase("options.wrong", name="blue")),
    ],
)
def test_F39_what_is_no_squadron_is_refused(options: dict[str, Any], reason: Phrase) -> None:
    with refused(OptionError, reason):
        nk.load("fleet-action", scenario="build_your_own", **options)


def test_every_rule_has_a_test() -> None:
    folders = (Path(__file__).parent, Path(__file__).parents[1] / "odds")
    texts = (file.read_text(encoding="utf-8") for folder in folders for file in folder.glob("test_*.py"))
    tests = {rule for text in texts for rule in re.findall(r"def test_(F\d+a?)_", text)}
    assert tests == set(nk.load("fleet-action").rules())


# Whatever is played -----------------------------------------------------------------------------------------------


def walk(scenario: str, seed: int, **options: Any) -> nk.Match:
    """A game played at random to its end."""
    match, rng = nk.Match.new(nk.load("fleet-action", scenario=scenario, **options), seed), random.Random(seed)
    while not match.over:
        match.play(rng.choice(match.legal()))
    return match


SCENARIOS = ("river_plate", "denmark_strait", "iowa_convoy", "raider_hunt", "mined_strait", "night_action")


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_is_carried_is_conserved_and_damage_is_what_hits_do(scenario: str) -> None:
    match = walk(scenario, 3)
    battle_, fired = match.game.battle, dict.fromkeys(range(len(match.game.battle.units)), 0)
    before = match.at(0)
    for ply in match.plies:
        after: State = ply.state
        for number, (old, new) in enumerate(zip(before.ships, after.ships, strict=True)):
            card = battle_.card(number)
            assert 0 <= new.damage and (new.damage > card.sinking_rate) == (new.fate is Fate.SUNK)
            assert all(0 <= out <= mount.guns for out, mount in zip(new.out, card.mounts, strict=True))
            assert new.mines % 10 == card.mines % 10 and 0 <= new.mines <= old.mines
            if old.fate in (Fate.SUNK, Fate.LEFT):
                assert new == old  # who is gone stays as she was
                assert getattr(ply.action, "ship", "") != battle_.units[number].name  # and does nothing
            if old.loaded & ~new.loaded:
                assert isinstance(ply.action, Hits) and ply.action.torpedo
                fired[number] += 1
        laid = sum(ship.mines for ship in before.ships) - sum(ship.mines for ship in after.ships)
        sown = sum(field.left for field in after.fields) - sum(field.left for field in before.fields)
        assert laid == sown or (laid == 0 and sown < 0)
        before = after
    launched = [ply.action for ply in match.plies if isinstance(ply.action, Hits) and ply.action.torpedo]
    assert len(launched) == sum(fired.values())


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_random_battles_end_and_few_orders_are_open_at_a_time(scenario: str) -> None:
    match = walk(scenario, 5)
    assert match.outcome is not None and match.state.move <= match.game.battle.moves
    assert max(len(match.game.legal(match.at(ply))) for ply in range(0, match.ply, 7)) < 500


def test_squares_hold_what_they_have_room_for() -> None:
    match = walk("mined_strait", 8)
    for ply in range(0, match.ply, 3):
        state, battle_ = match.at(ply), match.game.battle
        for square, lying in sailing.crowding(battle_, state, ()).items():
            assert square not in battle_.land and len({battle_.side(n) for n in lying}) == 1
            assert sailing.has_room(battle_, square, lying[1:], lying[:1])


@settings(max_examples=15)
@given(walks(nk.load("fleet-action", scenario="night_action", moves=3), max_decisions=25))
def test_walks_read_back_from_their_records(match: nk.Match) -> None:
    assert nk.Match.loads(match.dumps()).plies == match.plies


@pytest.mark.parametrize(
    "options",
    [
        {"moves": 2},
        {"scenario": "river_plate", "moves": 5, "weather": "on", "light": "night", "first_mover": "dice"},
        {"scenario": "river_plate", "moves": 3, "hidden_start": "on", "turrets": "automatic"},
        {"scenario": "mined_strait", "moves": 2, "light": "dusk"},
        {"scenario": "raider_hunt", "moves": 4},
        {"scenario": "night_action", "moves": 3},
        {"scenario": "build_your_own", "moves": 3},
    ],
    ids=lambda options: " ".join(map(str, options.values())),
)
def test_it_conforms_and_observations_hide_what_they_must(options: dict[str, Any]) -> None:
    game = nk.load("fleet-action", **options)
    check_game(game, seeds=[4], walks=1, permute=lambda state, player, rng: permute(game.battle, state, player, rng))


def test_F40_what_is_mended_and_loaded_unseen_is_not_known() -> None:
    story = Story(battle("Exeter C4 E, Walker D4 E", "Emden G4 W, Fletcher G5 W", HARBOUR, light="night"))
    story.hurt("Exeter", damage=140, out=(2, 1, 0, 0), loaded=0, marked=True)

    def seen(side: int = 1) -> tuple[Any, ...]:
        ship = story.game.observe(story.state, side).view.ships[0]
        return ship.square == HIDDEN, ship.damage, ship.out, ship.loaded

    assert seen() == (False, 140, (2, 1, 0, 0), 0)
    story.next_move().hurt("Exeter", damage=140, out=(2, 1, 0, 0), loaded=0)  # she was known, and mended
    story.next_move()
    assert seen() == (True, 140, (2, 1, 0, 0), 0) and seen(0) == (False, 113, (1, 1, 0, 0), 3)
    twin = replace(story.state, ships=(replace(story.ship("Exeter"), damage=0, out=(0,) * 4), *story.state.ships[1:]))
    assert story.game.observe(twin, 1) == story.game.observe(story.state, 1)
    while story.state.side == 0:
        story.done()
    story.play("Emden: E4 W")
    assert seen() == (False, 113, (1, 1, 0, 0), 3) and story.ship("Exeter").told is None


def test_permuting_changes_much_and_nothing_that_is_seen() -> None:
    rng, changed = np.random.default_rng(1), {"discs": 0, "mines": 0, "orders": 0}
    for scenario in ("night_action", "mined_strait", "river_plate"):
        match = walk(scenario, 2)
        for ply in range(0, match.ply, 5):
            state = match.at(ply)
            for player in (0, 1):
                other = permute(match.game.battle, state, player, rng)
                own = match.game.battle.fleet(player)
                assert [other.ships[n] for n in own] == [state.ships[n] for n in own]
                assert match.game.observe(other, player) == match.game.observe(state, player)
                squares = [[ship.square for ship in s.ships] for s in (state, other)]
                changed["discs"] += squares[0] != squares[1]
                changed["mines"] += [f.square for f in state.fields] != [f.square for f in other.fields]
                changed["orders"] += state.shots != other.shots
    assert min(changed.values()) > 5, changed


@pytest.mark.parametrize("options", [{"scenario": "night_action"}, {"scenario": "raider_hunt"}])
def test_no_event_tells_a_side_where_a_ship_is_that_it_does_not_know(options: dict[str, Any]) -> None:
    hidden = 0
    for seed in range(3):
        match = walk(seed=seed, **options)
        for before, ply in enumerate(match.plies):
            if ply.state.move != match.at(before).move:
                continue  # by then who was known may no longer be
            for event in ply.events:
                if event.kind in ("moved", "entered", "sweeps", "reloading"):
                    number = match.game.battle.numbers[event.facts["ship"]]
                    known = sight.known(match.game.battle, ply.state, number)
                    assert known or event.to == {match.game.battle.side(number)}
                    hidden += not known
    assert hidden > 50


@pytest.mark.parametrize("target, far", [("D4 N", 1), ("G4 N", 4), ("H4 N", 5), ("I4 N", 6)])
def test_the_dice_of_the_game_are_the_odds_of_the_tables(target: str, far: int) -> None:
    """All firings of a ship's guns, folded together shot by shot, are the salvo that `odds` calculates."""
    story = duel("Exeter C4 E", f"Norfolk {target}").play("Exeter: guns main Norfolk").dice()
    total = Dist.point(0)
    while story.state.phase is Phase.SALVO:
        total = total + story.game.chance(story.state).map(lambda action: action.hits * 3)
        story.throw(0)
    assert total == odds.salvo("8in Mk VIII", 4, far)


@pytest.mark.parametrize("heading, aspect", [("N", "beam"), ("NE", "diagonal"), ("E", "end")])
def test_torpedoes_and_mines_of_the_game_are_the_odds_of_the_tables(heading: str, aspect: str) -> None:
    story = duel("Fletcher C4 E", f"Iowa E4 {heading}").play("Fletcher: torpedoes 1 Iowa").dice()
    assert story.game.chance(story.state).map(lambda action: 100 * action.hits) == odds.torpedoes("Mk 15", 5, aspect)
    story = Story(battle("Iowa C4 E", "Emden X9 W")).mine("D4", 1).play("Iowa: D4 E")
    mine = story.game.chance(story.state).map(lambda action: 10 * action.pips if action.pips < 12 else 0)
    assert mine == odds.mine()


def test_the_odds_of_a_shot_do_not_depend_on_what_was_thrown_before() -> None:
    """Equal slots of one seed give equal dice, and no two shots of a battle share a slot."""
    match, slots = walk("denmark_strait", 3), []
    for ply in range(match.ply):
        if match.game.turn(match.at(ply)) == CHANCE:
            slots.append(match.game.chance(match.at(ply)).slot)
    assert len(slots) == len(set(slots)) > 50
