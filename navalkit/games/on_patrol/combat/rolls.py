"""All rolls of combat under one name: what each phase has to roll, and the handler of every kind of task."""

from __future__ import annotations
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from navalkit.core.dist import Dist
from navalkit.grids.hex import Hex, opposite
from navalkit.grids.hex_moves import Place
from ..sea.combat_tables import COMBAT, either, first_not_exceeded
from ..sea.state import Boat, MarkerKind, Phase, State, Task, Vessel, replace
from ..sea.tables import SAY, TABLES, WHY, Sea
from . import torpedoes
from .damage import GUN_HANDLERS, HULL_HANDLERS, Handler, Resolution, cost, gunfire, lose

# -- Anti-submarine attacks (105.4.12): the escorts' guess of the depth first, then the damage -----

MISS = "miss"


def attacks(state: State) -> tuple[Task, ...]:
    """Phase 5: a roll for each charge and each boat it may harm (A1). A boat is attacked at her bow hex. For a weapon
    that is set to a depth the depth table is rolled first, for Hedgehog the damage at once. ``Task.detail`` is (weapon,
    hexes off, number of the charge), which keeps two charges of one escort on one hex apart."""
    tasks = []
    for number, charge in enumerate(state.charges, 1):
        weapon = COMBAT.weapons[charge.weapon]
        for boat in state.boats:
            distance = charge.at.distance(boat.place.bow)
            if boat.active and boat.depth <= weapon.deepest and distance <= COMBAT.reach(weapon.id):
                if weapon.depth_first:
                    tasks.append(Task("depth", charge.escort, boat.id, charge.at, (weapon.id, distance, number)))
                else:
                    detail = (weapon.id, distance, number, 0)
                    tasks.append(Task("damage", charge.escort, boat.id, charge.at, detail))
    return tuple(tasks)


def depth_roll() -> Dist[int | str]:
    """The depth table of 105.4.12: the error in feet, or "miss"."""
    rows = {roll: MISS if row.error is None else row.error for row in TABLES.depth for roll in row.rolls}
    return Dist.uniform(rows.values())


def damage_of(weapon: str, error: int = 0, distance: int = 0) -> Dist[int]:
    """Hull points a weapon costs a boat (A2). ``weapon``: "depth charge", "k-gun", "hedgehog", "squid" or "one-ton
    charge". ``error``: feet between its setting and the boat's depth; 0 for Hedgehog. ``distance``: hexes from the
    boat's bow hex."""
    row = COMBAT.damage.get((weapon, distance, error))
    return row.dist() if row else Dist.point(0)


def one_attack(weapon: str, distance: int = 0, depth: int = 100) -> Dist[int]:
    """Hull points lost to one charge, the depth roll included, by a boat at that depth in feet."""
    if depth > COMBAT.weapons[weapon].deepest:
        return Dist.point(0)
    if not COMBAT.weapons[weapon].depth_first:
        return damage_of(weapon, 0, distance)
    missed = Dist.point(0)
    return depth_roll().bind(lambda error: damage_of(weapon, error, distance) if isinstance(error, int) else missed)


def _facts(task: Task) -> dict[str, Any]:
    text = COMBAT.weapons[str(task.detail[0])].text
    return {"escort": task.actor, "weapon": text, "hex": task.at, "boat": task.target}


def _depth_resolve(state: State, task: Task, result: int | str, _sea: Sea) -> Resolution:
    events = (SAY.event("105.4.12", f"depth.{result}", **_facts(task)),)
    if result == MISS:
        return Resolution(state, (), events)
    weapon, distance, _ = task.detail
    if (weapon, distance, result) not in COMBAT.damage:
        return Resolution(state, (), (*events, SAY.event("A2", "harmless", **_facts(task))))
    return Resolution(state, (task._replace(kind="damage", detail=(*task.detail, result)),), events)


def _damage_odds(_state: State, task: Task, _sea: Sea) -> Dist[int]:
    weapon, distance, _, error = task.detail
    return damage_of(str(weapon), int(error), int(distance))


def _damage_resolve(state: State, task: Task, result: int, _sea: Sea) -> Resolution:
    boat = state.boat(task.target)
    after, sunk = lose(state, boat, result)
    key = "damage" if result else "harmless"
    told = SAY.event("A2", key, **cost(boat, after), **_facts(task))
    return Resolution(after, (), (told, *sunk))


ATTACK_HANDLERS = {
    "depth": Handler(lambda *_: depth_roll(), _depth_resolve), "damage": Handler(_damage_odds, _damage_resolve)
}


# -- Sonar and radar (108.3): what an escort may find, how surely, and whom she holds in contact ---

SONAR_REACH = max(row.reach for row in COMBAT.sonar.values())  # hexes: nothing further off is ever found by sonar
_FIGURES = COMBAT.figures
_NONE = Fraction(0)


def searching(vessel: Vessel) -> bool:
    """Whether a ship searches by sonar this turn: she has it, floats, and went no faster than search speed."""
    return TABLES.vessels[vessel.type].sonar and not vessel.sunk and vessel.speed <= _FIGURES["speed"]


def sweeping(vessel: Vessel, boat: Boat, sea: Sea) -> bool:
    """Whether a ship searches for a boat by radar this turn: with all boats too deep for it nobody need (108.3.2)."""
    row = first_not_exceeded(COMBAT.radar, boat.depth)
    return bool(sea.radar(TABLES.vessels[vessel.type])) and not vessel.sunk and row is not None


def duty(state: State, vessel: Vessel, boat: Boat) -> str:
    """What a ship's sonar is about (L1): to "hunt" a boat she knows where to look for, or to "sweep". She hunts if she
    held the boat in contact, or follows her marker and that is upright."""
    marker = state.marker(boat.id)
    follows = vessel.hunt.boat == boat.id and marker is not None and marker.kind is not MarkerKind.INVERTED
    return "hunt" if follows or boat.id in vessel.hunt.contact else "sweep"


def covers(place: Place, at: Hex, depth: int = 0) -> bool:
    """Whether a hex is in the sonar beam of a ship at a place, for boats at that depth in feet (L1). Out of it are what
    is too far off, what is under her (further round the deeper it is), and what is dead astern."""
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


SEARCH_HANDLERS = {"sonar": Handler(_odds, _resolve), "radar": Handler(_odds, _resolve)}


_KINDS = torpedoes.HANDLERS, ATTACK_HANDLERS, SEARCH_HANDLERS, GUN_HANDLERS, HULL_HANDLERS
HANDLERS: Mapping[str, Handler] = {kind: handler for part in _KINDS for kind, handler in part.items()}
"""Kind of task -> its odds and what follows: "torpedo", "stop", "depth", "damage", "sonar", "radar", "gun", "ram",
"crush"."""


def opening(state: State, sea: Sea) -> Resolution:
    """What a phase begins with: torpedoes run (4), attacks, searches and guns are listed (5, 6, 7); else nothing."""
    if state.phase is Phase.TORPEDOES:
        return torpedoes.torpedo_phase(state)
    if state.phase is Phase.ATTACKS:
        return Resolution(state, attacks(state))
    if state.phase is Phase.SEARCH:
        return search_phase(state, sea)
    if state.phase is Phase.GUNFIRE:
        return Resolution(state, gunfire(state, sea))
    return Resolution(state)


def still_due(state: State, task: Task) -> bool:
    """Whether a roll still matters: not for a boat that is sunk meanwhile, nor for a ship that is sinking. A torpedo
    that meets a sinking ship is rolled all the same."""
    if task.kind == "stop":
        return not state.vessel(task.target).sunk
    return task.kind == "torpedo" or all(boat.active for boat in state.boats if boat.id == task.target)
