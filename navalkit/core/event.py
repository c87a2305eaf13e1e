"""What happened, under which rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    Parameters
    ----------
    rule : str
        Id of the rule that made it happen ("L4b").
    kind : str
        What kind of thing ("sunk"): the key of its sentence.
    text : str
        The sentence for the log.
    facts : mapping
        What the sentence was made from, by name.
    to : frozenset of int, optional
        The players who may know of it; None means everybody.
    """

    rule: str
    kind: str
    text: str
    facts: Mapping[str, Any] = field(default_factory=dict, compare=False)
    to: frozenset[int] | None = None

    def seen_by(self, player: int | None) -> bool:
        """Whether ``player`` (None: the all-seeing reader) may know of it."""
        return player is None or self.to is None or player in self.to

    def __str__(self) -> str:
        return f"{self.text} [{self.rule}]"
