"""A firing solution: the exact chance that a torpedo hits, over all that the fleet die may show on its way.

The fleet turns by dice, so that where a ship will be is chance; but all turn alike, and so the whole fleet is one
shift and one course however many ships it has. A torpedo's own run is fixed. What is left to follow is a handful of
(shift, course) pairs a turn, each with its probability.

Left out, because nobody can know it: escorts that leave their stations, ships that other torpedoes stop or sink, and
ships held up by one dead in the water, which are taken to stay where they are.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from navalkit.grids.hex import DIRECTIONS, Hex, Place, turned

from ..combat.hull import top_speed
from ..combat.torpedoes import aspect, hit, tubes_for
from ..sea.combat_tables import COMBAT
from ..sea.fleet import EMERGENCY, fleeing
from ..sea.setting import Sea
from ..sea.state import Boat, Role, State, Vessel
from ..sea.tables import FLEET_DIE, TABLES

FASTEST = max(cell.hexes or 0 for row in TABLES.fleet.values() for cell in row)
"""Hexes a turn of the fastest convoy."""


class Group(NamedTuple):
    """Ships that move alike: all of them in unison, those of one speed when they flee, or those that lie still."""

    ships: tuple[Vessel, ...]
    speed: int
    top: int
    sails: bool

    def hexes(self, cell: int | None, turn: int) -> int:
        """Hexes moved on the ``turn``-th turn from now; ``cell`` is None for emergency speed."""
        if not self.sails:
            return 0
        return min(self.top, self.speed + turn) if cell is None else cell


class Node(NamedTuple):
    """Where the fleet may be: how far each group has moved from where it is now, its course, ships already missed."""

    shifts: tuple[Hex, ...]
    course: int
    met: frozenset[str]


@dataclass(frozen=True, slots=True)
class Solution:
    """What a torpedo on one course does.

    Parameters
    ----------
    direction : int
        Its course.
    at : Hex
        Where it appears.
    hits : mapping of str to Fraction
        The chance to hit and explode, by ship; ships that cannot be hit are left out.
    turns : int
        Turns looked ahead: the torpedo's whole run.
    """

    direction: int
    at: Hex
    hits: Mapping[str, Fraction]
    turns: int

    @property
    def total(self) -> Fraction:
        """The chance to hit any ship."""
        return sum(self.hits.values(), Fraction(0))

    @property
    def best(self) -> str:
        """The ship most likely to be hit, "" if none can be."""
        return max(self.hits, key=lambda ship: self.hits[ship], default="")


def solutions(state: State, boat: Boat, sea: Sea, type: str = "") -> tuple[Solution, ...]:
    """The solutions on all six courses from where a boat lies.

    Parameters
    ----------
    state : State
        In phase 8, before the boat fires.
    boat : Boat
        At the place she fires from.
    sea : Sea
    type : str
        The torpedo, by default what the first ready tube of that end holds; courses without a ready tube are left out.
    """
    found = []
    for direction in range(1, 7):
        end, at = tubes_for(boat.place, direction)
        kind = type or next((t.torpedo for t in boat.tubes if t.end == end and t.torpedo and not t.ready), "")
        if kind:
            found.append(solution(state, at, direction, kind, sea))
    return tuple(found)


def solution(state: State, at: Hex, direction: int, type: str, sea: Sea) -> Solution:
    """The chance of a torpedo of that type that appears at a hex and runs on a course to hit each ship."""
    ships = tuple(v for v in state.vessels if v.role is not Role.ESCORT and not v.sunk)
    row = EMERGENCY if fleeing(state) else state.fleet.row
    hits = _hits(ships, state.fleet.guide.direction, row, at, direction, type, sea)
    return Solution(direction, at, hits, -(-COMBAT.torpedoes[type].range // COMBAT.torpedoes[type].speed))


def _groups(ships: Iterable[Vessel], flight: bool) -> tuple[Group, ...]:
    found: dict[tuple[int, int, bool], list[Vessel]] = defaultdict(list)
    for ship in ships:
        sails = not (ship.stopped or ship.held)
        found[(ship.speed, top_speed(ship), sails) if flight else (0, 0, sails)].append(ship)
    return tuple(Group(tuple(members), *key) for key, members in found.items())


@lru_cache(maxsize=512)
def _hits(
    ships: tuple[Vessel, ...], course: int, row: str, at: Hex, direction: int, type: str, sea: Sea
) -> dict[str, Fraction]:
    torpedo = COMBAT.torpedoes[type]
    groups = _groups(ships, row == EMERGENCY)
    lying = [[_lying(group.ships, heading) for heading in DIRECTIONS] for group in groups]
    most = max((max(group.speed, group.top, FASTEST) for group in groups), default=0)
    dice = Counter((cell.before, cell.hexes, cell.after) for cell in TABLES.fleet[row])
    lanes = [[at.along(direction, ship.place.bow) for ship in group.ships] for group in groups]
    # Weights count faces of all dice so far; they stay whole numbers until a ship is met.
    nodes: dict[Node, int | Fraction] = {Node((Hex(0, 0),) * len(groups), course, frozenset()): 1}
    hits: dict[str, Fraction] = defaultdict(Fraction)
    odds: dict[tuple[str, int, int], tuple[Fraction, Fraction]] = {}
    run, turn = 0, 0
    while run < torpedo.range:
        turn += 1
        last = min(run + torpedo.speed, torpedo.range)
        track = [(n, at.step(direction, n)) for n in range(run, last + 1)]  # a ship may have come into its own hex
        after: dict[Node, int | Fraction] = defaultdict(int)
        for node, weight in nodes.items():
            for (before, hexes, then), faces in dice.items():
                after[_sailed(node, groups, before, hexes, then, turn)] += weight * faces
        nodes = defaultdict(int)
        for node, weight in after.items():
            met, passed = frozenset[str](), set(node.met)
            for n, h in track:
                ship = _at(h, node, lying)
                if ship is not None and ship.id not in passed:
                    key = ship.id, node.course, n
                    strikes, passes = odds[key] = odds.get(key) or _odds(type, direction, ship, n, sea)
                    hits[ship.id] += Fraction(weight, len(FLEET_DIE) ** turn) * strikes
                    weight = weight * passes
                    passed.add(ship.id)
                    if n + 2 + most >= last:  # else she is astern of it for good: no need to remember her
                        met = met | {ship.id}
            reach = most * -(-(torpedo.range - last) // torpedo.speed) + 2
            if weight and _may_meet(node, lanes, direction, last, reach):
                nodes[Node(node.shifts, node.course, met)] += weight
        run = last
    return {id: chance for id, chance in hits.items() if chance}


def _lying(ships: Iterable[Vessel], heading: int) -> dict[Hex, Vessel]:
    """The ships by the hexes they lie on when the fleet is on a heading; one dead in the water does not turn."""
    turned_ = [ship if ship.stopped else replace(ship, place=Place(ship.place.bow, heading)) for ship in ships]
    return {h: ship for ship in turned_ for h in ship.place.hexes}


def _at(h: Hex, node: Node, lying: list[list[dict[Hex, Vessel]]]) -> Vessel | None:
    """The ship that lies on a hex when the fleet is at a node."""
    for shift, by_heading in zip(node.shifts, lying, strict=True):
        ship = by_heading[node.course - 1].get(Hex(h.q - shift.q, h.r - shift.r))
        if ship is not None:
            return ship
    return None


def _may_meet(node: Node, lanes: list[list[tuple[int, int]]], direction: int, run: int, reach: int) -> bool:
    """Whether some ship could still come in the torpedo's way if each moved ``reach`` hexes as she liked.

    ``lanes`` holds the bows as steps along the torpedo's course and off it, ``run`` how far it has gone.
    """
    origin = Hex(0, 0)
    for shift, bows in zip(node.shifts, lanes, strict=True):
        da, db = origin.along(direction, shift)
        for a, b in bows:
            if abs(b + db) <= reach and max(a + da, a + da + b + db) >= run - reach:
                return True
    return False


def _odds(type: str, direction: int, ship: Vessel, run: int, sea: Sea) -> tuple[Fraction, Fraction]:
    """The chances of a hit and of a miss; what is left over is a torpedo spent in vain."""
    result = hit(type, aspect(direction, ship), run, sea, TABLES.vessels[ship.type].tons)
    return result["hit"], result["miss"]


def _sailed(node: Node, groups: tuple[Group, ...], before: int, hexes: int | None, after: int, turn: int) -> Node:
    course = turned(node.course, before)
    shifts = tuple(
        shift.step(course, group.hexes(hexes, turn)) for shift, group in zip(node.shifts, groups, strict=True)
    )
    return Node(shifts, turned(course, after), node.met)
