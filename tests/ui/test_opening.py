"""What may take long to open, on every page and by every way in: it shows how far it has come, and can be stopped."""

from __future__ import annotations
import asyncio
import json
from collections import OrderedDict
from importlib.resources import files

import pytest

from navalkit.core import match as playing
from navalkit.core.match import Match, Store, new_token
from navalkit.ui import desk
from navalkit.ui.play.app import GameApp
from navalkit.ui.step.page import StepPage
from navalkit.walks import shows
from navalkit.walks.stepper import PREDICT
from ..patrols import HOME
from ..sentences import UI
from .pages import Browser, named


@pytest.fixture(autouse=True)
def nobody_has_time(monkeypatch):
    """Everything takes longer than a click may, and gives way at every step."""
    for name in ("SOON", "SLICE", "LOOK", "REST"):
        monkeypatch.setattr(desk, name, 0.0)
    monkeypatch.setattr(playing, "Pace", lambda: lambda: True)
    monkeypatch.setattr(shows, "_played", OrderedDict())
    monkeypatch.setenv("NAVALKIT_RAISE", "1")


def opened(app, begin, present):
    """Begin, and stop; then begin again, and wait: what was shown meanwhile. ``present``: what is opened now."""

    async def open_it():
        before, told = present(), []
        begin()
        while not app.waiting.text.value:
            await asyncio.sleep(0.001)
        assert app.waiting.widget.layout.visibility == "visible" and present() is before
        named(app, "nk-key-stop").click()
        assert app.waiting.widget.layout.visibility == "hidden" and app.desk.idle and present() is before
        app.waiting.text.value = ""
        begin()
        while app.desk.busy("open"):
            told.append(app.waiting.text.value)
            await asyncio.sleep(0)
        app.desk.cancel_all()  # what a finished game calculates next
        assert app.waiting.widget.layout.visibility == "hidden" and present() is not before
        return told

    return asyncio.run(open_it())


def shares(told):
    found = [int(text.split(":")[1].rstrip("% ")) for text in told if "%" in text]
    assert found == sorted(found)
    return set(found)


@pytest.fixture
def hunt():
    """Two turns of a hunt, as a record."""
    match = Match.new("on-patrol", 3)
    while match.state.turn < 3:
        match.play(match.legal()[0])
    return match.record()


@pytest.mark.parametrize("way", ["file", "link", "kept"])
def test_the_page_of_a_game_verifies_a_record_between_clicks(way, tmp_path):
    app, store, token = GameApp("uss-lox", Store(tmp_path)), Store(tmp_path), new_token()
    store.save(token, HOME)
    browser = Browser(app)
    app.control.store = store
    begin = {
        "file": lambda: browser.says("file", [HOME.dumps().encode()], name="mine.toml", size=9),
        "link": lambda: app.control.open_query(f"{HOME.share()}&step=3"),
        "kept": lambda: app.control.resume(token),
    }[way]
    told = opened(app, begin, lambda: app.control.match)
    assert len(shares(told)) > 3 and all(UI("waiting.open") in text for text in told if text)
    assert app.control.match.record() == HOME.record()
    assert app.control.ply == (3 if way == "link" else HOME.ply)
    assert app.control.token == (token if way == "kept" else app.control.token)


@pytest.mark.parametrize("way", ["link", "tour"])
def test_a_stepper_that_is_loaded_again_asks_as_it_did_however_long_its_place_is_looked_for(way):
    tour = shows.draft().with_stop(shows.Stop("scenario=lone-merchant&seed=4", "One", ""))
    query = {"link": "?scenario=lone-merchant&seed=3&step=2", "tour": tour.query("on-patrol")}[way]
    app = StepPage("on-patrol")
    Browser(app)
    app.bridge.again = True
    kept = {app._place: json.dumps([query, PREDICT, False])}
    assert shares(opened(app, lambda: app.met("", kept, another_tab=False), lambda: app.stepper.show))
    assert app.stepper.mode == PREDICT and app.stepper.at == (2 if way == "link" else 0)


@pytest.mark.parametrize("way", ["file", "link", "scenario", "own", "another", "tour"])
def test_the_stepper_opens_what_takes_long_between_clicks(way, hunt):
    app = StepPage("on-patrol", shows.finish(shows.from_query("on-patrol", "?scenario=lone-merchant&seed=1")).show)
    browser = Browser(app)
    text = (files("navalkit.games.on_patrol.data") / "scenarios" / "lone-merchant.toml").read_bytes()
    tour = shows.draft().with_stop(shows.Stop("scenario=lone-merchant&seed=4", "One", ""))
    begin = {
        "file": lambda: browser.says("file", [hunt.dumps().encode()], name="mine.toml", size=9),
        "link": lambda: app.stepper.open_query(f"?record={hunt.link_text()}&step=2"),
        "scenario": lambda: app.stepper.open_query("?scenario=lone-merchant&seed=3&step=2"),
        "own": lambda: browser.says("file", [text.replace(b"Lone", b"Our")], name="ours.toml", size=9),
        "another": lambda: app.another.click(),
        "tour": lambda: app.stepper.open_query(tour.query("on-patrol")),
    }[way]
    assert shares(opened(app, begin, lambda: app.stepper.show))
    assert app.stepper.at == (2 if way in ("link", "scenario") else 0) and not app.model.status.error
