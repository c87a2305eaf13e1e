"""Fleet Action in figures, for learners (`core.coding`)."""

from __future__ import annotations
from collections.abc import Iterator
from typing import Any

from navalkit.core.coding import Coding, Figure, course, hot
from navalkit.grids.square import HEADINGS, heading
from .game import FleetAction
from .sight import Observation
from .state import Done, Fate, Guns, Lay, Leave, Move, Phase, Reload, Sweep, Torpedoes, Turret

KINDS = (Move, Guns, Torpedoes, Lay, Sweep, Reload, Leave, Turret, Done)
PLACES = 512
"""Legal actions that are told at once; how many random play of the usual scenario meets is in docs/envs.md."""


def CODING(game: FleetAction) -> Coding:
    """The coding of a battle: its ships in the order of their numbers, the own side and the other told apart."""
    battle = game.battle
    grid, ships = battle.grid, range(sum(len(battle.fleet(side)) for side in (0, 1)))

    def place(name: str, square: int) -> Iterator[Figure]:
        row, column = grid.place(square) if square >= 0 else (-1, -1)
        yield f"{name}.row", row, grid.rows
        yield f"{name}.column", column, grid.columns

    def look(seen: Observation) -> Iterator[Figure]:
        view = seen.view
        yield from hot("phase", view.phase, list(Phase))
        yield from (("move", view.move, 30), ("side", seen.me, 1), ("mine", float(view.side == seen.me), 1),
                    ("fields", len(view.fields), 10), ("shots", len(view.shots), 20))
        for number in ships:
            ship, name = view.ships[number], f"ship.{number}"
            yield f"{name}.mine", float(battle.side(number) == seen.me), 1
            yield f"{name}.disc", float(number in seen.discs), 1
            yield from place(name, ship.square)
            yield from course(f"{name}.heading", ship.heading, len(HEADINGS))
            yield f"{name}.damage", ship.damage, battle.card(number).sinking_rate
            yield f"{name}.out", sum(ship.out), 12
            yield f"{name}.torpedoes", ship.loaded.bit_count(), 4
            yield f"{name}.fired", float(ship.fired), 1
            yield from hot(f"{name}.fate", ship.fate, list(Fate))

    def tell(seen: Observation, action: Any) -> Iterator[Figure]:
        yield from hot("kind", type(action).__name__, [kind.__name__ for kind in KINDS])
        who = getattr(action, "ship", getattr(action, "who", ""))
        first = battle.numbers.get(who, next((n for n in ships if battle.card(n).name in who), -1))
        yield "ship", first, len(ships)
        yield "target", battle.numbers.get(getattr(action, "target", ""), -1), len(ships)
        yield from place("to", grid.number(action.square) if isinstance(action, Move) else -1)
        yield from course("heading", heading(action.heading) if isinstance(action, Move) else 0, len(HEADINGS))
        number = getattr(action, "number", getattr(action, "mount", getattr(action, "squares", 0)))
        yield from (("number", number, 8), ("once", float(getattr(action, "once", False)), 1),
                    ("secondary", float(getattr(action, "battery", "") == "secondary"), 1))

    return Coding(look, places=PLACES, tell=tell)
