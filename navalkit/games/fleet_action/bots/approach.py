"""What a range promises for later moves: a ship that can fight closes to where her weapons tell, a crippled one opens.

A battle is a matter of a few moves, and torpedoes decide it: fire not brought to bear is lost. So a ship that can fight
loses a share of her value for every square she lies beyond the range she fights at: that of her torpedoes while
she has any, else just inside that of her main guns. A crippled ship gains by every square instead. Enemies count as far
as they are likely to be her target.
"""

from __future__ import annotations

import numpy as np

from ..cards.vessels import allowance, quarters
from ..state.scenario import weapons
from ..state.sight import NIGHT_SIGHT
from .chart import FAR, Array
from .sea import Sea


def range_values(sea: Sea, ship: int, ranges: int) -> Array:
    """The value of being at each range from 0 up, enemy by enemy, for a ship of one's own.

    Enemies x ranges, in points of the scenario.
    """
    beyond = np.maximum(0, np.arange(ranges) - fighting_range(sea, ship))
    pull = sea.figures["away"] if is_crippled(sea, ship) else -sea.figures["pull"]
    drawn = np.outer(sea.aims[sea.own.index(ship)], pull * sea.stakes.value[ship] * beyond)
    return np.asarray(drawn + _strikes(sea, ship, ranges))


def _strikes(sea: Sea, ship: int, ranges: int) -> Array:
    """What the blows of the next move are worth from each range: enemies x ranges.

    The side that moves second in the next move chooses how both ships lie to each other, and strikes only if that is
    in its favour; the side that moves first has to take that, and does well to be out of reach. Within the range of
    torpedoes they are fired in this move, and the next has guns alone.
    """
    row = sea.own.index(ship)
    second = sea.view.side == sea.view.first  # the first now is the second then
    own = _squares(sea, ship)
    shown = sea.shows(np.arange(FAR + 1), sea.view.ships[ship].marked)
    found = np.zeros((len(sea.foes), ranges))
    for n, foe in enumerate(sea.foes if sea.figures["threat"] else ()):
        reach = own if second else max(_squares(sea, k) for k in foe.ships)
        near = np.arange(ranges) <= max(_fish(sea, k) for k in (ship, *foe.ships))
        lit = sea.shows(np.arange(FAR + 1), all(sea.view.ships[k].marked for k in foe.ships))
        worth = []
        armed = any(sea.view.ships[k].loaded for k in (ship, *foe.ships))
        for fish in (True, False) if armed else (False,):
            ours, theirs = (t.max(axis=1) for t in (sea.ours(ship, foe, 0.0, fish), sea.theirs(foe, ship, fish)))
            does, takes = (ours.max(axis=1), theirs.min(axis=1)) if second else (ours.min(axis=1), theirs.max(axis=1))
            gain = sea.aims[row, n] * does * lit - sea.figures["prudence"] * sea.aimed_at[row, n] * takes * shown
            worth.append(_within(np.maximum(gain if second else -gain, 0), reach, ranges))
        found[n] = np.where(near, worth[-1], worth[0]) * (1 if second else -1)
    return np.asarray(sea.figures["threat"] * found)


def _fish(sea: Sea, ship: int) -> int:
    """How far the torpedoes go that a ship has loaded."""
    sets, loaded = sea.battle.card(ship).torpedoes, sea.view.ships[ship].loaded
    return max((sea.battle.torpedo_range(ship, n) for n in range(len(sets)) if loaded >> n & 1), default=0)


def _squares(sea: Sea, ship: int) -> int:
    """How far a ship goes in a move, on average."""
    card = sea.battle.card(ship)
    return max(1, sum(allowance(card.speed)) // 2 - quarters(sea.view.ships[ship].damage, card.sinking_rate))


def _within(blow: Array, squares: int, ranges: int) -> Array:
    """The best blow from any range at most that many squares nearer or further; beyond the table, none."""
    best = np.zeros(ranges + 2 * squares + len(blow))
    for shift in range(2 * squares + 1):
        np.maximum(best[shift : shift + len(blow)], blow, out=best[shift : shift + len(blow)])
    return best[squares : squares + ranges]


def fighting_range(sea: Sea, ship: int) -> int:
    """The range at which a ship fights: that of her torpedoes, or one square inside that of her main guns; by night no
    further than ships are seen."""
    own, card = sea.view.ships[ship], sea.battle.card(ship)
    fish = [sea.battle.torpedo_range(ship, n) for n in range(len(card.torpedoes)) if own.loaded >> n & 1]
    guns = [weapon.gun.range - 1 for weapon in weapons(card) if weapon.battery == "main"]
    return min(max(fish or guns, default=0), NIGHT_SIGHT if sea.dark else FAR)


def is_crippled(sea: Sea, ship: int) -> bool:
    """Whether a ship is too badly hurt to fight on."""
    own, card = sea.view.ships[ship], sea.battle.card(ship)
    return quarters(own.damage, card.sinking_rate) >= sea.figures["retreat"]
