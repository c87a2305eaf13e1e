"""Many patrols side by side, as arrays: what the policies look at and the simulator moves on.

One lane is one boat. A single `State` is the case of one lane, so that a player in a match and the same
policy in the simulator run through the same lines of code.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ..rules.game import UssLox
from ..rules.round import Bools as Bools
from ..rules.state import State

Ints = npt.NDArray[np.integer[Any]]
Lanes = npt.NDArray[np.intp]

DECLINE, ESCAPE = 4, 5  # orders beside 0..3, the torpedoes of an attack


@dataclass(slots=True)
class Boats:
    """Struct of arrays, one entry a lane."""

    ship: npt.NDArray[np.uint8]  # shape (lanes,): the card that lies face up
    extra: Bools  # whether it is the extra target of a sunk queen
    ocean: Ints  # cards face down in the ocean
    torpedoes: Ints  # cards in the supply
    deck: Ints  # cards in the deck
    pips: Ints  # thousands of tons in the score pile, without face-down estimates
    estimates: Ints  # face-down cards in the score pile (rule A2)
    patrol: Ints  # 1 or 2
    # a bit for each card of the pack not seen yet; None where the policy does not count cards
    unseen: npt.NDArray[np.uint64] | None

    def some(self, lanes: Any) -> Boats:
        """Some of the boats."""
        columns: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        for name in columns.keys() - {"unseen"} if self.unseen is None else columns:
            columns[name] = columns[name][lanes]
        return Boats(**columns)

    @classmethod
    def of(cls, game: UssLox, state: State) -> Boats:
        """The one lane of a state."""
        return cls(
            ship=np.array([max(state.ship, 0)], dtype=np.uint8),
            extra=np.array([state.role == "extra"]),
            ocean=np.array([state.ocean_left]),
            torpedoes=np.array([state.torpedoes]),
            deck=np.array([len(state.deck)]),
            pips=np.array([state.tons // 1000]),
            estimates=np.array([len(state.estimates) - len(state.estimated)]),
            patrol=np.array([state.patrol]),
            unseen=np.array([unseen_by(game, state)], dtype=np.uint64),
        )


def unseen_by(game: UssLox, state: State) -> int:
    """The cards of the pack not seen yet, a bit for each."""
    return _whole(game.pack) & ~state.seen


@cache
def _whole(pack: tuple[int, ...]) -> int:
    return sum(1 << card for card in pack)


class Policy(Protocol):
    """Orders for many boats at once. Every method answers for the boats in ``lanes`` only, in that order."""

    counts: bool  # whether it looks at `Boats.unseen`

    def plan(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        """Ocean cards to lay out of the cards dealt, which lie in ``torpedoes`` (rule A3)."""
        ...

    def target(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        """0 to 3 torpedoes at the ship, or `DECLINE`."""
        ...

    def escort(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Ints:
        """0 to 3 torpedoes at the escort, or `ESCAPE`."""
        ...

    def chase(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Bools:
        """Whether to turn up the extra target of a sunk queen (rule A5)."""
        ...

    def sail_on(self, boats: Boats, lanes: Lanes, rng: np.random.Generator) -> Bools:
        """At a debrief: whether to turn up another ocean card rather than to return (rule L5)."""
        ...
