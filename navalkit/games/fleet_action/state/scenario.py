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
    """A ship's guns of one kind and battery: they fire together."""

    battery: str
    gun: Gun
    mounts: tuple[int, ...]  # the mounts of her card they stand in, from 0


@lru_cache(maxsize=512)
def weapons(card: ShipCard) -> tuple[Weapon, ...]:
    """The guns of a ship as they fire, the main battery first."""
    groups: dict[tuple[str, str], list[int]] = {}
    for number, mount in enumerate(card.mounts):
        groups.setdefault((mount.battery, mount.gun), []).append(number)
    return tuple(Weapon(battery, TABLES.guns[gun], tuple(mounts)) for (battery, gun), mounts in groups.items())


@dataclass(frozen=True, slots=True)
class Unit:
    """A ship of the order of battle."""

    name: str  # unlike that of any other ship or division
    card: ShipCard
    side: int
    square: int  # where she begins
    heading: int  # how she heads there
    division: str = ""  # the division she sails with, or ""
    enters: int = 0  # the move in which she comes onto the board; 0 if she is there from the start
    entry: tuple[int, ...] = ()  # the squares diced for when she enters


@dataclass(frozen=True, slots=True)
class Island:
    """An island that can be captured: its name and squares."""

    name: str
    squares: frozenset[int]


@dataclass(frozen=True, slots=True)
class Objective:
    """What a side gets points for (rule F36)."""

    side: int
    # "sink" enemy ships, "damage" them (for each full quarter of the sinking rate), "exit" with own ships, hold an
    # "island", or have own ships that "survive" to the end
    aim: str
    of: tuple[int, ...]  # numbers of the ships or islands meant
    points: int  # for each of them; 0 stands for the points value of the ship's card


@dataclass(frozen=True, eq=False)
class Scenario:
    """A battle to be fought."""

    key: str
    title: str
    blurb: str
    sides: tuple[str, str]  # what blue and red are called ("British")
    grid: SquareGrid
    coast: frozenset[int]  # land that is no island
    islands: tuple[Island, ...]
    harbours: tuple[frozenset[int], frozenset[int]]  # the harbour squares of each side
    # where the ships of each side may leave the board
    exits: tuple[frozenset[int], frozenset[int]]
    units: tuple[Unit, ...]
    fields: tuple[tuple[int, int], ...]  # squares mined beforehand, and whose mines they are
    objectives: tuple[Objective, ...]
    total: int  # points that end the battle at once; 0 if it goes on to the last move
    moves: int  # the last move
    weather: bool = False
    light: str = "day"  # one of `DAYLIGHT`
    screened: int = 0  # moves of hidden start (rule F33)
    screen: int = 0  # the first column beyond the screen; blue has the columns before it
    torpedo_yards: int = YARDS_A_SQUARE  # yards of a torpedo's run that count as a square (rule F17)
    empty_tubes: bool = False  # whether no torpedo is loaded at the start: a battle of guns (rule F17)
    alternate: bool = True  # whether the first move alternates (an option)
    choose: bool = True  # whether owners choose their turrets (an option)

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
