"""How deadly are the escorts' weapons? The tables of combat.toml beside what history shows.

    python -m navalkit.games.on_patrol.odds

The question of every line: a boat, unhurt, has just been found, her marker is right. She makes off under water; where
to, the escort does not know, so that every bow hex she can reach is as likely. The escort runs along a radial through
the target hex and lays the fullest pattern of one turn (105.4). How often does it sink her, and what does it cost her?
A captain who foresees the escort's path does better, one who lies still may do worse ("worst hex").
All of it is exact: the mean over the six radials, the hexes she can reach, and all rolls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from navalkit.core.luck.dist import Dist
from navalkit.grids.hex import Hex, Place, assault_zone, moves, radials

from .. import odds
from ..data import words
from ..escort import pattern
from ..sea.tables import TABLES

SAY = words("runs.toml")
MARKER = Place(Hex.parse("M20"), 6)
SEARCH = TABLES.scale["search"]


@dataclass(frozen=True, slots=True)
class Line:
    """An armament to be measured.

    Parameters
    ----------
    label : str
    weapons : tuple of (str, int)
        Weapon and number in a turn.
    speed : int
        Hexes of the run.
    history : Fraction or None
        Kills for an attack in the war, if known (facts).
    """

    label: str
    weapons: tuple[tuple[str, int], ...]
    speed: int
    history: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Measure:
    """What a pattern does to an unhurt boat.

    Parameters
    ----------
    charges : Fraction
        Mean number of charges in a pattern.
    left : Dist
        Her hull points after it.
    hull : int
        Her hull points before.
    worst : Fraction
        The chance that it sinks her in the most dangerous hex she can reach, from the worst radial.
    patterns : float
        Mean number of such patterns, one after the other, until she is sunk.
    """

    charges: Fraction
    left: Dist[int]
    hull: int
    worst: Fraction
    patterns: float

    @property
    def sunk(self) -> Fraction:
        """The chance that it sinks her."""
        return self.left[0]

    @property
    def lost(self) -> Fraction:
        """Mean hull points lost."""
        return self.hull - self.left.mean

    @property
    def untouched(self) -> Fraction:
        """The chance that it costs her nothing."""
        return self.left[self.hull]


def lines() -> tuple[Line, ...]:
    """What is measured: depth charges of two escorts, then each weapon of its own."""
    corvette, destroyer = TABLES.vessels["flower"], TABLES.vessels["v-and-w"]

    def charges(type_id: str) -> tuple[tuple[str, int], ...]:
        type_ = TABLES.vessels[type_id]
        return (pattern.DEPTH_CHARGE, type_.depth_charges), (pattern.K_GUN, type_.k_guns)

    return (
        Line(SAY("pattern.corvette"), charges("flower"), corvette.speed, Fraction(2, 121)),
        Line(SAY("pattern.destroyer"), charges("v-and-w"), destroyer.speed, Fraction(2, 121)),
        Line(SAY("hedgehog"), ((pattern.HEDGEHOG, 1),), SEARCH, Fraction(10, 57)),
        Line(SAY("squid"), ((pattern.SQUID, 1),), SEARCH, Fraction(10, 26)),
        Line(SAY("pattern.one_ton"), ((pattern.ONE_TON, 1),), destroyer.speed),
    )


def escapes(marker: Place, hexes: int) -> tuple[Hex, ...]:
    """The bow hexes a boat can reach from a place in up to some hexes, itself among them."""
    places = reached = {marker}
    for _ in range(hexes):
        reached = {to for place in reached for to in moves(place)}
        places = places | reached
    return tuple(sorted({place.bow for place in places}))


def fullest(weapons: Sequence[tuple[str, int]], speed: int, direction: int) -> list[pattern.Placement]:
    """The pattern of most charges, and of those the one on the best hexes, in one turn along a radial.

    Parameters
    ----------
    weapons : sequence of (str, int)
    speed : int
        Hexes.
    direction : int
        Of the radial, outward from the target.

    Returns
    -------
    list of Placement
        Each charge, with its hex.

    Examples
    --------
    >>> [str(each.at) for each in fullest([("depth charge", 3)], speed=3, direction=1)]
    ['M19', 'N18', 'L19']
    """
    target = MARKER.ahead().bow
    zone = assault_zone(target, MARKER.direction)
    hexes = {h for _, h in zone}
    radial = radials(target)[direction - 1]
    found = []
    for start in range(-4, 12):
        place = Place(target.step(direction, start), radial.course)
        path = [place.ahead(n) for n in range(1, speed + 1)]
        units = []
        for weapon, count in weapons:
            reach = pattern.reach(weapon, path, hexes)
            units += [pattern.Unit(weapon, reach)] * (count if reach else 0)
        found.append(pattern.cover(units, zone))
    return min(found, key=lambda placed: (-len(placed), sum(p.rank for p in placed)))


@lru_cache
def measure(line: Line, boat: str = "viic", depth: int = 200) -> Measure:
    """Measure an armament against an unhurt boat at a depth in feet."""
    type_ = TABLES.boats[boat]
    reached = escapes(MARKER, type_.submerged)
    patterns = [fullest(line.weapons, line.speed, direction) for direction in range(1, 7)]
    cases = [tuple((p.weapon, p.at.distance(h)) for p in placed) for placed in patterns for h in reached]

    def mean(points: int) -> Dist[int]:
        return Dist.mixture((1, odds.attack(case, depth=depth, points=points)) for case in cases)

    return Measure(
        charges=Fraction(sum(len(placed) for placed in patterns), len(patterns)),
        left=mean(type_.hull),
        hull=type_.hull,
        worst=max(odds.attack(case, depth=depth, points=type_.hull)[0] for case in cases),
        patterns=float(_until_sunk([mean(points) for points in range(1, type_.hull + 1)])),
    )


def _until_sunk(left: Sequence[Dist[int]]) -> Fraction:
    """Mean number of patterns until a boat is sunk; ``left[n - 1]`` is what one leaves of n hull points."""
    needed = [Fraction(0)]
    for points, after in enumerate(left, 1):
        waits = 1 + sum((chance * needed[rest] for rest, chance in after.items() if rest < points), Fraction(0))
        needed.append(waits / (1 - after[points]))
    return needed[-1]


def report(boat: str = "viic", depth: int = 200) -> str:
    """The table of all armaments, one line each."""
    name = TABLES.boats[boat].name
    rows = [SAY("pattern.title", boat=name, depth=depth)]
    rows.append("{:<26}{:>8}{:>12}{:>12}{:>11}{:>11}{:>8}{:>18}".format(*SAY("pattern.head").split(", ")))
    for line in lines():
        m = measure(line, boat, depth)
        rows.append(
            f"{line.label:<26}{float(m.charges):>8.1f}{_one_in(m.sunk):>12}{_one_in(line.history):>12}"
            f"{float(m.worst):>11.1%}{float(m.lost):>11.2f}{float(m.untouched):>8.0%}{m.patterns:>18.1f}"
        )
    return "\n".join(rows)


def _one_in(chance: Fraction | None) -> str:
    return SAY("pattern.one_in", n=1 / float(chance)) if chance else "-"
