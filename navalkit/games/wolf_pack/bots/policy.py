"""What the simple players do, as functions of what they see: for the players in a match and for the simulator alike.

A policy answers two questions, each with a number as in `quick`: which card to discard, and which to play.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol

from ..rules.cards import ROWS, Card
from .quick import ACT, PASS, Table

_DIVE, _MOUSE, _MISS = int(Card.DIVE), int(Card.MOUSE), int(Card.MISS)
_MOST = 3  # from this many cards of a kind on, each further one counts the same
_WAITING = 2  # cards in a row that waits for its last one


class Policy(Protocol):
    """A player without reasons."""

    name: str

    def discard(self, hand: Sequence[int], side: int, mine: int, theirs: int) -> int:
        """The card to discard from ``hand``, shape (11,), with ``mine`` and ``theirs`` cards in the rows."""

    def play(self, hand: Sequence[int], side: int, mine: int, theirs: int, their_size: int) -> int:
        """The card to play, or `PASS`; ``their_size`` cards are in the opponent's hand."""


class Keeper(ABC):
    """Discards by a table of what the last copy of each card in hand is worth keeping."""

    def __init__(self) -> None:
        # [side][cards in the own row][card][copies held, at most _MOST]
        self.worth = [
            [
                [[self.keep(card, copies, side, mine) for copies in range(_MOST + 1)] for card in Card]
                for mine in range(3)
            ]
            for side in range(2)
        ]

    @abstractmethod
    def keep(self, card: Card, copies: int, side: int, mine: int) -> int:
        """What it is worth to keep the last of ``copies`` of a card."""

    def discard(self, hand: Sequence[int], side: int, mine: int, theirs: int) -> int:
        worth = self.worth[side][mine]
        least, worst = 1000, 0
        for card in range(PASS):
            n = hand[card]
            if n:
                value = worth[card][n if n < _MOST else _MOST]
                if value < least:
                    least, worst = value, card
        return worst


class Greedy(Keeper):
    """Plays what gains most at once, and keeps the cards it could play soonest.

    A card laid gains 1, a strike 3, a clearance what the opponent's row loses more than its own, a random card of the
    opponent's half a point.
    """

    name = "greedy"

    def keep(self, card: Card, copies: int, side: int, mine: int) -> int:
        if card in ROWS[side]:
            ahead = (ROWS[side].index(card) - mine) % 3  # 0 is the card due now
            return 90 - 10 * ahead - 30 * (copies - 1)
        if card == _DIVE + side:
            return 50 - 10 * copies
        return 35 if card in (_MOUSE, _MISS) else 0 if card is Card.WATER else 5

    def play(self, hand: Sequence[int], side: int, mine: int, theirs: int, their_size: int) -> int:
        return max(self.gains(hand, side, mine, theirs, their_size), key=lambda gain: gain[1])[0]

    def gains(self, hand: Sequence[int], side: int, mine: int, theirs: int, their_size: int) -> list[tuple[int, float]]:
        """What every move gains; ties go to the first."""
        due, clear = 3 * side + mine, _DIVE + side
        raid = _MOUSE if hand[_MOUSE] else _MISS
        gains = [(due, 3.0 if mine == _WAITING else 1.0)] if hand[due] else []
        gains += [(clear, float(theirs - mine))] if hand[clear] else []
        gains += [(raid, 0.5 if their_size else 0.0)] if hand[raid] else []
        return [*gains, (PASS, 0.0)]


class Careful(Keeper):
    """Builds its row, and keeps DIVE or SWEEP until it hurts: against two cards that wait for the third."""

    name = "careful"

    def keep(self, card: Card, copies: int, side: int, mine: int) -> int:
        if card in ROWS[side]:
            first = 100 if ROWS[side].index(card) >= mine else 70
            return first if copies == 1 else 40 if copies == 2 else 10
        if card == _DIVE + side:
            return (80, 45, 15)[min(copies, 3) - 1]
        return 42 if card in (_MOUSE, _MISS) else 0 if card is Card.WATER else 6 if card in ROWS[1 - side] else 5

    def play(self, hand: Sequence[int], side: int, mine: int, theirs: int, their_size: int) -> int:
        due, clear = 3 * side + mine, _DIVE + side
        if mine == _WAITING and hand[due]:
            return due
        if theirs == _WAITING and mine < _WAITING and hand[clear]:
            return clear
        if hand[due]:
            return due
        if their_size and (hand[_MOUSE] or hand[_MISS]):
            return _MOUSE if hand[_MOUSE] else _MISS
        return PASS


GREEDY, CAREFUL = Greedy(), Careful()


def choose(table: Table, policy: Policy) -> int:
    """The policy's move on a table."""
    side = table.stage & 1
    rows = table.rows
    if table.stage < ACT:
        return policy.discard(table.hands[side], side, rows[side], rows[1 - side])
    return policy.play(table.hands[side], side, rows[side], rows[1 - side], table.sizes[1 - side])


def play_out(table: Table, policies: Sequence[Policy], last: int) -> None:
    """Play on in place, until the game or turn ``last`` is over."""
    while table.winner < 0 and table.turn <= last:
        table.move(choose(table, policies[table.stage & 1]))
