"""Probabilities in words, the same on every page: "72 % · 4787/6622 · about 3 in 4"."""

from __future__ import annotations

from fractions import Fraction
from math import inf

from navalkit.core.echo import brief
from navalkit.core.errors import DataError


def _probability(p: Fraction | float) -> Fraction:
    if not 0 <= p <= 1:
        raise DataError(f"A probability lies between 0 and 1, not at {brief(p)}.")
    return Fraction(p)


def percent(p: Fraction | float) -> str:
    """``p`` in percent: whole numbers from 10 to 90 %, one decimal nearer the ends, halves rounded up.

    What is not certain never looks so: "<0.1 %" and ">99.9 %" stand beyond the last decimal, "0 %" and
    "100 %" only for exactly 0 and 1.
    """
    p = _probability(p)
    if p in (0, 1):
        return f"{p * 100} %"
    if p < Fraction(1, 1000):
        return "<0.1 %"
    if p > Fraction(999, 1000):
        return ">99.9 %"
    tenths = int(p * 1000 + Fraction(1, 2))
    return f"{int(p * 100 + Fraction(1, 2))} %" if 100 <= tenths <= 900 else f"{tenths // 10}.{tenths % 10} %"


def one_in(p: Fraction | float) -> str:
    """``p`` in words: "1 in 6", "about 1 in 3", "about 3 in 4", "never", "always".

    The nearest of 1 in N and N - 1 in N, with 2 in 5 and 3 in 5 to fill the widest gaps; "about" unless it is
    exact. An inexact N above 1,000 is rounded to three figures.
    """
    p = _probability(p)
    if p in (0, 1):
        return "always" if p else "never"
    hits, of, exact = nearest(p)
    return f"{'' if exact else 'about '}{hits:,} in {of:,}"


def nearest(p: Fraction) -> tuple[int, int, bool]:
    """Of a probability between 0 and 1 the two numbers of `one_in`, and whether they are exact."""
    rarer = min(p, 1 - p)
    n = rarer.denominator // rarer.numerator
    near = min(Fraction(1, n), Fraction(1, n + 1), Fraction(2, 5), key=lambda f: abs(f - rarer))
    hits, of = near.numerator, near.denominator
    if near != rarer and of > 1000:
        unit = int(10 ** (len(str(of)) - 3))
        of = (of + unit // 2) // unit * unit
    if p > Fraction(1, 2) and of > 2:
        hits = of - hits
    return hits, of, near == rarer


def describe(p: Fraction | float, whole: bool = False) -> str:
    """A probability as pages show it: "72 % · 4787/6622 · about 3 in 4".

    The fraction is left out for 0 and 1, and, unless the ``whole`` of it is asked for, when its denominator has more
    than 8 digits.
    """
    p = _probability(p)
    exact = [f"{p.numerator}/{p.denominator}"] if 1 < p.denominator < (inf if whole else 10**8) else []
    return " · ".join([percent(p), *exact, one_in(p)])
