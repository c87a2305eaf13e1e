"""Islands, points and victory (rules F35 to F37)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from navalkit.core.event import Event

from ..cards import points as card_points
from ..cards.vessels import quarters
from ..state import SIDES, Fate, Hold, Phase, State, Step
from ..state.scenario import Objective, Scenario
from ..words import SAY

DRAW = "draw"


def capture(battle: Scenario, state: State) -> Step:
    """Who lies next to an island at the end of a move, and who has held on for two (rule F35)."""
    events: list[Event] = []
    holds = []
    for island, shore, hold in zip(battle.islands, battle.shores, state.islands, strict=True):
        near = tuple(n for n, s in enumerate(state.ships) if s.fate is Fate.AT_SEA and s.square in shore)
        sides = {battle.side(ship) for ship in near}
        claims = near if len(sides) == 1 else ()
        owner = hold.owner
        if set(claims) & set(hold.claims) and sides != {owner}:
            (owner,) = sides
            events.append(SAY.event("F35", "captured", island=island.name, side=battle.sides[owner], by=owner))
        holds.append(Hold(owner, claims))
    return replace(state, islands=tuple(holds)), tuple(events)


def score(battle: Scenario, state: State, side: int) -> int:
    """The points of a side as things stand (rule F36)."""
    return sum(earned(battle, state, aim) for aim in battle.objectives if aim.side == side)


def earned(battle: Scenario, state: State, aim: Objective) -> int:
    """The points of an objective as things stand."""
    if aim.aim == "island":
        return aim.points * sum(state.islands[island].owner == aim.side for island in aim.of)
    return sum(earned_by(battle, state, aim, ship) for ship in aim.of)


def earned_by(battle: Scenario, state: State, aim: Objective, ship: int) -> int:
    """The points that one ship brings for an objective about ships."""
    return (aim.points or card_points(battle.card(ship))) * _times(battle, state, aim.aim, ship)


def _times(battle: Scenario, state: State, aim: str, ship: int) -> int:
    """How often a ship's points are earned."""
    own = state.ships[ship]
    if aim == "damage":
        return 4 if own.fate is Fate.SUNK else min(3, quarters(own.damage, battle.card(ship).sinking_rate))
    if aim == "survive":
        return int(state.phase is Phase.END and own.fate in (Fate.AT_SEA, Fate.LEFT))
    return int(own.fate is (Fate.SUNK if aim == "sink" else Fate.LEFT))


def verdict(battle: Scenario, state: State) -> Step:
    """Ends the battle if it is over: a side has its points, nobody of a side is left, or that was the last move."""
    left = [any(state.ships[n].fate in (Fate.AT_SEA, Fate.WAITING) for n in battle.fleet(side)) for side in (0, 1)]
    reached = battle.total and max(score(battle, state, side) for side in (0, 1)) >= battle.total
    if not reached and all(left) and state.move < battle.moves:
        return state, ()
    state = replace(state, phase=Phase.END)
    blue, red = (score(battle, state, side) for side in (0, 1))
    state = replace(state, result=DRAW if blue == red else SIDES[red > blue])
    return state, (SAY.event("F37", f"report.{state.result}", by=winner(state), **report(battle, state)),)


def winner(state: State) -> int:
    """The side that has won; -1 for neither."""
    return SIDES.index(state.result) if state.result in SIDES else -1


def report(battle: Scenario, state: State) -> dict[str, Any]:
    """What the last sentence of a battle is made from."""
    return {
        "move": state.move,
        "blue": battle.sides[0],
        "red": battle.sides[1],
        "blue_points": score(battle, state, 0),
        "red_points": score(battle, state, 1),
    }
