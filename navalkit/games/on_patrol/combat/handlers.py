"""What every kind of roll gives: its odds, and what follows from a result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from navalkit.core.event import Event
from navalkit.core.luck.dist import Dist

from ..sea.setting import Sea
from ..sea.state import State, Task


class Resolution(NamedTuple):
    """What follows: the new state, rolls to be made next (before those already waiting), and what happened."""

    state: State
    tasks: tuple[Task, ...] = ()
    events: tuple[Event, ...] = ()


class Handler(NamedTuple):
    """A kind of task: the exact odds of its results, and what a result leads to."""

    odds: Callable[[State, Task, Sea], Dist[Any]]  # over words or numbers
    # takes the result; the task itself is not taken from ``State.todo``
    resolve: Callable[[State, Task, Any, Sea], Resolution]
