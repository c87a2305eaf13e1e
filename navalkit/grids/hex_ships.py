"""Ships on two hexes, bow and stern: how they turn and move, and the Williamson turn.

A ship's place is its bow hex and its direction; the stern is in the hex behind. It moves a hex at a time:
at most one turn of 60 degrees, made before it enters the hex ahead. A turn pivots on the bow, so that the
stern swings into a hex next to both old ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from navalkit.core.language.say import SAY

from .hex_cells import Hex, HexSet, Side, side_sign, turn_between, turned

TURNS = (-1, 1, 0)  # before each hex, in the order equal paths are preferred: early turns, port first
NONE: HexSet = frozenset()


class Place(NamedTuple):
    """Where a ship lies; equal to the plain pair ``(bow, direction)``.

    Parameters
    ----------
    bow : Hex
    direction : int
        1 to 6.
    """

    bow: Hex
    direction: int

    def __str__(self) -> str:
        return f"{self.bow} course {self.direction}"

    @property
    def stern(self) -> Hex:
        """The hex behind the bow."""
        return _hexes(self)[1]

    @property
    def hexes(self) -> tuple[Hex, Hex]:
        """Bow and stern."""
        return _hexes(self)

    @property
    def pivots(self) -> tuple[Hex, Hex]:
        """The hexes beside bow and stern into which a turn to port, and one to starboard, swings the stern
        (108.1.2)."""
        return self.turned(-1).stern, self.turned(1).stern

    def turned(self, turns: int) -> Place:
        """The place after turns of 60 degrees on the spot, negative to port; only fleet turns are so made."""
        return Place(self.bow, turned(self.direction, turns))

    def ahead(self, n: int = 1) -> Place:
        """The place ``n`` hexes on, straight ahead."""
        return Place(self.bow.step(self.direction, n), self.direction)

    def entering(self, turn: int) -> Place:
        """The place after one move: a turn of -1 (port), 0 or 1 (starboard), then one hex ahead."""
        return self.turned(turn).ahead()


@lru_cache(maxsize=1 << 14)
def _hexes(place: Place) -> tuple[Hex, Hex]:
    return place.bow, place.bow.step(place.direction, -1)


def obstacle(place: Place, turn: int, forbidden: HexSet, taken: HexSet) -> Hex | None:
    """The hex that stands in the way of a move: the one the stern would swing into, or the one entered."""
    turning = place.turned(turn)
    if turn and taken and turning.stern in taken:
        return turning.stern
    entered = turning.ahead().bow
    return entered if entered in forbidden or entered in taken else None


def moves(place: Place, forbidden: HexSet = NONE, taken: HexSet = NONE) -> list[Place]:
    """The places one legal move away, in the order of preference: port, starboard, ahead.

    Parameters
    ----------
    place : Place
    forbidden : set of Hex
        Hexes the bow may not enter.
    taken : set of Hex
        Hexes others occupy: the bow may not enter them, nor the stern swing into them.

    Returns
    -------
    list of Place
        Three at most.

    >>> [str(place) for place in moves(Place(Hex.parse("M20"), 3))]
    ['N20 course 2', 'L20 course 4', 'M21 course 3']
    """
    return [place.entering(turn) for turn in TURNS if obstacle(place, turn, forbidden, taken) is None]


def why_not_move(place: Place, to: Place, forbidden: HexSet = NONE, taken: HexSet = NONE) -> str | None:
    """What is wrong with a move, in one sentence; None if it is legal. Parameters as in ``moves``.

    Parameters
    ----------
    place : Place
    to : Place
        Where the ship would be after it.
    forbidden, taken : set of Hex
        As in ``moves``.

    Returns
    -------
    str or None

    >>> here = Place(Hex.parse("M20"), 3)
    >>> why_not_move(here, here.ahead())
    """
    turn = turn_between(place.direction, to.direction)
    if abs(turn) > 1:
        return SAY("ship.turn", place=place, direction=to.direction, abs=60 * abs(turn))
    entered = place.entering(turn).bow
    if to.bow != entered:
        return SAY("ship.course", place=place, direction=to.direction, entered=entered, bow=to.bow)
    hindrance = obstacle(place, turn, forbidden, taken)
    if hindrance is None:
        return None
    if hindrance != entered:
        return SAY("ship.stern", place=place, hex=hindrance)
    status = "taken" if hindrance in taken else "forbidden"
    return SAY("ship.bow", place=place, hex=hindrance, status=status)


def why_not_path(start: Place, path: Sequence[Place], forbidden: HexSet = NONE, taken: HexSet = NONE) -> str | None:
    """What is wrong with the first illegal move of a path; None if all are legal.

    Parameters
    ----------
    start : Place
    path : sequence of Place
        The places entered, the start left out.
    forbidden : set of Hex
        Her bow may not enter them.
    taken : set of Hex
        Others lie there: she may not swing her stern into them either.

    Returns
    -------
    str or None
        One sentence.

    >>> here = Place(Hex.parse("M20"), 3)
    >>> why_not_path(here, [here.ahead(), here.ahead(2)]) is None
    True
    """
    for place, to in zip([start, *path], path, strict=False):
        if (reason := why_not_move(place, to, forbidden, taken)) is not None:
            return reason
    return None


def williamson(bow: Hex, direction: int, side: Side) -> list[Place]:
    """The six places of a Williamson turn: onto the opposite course in the same row of hexes (105.2).

    One turn to ``side``, one hex straight on, then four turns the other way. It ends one hex ahead of where
    it began; no way is shorter.

    Parameters
    ----------
    bow : Hex
    direction : int
        Where the ship begins.
    side : "port" or "starboard"
        Where it turns first.

    Returns
    -------
    list of Place

    Raises
    ------
    IllegalActionError
        If the side or the direction is neither.

    >>> [str(place.bow) for place in williamson(Hex.parse("M20"), 3, "port")]
    ['N20', 'O21', 'O22', 'N22', 'M22', 'M21']
    """
    sign = side_sign(side)
    place, path = Place(bow, direction), []
    for turn in (sign, 0, -sign, -sign, -sign, -sign):
        place = place.entering(turn)
        path.append(place)
    return path
