"""What fire in a battle does, exactly and before anyone commits: for the page's hints, and for players."""

from __future__ import annotations

from fractions import Fraction

from navalkit.core.dist import Dist

from . import firing, gunnery
from .salvos import hits
from .scenario import Scenario
from .state import Guns, Shot, State, Torpedoes

Order = Guns | Torpedoes


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
