"""Bounds of what a position is worth, against the exact endgame: over all paths they hold without any error."""

from __future__ import annotations

import doctest
import itertools
import random

import numpy as np
import pytest

from navalkit.cli import main
from navalkit.core.errors import NotationError, OptionError
from navalkit.core.match import Match
from navalkit.games.uss_lox import UssLox, cards, simulate
from navalkit.games.uss_lox.bots import Optimal
from navalkit.games.uss_lox.bots import bounds as module
from navalkit.games.uss_lox.bots.boats import DECLINE, ESCAPE
from navalkit.games.uss_lox.bots.bounds import between, bounds, sail
from navalkit.games.uss_lox.bots.endgame import Endgame
from navalkit.games.uss_lox.bots.solve import Aim
from navalkit.games.uss_lox.rules.state import Attack, Phase, State
from navalkit.testing import refused

from ...sentences import LOX


def solved(game, state):
    """Exact values by the orders of `bounds`."""
    values = Endgame(game, Aim(), state).values()
    return {{True: 6, False: 7}[o] if state.phase is Phase.DEBRIEF else o: value for o, value in values.items()}


def late(game, rng, unseen, torpedoes, ocean):
    """A position with that many cards unseen, whose deck holds an escort for every encounter."""
    pack = rng.sample(game.pack, len(game.pack))
    k = rng.randint(0, ocean)
    t = rng.randint(1, min(torpedoes, unseen - 2 * k - 1))
    phase = rng.choice([Phase.TARGET, Phase.ESCORT, *[Phase.DEBRIEF] * (k > 0)])
    slots, ship = tuple(range(unseen)), {Phase.TARGET: "target", Phase.ESCORT: "escort"}.get(phase, "")
    return State(
        phase, ocean=slots[:k], supply=slots[k : k + t], deck=slots[k + t :], ship=pack[-1] if ship else -1,
        role=ship, seen=sum(1 << card for card in pack[unseen:]),
    )  # fmt: skip


@pytest.mark.parametrize("n", [8, pytest.param(80, marks=pytest.mark.slow)])
@pytest.mark.parametrize("nob", [False, True])
def test_over_all_paths_every_order_lies_between_its_bounds(n, nob):
    game, rng, between_them = UssLox(nob=nob), random.Random(4), 0
    for _ in range(n):
        state = late(game, rng, 6, 3, 2)
        pool = [card for card in game.pack if not state.seen >> card & 1]
        found, exact = sail(game, state, np.array(list(itertools.permutations(pool)))), solved(game, state)
        assert set(found) == set(exact)
        for order, value in exact.items():
            most, least = found[order].mean(axis=1)
            assert least - 1e-9 <= value <= most + 1e-9
            between_them += least < value - 1e-6 or most > value + 1e-6
    assert between_them  # some of them are not exact


@pytest.mark.parametrize("n", [6, pytest.param(60, marks=pytest.mark.slow)])
def test_on_random_paths_the_bounds_hold_and_are_close(n, monkeypatch):
    monkeypatch.setattr(module, "solvable", lambda *_: False)
    game, rng, gaps = UssLox(), random.Random(8), []
    for _ in range(n):
        state = late(game, rng, 10, 4, 3)
        exact = solved(game, state)
        for order, (least, most) in between(game, state, 100).items():
            assert least <= exact[order] + 1e-9 and exact[order] <= most + 1e-9
            gaps.append(most - least)
    assert np.mean(gaps) < 0.8


def test_who_sees_the_path_never_gets_less():
    game = UssLox()
    rng = np.random.default_rng(1)
    state = late(game, random.Random(1), 30, 6, 3)
    pool = [card for card in game.pack if not state.seen >> card & 1]
    for most, least in sail(game, state, rng.permuted(np.tile(pool, (40, 1)), axis=1)).values():
        assert (most >= least - 1e-9).all()


def test_the_whole_patrol_is_bounded_and_the_optimal_captain_sails_between():
    (sail_on, home) = bounds(9, 15, paths=24)
    assert (sail_on.order, home) == ("flip", ("return", 0, 0, False))
    tons, error = simulate("optimal", 20_000, 1).mean("tonnage")
    assert sail_on.at_least - 4 * error <= tons <= sail_on.at_most + 4 * error
    assert sail_on.at_most - sail_on.at_least < 0.2 * tons


def test_late_in_real_patrols_the_optimal_order_is_best_or_nearly():
    """No other order can be worth more than 400 t beyond what the captain's order is sure to bring."""
    game, lost = UssLox(), []
    bot, rng = Optimal(game), np.random.default_rng(0)
    for seed in range(8):
        match = Match.new(game, seed)
        while not match.over:
            state, orders = match.observe(), match.legal()
            action = bot.decide(state, orders, rng).action
            if state.phase in (Phase.TARGET, Phase.ESCORT) and state.ocean_left < 2 and len(orders) > 1:
                order = {"decline": DECLINE, "escape": ESCAPE}.get(str(action))
                order = action.torpedoes if isinstance(action, Attack) else order
                found = between(game, state, 100)
                least = found.pop(order)[0]
                lost.append(max([most for _, most in found.values()]) - least)
            match.play(action)
    assert len(lost) >= 8 and max(lost) < 0.4 and np.mean(np.array(lost) <= 0) > 0.6


def test_few_cards_are_exact_and_the_best_order_comes_first():
    seen = [card for card in range(52) if card > 9 and card != 29]
    found = bounds(1, 2, ship="8D", seen=seen)
    assert all(bound.exact and bound.at_most - bound.at_least <= 1 for bound in found)
    assert [bound.at_least for bound in found] == sorted((bound.at_least for bound in found), reverse=True)
    assert {bound.order for bound in found} == {"attack 0", "attack 1", "attack 2", "decline"}
    assert "escape" in {bound.order for bound in bounds(1, 2, ship="2D", escort=True, seen=[*seen, 8])}


def test_a_ton_that_counts_less_when_the_boat_is_lost_is_exact_or_refused():
    sunk, unseen = "KS KH 7C", 9
    seen = list(range(unseen, 52))
    for card in (*cards.as_cards(sunk), cards.as_card("8D")):
        seen.remove(card)
    game = UssLox()
    slots = tuple(range(unseen))
    state = State(
        Phase.TARGET, ocean=slots[:2], supply=slots[2:5], deck=slots[5:], ship=cards.as_card("8D"), role="target",
        seen=sum(1 << card for card in range(unseen, 52)), sunk=cards.as_cards(sunk),
    )  # fmt: skip
    for weight in (0.0, 0.5, 1.0):
        exact = Endgame(game, Aim(None, weight), state).values()
        so_far = 27 if weight == 1 else 0
        for bound in bounds(2, 3, ship="8D", seen=seen, sunk=sunk, loss_weight=weight):
            order = DECLINE if bound.order == "decline" else int(bound.order.removeprefix("attack "))
            value = 1000 * (exact[order] + so_far)
            assert bound.exact and bound.at_least - 1e-3 <= value <= bound.at_most + 1e-3
            assert bound.at_most - bound.at_least <= 1
    with refused(OptionError, LOX, "wrong.bounds.weight", most=10, unseen=51):
        bounds(5, 9, ship="8D", loss_weight=0.5)


def test_the_example_is_true():
    assert doctest.testmod(module).failed == 0 < doctest.testmod(module).attempted


def test_more_paths_bring_the_bounds_closer():
    wide, close = (bounds(2, 3, ship="KD", paths=paths)[0] for paths in (16, 160))
    assert close.at_most - close.at_least < wide.at_most - wide.at_least


@pytest.mark.parametrize(
    "wrong", [dict(ocean=-1), dict(torpedoes=-1), dict(ocean=20), dict(paths=1), dict(paths=5000), dict(seen=range(40))]
)
def test_what_has_no_bounds_is_refused(wrong):
    with refused(OptionError, LOX, "wrong.bounds"):
        bounds(**{"ocean": 5, "torpedoes": 9} | wrong)


def test_a_joker_and_a_short_deck_are_refused():
    with pytest.raises(NotationError, match="X1"):
        bounds(3, 6, ship="X1")
    with refused(OptionError, LOX, "wrong.bounds.deck"):
        bounds(9, 3, seen=range(38))


def test_the_command_line_prints_a_row_for_every_order(capsys):
    assert main("odds uss-lox bounds 2 3 --ship KD --seen 5H,5S --paths 8".split()) == 0
    head, *rows = capsys.readouterr().out.strip().splitlines()
    assert head.split() == ["order", "at_least", "at_most", "exact"] and len(rows) == 5
    assert not any(bound.exact for bound in bounds(2, 3, ship="KD", seen="5H 5S", paths=8))
