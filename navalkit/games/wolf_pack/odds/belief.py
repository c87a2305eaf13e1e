"""What the opponent may hold: a distribution over hands, by counting alone or weighed by what is worth keeping.

Of the cards whose place is unknown, n lie in the opponent's hand. Counting alone makes every choice of n of them
equally likely. But a hand is chosen: what is worth keeping stays in it. With a weight w for every kind, a hand with h
of each out of u has the chance

    product of C(u, h) w^h over the kinds, in proportion

(Fisher's noncentral hypergeometric distribution); weights of 1 give back the counting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm
from random import Random

import numpy as np

from navalkit.core.dist import Dist

from ..rules.cards import CLEARS, RAIDS, ROWS, Card, Counts, counts, less, listed, total
from ..rules.state import Observation, State
from ..rules.tables import TABLES

Weights = tuple[Fraction, ...]
"""What each kind counts, shape (11,); only the proportions matter."""
EVEN: Weights = (Fraction(1),) * len(Card)


def role(card: Card, side: int, row: int) -> str:
    """What a card is to the side that holds it: "due", "later", "clear", "raid", "theirs" or "water".

    Parameters
    ----------
    card : Card
    side : int
        Who may hold it.
    row : int
        How many cards lie in that side's row.
    """
    if card in ROWS[side]:
        return "due" if row and card is ROWS[side][row] else "later"
    if card is CLEARS[side]:
        return "clear"
    return "raid" if card in RAIDS else "water" if card is Card.WATER else "theirs"


@lru_cache(maxsize=64)
def kept(side: int, row: int) -> Weights:
    """How likely each kind is to be kept, against a card drawn at random: measured on careful players (data.toml).

    Parameters
    ----------
    side : int
        Whose hand it is.
    row : int
        How many cards lie in that side's row.
    """
    return tuple(TABLES.kept[side][role(card, side, row)] for card in Card)


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
    """The opponent's hand as far as an observation tells.

    Parameters
    ----------
    observation : Observation
    weights : Weights, optional
        Left out, by counting alone.
    """

    def __init__(self, observation: Observation, weights: Weights = EVEN) -> None:
        self.known = observation.known
        self.unseen = observation.unseen
        self.size = observation.their_size - sum(self.known)
        """Cards in the opponent's hand that are unknown."""
        # All hands are of one size, so that weights may be scaled to whole numbers.
        scale = lcm(*(weight.denominator for weight in weights))
        self._ways = [_ways(u, int(w * scale), self.size) for u, w in zip(self.unseen, weights, strict=True)]
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


def _ways(unseen: int, weight: int, size: int) -> list[int]:
    """C(u, h) w^h for h up to ``size``."""
    return [comb(unseen, h) * weight**h for h in range(min(unseen, size) + 1)]


def _times(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The product of two polynomials, cut at the length of ``b``."""
    return [sum(a[i] * b[m - i] for i in range(min(m, len(a) - 1) + 1)) for m in range(len(b))]
