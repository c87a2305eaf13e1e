"""The notation of Fleet Action: orders as they are typed, states as one line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

import navalkit as nk
from navalkit.core.errors import NotationError
from navalkit.core.words import Phrase
from navalkit.games.fleet_action.notation import split_orders
from navalkit.games.fleet_action.state import Done, Guns, Move, Torpedoes
from navalkit.testing import refused
from navalkit.testing.strategies import states
from ....sentences import CORE, FLEET
from ..battles import Story, battle

GAME = nk.load("fleet-action", scenario="iowa_convoy")
PLATE = nk.load("fleet-action")


@pytest.mark.parametrize(
    "text, order",
    [
        ("fletcher:  a2 ne 4", "Fletcher: A2 NE 4"),
        ("Fletcher: A2 NE", "Fletcher: A2 NE"),
        ("DESTROYERS: A2 w", "Destroyers: A2 W"),
        ("patrick henry:leave", "Patrick Henry: leave"),
        ("Iowa: GUNS musashi", "Iowa: guns Musashi"),
        ("iowa: guns Main Once Musashi", "Iowa: guns main once Musashi"),
        ("Fletcher: guns main Musashi", "Fletcher: guns Musashi"),  # she has no other battery
        ("Fletcher: torpedoes 1 musashi", "Fletcher: torpedoes 1 Musashi"),
        ("Fletcher: lay mines", "Fletcher: lay mines 1"),
        ("Iowa: turret 2 OUT", "Iowa: turret 2 out"),
        ("First Blue", "first blue"),
        ("weather 3 6", "weather 3 6"),
        ("iowa: mine c4 12", "Iowa: mine C4 12"),
        ("iowa: salvo 1.2 at musashi hits 3", "Iowa: salvo 1.2 at Musashi hits 3"),
        ("Fletcher: torpedoes 2 at musashi hits 0", "Fletcher: torpedoes 2 at Musashi hits 0"),
        ("Iowa: enter a10", "Iowa: enter A10"),
        ("PASS", "done"),
    ],
)
def test_notation_is_lenient(text: str, order: str) -> None:
    action = GAME.parse_action(text)
    assert str(action) == order and GAME.parse_action(order) == action


@pytest.mark.parametrize(
    "text, reason",
    [
        ("", FLEET.phrase("order.forms")),
        ("Iowa", FLEET.phrase("order.forms")),
        ("Iowa: dive", FLEET.phrase("order.forms")),
        ("Iowa: A2 NNE", FLEET.phrase("order.forms")),
        ("Iowa: guns", FLEET.phrase("order.forms")),
        ("Iowa: guns main", FLEET.phrase("order.ship", name="''")),
        ("Iowa: guns Yamato", FLEET.phrase("order.ship", name="'Yamato'")),
        ("Hood: A2 N", FLEET.phrase("order.unit", name="'Hood'")),
        ("Destroyers: guns Musashi", FLEET.phrase("order.ship", name="'Destroyers'")),
        ("Iowa: torpedoes Musashi", FLEET.phrase("order.forms")),
        ("weather 5 6", FLEET.phrase("order.forms")),
        ("x" * 5000, FLEET.phrase("order.forms")),
    ],
)
def test_what_is_no_order_is_refused(text: str, reason: Phrase) -> None:
    with refused(NotationError, reason):
        GAME.parse_action(text)


def test_a_line_of_orders_is_split_ship_by_ship() -> None:
    line = "Fletcher: A2 NE 4; guns Musashi; torpedoes 1 Musashi; Iowa: guns once Musashi; done"
    orders = split_orders(line)
    assert orders == (
        "Fletcher: A2 NE 4", "Fletcher: guns Musashi", "Fletcher: torpedoes 1 Musashi",
        "Iowa: guns once Musashi", "done",
    )  # fmt: skip
    kinds = [type(GAME.parse_action(order)) for order in orders]
    assert kinds == [Move, Guns, Torpedoes, Guns, Done]
    assert split_orders(" ; ") == () and split_orders("done") == ("done",)


def test_the_orders_of_a_line_are_given_in_their_phases() -> None:
    story = Story(battle("Fletcher C4 E, Ajax A9 E", "Musashi H4 N"))
    move, guns, torpedoes = split_orders("Fletcher: F4 E 3; guns Musashi; torpedoes 1 Musashi")
    story.play(move).to_fire().play(guns, torpedoes)
    assert len(story.state.shots) == 5


@settings(max_examples=25)
@given(states(nk.load("fleet-action", scenario="mined_strait"), max_decisions=60))
def test_states_read_back(state: object) -> None:
    game = nk.load("fleet-action", scenario="mined_strait")
    assert game.parse_state(game.format_state(state)) == state  # type: ignore[arg-type]


START = PLATE.format_state(Story(PLATE).state)


@pytest.mark.parametrize(
    "text, reason",
    [
        ("", CORE.phrase("codec.needs", where="state")),
        ("(phase=dinner)", CORE.phrase("codec.invalid", where="state.phase", token="'dinner'")),
        ("(phase=move phase=move)", CORE.phrase("codec.field")),
        ("(sails=3)", CORE.phrase("codec.field", name="'sails'")),
        ("(phase=move move=0)", FLEET.phrase("state.moves", moves=16)),
        ("(phase=move move=999)", FLEET.phrase("state.moves", moves=16)),
        ("(phase=move side=2)", FLEET.phrase("state.moves")),
        ("(phase=move weather=[1 2 7 3])", FLEET.phrase("state.dice")),
        ("(phase=move weather=[1 1 1 1 1])", FLEET.phrase("state.dice")),
        ("(phase=end)", FLEET.phrase("state.result")),
        ("(phase=move result=blue)", FLEET.phrase("state.result")),
        ("(phase=move ended=moves)", FLEET.phrase("state.result")),
        ("(phase=end result=blue ended=tea)", FLEET.phrase("state.result")),
        ("(phase=end result=green)", FLEET.phrase("state.island")),
        ("(phase=salvo)", FLEET.phrase("state.salvo")),
        ("(phase=mines)", FLEET.phrase("state.mined")),
        ("(phase=move shots=[(ship=Ajax target=Exeter torpedo=false number=0)])", FLEET.phrase("state.shots")),
        ("(phase=fire shots=[(ship=Ajax target=Exeter torpedo=false number=9)])", FLEET.phrase("state.weapon")),
        (
            "(phase=fire shots=[(ship=Nobody target=Exeter torpedo=false number=0)])",
            CORE.phrase("codec.invalid", token="'Nobody'"),
        ),
        ("(phase=move fields=[(square=Z9 side=0)])", CORE.phrase("square.notation", name="'Z9'")),
        ("(phase=move ships=[= =])", FLEET.phrase("state.counts", ships=4)),
        ("(phase=move ships=[(square=A1) = = =])", FLEET.phrase("state.land")),
        ("(phase=move ships=[(square=-) = = =])", FLEET.phrase("state.square", fate="at sea")),
        ("(phase=move ships=[(damage=900) = = =])", FLEET.phrase("state.damage", name="Ajax")),
        ("(phase=move ships=[(out=[0 0]) = = =])", FLEET.phrase("state.mounts", n=4)),
        ("(phase=move ships=[(out=[9 0 0 0]) = = =])", FLEET.phrase("state.guns", name="Ajax")),
        ("(phase=move ships=[(loaded=9) = = =])", FLEET.phrase("state.cargo")),
        ("(phase=move ships=[(mines=10) = = =])", FLEET.phrase("state.cargo")),
        ("(phase=move ships=[(told=(damage=9 out=[0 0 0 0] loaded=9)) = = =])", FLEET.phrase("state.told")),
        ("(phase=move ships=[(seen=(square=- heading=N moves=0)) = = =])", FLEET.phrase("state.seen")),
        ("(phase=move ships=[(seen=(square=B2 heading=N moves=99)) = = =])", FLEET.phrase("state.seen")),
    ],
)
def test_a_state_that_does_not_fit_together_is_refused(text: str, reason: Phrase) -> None:
    with refused(NotationError, reason):
        PLATE.parse_state(text)


def test_the_start_is_short() -> None:
    assert START == "(phase=move)"
    moved = Story(PLATE).play("Ajax: G4 E").state
    assert PLATE.format_state(moved) == "(phase=move ships=[(square=G4 heading=E task=move wake=[G4]) = = =])"


@settings(max_examples=60)
@given(st.text(alphabet="()[]phase=move,/. Ajax0123456789-dotmw_NESW\n", max_size=60))
def test_no_text_makes_more_than_a_notation_error(text: str) -> None:
    for read in (PLATE.parse_action, PLATE.parse_state):
        try:
            read(text)
        except NotationError:
            pass
