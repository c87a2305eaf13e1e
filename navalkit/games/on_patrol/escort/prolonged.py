"""The prolonged attack (mode 7, rules P1 to P3): when time is up and contact is held, one run by each escort."""

from __future__ import annotations

from navalkit.core.words import Event
from navalkit.grids.hex import Hex, assault_zone, opposite, radials
from navalkit.grids.hex_moves import Place
from ..combat.damage import top_speed, visible
from ..combat.rolls import attacks, duty, radar, sonar
from ..sea.state import Charge, EscortMove, Hunt, Marker, State, Task, Vessel, replace
from ..sea.tables import SAY, TABLES, Sea
from . import pattern
from .automaton import SEARCH_SPEED, arms
from .manoeuvre import ZONE
from .pattern import UPRIGHT, Step, aim, found_by, invert, sight

OUT = 6  # hexes from the target at which a run begins
RUN = OUT + ZONE + 2  # hexes of a run: until the stern is out of the assault zone on the far side
EVADE = 2  # hexes a boat may go between two runs


def runners(state: State) -> list[Vessel]:
    """The escorts that have still to make their run, by value: those whose boat's marker lies upright."""
    held = {marker.boat for marker in state.markers if marker.kind in UPRIGHT}
    ships = [v for v in state.escorts if v.hunt.boat in held and v.id not in state.last_run and top_speed(v)]
    return sorted((v for v in ships if not v.stopped), key=lambda v: (-TABLES.vessels[v.type].value, v.id))


def next_boat(state: State) -> str | None:
    """The boat that may evade before the next run: none before the first one, nor when no run is left."""
    ships = runners(state)
    return ships[0].hunt.boat if state.last_run and ships else None


def begin(state: State, sea: Sea) -> Step:
    """The prolonged attack from the end of the last turn: the first escort searches (P1)."""
    state = replace(state, moved=(), last_run=(), charges=())
    if not runners(state):
        return Step(state)
    first = prepare(state, sea)
    return Step(first.state, (SAY.event("P1", "prolonged"), *first.events))


def prepare(state: State, sea: Sea) -> Step:
    """The next escort lies off her target and searches: ``todo`` has her roll, or ``moved`` names her if the boat is
    in sight, or no escort is left (P2)."""
    events: list[Event] = []
    while ships := runners(state):
        ship, marker = ships[0], _marker(state, ships[0])
        place = _approach(state, ship, aim(marker))
        if place is None:  # other ships lie on every radial
            state = _done(state, ship)
            continue
        ship = _placed(ship, place)
        state = state.with_vessel(replace(ship, hunt=Hunt(boat=marker.boat)))
        events.append(SAY.event("P2", "run", escort=ship.id, target=aim(marker), direction=opposite(place.direction)))
        boat = state.boat(marker.boat)
        if visible(state, boat, sea):
            return Step(replace(state, moved=(ship.id,)), tuple(events))
        chances = {"sonar": sonar(ship, boat, duty(state, ship, boat))[0], "radar": radar(ship, boat, sea)[0]}
        for kind, chance in chances.items():
            if chance:
                return Step(replace(state, moved=(ship.id,), todo=(Task(kind, ship.id, boat.id),)), tuple(events))
        state = _done(invert(state, marker), ship)
        events.append(SAY.event("P2", "blind", escort=ship.id, boat=boat.id))
    return Step(replace(state, moved=()), tuple(events))


def searched(state: State) -> Step:
    """After the roll: an escort in contact makes her run on a new marker; a search that fails ends it all (P2)."""
    ship = state.vessel(state.moved[0])
    marker = _marker(state, ship)
    if not ship.hunt.found(marker.boat):
        event = SAY.event("P2", "lost", escort=ship.id, boat=marker.boat)
        return Step(_done(invert(state, marker), ship), (event,))
    marker = found_by(state, state.boat(marker.boat))
    place = marker.place
    approach = _approach(state, ship, aim(marker))
    event = SAY.event("P2", "held", escort=ship.id, boat=marker.boat, place=place)
    state = state.with_marker(marker)
    if approach is None:
        return Step(_done(state, ship), (event,))
    return Step(state.with_vessel(_placed(ship, approach)), (event,))


def run(state: State) -> EscortMove:
    """The run of the escort that holds contact: straight through the assault zone, with all weapons of a turn (P3)."""
    ship = state.vessel(state.moved[0])
    marker = _marker(state, ship)
    path = [ship.place.ahead(n) for n in range(1, RUN + 1)]
    zone = assault_zone(aim(marker), marker.place.direction)
    hexes, others = frozenset(h for _, h in zone), _others(state, ship)
    units = [pattern.Unit(weapon, pattern.reach(weapon, path, hexes, others))
             for weapon, count in arms(state, ship) for _ in range(count)]
    placed = pattern.cover(units, zone)
    return EscortMove(ship.id, tuple(path), tuple(Charge(p.weapon, ship.id, p.at) for p in placed))


def ran(state: State, sea: Sea) -> Step:
    """After a run, whose charges are marked: they are rolled for at once."""
    seen = sight(_done(state, state.vessel(state.moved[0])), sea)
    return Step(replace(seen.state, todo=attacks(seen.state)), seen.events)


def _done(state: State, ship: Vessel) -> State:
    return replace(state, moved=(), last_run=(*state.last_run, ship.id))


def _marker(state: State, ship: Vessel) -> Marker:
    marker = state.marker(ship.hunt.boat)
    assert marker is not None, "runners hunt boats that have markers"
    return marker


def _placed(ship: Vessel, place: Place) -> Vessel:
    return replace(ship, place=place, speed=min(top_speed(ship), SEARCH_SPEED))


def _others(state: State, ship: Vessel) -> frozenset[Hex]:
    return frozenset(h for v in state.vessels if v.id != ship.id for h in v.place.hexes)


def _approach(state: State, ship: Vessel, target: Hex) -> Place | None:
    """Where a run begins: on the nearest radial along which no other ship lies; None if there is none."""
    others = _others(state, ship)
    for radial in sorted(radials(target), key=lambda radial: radial.distance(ship.place.bow)):
        place = Place(target.step(radial.direction, OUT), radial.course)
        lane = {place.stern, *(place.ahead(n).bow for n in range(RUN + 1))}
        if not lane & others:
            return place
    return None
