"""Task Force: what the state of a game is made of, what the player sees of it, and the actions.

The state alone holds the hidden fleet. An `Observation` is made from the scratched squares and from our own ships,
and is all that a bot, a page or the odds ever get.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from navalkit.core.echo import brief
from navalkit.core.errors import NotationError
from navalkit.core.notation import written_as
from navalkit.core.shown import OneLine

from .say import SAY
from .sea import OWN, Missiles, Sea, Ships, sea

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
