"""Every question of every game: its answer, its simulation, its sentences, and all that is asked of it."""

from __future__ import annotations
import csv
import io

import numpy as np
import pytest

from navalkit import explore
from navalkit.core.awaited import finish
from navalkit.core.errors import DataError, NotationError, OptionError, brief
from navalkit.core.words import Words
from navalkit.explore import QUESTIONS, ask, picture
from navalkit.explore.question import Choice, Marks
from navalkit.games.task_force import questions as drawing
from navalkit.testing import refused
from navalkit.view.files import png
from navalkit.view.painters import svg
from ..sentences import CORE, EXPLORE, LOX, LOX_ASK, TASK

OTHER = {
    "lox-sink": {"ship": "8D", "torpedoes": 3, "seen": "5H 5S JC 8C", "jokers": 2, "nob": True},
    "lox-escape": {"torpedoes": 2, "seen": "AC 2C 3D", "jokers": 2, "nob": True},
    "lox-patrol": {"threshold": 35, "king_ships": True},
    "fleet-broadside": {"attacker": "Hood", "target": "Bismarck", "range": 6, "bearing": "astern", "guns_lost": 1,
                        "damage": 40, "moves": 9},
    "fleet-salvo": {"gun": "15in SK C/34", "guns": 4, "range": 8, "points": 36},
    "fleet-torpedoes": {"torpedo": "Mk 15", "tubes": 10, "aspect": "diagonal", "target": "Suffolk", "damage": 20},
    "fleet-duel": {"first": "Suffolk", "second": "Norfolk", "range": 5, "damage": 10},
    "fleet-air": {"kind": "Val", "aircraft": 20, "target": "Shokaku", "damage": 20, "weather": "rough",
                  "wanted": "sunk"},
    "fleet-cover": {"kind": "Kate", "aircraft": 12, "target": "Akagi", "consorts": 4, "fighters": 9, "radar": False},
    "fleet-boat": {"gear": "Squid 1944", "hunters": 3, "moves": 9, "boat": "Gato"},
    "fleet-where": {"gear": "asdic 1943", "moves": 4, "searches": 3},
    "fleet-deck": {"kind": "Val", "aircraft": 18, "target": "Yorktown", "ranged": False, "weather": "night"},
    "fleet-call": {"call": 4, "fighters": 12},
    "patrol-torpedo": {"type": "G7e", "spread": 5, "range": 25, "aspect": "quarter", "ship": "liner", "year": 1940},
    "patrol-charges": {"weapon": "hedgehog", "on": 2, "beside": 1, "attacks": 4, "hull": 7},
    "patrol-depth": {"boat": "gato", "depth": 350, "hull": 6, "distance": 4, "weapon": "squid"},
    "task-hit": {"square": "B2", "seen": "A1- C3x"},
    "task-look": {"square": "D4", "seen": "A1- C3x"},
    "task-scratches": {"scratches": 3, "seen": "A1- C3x"},
    "task-real": {"column": "C", "row": 2, "rows": "8", "columns": "8", "deep": "5", "fleet": "small",
                  "submarines": "2", "seen": "B2x C4-"},
    "wolf-complete": {"side": "convoy", "turns": 7, "laid": 1, "hand": "u-boat water", "seen": "charges charges"},
    "wolf-holds": {"side": "convoy", "card": "sweep", "kept": True, "seen": "sonar water", "cards": 4, "laid": 2},
}  # fmt: skip
"""A second setting of every question, far from its defaults."""
CASES = [(id, given) for id in QUESTIONS for given in ({}, OTHER[id])]
NAMED = [f"{id}-{'other' if given else 'default'}" for id, given in CASES]


# Every question ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("id", "given"), CASES, ids=NAMED)
def test_an_answer_is_whole_and_consistent(id, given):
    answer = explore.answer(id, **given)
    assert answer.said and answer.how and answer.assumes and answer.plots
    assert len({plot.key for plot in answer.plots}) == len(answer.plots) <= 3
    if not answer.unit:
        assert 0 <= answer.value <= 1
    for plot in answer.plots:
        assert len(plot.x) == len(plot.y) == len(set(plot.x))
        assert plot.unit or all(-1e-12 <= y <= 1 + 1e-9 for y in plot.y)
    lit = [plot.y[plot.at] for plot in answer.plots if plot.at is not None and plot.unit == answer.unit]
    assert any(abs(y - float(answer.value)) < 1e-9 for y in lit)


SEA = drawing.drawn("", np.random.default_rng(1), 1)[0]
MORE = {
    "lox-sink": [{"ship": "JC"}],
    "fleet-broadside": [{"attacker": "Auk", "bearing": "astern"}, {"range": 9}],
    "fleet-call": [{"call": 0}],
    "fleet-duel": [{"first": "Musashi", "second": "Musashi", "range": 9}],
    "patrol-torpedo": [{"range": 100, "type": "Mk18"}, {"range": 1}, {"spread": 0}],
    "patrol-charges": [{"weapon": "hedgehog", "depth": 600}],
    "patrol-depth": [{"depth": 600, "hull": 1}],
    "task-real": [{"rows": "6", "columns": "6", "deep": "3", "fleet": "tiny", "submarines": "1", "missiles": "1"},
                  {"row": 3, "seen": "D4x D5x A1- B7- J10s G3m C4- H2x H3x"}],
    "task-scratches": [{"seen": " ".join(n + "xms-"[k] for n, k in zip(drawing.NAMES, SEA, strict=True))}],
    "wolf-complete": [{"hand": "periscope torpedo transport", "turns": 0}],
    "wolf-holds": [{"kept": False}],
}
"""Settings that need the sentences nothing else needs."""


@pytest.mark.parametrize("game", sorted({each.game for each in QUESTIONS.values()}))
def test_every_sentence_is_said_and_nothing_is_missing(game, monkeypatch):
    asked = set()
    find = Words._find
    monkeypatch.setattr(Words, "_find", lambda self, key, lang: (asked.add((id(self), key)), find(self, key, lang))[1])
    questions = [each for each in QUESTIONS.values() if each.game == game]
    for question in questions:
        for control in question.controls:
            assert control.label, f"{question.id}: {control.name} has no label"
            for part in ("unit", "help", *(f"mark.{i}" for i in range(5))):
                control.say(part)
            for value in control.values():
                assert control.shown(value)
        for part in ("title", "no_inverse", "no_gain", "sides.what", "sides.down", "sides.up"):
            question.say(part)
        for given in ({}, OTHER[question.id], *MORE.get(question.id, [])):
            ask._KEPT.clear()
            answer = ask.answer(question, question.settings(given))
            assert all((answer.said, answer.exactness, *answer.how, *answer.assumes))
            assert all(name and text for name, text in answer.beside) and all(plot.title for plot in answer.plots)
            assert all(each.name for each in ask.gain(question, question.settings(given)))
            list(ask.variants(question, question.settings(given)))
            assert question.say("short", **answer.facts)
            if question.picture is not None:
                assert question.picture(question.settings(given), answer, (917, 298)).title == question.title
    words = questions[0].words
    assert not {key for key in words.tables["en"] if (id(words), key) not in asked}
    assert all(question.words is words for question in questions)


@pytest.mark.parametrize(("id", "given"), CASES, ids=NAMED)
def test_the_simulation_agrees_with_the_answer_and_with_every_chart(id, given):
    answer = explore.answer(id, **given)
    tally = explore.simulate(id, 1500 if id.startswith("task") else 6000, seed=7, **given)
    assert 0 < tally.n <= tally.tried
    assert abs(tally.mean - float(answer.value)) <= 4 * (tally.error**2 + answer.error**2) ** 0.5
    compared = 0
    for plot, counts in zip(answer.plots, tally.bars, strict=True):
        if counts is not None:
            sample = tally.n if not answer.n else tally.n * answer.n / (tally.n + answer.n)
            for count, y in zip(counts, plot.y, strict=True):
                p = min(max(y, 1 / tally.n), 1 - 1 / tally.n)
                assert abs(count / tally.n - y) <= 5 * (p * (1 - p) / sample) ** 0.5
                compared += 1
    assert compared or id == "task-look"


@pytest.mark.parametrize("id", QUESTIONS)
def test_every_value_of_every_control_survives_a_link(id):
    for control in QUESTIONS[id].controls:
        for value in [*control.values(), control.default, OTHER[id].get(control.name, control.default)]:
            assert control.check(control.text(value)) == control.check(value)


@pytest.mark.parametrize("id", QUESTIONS)
def test_once_all_beside_the_answer_is_calculated_nothing_more_is(id):
    question, settings = QUESTIONS[id], QUESTIONS[id].settings(OTHER[id])
    ask.answer(question, settings)
    finish(ask.beside(question, settings))
    before = set(ask._KEPT)
    if question.inverse:
        ask.inverse(question, settings, 0.5)
    ask.gain(question, settings)
    ask.sensitivity(question, settings)
    assert set(ask._KEPT) == before


@pytest.mark.parametrize("id", [id for id, each in QUESTIONS.items() if each.inverse])
def test_the_inverse_is_the_smallest_value_that_reaches_the_target(id):
    question = QUESTIONS[id]
    control = question.control(question.inverse)
    values = {each: explore.answer(id, **{control.name: each}).value for each in control.values()}
    for target in (min(values.values()), sum(map(float, values.values())) / len(values), max(values.values())):
        found = explore.inverse(id, target)
        assert found.least == next(each for each in control.values() if values[each] >= target)
        assert found.reached == values[found.least]
    beyond = explore.inverse(id, max(values.values()) + 1)
    assert beyond.least is None and beyond.reached == max(values.values()) == values[beyond.best]


def test_the_gain_of_one_more_is_a_difference_of_answers():
    one = explore.gain("lox-sink", torpedoes=1)[0]
    assert (one.name, one.to) == (LOX_ASK("lox-sink.gains.torpedo"), 2)
    assert one.before == explore.answer("lox-sink", torpedoes=1).value
    assert one.after == explore.answer("lox-sink", torpedoes=2).value
    assert explore.gain("lox-sink", torpedoes=3) == ()


def test_the_sensitivity_puts_the_greatest_change_first():
    found = explore.sensitivity("lox-sink", seen="5C 5D 5H")
    assert [each.size for each in found] == sorted((each.size for each in found), reverse=True)
    by = {each.control.name: each for each in found}
    assert by["torpedoes"].up == (3, explore.answer("lox-sink", seen="5C 5D 5H", torpedoes=3).value)
    assert by["seen"].down == ("", explore.answer("lox-sink").value)
    assert by["jokers"].down is None
    assert [side[0] for side in (by["ship"].down, by["ship"].up)] == ["JH", "KH"]  # a rank at a time


@pytest.mark.parametrize("id", QUESTIONS)
def test_what_a_question_does_not_offer_it_explains(id):
    question = QUESTIONS[id]
    assert bool(question.inverse) != bool(question.say("no_inverse"))
    assert bool(question.gains) != bool(question.say("no_gain"))


def test_the_marks_of_a_ship_and_of_her_salvo_move_the_odds_the_right_way():
    assert explore.answer("lox-sink", nob=True).value > explore.answer("lox-sink").value
    assert explore.answer("fleet-broadside", guns_lost=4).value < explore.answer("fleet-broadside").value
    assert explore.answer("fleet-torpedoes", range=9).value == 0
    assert explore.answer("patrol-torpedo", range=1).value == 0  # not armed yet
    assert explore.answer("patrol-charges", weapon="hedgehog", depth=600).value == 0


# Wrong words ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id", "given", "says"),
    [
        ("lox-snk", {}, EXPLORE.phrase("error.question", id=brief("lox-snk"), ids=", ".join(QUESTIONS))),
        ("lox-sink", {"shape": 1}, EXPLORE.phrase("error.control", names="ship, torpedoes, seen, jokers, nob")),
        ("lox-sink", {"torpedoes": 4}, CORE.phrase("options.whole_number", low=0, high=3)),
        ("lox-sink", {"ship": "1X"}, LOX.phrase("wrong.card")),
        ("lox-sink", {"seen": "5C 5C"}, EXPLORE.phrase("error.twice")),
        ("lox-sink", {"seen": "5C X1"}, EXPLORE.phrase("error.mark")),
        ("lox-patrol", {"threshold": 42}, EXPLORE.phrase("error.steps", step=5)),
        ("fleet-duel", {"first": "Yamato"}, EXPLORE.phrase("error.choices", name="first")),
        ("task-hit", {"seen": "A1q"}, EXPLORE.phrase("error.mark", example="A1-")),
        ("task-hit", {"square": "Z9"}, CORE.phrase("square.notation", names="E5")),
        ("wolf-complete", {"hand": "sonar " * 15}, EXPLORE.phrase("error.many", most=14)),
        ("wolf-complete", {"turns": True}, CORE.phrase("options.whole_number")),
    ],
)
def test_a_wrong_word_is_answered_with_a_right_one(id, given, says):
    with refused(OptionError, says):
        explore.answer(id, **given)


def test_settings_that_do_not_go_together_are_the_games_own_error():
    with refused(DataError, TASK, "wrong.marks"):
        explore.answer("task-hit", seen=" ".join(f"{row}{column}-" for row in "ABCDE" for column in range(1, 6)))
    with refused(OptionError, EXPLORE, "error.trials"):
        explore.simulate("lox-sink", 0)
    with refused(OptionError, EXPLORE, "error.inverse"):
        explore.inverse("task-hit", 0.5)
    question = QUESTIONS["task-hit"]
    assert ask.value(question, question.settings({"seen": "A1x B1x C1x D1x E1x A2x"})) is None


def test_other_spellings_are_read():
    assert QUESTIONS["lox-sink"].settings({"ship": "10h", "seen": ["5c", "10D"]})["seen"] == "5C TD"
    assert QUESTIONS["fleet-duel"].settings({"first": "suffolk"})["first"] == "Suffolk"
    assert QUESTIONS["task-hit"].settings({"seen": "c3x, a1-"})["seen"] == "A1- C3x"
    assert QUESTIONS["wolf-complete"].settings({"hand": "water sonar water"})["hand"] == "sonar water water"
    board = QUESTIONS["task-hit"].control("seen")
    assert isinstance(board, Marks) and board.levels("A1- C3m") == {"A1": 1, "C3": 4}
    with pytest.raises(OptionError):
        Choice("x", "a", {"a": "A"}, read=_refuse).check("a")


def _refuse(word: str) -> str:
    raise NotationError("nothing can be read.")


@pytest.mark.parametrize("id", QUESTIONS)
def test_every_chart_becomes_a_picture_and_a_table(id):
    answer = explore.answer(id, **OTHER[id])
    tally = explore.simulate(id, 200, **OTHER[id])
    for plot, counts in zip(answer.plots, tally.bars, strict=True):
        simulated = picture.shares(counts, tally.n, len(plot.x))
        pinned = picture.beside(plot, plot)
        scene = picture.picture(plot, simulated, [pinned])
        drawn = svg(scene, "dark")
        assert plot.title.split("&")[0] in drawn and drawn.count("<rect") >= len(plot.x)
        rows = list(csv.reader(io.StringIO(picture.csv_text(plot, simulated, [pinned]))))
        assert len(rows) == len(plot.x) + 1
        assert [float(row[1]) for row in rows[1:]] == list(plot.y) == [float(row[3]) for row in rows[1:]]
        marks = picture.ticks(plot, simulated, pinned)
        assert marks[0] == 0 and marks[-1] >= max(plot.y) - 1e-9 and len(marks) >= 2
    assert png(picture.picture(answer.plots[0])).startswith(b"\x89PNG")
