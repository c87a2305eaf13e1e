"""A class goes on from its file: whatever it was asked and told, wherever its page stood, another page stands there.

It may be a page that was loaded again, a second tab, the first one taken back, one whose kernel was killed, with a disk
that takes nothing just then: to the file they are one.
"""

from __future__ import annotations
import json
from collections.abc import Callable
from typing import Any

import pytest

from navalkit.core.errors import OptionError
from navalkit.rooms.classroom import left_of, receipt_of
from navalkit.rooms.store import Rooms
from navalkit.testing import said
from navalkit.ui.rooms import held
from navalkit.ui.rooms.held import kept_under
from navalkit.ui.rooms.lesson import LessonPage
from navalkit.ui.rooms.screen import BOARD
from navalkit.ui.rooms.walked import KEY
from navalkit.ui.step.page import StepPage
from navalkit.view.page import Question
from navalkit.walks.stepper import EXPLAIN, PREDICT
from ...sentences import CLASSES, UI, UI_ROOMS, like
from .test_class_faults import full, press, room_of, says
from .test_lesson_app import FOLDER, answer, page
from .test_panel import Made, made, seated, vote

__all__ = ["made", "page"]

HUNT = "?scenario=night-convoy&seed=2"


def own(page: StepPage) -> None:
    page.phones.aloud.value, page.phones.number.value = "Is the boat deep?", 3
    page.phones._ask_own()


ASKS: dict[str, Callable[[StepPage], None]] = {
    "own": own, "wager": lambda page: page.phones.wager("hit"), "where": lambda page: page.phones.predict("where"),
    "which": lambda page: page.phones.predict("which"),
}


def elsewhere(made: Made, page: StepPage) -> StepPage:
    """The page of another tab, or of another kernel, that opens with something else."""
    other = made()
    other._project(True)
    other.phones.met("", {KEY: room_of(page.phones).code})
    other.phones.show()
    return other


def taken_back(made: Made, page: StepPage) -> StepPage:
    """The same page, after another one has had the class."""
    other = elsewhere(made, page)
    page.phones._come_news()
    assert page.phones.lost and not other.phones.lost
    press(page.phones)
    return page


def keeps(page: StepPage) -> dict[str, str]:
    """What its browser keeps of the class from now on, as a page that is loaded again finds it."""
    kept: dict[str, str] = {}

    def send(content: Any, buffers: Any = None) -> None:
        for key in kept_under(KEY):
            if content["do"] == "store" and content["key"] == key.replace("?", page.bridge.query):
                kept[key] = content["value"]

    page.bridge.send = send  # type: ignore[method-assign]
    return kept


def test_a_tab_that_lost_its_class_and_is_loaded_again_takes_it_back_by_a_press_alone(made: Made) -> None:
    kept = keeps(page := made())
    class_of(page, 0).phones.show()
    code = room_of(page.phones).code
    other = elsewhere(made, page)

    again = made()  # its kernel has died, and was frozen before: it knew nothing of it
    again._project(True)
    again.bridge.again = True
    again.phones.met("", kept)
    again.phones.show()
    assert again.phones.lost and not other.phones.lost and room_of(again.phones).code == code
    said(again.phones.screen.view["head"], CLASSES, "no.held")
    press(again.phones)
    assert not again.phones.lost and other.phones.lost
    for loaded in (True, False):  # it has the class; and one that is opened anew
        last = made()
        last.bridge.again = loaded
        last.phones.met("", kept)
        assert not last.phones.lost


def class_of(page: StepPage, step: int) -> StepPage:
    page._project(True)
    seated(page)
    page.phones.sees = BOARD
    page.stepper.go(step)
    return page


def stands(page: StepPage) -> Any:
    """All that the class sees, and what is to be told to it."""
    phones, stepper, room = page.phones, page.stepper, room_of(page.phones)
    view = {key: value for key, value in phones.screen.view.items() if key not in ("wrong", "way")}
    view["cells"] = [id for id, _ in view.get("cells", ())]  # the window over the board is each page's own
    question = room.question
    about = None if question is None else (question.kind, question.text, question.key, question.choices)
    file = room.rooms.room(room.code).shown
    return (view, about, room.result and room.result.text, room.round, phones.stand, stepper.at, stepper.told,
            stepper.mode, phones.secret(), file)


@pytest.mark.parametrize("how", [elsewhere, taken_back])
@pytest.mark.parametrize("told", [False, True])
@pytest.mark.parametrize("kind", ASKS)
def test_what_a_class_was_asked_goes_on_wherever_it_is_taken_up(made: Made, kind: str, told: bool, how: Any) -> None:
    page = class_of(made(query=HUNT), 27)
    ASKS[kind](page)
    phones, room = page.phones, room_of(page.phones)
    assert room.question is not None
    votes = [each.id for each in room.question.choices][:2]
    vote(phones, *votes)
    if told:
        phones._tell()
    phones.show()
    before, rev = stands(page), room.rooms.rev(room.code)
    other = how(made, page)
    again = room_of(other.phones)
    assert stands(other) == before
    assert again.rooms.rev(room.code) == rev, "phones were told of it"
    assert len(again.report()) == room.round and again.votes() == {each: 1 for each in votes}
    if not told:
        press(other.phones)
        assert again.result is not None and again.round == room.round and again.shown
        wanted = {"wager": "told.hit", "own": "told.all"}.get(kind)
        if wanted == "told.all":
            said(again.result.text, UI_ROOMS, wanted)
        else:
            assert again.result.right and again.report()[-1].told == again.result.text


def test_what_the_teacher_marked_as_right_goes_on(made: Made) -> None:
    page = class_of(made(query=HUNT), 27)
    own(page)
    page.phones.right.value = "B"
    other = elsewhere(made, page)
    press(other.phones)
    assert room_of(other.phones).result is not None and room_of(other.phones).report()[-1].right == ["B"]


@pytest.mark.parametrize("how", [elsewhere, taken_back])
@pytest.mark.parametrize("lines", range(4))
def test_the_reasons_that_were_told_stay_told(made: Made, lines: int, how: Any) -> None:
    page = class_of(made(), 0)
    page.phones.predict("where")
    for _ in range(1 + lines):
        press(page.phones)
    assert page.stepper.told == lines and page.stepper.guess is not None
    before = stands(page)
    other = how(made, page)
    assert stands(other) == before and other.stepper.told == lines
    assert other.stepper.lit == (lines - 1 if lines else None)
    press(other.phones)
    assert other.stepper.told == lines + 1


def test_a_class_is_not_asked_anew_what_it_was_told_when_its_page_goes_back_there(made: Made) -> None:
    page = class_of(made(query=HUNT), 27)
    first = page.stepper.at
    page.phones.predict("where")
    page.phones._tell()
    page.stepper.go(30)
    round = room_of(page.phones).round
    assert page.stepper.asked
    other = elsewhere(made, page)
    assert other.stepper.asked and room_of(other.phones).round == round
    other.stepper.go(first)
    assert other.stepper.guess is not None and room_of(other.phones).round == round


def test_a_question_that_another_had_put_aside_is_not_put_as_the_class_is_taken_up(made: Made) -> None:
    page = class_of(made(query=HUNT), 27)
    page.phones.predict("which")
    own(page)
    other = elsewhere(made, page)
    room = room_of(other.phones)
    assert room.question is not None and room.question.kind == "own" and room.round == room_of(page.phones).round
    press(other.phones)
    assert room.result is not None and other.stepper.mode == PREDICT
    other.stepper.use(EXPLAIN)
    assert elsewhere(made, other).stepper.mode == EXPLAIN


# -- A kernel that dies while the disk takes nothing

@pytest.fixture
def shut(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether what is opened next can write nothing into its file."""
    on = [False]

    def opened() -> Rooms:
        rooms = Rooms()
        rooms.sql.execute(f"PRAGMA query_only = {'ON' if on[0] else 'OFF'}")
        return rooms

    monkeypatch.setattr(held, "Rooms", opened)
    return on


@pytest.mark.parametrize("presses", range(1, 5))
def test_a_class_whose_kernel_is_killed_on_a_full_disk_keeps_its_place(made: Made, shut: list[bool],
                                                                     presses: int) -> None:
    page = class_of(made(), 0)
    page.phones.predict("where")
    for _ in range(presses):
        press(page.phones)
    before = stands(page)
    shut[0] = True
    other = made()
    other.model.guard(lambda: other.phones.met("", {KEY: room_of(page.phones).code}))()
    other._project(True)
    assert stands(other) == before
    other.phones._come_news()
    assert stands(other) == before
    room_of(other.phones).rooms.sql.execute("PRAGMA query_only = OFF")
    other.phones._come_news()
    kept = room_of(other.phones).rooms.room(room_of(other.phones).code).kept
    assert stands(other) == before and kept["sees"] == BOARD and kept["there"]["told"] == page.stepper.told
    press(other.phones)
    assert other.phones.stand != before[4] and other.phones.sees == BOARD


def test_a_press_that_fails_leaves_a_class_that_it_took_up_where_the_file_has_it(made: Made, shut: list[bool]) -> None:
    page = class_of(made(), 0)
    page.phones.predict("where")
    before = stands(page)
    shut[0] = True
    other = made()

    def both() -> None:
        other.phones.start(room_of(page.phones).code)
        room_of(other.phones).touch()

    other.model.guard(both)()
    assert says(other, "class.refused")
    other._project(True)
    assert stands(other) == before


# -- A lesson

def reloaded(page: LessonPage) -> LessonPage:
    other = LessonPage(FOLDER)
    other.met("?lesson=cards&class=1", {"lesson-class": room_of(page.phones).code}, another_tab=False)
    return other


def back(page: LessonPage) -> LessonPage:
    reloaded(page)
    page.phones._come_news()
    assert page.phones.lost
    press(page.phones)
    return page


@pytest.mark.parametrize("how", [reloaded, back])
@pytest.mark.parametrize(("lesson", "told"), [("cards", False), ("cards", True), ("machine", False), ("machine", True)])
def test_an_exercise_with_other_numbers_goes_on_with_them(page: LessonPage, lesson: str, told: bool, how: Any) -> None:
    """Of some of them the choices are the same words whatever the numbers are, and another is right."""
    page._chosen(lesson)
    phones, model, room = page.phones, page.model, room_of(page.phones)
    while not (model.now.family and (lesson == "cards" or model.now.id == "machine.2")):
        phones._go(1)
    for _ in range(2):
        phones._renew()
    phones._ask()
    assert room.question is not None
    vote_id = room.question.choices[0].id
    room.rooms.answer(room.code, room.round, 1, vote_id)
    if told:
        phones._tell()
    page.refresh()
    before = model.now, model.at, phones.stand, room.rooms.room(room.code).shown, page.question.value
    other = how(page)
    again = room_of(other.phones)
    other.refresh()
    after = other.model.now, other.model.at, other.phones.stand, again.rooms.room(room.code).shown, other.question.value
    assert after == before and other.model.lesson == lesson
    assert other.phones.tell.disabled == told and other.phones.ask.disabled != told
    if not told:
        other.phones._tell()
    assert again.result is not None and again.result.right == before[0].right and len(again.report()) == 1
    other.phones._renew()
    assert other.model.now.text != before[0].text, "those have been drawn"


def test_a_lesson_that_went_on_without_asking_stands_there(page: LessonPage) -> None:
    page.phones._ask()
    answer(page, "One")
    page.phones._go(1)
    other = reloaded(page)
    assert other.model.at == 1 and room_of(other.phones).stage == "closed"  # it goes on where it stands
    with full(other.phones):
        press(other.phones, "back")
        assert other.model.at == 1 and says(other, "class.refused")
    with pytest.raises(OptionError):
        other.phones._tell()


def test_the_answer_of_what_is_open_is_on_no_phone_and_on_no_screen(made: Made, page: LessonPage) -> None:
    """It is kept with the question, on this machine."""
    class_of(step := made(query=HUNT), 27)
    step.phones.wager("hit")
    page._project(True)
    page.phones._go(1)
    page.phones._renew()
    page.phones._ask()
    for phones, secret in ((step.phones, room_of(step.phones).answer), (page.phones, page.phones._result)):
        phones.show()
        room = room_of(phones)
        assert secret is not None and room.question is not None and isinstance(room.question, Question)
        file = room.rooms.room(room.code)
        assert secret.text not in str(file.shown) and secret.text not in str(phones.screen.view)
        assert secret.text in str(file.kept)


# -- Presses that the tab's journal kept while there was no line

class Tab:
    """A tab whose journal brings presses."""

    def __init__(self, page: Any, id: str = "0123456789abcdef") -> None:
        self.page, self.id, self.n, self.told = page, id, 0, list[dict[str, Any]]()
        page.phones._met = True
        page.bridge._told = {}
        page.bridge.send = lambda told, *_: self.told.append(told)
        page.phones.show()

    @property
    def stand(self) -> dict[str, Any]:
        return next(each for each in reversed(self.told) if each["do"] == "stand")

    def give(self, **do: Any) -> dict[str, Any]:
        """A press in the page as it is."""
        self.n += 1
        return {"journal": self.id, "n": self.n, "at": self.stand["at"], "do": do}

    def bring(self, *orders: dict[str, Any]) -> None:
        for order in orders:
            self.page.bridge.handlers["order"]({"order": order})


@pytest.mark.parametrize("press", [{"order": "next"}, {"press": "class-here", "fields": ["", "", "4"]}])
def test_a_press_for_the_class_to_be_here_again_outlives_the_page_it_was_given_on(made: Made, press: Any) -> None:
    kept = keeps(page := made())
    other = elsewhere(made, class_of(page, 0))
    page.phones._come_news()
    tab = Tab(page)
    order = tab.give(**press)
    again = made()  # the kernel died before it heard
    again.bridge.again = True
    again.phones.met("", kept)
    second = Tab(again)
    assert again.phones.lost and second.stand["at"] == order["at"]
    second.bring(order)
    assert not again.phones.lost and other.phones.lost and second.stand["at"] != order["at"]
    assert {"do": "drop", "n": order["n"]} in second.told
    other.phones.take_back()
    again.phones._come_news()
    second.bring(order)  # its answer was lost, and it comes again after the class has gone elsewhere
    assert again.phones.lost and not other.phones.lost
    second.bring(second.give(**press) | {"n": order["n"] + 1})
    assert not again.phones.lost
    second.bring(order)  # and to a page that has the class by now
    assert not again.phones.lost


def test_a_press_that_was_kept_is_made_once_even_by_the_kernel_that_comes_after(made: Made) -> None:
    page = class_of(made(), 0)
    tab = Tab(page)
    assert set(tab.stand["keys"]) >= {"class-where", "class-tell", "class-put", "bar-on"}
    asked = tab.give(press="class-which", fields=["", "", "4"])
    tab.bring(asked, asked)
    assert room_of(page.phones).round == 1 and tab.stand["n"] == tab.stand["safe"] == 1
    told = tab.give(press="class-tell", fields=["", "", "4"])
    other = elsewhere(made, page)
    late = Tab(other)
    assert late.stand["at"] == tab.stand["at"]
    late.bring(asked, told)
    assert room_of(other.phones).round == 1 and room_of(other.phones).shown
    late.bring(told, {**asked, "n": 3})  # pressed for a class that has gone on since
    assert room_of(other.phones).round == 1 and says_stale(other) and late.stand["n"] == 2
    other.model.hush()  # the answer is lost, and then the kernel: it comes again, and is refused again
    late.bring({**asked, "n": 3})
    assert says_stale(other) and {"do": "drop", "n": 3} in late.told
    third = elsewhere(made, other)
    (last := Tab(third)).bring({**asked, "n": 3})
    assert room_of(third.phones).round == 1 and says_stale(third) and {"do": "drop", "n": 3} in last.told


def test_a_press_that_was_not_heard_before_another_page_had_the_class_is_refused_in_a_sentence(made: Made) -> None:
    page = class_of(made(), 0)
    tab = Tab(page)
    tab.bring(made_it := tab.give(press="class-which", fields=["", "", "4"]))
    late = tab.give(press="class-tell", fields=["", "", "4"])
    other = elsewhere(made, page)
    page.phones._come_news()
    assert page.phones.lost
    tab.bring(made_it)  # it comes again, for its answer was lost
    assert not says_stale(page)
    tab.bring(late)  # the kernel was frozen
    assert says_stale(page) and {"do": "drop", "n": late["n"]} in tab.told
    assert room_of(other.phones).round == 1 and room_of(other.phones).result is None


def says_stale(page: Any) -> bool:
    return like(UI, "order.stale").search(page.status.value) is not None


def test_a_press_that_was_made_twice_while_nobody_answered_is_made_once_and_without_a_word(made: Made) -> None:
    page = class_of(made(), 0)
    tab = Tab(page)
    tab.bring(*[tab.give(press="class-which", fields=["", "", "4"]) for _ in range(3)])
    assert room_of(page.phones).round == 1 and not page.model.status.error


def test_a_question_of_ones_own_that_was_kept_has_its_words(made: Made) -> None:
    page = class_of(made(), 0)
    tab = Tab(page)
    tab.bring(tab.give(press="class-put", fields=["", "How deep?", "3"]))
    question = room_of(page.phones).question
    assert question is not None and question.text == "How deep?" and len(question.choices) == 3
    tab.bring(tab.give(press="class-tell", fields=["C", "How deep?", "3"]))
    assert room_of(page.phones).report()[-1].right == ["C"]


def test_a_press_that_was_kept_and_cannot_be_written_down_is_refused_and_not_brought_again(made: Made) -> None:
    page = class_of(made(), 0)
    tab = Tab(page)
    asked = tab.give(press="class-which", fields=["", "", "4"])
    with full(page.phones):
        tab.bring(asked)
        assert room_of(page.phones).round == 0 and says(page, "class.refused")
    assert {"do": "drop", "n": 1} in tab.told and tab.stand["n"] == 0
    tab.bring(tab.give(press="class-which", fields=["", "", "4"]))
    assert room_of(page.phones).round == 1


def test_a_key_of_the_screen_and_a_press_of_a_lesson_are_kept_too(page: LessonPage) -> None:
    tab = Tab(page)
    on = tab.give(order="next")
    tab.bring(on, on)
    assert page.phones.sees == BOARD and room_of(page.phones).round == 1 and page.phones.asking
    told = tab.give(press="class-tell", fields=[])
    tab.bring(told, tab.give(press="lesson-next", fields=[]))
    assert page.model.at == 0 and room_of(page.phones).shown, "it was pressed for the question before it was told"
    tab.bring({"journal": "no", "n": 9})
    assert {"do": "drop", "n": 9} in tab.told


def test_a_page_that_has_no_class_takes_no_press(made: Made) -> None:
    tab = Tab(page := class_of(made(), 0))
    page.phones._end()
    assert tab.stand["at"] == ""
    tab.bring(tab.give(press="class-tell", fields=["", "", "4"]))
    assert page.phones.room is None


def test_a_class_is_ended_once_by_a_press_that_was_kept(made: Made) -> None:
    tab = Tab(page := class_of(made(), 0))
    code, order = room_of(page.phones).code, tab.give(press="class-end", fields=["", "", "4"])
    tab.bring(order)
    assert page.phones.room is None
    other = made()  # its Python was killed before the browser had anything of it
    other.phones.met("?class=1", {KEY: code})
    (ended := Tab(other)).bring(order)
    assert other.phones.room is None and {"do": "drop", "n": order["n"]} in ended.told  # nothing is to be waited for
    said(other.model.status.text, UI_ROOMS, "class.handed")
    other.phones.start()  # it stands where the other one stood, and is another one
    (tab := Tab(other)).bring(order)
    assert other.phones.room is not None and {"do": "drop", "n": order["n"]} in tab.told and not says_stale(other)


def test_a_report_is_made_by_the_kernel_that_comes_after(made: Made) -> None:
    order = Tab(page := class_of(made(), 0)).give(press="class-report", fields=["", "", "4"])
    tab = Tab(elsewhere(made, page))
    tab.bring(order, order)
    assert [each["do"] for each in tab.told].count("download") == 1 and tab.stand["n"] == 1


def test_the_report_of_an_ended_class_is_kept_until_a_browser_has_it(made: Made) -> None:
    page = class_of(made(), 0)
    press(page.phones)
    code, rooms = room_of(page.phones).code, Rooms()
    page.phones._end()
    report = left_of(rooms, code)
    assert report and not rooms.joined(code)
    anew = made()  # what the first one sent has reached nobody
    sent: list[Any] = []
    anew.bridge.send = lambda content, buffers=None: sent.append((content, buffers))
    anew.phones.met("?class=1", {KEY: code})
    assert anew.phones.room is None
    said(anew.model.status.text, UI_ROOMS, "class.handed")
    [(message, data)] = [each for each in sent if each[0]["do"] == "download"]
    assert data == [report.encode()] and message["receipt"] == receipt_of(code, report)
    anew.bridge._handle_custom_msg({"event": "received", "receipt": message["receipt"]}, [])
    assert not left_of(rooms, code)
    anew.phones.met("?class=1", {KEY: code})
    assert room_of(anew.phones).code != code
    anew.bridge._handle_custom_msg({"event": "received", "receipt": room_of(anew.phones).code}, [])
    assert room_of(anew.phones).kept, "nothing of a class that is on is dropped"
    rooms.close()


class Browser:
    """What a page hands over, and the receipts that come back."""

    def __init__(self, page: StepPage) -> None:
        self.page, self.files = page, list[tuple[str, str]]()
        page.bridge.send = self.take

    def take(self, content: dict[str, Any], buffers: Any = None) -> None:
        if content["do"] == "download":
            self.files.append((bytes(buffers[0]).decode(), content["receipt"]))

    def has(self, number: int) -> None:
        self.page.bridge._handle_custom_msg({"event": "received", "receipt": self.files[number][1]}, [])


def asked_for(page: StepPage, id: str = "1") -> Rooms:
    """The leader's console has asked for the report."""
    room = room_of(page.phones)
    room.rooms.pair(room.code, room.rooms.ticket(room.code))
    room.rooms.order(room.code, id, "report")
    page.phones._come_news()
    return room.rooms


def told(rooms: Rooms, code: str) -> str:
    return str(json.loads(rooms.desk(code)[1])["told"][0])


def test_a_report_that_a_console_asked_for_is_kept_until_a_browser_has_it_and_only_then_said_to_be_there(
        made: Made) -> None:
    page = class_of(made(), 0)
    own(page)
    gone, code = Browser(page), room_of(page.phones).code
    rooms = asked_for(page)
    [(report, _)] = gone.files  # it has reached nobody: the page has no line, and its kernel is killed
    said(told(rooms, code), UI_ROOMS, "class.reporting")
    anew = made()
    there = Browser(anew)
    anew.phones.met("", {KEY: code})
    anew.phones.show()
    room = room_of(anew.phones)
    assert [text for text, _ in there.files] == [report]
    said(told(room.rooms, code), UI_ROOMS, "class.reporting")
    there.has(0)
    said(told(room.rooms, code), UI_ROOMS, "class.reported")
    assert "report" not in room.rooms.room(code).kept and room.round == 1 and room.open
    third = Browser(other := made())
    other.phones.met("", {KEY: code})
    assert third.files == [] and room_of(other.phones).question is not None


def test_a_receipt_is_of_one_report(made: Made) -> None:
    page = class_of(made(), 0)
    browser, phones = Browser(page), page.phones
    room = room_of(phones)
    asked_for(page)
    own(page)
    asked_for(page, "2")
    assert browser.files[0] != browser.files[1]
    browser.has(0)
    assert room.rooms.room(room.code).kept["report"] == browser.files[1][0]
    said(told(room.rooms, room.code), UI_ROOMS, "class.reporting")
    own(page)
    rooms, code = Rooms(), room.code
    phones._end()
    browser.has(1)  # it comes when the class has ended, whose report is another one
    assert len(browser.files) == 3 and left_of(rooms, code) == browser.files[2][0]
    browser.has(2)
    assert not left_of(rooms, code)
    rooms.close()


def test_on_a_full_disk_a_report_is_handed_over_all_the_same(made: Made) -> None:
    page = class_of(made(), 0)
    press(page.phones)
    browser = Browser(page)
    with full(page.phones):
        page.phones.report.click()
        assert len(browser.files) == 1
        browser.has(0)
        said(page.model.status.text, UI_ROOMS, "class.reported")


# -- A browser that has kept nothing

def test_a_class_that_the_browser_does_not_know_any_more_is_offered_and_gone_on_with(made: Made) -> None:
    page = class_of(made(), 12)
    press(page.phones)
    code, at = room_of(page.phones).code, stands(page)
    anew = made()
    anew._project(True)
    anew.phones.met("?class=1", {})
    anew.phones.show()
    other = room_of(anew.phones)
    assert other.code != code and anew.phones.earlier == code and code in anew.phones.back_to.description
    assert code in anew.phones.screen.view["wrong"] and anew.phones.back_to.layout.display != "none"
    anew.phones.back_to.click()
    assert room_of(anew.phones).code == code and stands(anew) == at and not anew.phones.earlier
    assert anew.phones.back_to.layout.display == "none"
    rooms = Rooms(room_of(page.phones).rooms.path)
    assert rooms.room(other.code).shown["phase"] == "over" and rooms.room(code).shown["phase"] != "over"
    rooms.close()


def test_no_class_is_offered_once_somebody_is_in_nor_one_that_ended_or_is_of_another_page(made: Made) -> None:
    page = class_of(made(), 12)
    code = room_of(page.phones).code
    anew = made()
    anew.phones.met("?class=1", {})
    assert anew.phones.earlier == code
    key, seat = room_of(anew.phones).rooms.sit(room_of(anew.phones).code)
    assert not anew.phones.earlier
    anew.phones.go_back()  # pressed as they came in
    assert room_of(anew.phones).joined == 1
    room_of(anew.phones).remove(seat.number)
    lesson = LessonPage(FOLDER)
    lesson.met("?lesson=cards&class=1", {}, another_tab=False)
    assert not lesson.phones.earlier
    room_of(lesson.phones).rooms.close()
    room_of(page.phones).end()
    last = made()
    last.phones.met("?class=1", {})
    assert not last.phones.earlier


def test_a_browser_that_keeps_nothing_is_spoken_of(made: Made) -> None:
    page = class_of(made(), 12)
    page.bridge.handlers["unkept"]({"key": "class"})
    assert like(UI_ROOMS, "class.unstored", code=room_of(page.phones).code).search(page.status.value)


def test_other_numbers_are_drawn_once_however_often_it_was_pressed_while_nobody_answered(page: LessonPage) -> None:
    page.phones._go(1)
    page.phones._model.at = next(at for at, each in enumerate(page.phones._model.asked) if each.family)
    page.phones.show()
    tab = Tab(page)
    tab.bring(*[tab.give(press="lesson-fresh", fields=[]) for _ in range(2)])
    assert page.phones._model.drawn == 1 and not says_stale(page)


@pytest.mark.parametrize(("query", "told"), [("?tour=lost-and-found&class=1", True), (f"{HUNT}&step=3&class=1", False),
                                             ("", False)])
def test_a_page_opened_by_the_address_of_something_else_says_that_the_class_goes_on(
        made: Made, query: str, told: bool) -> None:
    page = class_of(made(query=HUNT), 27)
    here, code = page.stepper.at, room_of(page.phones).code
    other = made()
    other.phones.met(query, {KEY: code})
    assert other.stepper.at == here and room_of(other.phones).code == code
    assert (other.model.status.text == UI_ROOMS("class.stays", code=code)) == told
