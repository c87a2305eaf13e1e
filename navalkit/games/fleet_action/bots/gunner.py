"""How the gunnery player moves: each ship to where her guns do most to an enemy as the enemies lie now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from navalkit.grids.square_headings import HEADINGS

from ..state import Move
from ..state.scenario import weapons
from .chart import FAR, UNREACHED, Array, sailing_distance
from .power import gun_power
from .sea import Foe, Places, Sea
from .tasks import UNARMED


@dataclass(frozen=True, slots=True)
class Berth:
    """Where the gunnery player would send a ship."""

    action: Move
    guns: float  # points of damage a move at the enemy she does most to
    foe: Foe | None  # that enemy, or the nearest if she reaches none; None if none is known or she goes about a task
    better: tuple[float, float]  # what she gains against staying: damage, then nearness to her best range


def berths(sea: Sea, legal: Sequence[object]) -> list[Berth]:
    """For each ship that can move the best place; those that gain nothing are left out. Ships ahead come first."""
    moves: dict[int, list[Move]] = {}
    for action in legal:
        if isinstance(action, Move) and action.who in sea.battle.numbers:
            moves.setdefault(sea.battle.numbers[action.who], []).append(action)
    order = sorted(moves, key=lambda ship: (_nearest(sea, ship), ship))
    return [berth for ship in order if (berth := _berth(sea, ship, moves[ship])) is not None]


def berth_at(sea: Sea, action: Move) -> Berth:
    """A place that a ship may be sent to, whatever it is worth."""
    ship, grid = sea.battle.numbers[action.who], sea.battle.grid
    at = Places(*np.array([(grid.number(action.square), HEADINGS.index(action.heading))]).T)
    guns = [float(_damage(sea, ship, at, foe)[0]) for foe in sea.foes]
    most = max(guns, default=0.0)
    return Berth(action, most, sea.foes[guns.index(most)] if most else None, (0.0, 0.0))


def _nearest(sea: Sea, ship: int) -> int:
    square = sea.view.ships[ship].square
    return min((int(sea.chart.distance[square, foe.square]) for foe in sea.foes), default=0)


def _berth(sea: Sea, ship: int, moves: Sequence[Move]) -> Berth | None:
    own, grid = sea.view.ships[ship], sea.battle.grid
    places = [(own.square, own.heading), *((grid.number(m.square), HEADINGS.index(m.heading)) for m in moves)]
    at = Places(*np.array(places).T)
    guns = np.array([_damage(sea, ship, at, foe) for foe in sea.foes]).reshape(len(sea.foes), len(places)).T
    ranges = [int(w.gun.range) for w in weapons(sea.battle.card(ship)) if w.battery == "main"]
    best_range = max(ranges, default=FAR) - 1
    if (task := _task(sea, ship)) is not None:
        worth = -task[at.squares].astype(float)
        guns = np.zeros_like(guns)
    elif sea.foes:
        far = np.array([sea.chart.distance[at.squares, foe.square] for foe in sea.foes]).min(axis=0)
        worth = -np.abs(far - best_range).astype(float)
    else:
        return None
    most = guns.max(axis=1, initial=0.0)
    best = min(range(len(places)), key=lambda i: (-most[i], -worth[i], i))
    if best == 0:
        return None
    foe = None
    if task is None:
        near = [-sea.chart.distance[at.squares[best], foe.square] for foe in sea.foes]
        foe = sea.foes[int(np.argmax(guns[best])) if most[best] else int(np.argmax(near))]
    gained = (float(most[best] - most[0]), float(worth[best] - worth[0]))
    return Berth(moves[best - 1], float(most[best]), foe, gained)


def _damage(sea: Sea, ship: int, at: Places, foe: Foe) -> Array:
    """Mean damage of her guns from each place at an enemy where it lies."""
    table = gun_power(sea.battle.card(ship), sea.view.ships[ship].out)
    far = np.minimum(sea.chart.distance[at.squares, foe.square], FAR)
    relative = (sea.chart.bearing[at.squares, foe.square] - at.headings) % 8
    return np.asarray(table[far, relative] * sea.chart.sight(at.squares, sea.masked)[:, foe.square])


def _task(sea: Sea, ship: int) -> Array | None:
    """How far each square is from her exit, for a ship that is to leave and was not built to fight."""
    goals = sea.battle.exits[sea.me]
    if not (sea.stakes.exit[ship] and goals and sea.battle.card(ship).type in UNARMED):
        return None
    return np.minimum(sailing_distance(sea.battle.grid, sea.battle.land, goals), UNREACHED)
