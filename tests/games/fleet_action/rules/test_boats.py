"""Boats and their hunting, each rule under its id, and what must stay hidden."""

from __future__ import annotations
import hashlib
import random
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

import navalkit as nk
from navalkit.core.dist import Dist
from navalkit.core.errors import OptionError
from navalkit.games.fleet_action import points
from navalkit.games.fleet_action.cards import TABLES, any_ship
from navalkit.games.fleet_action.craft import Depth, Periscope
from navalkit.games.fleet_action.measures import GUNS, PREDICTIONS
from navalkit.games.fleet_action.rules import hunting
from navalkit.games.fleet_action.rules.boats import look
from navalkit.games.fleet_action.rules.play import value
from navalkit.games.fleet_action.scenarios import names
from navalkit.games.fleet_action.sight import permute
from navalkit.games.fleet_action.state import HIDDEN, Fate, Phase, with_ship
from navalkit.testing import check_game, said
from ....sentences import FLEET
from ..battles import CHAPTERS, Story, battle, tell

BOAT = "U 552 F6 W (U 552)"
HUNTER = "Walker K6 W (Walker 1941)"


def story(blue: str = BOAT, red: str = HUNTER, more: str = "", depth: Depth = Depth.PERISCOPE, **options: Any) -> Story:
    """A story in which U 552 begins in F6 at that depth, whoever else is there."""
    told = Story(battle(blue.replace("F6", "A10"), red, more, **options))
    return told.hurt("U 552", depth=depth, square=told.battle.grid.number("F6"))


def at_fire(told: Story, *looks: str) -> Story:
    """On to the firing, no periscope seen unless ``looks`` say so."""
    while told.state.phase is Phase.MOVE:
        told.done()
    while told.state.phase is Phase.SEEN:
        boat = told.battle.units[told.battle.boats[told.state.looked]].name
        told.play(f"{boat}: periscope {'seen' if boat in looks else 'unseen'}")
    return told


def refused(told: Story, side: int, text: str) -> str:
    """Why a side could not give that order if it were its turn to order fire."""
    told.state = replace(told.state, side=side, phase=Phase.FIRE)
    return told.refusal(text)


def on(told: Story) -> Story:
    """On to the next move, nobody ordering anything."""
    move = told.state.move
    while told.state.move == move and told.state.phase is not Phase.END:
        if told.state.phase is Phase.SEEN:
            at_fire(told)
        else:
            told.done()
    return told


# Boats ------------------------------------------------------------------------------------------------------------


def test_F41_a_boat_changes_one_level_before_she_moves_or_two_and_nothing_else() -> None:
    told = story(depth=Depth.SURFACE)
    orders = told.of("U 552")
    assert {"F6 W periscope", "E6 W periscope", "F6 W deep", "D6 W"} <= orders
    assert not {"E6 W deep", "D6 W periscope", "F6 E deep"} & orders  # dived she goes one square
    said(told.refusal("U 552: E6 W deep"), FLEET, "no.two_levels")
    said(told.refusal("U 552: F6 W surface"), FLEET, "no.there")
    said(told.refusal("U 552: F6 W"), FLEET, "no.reach")
    told.play("U 552: F6 W deep")
    assert told.ship("U 552").depth is Depth.DEEP and told.ship("U 552").still
    up = story(depth=Depth.DEEP, red="Walker G6 W (Walker 1941)").play("U 552: F6 W surface")
    at_fire(up)
    said(refused(up, 0, "U 552: torpedoes 1 Walker"), FLEET, "no.diving")
    up = story(depth=Depth.DEEP).play("U 552: F6 W surface")
    assert on(up).ship("U 552").still is False


def test_F41_other_ships_have_no_depths() -> None:
    boats = "U 94 A1 E [Pair] (U 94), U 31 A2 E [Pair] (U 31)"
    told = Story(battle(f"Walker F6 W (Walker 1941), {boats}", "Ajax X9 W"))
    said(told.refusal("Walker: F6 W deep"), FLEET, "no.boat")
    said(told.refusal("Pair: A2 E deep"), FLEET, "no.boat", name="Pair")
    with pytest.raises(OptionError):
        battle("Ajax C4 E", "", ships='[[ship]]\nside = "Red"\nname = "Exeter"\nat = "X4 W"\ndepth = "deep"\n')


def test_F42_dived_she_goes_a_square_for_one_of_her_battery() -> None:
    told = story().play("U 552: E5 NW")  # one diagonal step is one square entered
    assert told.ship("U 552").battery == TABLES.late["U 552"].battery - 1
    on(told)
    assert told.ship("U 552").battery == TABLES.late["U 552"].battery - 1  # dived she charges nothing
    told.hurt("U 552", battery=0)
    told.done() if told.state.side else None
    assert {order.split()[0] for order in told.of("U 552") if "surface" not in order} == {"E5"}
    told.play("U 552: E5 NW surface")
    assert on(told).ship("U 552").battery == 2 and told.ship("U 552").depth is Depth.SURFACE


def test_F43_a_dived_boat_is_on_her_owners_chart_alone() -> None:
    told = Story(battle(BOAT, "Walker G6 W (Walker 1941)"), first="red").hurt("U 552", depth=Depth.DEEP)
    seen = told.game.observe(told.state, 1)
    boat = seen.view.ships[told.battle.numbers["U 552"]]
    assert boat.square == HIDDEN and not seen.discs and boat.heading == 0
    assert "F6 W" in told.of("Walker")  # she blocks nothing
    told.play("Walker: F6 W")
    assert told.square("Walker") == told.square("U 552")
    told.play("U 552: E6 W")
    assert told.events[-1].to == frozenset((0,))


def test_F43_torpedoes_and_mines_announce_her() -> None:
    told = at_fire(story(red="Walker G6 W (Walker 1941)"))
    told.play("U 552: torpedoes 1 Walker").dice()
    seen = told.game.observe(told.state, 1).view.ships[0]
    assert told.battle.grid.names[seen.square] == "F6" and seen.depth is Depth.DEEP and seen.heading == 0
    on(told.throw(0))
    assert told.game.observe(told.state, 1).view.ships[0].square == HIDDEN  # and forgotten by nobody:
    remembered = told.ship("U 552").seen
    assert remembered and told.battle.grid.names[remembered.square] == "F6"
    struck = story().mine("E6", 1).play("U 552: E6 W")
    struck.play("U 552: mine E6 2")
    assert struck.game.observe(struck.state, 1).view.ships[0].square == struck.battle.grid.number("E6")


def test_F43_a_surfaced_boat_is_seen_near_by_at_night_and_shows_no_disc() -> None:
    for place, radar, known in (("G6", False, True), ("H6", False, False), ("H6", True, True), ("I6", True, False)):
        cards = '[[card]]\nname = "Hunter"\nlike = "Walker 1941"\nradar = true\n' * radar
        card = "Hunter" if radar else "Walker 1941"
        told = Story(battle(BOAT, f"Walker {place} W ({card})", ships=cards, light="night"))
        seen = told.game.observe(told.state, 1)
        assert (seen.view.ships[0].square != HIDDEN) is known and not seen.discs


def test_F43_a_harbour_is_closed_to_enemy_boats() -> None:
    told = story(more='[[harbour]]\nside = "Red"\nsquares = ["E6"]\n')
    assert "E6 W" not in told.of("U 552") and "E5 NW" in told.of("U 552")


def test_F44_each_ship_near_throws_a_die_for_her_periscope() -> None:
    told = story(red="Walker G6 W (Walker 1941), Ajax F7 E, Exeter H6 W")
    while told.state.phase is Phase.MOVE:
        told.done()
    chances = told.chances
    assert chances == {"U 552: periscope unseen": Fraction(25, 36), "U 552: periscope seen": Fraction(11, 36)}
    told.play("U 552: periscope seen")
    assert told.game.observe(told.state, 1).view.ships[0].square == told.battle.grid.number("F6")
    unseen = story()
    while unseen.state.phase is Phase.MOVE:
        unseen.done()
    assert unseen.chances == {"U 552: periscope unseen": Fraction(1)}  # the dice tell nothing by being there
    unseen.play("U 552: periscope unseen")
    assert unseen.events[-1].to == frozenset((0,))
    assert at_fire(story(light="night")).state.phase is not Phase.SEEN


@pytest.mark.parametrize("depth", [*Depth])
def test_F44_of_a_periscope_is_told_only_where_one_is_up(depth: Depth) -> None:
    told = story()
    while told.state.phase is Phase.MOVE:
        told.done()
    ship = told.battle.numbers["U 552"]
    after, events = look(told.battle, with_ship(told.state, ship, depth=depth), Periscope("U 552", "unseen"))
    assert len(events) == (depth is Depth.PERISCOPE) and after.looked == told.state.looked + 1


def test_F44_high_seas_hide_a_periscope() -> None:
    told = story(red="Walker G6 W (Walker 1941)", weather="on").play(*[f"weather {zone} 4" for zone in range(1, 5)])
    while told.state.phase is Phase.MOVE:
        told.done()
    assert told.chances == {"U 552: periscope unseen": Fraction(1)}


def test_F44_from_below_she_fires_at_what_she_sees() -> None:
    far = at_fire(story(red="Walker I6 W (Walker 1941)"))
    said(refused(far, 0, "U 552: torpedoes 1 Walker"), FLEET, "no.torpedo")  # three squares: in range, out of sight
    assert "torpedoes 1 Walker" in at_fire(story(red="Walker H6 W (Walker 1941)")).of("U 552")
    surfaced = at_fire(story(red="Walker I6 W (Walker 1941)", depth=Depth.SURFACE))
    assert "torpedoes 1 Walker" in surfaced.of("U 552")


def test_F45_she_loads_a_set_from_her_spares() -> None:
    told = story(depth=Depth.DEEP).hurt("U 552", loaded=0b100).play("U 552: reload 1")
    assert told.ship("U 552").loading == 0
    on(told)
    boat = told.ship("U 552")
    assert (boat.loaded, boat.spares) == (0b101, 7)
    told.done() if told.state.side else None
    said(told.refusal("U 552: reload 1"), FLEET, "no.loaded")
    assert told.game.observe(told.state, 1).view.ships[0].loaded == 0b111  # what she has loaded is her own affair


def test_F45_a_boat_that_is_busy_loads_nothing() -> None:
    told = story("U 552 F6 W (U 552), Ajax A1 E", depth=Depth.SURFACE).hurt("U 552", loaded=0).play("U 552: D6 W")
    said(told.refusal("U 552: reload 1"), FLEET, "no.busy")
    poor = story().hurt("U 552", loaded=0, spares=1)
    said(poor.refusal("U 552: reload 1"), FLEET, "no.spares", n=1)
    said(poor.refusal("U 552: reload 9"), FLEET, "no.set")
    poor.play("U 552: reload 3")
    said(poor.refusal("U 552: F6 N"), FLEET, "no.reach")
    hunted = story(depth=Depth.DEEP).hurt("U 552", loaded=0).play("U 552: reload 1").hurt("U 552", heard=True)
    assert on(hunted).ship("U 552").loaded == 0
    deep = at_fire(story(red="Walker G6 W (Walker 1941)", depth=Depth.DEEP))
    said(refused(deep, 0, "U 552: torpedoes 1 Walker"), FLEET, "no.deep")


def test_F46_her_gun_needs_the_surface_and_no_high_seas() -> None:
    near = "Walker E6 W (Walker 1941)"
    assert "guns Walker" in at_fire(story(red=near, depth=Depth.SURFACE)).of("U 552")
    assert "guns Walker" not in at_fire(story(red=near)).of("U 552")
    rough = story(red=near, depth=Depth.SURFACE, weather="on").play(*[f"weather {zone} 4" for zone in range(1, 5)])
    assert "guns Walker" not in at_fire(rough).of("U 552")


def test_F46_a_dived_boat_is_no_target() -> None:
    told = at_fire(story(red="Walker G6 W (Walker 1941)"), "U 552")
    said(refused(told, 1, "Walker: guns U 552"), FLEET, "no.dived")


def test_F47_a_minelayer_sows_dived() -> None:
    told = Story(battle("UC 65 F6 W (UC 65)", "Walker X1 W (Walker 1941)")).hurt("UC 65", depth=Depth.PERISCOPE)
    told.play("UC 65: lay mines")
    assert [field.square for field in told.state.fields] == [told.battle.grid.number("F6")]
    assert told.events[-1].to == frozenset((0,)) and told.ship("UC 65").mines == 8


def test_F48_oil_shows_in_the_next_move_and_three_quarters_bring_her_up() -> None:
    told = at_fire(story(red="Walker F6 W (Walker 1941)", depth=Depth.DEEP))
    told.done() if told.state.side == 0 and told.state.phase is Phase.FIRE else None
    told.play("Walker: hunt F6").dice()
    told.play("Walker: hunt F6 contact", "Walker: charges F6 oil 1 telling 0")
    assert told.ship("U 552").oil and told.ship("U 552").damage == 0
    at_fire(told)
    assert told.ship("U 552").announced and not told.ship("U 552").oil
    on(told)
    assert not told.ship("U 552").announced
    broken = at_fire(story(red="Walker F6 W (Walker 1941)", depth=Depth.DEEP))
    broken.done() if not broken.state.side else None
    broken.play("Walker: hunt F6").dice().play("Walker: hunt F6 contact", "Walker: charges F6 oil 1 telling 1")
    boat = broken.ship("U 552")
    assert boat.damage == 40 and boat.depth is Depth.SURFACE and boat.fate is Fate.AT_SEA
    assert tell(broken.events, "F48")
    broken.done() if broken.state.side else None
    said(broken.refusal("U 552: F6 W deep"), FLEET, "no.dive")
    assert not any("periscope" in order for order in broken.of("U 552"))


# Hunting ----------------------------------------------------------------------------------------------------------


def hunters(place: str = "F6", card: str = "Walker 1941", more: str = "", **options: Any) -> Story:
    """The boat deep in F6, and the hunter's side to order her fire."""
    told = at_fire(story(red=f"Walker {place} W ({card})", depth=Depth.DEEP, ships=more, **options))
    return told.done() if told.state.phase is Phase.FIRE and not told.state.side else told


LATE = '[[card]]\nname = "Late"\nlike = "Walker 1941"\ngear = "{}"\n'


def test_F49_a_hunter_that_goes_too_fast_is_deaf() -> None:
    told = Story(battle(BOAT, "Walker I6 W (Walker 1941)"), first="red").hurt("U 552", depth=Depth.DEEP)
    told.play("Walker: F6 W 3")
    said(hunting.deaf(told.battle, told.state, 1), FLEET, "no.fast", n=2)
    slow = Story(battle(BOAT, "Walker H6 W (Walker 1941)"), first="red").hurt("U 552", depth=Depth.DEEP)
    slow.play("Walker: F6 W")
    assert "hunt F6" in at_fire(slow).of("Walker")
    assert [TABLES.gear["asdic 1941"].squares(move) for move in (1, 2)] == [2, 3]
    assert [TABLES.gear["hydrophones 1917"].squares(move) for move in (1, 2)] == [1, 1]


def test_F50_she_searches_a_square_with_one_die() -> None:
    told = hunters()
    assert told.of("Walker") == {"hunt F6"}
    told.play("Walker: hunt F6")
    twice = Story(told.game)
    twice.state = told.state
    said(refused(twice, 1, "Walker: hunt F6"), FLEET, "no.hunted")
    told.dice()
    assert told.chances == {"Walker: hunt F6 contact": Fraction(1, 3), "Walker: hunt F6 nothing": Fraction(2, 3)}
    told.play("Walker: hunt F6 nothing")
    secret = {event.kind: event.to for event in told.events if event.rule == "F50"}
    assert secret["nothing"] == frozenset((1,)) and secret["pinged"] == frozenset((0,))
    empty = hunters("G6")
    said(empty.refusal("Walker: hunt F6"), FLEET, "no.search", squares="G6")
    empty.play("Walker: hunt G6").dice()
    assert empty.chances == {"Walker: hunt G6 nothing": Fraction(1)}  # the die is there all the same


def test_F50_late_gear_hears_the_next_square_and_high_seas_drown_it() -> None:
    told = hunters("G6", "Late", LATE.format("asdic 1943"))
    assert told.of("Walker") == {f"hunt {square}" for square in ("G6", "F6", "H6", "G5", "G7")}
    told.play("Walker: hunt F6").dice()
    assert told.chances["Walker: hunt F6 contact"] == Fraction(1, 6)
    told.play("Walker: hunt F6 contact")
    assert told.state.move == 2 and tell(told.events, "F50") and not tell(told.events, "F51")  # too far to drop
    gear = TABLES.gear["asdic 1943"]
    assert [hunting.contact(gear, away, rough) for away in (0, 1, 2) for rough in (False, True)] == [
        Fraction(n, 6) for n in (3, 2, 1, 1, 0, 0)]


def test_F50_a_surfaced_boat_is_not_heard() -> None:
    told = hunters()
    told.hurt("U 552", depth=Depth.SURFACE).play("Walker: hunt F6").dice()
    assert told.chances == {"Walker: hunt F6 nothing": Fraction(1)}


def test_F51_a_pattern_falls_on_contact_and_fouls_the_water() -> None:
    told = at_fire(story(red="Walker F6 W (Walker 1941), Bluebell F6 W (Bluebell 1941)", depth=Depth.DEEP))
    told.play("Walker: hunt F6", "Bluebell: hunt F6").dice().play("Walker: hunt F6 contact")
    assert sum(told.chances.values()) == 1 and len(told.chances) == 15
    assert told.chances["Walker: charges F6 oil 0 telling 0"] == Fraction(5, 6) ** 4
    told.play("Walker: charges F6 oil 2 telling 0")
    assert told.chances == {"Bluebell: hunt F6 nothing": Fraction(1)} and told.ship("Walker").patterns == 5
    on(told.play("Bluebell: hunt F6 nothing"))
    assert not told.state.fouled
    spent = hunters().hurt("Walker", patterns=0).play("Walker: hunt F6").dice().play("Walker: hunt F6 contact")
    assert spent.state.move == 2


def test_F51_charges_are_what_the_dice_say() -> None:
    for dice in (1, 2, 3):
        brute: dict[tuple[int, int], Fraction] = {}
        for sides in product(range(1, 7), repeat=dice):
            sixes = sides.count(6)
            for again in product(range(1, 7), repeat=sixes):
                key = sixes, again.count(6)
                brute[key] = brute.get(key, Fraction(0)) + Fraction(1, 6 ** (dice + sixes))
        assert hunting.charges(dice) == Dist(brute)


def test_F52_what_is_thrown_ahead_kills_or_does_nothing() -> None:
    hedgehog, squid = (hunting.pattern(TABLES.gear[name]) for name in ("Hedgehog 1943", "Squid 1944"))
    assert hedgehog[1, 1] == Fraction(1, 6) and squid[1, 1] == Fraction(1, 3)
    told = hunters(card="Late", more=LATE.format("Hedgehog 1943")).play("Walker: hunt F6").dice()
    told.play("Walker: hunt F6 contact", "Walker: charges F6 oil 1 telling 1")
    assert told.ship("U 552").fate is Fate.SUNK and not told.state.fouled


# What stays hidden, and what stays as it was ----------------------------------------------------------------------


def test_a_dived_boat_may_be_anywhere_and_an_empty_search_tells_nothing() -> None:
    told = hunters("N6").play("Walker: hunt N6").dice()
    rng, places = np.random.default_rng(1), set()
    for _ in range(60):
        other = permute(told.battle, told.state, 1, rng)
        places.add(other.ships[0].square)
        assert told.game.observe(other, 1) == told.game.observe(told.state, 1)
    assert len(places) > 30
    assert told.game.observe(told.state, 0).view.hunts == ()  # who is not searched knows of no search
    vain = told.game.apply(told.state, told.game.parse_action("Walker: hunt N6 nothing"))
    assert not [event for event in vain.events if event.kind in ("nothing", "pinged") and event.to in (None, {0})]


def test_a_hunt_looks_the_same_with_and_without_a_boat() -> None:
    with_boat, without = hunters("F6"), hunters("N6")
    assert with_boat.of("Walker") == {"hunt F6"} and without.of("Walker") == {"hunt N6"}
    moved = replace(with_boat.state, ships=(replace(with_boat.ship("U 552"), square=0), *with_boat.state.ships[1:]))
    assert with_boat.game.observe(moved, 1) == with_boat.game.observe(with_boat.state, 1)
    assert with_boat.game.legal(moved) == with_boat.game.legal(with_boat.state)


@pytest.mark.parametrize("key", ["night_convoy", "wounded_cruiser"])
def test_the_battles_of_boats_keep_to_what_every_game_promises(key: str) -> None:
    game = nk.load("fleet-action", scenario=key, moves=3)
    check_game(game, seeds=range(1), walks=1, permute=lambda state, me, rng: permute(game.battle, state, me, rng))


def test_battles_of_boats_and_aircraft_are_offered_and_forecasts_of_fire_are_drawn_without_them() -> None:
    """Published figures of calibration rest on battles drawn from these, in this order."""
    assert set(names()) == {*CHAPTERS, *BEFORE} and len(CHAPTERS) == 5
    assert GUNS == tuple(BEFORE) and not any(name.removeprefix("hints_") in CHAPTERS for name in PREDICTIONS)


def random_play(key: str, seed: int) -> nk.Match:
    match, rng = nk.Match.new(nk.load("fleet-action", scenario=key), seed), random.Random(seed)
    while not match.over:
        match.play(rng.choice(match.legal()))
    return match


SLOW = {"carriers_in_the_cloud"}  # a thousand orders at a time


@pytest.mark.parametrize("key", [pytest.param(key, marks=[pytest.mark.slow] * (key in SLOW)) for key in CHAPTERS])
def test_a_random_player_comes_to_the_end(key: str) -> None:
    for seed in range(20):
        assert random_play(key, seed).outcome


BEFORE = {
    "build_your_own": "43134e8dbc87f7b4", "denmark_strait": "3af399f848320646", "iowa_convoy": "d2bdaf7a8bd80f05",
    "mined_strait": "4c0e7db38adf5aa5", "night_action": "4f04918f3172143f", "raider_hunt": "14a962d1afbce3c9",
    "river_plate": "c3fd1e9f6711b26d",
}  # fmt: skip
"""Battle -> digest of all that could be ordered, what was, and every state, before there were boats."""


@pytest.mark.parametrize("key", BEFORE)
def test_old_battles_are_as_they_were(key: str) -> None:
    game, seed, found = nk.load("fleet-action", scenario=key), 1, hashlib.sha256()
    match, rng = nk.Match.new(game, seed), np.random.default_rng([seed, 29])
    while not match.over and match.ply < 700:
        legal = match.legal()
        found.update(repr([str(action) for action in legal]).encode())
        match.play(legal[int(rng.integers(len(legal)))])
        found.update(game.format_state(replace(match.state, ended="")).encode())
        log = [event for event in match.log if not event.kind.startswith("ended.")]  # why it ended was not yet told
        said_ = (f"{e.rule}{e.text}{sorted(e.to) if e.to else e.to}" for e in log[-3:])
        found.update("|".join(said_).encode())
        for player in (0, 1):
            found.update(repr(game.observe(match.state, player).discs).encode())
    found.update(match.record().dumps().encode() if match.over else b"")
    assert found.hexdigest()[:16] == BEFORE[key]


def test_F68_a_boat_is_worth_her_card_and_hiding() -> None:
    boat, hunter = any_ship("U 552"), any_ship("Walker 1941")
    assert points(replace(boat, type="escort")) + 30 == points(boat)
    assert points(hunter) - points(hunter, flown=False) == 2 * hunter.anti_aircraft
    told = story()
    assert value(told.battle, told.battle.numbers["Walker"]) == points(hunter, flown=False)


def test_what_does_not_fit_is_said() -> None:
    game = battle(BOAT, HUNTER)
    for text, key in (
        ("(phase=move hunts=[(ship=Walker square=F6)])", "state.hunts"),
        ("(phase=move looked=1)", "state.looked"),
        ("(phase=fire hunts=[(ship=\"U 552\" square=F6)])", "state.hunt"),
        ("(phase=move ships=[= (depth=deep)])", "state.boat"),
        ("(phase=move ships=[(battery=99) =])", "state.boat"),
    ):
        with pytest.raises(ValueError) as caught:
            game.parse_state(text)
        said(caught.value, FLEET.phrase(key))


def test_F43_what_a_boat_sees_only_from_her_new_depth_blocks_nothing() -> None:
    """Deep, she sees nobody: what she may order cannot tell her that an enemy lies where she comes up."""
    told = story(red="Ajax C6 N", more="wide = true", depth=Depth.PERISCOPE)
    told.state = replace(told.state, move=2, side=0, first=0)
    assert told.game.observe(told.state, 0).view.ships[1].square == HIDDEN
    orders = [text for text in told.of("U 552") if text.endswith("surface")]
    assert "C6 W surface" in orders
    for text in orders:
        assert told.game.why_not(told.state, told.game.parse_action(f"U 552: {text}")) is None
