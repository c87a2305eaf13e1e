"""Fleet Action: what boats and those who hunt them add to the state, and their orders and dice (rules F41 to F53)."""

from __future__ import annotations
from dataclasses import dataclass
from enum import StrEnum

from navalkit.core.codec import written_as


class Depth(StrEnum):
    """How deep a boat is (rule F41)."""

    SURFACE = "surface"
    PERISCOPE = "periscope"
    DEEP = "deep"


DEPTHS = tuple(Depth)


@dataclass(frozen=True, slots=True)
class Hunt:
    """A hunter's search of a square in this move (rules F50 to F52)."""

    ship: int
    square: int
    heard: int = -1  # 1 for contact, 0 for nothing, -1 before the die is thrown
    oil: int = -1  # sixes of what she then threw, -1 before
    telling: int = 0  # those that broke the boat


@dataclass(frozen=True, slots=True)
class Search:
    """A search that heard nothing: what a side may remember of where a boat is not (rule F50)."""

    move: int
    ship: int
    square: int
    need: int  # the lowest die that would have made contact


@written_as("{ship}: reload {number}")
class Load:
    """A boat loads a torpedo set, numbered from 1, from her spares (rule F45)."""

    ship: str
    number: int


@written_as("{ship}: hunt {square}")
class Seek:
    """A hunter listens for a dived boat in a square (rule F50)."""

    ship: str
    square: str


@written_as("{ship}: periscope {result}")
class Periscope:
    """Chance: whether any of the ships near a boat sees her periscope: seen or unseen (rule F44)."""

    ship: str
    result: str


@written_as("{ship}: hunt {square} {result}")
class Contact:
    """Chance: whether a hunter hears a boat: contact or nothing (rule F50)."""

    ship: str
    square: str
    result: str


@written_as("{ship}: charges {square} oil {oil} telling {telling}")
class Charges:
    """Chance: the sixes of a pattern of charges, or of what is thrown ahead, and those of them that tell (F51, F52)."""

    ship: str
    square: str
    oil: int
    telling: int


# Flights --------------------------------------------------------------------------------------------------------

class Place(StrEnum):
    """Where a flight is (rules F54, F57)."""

    BELOW = "below"  # in its carrier, ship or airfield
    RANGED = "ranged"  # on deck
    ALOFT = "aloft"
    COMING = "coming"  # on its way from over the horizon, or to be called
    HOME = "home"  # back over the horizon
    LOST = "lost"


class Duty(StrEnum):
    """What a flight does (rules F56, F61, F65)."""

    NONE = "none"
    PATROL = "patrol"
    ATTACK = "attack"


@dataclass(frozen=True, slots=True)
class Flight:
    """What changes about a flight."""

    count: int  # aircraft left
    place: Place = Place.BELOW
    square: int = -1  # where it is aloft; the board's `OFF` if it is not
    came: int = -1  # the square from which it flew there in this move
    moves: int = 0  # moves that it can stay aloft
    ready: int = 0  # the move from which it can be ranged, or launched once ranged; in which it comes onto the board
    duty: Duty = Duty.NONE
    mark: int = -1  # the ship that it guards or attacks
    acted: bool = False  # whether it has its order for this move
    loaded: bool = True
    shown: bool = False  # whether the enemy has seen what it is (rule F58)
    lost: int = 0  # aircraft lost


@dataclass(frozen=True, slots=True)
class Fight:
    """What the aircraft of one flight do to another's (rule F64)."""

    flight: int
    other: int
    dice: int
    need: int
    down: int = -1  # aircraft hit; -1 before the dice


@dataclass(frozen=True, slots=True)
class Raid:
    """A flight's attack: what the guns did to it, and what it dropped (rules F62 to F67)."""

    flight: int
    target: int
    off: int = -1  # aircraft broken off, -1 before the guns' dice
    dive: int = -1  # a surfaced boat's die to be under in time
    hits: int = -1  # -1 before it drops
    telling: int = 0


@written_as("{ship}: range {flight}")
class Range:
    """A carrier ranges a flight on deck (rule F55)."""

    ship: str
    flight: str


@written_as("{flight}: launch")
class Launch:
    """A flight is launched, or called from over the horizon (rules F55, F57)."""

    flight: str


@written_as("{flight}: {square}")
class Fly:
    """A flight goes to a square (rule F56)."""

    flight: str
    square: str


@written_as("{flight}: patrol {target}")
class Patrol:
    """Fighters patrol over a ship (rule F61)."""

    flight: str
    target: str


@written_as("{flight}: attack {target}")
class Attack:
    """A flight attacks a ship; fighters escort those that do (rule F65)."""

    flight: str
    target: str


@written_as("{flight}: land {base}")
class Land:
    """A flight lands, or leaves for its base over the horizon: "home" (rules F55, F57)."""

    flight: str
    base: str


@written_as("{flight}: fight {other} down {down}")
class Down:
    """Chance: aircraft that a flight hits in a fight (rule F64)."""

    flight: str
    other: str
    down: int


@written_as("{ship}: fire at {flight} off {off} lost {lost}")
class Flak:
    """Chance: aircraft that guns break off, and those of them that are lost (rule F63)."""

    ship: str
    flight: str
    off: int
    lost: int


@written_as("{ship}: crash dive {pips}")
class CrashDive:
    """Chance: a surfaced boat's die to be under in time (rule F53)."""

    ship: str
    pips: int


@written_as("{flight}: at {target} hits {hits} telling {telling}")
class Bombs:
    """Chance: the hits of a flight, and those of them that tell (rule F66)."""

    flight: str
    target: str
    hits: int
    telling: int
