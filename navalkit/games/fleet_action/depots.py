"""Depot ships: who lies beside one, and whom she takes along (rules F9, F21)."""

from __future__ import annotations

from .scenario import Scenario
from .state import Fate, State, Task

DEPOT = "depot ship"


def depot(battle: Scenario, state: State, ship: int) -> int | None:
    """The depot ship of her own side in a ship's square, if there is one."""
    square = state.ships[ship].square
    for other in battle.fleet(battle.side(ship)):
        if other != ship and battle.card(other).type == DEPOT:
            if state.ships[other].fate is Fate.AT_SEA and state.ships[other].square == square:
                return other
    return None


def carried(battle: Scenario, state: State, ship: int) -> tuple[int, ...]:
    """The ships that take on torpedoes beside that depot ship, and go where she goes."""
    if battle.card(ship).type != DEPOT:
        return ()
    return tuple(
        other
        for other in battle.fleet(battle.side(ship))
        if state.ships[other].task is Task.RELOAD and depot(battle, state, other) == ship
    )
