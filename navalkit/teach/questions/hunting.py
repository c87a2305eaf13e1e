"""A small hunt to write a rule for: contact is lost, the marker is inverted, and one escort looks for the boat.

Far simpler than On Patrol, so that a rule is three lines of Python: the escort goes three hexes a turn and turns by 60
degrees before each at most; the boat creeps away by one hex a turn on a course that nobody knows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from navalkit.core.echo import brief
from navalkit.core.errors import DataError
from navalkit.grids.hex import Hex

from ..say import SAY

TURNS, STEPS = 20, 3
"""Turns of a hunt, and hexes a turn that the escort goes."""
REACH = 2
"""Hexes at which sonar finds the boat."""
MARKER = Hex.parse("M20")
_AHEAD, _LATE, _VEERS = 6, 3, 1 / 6
_WAYS = tuple((h.q, h.r) for h in (Hex(0, 0).step(course) for course in range(1, 7)))
_TURNS = (0, 1, -1, 2, -2, 3)
_MOST = 20_000


class Seen(NamedTuple):
    """What the escort knows before each hex."""

    distance: int
    """Hexes from her bow to the marker."""
    off: int
    """Turns of 60 degrees that would point her at it: 1, 2 to starboard, -1, -2 to port, 3 where it lies astern."""
    turn: int
    """1 to `TURNS`."""


Rule = Callable[[Seen], int | None]


def towards(off: int, wanted: int = 0) -> int:
    """The turn, -1, 0 or 1, after which the marker lies nearer to ``wanted`` turns off."""
    wrong = (off - wanted + 2) % 6 - 2
    return (wrong > 0) - (wrong < 0)


def on_ring(seen: Seen, radius: int) -> int:
    """Round the marker at a distance, the marker to port."""
    return towards(seen.off, 0 if seen.distance > radius else 3 if seen.distance < radius else -2)


def home(seen: Seen) -> int:
    """For the marker, always."""
    return towards(seen.off)


def ring(seen: Seen) -> int:
    """A ring of six hexes round the marker."""
    return on_ring(seen, 6)


def spiral(seen: Seen) -> int:
    """A ring that grows with the boat's possible way."""
    return on_ring(seen, 2 + seen.turn // 2)


RIVALS: dict[str, Rule] = {"home": home, "ring": ring, "spiral": spiral}
"""Rules to compare one's own with."""


def hunts(rule: Rule, n: int = 400, seed: int = 1) -> list[int]:
    """Hunt ``n`` boats with a rule.

    ``rule``: -1 turns to port before the next hex, 1 to starboard, 0 (or None) goes straight on. ``n``: 1 to 20,000.
    ``seed``: the same seed gives the same boats, whatever the rule. Returns the turn in which each boat was found; 0
    for those that got away. DataError if ``n`` is out of range, or the rule gives another turn.
    """
    if not 1 <= n <= _MOST:
        raise DataError(SAY("hunt.number", most=_MOST))
    return [_hunt(rule, np.random.default_rng([seed, number])) for number in range(n)]


def found(rule: Rule, n: int = 400, seed: int = 1) -> int:
    """How many of ``n`` boats a rule finds."""
    return sum(turn > 0 for turn in hunts(rule, n, seed))


def _hunt(rule: Rule, rng: np.random.Generator) -> int:
    """The turn in which one boat is found, or 0. Hexes are pairs of axial coordinates, the marker at (0, 0)."""
    heading = int(rng.integers(6))
    veers = rng.random(TURNS)
    boat, bow, course = _step((0, 0), heading, _LATE), _step((0, 0), 0, _AHEAD), 3
    for turn in range(1, TURNS + 1):
        for _ in range(STEPS):
            order = rule(Seen(_distance(bow), _off(bow, course), turn)) or 0
            if order not in (-1, 0, 1):
                raise DataError(SAY("hunt.order", order=brief(order)))
            course = (course + int(order)) % 6
            bow = _step(bow, course)
            if _distance((bow[0] - boat[0], bow[1] - boat[1])) <= REACH:
                return turn
        if veers[turn - 1] < _VEERS:
            heading = (heading + (1 if veers[turn - 1] < _VEERS / 2 else 5)) % 6
        boat = _step(boat, heading)
    return 0


def _step(at: tuple[int, int], course: int, hexes: int = 1) -> tuple[int, int]:
    q, r = _WAYS[course]
    return at[0] + hexes * q, at[1] + hexes * r


def _distance(at: tuple[int, int]) -> int:
    return (abs(at[0]) + abs(at[1]) + abs(at[0] + at[1])) // 2


def _off(bow: tuple[int, int], course: int) -> int:
    """Turns of 60 degrees to the direction in which the marker lies nearest; ties go to the smallest turn."""
    return min(_TURNS, key=lambda turn: _distance(_step(bow, (course + turn) % 6)))
