"""Flat-topped hexes: labels, directions, distances, rings, lines, cones, all but bearings in whole numbers.

A hex is stored in axial coordinates: ``q`` counts columns to the right of column A, ``r`` counts hexes down
the column, measured along the slanting row that runs SE. In them the six steps are the same everywhere,
whereas a label's row depends on its column: columns B, D, F ... lie half a hex lower than A, C, E ... (the
sources fit either choice; this is the usual one of printed boards). Directions run clockwise: 1 NE, 2 SE, 3
S, 4 SW, 5 NW, 6 N, so that direction d bears 60 d degrees, and d - 1 lies to port of d.
"""

from __future__ import annotations
import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from math import atan2, ceil, degrees, floor, sqrt
from typing import Literal, NamedTuple, TypeAlias

from navalkit.core.errors import IllegalActionError, NotationError, OptionError, brief
from navalkit.core.words import SAY

__all__ = [
    "DIRECTIONS", "Circle", "Hex", "Layout", "Radial", "Vector", "assault_zone", "line_of_sight", 
    "opposite", "radial_at", "radials", "sight_blockers", "turn_between", "turned", "vectors",
]

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
        return [h for n in range(1, radius + 1) for h in self.ring(n, start=abaft)
                if abs((self.bearing(h) - 60 * direction + 180) % 360 - 180) <= spread + 1e-9]

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


# -- Hexes on a screen: centres and corners in pixels, and the hex under a pixel. y grows downward -

_H = sqrt(3) / 2  # half the height of a hex of side 1
_FINE = 1 << 20  # parts of a hex in which a pixel's place is told
CORNERS = ((1.0, 0.0), (0.5, _H), (-0.5, _H), (-1.0, 0.0), (-0.5, -_H), (0.5, -_H))


@dataclass(frozen=True, slots=True)
class Layout:
    """How flat-topped hexes lie on a screen.

    Parameters
    ----------
    size : float
        Side of a hex in pixels, which is also the distance from its centre to each corner; above 0.
    x0, y0 : float
        Where the centre of A1 is, in pixels.

    Raises
    ------
    OptionError
        If the size is not above 0.
    """

    size: float
    x0: float = 0.0
    y0: float = 0.0

    def __post_init__(self) -> None:
        if not self.size > 0:
            raise OptionError(SAY("hex.pixels", size=self.size))

    @property
    def width(self) -> float:
        """Pixels from the left corner of a hex to the right one; columns are 3/4 of it apart."""
        return 2 * self.size

    @property
    def height(self) -> float:
        """Pixels from the upper edge of a hex to the lower one, and from row to row."""
        return 2 * _H * self.size

    def center(self, h: Hex) -> tuple[float, float]:
        """Pixel (x, y) of a hex's centre."""
        return self.x0 + 1.5 * self.size * h.q, self.y0 + self.height * (h.r + h.q / 2)

    def corners(self, h: Hex) -> list[tuple[float, float]]:
        """Pixels (x, y) of the six corners, clockwise on the screen from the right one."""
        x, y = self.center(h)
        return [(x + self.size * dx, y + self.size * dy) for dx, dy in CORNERS]

    def edge(self, h: Hex, direction: int) -> tuple[tuple[float, float], tuple[float, float]]:
        """The two corners of the side towards a direction, clockwise."""
        corners = self.corners(h)
        return corners[(direction + 4) % 6], corners[(direction + 5) % 6]

    def hex_at(self, x: float, y: float) -> Hex:
        """The hex under a pixel; on a border either one."""
        q = (x - self.x0) / (1.5 * self.size)
        r = (y - self.y0) / self.height - q / 2
        return nearest(round(_FINE * q), round(_FINE * r), _FINE)

    def hexes_in(self, left: float, top: float, right: float, bottom: float) -> Iterator[Hex]:
        """The hexes that a rectangle of the screen touches, column by column.

        Parameters
        ----------
        left, top, right, bottom : float
            Pixels.

        Yields
        ------
        Hex
            A few of them lie beside it.

        >>> [h.label for h in Layout(10).hexes_in(0, 0, 12, 12)]
        ['A1', 'A2', 'B0', 'B1']
        """
        column = 1.5 * self.size
        first_q = ceil((left - self.x0 - self.size) / column)
        last_q = floor((right - self.x0 + self.size) / column)
        for q in range(first_q, last_q + 1):
            first = ceil((top - self.y0) / self.height - 0.5 - q / 2)
            last = floor((bottom - self.y0) / self.height + 0.5 - q / 2)
            for r in range(first, last + 1):
                yield Hex(q, r)


# -- The lines an attack on a hex runs along: radials, vectors, assault zone, circles (rules 105 and 106)

class Radial(NamedTuple):
    """One of the six straight rows of hexes that run outward from a target hex, itself not on it (105.1.2).

    Parameters
    ----------
    target : Hex
        The hex they meet in.
    direction : int
        Outward, from the target.
    """

    target: Hex
    direction: int

    @property
    def course(self) -> int:
        """The course along the radial to the target."""
        return opposite(self.direction)

    def nearest(self, h: Hex) -> Hex:
        """The hex of the radial nearest to ``h``; of several, the one nearest to the target."""
        a, b = self.target.along(self.direction, h)
        # The hexes a to a + b (in either order) are all equally near; the first belongs to the radial.
        return self.target.step(self.direction, max(1, min(a, a + b)))

    def distance(self, h: Hex) -> int:
        """Hexes from ``h`` to the nearest hex of the radial; 0 on it."""
        return h.distance(self.nearest(h))

    def holds(self, h: Hex) -> bool:
        """Whether ``h`` is on the radial."""
        a, b = self.target.along(self.direction, h)
        return a > 0 and b == 0

    def hexes(self, n: int) -> list[Hex]:
        """Its ``n`` hexes nearest to the target, outward."""
        return [self.target.step(self.direction, i) for i in range(1, n + 1)]


def radials(target: Hex) -> tuple[Radial, ...]:
    """The six radials of a target hex, in directions 1 to 6 (105.1.2)."""
    return tuple(Radial(target, d) for d in DIRECTIONS)


def radial_at(h: Hex, target: Hex) -> Radial | None:
    """The radial of ``target`` that ``h`` is on; None off the radials and on the target itself."""
    if h == target:
        return None
    direction, _, off = h.sector(target)
    return None if off else Radial(target, opposite(direction))


@dataclass(frozen=True, slots=True)
class Vector:
    """A straight way onto a radial, 60 degrees off it, so that one turn points to the target (105.1.4).

    Parameters
    ----------
    radial : Radial
        The radial it enters.
    course : int
        Direction of the vector.
    length : int
        Hexes to enter, the last on the radial.
    joins : Hex
        That last hex.
    turn : int or None
        Turns of 60 degrees from the ship's heading onto the course, negative to port, 3 for 180 degrees;
        None if no heading was given.
    last_turn : int
        The turn from the vector onto the radial: -1 to port, 1 to starboard.
    """

    radial: Radial
    course: int
    length: int
    joins: Hex
    turn: int | None
    last_turn: int

    @property
    def start(self) -> Hex:
        """Where it begins: ``length`` hexes before it joins the radial."""
        return self.joins.step(self.course, -self.length)

    def way(self) -> Iterator[Hex]:
        """The hexes to enter, the last on the radial."""
        return (self.start.step(self.course, n) for n in range(1, self.length + 1))


def vectors(h: Hex, target: Hex, heading: int | None = None) -> tuple[Vector, ...]:
    """The vectors from a hex onto the radials of a target: two, or none on a radial and on the target.

    They come in the order of choice: the shorter, then the smaller turn from ``heading``, then the one to
    port. The hexes a ship needs to turn onto a vector are not counted. (On Patrol 105.1.4, 105.3.2a.)

    Parameters
    ----------
    h, target : Hex
    heading : int, optional
        1 NE to 6 N; left out, equal vectors come in no order that matters.

    Returns
    -------
    tuple of Vector

    Examples
    --------
    >>> [(v.course, v.length, v.joins.label) for v in vectors(Hex.parse("E9"), Hex.parse("H5"), heading=1)]
    [(6, 2, 'E7'), (1, 3, 'H7')]
    """
    if h == target:
        return ()
    direction, a, b = target.sector(h)
    if b == 0:
        return ()
    # From a steps along this radial and b along the next clockwise: undo the b steps, or the a steps.
    found = []
    for outward, course, length in (
        (direction, turned(direction, 4), b),
        (turned(direction, 1), turned(direction, 3), a),
    ):
        radial = Radial(target, outward)
        found.append(
            Vector(radial, course, length, joins=h.step(course, length),
                   turn=None if heading is None else turn_between(heading, course),
                   last_turn=turn_between(course, radial.course))
        )
    return tuple(sorted(found, key=lambda v: (v.length, abs(v.turn or 0), v.turn or 0, v.last_turn)))


def assault_zone(target: Hex, direction: int) -> list[tuple[int, Hex]]:
    """The 19 hexes up to two from a target with their rank, first to be attacked first (105.1.5, 105.4.4).

    Rank 1 is the target, 2 the hex ahead of it, 3 and 4 the pairs beside and behind it, 5 the hex astern
    (the bow of a submarine marker); then the outer ring in the same way, 6 ahead, 7 to 11 in pairs going
    aft, 12 astern. A pair shares its rank, port first.

    Parameters
    ----------
    target : Hex
        The centre.
    direction : int
        Heading of the marker that set it.
    """
    zone = [(1, target)]
    for radius, rank in ((1, 2), (2, 6)):
        # Clockwise from dead ahead, so that ring[-i] lies i hexes round to port.
        ring = target.ring(radius, start=direction)
        half = len(ring) // 2
        zone.append((rank, ring[0]))
        zone += [(rank + i, h) for i in range(1, half) for h in (ring[-i], ring[i])]
        zone.append((rank + half, ring[half]))
    return zone


@dataclass(frozen=True, slots=True)
class Circle:
    """The hexes at one distance from a target, followed counter-clockwise (a "diameter", 106.1).

    Parameters
    ----------
    target : Hex
        The centre.
    radius : int
        Hexes from the centre, at least 1.

    Raises
    ------
    IllegalActionError
        If the radius is below 1.
    """

    target: Hex
    radius: int

    def __post_init__(self) -> None:
        if self.radius < 1:
            raise IllegalActionError(SAY("hex.radius", radius=self.radius))

    def holds(self, h: Hex) -> bool:
        """Whether ``h`` is on the circle."""
        return self.target.distance(h) == self.radius

    def hexes(self) -> list[Hex]:
        """All its hexes, counter-clockwise from the one N of the target."""
        clockwise = self.target.ring(self.radius)
        return clockwise[:1] + clockwise[:0:-1]

    def course(self, h: Hex) -> int:
        """The course that leads from a hex of the circle to the next, counter-clockwise.

        It changes by 60 degrees to port on each radial and nowhere else (106.1.2). IllegalActionError if ``h`` is not
        on the circle.
        """
        if not self.holds(h):
            raise IllegalActionError(
                SAY("hex.off_circle", h=h, distance=self.target.distance(h), target=self.target, radius=self.radius)
            )
        direction, _, b = self.target.sector(h)
        return turned(direction, -1 if b else -2)


# -- Lines of sight between hex centres, in whole numbers: what runs exactly along a border is seen to do so

def sight_blockers(viewer: Hex, target: Hex, blocking: HexSet) -> list[Hex]:
    """The blocking hexes that hide one hex centre from another, nearest to the viewer first.

    The straight line between the centres is hidden by any hex it passes through, and by two hexes when it
    runs along their common border; one that it only touches does not hide it, nor do the two ends.

    Parameters
    ----------
    viewer, target : Hex
    blocking : set of Hex

    Returns
    -------
    list of Hex
        Empty where nothing hides it.

    >>> [h.label for h in sight_blockers(Hex.parse("C3"), Hex.parse("C7"), {Hex.parse("C5"), Hex.parse("D5")})]
    ['C5']
    """
    dx, dy = 3 * (target.q - viewer.q), 2 * (target.r - viewer.r) + target.q - viewer.q
    length2 = dx * dx + 3 * dy * dy
    # x in half sides, y in half heights: the corners of a hex are at (+-2, 0) and (+-1, +-1).
    reach = max(abs(2 * dy), abs(dx - dy), abs(dx + dy))  # of a corner from the line through its centre
    through: list[tuple[int, Hex]] = []
    port: list[tuple[int, Hex]] = []
    starboard: list[tuple[int, Hex]] = []
    for h in blocking:
        x, y = 3 * (h.q - viewer.q), 2 * (h.r - viewer.r) + h.q - viewer.q
        ahead = x * dx + 3 * y * dy
        if not 0 < ahead < length2:
            continue
        offset = dx * y - dy * x
        if abs(offset) < reach:
            through.append((ahead, h))
        elif abs(offset) == reach:
            (starboard if offset > 0 else port).append((ahead, h))
    for ahead, h in port:  # neighbours on both sides of the line: it runs along their border
        through += [pair for s, g in starboard if h.distance(g) == 1 for pair in ((ahead, h), (s, g))]
    return [h for _, h in sorted(through)]


def line_of_sight(viewer: Hex, target: Hex, blocking: HexSet) -> bool:
    """Whether nothing hides one hex centre from another (see ``sight_blockers``); symmetrical.

    Parameters
    ----------
    viewer, target : Hex
    blocking : set of Hex

    Returns
    -------
    bool

    >>> line_of_sight(Hex.parse("C3"), Hex.parse("C7"), {Hex.parse("D5")})
    True
    """
    return not sight_blockers(viewer, target, blocking)
