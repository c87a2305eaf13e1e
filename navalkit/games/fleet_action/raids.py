"""The exact odds of the chapters of boats and aircraft: attacks and strikes, searches, and a boat that is hunted."""

from __future__ import annotations
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from navalkit.core.dist import Dist
from navalkit.core.errors import OptionError, brief
from navalkit.grids.square import SquareGrid
from .cards import SAY, TABLES, Gear, ShipCard, allowance, any_ship, find, quarters
from .planes import TELLS, WEATHERS, Aircraft, drop, fight, flak, flak_dice, need, number, plane, points_of
from .rules import hunting
from .rules.boats import UP

__all__ = ["Strike", "attack", "charges", "drop", "fight", "flak", "hunt", "hunted", "strike", "where"]


# -- Attacks from the air: what is left after patrol and guns drops -----------------------------------------------

Blow = Dist[tuple[int, bool]]
"""Damage points, and whether the screws are wrecked."""


def card_of(of: ShipCard | str) -> ShipCard:
    """A card as it is, or that of a ship by name, those of these chapters too."""
    return any_ship(of) if isinstance(of, str) else of


def speed(target: ShipCard, hurt: int) -> int:
    """Squares that a ship goes in a short move once she has lost that number of full quarters (rule F19)."""
    return 1 if hurt >= 3 else max(1, allowance(target.speed)[0] - hurt)


def _blow(kind: Aircraft, aircraft: int, target: ShipCard, dice: int, lowest: int, level: bool, ranged: bool) -> Blow:
    weapon, load, piercing = kind.drops(level)
    each = points_of(target, weapon, load, piercing)

    def dropped(off: tuple[int, int]) -> Blow:
        hits = drop(aircraft - off[0], lowest, weapon, ranged and weapon != "torpedo")
        return hits.map(lambda pair: (each * (pair[0] + (TELLS - 1) * pair[1]), weapon == "torpedo" and pair[1] > 0))

    return flak(aircraft, dice).bind(dropped)


def attack(kind: Aircraft | str, aircraft: int, target: ShipCard | str, consorts: Iterable[ShipCard | str] = (), *,
           weather: str = "good", level: bool = False, hurt: int = 0, harbour: bool = False, ranged: bool = False,
           patrol: int = 0, escorts: int = 0, grades: tuple[int, int] = (2, 2), radar: bool = True) -> Dist[int]:
    """Damage points of one flight's attack: first the patrol, then the guns, then it drops (rule F65).

    Parameters
    ----------
    kind : Aircraft or str
        The type: "Swordfish".
    aircraft : int
        How many there are.
    target : ShipCard or str
    consorts : iterable of ShipCard or str
        Ships within a square of her.
    weather : str
        "good", "rough" or "night".
    level : bool
        Whether they go as level bombers.
    hurt : int
        Full quarters of damage she has taken, which slow her.
    harbour, ranged : bool
        Whether she lies in harbour; whether she is a carrier with flights ranged.
    patrol, escorts : int
        Fighters that guard her, and that come with the flight.
    grades : tuple of two ints
        Of escorts and patrol.
    radar : bool
        Whether the patrol is led by radar.

    Returns
    -------
    Dist of int

    Raises
    ------
    DataError
        If there is no such ship or type.
    OptionError
        If a number, the weather or the load is none that there is.

    >>> round(float(attack("Swordfish", 8, "Bismarck", weather="rough").at_least(100)), 3)
    0.743
    """
    target, of = card_of(target), plane(kind)
    if weather not in WEATHERS:
        raise OptionError(SAY("air.weather", weather=brief(weather), names=", ".join(WEATHERS)))
    dice = flak_dice(target, map(card_of, consorts), weather, level)
    lowest = need(speed(target, number("hurt", hurt, 4)), harbour)
    number("aircraft", aircraft)
    lost = fight(escorts, patrol, aircraft, (*grades, of.grade), radar, weather).map(lambda each: each[2])
    left = lost.bind(lambda down: _blow(of, aircraft - down, target, dice, lowest, level, ranged))
    return left.map(lambda blow: blow[0])


@dataclass(frozen=True, slots=True)
class Strike:
    """What flights that attack in one move do to a ship."""

    sunk: Fraction
    quarters: tuple[Fraction, ...]  # that her damage makes up at least one, two, three, four full quarters
    screws: Fraction  # that her screws are wrecked


def strike(flights: Sequence[tuple[Aircraft | str, int]], target: ShipCard | str, damage: int = 0, *,
           consorts: Iterable[ShipCard | str] = (), weather: str = "good", level: bool = False,
           ranged: bool = False) -> Strike:
    """What several flights do to a ship in one move, all at her speed as it was (rules F19, F66).

    Parameters
    ----------
    flights : sequence of (Aircraft or str, int)
        Type and number of each.
    target : ShipCard or str
    damage : int
        Points she has already taken.
    consorts, weather, level, ranged
        As in `attack`.

    Returns
    -------
    Strike

    Raises
    ------
    DataError, OptionError
        As `attack`.

    >>> round(float(strike([("Swordfish", 8), ("Swordfish", 7)], "Bismarck", weather="rough").screws), 2)
    0.33
    """
    target, mates = card_of(target), tuple(map(card_of, consorts))
    rate = target.sinking_rate
    number(SAY("odds.damage", name=target.name), damage, rate)
    lowest = need(speed(target, quarters(damage, rate)))
    done: Blow = Dist.point((damage, False))
    for kind, aircraft in flights:
        blow = _blow(plane(kind), aircraft, target, flak_dice(target, mates, weather, level), lowest, level, ranged)
        done = done.product(blow).map(lambda two: (min(two[0][0] + two[1][0], rate + 1), two[0][1] or two[1][1]))
    full = [done.chance(lambda blow, q=q: quarters(blow[0], rate) >= q) for q in (1, 2, 3, 4)]  # type: ignore[misc]
    return Strike(done.chance(lambda blow: blow[0] > rate), tuple(full), done.chance(lambda blow: blow[1]))


# -- Searches for a dived boat -------------------------------------------------------------------------------------

def gear_of(gear: Gear | str) -> Gear:
    """Hunting gear as it is, or by name."""
    return find(gear, TABLES.gear, "gear") if isinstance(gear, str) else gear


def charges(n: int) -> Dist[tuple[int, int]]:
    """Sixes of a pattern of depth charges, three to a die, and those that tell (rule F51).

    Parameters
    ----------
    n : int
        Charges.

    Returns
    -------
    Dist of (int, int)
        Sixes, which shake the boat, and second sixes, which break her.

    Raises
    ------
    OptionError
        If it is no whole number, 0 or more.

    >>> round(float(charges(10).chance(lambda sixes: sixes[1] > 0)), 3)
    0.107
    """
    return hunting.charges(-(-number("n", n) // 3))


def hunt(gear: Gear | str, boats_where: Mapping[str, Fraction], square: str, *, own: str = "",
         rough: bool = False) -> Fraction:
    """The chance of contact when a square is searched (rule F50).

    Parameters
    ----------
    gear : Gear or str
        What she hunts with: "asdic 1941".
    boats_where : mapping of str to Fraction
        Square -> the chance that the boat is there.
    square : str
        The square searched.
    own : str
        The hunter's square; the square searched if not given, else it counts as the next.
    rough : bool
        Whether the seas are high.

    Returns
    -------
    Fraction

    Raises
    ------
    DataError
        If there is no such gear.

    >>> hunt("asdic 1941", {"F6": Fraction(1, 5)}, "F6")
    Fraction(1, 15)
    """
    away = 0 if own in ("", square) else 1
    return boats_where.get(square, Fraction(0)) * hunting.contact(gear_of(gear), away, rough)


Place = tuple[int, int]  # row and column
Places = dict[Place, Fraction]
_BESIDE = (0, 0), (-1, 0), (0, 1), (1, 0), (0, -1)


def _walk(places: Mapping[Place, Fraction], grid: SquareGrid | None = None) -> Places:
    """A move of a boat that stays or goes to one of the squares beside her, all alike; at sea if there is no grid."""
    found: Places = {}
    for (row, column), chance in places.items():
        ways = [(row + down, column + right) for down, right in _BESIDE]
        if grid:
            ways = [to for to in ways if 0 <= to[0] < grid.rows and 0 <= to[1] < grid.columns]
        for to in ways:
            found[to] = found.get(to, Fraction(0)) + chance / len(ways)
    return found


def _vain(places: Mapping[Place, Fraction], searched: Iterable[tuple[Place, Fraction]]) -> tuple[Places, Fraction]:
    """The places after searches in vain, and the chance that all of them are."""
    left = dict(places)
    for square, contact in searched:
        if square in left:
            left[square] *= 1 - contact
    total = sum(left.values(), Fraction(0))
    return {square: chance / total for square, chance in left.items() if chance}, total


def where(start: Mapping[str, Fraction], searches: Sequence[Mapping[str, int]], *, gear: Gear | str = "asdic 1941",
          columns: int = 24, rows: int = 10) -> dict[str, Fraction]:
    """Where a dived boat is after moves in which she was searched for in vain.

    In each move she stays, or goes to one of the squares beside her, all alike; then she is searched for.

    Parameters
    ----------
    start : mapping of str to Fraction
        Square -> the chance that she was there.
    searches : sequence of mapping of str to int
        For each move: square -> how often it was searched in vain, by hunters in that square.
    gear : Gear or str
        What with.
    columns, rows : int
        Of the board.

    Returns
    -------
    dict of str to Fraction
        Square -> the chance that she is there.

    Raises
    ------
    DataError
        If there is no such gear.
    OptionError
        If the chances do not add up to 1.

    >>> {square: str(p) for square, p in where({"F6": Fraction(1)}, [{"F6": 2}]).items()}["F6"]
    '1/10'
    """
    grid, heard = SquareGrid(rows, columns), hunting.contact(gear_of(gear), 0, False)
    places: Places = {grid.place(grid.number(square)): Fraction(chance) for square, chance in start.items()}
    if sum(places.values()) != 1 or min(places.values()) < 0:
        raise OptionError(SAY("air.start"))
    for searched in searches:
        each = [(grid.place(grid.number(square)), heard) for square, times in searched.items() for _ in range(times)]
        places, _ = _vain(_walk(places, grid), each)
    return {grid.names[row * columns + column]: chance for (row, column), chance in sorted(places.items())}


def hunted(gear: Gear | str, hunters: int, moves: int, *, boat: ShipCard | str = "U 552") -> list[Fraction]:
    """How likely a boat that has just been heard is forced up or sunk by the end of each move.

    Each move she stays or goes to one of the squares beside her, all alike; each hunter searches a square of its own,
    the likeliest first. Contact, with charges, tells them anew where she is.

    Parameters
    ----------
    gear : Gear or str
        What they hunt with; the year's.
    hunters, moves : int
        How many hunt, and for how long.
    boat : ShipCard or str
        The boat, for her sinking rate.

    Returns
    -------
    list of Fraction

    Raises
    ------
    DataError
        If there is no such gear or boat.
    OptionError
        If a number is below 0.

    >>> [round(float(p), 3) for p in hunted("asdic 1941", 2, 2)]
    [0.014, 0.025]
    """
    kind, rate = gear_of(gear), card_of(boat).sinking_rate
    number("hunters", hunters)
    number("moves", moves)
    heard = hunting.contact(kind, 0, False)
    broken = hunting.pattern(kind).map(lambda sixes: hunting.BREAKS[kind.weapon] * sixes[1])
    steps = _lost(heard, hunters)
    afloat: dict[tuple[int, int], Fraction] = {(0, 0): Fraction(1)}  # moves since contact, damage
    misses: list[Fraction] = []
    chances, done = list[Fraction](), Fraction(0)
    for _ in range(moves):
        misses.append(next(steps))  # that she is not heard in this move of the search, if she was not before
        after: dict[tuple[int, int], Fraction] = {}
        for (since, damage), chance in afloat.items():
            missed = chance * misses[since]
            after[since + 1, damage] = after.get((since + 1, damage), Fraction(0)) + missed
            for points, likely in broken.items():
                total, part = damage + points, (chance - missed) * likely
                if total > rate or quarters(total, rate) >= UP:
                    done += part
                else:
                    after[0, total] = after.get((0, total), Fraction(0)) + part
        afloat = after
        chances.append(done)
    return chances


def _lost(heard: Fraction, hunters: int) -> Iterator[Fraction]:
    """For each move since contact the chance that the hunters hear nothing, if they have not since then."""
    places: Places = {(0, 0): Fraction(1)}
    while True:
        places = _walk(places)
        likeliest = sorted(places, key=lambda square: (-places[square], square))[:hunters]
        places, missed = _vain(places, [(square, heard) for square in likeliest])
        yield missed
