"""What damage does to boats and ships: hull points, depth, speed, sinking."""

from __future__ import annotations

from typing import NamedTuple

from navalkit.core.event import Event
from navalkit.core.luck.dist import Dist

from ..sea.combat_tables import COMBAT, first_not_exceeded
from ..sea.say import SAY
from ..sea.setting import Sea
from ..sea.state import Boat, Score, State, Task, Vessel
from ..sea.swift import replace
from ..sea.tables import TABLES
from .handlers import Handler, Resolution

STEP = 25  # feet: depths go by these


class Limits(NamedTuple):
    """What a boat can still do: ``depth`` in feet without danger, and her greatest speeds in hexes a turn."""

    depth: int
    submerged: int
    surfaced: int


def limits(boat: Boat) -> Limits:
    """What damage leaves a boat (H1): of test depth and speeds the share that is left of her hull.

    Depth is rounded down to 25 ft, never less than periscope depth; speeds are rounded up.
    """
    type_ = TABLES.boats[boat.type]
    hull = max(0, boat.hull)
    depth = type_.test_depth * hull // type_.hull // STEP * STEP
    return Limits(
        max(COMBAT.figures["least_depth"], depth),
        -(-type_.submerged * hull // type_.hull),
        -(-type_.surfaced * hull // type_.hull),
    )


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


def _odds(state: State, task: Task, _sea: Sea) -> Dist[int]:
    return crush(state.boat(task.target))


def _resolve(state: State, task: Task, result: int, _sea: Sea) -> Resolution:
    boat = state.boat(task.target)
    after, sunk = lose(state, boat, result)
    key = "crush" if result else "crush_held"
    hull = after.boat(boat.id).hull
    told = SAY.event("H2", key, boat=boat.id, below=below_limit(boat), points=result, hull=hull)
    return Resolution(after, (), (told, *sunk))


HANDLERS = {"crush": Handler(_odds, _resolve)}
