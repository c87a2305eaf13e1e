"""A small hunt to write a rule for: contact is lost, the marker is inverted, and one escort looks for the boat.

Far simpler than On Patrol, so that a rule is three lines of Python: the escort goes three hexes a turn and turns by 60
degrees before each at most; the boat creeps away by one hex a turn on a course that nobody knows.
"""

from __future__ import annotations
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import comb, erf, exp, factorial, inf, log2, sqrt
from typing import Any, NamedTuple

import numpy as np

from navalkit.core.dist import Dist
from navalkit.core.errors import DataError, brief
from navalkit.grids.hex import Hex, opposite
from navalkit.grids.hex_moves import Place, any_heading, shortest_path
from .say import SAY

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


# -- Distributions and numbers, for formulas: thin over the library --------------------------------

Number = int | float | Fraction
_MOST_TRIES = 10_000


def mean(dist: Dist[Any]) -> Fraction:
    """The mean of a distribution."""
    return dist.mean


def deviation(dist: Dist[Any]) -> float:
    """The standard deviation of a distribution."""
    return dist.sd


def at_most(dist: Dist[Any], most: Number) -> Fraction:
    """The chance of ``most`` or less."""
    return dist.cdf(most)


def or_more(dist: Dist[Any], least: Number) -> Fraction:
    """The chance of ``least`` or more."""
    return dist.at_least(least)


def dice(chances: Sequence[Number], worth: int = 1) -> Dist[int]:
    """What dice are worth together, each worth ``worth`` with its own chance, else nothing."""
    exact = [chance if isinstance(chance, Fraction) else Fraction(chance) for chance in chances]
    one = {chance: Dist({0: 1 - chance, worth: chance}) for chance in exact}
    total: Dist[int] = Dist.point(0)
    for chance in exact:
        total = total + one[chance]
    return total


def binomial(n: int, chance: Number) -> Dist[int]:
    """How many of ``n`` independent tries succeed, each with the same chance. ``n``: 0 to 10,000. ``chance``: 0 to 1.
    DataError if one is out of range."""
    if type(n) is not int or not 0 <= n <= _MOST_TRIES or not 0 <= chance <= 1:
        raise DataError(SAY("formula.binomial", most=_MOST_TRIES))
    p = Fraction(chance)
    hit, miss, of = p.numerator, p.denominator - p.numerator, range(n + 1)
    return Dist({k: comb(n, k) * hit**k * miss ** (n - k) for k in of})


def poisson(k: int, mean: Number) -> float:
    """The chance of ``k`` events where ``mean`` are expected."""
    return exp(-mean) * float(mean) ** k / factorial(k)


def normal(z: Number) -> float:
    """The share of a normal distribution up to ``z`` standard deviations above its mean."""
    return (1 + erf(z / sqrt(2))) / 2


def first_at(chance: Number, k: int) -> Number:
    """The chance that the first success comes at try ``k``: the geometric distribution."""
    return (1 - chance) ** (k - 1) * chance


def counted(n: int, one: str, many: str = "") -> str:
    """A number with its noun: "three dice"."""
    words = SAY("formula.counts").split()
    return f"{words[n] if 0 <= n < len(words) else f'{n:,}'} {one if n == 1 else many or one + 's'}"


def worth_going_on(left: int, tons: Number, sink: Number, lost: Number, worth: Number) -> Number:
    """The value of the best way to end a patrol that may stop before every encounter, by dynamic programming.

    ``left``: encounters still possible, 0 or more. ``tons``: sunk so far. They count only if the boat comes home.
    ``sink`` and ``lost``: chances that one encounter sinks a ship, and that it loses the boat; else nothing happens.
    ``worth``: tons of a ship.
    """
    if left == 0:
        return tons
    return max(tons, _sail(left, tons, sink, lost, worth))


def _sail(left: int, tons: Number, sink: Number, lost: Number, worth: Number) -> Number:
    won = worth_going_on(left - 1, tons + worth, sink, lost, worth)
    return sink * won + (1 - sink - lost) * worth_going_on(left - 1, tons, sink, lost, worth)


def always_sails_on(left: int, tons: Number, sink: Number, lost: Number, worth: Number) -> Number:
    """The mean tonnage of a captain who never turns home early; parameters as for `worth_going_on`."""
    if left == 0:
        return tons
    won = always_sails_on(left - 1, tons + worth, sink, lost, worth)
    return sink * won + (1 - sink - lost) * always_sails_on(left - 1, tons, sink, lost, worth)


def turns_home_at(left: int, sink: Number, lost: Number, worth: Number) -> Number:
    """The fewest tons, in whole ships, with which to turn home rather than risk another of ``left`` encounters."""
    tons: Number = 0
    while _sail(left, tons, sink, lost, worth) > tons:
        tons += worth
    return tons


# -- Decision tables in lessons --------------------------------------------------------------------

def turned(direction: int, by: int) -> int:
    """The direction, 1 to 6, that lies ``by`` times sixty degrees to starboard of another."""
    return (direction - 1 + by) % 6 + 1


def rows_that_fit(table: str, count: int) -> int:
    """In how many cases exactly ``count`` rows of a decision table fit. ``table``: rows such as "yy-- --ny": y for yes,
    n for no, - for a condition that does not matter."""
    rows = table.split()
    fits = (sum(all(r in ("-", c) for r, c in zip(row, case, strict=True)) for row in rows) for case in
            product("yn", repeat=len(rows[0])))
    return sum(fit == count for fit in fits)


def table_shown(table: str, heads: Sequence[str], results: Sequence[int]) -> str:
    """A decision table in Markdown, its rows as for `rows_that_fit`, with what each sets."""
    words = {"y": "yes", "n": "no", "-": "–"}
    lines = [["row", *heads], ["---:", *["---"] * (len(heads) - 1), "---:"]]
    for number, (row, result) in enumerate(zip(table.split(), results, strict=True), 1):
        lines.append([str(number), *(words[each] for each in row), str(result)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


# -- How good a predictor is: scores of single forecasts -------------------------------------------

def brier(chance: float, happened: bool) -> float:
    """The Brier score of one forecast: the square of how far it was off; 0 is perfect, 1 the worst."""
    return (chance - (1 if happened else 0)) ** 2


def surprise(chance: float, happened: bool) -> float:
    """The logarithmic score in bits: how surprised one is who believed the forecast."""
    believed = chance if happened else 1 - chance
    return -log2(believed) if believed > 0 else inf


def mean_score(score: Callable[[float, bool], float], said: Iterable[tuple[float, bool]]) -> float:
    """The mean score of forecasts, each with what came of it."""
    pairs = list(said)
    return sum(score(chance, happened) for chance, happened in pairs) / len(pairs)


def unheard(there: float, heard: float) -> float:
    """The chance that a boat is in a square in which a search heard nothing. ``there``: that she was before. ``heard``:
    that the search hears her if she is."""
    missed = there * (1 - heard)
    return missed / (missed + 1 - there)


# -- Hexes by their labels, ways of ships, and the mistakes to expect of both ----------------------

def axial(label: str) -> list[int]:
    """The axial coordinates [q, r] of a hex."""
    return list(Hex.parse(label))


def hex_distance(q1: int, r1: int, q2: int, r2: int) -> int:
    """Hexes from one to another, both in axial coordinates."""
    return Hex(q1, r1).distance(Hex(q2, r2))


def square_distance(q1: int, r1: int, q2: int, r2: int) -> int:
    """What a king on a chessboard would need: no distance of hexes, but a mistake to expect."""
    return max(abs(q1 - q2), abs(r1 - r2))


def street_distance(q1: int, r1: int, q2: int, r2: int) -> int:
    """What it would be along streets: another mistake to expect."""
    return abs(q1 - q2) + abs(r1 - r2)


def hexes_apart(a: str, b: str) -> int:
    """Hexes from one to another, by their labels."""
    return Hex.parse(a).distance(Hex.parse(b))


def hex_ring(label: str, radius: int) -> list[str]:
    """The labels of the hexes at a distance."""
    return [h.label for h in Hex.parse(label).ring(radius)]


def neighbours_otherwise(label: str, count: int = 6) -> list[str]:
    """A hex's neighbours if the other columns lay lower, or the four that a square would have: mistakes to expect."""
    here = Hex.parse(label)
    beside = [Hex.at(here.column + by, here.row) for by in (-1, 1)]
    plain = [here.step(6), here.step(3), *beside]
    others = [h.step(6 if here.column % 2 == 0 else 3) for h in beside]
    return [h.label for h in (plain if count == 4 else [*plain, *others])]


def hex_line(a: str, b: str) -> list[str]:
    """The labels of the hexes of a straight line, both ends included."""
    return [h.label for h in Hex.parse(a).line(Hex.parse(b))]


def hexes_to_face(direction: int, other: int) -> int:
    """The fewest hexes a ship must enter until she sails in another direction."""
    start = Place(Hex(0, 0), direction)
    goals = [Place(h, other) for h in start.bow.disc(6)]
    return _entered(shortest_path(start, goals))


def hexes_to_reach(label: str, direction: int, goal: str, back: bool = False) -> int:
    """The fewest hexes a ship with her bow at ``label`` must enter until it is at ``goal``. ``direction``: her course
    at first. ``back``: whether she must arrive on the opposite course."""
    target = Hex.parse(goal)
    goals = [Place(target, opposite(direction))] if back else any_heading(target)
    return _entered(shortest_path(Place(Hex.parse(label), direction), goals))


def _entered(path: Sequence[Place] | None) -> int:
    if path is None:
        raise DataError(SAY("formula.no_way"))
    return len(path)
