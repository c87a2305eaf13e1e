"""Guns and torpedoes: what may fire at what, and how many hits it makes (rules F13 to F18)."""

from __future__ import annotations
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

from navalkit.core.dist import Dist
from navalkit.core.errors import OptionError, brief
from navalkit.grids.square import bearing, distance
from .. import sight
from ..cards import SAY, TABLES, Gun, Mount, ShipCard, Torpedo, find, guns_out, ship
from ..craft import Depth
from ..state import Fate, Scenario, Ship, Shot, State, Task, Weapon, weapons

# -- Dice of one move, exactly: salvos of guns, a ship's whole fire, torpedo sets, a mine ----------
# A salvo is one die a gun and firing. The first firing at a target hits on sixes at the gun's greatest range and on
# fives too inside it; each further firing at the same target hits on fours too. A die that hits on ``need`` or more
# does so in ``7 - need`` of six cases, so that the weight of k hits of n is C(n, k) (7 - need)**k (need - 1)**(n - k).

FAR, NEAR, AGAIN = 6, 5, 4  # the lowest die that hits: at greatest range, inside it, in a further firing
ASPECTS: Mapping[str, int] = {"beam": 4, "diagonal": 5, "end": 6}
"""Aspect the target shows to the torpedoes -> the lowest die that hits."""

NOTHING: Dist[int] = Dist.point(0)


def salvo(gun: Gun | str, guns: int, range: int, *, firings: int | None = None, same_target: bool = True) -> Dist[int]:
    """Damage points of a salvo of guns of one kind in one move (rules F15, F16).

    Parameters
    ----------
    gun : Gun or str
        The kind of gun, or its name in the tables ("8in Mk VIII").
    guns : int
        How many fire, 0 or more.
    range : int
        Squares to the target, 0 or more; beyond the gun's range nothing hits.
    firings : int, optional
        How many times each gun fires, 0 to the gun's firings a move; all of them if not given.
    same_target : bool
        Whether all firings are at one target. If not, each is at a new one and starts afresh, and the damage is
        that of all of them together.

    Returns
    -------
    Dist of int

    Raises
    ------
    DataError
        If there is no such gun.
    OptionError
        If a number is out of range.

    Examples
    --------
    >>> salvo("8in Mk VIII", 1, 6, firings=1)  # 256 lb, 3 points, at her greatest range
    Dist({0: 5, 3: 1})
    """
    kind = find(gun, TABLES.guns, "gun") if isinstance(gun, str) else gun
    firings = kind.firings if firings is None else firings
    whole("guns", guns)
    whole("range", range)
    whole("firings", firings, kind.firings)
    return _salvo(kind, guns, range, firings, same_target)


@cache
def _salvo(gun: Gun, guns: int, range: int, firings: int, same_target: bool) -> Dist[int]:
    if range > gun.range or not guns * firings:
        return NOTHING
    first = NEAR if range < gun.range else FAR
    if not same_target:
        return hits(guns * firings, first, gun.damage)
    return hits(guns, first, gun.damage) + hits(guns * (firings - 1), AGAIN, gun.damage)


def hits(dice: int, need: int, damage: int = 1) -> Dist[int]:
    """Damage of a number of dice that hit on ``need`` or more, each hit doing ``damage`` points."""
    return Dist({k * damage: comb(dice, k) * (7 - need) ** k * (need - 1) ** (dice - k) for k in range(dice + 1)})


def guns_left(card: ShipCard, quarters: int, range: int | None = None, relative: int | None = None) -> tuple[int, ...]:
    """The guns a ship still has in each of her mounts after 0 to 4 full quarters of damage (rule F20).

    Ruling: unless her owner chooses otherwise, the main guns go first whose loss costs the least mean damage, at that
    range and bearing where they are given, and of equal ones those listed last.

    Parameters
    ----------
    card : ShipCard
    quarters : int
        Full quarters of her sinking rate, 0 to 4.
    range, relative : int, optional
        Squares to the target, and its bearing in eighth-turns from her heading.

    Returns
    -------
    tuple of int
        One number a mount, in the order of ``card.mounts``.

    >>> from navalkit.games.fleet_action import ship
    >>> guns_left(ship("Ajax"), 2)
    (4, 0, 2, 2)
    """

    def cost(i: int) -> tuple[Fraction, int]:
        mount = card.mounts[i]
        if relative is not None and not mount.bears(relative):
            return Fraction(0), -i
        return TABLES.guns[mount.gun].mean_damage(range or 0), -i

    left = [mount.guns for mount in card.mounts]
    lost = guns_out(card.main_guns, quarters)
    for i in sorted((i for i, mount in enumerate(card.mounts) if mount.battery == "main"), key=cost):
        gone = min(lost, left[i])
        left[i] -= gone
        lost -= gone
    return tuple(left)


def broadside(attacker: ShipCard | str, range: int, relative: int = 2, *,
              guns: Sequence[int] | None = None) -> Dist[int]:
    """Damage points of a ship's whole fire in one move, all mounts that bear at one target (rule F13).

    Parameters
    ----------
    attacker : ShipCard or str
        The ship, or her name in the tables.
    range : int
        Squares to the target.
    relative : int
        The target's bearing in eighth-turns clockwise from her heading; on the starboard beam if not given.
    guns : sequence of int, optional
        Guns left in each mount, in the order of her mounts; all of them if not given.

    Returns
    -------
    Dist of int

    Raises
    ------
    DataError
        If there is no such ship.
    OptionError
        If the range is below 0, or ``guns`` does not fit her mounts.

    >>> broadside("Exeter", 3).mean
    Fraction(83, 3)
    """
    card = ship_card(attacker)
    whole("range", range)
    left = tuple(mount.guns for mount in card.mounts) if guns is None else tuple(guns)
    if len(left) != len(card.mounts) or not all(0 <= n <= m.guns for n, m in zip(left, card.mounts, strict=True)):
        full = ", ".join(str(mount.guns) for mount in card.mounts)
        raise OptionError(SAY("odds.guns", name=card.name, n=len(card.mounts), full=full, given=brief(left)))
    fire = NOTHING
    for name, number in mounts_that_bear(card.mounts, left, relative).items():
        fire = fire + salvo(name, number, range)
    return fire


def mounts_that_bear(mounts: Sequence[Mount], left: Sequence[int], relative: int) -> dict[str, int]:
    """Gun -> how many of those left bear on that relative bearing, main battery first."""
    guns: dict[str, int] = {}
    for mount, number in zip(mounts, left, strict=True):
        if mount.bears(relative):
            guns[mount.gun] = guns.get(mount.gun, 0) + number
    return guns


def torpedoes(kind: Torpedo | str, tubes: int, aspect: str) -> Dist[int]:
    """Damage points of a torpedo set (rules F17, F18).

    Parameters
    ----------
    kind : Torpedo or str
        The kind of torpedo, or its name in the tables ("Mk 15").
    tubes : int
        How many are fired, 0 or more.
    aspect : str
        What the target shows to them: "beam" (hits on 4 to 6), "diagonal" (5 and 6) or "end" (6).

    Returns
    -------
    Dist of int

    Raises
    ------
    DataError
        If there is no such torpedo.
    OptionError
        If the aspect is none of the three, or ``tubes`` below 0.

    Examples
    --------
    >>> torpedoes("Type 93", 2, "beam")
    Dist({0: 1, 120: 2, 240: 1})
    """
    fish = find(kind, TABLES.torpedoes, "torpedo") if isinstance(kind, str) else kind
    whole("tubes", tubes)
    if aspect not in ASPECTS:
        raise OptionError(SAY("odds.aspect", names=", ".join(ASPECTS), value=brief(aspect)))
    return hits(tubes, ASPECTS[aspect], fish.damage)


def mine() -> Dist[int]:
    """Damage points of a ship's run over a mined square: two dice, times ten; a double six does nothing (rule F24).

    Examples
    --------
    >>> mine()[0], mine()[110]
    (Fraction(1, 36), Fraction(1, 18))
    """
    return MINE


MINE: Dist[int] = Dist.uniform([0 if a == b == 6 else 10 * (a + b) for a, b in product(range(1, 7), repeat=2)])


def ship_card(of: ShipCard | str) -> ShipCard:
    """A card as it is, a name's card from the tables."""
    return ship(of) if isinstance(of, str) else of


def whole(name: str, value: int, high: int | None = None) -> None:
    """OptionError unless ``value`` is a whole number from 0 to ``high``."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0 or (high is not None and value > high):
        key = "odds.number" if high is None else "odds.limit"
        raise OptionError(SAY(key, name=name, high=high, value=brief(value)))


def may_fire(battle: Scenario, state: State, ship: int) -> str | None:
    """Why a ship's weapons cannot be used at all in this move, or None."""
    own, name = state.ships[ship], battle.units[ship].name
    if own.fate is not Fate.AT_SEA:
        return SAY("no.board", name=name)
    if own.square in battle.harbours[battle.side(ship)]:
        return SAY("no.harbour", name=name)
    if own.task is Task.RELOAD:
        return SAY("no.reloading", name=name)
    if sight.foggy(battle, state, own.square):
        return SAY("no.fog", name=name)
    if own.depth is Depth.DEEP:
        return SAY("no.deep", name=name)
    if own.still or own.loading >= 0:
        return SAY("no.diving" if own.still else "no.loading", name=name)
    return None


def may_be_fired_at(battle: Scenario, state: State, ship: int) -> bool:
    """Whether a ship is on the board, not dived, and known to the enemy."""
    own = state.ships[ship]
    return own.fate is Fate.AT_SEA and not own.dived and sight.known(battle, state, ship)


def bearing_guns(battle: Scenario, state: State, ship: int, weapon: Weapon, target: int) -> int:
    """How many guns of that weapon are in action, in range and bear on the target, and see it (rules F13, F14)."""
    own, other = state.ships[ship], state.ships[target]
    if distance(battle.grid, own.square, other.square) > weapon.gun.range:
        return 0
    if battle.card(ship).boat and (own.dived or sight.rough(battle, state, own.square)):
        return 0  # her low platform (rule F46)
    relative = (bearing(battle.grid, own.square, other.square) - own.heading) % 8
    mounts = battle.card(ship).mounts
    guns = sum(mounts[m].guns - own.out[m] for m in weapon.mounts if mounts[m].bears(relative))
    return guns if guns and sight.sighted(battle, state, own.square, other.square) else 0


def shots_of(state: State, ship: int, weapon: int) -> tuple[Shot, ...]:
    """What those guns have been ordered to fire in this move, in order."""
    return tuple(s for s in state.shots if s.ship == ship and not s.torpedo and s.number == weapon)


def firings_left(battle: Scenario, state: State, ship: int, weapon: int) -> int:
    """How often those guns may still fire in this move (rule F15)."""
    return weapons(battle.card(ship))[weapon].gun.firings - len(shots_of(state, ship, weapon))


def armed(battle: Scenario, state: State, ship: int, target: int, battery: str) -> tuple[int, ...]:
    """The weapons of that battery ("" any) that can still fire at the target, by number."""
    return tuple(number for number, weapon in enumerate(weapons(battle.card(ship)))
                 if battery in ("", weapon.battery)
                 and firings_left(battle, state, ship, number)
                 and bearing_guns(battle, state, ship, weapon, target))


def aspect(battle: Scenario, attacker: Ship, target: Ship) -> str:
    """How the target lies to the attacker: "beam", "diagonal" or "end" (rule F18)."""
    relative = (bearing(battle.grid, target.square, attacker.square) - target.heading) % 4
    return ("end", "diagonal", "beam", "diagonal")[relative]


def torpedo_reaches(battle: Scenario, state: State, ship: int, number: int, target: int) -> bool:
    """Whether the target lies within the range and in sight of that torpedo set (rule F17)."""
    own, other = state.ships[ship], state.ships[target]
    near = distance(battle.grid, own.square, other.square) <= battle.torpedo_range(ship, number)
    if own.dived and not sight.sees(battle, state, ship, target):
        return False  # from below she fires at what she sees herself (rule F44)
    return near and sight.sighted(battle, state, own.square, other.square)


def need(battle: Scenario, state: State, shot: Shot) -> int:
    """The lowest die that hits for one gun or tube of a shot (rules F15, F16, F18)."""
    own, other = state.ships[shot.ship], state.ships[shot.target]
    if shot.torpedo:
        return ASPECTS[aspect(battle, own, other)]
    if follows_up(state, shot):
        return AGAIN
    weapon = weapons(battle.card(shot.ship))[shot.number]
    if distance(battle.grid, own.square, other.square) < weapon.gun.range:
        return NEAR
    return NEAR if sight.spotted(battle, state, shot.ship, shot.target) else FAR


def follows_up(state: State, shot: Shot) -> bool:
    """Whether the same guns fired at the same target just before (rule F16)."""
    before = shots_of(state, shot.ship, shot.number)[: shot.firing - 1]
    return bool(before) and not shot.torpedo and before[-1].target == shot.target


def dice(battle: Scenario, state: State, shot: Shot) -> int:
    """How many dice are thrown for a shot: one a gun, or one a tube."""
    card = battle.card(shot.ship)
    if shot.torpedo:
        return card.torpedoes[shot.number].tubes
    return bearing_guns(battle, state, shot.ship, weapons(card)[shot.number], shot.target)


def hit_weights(battle: Scenario, state: State, shot: Shot) -> Sequence[int]:
    """The weights of 0, 1, 2 ... hits of a shot: binomial."""
    n, lowest = dice(battle, state, shot), need(battle, state, shot)
    return [comb(n, k) * (7 - lowest) ** k * (lowest - 1) ** (n - k) for k in range(n + 1)]


def damage(battle: Scenario, shot: Shot) -> int:
    """Damage points of one hit of a shot."""
    card = battle.card(shot.ship)
    if shot.torpedo:
        return TABLES.torpedoes[card.torpedoes[shot.number].kind].damage
    return weapons(card)[shot.number].gun.damage
