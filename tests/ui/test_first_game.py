"""The first game of every game: its script holds, success is certain, and it leads without being in the way."""

from __future__ import annotations
import re
from importlib import import_module
from pathlib import Path

import pytest

from navalkit.core.match import Store
from navalkit.core.registry import load, names, package
from navalkit.core.words import Voice, speaking
from navalkit.testing import said
from navalkit.ui import board, warm
from navalkit.ui.play.app import GameApp
from navalkit.ui.play.controller import Controller
from navalkit.ui.play.controls import how_to_win
from navalkit.view.lobby import chapters, games, tutorial
from ..sentences import UI
from .pages import Browser

GAMES = [name for name in names() if package(name).module.startswith("navalkit.games.")]
FIRST = [(name, chapter) for name in GAMES for chapter in ("", *chapters(name))]


@pytest.mark.parametrize(("name", "chapter"), FIRST)
def test_every_step_can_be_done_as_it_says_and_the_player_wins(name: str, chapter: str) -> None:
    control, first = Controller(name), tutorial(name, chapter)
    assert control.open_query(f"?first={chapter or 1}")
    assert 3 <= len(first.steps) <= 14 and len(first.how_to_win) >= 3
    for number, step in enumerate(first.steps[:-1]):
        assert control.first_step == step and step.order, number
        control.follow()
        assert not control.status.error, control.status.text
    assert control.first_step == first.steps[-1] and not first.steps[-1].order
    outcome = control.match.outcome
    assert outcome is not None and outcome.scores[0] == max(outcome.scores) > 0


@pytest.mark.parametrize("tall", [False, True], ids=["wide", "tall"])
@pytest.mark.parametrize(("name", "chapter"), FIRST)
def test_pressing_what_is_lit_and_nothing_else_leads_to_the_end(name: str, chapter: str, tall: bool) -> None:
    control, first = Controller(name), tutorial(name, chapter)
    control.tall = tall
    control.new_first(chapter)
    on_board = 0
    for number, _ in enumerate(first.steps[:-1]):
        begun = control.match.ply
        for _ in range(6):  # a depth, a salvo of four and a hex are five presses
            order, scene = control.first_action, control.scene()
            lit = [id for id in control.page.lit(control.glance(), control.look, scene, order) if scene.cell(id)]
            if lit:
                control.point(lit[0])
                on_board += 1
            else:
                control.give(next(row.action for row in control.orders() if row.action == order))
            assert not control.status.error, control.status.text
            if control.match.ply > begun:
                break
        assert control.match.ply > begun, f"step {number} has nothing lit that does it"
    assert control.match.over and on_board >= len(first.steps) * 2 // 3


@pytest.mark.parametrize(("name", "chapter"), FIRST)
def test_its_sentences_name_what_they_ask_for_and_are_short(name: str, chapter: str) -> None:
    for step in tutorial(name, chapter).steps:
        assert len(step.text) <= (140 if not chapter else 170) and step.text[-1] in ".?"
        for square in re.findall(r"\b[A-RT-Z]\d\b", step.order):
            assert square in step.text


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize(("name", "chapter"), FIRST)
def test_a_heading_is_named_as_the_board_names_it(name: str, chapter: str, lang: str) -> None:
    words = getattr(import_module(package(name).module), "WORKSHOP", None)
    with speaking(Voice(lang)):
        for step in tutorial(name, chapter).steps if name == "fleet-action" else ():
            found = re.match(r"[^:]+: [A-Z]\d+ ([NESW]+)\b", step.order)
            asked = re.search(r"\b(?:heading|Kurs) ([NESWO]+)\b", step.text)
            assert not (found and asked) or asked[1] == words.way(found[1]), step.text


@pytest.mark.parametrize(("name", "chapter"), [each for each in FIRST if each[1]])
def test_a_chapters_first_game_stands_in_the_lobby_and_is_followed_by_a_battle_of_its_own(name: str,
                                                                                          chapter: str) -> None:
    (card,) = [each for each in games(Path("notebooks")) if each.game == name]
    (way,) = [address for told, address in card.ways if told == tutorial(name, chapter).called]
    control = Controller(name)
    assert control.open_query(way[way.index("?"):]) and control.first == tutorial(name, chapter)
    start = control.promised
    assert start is not None and start.title == tutorial(name, chapter).next
    battle = load(name, **start.options).battle  # type: ignore[attr-defined]
    assert battle.boats if chapter == "boats" else battle.flights
    control.new_promised()
    assert control.game == load(name, **start.options)
    control.new_first()
    assert control.promised is not None and control.promised.promised


def test_another_order_waits_and_undo_goes_a_step_back() -> None:
    control = Controller("uss-lox")
    control.new_first()
    run = control.guard(control.order)
    run("flip A1")
    assert control.status.error and control.match.ply == 0
    run("flip B2")
    assert control.first_step == tutorial("uss-lox").steps[1]
    control.undo(agreed=True)
    assert control.first_step == tutorial("uss-lox").steps[0]
    control.leave_first()
    run("flip A1")
    assert not control.status.error and control.match.ply > 0 and control.first_step is None


def test_a_press_too_many_undoes_nothing_and_what_is_refused_is_not_asked_about() -> None:
    app = GameApp("on-patrol")
    app.met("?first=1", {}, another_tab=False)
    control = app.control
    control.follow()
    press = control.guard(control.point)
    asked = {board.confirming(cell) for cell in control.scene().cells} - {""}
    shown = {ask for _, ask, _ in board._asks(control.scene(), control.first_action)} - {""}
    assert asked and not shown, "no hex gives the salvo yet"
    for number, refused in ((1, False), (2, False), (4, False), (4, True)):
        press("fire 5")
        assert {pick.value for pick in control.picks} == {number} and control.status.error is refused
    press("fire 2")
    assert control.status.error and len([*control.picks]) == 1
    assert len({ask for _, ask, _ in board._asks(control.scene(), control.first_action)} - {""}) == 1


def test_the_page_leads_by_the_address_lights_the_order_and_keeps_the_game_in_progress(tmp_path: Path) -> None:
    store = Store(tmp_path)
    app = GameApp("uss-lox", store)
    app.met("?first=1", {}, another_tab=False)
    assert "B2" in app.status.value and app.stage.lights and app.skip.layout.display == ""
    assert app.control.token and len([*tmp_path.rglob("*.toml")]) == 1
    app.control.follow()
    assert "fire two" in app.status.value
    assert app.skip in app.controls.children and app.hint.layout.display == "none"  # in sight on a phone too
    app.control.leave_first()
    assert app.hint.layout.display == ""
    assert "fire two" not in app.status.value and app.skip.layout.display == "none"


def test_it_is_led_on_where_its_page_is_loaded_again_and_begun_anew_by_a_link(tmp_path: Path) -> None:
    def opened(*, again: bool, **kept: str) -> tuple[GameApp, Browser]:
        app = GameApp("wolf-pack", Store(tmp_path))
        browser = Browser(app)
        browser.hello(query="?first=1", stored={"wolf-pack:token?": kept["token"]} if kept else {}, tab=True,
                      again=again)
        return app, browser

    app, browser = opened(again=False)
    begun = app.control.match.ply
    app.control.follow()
    app.control.follow()
    kept = browser.kept()
    assert kept["wolf-pack:begun?"] == "1"  # the lobby offers to carry on
    token, ply = app.control.token, app.control.match.ply
    again, _ = opened(again=True, token=token)
    assert (again.control.token, again.control.match.ply) == (token, ply) and ply > begun
    assert again.control.first_step == tutorial("wolf-pack").steps[2] == app.control.first_step
    fresh, _ = opened(again=False, token=token)
    assert fresh.control.match.ply == begun and fresh.control.token != token
    assert fresh.control.first_step == tutorial("wolf-pack").steps[0]
    again.control.leave_first()
    again.control.give(next(each for each in again.control.legal if each != app.control.first_action))
    left, _ = opened(again=True, token=token)
    assert left.control.match.ply > ply and left.control.first is None  # it was not followed to here


def test_the_lobby_is_told_once_it_is_played_to_its_end() -> None:
    app = GameApp("wolf-pack")
    browser = Browser(app)
    browser.hello(query="?first=1")
    for _ in tutorial("wolf-pack").steps[:-1]:
        assert "wolf-pack:first" not in browser.kept()
        app.control.follow()
    assert app.control.match.over and browser.kept()["wolf-pack:first"]


def test_it_speaks_german_where_the_game_does() -> None:
    with speaking(Voice("de")):
        first = tutorial("uss-lox")
        assert "Decken Sie B2 auf" in first.steps[0].text and "Ozean" in first.how_to_win[0]
    with speaking(Voice("de")):
        assert "TRANSPORT" in tutorial("wolf-pack").how_to_win[1]  # English where there is no other


def test_the_lobby_leads_there_and_the_rule_book_begins_with_how_to_win() -> None:
    shown = warm.page(Path("notebooks"))
    assert shown.count("first=1") == len(GAMES)
    for name in GAMES:
        told = how_to_win(name)
        assert "<svg" in told
        said(told, UI, "first.win")
        assert "?first=1" in told
