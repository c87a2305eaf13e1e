"""All rolls of combat under one name: what each phase has to roll, and the handler of every kind of task."""

from __future__ import annotations

from collections.abc import Mapping

from ..sea.setting import Sea
from ..sea.state import Phase, State, Task
from . import attacks, guns, hull, search, torpedoes
from .handlers import Handler, Resolution

__all__ = ["HANDLERS", "Handler", "Resolution", "opening", "still_due"]

_KINDS = torpedoes.HANDLERS, attacks.HANDLERS, search.HANDLERS, guns.HANDLERS, hull.HANDLERS
HANDLERS: Mapping[str, Handler] = {kind: handler for part in _KINDS for kind, handler in part.items()}
"""Kind of task -> its odds and what follows: "torpedo", "stop", "depth", "damage", "sonar", "radar", "gun", "ram",
"crush"."""


def opening(state: State, sea: Sea) -> Resolution:
    """What a phase begins with: torpedoes run (4), attacks, searches and guns are listed (5, 6, 7); else nothing."""
    if state.phase is Phase.TORPEDOES:
        return torpedoes.torpedo_phase(state)
    if state.phase is Phase.ATTACKS:
        return Resolution(state, attacks.attacks(state))
    if state.phase is Phase.SEARCH:
        return search.search_phase(state, sea)
    if state.phase is Phase.GUNFIRE:
        return Resolution(state, guns.gunfire(state, sea))
    return Resolution(state)


def still_due(state: State, task: Task) -> bool:
    """Whether a roll still matters: not for a boat that is sunk meanwhile, nor for a ship that is sinking.

    A torpedo that meets a sinking ship is rolled all the same.
    """
    if task.kind == "stop":
        return not state.vessel(task.target).sunk
    return task.kind == "torpedo" or all(boat.active for boat in state.boats if boat.id == task.target)
