"""Perft: on a small pack, count all that can happen in a number of plies, against a slow count that shares no
code.

The slow count plays with real cards: it deals every arrangement of the pack and plays every order of the
captain on it as the rules are written down. So it also shows that drawing a card when it is turned up is the
same game as shuffling the pack beforehand.
"""

from __future__ import annotations
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import pytest

from navalkit.core.game import CHANCE, TERMINAL
from navalkit.games.uss_lox import UssLox, cards

PACK = cards.parse_many("5C 5D TS JH 3C 2H")  # with pairs, fifteens and a jack
SUPPLY, OCEAN = 4, 3


class SmallLox(UssLox):
    """Six cards: an ocean of three, one torpedo, a deck of two."""

    supply_size = SUPPLY

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.pack = PACK


# The slow twin: a game is the tuple of all that happened, in notation. It knows no State and no rules.py.


def value(card: int) -> int:
    return min(card // 4 + 1, 10)


def scores(up: tuple[int, ...]) -> bool:
    ranks = sorted({card // 4 for card in up})
    pair = len(ranks) < len(up)
    fifteen = any(sum(map(value, some)) == 15 for n in range(2, 5) for some in combinations(up, n))
    run = any(a + 1 == b and b + 1 == c for a, b, c in zip(ranks, ranks[1:], ranks[2:], strict=False))
    return pair or fifteen or run or (len(up) == 4 and len({card % 4 for card in up}) == 1)


def stories(pack: tuple[int, ...]) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Every patrol that can be played on one arrangement of the pack, as the list of its plies."""
    ocean, torpedoes, deck = pack[:OCEAN], list(pack[OCEAN:SUPPLY]), list(pack[SUPPLY:])

    def debrief(told: tuple[str, ...], left: tuple[int, ...], t: list[int], d: list[int]) -> Iterator[tuple[str, ...]]:
        if not left or not t:
            yield told
            return
        yield (*told, "return")
        yield from periscope(told, left, t, d)

    def periscope(
        told: tuple[str, ...], left: tuple[int, ...], t: list[int], d: list[int]
    ) -> Iterator[tuple[str, ...]]:
        for place in left:
            square = ("A1", "B1", "A2")[place]
            now = (*told, f"flip {square}", f"{square}={cards.text(ocean[place])}")
            rest = tuple(other for other in left if other != place)
            yield from periscope((*now, "decline"), rest, t, d) if rest else [(*now, "decline")]
            yield from attack(now, ocean[place], rest, t, d, False)

    def attack(
        told: tuple[str, ...], ship: int, left: tuple[int, ...], t: list[int], d: list[int], last_chance: bool
    ) -> Iterator[tuple[str, ...]]:
        jack = ship // 4 == 10
        for n in range(min(cards.GUN_TORPEDOES if jack else 3, len(t)) + 1):
            fired = tuple(t[:n])
            now = (*told, f"attack {n}", *(f"torpedo={cards.text(card)}" for card in fired))
            if jack and n >= cards.GUN_TORPEDOES or scores((ship, *fired)):
                yield from debrief(now, left, t[n:], d)
            elif last_chance:
                yield now
            else:
                yield from escort(now, left, t[n:], d)

    def escort(told: tuple[str, ...], left: tuple[int, ...], t: list[int], d: list[int]) -> Iterator[tuple[str, ...]]:
        if not d:
            yield from debrief(told, left, t, d)
            return
        now = (*told, f"escort={cards.text(d[0])}")
        cost = value(d[0])
        if cost <= len(t):
            yield from debrief((*now, "escape"), left, t[cost:], [*d[1:], *t[:cost]])
        yield from attack(now, d[0], left, t, d[1:], True)

    return periscope((), tuple(range(OCEAN)), torpedoes, deck)


@pytest.fixture(scope="module")
def slow_stories() -> set[tuple[str, ...]]:
    return {told for pack in permutations(PACK) for told in stories(pack)}


def fast_stories(state: Any, game: SmallLox, told: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    turn = game.turn(state)
    if turn == TERMINAL:
        yield told
        return
    for action in game.chance(state) if turn == CHANCE else game.legal(state):
        yield from fast_stories(game.apply(state, action).state, game, (*told, str(action)))


def test_the_rules_tell_exactly_the_stories_that_real_cards_tell(slow_stories: set[tuple[str, ...]]) -> None:
    game = SmallLox()
    told = list(fast_stories(game.initial(), game))
    assert len(told) == len(set(told))
    assert set(told) == slow_stories


def test_counts_of_stories_by_ply(slow_stories: set[tuple[str, ...]]) -> None:
    """Perft numbers: distinct beginnings of that many plies."""
    game = SmallLox()

    def fast(state: Any, depth: int) -> int:
        if not depth:
            return 1
        turn = game.turn(state)
        actions = () if turn == TERMINAL else game.chance(state) if turn == CHANCE else game.legal(state)
        return sum(fast(game.apply(state, action).state, depth - 1) for action in actions)

    slow = [len({told[:depth] for told in slow_stories if len(told) >= depth}) for depth in range(7)]
    assert [fast(game.initial(), depth) for depth in range(7)] == slow
    # three squares; six cards on each; fire 0 or 1 or decline, jacks 0 or decline if the gun takes no torpedo
    assert slow[:4] == [1, 3, 18, 54 - 3 * (cards.GUN_TORPEDOES == 0)]


def test_a_drawn_card_has_the_chance_that_a_shuffled_one_has() -> None:
    """Exact: the same story has the same probability in lazy and in shuffled cards, the captain choosing
    alike."""
    game = SmallLox()
    orders = ("flip B1", "attack 1")

    def lazy(state: Any, orders: tuple[str, ...], p: Fraction) -> Iterator[tuple[tuple[int, ...], Fraction]]:
        if game.turn(state) == CHANCE:
            for action, q in game.chance(state).items():
                yield from lazy(game.apply(state, action).state, orders, p * q)
        elif orders and (able := [a for a in game.legal(state) if str(a) == orders[0]]):
            yield from lazy(game.apply(state, able[0]).state, orders[1:], p)
        else:
            yield (state.last or (state.ship,), state.met), p  # type: ignore[misc]

    lazy_chances: dict[Any, Fraction] = {}
    for seen, p in lazy(game.initial(), orders, Fraction(1)):
        lazy_chances[seen] = lazy_chances.get(seen, Fraction(0)) + p
    shuffled: dict[Any, Fraction] = {}
    packs = list(permutations(PACK))
    for pack in packs:
        ship, torpedo = pack[1], pack[OCEAN]
        jack = cards.by_gun(ship, 0)  # then "attack 1" is not possible, and the story ends with the ship turned up
        scored = cards.by_gun(ship, 1) or scores((ship, torpedo))
        seen = ((ship,), 0) if jack else ((ship, torpedo), 0 if scored else 1)
        shuffled[seen] = shuffled.get(seen, Fraction(0)) + Fraction(1, len(packs))
    assert lazy_chances == shuffled
