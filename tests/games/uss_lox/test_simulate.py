"""The vectorised patrols against patrols through the rules, and their hit test against the plain one."""

from __future__ import annotations
from collections import Counter
from math import sqrt

import numpy as np
import pytest

from navalkit.core.errors import OptionError
from navalkit.core.match import Match
from navalkit.games.uss_lox import UssLox, cards, cribbage, simulate
from navalkit.games.uss_lox.bots import Greedy, Optimal
from navalkit.games.uss_lox.patrols import CHUNK
from navalkit.games.uss_lox.round import sunk_by
from navalkit.testing import refused
from ...sentences import CORE, LOX

EVERYTHING = dict(
    jokers=True, face_estimates=True, plan_patrol=True, king_ships=True, queen_ships=True, nob=True, patrols=2
)


class AnyOrder:
    """Chooses among the legal orders with equal chances."""

    def decide(self, observation, legal, rng):
        return type("Decision", (), {"action": legal[rng.integers(len(legal))]})


def played(game, bot, n):
    """Outcomes of patrols through `Match`, as columns."""
    rng, rows = np.random.default_rng(7), []
    for seed in range(n):
        match = Match.new(game, seed)
        while not match.over:
            match.play(bot.decide(match.observe(), match.legal(), rng).action)
        rows.append(match.outcome.facts)
    return {name: np.array([row[name] for row in rows], dtype=float) for name in rows[0]}


def chi_squared(few, many):
    """Pearson's statistic of a small sample against a large one, and its degrees of freedom."""
    expected, bins, seen = Counter(many.tolist()), [], Counter(few.tolist())
    share, waiting = len(few) / len(many), [0.0, 0]
    for value in sorted(expected | seen):
        waiting = [waiting[0] + expected[value] * share, waiting[1] + seen[value]]
        if waiting[0] >= 8:
            bins.append(waiting)
            waiting = [0.0, 0]
    bins[-1] = [bins[-1][0] + waiting[0], bins[-1][1] + waiting[1]]
    return sum((got - due) ** 2 / due for due, got in bins), len(bins) - 1


CAPTAINS = {
    "random": lambda game: AnyOrder(),
    "greedy:0.65": lambda game: Greedy(game, 0.65),
    "greedy:0.5,counting=yes": lambda game: Greedy(game, 0.5, True),
    "optimal": Optimal,
    "optimal:home:25000": lambda game: Optimal(game, "home:25000"),
    "optimal:loss_weight=0": lambda game: Optimal(game, loss_weight=0),
}
GAMES = {
    "basic": {},
    "everything": EVERYTHING,
    "jokers and queens": dict(jokers=True, queen_ships=True),
    "kings and estimates": dict(king_ships=True, face_estimates=True, nob=True),
}
# The random captain goes everywhere, cheaply: he tests the rules. The others test that orders agree.
VOYAGES = [("random", game, 600) for game in GAMES] + [
    ("greedy:0.65", "everything", 120),
    ("greedy:0.5,counting=yes", "basic", 200),
    ("optimal", "basic", 40),
    ("optimal:home:25000", "kings and estimates", 40),
    pytest.param("optimal", "everything", 80, marks=pytest.mark.slow),
    pytest.param("optimal:loss_weight=0", "jokers and queens", 80, marks=pytest.mark.slow),
]


@pytest.mark.parametrize("spec, options, n", VOYAGES)
def test_patrols_come_out_as_through_the_rules(spec, options, n):
    game = UssLox(**GAMES[options])
    by_rules = played(game, CAPTAINS[spec](game), n)
    at_once = simulate(spec, 8_000, 3, options=game)
    for name in by_rules:
        few, many = by_rules[name], at_once[name].astype(float)
        error = sqrt(many.var() / len(few) + many.var() / len(many))
        assert abs(few.mean() - many.mean()) <= 4 * error + 1e-12, name
    statistic, freedom = chi_squared(by_rules["tonnage"], at_once["tonnage"])
    assert statistic < freedom + 4 * sqrt(2 * freedom)


@pytest.mark.parametrize("nob", [False, True])
def test_the_hit_test_of_many_attacks_is_that_of_one(nob):
    rng = np.random.default_rng(1)
    deals = rng.permuted(np.tile(np.arange(54), (20_000, 1)), axis=1)
    deals = deals[deals[:, 0] < 52][:, :4].astype(np.uint8)
    deals[:3000, 1:] = (
        np.array([[1], [2], [3]]).T * 4 + deals[:3000, :1] % 4
    )  # four of one suit, most of them
    fired = rng.integers(1, 4, len(deals))
    shots = np.where(np.arange(3)[:, None] < fired, deals[:, 1:].T, 56).astype(np.uint8)
    sunk = sunk_by(deals[:, 0], shots, nob)
    for deal, n, hit in zip(deals.tolist(), fired.tolist(), sunk.tolist(), strict=True):
        ship, torpedoes = deal[0], deal[1 : n + 1]
        if len({ship, *torpedoes}) == n + 1 and cards.rank(ship) != cards.JACK:
            assert hit == cribbage.is_hit(ship, torpedoes, nob), (ship, torpedoes)


def test_the_same_seed_gives_the_same_patrols_and_another_others():
    first, again = simulate("greedy", CHUNK + 500, 11), simulate("greedy", CHUNK + 500, 11)
    assert all((first[name] == again[name]).all() for name in first)
    assert (first["tonnage"] != simulate("greedy", CHUNK + 500, 12)["tonnage"]).any()
    assert (first["tonnage"][:500] != first["tonnage"][CHUNK:]).any()


def test_every_lane_keeps_the_books():
    run = simulate("random", 5000, 2, options=dict(plan_patrol=True, queen_ships=True))
    assert all(column.shape == (5000,) for column in run.values())
    assert (run["tonnage"] >= 1000 * run["ships"]).all() and (run["tonnage"] <= 10_000 * run["ships"]).all()
    assert (run["torpedoes_fired"] + run["torpedoes_left"] <= 23).all()
    assert not (run["returned"] & ~run["won"]).any()
    assert run.mean("won") == (run["won"].mean(), pytest.approx(run["won"].std() / sqrt(5000)))
    assert "5,000 patrols" in repr(run)


def test_progress_is_told_to_the_end():
    told = []
    simulate("greedy", 2 * CHUNK + 1, 1, progress=lambda done, n: told.append((done, n)))
    assert told == [(CHUNK, 2 * CHUNK + 1), (2 * CHUNK, 2 * CHUNK + 1), (2 * CHUNK + 1, 2 * CHUNK + 1)]


def test_captains_rank_as_they_should():
    tons = {spec: simulate(spec, 8000, 5).mean("tonnage")[0] for spec in ("random", "greedy:0.6", "optimal")}
    assert tons["random"] < tons["greedy:0.6"] < tons["optimal"]


def test_who_plays_for_coming_home_comes_home_more_often():
    options = dict(jokers=True, king_ships=True)
    home = {}
    for spec in ("optimal", "optimal:home:20000"):
        run = simulate(spec, 8000, 5, options=options)
        home[spec] = (run["won"] & (run["tonnage"] >= 20_000)).mean()
    assert home["optimal:home:20000"] > home["optimal"] + 0.05


@pytest.mark.parametrize(
    "arguments, wrong",
    [
        (("brave", 10, 1), LOX.phrase("wrong.policy", name="'brave'")),
        (("greedy", 0, 1), LOX.phrase("wrong.patrols")),
        (("greedy", 10.0, 1), LOX.phrase("wrong.patrols")),
        (("greedy", 10, -1), LOX.phrase("wrong.seed")),
        (("greedy", 10, "x"), LOX.phrase("wrong.seed")),
    ],
)
def test_what_cannot_be_simulated_is_refused(arguments, wrong):
    with refused(OptionError, wrong):
        simulate(*arguments)


def test_an_unknown_option_is_refused():
    with refused(OptionError, CORE, "options.unknown", name="'wolves'"):
        simulate("greedy", 10, 1, options={"wolves": True})
