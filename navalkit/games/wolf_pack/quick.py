"""The rules once more, in plain numbers: for looking ahead and for playing thousands of games.

Cards are numbers (`Card`), hands and discards are lists of counts, and the deck lies in a shuffled order: the same deck
can be played again with another choice. Every move leads straight to the next decision. The tests hold this against
`rules`, move by move.
"""

from __future__ import annotations
from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from typing import Protocol

from .cards import CONVOY, ROWS, UBOATS, Card, Counts, listed
from .state import TABLES, Observation, Phase

PASS = len(Card)  # the move that plays nothing; every other move is the number of a card
HAND, DRAW = TABLES.hand, TABLES.draw
DISCARD, ACT, OVER = 0, 2, 4
"""A decision is ``stage + side``: U-boats discard, convoy discards, U-boats act, convoy acts; `OVER` is the end."""
_DIVE, _MOUSE, _MISS = int(Card.DIVE), int(Card.MOUSE), int(Card.MISS)
DRAWN_GAME = 2  # `Table.winner` of a draw


class Table:
    """A game in progress, changed in place. Attributes are as in `State`, U-boats first.

    ``hands`` and ``pile``, the discards, count cards by kind, shape (11,); ``deck`` has the cards themselves, the last
    one drawn first. ``rows``, ``sunk`` and ``goals`` are pairs. ``turn`` and ``limit``: the present turn, and the last.
    ``stage``: the decision that comes next. ``rng``: where losses and later shuffles come from.
    """

    __slots__ = ("hands", "sizes", "deck", "pile", "rows", "sunk", "goals", "turn", "limit", "stage", "winner", "rng")

    def __init__(self, hands: Sequence[Sequence[int]], deck: Sequence[int], pile: Sequence[int], rows: Sequence[int],
                 sunk: Sequence[int], goals: tuple[int, int], turn: int, limit: int, stage: int, rng: Random) -> None:
        self.hands = [list(hand) for hand in hands]
        self.sizes = [sum(hand) for hand in hands]
        self.deck = list(deck)
        self.pile = list(pile)
        self.rows = list(rows)
        self.sunk = list(sunk)
        self.goals = goals
        self.turn = turn
        self.limit = limit
        self.stage = stage
        self.winner = -1
        self.rng = rng

    @classmethod
    def new(cls, cards: Counts, goals: tuple[int, int], limit: int, rng: Random) -> Table:
        """A game from its beginning, hands dealt."""
        none = [0] * PASS
        deck = list(map(int, listed(cards)))
        rng.shuffle(deck)
        table = cls((none, none), deck, none, (0, 0), (0, 0), goals, 1, limit, DISCARD, rng)
        table.draw(UBOATS, HAND)
        table.draw(CONVOY, HAND)
        table.begin_turn()
        return table

    @classmethod
    def guess(cls, seen: Observation, theirs: Counts, rng: Random) -> Table:
        """The game of an observation, if the opponent held ``theirs``, on the observer's own decision."""
        unseen = [n + known - held for n, known, held in zip(seen.unseen, seen.known, theirs, strict=True)]
        hands = (seen.hand, theirs) if seen.me == UBOATS else (theirs, seen.hand)
        stage = (DISCARD if seen.phase is Phase.DISCARD else ACT) + seen.side
        deck = list(map(int, listed(unseen)))
        rng.shuffle(deck)
        return cls(hands, deck, seen.discards, seen.rows, seen.sunk, seen.goals, seen.turn, seen.turn_limit, stage, rng)

    def copy(self, rng: Random) -> Table:
        """The same position, to be played on with chance of its own."""
        twin = Table(self.hands, self.deck, self.pile, self.rows, self.sunk, self.goals, self.turn, self.limit,
                     self.stage, rng)
        twin.winner = self.winner
        return twin

    # Decisions --------------------------------------------------------------------------------------------------

    @property
    def side(self) -> int:
        """Whose decision it is."""
        return self.stage & 1

    def moves(self) -> list[int]:
        """What may be done; where CAT AND MOUSE can be played, NEAR MISS is left out, for it does the same."""
        side = self.stage & 1
        hand = self.hands[side]
        if self.stage < ACT:
            return [card for card in range(PASS) if hand[card]]
        due = 3 * side + self.rows[side]
        return [card for card in (due, _DIVE + side, _MOUSE if hand[_MOUSE] else _MISS) if hand[card]] + [PASS]

    def move(self, card: int) -> None:
        """Do it, and go on to the next decision."""
        side = self.stage & 1
        if self.stage < ACT:
            self.hands[side][card] -= 1
            self.pile[card] += 1
            self.sizes[side] -= 1
            if self.sizes[side] <= HAND:
                self.after_draw(side)
            return
        if card != PASS:
            self.play(side, card)
        if self.winner >= 0:
            self.stage = OVER
        elif side == UBOATS:
            self.stage = ACT + CONVOY
        elif self.turn >= self.limit:
            self.winner, self.stage = DRAWN_GAME, OVER
        else:
            self.turn += 1
            self.begin_turn()

    # What they do -----------------------------------------------------------------------------------------------

    def play(self, side: int, card: int) -> None:
        """Play a card of that side."""
        self.hands[side][card] -= 1
        self.sizes[side] -= 1
        pile, rows = self.pile, self.rows
        if card >= _MOUSE:
            pile[card] += 1
            if self.sizes[1 - side]:
                self.lose(1 - side)
        elif card >= _DIVE:
            pile[card] += 1
            for other in (UBOATS, CONVOY):
                for laid in range(3 * other, 3 * other + rows[other]):
                    pile[laid] += 1
                rows[other] = 0
        elif rows[side] < 2:
            rows[side] += 1
        else:
            for laid in range(3 * side, 3 * side + 3):
                pile[laid] += 1
            rows[side] = 0
            self.sunk[side] += 1
            if self.sunk[side] >= self.goals[side]:
                self.winner = side

    def begin_turn(self) -> None:
        """Draw, up to the first decision of the turn."""
        self.draw(UBOATS, DRAW)
        if self.sizes[UBOATS] > HAND:
            self.stage = DISCARD
        else:
            self.after_draw(UBOATS)

    def after_draw(self, side: int) -> None:
        """Go on when that side has drawn and discarded."""
        if side == UBOATS:
            self.draw(CONVOY, DRAW)
            if self.sizes[CONVOY] > HAND:
                self.stage = DISCARD + CONVOY
                return
        self.stage = ACT

    def draw(self, side: int, n: int) -> None:
        """Draw ``n`` cards, as far as there are any."""
        hand = self.hands[side]
        for _ in range(n):
            if not self.deck:
                self.deck = [card for card in range(PASS) for _ in range(self.pile[card])]
                self.pile = [0] * PASS
                if not self.deck:
                    return
                self.rng.shuffle(self.deck)
            hand[self.deck.pop()] += 1
            self.sizes[side] += 1

    def lose(self, side: int) -> int:
        """A random card out of a hand, onto the pile."""
        hand = self.hands[side]
        i = int(self.rng.random() * self.sizes[side])
        card = 0
        while i >= hand[card]:
            i -= hand[card]
            card += 1
        hand[card] -= 1
        self.pile[card] += 1
        self.sizes[side] -= 1
        return card


# -- What the simple players do, as functions of what they see: for the players in a match and for the simulator alike
# A policy answers two questions, each with a number as in `quick`: which card to discard, and which to play.

_A_DIVE, _A_MOUSE, _A_MISS = int(Card.DIVE), int(Card.MOUSE), int(Card.MISS)
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
            [[[self.keep(card, copies, side, mine) for copies in range(_MOST + 1)] for card in Card]
             for mine in range(3)] for side in range(2)
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
    """Plays what gains most at once, and keeps the cards it could play soonest. A card laid gains 1, a strike 3, a
    clearance what the opponent's row loses more than its own, a random card of the opponent's half a point."""

    name = "greedy"

    def keep(self, card: Card, copies: int, side: int, mine: int) -> int:
        if card in ROWS[side]:
            ahead = (ROWS[side].index(card) - mine) % 3  # 0 is the card due now
            return 90 - 10 * ahead - 30 * (copies - 1)
        if card == _A_DIVE + side:
            return 50 - 10 * copies
        return 35 if card in (_A_MOUSE, _A_MISS) else 0 if card is Card.WATER else 5

    def play(self, hand: Sequence[int], side: int, mine: int, theirs: int, their_size: int) -> int:
        return max(self.gains(hand, side, mine, theirs, their_size), key=lambda gain: gain[1])[0]

    def gains(self, hand: Sequence[int], side: int, mine: int, theirs: int, their_size: int) -> list[tuple[int, float]]:
        """What every move gains; ties go to the first."""
        due, clear = 3 * side + mine, _A_DIVE + side
        raid = _A_MOUSE if hand[_A_MOUSE] else _A_MISS
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
        if card == _A_DIVE + side:
            return (80, 45, 15)[min(copies, 3) - 1]
        return 42 if card in (_A_MOUSE, _A_MISS) else 0 if card is Card.WATER else 6 if card in ROWS[1 - side] else 5

    def play(self, hand: Sequence[int], side: int, mine: int, theirs: int, their_size: int) -> int:
        due, clear = 3 * side + mine, _A_DIVE + side
        if mine == _WAITING and hand[due]:
            return due
        if theirs == _WAITING and mine < _WAITING and hand[clear]:
            return clear
        if hand[due]:
            return due
        if their_size and (hand[_A_MOUSE] or hand[_A_MISS]):
            return _A_MOUSE if hand[_A_MOUSE] else _A_MISS
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
