"""What the opponent may hold: a distribution over hands, by counting alone or weighed by what is worth keeping.

Of the cards whose place is unknown, n lie in the opponent's hand. Counting alone makes every choice of n of them
equally likely. But a hand is chosen: what is worth keeping stays in it. With a weight w for every kind, a hand with h
of each out of u has the chance

    product of C(u, h) w^h over the kinds, in proportion

(Fisher's noncentral hypergeometric distribution); weights of 1 give back the counting.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from random import Random

from navalkit.core.dist import Dist

from .cards import CLEARS, RAIDS, ROWS, Card, Counts, total
from .state import Observation
from .tables import TABLES

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
        self.weights = weights
        self._ways = [_ways(u, w, self.size) for u, w in zip(self.unseen, weights, strict=True)]
        self._rest: list[list[Fraction]] = [[Fraction(1)] + [Fraction(0)] * self.size]
        for ways in reversed(self._ways):
            self._rest.append(_times(ways, self._rest[-1]))
        self._rest.reverse()  # _rest[i][m]: the ways to fill m places with the kinds from i on
        self._fast = [[float(x) for x in rest] for rest in self._rest]
        self._fast_ways = [[float(x) for x in ways] for ways in self._ways]

    def held(self, card: Card) -> Dist[int]:
        """How many of that card the opponent holds."""
        others = [Fraction(1)] + [Fraction(0)] * self.size
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
        for i, ways in enumerate(self._fast_ways):
            rest = self._fast[i + 1]
            x = rng.random() * self._fast[i][left]
            h = 0
            most = min(left, len(ways) - 1)
            while h < most:
                x -= ways[h] * rest[left - h]
                if x < 0:
                    break
                h += 1
            while not ways[h] * rest[left - h]:  # only rounding can lead to a hand that cannot be
                h -= 1
            hand.append(h)
            left -= h
        return total(self.known, tuple(hand))


def _ways(unseen: int, weight: Fraction, size: int) -> list[Fraction]:
    """C(u, h) w^h for h up to ``size``."""
    return [comb(unseen, h) * weight**h for h in range(min(unseen, size) + 1)]


def _times(a: Sequence[Fraction], b: Sequence[Fraction]) -> list[Fraction]:
    """The product of two polynomials, cut at the length of ``b``."""
    return [sum((a[i] * b[m - i] for i in range(min(m, len(a) - 1) + 1)), Fraction(0)) for m in range(len(b))]
