"""The odds of Wolf Pack against the slow, obvious way: every order of the deck, every hand."""

from __future__ import annotations
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import navalkit as nk
from navalkit.core.errors import NotationError, OptionError
from navalkit.games.wolf_pack import odds
from navalkit.games.wolf_pack.cards import CONVOY, NONE, ROWS, SIDES, UBOATS, Card, counts, less, listed, total
from navalkit.games.wolf_pack.rules import WolfPack
from navalkit.games.wolf_pack.state import Observation, Phase
from navalkit.testing import refused
from ...sentences import WOLF

TINY = "periscope torpedo torpedo transport sonar water water"


@cache
def orders(unseen: tuple[Card, ...]) -> list[tuple[Card, ...]]:
    """Every order of the unseen cards."""
    return list(permutations(unseen))


def play_alone(hand, side, laid, order, turns, drawn):
    """The turn on which the row is complete, drawing from that order, by playing it out; None if it is not."""
    held, deck = list(listed(hand)), list(order)
    for turn in range(1, turns + 1):
        if turn > 1 or not drawn:
            held += deck[:2]
            deck = deck[2:]
        needed = [*ROWS[side][laid:]]
        held.sort(key=lambda card: card not in needed)  # discard what is not needed
        kept = [card for card in needed if card in held]
        held = (kept + [card for card in held if card not in needed])[:5]
        if ROWS[side][laid] in held:
            held.remove(ROWS[side][laid])
            laid += 1
            if laid == 3:
                return turn
    return None


def twin(hand, *, side, turns, row, seen, deck, drawn=False):
    """The share of all orders of the unseen cards in which the row is complete in time."""
    hand, laid = counts(hand), sum(counts(row))
    unseen = less(counts(deck), total(hand, total(counts(row), counts(seen))))
    runs = [play_alone(hand, side, laid, order, turns, drawn) for order in orders(tuple(listed(unseen)))]
    return Fraction(sum(run is not None for run in runs), len(runs))


@pytest.mark.parametrize("drawn", [False, True])
@pytest.mark.parametrize(
    "hand, row, seen",
    [
        ("", "", ""),
        ("torpedo", "", "water"),
        ("transport water", "periscope", ""),
        ("water", "periscope torpedo", "sonar"),
        ("periscope transport", "", "torpedo torpedo"),
    ],
)
def test_completing_a_row_is_the_share_of_all_orders_of_the_deck(hand, row, seen, drawn):
    for turns in range(6):
        question = dict(side=UBOATS, turns=turns, row=row, seen=seen, deck=TINY, drawn=drawn)
        assert odds.complete_within(hand, **question) == twin(hand, **question)


def test_completing_the_convoys_row_is_the_share_of_all_orders_of_the_deck():
    deck = "sonar charges charges u-boat u-boat water dive"
    for turns in range(6):
        question = dict(turns=turns, row="sonar", seen="", deck=deck)
        expected = twin("water", side=CONVOY, **question)
        assert odds.complete_within("water", side="convoy", **question) == expected


@settings(max_examples=25)
@given(
    st.lists(st.sampled_from([*ROWS[0], Card.WATER]), min_size=3, max_size=7),
    st.integers(0, 2),
    st.integers(1, 5),
    st.booleans(),
)
def test_completing_a_row_from_any_small_deck(unseen, laid, turns, drawn):
    row, hand = [*ROWS[0][:laid]], [Card.WATER]
    question = dict(side=UBOATS, turns=turns, row=row, seen=(), deck=[*row, *hand, *unseen], drawn=drawn)
    assert odds.complete_within(hand, **question) == twin(hand, **question)


def test_a_hand_that_has_all_three_needs_three_turns():
    hand = "periscope torpedo transport"
    assert odds.complete_within(hand, side="U-boats", turns=3) == 1
    assert odds.complete_within(hand, side="U-boats", turns=2) == 0
    assert odds.expected_turns(hand, side=0) == 3
    assert odds.expected_turns("transport", side=0, row="periscope torpedo") == 1


def test_the_last_card_alone_is_one_hypergeometric():
    deck = odds.DEFAULT_DECK
    n, u = sum(deck) - 2, deck[Card.TRANSPORT]
    miss = Fraction((n - u) * (n - u - 1), n * (n - 1))
    assert odds.complete_within("", side=0, turns=1, row="periscope torpedo") == 1 - miss


def test_the_turn_it_is_complete_has_the_chances_of_the_orders():
    dist = odds.turns_to_complete("torpedo", side=0, deck=TINY)
    order = orders(tuple(listed(less(counts(TINY), counts("torpedo")))))
    runs = [play_alone(counts("torpedo"), 0, 0, cards, 10, False) for cards in order]
    assert {turn: Fraction(runs.count(turn), len(runs)) for turn in set(runs)} == dict(dist.items())
    assert odds.expected_turns("torpedo", side=0, deck=TINY) == Fraction(sum(runs), len(runs))


@pytest.mark.parametrize(
    "hand, question, sentence",
    [
        ("", dict(side="navy", turns=1), WOLF.phrase("wrong.side")),
        ("", dict(side=0, turns=-1), WOLF.phrase("wrong.turns", turns="-1")),
        ("", dict(side=0, turns=True), WOLF.phrase("wrong.turns", turns="True")),
        (
            "",
            dict(side=0, turns=2, row="torpedo"),
            WOLF.phrase("wrong.laid", titles="PERISCOPE – TORPEDO – TRANSPORT", laid="torpedo"),
        ),
        ("", dict(side=1, turns=2, row="periscope"), WOLF.phrase("wrong.laid", side="convoy")),
        ("", dict(side=0, turns=2, row="periscope torpedo transport"), WOLF.phrase("wrong.laid")),
        ("water water", dict(side=0, turns=2, deck="water periscope"), WOLF.phrase("wrong.count", n=2, card="WATER")),
    ],
)
def test_a_bad_question_is_refused(hand, question, sentence):
    with refused(OptionError, sentence):
        odds.complete_within(hand, **question)


def test_what_is_no_card_is_refused():
    with refused(NotationError, WOLF, "wrong.card", card="'kraken'"):
        odds.complete_within("kraken", side=0, turns=1)


def test_a_row_whose_card_is_gone_has_no_expected_turn():
    with refused(OptionError, WOLF, "wrong.waits", card="TRANSPORT"):
        odds.expected_turns("periscope", side=0, seen="transport", deck=TINY)


# What the opponent holds ------------------------------------------------------------------------------------------


def observation(deck="", hand="", their_size=2, known="", discards="", rows=(0, 0), me=UBOATS, **fields):
    cards = counts(deck)
    values = {
        "phase": Phase.ACTION, "side": me, "turn": 3, "sunk": (0, 0), "shuffles": 1, "my_known": NONE,
        "last": (None, None), "result": "",
    }  # fmt: skip
    return Observation(
        me=me,
        hand=counts(hand),
        their_size=their_size,
        rows=rows,
        discards=counts(discards),
        pool=cards,
        deck_size=0,
        known=counts(known),
        cards=cards,
        goals=(6, 4),
        turn_limit=200,
        **{**values, **fields},
    )


def hands(seen, weights=odds.EVEN):
    """Every hand the opponent may hold, card by card, with its weight."""
    unknown = list(listed(seen.unseen))
    for hand in combinations(range(len(unknown)), seen.their_size - sum(seen.known)):
        weight, held = Fraction(1), list(seen.known)
        for i in hand:
            row = weights[unknown[i]]
            weight *= row[min(held[unknown[i]], len(row) - 1)]
            held[unknown[i]] += 1
        yield total(seen.known, counts([unknown[i] for i in hand])), weight


SEEN = [
    observation(deck="sonar sonar charges u-boat u-boat u-boat water water sweep", hand="water", their_size=4),
    observation(
        deck="sonar sonar charges u-boat u-boat water water sweep", discards="sonar", known="u-boat", their_size=3
    ),
    observation(deck="sonar charges water water", their_size=4),
    observation(deck="sonar charges water water", their_size=0, rows=(0, 1)),
]
KEPT = tuple(
    (Fraction(n, 7), Fraction(m, 5), Fraction(n + m, 3))
    for n, m in zip((7, 3, 2, 14, 9, 1, 5, 8, 6, 7, 1), (3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5), strict=True)
)


@pytest.mark.parametrize("weights", [None, KEPT], ids=["counting", "weighed"])
@pytest.mark.parametrize("seen", SEEN)
def test_what_the_opponent_holds_is_the_share_of_all_his_hands(seen, weights):
    everything = list(hands(seen, weights or odds.EVEN))
    whole = sum(weight for _, weight in everything)
    for card in Card:
        dist = odds.held(card, observation=seen, weights=weights)
        for n in range(5):
            assert dist[n] == sum((w for hand, w in everything if hand[card] == n), Fraction(0)) / whole
        assert odds.holds(str(card), observation=seen, weights=weights) == dist.at_least(1)


def test_a_known_card_is_held_for_sure():
    assert odds.holds("u-boat", observation=SEEN[1]) == 1


def test_may_hold_gives_every_kind_and_weighs_on_demand():
    match = nk.Match.new("wolf-pack", seed=5)
    start = match.observe(UBOATS)
    assert odds.may_hold(start) == odds.may_hold(start, kept=True)  # the convoy has not chosen anything yet
    while match.state.phase is not Phase.ACTION:
        match.play(match.legal()[0])
    seen = match.observe(UBOATS)
    plain, weighed = odds.may_hold(seen), odds.may_hold(seen, kept=True)
    assert list(plain) == list(Card) and plain[Card.SONAR] == odds.holds("sonar", observation=seen)
    assert weighed[Card.WATER] < plain[Card.WATER] and weighed[Card.SWEEP] > plain[Card.SWEEP]


@pytest.mark.parametrize("weights", [odds.EVEN, KEPT], ids=["counting", "weighed"])
def test_sampled_hands_come_as_often_as_they_should(weights):
    from random import Random

    seen, n, rng = SEEN[0], 4000, Random(1)
    guess = odds.Belief(seen, weights)
    samples = [guess.sample(rng) for _ in range(n)]
    assert all(sum(hand) == 4 and min(less(seen.unseen, hand)) >= 0 for hand in samples)
    for card in Card:
        p = float(guess.holds(card))
        share = sum(hand[card] > 0 for hand in samples) / n
        assert abs(share - p) <= 4 * (p * (1 - p) / n) ** 0.5


def test_within_asks_from_an_observation():
    seen = observation(deck=TINY, hand="torpedo", their_size=1, discards="water", rows=(1, 0))
    hand = dict(side=0, row="periscope", seen="water", deck=TINY)
    assert odds.within(seen, 2) == odds.complete_within("torpedo", turns=2, drawn=True, **hand)
    later = observation(deck=TINY, hand="torpedo", their_size=1, discards="water", rows=(1, 0), side=CONVOY)
    assert odds.within(later, 2) == odds.complete_within("torpedo", turns=2, drawn=False, **hand)


def test_within_for_the_opponent_averages_over_his_hands():
    """His unknown cards are drawn first; then he plays alone, as everybody does in these odds."""
    deck = "sonar charges u-boat u-boat water dive periscope"
    seen = observation(deck=deck, hand="periscope", their_size=2, rows=(0, 1))
    for turns in range(1, 4):
        question = dict(side=CONVOY, turns=turns, row="sonar", seen="periscope", deck=deck, drawn=True)
        mean = [odds.complete_within(hand, **question) * weight for hand, weight in hands(seen)]
        assert odds.within(seen, turns, CONVOY) == sum(mean) / len(mean)
    knows = observation(deck=deck, hand="periscope", their_size=2, rows=(0, 1), known="charges")
    mean = [odds.complete_within(hand, **{**question, "turns": 2}) for hand, _ in hands(knows)]
    assert odds.within(knows, 2, CONVOY) == sum(mean) / len(mean)


def test_the_chance_of_a_row_agrees_with_games_played_under_the_rules():
    """From the first hands on: the U-boats build alone and the convoy only passes, without a reshuffle."""
    game, turns, hits, expected, n = WolfPack(), 5, 0, 0.0, 300
    for seed in range(n):
        match = nk.Match.new(game, seed)
        needed = [*ROWS[UBOATS]]
        expected += float(odds.complete_within(match.at(10).hands[0], side=0, turns=turns))
        while match.state.turn <= turns and not match.state.sunk[0]:
            legal = {str(a): a for a in match.legal()}
            if match.state.phase is Phase.ACTION:
                due = f"play {ROWS[0][match.state.rows[0]]}"
                match.play(due if match.turn == UBOATS and due in legal else "pass")
                continue
            spare = [a for a in match.legal() if a.card not in needed or match.observe().hand[a.card] > 1]
            match.play(spare[0] if match.turn == UBOATS else match.legal()[0])
        assert match.state.shuffles == 1
        hits += match.state.sunk[0]
    error = (expected / n * (1 - expected / n) / n) ** 0.5
    assert abs(hits / n - expected / n) <= 4 * error


def test_sides_are_named_as_the_players():
    for number, side in enumerate(SIDES):
        question = dict(turns=4, row=())
        assert odds.complete_within("", side=side, **question) == odds.complete_within("", side=number, **question)


def test_odds_do_not_depend_on_what_is_hidden():
    rng = np.random.default_rng(2)
    match = nk.Match.new("wolf-pack", seed=2)
    for _ in range(60):
        legal = match.legal()
        match.play(legal[int(rng.integers(len(legal)))])
    seen = match.observe()
    held = sum((odds.held(card, observation=seen).mean for card in Card), Fraction(0))
    assert held == seen.their_size  # the chances add up to the hand


@pytest.mark.parametrize("kept", [False, True])
def test_what_is_held_is_asked_of_an_observation(kept: bool) -> None:
    with refused(OptionError, WOLF, "wrong.observation", seen="None"):
        odds.may_hold(None, kept=kept)
