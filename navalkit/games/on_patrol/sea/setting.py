"""What a scenario is: its ships, boats and edges, and what stays the same through the whole game."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from navalkit.core.errors import DataError
from navalkit.grids.hex import Hex, Place

from .say import WHY
from .state import MarkerKind, Role
from .tables import TABLES, VesselType


class Edges(NamedTuple):
    """The edges of the map, the last row or column still on it; None where the sea goes on for ever."""

    north: int | None = None
    east: int | None = None
    south: int | None = None
    west: int | None = None

    def outside(self, h: Hex) -> bool:
        """Whether a hex lies off the map."""
        north, east, south, west = self
        return (
            (north is not None and h.row < north)
            or (south is not None and h.row > south)
            or (west is not None and h.column < west)
            or (east is not None and h.column > east)
        )


@dataclass(frozen=True, slots=True)
class Sea:
    """What stays the same through a game: the package of rules, the date, night, and when it ends."""

    package: str = "basic"  # "basic", "optional" or "advanced" (101.2)
    year: int = 1942
    night: bool = False  # whether the scenario is at night and the package knows night
    turns: int = 40  # the turn limit
    points: int = 1  # points the captain needs to win
    edges: Edges = Edges()  # of the map; a boat that leaves it has got away
    away: int = 0  # points for each boat that gets away (W2)

    def has(self, part: str) -> bool:
        """Whether the package has a part: "radar", "night", "star shells", "atw", "starred speeds", "arming",
        "duds", "gunnery", "emergency" or "special"."""
        return part in TABLES.packages[self.package].parts

    def radar(self, type: VesselType) -> bool:
        """Whether a ship of that type has radar here."""
        return self.has("radar") and type.radar(self.year)

    def one_ton(self, type: VesselType) -> int:
        """One-ton charges aboard a ship of that type here."""
        return type.one_ton_in(self.year) if self.has("special") else 0

    def row(self, speed: str) -> str:
        """The row of the Fleet Movement Table for a "slow" or "fast" fleet: the starred one if it is in force."""
        starred = self.has("starred speeds")
        return next(r.id for r in TABLES.fleet_rows.values() if r.id.startswith(speed) and r.starred is starred)


@dataclass(frozen=True, slots=True)
class BoatStart:
    """A submarine at the start."""

    type: str
    place: Place
    depth: int  # feet
    torpedoes: str = ""  # the type in all tubes and racks; "" for the best she may carry
    # the marker she begins with, where the scenario says that contact was made (104.2.2)
    marker: MarkerKind | None = None
    marked: Place | None = None  # where that marker lies; None for her own place


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario, checked."""

    name: str
    title: str
    date: date
    package: str  # the package it is meant for
    night: bool
    turns: int  # the turn limit
    points: int  # points the captain needs to win
    speed: str  # "slow" or "fast"
    ships: tuple[str, ...]  # types of the merchants and capital ships
    escorts: tuple[str, ...]  # their types
    boats: tuple[BoatStart, ...]
    about: str = ""
    fuel: tuple[int, ...] = ()  # which of the merchants (from 1) are tankers with aviation fuel
    die: int = 0  # the formation of twelve ships, as on the die of 103.1.2; 0 to roll for it
    places: tuple[Place, ...] = ()  # the escorts' places where there is nothing else at sea (103.2.5); else empty
    edges: Edges = Edges()
    weather: str = "clear"  # only to be shown: the rules know calm seas alone (102.4)
    away: int = 0  # points for each boat that leaves the map (W2)

    def sea(self, package: str = "") -> Sea:
        """What stays the same, under the scenario's own package or another; DataError if there is no such package."""
        package = package or self.package
        if package not in TABLES.packages:
            raise DataError(WHY("setting.no_package_one", package=package, listed=', '.join(TABLES.packages)))
        night = self.night and "night" in TABLES.packages[package].parts
        return Sea(package, self.date.year, night, self.turns, self.points, self.edges, self.away)

    @property
    def merchants(self) -> tuple[str, ...]:
        """Types of the merchants, M1, M2 ... in order."""
        return tuple(t for t in self.ships if TABLES.vessels[t].role is Role.MERCHANT)

    @property
    def capitals(self) -> tuple[str, ...]:
        """Types of the capital ships, C1, C2 ... in order."""
        return tuple(t for t in self.ships if TABLES.vessels[t].role is Role.CAPITAL)
