"""A class as its teacher's kernel has it, and what reaches its phones."""

from __future__ import annotations
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from navalkit.rooms.classroom import ClassRoom, page, progress
from navalkit.rooms.refused import RoomError, UnwrittenError
from navalkit.rooms.store import Rooms
from navalkit.testing import said
from navalkit.view.page import Choice, Note, Question, Result
from navalkit.view.scene import Circle, Layer, Scene, Style
from ..sentences import CLASSES

HIT = Question("hit", "Hit or miss?", (Choice("hit", "A hit"), Choice("miss", "A miss")))
TOLD = Result(("hit",), "She was hit.", "A2", {"miss": Note("105.4.12", "The depth was right.")})


@pytest.fixture
def rooms(tmp_path: Path) -> Iterator[Rooms]:
    opened = Rooms(tmp_path / "rooms.sqlite3")
    yield opened
    opened.close()


@pytest.fixture
def room(rooms: Rooms) -> ClassRoom:
    return ClassRoom("Night convoy", rooms)


def shown(room: ClassRoom) -> str:
    return json.dumps(room.rooms.room(room.code).shown)


def test_before_it_is_shown_nothing_tells_the_answer_or_what_others_have_answered(room: ClassRoom) -> None:
    room.ask(HIT)
    before = shown(room)
    for seat, choice in enumerate(("hit", "hit", "miss"), 1):
        room.rooms.answer(room.code, 1, seat, choice)
    assert shown(room) == before and "votes" not in before and "right" not in before
    room.close()
    assert "votes" not in shown(room) and "right" not in shown(room)
    assert room.votes() == {"hit": 2, "miss": 1}
    room.reveal(TOLD)
    result = json.loads(shown(room))["result"]
    assert result["votes"] == {"hit": 2, "miss": 1} and result["right"] == ["hit"]
    assert result["notes"] == {"miss": ["105.4.12", "The depth was right."]}


def test_what_was_right_is_told_in_one_step_or_not_at_all(room: ClassRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    room.ask(HIT)
    before, rev = shown(room), room.rooms.rev(room.code)

    def full(*_: Any) -> None:
        raise RoomError("The disk is full.", 503)

    with monkeypatch.context() as patched:
        patched.setattr(room.rooms, "show", full)
        with pytest.raises(RoomError):
            room.reveal(TOLD)
    assert shown(room) == before and room.open and room.result is None and not room.report()[-1].right
    room.rooms.answer(room.code, 1, 1, "hit")
    room.reveal(TOLD)
    assert room.rooms.rev(room.code) == rev + 1, "phones are told once"
    assert json.loads(shown(room))["result"]["votes"] == {"hit": 1} and room.shown
    with pytest.raises(RoomError):
        room.rooms.answer(room.code, 1, 2, "miss")


STEPS = {
    "ask": lambda room: room.ask(replace(HIT, key="another")),
    "again": lambda room: room.ask(HIT, again=True),
    "close": lambda room: room.close(),
    "reveal": lambda room: room.reveal(TOLD),
    "lock": lambda room: room.let_in(locked=True),
    "names": lambda room: room.let_in(names=True),
    "keep": lambda room: room.keep(at=3),
    "wait": lambda room: room.wait(),
    "end": lambda room: room.end(),
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_a_step_that_a_full_disk_forbids_is_not_made_and_can_be_made_later(room: ClassRoom, step: Any) -> None:
    room.ask(HIT)
    room.rooms.answer(room.code, 1, 1, "hit")

    def stands() -> Any:
        return shown(room), room.rooms.rev(room.code), room.report(), vars(room) | {"_asked": list(room._asked)}

    before = stands()
    room.rooms.sql.execute("PRAGMA query_only = ON")
    with pytest.raises(RoomError) as refused:
        step(room)
    assert refused.value.status == 503 and stands() == before
    room.rooms.sql.execute("PRAGMA query_only = OFF")
    step(room)
    assert stands() != before


def test_on_a_full_disk_a_try_fails_as_a_step_does(room: ClassRoom) -> None:
    """SQLite writes no page whose bytes stay the same: what is there already seemed to be written."""
    resource = pytest.importorskip("resource")
    room.ask(HIT)
    room.touch()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        for tried in (room.touch, room.close, room.touch):
            with pytest.raises(UnwrittenError):
                tried()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    room.touch()
    assert room.rooms.room(room.code).shown["phase"] == "open"


@pytest.mark.parametrize("steps", range(4))
def test_a_class_is_taken_up_with_its_question_whole_and_what_is_to_be_told_of_it(room: ClassRoom, steps: int) -> None:
    """Asked, closed, told or put away: nothing needs to make the question again, nor does a phone notice."""
    put = Question("own", "Where?", (Choice("a", "0101", (5.0, 5.0)), Choice("b", "B")), None, ((0.0, 1.0),), "2 3 5",
                   "k", "%")
    room.ask(put, answer=TOLD)
    for step in (room.close, lambda: room.reveal(TOLD), room.wait)[:steps]:
        step()
    rev, file = room.rooms.rev(room.code), room.rooms.room(room.code)
    again = ClassRoom("", room.rooms, room.code)
    assert again.question == room.question == (put if steps < 3 else None)
    assert (again.result, again.answer, again.stage) == (room.result, room.answer, room.stage)
    assert again.answer == (TOLD if steps < 3 else None) and again.result == (TOLD if steps == 2 else None)
    assert room.rooms.rev(room.code) == rev and room.rooms.room(room.code).kept == file.kept
    if steps < 3:
        again.reveal(again.answer or TOLD)
        again.ask(again.question or put, again=True)
        ask = json.loads(shown(room))["ask"]
        assert ask.pop("again") and ask == file.shown["ask"]


def test_what_is_to_be_told_leaves_this_machine_only_when_it_is(room: ClassRoom) -> None:
    room.ask(HIT, answer=TOLD)
    room.close()
    assert TOLD.text not in shown(room) and TOLD.text in json.dumps(room.rooms.room(room.code).kept)


def test_where_its_page_stands_is_written_with_each_step_or_not_at_all(room: ClassRoom) -> None:
    at = {"at": 1}
    room.keeps = lambda: dict(at)
    room.ask(HIT)
    assert room.rooms.room(room.code).kept["at"] == 1
    at["at"] = 2
    room.rooms.sql.execute("PRAGMA query_only = ON")
    with pytest.raises(RoomError):
        room.close()
    room.rooms.sql.execute("PRAGMA query_only = OFF")
    assert room.open and room.kept["at"] == 1 and ClassRoom("", room.rooms, room.code).kept["at"] == 1


def test_notes_are_sent_for_what_was_answered_alone(room: ClassRoom) -> None:
    room.ask(HIT)
    room.reveal(TOLD)
    assert json.loads(shown(room))["result"]["notes"] == {}


def test_a_board_goes_once_with_its_cells_and_follows_the_readers_theme(room: ClassRoom) -> None:
    scene = Scene(10, 10, (Layer("sea", (Circle(5, 5, 4, Style("sea_deep", "ink")),)),), title="The sea")
    room.ask(Question("where", "Where?", (Choice("0101", "0101", (5.0, 5.0)),), scene, ((0.0, 1.0), (1.0, 0.0))))
    ask = json.loads(shown(room))["ask"]
    assert ask["choices"] == [["0101", ""]]
    board = json.loads(__import__("gzip").decompress(room.rooms.board(room.code, ask["board"])))
    assert board["cells"] == [["0101", "0101", 5.0, 5.0]] and board["shape"] == "0,1 1,0"
    assert 'fill="var(--sea_deep)"' in board["svg"] and "prefers-color-scheme:dark" in board["svg"]
    assert board["alt"] == "The sea"


def test_a_class_is_taken_up_again_with_all_that_was_asked(room: ClassRoom) -> None:
    room.rooms.sit(room.code)
    room.ask(HIT)
    room.rooms.answer(room.code, 1, 1, "miss")
    room.reveal(TOLD)
    again = ClassRoom(rooms=room.rooms, code=room.code.lower())
    assert (again.title, again.round, again.code) == ("Night convoy", 1, room.code)
    (asked,) = again.report()
    assert asked.answers == {1: "miss"} and asked.right == ["hit"] and asked.told == "She was hit."
    again.ask(HIT)
    assert again.round == 2 and len(again.report()) == 2


def test_what_is_none_of_the_choices_is_nobodys_answer(room: ClassRoom) -> None:
    """The server lets none in; where one is in the file, a class can be told its answer all the same."""
    for _ in range(2):
        room.rooms.sit(room.code)
    room.ask(HIT)
    room.rooms.answer(room.code, 1, 1, "nonsense")
    room.rooms.answer(room.code, 1, 2, "miss")
    assert room.answers() == {2: "miss"} and room.votes() == {"miss": 1}
    room.reveal(TOLD)
    assert json.loads(shown(room))["result"]["votes"] == {"miss": 1}


def test_the_report_names_nobody_unless_asked_to(room: ClassRoom) -> None:
    room.let_in(names=True)
    room.rooms.sit(room.code, own="<b>Ann</b>")
    room.ask(HIT)
    room.rooms.answer(room.code, 1, 1, "miss")
    room.reveal(TOLD)
    anonymous = page(room.title, room.report(), room.seats())
    named = page(room.title, room.report(), room.seats(), named=True)
    corvette = CLASSES("kinds").split("|")[0]
    assert "Ann" not in anonymous and corvette not in anonymous and "The depth was right." in anonymous
    assert f"&lt;b&gt;Ann&lt;/b&gt; ({corvette} 1)" in named
    said(anonymous, CLASSES, "report.count", right=0, answers=1)


def test_the_report_says_what_was_asked_and_who_changed(room: ClassRoom) -> None:
    asked = replace(HIT, more="Six guns fire.\nHow many hit?", key="one")
    for _ in range(2):
        room.rooms.sit(room.code)
    room.ask(asked)
    for seat, choice in enumerate(("miss", "hit"), 1):
        room.rooms.answer(room.code, 1, seat, choice)
    room.ask(asked, again=True)
    for seat in (1, 2):
        room.rooms.answer(room.code, 2, seat, "hit")
    room.reveal(TOLD)
    room.ask(asked)  # as after a step back, and nobody answers
    report = page(room.title, room.report(), room.seats())
    assert report.count("Six guns fire.") == 2 and report.count("<section>") == 2
    said(report, CLASSES, "report.flow", n=1)


def test_the_board_of_progress_names_nobody_and_tells_nothing_of_what_is_open(room: ClassRoom) -> None:
    room.let_in(names=True)
    said(progress(room.report()), CLASSES, "progress.none")
    for own in ("Ann", "Bob", "Eve"):
        room.rooms.sit(room.code, own=own)
    for round in (1, 2):
        room.ask(HIT)
        for seat, choice in enumerate(("hit", "miss", "miss"), 1):
            room.rooms.answer(room.code, round, seat, choice)
        if round == 1:
            said(progress(room.report()), CLASSES, "progress.none")
            room.reveal(TOLD)
    board = progress(room.report())
    said(board, CLASSES, "progress.right", right=1, of=3)
    said(board, CLASSES, "progress.slip", slip="The depth was right.", n=2)
    assert board.count("<tr>") == 2
    assert not any(word in board for word in ("Ann", "Bob", "Eve", *CLASSES("kinds").split("|")))


def test_at_the_end_nothing_is_kept(room: ClassRoom) -> None:
    room.rooms.sit(room.code)
    room.ask(HIT)
    room.rooms.answer(room.code, 1, 1, "miss")
    room.reveal(TOLD)
    room.end()
    assert json.loads(shown(room))["phase"] == "over"
    assert room.report() == [] and room.joined == 0 and room.rooms.room(room.code).kept == {"asked": []}
