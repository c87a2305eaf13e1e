"""What the escorts find out (104.1.3), row by row, and who hunts which boat by which mode (104.2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from navalkit.core.event import Event

from ..combat.search import searching
from ..combat.sight import sighting, visible
from ..sea.say import SAY
from ..sea.setting import Sea
from ..sea.state import Boat, Hunt, Marker, MarkerKind, State, Vessel
from ..sea.swift import replace
from ..sea.tables import TABLES
from .precedence import turn_order

IN_SIGHT = (MarkerKind.SURFACED, MarkerKind.VISIBLE)  # markers that move with the boat
UPRIGHT = (*IN_SIGHT, MarkerKind.CONTACT)  # markers of boats whose whereabouts are known


class Step(NamedTuple):
    """A new state, and what happened on the way to it."""

    state: State
    events: tuple[Event, ...] = ()


def mode(state: State, boat: str) -> int:
    """The mode, 1 to 6, that a boat's marker sets for the escorts that hunt her (104.2.1)."""
    marker = state.marker(boat)
    return TABLES.actions[marker.kind if marker else None].mode


# The Submarine Detection Table -----------------------------------------------------------------------------------


def sight(state: State, sea: Sea) -> Step:
    """Rows "visible" and "disappears": boats in sight carry their own marker with them; one that is lost from
    sight leaves a contact marker where she was seen last, which in phase 8 is where her move began."""
    events = []
    for boat in _active(state):
        old, seen = state.marker(boat.id), sighting(state, boat, sea)
        if seen:
            kind = MarkerKind.VISIBLE if boat.depth else MarkerKind.SURFACED
            state = state.with_marker(Marker(boat.id, kind, boat.place))
            if old is None or old.kind is not kind:
                events.append(SAY.event("104.1.3", kind.value, boat=boat.id, place=boat.place, why=seen.text))
        elif old and old.kind in IN_SIGHT:
            state = state.with_marker(old._replace(kind=MarkerKind.CONTACT))
            events.append(SAY.event("104.1.3", "disappears", boat=boat.id, place=old.place))
    return Step(state, tuple(events))


def search_ends(state: State, sea: Sea) -> Step:
    """Rows "found" and "missed", when all searches of phase 6 are rolled.

    A search has missed a boat if an escort that hunts her really searched and found nothing, wherever the boat may be,
    or if one has run through the assault zone and holds no contact. A torpedo marker stays: it is no submarine marker.
    """
    events = []
    searched = {v.hunt.boat for v in state.escorts if searching(v)} | {v.hunt.cleared for v in state.escorts}
    for boat in _active(state):
        if visible(state, boat, sea):
            continue
        old = state.marker(boat.id)
        finders = [v.id for v in state.vessels if v.hunt.found(boat.id)]
        if finders:
            state = state.with_marker(Marker(boat.id, MarkerKind.CONTACT, boat.place))
            ships = ", ".join(finders)
            events.append(SAY.event("104.1.3", "found", boat=boat.id, ships=ships, place=boat.place))
        elif boat.id in searched and old and old.kind is MarkerKind.CONTACT:
            state = invert(state, old)
            events.append(SAY.event("104.1.3", "missed", boat=boat.id, place=old.place))
    for vessel in state.vessels:
        if vessel.hunt.cleared:
            state = state.with_vessel(replace(vessel, hunt=replace(vessel.hunt, cleared="")))
    return Step(state, tuple(events))


def invert(state: State, marker: Marker) -> State:
    """The state with a marker turned over: contact is lost."""
    return state.with_marker(marker._replace(kind=MarkerKind.INVERTED))


def torpedoes_appear(state: State, id: str) -> Step:
    """Row "torpedoes": a boat that is neither in sight nor in contact has launched, and hex B becomes the target."""
    old, boat = state.marker(id), state.boat(id)
    if old and old.kind in UPRIGHT:
        return Step(state)
    at = boat.place.ahead()
    event = SAY.event("104.1.3", "torpedoes", boat=id, hex=at.bow)
    return Step(state.with_marker(Marker(id, MarkerKind.TORPEDO, at)), (event,))


def _active(state: State) -> list[Boat]:
    return [boat for boat in state.boats if boat.active]


# The Escort Action Table -----------------------------------------------------------------------------------------


def assign(state: State) -> Step:
    """Consult the table at the start and at the end of each turn: which escort hunts which boat (104.2.1, 104.2.2).

    With one marker all escorts hunt that boat. For a second one the nearest half of them, rounded down, leaves;
    for a third the nearest half of either force. They stay with their boat until her marker is gone; then they
    join the force whose target is nearest, or return to their stations.
    """
    marked = [marker.boat for marker in state.markers]
    ships = [v for v in state.escorts if not v.stopped]
    hunted = {v.id: v.hunt.boat if v.hunt.boat in marked else "" for v in ships}
    for boat in marked:
        if boat in hunted.values():
            continue
        forces = [[v for v in ships if hunted[v.id] == other] for other in marked if other in hunted.values()]
        sent = [v for force in forces for v in _nearest(state, force, boat)[: len(force) // 2]]
        hunted |= dict.fromkeys((v.id for v in (sent if forces else ships)), boat)
    for v in ships:
        if not hunted[v.id] and marked:
            hunted[v.id] = min(marked, key=lambda boat: _way(state, v, boat))
    return _set_out(state, ships, hunted)


def _set_out(state: State, ships: Sequence[Vessel], hunted: dict[str, str]) -> Step:
    """The state with each ship after her boat, and a sentence for each boat that ships were sent after."""
    new = [v for v in ships if v.hunt.boat != hunted[v.id]]
    for v in state.escorts:
        boat = hunted.get(v.id, "")
        if v.hunt.boat != boat:
            state = state.with_vessel(replace(v, hunt=Hunt(boat, v.hunt.contact, v.hunt.echoes)))
    events = []
    for boat in sorted({hunted[v.id] for v in new}):
        escorts = ", ".join(v.id for v in new if hunted[v.id] == boat)
        key = "assigned" if boat else "return"
        events.append(SAY.event("104.2.1", key, mode=mode(state, boat), escorts=escorts, boat=boat))
    return Step(state, tuple(events))


def _nearest(state: State, ships: Sequence[Vessel], boat: str) -> list[Vessel]:
    return sorted(ships, key=lambda v: _way(state, v, boat))


def _way(state: State, ship: Vessel, boat: str) -> tuple[object, ...]:
    """What orders ships by nearness to a boat's marker, ties by the smaller turn and the station; and boats for a
    ship, ties by number."""
    return (*turn_order(state, replace(ship, hunt=Hunt(boat=boat))), boat)
