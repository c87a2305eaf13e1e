"""Torpedoes: tubes and reloads, the straight run, the hit, and what it does to a ship."""

from __future__ import annotations
from collections.abc import Sequence
from typing import Any, NamedTuple

from navalkit.core.dist import Dist
from navalkit.core.words import Event
from navalkit.grids.hex import Hex, opposite, turn_between
from navalkit.grids.hex_moves import Place
from ..sea.combat_tables import COMBAT, either
from ..sea.state import Boat, Score, Shot, State, Task, Torpedo, Tube, Vessel, replace
from ..sea.tables import SAY, TABLES, WHY, Sea
from .damage import Handler, Resolution

LAUNCH_DEPTH = COMBAT.figures["launch_depth"]
ARMING = COMBAT.figures["arming"]


def tubes_for(place: Place, direction: int) -> tuple[str, Hex]:
    """The tubes that bear on a course, and the hex where their torpedoes appear (T1).

    Bow tubes fire on the heading or 60 degrees either side, from the hex ahead of the bow (hex B); stern tubes
    likewise astern, from the hex behind the stern. So every one of the six courses has its tubes.

    "bow" or "stern", and the hex.
    """
    if abs(turn_between(place.direction, direction)) <= 1:
        return "bow", place.ahead().bow
    return "stern", place.stern.step(opposite(place.direction))


def ready(boat: Boat, end: str, type: str = "") -> tuple[int, ...]:
    """Indices of the tubes at an end that can fire now, those with a certain type of torpedo if one is named."""
    return tuple(i for i, tube in enumerate(boat.tubes)
                 if tube.end == end and tube.torpedo and tube.ready == 0 and type in ("", tube.torpedo))


def why_not_launch(boat: Boat, shots: Sequence[Shot]) -> str | None:
    """What is wrong with a boat's shots from where she lies, in one sentence; None if all can be fired (T1)."""
    if not shots:
        return None
    if boat.depth > LAUNCH_DEPTH:
        return WHY("torpedoes.ft_torpedoes_launched", boat=boat.id, depth=boat.depth, deepest=LAUNCH_DEPTH)
    for shot in shots:
        if shot.type and shot.type not in COMBAT.torpedoes:
            return WHY("torpedoes.no_torpedo", type=shot.type, listed=', '.join(COMBAT.torpedoes))
        end, _ = tubes_for(boat.place, shot.direction)
        tubes = ready(boat, end, shot.type)
        if not 1 <= shot.number <= len(tubes):
            key = "torpedoes.tubes_of_type" if shot.type else "torpedoes.tubes"
            facts = {"end": end, "type": shot.type, "course": shot.direction, "number": shot.number}
            return WHY(key, boat=boat.id, tubes=len(tubes), **facts)
        boat = _emptied(boat, tubes[: shot.number])
    return None


def _emptied(boat: Boat, fired: Sequence[int]) -> Boat:
    """The boat with these tubes fired; each is reloaded at once with the first type in the racks (T6)."""
    tubes, racks = list(boat.tubes), dict(boat.reloads)
    for i in fired:
        type_ = next((t for t, count in racks.items() if count), "")
        if type_:
            racks[type_] -= 1
        tubes[i] = Tube(tubes[i].end, type_, COMBAT.figures["reload"] if type_ else 0)
    left = tuple((t, count) for t, count in racks.items() if count)
    return replace(boat, tubes=tuple(tubes), reloads=left)


def launch(state: State, id: str, shots: Sequence[Shot]) -> Resolution:
    """Launch a boat's torpedoes from where she lies; ``why_not_launch`` must have nothing against it."""
    boat = state.boat(id)
    torpedoes, events = list(state.torpedoes), []
    launched = state.launched
    for shot in shots:
        end, at = tubes_for(boat.place, shot.direction)
        fired = ready(boat, end, shot.type)[: shot.number]
        for i in fired:
            launched += 1
            torpedoes.append(Torpedo(f"T{launched}", boat.tubes[i].torpedo, id, at, shot.direction))
        names = " and ".join(dict.fromkeys(COMBAT.torpedoes[boat.tubes[i].torpedo].name for i in fired))
        boat = _emptied(boat, fired)
        events.append(
            SAY.event("T1", "launched", boat=id, count=len(fired), type=names, direction=shot.direction, hex=at)
        )
    after = replace(state.with_boat(boat), torpedoes=tuple(torpedoes), launched=launched)
    return Resolution(after, (), tuple(events))


def reload(state: State) -> Resolution:
    """A turn passes in the torpedo rooms: every tube being reloaded is a turn nearer to ready (T6)."""
    events: list[Event] = []
    for boat in state.boats:
        if not boat.active:
            continue
        tubes = tuple(tube._replace(ready=max(0, tube.ready - 1)) for tube in boat.tubes)
        for old, new in zip(boat.tubes, tubes, strict=True):
            if old.ready and not new.ready:
                name = COMBAT.torpedoes[new.torpedo].name
                events.append(SAY.event("T6", "reloaded", boat=boat.id, type=name, end=new.end))
        state = state.with_boat(replace(boat, tubes=tubes))
    return Resolution(state, (), tuple(events))


class Run(NamedTuple):
    """How far a torpedo got: None when its run is over; the ship it has met, if any; hexes left this turn."""

    torpedo: Torpedo | None
    ship: str | None
    left: int


def run(state: State, torpedo: Torpedo, hexes: int) -> Run:
    """Run a torpedo straight on, up to some hexes or to the next ship it has not met yet (T2). The hex it is in counts
    first: a ship may have steamed into it. Sinking ships are met like others, boats are not."""
    longest = COMBAT.torpedoes[torpedo.type].range
    ships = [(vessel.id, vessel.place.hexes) for vessel in state.vessels if vessel.id not in torpedo.met]
    while True:
        for id, lies in ships:
            if torpedo.at in lies:
                return Run(torpedo, id, hexes)
        if torpedo.run >= longest:
            return Run(None, None, 0)
        if hexes == 0:
            return Run(torpedo, None, 0)
        torpedo = torpedo._replace(at=torpedo.at.step(torpedo.direction), run=torpedo.run + 1)
        hexes -= 1


def _go(state: State, torpedo: Torpedo, hexes: int) -> Resolution:
    """The state after a run, with the roll to be made if a ship was met."""
    after, ship, left = run(state, torpedo, hexes)
    events: tuple[Event, ...] = ()
    if after is None:
        kept = tuple(t for t in state.torpedoes if t.id != torpedo.id)
        longest = COMBAT.torpedoes[torpedo.type].range
        end = torpedo.at.step(torpedo.direction, longest - torpedo.run)
        events = (SAY.event("T2", "spent", torpedo=torpedo.id, boat=torpedo.boat, hex=end),)
    else:
        kept = tuple(after if t.id == torpedo.id else t for t in state.torpedoes)
    tasks = (Task("torpedo", torpedo.id, ship, after.at, (left,)),) if after and ship else ()
    return Resolution(replace(state, torpedoes=kept), tasks, events)


def torpedo_phase(state: State) -> Resolution:
    """Phase 4: all torpedoes run, in the order they were launched, each as far as the first ship it meets."""
    tasks: list[Task] = []
    events: list[Event] = []
    for torpedo in state.torpedoes:
        state, met, told = _go(state, torpedo, COMBAT.torpedoes[torpedo.type].speed)
        tasks += met
        events += told
    return Resolution(state, tuple(tasks), tuple(events))


def aspect(direction: int, vessel: Vessel) -> str:
    """How a track on that course meets a ship: "beam" from forward of it, "quarter" from abaft, or "end"."""
    turn = abs(turn_between(vessel.place.direction, direction)) % 3
    return next(row.id for row in COMBAT.aspects.values() if row.turn == turn)


def size_shift(tons: int) -> int:
    """Bands by which a ship of that tonnage is harder (1) or easier (-1) to hit."""
    return (tons <= COMBAT.figures["small"]) - (tons >= COMBAT.figures["large"])


def hit(type: str, aspect: str, run: int, sea: Sea, tons: int = 5000) -> Dist[str]:
    """What a torpedo does in a ship's hex: "hit", "dud", "unarmed" or "miss" (T3 to T5). ``aspect``: "beam", "quarter"
    or "end". ``run``: hexes behind it. ``sea``: whether torpedoes must arm and may be duds, and the year. ``tons``: of
    the ship."""
    strikes = COMBAT.aspects[aspect].chance(run, size_shift(tons))
    if sea.has("arming") and run < ARMING:
        return either(strikes, "unarmed", "miss")
    dud = COMBAT.torpedoes[type].dud(sea.year) if sea.has("duds") else 0
    return Dist({"hit": strikes * (1 - dud), "dud": strikes * dud, "miss": 1 - strikes})


def strike(vessel: Vessel, turn: int) -> Vessel:
    """The ship after one torpedo hit (D1): sunk once she has taken those that sink her, else slower."""
    hits = vessel.hits + 1
    sinks = hits >= TABLES.vessels[vessel.type].hits
    return replace(vessel, hits=hits, torpedoed=turn, sunk=turn if sinks else 0)


def _odds(state: State, task: Task, sea: Sea) -> Dist[str]:
    torpedo, vessel = _torpedo(state, task), state.vessel(task.target)
    tons = TABLES.vessels[vessel.type].tons
    return hit(torpedo.type, aspect(torpedo.direction, vessel), torpedo.run, sea, tons)


def _torpedo(state: State, task: Task) -> Torpedo:
    return next(t for t in state.torpedoes if t.id == task.actor)


def _resolve(state: State, task: Task, result: str, _sea: Sea) -> Resolution:
    torpedo, vessel = _torpedo(state, task), state.vessel(task.target)
    facts: dict[str, Any] = {"torpedo": torpedo.id, "ship": vessel.id, "hex": torpedo.at}
    if result == "miss":
        torpedo = torpedo._replace(met=(*torpedo.met, vessel.id))
        after, tasks, events = _go(state, torpedo, int(task.detail[0]))
        return Resolution(after, tasks, (SAY.event("T3", "passed", **facts), *events))
    state = replace(state, torpedoes=tuple(t for t in state.torpedoes if t.id != torpedo.id))
    if result != "hit":
        rule = {"dud": "T5", "unarmed": "T4"}[result]
        return Resolution(state, (), (SAY.event(rule, result, run=torpedo.run, **facts),))
    if vessel.sunk:
        return Resolution(state, (), (SAY.event("D1", "wreck", **facts),))
    hurt = strike(vessel, state.turn)
    type_ = TABLES.vessels[vessel.type]
    after = state.with_vessel(hurt)
    if hurt.sunk:
        after = replace(after, points=(*after.points, Score("sunk", vessel.id, type_.value)))
        return Resolution(after, (), (SAY.event("D1", "sunk_ship", value=type_.value, **facts),))
    tasks = () if hurt.stopped else (Task("stop", vessel.id, vessel.id, detail=(hurt.hits,)),)
    return Resolution(after, tasks, (SAY.event("D1", "hit", hits=hurt.hits, most=type_.hits, **facts),))


def stops(type: str, hits: int) -> Dist[str]:
    """Whether a ship of that type, hit so often and afloat, lies dead in the water: "stopped" or "under way" (D2)."""
    return either(COMBAT.stop.chance(TABLES.vessels[type].hits - hits), "stopped", "under way")


def _stop_odds(state: State, task: Task, _sea: Sea) -> Dist[str]:
    vessel = state.vessel(task.target)
    return stops(vessel.type, vessel.hits)


def _stop_resolve(state: State, task: Task, result: str, _sea: Sea) -> Resolution:
    vessel = state.vessel(task.target)
    if result == "stopped":
        state = state.with_vessel(replace(vessel, stopped=True, speed=0))
    return Resolution(state, (), (SAY.event("D2", result.replace(" ", "_"), ship=vessel.id),))


HANDLERS = {"torpedo": Handler(_odds, _resolve), "stop": Handler(_stop_odds, _stop_resolve)}
