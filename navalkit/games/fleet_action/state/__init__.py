"""Fleet Action: what the state of a battle is made of, and the actions.

Ships are numbered as in the scenario's order of battle, squares as on its grid, headings as in
`navalkit.grids.square_headings`. What never changes during a battle (cards, islands, objectives) is in the `Scenario`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, NamedTuple

from navalkit.core.event import Event
from navalkit.core.notation import written_as
from navalkit.core.shown import OneLine

SIDES = ("blue", "red")
OFF = -1  # the square of a ship that is not on the board
HIDDEN = -2  # in an observation: the square of an enemy ship whose place is not known
MINES_A_SQUARE = 10


class Phase(StrEnum):
    """What comes next."""

    FIRST = "first"  # chance: who moves first
    WEATHER = "weather"  # chance: a die for the next zone
    ENTRY = "entry"  # chance: where a ship comes onto the board
    MOVE = "move"  # `State.side` moves
    MINES = "mines"  # chance: two dice for a ship on a mined square
    FIRE = "fire"  # `State.side` orders her fire
    SALVO = "salvo"  # chance: the hits of the next salvo
    TURRETS = "turrets"  # `State.side` chooses a turret that is out of action
    END = "end"


class Fate(StrEnum):
    """Where a ship is."""

    WAITING = "waiting"  # comes onto the board later
    AT_SEA = "at sea"
    SUNK = "sunk"
    LEFT = "left"  # has left the board by an exit


class Task(StrEnum):
    """What a ship has done in the movement of this move."""

    NONE = "none"
    MOVE = "move"
    LAY = "lay"
    SWEEP = "sweep"
    RELOAD = "reload"


@dataclass(frozen=True, slots=True)
class Told:
    """What the enemy last knew of a ship that has since been repaired, or has taken on torpedoes, unseen."""

    damage: int
    out: tuple[int, ...]
    loaded: int


@dataclass(frozen=True, slots=True)
class Sighting:
    """Where the enemy last knew a ship that he has lost from sight."""

    square: int
    heading: int
    moves: int  # how many moves she had made by then


@dataclass(frozen=True, slots=True)
class Ship:
    """What changes about a ship."""

    square: int = OFF  # `OFF` if she is not on the board
    heading: int = 0
    damage: int = 0  # damage points
    out: tuple[int, ...] = ()  # guns out of action in each mount of her card
    loaded: int = 0  # bit n is set while torpedo set n (from 0) is loaded
    mines: int = 0  # mines aboard
    fate: Fate = Fate.AT_SEA
    task: Task = Task.NONE  # what she has done in this move
    # the squares she entered in this move; of a sunk ship the one where she lies, if both sides saw her sink
    wake: tuple[int, ...] = ()
    fired: bool = False  # whether she has fired in this move
    # whether the enemy knows her for this move: she fired in the last, or has struck a mine (rules F32, F25)
    marked: bool = False
    # what the enemy takes for her damage, guns and torpedoes, if that is no longer so (rule F40)
    told: Told | None = None
    # where the enemy last knew her, while he does not know where she is (rule F40); None if he never did
    seen: Sighting | None = None

    @property
    def wreck(self) -> int:
        """The square of a sunk ship's wreck; `OFF` if there is none, or nobody saw it."""
        return self.wake[-1] if self.fate is Fate.SUNK and self.wake else OFF


@dataclass(frozen=True, slots=True)
class Minefield:
    """A mined square."""

    square: int
    side: int  # whose mines they are
    left: int = 10  # how many ships may still strike them before they are used up
    swept: int = 0  # half moves of sweeping done, of two
    known: bool = False  # whether the other side knows of it


@dataclass(frozen=True, slots=True)
class Shot:
    """One firing of a ship's guns of one kind, or of a torpedo set."""

    ship: int
    target: int
    torpedo: bool
    number: int  # which of her weapons (see `gunnery.weapons`), or which torpedo set, from 0
    firing: int = 1  # which firing of these guns in this move, from 1; 1 for torpedoes
    hits: int = -1  # -1 until the dice are thrown


class Struck(NamedTuple):
    """A ship on a mined square."""

    ship: int
    square: int


@dataclass(frozen=True, slots=True)
class Hold:
    """An island: its owner (-1 nobody), and the ships that lay next to it, undisturbed, at the end of the last move."""

    owner: int = -1
    claims: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class State(OneLine):
    """A battle at one moment, with all that is hidden."""

    phase: Phase
    move: int = 1  # the game move, from 1
    side: int = 0  # who decides, where a side does
    first: int = 0  # the side that moves first in this move
    weather: tuple[int, ...] = ()  # the dice of the four zones as far as they are thrown; empty if there is no weather
    ships: tuple[Ship, ...] = ()
    fields: tuple[Minefield, ...] = ()
    mined: tuple[Struck, ...] = ()  # mine dice that are due, in order
    shots: tuple[Shot, ...] = ()  # the fire ordered in this move; the other side's is hidden until both have ordered
    islands: tuple[Hold, ...] = ()
    result: str = ""  # "blue", "red" or "draw" once that is decided


Step = tuple[State, tuple[Event, ...]]  # a state, and what happened on the way to it


def with_ship(state: State, ship: int, **changes: Any) -> State:
    """The state with one ship changed."""
    ships = list(state.ships)
    ships[ship] = replace(ships[ship], **changes)
    return replace(state, ships=tuple(ships))


# Orders ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Move:
    """A ship, or all unmoved ships of a division in formation, goes to a square and heading (rules F5 to F11).

    For a division the square is that of its guide, its first ship that has not moved. ``spent`` checks the way: if
    given, the way must take exactly that many squares.
    """

    who: str
    square: str
    heading: str
    spent: int | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{self.who}: {self.square} {self.heading}" + (f" {self.spent}" if self.spent is not None else "")


@written_as("{ship}: lay mines {squares}")
class Lay:
    """A ship sows her own square, or the last ``squares`` squares of her way (rule F23)."""

    ship: str
    squares: int = 1


@written_as("{ship}: sweep")
class Sweep:
    """A minesweeper stays and sweeps her square (rule F26)."""

    ship: str


@written_as("{ship}: reload")
class Reload:
    """A ship beside a depot ship takes on torpedoes (rule F21)."""

    ship: str


@written_as("{ship}: leave")
class Leave:
    """A ship leaves the board by her exit (rule F12)."""

    ship: str


@dataclass(frozen=True, slots=True)
class Guns:
    """A ship fires the guns of one battery, or (``battery`` empty) of all, once or as often as she can (rule F15)."""

    ship: str
    target: str
    battery: str = ""
    once: bool = False

    def __str__(self) -> str:
        words = ("guns", self.battery, "once" if self.once else "", self.target)
        return f"{self.ship}: {' '.join(filter(None, words))}"


@written_as("{ship}: torpedoes {number} {target}")
class Torpedoes:
    """A ship fires a torpedo set, numbered from 1 (rule F17)."""

    ship: str
    number: int
    target: str


@written_as("{ship}: turret {mount} out")
class Turret:
    """The owner says which mount, numbered from 1 as on the card, loses guns (rule F20)."""

    ship: str
    mount: int


@written_as("done")
class Done:
    """The side has no more orders in this phase."""


# Chance ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class First:
    """Chance: who moves first (rule F2)."""

    side: int

    def __str__(self) -> str:
        return f"first {SIDES[self.side]}"


@written_as("weather {zone} {pips}")
class Weather:
    """Chance: the die of a zone, numbered from 1 (rule F28)."""

    zone: int
    pips: int


@written_as("{ship}: enter {square}")
class Enter:
    """Chance: where a ship comes onto the board (rule F34)."""

    ship: str
    square: str


@written_as("{ship}: mine {square} {pips}")
class Mine:
    """Chance: two dice for a ship on a mined square; 12 is a miss (rule F24)."""

    ship: str
    square: str
    pips: int


@dataclass(frozen=True, slots=True)
class Hits:
    """Chance: the hits of a salvo: of firing ``firing`` of weapon ``number``, or of torpedo set ``number``."""

    ship: str
    torpedo: bool
    number: int
    firing: int
    target: str
    hits: int

    def __str__(self) -> str:
        what = f"torpedoes {self.number}" if self.torpedo else f"salvo {self.number}.{self.firing}"
        return f"{self.ship}: {what} at {self.target} hits {self.hits}"


Order = Move | Lay | Sweep | Reload | Leave | Guns | Torpedoes | Turret | Done
Action = Order | First | Weather | Enter | Mine | Hits
