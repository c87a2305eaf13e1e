"""What never changes during a battle: the board, who is on it, and what the sides are after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from navalkit.grids.square import SquareGrid
from navalkit.grids.square_headings import quarter

from ..cards import TABLES
from ..cards.vessels import YARDS_A_SQUARE, Gun, ShipCard
from . import Fate, Hold, Minefield, Phase, Ship, State

DAYLIGHT = ("day", "night", "dawn", "dusk")
"""Daylight throughout, night throughout, or which of day and night begins (rule F31)."""
AIMS = ("sink", "damage", "exit", "island", "survive")


@dataclass(frozen=True, slots=True)
class Weapon:
    """A ship's guns of one kind and battery: they fire together.

    Parameters
    ----------
    battery : str
    gun : Gun
    mounts : tuple of int
        The mounts of her card they stand in, from 0.
    """

    battery: str
    gun: Gun
    mounts: tuple[int, ...]


@lru_cache(maxsize=512)
def weapons(card: ShipCard) -> tuple[Weapon, ...]:
    """The guns of a ship as they fire, the main battery first."""
    groups: dict[tuple[str, str], list[int]] = {}
    for number, mount in enumerate(card.mounts):
        groups.setdefault((mount.battery, mount.gun), []).append(number)
    return tuple(Weapon(battery, TABLES.guns[gun], tuple(mounts)) for (battery, gun), mounts in groups.items())


@dataclass(frozen=True, slots=True)
class Unit:
    """A ship of the order of battle.

    Parameters
    ----------
    name : str
        Unlike that of any other ship or division.
    card : ShipCard
    side : int
    square, heading : int
        Where she begins.
    division : str
        The division she sails with, or "".
    enters : int
        The move in which she comes onto the board; 0 if she is there from the start.
    entry : tuple of int
        The squares diced for when she enters.
    """

    name: str
    card: ShipCard
    side: int
    square: int
    heading: int
    division: str = ""
    enters: int = 0
    entry: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Island:
    """An island that can be captured: its name and squares."""

    name: str
    squares: frozenset[int]


@dataclass(frozen=True, slots=True)
class Objective:
    """What a side gets points for (rule F36).

    Parameters
    ----------
    side : int
    aim : str
        "sink" enemy ships, "damage" them (for each full quarter of the sinking rate), "exit" with own ships,
        hold an "island", or have own ships that "survive" to the end.
    of : tuple of int
        Numbers of the ships or islands meant.
    points : int
        For each of them; 0 stands for the points value of the ship's card.
    """

    side: int
    aim: str
    of: tuple[int, ...]
    points: int


@dataclass(frozen=True, eq=False)
class Scenario:
    """A battle to be fought.

    Parameters
    ----------
    key, title, blurb : str
    sides : two texts
        What blue and red are called ("British").
    grid : SquareGrid
    coast : frozenset of int
        Land that is no island.
    islands : tuple of Island
    harbours : two frozensets of int
        The harbour squares of each side.
    exits : two frozensets of int
        Where the ships of each side may leave the board.
    units : tuple of Unit
    fields : tuple of pairs of int
        Squares mined beforehand, and whose mines they are.
    objectives : tuple of Objective
    total : int
        Points that end the battle at once; 0 if it goes on to the last move.
    moves : int
        The last move.
    weather : bool
    light : str
        One of `DAYLIGHT`.
    screened : int
        Moves of hidden start (rule F33).
    screen : int
        The first column beyond the screen; blue has the columns before it.
    torpedo_yards : int
        Yards of a torpedo's run that count as a square (rule F17).
    empty_tubes : bool
        Whether no torpedo is loaded at the start: a battle of guns (rule F17).
    alternate, choose : bool
        Whether the first move alternates, and whether owners choose their turrets (options).
    """

    key: str
    title: str
    blurb: str
    sides: tuple[str, str]
    grid: SquareGrid
    coast: frozenset[int]
    islands: tuple[Island, ...]
    harbours: tuple[frozenset[int], frozenset[int]]
    exits: tuple[frozenset[int], frozenset[int]]
    units: tuple[Unit, ...]
    fields: tuple[tuple[int, int], ...]
    objectives: tuple[Objective, ...]
    total: int
    moves: int
    weather: bool = False
    light: str = "day"
    screened: int = 0
    screen: int = 0
    torpedo_yards: int = YARDS_A_SQUARE
    empty_tubes: bool = False
    alternate: bool = True
    choose: bool = True

    @cached_property
    def land(self) -> frozenset[int]:
        """All squares that are no sea."""
        return self.coast.union(*(island.squares for island in self.islands))

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Ship's name -> her number."""
        return {unit.name: number for number, unit in enumerate(self.units)}

    @cached_property
    def divisions(self) -> Mapping[str, tuple[int, ...]]:
        """Division's name -> the numbers of its ships, the guide first."""
        found: dict[str, tuple[int, ...]] = {}
        for number, unit in enumerate(self.units):
            if unit.division:
                found[unit.division] = (*found.get(unit.division, ()), number)
        return found

    @cached_property
    def zones(self) -> tuple[int, ...]:
        """The weather zone of every square."""
        return tuple(quarter(self.grid, square) for square in range(self.grid.size))

    @cached_property
    def halves(self) -> tuple[frozenset[int], frozenset[int]]:
        """The squares on blue's and on red's side of the screen."""
        blue = frozenset(s for s in range(self.grid.size) if s % self.grid.columns < self.screen)
        return blue, frozenset(range(self.grid.size)) - blue

    @cached_property
    def shores(self) -> tuple[frozenset[int], ...]:
        """For each island the squares of sea next to it."""
        around = self.grid.around
        return tuple(frozenset(n for s in island.squares for n in around[s]) - self.land for island in self.islands)

    def torpedo_range(self, ship: int, number: int) -> int:
        """How many squares a torpedo set of a ship, numbered from 0, reaches (rule F17)."""
        return TABLES.torpedoes[self.card(ship).torpedoes[number].kind].squares(self.torpedo_yards)

    def card(self, ship: int) -> ShipCard:
        """The card of a ship by number."""
        return self.units[ship].card

    def side(self, ship: int) -> int:
        """Whose ship it is."""
        return self.units[ship].side

    def fleet(self, side: int) -> tuple[int, ...]:
        """The numbers of a side's ships."""
        return tuple(number for number, unit in enumerate(self.units) if unit.side == side)

    def start(self) -> State:
        """The state in which the battle begins."""
        ships = tuple(_ship(unit, not self.empty_tubes) for unit in self.units)
        fields = tuple(Minefield(square, side) for square, side in sorted(self.fields))
        return State(Phase.FIRST, ships=ships, fields=fields, islands=(Hold(),) * len(self.islands))


def _ship(unit: Unit, armed: bool) -> Ship:
    kept: dict[str, Any] = dict(
        heading=unit.heading,
        out=(0,) * len(unit.card.mounts),
        loaded=armed * ((1 << len(unit.card.torpedoes)) - 1),
        mines=unit.card.mines,
    )
    return Ship(fate=Fate.WAITING, **kept) if unit.enters else Ship(unit.square, **kept)
