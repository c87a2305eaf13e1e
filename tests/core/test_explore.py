"""The explorer's questions: exact answers against slow twins and simulations, and all that is asked of them."""

from __future__ import annotations

import csv
import io
import itertools
from fractions import Fraction
from math import log2

import numpy as np
import pytest

from navalkit import explore
from navalkit.core.errors import DataError, NavalkitError, NotationError, OptionError
from navalkit.explore import QUESTIONS, ask, duels, fleet, patrol, picture, task, text
from navalkit.explore.bins import binned
from navalkit.explore.controls import Choice, Marks
from navalkit.explore.question import Tally
from navalkit.games.fleet_action import odds as fleet_odds
from navalkit.games.on_patrol import odds as patrol_odds
from navalkit.games.task_force.state import UNSEEN
from navalkit.games.uss_lox import cards, cribbage
from navalkit.view.png import png
from navalkit.view.svg import svg

OTHER = {
    "lox-sink": {"ship": "8D", "torpedoes": 3, "seen": "5H 5S JC 8C", "jokers": 2, "nob": True},
    "lox-escape": {"torpedoes": 2, "seen": "AC 2C 3D", "jokers": 2, "nob": True},
    "lox-patrol": {"threshold": 35, "king_ships": True},
    "fleet-broadside": {"attacker": "Hood", "target": "Bismarck", "range": 6, "bearing": "astern", "guns_lost": 1,
                        "damage": 40, "moves": 9},
    "fleet-salvo": {"gun": "15in SK C/34", "guns": 4, "range": 8, "points": 36},
    "fleet-torpedoes": {"torpedo": "Mk 15", "tubes": 10, "aspect": "diagonal", "target": "Suffolk", "damage": 20},
    "fleet-duel": {"first": "Suffolk", "second": "Norfolk", "range": 5, "damage": 10},
    "patrol-torpedo": {"type": "G7e", "spread": 5, "range": 25, "aspect": "quarter", "ship": "liner", "year": 1940},
    "patrol-charges": {"weapon": "hedgehog", "charges": 3, "attacks": 4, "hull": 7},
    "patrol-depth": {"boat": "gato", "depth": 350, "hull": 6, "distance": 4, "weapon": "squid"},
    "task-hit": {"square": "B2", "seen": "A1- C3x"},
    "task-look": {"square": "D4", "seen": "A1- C3x"},
    "task-scratches": {"scratches": 3, "seen": "A1- C3x"},
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


@pytest.mark.parametrize("id", [id for id, each in QUESTIONS.items() if not each.slow])
def test_variants_are_all_that_is_needed_beside_the_answer(id, monkeypatch):
    question, settings = QUESTIONS[id], QUESTIONS[id].settings(OTHER[id])
    ask.answer(question, settings)
    for variant in ask.variants(question, settings):
        ask.value(question, variant)
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
    assert (one.name, one.to) == ("one more torpedo", 2)
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


# Exact answers against slow, obvious twins ---------------------------------------------------------------------------


def test_two_torpedoes_for_a_queen_once_three_fives_are_gone():
    gone = {cards.parse(word) for word in ("QH", "5C", "5D", "5H")}
    salvoes = list(itertools.combinations([card for card in range(52) if card not in gone], 2))
    hits = sum(bool(cribbage.hits("QH", salvo)) for salvo in salvoes)
    answer = explore.answer("lox-sink", ship="QH", torpedoes=2, seen="5C 5D 5H")
    assert answer.value == Fraction(hits, len(salvoes)) == Fraction(43, 141)
    assert f"{hits:,} / {len(salvoes):,}" in answer.how[-1]
    assert explore.inverse("lox-sink", 0.6, ship="QH", seen="5C 5D 5H").least == 3


def test_steady_fire_in_floats_is_the_exact_convolution():
    settings = {"attacker": "Exeter", "target": "Admiral Graf Spee", "range": 3, "damage": 30}
    exact = fleet_odds.sink_within("Exeter", "Admiral Graf Spee", 3, 12, damage=340 * 30 // 100)
    y = explore.answer("fleet-broadside", **settings).plots[1].y
    assert np.allclose(y[:12], [float(p) for p in exact], rtol=0, atol=1e-12)
    two = explore.answer("fleet-broadside", moves=2, **settings)
    assert two.value == exact[1] and two.exactness == "exact"


def test_attack_after_attack_in_floats_is_the_exact_chain():
    exact = patrol_odds.sunk_after([("squid", 0)] * 2, 6, depth=200, points=8)
    chain = patrol._after("squid", 0, 2, 200, 8)
    assert np.allclose(chain[:6], [float(p) for p in exact[1:]], rtol=0, atol=1e-12)
    assert explore.answer("patrol-charges", weapon="squid", charges=2, hull=8).value == exact[1]


def test_a_duel_is_that_of_the_odds():
    end = fleet_odds.duel("Suffolk", "Norfolk", 5, damage=(25, 0))
    answer = explore.answer("fleet-duel", **OTHER["fleet-duel"])
    assert answer.value == pytest.approx(end.a, abs=1e-9)
    assert answer.plots[1].y[8] == pytest.approx(end.sunk[0][9])


def test_a_duel_of_giants_is_fought_and_says_so():
    answer = explore.answer("fleet-duel", first="Musashi", second="Musashi", range=9)
    assert answer.n == 20_000 and answer.error > 0 and answer.exactness == "estimate"
    assert answer.plots[0].x[:2] == ("Musashi", "Musashi (second)")
    assert explore.answer("fleet-duel", first="Bismarck", second="Hood").n == 0


def test_fought_and_reckoned_duels_agree():
    question = QUESTIONS["fleet-duel"]
    settings = question.settings(OTHER["fleet-duel"])
    ships = duels.ship(settings["first"]), duels.ship(settings["second"])
    exact, fought = duels._chain(*ships, settings), duels._fought(*ships, settings)
    assert abs(exact[0][0] - fought[0][0]) < 4 * fought[3]
    assert np.allclose(exact[1], fought[1], rtol=0, atol=0.02)


def test_what_a_scratch_teaches_and_the_best_square_afterwards_by_plain_loops():
    known = task.reckon("A1- C3x B5m")
    unseen = [i for i, mark in enumerate(known.seen.marks) if mark == UNSEEN]
    worlds = []  # weight, and what lies on each square: each way to lay a missile is a world of its own
    for i, weight in enumerate(known.found.weights):
        free = np.flatnonzero(known.found.launchers[i])
        laid = list(itertools.combinations(free.tolist(), known.found.missiles))
        for missiles in laid:
            kinds = [0 if known.found.ships[i, s] else 1 if s in missiles else 2 if known.found.submarines[i, s] else 3
                     for s in range(task.SEA.grid.size)]  # fmt: skip
            worlds.append((weight / len(laid), kinds))
    total = sum(weight for weight, _ in worlds)
    answer = explore.answer("task-look", square="B2", seen="A1- C3x B5m")
    for square in (unseen[0], unseen[7], unseen[-1]):
        bits = best = 0.0
        for kind in range(4):
            fits = [(weight, kinds) for weight, kinds in worlds if kinds[square] == kind]
            share = sum(weight for weight, _ in fits) / total
            if share:
                bits -= share * log2(share)
                best += max(sum(w for w, kinds in fits if kinds[s] == 0) for s in unseen if s != square) / total
        assert answer.plots[0].y[square] == pytest.approx(bits, abs=1e-9)
        assert answer.plots[1].y[square] == pytest.approx(best, abs=1e-9)


def _every_world(seen):
    """Weight and kinds of every world: each way to lay a missile is a world of its own."""
    found = task.reckon(seen).found
    for i, weight in enumerate(found.weights):
        laid = list(itertools.combinations(np.flatnonzero(found.launchers[i]).tolist(), found.missiles))
        for missiles in laid:
            yield (
                weight / len(laid),
                [
                    0 if found.ships[i, s] else 1 if s in missiles else 2 if found.submarines[i, s] else 3
                    for s in range(task.SEA.grid.size)
                ],
            )


def _sure(worlds, unseen):
    """The weight of a ship on the square most likely to hide one."""
    return max((sum(w for w, kinds in worlds if kinds[s] == 0) for s in unseen), default=0.0)


def _looked(worlds, unseen, number):
    """The same after so many scratches, each the best by a look one step ahead."""
    if not number or not unseen:
        return _sure(worlds, unseen)

    def outcomes(s):
        return [[each for each in worlds if each[1][s] == kind] for kind in range(4)]

    def after(s, number):
        left = [each for each in unseen if each != s]
        return sum(_looked(part, left, number) for part in outcomes(s) if part)

    best = max(unseen, key=lambda s: (round(after(s, 0) / sum(w for w, _ in worlds), 9), -s))
    return after(best, number - 1)


@pytest.mark.parametrize("seen", ["B2- C4s", "A1x E5m D3-"])
def test_the_plan_of_scratches_by_plain_loops(seen):
    worlds = list(_every_world(seen))
    unseen = [i for i, mark in enumerate(task.reckon(seen).seen.marks) if mark == UNSEEN]
    total = sum(weight for weight, _ in worlds)
    y = explore.answer("task-scratches", seen=seen).plots[0].y
    for number in range(3):
        assert y[number] == pytest.approx(_looked(worlds, unseen, number) / total, abs=1e-8)
    assert y[1] == pytest.approx(max(explore.answer("task-look", seen=seen).plots[1].y), abs=1e-8)


def test_more_scratches_make_the_next_one_surer_and_80_percent_takes_one():
    y = explore.answer("task-scratches").plots[0].y
    assert list(y) == sorted(y) and y[-1] == 1.0
    found = explore.inverse("task-scratches", 0.8)
    assert found.least == 1 and y[0] < 0.8 <= found.reached == y[1]


def test_a_map_of_which_little_is_left_is_planned_too():
    ships = "B1x B2x B3x"  # scratch by scratch until nothing is left to find
    marks = [f"{name}-" for name in task.NAMES if not task.reckon(ships).odds.hit.ravel()[task.NAMES.index(name)]]
    assert explore.answer("task-scratches", seen=ships, scratches=4).value <= 1
    assert marks or explore.answer("task-scratches", seen=ships).value > 0


def test_on_a_map_the_sensitivity_tells_which_square_matters_and_one_more_scratch_moves_nothing_on_average():
    here = explore.answer("task-hit", square="C3", seen="A1-")
    found = {each.name: each for each in explore.sensitivity("task-hit", square="C3", seen="A1-")}
    assert "Scratch B2" in found and "Scratch C3" not in found and "Scratch A1" not in found
    mean = 0.0
    for sign, p in zip("xms-", explore.answer("task-hit", square="B2", seen="A1-").plots[0].y, strict=True):
        mean += p * explore.answer("task-hit", square="C3", seen=f"A1- B2{sign}").value if p else 0.0
    assert mean == pytest.approx(here.value, abs=1e-9)
    assert found["Scratch B2"].up == ("A1- B2x", explore.answer("task-hit", square="C3", seen="A1- B2x").value)


@pytest.mark.parametrize("id", QUESTIONS)
def test_what_a_question_does_not_offer_it_explains(id):
    question = QUESTIONS[id]
    assert bool(question.inverse) != bool(question.no_inverse)
    assert bool(question.gains) != bool(question.no_gain)


def test_drawing_bars_together_loses_nothing():
    weights = {number: 1.0 for number in range(0, 300, 3)}
    names, heights = binned(weights)
    assert sum(heights) == len(weights) and len(names) <= 32
    assert names[0] == "0–9" and heights[0] == 4
    assert binned({0: 0.5, 18: 0.5}) == (("0", "18"), (0.5, 0.5))


def test_the_marks_of_a_ship_and_of_her_salvo_move_the_odds_the_right_way():
    assert explore.answer("lox-sink", nob=True).value > explore.answer("lox-sink").value
    assert explore.answer("fleet-broadside", guns_lost=4).value < explore.answer("fleet-broadside").value
    assert explore.answer("fleet-torpedoes", range=9).value == 0
    assert explore.answer("patrol-torpedo", range=1).value == 0  # not armed yet
    assert explore.answer("patrol-charges", weapon="hedgehog", depth=600).value == 0
    assert fleet.BROADSIDE.settings()["moves"] == 12


# Wrong words ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id", "given", "says"),
    [
        ("lox-snk", {}, "lox-sink, lox-escape"),
        ("lox-sink", {"shape": 1}, "it has: ship, torpedoes, seen, jokers, nob"),
        ("lox-sink", {"torpedoes": 4}, "from 0 to 3"),
        ("lox-sink", {"ship": "1X"}, "write a rank"),
        ("lox-sink", {"seen": "5C 5C"}, "marked twice"),
        ("lox-sink", {"seen": "5C X1"}, "is no mark here"),
        ("lox-patrol", {"threshold": 42}, "in steps of 5"),
        ("fleet-duel", {"first": "Yamato"}, "first is one of"),
        ("task-hit", {"seen": "A1q"}, "write such as A1-"),
        ("task-hit", {"square": "Z9"}, "A1 to E5"),
        ("wolf-complete", {"hand": "sonar " * 7}, "more than 6 times"),
        ("wolf-complete", {"turns": True}, "whole number"),
    ],
)
def test_a_wrong_word_is_answered_with_a_right_one(id, given, says):
    with pytest.raises(OptionError, match=says):
        explore.answer(id, **given)


def test_settings_that_do_not_go_together_are_the_games_own_error():
    with pytest.raises(DataError, match="no fleet"):
        explore.answer("task-hit", seen=" ".join(f"{name}-" for name in task.NAMES))
    with pytest.raises(OptionError, match="trials"):
        explore.simulate("lox-sink", 0)
    with pytest.raises(OptionError, match="no inverse"):
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
        Choice(name="x", label="", default="a", choices=(("a", "A"),), read=_refuse).check("a")


def _refuse(word: str) -> str:
    raise NotationError("nothing can be read.")


# Texts, tallies, pictures --------------------------------------------------------------------------------------------


def test_numbers_are_written_as_everywhere():
    assert text.full(Fraction(4787, 6622), "") == "72 % · 4787/6622 · about 3 in 4"
    assert text.estimate(0.613, 0.0038, 20_000) == "61.3 ± 0.4 % (n = 20,000)"
    assert text.estimate(25_896.2, 99.1, 16_384, "t") == "25,896 ± 99 t (n = 16,384)"
    assert text.parts(Fraction(43, 141), "") == (
        ("fraction", "43/141"), ("decimal", "0.304965"), ("in words", "about 1 in 3"),
    )  # fmt: skip
    assert dict(text.parts(Fraction(1, 6), "")) == {"fraction": "1/6", "decimal": "0.166667", "in words": "1 in 6"}
    assert text.parts(Fraction(1, 3**40), "")[0] == ("fraction", "fraction of 20 digits")
    assert text.parts(Fraction(1, 3**40), "", whole=True)[0] == ("fraction", "1/12157665459056928801")
    assert text.parts(Fraction(0), "")[1:] == (("decimal", "0.000000"), ("in words", "never"))
    assert text.amount(1 + 1e-15, "") == "100 %"
    assert text.change(0.61, 0.305, "") == "+30.5 points" and text.change(100.0, 410.0, "t") == "−310 t"
    assert text.change(0.1, 0.1, "") == "no change" and "less than 0.1" in text.change(0.1002, 0.1, "")
    assert "no trial counts" in text.estimate(float("nan"), float("nan"), 0)


def test_tallies_add_up_and_never_claim_certainty():
    one, two = Tally.of([1, 0, 1], [2, 1]), Tally.of([0], [1, 0], tried=5)
    both = one + two
    assert (both.n, both.tried, both.mean, both.bars[0].tolist()) == (4, 8, 0.5, [3, 1])
    assert Tally.of([0] * 100).error > 0
    values = [3.0, 5.0, 10.0]
    assert Tally.of(values).error == pytest.approx(np.std(values, ddof=1) / 3**0.5)
    assert np.isnan(Tally.of([]).mean)


@pytest.mark.parametrize("id", QUESTIONS)
def test_every_chart_becomes_a_picture_and_a_table(id):
    answer = explore.answer(id, **OTHER[id])
    tally = explore.simulate(id, 200, **OTHER[id])
    for plot, counts in zip(answer.plots, tally.bars, strict=True):
        simulated = picture.shares(counts, tally.n, len(plot.x))
        pinned = picture.beside(plot, plot)
        scene = picture.picture(plot, simulated, pinned)
        drawn = svg(scene, "dark")
        assert plot.title.split("&")[0] in drawn and drawn.count("<rect") >= len(plot.x)
        rows = list(csv.reader(io.StringIO(picture.csv_text(plot, simulated, pinned))))
        assert len(rows) == len(plot.x) + 1
        assert [float(row[1]) for row in rows[1:]] == list(plot.y) == [float(row[3]) for row in rows[1:]]
        marks = picture.ticks(plot, simulated, pinned)
        assert marks[0] == 0 and marks[-1] >= max(plot.y) - 1e-9 and len(marks) >= 2
    assert png(picture.picture(answer.plots[0])).startswith(b"\x89PNG")


def test_a_run_becomes_a_picture_and_a_table():
    curve = [(100, 0.5, 0.05), (200, 0.52, 0.035), (400, 0.49, 0.025)]
    drawn = svg(picture.run_picture(curve, 1000, 0.5, "", "A run"))
    assert "A run" in drawn and "polygon" in drawn
    assert picture.run_csv(curve).splitlines()[1:] == ["100,0.5,0.05", "200,0.52,0.035", "400,0.49,0.025"]
    assert picture.run_picture([], 1000, 0.0, "bits", "No run yet")


def test_a_pinned_chart_with_other_bars_is_not_laid_over_them():
    one, other = (explore.answer("fleet-broadside", range=r).plots[0] for r in (2, 6))
    assert one.x != other.x and any("–" in x for x in one.x)
    assert set(picture.beside(one, other)) == {None}
    assert picture.beside(one, one) == list(one.y)


def test_all_errors_are_sentences_of_ours():
    for given in ({"seen": "A1x A2x A3x A4x A5x B1x"}, {"seen": "A1s B1s"}):
        with pytest.raises(NavalkitError, match=r"\.$"):
            explore.answer("task-hit", **given)
