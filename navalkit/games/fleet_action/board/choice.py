"""What a player has picked on the page: the ship or division to be ordered, an enemy, a square to go to.

The picks are notes of the page: "note:ship=Ajax", "note:foe=Graf Spee", "note:aim=G4" (dropped after an order),
"note:aim-look=G4" (the window, dropped too) and "note:cards". A note may end in "/" and more, to tell two places on
the page apart that pick the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from navalkit.grids.square_headings import HEADINGS, ahead, bearing, distance, shifted

from ..rules.movement import movers, reach
from ..state import HIDDEN, Fate, Phase
from ..state.observation import Observation
from ..state.scenario import Scenario

SHIP, FOE, AIM, LOOK, CARDS = "note:ship=", "note:foe=", "note:aim=", "note:aim-look=", "note:cards"
_LAST = re.compile(r"[=/]")
_PLACE = re.compile(r"([A-Z]\d+) ([NESW]{1,2})")


@dataclass(frozen=True, slots=True)
class Choice:
    """What is picked, or taken by default.

    Parameters
    ----------
    unit : str
        The ship or division whose orders are given; "" if the side has no ship left.
    ships : tuple of int
        Her number, or those of the division's ships that move together, the guide first.
    foe : int or None
        The enemy ship that is aimed at, or looked at.
    aim : int or None
        The square to go to.
    look : int or None
        The square in the middle of the window.
    cards : bool
        Whether ship cards are shown.
    picked : bool
        Whether ``unit`` was picked, and is not merely the next.
    orders : mapping of str to tuple of str
        Ship or division -> the orders that can be given to her now, without her name.
    moves : mapping of int to tuple of int
        Square -> the headings on which ``unit`` can go there now.
    """

    unit: str = ""
    ships: tuple[int, ...] = ()
    foe: int | None = None
    aim: int | None = None
    look: int | None = None
    cards: bool = False
    picked: bool = False
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    moves: Mapping[int, tuple[int, ...]] = field(default_factory=dict)


def by_unit(texts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Orders in notation by the ship or division they are for; those for nobody in particular are left out."""
    found: dict[str, list[str]] = {}
    for text in texts:
        name, colon, rest = text.partition(": ")
        if colon:
            found.setdefault(name, []).append(rest)
    return {name: tuple(rest) for name, rest in found.items()}


def units(battle: Scenario, side: int) -> tuple[str, ...]:
    """The divisions of a side, and then its ships."""
    fleet = battle.fleet(side)
    divisions = tuple(name for name, ships in battle.divisions.items() if ships[0] in fleet and len(ships) > 1)
    return (*divisions, *(battle.units[ship].name for ship in fleet))


def choose(seen: Observation, texts: Iterable[str], notes: Collection[str]) -> Choice:
    """What is picked, where it still can be; else what comes next.

    Parameters
    ----------
    seen : Observation
    texts : iterable of str
        The orders that can be given now.
    notes : collection of str
    """
    battle, orders = seen.battle, by_unit(texts)
    unit = _unit(seen, orders, _picked(notes, SHIP))
    ships = unit_ships(seen, unit)
    moves = places(battle, orders.get(unit, ()))
    aimed = _square(battle, _picked(notes, AIM))
    return Choice(
        unit=unit,
        ships=ships,
        foe=_foe(seen, ships, orders.get(unit, ()), _picked(notes, FOE)),
        aim=aimed if aimed in moves else None,
        look=_square(battle, _picked(notes, LOOK)),
        cards=CARDS in notes,
        picked=unit == _picked(notes, SHIP) != "",
        orders=orders,
        moves=moves,
    )


def places(battle: Scenario, orders: Iterable[str]) -> dict[int, tuple[int, ...]]:
    """Of the orders to one ship or division those to go somewhere: square -> headings."""
    found: dict[int, list[int]] = {}
    for order in orders:
        if match := _PLACE.fullmatch(order):
            found.setdefault(battle.grid.number(match[1]), []).append(HEADINGS.index(match[2]))
    return {square: tuple(sorted(headings)) for square, headings in found.items()}


def natural(seen: Observation, ships: tuple[int, ...], square: int, headings: tuple[int, ...]) -> int:
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


def furthest(seen: Observation, ships: tuple[int, ...], moves: Mapping[int, tuple[int, ...]]) -> int | None:
    """How far the first of the ships can go straight ahead."""
    if not ships:
        return None
    own, found = seen.view.ships[ships[0]], None
    square = ahead(seen.battle.grid, own.square, own.heading)
    while square is not None and own.heading in moves.get(square, ()):
        found, square = square, ahead(seen.battle.grid, square, own.heading)
    return found


def pointed_at(seen: Observation, cell: str) -> int | None:
    """The ship, at a place that is known, that a cell of the page stands for: by her name, or by where she lies."""
    known = (*located(seen, seen.me), *located(seen, 1 - seen.me))
    number = seen.battle.numbers.get(cell.partition("=")[2].partition("/")[0])
    if number in known:
        return number
    square = _square(seen.battle, _LAST.split(cell)[-1])
    return next((n for n in known if seen.view.ships[n].square == square), None)


def located(seen: Observation, side: int) -> tuple[int, ...]:
    """The ships of a side that are on the board at a place that is known."""
    ships = seen.view.ships
    return tuple(n for n in seen.battle.fleet(side) if ships[n].fate is Fate.AT_SEA and ships[n].square != HIDDEN)


def targets(battle: Scenario, orders: Iterable[str]) -> dict[int, tuple[str, ...]]:
    """Of the orders to one ship those to fire: target -> orders, all guns first."""
    found: dict[int, list[str]] = {}
    names = sorted(battle.numbers, key=len, reverse=True)
    for order in orders:
        if order.startswith(("guns ", "torpedoes ")):
            name = next(name for name in names if order.endswith(f" {name}"))
            found.setdefault(battle.numbers[name], []).append(order)
    return {target: tuple(each) for target, each in found.items()}


# Inside ---------------------------------------------------------------------------------------------------------


def _picked(notes: Collection[str], key: str) -> str:
    return next((note.removeprefix(key).partition("/")[0] for note in notes if note.startswith(key)), "")


def _square(battle: Scenario, name: str) -> int | None:
    return battle.grid.number(name) if name in battle.grid.names else None


def _unit(seen: Observation, orders: Mapping[str, tuple[str, ...]], picked: str) -> str:
    """The one picked, if she has something to do or nobody has; else the first with something to do."""
    own = units(seen.battle, seen.me)
    if picked in own and (picked in orders or not orders):
        return picked
    afloat = [seen.battle.units[n].name for n in located(seen, seen.me)]
    return next((name for name in own if name in orders), next(iter(afloat), ""))


def _foe(seen: Observation, ships: tuple[int, ...], orders: tuple[str, ...], picked: str) -> int | None:
    """The enemy picked; in the firing phase she or else the nearest must be a target."""
    battle, state = seen.battle, seen.view
    number = battle.numbers.get(picked)
    if number is not None and battle.side(number) == seen.me:
        number = None
    if state.phase is not Phase.FIRE or not ships:
        return number
    aims = targets(battle, orders)
    if number in aims or not aims:
        return number
    own = state.ships[ships[0]].square
    return min(aims, key=lambda n: (distance(battle.grid, own, state.ships[n].square), n))
