"""A class before the explorer goes on from its file, and is told what it was asked, whatever its page stands at."""

from __future__ import annotations
import json
import sqlite3
from dataclasses import replace

import pytest

from navalkit import explore
from navalkit.explore import QUESTIONS, ask, picture
from navalkit.rooms.classroom import HeldError
from navalkit.testing import said
from navalkit.ui.explore.app import ANSWER
from navalkit.ui.explore.guesses import HIDE, KEY, KIND, SHOW
from navalkit.ui.rooms.screen import BOARD
from navalkit.ui.widgets import is_shown
from navalkit.view.painters import svg
from ...sentences import EXPLORE, UI, UI_ROOMS
from ..rooms.test_class_faults import full
from .test_app import Page
from .test_lectern import page

__all__ = ["page"]


def slide(page, guns):
    page.app.lectern._handle_custom_msg({"event": "slide", "name": "guns", "index": guns}, [])


def sit(room, *guesses):
    for guess in guesses:
        _, seat = room.rooms.sit(room.code)
        room.rooms.answer(room.code, room.round, seat.number, guess)


def told(page, guns, *guesses):
    """Asked at that many guns, guessed, and revealed."""
    slide(page, guns)
    page.press("nk-key-button-guess")
    sit(page.app.guesses.room, *guesses)
    page.press("nk-key-button-reveal")
    return page.app.guesses.room


def stands(page):
    app = page.app
    return (app.model.link(), app.lectern.told["big"], app.lectern.told["sub"], app.lectern.guesses, app.guesses.stand,
            app.guesses.locks(), app.guesses.view().get("phase"))


def percent(guns):
    return ask.amount(explore.answer("fleet-salvo", guns=guns).value, "")


def order(page, word):
    guesses = page.app.guesses
    guesses._model.guard(guesses.press)(word, "", guesses.stand)


def elsewhere(page):
    """Another tab, or another kernel."""
    return Page("?q=fleet-salvo&class=1", stored={KEY: page.app.guesses.room.code})


def taken_back(page):
    elsewhere(page).app.guesses.room.rooms.close()
    page.app.guesses._come_news()
    assert page.app.guesses.lost
    page.app.guesses.take_back()
    return page


@pytest.mark.parametrize("way", ["moved", "elsewhere", "taken back"])
def test_asking_again_asks_the_same_and_tells_what_is_true_of_it(page, way):
    room = told(page, 11, "10", "30")
    question = room.question
    if way == "elsewhere":
        page = elsewhere(page)
        room = page.app.guesses.room
    elif way == "taken back":
        page = taken_back(page)
        room = page.app.guesses.room
    slide(page, 2)
    assert page.app.guesses.guessing is None and page.app.lectern.told["big"] == "?" and percent(2) != percent(11)
    order(page, "again")
    app = page.app
    assert app.model.settings["guns"] == 11 and app.guesses.locks() and room.question.key == question.key
    assert app.lectern.told["big"] == "?" and not app.lectern.guesses
    assert room.poll is not None and len(room.poll.before) == 2 and room.rooms.room(room.code).shown["ask"]["again"]
    slide(page, 2)
    assert app.model.settings["guns"] == 11
    order(page, "reveal")
    assert room.rooms.room(room.code).shown["ask"]["more"] == question.more
    said(room.result.text, EXPLORE, "guess.none", value=percent(11))
    room.rooms.close()


def test_what_is_told_is_what_was_asked_whatever_the_page_stands_at(page):
    slide(page, 11)
    page.press("nk-key-button-guess")
    page.app.model.settings["guns"] = 2
    page.press("nk-key-button-reveal")
    assert page.app.model.settings["guns"] == 11
    said(page.app.guesses.room.result.text, EXPLORE, "guess.none", value=percent(11))


def test_nothing_turns_to_other_settings_while_a_class_guesses(page):
    page.press("nk-key-button-pin")
    slide(page, 11)
    page.press("nk-key-button-guess")
    app, before = page.app, page.app.model.link()
    for call in (app.legend.children[0].click, lambda: page.press("nk-key-button-reset"),
                 lambda: app._game(QUESTIONS["lox-sink"].game), lambda: app._chosen("lox-sink")):
        app.model.guard(call)()
        assert app.model.link() == before and app.guesses.guessing is not None
        said(app.message.value, EXPLORE, "guess.locked")


@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.parametrize("how", [elsewhere, taken_back])
def test_a_page_stands_where_its_class_was_with_what_it_guessed(page, how, moved):
    room = told(page, 11, "10", "30", "50")
    if moved:
        slide(page, 3)
    before, rev = stands(page), room.rooms.rev(room.code)
    assert bool(page.app.lectern.guesses) != moved
    other = how(page)
    assert stands(other) == before
    taken = other.app.guesses.room
    assert taken.rooms.rev(taken.code) == rev, "phones were told of it"
    slide(other, 11)
    assert other.app.lectern.guesses.count("<circle") == 3
    taken.rooms.close()


def test_a_full_disk_leaves_the_class_at_what_it_was_told(page):
    told(page, 11, "90", "95")
    slide(page, 2)
    app, before = page.app, stands(page)
    with full(app.guesses):
        for key in ("guess", "again"):
            order(page, "again") if key == "again" else page.press("nk-key-button-guess")
            assert stands(page) == before and not app.lectern.guesses
    app.guesses.show()
    assert stands(page) == before


def test_it_is_closed_and_told_or_neither(page, monkeypatch):
    """The disk is full between the two."""
    page.press("nk-key-button-guess")
    room, before = page.app.guesses.room, stands(page)
    keep, written = room.rooms.show, []

    def show(*args):
        written.append(args)
        if len(written) == 2:
            raise sqlite3.OperationalError("database or disk is full")
        keep(*args)

    monkeypatch.setattr(room.rooms, "show", show)
    page.press("nk-key-button-reveal")
    assert len(written) == 2 and stands(page) == before and room.open
    assert room.rooms.room(room.code).shown["phase"] == "open"
    page.press("nk-key-button-reveal")
    assert room.shown


def test_a_press_that_was_kept_asks_what_its_settings_were(page):
    slide(page, 10)
    guesses = page.app.guesses
    at = f"{guesses.room.code} {guesses.stand}"
    given = {"journal": "0" * 16, "at": at, "do": {"press": "button-guess", "fields": []}}
    slide(page, 5)
    assert guesses.stand not in given["at"]
    page.app.model.guard(page.app.guesses._ordered)({"order": given | {"n": 1, "after": 0}})
    assert page.app.guesses.room.question is None
    said(page.app.message.value, UI, "order.stale")
    slide(page, 10)
    other = elsewhere(page)
    other.app.guesses._ordered({"order": given | {"n": 2, "after": 0}})
    room = other.app.guesses.room
    assert room.question.key == QUESTIONS["fleet-salvo"].link({**QUESTIONS["fleet-salvo"].settings(), "guns": 10})
    room.rooms.close()


def test_a_press_to_show_the_number_is_of_whatever_its_page_has_come_to(page):
    """A slider was moved just before: Python hears of it first. Asked is only what was there when it was pressed."""
    slide(page, 10)
    guesses = page.app.guesses
    given = {"journal": "0" * 16, "at": f"{guesses.room.code} {guesses.stand}"}
    shows, asks = ({"press": f"button-{what}", "fields": []} for what in ("show", "guess"))
    slide(page, 5)
    assert page.app.lectern.told["big"] == "?"
    guesses._model.guard(guesses._ordered)({"order": given | {"do": shows, "n": 1, "after": 0}})
    assert guesses.bare and page.app.lectern.told["big"] == percent(5)
    guesses._model.guard(guesses._ordered)({"order": given | {"do": shows, "n": 2, "after": 0}})
    assert guesses.bare, "it was shown since"
    guesses._model.guard(guesses._ordered)({"order": given | {"do": asks, "n": 3, "after": 0}})
    assert guesses.room.question is None
    said(page.app.lectern.told["refused"], UI, "order.stale")  # before a class nothing else tells it
    slide(page, 6)
    assert page.app.lectern.told["refused"] == ""


def test_an_open_question_of_an_earlier_file_is_put_away_and_that_is_said(page):
    page.press("nk-key-button-guess")
    room = page.app.guesses.room
    room.rooms.keep(room.code, {"asked": room._asked})  # as the version before had it
    other = elsewhere(page)
    taken = other.app.guesses.room
    assert taken.stage == taken.rooms.room(room.code).shown["phase"] == "wait" and not other.app.guesses.locks()
    said(other.app.message.value, UI_ROOMS, "class.gone")
    other.press("nk-key-button-guess")
    assert taken.open
    taken.rooms.close()


def test_a_question_that_there_is_no_more_is_put_away(page):
    page.press("nk-key-button-guess")
    room = page.app.guesses.room
    room.question = replace(room.question, key="?q=no-such-question")
    room.touch()
    other = elsewhere(page)
    taken = other.app.guesses.room
    assert taken.stage == "wait" and not other.app.guesses.locks()
    said(other.app.message.value, UI_ROOMS, "class.gone")
    taken.rooms.close()


def test_a_leader_s_order_waits_until_there_is_an_answer_to_ask_for(page, monkeypatch):
    guesses, room = page.app.guesses, page.app.guesses.room
    rooms = room.rooms
    rooms.pair(room.code, rooms.ticket(room.code))
    guesses.show()
    answer, page.app._answer = page.app._answer, None
    with monkeypatch.context() as busy:
        busy.setattr(page.app.desk, "busy", lambda slot: slot == ANSWER)
        number = rooms.order(room.code, "id", "next", "", guesses.stand)
        guesses._come_news()
        assert rooms.done(room.code) < number and room.question is None
    page.app._show_answer(answer)
    guesses._come_news()  # where there is a loop, `show` calls for it
    assert rooms.done(room.code) == number and room.open and room.round == 1


def test_a_tab_that_has_lost_the_class_shows_no_number_and_one_press_brings_it_back(page):
    slide(page, 6)
    other = elsewhere(page)
    other.press("nk-key-button-guess")
    page.app.guesses._come_news()
    told, guesses = page.app.lectern.told, page.app.guesses
    assert guesses.lost and told["sub"] == str(HeldError()) and not page.app.lectern.columns
    assert percent(6) not in told["big"] and not told["code"]
    assert all(each["locked"] for each in page.app.lectern.sliders)
    assert is_shown(guesses.here_again) and not is_shown(guesses.put)
    link = page.app.model.link()
    slide(page, 2)
    assert page.app.model.link() == link
    guesses.here_again.click()
    page.settle()
    assert not guesses.lost and guesses.asking and not is_shown(guesses.here_again)
    assert page.app.lectern.told["big"] == "?"


def test_an_explorer_is_led_from_elsewhere_by_one_key(page):
    app, room = page.app, page.app.guesses.room
    room.rooms.pair(room.code, room.rooms.ticket(room.code))
    app.guesses.show()
    desk = json.loads(room.rooms.desk(room.code)[1])
    assert desk["asks"] == [[KIND, app.guesses.put.description], [SHOW, app.guesses.show_number.description]]
    assert desk["sees"] == BOARD and not desk["walled"] and desk["next"][0] == "ask", "the explorer is what is seen"
    order(page, "see")
    assert page.app.guesses.sees == BOARD and "big" in page.app.lectern.told
    order(page, "next")
    assert room.open
    order(page, "next")
    assert room.shown
    order(page, "next")
    assert room.round == 1
    said(app.message.value, EXPLORE, "guess.known")
    slide(page, 2)
    order(page, "next")
    assert room.open and room.round == 2
    desk = json.loads(room.rooms.desk(room.code)[1])
    assert desk["say"] and desk["view"]["head"] == room.question.text
    order(page, "reveal")
    slide(page, 3)
    app.guesses._model.guard(app.guesses.press)("ask", KIND, app.guesses.stand)
    assert room.open and room.round == 3


ELSEWHERE = "?q=lox-escape&torpedoes=12"


@pytest.mark.parametrize("shown_there", [False, True])
def test_an_address_that_names_another_question_shows_it_and_the_class_is_offered(page, shown_there):
    slide(page, 11)
    room = page.app.guesses.room
    other = Page(ELSEWHERE, stored={KEY: room.code})
    guesses = other.app.guesses
    assert guesses.room is None and room.held and not page.app.guesses.lost
    assert other.app.model.question.id == "lox-escape" and other.app.model.settings["torpedoes"] == 12
    assert is_shown(guesses.here_again) and not is_shown(guesses.put)
    said(guesses._lost_text.value, EXPLORE, "guess.offered", code=room.code)
    said(other.app.status.value, EXPLORE, "guess.beside")  # it may be asked that
    assert "nk-explore-asking" in other.app.widget._dom_classes and is_shown(guesses.show_number)
    other.press("nk-key-button-show")
    assert "nk-explore-asking" not in other.app.widget._dom_classes
    if shown_there:
        page.press("nk-key-button-show")
    guesses.here_again.click()
    other.settle()
    taken = guesses.room
    assert taken.code == room.code and not room.held and not is_shown(guesses.here_again)
    assert other.app.model.question.id == "lox-escape" and other.app.model.settings["torpedoes"] == 12
    assert "nk-explore-asking" in other.app.widget._dom_classes and not other.app.large
    other.press("nk-key-button-guess")
    assert other.app.large and taken.open and taken.question.key == ELSEWHERE
    taken.rooms.close()


@pytest.mark.parametrize("asking", [False, True])
def test_where_the_address_names_what_the_class_stands_at_or_it_is_loaded_again_the_class_is_taken_up(page, asking):
    slide(page, 11)
    if asking:
        page.press("nk-key-button-guess")
    stored = {KEY: page.app.guesses.room.code}
    here = page.app.model.link()
    for query, again in ((here, False), ("", False), (ELSEWHERE, True), (f"{ELSEWHERE}&class=1", True)):
        other = Page(query, stored=stored, again=again)
        assert other.app.guesses.room is not None and other.app.model.link() == page.app.model.link()
        other.app.guesses.room.rooms.close()


@pytest.mark.parametrize("asking", [False, True])
def test_an_address_of_a_class_at_another_question_brings_the_class_there_unless_it_is_being_asked(page, asking):
    told(page, 11, "10", "30")
    if asking:
        page.press("nk-key-button-guess")
    room, link = page.app.guesses.room, page.app.model.link()
    other = Page(f"{ELSEWHERE}&class=1", stored={KEY: room.code})
    taken = other.app.guesses.room
    assert taken is not None and taken.code == room.code and not room.held
    assert other.app.guesses.locks() is asking
    assert (other.app.model.link() == link) is asking
    if not asking:
        assert other.app.lectern.told["big"] == "?"
        other.press("nk-key-button-guess")
        assert taken.open and taken.question.key == ELSEWHERE
    taken.rooms.close()


def test_a_class_that_is_offered_while_it_guesses_comes_with_what_it_guesses(page):
    slide(page, 11)
    page.press("nk-key-button-guess")
    link = page.app.model.link()
    other = Page(ELSEWHERE, stored={KEY: page.app.guesses.room.code})
    assert other.app.model.question.id == "lox-escape" and other.app.guesses.room is None
    other.app.guesses.here_again.click()
    other.settle()
    assert other.app.model.link() == link and other.app.guesses.asking and other.app.guesses.locks()
    other.app.guesses.room.rooms.close()


def tells(page):
    """Whether anything on the page tells the number of its settings."""
    app = page.app
    plot, room = picture.shown_plot(app._answer.plots), app.lectern._rooms["columns"]
    told = {
        "number": app.lectern.told["big"] != "?", "pins": bool(app.lectern.told["lines"]),
        "columns": app.lectern.columns != svg(picture.columns(plot, room, (), True), "light", background=False),
        "page": "nk-explore-asking" not in app.widget._dom_classes, "map": is_shown(app.map_box),
        "idle": any(row["note"] for row in app.lectern.sliders),
        "status": percent(app.model.settings["guns"]) in page.status,
    }  # fmt: skip
    return any(told.values())


def test_with_a_class_nothing_tells_a_number_before_it_is_asked_and_a_moved_slider_hides_the_next(page):
    app = page.app
    assert not tells(page) and not any(row["locked"] for row in app.lectern.sliders)
    page.press("nk-key-button-map")
    page.press("nk-key-button-pin")
    slide(page, 11)
    assert app.model.settings["guns"] == 11 and not tells(page)
    page.press("nk-key-button-guess")
    assert not tells(page)
    page.press("nk-key-button-reveal")
    assert tells(page) and app.lectern.told["big"] == percent(11) and not is_shown(app.guesses.show_number)
    slide(page, 2)
    assert not tells(page) and not any(row["locked"] for row in app.lectern.sliders)
    app.guesses._end()
    assert tells(page) and app.lectern.told["big"] == percent(2), "without a class there is nobody to ask"


@pytest.mark.parametrize("led", [True, False])
def test_the_teacher_alone_decides_when_a_number_is_shown(page, led):
    app = page.app

    def press(key):
        if led:
            app.guesses._model.guard(app.guesses.press)("ask", key, app.guesses.stand)
        else:
            page.press("nk-key-button-show")

    press(SHOW)
    assert tells(page) and app.lectern.told["big"] == percent(6)
    slide(page, 11)
    assert app.lectern.told["big"] == percent(11), "it goes on showing what the sliders do"
    other = elsewhere(page)
    assert other.app.lectern.told["big"] == percent(11), "after a reload too"
    page.app.guesses._come_news()
    page.app.guesses.take_back()
    press(HIDE)
    assert not tells(page)
    press(SHOW)
    page.press("nk-key-button-guess")
    assert not tells(page)
    page.press("nk-key-button-reveal")
    slide(page, 3)
    assert not tells(page)
