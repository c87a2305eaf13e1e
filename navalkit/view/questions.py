"""A question to a class, and what is shown when it is answered: games make them, phones and pages show them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .scene import Point, Scene


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer that can be given."""

    id: str
    """Names it ("0712", "105.3.4")."""
    label: str
    """What a reader is told."""
    at: Point | None = None
    """Where its cell has its middle, on the question's board."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a class is asked."""

    kind: str
    """What is asked: one of those that a walk asks (`navalkit.walks.walk.Walk.asks`), "own" or "lesson"."""
    text: str
    choices: tuple[Choice, ...]
    board: Scene | None = None
    """What is seen while the question is open: nothing in it may depend on the answer."""
    shape: tuple[Point, ...] = ()
    """The outline of a cell about its middle."""
    more: str = ""
    """What stands under the question, in smaller type."""
    key: str = ""
    """Which question of a lesson it is, by which a reloaded page finds its place."""


@dataclass(frozen=True, slots=True)
class Note:
    """What a wrong answer would have needed: the rule, a sentence, and the mistake in a few words if it has a name."""

    rule: str
    text: str
    slip: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What is shown when a question is answered."""

    right: tuple[str, ...]
    """Ids of the right choices."""
    text: str
    """The answer and the rule that decided, in a sentence."""
    rule: str = ""
    notes: Mapping[str, Note] | None = None
    """Wrong choice -> what it would have needed."""
    board: Scene | None = None
    """With the answers and the true way drawn."""
