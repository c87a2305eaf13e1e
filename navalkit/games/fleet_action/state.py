"""Fleet Action: what the state of a battle is made of, and the actions.

Ships are numbered as in the scenario's order of battle, squares as on its grid, headings as in
`navalkit.grids.square`. What never changes during a battle (cards, islands, objectives) is in the `Scenario`.
"""

from __future__ import annotations
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from navalkit.core.codec import written_as
from navalkit.core.shown import OneLine
from navalkit.core.words import Event
from navalkit.grids.square import SquareGrid, quarter
from .cards import TABLES, YARDS_A_SQUARE, Gun, ShipCard
from .craft import (
    Attack,
    Bombs,
    Charges,
    Contact,
    CrashDive,
    Depth,
    Down,
    Fight,
    Flak,
    Flight,
    Fly,
    Hunt,
    Land,
    Launch,
    Load,
    Patrol,
    Periscope,
    Place,
    Raid,
    Range,
    Search,
    Seek,
)
from .planes import Aircraft

SIDES = ("blue", "red")
ENDS = ("points", *SIDES, "both", "moves")
"""What ends a battle (rule F37): the points agreed upon, that a side has nothing left, or both, or the last move."""
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
    FLY = "fly"  # `State.side` orders its flights
    SEEN = "seen"  # chance: whether a boat's periscope is seen
    FIRE = "fire"  # `State.side` orders her fire
    RAID = "raid"  # chance: fighters, guns at aircraft, bombs and torpedoes from the air
    SALVO = "salvo"  # chance: the hits of the next salvo
    HUNT = "hunt"  # chance: whether a hunter hears a boat, and what her charges do
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
    # of boats and their hunters (rules F41 to F53)
    depth: Depth = Depth.SURFACE
    battery: int = 0  # squares she can go dived
    spares: int = 0  # torpedoes besides those in her tubes
    loading: int = -1  # the torpedo set, from 0, that she loads in this move
    still: bool = False  # whether she has gone up or down two levels in this move, and does nothing else
    announced: bool = False  # whether the enemy knows the square of a dived boat until the move ends (rule F43)
    heard: bool = False  # whether a hunter has had contact with her in this move
    oil: bool = False  # whether she leaves oil in the move that comes
    patterns: int = 0  # patterns of charges aboard a hunter
    went: int = 0  # squares she has gone in this move, where it matters
    # of carriers and what aircraft do (rules F54 to F67)
    turned: bool = False  # whether she has not gone straight ahead in this move
    launched: int = 0  # flights she has launched in this move
    landed: int = 0
    screws: bool = False  # whether her screws are wrecked

    @property
    def dived(self) -> bool:
        return self.depth is not Depth.SURFACE

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
    ended: str = ""  # by what of `ENDS`, once it is over; positions written before that was kept do not say
    looked: int = 0  # boats whose periscope dice have been thrown in this move
    hunts: tuple[Hunt, ...] = ()  # the searches ordered in this move; vain ones are known to the hunters' side alone
    fouled: tuple[int, ...] = ()  # squares in which charges have spoilt the hearing in this move
    flights: tuple[Flight, ...] = ()
    fights: tuple[Fight, ...] = ()  # of this move's raids
    raids: tuple[Raid, ...] = ()
    searched: tuple[Search, ...] = ()  # in vain, each known to the searcher's side alone


Step = tuple[State, tuple[Event, ...]]  # a state, and what happened on the way to it


def with_ship(state: State, ship: int, **changes: Any) -> State:
    """The state with one ship changed."""
    ships = list(state.ships)
    ships[ship] = replace(ships[ship], **changes)
    return replace(state, ships=tuple(ships))


def with_flight(state: State, flight: int, **changes: Any) -> State:
    """The state with one flight changed."""
    flights = list(state.flights)
    flights[flight] = replace(flights[flight], **changes)
    return replace(state, flights=tuple(flights))


# Orders ---------------------------------------------------------------------------------------------------------

@dataclass(frozen=True, slots=True)
class Move:
    """A ship, or all unmoved ships of a division in formation, goes to a square and heading (rules F5 to F11). For a
    division the square is that of its guide, its first ship that has not moved. ``spent`` checks the way: if given, the
    way must take exactly that many squares. ``depth``: to which a boat changes before she goes, "" if she does not."""

    who: str
    square: str
    heading: str
    spent: int | None = field(default=None, compare=False)
    depth: str = ""

    def __str__(self) -> str:
        spent = "" if self.spent is None else f" {self.spent}"
        return f"{self.who}: {self.square} {self.heading}{spent}{' ' * bool(self.depth)}{self.depth}"


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


Order = Move | Lay | Sweep | Reload | Load | Leave | Guns | Torpedoes | Seek | Turret | Done
FlightOrder = Range | Launch | Fly | Patrol | Attack | Land
AirDice = Down | Flak | CrashDive | Bombs
Action = Order | FlightOrder | First | Weather | Enter | Mine | Periscope | Hits | Contact | Charges | AirDice


# -- What never changes during a battle: the board, who is on it, and what the sides are after -----

DAYLIGHT = ("day", "night", "dawn", "dusk")
"""Daylight throughout, night throughout, or which of day and night begins (rule F31)."""
AIMS = ("sink", "damage", "exit", "island", "survive", "aircraft")


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
class Squadron:
    """A flight of the order of battle (rule F54)."""

    name: str
    plane: Aircraft
    side: int
    base: int  # the ship it belongs to; -1 if it comes from over the horizon
    count: int
    level: bool = False  # whether it carries bombs for level bombing
    ranged: bool = False  # whether it begins on deck
    enters: int = 0  # the move in which it comes from over the horizon
    call: int = 0  # moves it takes to come when it is called; 0 if it cannot be
    entry: tuple[int, ...] = ()  # squares of the edge at which it comes, and leaves

    @property
    def fighter(self) -> bool:
        return "fighter" in self.plane.roles

    @property
    def armed(self) -> bool:
        """Whether it has anything to drop."""
        return bool(self.plane.bombs if self.level else self.plane.weapon)

    @property
    def drops(self) -> tuple[str, int, bool]:
        """Weapon, damage points of a hit, and whether it pierces armour."""
        return self.plane.drops(self.level)

    def start(self) -> Flight:
        place = Place.COMING if self.enters else Place.RANGED if self.ranged else Place.BELOW
        return Flight(self.count, place, ready=self.enters)


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
    depth: Depth = Depth.SURFACE  # how deep a boat begins
    damage: int = 0  # damage she begins with


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
    exit_names: tuple[str, str] = ("", "")  # what the place where each side may leave is called
    empty_tubes: bool = False  # whether no torpedo is loaded at the start: a battle of guns (rule F17)
    alternate: bool = True  # whether the first move alternates (an option)
    choose: bool = True  # whether owners choose their turrets (an option)
    flights: tuple[Squadron, ...] = ()
    wide: bool = False  # whether ships out of sight do not even show as discs (rule F58)

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
    def boats(self) -> tuple[int, ...]:
        """The numbers of the submarines of both sides."""
        return tuple(number for number, unit in enumerate(self.units) if unit.card.boat)

    @cached_property
    def wings(self) -> Mapping[str, int]:
        """Flight's name -> its number."""
        return {squadron.name: number for number, squadron in enumerate(self.flights)}

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
        return State(Phase.FIRST, ships=ships, fields=fields, islands=(Hold(),) * len(self.islands),
                     flights=tuple(squadron.start() for squadron in self.flights))


PATTERNS = 6  # of charges aboard a hunter


def _ship(unit: Unit, armed: bool) -> Ship:
    card = unit.card
    kept: dict[str, Any] = dict(heading=unit.heading, out=(0,) * len(card.mounts), damage=unit.damage,
                                loaded=armed * ((1 << len(card.torpedoes)) - 1), mines=card.mines, depth=unit.depth,
                                battery=card.battery, spares=card.spares, patterns=PATTERNS * bool(card.gear))
    return Ship(fate=Fate.WAITING, **kept) if unit.enters else Ship(unit.square, **kept)
