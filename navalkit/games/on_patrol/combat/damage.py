"""What damage does to boats and ships: hull points, depth, speed, sinking."""

from __future__ import annotations
from collections.abc import Callable
from typing import Any, NamedTuple

from navalkit.core.dist import Dist
from navalkit.core.words import Event, Phrase
from navalkit.grids.hex import Hex, line_of_sight
from ..sea.combat_tables import COMBAT, first_not_exceeded
from ..sea.state import Boat, Light, MarkerKind, Phase, Score, State, Task, Vessel, replace
from ..sea.tables import SAY, TABLES, Sea

# -- What every kind of roll gives: its odds, and what follows from a result -----------------------

class Resolution(NamedTuple):
    """What follows: the new state, rolls to be made next (before those already waiting), and what happened."""

    state: State
    tasks: tuple[Task, ...] = ()
    events: tuple[Event, ...] = ()


class Handler(NamedTuple):
    """A kind of task: the exact odds of its results, and what a result leads to."""

    odds: Callable[[State, Task, Sea], Dist[Any]]  # over words or numbers
    # takes the result; the task itself is not taken from ``State.todo``
    resolve: Callable[[State, Task, Any, Sea], Resolution]


STEP = 25  # feet: depths go by these


class Limits(NamedTuple):
    """What a boat can still do: ``depth`` in feet without danger, and her greatest speeds in hexes a turn."""

    depth: int
    submerged: int
    surfaced: int


def limits(boat: Boat) -> Limits:
    """What damage leaves a boat (H1): of test depth and speeds the share that is left of her hull. Depth is rounded
    down to 25 ft, never less than periscope depth; speeds are rounded up."""
    type_ = TABLES.boats[boat.type]
    hull = max(0, boat.hull)
    depth = type_.test_depth * hull // type_.hull // STEP * STEP
    return Limits(max(COMBAT.figures["least_depth"], depth),
                  -(-type_.submerged * hull // type_.hull),
                  -(-type_.surfaced * hull // type_.hull))


def below_limit(boat: Boat) -> int:
    """Feet by which a boat is deeper than her limit; 0 if she is not."""
    return max(0, boat.depth - limits(boat).depth)


def crush(boat: Boat) -> Dist[int]:
    """Hull points the sea takes from a boat in a turn at her depth (H2); always 0 down to her limit."""
    row = first_not_exceeded(COMBAT.crush, below_limit(boat))
    assert row is not None, "no depth is further below a limit than the last row"
    return row.dist() if below_limit(boat) else Dist.point(0)


def crush_tasks(state: State) -> tuple[Task, ...]:
    """A roll for every boat below her limit, at the end of phase 8."""
    return tuple(Task("crush", boat.id, boat.id) for boat in state.boats if boat.active and below_limit(boat))


def top_speed(vessel: Vessel) -> int:
    """Greatest speed of a surface ship in hexes a turn: what torpedo hits leave of it, 0 if she is stopped or sunk."""
    if vessel.stopped or vessel.sunk:
        return 0
    return TABLES.vessels[vessel.type].speed_after(vessel.hits)


def lose(state: State, boat: Boat, points: int) -> tuple[State, tuple[Event, ...]]:
    """Take hull points from a boat; at 0 she is sunk, costs her value, and her marker leaves the board (H3)."""
    hurt = replace(boat, hull=max(0, boat.hull - points))
    if hurt.hull:
        return state.with_boat(hurt), ()
    value = TABLES.boats[boat.type].value
    after = state.with_boat(replace(hurt, sunk=state.turn)).without_marker(boat.id)
    after = replace(after, points=(*after.points, Score("lost", boat.id, -value)))
    return after, (SAY.event("H3", "sunk_boat", boat=boat.id, value=value),)


def damage_points(boat: Boat) -> int:
    """What damage to a boat that is not sunk costs (W1): of half her value the share of hull points lost, rounded
    down."""
    type_ = TABLES.boats[boat.type]
    return 0 if boat.sunk else type_.value * (type_.hull - boat.hull) // (2 * type_.hull)


def cost(boat: Boat, after: State) -> dict[str, Any]:
    """What is told of a boat's loss: no more than she had, and what it costs; of one that is sunk her value is told."""
    hurt = after.boat(boat.id)
    return {"points": boat.hull - hurt.hull, "hull": hurt.hull,
            "less": max(0, damage_points(hurt) - damage_points(boat))}


def _crush(state: State, task: Task, result: int, _sea: Sea) -> Resolution:
    boat = state.boat(task.target)
    after, sunk = lose(state, boat, result)
    key = "crush" if result else "crush_held"
    told = SAY.event("H2", key, boat=boat.id, below=below_limit(boat), **cost(boat, after))
    return Resolution(after, (), (told, *sunk))


HULL_HANDLERS = {"crush": Handler(lambda state, task, sea: crush(state.boat(task.target)), _crush)}


# -- Who sees whom, by day, by night and by the light of star shells and burning ships (104.1.4, 104.1.5, 107)

AWASH = 25  # feet: the deepest a boat can be seen at (104.1.4)
_FIGURES = COMBAT.figures


class Sighting(NamedTuple):
    """Why a boat is visible: the rule, and the sentence that says it."""

    rule: str
    text: Phrase
    by: tuple[str, ...] = ()  # the ship that is near enough, by night


def off(h: Hex, vessel: Vessel) -> int:
    """Hexes from ``h`` to the nearer of a ship's two."""
    bow, stern = vessel.place.hexes
    return min(h.distance(bow), h.distance(stern))


def burning(state: State, vessel: Vessel) -> int:
    """Hexes a ship lights like day (107.2.2, 107.2.3); 0 if she does not. A tanker torpedoed on an earlier turn does,
    until the star shells of the turn after she sinks."""
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
            return Sighting("104.1.4b", SAY.phrase("why_near", ship=vessel.id, distance=near), (vessel.id,))
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
    """Phase 9 (107.1): by night two star shells for every marker, on its target hex and three hexes ahead of that. The
    escort furthest from the target hex fires them. They burn until phase 8 of the next turn; those of the turn before
    are out."""
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
    """The state as far as the escorts know it, which is all that their moves may rest on. Ships, markers, torpedo
    tracks, charges and lights are open to them, and so is what they hold in contact. Of the boats only those that are
    visible exist, and of them only place and depth."""
    boats = tuple(Boat(b.id, "", b.place, b.depth, 0, 0) for b in state.boats if visible(state, b, sea))
    return replace(state, boats=boats, todo=(), points=(), launched=0)


# -- Gunfire at surfaced boats (mode 5) and ramming (108.1.5) --------------------------------------

def gun(rating: int, distance: int, gunnery: bool = False) -> Dist[int]:
    """Hull points the guns of a ship, rated 0 to 4, cost a surfaced boat in a turn, by the hexes between them (G1).
    ``gunnery``: whether the advanced game's tables are in force."""
    row = COMBAT.guns.get(("gunnery" if gunnery else "", rating))
    if row is None:
        return Dist.point(0)
    hits = row.chance(distance)
    return Dist({0: 1 - hits, row.points: hits})


def ram(tons: int) -> Dist[int]:
    """Hull points a surfaced boat loses when a ship of that tonnage runs her down (R1)."""
    row = first_not_exceeded(COMBAT.ram, tons)
    assert row is not None, "no ship is heavier than the last row"
    return row.dist()


def gunfire(state: State, sea: Sea) -> tuple[Task, ...]:
    """Phase 7: a roll for every ship that has a boat marked as surfaced in sight and in range of her guns (G1). Each
    fires at the nearest such boat; no gun is fired at a boat with any other marker."""
    targets = [boat for boat in state.boats
               if boat.active and (m := state.marker(boat.id)) is not None and m.kind is MarkerKind.SURFACED]
    tasks = []
    for vessel in state.vessels:
        for boat in sorted(targets, key=lambda b: (vessel.place.bow.distance(b.place.bow), b.id)):
            in_range = gun(*_gun_facts(vessel, boat, sea)).at_least(1)
            if in_range and not vessel.sunk and can_see_each_other(state, vessel, boat, sea):
                tasks.append(Task("gun", vessel.id, boat.id))
                break
    return tuple(tasks)


def _gun_facts(vessel: Vessel, boat: Boat, sea: Sea) -> tuple[int, int, bool]:
    return TABLES.vessels[vessel.type].guns, vessel.place.bow.distance(boat.place.bow), sea.has("gunnery")


def _gun_odds(state: State, task: Task, sea: Sea) -> Dist[int]:
    return gun(*_gun_facts(state.vessel(task.actor), state.boat(task.target), sea))


def _ram_odds(state: State, task: Task, _sea: Sea) -> Dist[int]:
    return ram(TABLES.vessels[state.vessel(task.actor).type].tons)


def _struck(state: State, task: Task, result: int, _sea: Sea) -> Resolution:
    after, sunk = lose(state, state.boat(task.target), result)
    rule = {"gun": "G1", "ram": "R1"}[task.kind]
    facts: dict[str, Any] = {"ship": task.actor, "boat": task.target}
    if not result:
        return Resolution(after, (), (SAY.event(rule, f"{task.kind}_missed", **facts),))
    facts |= cost(state.boat(task.target), after)
    return Resolution(after, (), (SAY.event(rule, f"{task.kind}_hit", **facts), *sunk))


GUN_HANDLERS = {"gun": Handler(_gun_odds, _struck), "ram": Handler(_ram_odds, _struck)}
