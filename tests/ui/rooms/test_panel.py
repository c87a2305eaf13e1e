"""The class panel of the stepper, of two games: what is asked tells nothing, what is told is right."""

from __future__ import annotations
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from navalkit.core.awaited import finish
from navalkit.core.errors import OptionError
from navalkit.games.on_patrol import walk as patrol
from navalkit.games.on_patrol.board import camera as sea
from navalkit.grids.hex import Hex
from navalkit.rooms import classroom
from navalkit.ui.rooms.panel import ROOM, bars
from navalkit.ui.rooms.walked import KEY, Class
from navalkit.ui.step.page import StepPage
from navalkit.view.page import Choice, Question, Result
from navalkit.view.painters import svg
from navalkit.view.scene import Text
from navalkit.walks import shows
from navalkit.walks.stepper import CLASS, EXPLAIN, PREDICT

Made = Callable[..., StepPage]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Iterator[Made]:
    """Makes pages whose rooms are closed in the end."""
    monkeypatch.setenv("NAVALKIT_ROOMS", str(tmp_path))
    monkeypatch.setenv("NAVALKIT_RAISE", "1")
    pages = []

    def page(name: str = "on-patrol", query: str = "?position=mode-3", show: shows.Show | None = None) -> StepPage:
        pages.append(StepPage(name, show or finish(shows.from_query(name, query)).show))
        return pages[-1]

    yield page
    for each in pages:
        if each.phones.room is not None:
            each.phones.room.rooms.close()


@pytest.fixture
def stepper(made: Made) -> StepPage:
    return made()


@pytest.fixture
def phones(stepper: StepPage) -> Class:
    return seated(stepper)


def seated(stepper: StepPage) -> Class:
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
        show = shows.position("on-patrol", name)
        moment = next(m for m in show.row if m.who)
        before = show.walk.ask("where", show.game, moment, moment.who)
        monkeypatch.setattr(patrol, "explain", None)
        ship = moment.state.vessel(moment.who)
        hunt = replace(ship.hunt, plan=(ship.place.ahead(3),), ring=12, aim=None)
        other = replace(moment, state=moment.state.with_vessel(replace(ship, hunt=hunt)))
        for each in (other, moment):
            question = show.walk.ask("where", show.game, each, each.who)
            assert question.choices == before.choices and question.board is not None and before.board is not None
            assert json.dumps(classroom.picture(question.board)) == json.dumps(classroom.picture(before.board))
        which = show.walk.ask("which", show.game, moment, moment.who)
        assert [choice.id for choice in which.choices] == list(patrol.WAYS)
        monkeypatch.undo()


@pytest.mark.parametrize("name", [f"mode-{n}" for n in range(1, 7)])
def test_where_she_goes_can_be_chosen_in_every_position(name: str) -> None:
    show = shows.position("on-patrol", name)
    for moment in (m for m in show.row if m.who):
        told = finish(show.walk.deciding(show.game, moment, moment.who))
        question = show.walk.ask("where", show.game, moment, moment.who)
        assert patrol.end(told).label in {choice.id for choice in question.choices}
        rule, way = patrol.decided(told.decision)
        assert way in patrol.WAYS and rule


def test_while_it_is_asked_the_window_does_not_follow_the_answer(stepper: StepPage) -> None:
    model = stepper.stepper
    model.use(PREDICT)
    assert model.asked and model.before is not None
    reached = set(sea.reachable(model.state, model.who))
    view = sea.SeaCamera().view(model.sight)
    assert all(map(view.holds, reached))
    assert set(sea.matters(model.sight)) == reached


@pytest.mark.parametrize("query", ["?class=1", "?position=mode-3&class=1"])
def test_a_page_that_opens_a_class_tells_nothing_before_it_is_asked(query: str) -> None:
    page = StepPage("on-patrol", query=query)
    model = page.stepper
    while not model.who:
        model.forward()
    assert model.told == 0 and not model.lines and model.shown_layers == frozenset()
    assert model.sees == CLASS and "nk-step-projector" not in page.widget._dom_classes
    unknown = page.walk.scene(replace(model.sight, told=None), page.camera)
    empty = '<g id="evidence">\n</g>\n'
    assert svg(page.walk.scene(model.sight, page.camera)).replace(empty, "") == svg(unknown)  # her path is not drawn
    model.forward()
    assert model.told == 1


def test_a_right_answer_that_nobody_gave_is_shown() -> None:
    question = Question("own", "?", (Choice("A", "one"), Choice("B", "two"), Choice("C", "three")))
    shown = bars(question, Result(("B",), "B it is."), {"C": 1, "A": 3})
    rows = re.findall(r"<span[^>]*>(?:✓ )?(\w+)</span><b>(\d+)</b>", shown)
    assert rows == [("two", "0"), ("one", "3"), ("three", "1")]
    assert shown.index("nk-room-correct") < shown.index("two")


def test_a_question_without_a_right_answer_that_nobody_answered_can_be_told() -> None:
    asked = Question("own", "?", (Choice("A", "one"), Choice("B", "two")))
    assert "<b>" not in bars(asked, Result((), "So it is."), {})


def test_a_class_is_asked_answers_and_is_told(stepper: StepPage, phones: Class) -> None:
    room, model = phones.room, stepper.stepper
    assert room is not None
    phones.predict("where")
    assert model.asked and room.question is not None and room.question.kind == "where"
    told = next(layer for layer in stepper.scene().layers if layer.name == "told")
    assert not any(isinstance(shape, Text) for shape in told.shapes)  # a few to choose from would give hints
    assert model.before is not None
    right = patrol.end(model.before).label
    far = max((c.id for c in room.question.choices), key=lambda id: Hex.parse(id).distance(Hex.parse(right)))
    vote(phones, right, far, far)
    phones.show()
    assert ROOM("class.come", n=3, of=3) in phones.votes.value
    phones._tell()
    assert room.result is not None and room.result.right == (right,) and model.guess is not None
    assert set(room.result.notes or ()) == {far} and model.guess.votes[far] == 2
    phones.predict("which")
    vote(phones, "circle", "vector")
    phones._tell()
    assert room.result.right == (patrol.decided(model.before.decision)[1],) and model.mode == PREDICT
    assert len(room.report()) == 2


def test_a_class_is_asked_of_a_game_that_says_nothing_of_how(made: Made) -> None:
    stepper = made("wolf-pack", "?seed=1")
    phones, model = seated(stepper), stepper.stepper
    room = phones.room
    assert room is not None and [*phones.asks] == ["what"]
    model.go(next(at for at in range(len(model.row)) if model.show.askable(at)))
    phones.predict("what")
    assert room.question is not None and model.before is not None
    right = model.before.right
    as_good = model.before.as_good
    other = next(choice.id for choice in room.question.choices if choice.id not in as_good)
    vote(phones, right, other, other)
    phones._tell()
    assert room.result is not None and room.result.right == as_good
    assert (room.result.notes or {})[other].text and model.guess is not None and model.guess.right == 1


def test_each_step_asks_anew_and_what_is_shown_is_closed(stepper: StepPage, phones: Class) -> None:
    room, model = phones.room, stepper.stepper
    assert room is not None
    phones.predict("where")
    vote(phones, room.question.choices[0].id)
    first = room.round
    with pytest.raises(OptionError) as refused:  # others may still be thinking
        model.forward()
    assert refused.value.key == "predict.come" and model.asked and room.round == first
    model.forward()
    assert not model.asked and room.rooms.room(room.code).shown["phase"] == "shown"
    phones.predict("where") if model.moment.who else None
    model.use(EXPLAIN)
    assert room.rooms.room(room.code).shown["phase"] == "closed"


def test_the_teachers_window_counts_answers_as_they_come(stepper: StepPage, phones: Class) -> None:
    room = phones.room
    assert room is not None
    stepper._open_notes()
    phones.predict("where")
    assert room.question is not None
    before = stepper.track.notes
    vote(phones, room.question.choices[0].id, room.question.choices[1].id)
    phones.show()  # as the news from the room does
    assert stepper.track.notes != before and len(phones.answers()) == 2


def test_a_question_of_ones_own_has_letters(stepper: StepPage, phones: Class) -> None:
    room = phones.room
    assert room is not None
    phones.aloud.value, phones.number.value, phones.right.value = "How many?", 3, "B"
    phones._ask_own()
    vote(phones, "A", "B")
    phones._tell()
    assert room.result is not None and room.result.right == ("B",)
    with pytest.raises(OptionError) as nothing:
        phones._tell()
    assert str(nothing.value) == ROOM("class.nothing")


def test_a_reloaded_page_takes_its_class_up_and_an_ended_one_is_gone(phones: Class, made: Made) -> None:
    room = phones.room
    assert room is not None
    other = made()
    other.phones.met("", {KEY: room.code})
    assert other.phones.room is not None and other.phones.room.code == room.code and other.phones.room.joined == 3
    other.phones._end()
    assert room.joined == 0 and other.phones.room is None
    other.phones.met("", {KEY: room.code})
    assert other.phones.room is None
