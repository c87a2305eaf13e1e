"""Flat-topped hexes: labels, directions, distances, rings, lines, cones, all but bearings in whole numbers.

A hex is stored in axial coordinates: ``q`` counts columns to the right of column A, ``r`` counts hexes down
the column, measured along the slanting row that runs SE. In them the six steps are the same everywhere,
whereas a label's row depends on its column: columns B, D, F ... lie half a hex lower than A, C, E ... (the
sources fit either choice; this is the usual one of printed boards). Directions run clockwise: 1 NE, 2 SE, 3
S, 4 SW, 5 NW, 6 N, so that direction d bears 60 d degrees, and d - 1 lies to port of d.
"""

from __future__ import annotations

import re
from collections.abc import Set
from math import atan2, degrees, sqrt
from typing import Literal, NamedTuple, TypeAlias

from navalkit.core.echo import brief
from navalkit.core.errors import IllegalActionError, NotationError
from navalkit.core.language.say import SAY

DIRECTIONS = (1, 2, 3, 4, 5, 6)
STEPS = {1: (1, -1), 2: (1, 0), 3: (0, 1), 4: (-1, 1), 5: (-1, 0), 6: (0, -1)}
_LABEL = re.compile(r"(-?)([A-Z]{1,4})(-?[0-9]{1,6})")

Side: TypeAlias = Literal["port", "starboard"]


def turned(direction: int, turns: int) -> int:
    """The direction ``turns`` steps of 60 degrees to starboard (to port if negative) of ``direction``."""
    return (direction - 1 + turns) % 6 + 1


def opposite(direction: int) -> int:
    """The direction 180 degrees from ``direction``."""
    return (direction + 2) % 6 + 1


def turn_between(old: int, new: int) -> int:
    """Turns of 60 degrees from one direction to another: -2 to 3, negative to port, 3 for 180 degrees."""
    return (new - old + 2) % 6 - 2


def side_sign(side: Side) -> int:
    """-1 for "port", 1 for "starboard", as in ``turned``; anything else is an ``IllegalActionError``."""
    if side not in ("port", "starboard"):
        raise IllegalActionError(SAY("hex.side", side=brief(side)))
    return -1 if side == "port" else 1


_new = tuple.__new__
"""What ``Hex(q, r)`` comes to, at half the time: the rules make hexes by the hundred thousand."""


class Hex(NamedTuple):
    """One hex of an unbounded sea: a value to compare, hash and sort (by column, then downward).

    Parameters
    ----------
    q, r : int
        Axial coordinates; A1 is (0, 0). Make hexes with ``Hex.parse`` or ``Hex.at`` unless you mean these.
    """

    q: int
    r: int

    @classmethod
    def at(cls, column: int, row: int) -> Hex:
        """The hex in a column (A is 1, the one left of A is 0) and a row as in labels."""
        return cls(column - 1, row - 1 - (column - 1) // 2)

    @classmethod
    def parse(cls, label: str) -> Hex:
        """The hex with this label, in either case: "M20", "AA12", "-A5" (left of A), "C0", "C-1" (above 1).

        Raises
        ------
        NotationError
            If the text is no label.
        """
        match = _LABEL.fullmatch(label.strip().upper())
        if match is None:
            raise NotationError(SAY("hex.notation", label=brief(label)))
        sign, letters, row = match.groups()
        column = 0
        for letter in letters:
            column = column * 26 + ord(letter) - ord("A") + 1
        return cls.at(1 - column if sign else column, int(row))

    @property
    def column(self) -> int:
        """Number of the column: A is 1, the one left of A is 0."""
        return self.q + 1

    @property
    def row(self) -> int:
        """Number of the row as in the label, growing downward."""
        return self.r + 1 + self.q // 2

    @property
    def label(self) -> str:
        """Column letters (A to Z, AA, AB ...; left of A they start again as -A, -B ...) and row: "M20"."""
        number, letters = (self.q + 1, "") if self.q >= 0 else (-self.q, "")
        while number:
            number, digit = divmod(number - 1, 26)
            letters = chr(ord("A") + digit) + letters
        return f"{'' if self.q >= 0 else '-'}{letters}{self.row}"

    def __str__(self) -> str:
        return self.label

    def __repr__(self) -> str:
        return f"Hex.parse({self.label!r})"

    def step(self, direction: int, n: int = 1) -> Hex:
        """The hex ``n`` hexes off in a direction (behind, if ``n`` is negative); IllegalActionError if the direction is
        none of 1 to 6."""
        try:
            dq, dr = STEPS[direction]
        except KeyError:
            raise IllegalActionError(SAY("hex.direction", direction=brief(direction))) from None
        return _new(Hex, (self.q + dq * n, self.r + dr * n))

    def abreast(self, direction: int, n: int) -> Hex:
        """The hex ``n`` hexes abreast to starboard (to port if negative) of a ship sailing in ``direction``.

        Two hexes abreast are one step 60 and one step 120 degrees off the course, so that ``n`` must be even.
        IllegalActionError if ``n`` is odd: such a hex lies half a hex ahead or astern.
        """
        if n % 2:
            raise IllegalActionError(SAY("hex.abreast", n=n, value=self))
        return self.step(turned(direction, 1), n // 2).step(turned(direction, 2), n // 2)

    def neighbours(self) -> tuple[Hex, ...]:
        """The six adjacent hexes, in the order of ``DIRECTIONS``."""
        return tuple(_new(Hex, (self.q + dq, self.r + dr)) for dq, dr in STEPS.values())

    def distance(self, other: Hex) -> int:
        """Hexes from here to another: 0 to itself, 1 to a neighbour."""
        dq, dr = self.q - other.q, self.r - other.r
        return (abs(dq) + abs(dr) + abs(dq + dr)) // 2

    def along(self, direction: int, other: Hex) -> tuple[int, int]:
        """Steps (a, b) to another hex: a in ``direction``, b in the next one clockwise; may be negative."""
        q, r = other.q - self.q, other.r - self.r
        (q1, r1), (q2, r2) = STEPS[direction], STEPS[turned(direction, 1)]
        return q * r2 - r * q2, q1 * r - r1 * q  # Cramer's rule: the determinant is 1 for all six directions

    def sector(self, other: Hex) -> tuple[int, int, int]:
        """Direction d and steps a >= 1, b >= 0: ``other`` is a steps off in d and b in the next clockwise.

        ``other`` lies on a straight row of hexes from here if and only if b is 0. IllegalActionError if ``other`` is
        this hex.
        """
        for d in DIRECTIONS:
            a, b = self.along(d, other)
            if a > 0 and b >= 0:
                return d, a, b
        raise IllegalActionError(SAY("hex.no_direction", value=self))

    def direction_to(self, other: Hex) -> int:
        """The direction closest to the bearing of another hex; halfway between two, the one to port.

        Raises
        ------
        IllegalActionError
            If ``other`` is this hex.
        """
        d, a, b = self.sector(other)
        return d if a >= b else turned(d, 1)

    def bearing(self, other: Hex) -> float:
        """True bearing of another hex's centre in degrees, 0 up to 360 clockwise from N."""
        dq, dr = other.q - self.q, other.r - self.r
        return degrees(atan2(dq * sqrt(3), -(2 * dr + dq))) % 360

    def ring(self, radius: int, start: int = 6) -> list[Hex]:
        """The hexes at a distance, clockwise from the one in direction ``start``; itself for radius 0."""
        if radius == 0:
            return [self]
        at, hexes = self.step(start, radius), []
        for side in range(6):
            course = turned(start, side + 2)
            hexes += [at.step(course, n) for n in range(radius)]
            at = at.step(course, radius)
        return hexes

    def disc(self, radius: int) -> list[Hex]:
        """The hexes up to a distance, ring by ring from the centre: 1 + 3 radius (radius + 1) of them."""
        return [h for n in range(radius + 1) for h in self.ring(n)]

    def cone(self, direction: int, radius: int, spread: float = 60.0) -> list[Hex]:
        """The hexes up to a distance whose bearing is within an angle either side of a direction.

        Parameters
        ----------
        direction : int
            1 to 6.
        radius : int
            In hexes.
        spread : float
            The angle, degrees.

        Returns
        -------
        list of Hex
            Without this one; ring by ring, each from port to starboard.

        >>> [h.label for h in Hex.parse("M20").cone(1, 1)]
        ['M19', 'N19', 'N20']
        """
        abaft = turned(direction, 3)
        return [
            h
            for n in range(1, radius + 1)
            for h in self.ring(n, start=abaft)
            if abs((self.bearing(h) - 60 * direction + 180) % 360 - 180) <= spread + 1e-9
        ]

    def line(self, other: Hex) -> list[Hex]:
        """The hexes of a straight line from here to another, both included: distance + 1 of them.

        Where the line runs along the border of two hexes it takes the same one in either direction of travel.
        """
        distance = self.distance(other)
        dq, dr, n = other.q - self.q, other.r - self.r, max(distance, 1)
        # Points i / n of the way in units of 1 / (10 n), nudged too little to matter except on a border.
        return [
            nearest(10 * (self.q * n + dq * i) + 1, 10 * (self.r * n + dr * i) + 2, 10 * n) for i in range(distance + 1)
        ]


HexSet: TypeAlias = Set[Hex]


def nearest(q: int, r: int, unit: int) -> Hex:
    """The hex whose centre is nearest to the point (q, r) / unit, by rounding all three cube coordinates."""
    near = [(2 * x + unit) // (2 * unit) for x in (q, r, -q - r)]
    off = [abs(x - near[i] * unit) for i, x in enumerate((q, r, -q - r))]
    worst = off.index(max(off))
    if worst == 0:
        near[0] = -near[1] - near[2]
    elif worst == 1:
        near[1] = -near[0] - near[2]
    return Hex(near[0], near[1])
