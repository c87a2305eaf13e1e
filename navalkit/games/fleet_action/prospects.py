"""What fire in a battle does, exactly and before anyone commits: for what a page shows, and for players."""

from __future__ import annotations
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from navalkit.core.dist import Dist
from .rules import firing, gunnery
from .rules.gunnery import armed, bearing_guns, hits, may_be_fired_at, may_fire, torpedo_reaches
from .sight import foggy
from .state import Guns, Phase, Scenario, Shot, State, Torpedoes, weapons

Order = Guns | Torpedoes


@dataclass(frozen=True, slots=True)
class Volley:
    """All dice thrown for the fire at one ship."""

    # in order: the least that hits, the damage points of a hit, and how many dice there are of that sort
    dice: tuple[tuple[int, int, int], ...] = ()

    @classmethod
    def of(cls, dice: Iterable[tuple[int, int, int]]) -> Volley:
        """Dice in any order, sorts repeated."""
        counts: dict[tuple[int, int], int] = {}
        for need, damage, n in dice:
            counts[need, damage] = counts.get((need, damage), 0) + n
        return cls(tuple((*sort, n) for sort, n in sorted(counts.items()) if n))

    def __add__(self, other: Volley) -> Volley:
        return Volley.of((*self.dice, *other.dice))

    @property
    def most(self) -> int:
        """Damage if every die hits."""
        return sum(damage * n for _, damage, n in self.dice)

    @property
    def hit(self) -> Fraction:
        """The chance that something hits."""
        return 1 - prod((Fraction(need - 1, 6) ** n for need, _, n in self.dice), start=Fraction(1))

    @property
    def mean(self) -> Fraction:
        """Mean damage points."""
        return sum((Fraction((7 - need) * damage * n, 6) for need, damage, n in self.dice), Fraction(0))

    @property
    def damage(self) -> Dist[int]:
        """Damage points, exactly."""
        return _damage(self.dice)

    def sinks(self, enough: int) -> Fraction:
        """The chance of that many points or more, exactly."""
        return self.damage.at_least(enough) if self.most >= enough else Fraction(0)

    def row(self, enough: int) -> NDArray[np.float64]:
        """Probabilities of 0, 1, 2 ... points as floats, all that are ``enough`` in one."""
        return _row(self.dice, enough)


@lru_cache(maxsize=4096)
def _damage(dice: tuple[tuple[int, int, int], ...]) -> Dist[int]:
    return sum((hits(n, need, damage) for need, damage, n in dice), Dist.point(0))


@lru_cache(maxsize=4096)
def _row(dice: tuple[tuple[int, int, int], ...], enough: int) -> NDArray[np.float64]:
    row = np.ones(1)
    for need, damage, n in dice:
        fresh = np.zeros(n * damage + 1)
        fresh[::damage] = [comb(n, k) * (7 - need) ** k * (need - 1) ** (n - k) / 6**n for k in range(n + 1)]
        row = np.convolve(row, fresh)
        if len(row) > enough + 1:
            row = np.append(row[:enough], row[enough:].sum())
    row.flags.writeable = False
    return row


def volley(battle: Scenario, state: State, order: Order) -> Volley:
    """The dice of an order of the firing phase; it must be legal."""
    shots = firing.shots(battle, state, order)
    return _volley(battle, replace(state, shots=(*state.shots, *shots)), shots)


def ordered(battle: Scenario, state: State, target: int) -> Volley:
    """The dice of all that the side on turn has ordered at a ship so far in this move."""
    own = (shot for shot in state.shots if shot.target == target and battle.side(shot.ship) == state.side)
    return _volley(battle, state, own)


def _volley(battle: Scenario, state: State, shots: Iterable[Shot]) -> Volley:
    return Volley.of(
        (gunnery.need(battle, state, shot), gunnery.damage(battle, shot), gunnery.dice(battle, state, shot))
        for shot in shots
    )


def chance_to_sink(battle: Scenario, state: State, target: int, order: Order | None = None) -> Fraction:
    """The chance that what is ordered at a ship, and a further order at her, sink her in this move."""
    fire = ordered(battle, state, target)
    return (fire if order is None else fire + volley(battle, state, order)).sinks(left(battle, state, target))


def left(battle: Scenario, state: State, ship: int) -> int:
    """Points of damage that sink a ship: one more than is left of her sinking rate."""
    return battle.card(ship).sinking_rate + 1 - state.ships[ship].damage


# In the few figures a page shows ------------------------------------------------------------------------------------

@dataclass(frozen=True, slots=True)
class Prospect:
    """What an order to fire does to its target."""

    hit: Fraction  # the chance that it hits at all
    mean: Fraction  # mean damage points
    sink: Fraction  # the chance that it sinks her in this move, together with what has been ordered at her before


@lru_cache(maxsize=4096)
def prospect(battle: Scenario, state: State, order: Order) -> Prospect:
    """What a legal order of the firing phase does."""
    target, fire = battle.numbers[order.target], volley(battle, state, order)
    together = ordered(battle, state, target) + fire
    return Prospect(fire.hit, fire.mean, together.sinks(left(battle, state, target)))


def full_fire(battle: Scenario, state: State, side: int) -> Mapping[int, Volley]:
    """Everything a side can fire from where its ships lie, all of it at one enemy: target -> its dice."""
    state = replace(state, phase=Phase.FIRE, side=side, shots=())
    ready = [ship for ship in battle.fleet(side) if state.ships[ship].square >= 0 and not may_fire(battle, state, ship)]
    return {target: sum((_whole_fire(battle, state, ship, target) for ship in ready), Volley())
            for target in battle.fleet(1 - side)
            if state.ships[target].square >= 0 and may_be_fired_at(battle, state, target)}


def _whole_fire(battle: Scenario, state: State, ship: int, target: int) -> Volley:
    name, aim = battle.units[ship].name, battle.units[target].name
    total = volley(battle, state, Guns(name, aim)) if armed(battle, state, ship, target, "") else Volley()
    for number in range(len(battle.card(ship).torpedoes)):
        if state.ships[ship].loaded >> number & 1 and torpedo_reaches(battle, state, ship, number, target):
            total = total + volley(battle, state, Torpedoes(name, number + 1, aim))
    return total


def guns_on(battle: Scenario, state: State, ship: int, square: int, heading: int, target: int) -> int:
    """How many of a ship's main guns would bear on an enemy, in range and in sight, from a square and heading; none in
    fog, where nobody fires (rule F30)."""
    if foggy(battle, state, square) or foggy(battle, state, state.ships[target].square):
        return 0
    ships = list(state.ships)
    ships[ship] = replace(ships[ship], square=square, heading=heading)
    there = replace(state, ships=tuple(ships))
    main = (weapon for weapon in weapons(battle.card(ship)) if weapon.battery == "main")
    return sum(bearing_guns(battle, there, ship, weapon, target) for weapon in main)
