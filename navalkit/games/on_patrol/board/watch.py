"""What stops a boat on a plotted course: anything her captain would want to decide about anew."""

from __future__ import annotations

from ..sea.state import Boat, Role, State

NEAR = {Role.ESCORT: 8, Role.MERCHANT: 10, Role.CAPITAL: 10}
"""Hexes at which a ship that was further off is reported."""


def alarmed(before: State, now: State) -> bool:
    """Whether something has happened between two positions that a captain must know of.

    A marker laid or changed, a ship hit or sunk, torpedoes at the end of their run, a boat hurt or gone, or a ship
    that has come near.
    """
    return now.over or any(part(before) != part(now) for part in (_markers, _ships, _boats)) or _approached(before, now)


def _markers(state: State) -> object:
    return [(marker.boat, marker.kind) for marker in state.markers]


def _ships(state: State) -> object:
    hurt = [(v.id, v.hits, v.sunk) for v in state.vessels if v.hits or v.sunk]
    return hurt, bool(state.torpedoes)


def _boats(state: State) -> object:
    return [(boat.id, boat.hull, boat.active) for boat in state.boats]


def _approached(before: State, now: State) -> bool:
    return any(_near(now, boat) - _near(before, before.boat(boat.id)) for boat in now.boats if boat.active)


def _near(state: State, boat: Boat) -> set[str]:
    return {v.id for v in state.vessels if v.place.bow.distance(boat.place.bow) <= NEAR[v.role]}
