"""Sonar and radar (108.3): what an escort may find, how surely, and whom she holds in contact."""

from __future__ import annotations

from fractions import Fraction

from navalkit.core.luck.dist import Dist
from navalkit.grids.hex import Hex, Place, opposite

from ..sea.combat_tables import COMBAT, either, first_not_exceeded
from ..sea.say import SAY, WHY
from ..sea.setting import Sea
from ..sea.state import Boat, MarkerKind, State, Task, Vessel
from ..sea.swift import replace
from ..sea.tables import TABLES
from .handlers import Handler, Resolution

SONAR_REACH = max(row.reach for row in COMBAT.sonar.values())  # hexes: nothing further off is ever found by sonar
_FIGURES = COMBAT.figures
_NONE = Fraction(0)


def searching(vessel: Vessel) -> bool:
    """Whether a ship searches by sonar this turn: she has it, floats, and went no faster than search speed."""
    return TABLES.vessels[vessel.type].sonar and not vessel.sunk and vessel.speed <= _FIGURES["speed"]


def duty(state: State, vessel: Vessel, boat: Boat) -> str:
    """What a ship's sonar is about (L1): to "hunt" a boat she knows where to look for, or to "sweep".

    She hunts if she held the boat in contact, or follows her marker and that is upright.
    """
    marker = state.marker(boat.id)
    follows = vessel.hunt.boat == boat.id and marker is not None and marker.kind is not MarkerKind.INVERTED
    return "hunt" if follows or boat.id in vessel.hunt.contact else "sweep"


def covers(place: Place, at: Hex, depth: int = 0) -> bool:
    """Whether a hex is in the sonar beam of a ship at a place, for boats at that depth in feet (L1).

    Out of it are what is too far off, what is under her (further round the deeper it is), and what is dead astern.
    """
    row = COMBAT.sonar_row("hunt", depth)
    distance = place.bow.distance(at)
    if row is None or not row.blind < distance <= row.reach:
        return False
    return place.bow.direction_to(at) != opposite(place.direction)


def sonar(vessel: Vessel, boat: Boat, duty: str = "sweep") -> tuple[Fraction, str]:
    """The chance that a ship's sonar finds a boat (L1), and if there is none, why.

    A boat at 2 hexes a turn is heard as if one band nearer, one that lies still as if one band further.

    ``duty``: "sweep" or "hunt".
    """
    if not TABLES.vessels[vessel.type].sonar or vessel.sunk:
        return _NONE, WHY("search.has_no_sonar", vessel=vessel.id)
    if vessel.speed > _FIGURES["speed"]:
        return _NONE, WHY("search.went_hexes_sonar", vessel=vessel.id, speed=vessel.speed, fastest=_FIGURES['speed'])
    if boat.depth == 0:
        return _NONE, WHY("search.on_surface_where", boat=boat.id)
    row = COMBAT.sonar_row(duty, boat.depth)
    if row is None or not covers(vessel.place, boat.place.bow, boat.depth):
        return _NONE, WHY("search.out_sonar_beam", boat=boat.id, vessel=vessel.id)
    shift = -1 if boat.speed >= _FIGURES["noisy"] else 1 if boat.speed == 0 else 0
    found = row.chance(vessel.place.bow.distance(boat.place.bow), shift)
    return found, "" if found else WHY("search.lies_still_too", boat=boat.id, vessel=vessel.id)


def radar(vessel: Vessel, boat: Boat, sea: Sea) -> tuple[Fraction, str]:
    """The chance that a ship's radar finds a boat at 0 or 25 ft (L2), and if there is none, why."""
    if not sea.radar(TABLES.vessels[vessel.type]) or vessel.sunk:
        return _NONE, WHY("search.has_no_radar", vessel=vessel.id)
    row = first_not_exceeded(COMBAT.radar, boat.depth)
    if row is None:
        return _NONE, WHY("search.ft_where_radar", boat=boat.id, depth=boat.depth)
    found = row.chance(vessel.place.bow.distance(boat.place.bow))
    return found, "" if found else WHY("search.out_range_radar", boat=boat.id, vessel=vessel.id)


def searchers(state: State, sea: Sea) -> tuple[Task, ...]:
    """Phase 6: a roll for every ship and boat where sonar or radar has a chance, sonar first (108.3)."""
    tasks = []
    for vessel in state.vessels:
        type_ = TABLES.vessels[vessel.type]
        hears, sees = type_.sonar and not vessel.sunk, sea.radar(type_) and not vessel.sunk
        for boat in state.boats if hears or sees else ():
            if boat.active and hears and sonar(vessel, boat, duty(state, vessel, boat))[0]:
                tasks.append(Task("sonar", vessel.id, boat.id))
            if boat.active and sees and radar(vessel, boat, sea)[0]:
                tasks.append(Task("radar", vessel.id, boat.id))
    return tuple(tasks)


def search_phase(state: State, sea: Sea) -> Resolution:
    """Phase 6: all search. Contact from the turn before lasts until a sonar roll decides it, else it is let go."""
    tasks = searchers(state, sea)
    decided = {(task.actor, task.target) for task in tasks if task.kind == "sonar"}
    for vessel in state.vessels:
        kept = tuple(boat for boat in vessel.hunt.contact if (vessel.id, boat) in decided)
        if kept != vessel.hunt.contact or vessel.hunt.echoes:
            state = state.with_vessel(replace(vessel, hunt=replace(vessel.hunt, contact=kept, echoes=())))
    return Resolution(state, tasks)


def _odds(state: State, task: Task, sea: Sea) -> Dist[str]:
    vessel, boat = state.vessel(task.actor), state.boat(task.target)
    by_sonar = task.kind == "sonar"
    found, _ = sonar(vessel, boat, duty(state, vessel, boat)) if by_sonar else radar(vessel, boat, sea)
    return either(found, "found", "missed")


def _resolve(state: State, task: Task, result: str, _sea: Sea) -> Resolution:
    vessel = state.vessel(task.actor)
    hunt, by_sonar = vessel.hunt, task.kind == "sonar"
    before = hunt.contact if by_sonar else hunt.echoes
    held = tuple(sorted({*before} - {task.target} | ({task.target} if result == "found" else set())))
    hunt = replace(hunt, contact=held) if by_sonar else replace(hunt, echoes=held)
    after = state.with_vessel(replace(vessel, hunt=hunt))
    rule = "L1" if by_sonar else "L2"
    told = SAY.event(rule, f"search_{result}", actor=task.actor, boat=task.target, by=task.kind)
    return Resolution(after, (), (told,))


HANDLERS = {"sonar": Handler(_odds, _resolve), "radar": Handler(_odds, _resolve)}
