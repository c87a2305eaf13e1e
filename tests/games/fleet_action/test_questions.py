"""The explorer's questions about Fleet Action, against exact convolutions, the odds of duels, and duels fought."""

from __future__ import annotations

import numpy as np
import pytest

from navalkit import explore
from navalkit.core.awaited import finish
from navalkit.explore import QUESTIONS, picture
from navalkit.games.fleet_action import odds, questions
from navalkit.games.fleet_action.questions import craft
from navalkit.testing import heard
from navalkit.view.scene import Circle
from ...sentences import EXPLORE, FLEET_ASK

SUFFOLK = {"first": "Suffolk", "second": "Norfolk", "range": 5, "damage": 10}


def test_steady_fire_in_floats_is_the_exact_convolution():
    settings = {"attacker": "Exeter", "target": "Admiral Graf Spee", "range": 3, "damage": 30}
    exact = odds.sink_within("Exeter", "Admiral Graf Spee", 3, 12, damage=340 * 30 // 100)
    y = explore.answer("fleet-broadside", **settings).plots[1].y
    assert np.allclose(y[:12], [float(p) for p in exact], rtol=0, atol=1e-12)
    two = explore.answer("fleet-broadside", moves=2, **settings)
    assert two.value == exact[1] and two.exactness == EXPLORE("exactness.exact")


def test_a_duel_is_that_of_the_odds():
    end = odds.duel("Suffolk", "Norfolk", 5, damage=(25, 0))
    answer = explore.answer("fleet-duel", **SUFFOLK)
    assert answer.value == pytest.approx(end.a, abs=1e-9)
    assert answer.plots[1].y[8] == pytest.approx(end.sunk[0][9])


def test_a_duel_of_giants_is_fought_and_says_so():
    answer = explore.answer("fleet-duel", first="Musashi", second="Musashi", range=9)
    assert answer.n == 20_000 and answer.error > 0 and answer.exactness == EXPLORE("exactness.estimate")
    assert answer.plots[0].x[:2] == ("Musashi", FLEET_ASK("fleet-duel.second-of-class", ship="Musashi"))
    assert explore.answer("fleet-duel", first="Bismarck", second="Hood").n == 0


def test_fought_and_calculated_duels_agree():
    question = QUESTIONS["fleet-duel"]
    settings = question.settings(SUFFOLK)
    exact, fought = finish(questions.chain(settings)), finish(questions.fought(settings))
    assert abs(exact[0][0] - fought[0][0]) < 4 * fought[3]
    assert np.allclose(exact[1], fought[1], rtol=0, atol=0.02)


def test_a_pinned_chart_with_other_bars_is_not_laid_over_them():
    one, other = (explore.answer("fleet-broadside", range=r).plots[0] for r in (2, 6))
    assert one.x != other.x and any("–" in x for x in one.x)
    assert set(picture.beside(one, other)) == {None}
    assert picture.beside(one, one) == list(one.y)


@pytest.mark.parametrize(("id", "near", "far"), [("fleet-broadside", 3, 9), ("fleet-salvo", 2, 9)])
def test_no_shell_flies_at_a_ship_out_of_range(id, near, far):
    question = QUESTIONS[id]
    gun = {"attacker": "Ajax"} if id == "fleet-broadside" else {"gun": "6in/50 Mk XXIII"}

    def flying(range_: int) -> int:
        settings = question.settings(gun | {"range": range_})
        scene = question.picture(settings, explore.answer(id, **settings), (900.0, 500.0))
        shapes = [shape for layer in scene.layers for shape in layer.shapes]
        return sum(isinstance(shape, Circle) and shape.r == 7 for shape in shapes)

    assert flying(near) > 0 and flying(far) == 0


@pytest.mark.parametrize("call", [0, 1, 5])
def test_F57_the_question_of_a_call_says_how_long_the_fighters_are_there(call: int) -> None:
    """By the moves in which they guard; without a call nobody does."""
    there = [move for move in range(40) if craft.guarded(call, move)]
    early, uncalled = "fleet-call.how.early", "fleet-call.how.uncalled"
    found = heard(explore.answer("fleet-call", call=call).how, FLEET_ASK, early, uncalled)
    assert list(found) == [early if there else uncalled]
    for facts in found.values():
        assert not there or [int(str(facts[key]).split()[0]) for key in ("comes", "stays")] == [there[0], len(there)]
