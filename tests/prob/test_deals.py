"""Draws without replacement: the formulas against every order or hand of a small pack."""

from __future__ import annotations
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations
from math import comb

import pytest
from hypothesis import given, strategies as st

from navalkit.core.dist import Dist
from navalkit.core.errors import DataError
from navalkit.prob import deals
from navalkit.testing import refused
from ..sentences import CORE


@st.composite
def packs(draw):
    """(population, successes, draws) of a pack small enough to list."""
    population = draw(st.integers(0, 9))
    return population, draw(st.integers(0, population)), draw(st.integers(0, population))


@given(packs())
def test_hypergeometric_matches_every_hand(pack):
    population, successes, draws = pack
    cards = [1] * successes + [0] * (population - successes)
    every_hand = Dist.uniform(sum(hand) for hand in combinations(cards, draws))
    assert deals.hypergeometric(*pack) == every_hand
    for wanted in range(-1, draws + 2):
        assert deals.at_least(*pack, wanted) == every_hand.at_least(wanted)


@given(packs())
def test_hypergeometric_moments_match_the_textbook(pack):
    n, k, m = pack
    d = deals.hypergeometric(n, k, m)
    if n:
        assert d.mean == Fraction(m * k, n)
    if n > 1:
        assert d.variance == Fraction(m * k * (n - k) * (n - m), n * n * (n - 1))


def test_hypergeometric_knows_the_lottery_and_large_packs():
    assert deals.hypergeometric(49, 6, 6)[6] == Fraction(1, 13983816)
    assert deals.at_least(52, 4, 1) == Fraction(1, 13)
    assert deals.hypergeometric(5000, 2500, 1000).mean == 500


@given(st.lists(st.integers(0, 3), min_size=1, max_size=4), st.data())
def test_multivariate_matches_every_hand(sizes, data):
    counts = dict(zip("DACB", sizes, strict=False))
    draws = data.draw(st.integers(0, sum(sizes)))
    cards = [kind for kind, n in counts.items() for _ in range(n)]
    every_hand = Dist.uniform(
        tuple((kind, Counter(hand)[kind]) for kind in sorted(counts)) for hand in combinations(cards, draws)
    )
    assert deals.multivariate(counts, draws) == every_hand


def test_multivariate_of_two_kinds_is_hypergeometric():
    suits = deals.multivariate({"H": 13, "other": 39}, 5)
    assert suits.map(lambda hand: dict(hand)["H"]) == deals.hypergeometric(52, 13, 5)
    assert deals.multivariate({}, 0) == Dist.point(())


def test_multivariate_keeps_the_order_of_kinds_that_cannot_be_sorted():
    assert deals.multivariate({"x": 1, 2: 1}, 1) == Dist.uniform([(("x", 1), (2, 0)), (("x", 0), (2, 1))])


@given(st.lists(st.integers(1, 4), max_size=6), st.data())
def test_draw_matches_every_order_of_drawing(cards, data):
    n = data.draw(st.integers(0, len(cards)))
    assert deals.draw(cards, n) == Dist.uniform(tuple(sorted(order)) for order in permutations(cards, n))


def test_equal_cards_that_cannot_be_sorted_make_equal_hands():
    assert deals.draw(["x", 1, "x"], 2) == Dist({("x", "x"): 1, ("x", 1): 2})
    assert deals.draw([1, "x", "x", 1], 2) == Dist({(1, 1): 1, (1, "x"): 4, ("x", "x"): 1})


@given(st.lists(st.integers(0, 9), max_size=7), st.data())
def test_chance_of_matches_every_order_of_drawing(cards, data):
    n = data.draw(st.integers(0, len(cards)))
    orders = list(permutations(cards, n))
    fifteens = Fraction(sum(sum(order) == 15 for order in orders), len(orders))
    assert deals.chance_of(cards, n, lambda hand: sum(hand) == 15) == fifteens
    assert deals.chance_of(iter(cards), n, lambda hand: sum(hand) == 15) == fifteens


def test_chance_of_a_pair_in_three_cards():
    deck = [(rank, suit) for rank in range(13) for suit in "CDHS"]
    pair = deals.chance_of(deck, 3, lambda hand: len({rank for rank, _ in hand}) < 3)
    assert pair == 1 - Fraction(comb(13, 3) * 4**3, comb(52, 3))


@given(st.integers(1, 7), st.data())
def test_waiting_time_matches_every_order_of_the_pack(population, data):
    successes = data.draw(st.integers(1, population))
    cards = [1] * successes + [0] * (population - successes)
    assert deals.waiting_time(population, successes) == Dist.uniform(
        order.index(1) + 1 for order in permutations(cards)
    )


@given(st.integers(1, 60), st.data())
def test_waiting_time_has_the_textbook_mean_and_agrees_with_drawing_that_many(population, data):
    successes = data.draw(st.integers(1, population))
    wait = deals.waiting_time(population, successes)
    assert wait.mean == Fraction(population + 1, successes + 1)
    draws = data.draw(st.integers(0, population))
    assert wait.cdf(draws) == deals.at_least(population, successes, draws)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda: deals.hypergeometric(-1, 0, 0),
            CORE.phrase("deals.whole_number", name="population", bounds=CORE("deals.more", least=0), value="-1"),
        ),
        (
            lambda: deals.hypergeometric(5, 6, 1),
            CORE.phrase(
                "deals.whole_number", name="successes", bounds=CORE("deals.between", least=0, most=5), value="6"
            ),
        ),
        (
            lambda: deals.hypergeometric(5, 2, 6),
            CORE.phrase("deals.whole_number", name="draws", bounds=CORE("deals.between", least=0, most=5), value="6"),
        ),
        (
            lambda: deals.hypergeometric(5, 2.0, 1),
            CORE.phrase(
                "deals.whole_number", name="successes", bounds=CORE("deals.between", least=0, most=5), value="2.0"
            ),
        ),
        (lambda: deals.at_least(5, True, 1), CORE.phrase("deals.whole_number", value="True")),
        (
            lambda: deals.waiting_time(5, 0),
            CORE.phrase(
                "deals.whole_number", name="successes", bounds=CORE("deals.between", least=1, most=5), value="0"
            ),
        ),
        (
            lambda: deals.waiting_time(0, 0),
            CORE.phrase("deals.whole_number", name="population", bounds=CORE("deals.more", least=1), value="0"),
        ),
        (
            lambda: deals.multivariate({"a": -1}, 0),
            CORE.phrase(
                "deals.whole_number",
                name=CORE("deals.count", kind="'a'"),
                bounds=CORE("deals.more", least=0),
                value="-1",
            ),
        ),
        (
            lambda: deals.multivariate({"a": 1}, 2),
            CORE.phrase("deals.whole_number", name="draws", bounds=CORE("deals.between", least=0, most=1), value="2"),
        ),
        (
            lambda: deals.draw("abc", 4),
            CORE.phrase(
                "deals.whole_number", name=CORE("deals.drawn"), bounds=CORE("deals.between", least=0, most=3), value="4"
            ),
        ),
        (
            lambda: deals.chance_of("abc", -1, bool),
            CORE.phrase("deals.whole_number", bounds=CORE("deals.between", least=0, most=3), value="-1"),
        ),
        (lambda: deals.draw(range(52), 13), CORE.phrase("deals.hands", n=13, pack=52, hands=635013559600)),
    ],
)
def test_impossible_counts_are_named(ask, message):
    with refused(DataError, message) as error:
        ask()
    assert str(error.value).endswith(".")
