"""What the escorts know: the sea without the boats they do not see (104.1.2)."""

from __future__ import annotations

from dataclasses import replace

from .scenario import Sea
from .sight import visible
from .state import Boat, State


def as_escorts_see(state: State, sea: Sea) -> State:
    """The state as far as the escorts know it, which is all that their moves may rest on.

    Ships, markers, torpedo tracks, charges and lights are open to them, and so is what they hold in contact. Of
    the boats only those that are visible exist, and of them only place and depth.
    """
    boats = tuple(Boat(b.id, "", b.place, b.depth, 0, 0) for b in state.boats if visible(state, b, sea))
    return replace(state, boats=boats, todo=(), points=(), launched=0)
