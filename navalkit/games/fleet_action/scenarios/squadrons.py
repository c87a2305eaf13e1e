"""Build your own: squadrons given as lists of ships, and set out on the board (rule F39)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from navalkit.core.errors import DataError, OptionError
from navalkit.grids.square import SquareGrid

from ..cards import points, ship
from ..cards.vessels import ShipCard
from ..rules.movement import ROOM, room
from ..state.scenario import Objective, Scenario, Unit
from ..words import SAY

OWN = "build_your_own"
FORM = SAY("squadron.form")
MOST = 12  # ships in a squadron


def canonical(text: str) -> str:
    """The list of ships as it is written best; OptionError if there is no such ship, one stands twice, or there are too
    many."""
    return ", ".join(card.name for card in cards(text))


def cards(text: str) -> tuple[ShipCard, ...]:
    """The cards of the ships in a list; OptionError as in `canonical`."""
    try:
        found = tuple(ship(name.strip()) for name in text[:1000].split(","))
    except DataError as error:
        raise OptionError(str(error)) from None
    if len({card.name for card in found}) < len(found):
        raise OptionError(SAY("squadron.twice"))
    if len(found) > MOST:
        raise OptionError(SAY("squadron.many", most=MOST, n=len(found)))
    return found


def muster(battle: Scenario, blue: str, red: str, budget: int) -> Scenario:
    """The battle between two squadrons given as lists, on the board of ``battle``.

    Each lines up along its own edge of the board, heading for the other. Sinking an enemy ship brings her points value.
    OptionError if a squadron costs more than ``budget`` (0: no limit), or a ship is in both.
    """
    squads = (cards(blue), cards(red))
    if both := {card.name for card in squads[0]} & {card.name for card in squads[1]}:
        raise OptionError(SAY("squadron.both", name=sorted(both)[0]))
    for name, squad in zip(("blue", "red"), squads, strict=True):
        cost = sum(map(points, squad))
        if budget and cost > budget:
            raise OptionError(SAY(f"squadron.{name}_costs", cost=cost, budget=budget))
    units = tuple(unit for side in (0, 1) for unit in _line(battle.grid, squads[side], side))
    foes = [tuple(n for n, unit in enumerate(units) if unit.side != side) for side in (0, 1)]
    worth = {"sink": 0, "damage": 10}  # a ship's points value, and something for each quarter of damage
    aims = tuple(Objective(side, aim, foes[side], worth[aim]) for side in (0, 1) for aim in worth)
    return replace(battle, units=units, objectives=aims)


def _line(grid: SquareGrid, squad: Sequence[ShipCard], side: int) -> list[Unit]:
    """A squadron set out along its edge, from the middle outward, two columns in."""
    column, course, division = ((2, 2, SAY("squadron.blue")), (grid.columns - 3, 6, SAY("squadron.red")))[side]
    rows = iter(sorted(range(grid.rows), key=lambda row: (abs(2 * row - grid.rows), row)))
    found: list[Unit] = []
    square, taken = next(rows) * grid.columns + column, 0
    for card in squad:
        if taken + room(card) > ROOM:
            square, taken = next(rows) * grid.columns + column, 0
        taken += room(card)
        found.append(Unit(card.name, card, side, square, course, division))
    return found
