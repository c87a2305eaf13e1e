"""How answers are read: numbers and labels as people write them, and what to call what is none."""

from __future__ import annotations

import re
from decimal import ROUND_DOWN, ROUND_HALF_UP, ROUND_UP, Context, Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import Any

from navalkit.core.luck.dist import Dist

from ..say import SAY

_ROUNDED_ON_THE_WAY = 0.01
_HYPHEN = re.compile(r"(?<=\w)-(?=\w)|-$")
APART = re.compile(r"(?<![^\W\d_])([A-Za-z]{1,2}) (\d+)\b")  # "B 3", not "mode 3"
_SHARE = re.compile(r"([+-]?\d+)(?:/|outof|of|in)(\d+)")
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+")


class Misread(Exception):
    """The answer is of the wrong type or out of range; the text says what is asked for. ``slip`` names it."""

    def __init__(self, slip: str, **facts: Any) -> None:
        super().__init__(SAY(slip, **facts))
        self.slip = slip


def exactly(number: Real) -> Fraction | float:
    """A number as a fraction where it is one."""
    return Fraction(number) if isinstance(number, Rational) else float(number)


def number_in(text: str, kind_name: str) -> Fraction | float:
    """The number in a text: "7/51", "7 of 51", "1 in 8" and "51" exactly; "0.137", "0,137" and "13.7 %" as decimals.

    A comma before three digits stands for thousands where something is counted, and for a decimal in a probability;
    in any other number it may mean either.
    """
    plain = "".join(text.split()).replace("\u2212", "-").casefold()
    percent = plain.endswith("%")
    plain = plain.removesuffix("%")
    if _GROUPED.fullmatch(plain) and kind_name == "whole":
        plain = plain.replace(",", "")
    elif _GROUPED.fullmatch(plain) and kind_name == "number":
        raise Misread("which_comma")
    elif "." not in plain and plain.count(",") == 1:
        plain = plain.replace(",", ".")
    try:
        share = _SHARE.fullmatch(plain)
        if share:
            return Fraction(int(share[1]), int(share[2]) * (100 if percent else 1))
        number = Fraction(plain) if plain.lstrip("+-").isdecimal() else float(plain)
        return float(number) / 100 if percent else number
    except (ValueError, ZeroDivisionError, OverflowError):
        found = SAY("exercise.text", text=repr(text[:40]))
        raise Misread("not_a_number", kind=SAY(f"kind_{kind_name}"), found=found) from None


def is_rounded(value: Any, reference: Any) -> bool:
    """Whether a number is the reference with too few figures, or off by what rounding on the way does."""
    if abs(value - reference) <= _ROUNDED_ON_THE_WAY * abs(reference):
        return True
    found, right = Decimal(repr(float(value))), Decimal(repr(float(reference)))
    ways = [(figures, rounding) for figures in (2, 3) for rounding in (ROUND_HALF_UP, ROUND_DOWN, ROUND_UP)]
    ways += [(1, ROUND_HALF_UP)] if abs(reference) < 1 else []
    return any(found == Context(prec=figures, rounding=rounding).plus(right) for figures, rounding in ways)


def plain_text(text: str) -> str:
    plain = _HYPHEN.sub(" ", text.replace("\u2212", "-"))  # not the minus of a number
    return APART.sub(r"\1\2", " ".join(plain.split())).casefold()


def type_named(answer: Any) -> str:
    """What an answer is, in words a beginner knows."""
    if isinstance(answer, Dist):
        return SAY("type_dist")
    names = {list: "list", tuple: "list", set: "list", dict: "table", str: "text", bool: "bool"}
    known = names.get(type(answer)) or ("function" if callable(answer) else "other")
    return SAY(f"type_{known}", name=type(answer).__name__)
