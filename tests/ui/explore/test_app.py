"""The explorer without a browser: what its widgets show and send, and its work in the background."""

from __future__ import annotations
import asyncio
import re

import numpy as np
import pytest
from ipywidgets import Button

from navalkit import explore
from navalkit.core.errors import brief
from navalkit.core.words import Voice, percent, speaking
from navalkit.explore import QUESTIONS, ask
from navalkit.explore.picture import SIGNS
from navalkit.explore.question import SAY
from navalkit.testing import heard, said
from navalkit.ui import desk
from navalkit.ui.explore import html
from navalkit.ui.explore.app import Explorer
from ...sentences import CORE, EXPLORE, FLEET_ASK, LOX_ASK, TASK, UI

HELLO = {"event": "hello", "query": "", "stored": {}, "tab": False, "theme": "light", "width": 1280, "header": True,
         "calm": True}  # fmt: skip


@pytest.fixture(autouse=True)
def raise_what_we_did_wrong(monkeypatch):
    monkeypatch.setenv("NAVALKIT_RAISE", "1")


class Page:
    """An explorer, and what it sends to the browser."""

    def __init__(self, query="?q=lox-sink", **hello):
        self.sent = []
        self.app = Explorer()
        self.app.bridge.send = lambda content, buffers=None: self.sent.append((content, buffers))
        self.app.model.changed = self.refresh
        self.says(**(HELLO | {"query": query} | hello))

    def refresh(self):
        self.app.refresh()
        self.settle()

    def settle(self):
        """Where there is no loop to work in, have it all calculated."""
        if not _looping():
            self.app.desk.settle()

    def says(self, event, **message):
        self.app.bridge._handle_custom_msg({"event": event} | message, [])
        self.settle()

    @property
    def status(self):
        return re.sub(r"<[^>]*>", " ", self.app.status.value)

    @property
    def count(self):
        return int(re.search(r"data-count='(\d+)'", self.app.status.value)[1])

    def field(self, name):
        return next(each for each in self.app._fields[self.app.model.question.id] if each.control.name == name)

    def press(self, css, within=None):
        found = [w for w in _all(within or self.app.widget) if isinstance(w, Button) and css in w._dom_classes]
        found[0].click()

    def click(self, name, cell, by=1):
        self.field(name).board._handle_custom_msg({"event": "mark", "cell": cell, "by": by}, [])

    def bars(self, i=0):
        return np.asarray(self.app.plots[i]._bars.y).tolist()

    def files(self):
        return [(c["name"], c["mime"], b[0]) for c, b in self.sent if c["do"] == "download"]


def _looping():
    try:
        return bool(asyncio.get_running_loop())
    except RuntimeError:
        return False


def _all(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from _all(child)


@pytest.fixture
def page():
    return Page()


# Sliders -------------------------------------------------------------------------------------------------------------


def test_every_game_and_every_question_can_be_chosen(page):
    assert {each.game for each in QUESTIONS.values()} == set(page.app.games)
    for game in page.app.games:
        page.press(f"nk-key-game-{game}")
        assert page.app.games[game].button_style == "primary"
        for title, id in page.app.chooser.options:
            page.app.chooser.value = id
            answer = explore.answer(id)
            assert QUESTIONS[id].title == title
            assert answer.said in page.app.status.value.replace("&#x27;", "'")
            assert page.bars() == list(answer.plots[0].y)
            assert len(page.app.controls.children) == len(QUESTIONS[id].controls)


def test_a_slider_moves_number_charts_and_words(page):
    before = page.status, page.bars(), page.app.words.value, page.app.gains.value, page.app.tornado.value
    page.field("torpedoes").field.value = 3
    after = page.status, page.bars(), page.app.words.value, page.app.gains.value, page.app.tornado.value
    value = explore.answer("lox-sink", torpedoes=3).value
    assert percent(value) in page.status and f"{value.numerator}/{value.denominator}" in page.status
    assert before[1] == after[1]  # the chart by torpedoes is the same, another bar is lit
    assert page.app.plots[0]._bars.colors[3] != page.app.plots[0]._bars.colors[2]
    assert all(one != other for one, other in zip(before[:1] + before[2:], after[:1] + after[2:], strict=True))


def test_a_fraction_too_long_to_read_is_there_on_request():
    exact = explore.answer("wolf-complete")
    told = str(html.number(exact, (), {}, 0))
    long = EXPLORE("text.long", digits=len(str(exact.value.denominator)))
    assert f"<summary>{long}</summary>{exact.value}</details>" in told
    assert exact.value.denominator > 10**8


def test_how_many_torpedoes_for_a_queen_once_three_fives_are_gone(page):
    for card in ("5C", "5D", "5H"):
        page.click("seen", card)
    assert page.app.model.settings["seen"] == "5C 5D 5H"
    said(page.status, CORE, "chance.about", hits=3, of=10)
    assert "43/141" in page.status
    said(page.app.goal.value, EXPLORE, "inverse.never")
    assert "61 %" in page.app.goal.value
    page.app.target.value = 60
    said(page.app.goal.value, EXPLORE, "inverse.takes", value=3)
    page.click("seen", "5D")
    assert page.app.model.settings["seen"] == "5C 5H"
    page.press("nk-explore-clear", page.field("seen").widget)
    assert page.app.model.settings["seen"] == "" and page.field("seen").board.levels == {}


def test_a_map_shows_the_chance_of_every_square_and_goes_through_its_marks(page):
    page.app.model.choose("task-hit")
    board = page.field("seen").board
    answer = explore.answer("task-hit")
    assert board.notes["C3"][0] == f"{100 * answer.cells['C3']:.0f}" and len(board.notes) == 25
    page.click("seen", "C3")
    assert board.levels == {"C3": 1} and "C3" not in board.notes
    page.click("seen", "C3")
    assert page.app.model.settings["seen"] == "C3x" and page.status.split()[-1] != ""
    page.click("seen", "C3", by=-1)
    assert page.app.model.settings["seen"] == "C3-"


def test_marks_that_fit_nothing_are_said_so_and_can_be_taken_back(page):
    page.app.model.choose("task-hit")
    for cell in ("A1", "A2", "A3", "A4", "A5", "B1"):
        page.click("seen", cell)
        page.click("seen", cell)
    said(page.status, TASK, "wrong.marks")
    assert "nk-bad" in page.app.status.value
    assert page.app.run.tally is None
    page.press("nk-explore-clear", page.field("seen").widget)
    assert "nk-explore-big" in page.app.status.value


def test_each_question_keeps_its_sliders_and_reset_brings_back_the_defaults(page):
    page.field("torpedoes").field.value = 1
    page.app.model.choose("wolf-holds")
    page.app.model.choose("lox-sink")
    assert page.field("torpedoes").field.value == 1
    page.press("nk-key-button-reset")
    assert page.field("torpedoes").field.value == 2


def test_a_pinned_setting_is_seen_beside_the_present_one(page):
    page.press("nk-key-button-pin")
    assert page.app.pin_button.description == EXPLORE("button.unpin") and page.app.plots[0]._pinned[0].visible
    page.click("seen", "5C")
    said(page.status, EXPLORE, "pinned.value", value="39 %")
    assert EXPLORE("text.points") in page.status
    pinned = np.asarray(page.app.plots[0]._pinned[0].y).tolist()
    assert pinned == list(explore.answer("lox-sink").plots[0].y) != page.bars()
    page.press("nk-key-button-pin")  # a second one, beside the first
    page.click("seen", "5D")
    assert [each.settings["seen"] for each in page.app.model.pins] == ["", "5C"]
    assert [button.description[:1] for button in page.app.legend.children] == list(SIGNS[:2])
    assert page.app.plots[0]._pinned[1].visible
    page.app.legend.children[0].click()  # back to the first
    assert page.app.model.settings["seen"] == "" and page.app.pin_button.description == EXPLORE("button.unpin")
    page.press("nk-key-button-pin")
    assert [each.settings["seen"] for each in page.app.model.pins] == ["5C"]
    page.press("nk-key-button-unpin-all")
    assert not heard(page.status, EXPLORE, "pinned.value") and not page.app.plots[0]._pinned[0].visible
    page.press("nk-key-button-pin")
    page.app.model.choose("lox-escape")
    assert page.app.model.pins == []


def test_no_more_settings_are_pinned_than_there_are_signs(page):
    for ship in ("AC", "2C", "3C", "4C", "5C", "6C"):
        page.app.model.set("ship", ship)
        page.press("nk-key-button-pin")
    assert [each.settings["ship"] for each in page.app.model.pins] == ["3C", "4C", "5C", "6C"]
    assert len(SIGNS) == html.PINS == len(page.app.plots[0]._pinned)


# Links and files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "id", [pytest.param(id, marks=[pytest.mark.slow] if n % 3 else ()) for n, id in enumerate(QUESTIONS)]
)
def test_a_link_brings_the_sliders_back(id):
    page = Page()
    page.app.model.choose(id)
    for control in QUESTIONS[id].controls:
        if control.values():
            page.app.model.set(control.name, control.values()[1])
    page.press("nk-key-button-link")
    link = next(content for content, _ in page.sent if content["do"] == "copy")
    assert link["link"] and link["text"].startswith(f"?q={id}")
    other = Page(link["text"])
    assert other.app.model.question.id == id
    assert other.app.model.settings == page.app.model.settings
    assert other.app.status.value.split(">", 1)[1] == page.app.status.value.split(">", 1)[1]


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("?q=lox", EXPLORE.phrase("error.question", id=brief("lox"))),
        ("?q=lox-sink&torpedoes=9", CORE.phrase("options.whole_number", low=0, high=3)),
        ("?q=lox-sink&" + "&".join(f"a{i}=1" for i in range(60)), UI.phrase("link.parts")),
    ],
)
def test_a_wrong_link_is_said_so_and_changes_nothing(query, says):
    page = Page(query)
    said(page.app.message.value, says)
    assert "nk-bad" in page.app.message.value
    first = next(iter(QUESTIONS.values()))
    assert page.app.model.question is first and page.app.model.settings == first.settings()
    assert all(page.app.model.all_settings[id] == each.settings() for id, each in QUESTIONS.items())


def test_a_link_whose_settings_do_not_go_together_opens_with_what_is_wrong():
    page = Page("?q=task-hit&seen=A1x+A2x+A3x+A4x+A5x+B1x")
    said(page.status, TASK, "wrong.marks")
    assert page.app.model.settings["seen"].startswith("A1x")


def test_a_link_brings_the_target_back_too(page):
    page.app.target.value = 60
    page.press("nk-key-button-link")
    link = next(content["text"] for content, _ in page.sent if content["do"] == "copy")
    assert link == "?q=lox-sink&aim=60"
    assert Page(link).app.target.value == 60
    said(Page("?q=lox-sink&aim=0").app.message.value, CORE, "options.whole_number", low=1, high=100)


@pytest.mark.parametrize("id", QUESTIONS)
def test_every_question_offers_everything_or_says_why_not(id):
    page = Page(f"?q={id}")
    app, question = page.app, QUESTIONS[id]
    assert all(EXPLORE(head) in app.words.value for head in ("head.how", "head.assumes"))
    assert app.goal.value and app.gains.value and app.tornado.value
    assert (app.target.layout.display == "none") == (not question.inverse)
    if not question.inverse:
        assert question.say("no_inverse") in app.goal.value
    gains = app.gains.value
    assert any(words in gains for words in (EXPLORE("text.points"), app._answer.unit, question.say("no_gain")))
    assert len(re.findall("<tr>", app.tornado.value)) >= 2


def test_the_targets_of_a_share_and_of_tons_do_not_disturb_each_other(page):
    page.app.target.value = 70
    page.app.model.choose("lox-patrol")
    assert (page.app.target.value, page.app.target.max, page.app.target.description) == (
        25000, 40000, EXPLORE("button.target", unit="t"))  # fmt: skip
    page.app.model.choose("fleet-broadside")
    assert (page.app.target.value, page.app.target.max, page.app.target.description) == (
        80, 100, EXPLORE("button.target", unit="%"))  # fmt: skip
    page.app.model.choose("lox-sink")
    assert page.app.target.value == 70 and page.app.target in page.app.ask_box.children


def test_at_the_end_of_a_slider_there_is_no_more(page):
    page.field("torpedoes").field.value = 3
    said(page.app.gains.value, EXPLORE, "gain.none")


def test_words_of_a_link_that_are_not_ours_are_left_alone():
    assert Page("?q=wolf-holds&utm_source=letter&card=sonar").app.model.settings["card"] == "sonar"


def test_every_chart_can_be_taken_along(page):
    for i, view in enumerate(page.app.plots[:2]):
        for kind in ("csv", "svg", "png"):
            page.press(f"nk-key-button-{kind}", view.widget)
        key = explore.answer("lox-sink").plots[i].key
        names = [name for name, _, _ in page.files()[-3:]]
        assert names == [f"lox-sink-{key}.{kind}" for kind in ("csv", "svg", "png")]
    (_, mime, table), (_, _, drawing), (_, _, bitmap) = page.files()[:3]
    assert mime == "text/csv" and table.decode().splitlines()[0].count(",") == 3
    assert drawing.startswith(b"<svg") and bitmap.startswith(b"\x89PNG")
    for kind in ("csv", "svg", "png"):
        page.press(f"nk-key-button-{kind}", page.app.run_box)
    assert [name for name, _, _ in page.files()[-3:]] == [f"lox-sink-run.{kind}" for kind in ("csv", "svg", "png")]
    for kind in ("csv", "svg", "png"):
        page.press(f"nk-key-button-{kind}", page.app.tornado_box)
    (name, _, table), (_, _, drawing), (_, _, bitmap) = page.files()[-3:]
    assert name == "lox-sink-sensitivity.csv" and table.decode().startswith(
        f"{','.join(EXPLORE(f'sides.{each}') for each in ('what', 'here', 'down', 'up'))}\n"
        f"{LOX_ASK('lox-sink.ship.label')},0.385"
    )
    assert f"+29.1 {EXPLORE('text.points')}".encode() in drawing and bitmap.startswith(b"\x89PNG")


def test_themes_and_a_narrow_page_repaint_the_charts(page):
    page.app.model.choose("patrol-depth")
    light = page.app.plots[0]._bars.colors[0]
    page.says("theme", theme="dark")
    assert page.app.plots[0]._bars.colors[0] != light
    wide = page.app.plots[0]._axes[0].num_ticks
    page.says("width", width=390)
    assert page.app.plots[0]._axes[0].num_ticks < (wide or 24)
    page.says("width", width=1280)
    assert page.app.plots[0]._axes[0].num_ticks == wide


# On the loop ---------------------------------------------------------------------------------------------------------


async def _until(condition):
    for _ in range(4000):
        if condition():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it did not come to that")


def test_a_run_converges_and_the_next_one_has_another_seed(page):
    app = page.app

    async def play():
        app.trials.value = 1000
        page.press("nk-key-button-run")
        assert app.run.running and app.run_button.description == EXPLORE("button.pause")
        await _until(lambda: not app.run.running)

    asyncio.run(play())
    assert app.run.done == 1000 and app.run.tally.n == 1000
    assert "n = 1,000" in app.run_text.value
    said(app.run_text.value, EXPLORE, "run.done")
    assert app.plots[0]._drawn.visible and app.run_view._line.visible
    exact = float(explore.answer("lox-sink").value)
    assert abs(app.run.tally.mean - exact) < 4.5 * app.run.tally.error
    mean, seed = app.run.tally.mean, app.run.seed

    async def again():
        page.press("nk-key-button-run")
        await _until(lambda: not app.run.running)

    asyncio.run(again())
    assert app.run.seed == seed + 1 and app.run.done == 1000 and app.run.tally.mean != mean


def test_a_run_can_be_paused_and_resumed(page):
    app = page.app

    async def play():
        app.trials.value = 1_000_000
        page.press("nk-key-button-run")
        await _until(lambda: app.run.done > 0)
        page.press("nk-key-button-run")
        done = app.run.done
        await asyncio.sleep(0.05)
        said(app.run_text.value, EXPLORE, "run.paused")
        assert app.run.done == done and app.run_button.description == EXPLORE("button.go-on")
        page.press("nk-key-button-run")
        await _until(lambda: app.run.done > done)
        app.run.clear()

    asyncio.run(play())


def test_a_slider_moved_during_a_run_begins_it_anew(page):
    app = page.app

    async def play():
        app.trials.value = 1_000_000
        page.press("nk-key-button-run")
        await _until(lambda: app.run.done > 200)
        page.field("torpedoes").field.value = 3
        assert app.run.running and app.run.done == 0
        await _until(lambda: app.run.done > 200)
        exact = float(explore.answer("lox-sink", torpedoes=3).value)
        assert abs(app.run.tally.mean - exact) < 6 * app.run.tally.error
        app.model.choose("lox-escape")
        assert not app.run.running and app.run.done == 0

    asyncio.run(play())


def test_a_long_run_keeps_its_curve_short(page):
    run, question = page.app.run, QUESTIONS["fleet-salvo"]
    run.n = 100_000
    run.of(question, question.settings())
    for _ in range(400):
        run._size = 10
        run.chunk(question, question.settings())
    trials = [point[0] for point in run.curve]
    assert len(trials) <= 121 and trials == sorted(set(trials)) and trials[-1] == run.done == 4000


@pytest.fixture
def late(monkeypatch):
    """What is not there at once is late."""
    monkeypatch.setattr(desk, "LATE", -1.0)
    monkeypatch.setattr(desk, "LOOK", -1.0)
    monkeypatch.setattr(desk, "SLICE", 0.0)


def test_a_slow_answer_comes_when_it_comes_and_can_be_stopped(page, late):
    app = page.app
    question = QUESTIONS["fleet-duel"]
    settings = question.settings({"first": "Auk", "second": "Shark", "range": 1})
    ask._KEPT.pop(ask._key(question, settings), None)

    async def play():
        app.model.all_settings["fleet-duel"] = settings
        app.model.choose("fleet-duel")
        await _until(lambda: EXPLORE("waiting") in page.status)
        assert app.waiting.widget.layout.visibility == "visible"
        await _until(lambda: "nk-explore-big" in app.status.value and "…" not in page.status)
        assert page.bars() == list(ask.answer(question, settings).plots[0].y)
        await _until(lambda: app.desk.idle)
        assert FLEET_ASK("range.label") in app.tornado.value and app.waiting.widget.layout.visibility == "hidden"
        app.model.set("damage", 50)
        await _until(lambda: EXPLORE("waiting") in page.status)
        page.press("nk-key-stop")
        said(page.status, EXPLORE, "stopped")
        assert app.desk.idle

    asyncio.run(play())


def test_what_is_of_other_settings_looks_old_and_what_is_of_another_question_goes(page, late):
    app = page.app
    question = QUESTIONS["fleet-duel"]
    settings = question.settings({"first": "Auk", "second": "Shark", "range": 2})
    ask._KEPT.pop(ask._key(question, settings), None)

    def old(widget):
        return "nk-explore-old" in widget._dom_classes

    async def play():
        said(app.gains.value, LOX_ASK, "lox-sink.gains.torpedo")
        assert not any(map(old, app._answered()))
        app.model.all_settings["fleet-duel"] = settings
        app.model.choose("fleet-duel")
        assert app.goal.value == app.gains.value == app.tornado.value == ""
        page.press("nk-key-button-csv", app.plots[0].widget)
        said(app.message.value, EXPLORE, "said.early")
        assert not page.files()
        page.press("nk-key-button-pin")
        said(app.message.value, EXPLORE, "said.early")
        assert app.model.pins == []
        await _until(lambda: all(map(old, app._answered())))
        await _until(lambda: "nk-explore-big" in app.status.value and "…" not in page.status)
        assert not any(map(old, app._answered()))
        await _until(lambda: app.desk.idle)
        assert app.gains.value and not old(app.gains)
        told = app.gains.value
        app.model.set("damage", 50)
        await _until(lambda: app.desk.busy("beside") and app.waiting.widget.layout.visibility == "visible")
        said(app.waiting.text.value, UI, "waiting", what=UI("waiting.beside"))
        page.press("nk-key-stop")
        assert app.gains.value == told and old(app.gains) and old(app.tornado_box)
        page.press("nk-key-button-csv", app.tornado_box)
        said(app.message.value, EXPLORE, "said.early-tornado")
        assert not page.files()

    asyncio.run(play())


def test_what_lies_beside_the_answer_is_calculated_after_it(page):
    app = page.app

    async def play():
        app.model.choose("fleet-salvo")
        await _until(lambda: app.desk.busy("beside") or app.gains.value)
        app.model.set("guns", 9)  # what is under way is dropped
        await _until(lambda: app.desk.idle)
        said(app.gains.value, FLEET_ASK, "gains.gun")
        said(app.tornado.value, FLEET_ASK, "fleet-salvo.points.label")
        found = explore.inverse("fleet-salvo", 0.8, guns=9)
        assert f"{found.least}" in app.goal.value

    asyncio.run(play())


def test_the_page_is_counted_on_every_change(page):
    before = page.count
    page.field("torpedoes").field.value = 0
    assert page.count > before
    page.says("copied", ok=True, text="http://x/?q=lox-sink", what="link")
    said(page.app.message.value, UI, "copy.short")


# In another language -------------------------------------------------------------------------------------------------


def test_a_page_in_german_says_everything_in_german():
    page = Page("?q=lox-sink&lang=de")
    app = page.app

    def shown() -> list[str]:
        """What stands there, which must be what stands there in the present language."""
        assert CORE("chance.about", hits=7, of=18) in page.status and "39 %" in page.status
        assert EXPLORE("head.how") in app.words.value
        assert LOX_ASK("lox-sink.gains.torpedo").lower() in app.gains.value.lower()
        assert page.field("torpedoes").field.description == LOX_ASK("lox-sink.torpedoes.label")
        assert app.run_button.description == EXPLORE("button.run")
        assert app.chooser.description == EXPLORE("button.question")
        return [page.status, app.gains.value, app.run_button.description, app.chooser.description]

    with speaking(Voice("de")):
        german = shown()
    page.press("nk-key-button-lang")
    assert all(one != other for one, other in zip(german, shown(), strict=True))
    page.press("nk-key-button-lang")
    app.model.choose("wolf-holds")
    with speaking(Voice("de")):
        assert EXPLORE("head.how") in app.words.value and app.lang_switch.layout.display != "none"


def test_the_german_sentences_are_whole():
    question = QUESTIONS["lox-sink"]
    for words in (question.words, SAY):
        assert words.tables["de"].keys() == words.tables["en"].keys()
