"""Numbers as people read them: exact ones with their fraction and in words, estimates with their error."""

from __future__ import annotations

from fractions import Fraction
from math import floor, isfinite, log10

from navalkit.core.chances import describe, one_in, percent

_LONG = 10**8  # a fraction with a greater denominator is not written out


def amount(value: Fraction | float, unit: str) -> str:
    """A number of a unit, or a probability in percent where there is none."""
    return percent(_inside(value)) if not unit else f"{_figures(float(value))} {unit}"


def full(value: Fraction | float, unit: str, error: float = 0.0, n: int = 0) -> str:
    """A value with all that belongs to it: "72 % · 4787/6622 · about 3 in 4", or as an estimate."""
    if n:
        return estimate(float(value), error, n, unit)
    return describe(_inside(value)) if not unit else f"{_figures(float(value))} {unit}"


def parts(value: Fraction | float, unit: str, whole: bool = False) -> tuple[tuple[str, str], ...]:
    """The other ways to write a probability: as fraction, as decimal and in words, each with its name.

    A fraction too long to read is counted, not written ("fraction of 23 digits"), unless the ``whole`` is asked for.
    """
    if unit:
        return ()
    p = _inside(value)
    written = f"{p.numerator}/{p.denominator}" if isinstance(value, Fraction) else ""
    if p.denominator >= _LONG and written and not whole:
        written = f"fraction of {len(str(p.denominator))} digits"
    named = (("fraction", written), ("decimal", f"{float(p):.6f}"), ("in words", one_in(p)))
    return tuple((name, text) for name, text in named if text)


def estimate(mean: float, error: float, n: int, unit: str = "") -> str:
    """An estimate with its standard error and its trials: "61.3 ± 0.4 % (n = 20,000)"."""
    if not isfinite(mean):
        return f"no trial counts yet (n = {n:,})"
    scale, sign = (1.0, unit) if unit else (100.0, "%")
    places = _places(scale * error)
    return f"{scale * mean:,.{places}f} ± {scale * error:,.{places}f} {sign} (n = {n:,})"


def change(after: Fraction | float, before: Fraction | float, unit: str) -> str:
    """A difference with its sign: "+12.4 points" of percent, or "−310 t"."""
    scale, word = (1.0, unit) if unit else (100.0, "points")
    by = scale * (float(after) - float(before))
    places = 1 if not unit else _digits(by)
    text = f"{abs(by):,.{places}f}"
    if not float(text.replace(",", "")):
        return "no change" if not by else f"less than {10.0**-places:.{places}f} {word}"
    return f"{'+' if by > 0 else '−'}{text} {word}"


def _inside(value: Fraction | float) -> Fraction:
    """A probability whose rounding may have carried it past 0 or 1 by a hair."""
    return Fraction(min(max(value, 0), 1))


def _places(error: float) -> int:
    """Decimals that show one figure of an error, 1 to 4; none where it counts whole units."""
    if error <= 0:
        return 1
    return min(4, max(0 if error >= 1 else 1, -floor(log10(error))))


def _digits(value: float) -> int:
    return 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2


def _figures(value: float) -> str:
    return f"{value:,.{_digits(value)}f}"
