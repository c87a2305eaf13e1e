"""What a player has picked on the page: the ship or division to be ordered, an enemy, a square to go to.

A pick is of one of the kinds below; a square to go to and the place looked at are dropped after an order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from navalkit.grids.square_headings import HEADINGS, ahead, bearing, distance, shifted
from navalkit.view.page import Glance
from navalkit.view.scene import Lasts, Pick, Picks

from ..game import FleetAction
from ..rules.movement import movers, reach
from ..state import HIDDEN, Action, Done, Fate, First, Guns, Move, Phase, Torpedoes, Weather
from ..state.observation import Observation
from ..state.scenario import Scenario

Sight = Glance[FleetAction, Observation, Action]  # one look at a battle

_SHIP, _FOE, _AIM, _LOOK, _CARDS, _THREATS = "ship", "foe", "aim", "look", "cards", "threats"
CARDS = Pick(_CARDS, lasts=Lasts.PAGE)  # ship cards are shown
THREATS = Pick(_THREATS, lasts=Lasts.PAGE)  # what the enemy can do is shown on the sea


def unit_pick(name: str) -> Pick:
    """That ship or division is given her orders."""
    return Pick(_SHIP, name)


def foe_pick(ship: int) -> Pick:
    """That enemy ship is aimed at, or looked at."""
    return Pick(_FOE, ship)


def aim_pick(square: int) -> Pick:
    """The ship is to go there."""
    return Pick(_AIM, square, Lasts.ORDER)


def look_pick(square: int) -> Pick:
    """The window shows the board around there."""
    return Pick(_LOOK, square, Lasts.ORDER)


@dataclass(frozen=True, slots=True)
class Choice:
    """What is picked, or taken by default."""

    unit: str = ""  # the ship or division whose orders are given; "" if the side has no ship left
    ships: tuple[int, ...] = ()  # her number, or those of the division's ships that move together, the guide first
    foe: int | None = None  # the enemy ship that is aimed at, or looked at
    aim: int | None = None  # the square to go to
    look: int | None = None  # the square in the middle of the window
    cards: bool = False  # whether ship cards are shown
    threats: bool = False  # whether what the enemy can do is shown on the sea
    picked: bool = False  # whether ``unit`` was picked, and is not merely the next
    # ship or division -> the orders that can be given to her now
    orders: Mapping[str, tuple[Action, ...]] = field(default_factory=dict)
    # square -> heading -> the order that takes ``unit`` there
    moves: Mapping[int, Mapping[int, Move]] = field(default_factory=dict)
    # enemy -> the ways in which ``unit`` can fire at her, all guns first
    targets: Mapping[int, tuple[Guns | Torpedoes, ...]] = field(default_factory=dict)


def by_unit(glance: Sight) -> Mapping[str, tuple[Action, ...]]:
    """The orders that can be given now, by the ship or division they are for."""
    found: dict[str, list[Action]] = {}
    for action in glance.legal:
        if name := who(action):
            found.setdefault(name, []).append(action)
    return {name: tuple(orders) for name, orders in found.items()}


def who(action: Action) -> str:
    """The ship or division that an order is for; "" for none."""
    if isinstance(action, Done | First | Weather):
        return ""
    return action.who if isinstance(action, Move) else action.ship


def units(battle: Scenario, side: int) -> tuple[str, ...]:
    """The divisions of a side, and then its ships."""
    fleet = battle.fleet(side)
    divisions = tuple(name for name, ships in battle.divisions.items() if ships[0] in fleet and len(ships) > 1)
    return (*divisions, *(battle.units[ship].name for ship in fleet))


def choose(glance: Sight, picks: Picks) -> Choice:
    """What is picked, where it still can be; else what comes next."""
    seen, orders = glance.seen, glance.once(by_unit)
    picked = picks.get(_SHIP)
    unit = _unit(seen, orders, picked)
    ships, own = unit_ships(seen, unit), orders.get(unit, ())
    moves, aims = places(seen.battle, own), targets(seen.battle, own)
    aim = picks.get(_AIM)
    return Choice(
        unit=unit,
        ships=ships,
        foe=_foe(seen, ships, aims, picks.get(_FOE)),
        aim=aim if aim in moves else None,
        look=picks.get(_LOOK),
        cards=CARDS in picks,
        threats=THREATS in picks,
        picked=bool(unit) and unit == picked,
        orders=orders,
        moves=moves,
        targets=aims,
    )


def places(battle: Scenario, orders: Iterable[Action]) -> dict[int, dict[int, Move]]:
    """Of the orders to one ship or division those to go somewhere: square -> heading -> order."""
    found: dict[int, dict[int, Move]] = {}
    for order in orders:
        if isinstance(order, Move):
            found.setdefault(battle.grid.number(order.square), {})[HEADINGS.index(order.heading)] = order
    return found


def targets(battle: Scenario, orders: Iterable[Action]) -> dict[int, tuple[Guns | Torpedoes, ...]]:
    """Of the orders to one ship those to fire: target -> orders, all guns first."""
    found: dict[int, tuple[Guns | Torpedoes, ...]] = {}
    for order in orders:
        if isinstance(order, Guns | Torpedoes):
            target = battle.numbers[order.target]
            found[target] = (*found.get(target, ()), order)
    return found


def natural(seen: Observation, ships: tuple[int, ...], square: int, headings: Iterable[int]) -> int:
    """Of the headings on which a ship may arrive in a square that which costs least, and lies nearest to her way."""
    battle, state = seen.battle, seen.view
    guide, found = state.ships[ships[0]], reach(battle, state, ships[0])
    way = bearing(battle.grid, guide.square, square)

    def rank(heading: int) -> tuple[int, int, int]:
        cost = found[square, heading].cost if (square, heading) in found else 99
        turn = (heading - way) % 8
        return cost, min(turn, 8 - turn), heading

    return min(headings, key=rank)


def formation(seen: Observation, ships: tuple[int, ...], square: int) -> tuple[tuple[int, int], ...]:
    """Ship and square of each of the ships, once the first of them is in that square."""
    grid, state = seen.battle.grid, seen.view
    (row, column), (to_row, to_column) = grid.place(state.ships[ships[0]].square), grid.place(square)
    moved = ((s, shifted(grid, state.ships[s].square, to_row - row, to_column - column)) for s in ships)
    return tuple((ship, end) for ship, end in moved if end is not None)


def unit_ships(seen: Observation, unit: str) -> tuple[int, ...]:
    """Her number, or those of a division's ships: in the movement phase of those that can still move."""
    battle = seen.battle
    if unit in battle.divisions:
        moving = seen.view.phase is Phase.MOVE
        return (moving and movers(battle, seen.view, unit)) or tuple(
            n for n in battle.divisions[unit] if n in located(seen, seen.me)
        )
    return (battle.numbers[unit],) if unit else ()


def furthest(seen: Observation, ships: tuple[int, ...], moves: Mapping[int, Mapping[int, Move]]) -> Move | None:
    """The order that takes the first of the ships as far straight ahead as she goes."""
    if not ships:
        return None
    own, found = seen.view.ships[ships[0]], None
    square = ahead(seen.battle.grid, own.square, own.heading)
    while square is not None and (further := moves.get(square, {}).get(own.heading)):
        found, square = further, ahead(seen.battle.grid, square, own.heading)
    return found


def unit_id(name: str) -> str:
    """The id of the cell in the panel that stands for a ship or division."""
    return f"unit {name}"


def foe_id(name: str) -> str:
    """The id of the cell in the panel that stands for a target."""
    return f"foe {name}"


def pointed_at(seen: Observation, cell: str) -> int | None:
    """The ship, at a place that is known, that a cell stands for: by where she lies, or in the panel."""
    names = seen.battle.grid.names
    for n in (*located(seen, seen.me), *located(seen, 1 - seen.me)):
        name = seen.battle.units[n].name
        if cell in (names[seen.view.ships[n].square], unit_id(name), foe_id(name)):
            return n
    return None


def located(seen: Observation, side: int) -> tuple[int, ...]:
    """The ships of a side that are on the board at a place that is known."""
    ships = seen.view.ships
    return tuple(n for n in seen.battle.fleet(side) if ships[n].fate is Fate.AT_SEA and ships[n].square != HIDDEN)


# Inside ---------------------------------------------------------------------------------------------------------


def _unit(seen: Observation, orders: Mapping[str, tuple[Action, ...]], picked: str | None) -> str:
    """The one picked, if she has something to do or nobody has; else the first with something to do."""
    own = units(seen.battle, seen.me)
    if picked in own and (picked in orders or not orders):
        return picked
    afloat = [seen.battle.units[n].name for n in located(seen, seen.me)]
    return next((name for name in own if name in orders), next(iter(afloat), ""))


def _foe(
    seen: Observation, ships: tuple[int, ...], aims: Mapping[int, tuple[Guns | Torpedoes, ...]], picked: int | None
) -> int | None:
    """The enemy picked; in the firing phase she or else the nearest must be a target."""
    battle, state = seen.battle, seen.view
    number = picked if picked in battle.fleet(1 - seen.me) else None
    if state.phase is not Phase.FIRE or not ships or number in aims or not aims:
        return number
    own = state.ships[ships[0]].square
    return min(aims, key=lambda n: (distance(battle.grid, own, state.ships[n].square), n))
