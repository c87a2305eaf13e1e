"""What guns, torpedoes and ships are: the values of the tables, and the open formulas that rate them.

Bearings relative to a ship are eighth-turns clockwise from her heading: 0 right ahead, 2 on the starboard beam, 4
right astern, 6 on the port beam. Each stands for the sector of 45 degrees about it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

YARDS_A_SQUARE = 5000
POUNDS_A_POINT = 100
BATTERIES = ("main", "secondary")

ARCS = MappingProxyType(
    {
        "forward": frozenset({0, 1, 2, 3, 5, 6, 7}),
        "aft": frozenset({1, 2, 3, 4, 5, 6, 7}),
        "port": frozenset({5, 6, 7}),
        "starboard": frozenset({1, 2, 3}),
        "amidships": frozenset({1, 2, 3, 5, 6, 7}),
    }
)
"""Arc -> the relative bearings it covers. Ruling: the superstructure masks a fore turret right astern only and an
after turret right ahead only; guns amidships bear on both sides but neither ahead nor astern, wing guns on their own
side of that."""


def nearest(value: int, unit: int) -> int:
    """How often ``unit`` goes into ``value``, to the nearest whole number (halves up), and at least 1."""
    return max(1, (2 * value + unit) // (2 * unit))


@dataclass(frozen=True, slots=True)
class Gun:
    """A kind of gun."""

    name: str
    calibre_in: float  # bore in inches
    shell_lb: int  # weight of its shell in pounds
    range_yd: int  # greatest range in yards
    firings: int  # firings a move, 1 to 4
    source: str  # where the figures are from

    @property
    def range(self) -> int:
        """Greatest range in squares."""
        return nearest(self.range_yd, YARDS_A_SQUARE)

    @property
    def damage(self) -> int:
        """Damage of one hit in points."""
        return nearest(self.shell_lb, POUNDS_A_POINT)

    def mean_damage(self, range: int) -> Fraction:
        """Mean damage points of one gun in a move, all firings at one target that many squares off."""
        if range > self.range:
            return Fraction(0)
        first = Fraction(2 if range < self.range else 1, 6)
        return self.damage * (first + Fraction(self.firings - 1, 2))


@dataclass(frozen=True, slots=True)
class Torpedo:
    """A kind of torpedo: range in yards, damage of one hit in points."""

    name: str
    range_yd: int
    damage: int
    source: str

    @property
    def range(self) -> int:
        """Greatest range in squares of 5,000 yards."""
        return self.squares(YARDS_A_SQUARE)

    def squares(self, yards: int) -> int:
        """Greatest range where a square is that many yards of its run (rule F17); it reaches the next square."""
        return max(1, nearest(self.range_yd, yards))


@dataclass(frozen=True, slots=True)
class Mount:
    """The guns of one kind that share an arc of fire."""

    gun: str  # name of the `Gun`
    guns: int  # how many
    arc: str  # "forward", "aft", "port", "starboard" or "amidships"
    battery: str  # "main" or "secondary"

    def bears(self, relative: int) -> bool:
        """Whether they bear on a target ``relative`` eighth-turns clockwise from the ship's heading."""
        return relative % 8 in ARCS[self.arc]


@dataclass(frozen=True, slots=True)
class TorpedoSet:
    """Torpedo tubes that are fired together at one target."""

    kind: str
    tubes: int


@dataclass(frozen=True, slots=True)
class ShipCard:
    """All that is known of a ship before the action."""

    name: str
    ship_class: str
    nation: str
    year: int  # the year the figures stand for
    type: str  # "battleship", "destroyer" ...: one of ``TABLES.types``
    displacement: int  # tons
    speed: float  # knots
    armour: str  # a note on her protection
    mounts: tuple[Mount, ...]
    torpedoes: tuple[TorpedoSet, ...]
    mines: int  # mines aboard
    aircraft: int  # aircraft aboard
    anti_aircraft: int  # anti-aircraft rating, 0 to 10
    sinking_rate: int  # more damage points than this sink her
    source: str  # where the figures are from
    protection: str = ""  # the grade her sinking rate was calculated with, or "" if it was given outright

    @property
    def main_guns(self) -> int:
        """How many guns her main battery has."""
        return sum(mount.guns for mount in self.mounts if mount.battery == "main")


def allowance(knots: float) -> tuple[int, int]:
    """Squares a ship of that speed goes in a short and in a long move.

    Ruling: half a square a move for every 4 knots and half a square more, so that 16 to 19 knots are 2 squares and 3;
    never more than 5 squares. A ship of no speed stays where she is.
    """
    if knots <= 0:
        return 0, 0
    halves = min(int(knots // 4) + 1, 10)
    return halves // 2, halves - halves // 2


def quarters(damage: int, sinking_rate: int) -> int:
    """How many full quarters of the sinking rate the damage makes up, 0 to 4 (ruling)."""
    return min(4, 4 * damage // sinking_rate)


def guns_out(guns: int, quarters: int) -> int:
    """How many main guns are out after 0 to 4 full quarters of damage: to the nearest gun, halves up."""
    return (2 * guns * quarters + 4) // 8
