"""In a notebook a game shows its board, a distribution its bars, a decision its options, an answer its derivation."""

from __future__ import annotations

import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter

import navalkit as nk
from navalkit import explore
from navalkit.core.dist import Dist
from navalkit.core.registry import names
from navalkit.core.shown import Shown
from navalkit.teach.pictures import html
from navalkit.testing import said
from ..sentences import EXPLORE, TEACH


def in_a_notebook(value: object) -> str:
    """What a cell that ends with this value shows."""
    shown: str = DisplayFormatter().format(value)[0]["text/html"]
    return shown


@pytest.mark.parametrize("name", names())
def test_a_game_shows_its_board(name: str) -> None:
    shown = in_a_notebook(nk.Match.new(name, seed=3))
    assert shown.startswith('<img alt="') and "data:image/svg+xml" in shown


def test_a_game_tells_its_last_event_and_its_end() -> None:
    match = nk.Match.new("uss-lox", seed=3)
    match.play("flip A1")
    assert match.log[-1].text in in_a_notebook(match)
    while not match.over:
        match.play(match.legal()[-1])
    assert match.outcome is not None and match.outcome.text in in_a_notebook(match)


def test_a_distribution_shows_a_bar_for_each_outcome() -> None:
    die = Dist.uniform(range(1, 7))
    assert "2: 2.8 %" in in_a_notebook(2 @ die)
    said(in_a_notebook(2 @ die), TEACH, "shown.all", outcomes=11)


def test_of_many_outcomes_the_most_likely_are_shown() -> None:
    shown = in_a_notebook(20 @ Dist.uniform(range(1, 7)))
    said(shown, TEACH, "shown.some", n=24, outcomes=101)
    assert " 70: " in shown and " 20: " not in shown


def test_a_decision_shows_its_options_and_the_one_taken_in_bold() -> None:
    match = nk.Match.new("wolf-pack", seed=3)
    seen = match.game.observe(match.state, match.turn)
    decision = nk.player("careful", match.game).decide(seen, match.legal(), np.random.default_rng(1))
    shown = in_a_notebook(decision)
    assert shown.count("<b>") == 1 and f"<b>{decision.action}" in shown
    assert shown.count("<ol>") == 1 and shown.count("<li>") >= len(list(decision.weighed()))


def test_an_answer_shows_how_it_comes_about() -> None:
    answer = explore.answer("lox-sink", ship="QH", torpedoes=2)
    shown = in_a_notebook(answer)
    assert answer.said in shown and all(step in shown for step in answer.how)
    assert EXPLORE("head.assumes") in shown


def test_what_nothing_draws_is_refused() -> None:
    with pytest.raises(TypeError, match="nothing draws"):
        html(Shown())
