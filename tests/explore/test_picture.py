"""Charts as pictures and tables, numbers as texts, tallies."""

from __future__ import annotations
from fractions import Fraction

import numpy as np
import pytest

from navalkit.core.words import Voice, speaking
from navalkit.explore import ask, picture
from navalkit.explore.picture import binned
from navalkit.explore.question import Tally
from navalkit.testing import said
from navalkit.view.painters import svg
from ..sentences import CORE, EXPLORE


def test_drawing_bars_together_loses_nothing():
    weights = {number: 1.0 for number in range(0, 300, 3)}
    names, heights = binned(weights)
    assert sum(heights) == len(weights) and len(names) <= 32
    assert names[0] == "0–9" and heights[0] == 4
    assert binned({0: 0.5, 18: 0.5}) == (("0", "18"), (0.5, 0.5))


def test_numbers_are_written_as_everywhere():
    assert ask.estimate(0.613, 0.0038) == "61.3 ± 0.4 %" and ask.trials(20_000) == "(n = 20,000)"
    assert ask.estimate(25_896.2, 99.1, "t") == "25,896 ± 99 t"
    assert ask.parts(Fraction(43, 141), "") == (
        (EXPLORE("text.fraction"), "43/141", ""), (EXPLORE("text.decimal"), "0.304965", ""),
        (EXPLORE("text.words"), CORE("chance.about", hits=3, of=10), ""),
    )  # fmt: skip
    sixth = CORE("chance.exact", hits=1, of=6)
    assert [way[1] for way in ask.parts(Fraction(1, 6), "")] == ["1/6", "0.166667", sixth]
    assert ask.parts(Fraction(1, 3**40), "")[0][1:] == (EXPLORE("text.long", digits=20), f"1/{3**40}")
    assert [way[1] for way in ask.parts(Fraction(0), "")[1:]] == ["0.000000", CORE("chance.never")]
    assert ask.amount(1 + 1e-15, "") == "100 %"
    assert ask.change(0.61, 0.305, "") == f"+30.5 {EXPLORE('text.points')}"
    assert ask.change(100.0, 410.0, "t") == "−310 t"
    assert ask.change(0.1, 0.1, "") == EXPLORE("text.same")
    said(ask.change(0.1002, 0.1, ""), EXPLORE, "text.less", least="0.1")
    said(ask.estimate(float("nan"), float("nan")), EXPLORE, "text.no-trial")


def test_numbers_are_written_as_the_reader_writes_them():
    with speaking(Voice("de")):
        assert ask.amount(0.045, "") == "4,5 %" and ask.amount(25_896.2, "t") == "25.896 t"
        assert ask.parts(0.25, "")[-1] == (EXPLORE("text.words"), CORE("chance.exact", hits=1, of=4), "")
        assert ask.estimate(0.613, 0.0038) == "61,3 ± 0,4 %" and ask.trials(20_000) == "(n = 20.000)"
        assert ask.change(0.61, 0.305, "") == f"+30,5 {EXPLORE('text.points')}"


def test_tallies_add_up_and_never_claim_certainty():
    one, two = Tally.of([1, 0, 1], [2, 1]), Tally.of([0], [1, 0], tried=5)
    both = one + two
    assert (both.n, both.tried, both.mean, both.bars[0].tolist()) == (4, 8, 0.5, [3, 1])
    assert Tally.of([0] * 100).error > 0
    values = [3.0, 5.0, 10.0]
    assert Tally.of(values).error == pytest.approx(np.std(values, ddof=1) / 3**0.5)
    assert np.isnan(Tally.of([]).mean)


def test_a_run_becomes_a_picture_and_a_table():
    curve = [(100, 0.5, 0.05), (200, 0.52, 0.035), (400, 0.49, 0.025)]
    drawn = svg(picture.run_picture(curve, 1000, 0.5, "", "A run"))
    assert "A run" in drawn and "polygon" in drawn
    assert picture.run_csv(curve).splitlines()[1:] == ["100,0.5,0.05", "200,0.52,0.035", "400,0.49,0.025"]
    assert picture.run_picture([], 1000, 0.0, "bits", "No run yet")
