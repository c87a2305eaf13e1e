"""What a ship's fire does on average, by range and bearings: the table behind all that a player calculates ahead."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from navalkit.core.luck.dist import Dist

from ..cards import TABLES
from ..cards.vessels import ShipCard
from ..rules.salvos import ASPECTS, hits
from ..state.scenario import weapons
from .chart import FAR, Array

SIDES_SHOWN = ("end", "diagonal", "beam", "diagonal")
"""What a target shows to one who bears 0, 1, 2 or 3 eighth-turns from its heading, and so on round (rule F18)."""


@lru_cache(maxsize=512)
def gun_power(card: ShipCard, out: tuple[int, ...]) -> Array:
    """Mean damage of all guns in a move, fired at one target throughout: ``FAR + 1`` ranges x 8 bearings of the target.

    Bearings are relative to the ship's heading. ``out``: guns out of action in each mount.
    """
    table = np.zeros((FAR + 1, 8))
    for weapon in weapons(card):
        means = np.array([float(weapon.gun.mean_damage(r)) for r in range(FAR + 1)])
        for number in weapon.mounts:
            mount = card.mounts[number]
            arc = np.array([mount.bears(relative) for relative in range(8)])
            table += np.outer(means, (mount.guns - out[number]) * arc)
    return table


@lru_cache(maxsize=4096)
def torpedo_power(card: ShipCard, loaded: int, left: int, yards: int) -> Array:
    """Mean damage of all loaded torpedoes, that beyond what sinks the target left out.

    ``FAR + 1`` ranges x 4 bearings of the ship relative to the target's heading (half a circle).
    """
    sets = [tubes for n, tubes in enumerate(card.torpedoes) if loaded >> n & 1]
    ranges = [TABLES.torpedoes[tubes.kind].squares(yards) for tubes in sets]
    table = np.zeros((FAR + 1, 4))
    for reach in sorted(set(ranges), reverse=True):  # the nearer, the more sets reach
        ready = [tubes for tubes, furthest in zip(sets, ranges, strict=True) if furthest >= reach]
        for shown, name in enumerate(SIDES_SHOWN):
            fire: Dist[int] = Dist.point(0)
            for tubes in ready:
                fire = fire + hits(tubes.tubes, ASPECTS[name], TABLES.torpedoes[tubes.kind].damage)
            table[: reach + 1, shown] = sum(float(chance) * min(damage, left) for damage, chance in fire.items())
    return table


@lru_cache(maxsize=4096)
def power(card: ShipCard, out: tuple[int, ...], loaded: int, left: int, yards: int) -> Array:
    """Mean damage of a ship's whole fire at one target, at most what sinks it.

    ``FAR + 1`` ranges x 8 bearings of the target x 4 bearings of the ship from the target.
    """
    both = gun_power(card, out)[:, :, None] + torpedo_power(card, loaded, left, yards)[:, None, :]
    return np.asarray(np.minimum(both, left))
