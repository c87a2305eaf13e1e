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
