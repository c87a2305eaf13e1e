"""Typed loader of combat.toml: torpedoes, attacks, search, guns and damage, all rolled with two dice (d66)."""

from __future__ import annotations
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, TypeVar

from navalkit.core.dist import Dist
from navalkit.core.errors import DataError
from navalkit.core.files import sourced, values
from ..data import read
from .rows import D66
from .tables import TABLES, WHY

FILE = "combat.toml"
Row = TypeVar("Row")
DUTIES = ("sweep", "hunt")  # what a sonar may be about: it knows nothing of the boat, or it knows where to listen


@cache
def chance(upto: int) -> Fraction:
    """The chance that two dice read as tens and units show at most ``upto``; 0 for 0."""
    return Fraction(sum(roll <= upto for roll in D66), len(D66))


@cache
def either(yes: Fraction, then: str, otherwise: str) -> Dist[str]:
    """The word ``then`` with that chance, else the other."""
    return Dist({then: yes, otherwise: 1 - yes})


@dataclass(frozen=True, slots=True)
class Bands:
    """A row of chances by distance: ``upto[i]`` (d66) down to ``within[i]``, the first distance not exceeded."""

    id: str
    within: tuple[int, ...]
    upto: tuple[int, ...]
    source: str

    @property
    def reach(self) -> int:
        """The greatest distance with a chance."""
        return self.within[-1]

    def roll(self, distance: int, shift: int = 0) -> int:
        """The greatest roll that succeeds at a distance in hexes (or what the row counts), 0 if none does. ``shift``:
        bands further, nearer if negative; nothing comes nearer than the first."""
        band = next((i for i, limit in enumerate(self.within) if distance <= limit), None)
        if band is None or max(0, band + shift) >= len(self.upto):
            return 0
        return self.upto[max(0, band + shift)]

    def chance(self, distance: int, shift: int = 0) -> Fraction:
        """The chance at a distance; parameters as in ``roll``."""
        return chance(self.roll(distance, shift))


@dataclass(frozen=True, slots=True)
class Damage:
    """A row of hull points by d66: ``rolls`` has pairs (greatest roll, points)."""

    id: str
    rolls: tuple[tuple[int, int], ...]
    source: str

    def points(self, roll: int) -> int:
        """The points of one roll."""
        return next(points for upto, points in self.rolls if roll <= upto)

    def dist(self) -> Dist[int]:
        """Hull points lost."""
        return Dist.uniform(D66).map(self.points)


@dataclass(frozen=True, slots=True)
class TorpedoType:
    """A type of torpedo: ``speed`` in hexes a turn, ``range`` in hexes, ``warhead`` in kg. ``duds`` has pairs (last
    year, greatest d66 roll at which a hit fails)."""

    id: str
    name: str
    nation: str
    knots: float
    yards: int
    warhead: int
    duds: tuple[tuple[int, int], ...]
    source: str
    duds_source: str
    speed: int
    range: int

    def dud(self, year: int) -> Fraction:
        """The chance that a hit does not explode in that year."""
        return chance(next((upto for last, upto in self.duds if year <= last), self.duds[-1][1]))


@dataclass(frozen=True, slots=True)
class Aspect(Bands):
    """How a track meets a ship: hit chances by hexes run, for ``turn`` times 60 degrees between the courses."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class Weapon:
    """An anti-submarine weapon; ``deepest`` in feet, ``depth_first`` if the depth table is rolled before damage.
    ``ahead``: hexes ahead of the bow that it is thrown (105.4.11); 0 for all that is not thrown ahead."""

    id: str
    depth_first: bool
    deepest: int
    text: str
    source: str
    ahead: int = 0


@dataclass(frozen=True, slots=True)
class Search(Bands):
    """A row of sonar or radar: for boats down to ``depth`` feet; nothing is found up to ``blind`` hexes. Sonar has rows
    for two duties: to "sweep", and to "hunt" a boat whose place is known."""

    depth: int
    blind: int = 0
    duty: str = ""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a boat makes out from down to ``depth`` feet, in hexes by ``day`` and ``night``."""

    id: str
    depth: int
    day: int
    night: int
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Gun(Bands):
    """Guns of a rating at a surfaced boat: ``points`` a hit; ``part`` is the package's part it belongs to, or ""."""

    rating: int
    part: str
    points: int


@dataclass(frozen=True, slots=True)
class CombatTables:
    """All of combat.toml; rows that go by a limit (depth, tons, feet) stand in a mapping from it, in its order."""

    torpedoes: Mapping[str, TorpedoType]
    # single figures: "launch_depth", "arming", "reload", "small", "large", "speed" and "noisy" (sonar), "night",
    # "torpedoed", "tanker", "fuel", "star_shell" and "ahead" (light), "least_depth"
    figures: Mapping[str, int]
    aspects: Mapping[str, Aspect]
    stop: Bands  # dead in the water, by the torpedo hits a ship could still take
    weapons: Mapping[str, Weapon]
    damage: Mapping[tuple[str, int, int], Damage]  # by weapon, hexes, error in ft
    sonar: Mapping[tuple[str, int], Search]  # by duty ("sweep" or "hunt") and depth
    radar: Mapping[int, Search]  # by depth
    sight: Mapping[int, Sight]  # by depth
    guns: Mapping[tuple[str, int], Gun]  # by part and rating
    ram: Mapping[int, Damage]  # by tons
    crush: Mapping[int, Damage]  # by feet below the limit

    def reach(self, weapon: str) -> int:
        """Hexes from a boat's bow hex at which a weapon may still harm her."""
        return max(distance for name, distance, _ in self.damage if name == weapon)

    def sonar_row(self, duty: str, depth: int) -> Search | None:
        """The row of sonar on a duty for boats at that depth in feet, None deeper than any."""
        return next((row for (name, limit), row in self.sonar.items() if name == duty and depth <= limit), None)


def first_not_exceeded(rows: Mapping[int, Row], value: int) -> Row | None:
    """The row of the least limit that ``value`` does not exceed, None beyond the last."""
    return next((row for limit, row in rows.items() if value <= limit), None)


def _check_roll(upto: int, where: str) -> None:
    if upto not in (0, *D66):
        raise DataError(WHY("combat_tables.has_which_two", file=FILE, where=where, upto=upto))


def _bands(row: dict[str, Any], where: str) -> dict[str, Any]:
    """The fields of a row with its bands checked."""
    figures: dict[str, Any] = {"id": where, **sourced(row, where), "source": row["source"]}
    within, upto = tuple(figures["within"]), tuple(figures["upto"])
    if len(within) != len(upto) or sorted(set(within)) != list(within):
        raise DataError(WHY("combat_tables.needs_growing_distances", file=FILE, where=where, within=within, upto=upto))
    for roll in upto:
        _check_roll(roll, where)
    return {**figures, "within": within, "upto": upto}


def _damage(row: dict[str, Any]) -> Damage:
    rolls = tuple((upto, points) for upto, points in row["rolls"])
    for upto, _ in rolls:
        _check_roll(upto, row["id"])
    if rolls[-1][0] != D66[-1] or sorted(set(rolls)) != list(rolls):
        raise DataError(WHY("combat_tables.rolls_grow_last", file=FILE, row=row['id']))
    sourced(row, row["id"])
    return Damage(row["id"], rolls, row["source"])


def _torpedo(id: str, row: dict[str, Any]) -> TorpedoType:
    figures = sourced(row, f"torpedo.{id}") | {"duds": tuple((year, upto) for year, upto in row["duds"])}
    for _, upto in figures["duds"]:
        _check_roll(upto, f"torpedo.{id}")
    speed = int(row["knots"] / TABLES.scale["knots"] + 0.5)
    return TorpedoType(id=id, source=row["source"], speed=speed, range=row["yards"] // 100, **figures)


def load(data: Mapping[str, Any]) -> CombatTables:
    """The tables of combat.toml; DataError if a row names no source, or has a roll that two dice do not show."""
    parts = ("torpedo_rules", "sonar_rules", "light", "hull")
    aspects = [Aspect(**_bands(row, row["id"])) for row in data["aspect"]]
    sonar = [Search(**_bands(row, row["id"])) for row in data["sonar"]]
    guns = [Gun(**_bands(row, row["id"])) for row in data["gun"]]
    return CombatTables(
        torpedoes={id: _torpedo(id, row) for id, row in data["torpedo"].items()},
        figures={key: value for part in parts for key, value in values(data[part], part).items()},
        aspects={row.id: row for row in aspects},
        stop=Bands(**_bands(data["stop"], "stop")),
        weapons={id: Weapon(id, **sourced(row, id), source=row["source"]) for id, row in data["weapon"].items()},
        damage={
            (weapon, row["distance"], row["error"]): _damage(row) for row in data["damage"] for weapon in row["weapons"]
        },
        sonar={(row.duty, row.depth): row for row in sonar},
        radar={row["depth"]: Search(**_bands(row, row["id"])) for row in data["radar"]},
        sight={row["depth"]: Sight(**sourced(row, row["id"]), source=row["source"]) for row in data["sight"]},
        guns={(row.part, row.rating): row for row in guns},
        ram={row["tons"]: _damage(row) for row in data["ram"]},
        crush={row["below"]: _damage(row) for row in data["crush"]},
    )


_DATA = read(FILE)
COMBAT = load(_DATA)
