"""What the opponent may hold: a distribution over hands, by counting alone or weighed by what is worth keeping.

Of the cards whose place is unknown, n lie in the opponent's hand. Counting alone makes every choice of n of them
equally likely. But a hand is chosen: what is worth keeping stays in it, and a second card of a kind is kept more often
or less than the first. With a weight w for the first of every kind and v for every further one, a hand with h of each
out of u has the chance

    product of C(u, h) w v^(h-1) over the kinds it holds, in proportion

(with v = w Fisher's noncentral hypergeometric distribution); weights of 1 give back the counting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm
from random import Random

import numpy as np

from navalkit.core.luck.dist import Dist

from ..rules.cards import CLEARS, CONVOY, RAIDS, ROWS, Card, Counts, counts, less, listed, total
from ..rules.state import Observation, Phase, State
from ..rules.tables import TABLES

Weights = tuple[tuple[Fraction, Fraction], ...]
"""What the first card of each kind counts and what every further one, shape (11, 2); only the proportions matter."""
EVEN: Weights = ((Fraction(1), Fraction(1)),) * len(Card)


def role(card: Card, side: int, row: int, drawn: bool) -> str:
    """What a card is to the side that holds it: "opening", "due", "later", "clear", "raid", "water", and "theirs"
    or "their_clear" of what only the other side can use.

    "opening" begins the row and "due" goes on with it; they are "opening_left" and "due_left" from when the side has
    acted, and did not lay them, to its next draw.

    ``side``: who may hold it. ``row``: how many cards lie in that side's row. ``drawn``: whether the side has drawn
    since it acted last.
    """
    if card is ROWS[side][row]:
        return ("due" if row else "opening") + ("" if drawn else "_left")
    if card in ROWS[side]:
        return "later"
    if card in CLEARS:
        return "clear" if card is CLEARS[side] else "their_clear"
    return "raid" if card in RAIDS else "water" if card is Card.WATER else "theirs"


@lru_cache(maxsize=64)
def kept(side: int, row: int, drawn: bool = True) -> Weights:
    """How likely each kind is to be kept, against a card drawn at random: measured on careful players (data.toml).

    ``side``: whose hand it is. ``row``: how many cards lie in that side's row. ``drawn``: whether the side has drawn
    since it acted last.
    """
    return tuple(TABLES.kept[side][role(card, side, row, drawn)] for card in Card)


def likely(seen: Observation) -> Weights:
    """What is known of how the opponent's hand was chosen: nothing before its first draw, later what is `kept`."""
    other = 1 - seen.me
    if seen.turn == 1 and other == CONVOY and seen.phase is Phase.DISCARD:
        return EVEN
    return kept(other, seen.rows[other], has_drawn(seen, other))


def has_drawn(seen: Observation, side: int) -> bool:
    """Whether that side's draw of its next action is done."""
    if seen.phase in (Phase.ACTION, Phase.LOSS):  # a side that has acted draws before it acts again
        return seen.side < side or (seen.side == side and seen.phase is Phase.ACTION)
    return seen.side > side or (seen.side == side and seen.phase is Phase.DISCARD)


def permute(state: State, player: int, rng: np.random.Generator) -> State:
    """Another state that looks the same to ``player``: the other hand's unknown cards are exchanged with the deck.

    What `navalkit.testing.check_game` asks for.
    """
    other = 1 - player
    known = state.known[other]
    hidden = [*listed(less(state.hands[other], known)), *listed(state.deck)]
    cards = [hidden[i] for i in rng.permutation(len(hidden))]
    n = sum(state.hands[other]) - sum(known)
    hand = total(known, counts(cards[:n]))
    hands = (state.hands[0], hand) if other else (hand, state.hands[1])
    return replace(state, hands=hands, deck=counts(cards[n:]))


class Belief:
    """The opponent's hand as far as an observation tells. ``weights``: left out, by counting alone."""

    def __init__(self, observation: Observation, weights: Weights = EVEN) -> None:
        self.known = observation.known
        self.unseen = observation.unseen
        self.size = observation.their_size - sum(self.known)
        """Cards in the opponent's hand that are unknown."""
        # All hands are of one size, so that weights may be scaled to whole numbers.
        scale = lcm(*(weight.denominator for pair in weights for weight in pair))
        whole = [(int(first * scale), int(again * scale)) for first, again in weights]
        self._ways = [_ways(u, *pair, self.size) for u, pair in zip(self.unseen, whole, strict=True)]
        rest = [[1] + [0] * self.size]
        for ways in reversed(self._ways):
            rest.append(_times(ways, rest[-1]))
        self._rest = rest[::-1]  # [i][m]: the ways to fill m places with the kinds from i on

    def held(self, card: Card) -> Dist[int]:
        """How many of that card the opponent holds."""
        others = [1] + [0] * self.size
        for i, ways in enumerate(self._ways):
            if i != card:
                others = _times(ways, others)
        known = self.known[card]
        return Dist((known + h, ways * others[self.size - h]) for h, ways in enumerate(self._ways[card]))

    def holds(self, card: Card) -> Fraction:
        """The chance that the opponent holds that card at all."""
        return self.held(card).at_least(1)

    def sample(self, rng: Random) -> Counts:
        """A hand the opponent may hold, known cards included."""
        left, hand = self.size, []
        for i, ways in enumerate(self._ways):
            rest = self._rest[i + 1]
            x = int(rng.random() * self._rest[i][left])
            h = 0
            while x >= (n := ways[h] * rest[left - h]) and h < min(left, len(ways) - 1):
                x -= n
                h += 1
            hand.append(h)
            left -= h
        return total(self.known, tuple(hand))


def _ways(unseen: int, first: int, again: int, size: int) -> list[int]:
    """C(u, h) w v^(h-1) for h up to ``size``; 1 for none."""
    return [1, *(comb(unseen, h) * first * again ** (h - 1) for h in range(1, min(unseen, size) + 1))]


def _times(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The product of two polynomials, cut at the length of ``b``."""
    return [sum(a[i] * b[m - i] for i in range(min(m, len(a) - 1) + 1)) for m in range(len(b))]
