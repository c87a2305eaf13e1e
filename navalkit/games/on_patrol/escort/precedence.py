"""Whose turn it is among the escorts, what each steers for, and which of them rams (105.4.5 and mode 5)."""

from __future__ import annotations

from typing import NamedTuple

from navalkit.grids.hex import Hex, turn_between

from ..sea.fleet import in_formation, station
from ..sea.state import Marker, MarkerKind, State, Vessel


class Turn(NamedTuple):
    """What orders escorts in phase 3: those that hunt before those that return, the nearest first (105.4.5)."""

    returning: bool
    distance: int
    turn: int
    station: str
    id: str


def aim(marker: Marker, ramming: bool = False) -> Hex:
    """The hex an escort steers for: the target hex, or the bow of the boat she means to ram."""
    return marker.place.bow if ramming else marker.target


def turn_order(state: State, ship: Vessel) -> Turn:
    """Her place in the order: hexes from her bow to what she steers for, then how far her bow points off it."""
    marker = state.marker(ship.hunt.boat)
    at = station(state, ship).bow if marker is None else aim(marker, marker.kind is MarkerKind.SURFACED)
    bow, heading = ship.place
    off = abs(turn_between(heading, bow.direction_to(at))) if bow != at else 0
    return Turn(marker is None, bow.distance(at), off, ship.station, ship.id)


def waiting(state: State) -> list[Vessel]:
    """The escorts that have still to move in phase 3, in order."""
    ships = [v for v in state.escorts if v.id not in state.moved and not v.stopped and not in_formation(state, v)]
    return sorted(ships, key=lambda ship: turn_order(state, ship))


def next_to_move(state: State) -> str | None:
    """The escort that moves next in phase 3 (105.4.5), or None if all have moved."""
    ships = waiting(state)
    return ships[0].id if ships else None


def rams(state: State, ship: Vessel) -> bool:
    """Whether she is the one that steers for a surfaced boat: the first to move of those after her (mode 5)."""
    marker = state.marker(ship.hunt.boat)
    if marker is None or marker.kind is not MarkerKind.SURFACED:
        return False
    group = [v for v in state.escorts if v.hunt.boat == ship.hunt.boat and not v.stopped]
    if any(v.id in state.moved for v in group):
        return False
    return min(group, key=lambda v: turn_order(state, v)).id == ship.id
