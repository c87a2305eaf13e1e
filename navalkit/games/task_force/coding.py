"""Task Force in figures, for learners (`core.coding`)."""

from __future__ import annotations
from collections.abc import Iterator

from navalkit.core.coding import Coding, Figure, hot
from .game import TaskForce
from .state import EMPTY, HIT, MISSILES, SUBMARINE, UNSEEN, Fly, Observation, Phase, Scratch, Strike

HELICOPTERS = (1, 2, 3)


def CODING(game: TaskForce) -> Coding:
    """The coding of a search: for each square what it showed, then what there is to search with."""
    names = game.sea.grid.names
    shown = (UNSEEN, EMPTY, HIT, SUBMARINE, *MISSILES)

    def look(seen: Observation) -> Iterator[Figure]:
        yield from hot("phase", seen.phase, list(Phase))
        for name, mark in zip(names, seen.marks, strict=True):
            yield from hot(f"square.{name}", mark, shown)
        yield from ((f"afloat.{ship}", float(ship in seen.afloat), 1) for ship in range(5))
        yield from ((f"helicopter.{number}", float(number in seen.helicopters), 1) for number in HELICOPTERS)
        yield from (("anti_air", seen.anti_air, 9), ("strikes", seen.strikes, 5), ("flying", seen.flying, 3))

    flights = (Fly(number, name) for number in HELICOPTERS for name in names)
    return Coding(look, (*map(Scratch, names), *flights, *map(Strike, names)), reward=5)
