"""What happened, under which rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .language.words import Text


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Event:
    """One thing that happened. It holds a key and facts; its sentence is made when it is read.

    Parameters
    ----------
    rule : str
        Id of the rule that made it happen ("L4b").
    kind : str
        What kind of thing ("sunk"): the key of its sentence.
    said : str or Phrase
        The sentence for the log, said or to be said.
    facts : mapping
        What the sentence is made from, by name. ``by`` is the number of the player who did it, where one did.
    to : frozenset of int, optional
        The players who may know of it; None means everybody.
    """

    rule: str
    kind: str
    said: Text
    facts: Mapping[str, Any] = field(default_factory=dict)
    to: frozenset[int] | None = None

    @property
    def text(self) -> str:
        """The sentence, in the present reader's language and person (`navalkit.core.language.words.speaking`)."""
        return str(self.said)

    def seen_by(self, player: int | None) -> bool:
        """Whether ``player`` (None: the all-seeing reader) may know of it."""
        return player is None or self.to is None or player in self.to

    def __str__(self) -> str:
        return f"{self.text} [{self.rule}]"

    def __repr__(self) -> str:
        return f"<Event {self.kind}: {self}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Event):
            return NotImplemented
        return (self.rule, self.kind, self.to, self.text) == (other.rule, other.kind, other.to, other.text)

    def __hash__(self) -> int:
        return hash((self.rule, self.kind, self.to))
