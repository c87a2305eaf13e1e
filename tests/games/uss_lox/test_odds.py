"""The odds of USS Lox against enumerations of every salvo and every escort, exactly."""

from __future__ import annotations
import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from navalkit.core.errors import NotationError, OptionError
from navalkit.games.uss_lox import cards, cribbage, odds
from navalkit.games.uss_lox.odds import by_rank, packed, salvoes, salvoes_by_ship
from navalkit.testing import refused
from ...sentences import LOX


def unseen_pool(ship, seen, jokers):
    return [card for card in range(52 + jokers) if card != ship and card not in seen]


def twin_sink(ship, torpedoes, seen=(), jokers=0, nob=False):
    """The share of all salvoes that hit, by firing every one of them."""
    if cards.by_gun(ship, torpedoes):
        return Fraction(1)
    salvoes = list(itertools.combinations(unseen_pool(ship, seen, jokers), torpedoes))
    return Fraction(sum(cribbage.is_hit(ship, salvo, nob) for salvo in salvoes), len(salvoes))


def twin_survive(torpedoes, seen, jokers, nob):
    """Draw the escort card by card, setting jokers aside, and do what is best against it."""
    pool = unseen_pool(None, seen, jokers)
    alive = Fraction(0)
    for card in pool:
        if cards.is_joker(card):
            alive += twin_survive(torpedoes, (*seen, card), jokers, nob)
        elif cards.pips(card) <= torpedoes:
            alive += 1
        else:
            salvoes = range(min(3, torpedoes) + 1)
            alive += max(twin_sink(card, n, seen, jokers, nob) for n in salvoes)
    return alive / len(pool)


seen_sets = st.lists(st.integers(0, 53), max_size=45, unique=True)
few_unseen = st.lists(st.integers(0, 53), min_size=36, max_size=46, unique=True)

SEEN = ("", "5H 5S JC", "AC 2C 3C 4C 5C 6C 7C 9C TC JC QC KC", "X1 7S 7H 7C", "JD JH JS 8C 9C")


@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("ship", ["AC", "5D", "8D", "TS", "QH", "KC"])
def test_sink_is_the_share_of_all_salvoes(ship, seen):
    number, known = cards.parse(ship), cards.parse_many(seen)
    for torpedoes, nob in itertools.product(range(3), (False, True)):
        jokers = 2 if "X" in seen or nob else 0
        expected = twin_sink(number, torpedoes, known, jokers, nob)
        assert odds.sink(ship, torpedoes, seen=seen, jokers=jokers, nob=nob) == expected


@pytest.mark.parametrize("nob", [False, True])
@pytest.mark.parametrize("jokers", [0, 1, 2])
@pytest.mark.parametrize("ship", ["4S", "8D"])
def test_sink_with_three_torpedoes_is_the_share_of_all_salvoes(ship, jokers, nob):
    number, known = cards.parse(ship), cards.parse_many("5H JC 3D TS 9D")
    assert odds.sink(ship, 3, seen=known, jokers=jokers, nob=nob) == twin_sink(number, 3, known, jokers, nob)


@given(st.integers(0, 51), st.integers(0, 3), few_unseen, st.booleans())
def test_sink_is_exact_late_in_a_patrol(ship, torpedoes, seen, nob):
    expected = twin_sink(ship, torpedoes, seen, 2, nob)
    assert odds.sink(ship, torpedoes, seen=seen, jokers=2, nob=nob) == expected


def test_sink_of_an_eight_with_nothing_seen():
    # One torpedo scores with one of three eights or one of four sevens.
    assert odds.sink("8D", 1) == Fraction(3 + 4, 51)
    assert odds.sink("8D", 2) == twin_sink(cards.parse("8D"), 2) == Fraction(539, 1275)


@pytest.mark.parametrize("torpedoes", range(cards.GUN_TORPEDOES, 4))
def test_a_jack_is_always_sunk(torpedoes):
    assert odds.sink("JH", torpedoes, jokers=2) == 1


def test_only_a_jack_is_sunk_for_certain():
    for torpedoes in range(4):
        sure = {card // 4 for card in range(52) if odds.sink(card, torpedoes) == 1}
        assert sure == ({cards.JACK} if torpedoes >= cards.GUN_TORPEDOES else set())


def test_a_ship_may_be_listed_as_seen():
    assert odds.sink("8D", 2, seen="8D 5H") == odds.sink("8D", 2, seen="5H")


def test_jokers_lower_the_odds_and_seen_jokers_do_not():
    chances = [odds.sink("5D", 3, jokers=jokers) for jokers in range(3)]
    assert chances[0] > chances[1] > chances[2]
    assert odds.sink("5D", 3, jokers=2, seen="X1") == chances[1]
    assert odds.sink("5D", 3, jokers=2, seen=["X1", 53]) == chances[0]


@given(seen_sets, st.booleans())
@settings(max_examples=30)
def test_table_is_the_average_of_sink_over_the_unseen_ships(seen, nob):
    table = odds.table(seen, jokers=2, nob=nob)
    assert table.shape == (13, 4)
    for rank, torpedoes in np.ndindex(table.shape):
        ships = [card for card in range(4 * rank, 4 * rank + 4) if card not in seen]
        if ships:
            chances = [odds.sink(ship, torpedoes, seen=seen, jokers=2, nob=nob) for ship in ships]
            assert table[rank, torpedoes] == pytest.approx(float(sum(chances) / len(ships)), abs=1e-12)
        else:
            assert np.isnan(table[rank, torpedoes])


def test_table_has_no_entry_for_what_cannot_be_fired():
    table = odds.table(range(2, 52))  # two aces left: one to be the ship, one to be fired
    assert table[0].tolist()[:2] == [0.0, 1.0]
    assert np.isnan(table[0, 2:]).all() and np.isnan(table[1:]).all()
    assert np.isnan(odds.table(range(52))).all()
    jacks = odds.table([card for card in range(52) if card not in (40, 41)])
    assert jacks[10, 1] == 1 and np.isnan(jacks[10, 2:]).all()  # of two jacks one is fired: a pair


@pytest.mark.parametrize("nob", [False, True])
def test_many_games_at_once_give_the_odds_of_each(nob):
    rng = np.random.default_rng(5)
    ships = rng.integers(0, 52, 300)
    unseen = rng.random((300, 52)) < rng.random((300, 1))
    jokers = rng.integers(0, 3, 300)
    counts = odds.hit_counts(ships, unseen, nob=nob)
    chances = odds.sink_many(ships, unseen, jokers, nob=nob)
    for lane, ship in enumerate(ships.tolist()):
        seen = [card for card in range(52) if not unseen[lane, card]]
        pool = len(unseen_pool(ship, seen, 0))
        for torpedoes in range(4):
            if torpedoes <= pool:
                salvoes = len(list(itertools.combinations(range(pool), torpedoes)))
                expected = odds.sink(ship, torpedoes, seen=seen, nob=nob) * salvoes
                assert counts[lane, torpedoes] == expected
            if torpedoes <= pool + jokers[lane]:
                known = [*seen, *range(52 + int(jokers[lane]), 54)]
                expected = odds.sink(ship, torpedoes, seen=known, jokers=2, nob=nob)
                assert chances[lane, torpedoes] == pytest.approx(float(expected), abs=1e-12)
            else:
                assert np.isnan(chances[lane, torpedoes])


def test_many_games_do_not_depend_on_each_other_or_on_the_type():
    rng = np.random.default_rng(6)
    ships, unseen = rng.integers(0, 52, 9000), rng.random((9000, 52)) < 0.6
    ships[:5000] = 29  # more than one chunk of one ship
    counts = odds.hit_counts(ships, unseen)
    assert np.array_equal(odds.hit_counts(ships.astype(np.uint8), unseen.astype(np.int64)), counts)
    for lane in (0, 2500, 4999, 5000, 8999):
        alone = slice(lane, lane + 1)
        assert np.array_equal(odds.hit_counts(ships[alone], unseen[alone]), counts[alone])
    assert odds.hit_counts(np.empty(0, dtype=int), np.empty((0, 52))).shape == (0, 4)


@pytest.mark.parametrize("nob", [False, True])
def test_one_pool_with_all_ships_is_counted_as_many_pools_with_one_ship_each(nob):
    rng = np.random.default_rng(7)
    pools = packed(rng.random((60, 54)) < rng.random((60, 1)))
    for pool in pools:
        alone = salvoes_by_ship(int(pool), nob)
        for ours, theirs in zip(salvoes(np.arange(52), np.full(52, pool), nob), alone, strict=True):
            assert np.array_equal(ours, theirs)
        hits, deals = salvoes(np.array([29]), pool[None], nob)
        assert (hits[:, 0].tolist(), deals[:, 0].tolist()) == tuple(part[:, 29].tolist() for part in alone)


def test_a_pool_holds_a_bit_for_each_card_and_counts_them_by_rank():
    unseen = np.random.default_rng(8).random((500, 54)) < 0.5
    pools = packed(unseen)
    assert [int(pool) for pool in pools] == [sum(1 << int(card) for card in np.flatnonzero(row)) for row in unseen]
    ranks = np.array([card >> 2 for card in range(54)])
    assert by_rank(pools).T.tolist() == [np.bincount(ranks[row], minlength=14).tolist() for row in unseen]


@given(st.integers(0, 24), seen_sets)
def test_escape_is_the_share_of_escorts_that_can_be_paid_for(torpedoes, seen):
    escorts = [card for card in range(52) if card not in seen]
    paid = [card for card in escorts if min(card // 4 + 1, 10) <= torpedoes]
    assert odds.escape(torpedoes, seen=seen, jokers=2) == Fraction(len(paid), len(escorts))


def test_escape_with_a_whole_pack():
    assert odds.escape(0) == 0
    assert odds.escape(3) == Fraction(3, 13)
    assert odds.escape(9, jokers=2) == Fraction(9, 13)
    assert odds.escape(10, seen="AC KD") == 1


@pytest.mark.parametrize("jokers", [0, 2])
@pytest.mark.parametrize("torpedoes", [0, 1, 2, 3, 7, 10])
def test_survival_is_the_best_that_can_be_done_against_each_escort(torpedoes, jokers):
    seen = tuple(card for card in range(52) if card % 3 and card not in (40, 44, 49))
    expected = twin_survive(torpedoes, seen, jokers, nob=True)
    assert odds.survive_escort(torpedoes, seen=seen, jokers=jokers, nob=True) == expected


def test_survival_without_torpedoes_needs_a_jack():
    assert odds.survive_escort(0, jokers=2) == Fraction(cards.GUN_TORPEDOES == 0, 13)
    assert odds.survive_escort(10) == 1


@pytest.mark.parametrize(
    ("question", "error", "sentence"),
    [
        (lambda: odds.sink("8Z", 1), NotationError, LOX.phrase("wrong.card", text="'8Z'")),
        (lambda: odds.sink("X1", 1, jokers=2), NotationError, LOX.phrase("wrong.joker.ship")),
        (lambda: odds.sink("8D", 4), OptionError, LOX.phrase("wrong.salvo", n="4")),
        (lambda: odds.sink("8D", -1), OptionError, LOX.phrase("wrong.salvo", n=-1)),
        (lambda: odds.sink("8D", 1.0), OptionError, LOX.phrase("wrong.salvo", n="1.0")),
        (lambda: odds.sink("8D", 1, seen="5H 5H"), NotationError, LOX.phrase("wrong.card.twice", card="5H")),
        (lambda: odds.sink("8D", 1, seen="X1"), NotationError, LOX.phrase("wrong.joker.seen", card="X1")),
        (lambda: odds.sink("8D", 1, jokers=3), OptionError, LOX.phrase("wrong.jokers")),
        (lambda: odds.sink("AC", 2, seen=range(2, 52)), OptionError, LOX.phrase("wrong.pool", pool=1)),
        (lambda: odds.table(seen="5H 5H"), NotationError, LOX.phrase("wrong.card.twice")),
        (lambda: odds.table(jokers=-1), OptionError, LOX.phrase("wrong.jokers")),
        (lambda: odds.escape(-1), OptionError, LOX.phrase("wrong.store", n=-1)),
        (lambda: odds.escape(1, seen=range(52)), OptionError, LOX.phrase("wrong.no_escort")),
        (lambda: odds.survive_escort(-2), OptionError, LOX.phrase("wrong.store", n="-2")),
        (lambda: odds.survive_escort(3, seen=range(3, 52)), OptionError, LOX.phrase("wrong.pool.escort", pool=3)),
        (lambda: odds.hit_counts([1, 2], np.ones((1, 52))), NotationError, LOX.phrase("wrong.lanes")),
        (lambda: odds.sink_many([1], np.ones((1, 52)), 3), OptionError, LOX.phrase("wrong.lanes.jokers")),
        (lambda: odds.hit_counts([52], np.ones((1, 52))), NotationError, LOX.phrase("wrong.lanes.ship")),
    ],
)
def test_questions_that_make_no_sense_are_refused(question, error, sentence):
    with refused(error, sentence):
        question()
