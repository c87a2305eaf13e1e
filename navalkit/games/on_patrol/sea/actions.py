"""What can be done: a boat's order, an escort's prescribed move, and what chance gives."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from navalkit.grids.hex import Place

from .state import Charge, Task


class Roll(NamedTuple):
    """What chance gave for the first of ``State.todo``: a word or a number, by the kind of task."""

    task: Task
    result: str | int

    def __str__(self) -> str:
        return f"roll {self.task} = {self.result}"


class EscortMove(NamedTuple):
    """An escort's prescribed move: the places she enters, one a hex, and the charges she marks."""

    escort: str
    path: tuple[Place, ...]
    charges: tuple[Charge, ...] = ()

    def __str__(self) -> str:
        way = " to " + " ".join(f"{place.bow}/{place.direction}" for place in self.path) if self.path else " stays"
        return f"{self.escort}{way}" + "".join(f", {charge.weapon} on {charge.at}" for charge in self.charges)


class Shot(NamedTuple):
    """Torpedoes launched together: ``number`` of one ``type`` ("" whatever is loaded) on one course."""

    number: int
    direction: int
    type: str = ""

    def __str__(self) -> str:
        return f"fire {self.number}{self.type and ' ' + self.type} at {self.direction}"


class Order(NamedTuple):
    """What a captain orders a boat in phase 8; what she fires leaves her after the move, at the new depth."""

    boat: str
    turns: tuple[int, ...] = ()  # one for each hex she enters: the turn before it, -1 to port, 1 to starboard
    depth: int | None = None  # feet; None to keep it
    shots: tuple[Shot, ...] = ()

    def path(self, place: Place) -> tuple[Place, ...]:
        """The places she enters from ``place``."""
        return tuple(accumulate(self.turns, Place.entering, initial=place))[1:]

    def __str__(self) -> str:
        legs: list[tuple[int, int]] = []  # (turn, hexes)
        for turn in self.turns:
            if turn or not legs:
                legs.append((turn, 1))
            else:
                legs[-1] = (legs[-1][0], legs[-1][1] + 1)
        words = [f"{_LEGS[turn]} {hexes}" if hexes > 1 or not turn else _LEGS[turn] for turn, hexes in legs]
        depth = [] if self.depth is None else [f"depth {self.depth}"]
        return ", ".join([" ".join([self.boat, *words]), *depth, *map(str, self.shots)])


_LEGS = {-1: "port", 0: "ahead", 1: "starboard"}
