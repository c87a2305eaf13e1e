"""Who sees whom, by day, by night and by the light of star shells and burning ships (104.1.4, 104.1.5, 107)."""

from __future__ import annotations

from typing import NamedTuple

from navalkit.core.language.words import Phrase
from navalkit.grids.hex import Hex, line_of_sight

from ..sea.combat_tables import COMBAT, first_not_exceeded
from ..sea.say import SAY
from ..sea.setting import Sea
from ..sea.state import Boat, Light, Phase, State, Vessel
from ..sea.swift import replace
from ..sea.tables import TABLES
from .handlers import Resolution

AWASH = 25  # feet: the deepest a boat can be seen at (104.1.4)
_FIGURES = COMBAT.figures


class Sighting(NamedTuple):
    """Why a boat is visible: the rule, and the sentence that says it."""

    rule: str
    text: Phrase


def off(h: Hex, vessel: Vessel) -> int:
    """Hexes from ``h`` to the nearer of a ship's two."""
    bow, stern = vessel.place.hexes
    return min(h.distance(bow), h.distance(stern))


def burning(state: State, vessel: Vessel) -> int:
    """Hexes a ship lights like day (107.2.2, 107.2.3); 0 if she does not.

    A tanker torpedoed on an earlier turn does, until the star shells of the turn after she sinks.
    """
    if not 0 < vessel.torpedoed < state.turn or TABLES.vessels[vessel.type].kind != "tanker":
        return 0
    if vessel.sunk and (state.turn, state.phase) > (vessel.sunk + 1, Phase.BOATS):
        return 0
    return _FIGURES["fuel"] if vessel.fuel else _FIGURES["tanker"]


def lit(state: State, h: Hex) -> str:
    """The rule under which a hex is as light as day at night, "" if it is dark."""
    for light in state.lights:
        if (state.turn, state.phase) <= (light.until, Phase.BOATS) and h.distance(light.at) <= light.radius:
            return "104.1.4c"
    for vessel in state.vessels:
        radius = burning(state, vessel)
        if radius and off(h, vessel) <= radius:
            return "107.2.3" if vessel.fuel else "107.2.2"
    return ""


def daylight_at(state: State, h: Hex, sea: Sea) -> bool:
    """Whether it is as light as day at a hex."""
    return not sea.night or bool(lit(state, h))


def sighting(state: State, boat: Boat, sea: Sea) -> Sighting | None:
    """Why the escorts see a boat (104.1.4), None if they do not."""
    afloat = [v for v in state.vessels if not v.sunk]
    if not boat.active or boat.depth > AWASH or not afloat:
        return None
    at = boat.place.bow
    if not sea.night:
        return Sighting("104.1.4a", SAY.phrase("why_surfaced"))
    near, torpedoed = _FIGURES["night"], _FIGURES["torpedoed"]
    for vessel in afloat:
        if off(at, vessel) <= near:
            return Sighting("104.1.4b", SAY.phrase("why_near", ship=vessel.id, distance=near))
        if vessel.torpedoed == state.turn - 1 > 0 and off(at, vessel) <= torpedoed:
            return Sighting("104.1.4b", SAY.phrase("why_burning", ship=vessel.id, distance=torpedoed))
    rule = lit(state, at)
    return Sighting(rule, SAY.phrase("why_lit", hex=at)) if rule else None


def visible(state: State, boat: Boat, sea: Sea) -> str:
    """The rule under which the escorts see a boat (104.1.4), "" if they do not."""
    seen = sighting(state, boat, sea)
    return seen.rule if seen else ""


def sight_range(depth: int, daylight: bool) -> int:
    """How far a boat at that depth in feet makes out a ship, in hexes (V1); 0 if not at all."""
    row = first_not_exceeded(COMBAT.sight, depth)
    return 0 if row is None else row.day if daylight else row.night


def sees(state: State, boat: Boat, vessel: Vessel, sea: Sea) -> bool:
    """Whether a boat makes out a ship, and so may attack her (104.1.5, V1)."""
    if not boat.active:
        return False
    distance, day, night = off(boat.place.bow, vessel), sight_range(boat.depth, True), sight_range(boat.depth, False)
    if distance > day or distance <= night:
        return distance <= night
    return vessel.torpedoed == state.turn - 1 > 0 or any(daylight_at(state, h, sea) for h in vessel.place.hexes)


def in_sight(state: State, boat: Boat, sea: Sea) -> tuple[str, ...]:
    """Ids of the ships afloat a boat makes out."""
    return tuple(v.id for v in state.vessels if not v.sunk and sees(state, boat, v, sea))


def can_see_each_other(state: State, vessel: Vessel, boat: Boat, sea: Sea) -> bool:
    """Whether a ship has a surfaced boat in sight to fire at: she is visible, and no ship lies between (G1)."""
    if boat.depth or not visible(state, boat, sea):
        return False
    blocking = {h for v in state.vessels if v.id != vessel.id for h in v.place.hexes}
    return line_of_sight(vessel.place.bow, boat.place.bow, blocking)


def star_shells(state: State, sea: Sea) -> Resolution:
    """Phase 9 (107.1): by night two star shells for every marker, on its target hex and three hexes ahead of that.

    The escort furthest from the target hex fires them. They burn until phase 8 of the next turn; those of the turn
    before are out.
    """
    lights: list[Light] = []
    events = []
    ships = state.escorts if sea.night and sea.has("star shells") else ()
    for marker in state.markers if ships else ():
        target = marker.target
        escort = min(ships, key=lambda v: (-target.distance(v.place.bow), v.station, v.id))
        hexes = (target, target.step(marker.place.direction, _FIGURES["ahead"]))
        lights += [Light(h, _FIGURES["star_shell"], state.turn + 1) for h in hexes]
        text = " and ".join(map(str, hexes))
        events.append(SAY.event("107.1", "star_shells", escort=escort.id, hexes=text))
    return Resolution(replace(state, lights=tuple(lights)), (), tuple(events))


def as_escorts_see(state: State, sea: Sea) -> State:
    """The state as far as the escorts know it, which is all that their moves may rest on.

    Ships, markers, torpedo tracks, charges and lights are open to them, and so is what they hold in contact. Of
    the boats only those that are visible exist, and of them only place and depth.
    """
    boats = tuple(Boat(b.id, "", b.place, b.depth, 0, 0) for b in state.boats if visible(state, b, sea))
    return replace(state, boats=boats, todo=(), points=(), launched=0)
