"""Task Force: what the state of a game is made of, what the player sees of it, and the actions.

The state alone holds the hidden fleet. An `Observation` is made from the scratched squares and from our own ships,
and is all that a bot, a page or the odds ever get.
"""

from __future__ import annotations
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from math import comb, factorial
from typing import Any

import numpy as np

from navalkit.core._sums import IntegerSource
from navalkit.core.codec import written_as
from navalkit.core.errors import DataError, NotationError, brief
from navalkit.core.files import read, sourced
from navalkit.core.game import OptionSpec, read_options
from navalkit.core.shown import OneLine
from navalkit.core.words import Words
from navalkit.grids.square import SquareGrid
from navalkit.prob import placements
from navalkit.prob.placements import ShipClass, Waters, draw, identify
from navalkit.prob.search import Fleets

SAY = Words.load("navalkit.games.task_force", "data/words.toml")


# -- Typed loader of data.toml: ships, fleets and options of Task Force ----------------------------

@dataclass(frozen=True, slots=True)
class EnemyShip:
    """A kind of enemy ship: ``water`` is "deep", "shallow" or "any", ``lies`` "across", "down" or "any"."""

    name: str
    length: int
    water: str
    lies: str


@dataclass(frozen=True, slots=True)
class Tables:
    """All of data.toml."""

    ships: Mapping[str, EnemyShip]  # by name
    fleets: Mapping[str, Mapping[str, int]]  # fleet -> ship -> how many
    counts: Mapping[int, int]  # rows -> exact number of full fleets on the usual columns
    own: Mapping[str, str]  # our ships from left to right: "AIR" -> "aircraft carrier"
    ranks: Mapping[int, str]  # ships left -> rank
    presets: Mapping[str, Mapping[str, Any]]  # name -> options
    options: tuple[OptionSpec, ...]


def _load() -> Tables:
    data = read("navalkit.games.task_force", "data/data.toml")

    def rows(key: str) -> list[dict[str, Any]]:
        return [sourced(row, f"{key} {i}") for i, row in enumerate(data[key], 1)]

    counts = sourced(data["counts"], "counts")
    tables = Tables(
        ships={row["name"]: EnemyShip(**row) for row in rows("ship")},
        fleets={row["key"]: row["ships"] for row in rows("fleet")},
        counts=dict(zip(counts["rows"], counts["fleets"], strict=True)),
        own={row["key"]: row["name"] for row in rows("own")}, ranks={row["ships"]: row["name"] for row in rows("rank")},
        presets=data["preset"], options=read_options(data["option"])
    )
    for key, fleet in tables.fleets.items():
        if unknown := ", ".join(sorted(set(fleet) - set(tables.ships))):
            raise DataError(SAY("wrong.fleet", fleet=key, ships=unknown))
    return tables


TABLES = _load()


# -- What hides in Task Force: the fleet, and where submarines and missiles may lie beside it (rules T1, T2)

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


_count = lru_cache(maxsize=16)(placements.count)


@lru_cache(maxsize=64)
def sea(rows: int = 10, columns: int = 10, deep: int = 7, fleet: str = "full", submarines: int = 3,
        missiles: int = 2) -> Sea:
    """The sea of these options; see data.toml. It may be too small for the fleet: ask `placements.possible`."""
    classes = []
    for name, count in TABLES.fleets[fleet].items():
        ship = TABLES.ships[name]
        classes.append(
            ShipClass(name, ship.length, count, across=ship.lies != "down", down=ship.lies != "across",
                      first=min(deep, columns) if ship.water == "shallow" else 0,
                      last=min(deep, columns) if ship.water == "deep" else columns)
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


CARRIER, CRUISER = 0, 1
FIRST_DESTROYER = 2
UNSEEN, EMPTY, HIT, SUBMARINE = ".", "-", "x", "s"
MISSILES = "AC123"  # the mark of a missile, by target
MARKS = UNSEEN + EMPTY + HIT + SUBMARINE + MISSILES


class Phase(StrEnum):
    """What comes next."""

    FLEET = "fleet"  # chance hides the fleet
    SUBMARINES = "submarines"  # chance hides the submarines
    MISSILES = "missiles"  # chance hides the missiles
    TURN = "turn"  # scratch a square or fly
    FLIGHT = "flight"  # a helicopter is in the air: scratch the next square
    END = "end"


@written_as("{square}")
class Scratch:
    """Scratch off ``square``, such as "C7" (rules T4a, T7b)."""

    square: str


@written_as("fly helicopter {number} from {square}")
class Fly:
    """The helicopter of destroyer ``number`` (1 to 3) takes off and scratches ``square`` (rule T7a)."""

    number: int
    square: str


@written_as("strike {square}")
class Strike:
    """A strike-fighter scratches all squares around ``square`` (rule T8)."""

    square: str


@dataclass(frozen=True, slots=True)
class HideFleet:
    """Chance: the enemy ships, each by its first and last square, such as "A1-A5"."""

    ships: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(("fleet", *self.ships))


@dataclass(frozen=True, slots=True)
class HideSubmarines:
    """Chance: the squares of the submarines."""

    squares: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(("submarines", *self.squares))


@dataclass(frozen=True, slots=True)
class HideMissiles:
    """Chance: the missiles with their targets, such as "B4=D-2"."""

    missiles: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(("missiles", *self.missiles))


Action = Scratch | Fly | Strike | HideFleet | HideSubmarines | HideMissiles


@dataclass(frozen=True, slots=True, repr=False)
class State(OneLine):
    """A game at one moment, with all that is hidden."""

    phase: Phase = Phase.FLEET  # what comes next
    tries: int = 1  # how often hiding has begun (rule T2e)
    fleet: Ships = ()  # this and the next two: what is hidden; empty until chance has hidden it
    submarines: tuple[int, ...] = ()
    missiles: Missiles = ()
    scratched: int = 0  # bit s is set if square s is scratched
    afloat: tuple[int, ...] = ()  # our ships, 0 AIR to 4 D-3
    anti_air: int = 0  # anti-air missiles left
    strikes: int = 0  # strike-fighters left
    helicopters: tuple[int, ...] = ()  # numbers (1 to 3) of those that can still fly
    flying: int = 0  # number of the helicopter in the air, or 0
    flight: tuple[int, ...] = ()  # the squares it has scratched, in order
    result: str = ""  # "win" or "loss" once that is decided

    def seen(self, square: int) -> bool:
        """Whether the square is scratched."""
        return bool(self.scratched >> square & 1)


@lru_cache(maxsize=256)
def contents(size: int, fleet: Ships, submarines: tuple[int, ...], missiles: Missiles) -> str:
    """The mark of every square of the map."""
    marks = [EMPTY] * size
    for ship in fleet:
        for square in ship:
            marks[square] = HIT
    for square in submarines:
        marks[square] = SUBMARINE
    for square, target in missiles:
        marks[square] = MISSILES[target]
    return "".join(marks)


@dataclass(frozen=True, slots=True, repr=False)
class Observation(OneLine):
    """What the player knows.

    Parameters
    ----------
    sea : Sea
        What may be hidden (all of it known: the options of the game).
    marks : str
        One character a square, row by row: "." unscratched, "-" empty, "x" hit, "s" submarine, and for a
        missile its target: A C 1 2 3.
    phase, afloat, anti_air, strikes, helicopters, flying, flight
        As in `State`.
    fleet : tuple of tuple of int
        The squares of each enemy ship once the game is over; until then ().
    chart : str
        The marks of the whole map once the game is over; until then "".
    """

    sea: Sea
    marks: str
    phase: Phase = Phase.TURN
    afloat: tuple[int, ...] = tuple(range(len(OWN)))
    anti_air: int = 3
    strikes: int = 2
    helicopters: tuple[int, ...] = (1, 2, 3)
    flying: int = 0
    flight: tuple[int, ...] = ()
    fleet: Ships = ()
    chart: str = ""

    @classmethod
    def parse(cls, text: str, sea_: Sea | None = None) -> Observation:
        """The observation of a map in text; our own ships are all there.

        Parameters
        ----------
        text : str
            One line (or part between slashes) a row, one mark a square; blanks do not count.
        sea_ : Sea, optional
            Left out, the usual one with as many rows as the text has.

        Raises
        ------
        NotationError
            If a mark is unknown, or the map has not the right shape.
        """
        rows = ["".join(line.split()) for line in text.replace("/", "\n").splitlines()]
        rows = [row for row in rows if row]
        if sea_ is None:
            if not 7 <= len(rows) <= 14:
                raise NotationError(SAY("no.rows", rows=len(rows)))
            sea_ = sea(rows=len(rows))
        grid = sea_.grid
        if len(rows) != grid.rows or any(len(row) != grid.columns for row in rows):
            raise NotationError(SAY("wrong.map", rows=grid.rows, columns=grid.columns))
        marks = "".join(rows)
        if unknown := set(marks) - set(MARKS):
            raise NotationError(SAY("wrong.mark", mark=brief(min(unknown)), marks=" ".join(MARKS)))
        return cls(sea_, marks)

    def __str__(self) -> str:
        wide = self.sea.grid.columns
        return "\n".join(self.marks[i : i + wide] for i in range(0, len(self.marks), wide))

    def squares(self, marks: str) -> tuple[int, ...]:
        """The squares that bear one of these marks, in rising order."""
        return tuple(s for s, mark in enumerate(self.marks) if mark in marks)

    @property
    def hits_left(self) -> int:
        """How many squares of the enemy are still to be hit."""
        return self.sea.waters.squares - self.marks.count(HIT)

    @property
    def ahead(self) -> tuple[int, ...]:
        """The squares the helicopter in the air can go on to, in rising order (rule T7b)."""
        near = {n for s in self.flight for n in self.sea.grid.neighbours[s]}
        return tuple(s for s in sorted(near) if self.marks[s] == UNSEEN)

    @property
    def targets_left(self) -> tuple[int, ...]:
        """The targets of the missiles not seen yet, in rising order."""
        left = list(self.sea.targets)
        for mark in self.marks:
            if mark in MISSILES and MISSILES.index(mark) in left:
                left.remove(MISSILES.index(mark))
        return tuple(left)

    @property
    def submarines_left(self) -> int:
        """How many submarines have not been seen yet."""
        return self.sea.submarines - self.marks.count(SUBMARINE)
