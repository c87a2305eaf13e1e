"""The class's screen and who leads it: what is on it tells nothing before the answer, each order is done once."""

from __future__ import annotations
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from navalkit.core.awaited import finish
from navalkit.core.errors import OptionError
from navalkit.rooms.store import ORDERS
from navalkit.ui.rooms.panel import ROOM
from navalkit.ui.rooms.screen import (
    BLANK,
    BOARD,
    DOOR,
    GLANCE,
    LARGER,
    LEAST,
    MOST_ROWS,
    READY,
    SMALLEST,
    brief,
    legible,
    painted,
    part_of,
    planned,
    room_of,
    rows,
    spaced,
)
from navalkit.ui.rooms.walked import KEY, Class
from navalkit.view.page import Choice, Question, Result
from navalkit.view.scene import Text
from navalkit.walks import shows
from .test_panel import Made, made, seated, vote

__all__ = ["made"]


@pytest.fixture
def phones(made: Made) -> Class:
    """A class of three before the screen, its way in open."""
    page = made()
    page._project(True)
    return seated(page)


def seen(phones: Class) -> dict[str, Any]:
    return dict(phones.screen.view)


def test_a_class_comes_in_is_asked_and_is_told_by_one_key(phones: Class) -> None:
    room = phones.room
    assert room is not None and phones.screen.active
    phones.show()
    view = seen(phones)
    assert view["sees"] == DOOR and room.question is None  # phones wait as long as people come in
    assert view["in"]["code"] == spaced(room.code) and len(view["in"]["names"]) == 3
    assert not phones.screen.board  # nothing is drawn before it is asked
    phones.press_next()
    view = seen(phones)
    assert (view["sees"], view["phase"], view["come"]) == (BOARD, "open", [0, 3]) and room.question is not None
    assert {id for id, _ in view["cells"]} == {choice.id for choice in room.question.choices}
    right = phones.secret().right[0]
    vote(phones, right, *[each.id for each in room.question.choices if each.id != right][:1])
    phones.show()
    assert seen(phones)["come"] == [2, 3] and "rows" not in seen(phones)
    phones.press_next()
    view = seen(phones)
    assert view["phase"] == "shown" and room.result is not None and room.result.right == (right,)
    assert [row[0] for row in view["rows"]][0] == right and len(view["way"]) > 1
    assert view["strong"] == room.result.text and view["soft"]
    assert view["says"]["answers"] == ROOM("screen.says.answers")
    phones.press_next()  # the first line that explains is on the screen, and the answers stay beside it
    line = phones._stepper.lines[-1]
    assert (seen(phones)["head"], seen(phones)["strong"]) == (line.ask, line.text) and seen(phones)["rows"]
    assert seen(phones)["says"]["answers"] == room.question.text, "it is not the line that they answered"


def test_before_the_answer_screen_and_messages_are_the_same_whatever_it_is(made: Made) -> None:
    """What she has in mind is another: the question, the picture and every message are the same, letter by letter."""
    told = []
    for plan in (False, True):
        show = shows.position("on-patrol", "mode-6")
        if plan:
            ship = show.row[0].state.vessel(show.row[0].who)
            hunt = replace(ship.hunt, ring=1)
            other = replace(show.row[0], state=show.row[0].state.with_vessel(replace(ship, hunt=hunt)))
            show = replace(show, row=(other, *show.row[1:]))
        page = made(show=show)
        page._project(True)
        phones = seated(page)
        room = phones.room
        assert room is not None
        phones.press_next()
        vote(phones, room.question.choices[0].id if room.question else "")
        phones.show()
        view = {key: value for key, value in seen(phones).items() if key != "in"}
        sent = room.rooms.room(room.code).shown
        told.append((json.dumps(view), json.dumps(phones.screen.board), json.dumps(sent), phones.secret().right))
    assert told[0][:3] == told[1][:3]
    assert told[0][3] != told[1][3], "the two must differ in the answer, or nothing is shown by this"


def test_a_right_answer_nobody_chose_is_the_first_row_and_the_order_is_one_for_both_rounds() -> None:
    question = Question("own", "?", tuple(Choice(id, f"answer {id}") for id in "ABCDE"))
    result = Result(("E",), "")
    made = rows(question, result, {"B": 2, "A": 2, "D": 5}, {"C": 9, "D": 1})
    assert [(row[0], row[2], row[3], row[4]) for row in made] == [
        ("E", 0, 0, True), ("D", 5, 1, False), ("A", 2, 0, False), ("B", 2, 0, False), ("C", 0, 9, False)]  # fmt: skip
    many = Question("own", "?", tuple(Choice(str(n), str(n)) for n in range(30)))
    made = rows(many, Result(("7",), ""), {str(n): 1 for n in range(30)}, {})
    assert len(made) == MOST_ROWS and sum(row[2] for row in made) == 30 and made[0][0] == "7"


@pytest.mark.parametrize(("width", "height", "least"), [(1280, 800, 20), (1920, 1080, 28)])
def test_type_on_the_board_is_as_large_as_the_back_row_needs(made: Made, width: int, height: int, least: int) -> None:
    page = made()
    page._project(True)
    phones = seated(page)
    phones._sized(width, height)
    phones.press_next()
    sea = phones.sea()
    _, _, scale = room_of(width, height)
    assert sea is not None and sea.whole
    sizes = [each.size * scale for each in legible(sea.scene).shapes() if isinstance(each, Text)]
    assert sizes and min(sizes) >= least - 0.01
    assert scale * SMALLEST >= LEAST


SWITCHES = {"cards", "threats", "heat.ship", "heat.danger", "heat.value", "why"}
"""Cells of boards that change how they are looked at."""


@pytest.mark.parametrize(("width", "height", "larger"), [(1280, 800, 1.0), (1920, 1080, LARGER)])
@pytest.mark.parametrize("game", ["fleet-action", "task-force", "uss-lox", "wolf-pack"])
def test_every_games_board_is_legible_and_has_nothing_that_looks_as_if_it_could_be_pressed(
    made: Made, game: str, width: int, height: int, larger: float
) -> None:
    page = made(game, "?seed=1")
    page._project(True)
    phones, model = seated(page), page.stepper
    phones._sized(width, height)
    asked = [at for at in range(len(model.row)) if model.show.askable(at)]
    for at in (asked[0], asked[len(asked) // 2], asked[-1]):
        model.go(at)
        phones.press_next()
        sea = phones.sea()
        assert sea is not None and not {cell.id for cell in sea.scene.cells} & SWITCHES
        wide, high = part_of(width, height)
        scale = min(wide / sea.scene.width, high / sea.scene.height)
        drawn = re.findall(r'<text[^>]*font-size="([0-9.]+)"', painted(sea, "light", (width, height))["svg"])
        assert drawn and min(map(float, drawn)) * scale >= LEAST * larger - 0.1
        inside = [each for each in legible(sea.scene).shapes() if isinstance(each, Text)]
        assert all(0 <= each.x <= sea.scene.width and 0 <= each.y <= sea.scene.height for each in inside)
        phones.press_next()


def test_after_a_restart_the_board_shows_what_the_line_is_about(made: Made) -> None:
    """The same question, the same line, the same picture."""
    boards = []
    query = "?scenario=night-convoy&seed=2"
    first = made(query=query)
    first._project(True)
    phones = seated(first)
    first.stepper.go(30)
    phones.press_next()
    assert phones.room is not None and phones.room.question is not None
    vote(phones, phones.room.question.choices[0].id)
    for _ in range(2):
        phones.press_next()
    boards.append((phones.screen.board["svg"], phones.screen.view["strong"]))
    second = made(query=query)
    second._project(True)
    second.phones.start(phones.room.code)
    second.phones.show()
    boards.append((second.phones.screen.board["svg"], second.phones.screen.view["strong"]))
    assert second.stepper.lit == first.stepper.lit == 0
    assert boards[0] == boards[1]


def test_a_place_that_takes_long_to_find_asks_nothing_else_meanwhile(made: Made) -> None:
    """The question that is open goes on, with its answers; an order that comes too early waits."""
    query = "?scenario=night-convoy&seed=2"
    first = made(query=query)
    first._project(True)
    phones = seated(first)
    first.stepper.go(30)
    phones.press_next()
    room = phones.room
    assert room is not None and room.question is not None
    vote(phones, room.question.choices[0].id, room.question.choices[1].id)
    link = room.rooms.room(room.code).kept["link"]
    second = made()  # with what its page opens with
    held: list[Any] = []
    soon = second.stepper.soon
    second.stepper.soon = lambda slot, steps, show: held.append((slot, steps, show))
    second._project(True)
    second.phones.start(room.code)
    again = second.phones.room
    assert again is not None and again.question == replace(room.question, board=None) and held
    second.phones.show()
    assert all(each.disabled for each in (*second.phones.asks.values(), second.phones.put, second.phones.tell))
    assert second.phones.screen.view["sees"] == BLANK and again.rooms.room(room.code).kept["link"] == link
    again.rooms.pair(room.code, again.rooms.ticket(room.code))
    again.rooms.order(room.code, "1", "reveal")
    second.phones._come_news()
    assert again.rooms.room(room.code).shown["phase"] == "open"
    second.stepper.soon = soon
    for slot, steps, show in held:
        soon(slot, steps, show)
    assert again.round == 1 and sum(again.votes().values()) == 2 and again.open
    assert second.phones.screen.view["come"] == [2, 3]
    second.phones._come_news()
    assert again.shown and again.round == 1


def test_what_is_tinted_keeps_clear_of_the_column_and_of_the_foot(phones: Class) -> None:
    phones.press_next()
    width, height, scale = room_of(1280, 800)
    corners = [tuple(map(float, each.split(","))) for _, points in seen(phones)["cells"] for each in points.split()]
    assert max(x for x, _ in corners) <= width - 380 / scale and max(y for _, y in corners) <= height - 110 / scale


def test_asked_again_the_first_votes_are_kept_and_the_flow_is_told(phones: Class) -> None:
    room = phones.room
    assert room is not None
    phones.press_next()
    assert room.question is not None
    right = phones.secret().right[0]
    one, other = [each.id for each in room.question.choices if each.id != right][:2]
    vote(phones, one, one, right)
    phones.press("again")
    assert room.round == 2 and room.open and not room.votes()
    assert room.rooms.room(room.code).shown["ask"]["again"] is True
    assert "rows" not in seen(phones), "what was answered first tells nothing yet"
    vote(phones, right, other, right)
    phones.press_next()
    view = seen(phones)
    assert view["twice"] and {row[0]: (row[3], row[2]) for row in view["rows"]} == {
        right: (1, 2), one: (2, 0), other: (0, 1)}  # fmt: skip
    assert room.poll is not None and len(view["flows"]) == 2
    assert room.poll.flow() == Counter({(one, right): 1, (one, other): 1, (right, right): 1})
    phones.press("again")  # and once more, after the answer was shown
    assert room.round == 3 and room.open and phones._stepper.asked
    first, second, third = room.report()
    assert (first.again, second.again, third.again) == (0, 1, 2) and first.place and first.place == second.place
    assert first.answers == {1: one, 2: one, 3: right}


def test_an_order_for_a_step_that_is_past_is_left_undone(phones: Class) -> None:
    room = phones.room
    assert room is not None
    room.rooms.ticket(room.code)
    stand = phones.stand
    for id in "ab":  # pressed twice while the kernel was busy
        room.rooms.order(room.code, id, "next", stand=stand)
    phones._come_news()
    assert phones.sees == BOARD and room.open and room.result is None
    phones._come_news()
    assert room.open, "an order is carried out once"


def test_an_order_waits_until_what_the_page_opens_with_is_there(made: Made) -> None:
    page = made("on-patrol", "?position=mode-3")
    page._project(True)
    phones = seated(page)
    room, stepper = phones.room, page.stepper
    assert room is not None
    stepper.opening, stand = True, phones.stand
    room.rooms.ticket(room.code)
    room.rooms.order(room.code, "early", "next", stand=stand)
    phones._come_news()
    assert phones.sees == DOOR and not phones.asking
    stepper.go(0)  # the place that was looked for is found; the class, at its way in, stands where it stood
    stepper.opening = False
    assert phones.stand == stand
    phones._come_news()
    assert phones.sees == BOARD and phones.asking

    def lost() -> Iterator[float]:
        raise OptionError("there is none")
        yield 0.0

    with pytest.raises(OptionError):
        stepper._find(lost(), lambda what: None)
    assert not stepper.opening, "nothing waits for what is not there"


def test_every_order_is_known(phones: Class) -> None:
    room = phones.room
    assert room is not None
    phones.press_next()
    about = {"see": "board", "lock": "1", "remove": "2", "plan": "20", "ask": "which"}
    for word in ("close", "see", "lock", "remove", "plan", "reveal", "next", "back", "ask", "again", "report"):
        what = about.get(word, "")
        assert word in ORDERS
        phones.press(word, what)
    assert phones.locked.value and room.joined == 2 and phones.minutes == 20
    with pytest.raises(KeyError):
        phones.press("no such order")
    phones.look("somewhere")
    assert phones.sees == BOARD
    phones.press("see", "blank")
    assert seen(phones)["sees"] == BLANK and not phones.screen.board and "head" not in seen(phones)
    phones.press("end")
    assert phones.room is None and not phones.screen.active
    phones.press("next")  # of nothing, nothing comes


def test_a_report_that_was_asked_for_at_an_earlier_step_is_made_all_the_same(phones: Class) -> None:
    room = phones.room
    assert room is not None and not room.report_owed
    phones.press_next()
    stood = phones.stand
    phones.press("next", stand="an earlier one")
    assert phones.stand == stood and not room.report_owed
    phones.press("report", stand="an earlier one")
    assert room.report_owed


def test_only_a_leader_has_a_desk_and_it_alone_tells_the_answer(phones: Class) -> None:
    room = phones.room
    assert room is not None
    phones.press_next()
    assert room.rooms.desk(room.code) == (0, "{}")
    room.rooms.pair(room.code, room.rooms.ticket(room.code))
    phones.show()
    desk = json.loads(room.rooms.desk(room.code)[1])
    right = phones.secret().right[0]
    assert desk["answer"] == right and desk["waiting"] == 3 and desk["next"][0] == "reveal"
    assert [line[2] for line in desk["lines"]] == [False] * len(phones._stepper.truth)
    assert room.rooms.board(room.code, desk["board"])  # the small copy of the projector
    assert seen(phones)["led"] and "answer" not in seen(phones)
    shown = json.dumps(room.rooms.room(room.code).shown)
    assert desk["lines"][-1][1] not in shown
    vote(phones, right)
    phones.show()
    assert json.loads(room.rooms.desk(room.code)[1])["waiting"] == 2
    assert [json.loads(room.rooms.desk(room.code)[1])[key] for key in ("asking", "open")] == [True, True]
    phones.press("close")
    assert [json.loads(room.rooms.desk(room.code)[1])[key] for key in ("asking", "open")] == [True, False]
    assert seen(phones)["soft"] == ROOM("screen.closed") and seen(phones)["phase"] == "closed"


def test_a_phone_is_paired_before_the_class_comes_in_and_never_on_the_projector(made: Made) -> None:
    page = made()
    phones = page.phones
    phones.prepare()
    room = phones.room
    assert room is not None and phones.sees == READY and phones._ticket
    phones.show()
    assert phones._ticket in phones.text.value
    assert room.code not in phones.text.value.replace(f"room/{room.code}/lead", "")
    page._project(True)
    assert seen(phones)["sees"] == BLANK and phones._ticket not in json.dumps([seen(phones), phones.screen.board])
    room.rooms.pair(room.code, ticket := phones._ticket)
    phones.press_next()
    assert phones.sees == DOOR and ticket not in phones.text.value


def test_the_lead_of_a_class_that_stands_is_offered_again_by_a_picture_only_before_it_comes_in(made: Made) -> None:
    def offers() -> tuple[bool, bool, bool, bool]:
        """The button before the way in is open, the later one, a link, a picture beside it."""
        text = phones.text.value + phones._second.value
        return (phones.lead.layout.display != "none", phones.lead_here.layout.display != "none",
                bool(phones._ticket) and f"#{phones._ticket}" in text, ROOM("lead.picture") in text)

    page = made()
    phones = page.phones
    phones.prepare()
    room = phones.room
    assert room is not None
    phones.show()
    assert offers() == (False, False, True, True)
    first = room.rooms.pair(room.code, phones._ticket)
    phones.show()
    assert offers() == (True, False, False, False) and ROOM("lead.done") in phones.text.value
    phones.lead.click()  # the device is lost, or its browser has forgotten it
    assert offers() == (False, False, True, True) and room.rooms.leads(room.code, first)
    second = room.rooms.pair(room.code, phones._ticket)
    assert not room.rooms.leads(room.code, first) and room.rooms.leads(room.code, second)
    phones.press_next()
    for _ in range(2):  # at the way in, and at the board
        assert offers() == (False, True, False, False)
        phones.lead_here.click()
        assert offers() == (False, True, True, False)
        page._project(True)
        assert phones._ticket not in json.dumps([seen(phones), phones.screen.board])
        page._project(False)
        assert offers() == (False, True, True, False)
        room.rooms.pair(room.code, phones._ticket)
        phones.press_next()
    again = made()
    again.phones.start(room.code)  # no page that takes the class up knows its ticket
    again.phones.show()
    assert again.phones._ticket == "" and "/lead#" not in again.phones.text.value


def test_a_kernel_that_dies_while_a_question_is_open_goes_on_with_it(made: Made) -> None:
    first = made()
    first._project(True)
    phones = seated(first)
    room = phones.room
    assert room is not None
    phones.press_next()
    assert room.question is not None
    vote(phones, *(each.id for each in room.question.choices[:2]))
    second = made()
    second.phones.met("", {KEY: room.code})
    again = second.phones.room
    assert again is not None and again.round == 1 and again.open and len(again.answers()) == 2
    assert second.phones.sees == BOARD and second.stepper.at == first.stepper.at and second.stepper.asked
    second.phones.press_next()
    third = made()
    third.phones.met("", {KEY: room.code})
    taken = third.phones.room
    assert taken is not None and taken.round == 1 and taken.result is not None and again.result is not None
    assert taken.result.right == again.result.right


def test_a_hunt_whose_page_is_plain_asks_before_anything_is_drawn(made: Made) -> None:
    page = made("on-patrol", "?position=mode-3")
    page._project(True)
    assert page.stepper.told is None  # as a teacher sees it
    phones = seated(page)
    assert page.stepper.asked and not page.stepper.lines and not page.stepper.shown_layers
    phones.press_next()
    assert seen(phones)["phase"] == "open"


def test_the_plan_of_a_lesson_fills_its_minutes(made: Made) -> None:
    parts = [("a", 2.0), ("b", 3.0), ("c", 5.0)]
    for minutes in (20, 45, 90):
        plan = planned(parts, 1, minutes)
        assert plan[-1][1] == minutes and [each[2] for each in plan] == [False, True, False]
    assert planned([], 0, 45) == []
    page = made("on-patrol", "?scenario=night-convoy&seed=2")
    phones, model = seated(page), page.stepper
    parts_, at = phones.ahead()
    assert parts_ and at < len(parts_)
    keyed = [at for at, moment in enumerate(model.row) if moment.keys]
    model.go(keyed[3] + 1)  # a class that begins within a hunt has all its minutes for what is to come
    phones.press_next()
    parts_, at = phones.ahead()
    assert (len(parts_), at) == (len(keyed[3:][:12]), 0)
    model.go(keyed[5])
    assert phones.ahead() == (parts_, 2)


def test_nothing_can_be_asked_again_before_anything_was_asked(phones: Class) -> None:
    with pytest.raises(OptionError) as nothing:
        phones.press("again")
    assert str(nothing.value) == ROOM("class.nothing")


def test_a_class_of_another_game_has_its_answers_as_a_list(made: Made) -> None:
    page = made("wolf-pack", "?seed=1")
    page._project(True)
    phones, model = seated(page), page.stepper
    model.go(next(at for at in range(len(model.row)) if model.show.askable(at)))
    phones.press_next()
    view, room = seen(phones), phones.room
    assert room is not None and room.question is not None
    assert [each[0] for each in view["listed"]] == [choice.id for choice in room.question.choices]
    vote(phones, room.question.choices[0].id)
    phones.press_next()
    assert seen(phones)["phase"] == "shown" and seen(phones)["rows"][0][4]


def test_a_class_reads_what_its_teacher_wrote_of_a_stop_and_what_the_tour_is_called(made: Made) -> None:
    page = made()
    page.stepper.take(replace(shows.find("on-patrol", "night-convoy"), title="Our convoy"), 0)
    page._project(True)
    phones = seated(page)
    stop = page.stepper.here
    assert stop is not None and phones.title == "Our convoy"
    phones.press_next()
    if stop.predict:
        assert seen(phones)["head"] != stop.title, "what is asked is what stands there"
    else:
        assert seen(phones)["head"] == stop.title


def test_at_the_end_of_a_match_a_class_reads_how_it_ended(made: Made) -> None:
    page, tour = made(), shows.find("on-patrol", "night-convoy")
    page._project(True)
    phones, stepper = seated(page), page.stepper
    phones.press_next()
    stepper.take(tour, len(tour.stops) - 2)
    while not stepper.over:
        phones.press_next()
    ending, view = stepper.walk.ending(stepper.show.game, stepper.row), seen(phones)
    assert ending is not None and (view["head"], view["strong"]) == (tour.stops[-1].title, ending.head)
    assert all(line in view["soft"] for line in ending.lines)


@pytest.mark.parametrize("own", [True, False])
def test_a_stop_of_one_s_own_tour_says_its_title_where_it_asks(made: Made, own: bool) -> None:
    """The house's titles may tell what comes of it."""
    page = made()
    stop = shows.Stop("position=mode-3", "Look at her bow first.", "for the teacher alone", predict=True)
    tour = replace(shows.find("on-patrol", "night-convoy"), id="" if own else "night-convoy", stops=(stop,))
    page.stepper.take(tour, 0)
    page._project(True)
    phones = seated(page)
    phones.press_next()
    room = phones.room
    assert room is not None and room.question is not None and phones.asking
    assert seen(phones)["head"] == room.question.text and seen(phones)["strong"] == (stop.title if own else "")
    phones.press_next()
    assert room.result is not None and seen(phones)["strong"] == room.result.text
    assert stop.note not in str(seen(phones))


@pytest.mark.parametrize("mode", range(1, 7))
def test_the_part_of_a_rule_that_is_shown_holds_the_row_that_decides(mode: int) -> None:
    show = shows.position("on-patrol", f"mode-{mode}")
    for moment in (moment for moment in show.row if moment.who):
        told = finish(show.walk.deciding(show.game, moment, moment.who))
        lines = [line.text for line in told.lines if line.rule == "104.2.1"]
        for n in range(1, len(lines) + 1):  # "3 hexes" is no row of the table
            text = brief(show.game.rules()["104.2.1"].text, " ".join(lines[:n]))
            assert re.search(rf"\b{told.decision.mode}: ", text) and len(text) < 2 * GLANCE
