"""Who predicts: one person at the board, or a whole class on its own screens; the stepper asks both the same way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from navalkit.games.on_patrol.escort.automaton import EscortDecision
from navalkit.games.on_patrol.sea.state import State
from navalkit.grids.hex import Hex

_LETTERS = "ABCDEF"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked."""

    id: str
    """Tells it from every other question of this page."""
    text: str
    """The question in a sentence."""
    choices: Mapping[str, str]
    """Letter -> label of a hex, for those who answer without a board; the right one is among them."""


class Voter(Protocol):
    """Those who answer."""

    def ask(self, question: Question, changed: Callable[[], None]) -> None:
        """Put a question; ``changed`` is called whenever an answer comes or changes."""

    def answers(self) -> Mapping[str, str]:
        """The answers so far: who -> label of a hex."""

    def close(self) -> Mapping[str, str]:
        """The answers as they are now; from here on none is taken."""


class OneVoter:
    """One person at the board, who may choose anew until the answer is confirmed."""

    def __init__(self) -> None:
        self.label = ""
        self._changed: Callable[[], None] = lambda: None

    def ask(self, question: Question, changed: Callable[[], None]) -> None:
        self.label, self._changed = "", changed

    def choose(self, label: str) -> None:
        """Answer, or answer something else; "" takes the answer back."""
        self.label = label
        self._changed()

    def answers(self) -> Mapping[str, str]:
        return {"": self.label} if self.label else {}

    def close(self) -> Mapping[str, str]:
        return self.answers()


@dataclass(frozen=True)
class Guess:
    """What was predicted of an escort's move."""

    ends: Hex
    """Where her bow really ends."""
    votes: Counter[Hex] = field(default_factory=Counter)
    """How many answered each hex."""

    @property
    def right(self) -> int:
        """Answers that were right to the hex."""
        return self.votes[self.ends]

    @property
    def near(self) -> int:
        """Answers within one hex."""
        return sum(n for h, n in self.votes.items() if h.distance(self.ends) <= 1)

    @property
    def off(self) -> int:
        """How many hexes off the most frequent answer is."""
        return min((h.distance(self.ends) for h, n in self.votes.items() if n == max(self.votes.values())), default=0)


def choices(state: State, decision: EscortDecision) -> dict[str, str]:
    """Up to six hexes to choose from, by letter: where her bow will be, and where it might well be."""
    ship = state.vessel(decision.escort)
    bow, course, speed = ship.place.bow, ship.place.direction, max(decision.speed, 2)
    ends = decision.path[-1].place.bow if decision.path else bow
    turned = (bow.step((course - 1 + turn) % 6 + 1, speed) for turn in (0, 1, 5))
    ways = (ends, *turned, decision.target or bow, bow.step(course, speed - 1), bow)
    found = sorted(list(dict.fromkeys(ways))[: len(_LETTERS)])
    return {letter: h.label for letter, h in zip(_LETTERS, found, strict=False)}
