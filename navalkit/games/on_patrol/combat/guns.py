"""Gunfire at surfaced boats (mode 5) and ramming (108.1.5)."""

from __future__ import annotations

from typing import Any

from navalkit.core.luck.dist import Dist

from ..sea.combat_tables import COMBAT, first_not_exceeded
from ..sea.say import SAY
from ..sea.setting import Sea
from ..sea.state import Boat, MarkerKind, State, Task, Vessel
from ..sea.tables import TABLES
from .handlers import Handler, Resolution
from .hull import lose
from .sight import can_see_each_other


def gun(rating: int, distance: int, gunnery: bool = False) -> Dist[int]:
    """Hull points the guns of a ship, rated 0 to 4, cost a surfaced boat in a turn, by the hexes between them (G1).

    ``gunnery``: whether the advanced game's tables are in force.
    """
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
    """Phase 7: a roll for every ship that has a boat marked as surfaced in sight and in range of her guns (G1).

    Each fires at the nearest such boat; no gun is fired at a boat with any other marker.
    """
    targets = [
        boat
        for boat in state.boats
        if boat.active and (m := state.marker(boat.id)) is not None and m.kind is MarkerKind.SURFACED
    ]
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


def _resolve(state: State, task: Task, result: int, _sea: Sea) -> Resolution:
    after, sunk = lose(state, state.boat(task.target), result)
    rule = {"gun": "G1", "ram": "R1"}[task.kind]
    facts: dict[str, Any] = {"ship": task.actor, "boat": task.target}
    if not result:
        return Resolution(after, (), (SAY.event(rule, f"{task.kind}_missed", **facts),))
    facts |= {"points": result, "hull": after.boat(task.target).hull}
    return Resolution(after, (), (SAY.event(rule, f"{task.kind}_hit", **facts), *sunk))


HANDLERS = {"gun": Handler(_gun_odds, _resolve), "ram": Handler(_ram_odds, _resolve)}
