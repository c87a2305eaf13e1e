"""What hides in Task Force: the fleet, and where submarines and missiles may lie beside it (rules T1, T2)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb, factorial

import numpy as np

from navalkit.core.luck.dist import IntegerSource
from navalkit.grids.square import SquareGrid
from navalkit.prob import placements
from navalkit.prob.placements import ShipClass, Waters, draw, identify
from navalkit.prob.search import Fleets

from .tables import TABLES

Ships = tuple[tuple[int, ...], ...]  # the squares of each enemy ship in rising order, the ships too
Missiles = tuple[tuple[int, int], ...]  # square and target (0 AIR to 4 D-3) of each missile, in rising order
OWN = tuple(TABLES.own)
LEAST_ROOM = 0.005
"""Where fewer of the fleets leave room for submarines and missiles, hiding would begin anew for ever: no such map."""


@dataclass(frozen=True)
class Sea:
    """What is hidden, and how much of it."""

    waters: Waters  # the map and the fleet
    submarines: int  # 0 to 3
    targets: tuple[int, ...]  # the targets of all missiles, in rising order

    @property
    def grid(self) -> SquareGrid:
        """The squares of the map."""
        return self.waters.grid

    @property
    def missiles(self) -> int:
        """How many missiles there are."""
        return len(self.targets)

    # Fleets (T1) ------------------------------------------------------------------------------------------------

    def draw_fleet(self, rng: IntegerSource) -> Ships:
        """A fleet, each with the same chance (T1g)."""
        cells = self.waters.placements.cells
        return tuple(sorted(cells[p] for p in draw(self.waters, rng)))

    @property
    def fleets(self) -> int:
        """How many legal fleets there are: from data.toml where it is there, else counted."""
        rows = self.grid.rows
        usual = rows in TABLES.counts and self.waters == sea(rows).waters
        return TABLES.counts[rows] if usual else _count(self.waters)

    def is_fleet(self, ships: Ships) -> bool:
        """Whether these ships are a legal fleet, in order."""
        return tuple(sorted(ships)) == ships and identify(self.waters, ships) is not None

    # Submarines (T2a, T2b) --------------------------------------------------------------------------------------

    def lairs(self, ships: Ships) -> tuple[int, ...]:
        """The squares that are neither a ship's nor next to one: only there a submarine may lie."""
        taken = {s for ship in ships for s in ship}
        near = self.grid.neighbours
        return tuple(s for s in range(self.grid.size) if s not in taken and taken.isdisjoint(near[s]))

    def count_submarines(self, ships: Ships) -> int:
        """How many placements of the submarines there are."""
        lairs = set(self.lairs(ships))
        near, v = self.grid.neighbours, len(lairs)
        if self.submarines < 2:
            return v if self.submarines else 1
        degree = [sum(n in lairs for n in near[s]) for s in lairs]
        pairs = sum(degree) // 2
        if self.submarines == 2:
            return comb(v, 2) - pairs
        # Three squares of which no two are neighbours: all triples, less those with a pair, which counts those
        # with two pairs twice; a board of squares has no three that are all neighbours of each other.
        return comb(v, 3) - pairs * (v - 2) + sum(comb(d, 2) for d in degree)

    def _is_apart(self, squares: Collection[int]) -> bool:
        return all(b not in self.grid.neighbours[a] for a, b in combinations(squares, 2))

    def draw_submarines(self, ships: Ships, rng: IntegerSource) -> tuple[int, ...]:
        """A placement of the submarines, each with the same chance; there must be one."""
        lairs = self.lairs(ships)
        while self.submarines:
            squares = {lairs[int(rng.integers(len(lairs)))] for _ in range(self.submarines)}
            if len(squares) == self.submarines and self._is_apart(squares):
                return tuple(sorted(squares))
        return ()

    def are_submarines(self, ships: Ships, squares: tuple[int, ...]) -> bool:
        """Whether this is a placement of the submarines, in order."""
        fits = len(set(squares)) == self.submarines and tuple(sorted(squares)) == squares
        return fits and set(squares) <= set(self.lairs(ships)) and self._is_apart(squares)

    def has_room(self) -> bool:
        """Whether fleets that leave room for all submarines and missiles are not too rare to wait for one (T2e)."""
        return _has_room(self)

    # Missiles (T2c, T2d) ----------------------------------------------------------------------------------------

    def launchers(self, ships: Ships, submarines: tuple[int, ...]) -> tuple[int, ...]:
        """The squares where a missile may lie."""
        near = self.grid.neighbours
        taken = {s for ship in ships for s in ship}
        beside = {n for s in taken for n in near[s]} - taken
        return tuple(sorted(beside.difference(*(near[s] for s in submarines))))

    def count_missiles(self, ships: Ships, submarines: tuple[int, ...]) -> int:
        """How many ways there are to place the missiles with their targets."""
        ways = comb(len(self.launchers(ships, submarines)), self.missiles) * factorial(self.missiles)
        for target in set(self.targets):
            ways //= factorial(self.targets.count(target))
        return ways

    def draw_missiles(self, ships: Ships, submarines: tuple[int, ...], rng: IntegerSource) -> Missiles:
        """A placement of the missiles, each with the same chance; there must be one."""
        places = list(self.launchers(ships, submarines))
        found = [(places.pop(int(rng.integers(len(places)))), target) for target in self.targets]
        return tuple(sorted(found))

    def are_missiles(self, ships: Ships, submarines: tuple[int, ...], missiles: Missiles) -> bool:
        """Whether this is a placement of the missiles, in order."""
        squares = [square for square, _ in missiles]
        fits = len(set(squares)) == len(squares) and tuple(sorted(missiles)) == missiles
        targets = tuple(sorted(target for _, target in missiles))
        return fits and targets == self.targets and set(squares) <= set(self.launchers(ships, submarines))


@lru_cache(maxsize=16)
def _count(waters: Waters) -> int:
    return placements.count(waters)


@lru_cache(maxsize=64)
def sea(
    rows: int = 10, columns: int = 10, deep: int = 7, fleet: str = "full", submarines: int = 3, missiles: int = 2
) -> Sea:
    """The sea of these options; see data.toml. It may be too small for the fleet: ask `placements.possible`."""
    classes = []
    for name, count in TABLES.fleets[fleet].items():
        ship = TABLES.ships[name]
        classes.append(
            ShipClass(
                name,
                ship.length,
                count,
                across=ship.lies != "down",
                down=ship.lies != "across",
                first=min(deep, columns) if ship.water == "shallow" else 0,
                last=min(deep, columns) if ship.water == "deep" else columns,
            )
        )
    waters = Waters(rows, columns, tuple(classes))
    return Sea(waters, submarines, tuple(sorted(tuple(range(len(OWN))) * missiles)))


@lru_cache(maxsize=64)
def _has_room(sea: Sea) -> bool:
    rng = np.random.default_rng(0)
    found = Fleets(sea.waters).sample(800, rng)
    room = 0.0
    for squares, weight in zip(found.ships, found.weights.tolist(), strict=True):
        ships = (tuple(np.flatnonzero(squares).tolist()),)  # as one, for how they are divided does not matter here
        if sea.count_submarines(ships):
            room += weight * bool(sea.count_missiles(ships, sea.draw_submarines(ships, rng)))
    return room >= LEAST_ROOM * float(found.weights.sum())
