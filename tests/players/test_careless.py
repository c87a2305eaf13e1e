"""A player that slips: how often, into what, and what it says of it."""

from __future__ import annotations
from collections import Counter

import numpy as np
import pytest

from navalkit.core.errors import OptionError
from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.core.trace import ordered
from navalkit.players import player
from navalkit.players.captains import Captain, with_captains
from navalkit.players.generic import careless
from navalkit.testing import refused, said
from ..sentences import CORE

GAME = load("uss-lox")
MATCH = Match.new(GAME, seed=1)
N = 3000


def given(slips: float, n: int = 1) -> Counter[str]:
    """The first order of a patrol, asked for again and again."""
    one = careless(lambda game: player("greedy", game), slips, GAME)
    dice = np.random.default_rng(5)
    return Counter(str(one.decide(MATCH.observe(0), MATCH.legal(), dice).action) for _ in range(n))


def test_one_that_never_slips_is_the_player_itself() -> None:
    careful = player("greedy", GAME).decide(MATCH.observe(0), MATCH.legal(), np.random.default_rng(5))
    assert set(given(0.0, 20)) == {str(careful.action)}


def test_it_slips_as_often_as_it_should_into_any_legal_order() -> None:
    [chosen], legal = given(0.0), [str(action) for action in MATCH.legal()]
    found = given(0.4, N)
    assert set(found) == set(legal) and len(legal) > 2
    for action in legal:  # a slip may hit on the right order too: within four standard errors
        chance = 0.4 / len(legal) + 0.6 * (action == chosen)
        assert abs(found[action] - N * chance) < 4 * (N * chance * (1 - chance)) ** 0.5


def test_a_slip_is_told_as_one_and_under_the_players_name() -> None:
    slipped = careless(lambda game: player("greedy", game), 1.0, GAME)
    decision = slipped.decide(MATCH.observe(0), MATCH.legal(), np.random.default_rng(1))
    assert decision.by == slipped.name == "greedy"
    said(decision.explain(), CORE, "random.any")


def test_where_one_order_is_legal_nobody_slips() -> None:
    one = careless(lambda game: player("random", game), 1.0, GAME)
    dice, untouched = np.random.default_rng(3), np.random.default_rng(3)
    one.decide(MATCH.observe(0), MATCH.legal()[:1], dice)
    untouched.integers(1)  # what the player itself draws, and nothing besides
    assert dice.random() == untouched.random()


@pytest.mark.parametrize("slips", [-0.1, 1.1])
def test_a_share_out_of_range_is_refused(slips: float) -> None:
    with refused(OptionError, CORE, "careless.slips"):
        careless(lambda game: player("random", game), slips, GAME)


def test_a_captain_with_slips_keeps_the_options_of_the_player() -> None:
    made = []

    def maker(game: object, **options: object) -> object:
        made.append(options)
        return player("random", GAME)

    named = Captain("reed", "Reed", "Guesses.", 1, "any", {"depth": 2}, slips=0.5)
    assert with_captains({"any": maker}, (named,))["reed"](GAME).slips == 0.5
    assert made == [{"depth": 2}]


def test_without_reasons_it_slips_as_often_into_any_legal_order() -> None:
    one, dice = careless(lambda game: player("greedy", game), 0.4, GAME), np.random.default_rng(6)
    found = Counter(str(ordered(one, MATCH.observe(0), MATCH.legal, dice)) for _ in range(N))
    [chosen], legal = given(0.0), [str(action) for action in MATCH.legal()]
    for action in legal:
        chance = 0.4 / len(legal) + 0.6 * (action == chosen)
        assert abs(found[action] - N * chance) < 4 * (N * chance * (1 - chance)) ** 0.5
    assert set(found) == set(legal)
