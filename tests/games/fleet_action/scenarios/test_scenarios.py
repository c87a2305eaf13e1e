"""The scenarios of Fleet Action: those that come with it, and files of one's own, refused with the field named."""

from __future__ import annotations
import pickle
import random
from dataclasses import replace

import pytest

import navalkit as nk
from navalkit.core.errors import DataError, OptionError
from navalkit.core.words import Phrase
from navalkit.games.fleet_action import FleetAction
from navalkit.games.fleet_action.board.effects import sheet
from navalkit.games.fleet_action.rules import play
from navalkit.games.fleet_action.scenarios import names, read_scenario, scenario
from navalkit.games.fleet_action.state import Fate, Phase, Scenario
from navalkit.testing import refused, said
from ....sentences import CORE, FLEET
from ..battles import CHAPTERS, Story, battle

MINE = """
title = "Mine"
blurb = "A battle of one's own."
sides = ["Near", "Far"]
sections = [2, 1]
moves = 4
coast = ["H5"]

[[island]]
name = "Rock"
squares = ["C9"]

[[card]]
name = "Zephyr"
like = "Fletcher"
speed = 40

[[ship]]
side = "Near"
name = "Zephyr"
at = "C4 E"
division = "Van"

[[ship]]
side = "Near"
name = "Ajax"
at = "C6 E"
division = "Van"

[[ship]]
side = "Far"
name = "Old Roma"
card = "Roma"
at = "M4 W"

[[objective]]
side = "Near"
aim = "sink"
of = ["Old Roma"]
points = 5
"""


def test_the_scenarios_asked_for_are_there() -> None:
    wanted = {"river_plate", "denmark_strait", "iowa_convoy", "raider_hunt", "mined_strait", "night_action"}
    assert set(names()) == wanted | {"build_your_own", *CHAPTERS} and len(CHAPTERS) == 5
    assert set(FleetAction.specs[0].choices) == set(names())


@pytest.mark.parametrize("key", names())
def test_each_can_be_won_by_both_sides(key: str) -> None:
    battle_ = nk.load("fleet-action", scenario=key).battle
    assert battle_.title and battle_.blurb[-1] in ".?" and battle_.moves <= 20
    for side in (0, 1):
        assert battle_.fleet(side) or any(each.side == side for each in battle_.flights)
        assert any(aim.side == side for aim in battle_.objectives)
    for aim in battle_.objectives:
        assert aim.of or aim.aim == "aircraft"
        assert aim.points or aim.aim in ("sink", "exit")


def test_f17_tubes_may_be_empty_at_the_start() -> None:
    battle = scenario("river_plate")
    assert battle.empty_tubes and not any(ship.loaded for ship in battle.start().ships)
    assert all(ship.loaded for ship in replace(battle, empty_tubes=False).start().ships)


def rich(key: str) -> set[str]:
    """What a scenario has to show."""
    battle_: Scenario = scenario(key)
    special = {"minelayer", "minesweeper", "depot ship", "merchant", "motor torpedo boat"}
    found = special & {unit.card.type for unit in battle_.units}
    found |= {aim.aim for aim in battle_.objectives}
    for name in ("islands", "coast", "fields", "weather", "screened", "total"):
        found |= {name} if getattr(battle_, name) else set()
    found |= {"harbours"} if any(battle_.harbours) else set()
    found |= {"night"} if battle_.light == "night" else set()
    return found | ({"entry"} if any(unit.enters for unit in battle_.units) else set())


def test_together_they_show_all_there_is() -> None:
    everything = {
        "minelayer", "minesweeper", "depot ship", "merchant", "motor torpedo boat", "sink", "damage", "exit", "island",
        "survive", "islands", "coast", "fields", "weather", "screened", "total", "harbours", "night", "entry",
        "aircraft",
    }  # fmt: skip
    assert set().union(*map(rich, names())) == everything
    assert rich("mined_strait") >= {"minelayer", "minesweeper", "depot ship", "harbours", "fields", "coast"}
    assert rich("raider_hunt") >= {"islands", "weather", "entry", "island"} and "night" in rich("night_action")


def test_a_scenario_of_ones_own_with_ships_of_its_own() -> None:
    game = FleetAction(custom=MINE)
    story = Story(game)
    assert game.battle.units[0].card.speed == 40 and game.battle.units[2].card.name == "Roma"
    assert "G4 E" in story.of("Zephyr") and story.game.options["moves"] == 0
    record = nk.Match.new(game, seed=3).record()
    assert nk.Match.loads(record.dumps()).game == game and pickle.loads(pickle.dumps(game)) == game
    match, rng = nk.Match.new(game, seed=3), random.Random(3)
    while not match.over:
        match.play(rng.choice(match.legal()))
    assert nk.Match.loads(match.dumps()).plies == match.plies and match.state.move <= 4


def must(where: str, name: str, right: Phrase, value: str | Phrase) -> Phrase:
    return CORE.phrase("fields.must", where=where, name=name, right=right, value=value)


def at(where: str, name: str, error: Phrase) -> Phrase:
    return CORE.phrase("fields.at", where=where, name=name, error=error)


@pytest.mark.parametrize(
    "change, reason",
    [
        (
            ("title =", "titel ="),
            must("mine", "title", CORE.phrase("fields.text"), CORE.phrase("fields.misspelt", other="titel")),
        ),
        (('title = "Mine"', "title = 3"), must("mine", "title", CORE.phrase("fields.text"), "3")),
        (
            ('sides = ["Near", "Far"]', 'sides = ["Near"]'),
            must("mine", "sides", FLEET.phrase("scenario.two_names"), "['Near']"),
        ),
        (
            ("sections = [2, 1]", "sections = [9, 1]"),
            at("mine", "sections", CORE.phrase("square.sections", most=3, across=9, down=1)),
        ),
        (("sections = [2, 1]", "sections = 2"), must("mine", "sections", FLEET.phrase("scenario.sections"), "2")),
        (("moves = 4", "moves = 0"), must("mine", "moves", CORE.phrase("fields.whole", low=1, high=100, step=1), "0")),
        (
            ("moves = 4", "moves = true"),
            must("mine", "moves", CORE.phrase("fields.whole", low=1, high=100, step=1), "True"),
        ),
        (("moves = 4", 'moves = 4\nweather = "wet"'), must("mine", "weather", CORE.phrase("fields.flag"), "'wet'")),
        (
            ("moves = 4", 'moves = 4\nlight = "noon"'),
            must("mine", "light", CORE.phrase("fields.one", names="day, night, dawn, dusk"), "'noon'"),
        ),
        (
            ("moves = 4", 'moves = 4\nscreen = "A"'),
            at("mine", "screen", FLEET.phrase("scenario.column", name="'A'", last="P")),
        ),
        (
            ('coast = ["H5"]', 'coast = ["Z5"]'),
            at("mine", "coast", CORE.phrase("square.notation", name="'Z5'", names="P10")),
        ),
        (('coast = ["H5"]', 'coast = "H5"'), must("mine", "coast", CORE.phrase("fields.texts"), "'H5'")),
        (
            ('coast = ["H5"]', 'coast = ["C4"]'),
            FLEET.phrase("scenario.on_land", where="mine", name="Zephyr", square="C4"),
        ),
        (
            ('side = "Far"\nname', 'side = "Farther"\nname'),
            must("mine, ship 3", "side", CORE.phrase("fields.one", names="Near, Far"), "'Farther'"),
        ),
        (('name = "Ajax"', 'name = "A/X"'), must("mine, ship 2", "name", FLEET.phrase("scenario.named"), "'A/X'")),
        (
            ('name = "Ajax"', 'name = "Once More"'),
            must("mine, ship 2", "name", FLEET.phrase("scenario.named"), "'Once More'"),
        ),
        (
            ('at = "M4 W"', 'at = "M4 W"\ndivision = "A:B"'),
            must("mine, ship 3", "division", FLEET.phrase("scenario.named"), "'A:B'"),
        ),
        (
            ('name = "Ajax"', 'name = "zephyr"\ncard = "Ajax"'),
            FLEET.phrase("scenario.twice", where="mine", name="zephyr"),
        ),
        (('name = "Ajax"', 'name = "move"\ncard = "Ajax"'), FLEET.phrase("scenario.twice", where="mine", name="move")),
        (
            ('card = "Roma"', 'card = "Romma"'),
            at(
                "mine, ship 3",
                "card",
                FLEET.phrase("table.unknown", what=FLEET.phrase("table.ship"), name="'Romma'", names="Roma"),
            ),
        ),
        (
            ('at = "M4 W"', 'at = "M4 NNW"'),
            FLEET.phrase("scenario.at"),
        ),
        (
            ('at = "M4 W"', 'at = "M44 W"'),
            at("mine, ship 3", "at", CORE.phrase("square.notation", name="'M44'", names="P10")),
        ),
        (('at = "M4 W"', 'at = "C4 W"'), FLEET.phrase("scenario.crowded", where="mine", square="C4")),
        (
            ('at = "M4 W"', 'at = "M4 W"\nenters = 2'),
            must("mine, ship 3", "entry", FLEET.phrase("scenario.entry"), CORE.phrase("fields.missing")),
        ),
        (('at = "M4 W"', 'at = "M4 W"\ndivision = "Van"'), FLEET.phrase("scenario.division", where="mine", name="Van")),
        (
            ("speed = 40", "speed = 400"),
            must("mine, card 1", "speed", CORE.phrase("fields.number", low=0, high=80), "400"),
        ),
        (
            ('aim = "sink"', 'aim = "ram"'),
            must(
                "mine, objective 1",
                "aim",
                CORE.phrase("fields.one", names="sink, damage, exit, island, survive, aircraft"),
                "'ram'",
            ),
        ),
        (
            ('of = ["Old Roma"]', 'of = ["Ajax"]'),
            FLEET.phrase("scenario.among", where="mine, objective 1", name="'Ajax'", names="Old Roma"),
        ),
        (
            ("points = 5", "points = -5"),
            must("mine, objective 1", "points", CORE.phrase("fields.whole", low=0, high=10000, step=1), "-5"),
        ),
        (
            ('aim = "sink"\nof = ["Old Roma"]\npoints = 5', 'aim = "island"'),
            must(
                "mine, objective 1",
                "points",
                CORE.phrase("fields.whole", low=1, high=10000, step=1),
                CORE.phrase("fields.missing"),
            ),
        ),
        (
            ('[[objective]]\nside = "Near"\naim = "sink"\nof = ["Old Roma"]\npoints = 5', ""),
            FLEET.phrase("scenario.objective", where="mine"),
        ),
        (
            ('coast = ["H5"]', 'coast = ["H5"]\nmines = [{ side = "Far", squares = ["H5"] }]'),
            FLEET.phrase("scenario.land", where="mine"),
        ),
        (
            ('coast = ["H5"]', 'coast = ["H5"]\nmines = [3]'),
            CORE.phrase("fields.table", where="mine, mines 1", value="3"),
        ),
        (('coast = ["H5"]', 'coast = ["H5"]\nmines = 3'), must("mine", "mines", CORE.phrase("fields.tables"), "3")),
        (
            ("moves = 4", "moves = 4\nhidden = 2\nscreen = 'C'"),
            FLEET.phrase("scenario.screen", where="mine", name="Zephyr"),
        ),
        (("title =", "title ~"), CORE.phrase("fields.toml", where="mine")),
    ],
)
def test_what_is_wrong_is_refused_with_the_field_named(change: tuple[str, str], reason: Phrase) -> None:
    assert change[0] in MINE
    with refused(DataError, reason):
        read_scenario(MINE.replace(*change), "mine")


def test_a_side_without_ships_is_refused() -> None:
    with refused(DataError, FLEET, "scenario.ships"):
        text = MINE.replace('side = "Far"\nname', 'side = "Near"\nname').replace('of = ["Old Roma"]', "")
        read_scenario(text, "mine")


def test_as_an_option_it_is_refused_as_an_option() -> None:
    with refused(OptionError, CORE, "fields.must", where="custom", name="moves") as info:
        FleetAction(custom=MINE.replace("moves = 4", "moves = -4"))
    said(info.value, CORE, "options.wrong", name="custom", values=FLEET("scenario.form"))
    with refused(OptionError, FLEET, "scenario.long", n=40000, most=30000):
        FleetAction(custom="x" * 40_000)
    assert FleetAction(custom="  ") == FleetAction()


def test_the_options_of_a_battle_take_the_place_of_the_scenarios() -> None:
    plain = nk.load("fleet-action", scenario="raider_hunt").battle
    assert (plain.weather, plain.screened, plain.moves, plain.light) == (True, 2, 16, "day")
    options = {"weather": "off", "hidden_start": "off", "moves": 5, "light": "dusk", "turrets": "automatic"}
    changed = nk.load("fleet-action", scenario="raider_hunt", **options).battle
    assert (changed.weather, changed.screened, changed.moves, changed.light) == (False, 0, 5, "dusk")
    assert not changed.choose and changed.alternate
    assert nk.load("fleet-action", scenario="raider_hunt", hidden_start="on").battle.screened == 3


def test_the_damage_sheet_has_a_row_a_ship() -> None:
    story = Story(battle("Exeter C4 E, Abdiel A9 E", "Norfolk X9 W"))
    story.hurt("Exeter", damage=140, out=(1, 2, 0, 0), loaded=0b01)
    exeter, abdiel = sheet(story.battle, story.state, 0)
    assert (exeter.ship, exeter.ship_class, exeter.fate) == ("Exeter", "York", Fate.AT_SEA)
    assert (exeter.damage, exeter.rate, exeter.quarters, exeter.speed, exeter.full) == (140, 265, 2, 2, 4)
    assert [(gun, arc, left, of) for gun, arc, _, left, of in exeter.guns[:2]] == [
        ("8in Mk VIII", "forward", 3, 4), ("8in Mk VIII", "aft", 0, 2),
    ]  # fmt: skip
    assert exeter.torpedoes == (("Mk IX", 3, True), ("Mk IX", 3, False))
    assert abdiel.mines == 156 and not abdiel.torpedoes
    seen = sheet(story.battle, story.game.observe(story.state, 1).view, 0)
    assert seen[0] == exeter and seen[1].mines == 0  # what she carries the enemy does not know


def test_scores_are_those_of_the_last_state() -> None:
    game = nk.load("fleet-action", moves=2)
    match, rng = nk.Match.new(game, seed=11), random.Random(1)
    while not match.over:
        match.play(rng.choice(match.legal()))
    facts = match.outcome.facts
    assert match.state.phase is Phase.END
    scores = [play.score(game.battle, match.state, side) for side in (0, 1)]
    assert [facts["blue_points"], facts["red_points"]] == scores
