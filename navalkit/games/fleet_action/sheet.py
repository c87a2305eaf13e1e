"""The damage sheet of a squadron, as data for whoever draws or prints it."""

from __future__ import annotations

from dataclasses import dataclass

from .movement import full_speed, squares_a_move
from .scenario import Scenario
from .state import Fate, State
from .vessels import quarters


@dataclass(frozen=True, slots=True)
class Row:
    """One ship on the sheet.

    Parameters
    ----------
    ship, ship_class : str
    fate : Fate
    damage, rate : int
        Points she has taken, and her sinking rate.
    quarters : int
        Full quarters of the rate, 0 to 4.
    guns : tuple of (gun, arc, battery, in action, of)
        A mount each.
    torpedoes : tuple of (kind, tubes, loaded)
        A set each.
    mines : int
        Mines aboard.
    speed, full : int
        Squares she may go in this move, and could if she and the weather were sound.
    """

    ship: str
    ship_class: str
    fate: Fate
    damage: int
    rate: int
    quarters: int
    guns: tuple[tuple[str, str, str, int, int], ...]
    torpedoes: tuple[tuple[str, int, bool], ...]
    mines: int
    speed: int
    full: int

    @property
    def tubes_fired(self) -> int:
        """How many torpedo tubes are empty."""
        return sum(tubes for _, tubes, loaded in self.torpedoes if not loaded)


def sheet(battle: Scenario, state: State, side: int) -> tuple[Row, ...]:
    """The damage sheet of a side: a row a ship, in the order of battle.

    Parameters
    ----------
    battle : Scenario
        `FleetAction.battle`.
    state : State
        The state, or the view of an observation; there the sheet of the enemy shows what is known of it.
    side : int
    """
    return tuple(_row(battle, state, ship) for ship in battle.fleet(side))


def _row(battle: Scenario, state: State, ship: int) -> Row:
    unit, own = battle.units[ship], state.ships[ship]
    card = unit.card
    afloat = own.fate is Fate.AT_SEA and own.square >= 0
    return Row(
        ship=unit.name,
        ship_class=card.ship_class,
        fate=own.fate,
        damage=own.damage,
        rate=card.sinking_rate,
        quarters=quarters(own.damage, card.sinking_rate),
        guns=tuple(
            (mount.gun, mount.arc, mount.battery, mount.guns - out, mount.guns)
            for mount, out in zip(card.mounts, own.out, strict=True)
        ),
        torpedoes=tuple(
            (tubes.kind, tubes.tubes, bool(own.loaded >> number & 1)) for number, tubes in enumerate(card.torpedoes)
        ),
        mines=own.mines,
        speed=squares_a_move(battle, state, ship) if afloat else 0,
        full=full_speed(card.speed, state.move),
    )
