"""Where numpy's own indices have 32 bits, as in a browser, numbers of 64 bits are no counts and no places to numpy."""

from __future__ import annotations
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import navalkit as nk
from navalkit import explore
from navalkit.core.seeds import Stream
from navalkit.games.task_force import belief, odds
from navalkit.games.task_force.state import Observation
from navalkit.prob import placements


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """`np.intp` has 32 bits, and what must be cast to it safely is refused if it has more."""
    monkeypatch.setattr(np, "intp", np.int32)
    for name, place in (("repeat", 1), ("bincount", 0)):
        monkeypatch.setattr(np, name, _strict(name, getattr(np, name), place))


def _strict(name: str, function: Callable[..., Any], place: int) -> Callable[..., Any]:
    def strict(*args: Any, **options: Any) -> Any:
        given = args[place]
        if isinstance(given, np.ndarray) and not np.can_cast(given.dtype, np.int32, "safe"):
            raise TypeError(f"np.{name}: cannot cast {given.dtype} to 32 bits safely")
        return function(*args, **options)

    return strict


def test_the_narrow_numpy_of_these_tests_refuses_what_is_too_wide(narrow: None) -> None:
    with pytest.raises(TypeError, match="np.repeat"):
        np.repeat([1, 2], np.array([1, 2], dtype=np.int64))
    with pytest.raises(TypeError, match="np.bincount"):
        np.bincount(np.array([1, 2], dtype=np.int64))
    assert np.bincount(np.array([1, 2], dtype=np.intp)).tolist() == [0, 1, 1]


@pytest.mark.parametrize("rows", ["." * 10, "....xx.-.."])
def test_hidden_fleets_are_searched_for_with_narrow_indices(rows: str, narrow: None) -> None:
    seen = Observation.parse("/".join([*["." * 10] * 5, rows, *["." * 10] * 4]))
    assert odds.posterior(seen, sample=500).hit.sum() == pytest.approx(30)
    sea = seen.sea
    assert placements.identify(sea.waters, sea.draw_fleet(Stream(1, "fleet"))) is not None
    assert len(placements.sample(sea.waters, 5, np.random.default_rng(1))) == 5


def test_submarines_alone_are_sampled_with_narrow_indices(narrow: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(belief, "EXACT", 0)
    sea = nk.load("task-force", rows=5, columns=5, deep=3, fleet="small", submarines=1, missiles=1).sea
    found = belief.worlds(Observation(sea, "." * 25), 20_000, np.random.default_rng(0))
    assert not found.exact and odds.posterior_of(Observation(sea, "." * 25), found).hit.sum() == pytest.approx(9)


@pytest.mark.parametrize("name", list(explore.QUESTIONS))
def test_trials_of_the_explorer_are_counted_with_narrow_indices(name: str, narrow: None) -> None:
    question = explore.question(name)
    tally = question.simulate(question.settings(), np.random.default_rng(1), 40)
    assert tally.tried >= tally.n >= 0
