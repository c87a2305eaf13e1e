"""The class panel of the stepper: what is asked tells nothing, what is told is right."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from navalkit.core.errors import OptionError
from navalkit.grids.hex import Hex
from navalkit.rooms import boards
from navalkit.testing import refused, said
from navalkit.ui.rooms import class_questions as ask
from navalkit.ui.rooms.class_panel import Class
from navalkit.ui.step import hunts
from navalkit.ui.step.app import EscortStepper
from navalkit.ui.step.scene import Camera, board, matters
from navalkit.ui.step.told.telling import EXPLAIN, PREDICT
from navalkit.view.scene import Text

from ...sentences import UI_ROOMS


@pytest.fixture
def stepper(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Iterator[EscortStepper]:
    monkeypatch.setenv("NAVALKIT_ROOMS", str(tmp_path))
    monkeypatch.setenv("NAVALKIT_RAISE", "1")
    made = EscortStepper(hunts.position("mode-3"))
    yield made
    if made.phones.room is not None:
        made.phones.room.rooms.close()


@pytest.fixture
def phones(stepper: EscortStepper) -> Class:
    stepper.phones.start()
    assert stepper.phones.room is not None
    for _ in range(3):
        stepper.phones.room.rooms.sit(stepper.phones.room.code)
    return stepper.phones


def vote(phones: Class, *choices: str) -> None:
    room = phones.room
    assert room is not None
    for seat, choice in enumerate(choices, 1):
        room.rooms.answer(room.code, room.round, seat, choice)


def test_a_question_is_made_without_the_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    """With `explain` out of reach it comes out the same; and so it does when what she has in mind is another."""
    for name in ("mode-2", "mode-3", "mode-6"):
        show = hunts.position(name)
        moment = next(m for m in show.row if m.who)
        state, who = moment.state, moment.who
        before = ask.where(state, who)
        monkeypatch.setattr(ask, "explain", None)
        ship = state.vessel(who)
        hunt = replace(ship.hunt, plan=(ship.place.ahead(3),), ring=12, aim=None)
        other = state.with_vessel(replace(ship, hunt=hunt))
        for question in (ask.where(other, who), ask.where(state, who)):
            assert question.choices == before.choices and question.board is not None and before.board is not None
            assert json.dumps(boards.picture(question.board)) == json.dumps(boards.picture(before.board))
        assert [c.id for c in ask.which(state, who).choices] == list(ask.WAYS)
        monkeypatch.undo()


@pytest.mark.parametrize("name", [f"mode-{n}" for n in range(1, 7)])
def test_where_she_goes_can_be_chosen_in_every_position(name: str) -> None:
    show = hunts.position(name)
    for moment in (m for m in show.row if m.who):
        decision = ask.explain(moment.state, moment.who, show.game.sea)
        where = ask.end(moment.state, decision)
        question = ask.where(moment.state, moment.who)
        assert where.label in {choice.id for choice in question.choices}
        rule, way = ask.decided(decision)
        assert way in ask.WAYS and rule


def test_while_it_is_asked_the_window_does_not_follow_the_answer(stepper: EscortStepper) -> None:
    model = stepper.model
    model.use(PREDICT)
    assert model.asked and model.decision is not None
    reached = set(ask.reachable(model.state, model.who))
    view = Camera().view(model)
    assert all(map(view.holds, reached))
    assert set(matters(model)) == reached


def test_a_class_is_asked_answers_and_is_told(stepper: EscortStepper, phones: Class) -> None:
    room, model = phones.room, stepper.model
    assert room is not None
    phones._predict("where")
    assert model.asked and room.question is not None and room.question.kind == "where"
    told = next(layer for layer in board(model, Camera().view(model)).layers if layer.name == "told")
    assert not any(isinstance(shape, Text) for shape in told.shapes)  # a few to choose from would give hints
    right = ask.end(model.state, model.before).label  # type: ignore[arg-type]
    far = max((c.id for c in room.question.choices), key=lambda id: Hex.parse(id).distance(Hex.parse(right)))
    vote(phones, right, far, far)
    phones.show()
    said(phones.votes.value, UI_ROOMS, "class.come", n=3, of=3)
    phones._tell()
    assert room.result is not None and room.result.right == (right,) and model.guess is not None
    assert set(room.result.notes or ()) == {far}
    said(phones.votes.value, UI_ROOMS, "class.missed", n=2)
    phones._predict("which")
    vote(phones, "circle", "vector")
    phones._tell()
    assert room.result.right == (ask.decided(model.before)[1],) and model.mode == EXPLAIN  # type: ignore[arg-type]
    assert len(room.report()) == 2


def test_each_step_asks_anew_and_what_is_shown_is_closed(stepper: EscortStepper, phones: Class) -> None:
    room, model = phones.room, stepper.model
    assert room is not None
    phones._predict("where")
    vote(phones, "x")
    first = room.round
    model.forward()
    assert room.round > first if model.asked else room.rooms.room(room.code).shown["phase"] == "closed"
    phones._predict("where") if model.moment.who else None
    model.use(EXPLAIN)
    assert room.rooms.room(room.code).shown["phase"] == "closed"


def test_a_question_of_ones_own_has_letters(stepper: EscortStepper, phones: Class) -> None:
    room = phones.room
    assert room is not None
    phones.aloud.value, phones.number.value, phones.right.value = "How many?", 3, "B"
    phones._ask_own()
    vote(phones, "A", "B")
    phones._tell()
    assert room.result is not None and room.result.right == ("B",)
    with refused(OptionError, UI_ROOMS, "class.nothing"):
        phones._tell()


def test_a_reloaded_page_takes_its_class_up_and_an_ended_one_is_gone(stepper: EscortStepper, phones: Class) -> None:
    room = phones.room
    assert room is not None
    other = EscortStepper(hunts.position("mode-3"))
    other.phones.met("", room.code)
    assert other.phones.room is not None and other.phones.room.code == room.code and other.phones.room.joined == 3
    other.phones._end()
    assert room.joined == 0 and other.phones.room is None
    other.phones.met("", room.code)
    assert other.phones.room is None
