"""What lessons ask of Task Force: fleets counted, maps as they are seen, and what a square may hide."""

from __future__ import annotations
from collections.abc import Sequence
from typing import Any

from navalkit.core.errors import DataError, brief
from navalkit.prob import placements
from navalkit.prob.placements import ShipClass, Waters
from .odds import posterior
from .state import SAY, Observation, sea

__all__ = ["map_of"]


def fleets(rows: int, columns: int, lengths: Sequence[int], ship: str = "", water: str = "") -> int:
    """How many ways ships of these lengths can lie on a map, none touching another along an edge (rules T1b, T1c).
    ``lengths``: 2 to 7 each. ``ship`` and ``water``: squares known to hold a ship, and none, such as "A1 B2"."""
    classes = tuple(ShipClass(f"length {n}", n, list(lengths).count(n)) for n in sorted(set(lengths), reverse=True))
    waters = Waters(rows, columns, classes)
    known = [[waters.grid.number(label) for label in text.split()] for text in (ship, water)]
    return placements.count(waters, *known)


def squares(rows: int, columns: int) -> list[str]:
    """The names of the squares of a map."""
    return [f"{chr(65 + column)}{row + 1}" for row in range(rows) for column in range(columns)]


def map_of(text: str, **options: Any) -> Observation:
    """A map of Task Force as it is seen: its `Observation`, from a text such as "x.-/.../...".

    ``text``: as `task_force.rules.state.Observation.parse` reads it. ``**options``: of `task_force.rules.sea.sea`:
    rows, columns, deep, fleet, submarines, missiles.
    """
    return Observation.parse(text, sea(**options))


def _posterior(text: str, options: dict[str, Any]) -> tuple[Any, Any]:
    seen = map_of(text, **options)
    return seen, posterior(seen)


def likeliest(text: str, **options: Any) -> str:
    """The unscratched square of a map that most likely hides an enemy ship; ties go to the first.

    ``text``: the map, as `task_force.rules.state.Observation.parse` reads it. ``**options``: of
    `task_force.rules.sea.sea`: rows, columns, deep, fleet, submarines, missiles.
    """
    seen, odds = _posterior(text, options)
    best = max(seen.squares("."), key=lambda square: (round(odds.hit.flat[square], 9), -square))
    return str(seen.sea.grid.names[best])


def chance_at(square: str, what: str, text: str, **options: Any) -> float:
    """The probability that a square holds "hit", "missile", "submarine" or "empty"; the rest as in `likeliest`."""
    seen, odds = _posterior(text, options)
    chances = odds.of(seen.sea.grid.number(square))
    if what not in chances:
        raise DataError(SAY("lesson.square", names=", ".join(chances), name=brief(what)))
    return float(chances[what])
