"""Ratings by the model of Bradley and Terry: against shares known from it, and against its own intervals."""

from __future__ import annotations

import numpy as np
import pytest

from navalkit.players.meeting import Result, ratings


def met(share: float, games: int = 400) -> Result:
    return Result(games, share, 1, "turns")


def expected(points: float) -> float:
    return 1 / (1 + 10 ** (-points / 400))


def test_shares_that_come_from_ratings_give_these_ratings() -> None:
    true = {"a": 200.0, "b": 0.0, "c": -200.0}
    pairs = {(x, y): met(expected(true[x] - true[y]), 100_000) for x, y in (("a", "b"), ("b", "c"), ("a", "c"))}
    found = ratings(pairs)
    assert list(found) == ["a", "b", "c"]
    assert {name: round(each.elo) for name, each in found.items()} == pytest.approx(true, abs=1)
    assert all(each.games == 200_000 and 1 < each.half < 5 for each in found.values())


def test_who_won_all_has_a_rating_and_more_games_make_it_surer() -> None:
    few, many = ratings({("a", "b"): met(1.0, 10)}), ratings({("a", "b"): met(1.0, 1000)})
    assert 0 < few["a"].elo < many["a"].elo < 2000
    even = [ratings({("a", "b"): met(0.5, games)})["a"] for games in (10, 1000)]
    assert even[0].elo == pytest.approx(0, abs=1e-6) and even[1].half < even[0].half / 9


def test_its_intervals_hold_what_is_true_about_as_often_as_they_say() -> None:
    rng, held = np.random.default_rng(5), 0
    true = {"a": 100.0, "b": 0.0, "c": -100.0}
    for _ in range(200):
        pairs = {
            (x, y): met(rng.binomial(120, expected(true[x] - true[y])) / 120, 120)
            for x, y in (("a", "b"), ("b", "c"), ("a", "c"))
        }
        held += sum(abs(each.elo - true[name]) <= each.half for name, each in ratings(pairs).items())
    assert 0.92 < held / 600 < 0.99
