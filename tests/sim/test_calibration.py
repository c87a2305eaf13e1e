"""Whether the numbers that pages show come true: the measure itself, and a small run of every number."""

from __future__ import annotations
from itertools import product
from math import prod

import numpy as np
import pytest

from navalkit.cli import main
from navalkit.core.registry import names
from navalkit.sim import calibration
from navalkit.sim.calibration import Bin, Calibration, binned, calibrate, outside, predictions, section
from navalkit.testing import said
from ..samples import sizes
from ..sentences import CALIBRATION, CLI, LOX_ASK


def test_the_range_of_luck_is_that_of_all_ways_the_trials_may_go():
    chances = (0.1, 0.3, 0.5, 0.9)
    row = [0.0] * 5
    for way in product((0, 1), repeat=4):
        row[sum(way)] += prod(p if hit else 1 - p for p, hit in zip(chances, way, strict=True))
    for level in (0.5, 0.9, 0.95, 0.99):
        low, high = Bin(chances, 0).luck(level)
        tail = (1 - level) / 2
        assert sum(row[:low]) <= tail < sum(row[: low + 1])
        assert sum(row[high + 1 :]) <= tail < sum(row[high:])


def test_certain_forecasts_leave_nothing_to_luck():
    assert Bin((0.0,) * 9, 1).luck(0.9999) == (0, 0) and Bin((1.0,) * 9, 8).luck(0.9999) == (9, 9)


def test_a_game_gives_a_bin_its_first_forecast_and_no_other():
    def play(seed):
        yield [(0.25, True), (1.0, True)]
        yield [(0.22, False), (0.0, False)]

    assert binned(play, 3, 1) == (
        Bin((0.0,) * 3, 0, (0, 1, 2), (False,) * 3), Bin((0.25,) * 3, 3, (0, 1, 2), (True,) * 3),
        Bin((1.0,) * 3, 3, (0, 1, 2), (True,) * 3),
    )


def pooled(play, games=1500):
    measured = Calibration("uss-lox", "number", "A number.", games, binned(play, games, 1))
    return measured, {each.name: each for each in measured.pooled}


@pytest.mark.parametrize("level, tilt", [(0.0, 0.0), (0.06, 0.0), (0.0, -0.25)])
def test_all_bins_together_find_what_none_of_them_does(level, tilt):
    def play(seed):
        rng = np.random.default_rng(seed)
        shown = 0.2 + 0.6 * rng.random()
        yield [(shown, bool(rng.random() < shown + level + tilt * (shown - 0.5)))]

    measured, found = pooled(play)
    assert not outside([measured])  # the bins are too thin
    assert {each.name for _, each in calibration.astray([measured])} == {
        name for name, error in (("level", level), ("tilt", tilt)) if error}
    for name, error in (("level", level), ("tilt", tilt)):
        assert abs(found[name].error - error) < 3 * found[name].luck
        assert found[name].luck < found[name].seen < 3 * found[name].luck
    assert (CALIBRATION("page.beyond.True") in section(measured, 1)) == bool(level or tilt)


def test_an_error_that_would_be_seen_is_found_four_times_in_five():
    def play(seed):
        yield [(0.4, bool(np.random.default_rng(seed).random() < 0.4 + error))]

    error = 0.0
    error = pooled(play, 400)[1]["level"].seen
    runs = [Calibration("toy", "n", "A number.", 400, binned(play, 400, seed)).pooled[0] for seed in range(200)]
    found = sum(abs(each.error) > 1.96 * each.luck for each in runs)
    assert abs(found - 160) < 4 * (200 * 0.8 * 0.2) ** 0.5


def test_looks_of_one_game_are_no_games_of_their_own():
    def play(seed):
        rng = np.random.default_rng(seed)
        so = bool(rng.random() < 0.5)
        yield [(shown, so) for shown in (0.45, 0.55)]  # two forecasts of one event, in two bins

    found = pooled(play, 900)[1]["level"]
    assert found.luck == pytest.approx(0.5 / 900**0.5, rel=0.05)  # 900 events, not 1,800


def test_a_rare_event_that_came_once_is_luck():
    def play(seed):
        yield [(0.0001, seed == first)]

    first = calibration.game_seed(1, 3)
    assert not calibration.astray([pooled(play, 200)[0]])


@pytest.mark.parametrize("off, wrong", [(0.0, False), (0.12, True)])
def test_numbers_that_are_off_are_found(off, wrong):
    def play(seed):
        rng = np.random.default_rng(seed)
        for _ in range(4):
            shown = rng.random()
            yield [(shown, bool(rng.random() < shown + off))]

    measured = [Calibration("toy", "number", "A number.", 1500, binned(play, 1500, 1))]
    assert bool(outside(measured)) == wrong


QUICK = {"ships": 0.02, "danger": 0.02}
"""Parts of the games of the published page; 0.01 of the other numbers."""


SHORT = ("river_plate", "lone-merchant", "a_small_sea", "a_patrol", "a_short_hunt")
"""Of hints and curves by their ways to begin, those that are quick."""


def _marks(number):
    told = number.startswith(("hints_", "curve_")) and (
        not number.endswith(SHORT) or number == "curve_river_plate")
    return [pytest.mark.slow] if told else []


@sizes("share", 0.5, 1.0)
@pytest.mark.parametrize("game, number", [pytest.param(game, number, marks=_marks(number), id=f"{game}-{number}")
                                          for game in names() for number in predictions(game)])
def test_every_number_of_a_small_run_comes_true(game, number, share):
    measured = list(calibrate(game, share * QUICK.get(number, 0.01), 3, number))
    assert not outside(measured) and not calibration.astray(measured), [section(each, 1) for each in measured]


def test_the_same_seed_gives_the_same_measure():
    first, again, other = (list(calibrate("uss-lox", 0.02, seed, "fates")) for seed in (3, 3, 4))
    assert first == again != other


def test_every_game_offers_forecasts_of_its_own():
    for game in names():
        assert set(predictions(game)) - {question for question in predictions(game) if "-" in question}


def test_the_command_prints_measures_and_writes_the_page(tmp_path, capsys):
    file = tmp_path / "page.md"
    order = ["calibration", "uss-lox", "--number", "attacks", "--part", "0.01", "--seed", "3", "--page", str(file)]
    assert main(order) == 0
    out, err = capsys.readouterr()
    assert "uss-lox attacks" in out and f"| {CALIBRATION('page.within')} |" in file.read_text()
    said(err, CLI, "calibration.games", n=60)
    assert main(["calibration", "uss-lox", "--number", "x"]) == 2
    assert "attacks" in said(capsys.readouterr().err, CLI, "calibration.unknown", number="'x'")["numbers"]
    assert main(["calibration", "--part", "0"]) == 2
    said(capsys.readouterr().err, CLI, "calibration.numbers-only")


def test_of_many_numbers_each_has_a_wider_range():
    measured = Calibration("toy", "number", "A number.", 40, (Bin((0.5,) * 40, 32, tuple(range(40)), (True,) * 32 +
                                                                  (False,) * 8),))
    assert outside([measured]) and not outside([measured], 1000)
    assert calibration.astray([measured]) and not calibration.astray([measured], 1000)
    assert CALIBRATION("page.outside") in section(measured, 1) and CALIBRATION("page.within") in section(measured, 1000)


def test_a_bin_beyond_luck_is_named(monkeypatch, capsys):
    wrong = Calibration("uss-lox", "attacks", "Wrong.", 99, (Bin((0.1,) * 99, 60),))
    monkeypatch.setattr("navalkit.cli.commands.calibrate", lambda *_: [wrong])
    assert main(["calibration", "uss-lox"]) == 1
    said(capsys.readouterr().out, CLI, "calibration.outside", shown=0.1, came=60 / 99, n=99)


def test_questions_of_the_explorer_are_measured_as_they_are_asked():
    assert "uss-lox" in names() and "lox-sink" in predictions("uss-lox")
    [measured] = calibrate("uss-lox", 0.1, 1, "lox-sink")
    assert measured.what == CALIBRATION("question", title=LOX_ASK("lox-sink.title"))
    assert sum(len(bin.chances) for bin in measured.bins) > 80 and calibration.EDGES[0] == 0
