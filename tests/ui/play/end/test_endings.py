"""How a game ended: told to the player in the second person, of a captain's game on the same seed in the third."""

from __future__ import annotations
import asyncio
import html
import re

import numpy as np
import pytest

import navalkit as nk
from navalkit.core.awaited import finish
from navalkit.core.registry import package
from navalkit.testing import heard, said
from navalkit.ui.play import review_panel
from navalkit.ui.play.app import GameApp
from navalkit.ui.play.controller import today
from navalkit.ui.widgets import is_shown
from navalkit.walks import shows
from ....blunders import blundered
from ....sentences import FLEET, LOX, PATROL, TASK, UI, WOLF

SMALL = {"rows": 6, "columns": 6, "deep": 3, "fleet": "tiny", "submarines": 1, "missiles": 1}
ENDS = {
    "fleet-action": ({"moves": 2}, 1, "end.loss", FLEET.phrase("report.red", move=2)),
    "on-patrol": ({"scenario": "lone-merchant"}, 1, "end.win", PATROL.phrase("result.win", points=12)),
    "task-force": (SMALL, 1, "end.win", TASK.phrase("report.win")),
    "uss-lox": ({}, 2, "end.loss", LOX.phrase("report.loss")),
    "wolf-pack": ({"transports": 2, "u_boats": 2}, 2, "end.loss", WOLF.phrase("report.convoy")),
}


@pytest.mark.parametrize("name", ENDS)
def test_the_page_tells_the_end_in_the_second_person(name: str) -> None:
    options, seed, you, told = ENDS[name]
    app, rng = GameApp(name), np.random.default_rng(seed)
    match = nk.Match.new(nk.load(name, **options), seed)
    anybody = nk.player("random", match.game)
    while not match.over:
        match.play(anybody.decide(match.observe(), match.legal(), rng).action)
    app.control.take_up(match)
    for text in (app.control.ending(), app.status.value):
        said(text, UI, you)
        said(text, told)
    of_others = app.ending.review._ended(match)
    assert match.outcome is not None and of_others.endswith(match.outcome.text) and not heard(of_others, UI, you)
    assert not any(chart.widget.value for chart in app.charts), "nothing guesses after the end"
    app.control.look_at(match.ply - 1)
    assert "nk-play-over" in app.widget._dom_classes and app.orders.layout.display == "none"


@pytest.mark.parametrize("name", ENDS)
def test_a_finished_game_leads_to_the_stepper_at_its_start_or_at_the_move_looked_at(name: str) -> None:
    options, seed, *_ = ENDS[name]
    app = GameApp(name)
    match = nk.Match.new(nk.load(name, **options), seed, app.control.match.players)
    app.control.take_up(match)
    assert not is_shown(app.ending.walk)
    while not match.over:
        match.play(match.legal()[0])
    app.control.take_up(match)
    assert is_shown(app.ending.walk) and is_shown(app.ending.report)
    for look in (match.ply, match.ply // 2):
        app.control.look_at(look)
        (address,) = re.findall(r'href="(.*?)"', app.ending.walk.value)
        page, _, query = html.unescape(address).partition("?")
        assert page == package(name).stepper.partition("?")[0] and shows.game_of(query) == name
        asked = finish(shows.from_query(name, query))
        moment = asked.show.row[asked.at]
        assert asked.show.row[-1].state == match.state and asked.show.match is not None
        assert asked.at == asked.show.opening if look == match.ply else moment.ply >= look


def test_after_the_end_of_a_card_game_nobody_guesses_what_is_held() -> None:
    app, rng = GameApp("wolf-pack"), np.random.default_rng(2)
    match = nk.Match.new(nk.load("wolf-pack", transports=2, u_boats=2), 2)
    anybody = nk.player("random", match.game)
    while not match.over:
        match.play(anybody.decide(match.observe(), match.legal(), rng).action)
    app.control.take_up(match)
    assert app.facts.value == ""
    app.control.look_at(match.ply - 1)
    said(app.facts.value, WOLF, "hold.title", side="convoy")


def test_at_the_end_the_curve_and_what_decided_the_game_come_without_a_press() -> None:
    app, (match, step, _) = GameApp("uss-lox"), blundered("uss-lox")
    panel, desk = app.ending.review, app.control.desk

    async def ends() -> None:
        app.control.take_up(match)
        assert panel.moment.disabled, "nothing is known yet"
        while not desk.idle:
            await asyncio.sleep(0.01)

    asyncio.run(ends())
    assert "<polyline" in panel._chart.value and panel.widget.layout.display == ""
    row = [each.description for each in app.ending.again.children if each.layout.display != "none"]
    assert row[:4] == [UI(key) for key in ("moment", "again", "review", "share")]
    assert panel.moment.button_style == "primary"
    panel.moment.click()
    assert app.control.view == step - 1 and [word for _, word in app.stage.lights][-1] == UI("light.better")
    assert str(step) in app.status.value


def test_of_a_first_game_nothing_is_found_amiss_unless_somebody_asks() -> None:
    app = GameApp("uss-lox")
    app.control.new_first()

    async def ends() -> None:
        while not app.control.match.over:
            app.control.follow()
        await asyncio.sleep(0.1)

    asyncio.run(ends())
    review = app.ending.review
    assert not is_shown(review.widget) and not is_shown(review.moment) and is_shown(review.button)
    review.button.click()
    app.control.desk.settle(60)
    assert is_shown(review.widget)


def test_an_ending_is_shared_with_its_review_and_the_days_by_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    app, sent = GameApp("wolf-pack"), list[tuple[str, str]]()
    monkeypatch.setattr(app.bridge, "copy", lambda text, what, **_: sent.append((what, text)))
    app.control.take_up(blundered("wolf-pack").match)
    app.ending.share.click()
    app.control.me = 1
    app.ending.share.click()
    (what, mine), (_, theirs) = sent
    assert what == "link" and mine.startswith("?record=")
    assert mine.endswith("&review=1") and theirs.endswith("&review=2")
    app.control.open_query(theirs)
    assert app.control.me == 1 and app.ending.review._judge is not None and app.ending.review._judge.me == 1
    monkeypatch.setattr("navalkit.ui.play.controller.Controller.day", today())
    monkeypatch.setattr(app.control, "day_line", lambda days: "a line")
    app.ending.share.click()
    assert sent[-1] == ("day", "a line")


def test_of_a_won_game_what_won_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_panel, "STAGES", ((4, 12),))
    app = GameApp("wolf-pack")
    match, rng = nk.Match.new(nk.load("wolf-pack", transports=2, u_boats=2), 3), np.random.default_rng(3)
    captains = [nk.player("careful", match.game), nk.player("random", match.game)]
    while not match.over:
        match.play(captains[match.turn].decide(match.observe(), match.legal(), rng).action)
    assert app.control.result(match.outcome) == "win"
    app.control.take_up(match)
    app.ending.review.ask()
    app.control.desk.settle(120)
    found = app.ending.review._found.deciding
    assert found is not None and found.change > 0
    app.ending.review.moment.click()
    assert app.control.ply == found.last and "(+" in app.control.status.text
