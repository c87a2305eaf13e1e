"""Hexes by their labels, ways of ships, and the mistakes to expect of both."""

from __future__ import annotations

from collections.abc import Sequence

from navalkit.core.errors import DataError
from navalkit.grids.hex import Hex, Place, any_heading, opposite, shortest_path

from ..say import SAY


def axial(label: str) -> list[int]:
    """The axial coordinates [q, r] of a hex."""
    return list(Hex.parse(label))


def hex_distance(q1: int, r1: int, q2: int, r2: int) -> int:
    """Hexes from one to another, both in axial coordinates."""
    return Hex(q1, r1).distance(Hex(q2, r2))


def square_distance(q1: int, r1: int, q2: int, r2: int) -> int:
    """What a king on a chessboard would need: no distance of hexes, but a mistake to expect."""
    return max(abs(q1 - q2), abs(r1 - r2))


def street_distance(q1: int, r1: int, q2: int, r2: int) -> int:
    """What it would be along streets: another mistake to expect."""
    return abs(q1 - q2) + abs(r1 - r2)


def hexes_apart(a: str, b: str) -> int:
    """Hexes from one to another, by their labels."""
    return Hex.parse(a).distance(Hex.parse(b))


def hex_ring(label: str, radius: int) -> list[str]:
    """The labels of the hexes at a distance."""
    return [h.label for h in Hex.parse(label).ring(radius)]


def neighbours_otherwise(label: str, count: int = 6) -> list[str]:
    """A hex's neighbours if the other columns lay lower, or the four that a square would have: mistakes to expect."""
    here = Hex.parse(label)
    beside = [Hex.at(here.column + by, here.row) for by in (-1, 1)]
    plain = [here.step(6), here.step(3), *beside]
    others = [h.step(6 if here.column % 2 == 0 else 3) for h in beside]
    return [h.label for h in (plain if count == 4 else [*plain, *others])]


def hex_line(a: str, b: str) -> list[str]:
    """The labels of the hexes of a straight line, both ends included."""
    return [h.label for h in Hex.parse(a).line(Hex.parse(b))]


def hexes_to_face(direction: int, other: int) -> int:
    """The fewest hexes a ship must enter until she sails in another direction."""
    start = Place(Hex(0, 0), direction)
    goals = [Place(h, other) for h in start.bow.disc(6)]
    return _entered(shortest_path(start, goals))


def hexes_to_reach(label: str, direction: int, goal: str, back: bool = False) -> int:
    """The fewest hexes a ship with her bow at ``label`` must enter until it is at ``goal``. ``direction``: her course
    at first. ``back``: whether she must arrive on the opposite course."""
    target = Hex.parse(goal)
    goals = [Place(target, opposite(direction))] if back else any_heading(target)
    return _entered(shortest_path(Place(Hex.parse(label), direction), goals))


def _entered(path: Sequence[Place] | None) -> int:
    if path is None:
        raise DataError(SAY("formula.no_way"))
    return len(path)
