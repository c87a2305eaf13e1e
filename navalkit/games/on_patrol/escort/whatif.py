"""What if the marker lay elsewhere, or the escort, or the mode were another? A changed sea; fields to compare."""

from __future__ import annotations
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from navalkit.core.errors import IllegalActionError, OptionError
from navalkit.grids.hex import Hex
from navalkit.grids.hex_moves import Place
from ..sea.state import MarkerKind, State, laid
from ..sea.tables import TABLES, WHY
from .automaton import EscortDecision
from .pattern import assign

_BY_MODE = sorted(TABLES.actions.items(), key=lambda item: item[1].mode)
KINDS: Mapping[int, MarkerKind | None] = {row.mode: kind for kind, row in _BY_MODE}
"""The marker that sets each mode of the Escort Action Table, 1 to 6; None for no marker."""


class Piece(NamedTuple):
    """What may be put elsewhere: an "escort" by her id, or the "marker" of a boat."""

    kind: str
    id: str

    def __str__(self) -> str:
        return self.id if self.kind == "escort" else WHY("whatif.marker", value=self.id)

    def place(self, state: State) -> Place:
        """Where it lies."""
        if self.kind == "escort":
            return state.vessel(self.id).place
        marker = state.marker(self.id)
        assert marker is not None, "a marker that was found on the sea is there"
        return marker.place

    def put(self, state: State, place: Place) -> State:
        """The sea with it elsewhere; errors as in ``with_escort``."""
        return (with_escort if self.kind == "escort" else with_marker)(state, self.id, place)


def piece_at(state: State, h: Hex) -> Piece:
    """The escort on a hex, else the marker that lies on it or has it for its target; OptionError for neither."""
    for escort in state.escorts:
        if h in escort.place.hexes:
            return Piece("escort", escort.id)
    for marker in state.markers:
        if h in (*marker.place.hexes, marker.target):
            return Piece("marker", marker.boat)
    raise OptionError(WHY("whatif.no_escort_no", h=h))


# Changing the sea ------------------------------------------------------------------------------------------------

def with_escort(state: State, escort: str, place: Place) -> State:
    """The sea with an escort elsewhere; a manoeuvre she had begun is forgotten. IllegalActionError if another ship lies
    there."""
    vessel = state.vessel(escort)
    for other in state.vessels:
        if other.id != escort and set(other.place.hexes) & set(place.hexes):
            hexes = str(next(h for h in other.place.hexes if h in place.hexes))
            raise IllegalActionError(WHY("whatif.lies_on_put", other=other.id, place=hexes, escort=escort))
    hunt = replace(vessel.hunt, plan=(), aim=None, ring=0)
    return state.with_vessel(replace(vessel, place=place, hunt=hunt))


def with_marker(state: State, boat: str, place: Place) -> State:
    """The sea with a boat's marker elsewhere; where she has none, one of the escorts' own colour is laid. The Escort
    Action Table is consulted anew: escorts that hunted nobody may be sent after her."""
    old = state.marker(boat)
    moved = old._replace(place=place) if old else laid(boat, MarkerKind.CONTACT, place)
    return assign(state.with_marker(moved)).state


def with_mode(state: State, boat: str, mode: int, place: Place) -> State:
    """The sea with the marker that sets a mode. ``boat``: whose marker it is. ``mode``: 1 to 6; in mode 1 she has no
    marker. ``place``: where the marker goes if there is none yet. IllegalActionError if there is no such mode for a
    marker to set."""
    if mode not in KINDS:
        raise IllegalActionError(WHY("whatif.marker_sets_modes", first=min(KINDS), last=max(KINDS), mode=mode))
    kind, old = KINDS[mode], state.marker(boat)
    if kind is None:
        return assign(state.without_marker(boat)).state
    return assign(state.with_marker(laid(boat, kind, old.place if old else place))).state


# Comparing decisions ---------------------------------------------------------------------------------------------

def _radial(d: EscortDecision) -> str:
    if d.radial is None:
        return ""
    return WHY("whatif.radial_hexes_away", direction=d.radial.direction, distances=dict(d.distances)[d.radial])


def _vector(d: EscortDecision) -> str:
    v = d.vector
    return WHY("whatif.course_hexes", course=v.course, length=v.length, joins=v.joins) if v else ""


FIELDS: Mapping[str, Callable[[EscortDecision], str]] = {
    "mode": lambda d: str(d.mode),
    "marker": lambda d: f"{WHY.named(d.marker.kind)}, {d.marker.place}" if d.marker else "",
    "target": lambda d: str(d.target or ""),
    "radial": _radial,
    "vector": _vector,
    "circle": lambda d: WHY("whatif.radius", radius=d.circle.radius) if d.circle else "",
    "speed": lambda d: WHY("whatif.speed", speed=d.speed),
    "path": lambda d: " ".join(f"{leg.place.bow}/{leg.place.direction}" for leg in d.path) or WHY("whatif.stays"),
    "rules": lambda d: " ".join(dict.fromkeys(leg.rule for leg in d.path)),
    "closed": lambda d: " ".join(str(h) for h, _ in d.forbidden),
    "weapons": lambda d: ", ".join(WHY("whatif.weapon", weapon=w.weapon, at=w.at, rank=w.rank) for w in d.weapons),
}
"""What is compared, by the key of its name, and how each is written; "" for none."""

