"""Anti-submarine attacks (105.4.12): the escorts' guess of the depth first, then the damage."""

from __future__ import annotations

from typing import Any

from navalkit.core.luck.dist import Dist

from ..sea.combat_tables import COMBAT
from ..sea.say import SAY
from ..sea.setting import Sea
from ..sea.state import State, Task
from ..sea.tables import TABLES
from .handlers import Handler, Resolution
from .hull import lose

MISS = "miss"


def attacks(state: State) -> tuple[Task, ...]:
    """Phase 5: a roll for each charge and each boat it may harm (A1).

    A boat is attacked at her bow hex. For a weapon that is set to a depth the depth table is rolled first, for
    Hedgehog the damage at once. ``Task.detail`` is (weapon, hexes off, number of the charge), which keeps two
    charges of one escort on one hex apart.
    """
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


def damage(weapon: str, error: int = 0, distance: int = 0) -> Dist[int]:
    """Hull points a weapon costs a boat (A2).

    ``weapon``: "depth charge", "k-gun", "hedgehog", "squid" or "one-ton charge". ``error``: feet between its setting
    and the boat's depth; 0 for Hedgehog. ``distance``: hexes from the boat's bow hex.
    """
    row = COMBAT.damage.get((weapon, distance, error))
    return row.dist() if row else Dist.point(0)


def one_attack(weapon: str, distance: int = 0, depth: int = 100) -> Dist[int]:
    """Hull points lost to one charge, the depth roll included, by a boat at that depth in feet."""
    if depth > COMBAT.weapons[weapon].deepest:
        return Dist.point(0)
    if not COMBAT.weapons[weapon].depth_first:
        return damage(weapon, 0, distance)
    return depth_roll().bind(lambda error: damage(weapon, error, distance) if isinstance(error, int) else Dist.point(0))


def _facts(task: Task) -> dict[str, Any]:
    text = COMBAT.weapons[str(task.detail[0])].text
    return {"escort": task.actor, "weapon": text, "hex": task.at, "boat": task.target}


def _depth_odds(_state: State, _task: Task, _sea: Sea) -> Dist[int | str]:
    return depth_roll()


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
    return damage(str(weapon), int(error), int(distance))


def _damage_resolve(state: State, task: Task, result: int, _sea: Sea) -> Resolution:
    boat = state.boat(task.target)
    after, sunk = lose(state, boat, result)
    key = "damage" if result else "harmless"
    told = SAY.event("A2", key, points=result, hull=after.boat(boat.id).hull, **_facts(task))
    return Resolution(after, (), (told, *sunk))


HANDLERS = {"depth": Handler(_depth_odds, _depth_resolve), "damage": Handler(_damage_odds, _damage_resolve)}
