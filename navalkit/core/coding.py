"""A game in figures: what a learner is shown, and how actions are numbered. A game's package offers ``CODING``."""

from __future__ import annotations
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any

__all__ = ["Coding", "Figure", "course", "hot"]

Figure = tuple[str, float, float]
"""A name ("hand.sonar"), a value, and its scale: the value, in its own unit, that counts as 1."""


@dataclass(frozen=True, slots=True)
class Coding:
    """How a game is written in figures. Either every action there can be has its number, or the legal ones are told by
    figures of their own, since their place in the list means nothing."""

    look: Callable[[Any], Iterable[Figure]]
    """What an observation shows: the same names in the same order for every observation of the game."""
    actions: tuple[Any, ...] = ()
    """All actions; () where they are told by figures."""
    places: int = 0
    """How many legal actions can be told of at once; any more are left out."""
    tell: Callable[[Any, Any], Iterable[Figure]] | None = None
    """(observation, action) -> what tells an action from others."""
    reward: float = 1.0
    """How much of the game's score counts as 1."""


def hot(name: str, value: Any, values: Sequence[Any]) -> Iterator[Figure]:
    """Which of some values it is, as one figure for each.

    Parameters
    ----------
    name : str
        Of the figures ("phase"); the values' own follow it.
    value : object
        The one that it is.
    values : sequence
        All that it may be.

    Returns
    -------
    iterator of Figure
        1 for that one, 0 for the others.

    Examples
    --------
    >>> [*hot("side", "convoy", ["boats", "convoy"])]
    [('side.boats', 0.0, 1.0), ('side.convoy', 1.0, 1.0)]
    """
    return ((f"{name}.{getattr(each, 'value', each)}", float(each == value), 1.0) for each in values)


def course(name: str, direction: float, of: int) -> Iterator[Figure]:
    """A direction as two figures, its sine and its cosine, so that the last one is near the first.

    Parameters
    ----------
    name : str
        Of the figures ("heading").
    direction : float
        Counted from 0 the way round.
    of : int
        How many there are.

    Yields
    ------
    Figure
        Two, each from -1 to 1.

    Examples
    --------
    >>> [(name, round(value)) for name, value, _ in course("heading", 2, 8)]
    [('heading.sin', 1), ('heading.cos', 0)]
    """
    angle = 2 * pi * direction / of
    yield f"{name}.sin", sin(angle), 1.0
    yield f"{name}.cos", cos(angle), 1.0
