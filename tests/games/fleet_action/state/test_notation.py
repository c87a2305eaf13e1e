"""The notation of Fleet Action: orders as they are typed, states as one line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import navalkit as nk
from navalkit.core.errors import NotationError
from navalkit.games.fleet_action.state import Done, Guns, Move, Torpedoes
from navalkit.games.fleet_action.state.notation import split_orders
from navalkit.testing.strategies import states

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
        ("", "is no order"),
        ("Iowa", "is no order"),
        ("Iowa: dive", "is no order"),
        ("Iowa: A2 NNE", "is no order"),
        ("Iowa: guns", "is no order"),
        ("Iowa: guns main", "there is no ship ''"),
        ("Iowa: guns Yamato", "there is no ship 'Yamato' in this battle; known: Iowa, Oakland"),
        ("Hood: A2 N", "there is no ship or division 'Hood'"),
        ("Destroyers: guns Musashi", "there is no ship 'Destroyers'"),
        ("Iowa: torpedoes Musashi", "is no order"),
        ("weather 5 6", "is no order"),
        ("x" * 5000, "is no order"),
    ],
)
def test_what_is_no_order_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
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
        ("", "state needs"),
        ("(phase=dinner)", "state.phase='dinner' is not valid"),
        ("(phase=move phase=move)", "has it twice"),
        ("(sails=3)", "no field 'sails'"),
        ("(phase=move move=0)", "moves go from 1 to 16"),
        ("(phase=move move=999)", "moves go from 1 to 16"),
        ("(phase=move side=2)", "a side is 0 or 1"),
        ("(phase=move weather=[1 2 7 3])", "a die shows 1 to 6"),
        ("(phase=move weather=[1 1 1 1 1])", "in four zones"),
        ("(phase=end)", "result= belongs to phase=end"),
        ("(phase=move result=blue)", "result= belongs to phase=end"),
        ("(phase=end result=green)", "the result is blue, red or draw"),
        ("(phase=salvo)", "phase=salvo needs a shot"),
        ("(phase=mines)", "mined= belongs to phase=mines"),
        ("(phase=move shots=[(ship=Ajax target=Exeter torpedo=false number=0)])", "shots= belongs to phase=fire"),
        ("(phase=fire shots=[(ship=Ajax target=Exeter torpedo=false number=9)])", "no such weapon"),
        ("(phase=fire shots=[(ship=Nobody target=Exeter torpedo=false number=0)])", "ship='Nobody' is not valid"),
        ("(phase=move fields=[(square=Z9 side=0)])", "Z9"),
        ("(phase=move ships=[= =])", "4 ships"),
        ("(phase=move ships=[(square=A1) = = =])", "lies on land"),
        ("(phase=move ships=[(square=-) = = =])", "is at sea, and her square says otherwise"),
        ("(phase=move ships=[(damage=900) = = =])", "the damage of .* does not fit her being"),
        ("(phase=move ships=[(out=[0 0]) = = =])", "mounts"),
        ("(phase=move ships=[(out=[9 0 0 0]) = = =])", "more guns of .* are out than she has"),
        ("(phase=move ships=[(loaded=9) = = =])", "carries more than her card says"),
        ("(phase=move ships=[(mines=10) = = =])", "carries more than her card says"),
        ("(phase=move ships=[(told=(damage=9 out=[0 0 0 0] loaded=9)) = = =])", "what is told of"),
        ("(phase=move ships=[(seen=(square=- heading=N moves=0)) = = =])", "cannot have been seen there"),
        ("(phase=move ships=[(seen=(square=B2 heading=N moves=99)) = = =])", "cannot have been seen there"),
    ],
)
def test_a_state_that_does_not_fit_together_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
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
