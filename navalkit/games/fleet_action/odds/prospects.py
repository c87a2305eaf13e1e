"""What fire in a battle does, exactly and before anyone commits: for the page's hints, and for players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from navalkit.core.dist import Dist

from ..rules import firing, gunnery
from ..rules.gunnery import armed, bearing_guns, may_be_fired_at, may_fire, torpedo_reaches
from ..rules.salvos import hits
from ..state import Guns, Phase, Shot, State, Torpedoes, notation
from ..state.scenario import Scenario, weapons

Order = Guns | Torpedoes
NOTHING: Dist[int] = Dist.point(0)


def damage_of(battle: Scenario, state: State, order: Order) -> Dist[int]:
    """Damage points that an order of the firing phase does to its target; the order must be legal."""
    after, _ = firing.aim(battle, state, order)
    return _total(battle, after, after.shots[len(state.shots) :])


def damage_ordered(battle: Scenario, state: State, target: int) -> Dist[int]:
    """Damage points of all that the side on turn has ordered at a ship so far in this move."""
    return _total(
        battle, state, tuple(s for s in state.shots if s.target == target and battle.side(s.ship) == state.side)
    )


def chance_to_sink(battle: Scenario, state: State, target: int, order: Order | None = None) -> Fraction:
    """The chance that what is ordered at a ship, and a further order at her, sink her in this move."""
    fire = damage_ordered(battle, state, target)
    if order is not None:
        fire = fire + damage_of(battle, state, order)
    return fire.at_least(left(battle, state, target))


def left(battle: Scenario, state: State, ship: int) -> int:
    """Points of damage that sink a ship: one more than is left of her sinking rate."""
    return battle.card(ship).sinking_rate + 1 - state.ships[ship].damage


def _total(battle: Scenario, state: State, shots: tuple[Shot, ...]) -> Dist[int]:
    total: Dist[int] = Dist.point(0)
    for shot in shots:
        dice, need = gunnery.dice(battle, state, shot), gunnery.need(battle, state, shot)
        total = total + hits(dice, need, gunnery.damage(battle, shot))
    return total


# In the few figures a page shows ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Prospect:
    """What an order to fire does to its target.

    Parameters
    ----------
    hit : Fraction
        The chance that it hits at all.
    mean : Fraction
        Mean damage points.
    sink : Fraction
        The chance that it sinks her in this move, together with what has been ordered at her before.
    """

    hit: Fraction
    mean: Fraction
    sink: Fraction


@lru_cache(maxsize=4096)
def prospect(battle: Scenario, state: State, text: str) -> Prospect:
    """What an order of the firing phase does, given in notation; it must be legal."""
    order = notation.parse_action(text, battle)
    assert isinstance(order, Guns | Torpedoes)
    target = battle.numbers[order.target]
    damage = damage_of(battle, state, order)
    together = damage_ordered(battle, state, target) + damage
    return Prospect(1 - damage[0], damage.mean, together.at_least(left(battle, state, target)))


@lru_cache(maxsize=256)
def full_fire(battle: Scenario, state: State, side: int) -> Mapping[int, Dist[int]]:
    """Damage of everything a side can fire from where its ships lie, all of it at one enemy: target -> distribution."""
    state = replace(state, phase=Phase.FIRE, side=side, shots=())
    ready = [ship for ship in battle.fleet(side) if state.ships[ship].square >= 0 and not may_fire(battle, state, ship)]
    found = {}
    for target in battle.fleet(1 - side):
        if state.ships[target].square >= 0 and may_be_fired_at(battle, state, target):
            found[target] = sum((_whole_fire(battle, state, ship, target) for ship in ready), NOTHING)
    return found


def _whole_fire(battle: Scenario, state: State, ship: int, target: int) -> Dist[int]:
    name, aim = battle.units[ship].name, battle.units[target].name
    total = damage_of(battle, state, Guns(name, aim)) if armed(battle, state, ship, target, "") else NOTHING
    for number in range(len(battle.card(ship).torpedoes)):
        if state.ships[ship].loaded >> number & 1 and torpedo_reaches(battle, state, ship, number, target):
            total = total + damage_of(battle, state, Torpedoes(name, number + 1, aim))
    return total


def guns_on(battle: Scenario, state: State, ship: int, square: int, heading: int, target: int) -> int:
    """How many of a ship's main guns would bear on an enemy, in range and in sight, from a square and heading."""
    ships = list(state.ships)
    ships[ship] = replace(ships[ship], square=square, heading=heading)
    there = replace(state, ships=tuple(ships))
    main = (weapon for weapon in weapons(battle.card(ship)) if weapon.battery == "main")
    return sum(bearing_guns(battle, there, ship, weapon, target) for weapon in main)
