"""What the sea holds at one moment: ships, boats, torpedoes, charges, markers, lights, and what is still to roll."""

from __future__ import annotations
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import IntEnum, StrEnum
from functools import cache, update_wrapper
from itertools import accumulate
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from navalkit.core.shown import OneLine
from navalkit.grids.hex import Hex
from navalkit.grids.hex_moves import Place

if TYPE_CHECKING:
    from dataclasses import replace as replace
else:

    def replace(old: S, /, **changes: Any) -> S:
        """``dataclasses.replace`` at a quarter of its time, for classes with slots that check nothing when made."""
        values, setters = _of(type(old))
        new = object.__new__(type(old))
        for put, value in zip(setters.values(), values(old), strict=True):
            put(new, value)
        for name, value in changes.items():
            setters[name](new, value)
        return new


# -- What makes the rules quicker and changes nothing in them: `replace` for states, and answers kept (`Latest`)

S = TypeVar("S")
T = TypeVar("T")


@cache
def _of(kind: type) -> tuple[Callable[[Any], tuple[Any, ...]], dict[str, Callable[[Any, Any], None]]]:
    names = [field.name for field in fields(kind)]
    return attrgetter(*names), {name: vars(kind)[name].__set__ for name in names}


class Latest(Generic[S, T]):
    """A function that answers for what it was asked about last without asking again. One action asks several times who
    moves next, and what she does, of one and the same state; a cache by value would spend more on the hash of a state
    than on the answer. What is equal is nearly always made of the same objects, and so is found equal at once."""

    def __init__(self, function: Callable[[S], T]) -> None:
        self._function = function
        self._kept: tuple[S, T] | None = None
        update_wrapper(self, function)

    def __call__(self, of: S) -> T:
        kept = self._kept  # one tuple, so that a second thread never pairs a state with another's answer
        if kept is None or (kept[0] is not of and kept[0] != of):
            kept = self._kept = of, self._function(of)
        return kept[1]


CAPTAIN, ESCORTS = 0, 1  # the players: the submarine's captain, and the escorts that move by rule


class Phase(IntEnum):
    """The ten steps of a turn, in order."""

    CONVOY = 1
    CAPITAL = 2
    ESCORTS = 3
    TORPEDOES = 4
    ATTACKS = 5
    SEARCH = 6
    GUNFIRE = 7
    BOATS = 8
    STAR_SHELLS = 9
    END = 10


class Role(StrEnum):
    """What a surface ship is for."""

    MERCHANT = "merchant"
    CAPITAL = "capital"
    ESCORT = "escort"


class MarkerKind(StrEnum):
    """What the escorts know of a boat, the strongest first (the order in which one marker replaces another)."""

    SURFACED = "surfaced"
    VISIBLE = "visible"
    CONTACT = "contact"
    TORPEDO = "torpedo"
    INVERTED = "inverted"


class Cause(StrEnum):
    """What made the escorts lay a marker. One that is turned over keeps its cause."""

    SEEN = "seen"
    SONAR = "sonar"
    RADAR = "radar"
    TORPEDOES = "torpedoes"
    GIVEN = "given"  # by the scenario, or supposed


class Marker(NamedTuple):
    """The one marker a boat may have on the board (104.1.3): what escorts steer by instead of the boat herself."""

    boat: str  # whose it is
    kind: MarkerKind
    place: Place  # Where it lies. A torpedo marker's bow is the hex where the torpedoes were launched.
    cause: Cause = Cause.GIVEN
    by: tuple[str, ...] = ()  # the ships that saw or found her, where it is known

    @property
    def target(self) -> Hex:
        """The target hex: one ahead of the marker's bow; for a torpedo marker its own hex (105.1.3)."""
        return self.place.bow if self.kind is MarkerKind.TORPEDO else self.place.ahead().bow


_CAUSES = {MarkerKind.SURFACED: Cause.SEEN, MarkerKind.VISIBLE: Cause.SEEN, MarkerKind.TORPEDO: Cause.TORPEDOES}


def laid(boat: str, kind: MarkerKind, place: Place) -> Marker:
    """A marker of which no more is known than its kind: one in sight was seen, the others may have any cause."""
    return Marker(boat, kind, place, _CAUSES.get(kind, Cause.GIVEN))


@dataclass(frozen=True, slots=True)
class Hunt:
    """What an escort is about, beyond where she lies."""

    boat: str = ""  # the boat whose marker she follows; "" in formation or on the way back to her station
    contact: tuple[str, ...] = ()  # boats she holds in sonar contact since the last search, in the order of their ids
    echoes: tuple[str, ...] = ()  # boats her radar found in the last search
    ring: int = 0  # radius of the circle she follows in diameter movement, 6 or 12; 0 if she is on none
    plan: tuple[Place, ...] = ()  # what is left of a manoeuvre of more than one turn (a Williamson turn)
    aim: Hex | None = None  # the target hex that manoeuvre was begun for; a new target hex ends it
    # the boat whose assault zone she has left this turn without contact (it makes a search "missed"), or ""
    cleared: str = ""
    ran: Hex | None = None  # the target hex whose assault zone she has run into and not yet turned back to (105.4.9)

    def found(self, boat: str) -> bool:
        """Whether she found a boat in the last search, by sonar or radar."""
        return boat in self.contact or boat in self.echoes


@dataclass(frozen=True, slots=True)
class Vessel:
    """A surface ship."""

    id: str  # "M1" ... merchants, "C1" ... capital ships, "E1" ... escorts
    role: Role
    type: str  # her row in data.toml
    place: Place
    speed: int  # hexes she moved last turn
    hits: int = 0  # torpedo hits taken
    stopped: bool = False  # dead in the water
    held: bool = False  # under way, but stopped by a ship dead in the water ahead (104.3.3)
    sunk: int = 0  # The turn she sank; 0 afloat. She leaves the sea in phase 10 of the turn after.
    torpedoed: int = 0  # the turn she was last torpedoed, 0 never: at night she lights the sea
    fuel: bool = False  # a tanker with aviation fuel
    station: str = ""  # an escort's letter and side ("A", "C port"); "" for others
    # her place in formation, as axial steps (q, r) from the fleet's guide; formations do not wheel
    offset: Hex = Hex(0, 0)
    hunt: Hunt = Hunt()
    charges: int = 0  # one-ton charges left aboard (51.5.1); other weapons are unlimited (102.5)


class Tube(NamedTuple):
    """A torpedo tube: at the "bow" or "stern", what is in it ("" empty), and in how many turns it is ready (0 now)."""

    end: str
    torpedo: str
    ready: int = 0


@dataclass(frozen=True, slots=True)
class Boat:
    """A submarine."""

    id: str  # "S1", "S2", "S3"
    type: str  # her row in data.toml
    place: Place
    depth: int  # feet, a multiple of 25; 0 is surfaced
    speed: int  # hexes she moved last turn
    hull: int  # points left
    tubes: tuple[Tube, ...] = ()  # bow tubes first
    reloads: tuple[tuple[str, int], ...] = ()  # torpedoes still in the racks, by type
    sunk: int = 0  # the turn she sank; 0 afloat
    away: int = 0  # the turn she left the map, 0 if she has not

    @property
    def active(self) -> bool:
        """Whether she is still in play."""
        return not (self.sunk or self.away)


class Torpedo(NamedTuple):
    """A torpedo under way: ``run`` hexes behind it, ``met`` the ships it has already been rolled for."""

    id: str
    type: str
    boat: str
    at: Hex
    direction: int
    run: int = 0
    met: tuple[str, ...] = ()


class Charge(NamedTuple):
    """An attack marked on a hex in phase 3, resolved in phase 5: what, by whom, where."""

    weapon: str
    escort: str
    at: Hex


class Light(NamedTuple):
    """Daylight at night: within ``radius`` hexes of ``at``, up to and with the turn ``until``."""

    at: Hex
    radius: int
    until: int


class Fleet(NamedTuple):
    """What moves in unison: the guide (a place that is no ship), the table's row, and whether in emergency."""

    guide: Place  # every station is an offset from its bow hex; its direction is the formation's course
    row: str  # row of the Fleet Movement Table: "slow 1", "slow 2", "fast 2", "fast 3"
    die: int = 0  # the last fleet die, 0 before the first
    emergency: bool = False  # capital ships flee (104.4.2)
    base: int = 0  # the base course to which the fleet returns (B1); 0 for none


class Task(NamedTuple):
    """One thing still to be rolled in this phase."""

    kind: str  # "fleet", "ram", "torpedo", "stop", "depth", "damage", "sonar", "radar", "gun", "crush" ...
    actor: str = ""  # who rolls: a ship's, boat's or torpedo's id
    target: str = ""  # against whom, or ""
    at: Hex | None = None
    # what else the roll depends on, by kind (a weapon, an error in depth, hexes left to run ...)
    detail: tuple[str | int, ...] = ()

    def __str__(self) -> str:
        actor, target = (f" {self.actor}" if self.actor else ""), (f" against {self.target}" if self.target else "")
        detail = f" ({', '.join(map(str, self.detail))})" if self.detail else ""
        return f"{self.kind}{actor}{target}" + (f" at {self.at}" if self.at else "") + detail


class Score(NamedTuple):
    """Victory points won or lost: for a ship "sunk", a boat "lost", or a boat "away"."""

    kind: str
    of: str
    value: int


@dataclass(frozen=True, slots=True, repr=False)
class State(OneLine):
    """One moment of a hunt."""

    turn: int  # from 1
    phase: Phase
    fleet: Fleet
    # all of them, those sunk and gone left out; merchants, capital ships, escorts, each by number
    vessels: tuple[Vessel, ...]
    boats: tuple[Boat, ...]  # all of them, those sunk and away too
    torpedoes: tuple[Torpedo, ...] = ()  # under way
    charges: tuple[Charge, ...] = ()  # marked in phase 3 of this turn
    markers: tuple[Marker, ...] = ()  # at most one a boat, in the boats' order
    lights: tuple[Light, ...] = ()  # star shells and burning ships
    todo: tuple[Task, ...] = ()  # rolls still to come in this phase, the first next
    moved: tuple[str, ...] = ()  # ids of those that have moved in this phase
    points: tuple[Score, ...] = ()  # victory points won and lost so far
    launched: int = 0  # torpedoes launched so far, to number them
    last_run: tuple[str, ...] = ()  # escorts that have made their run of the prolonged attack (mode 7)
    over: bool = False  # nothing is left to do
    found: tuple[str, ...] = ()  # boats that have had a marker at some time
    package: str = "advanced"  # the rules in play (101.2): "basic", "optional" or "advanced"
    year: int = 1943  # of the hunt: what escorts and boats carry depends on it

    def vessel(self, id: str) -> Vessel:
        """The surface ship of that id (KeyError if there is none)."""
        for vessel in self.vessels:
            if vessel.id == id:
                return vessel
        raise KeyError(id)

    def boat(self, id: str) -> Boat:
        """The submarine of that id (KeyError if there is none)."""
        for boat in self.boats:
            if boat.id == id:
                return boat
        raise KeyError(id)

    def marker(self, boat: str) -> Marker | None:
        """The marker of a boat, if it has one."""
        return next((marker for marker in self.markers if marker.boat == boat), None)

    @property
    def escorts(self) -> tuple[Vessel, ...]:
        """The escorts afloat."""
        return tuple(v for v in self.vessels if v.role is Role.ESCORT and not v.sunk)

    def with_vessel(self, vessel: Vessel) -> State:
        """The same with one ship changed (found by her id)."""
        return replace(self, vessels=tuple(vessel if v.id == vessel.id else v for v in self.vessels))

    def with_boat(self, boat: Boat) -> State:
        """The same with one boat changed (found by her id)."""
        return replace(self, boats=tuple(boat if b.id == boat.id else b for b in self.boats))

    def with_marker(self, marker: Marker) -> State:
        """The same with a boat's marker set in place of the one she had (104.1.3)."""
        return replace(self, markers=tuple(sorted((*(m for m in self.markers if m.boat != marker.boat), marker))))

    def without_marker(self, boat: str) -> State:
        """The same without the marker of a boat."""
        return replace(self, markers=tuple(m for m in self.markers if m.boat != boat))


# -- What can be done: a boat's order, an escort's prescribed move, and what chance gives ----------

class Roll(NamedTuple):
    """What chance gave for the first of ``State.todo``: a word or a number, by the kind of task."""

    task: Task
    result: str | int

    def __str__(self) -> str:
        return f"roll {self.task} = {self.result}"


class EscortMove(NamedTuple):
    """An escort's prescribed move: the places she enters, one a hex, and the charges she marks."""

    escort: str
    path: tuple[Place, ...]
    charges: tuple[Charge, ...] = ()

    def __str__(self) -> str:
        way = " to " + " ".join(f"{place.bow}/{place.direction}" for place in self.path) if self.path else " stays"
        return f"{self.escort}{way}" + "".join(f", {charge.weapon} on {charge.at}" for charge in self.charges)


class Shot(NamedTuple):
    """Torpedoes launched together: ``number`` of one ``type`` ("" whatever is loaded) on one course."""

    number: int
    direction: int
    type: str = ""

    def __str__(self) -> str:
        return f"fire {self.number}{self.type and ' ' + self.type} at {self.direction}"


class Order(NamedTuple):
    """What a captain orders a boat in phase 8; what she fires leaves her after the move, at the new depth."""

    boat: str
    turns: tuple[int, ...] = ()  # one for each hex she enters: the turn before it, -1 to port, 1 to starboard
    depth: int | None = None  # feet; None to keep it
    shots: tuple[Shot, ...] = ()

    def path(self, place: Place) -> tuple[Place, ...]:
        """The places she enters from ``place``."""
        return tuple(accumulate(self.turns, Place.entering, initial=place))[1:]

    def __str__(self) -> str:
        legs: list[tuple[int, int]] = []  # (turn, hexes)
        for turn in self.turns:
            if turn or not legs:
                legs.append((turn, 1))
            else:
                legs[-1] = (legs[-1][0], legs[-1][1] + 1)
        words = [f"{_LEGS[turn]} {hexes}" if hexes > 1 or not turn else _LEGS[turn] for turn, hexes in legs]
        depth = [] if self.depth is None else [f"depth {self.depth}"]
        return ", ".join([" ".join([self.boat, *words]), *depth, *map(str, self.shots)])


_LEGS = {-1: "port", 0: "ahead", 1: "starboard"}
