"""The explorer before a class: picture, number and columns agree; while a class guesses nothing tells the answer."""

from __future__ import annotations
import html as escaped
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from navalkit import explore
from navalkit.core.errors import OptionError
from navalkit.core.words import in_words
from navalkit.explore import QUESTIONS, ask, picture
from navalkit.testing import said
from navalkit.ui.explore.app import EARLY, Explorer
from navalkit.ui.explore.guesses import KEY, KIND
from navalkit.ui.explore.lectern import SLIDERS, Guessing, Lectern, Stand, front, middle
from navalkit.view.painters import svg
from ...sentences import EXPLORE
from .test_app import Page

MOVED = ("fleet-broadside", "fleet-salvo", "patrol-torpedo", "patrol-charges", "task-hit", "lox-sink", "wolf-holds")
MOVES = 100


class Class:
    """A lectern on which a hand moves the sliders, and every answer is there at once."""

    def __init__(self, id):
        self.question = QUESTIONS[id]
        self.settings = self.question.settings()
        self.lectern = Lectern(self.moved)
        self.show()

    def moved(self, name, value):
        self.settings = {**self.settings, name: value}
        self.show()

    def show(self, **more):
        self.answer = ask.answer(self.question, self.settings)
        self.lectern.show(Stand(self.question, self.settings, self.answer, **more), "light")

    def slide(self, name, index):
        self.lectern._handle_custom_msg({"event": "slide", "name": name, "index": index}, [])


def test_picture_number_and_column_agree_after_a_hundred_random_moves():
    rng, left = np.random.default_rng(26), MOVES
    while left:
        for id in MOVED[: left]:
            if not left:
                break
            it = Class(id)
            for _ in range(min(left, 15)):
                left -= 1
                control = front(it.question)[int(rng.integers(len(front(it.question))))]
                index = int(rng.integers(len(control.values())))
                it.slide(control.name, index)
                agrees(it)


def agrees(it):
    told, answer = it.lectern.told, it.answer
    assert answer is ask.answer(it.question, it.settings)
    assert told["big"] == ask.amount(answer.value, answer.unit)
    assert told["sub"] == ("" if answer.unit else in_words(ask.chance(answer.value)))
    plot = picture.shown_plot(answer.plots)
    if plot.at is not None and not (id_ := it.question.id) == "wolf-complete":
        assert plot.y[plot.at] == pytest.approx(float(answer.value), abs=1e-9), id_
        assert f">{escaped.escape(picture.number(plot.y[plot.at], plot.unit))}</text>" in it.lectern.columns
    for row, control in zip(it.lectern.sliders, front(it.question), strict=True):
        assert row["values"][row["index"]] == control.shown(it.settings[control.name])
    drawn = it.question.picture(it.settings, answer, it.lectern._rooms["picture"])
    assert it.lectern.picture == svg(drawn, "light", background=False)


def test_every_gun_of_a_salvo_has_its_shell_and_every_torpedo_its_track():
    for id, name in (("fleet-salvo", "guns"), ("patrol-torpedo", "spread"), ("fleet-torpedoes", "tubes")):
        question = QUESTIONS[id]
        for n in question.control(name).values():
            drawn = question.picture({**question.settings(), name: n}, None, (917.0, 298.0))
            assert sum(shape.style.fill == "accent" for shape in drawn.shapes()) == n


@pytest.mark.parametrize("id", [id for id, each in QUESTIONS.items() if each.picture])
def test_every_picture_holds_in_its_room_and_is_drawn_without_an_answer(id):
    question = QUESTIONS[id]
    for room in ((917.0, 298.0), (390.0, 170.0), (506.0, 266.0)):
        drawn = question.picture(question.settings(), None, room)
        assert (drawn.width, drawn.height) == room and drawn.title == question.title and drawn.desc
        sizes = {shape.size for shape in drawn.shapes() if hasattr(shape, "size") and shape.text and shape.style.fill}
        assert min(sizes) >= (12 if room[0] < picture.PHONE or id.startswith("wolf") else 20)


def test_a_game_has_a_picture_and_a_way_in_from_a_position():
    for game in {each.game for each in QUESTIONS.values()}:
        own = [each for each in QUESTIONS.values() if each.game == game]
        assert any(each.picture for each in own) and any(each.here for each in own)


def test_there_are_no_more_sliders_than_a_class_can_follow():
    for question in QUESTIONS.values():
        assert 1 <= len(front(question)) <= SLIDERS


def test_a_slide_that_is_none_changes_nothing():
    it = Class("lox-sink")
    before = it.settings
    for name, index in (("torpedoes", 4), ("torpedoes", -1), ("torpedoes", "1"), ("seen", 0), ("nothing", 0)):
        it.slide(name, index)
    assert it.settings is before


# A class guesses ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [True, False])
@pytest.mark.parametrize("id", ["fleet-broadside", "task-hit", "lox-sink"])
def test_nothing_of_the_screen_depends_on_the_answer_before_a_class_is_told(id, asked):
    it, seen = Class(id), []
    for value in (it.answer.value, Fraction(1, 97)):
        plots = tuple(replace(plot, y=tuple(0.9 * float(value) + 0.01 for _ in plot.y)) for plot in it.answer.plots)
        other = replace(it.answer, value=value, plots=plots, cells=dict.fromkeys(it.answer.cells, float(value)))
        it.lectern.show(Stand(it.question, it.settings, other, idle=("range", "square"),
                              guessing=Guessing(3, 5) if asked else None, veiled=True), "light")
        seen.append((it.lectern.told, it.lectern.picture, it.lectern.columns, it.lectern.guesses, it.lectern.sliders))
    assert seen[0] == seen[1]
    if asked:
        said(it.lectern.told["sub"], EXPLORE, "guess.come", n=3, of=5)
    assert [row["locked"] for row in it.lectern.sliders] == [asked] * len(it.lectern.sliders)


def test_the_middle_guess():
    assert [middle(some) for some in ([5], [1, 2], [9, 1, 5], [0, 0, 100, 100], [35, 20, 35, 60])] == [5, 2, 5, 50, 35]


def test_guesses_lie_in_stacks_and_the_truth_is_a_line():
    drawn = picture.guessed([20, 21, 35, 99, 100], 0.29, (300.0, 110.0), 20.0)
    dots = [shape for shape in drawn.shapes() if hasattr(shape, "r") and not hasattr(shape, "w")]
    assert len(dots) == 5 and sorted({dot.x for dot in dots}) == pytest.approx([20 + 260 * 0.2, 20 + 260 * 0.35, 280])
    truth = next(shape for shape in drawn.shapes() if shape.style.stroke == "accent")
    assert truth.points[0][0] == pytest.approx(20 + 260 * 0.29)


def test_guesses_that_have_no_room_above_each_other_are_a_number():
    """Dots that lie on one another would be one guess."""
    drawn = picture.guessed([60, 60, 60, 60, 20], 0.29, (300.0, 60.0), 20.0)
    dots = [shape for shape in drawn.shapes() if hasattr(shape, "r") and not hasattr(shape, "w")]
    written = [shape.text for shape in drawn.shapes() if hasattr(shape, "text")]
    assert len(dots) == 2 and written == ["0", "50", "100", "×4"]


@pytest.fixture
def page(monkeypatch, tmp_path):
    monkeypatch.setenv("NAVALKIT_ROOMS", str(tmp_path))
    monkeypatch.setenv("NAVALKIT_RAISE", "1")
    made = Page("?q=fleet-salvo&class=1")
    yield made
    if made.app.guesses.room is not None:
        made.app.guesses.room.rooms.close()


def test_a_class_guesses_before_a_slider_moves(page):
    app, room = page.app, page.app.guesses.room
    assert app.large and room is not None
    for _ in range(3):
        room.rooms.sit(room.code)
    value = explore.answer("fleet-salvo").value
    page.press("nk-key-button-guess")
    assert room.question.kind == KIND and room.question.scale == "%" and len(room.question.choices) == 101
    assert app.lectern.told["big"] == "?" and "nk-explore-asking" in app.widget._dom_classes
    assert ask.amount(value, "") not in page.status
    app.lectern._handle_custom_msg({"event": "slide", "name": "guns", "index": 3}, [])
    assert app.model.settings["guns"] == 6, "the slider stands still"
    said(app.message.value, EXPLORE, "guess.locked")
    for seat, guess in enumerate(("10", "30", "50"), 1):
        room.rooms.answer(room.code, room.round, seat, guess)
    app.guesses.show()
    said(app.lectern.told["sub"], EXPLORE, "guess.come", n=3, of=3)
    assert not app.lectern.guesses
    page.press("nk-key-button-reveal")
    assert app.lectern.told["big"] == ask.amount(value, "")
    said(app.lectern.told["sub"], EXPLORE, "guess.middle", middle=30)
    assert app.lectern.guesses.count("<circle") == 3
    said(room.result.text, EXPLORE, "guess.told", middle=30)
    app.lectern._handle_custom_msg({"event": "slide", "name": "guns", "index": 3}, [])
    assert app.model.settings["guns"] == 3 and not app.lectern.guesses


@pytest.mark.parametrize("query", ["", "?q=lox-sink", "?q=fleet-salvo&guns=9&class=1"])
def test_a_page_loaded_anew_goes_on_with_the_guess_and_tells_nothing(page, query):
    """Its Python was ended while the class guessed: the new one shows what was asked, and tells it when asked to."""
    room = page.app.guesses.room
    page.app.lectern._handle_custom_msg({"event": "slide", "name": "guns", "index": 11}, [])
    page.press("nk-key-button-guess")
    room.rooms.sit(room.code)
    room.rooms.answer(room.code, room.round, 1, "40")
    value = ask.amount(explore.answer("fleet-salvo", guns=11).value, "")
    again = Page(query, stored={KEY: room.code}, again=True)
    app, taken = again.app, again.app.guesses.room
    assert (taken.code, taken.round) == (room.code, room.round) and app.large and EARLY not in app.widget._dom_classes
    assert app.guesses.locks() and app.model.question.id == "fleet-salvo" and app.model.settings["guns"] == 11
    assert app.lectern.told["big"] == "?" and "nk-explore-asking" in app.widget._dom_classes
    assert not re.search(r"\d %", again.status)
    app.guesses.show()
    said(app.lectern.told["sub"], EXPLORE, "guess.come", n=1, of=1)
    again.press("nk-key-button-reveal")
    assert app.lectern.told["big"] == value
    said(taken.result.text, EXPLORE, "guess.told", value=value, middle=40)
    assert len(taken.report()) == 1, "the class is not asked anew"
    taken.rooms.close()


def test_nothing_is_seen_of_a_page_that_has_not_heard_whether_a_class_guesses(monkeypatch, tmp_path):
    monkeypatch.setenv("NAVALKIT_ROOMS", str(tmp_path))
    early = Explorer()
    assert EARLY in early.widget._dom_classes
    with pytest.raises(OptionError):  # a link that is wrong is said, on a page that is there
        early.met("?q=no-such-question", {}, another_tab=False)
    assert EARLY not in early.widget._dom_classes


def test_what_is_asked_with_other_settings_is_another_question(page):
    room = page.app.guesses.room
    page.press("nk-key-button-guess")
    again = Page("?q=fleet-salvo", stored={KEY: room.code})
    again.press("nk-key-button-reveal")
    again.app.lectern._handle_custom_msg({"event": "slide", "name": "guns", "index": 2}, [])
    again.press("nk-key-button-guess")
    assert again.app.guesses.room.round == room.round + 1
    again.app.guesses.room.rooms.close()


def test_what_is_no_percentage_is_not_guessed(page):
    page.app.model.choose("task-look")
    page.press("nk-key-button-guess")
    said(page.app.message.value, EXPLORE, "guess.unit", unit="bits")
    assert page.app.guesses.room.question is None


# Two sliders give a map; a slider that changes nothing says so --------------------------------------------------------


def test_a_map_holds_the_exact_answers_and_a_cell_brings_its_settings():
    page = Page("?q=lox-sink")
    page.press("nk-key-button-map")
    app, (across, down) = page.app, page.app.model.map
    assert across == "torpedoes" and app.map_box.layout.display != "none"
    cells = app.map_board.notes
    for (x, y), value in app._found.items():
        assert value == explore.answer("lox-sink", **{across: x, down: y}).value
        xs, ys = (list(dict.fromkeys(key[n] for key in app._found)) for n in (0, 1))
        assert cells[f"{xs.index(x)} {ys.index(y)}"][2] == ask.amount(value, "")
    assert len(cells) == len(app._found) == 4 * len(QUESTIONS["lox-sink"].control(down).values())
    app.map_board._handle_custom_msg({"event": "mark", "cell": "3 1", "by": 1}, [])
    assert (app.model.settings[across], app.model.settings[down]) == (3, 1)
    page.press("nk-key-button-csv", app.map_box)
    assert page.files()[-1][0] == "lox-sink-map.csv" and page.files()[-1][2].decode().count("\n") == 4
    page.press("nk-key-button-map")
    assert app.model.map is None and app.map_box.layout.display == "none"


def test_a_map_of_many_values_takes_every_second_or_third():
    control = QUESTIONS["patrol-torpedo"].control("range")
    assert ask.axis(control, 21) == tuple(range(0, 101, 5)) and len(ask.axis(control, 12)) <= 12


def idle_by_hand(question, settings):
    """Every value of every slider tried."""
    here, found = ask.answer(question, settings).value, []
    for control in question.controls:
        if any(each is not None for each in control.near(settings[control.name])):
            values = [ask.value(question, {**settings, control.name: to}) for to in control.values()]
            if values and all(each is None or abs(float(each) - float(here)) <= 1e-12 for each in values):
                found.append(control.name)
    return tuple(found)


@pytest.mark.parametrize(("id", "given"), [
    ("lox-sink", {"ship": "JH"}), ("lox-sink", {}), ("fleet-salvo", {"guns": 0}), ("fleet-salvo", {"points": 1}),
    ("patrol-charges", {"on": 0, "beside": 0}), ("patrol-torpedo", {"spread": 0}), ("wolf-holds", {"cards": 0}),
])  # fmt: skip
def test_a_slider_that_changes_nothing_is_found(id, given):
    question = QUESTIONS[id]
    settings = question.settings(given)
    steps = ask.idle(question, settings)
    try:
        while True:
            next(steps)
    except StopIteration as stop:
        assert stop.value == idle_by_hand(question, settings)
        assert (not given) == (not stop.value) or id == "fleet-salvo"


def test_a_slider_that_changes_nothing_says_so():
    page = Page("?q=lox-sink&ship=JH")
    assert "torpedoes" in page.app._idle
    assert page.field("torpedoes")._idle.layout.display != "none"
    page.app.model.set("ship", "QH")
    assert page.app._idle == () and page.field("torpedoes")._idle.layout.display == "none"
