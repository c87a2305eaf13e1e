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
    """What stays the same through a game: the package of rules, the date, night, and when it ends.

    Parameters
    ----------
    package : str
        "basic", "optional" or "advanced" (101.2).
    year : int
    night : bool
        Whether the scenario is at night and the package knows night.
    turns : int
        The turn limit.
    points : int
        Points the captain needs to win.
    edges : Edges
        Of the map; a boat that leaves it has got away.
    away : int
        Points for each boat that gets away (W2).
    """

    package: str = "basic"
    year: int = 1942
    night: bool = False
    turns: int = 40
    points: int = 1
    edges: Edges = Edges()
    away: int = 0

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
    """A submarine at the start.

    Parameters
    ----------
    type : str
    place : Place
    depth : int
        Feet.
    torpedoes : str
        The type in all tubes and racks; "" for the best she may carry.
    marker : MarkerKind or None
        The marker she begins with, where the scenario says that contact was made (104.2.2).
    marked : Place or None
        Where that marker lies; None for her own place.
    """

    type: str
    place: Place
    depth: int
    torpedoes: str = ""
    marker: MarkerKind | None = None
    marked: Place | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario, checked.

    Parameters
    ----------
    name, title, about : str
    date : datetime.date
    package : str
        The package it is meant for.
    night : bool
    turns, points : int
        The turn limit, and the points the captain needs to win.
    speed : str
        "slow" or "fast".
    ships : tuple of str
        Types of the merchants and capital ships.
    fuel : tuple of int
        Which of the merchants (from 1) are tankers with aviation fuel.
    die : int
        The formation of twelve ships, as on the die of 103.1.2; 0 to roll for it.
    escorts : tuple of str
        Their types.
    places : tuple of Place
        The escorts' places where there is nothing else at sea (103.2.5); else empty.
    boats : tuple of BoatStart
    edges : Edges
    weather : str
        Only to be shown: the rules know calm seas alone (102.4).
    away : int
        Points for each boat that leaves the map (W2).
    """

    name: str
    title: str
    date: date
    package: str
    night: bool
    turns: int
    points: int
    speed: str
    ships: tuple[str, ...]
    escorts: tuple[str, ...]
    boats: tuple[BoatStart, ...]
    about: str = ""
    fuel: tuple[int, ...] = ()
    die: int = 0
    places: tuple[Place, ...] = ()
    edges: Edges = Edges()
    weather: str = "clear"
    away: int = 0

    def sea(self, package: str = "") -> Sea:
        """What stays the same, under the scenario's own package or another.

        Raises
        ------
        DataError
            If there is no such package.
        """
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
