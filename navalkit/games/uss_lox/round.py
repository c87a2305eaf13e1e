"""The quick copy of the rules in `game`: where a boat goes next, for one boat or for many at once.

`game` is what teaches, and tells what happens; a test holds this copy against it. Each function is given where every
way leads, a phase for who sails boats on or a value for who weighs orders, and says which way it is. Numbers and arrays
serve alike, of boats or of sets of cards. A way may be a function: it is called only if somebody goes that way.
"""

from __future__ import annotations
import itertools
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from . import cards, cribbage
from .game import TABLES, UssLox
from .state import MAX_TORPEDOES

Bools = npt.NDArray[np.bool_]

JOKER = 13  # the rank of a joker, as `RANK` has it
RANK = np.array([card >> 2 for card in range(54)], dtype=np.uint8)  # rank of every card
PIPS = np.array([cards.pips(4 * rank) for rank in range(13)] + [0])
"""What a rank counts, and costs to escape from (rules L4c, L7); a joker nothing."""
_BLANK = 14  # stands for a torpedo not fired in the table of hits
NO_SHOT = 4 * _BLANK


def either(condition: Any, yes: Any, no: Any) -> Any:
    """The one way where the condition holds, and the other where it does not."""
    here = condition if isinstance(condition, bool) else condition.all()
    if here or isinstance(condition, bool) or not condition.any():
        way = yes if here else no
        return way() if callable(way) else way
    return np.where(condition, yes() if callable(yes) else yes, no() if callable(no) else no)


def usual_ocean(dealt: Any) -> Any:
    """How many of the cards dealt are laid out as the ocean where nobody plans it (rules L0, A7)."""
    return np.minimum(TABLES.ocean, dealt - 1)


def most_fired(rank: Any, torpedoes: Any) -> Any:
    """How many torpedoes may be fired at a ship with that many left (rules L2b, L3a)."""
    return np.minimum(np.where(rank == cards.JACK, cards.GUN_TORPEDOES, MAX_TORPEDOES), torpedoes)


class Round:
    """The rounds of a patrol of one game, under its options."""

    def __init__(self, game: UssLox) -> None:
        options = game.options
        self.supply_size, self.patrols, self.plans = game.supply_size, options["patrols"], options["plan_patrol"]
        self.kings, self.queens = options["king_ships"], options["queen_ships"]
        self.estimates, self.nob = options["face_estimates"], options["nob"]

    def supply(self, deck: Any) -> Any:
        """How many cards are dealt for a patrol (rules L0, A7)."""
        return np.minimum(self.supply_size, deck)

    def oceans(self, dealt: int) -> Sequence[int]:
        """How many of them may be laid out as the ocean (rules L0, A3)."""
        return range(1, dealt) if self.plans else (int(usual_ocean(dealt)),)

    def turned(self, rank: Any, target: Any, escort: Any, hunted: Any, extra: bool = False) -> Any:
        """A card is turned up in the ocean, or as an extra target (rules L1, A1, A4, A5)."""
        king = (rank == cards.KING) & (self.kings and not extra)
        return either(rank == JOKER, hunted, lambda: either(king, escort, target))

    def let_go(self, extra: Any, ocean: Any, debrief: Any, home: Any, periscope: Any) -> Any:
        """A target is let go (rules L2a, A5)."""
        return either(extra, debrief, lambda: either(ocean == 0, home, periscope))

    def hunted(self, deck: Any, patrol: Any, escort: Any, lost: Any, debrief: Any) -> Any:
        """After a miss, or a joker in sight (rules L4b, L4e, A7)."""
        return either(deck > 0, escort, lambda: either(patrol > 1, lost, debrief))

    def replaced(self, rank: Any, deck: Any) -> Any:
        """Whether a card of the deck takes the place of the ship sunk, to be counted at the end (rule A2)."""
        return self.estimates & (rank >= cards.JACK) & (deck > 0)

    def sunk(self, rank: Any, deck: Any, queen: Any, debrief: Any) -> Any:
        """After a sinking, the ship counted (rules L4a, A5)."""
        return either(self.queens & (rank == cards.QUEEN) & (deck > 0), queen, debrief)

    def debrief(self, ocean: Any, torpedoes: Any, home: Any, asked: Any) -> Any:
        """After an encounter (rules L5, L6)."""
        return either((ocean == 0) | (torpedoes == 0), home, asked)

    def home(self, patrol: Any, deck: Any, again: Any, won: Any) -> Any:
        """The boat comes home (rules L6, A7)."""
        return either((patrol < self.patrols) & (deck > 1), again, won)


def sunk_by(ship: npt.NDArray[np.uint8], shots: npt.NDArray[np.uint8], nob: bool) -> Bools:
    """Rules L3a, L3b, A1, A6 for ships (lanes,) and shots (3, lanes), some of them `NO_SHOT`."""
    first, second, third = shots
    place = ((ship >> 2).astype(np.int32) * 15 + (first >> 2)) * 15 + (second >> 2)
    hit: Bools = _rank_hits()[place * 15 + (third >> 2)]
    suit = ship & 3
    flush = ((first & 3) == suit) & ((second & 3) == suit) & ((third & 3) == suit) & (third < 52)
    if nob:
        flush |= (shots == 4 * cards.JACK + suit).any(axis=0)
    return np.asarray(hit | flush & ~(shots >> 2 == JOKER).any(axis=0))


@cache
def _rank_hits() -> Bools:
    """Whether ranks score: flat, [ship, shot, shot, shot] in base 15; 13 is a joker and 14 no shot."""
    table = np.zeros((13, 15, 15, 15), dtype=bool)
    for size in range(4):
        for ship in range(13):
            for ranks in itertools.combinations(range(13), size):
                # A suit unlike the ship's for every shot, so that nothing but ranks scores.
                if cribbage.is_hit(4 * ship, [4 * rank + 1 for rank in ranks]):
                    for order in itertools.permutations((*ranks, *[_BLANK] * (3 - size))):
                        table[(ship, *order)] = True
    # Two shots of one rank are a pair.
    for first, second, third in itertools.product([*range(13), _BLANK], repeat=3):
        if first == second < 13 or second == third < 13 or first == third < 13:
            table[:, first, second, third] = True
    table[cards.JACK] |= (np.indices((15, 15, 15)) != _BLANK).sum(axis=0) >= cards.GUN_TORPEDOES  # the deck gun
    return np.asarray(table.reshape(-1))
