"""What a class is asked again is the same question; a question is closed and told in one step, or neither."""

from __future__ import annotations
import json
import sqlite3
from collections import Counter
from typing import Any

import pytest

from navalkit.testing import said
from navalkit.ui.rooms.lesson import LessonPage
from navalkit.ui.step.page import StepPage
from navalkit.walks.stepper import EXPLAIN
from ...sentences import UI_ROOMS
from .test_class_faults import press, room_of
from .test_lesson_app import answer, page
from .test_panel import Made, made, vote
from .test_taken_up import HUNT, class_of, elsewhere, own

__all__ = ["made", "page"]


@pytest.fixture
def told(made: Made) -> StepPage:
    """A class that was told of a decision, and has gone on to another one."""
    page = class_of(made(query=HUNT), 27)
    page.phones.predict("where")
    room = room_of(page.phones)
    assert room.question is not None
    vote(page.phones, *[each.id for each in room.question.choices][:2])
    press(page.phones, "reveal")
    assert room.shown
    page.stepper.use(EXPLAIN)
    page.stepper.go(28)
    while not page.stepper.moment.who:
        page.stepper.go(page.stepper.at + 1)
    return page


def led(page: StepPage) -> bool:
    """Whether the one who leads it elsewhere may have it asked again."""
    room = room_of(page.phones)
    if not room.rooms.led(room.code):
        room.rooms.pair(room.code, room.rooms.ticket(room.code))
    page.phones.show()
    return bool(json.loads(room.rooms.desk(room.code)[1])["again"])


def test_only_where_it_was_asked_is_a_question_asked_again(told: StepPage) -> None:
    phones, room = told.phones, room_of(told.phones)
    assert not led(told)
    asked = room.round
    press(phones, "again")
    assert room.round == asked and room.shown and told.stepper.mode == EXPLAIN
    said(told.status.value, UI_ROOMS, "class.moment")
    told.stepper.go(27)
    assert led(told) and room.question is not None
    key = room.question.key
    press(phones, "again")
    assert room.round == asked + 1 and room.open and room.question.key == key
    assert room.poll is not None and len(room.poll.before) == 2


def test_a_bet_is_asked_again_before_it_is_decided_and_a_question_asked_aloud_anywhere(made: Made) -> None:
    page = class_of(made(query=HUNT), 27)
    page.stepper.use(EXPLAIN)
    page.phones.wager("hit")
    assert led(page)
    page.stepper.go(28)
    assert not led(page)
    own(page)
    page.stepper.go(29)
    assert led(page)


def breaks(room: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The disk is full once what is right is to be shown. Returns the phases that were to be written."""
    show, tried = room.rooms.show, list[str]()

    def shown(code: str, what: Any, *rest: Any) -> None:
        tried.append(what["phase"])
        if what["phase"] == "shown" and tried.count("shown") == 1:
            raise sqlite3.OperationalError("database or disk is full")
        show(code, what, *rest)

    monkeypatch.setattr(room.rooms, "show", shown)
    return tried


def test_a_decision_is_closed_and_told_or_neither(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    page = class_of(made(query=HUNT), 27)
    page.phones.predict("where")
    room = room_of(page.phones)
    tried = breaks(room, monkeypatch)
    press(page.phones, "reveal")
    assert tried == ["shown"] and room.open and room.rooms.room(room.code).shown["phase"] == "open"
    assert room.question is not None
    vote(page.phones, room.question.choices[0].id)
    assert sum(room.votes().values()) == 1, "answers are taken"
    press(page.phones, "reveal")
    assert room.shown and page.stepper.guess is not None and page.stepper.guess.votes.total() == 1


def test_an_answer_that_comes_as_it_is_told_is_counted_everywhere(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    page = class_of(made(query=HUNT), 27)
    page.phones.predict("where")
    room = room_of(page.phones)
    assert room.question is not None
    vote(page.phones, room.question.choices[0].id)
    reveal, late = room.reveal, room.question.choices[1].id

    def told(result: Any) -> None:
        room.rooms.answer(room.code, room.round, 2, late)
        reveal(result)

    monkeypatch.setattr(room, "reveal", told)
    press(page.phones, "reveal")
    assert page.stepper.guess is not None and page.stepper.guess.votes == Counter(room.votes())
    assert page.stepper.guess.votes.total() == 2


def test_an_exercise_is_closed_and_told_or_neither(page: LessonPage, monkeypatch: pytest.MonkeyPatch) -> None:
    page.phones._ask()
    answer(page, "One")
    room = room_of(page.phones)
    tried = breaks(room, monkeypatch)
    page.model.guard(page.phones._tell)()
    assert tried == ["closed", "shown"] and room.open and room.rooms.room(room.code).shown["phase"] == "open"
    answer(page, "One", "Two")
    page.model.guard(page.phones._tell)()
    assert room.shown and sum(room.votes().values()) == 2


def test_an_open_question_of_an_earlier_file_is_put_away_and_that_is_said(made: Made) -> None:
    page = class_of(made(query=HUNT), 27)
    page.phones.predict("where")
    room = room_of(page.phones)
    room.rooms.keep(room.code, {"asked": room._asked, "link": room.kept["link"]})  # as the version before had it
    other = elsewhere(made, page)
    taken = room_of(other.phones)
    assert taken.stage == "wait" and taken.rooms.room(taken.code).shown["phase"] == "wait" and other.phones.ready
    said(other.status.value, UI_ROOMS, "class.gone")
    other.phones.predict("where")
    assert taken.open


def test_an_open_exercise_of_an_earlier_file_is_put_away_and_that_is_said(page: LessonPage) -> None:
    page.phones._ask()
    room = room_of(page.phones)
    room.rooms.keep(room.code, {"asked": room._asked})
    other = LessonPage(page.model.folder)
    other.met("?lesson=cards&class=1", {"lesson-class": room.code}, another_tab=False)
    assert room_of(other.phones).stage == "wait"
    said(other.status.value, UI_ROOMS, "class.gone")
    room_of(other.phones).rooms.close()
