"""Who could still leave the board in time when no enemy is left to stop them (rules F12, F37)."""

from __future__ import annotations
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from navalkit.grids.square import SquareGrid, step_cost
from ..craft import DEPTHS
from ..state import Fate, Scenario, State, Task, with_ship
from . import sailing

Place = tuple[int, int]
"""A square, and a heading there."""


def leaves_in_time(battle: Scenario, state: State, ship: int) -> bool:
    """Whether a ship that brings points by leaving could still do so from the next move on, if nothing stopped her.

    She sails by the rules of movement, at the speed that her damage leaves her, in clear weather; ships and mines in
    her way do not count. To leave takes a move of its own (F12). A boat comes up one level a move: on the surface she
    is nowhere slower than dived. Of a ship that is still to come, every square where she may come in must do.
    """
    unit, own = battle.units[ship], state.ships[ship]
    if own.fate not in (Fate.AT_SEA, Fate.WAITING) or not any(
            aim.aim == "exit" and ship in aim.of for aim in battle.objectives):
        return False
    coming = own.fate is Fate.WAITING
    state = replace(with_ship(state, ship, task=Task.NONE, wake=(), loading=-1, still=False), weather=())
    moves = range(max(state.move + 1, unit.enters * coming), battle.moves + 1)
    return bool(moves) and all(_arrives(battle, with_ship(state, ship, square=square), ship, moves)
                               for square in (unit.entry if coming else (own.square,)))


def _arrives(battle: Scenario, state: State, ship: int, moves: range) -> bool:
    """Whether she can be at an exit when one of those moves begins."""
    own, exits = state.ships[ship], battle.exits[battle.side(ship)]
    level, reached = DEPTHS.index(own.depth), {(own.square, own.heading)}
    for move in moves:
        if any(square in exits for square, _ in reached):
            return True
        level = max(0, level - 1)
        state = with_ship(replace(state, move=move), ship, depth=DEPTHS[level])
        onward = _onward(battle.grid, sailing.closed_to(battle, state, ship))
        reached = _sailed(onward, reached, sailing.squares_a_move(battle, state, ship))
    return False


@lru_cache(maxsize=16)
def _onward(grid: SquareGrid, closed: frozenset[int]) -> Mapping[Place, tuple[tuple[Place, int], ...]]:
    """Place -> the places a step away, and what each step costs (F5)."""
    return {
        (square, heading): tuple(
            ((to, course), step_cost(course)) for course in ((heading + turn) % 8 for turn in (7, 0, 1))
            if (to := sailing.step(grid, square, course, closed)) is not None
        )
        for square in range(grid.size) for heading in range(8)
    }


def _sailed(onward: Mapping[Place, tuple[tuple[Place, int], ...]], places: set[Place], squares: int) -> set[Place]:
    """Where ships at those places can be a move later, with that many squares to go."""
    if not squares:
        return places
    spent: list[set[Place]] = [set(places), *(set[Place]() for _ in range(max(2, squares)))]
    spent[1] |= {(square, (heading + 4) % 8) for square, heading in places}  # about, before she goes ahead (F7)
    for cost in range(squares):
        for place in spent[cost]:
            for there, price in onward[place]:
                if cost + price <= squares or not cost:  # one square alone allows a diagonal step (F6)
                    spent[cost + price].add(there)
    return set[Place]().union(*spent)
