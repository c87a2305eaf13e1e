"""Cards, the cribbage show and the hit test of USS Lox, against slow and obvious twins."""

from __future__ import annotations
import itertools
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st

from navalkit.core.errors import NotationError
from navalkit.games.uss_lox import cards, cribbage
from navalkit.testing import refused, said
from ...sentences import LOX

DECK = range(52)


def subsets(hand, smallest=2):
    return (some for size in range(smallest, len(hand) + 1) for some in itertools.combinations(hand, size))


def rank_points(hand):
    """Fifteens, pairs and runs by looking at every subset of the cards."""
    points = 0
    runs = []
    for some in subsets(hand):
        ranks = sorted(card // 4 for card in some)
        points += 2 * (sum(min(rank + 1, 10) for rank in ranks) == 15)
        points += 2 * (len(some) == 2 and ranks[0] == ranks[1])
        if len(some) >= 3 and ranks == list(range(ranks[0], ranks[0] + len(some))):
            runs.append(len(some))
    return points + sum(length for length in runs if length == max(runs))


def twin_show(hand, starter):
    """The show of four cards and a starter (five cards hold runs of one length only)."""
    points = rank_points((*hand, starter))
    if len({card % 4 for card in hand}) == 1:
        points += 5 if starter % 4 == hand[0] % 4 else 4
    return points + sum(card // 4 == cards.JACK and card % 4 == starter % 4 for card in hand)


def twin_hit(ship, torpedoes, nob):
    """Rule L3b, line by line."""
    if any(card >= 52 for card in torpedoes):
        return False
    hand = (ship, *torpedoes)
    four_of_a_suit = len(hand) == 4 and len({card % 4 for card in hand}) == 1
    his_nob = nob and any(card // 4 == cards.JACK and card % 4 == ship % 4 for card in torpedoes)
    return rank_points(hand) > 0 or four_of_a_suit or his_nob


deals = st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True)
attacks = st.lists(st.integers(0, 53), min_size=1, max_size=4, unique=True).filter(lambda hand: hand[0] < 52)


def all_deals(hands, starter):
    """Every deal with this starter, shape (249900, 5)."""
    others = hands[(hands != starter).all(axis=1)]
    return np.column_stack([others, np.full(len(others), starter, dtype=np.uint8)])


@pytest.mark.parametrize("card", range(54))
def test_card_text_parses_back(card):
    assert cards.parse(cards.text(card)) == card


def test_cards_are_numbered_by_rank_then_suit():
    assert cards.parse_many("AC AD AH AS 2C KS X1 X2") == (0, 1, 2, 3, 4, 51, 52, 53)
    pips = [cards.pips(card) for card in cards.parse_many("AC 9D TH JS QC KD X1")]
    assert pips == [1, 9, 10, 10, 10, 10, 0]
    assert (cards.rank(29), cards.suit(29), cards.name(29)) == (
        7,
        1,
        LOX("card", rank=LOX("rank.7"), suit=LOX("suit.1")),
    )


def test_card_texts_are_read_generously():
    assert cards.parse(" 10d ") == cards.parse("td") == cards.parse("TD")
    assert cards.parse_many("5h, 5S  jc") == cards.as_cards([18, "5S", np.int64(40)])


@pytest.mark.parametrize("text", ["", "8", "1D", "11D", "8X", "X3", "X", "D8", "8D8", "10"])
def test_what_is_no_card_is_refused(text):
    with refused(NotationError, LOX, "wrong.card"):
        cards.parse(text)


@pytest.mark.parametrize("value, kind", [(-1, "number"), (54, "number"), (1.0, "kind"), (None, "kind")])
def test_what_is_no_card_number_is_refused(value, kind):
    with refused(NotationError, LOX, f"wrong.card.{kind}"):
        cards.as_card(value)


def test_a_joker_has_neither_rank_nor_suit():
    for question in (cards.rank, cards.suit):
        with refused(NotationError, LOX, f"wrong.joker.{question.__name__}", card="X1"):
            question(52)


@pytest.mark.parametrize(
    ("hand", "starter", "points"),
    [
        ("5H 5S 5D JC", "5C", 29),  # the highest show: the jack is his nob
        ("5C 5H 5S 5D", "JC", 28),  # the same cards with the jack turned up: no nob
        ("2C 4D 6H 8S", "KC", 0),
        ("AC 2C 3C 4C", "5D", 2 + 5 + 4),  # a fifteen of five cards, a run of five, the flush of the hand
        ("AC 2C 3C 4C", "5C", 2 + 5 + 5),  # and the starter lengthens the flush
        ("AC 2C 3C 4D", "9C", 2 * 2 + 4),  # four of a suit with the starter, but not the hand: no flush
        ("7C 7D 8H 8S", "9C", 24),  # a double double run
        ("QC KD AH 2S", "6C", 0),  # the ace is low: no run round the corner
    ],
)
def test_show_of_known_hands(hand, starter, points):
    assert cribbage.show(hand, starter) == points


@given(deals)
def test_show_is_that_of_the_obvious_scorer(deal):
    assert cribbage.show(deal[:4], deal[4]) == twin_show(deal[:4], deal[4])


@given(st.lists(deals, min_size=1, max_size=30), st.sampled_from(["u1", "i1", "i2", "u4", "i8"]))
def test_show_many_is_show_row_by_row(rows, dtype):
    scores = cribbage.show_many(np.array(rows, dtype=dtype))
    assert scores.tolist() == [twin_show(row[:4], row[4]) for row in rows]


def test_show_many_over_all_deals_has_the_known_distribution():
    hands = np.array(list(itertools.combinations(DECK, 4)), dtype=np.uint8)
    counts = np.zeros(30, dtype=np.int64)
    for starter in DECK:
        counts += np.bincount(cribbage.show_many(all_deals(hands, starter)), minlength=30)
    assert counts.sum() == 12_994_800
    assert (counts[29], counts[28], counts[24], counts[0]) == (4, 76, 3_680, 1_009_008)
    assert not counts[[19, 25, 26, 27]].any()


def test_show_many_of_no_deals_is_empty():
    assert cribbage.show_many(np.empty((0, 5), dtype=int)).shape == (0,)


@pytest.mark.parametrize(
    ("deals", "sentence"),
    [
        ([0, 1, 2, 3, 4], LOX.phrase("wrong.deals")),
        ([[0, 1, 2, 3]], LOX.phrase("wrong.deals")),
        ([[0.0, 1, 2, 3, 4]], LOX.phrase("wrong.deals", type="float64")),
        ([[0, 1, 2, 3, 4], [0, 1, 2, 3, 52]], LOX.phrase("wrong.deals.row", row=1, cards="[0, 1, 2, 3, 52]")),
        ([[0, 1, 2, 3, -1]], LOX.phrase("wrong.deals.row", row=0)),
        ([[0, 1, 2, 3, 260]], LOX.phrase("wrong.deals.row", row=0)),
        (
            [[0, 1, 2, 3, 4]] * 20_000 + [[7, 1, 2, 3, 7]],
            LOX.phrase("wrong.deals.row", row=20000, cards="[7, 1, 2, 3, 7]"),
        ),
    ],
)
def test_show_many_refuses_what_is_no_deal(deals, sentence):
    with refused(NotationError, sentence):
        cribbage.show_many(deals)


def test_show_refuses_other_than_five_different_cards():
    with refused(NotationError, LOX, "wrong.hand"):
        cribbage.show("5H 5S 5D", "5C")
    with refused(NotationError, LOX, "wrong.card.twice", card="5H"):
        cribbage.show("5H 5S 5D JC", "5H")
    with refused(NotationError, LOX, "wrong.joker.show"):
        cribbage.show("5H 5S 5D X1", "5C")


@given(st.lists(st.integers(0, 51), min_size=0, max_size=8, unique=True))
def test_combinations_score_in_fact_and_are_all_there(hand):
    found = cribbage.combinations(hand)
    assert len(set(found)) == len(found)
    by_kind = Counter(combination.kind for combination in found)
    for combination in found:
        assert set(combination.cards) <= set(hand)
    fifteens = [some for some in subsets(hand) if sum(map(cards.pips, some)) == 15]
    assert by_kind["fifteen"] == len(fifteens)
    assert by_kind["pair"] == sum(a // 4 == b // 4 for a, b in itertools.combinations(hand, 2))
    ranks = {card // 4 for card in hand}
    longest = [
        some
        for some in subsets(hand, 3)
        if len(held := {card // 4 for card in some}) == len(some)
        and max(held) - min(held) == len(some) - 1
        and not {min(held) - 1, max(held) + 1} & ranks
    ]
    assert by_kind["run"] == len(longest)
    assert by_kind["flush"] == (len(hand) >= 4 and len({card % 4 for card in hand}) == 1)


def test_combinations_say_what_they_are():
    told = [combination.said for combination in cribbage.combinations("8D 7C 9S 7H", "AC")]
    said(told, LOX, "scores.fifteen", cards=LOX("scores.and", some="7♣", last="8♦"), points=2)
    said(told, LOX, "scores.pair", cards=LOX("scores.and", some="7♣", last="7♥"), points=2)
    three = {"cards": LOX("scores.and", some="7♥, 8♦", last="9♠"), "word": LOX("rank.2")}
    said(told, LOX, "scores.run", **three, points=3)
    flush = cribbage.combinations("2C 4C 6C TC", "8C")[-1]
    five = {"cards": LOX("scores.and", some="2♣, 4♣, 6♣, 8♣", last="10♣"), "word": LOX("rank.4")}
    said(flush.said, LOX, "scores.flush", **five, points=5)
    (nob,) = cribbage.combinations("JC", "2C")
    said(nob.said, LOX, "scores.nob", jack="J♣", starter="2♣", points=1)
    assert str(nob) == f"{nob.said}."


def test_jokers_score_nothing_in_combinations():
    assert cribbage.combinations("X1 5C TD") == cribbage.combinations("5C TD")
    assert cribbage.combinations("X1 2C 4C 6C 8C") == []


@given(attacks, st.booleans())
def test_hit_test_is_rule_L3b(attack, nob):
    ship, *torpedoes = attack
    expected = twin_hit(ship, torpedoes, nob)
    assert cribbage.is_hit(ship, torpedoes, nob) == expected
    assert bool(cribbage.hits(ship, torpedoes, nob=nob)) == expected


def test_quick_hit_test_agrees_on_many_salvoes():
    rng = random.Random(3)
    for _ in range(4000):
        ship, *torpedoes = rng.sample(DECK, rng.randint(1, 4))
        assert cribbage.is_hit(ship, torpedoes, True) == twin_hit(ship, torpedoes, True)


@pytest.mark.parametrize(
    ("ship", "torpedoes", "kinds"),
    [
        ("8D", "", []),
        ("8D", "7C", ["fifteen"]),
        ("8D", "2C 2S", ["pair"]),  # the torpedoes score without the ship
        ("8D", "6C 9S 6H", ["fifteen", "fifteen", "pair"]),
        ("8D", "9C TS", ["run"]),
        ("8D", "2D QD KD", ["flush"]),
        ("8D", "2D QD", []),  # three of a suit are no hit
        ("8D", "7C 8S X1", []),  # a joker spoils it
        ("8D", "JD", []),
    ],
)
def test_hits_of_known_salvoes(ship, torpedoes, kinds):
    assert [combination.kind for combination in cribbage.hits(ship, torpedoes)] == kinds


def test_his_nob_hits_only_by_option_and_in_the_ships_suit():
    assert [combination.kind for combination in cribbage.hits("8D", "JD", nob=True)] == ["nob"]
    assert cribbage.hits("8D", "JC", nob=True) == []
    assert cribbage.hits("8D", "JD X2", nob=True) == []


def test_hits_refuses_a_joker_as_ship_and_a_card_fired_twice():
    with refused(NotationError, LOX, "wrong.joker.ship"):
        cribbage.hits("X1", "8D")
    with refused(NotationError, LOX, "wrong.card.twice", card="8D"):
        cribbage.hits("8D", "8D 2C")
