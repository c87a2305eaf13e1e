"""The lines an attack on a hex runs along: radials, vectors, assault zone, circles (rules 105 and 106)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from navalkit.core.errors import IllegalActionError
from navalkit.core.language.say import SAY

from .hex_cells import DIRECTIONS, Hex, opposite, turn_between, turned


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
            Vector(
                radial,
                course,
                length,
                joins=h.step(course, length),
                turn=None if heading is None else turn_between(heading, course),
                last_turn=turn_between(course, radial.course),
            )
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
