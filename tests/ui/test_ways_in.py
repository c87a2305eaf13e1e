"""Every way in, at its longest: within two seconds there is an answer, or a word on how far it has come.

What counts is the processor's time until a page has answered or says that it calculates; `pytest -s` shows it for each
way. How the word looks, and that it can be stopped, `test_opening` and the tests of the command line tell.
"""

from __future__ import annotations
import asyncio
import re
from contextlib import suppress
from functools import partial
from importlib.resources import files
from time import process_time

import pytest

import navalkit as nk
from navalkit.cli import main
from navalkit.core.errors import NotationError, OptionError
from navalkit.core.match import Store, new_token
from navalkit.core.record import MAX_BYTES
from navalkit.explore import QUESTIONS, ask
from navalkit.games.on_patrol.sea.scenario import names as scenarios
from navalkit.ui.play.app import GameApp
from navalkit.ui.step.page import StepPage
from navalkit.walks import shows
from .pages import Browser

pytestmark = pytest.mark.slow
AIM, BOUND = 2.0, 3.0
"""Seconds: what is promised on a machine at rest, and what a busy one is held to."""
GAMES = ("uss-lox", "wolf-pack", "task-force", "fleet-action", "on-patrol")
AWAY = {'marker = "contact"\n': "", "AU36 5": "AU136 5", "-I36 1": "-I136 1", "U50 6": "U150 6"}


@pytest.fixture(autouse=True)
def raise_what_we_did_wrong(monkeypatch):
    monkeypatch.setenv("NAVALKIT_RAISE", "1")


def silent(app, begin):
    """Seconds from what somebody does to the answer, or to the word that it is calculated."""

    async def until_told():
        start = process_time()
        begin()
        while not app.desk.idle and app.waiting.widget.layout.visibility == "hidden":
            await asyncio.sleep(0)
        took = process_time() - start
        app.desk.cancel_all()
        return took

    return asyncio.run(until_told())


def held(way, took):
    print(f"{way}: {took:.2f} s{'' if took <= AIM else ', beyond the aim'}")
    assert took <= BOUND, way


def largest(name):
    """Each option at its last value, as far as they go together."""
    chosen = {}
    for spec in nk.load(name).specs:
        value = True if isinstance(spec.default, bool) else spec.high if isinstance(spec.default, int) else None
        value = spec.choices[-1] if value is None and spec.choices else value
        with suppress(OptionError):
            nk.load(name, **chosen, **{spec.name: value})
            chosen[spec.name] = value
    return chosen


@pytest.fixture(scope="module")
def voyage():
    """The longest hunt of three boats there is: 500 turns against twenty escorts that never find them."""
    text = (files("navalkit.games.on_patrol.data") / "scenarios" / "three-boats.toml").read_text()
    text = text.split("[measured]")[0].replace("turns = 40", "turns = 500").replace("points = 4", "points = 999")
    for there, elsewhere in AWAY.items():
        text = text.replace(there, elsewhere)
    text = re.sub("edges = .*", 'edges = { north = -900, south = 900, east = "AAA", west = "-AAA" }', text)
    text = re.sub("escorts = .*", "escorts = [" + '"v-and-w", "flower", ' * 10 + "]", text)
    match = nk.Match.new(nk.load("on-patrol", scenario=text), 1)
    while not match.over:
        match.play(max(match.legal(), key=lambda order: ((order.depth or 0) <= 200, order.depth or 0, not order.shots)))
    assert match.state.turn == 500 and match.ply > 1900
    return match


@pytest.mark.parametrize("name", GAMES)
def test_a_game_of_the_largest_options_opens_in_time(name, tmp_path):
    options = largest(name)
    app = GameApp(name, Store(tmp_path))
    held(f"{name}, new game with {options}", silent(app, lambda: app.control.new(1, options)))
    for order in (app.control.page.example * 400)[:4000], "x" * 4000, "9" * 1_000_000:
        held(f"{name}, an order of {len(order):,} characters", silent(app, partial(app.safe(app.control.order), order)))


@pytest.mark.parametrize("name", GAMES)
def test_a_file_as_large_as_may_be_opens_in_time(name, tmp_path):
    app = GameApp(name, Store(tmp_path))
    browser = Browser(app)
    match = nk.Match.new(name, 1)
    match.play(match.legal()[0])
    match.comments = {1: "x" * (MAX_BYTES - len(match.record().dumps()) - 100)}
    for what, text in (("a game", match.record().dumps()), ("no game", "a = 1\n" * (MAX_BYTES // 6))):
        data = text.encode()
        assert MAX_BYTES - 1000 < len(data) <= MAX_BYTES
        way = f"{name}, {what} of {len(data):,} bytes"
        held(way, silent(app, partial(browser.says, "file", [data], name="large.toml", size=len(data))))
        assert app.control.status.error is (what == "no game")


def test_the_longest_hunt_opens_in_time(voyage, tmp_path, capsys):
    app, store, token = GameApp("on-patrol", Store(tmp_path)), Store(tmp_path), new_token()
    app.control.store = store
    store.save(token, voyage)
    data, link = voyage.dumps().encode(), voyage.record().link_text()
    browser, stepper = Browser(app), StepPage("on-patrol", shows.position("on-patrol", "mode-1"))
    ways = {
        "a file": (app, lambda: browser.says("file", [data], name="long.toml", size=len(data))),
        "a link": (app, lambda: app.control.open_query(f"?record={link}")),
        "a game in progress": (app, lambda: app.control.resume(token)),
        "the stepper, a file": (stepper, lambda: stepper.stepper.open_file(data)),
        "the stepper, a link": (stepper, lambda: stepper.stepper.open_query(f"?record={link}")),
        "the stepper, a scenario of one's own": (
            stepper,
            lambda: stepper.stepper.open_file(voyage.game.options["scenario"].encode()),
        ),
    }
    for way, (page, begin) in ways.items():
        held(f"{voyage.ply} plies, {way}", silent(page, begin))
    (tmp_path / "long.toml").write_bytes(data)
    start = process_time()
    assert main(["replay", str(tmp_path / "long.toml")]) == 0
    took = process_time() - start
    shown = "Ctrl-C stops" in capsys.readouterr().err
    held(f"{voyage.ply} plies, navalkit replay", 0.5 if shown else took)


@pytest.mark.parametrize("name", scenarios())
def test_the_stepper_plays_every_scenario_in_time(name):
    app = StepPage("on-patrol", shows.position("on-patrol", "mode-1"))
    held(f"the stepper, {name}", silent(app, lambda: app.stepper.open_query(f"?scenario={name}&seed=77")))


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=lambda question: question.id)
def test_a_question_at_the_end_of_its_sliders_is_answered_in_steps(question):
    usual = {control.name: control.default for control in question.controls}
    ends = {control.name: values[-1] for control in question.controls if (values := control.values())}
    for settings in (usual, usual | ends, *(usual | {name: value} for name, value in ends.items())):
        for what in (ask.steps, ask.beside):
            longest, start = 0.0, process_time()
            with suppress(OptionError, NotationError):  # these values do not go together, and a sentence says so
                for _ in what(question, settings):
                    longest, start = max(longest, process_time() - start), process_time()
            held(f"{question.id}, {settings}", max(longest, process_time() - start))
