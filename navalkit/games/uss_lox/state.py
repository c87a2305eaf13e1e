"""USS Lox: what the state of a patrol is made of, and the actions.

Every card lies in a numbered *slot* of the shuffled pack: the supply takes the first slots (the ocean first
of all), the deck the rest. A face-down card has a slot and no identity; it is drawn when it is turned up. So
the state holds nothing that the captain has not seen.
"""

from __future__ import annotations
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from navalkit.core.codec import written_as
from navalkit.core.shown import OneLine
from . import cards


class Phase(StrEnum):
    """What comes next."""

    PLAN = "plan"  # choose how many cards the ocean has
    PERISCOPE = "periscope"  # an ocean card must be turned up
    TARGET = "target"  # a ship lies face up: attack or decline
    ESCORT = "escort"  # an escort lies face up: attack or escape
    QUEEN = "queen"  # a queen was sunk: turn an extra target or not
    DEBRIEF = "debrief"  # after an encounter: go on or return
    DRAW = "draw"  # chance turns up the card at `State.drawing`
    END = "end"


@written_as("plan {size}")
class Plan:
    """Lay out an ocean of ``size`` cards (rule A3)."""

    size: int


@written_as("flip {square}")
class Flip:
    """Turn up the ocean card on ``square``, such as "B2" (rule L1)."""

    square: str


@written_as("attack {torpedoes}")
class Attack:
    """Fire ``torpedoes`` (0 to 3) at the ship that lies face up (rules L2b, L4d)."""

    torpedoes: int


@written_as("decline")
class Decline:
    """Let the ship go, or leave the extra target alone (rules L2a, A5)."""


@written_as("escape")
class Escape:
    """Discard torpedoes to shake off the escort (rule L4c)."""


@written_as("chase")
class Chase:
    """Turn up an extra target after sinking a queen (rule A5)."""


@written_as("return")
class Return:
    """Return to port (rule L5)."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Chance: the card turned up at ``place`` (a square, or one of `PLACES`)."""

    place: str
    card: int

    def __str__(self) -> str:
        return f"{self.place}={cards.text(self.card)}"


Action = Plan | Flip | Attack | Decline | Escape | Chase | Return | Deal

PLACES = ("torpedo", "escort", "extra", "estimate")
GONE = -1  # in `State.ocean`: nothing lies there any more
NO_CARD = -1
MAX_TORPEDOES = 3
MAX_OCEAN = 25
SHIP_ROLES = ("target", "escort", "extra")


@lru_cache
def square_names(size: int) -> tuple[str, ...]:
    """Names of the squares of an ocean of ``size`` cards (1 to `MAX_OCEAN`): A1 B1 C1 A2 ..., row by row. They lie in
    the smallest square of columns and rows that holds them (rule A3)."""
    wide = next(c for c in range(1, 6) if c * c >= size)
    return tuple(f"{'ABCDE'[i % wide]}{i // wide + 1}" for i in range(size))


@dataclass(frozen=True, slots=True, repr=False)
class State(OneLine):
    """A patrol at one moment; all the captain knows, and all there is."""

    phase: Phase  # what comes next
    patrol: int = 1  # 1, or 2 on a second patrol
    ocean: tuple[int, ...] = ()  # slot of the face-down card on each square, `GONE` where there is none
    supply: tuple[int, ...] = ()  # slots of the torpedoes left
    deck: tuple[int, ...] = ()  # slots of the face-down deck, next card first
    ship: int = NO_CARD  # the card that lies face up as target or escort, or `NO_CARD`
    role: str = ""  # what it is: "target", "escort" or "extra" ("" if there is none)
    firing: int = 0  # torpedoes committed to the present attack
    fired: tuple[int, ...] = ()  # torpedo cards turned up in it so far
    last: tuple[int, ...] = ()  # the last attack, ship first: to look back at
    drawing: str = ""  # in `Phase.DRAW`: the place where chance turns up a card
    seen: int = 0  # bit c is set if card c has been turned up
    sunk: tuple[int, ...] = ()  # the score pile
    estimates: tuple[int, ...] = ()  # slots of the face-down cards that stand for sunk face cards (rule A2)
    estimated: tuple[int, ...] = ()  # those of them that were turned up at the end
    spent: int = 0  # torpedoes fired so far
    met: int = 0  # escorts met so far
    result: str = ""  # "win" or "loss" once that is decided

    @property
    def squares(self) -> tuple[str, ...]:
        """Names of all squares of the ocean, turned up or not."""
        return square_names(len(self.ocean))

    @property
    def ocean_left(self) -> int:
        """How many ocean cards are still face down."""
        return sum(slot != GONE for slot in self.ocean)

    @property
    def torpedoes(self) -> int:
        """How many torpedoes are left."""
        return len(self.supply)

    @property
    def seen_cards(self) -> tuple[int, ...]:
        """All cards that have been turned up, in card order."""
        return tuple(card for card in range(54) if self.seen >> card & 1)

    @property
    def tons(self) -> int:
        """Tonnage sunk so far in tons, estimates included once they are turned up (rule L7)."""
        return 1000 * sum(cards.pips(card) for card in self.sunk + self.estimated)

    def slot(self, place: str) -> int:
        """The slot of the card that is turned up next at ``place``."""
        if place == "torpedo":
            return self.supply[0]
        if place == "estimate":
            return self.estimates[len(self.estimated)]
        if place in PLACES:
            return self.deck[0]
        return self.ocean[self.squares.index(place)]
