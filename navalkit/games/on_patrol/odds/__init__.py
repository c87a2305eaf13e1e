"""The exact odds of On Patrol: torpedoes, attacks, search and depth, as plain questions with plain answers."""

from __future__ import annotations
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from navalkit.core.dist import Dist
from navalkit.core.errors import OptionError
from navalkit.grids.hex import Hex
from navalkit.grids.hex_moves import Place
from ..combat import damage, rolls, torpedoes
from ..sea.combat_tables import COMBAT, DUTIES
from ..sea.scenario import DEPTHS
from ..sea.state import Boat, Role, Vessel
from ..sea.tables import TABLES, WHY, Sea

__all__ = ["Depth", "attack", "depth_to_go", "found", "sink", "sunk_after", "torpedo"]

Row = TypeVar("Row")
Pattern = Iterable[tuple[str, int]]  # charges that may harm a boat: pairs (weapon, hexes from her bow hex)


def _known(name: str, table: Mapping[str, Row], what: str) -> Row:
    if name not in table:
        raise OptionError(WHY("exact.no_one", what=what, name=name, listed=', '.join(table)))
    return table[name]


def _count(number: int, what: str, most: int = 1000) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= most:
        raise OptionError(WHY("exact.whole_number_not", what=what, most=most, number=number))
    return number


def torpedo(type: str, range: int, aspect: str = "beam", spread: int = 1, *, ship: str = "tramp",
            package: str = "advanced", year: int = 1942) -> Dist[int]:
    """How many of some torpedoes launched together hit and explode, if all of them reach the ship (T3 to T5).

    Parameters
    ----------
    type : str
        "G7a", "G7e", "Mk14", "Mk18", "MkVIII" or "Type95".
    range : int
        Hexes of run, 100 yards each; beyond the torpedo's own there is no hit.
    aspect : str
        "beam", "quarter" or "end".
    spread : int
        Torpedoes, 0 to 20.
    ship : str
        Type of the ship, as in data.toml.
    package : str
        "basic", "optional" or "advanced".
    year : int
        Duds are commoner in the first years (advanced package).

    Returns
    -------
    Dist of int
        0 to ``spread``.

    Raises
    ------
    OptionError
        If a name is unknown or a number out of range.

    >>> torpedo("G7a", 20, spread=2)
    Dist({2: 961, 1: 1426, 0: 529})
    """
    row = _known(type, COMBAT.torpedoes, "torpedo")
    tons = _known(ship, TABLES.vessels, "ship").tons
    _known(aspect, COMBAT.aspects, "aspect")
    _known(package, TABLES.packages, "package")
    _count(spread, WHY("exact.number_torpedoes"), 20)
    if _count(range, WHY("exact.range")) > row.range:
        return Dist.point(0)
    one = torpedoes.hit(type, aspect, range, Sea(package, year), tons)
    hits: Dist[int] = spread @ one.map(lambda word: int(word == "hit"))
    return hits


def sink(type: str, range: int, aspect: str = "beam", spread: int = 1, *, ship: str = "tramp", **sea: Any) -> Fraction:
    """The chance that some torpedoes launched together sink an unhurt ship; parameters as in ``torpedo`` (D1).

    Parameters
    ----------
    type, range, aspect, spread, ship
        As in `torpedo`.
    sea
        ``package`` and ``year``, as there.

    Returns
    -------
    Fraction

    Raises
    ------
    OptionError
        As `torpedo`.

    >>> sink("G7e", 20, spread=3)
    Fraction(425, 729)
    """
    hits = torpedo(type, range, aspect, spread, ship=ship, **sea)
    return hits.at_least(TABLES.vessels[ship].hits)


def attack(pattern: Pattern, *, depth: int = 100, points: int = 10) -> Dist[int]:
    """Hull points left to a boat after a pattern of charges, depth rolls included; 0 is sunk (A1, A2).

    Parameters
    ----------
    pattern : iterable of (str, int)
        The charges: weapon, and hexes from the boat's bow hex. What is too far off does nothing.
    depth : int
        Of the boat, in feet.
    points : int
        Her hull points before, 1 to 50.

    Returns
    -------
    Dist of int
        0 to ``points``.

    Raises
    ------
    OptionError
        If a weapon is unknown or a number out of range.

    >>> attack([("depth charge", 0)], points=3)
    Dist({2: 11, 1: 6, 0: 8, 3: 23})
    """
    _count(depth, WHY("exact.depth"), DEPTHS[-1])
    left: Dist[int] = Dist.point(_count(points, WHY("exact.hull"), 50))
    for weapon, distance in pattern:
        _known(weapon, COMBAT.weapons, "weapon")
        left = (left - rolls.one_attack(weapon, distance, depth)).map(lambda rest: max(0, rest))
    return left


def sunk_after(pattern: Pattern, times: int, *, depth: int = 100, points: int = 10) -> tuple[Fraction, ...]:
    """The chance that a boat is sunk after 0, 1, 2 ... ``times`` such patterns (0 to 200); see ``attack``.

    Parameters
    ----------
    pattern, depth, points
        As in `attack`.
    times : int
        Patterns, 0 to 200.

    Returns
    -------
    tuple of Fraction
        ``times`` + 1 of them.

    Raises
    ------
    OptionError
        As `attack`.

    >>> sunk_after([("depth charge", 0)], 2, points=3)
    (Fraction(0, 1), Fraction(1, 6), Fraction(109, 288))
    """
    charges = tuple(pattern)
    after = {n: attack(charges, depth=depth, points=n) for n in range(1, points + 1)}
    after[0] = Dist.point(0)
    left: Dist[int] = Dist.point(points)
    chances = [left[0]]
    for _ in range(_count(times, WHY("exact.number_patterns"), 200)):
        left = left.bind(after.__getitem__)
        chances.append(left[0])
    return tuple(chances)


def found(distance: int, *, depth: int = 100, speed: int = 1, times: int = 1, duty: str = "sweep") -> Fraction:
    """The chance that sonar right ahead finds a boat at least once in some searches (L1).

    Parameters
    ----------
    distance : int
        Hexes from the escort's bow hex to the boat's.
    depth : int
        Of the boat, in feet, 25 to 600.
    speed : int
        Hexes she moves a turn.
    times : int
        Searches, each on its own.
    duty : str
        "sweep" if the escort knows nothing of the boat, "hunt" if she does.

    Returns
    -------
    Fraction

    Raises
    ------
    OptionError
        If a word is unknown or a number out of range.

    >>> found(5)
    Fraction(1, 6)
    """
    _known(duty, dict.fromkeys(DUTIES), "duty")
    if depth not in DEPTHS or not depth:
        raise OptionError(WHY("exact.depth_boat_under", deepest=DEPTHS[-1], depth=depth))
    escort = Vessel("E1", Role.ESCORT, _SONAR_SHIP, Place(Hex(0, 0), 6), 1)
    at = Place(Hex(0, 0).step(6, _count(distance, WHY("exact.distance"))), 6)
    one, _ = rolls.sonar(escort, Boat("S1", next(iter(TABLES.boats)), at, depth, speed, 1), duty)
    return 1 - (1 - one) ** _count(times, WHY("exact.number_searches"))


_SONAR_SHIP = next(type.id for type in TABLES.vessels.values() if type.sonar)


class Depth(NamedTuple):
    """What a depth means to a boat.

    Parameters
    ----------
    depth : int
        Feet.
    safe : bool
        Whether it is within her limit.
    crush : Fraction
        The chance to lose hull points there in a turn.
    found : Fraction
        The chance that the sonar of one escort that hunts her finds her.
    lost : Fraction
        The chance that one charge of the weapon on her bow hex costs her hull points.
    sunk : Fraction
        The chance that it sinks her.
    """

    depth: int
    safe: bool
    crush: Fraction
    found: Fraction
    lost: Fraction
    sunk: Fraction


def depth_to_go(type: str = "viic", *, points: int | None = None, distance: int = 10, speed: int = 1,
                weapon: str = "depth charge") -> tuple[Depth, ...]:
    """How deep should a boat go? Every depth from 25 ft down, with what it costs and what it saves.

    Parameters
    ----------
    type : str
        Of the boat.
    points : int, optional
        Hull points left, all of them if not given.
    distance : int
        Hexes to an escort that searches, the boat right ahead of her.
    speed : int
        Hexes the boat moves.
    weapon : str
        That is dropped on her: "depth charge", "hedgehog" ...

    Returns
    -------
    tuple of Depth
        The shallowest first.

    Raises
    ------
    OptionError
        If a name is unknown or a number out of range.

    >>> depth_to_go("viic")[0].found
    Fraction(3, 4)
    """
    most = _known(type, TABLES.boats, "boat").hull
    left = most if points is None else _count(points, WHY("exact.hull"), most)
    _known(weapon, COMBAT.weapons, "weapon")
    rows = []
    for depth in DEPTHS[1:]:
        boat = Boat("S1", type, Place(Hex(0, 0), 6), depth, speed, left)
        after = attack([(weapon, 0)], depth=depth, points=left)
        rows.append(
            Depth(depth, not damage.below_limit(boat), damage.crush(boat).at_least(1),
                  found(distance, depth=depth, speed=speed, duty="hunt"), 1 - after[left], after[0])
        )
    return tuple(rows)


ODDS = {"sink": sink, "torpedo": torpedo, "found": found, "depth_to_go": depth_to_go}
"""The questions that the command line asks, too."""
