"""The way from a game's page, its stepper and its review to the explorer."""

from __future__ import annotations
import re
from html import unescape

import pytest

from navalkit import explore
from navalkit.core.awaited import finish
from navalkit.ui.play.app import GameApp
from navalkit.ui.play.controls import explored
from navalkit.ui.step.page import StepPage
from navalkit.view.lobby import EXPLORER
from navalkit.view.page import Glance
from navalkit.walks import shows


def query(markup):
    found = re.search(r'href="([^"]*)"', markup)
    assert found is not None and found[1].startswith(f"{EXPLORER}.ipynb")
    return unescape(found[1].removeprefix(f"{EXPLORER}.ipynb"))


@pytest.fixture(autouse=True)
def raise_what_we_did_wrong(monkeypatch, tmp_path):
    monkeypatch.setenv("NAVALKIT_RAISE", "1")
    monkeypatch.setenv("NAVALKIT_HOME", str(tmp_path))


@pytest.mark.parametrize("name", ["uss-lox", "wolf-pack", "fleet-action", "on-patrol"])
def test_the_page_of_a_game_opens_the_explorer_where_it_stands(name):
    app = GameApp(name)
    control = app.control
    for _ in range(6):
        told = explore.opened(control.glance())
        assert (query(app.explore.value) if told else app.explore.value) == told
        if told:
            break
        control.match.play(control.legal[0])
        app._changed()
    assert told


def test_the_stepper_opens_it_as_who_decides_sees_it():
    page = StepPage("wolf-pack", finish(shows.from_query("wolf-pack", "")).show)
    stepper, compared = page.stepper, 0
    for _ in range(6):
        page.desk.settle()
        moment, game = stepper.moment, stepper.show.game
        if moment.seat >= 0:
            told = explore.opened(Glance(game, game.observe(moment.state, moment.seat), moment.seat))
            assert (query(page.explore.value) if told else page.explore.value) == told
            compared += bool(told)
        stepper.forward()
    assert compared


def test_where_no_question_arises_there_is_no_link():
    app = GameApp("uss-lox")
    glance = app.control.glance()
    assert explore.opened(glance) == "" or query(finish(explored(glance).start()))
