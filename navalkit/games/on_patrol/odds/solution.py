"""A firing solution: the exact chance that a torpedo hits, over all that the fleet die may show on its way.

The fleet turns by dice, so that where a ship will be is chance; but all turn alike, and so the whole fleet is one
shift and one course however many ships it has. A torpedo's own run is fixed. What is left to follow is a handful of
(shift, course) pairs a turn, each with its probability.

Left out, because nobody can know it: escorts that leave their stations, ships that other torpedoes stop or sink, and
ships held up by one dead in the water, which are taken to stay where they are.
"""

from __future__ import annotations
import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from navalkit.core.awaited import Steps, finish
from navalkit.grids.hex import DIRECTIONS, Hex, turned
from navalkit.grids.hex_moves import Place
from ..combat.damage import top_speed
from ..combat.torpedoes import aspect, hit, tubes_for
from ..sea.combat_tables import COMBAT
from ..sea.state import Boat, Role, State, Vessel
from ..sea.tables import EMERGENCY, FLEET_DIE, TABLES, Sea, cells, fleeing

WHOLE = 36**8  # "All of it" as a whole number that many rolls of two dice share out without a rest


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


@dataclass(frozen=True, slots=True)
class Solution:
    """What a torpedo on one course does."""

    direction: int  # its course
    at: Hex  # where it appears
    hits: Mapping[str, Fraction]  # the chance to hit and explode, by ship; ships that cannot be hit are left out
    turns: int  # turns looked ahead: the torpedo's whole run

    @property
    def total(self) -> Fraction:
        """The chance to hit any ship."""
        return sum(self.hits.values(), Fraction(0))

    @property
    def best(self) -> str:
        """The ship most likely to be hit, "" if none can be."""
        return max(self.hits, key=lambda ship: self.hits[ship], default="")


def solutions(state: State, boat: Boat, sea: Sea, type: str = "") -> tuple[Solution, ...]:
    """The solutions on all six courses from where a boat lies. ``state``: in phase 8, before the boat fires. ``boat``:
    at the place she fires from. ``type``: the torpedo, by default what the first ready tube of that end holds; courses
    without a ready tube are left out."""
    return finish(solving(state, boat, sea, type))


def solving(state: State, boat: Boat, sea: Sea, type: str = "") -> Steps[tuple[Solution, ...]]:
    """The same in steps: it gives way after every course."""
    found = []
    for direction in DIRECTIONS:
        end, at = tubes_for(boat.place, direction)
        kind = type or next((t.torpedo for t in boat.tubes if t.end == end and t.torpedo and not t.ready), "")
        if kind:
            found.append(solution(state, at, direction, kind, sea))
            yield direction / len(DIRECTIONS)
    return tuple(found)


def solution(state: State, at: Hex, direction: int, type: str, sea: Sea) -> Solution:
    """The chance of a torpedo of that type that appears at a hex and runs on a course to hit each ship."""
    ships = tuple(v for v in state.vessels if v.role is not Role.ESCORT and not v.sunk)
    row = EMERGENCY if fleeing(state) else state.fleet.row
    hits = _hits(ships, state.fleet.guide.direction, row, state.fleet.base, at, direction, type, sea)
    return Solution(direction, at, hits, -(-COMBAT.torpedoes[type].range // COMBAT.torpedoes[type].speed))


def _groups(ships: Iterable[Vessel], flight: bool) -> tuple[Group, ...]:
    found: dict[tuple[int, int, bool], list[Vessel]] = defaultdict(list)
    for ship in ships:
        sails = not (ship.stopped or ship.held)
        found[(ship.speed, top_speed(ship), sails) if flight else (0, 0, sails)].append(ship)
    return tuple(Group(tuple(members), *key) for key, members in found.items())


@lru_cache(maxsize=512)
def _hits(ships: tuple[Vessel, ...], course: int, row: str, base: int, at: Hex, direction: int, type: str,
          sea: Sea) -> dict[str, Fraction]:
    torpedo = COMBAT.torpedoes[type]
    groups = sorted(_groups(ships, row == EMERGENCY), key=lambda group: not group.sails)
    sailing = [group for group in groups if group.sails]
    dice = {heading: Counter((cell.before, cell.hexes, cell.after) for cell in cells(row, heading, base))
            for heading in DIRECTIONS}
    most = max((group.top if hexes is None else hexes for group in sailing for _, hexes, _ in dice[course]), default=0)
    lane = _Lane(at, direction, torpedo.speed, groups)
    # Where the fleet may be, by the ships already missed. A weight is the number of ways to get there, times WHOLE, so
    # that it stays a whole number as it is shared out by rolls.
    fleets: dict[frozenset[str], dict[int, int | Fraction]] = {frozenset(): {_start(course, len(sailing)): WHOLE}}
    hits: dict[str, Fraction] = defaultdict(Fraction)
    run, turn = 0, 0
    while run < torpedo.range and fleets:
        turn += 1
        last = min(run + torpedo.speed, torpedo.range)
        reach = most * -(-(torpedo.range - last) // torpedo.speed) + 2
        ways = {heading: _ways(heading, dice[heading], sailing, turn) for heading in DIRECTIONS}
        struck: dict[str, int | Fraction] = defaultdict(int)
        after: dict[frozenset[str], dict[int, int | Fraction]] = defaultdict(lambda: defaultdict(int))
        for missed, before in fleets.items():
            sailed: dict[int, int | Fraction] = defaultdict(int)
            for node, weight in before.items():
                for step, faces in ways[node & COURSE]:
                    sailed[node + step] += weight * faces
            hope = lane.may_meet(sailed, last, reach)
            for node, weight in sailed.items():
                passed, remembered = missed, frozenset[str]()
                for n, ship in lane.met(node, run, last):
                    if ship.id not in passed:
                        strikes, passes = _odds(type, aspect(direction, ship), n, sea, ship.type)
                        struck[ship.id] += _share(weight, strikes)
                        weight = _share(weight, passes)
                        passed |= {ship.id}
                        if n + 2 + most >= last:  # else she is astern of it for good: no need to remember her
                            remembered |= {ship.id}
                if weight and node >> 3 in hope:
                    after[remembered][node] += weight
        for id, number in struck.items():
            hits[id] += Fraction(number, WHOLE * len(FLEET_DIE) ** turn)
        fleets, run = after, last
    return {id: chance for id, chance in hits.items() if chance}


# Where the fleet may be, as one whole number: its course in the lowest three bits, then for each group that sails how
# far it is from where it is now. A move of the whole fleet is one addition.
COURSE = 7
ROW = 1 << 16  # what a column counts in the number of a hex: more than the rows of any sea
BITS = 40
MIDDLE = 1 << (BITS - 1)


def _number(h: Hex) -> int:
    return h.q * ROW + h.r


def _start(course: int, groups: int) -> int:
    return course + sum(MIDDLE << (3 + BITS * g) for g in range(groups))


def _shift(node: int, g: int) -> int:
    """How far a group has come, as the number of a hex."""
    return (node >> (3 + BITS * g) & ((1 << BITS) - 1)) - MIDDLE


def _ways(course: int, dice: Mapping[tuple[int, int | None, int], int], sailing: Sequence[Group],
          turn: int) -> list[tuple[int, int]]:
    """What the fleet die may bring: what is added to where the fleet is, and on how many faces."""
    found: dict[int, int] = defaultdict(int)
    for (before, hexes, after), faces in dice.items():
        heading = turned(course, before)
        steps = [_number(Hex(0, 0).step(heading, group.hexes(hexes, turn))) for group in sailing]
        moved = sum(step << (3 + BITS * g) for g, step in enumerate(steps))
        found[turned(heading, after) - course + moved] += faces
    return list(found.items())


class _Lane:
    """A torpedo's track among the ships. ``at``: where it appears. ``groups``: those that sail first."""

    def __init__(self, at: Hex, direction: int, speed: int, groups: Sequence[Group]) -> None:
        self.sailing = sum(group.sails for group in groups)
        self.step = _number(Hex(0, 0).step(direction))
        # By course and shift of each group: how far the torpedo has run this turn when it comes upon a ship.
        self.ships: list[dict[tuple[int, int], list[tuple[int, Vessel]]]] = [defaultdict(list) for _ in groups]
        for group, found in zip(groups, self.ships, strict=True):
            for course in DIRECTIONS:
                for ship in group.ships:
                    lies = ship if ship.stopped else replace(ship, place=Place(ship.place.bow, course))
                    for h in lies.place.hexes:
                        for n in range(speed + 1):  # a ship may have come into its own hex
                            found[course, _number(at) - _number(h) + n * self.step].append((n, lies))
        bows = [[at.along(direction, ship.place.bow) for ship in group.ships] for group in groups]
        self.bows = [np.array(places, np.int64).reshape(-1, 2) for places in bows]
        self.axes = np.array([Hex(0, 0).along(direction, Hex(*axis)) for axis in ((1, 0), (0, 1))], np.int64)

    def met(self, node: int, run: int, last: int) -> Iterable[tuple[int, Vessel]]:
        """Hexes run and ship, as the torpedo meets them between two lengths of run; one ship on a hex."""
        met: dict[int, Vessel] = {}
        for g, ships in enumerate(self.ships):
            shift = _shift(node, g) if g < self.sailing else 0
            for n, ship in ships.get((node & COURSE, shift - run * self.step), ()):
                if run + n <= last:
                    met.setdefault(run + n, ship)
        return sorted(met.items(), key=itemgetter(0)) if met else ()

    def may_meet(self, nodes: Iterable[int], run: int, reach: int) -> set[int]:
        """The nodes, without their courses, where some ship could still come in its way if each moved as she liked.
        ``run``: how far the torpedo has gone. ``reach``: hexes that a ship may still move."""
        moved = list({node >> 3 for node in nodes})
        hope = np.zeros(len(moved), bool)
        for g, bows in enumerate(self.bows):
            shifts = np.array([_shift(m << 3, g) if g < self.sailing else 0 for m in moved], np.int64) + ROW // 2
            steps = np.stack([shifts // ROW, shifts % ROW - ROW // 2], 1) @ self.axes
            along, off = np.moveaxis(steps[:, None] + bows, -1, 0)
            hope |= ((abs(off) <= reach) & (along + np.maximum(off, 0) >= run - reach)).any(1)
        return set(itertools.compress(moved, hope))


def _share(weight: int | Fraction, chance: Fraction) -> int | Fraction:
    """The part of a weight, exactly; a whole number where it is one."""
    part, rest = divmod(weight * chance.numerator, chance.denominator)
    return weight * chance if rest else part


@lru_cache(maxsize=4096)
def _odds(type: str, aspect: str, run: int, sea: Sea, ship: str) -> tuple[Fraction, Fraction]:
    """The chances of a hit and of a miss; what is left over is a torpedo spent in vain."""
    result = hit(type, aspect, run, sea, TABLES.vessels[ship].tons)
    return result["hit"], result["miss"]
