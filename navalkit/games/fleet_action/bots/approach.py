"""What a range promises for later moves: whoever can fight closes to where her weapons tell, whoever is crippled opens.

A battle is a matter of a few moves, and torpedoes decide it: fire not brought to bear is lost. So a ship that can fight
loses a share of her value for every square she lies beyond the range she fights at: that of her torpedoes while
she has any, else just inside that of her main guns. A crippled ship gains by every square instead. Enemies count as far
as they are likely to be her target.
"""

from __future__ import annotations

import numpy as np

from ..cards import TABLES
from ..cards.vessels import quarters
from ..state.scenario import weapons
from .chart import Array
from .say import FIGURES
from .sea import Sea


def range_values(sea: Sea, ship: int, ranges: int) -> Array:
    """The value of being at each range of each enemy for a ship of one's own.

    Parameters
    ----------
    sea : Sea
    ship : int
    ranges : int
        How many ranges, from 0.

    Returns
    -------
    array of float, enemies x ranges
        In points of the scenario.
    """
    beyond = np.maximum(0, np.arange(ranges) - fighting_range(sea, ship))
    pull = FIGURES["away"] if is_crippled(sea, ship) else -FIGURES["pull"]
    return np.asarray(np.outer(sea.aims[sea.own.index(ship)], pull * sea.stakes.value[ship] * beyond))


def fighting_range(sea: Sea, ship: int) -> int:
    """The range at which a ship fights: that of her torpedoes, or one square inside that of her main guns."""
    own, card = sea.view.ships[ship], sea.battle.card(ship)
    fish = [TABLES.torpedoes[tubes.kind].range for n, tubes in enumerate(card.torpedoes) if own.loaded >> n & 1]
    guns = [weapon.gun.range - 1 for weapon in weapons(card) if weapon.battery == "main"]
    return max(fish or guns, default=0)


def is_crippled(sea: Sea, ship: int) -> bool:
    """Whether a ship is too badly hurt to fight on."""
    own, card = sea.view.ships[ship], sea.battle.card(ship)
    return quarters(own.damage, card.sinking_rate) >= FIGURES["retreat"]
