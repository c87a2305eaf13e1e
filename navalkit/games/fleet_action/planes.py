"""Aircraft by name, and the dice of a raid: guns at it, fighters about it, bombs and torpedoes from it (F62 to F67)."""

from __future__ import annotations
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from math import comb
from types import MappingProxyType

from navalkit.core.dist import Dist
from navalkit.core.errors import OptionError, brief
from navalkit.core.files import sourced
from .cards import LATE, SAY, ShipCard, find

TELLS = 3  # how often a telling hit counts (rule F66)
TO_A_DIE = 3  # level bombers, or air gunners, that share a die
SLOW = 3  # squares of speed from which a ship is hit by sixes alone
HEAVY = ("battleship", "massive")  # grades of protection that halve what does not pierce armour (rule F67)
WEATHERS = ("good", "rough", "night")


@dataclass(frozen=True, slots=True)
class Aircraft:
    """A type of aircraft."""

    name: str
    year: int
    roles: tuple[str, ...]  # torpedo, dive, level, fighter, scout, patrol, floatplane, land, night
    squares: int  # squares a move
    moves: int  # moves aloft
    grade: int  # as a fighter, or at defending itself, 0 to 3
    weapon: str = ""  # "torpedo", "dive" or "charges"; "" for none
    load: int = 0  # damage points of a hit
    armour_piercing: bool = False
    bombs: int = 0  # damage points of a hit if it goes as a level bomber instead
    bombs_armour_piercing: bool = False
    source: str = ""

    def drops(self, level: bool = False) -> tuple[str, int, bool]:
        """What it attacks ships with: weapon, damage points of a hit, and whether that pierces armour. OptionError if
        it has no such load."""
        if level and self.bombs:
            return "level", self.bombs, self.bombs_armour_piercing
        if level or self.weapon not in ("torpedo", "dive"):
            raise OptionError(SAY("air.load", name=self.name))
        return self.weapon, self.load, self.armour_piercing


AIRCRAFT: Mapping[str, Aircraft] = MappingProxyType({
    row["name"]: Aircraft(**{**sourced(row, f"aircraft {row.get('name')}"), "roles": tuple(row["roles"])},
                          source=row["source"])
    for row in LATE["aircraft"]})  # fmt: skip


def plane(name: Aircraft | str) -> Aircraft:
    """A type of aircraft by name; DataError if there is none."""
    return name if isinstance(name, Aircraft) else find(name, AIRCRAFT, "aircraft")


# Dice -----------------------------------------------------------------------------------------------------------

def number(name: str, value: int, high: int | None = None) -> int:
    """A whole number, 0 or more; OptionError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0 or (high is not None and value > high):
        key = "odds.number" if high is None else "odds.limit"
        raise OptionError(SAY(key, name=name, high=high, value=brief(value)))
    return value


def binomial(dice: int, need: int) -> Dist[int]:
    """How many of some dice show that number or more."""
    return Dist({k: comb(dice, k) * (7 - need) ** k * (need - 1) ** (dice - k) for k in range(dice + 1)})


def flak(aircraft: int, dice: int) -> Dist[tuple[int, int]]:
    """What anti-aircraft guns do to a flight (rule F63).

    A six breaks off one aircraft before it drops; a second throw of 5 or 6 then loses it.

    Parameters
    ----------
    aircraft, dice : int
        How many attack, and how many dice are thrown at them.

    Returns
    -------
    Dist of (int, int)
        Broken off, and those of them that are lost.

    Raises
    ------
    OptionError
        If a number is below 0.

    >>> flak(9, 1)
    Dist({(0, 0): 15, (1, 0): 2, (1, 1): 1})
    """
    number("aircraft", aircraft)
    sixes = binomial(number("dice", dice), 6)
    return sixes.map(lambda k: min(k, aircraft)).bind(lambda off: binomial(off, 5).map(lambda lost: (off, lost)))


def drop(aircraft: int, need: int, weapon: str = "torpedo", telling: bool = False) -> Dist[tuple[int, int]]:
    """Hits of a flight that drops, and those of them that tell (rule F66).

    Parameters
    ----------
    aircraft : int
        How many drop.
    need : int
        The lowest die that hits: 6, 5 or 4.
    weapon : str
        "torpedo" or "dive" for a die each, "level" for a die for three.
    telling : bool
        Whether every hit tells, as on a carrier with flights ranged.

    Returns
    -------
    Dist of (int, int)
        Hits, and those of them that tell.

    Raises
    ------
    OptionError
        If a number or the weapon is none of these.

    >>> drop(1, 6)[1, 1]
    Fraction(1, 36)
    """
    number("aircraft", aircraft)
    if need not in (4, 5, 6) or weapon not in ("torpedo", "dive", "level"):
        raise OptionError(SAY("air.drop", need=brief(need), weapon=brief(weapon)))
    dice = -(-aircraft // TO_A_DIE) if weapon == "level" else aircraft
    tells, plain = (6 * (7 - need), 0) if telling else (1, 6 * (7 - need) - 1)  # of 36
    miss = 36 - tells - plain
    return Dist({(h + t, t): comb(dice, t) * comb(dice - t, h) * tells**t * plain**h * miss ** (dice - t - h)
                 for t, h in product(range(dice + 1), repeat=2) if t + h <= dice})


def fight_need(own: int, other: int) -> int:
    """The lowest die that hits for one grade at another: a six, fives too if it is one better, fours if two (F64)."""
    return 6 - max(0, min(2, own - other))


def engaged(patrol: int, radar: bool, weather: str = "good") -> int:
    """How many fighters on patrol meet a raid: all with radar; without, or in high seas, half; by night none (F61)."""
    if weather == "night":
        return 0
    return patrol if radar and weather == "good" else -(-patrol // 2)


def fight(escorts: int, patrol: int, bombers: int, grades: tuple[int, int, int] = (2, 2, 0), radar: bool = True,
          weather: str = "good") -> Dist[tuple[int, int, int]]:
    """What a raid and the patrol that meets it do to each other (rules F61, F64).

    Escorts pair off with the patrol, a die each; patrol fighters left over fire at bombers, escorts left over at the
    patrol. Bombers that are fired at answer with a die for three.

    Parameters
    ----------
    escorts, patrol, bombers : int
        Aircraft.
    grades : tuple of three ints
        Of escorts, patrol and bombers.
    radar : bool
        Whether the patrol is led by radar.
    weather : str
        "good", "rough" or "night".

    Returns
    -------
    Dist of (int, int, int)
        Lost of the patrol, the escorts and the bombers.

    Raises
    ------
    OptionError
        If a number is below 0.

    >>> round(float(fight(0, 10, 9, (0, 1, 0)).map(lambda lost: lost[2]).mean), 2)
    3.33
    """
    for name, value in (("escorts", escorts), ("patrol", patrol), ("bombers", bombers)):
        number(name, value)
    of_escorts, of_patrol, of_bombers = grades
    met = engaged(patrol, radar, weather)
    pairs = min(escorts, met)
    free = met - pairs if bombers else 0
    down = binomial(escorts if met else 0, fight_need(of_escorts, of_patrol))
    gunners = binomial(-(-bombers // TO_A_DIE) if free else 0, 6)
    lost = (down + gunners).map(lambda k: min(k, met))
    others = binomial(pairs, fight_need(of_patrol, of_escorts)).product(
        binomial(free, fight_need(of_patrol, of_bombers)).map(lambda k: min(k, bombers)))
    return lost.product(others).map(lambda pair: (pair[0], *pair[1]))


def flak_dice(target: ShipCard, consorts: Iterable[ShipCard] = (), weather: str = "good", level: bool = False) -> int:
    """The dice that a target and her consorts within a square throw at each flight (rule F62)."""
    dice = target.anti_aircraft + sum(card.anti_aircraft // 2 for card in consorts)
    return dice // 2 if level or weather != "good" else dice


def need(squares: int, harbour: bool = False) -> int:
    """The lowest die that hits a ship of that speed in squares, as it was when the fire began (rule F66)."""
    return 4 if harbour else 6 if squares >= SLOW else 5


def points_of(target: ShipCard, weapon: str, load: int, piercing: bool) -> int:
    """Damage points of one hit on that ship: half against heavy armour unless the bomb pierces it (rule F67)."""
    return load // 2 if weapon != "torpedo" and not piercing and target.protection in HEAVY else load
