"""Whose turn it is among the escorts, what each steers for, and which of them rams (105.4.5 and mode 5)."""

from __future__ import annotations

from typing import NamedTuple

from navalkit.grids.hex import Hex, Place

from ..sea.fleet import in_formation, station
from ..sea.state import Marker, MarkerKind, State, Vessel
from ..sea.swift import Latest


class Turn(NamedTuple):
    """What orders escorts in phase 3: those that hunt before those that return, the nearest first (105.4.5)."""

    returning: bool
    distance: int
    turn: float
    station: str
    id: str


def aim(marker: Marker, ramming: bool = False) -> Hex:
    """The hex an escort steers for: the target hex, or the bow of the boat she means to ram."""
    return marker.place.bow if ramming else marker.target


def turn_order(state: State, ship: Vessel) -> Turn:
    """Her place in the order: hexes from her bow to what she steers for, then how far her bow points off it."""
    marker = state.marker(ship.hunt.boat)
    at = station(state, ship).bow if marker is None else aim(marker, marker.kind is MarkerKind.SURFACED)
    bow = ship.place.bow
    return Turn(marker is None, bow.distance(at), _off(ship.place, at), ship.station, ship.id)


def _off(place: Place, at: Hex) -> float:
    """How far a bow points off a hex, in order of the true angle: -1 straight at it, 1 straight away.

    A quotient of whole numbers far below 2**26: as floats equal ones are equal, and others differ as they should.
    """
    if place.bow == at:
        return -1.0
    (q, r), ahead = (at.q - place.bow.q, at.r - place.bow.r), Hex(0, 0).step(place.direction)
    dot = 2 * (q * ahead.q + r * ahead.r) + q * ahead.r + r * ahead.q  # of the two as vectors in the plane
    cosine_squared = dot * dot / (4 * (q * q + q * r + r * r))
    return -cosine_squared if dot > 0 else cosine_squared


def waiting(state: State) -> list[Vessel]:
    """The escorts that have still to move in phase 3, in order."""
    ships = [v for v in state.escorts if v.id not in state.moved and not v.stopped and not in_formation(state, v)]
    return sorted(ships, key=lambda ship: turn_order(state, ship))


@Latest
def next_to_move(state: State) -> str | None:
    """The escort that moves next in phase 3 (105.4.5), or None if all have moved."""
    ships = waiting(state)
    return ships[0].id if ships else None


def rams(state: State, ship: Vessel) -> bool:
    """Whether she is the one that steers for a surfaced boat: the first to move of those after her (mode 5)."""
    return ship.id not in state.moved and rammer(state, ship.hunt.boat) == ship.id


def rammer(state: State, boat: str) -> str:
    """The escort that steers for a surfaced boat this turn, "" if the boat is not marked as surfaced."""
    marker = state.marker(boat)
    if marker is None or marker.kind is not MarkerKind.SURFACED:
        return ""
    group = {v.id: v for v in state.escorts if v.hunt.boat == boat and not v.stopped}
    moved = (id for id in state.moved if id in group)
    return next(moved, "") or min(group, key=lambda id: turn_order(state, group[id]), default="")
