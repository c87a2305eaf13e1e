"""A sunk face card that a card of the deck stands for (rule A2): what is told of her tonnage is what then counts."""

from __future__ import annotations
import itertools
from dataclasses import replace

import numpy as np
import pytest

from navalkit.core.match import Match
from navalkit.games.uss_lox import PAGE, UssLox, cards, cribbage, odds
from navalkit.games.uss_lox.state import Phase, State
from navalkit.testing import said
from navalkit.view.page import Glance
from ...sentences import LOX

LEFT = "AC 5H 7D TS JS QD KH X1"
"""Cards that nobody has seen, besides the ship."""


def before(game: UssLox, ship: str, left: str = LEFT) -> State:
    """That ship lies face up, and those cards are all that nobody has seen."""
    number, unseen = cards.parse(ship), cards.parse_many(left)
    seen = sum(1 << card for card in game.pack if card not in unseen)
    return replace(game.initial(), phase=Phase.TARGET, ship=number, role="target", seen=seen, supply=(1, 2, 3),
                   ocean=(4, 5), deck=(6, 7, 8))


def hoped(game: UssLox, state: State, torpedoes: int) -> float:
    """What an attack brings on average, by every order of the cards left: those fired come first, then the deck's."""
    unseen = [card for card in game.pack if not state.seen >> card & 1]
    found = []
    for order in itertools.permutations(unseen, torpedoes + 1):
        *fired, counts = order
        dud = any(map(cards.is_joker, fired))
        hit = not dud and cribbage.is_hit(state.ship, fired, game.options["nob"])
        found.append(1000 * cards.pips(counts) * (hit or cards.by_gun(state.ship, torpedoes)))
    return float(np.mean(found))


@pytest.mark.parametrize("nob", [False, True])
@pytest.mark.parametrize("ship", ["JD", "QH", "KC"])
def test_what_an_attack_brings_is_that_of_every_order_of_the_cards(ship: str, nob: bool) -> None:
    game = UssLox(face_estimates=True, jokers=True, nob=nob)
    state = before(game, ship)
    assert game.estimated(state, state.ship)
    assert odds.gains(game, state, state.ship) == pytest.approx([hoped(game, state, n) for n in range(4)])
    unseen = cards.parse_many(LEFT)
    assert odds.estimate(game, state) == pytest.approx(1000 * np.mean([cards.pips(card) for card in unseen]))


def test_she_counts_herself_without_the_option_without_a_deck_and_below_a_jack() -> None:
    game = UssLox(face_estimates=True, jokers=True)
    ten, queen = before(game, "TH"), before(game, "QH")
    for plain, state in ((game, ten), (game, replace(queen, deck=())), (UssLox(jokers=True), queen)):
        assert not plain.estimated(state, state.ship)
        chances = [float(odds.sink(state.ship, n, seen=[c for c in state.seen_cards if c != state.ship], jokers=2))
                   for n in range(4)]
        assert odds.gains(plain, state, state.ship) == pytest.approx([10_000 * chance for chance in chances])


def glance(game: UssLox, state: State) -> Glance:
    return Glance(game, state, 0, tuple(game.legal(state)))


def test_the_page_tells_what_a_card_of_the_deck_counts_and_not_her_own_tons() -> None:
    later, plain = UssLox(face_estimates=True, jokers=True), UssLox(jokers=True)
    state = before(later, "QH")
    said(PAGE.now(glance(later, state)), LOX, "now.target.later", tons=round(odds.estimate(later, state)))
    said(PAGE.now(glance(plain, state)), LOX, "now.target", tons=10_000)
    gain = {game: PAGE.charts(glance(game, state))[1].y for game in (later, plain)}
    assert gain[later] == pytest.approx([hoped(later, state, n) for n in range(4)])
    assert all(mine < own for mine, own in zip(gain[later][1:], gain[plain][1:], strict=True))


def test_the_next_ship_is_worth_what_it_counts_on_average() -> None:
    """Any of the ships left may be turned up; a face card among them is counted by another of the cards left."""
    game = UssLox(face_estimates=True, jokers=True)
    state = replace(before(game, "2H"), phase=Phase.DEBRIEF, ship=-1, role="")
    ships = [card for card in cards.parse_many(LEFT) if not cards.is_joker(card)]
    found = np.zeros(4)
    for ship in ships:
        up = replace(state, ship=ship, seen=state.seen | 1 << ship)
        worth = 1000 * cards.pips(ship)
        found += [hoped(game, up, n) if cards.rank(ship) >= cards.JACK else
                  worth * float(odds.sink(ship, n, seen=state.seen_cards, jokers=2)) for n in range(4)]
    assert PAGE.charts(glance(game, state))[1].y == pytest.approx((found / len(ships)).tolist())


def test_tonnage_so_far_names_the_cards_still_to_be_turned_up() -> None:
    game = UssLox(face_estimates=True)
    for seed in range(40):
        match = Match.new(game, seed)
        while not match.over and not match.state.estimates:
            legal = match.legal()
            match.play(max(legal, key=lambda each: str(each).startswith("attack")))
        if match.over:
            continue
        state = match.state
        sunk = LOX.phrase("tonnage.later", tons=state.tons, cards=len(state.estimates))
        assert str(sunk) in PAGE.aims(glance(game, state)).camps[0].score
        return
    raise AssertionError("no face card was sunk in 40 patrols")
