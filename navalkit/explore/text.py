"""Numbers as people read them: exact ones with their fraction and in words, estimates with their error."""

from __future__ import annotations

from fractions import Fraction
from math import floor, isfinite, log10

from navalkit.core.language.chances import percent
from navalkit.core.language.words import ENGLISH, in_words, local, number, voice

from .say import SAY

_LONG = 10**8  # a fraction with a greater denominator is not written out at once


def amount(value: Fraction | float, unit: str) -> str:
    """A number of a unit, or a probability in percent where there is none."""
    if not unit:
        return local(percent(_inside(value)))
    return f"{number(float(value), f',.{_digits(float(value))}f')} {unit}"


def inline(label: str) -> str:
    """A label inside a sentence: small in English, while a German noun stays as it is."""
    return label.lower() if voice().lang == ENGLISH else label


def parts(value: Fraction | float, unit: str) -> tuple[tuple[str, str, str], ...]:
    """The other ways to write a probability: as fraction, as decimal and in words. Returns the name of each way, the
    text, and what is left out of it: the fraction itself if it is too long to read ("fraction of 23 digits")."""
    if unit:
        return ()
    p, whole = _inside(value), ""
    written = f"{p.numerator}/{p.denominator}" if isinstance(value, Fraction) else ""
    if p.denominator >= _LONG and written:
        whole, written = written, SAY("text.long", digits=len(str(p.denominator)))
    named = (
        (SAY("text.fraction"), written, whole), (SAY("text.decimal"), number(float(p), ".6f"), ""),
        (SAY("text.words"), in_words(p), ""),
    )  # fmt: skip
    return tuple(each for each in named if each[1])


def trials(n: int) -> str:
    """On how many an estimate rests: "(n = 20,000)"."""
    return f"(n = {number(n)})"


def estimate(mean: float, error: float, unit: str = "") -> str:
    """An estimate with its standard error: "61.3 ± 0.4 %"; of no trial, that there is none."""
    if not isfinite(mean):
        return SAY("text.no-trial")
    scale, sign = (1.0, unit) if unit else (100.0, "%")
    form = f",.{_places(scale * error)}f"
    return f"{number(scale * mean, form)} ± {number(scale * error, form)} {sign}"


def change(after: Fraction | float, before: Fraction | float, unit: str) -> str:
    """A difference with its sign: "+12.4 points" of percent, or "−310 t"."""
    scale, word = (1.0, unit) if unit else (100.0, SAY("text.points"))
    by = scale * (float(after) - float(before))
    places = 1 if not unit else _digits(by)
    if round(abs(by), places):
        return f"{'+' if by > 0 else '−'}{number(abs(by), f',.{places}f')} {word}"
    return SAY("text.less", least=number(10.0**-places, f".{places}f"), unit=word) if by else SAY("text.same")


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
