"""What befalls the page of a class: a disk that takes nothing, a second page of the class, orders pressed twice."""

from __future__ import annotations
import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from navalkit.rooms.classroom import ClassRoom, HeldError
from navalkit.rooms.store import Rooms
from navalkit.testing import said
from navalkit.ui.rooms import ROOM
from navalkit.ui.rooms.door import News
from navalkit.ui.rooms.lesson import LessonPage
from navalkit.ui.rooms.panel import RoomPanel
from navalkit.ui.rooms.screen import BOARD, DOOR
from navalkit.ui.rooms.walked import KEY, Class
from navalkit.ui.step.page import StepPage
from ...sentences import CLASSES, UI_ROOMS, like
from .test_lesson_app import answer, page
from .test_panel import Made, made, seated, vote

__all__ = ["made", "page"]


@pytest.fixture
def shown(made: Made) -> StepPage:
    """A class of three before its screen."""
    page = made()
    page._project(True)
    seated(page)
    return page


def room_of(panel: RoomPanel) -> ClassRoom:
    assert panel.room is not None
    return panel.room


@contextmanager
def full(panel: RoomPanel) -> Iterator[None]:
    """The class's kernel can write nothing; phones' answers come all the same."""
    room_of(panel).rooms.sql.execute("PRAGMA query_only = ON")
    try:
        yield
    finally:
        room_of(panel).rooms.sql.execute("PRAGMA query_only = OFF")


@contextmanager
def elsewhere(panel: RoomPanel) -> Iterator[tuple[Rooms, str]]:
    """The server's line to the file."""
    rooms = Rooms(room_of(panel).rooms.path)
    yield rooms, room_of(panel).code
    rooms.close()


def press(panel: RoomPanel, order: str = "next") -> None:
    """As a key of the class's screen does."""
    panel._model.guard(panel.press)(order)


def says(page: Any, key: str) -> bool:
    return like(UI_ROOMS, key).search(page.status.value) is not None


# -- 1. A write that fails

def test_looks_go_on_whatever_a_look_has_met(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("navalkit.ui.rooms.door.RETRY", 0.01)
    rooms, looks = Rooms(tmp_path / "rooms.sqlite3"), []

    def look() -> None:
        looks.append(len(looks))
        if len(looks) < 3:
            raise OSError("the disk")

    async def watch() -> None:
        news = News(rooms, look, lambda: len(looks) < 6)
        news.listen()
        for _ in range(500):
            await asyncio.sleep(0.01)
            if len(looks) == 6:
                break
        news.stop()

    asyncio.run(watch())
    assert len(looks) == 6  # three until one went well, and three while something was owed
    rooms.close()


def test_what_a_led_class_cannot_lay_out_is_said_and_laid_out_later(shown: StepPage) -> None:
    phones, room = shown.phones, room_of(shown.phones)
    room.rooms.pair(room.code, room.rooms.ticket(room.code))
    press(phones)
    assert room.question is not None
    choices = [each.id for each in room.question.choices]
    with elsewhere(phones) as (rooms, code):
        with full(phones):
            rooms.answer(code, 1, 1, choices[0])
            phones._come_news()
            assert says(shown, "class.unkept") and phones._news is not None
            assert phones.screen.view["wrong"] and phones.screen.view["come"] == [1, 3]
            rooms.answer(code, 1, 1, choices[1])
            phones._come_news()
        phones._come_news()  # nobody has written since: what is owed is tried again
        assert not shown.model.status.text and not says(shown, "class.unkept") and not phones.screen.view["wrong"]
        assert [row[2] for row in json.loads(rooms.desk(code)[1])["rows"] if row[0] == choices[1]] == [1]
        rooms.order(code, "a", "reveal", stand=phones.stand)
        phones._come_news()
    assert room.result is not None


def test_a_page_that_cannot_be_painted_still_says_why(shown: StepPage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NAVALKIT_RAISE")

    def broken() -> None:
        raise OSError("the disk")

    monkeypatch.setattr(shown.phones, "_show_screen", broken)
    shown.phones._model.guard(shown.phones.show)()  # comes back
    assert shown.model.status.error and shown.model.status.text in shown.status.value


# -- 3. A press on a full disk is not made, is said, and can be made later

@pytest.mark.parametrize("steps", range(5))
def test_a_press_on_a_full_disk_leaves_all_as_it_was_and_goes_well_later(shown: StepPage, steps: int) -> None:
    """At the way in, before an open question, its answer, each line, and the next decision."""
    phones, room = shown.phones, room_of(shown.phones)
    for step in range(steps):
        press(phones)
        if step == 0:
            assert room.question is not None
            vote(phones, *[each.id for each in room.question.choices][:2])

    def stands() -> Any:
        stepper = shown.stepper
        kept = room.rooms.room(room.code)
        return phones.stand, stepper.at, stepper.told, stepper.guess, stepper.asking.question, kept.shown, kept.kept

    before = stands()
    writes = steps < 2  # past that lines are told, which nobody but the page keeps
    with full(phones):
        press(phones)
        if writes:
            assert stands() == before and says(shown, "class.refused")
            assert phones.screen.view["wrong"] and phones.screen.view["sees"] == phones.sees
            phones._until = 0.0
            phones._come_news()
            assert says(shown, "class.refused"), "it is so still"
        else:
            assert says(shown, "class.unkept")
    phones._come_news()
    assert not shown.model.status.text
    if writes:
        press(phones)
        assert phones.stand != before[0] and phones.sees == BOARD and room.rooms.room(room.code).shown != before[5]


def test_a_lesson_that_cannot_go_on_stays_at_its_question(page: LessonPage) -> None:
    phones, room = page.phones, room_of(page.phones)
    phones._ask()
    answer(page, "One")
    phones._tell()
    before = phones.stand, room.last, page.model.at, room.rooms.room(room.code).shown
    with full(phones):
        phones.sees = BOARD
        press(phones)
        assert (f"{phones.stand}", room.last, page.model.at, room.rooms.room(room.code).shown) == (
            before[0].replace(DOOR, BOARD), *before[1:])
        assert says(page, "class.refused")
    press(phones)
    assert page.model.at == 1 and room.open and room.last == page.model.now.id


# -- 4. A box that could not be kept

def test_a_box_whose_press_was_refused_is_put_back(shown: StepPage, page: LessonPage) -> None:
    for each in (shown, page):
        phones = each.phones
        with full(phones):
            phones.locked.value = True
        assert not phones.locked.value and not room_of(phones).locked
        assert says(each, "class.refused")
        phones.locked.value = True
        assert room_of(phones).rooms.room(room_of(phones).code).locked and phones.locked.value


def test_a_class_taken_up_again_shows_who_may_come_in(shown: StepPage, made: Made) -> None:
    shown.phones.locked.value = True
    other = made()
    other.phones.start(room_of(shown.phones).code)
    other.phones.show()
    assert other.phones.locked.value


# -- 7. A kernel that ends between two writes

@pytest.mark.parametrize("query", ["?position=mode-3", "?tour=night-convoy"])
def test_whenever_a_kernel_ends_the_question_and_the_place_it_is_kept_with_are_of_one_moment(
        made: Made, monkeypatch: pytest.MonkeyPatch, query: str) -> None:
    """Who reads the file between any two writes finds the open question, and the place where it was asked."""
    page, seen, step = StepPage("on-patrol", query=query), list[tuple[str, str, str, str]](), ClassRoom.step
    phones = seated(page)
    phones.projected = True
    with elsewhere(phones) as (rooms, code):
        @contextmanager
        def watched(room: ClassRoom) -> Iterator[None]:
            with step(room):
                yield
            found = rooms.room(code)
            if found.shown["phase"] == "open":
                seen.append((found.kept["link"], page.stepper.link, found.kept["sees"], found.shown["title"]))

        monkeypatch.setattr(ClassRoom, "step", watched)
        for _ in range(60):
            press(phones)
    room_of(phones).rooms.close()
    assert len({link for link, *_ in seen}) > 1
    assert [each for each in seen if each[0] != each[1] or each[2:] != (BOARD, phones.title)] == []


def test_nothing_is_asked_before_the_page_has_what_it_opens_with(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a hunt takes a while to play; the position shown meanwhile is not what the class came for."""
    monkeypatch.setattr("navalkit.ui.desk.SOON", 0.0)
    query = "?scenario=night-convoy&seed=2&step=12&class=1"

    async def opens() -> None:
        page = StepPage("on-patrol", query=query)
        page.bridge.handlers["hello"]({"query": query})
        phones, asks = page.phones, [*page.phones.asks.values(), page.phones.put]
        assert page.stepper.opening and phones.room is not None and all(each.disabled for each in asks)
        for _ in range(3000):
            await asyncio.sleep(0.01)
            if not page.stepper.opening:
                break
        assert not any(each.disabled for each in asks)
        phones.asks["where"].click()
        assert phones.room.round == 1 and "&step=12&" in phones.room.last
        phones.room.rooms.close()

    asyncio.run(opens())


# -- 2. Two pages of one class

def test_a_second_page_takes_the_class_over_and_the_first_writes_nothing(shown: StepPage, made: Made) -> None:
    first, one = shown.phones, room_of(shown.phones)
    press(first)
    assert one.question is not None
    vote(first, one.question.choices[0].id)
    press(first)
    second = made()
    second._project(True)
    second.phones.start(one.code)
    second.phones.show()
    two = room_of(second.phones)
    first._come_news()
    assert first.lost and not second.phones.lost
    said(said_on(first)["head"], CLASSES, "no.held")
    assert first.back_here.layout.display != "none" and first._running.layout.display == "none"
    second.phones.predict("which")
    before = two.rooms.room(one.code)
    with elsewhere(first) as (rooms, code):
        rooms.ticket(code)
        rooms.order(code, "a", "report", stand=second.phones.stand)
        first._come_news()
        assert not rooms.done(code), "the other page's order"
    for call in (first._ask_own, one.wait, one.end,
                 lambda: one.let_in(locked=True), lambda: one.keep(at=1), lambda: one.remove(1)):
        with pytest.raises(HeldError):
            call()
    first.locked.value = True
    assert two.rooms.room(one.code) == before and two.joined == 3
    asked = two.report()
    assert [each.round for each in asked] == [1, 2] and asked[0].answers and not asked[1].answers
    press(first)  # one press has it here again, where it stands now
    assert not first.lost and second.phones.lost
    assert room_of(first).round == 2 and room_of(first).report() == asked
    second.phones._come_news()
    said(said_on(second.phones)["head"], CLASSES, "no.held")


def said_on(phones: Class) -> dict[str, Any]:
    return dict(phones.screen.view)


def test_a_class_is_read_on_a_full_disk_and_taken_over_with_the_first_step(shown: StepPage) -> None:
    one = room_of(shown.phones)
    rooms = Rooms(one.rooms.path)
    rooms.sql.execute("PRAGMA query_only = ON")
    two = ClassRoom("", rooms, one.code)
    assert two.held and one.held
    rooms.sql.execute("PRAGMA query_only = OFF")
    two.let_in(names=True)
    assert two.held and not one.held
    three = Rooms(one.rooms.path)
    three.sql.execute("PRAGMA query_only = ON")
    late = ClassRoom("", three, one.code)
    assert late.held
    two.wait()  # it has gone on meanwhile
    two.keep(at=1)
    assert not late.held, "the page says so before anything is pressed"
    three.sql.execute("PRAGMA query_only = OFF")
    with pytest.raises(HeldError):
        late.wait()
    for each in (rooms, three):
        each.close()


# -- 6. Orders that were pressed twice while nobody answered

@pytest.mark.parametrize("word", ["again", "ask", "report", "next"])
def test_an_order_that_was_pressed_twice_while_nobody_answered_is_done_once(shown: StepPage, word: str,
                                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    phones, room = shown.phones, room_of(shown.phones)
    press(phones)
    room.rooms.ticket(room.code)
    reports: list[object] = []
    monkeypatch.setattr(phones._bridge, "download", lambda *told: reports.append(told))
    stand, round = phones.stand, room.round
    what = "which" if word == "ask" else ""
    for id in "ab":
        room.rooms.order(room.code, id, word, what, stand)
    phones._come_news()
    done = {"again": room.round - round, "ask": room.round - round, "report": len(reports),
            "next": room.shown and room.round == round and phones._stepper.told == 0}[word]
    assert done == 1 and room.rooms.done(room.code) == 2
    assert ROOM("class.nothing") not in shown.status.value


def test_a_key_that_was_pressed_again_while_the_screen_was_cut_off_makes_one_step(shown: StepPage) -> None:
    phones = shown.phones
    assert phones.sees == DOOR
    stand = phones.stand
    for _ in range(3):
        phones.screen.pressed("next", "", stand)
    assert phones.sees == BOARD and phones.asking
    phones.screen.pressed("next", "", phones.stand)
    assert not phones.asking


# -- 7. A kernel that is killed while it carries out an order

@pytest.mark.parametrize("word", ["ask", "next", "reveal"])
def test_an_order_is_carried_out_whole_or_found_again_wherever_its_kernel_is_killed(shown: StepPage, made: Made,
                                                                                  word: str) -> None:
    """The kernel ends after each of its steps in turn: what it leaves is what the next kernel goes on with."""
    phones, room = shown.phones, room_of(shown.phones)
    if word == "reveal":
        press(phones)
        assert phones.asking
    room.rooms.ticket(room.code)
    stand = phones.stand
    number = room.rooms.order(room.code, "a", word, "which" if word == "ask" else "", stand)
    whole = room.step
    noted: list[tuple[bool, bool]] = []

    @contextmanager
    def step() -> Iterator[None]:
        with whole():
            yield
        with elsewhere(phones) as (rooms, code):  # as the next kernel finds it
            found = rooms.room(code).shown
            noted.append((rooms.done(code) >= number, (found.get("round", 0), found["phase"]) != before))

    shown_ = room.rooms.room(room.code).shown
    before = shown_.get("round", 0), shown_["phase"]
    vars(room)["step"] = step
    phones._come_news()
    assert phones.stand != stand and noted[-1] == (True, True)
    # Once it is noted as done, it is: before, the class stands where the order is still good, or has moved by it.
    assert noted[0] != (True, False) and (True, False) not in noted
    done = room.round, room.stage
    phones._come_news()
    assert (room.round, room.stage) == done and room.rooms.done(room.code) == number


# -- 8. A damaged file, and a class that another version has written

def test_a_damaged_file_is_named_and_what_to_do_with_it_is_said(made: Made, tmp_path: Path,
                                                               monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NAVALKIT_RAISE", raising=False)
    path = tmp_path / "rooms.sqlite3"
    path.write_bytes(b"no database " * 400)
    page = made()
    page.phones._model.guard(page.phones.met)("?class=1", {})
    assert page.phones.room is None and says_file(page, path)
    path.rename(tmp_path / "away")
    page.phones._model.guard(page.phones.met)("?class=1", {})
    assert page.phones.room is not None


def test_a_file_that_is_damaged_while_a_class_goes_on_is_named(shown: StepPage, tmp_path: Path,
                                                              monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NAVALKIT_RAISE", raising=False)
    phones, room = shown.phones, room_of(shown.phones)
    path = tmp_path / "rooms.sqlite3"
    room.rooms.sql.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(bytes([255]) * (size - 4096))
    room.rooms.sql.execute("PRAGMA shrink_memory")
    phones._come_news()
    assert says_file(shown, path)


def says_file(page: StepPage, path: Path) -> bool:
    return like(CLASSES, "no.file", path=path).search(page.status.value) is not None


def missing(kept: dict[str, Any]) -> None:
    del kept["asked"]


def more(kept: dict[str, Any]) -> None:
    kept["asked"][0]["later"] = 1


def other(kept: dict[str, Any]) -> None:
    kept["minutes"] = "soon"


@pytest.mark.parametrize("spoil", [missing, more, other])
def test_a_class_that_is_not_as_this_version_writes_it_is_refused_in_a_sentence(made: Made, shown: StepPage,
                                                                              spoil: Any) -> None:
    press(shown.phones)
    one = room_of(shown.phones)
    kept = one.rooms.room(one.code).kept
    spoil(kept)
    one.rooms.keep(one.code, kept)
    page = made()
    page.phones._model.guard(page.phones.met)("", {KEY: one.code})
    assert page.phones.room is None and like(CLASSES, "no.read", code=one.code).search(page.status.value)
    page.phones.start()  # a new one is opened all the same
    assert room_of(page.phones).code != one.code
