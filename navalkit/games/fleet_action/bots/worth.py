"""What the ships of a battle are worth to its sides, in points of the scenario (rule F36)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..cards import points
from ..rules import victory
from ..state import Fate, State
from ..state.scenario import Scenario
from .chart import Array
from .fire import AFLOAT


@dataclass(frozen=True, slots=True)
class Stakes:
    """What is at stake for one side."""

    # ship -> the points that change hands if she sinks, and a share for the fight still in her
    value: tuple[float, ...]
    # ship -> the worth of one point of damage to her, as far as it does not more than sink her
    point: tuple[float, ...]
    exit: tuple[float, ...]  # ship -> the points her side gets when she leaves by her exit; 0 if it gets none
    lead: float  # how far the side is ahead, from -1 to 1 of all that is at stake


def destroyed(share: Array) -> Array:
    """What of a ship's remaining value is gained by damage that is, on average, so large a share of what sinks her.

    Half of it is a hurt ship, the other half is had only if she sinks, which a small share hardly ever does.
    """
    return np.asarray(AFLOAT * share + (1 - AFLOAT) * share**2)


def stakes(battle: Scenario, view: State, me: int, figures: Mapping[str, float]) -> Stakes:
    """What is at stake as a side sees it.

    Damage is worth something only while it does not sink: a ship with damage d of her rate R has lost
    ``AFLOAT * d / R`` of her value, and the rest goes with the points that are left.
    """
    prices = _prices(battle)
    whole = sum(price.sunk + price.away for price in prices)
    fight = figures["fighting_value"] * whole / sum(price.card for price in prices)
    scores = [victory.score(battle, view, side) for side in (0, 1)]
    lead = (scores[me] - scores[1 - me]) / whole if whole else 0.0
    late = view.move / battle.moves
    value, point = [], []
    for n, ship in enumerate(view.ships):
        # Late in a battle that is won our own ships count for more, in one that is lost for less.
        caution = 1 + figures["caution"] * lead * late if battle.side(n) == me else 1.0
        caution = min(max(caution, figures["boldest"]), 1 / figures["boldest"])
        gone = ship.fate in (Fate.SUNK, Fate.LEFT)
        value.append(0.0 if gone else (prices[n].sunk + prices[n].away + fight * prices[n].card) * caution)
        rate = battle.card(n).sinking_rate
        point.append(value[n] * (1 - AFLOAT * ship.damage / rate) / (rate + 1 - ship.damage) if not gone else 0.0)
    return Stakes(tuple(value), tuple(point), tuple(price.exit for price in prices), lead)


@dataclass(frozen=True, slots=True)
class _Price:
    """Points of a ship: the enemy's if she sinks; her side's if she gets away, and by leaving; her card's."""

    sunk: float
    away: float
    exit: float
    card: int


@lru_cache(maxsize=64)
def _prices(battle: Scenario) -> tuple[_Price, ...]:
    found = []
    for n, unit in enumerate(battle.units):
        sunk, leave = _points(battle, n, "sink") + 4 * _points(battle, n, "damage"), _points(battle, n, "exit")
        found.append(_Price(sunk, _points(battle, n, "survive") + leave, leave, points(unit.card)))
    return tuple(found)


def _points(battle: Scenario, ship: int, aim: str) -> float:
    """What an aim brings once for a ship."""
    aims = (a for a in battle.objectives if a.aim == aim and ship in a.of)
    return float(sum(a.points or points(battle.card(ship)) for a in aims))
