"""Who leads a class looks back: what it was told there is to be seen again, and nothing is asked or counted twice."""

from __future__ import annotations
from typing import Any

import pytest

from navalkit.core.errors import OptionError
from navalkit.games.on_patrol.walk import attack_comes
from navalkit.testing import refused
from navalkit.ui.rooms.lesson import LessonPage
from navalkit.ui.rooms.screen import BOARD
from navalkit.ui.rooms.walked import Class
from navalkit.ui.step.page import StepPage
from navalkit.walks import shows
from navalkit.walks.stepper import EXPLAIN
from ...sentences import UI_ROOMS
from .test_class_faults import press, room_of
from .test_lesson_app import page
from .test_panel import Made, made, seated, vote
from .test_taken_up import ASKS, HUNT, back, class_of, elsewhere, reloaded, stands, taken_back

__all__ = ["made", "page"]


def seen(phones: Class) -> tuple[Any, ...]:
    """What the class sees of a question that was told."""
    phones.show()
    view = phones.screen.view
    return view["phase"], view.get("rows"), view.get("flows"), [id for id, _ in view.get("cells", ())], view.get("way")


def asked_twice(made: Made) -> StepPage:
    """A class that was told one decision, and has one answer to the next."""
    page = class_of(made(query=HUNT), 0)
    phones, room = page.phones, room_of(page.phones)
    page.stepper.forward()
    assert room.question is not None
    vote(phones, *[each.id for each in room.question.choices][:3])
    press(phones)
    while room.round < 2:
        press(phones)
    vote(phones, room.question.choices[1].id)
    return page


@pytest.mark.parametrize("how", [lambda _, page: page, elsewhere, taken_back])
def test_a_question_that_is_open_goes_on_when_one_has_looked_back(made: Made, how: Any) -> None:
    page = asked_twice(made)
    later = page.stepper.at
    phones = page.phones
    press(phones, "back")
    told = seen(phones)
    assert phones.desk(phones.view(), {})["say"] == UI_ROOMS("say.waits", n=1)
    assert told[0] == "shown" and sum(row[2] for row in told[1]) == 3 and len(told[3]) > 3 and len(told[4]) > 1
    page = how(made, page)
    phones, stepper, room = page.phones, page.stepper, room_of(page.phones)
    assert seen(phones)[:4] == told[:4]
    assert not room.open and stepper.at < later  # nobody answers what is not to be seen
    while stepper.at < later:
        before = phones.stand
        press(phones)
        assert phones.stand != before, "a press did nothing"
    phones.show()
    assert (room.round, len(room.report()), sum(room.votes().values())) == (2, 2, 1)
    assert room.open and phones.screen.view["phase"] == "open" and stepper.asking.question is room.question
    press(phones)
    assert room.result is not None and seen(phones)[0] == "shown"


def test_what_was_closed_before_one_looked_back_stays_closed(made: Made) -> None:
    phones = asked_twice(made).phones
    press(phones, "close")
    press(phones, "back")
    while phones._stepper.told:
        press(phones)
        if room_of(phones).question is phones._stepper.asking.question:
            break
    assert room_of(phones).stage == "closed" and room_of(phones).round == 2
    press(phones)
    assert room_of(phones).result is not None


def test_a_question_closed_by_hand_stays_so_though_one_had_looked_back_before(made: Made) -> None:
    phones = asked_twice(made).phones
    for _ in range(2):
        press(phones, "back")
        while not phones.waits:
            press(phones)
        phones.press("close")
    assert room_of(phones).stage == "closed" and room_of(phones).round == 2


@pytest.mark.parametrize("how", [lambda _, page: page, elsewhere, taken_back])
@pytest.mark.parametrize("kind", ["which", "wager", "own"])
def test_a_second_question_of_a_moment_goes_on_too(made: Made, kind: str, how: Any) -> None:
    """The first one, that was told, is not asked again."""
    page = class_of(made(query=HUNT), 0)
    page.stepper.go(27)
    assert room_of(page.phones).round == 1
    press(page.phones)
    ASKS[kind](page)
    question = room_of(page.phones).question
    assert question is not None and room_of(page.phones).round == 2
    vote(page.phones, question.choices[0].id)
    press(page.phones, "back")
    assert page.stepper.at < 27 and (kind == "own" or not room_of(page.phones).open)
    page = how(made, page)
    phones, stepper, room = page.phones, page.stepper, room_of(page.phones)
    while stepper.at < 27:
        press(phones)
    phones.show()
    assert room.question is not None and (room.question.text, room.round) == (question.text, 2)
    assert room.open and sum(room.votes().values()) == 1 and phones.screen.view["phase"] == "open"
    press(phones)
    assert room.result is not None and phones.screen.view["phase"] == "shown"


def toured(made: Made) -> StepPage:
    """A class on a tour of two starts, which it was told both."""
    page = made()
    tour = shows.draft("on-patrol")
    for query in ("position=the-attack", "position=mode-6"):
        tour = tour.with_stop(shows.Stop(query, query, "", 5, predict=True))
    page._project(True)
    seated(page)
    page.phones.sees = BOARD
    page.stepper.take(tour)
    room = room_of(page.phones)
    for number in (1, 2):
        assert room.round == number and room.question is not None
        vote(page.phones, *[each.id for each in room.question.choices][:number])
        press(page.phones)
        while page.stepper.stop < number and not page.stepper.at_end:
            press(page.phones)
    return page


@pytest.mark.parametrize("how", [lambda _, page: page, elsewhere, taken_back])
def test_stops_of_a_tour_are_not_asked_again_where_one_goes_back_and_on(made: Made, how: Any) -> None:
    page = toured(made)
    second, room = seen(page.phones), room_of(page.phones)
    while page.stepper.stop:
        press(page.phones, "back")
    first = seen(page.phones)
    assert first[0] == "shown" and sum(row[2] for row in first[1]) == 1 and first[3:] != second[3:]
    assert page.phones.stand != "" and room.round == 2
    here = stands(page)
    page = how(made, page)
    assert stands(page) == here and seen(page.phones) == first
    room = room_of(page.phones)
    while page.stepper.stop == 0:
        press(page.phones)
    assert seen(page.phones)[:4] == second[:4] and room.round == len(room.report()) == 2
    page.stepper.take(page.stepper.tour)  # anew, as of another class's turn
    assert room.round == 3 and room.open


def test_a_console_offers_what_can_be_asked_at_the_moment(made: Made) -> None:
    page = class_of(made(query=HUNT), 0)
    offered = []
    for at in range(len(page.stepper.row)):
        page.stepper.at = at
        kinds = [kind for kind, _ in page.phones.kinds()]
        comes = attack_comes(page.stepper.row, at) is not None
        decides = bool(page.stepper.moment.who)
        assert kinds == ["where", "which"] * decides + ["hit"] * comes
        offered.append((comes, decides))
    assert {comes for comes, _ in offered} == {decides for _, decides in offered} == {True, False}


# -- A lesson of phones alone

def of_lesson(page: LessonPage) -> tuple[Any, ...]:
    """What the class's screen and the page show of the present question."""
    page.refresh()
    view = page.phones.view()
    return (page.model.now.id, view["phase"], view.get("rows"), view.get("come"), view["head"],
            "nk-lesson-told" in page.question.value)


def exercises(page: LessonPage) -> LessonPage:
    """A class that was told cards.1, and has two answers to cards.2."""
    page._project(True)
    page.phones.sees = BOARD
    page.phones._go(1)
    for _ in range(2):
        press(page.phones) if page.phones.poll is not None else page.phones._ask()
        votes = [each.id for each in page.model.now.options][:2]
        for seat, id in enumerate(votes, 1):
            room_of(page.phones).rooms.answer(room_of(page.phones).code, room_of(page.phones).round, seat, id)
        if page.model.now.id == "cards.1":
            press(page.phones)
    return page


@pytest.mark.parametrize("how", [lambda page: page, reloaded, back])
def test_a_lesson_looks_back_and_goes_on_with_the_question_that_is_open(page: LessonPage, how: Any) -> None:
    exercises(page)
    asked = of_lesson(page)
    assert asked[:2] == ("cards.2", "open") and asked[3][0] == 2
    press(page.phones, "back")
    told = of_lesson(page)
    assert told[:2] == ("cards.1", "shown") and sum(row[2] for row in told[2]) == 2 and told[5]
    page = how(page)
    page._project(True)
    phones, room = page.phones, room_of(page.phones)
    assert of_lesson(page) == told and room.stage == "closed" and not phones.waits
    with pytest.raises(OptionError):
        phones._tell()
    press(phones)
    assert of_lesson(page) == asked and (room.round, len(room.report())) == (2, 2)
    press(phones)
    assert of_lesson(page)[1] == "shown" and sum(room.votes().values()) == 2
    press(phones, "back")
    assert of_lesson(page) == told and room.question is None
    press(phones)
    assert of_lesson(page)[:2] == ("cards.2", "shown") and room.round == 2
    press(phones)
    assert of_lesson(page)[:2] == ("cards.3", "open") and room.round == 3


def test_a_question_with_other_numbers_is_another_and_those_that_share_them_have_them_too(page: LessonPage) -> None:
    exercises(page)
    press(page.phones, "back")
    page.phones._renew()
    ship = page.model.now.text.split(" is before you")[0].rsplit("\n", 1)[-1]
    assert of_lesson(page)[1] == "free", "with these numbers it was not asked"
    other = page.model.asked[page.model.at + 1]
    assert other.id == "cards.2" and ship.casefold() in other.text.casefold()
    kept = reloaded(page)
    assert [each.text for each in kept.model.asked] == [each.text for each in page.model.asked]


def test_a_lesson_that_is_chosen_again_keeps_the_numbers_its_class_was_told(page: LessonPage) -> None:
    exercises(page)
    press(page.phones)
    press(page.phones, "back")
    page.phones._renew()
    page.phones._ask()
    press(page.phones)
    texts = [each.text for each in page.model.asked]
    page._chosen("unseen")
    assert page.model.lesson == "unseen"
    page._chosen("cards")
    assert [each.text for each in page.model.asked] == texts
    page.phones._go(1)
    assert of_lesson(page)[1] == "shown" and reloaded(page).model.asked[1].text == texts[1]


def test_another_lesson_is_looked_at_and_the_question_that_is_open_goes_on(page: LessonPage) -> None:
    exercises(page)
    asked = of_lesson(page)
    page._chosen("unseen")
    room = room_of(page.phones)
    assert of_lesson(page)[1] == "free" and room.stage == "closed" and not page.phones.waits
    page._chosen("cards")
    while page.model.now.id != asked[0]:
        page.phones._go(1)
    assert of_lesson(page) == asked and room.round == 2 and room.open


def test_after_the_last_question_of_a_lesson_that_is_said(page: LessonPage) -> None:
    exercises(page)
    page.phones._go(len(page.model.asked))
    page.phones._ask()
    press(page.phones)
    with refused(OptionError, UI_ROOMS, "lesson.over"):
        page.phones.press_next()


def test_behind_the_way_in_nothing_steps_back(made: Made) -> None:
    page = class_of(made(query=HUNT), 27)
    page.phones.look("door")
    at = page.stepper.at
    page.phones.press("back")
    assert page.stepper.at == at and page.phones.sees == "door"


@pytest.mark.parametrize("kind", ["wager", "own"])
def test_a_question_put_before_that_of_its_moment_goes_on_and_that_one_comes_after_it(made: Made, kind: str) -> None:
    page = class_of(made(query=HUNT), 27)
    phones, room = page.phones, room_of(page.phones)
    ASKS[kind](page)
    assert (room.round, page.stepper.asked) == (2, True)
    vote(phones, "B")
    question = room.question
    press(phones, "back")
    assert page.stepper.at < 27 and room.round == 2
    while page.stepper.at < 27:
        press(phones)
    assert (room.round, room.question, room.open) == (2, question, True)
    press(phones)
    assert room.result is not None
    press(phones)
    assert room.round == 3 and room.open and room.question is not None and room.question.kind == "where"


def test_what_lies_before_the_question_asked_last_is_asked_if_one_presses_for_it(made: Made) -> None:
    page = class_of(made(query=HUNT), 27)
    phones, room = page.phones, room_of(page.phones)
    press(phones)
    while page.stepper.at == 27:
        press(phones, "back")
    assert (room.round, page.stepper.asked) == (1, False)
    phones.predict("where")
    assert (room.round, page.stepper.asked, room.open) == (2, True, True)
    page.stepper.open_query(HUNT + "&step=12")  # anew
    assert room.round == 3 and room.open


@pytest.mark.parametrize("how", [elsewhere, taken_back])
def test_a_page_loaded_again_beside_a_stop_is_on_its_tour_still(made: Made, how: Any) -> None:
    page = class_of(made(query=HUNT), 0)
    stepper, phones = page.stepper, page.phones
    stepper.take(shows.find("on-patrol", "night-convoy"), 3)
    room = room_of(phones)
    vote(phones, *[each.id for each in (room.question.choices if room.question else ())][:2])
    stepper.go(stepper.at - 1)  # by the page's track
    phones.show()
    before, round = (stepper.at, stepper.stop, phones.ahead(), phones.stand), room.round
    assert stepper.tour is not None and not stepper.at_stop
    page = how(made, page)
    stepper, phones, room = page.stepper, page.phones, room_of(page.phones)
    assert stepper.tour is not None and (stepper.at, stepper.stop, phones.ahead(), phones.stand) == before
    while not phones.waits:
        press(phones)
    assert room.round == round and room.open and sum(room.votes().values()) == 2


def test_a_bet_where_nobody_decides_is_not_passed_by(made: Made) -> None:
    page = class_of(made(query=HUNT), 31)
    page.stepper.use(EXPLAIN)
    page.phones.wager("hit")
    vote(page.phones, "hit")
    press(page.phones, "back")
    assert page.stepper.at < 31
    while page.stepper.at < 31:
        press(page.phones)
    page.phones.show()
    assert page.stepper.at == 31 and room_of(page.phones).open and page.phones.waits


def test_a_step_beyond_the_end_says_that_there_is_none(made: Made) -> None:
    page = class_of(made(query=HUNT), 0)
    page.stepper.use(EXPLAIN)
    page.stepper.last()
    with refused(OptionError, UI_ROOMS, "class.over"):
        page.phones.press_next()


def test_a_new_class_on_a_page_is_asked_what_another_was(made: Made) -> None:
    page = class_of(made(query=HUNT), 27)
    press(page.phones)
    assert page.stepper.guess is not None
    page.phones._end()
    page.stepper.go(12)
    seated(page)
    press(page.phones)  # the board in the place of the way in
    assert room_of(page.phones).open and page.stepper.at == 12
    page.stepper.go(27)
    assert room_of(page.phones).open and room_of(page.phones).round == 2


@pytest.mark.parametrize("how", [lambda _, page: page, elsewhere, taken_back])
@pytest.mark.parametrize("kind", ["wager", "own"])
def test_a_question_put_among_the_reasons_is_seen_until_one_goes_on(made: Made, kind: str, how: Any) -> None:
    page = class_of(made(query=HUNT), 27)
    for _ in range(3):
        press(page.phones)
    reason = page.phones.view()["head"]
    told = page.stepper.told
    assert told == 2
    ASKS[kind](page)
    page = how(made, page)
    phones, room = page.phones, room_of(page.phones)
    assert room.question is not None
    phones.show()
    view = phones.view()
    assert (view["phase"], view["head"], page.stepper.told) == ("open", room.question.text, told)
    vote(phones, room.question.choices[0].id)
    press(phones)
    answer = phones.view()["head"]
    assert room.result is not None and answer != reason and page.stepper.told == told
    press(phones)
    assert page.stepper.told == told + 1 and phones.view()["head"] not in (reason, answer)
    press(phones, "back")
    assert page.stepper.told == told and phones.view()["head"] == answer


def test_a_moment_that_is_asked_again_is_told_from_its_answer_on(made: Made) -> None:
    page = class_of(made(query=HUNT), 27)
    for _ in range(3):
        press(page.phones)
    assert page.stepper.told == 2
    page.phones.predict("where")
    room = room_of(page.phones)
    assert room.open and not page.stepper.told
    press(page.phones)
    assert room.result is not None and not page.stepper.told and page.phones.view()["phase"] == "shown"
    press(page.phones)
    assert page.stepper.told == 1


def test_a_question_asked_anew_after_another_one_stands_beside_what_was_thought_before(made: Made) -> None:
    page = class_of(made(query=HUNT), 27)
    phones, room = page.phones, room_of(page.phones)
    vote(phones, *[each.id for each in (room.question.choices if room.question else ())][:3])
    press(phones)
    ASKS["wager"](page)
    press(phones)
    phones.put_now("where")
    assert room.round == 3 and room.report()[-1].again == 1
    vote(phones, *[each.id for each in (room.question.choices if room.question else ())][1:4])
    press(phones)
    assert phones.view()["twice"] and phones.view()["flows"]
