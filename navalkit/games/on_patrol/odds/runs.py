"""How deadly is a run in play? What history counts as one attack, made by the escorts' own rules in whole hunts.

One escort holds contact six hexes off a boat that lies under her marker, and hunts her for `TURNS` turns by the rules,
run after run, while a captain evades. A run is what she drops in turns that follow one another; it sinks the boat or
does not. `calibrate` has the exact chance of one full pattern, the charges of one turn, on a boat that makes off to any
hex alike. In play a run is one to three patterns, and a captain who foresees the escort's way is not where they fall:
so two captains are measured, one who steers at random, and skipper, who steers clear. History lies between masters and
beginners, too.
"""

from __future__ import annotations
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial

import numpy as np

from navalkit.core.dist import Dist
from navalkit.core.match import Match
from navalkit.grids.hex import Hex, assault_zone, radials
from navalkit.grids.hex_moves import Place, moves
from navalkit.players import player
from navalkit.players.meeting import figures
from navalkit.prob.intervals import wilson
from .. import odds
from ..data import words
from ..escort import pattern
from ..escort.pattern import DEPTH_CHARGE, HEDGEHOG, K_GUN, SQUID
from ..rules.game import OnPatrol
from ..sea.state import EscortMove, Roll
from ..sea.tables import TABLES

__all__ = [
    "KILLS", "Armament", "Line", "Measure", "Runs", "design", "escapes", "lines", "measured", "patterns", "play",
    "report", "runs",
]

# -- How deadly are the escorts' weapons? The tables of combat.toml beside what history shows ------
#     python -m navalkit.games.on_patrol.odds
#
# The question of every line: a boat, unhurt, has just been found, her marker is right. She makes off under water;
# where to, the escort does not know, so that every bow hex she can reach is as likely. The escort runs along a radial
# through the target hex and lays the fullest pattern of one turn (105.4). How often does it sink her, and what does
# it cost her? A captain who foresees the escort's path does better, one who lies still may do worse ("worst hex").
# All of it is exact: the mean over the six radials, the hexes she can reach, and all rolls.

SAY = words("runs.toml")
MARKER = Place(Hex.parse("M20"), 6)
SEARCH = TABLES.scale["search"]


@dataclass(frozen=True, slots=True)
class Line:
    """An armament to be measured.

    Parameters
    ----------
    label : str
    weapons : tuple of (str, int)
        Weapon and number in a turn.
    speed : int
        Hexes of the run.
    history : Fraction or None
        Kills for an attack in the war, if known (facts).
    """

    label: str
    weapons: tuple[tuple[str, int], ...]
    speed: int
    history: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Measure:
    """What a pattern does to an unhurt boat.

    Parameters
    ----------
    charges : Fraction
        Mean number of charges in a pattern.
    left : Dist
        Her hull points after it.
    hull : int
        Her hull points before.
    worst : Fraction
        The chance that it sinks her in the most dangerous hex she can reach, from the worst radial.
    patterns : float
        Mean number of such patterns, one after the other, until she is sunk.
    """

    charges: Fraction
    left: Dist[int]
    hull: int
    worst: Fraction
    patterns: float

    @property
    def sunk(self) -> Fraction:
        """The chance that it sinks her."""
        return self.left[0]

    @property
    def lost(self) -> Fraction:
        """Mean hull points lost."""
        return self.hull - self.left.mean

    @property
    def untouched(self) -> Fraction:
        """The chance that it costs her nothing."""
        return self.left[self.hull]


def lines() -> tuple[Line, ...]:
    """What is measured: depth charges of two escorts, then each weapon of its own."""
    corvette, destroyer = TABLES.vessels["flower"], TABLES.vessels["v-and-w"]

    def charges(type_id: str) -> tuple[tuple[str, int], ...]:
        type_ = TABLES.vessels[type_id]
        return (pattern.DEPTH_CHARGE, type_.depth_charges), (pattern.K_GUN, type_.k_guns)

    return (
        Line(SAY("pattern.corvette"), charges("flower"), corvette.speed, Fraction(2, 121)),
        Line(SAY("pattern.destroyer"), charges("v-and-w"), destroyer.speed, Fraction(2, 121)),
        Line(SAY("hedgehog"), ((pattern.HEDGEHOG, 1),), SEARCH, Fraction(10, 57)),
        Line(SAY("squid"), ((pattern.SQUID, 1),), SEARCH, Fraction(10, 26)),
        Line(SAY("pattern.one_ton"), ((pattern.ONE_TON, 1),), destroyer.speed),
    )


def escapes(marker: Place, hexes: int) -> tuple[Hex, ...]:
    """The bow hexes a boat can reach from a place in up to some hexes, itself among them."""
    places = reached = {marker}
    for _ in range(hexes):
        reached = {to for place in reached for to in moves(place)}
        places = places | reached
    return tuple(sorted({place.bow for place in places}))


def fullest(weapons: Sequence[tuple[str, int]], speed: int, direction: int) -> list[pattern.Placement]:
    """The pattern of most charges, and of those the one on the best hexes, in one turn along a radial: each charge with
    its hex. ``speed``: hexes. ``direction``: of the radial, outward from the target.

    >>> [str(each.at) for each in fullest([("depth charge", 3)], speed=3, direction=1)]
    ['M19', 'N18', 'L19']
    """
    target = MARKER.ahead().bow
    zone = assault_zone(target, MARKER.direction)
    hexes = {h for _, h in zone}
    radial = radials(target)[direction - 1]
    found = []
    for start in range(-4, 12):
        place = Place(target.step(direction, start), radial.course)
        path = [place.ahead(n) for n in range(1, speed + 1)]
        units = []
        for weapon, count in weapons:
            reach = pattern.reach(weapon, path, hexes)
            units += [pattern.Unit(weapon, reach)] * (count if reach else 0)
        found.append(pattern.cover(units, zone))
    return min(found, key=lambda placed: (-len(placed), sum(p.rank for p in placed)))


@lru_cache
def measure(line: Line, boat: str = "viic", depth: int = 200) -> Measure:
    """Measure an armament against an unhurt boat at a depth in feet."""
    type_ = TABLES.boats[boat]
    reached = escapes(MARKER, type_.submerged)
    patterns = [fullest(line.weapons, line.speed, direction) for direction in range(1, 7)]
    cases = [tuple((p.weapon, p.at.distance(h)) for p in placed) for placed in patterns for h in reached]

    def mean(points: int) -> Dist[int]:
        return Dist.mixture((1, odds.attack(case, depth=depth, points=points)) for case in cases)

    return Measure(charges=Fraction(sum(len(placed) for placed in patterns), len(patterns)), left=mean(type_.hull),
                   hull=type_.hull, worst=max(odds.attack(case, depth=depth, points=type_.hull)[0] for case in cases),
                   patterns=float(_until_sunk([mean(points) for points in range(1, type_.hull + 1)])))


def _until_sunk(left: Sequence[Dist[int]]) -> Fraction:
    """Mean number of patterns until a boat is sunk; ``left[n - 1]`` is what one leaves of n hull points."""
    needed = [Fraction(0)]
    for points, after in enumerate(left, 1):
        waits = 1 + sum((chance * needed[rest] for rest, chance in after.items() if rest < points), Fraction(0))
        needed.append(waits / (1 - after[points]))
    return needed[-1]


def patterns(boat: str = "viic", depth: int = 200) -> str:
    """The table of all armaments, one line each."""
    name = TABLES.boats[boat].name
    rows = [SAY("pattern.title", boat=name, depth=depth)]
    rows.append("{:<26}{:>8}{:>12}{:>12}{:>11}{:>11}{:>8}{:>18}".format(*SAY("pattern.head").split(", ")))
    for line in lines():
        m = measure(line, boat, depth)
        rows.append(f"{line.label:<26}{float(m.charges):>8.1f}{_one_in(m.sunk):>12}{_one_in(line.history):>12}"
                    f"{float(m.worst):>11.1%}{float(m.lost):>11.2f}{float(m.untouched):>8.0%}{m.patterns:>18.1f}")
    return "\n".join(rows)


def _one_in(chance: Fraction | None) -> str:
    return SAY("pattern.one_in", n=1 / float(chance)) if chance else "-"


TURNS = 30
CAPTAINS = ("skipper", "random")
CHARGES = (DEPTH_CHARGE, K_GUN)


@dataclass(frozen=True, slots=True)
class Armament:
    """Whose runs are counted.

    Parameters
    ----------
    label : str
        A key of the sentences.
    ship : str
        Type of the escort.
    weapons : tuple of str
        What tells her runs from others'.
    year : int
    kills, attacks : float
        In the war, as far as it is known (facts); of Squid only the share is known, and ``attacks`` is 0.
    """

    label: str
    ship: str
    weapons: tuple[str, ...]
    year: int
    kills: float
    attacks: int

    @property
    def history(self) -> float:
        """Kills for an attack in the war."""
        return self.kills / self.attacks if self.attacks else self.kills

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of that share; None where nobody counted."""
        return wilson(self.history, self.attacks) if self.attacks else None


ARMAMENTS = (
    Armament("corvette", "flower", CHARGES, 1941, 85.5, 5174),
    Armament("destroyer", "v-and-w", CHARGES, 1941, 85.5, 5174),
    Armament("hedgehog", "captain", (HEDGEHOG,), 1943, 47, 268),
    Armament("squid", "loch", (SQUID,), 1944, 1 / 2.6, 0),
)


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs that were played: how many of them sank the boat, and how many there were."""

    sunk: int
    made: int

    @property
    def share(self) -> float:
        """Kills for a run."""
        return self.sunk / self.made if self.made else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of that share (Wilson); anything is possible where none was made."""
        return wilson(self.share, self.made) if self.made else (0.0, 1.0)


def design(armament: Armament, depth: int = 150) -> str:
    """The scenario of a hunt: one escort six hexes from the target, one boat with a contact marker on her."""
    return (
        f'title = "run"\ndate = {armament.year}-06-01\npackage = "advanced"\nturns = {TURNS}\npoints = 1\n'
        f'speed = "fast"\nships = []\nescorts = ["{armament.ship}"]\nplaces = ["M27 3"]\n'
        f'[[boat]]\ntype = "viic"\nplace = "M32 3"\ndepth = {depth}\nmarker = "contact"\n'
    )


def play(armament: Armament, n: int, captain: str = "skipper", seed: int = 1) -> Runs:
    """Play ``n`` hunts and count their runs.

    Parameters
    ----------
    armament : Armament
    n : int
        Hunts.
    captain : str
        Who commands the boat: a machine player by name.
    seed : int
        Of the first hunt; the others follow.

    Returns
    -------
    Runs
        The same for the same seed.

    Raises
    ------
    OptionError
        If there is no such player.

    Examples
    --------
    >>> play(ARMAMENTS[0], 0)
    Runs(sunk=0, made=0)
    """
    game = OnPatrol(scenario=design(armament))
    hunts = (_hunt(game, captain, number) for number in range(seed, seed + n))
    ends = [end for hunt in hunts for end in runs(hunt, armament.weapons)]
    return Runs(sum(ends), len(ends))


def _hunt(game: OnPatrol, captain: str, seed: int) -> Match:
    match, rng, master = Match.new(game, seed), np.random.default_rng(seed), player(captain, game)
    while not match.over:
        match.play(master.decide(match.observe(), match.legal(), rng).action)
    return match


def runs(match: Match, weapons: Collection[str]) -> Iterator[bool]:
    """The runs of all escorts with some weapons in a hunt, in the order they end: whether each sank a boat by one of
    them. A boat that another weapon of the same run sank is not theirs."""
    last: dict[str, int] = {}  # escort -> the turn in which she dropped last
    for number, ply in enumerate(match.plies):
        before, action = match.at(number), ply.action
        if isinstance(action, EscortMove) and any(charge.weapon in weapons for charge in action.charges):
            if before.turn - last.get(action.escort, before.turn) > 1:
                yield False
            last[action.escort] = before.turn
        elif isinstance(action, Roll) and action.task.kind == "damage" and action.task.actor in last:
            boat = action.task.target
            if ply.state.boat(boat).sunk and not before.boat(boat).sunk:
                del last[action.task.actor]
                yield action.task.detail[0] in weapons
    yield from (False for _ in last)


def measured(armament: Armament) -> str:
    """What was measured of an armament (players/figures.toml), beside the war: one sentence."""
    shares = []
    for captain in CAPTAINS:
        found = figures()[f"on-patrol/kills/{captain}/{armament.label}"]
        low, high = found.interval
        shares.append(SAY("against", captain=captain, share=found.value, low=low, high=high))
    return SAY("measured.line", what=SAY(armament.label), year=armament.year, shares=", ".join(shares),
               war=_war(armament))


def _war(armament: Armament) -> str:
    war = armament.interval
    return SAY("war", share=armament.history, low=war[0], high=war[1]) if war else SAY("about", share=armament.history)


KILLS = {each.label: partial(play, each) for each in ARMAMENTS}
"""What sim/figures.py plays again."""


def report(n: int = 400, seed: int = 1) -> str:
    """A line for every armament and captain: the runs, the kills for a run, and the war's, each with its interval."""
    return "\n".join(
        [
            SAY("title", n=n),
            *(_line(each, play(each, n, captain, seed), captain) for each in ARMAMENTS for captain in CAPTAINS),
        ]
    )


def _line(armament: Armament, found: Runs, captain: str) -> str:
    """One line of the report."""
    low, high = found.interval
    return SAY("line", what=SAY(armament.label), year=armament.year, captain=captain, made=found.made, sunk=found.sunk,
               share=found.share, low=low, high=high, war=_war(armament))


if __name__ == "__main__":  # how deadly the escorts' weapons are, a pattern and a run, beside what history shows
    print(patterns(), report(), sep="\n\n")
