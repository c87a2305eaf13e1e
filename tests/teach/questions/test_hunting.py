"""The small hunt of lesson 10 and the scores of lesson 11."""

from __future__ import annotations
from math import inf, isclose, sqrt

import pytest

from navalkit.core.errors import DataError
from navalkit.games.uss_lox.lesson import salvoes
from navalkit.games.uss_lox.odds import sink
from navalkit.grids.hex import Hex
from navalkit.teach import formulas
from navalkit.teach.formulas import RIVALS, Seen, found, hunts, on_ring, towards
from navalkit.testing import refused
from ...sentences import LOX, TEACH


def test_a_rule_that_steers_well_finds_more_and_the_same_seed_gives_the_same_boats():
    shares = {name: found(rule, 400) for name, rule in RIVALS.items()}
    assert shares["home"] < shares["ring"] < shares["spiral"]
    assert hunts(RIVALS["ring"], 50) == hunts(RIVALS["ring"], 400)[:50] != hunts(RIVALS["ring"], 50, seed=2)
    assert all(0 <= turn <= formulas.TURNS for turn in hunts(RIVALS["ring"], 100))
    assert found(lambda seen: None, 100) == found(lambda seen: 0, 100)


def test_what_a_rule_sees_is_what_the_grid_of_hexes_says():
    seen = []
    hunts(lambda view: seen.append(view) or 0, 1)
    assert seen[0] == Seen(6, 0, 1) and {view.off for view in seen} <= {0, 1, -1, 2, -2, 3}
    for course in range(1, 7):
        at = Hex(0, 0).step(course, 5)
        assert formulas._distance((at.q, at.r)) == at.distance(Hex(0, 0)) == 5
        back = (course + 2) % 6  # her course there, counted from 0, points at the middle
        assert formulas._off((at.q, at.r), back) == 0 and formulas._off((at.q, at.r), (back + 1) % 6) == -1


def test_turns_are_towards_what_is_wanted():
    assert [towards(off) for off in (0, 1, 2, -1, -2, 3)] == [0, 1, 1, -1, -1, 1]
    assert towards(-2, -2) == 0 and towards(0, -2) == 1 and towards(3, -2) == -1
    assert on_ring(Seen(9, 1, 1), 6) == 1 and on_ring(Seen(6, -2, 1), 6) == 0


@pytest.mark.parametrize("rule", [lambda seen: 2, lambda seen: "port", lambda seen: [1]])
def test_a_rule_that_gives_no_turn_is_refused(rule):
    with refused(DataError, TEACH, "hunt.order"):
        hunts(rule, 1)


def test_too_many_hunts_and_salvoes_are_refused():
    for n in (0, 10**9):
        with refused(DataError, TEACH, "hunt.number", most=20_000):
            hunts(RIVALS["home"], n)
        with refused(DataError, LOX, "lesson.number", most=20_000):
            salvoes(n)


def test_the_library_s_chances_are_calibrated():
    fired = salvoes(4000, seed=5)
    expected = sum(salvo.chance for salvo in fired)
    spread = sqrt(sum(salvo.chance * (1 - salvo.chance) for salvo in fired))
    assert abs(sum(salvo.sunk for salvo in fired) - expected) < 4 * spread
    assert all(salvo.sunk for salvo in fired if salvo.chance == 1)
    assert not any(salvo.sunk for salvo in fired if salvo.chance == 0)
    assert {salvo.torpedoes for salvo in fired} == {1, 2, 3}
    assert float(sink("8D", 2)) in {salvo.chance for salvo in fired}


def test_scores_are_proper():
    assert formulas.brier(0.7, True) == pytest.approx(0.09) and formulas.surprise(0.25, True) == 2
    assert formulas.surprise(0, True) == inf and formulas.surprise(0, False) == 0
    for score in (formulas.brier, formulas.surprise):
        for truth in (0.3, 0.7):
            expected = {told / 10: truth * score(told / 10, True) + (1 - truth) * score(told / 10, False)
                        for told in range(1, 10)}  # fmt: skip
            assert isclose(min(expected, key=expected.get), truth)
    assert formulas.mean_score(formulas.brier, [(1, True), (0, True)]) == 0.5
