"""Wolf Pack: what the state of a game is made of, the actions, and what each side may see of it.

Cards of the deck have no identity until they are drawn: the state knows how many of each kind are left, and chance
says which one comes next.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from navalkit.core.notation import written_as
from navalkit.core.shown import OneLine

from .cards import NONE, SIDES, Card, Counts, less, row_counts, total


class Phase(StrEnum):
    """What comes next."""

    DRAW = "draw"  # chance: `State.side` draws a card
    DISCARD = "discard"  # `State.side` has more than five cards
    ACTION = "action"  # `State.side` plays one card, or passes
    LOSS = "loss"  # chance: the opponent of `State.side` loses a random card
    END = "end"


@written_as("discard {card}")
class Discard:
    """Lay one card too many face up on the discard pile (rule W4)."""

    card: Card


@written_as("play {card}")
class Play:
    """Play a card: into the own row, or for what it does (rules W5 to W10)."""

    card: Card


@written_as("pass")
class Pass:
    """Play nothing this turn (rule W5)."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Chance: the card that a side draws (rules W0, W3)."""

    side: int
    card: Card

    def __str__(self) -> str:
        return f"{SIDES[self.side].lower()} draw {self.card}"


@dataclass(frozen=True, slots=True)
class Lost:
    """Chance: the card that a side loses from its hand (rule W10)."""

    side: int
    card: Card

    def __str__(self) -> str:
        return f"{SIDES[self.side].lower()} lose {self.card}"


Action = Discard | Play | Pass | Drawn | Lost


@dataclass(frozen=True, slots=True, repr=False)
class State(OneLine):
    """A game at one moment; U-boats first wherever there are two of something."""

    phase: Phase  # what comes next
    side: int = 0  # whose draw, discard or action it is (0 U-boats, 1 convoy)
    turn: int = 0  # from 1; 0 while the first hands are dealt
    to_draw: int = 0  # cards that ``side`` has yet to draw in this phase
    hands: tuple[Counts, Counts] = (NONE, NONE)  # each is hidden from the other side
    rows: tuple[int, int] = (0, 0)  # how many cards lie in each row, 0 to 2
    sunk: tuple[int, int] = (0, 0)  # transports sunk by the U-boats, U-boats sunk by the convoy
    discards: Counts = NONE  # the pile of discards, face up
    pool: Counts = NONE  # what was shuffled into the present deck: public, since it had lain face up
    deck: Counts = NONE  # what is left of it: hidden but for its size
    shuffles: int = 1  # which deck it is, from 1
    losses: int = 0  # cards lost at random so far
    # cards of each hand that the other side knows of by counting (rule W13)
    known: tuple[Counts, Counts] = (NONE, NONE)
    last: tuple[Action | None, Action | None] = (None, None)  # what each side did last
    result: str = ""  # "U-boats", "convoy" or "draw" once that is decided


@dataclass(frozen=True, slots=True, repr=False)
class Observation(OneLine):
    """All that one side may know, and nothing else."""

    me: int  # the side that looks
    # phase, side, turn, rows, sunk, discards, pool, shuffles, last, result: as in `State`
    phase: Phase
    side: int
    turn: int
    hand: Counts  # the own hand
    their_size: int  # how many cards the opponent holds
    rows: tuple[int, int]
    sunk: tuple[int, int]
    discards: Counts
    pool: Counts
    deck_size: int  # how many cards are left in the deck
    shuffles: int
    known: Counts  # cards the opponent is known to hold (rule W13)
    my_known: Counts  # own cards that the opponent knows of
    last: tuple[Action | None, Action | None]
    result: str
    cards: Counts  # all cards of the game
    goals: tuple[int, int]  # transports and U-boats to sink for victory
    turn_limit: int  # the last turn

    @property
    def seen(self) -> Counts:
        """The cards whose place is known: own hand, rows, discards, and what the opponent surely holds."""
        return total(total(self.hand, row_counts(self.rows)), total(self.discards, self.known))

    @property
    def unseen(self) -> Counts:
        """The other cards: they lie in the deck or, unknown, in the opponent's hand."""
        return less(self.cards, self.seen)
