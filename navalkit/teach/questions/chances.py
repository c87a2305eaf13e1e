"""Distributions and numbers, for formulas: thin over the library."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb, erf, exp, factorial, sqrt
from typing import Any

from navalkit.core.errors import DataError
from navalkit.core.luck.dist import Dist

from ..say import SAY

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


# -- when to stop -----------------------------------------------------------------------------------


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
