"""Intervals of shares."""

from __future__ import annotations

import pytest

from navalkit.core.errors import OptionError
from navalkit.prob.intervals import wilson
from navalkit.testing import refused
from ..sentences import CORE


def near(p: float, share: float, n: int, z: float) -> bool:
    return abs(share - p) <= z * (p * (1 - p) / n) ** 0.5


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.72, 1.0])
@pytest.mark.parametrize("n", [1, 20, 400])
@pytest.mark.parametrize("z", [1.0, 1.96, 4.0])
def test_wilson_holds_just_the_chances_that_the_share_is_near(share: float, n: int, z: float) -> None:
    low, high = wilson(share, n, z)
    steps = 20_000
    inside = [i / steps for i in range(steps + 1) if near(i / steps, share, n, z)]
    assert low == pytest.approx(inside[0], abs=1 / steps) and high == pytest.approx(inside[-1], abs=1 / steps)


def test_a_known_interval() -> None:
    low, high = wilson(0.5, 100)
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)


def test_a_share_that_is_none_is_refused() -> None:
    with refused(OptionError, CORE, "intervals.share", share=1.2):
        wilson(1.2, 10)
    with refused(OptionError, CORE, "intervals.trials", n=0):
        wilson(0.5, 0)
