"""The notation of On Patrol: what is written reads back, and what cannot be read is refused with a sentence."""

from __future__ import annotations
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import navalkit as nk
from navalkit.core.errors import NotationError, brief
from navalkit.core.words import Phrase
from navalkit.games.on_patrol.rules import sequence
from navalkit.games.on_patrol.rules.game import OnPatrol
from navalkit.games.on_patrol.sea.combat_tables import COMBAT
from navalkit.games.on_patrol.sea.scenario import begin, names, scenario
from navalkit.games.on_patrol.sea.state import Charge, EscortMove, Order, Roll, Score, Shot, Task
from navalkit.grids.hex import Hex
from navalkit.grids.hex_moves import Place
from navalkit.testing import refused
from navalkit.testing.strategies import states
from ...sentences import CORE, PATROL_WHY

HEXES = st.builds(Hex, st.integers(-400, 400), st.integers(-400, 400))
PLACES = st.builds(Place, HEXES, st.integers(1, 6))
SHOTS = st.builds(Shot, st.integers(1, 8), st.integers(1, 6), st.sampled_from(["", *COMBAT.torpedoes]))
ORDERS = st.builds(
    Order,
    st.sampled_from(["S1", "S2", "S3"]),
    st.lists(st.sampled_from([-1, 0, 1]), max_size=8).map(tuple),
    st.none() | st.integers(0, 24).map(lambda n: 25 * n),
    st.lists(SHOTS, max_size=3).map(tuple),
)
TEXTS = st.sampled_from(["depth charge", "one-ton charge", "found", "under way"]) | st.integers(-9, 9999)
ROLLS = st.builds(
    Roll,
    st.builds(
        Task,
        st.sampled_from(["fleet", "ram", "damage"]),
        st.sampled_from(["", "E1", "T12"]),
        st.sampled_from(["", "S1", "M18"]),
        st.none() | HEXES,
        st.lists(TEXTS, max_size=4).map(tuple),
    ),
    TEXTS,
)


@st.composite
def moves(draw: st.DrawFn) -> EscortMove:
    escort = f"E{draw(st.integers(1, 20))}"
    charges = st.builds(Charge, st.sampled_from(list(COMBAT.weapons)), st.just(escort), HEXES)
    return EscortMove(escort, tuple(draw(st.lists(PLACES, max_size=6))), tuple(draw(st.lists(charges, max_size=5))))


@given(ORDERS | ROLLS | moves())
def test_every_action_reads_back(action: sequence.Action) -> None:
    assert sequence.parse_action(str(action)) == action
    assert sequence.parse_action(f"  {action}".replace(" ", "  ")) == action


@given(ORDERS)
def test_orders_are_read_in_any_case_and_without_commas(order: Order) -> None:
    assert sequence.parse_action(str(order).lower().replace(",", "")) == order


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("S1 ahead 2 port, dive 50, fire 2 at 3", Order("S1", (0, 0, -1), 50, (Shot(2, 3),))),
        ("s2 port 2 starboard", Order("S2", (-1, 0, 1))),
        ("S1", Order("S1")),
        ("S1 surface", Order("S1", (), 0)),
        ("S1 ahead, rise 25", Order("S1", (0,), 25)),
        ("S1 fire 1 g7A at 2, fire 1 at 5", Order("S1", (), None, (Shot(1, 2, "G7a"), Shot(1, 5)))),
    ],
)
def test_an_order_says_way_depth_and_shots(text: str, order: Order) -> None:
    assert sequence.parse_action(text) == order


def test_a_way_is_read_from_where_the_boat_lies() -> None:
    start = Place(Hex.parse("M20"), 6)
    path = Order("S1", (0, -1, 0)).path(start)
    assert path == (Place(Hex.parse("M19"), 6), Place(Hex.parse("L18"), 5), Place(Hex.parse("K18"), 5))
    assert Order("S1").path(start) == ()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", PATROL_WHY.phrase("notation.no_order_begin")),
        ("X1 ahead", PATROL_WHY.phrase("notation.no_order_begin")),
        ("S1 astern", PATROL_WHY.phrase("notation.does_not_belong", word="'astern'")),
        ("S1 dive", PATROL_WHY.phrase("notation.needs_number_where", found=brief(PATROL_WHY("notation.end")))),
        ("S1 fire at 3", PATROL_WHY.phrase("notation.needs_number_where", found="'AT'")),
        ("S1 fire 2 on 3", PATROL_WHY.phrase("notation.needs_word", word="at", found="'ON'")),
        ("S1 dive 50 ahead", PATROL_WHY.phrase("notation.does_not_belong", word="'ahead'")),
        ("S1 ahead 99", PATROL_WHY.phrase("notation.way_has_hexes", most=30)),
        ("S1 ahead 0", PATROL_WHY.phrase("notation.way_has_hexes", most=30)),
        ("E1", PATROL_WHY.phrase("notation.no_move_escort")),
        ("E1 to M20/7", PATROL_WHY.phrase("notation.no_move_escort")),
        ("E1 to M20/3, anchor on M20", PATROL_WHY.phrase("notation.no_move_escort")),
        ("roll", PATROL_WHY.phrase("notation.no_order_begin")),
        ("roll fleet", PATROL_WHY.phrase("notation.no_roll")),
        ("roll fleet = ", PATROL_WHY.phrase("notation.no_roll")),
        ("roll fleet = = 3", PATROL_WHY.phrase("notation.no_roll")),
    ],
)
def test_what_is_no_action_is_refused(text: str, sentence: Phrase) -> None:
    with refused(NotationError, sentence):
        sequence.parse_action(text)


@pytest.mark.parametrize("name", names())
def test_the_start_of_every_scenario_reads_back(name: str) -> None:
    state = begin(scenario(name), die=1)
    assert sequence.parse_state(sequence.format_state(state)) == state


@settings(max_examples=15, deadline=None)
@given(states(OnPatrol(scenario="wolf-pack"), max_decisions=12))
def test_every_state_reads_back(state: Any) -> None:
    text = sequence.format_state(state)
    assert sequence.parse_state(text) == state
    assert "\n" not in text


def test_a_state_is_refused_where_a_field_is_wrong() -> None:
    game = OnPatrol(scenario="lone-merchant")
    text = game.format_state(game.initial())

    def refuse(old: str, new: str, key: str, **facts: object) -> None:
        assert old in text
        words = CORE if key.startswith("codec.") else PATROL_WHY
        with refused(NotationError, words, key, **facts):
            game.parse_state(text.replace(old, new, 1))

    refuse("turn=1", "turn=first", "codec.invalid", where="state.turn", token="'first'")
    refuse("phase=1", "phase=11", "codec.invalid", where="state.phase", token="'11'")
    refuse("turn=1", "time=1", "codec.field", name="'time'")
    refuse("turn=1", "turn=1 turn=1", "codec.field", name="'turn'")
    refuse("turn=1 ", "", "codec.said", name="turn")
    refuse("id=S1", "id=M1", "notation.twice", twice="M1")
    refuse("type=viic", "type=kraken", "notation.no_known_type", boat="S1", type="'kraken'")
    refuse("type=tanker", "type=flower", "notation.no_type", vessel="M1", role="merchant", type="'flower'")
    refuse("depth=50", "depth=51", "notation.ft_depths_go", boat="S1", depth=51)
    refuse("hull=10", "hull=11", "notation.has_hull_points", boat="S1", hull=11)
    refuse("torpedo=G7e", "torpedo=banger", "notation.has_torpedo_which", boat="S1", type="'banger'")
    refuse("[[G7e 9]]", "[[G7e 9 9]]", "codec.more_values", kinds=2)
    refuse("[[G7e 9]]", "[[G7e]]", "codec.values_needs", found=1, kinds=2)
    refuse("todo=[(kind=fleet)]", "", "game.state_does_not", phase=1)
    refuse("place=", "place=M20 course=", "notation.no_place_write", text="'M20'")
    refuse("package=basic", "package=advanced", "game.state_played_with", package="advanced")
    refuse("package=basic", "package=huge", "notation.no_package", package="'huge'")
    refuse('row="slow 1"', 'row="slow 9"', "notation.fleet_movement_table", row="'slow 9'")
    refuse("todo=", "markers=[(boat=S2 kind=contact place=M20/3)] todo=", "notation.markers_lie_one")
    refuse("todo=", "charges=[(weapon=stone escort=E1 at=M20)] todo=", "notation.no_weapon", weapon="'stone'")
    strange = "torpedoes=[(id=T1 type=squib boat=S1 at=M20 direction=3)]"
    refuse("todo=", f"{strange} todo=", "notation.type_which_not", torpedo="T1", type="'squib'")
    with refused(NotationError, CORE, "codec.needs", where="state"):
        game.parse_state(text[:-1])
    with refused(NotationError, CORE, "codec.stands_after_end"):
        game.parse_state(text + " x")
    with refused(NotationError, CORE, "codec.text_characters_more", longest=200000):
        game.parse_state(text + " " * 200_000)


def test_points_read_back() -> None:
    game = OnPatrol()
    scored = replace(game.initial(), points=(Score("sunk", "M4", 6), Score("lost", "S1", -20)))
    text = game.format_state(scored)
    assert "[(kind=sunk of=M4 value=6) (kind=lost of=S1 value=-20)]" in text and game.parse_state(text) == scored


def test_records_of_a_game_are_its_notation() -> None:
    match = nk.Match.new(OnPatrol(scenario="lone-merchant"), seed=1)
    match.play("S1 ahead 1, dive 75")
    assert match.record().actions[1] == "S1 ahead 1, depth 75"
