"""A lesson before a class with phones alone: what is asked, what is told, and the board of progress."""

from __future__ import annotations
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from navalkit.core.errors import OptionError
from navalkit.rooms import classroom
from navalkit.teach.clicker import clickers, lessons
from navalkit.teach.papers import DOOR
from navalkit.testing import refused, said
from navalkit.ui.rooms import ROOM
from navalkit.ui.rooms.lesson import FRESH, LONGEST, SEEN, LessonPage, class_lesson, question, result
from ...sentences import CLASSES, CLICKERS, UI_ROOMS
from ...servers import ROOT

FOLDER = ROOT / "notebooks" / "lessons"


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[LessonPage]:
    monkeypatch.setenv("NAVALKIT_ROOMS", str(tmp_path))
    monkeypatch.setenv("NAVALKIT_RAISE", "1")
    made = LessonPage(FOLDER)
    made.met("?lesson=cards&class=1", {}, another_tab=False)
    assert made.phones.room is not None
    for _ in range(5):
        made.phones.room.rooms.sit(made.phones.room.code)
    yield made
    if made.phones.room is not None:
        made.phones.room.rooms.close()


def answer(page: LessonPage, *labels: str) -> None:
    room = page.phones.room
    assert room is not None and room.question is not None
    ids = {choice.label: choice.id for choice in room.question.choices}
    for seat, label in enumerate(labels, 1):
        room.rooms.answer(room.code, room.round, seat, ids[label])


def go_through(page: LessonPage) -> None:
    """The hook and the first exercise: three forget what they have seen, one does not."""
    phones = page.phones
    phones._ask()
    answer(page, "One", "One", "Two", "Three")
    phones._tell()
    phones._go(1)
    phones._ask()
    answer(page, "7", "7", "7", "6", CLICKERS("else"))
    phones._tell()


def test_a_class_is_asked_the_hook_and_then_an_exercise(page: LessonPage) -> None:
    go_through(page)
    room = page.phones.room
    assert room is not None and room.result is not None
    assert "forgot the cards seen" in page.question.value
    said(page.question.value, CLICKERS, "told")
    said(page.question.value, UI_ROOMS, "class.missed", n=3)
    told = room.rooms.room(room.code).shown["result"]
    assert CLICKERS("else") not in str(told["notes"]) and len(told["notes"]) == 1, "no slip that has no name"
    assert told["right"] == ["1"] and "if no card but the ship had been seen" in told["notes"]["2"][1]


def test_the_board_of_progress_tells_slips_by_exercise_and_names_nobody(page: LessonPage) -> None:
    go_through(page)
    table = page.phones.progress.value
    assert table.count("<tr>") == 2  # its head, and the one exercise: a vote has no right answer
    said(table, CLASSES, "progress.right", right=1, of=5)
    for slip, n in ("forgot the cards seen", 3), (CLICKERS("else"), 1):
        said(table, CLASSES, "progress.slip", slip=slip, n=n)
    assert "Cards that hit alone" in table and CLASSES("kinds").split("|")[0] not in table


def test_until_it_is_revealed_no_phone_can_tell_what_is_right(page: LessonPage) -> None:
    page.phones._go(1)
    page.phones._ask()
    room = page.phones.room
    assert room is not None
    shown = str(room.rooms.room(room.code).shown)
    assert "result" not in shown and "forgot" not in shown and "Nobody had to look" not in shown
    assert "forgot" not in page.question.value


def test_an_exercise_is_asked_again_with_other_numbers(page: LessonPage) -> None:
    page.phones._go(1)
    before = page.model.now
    page.phones._renew()
    assert page.model.now.id == before.id and page.model.now.text != before.text
    page.phones._ask()
    assert page.phones.asking


def test_a_leader_asks_it_again_with_other_numbers(page: LessonPage) -> None:
    phones = page.phones
    assert [kind for kind, _ in phones.kinds()] == [""]  # the hook has no others
    phones._go(1)
    phones._ask()
    before = [each.label for each in page.model.now.options]
    phones.press("reveal")
    assert [kind for kind, _ in phones.kinds()] == ["", FRESH]
    phones.press("ask", FRESH)
    assert phones.asking and [each.label for each in page.model.now.options] != before
    assert phones.room is not None and phones.room.round == 2


def test_what_was_asked_can_be_read_when_it_is_told(page: LessonPage) -> None:
    page._project(True)
    phones = page.phones
    phones._go(1)
    phones._ask()
    phones.sees = "board"
    asked = phones.view()
    phones._tell()
    told = phones.view()
    assert (told["html"], told["listed"]) == (asked["html"], asked["listed"]) and told["html"] and told["listed"]


def test_a_reloaded_page_finds_its_class_and_its_place(page: LessonPage) -> None:
    go_through(page)
    room = page.phones.room
    assert room is not None
    other = LessonPage(FOLDER)
    other.met("?lesson=cards&class=1", {"lesson-class": room.code}, another_tab=False)
    assert other.phones.room is not None and other.phones.room.code == room.code
    assert other.model.now.id == "cards.1" and "forgot the cards seen" in other.phones.progress.value
    other.phones._end()
    assert room.joined == 0


@pytest.mark.parametrize("address", ["", "&view=class"])
def test_a_reloaded_page_keeps_to_the_class_s_screen_or_to_itself(page: LessonPage, address: str) -> None:
    room = page.phones.room
    assert room is not None
    query, stored = f"?lesson=cards{address}", {"lesson-class": room.code}
    kept: dict[str, str] = {}

    def opened(again: bool) -> LessonPage:
        made = LessonPage(FOLDER)
        made.bridge.store = lambda key, value, **_: kept.update({key: value})  # type: ignore[method-assign]
        made.bridge.again = again
        made.met(query, stored | {key: kept[key] for key in kept if key == SEEN}, another_tab=False)
        return made

    def leave(made: LessonPage) -> None:
        made.phones.leave()
        made.phones.room.rooms.close()  # type: ignore[union-attr]

    made = opened(again=False)
    assert made.phones.projected == bool(address)
    made.large.click()
    assert made.phones.projected
    made = opened(again=True)
    assert made.phones.projected and made.phones.screen.active
    leave(made)
    made = opened(again=True)
    assert not made.phones.projected
    leave(made)
    leave(opened(again=False))


def test_nothing_is_revealed_where_nothing_was_asked(page: LessonPage) -> None:
    with refused(OptionError, UI_ROOMS, "class.nothing"):
        page.phones._tell()


@pytest.mark.parametrize("lesson", lessons())
def test_every_question_of_every_lesson_can_be_asked_and_told(lesson: str) -> None:
    for asked in clickers(lesson, FOLDER):
        put = question(asked)
        assert len({choice.id for choice in put.choices}) == len(put.choices) >= 2
        assert 0 < len(put.more) <= 2 * LONGEST and "**" not in put.more
        assert (put.board is not None) == bool(asked.look)
        told = result(asked, put, {put.choices[0].id: 2})
        assert set(told.right) <= {choice.id for choice in put.choices} and told.text
        if put.board is not None and asked.look.get("cells"):
            assert all(choice.at for choice in put.choices)
            assert told.board is not None and classroom.picture(told.board) != classroom.picture(put.board)


def test_the_page_stays_shut_where_students_could_open_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERVER_SOFTWARE", "voila/0")
    monkeypatch.delenv(DOOR, raising=False)
    shut: Any = class_lesson(str(FOLDER))
    said(shut.children[0].value, UI_ROOMS, "lesson.door")
    monkeypatch.setenv(DOOR, str(ROOT / "teaching"))
    assert len(class_lesson(str(FOLDER)).children) == 3


def test_another_language_takes_its_sentences_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ROOM.tables, "de", {"lesson.which": "Lektion"})
    monkeypatch.setenv("QUERY_STRING", "?lang=de")
    page = class_lesson(str(FOLDER))
    assert page.children[0].children[0].description == "Lektion"
