"""Kinds of answers: how each is read, when two are the same, and which slips are common to all exercises of a kind.

A slip is found from the answer alone: if undoing it ("one more", "taken from 1") makes the answer right, that was the
slip. So it is found for answers that are kept as a hash, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import islice
from math import isfinite
from numbers import Rational, Real
from typing import Any, Protocol

import numpy as np

from navalkit.core.echo import brief
from navalkit.core.errors import DataError
from navalkit.core.luck.dist import Dist

from ..say import SAY
from .reading import APART, Misread, exactly, is_rounded, number_in, plain_text, type_named

TOLERANCE = 0.005
"""How far a decimal may be off, as a share of the right value: three figures are always enough."""
_SMALL = 12  # of whole numbers up to here, "one too few" would tell the answer
_ENDLESS = 1e100  # no answer is as large, and what is would overflow a float on the way
_MOST_ITEMS = 1000
_MOST_NAMED = 8

Undo = Callable[[Any], Any]
_NUMBERS = re.compile(r"(function of )?(number|whole|probability)")


class Kind(Protocol):
    """What every kind of answer knows.

    ``read`` turns an answer into a value or raises `Misread`; ``same`` tells whether a value is as good as the
    reference; ``remark`` is a sentence on a wrong value, or ""; ``slips`` are the common ones, name -> what undoes it;
    ``tells`` is whether the sentence on a common slip would give the answer away; ``kept`` is the text of a value that
    is hashed, and ``of`` names what was kept and how.
    """

    @property
    def slips(self) -> Mapping[str, Undo]: ...
    @property
    def of(self) -> str: ...
    def tells(self, slip: str, value: Any) -> bool: ...
    def read(self, answer: Any) -> Any: ...
    def same(self, value: Any, reference: Any) -> bool: ...
    def remark(self, value: Any, reference: Any) -> str: ...
    def kept(self, value: Any) -> str: ...


_NUMBER_SLIPS: Mapping[str, Undo] = {
    "sign": lambda a: -a,
    "percentage": lambda a: a / 100,
    "fraction": lambda a: a * 100,
    "thousand": lambda a: a / 1000,
    "thousandth": lambda a: a * 1000,
}
_WHOLE_SLIPS: Mapping[str, Undo] = {
    "one_too_few": lambda a: a + 1,
    "one_too_many": lambda a: a - 1,
    "sign": lambda a: -a,
}
_CHANCE_SLIPS: Mapping[str, Undo] = {
    "complement": lambda a: 1 - a,
    "percentage": lambda a: a / 100,
    "one_in": lambda a: 1 / a if a else a,
}


@dataclass(frozen=True)
class Number:
    """A number: "number", "whole" or "probability"."""

    name: str = "number"
    tolerance: float = TOLERANCE
    """How far a decimal may be off, as a share of the reference; fractions and whole numbers must be exact."""
    places: int = 3
    """Decimals that an answer kept as a hash is rounded to."""

    @property
    def slips(self) -> Mapping[str, Undo]:
        return {"whole": _WHOLE_SLIPS, "probability": _CHANCE_SLIPS}.get(self.name, _NUMBER_SLIPS)

    @property
    def of(self) -> str:
        return self.name if self.name == "whole" else f"{self.name} {self.places}"

    def tells(self, slip: str, value: Any) -> bool:
        return slip in ("one_too_few", "one_too_many") and abs(value) <= _SMALL

    def read(self, answer: Any) -> int | float | Fraction:
        if isinstance(answer, str):
            answer = number_in(answer, self.name)
        if isinstance(answer, np.generic) or (isinstance(answer, np.ndarray) and answer.ndim == 0):
            answer = answer.item()
        if isinstance(answer, bool) or not isinstance(answer, Real):
            raise Misread("not_a_number", kind=SAY(f"kind_{self.name}"), found=type_named(answer))
        number = exactly(answer)
        if not -_ENDLESS < number < _ENDLESS:  # nor none at all
            raise Misread("too_large" if isinstance(number, Fraction) or isfinite(number) else "not_finite")
        if self.name != "whole":
            return number
        if number != int(number):
            raise Misread("not_whole")
        return int(number)

    def same(self, value: Any, reference: Any) -> bool:
        if self.name == "whole" and isinstance(reference, float):
            reference = round(reference)
        if isinstance(value, Rational) and isinstance(reference, Rational):
            return value == reference
        return bool(abs(value - reference) <= self.tolerance * abs(reference) + 1e-12)

    def remark(self, value: Any, reference: Any) -> str:
        if self.name == "probability" and not 0 <= value <= 1:
            return SAY("no_probability")
        return SAY("close") if self.name != "whole" and is_rounded(value, reference) else ""

    def kept(self, value: Any) -> str:
        return str(value) if self.name == "whole" else f"{float(value):.{self.places}f}"


@dataclass(frozen=True)
class Choice:
    """One of several texts; case, blanks and hyphens do not count."""

    choices: tuple[str, ...] = ()
    """What may be answered; empty: any text."""
    slips: Mapping[str, Undo] = field(default_factory=dict)
    of: str = "choice"

    def tells(self, slip: str, value: Any) -> bool:
        return False

    def read(self, answer: Any) -> str:
        if not isinstance(answer, str):
            raise Misread("not_a_text", found=type_named(answer))
        plain = plain_text(answer)
        if self.choices and plain not in map(plain_text, self.choices):
            more = " ..." if len(self.choices) > _MOST_NAMED else ""
            some = ", ".join(map(repr, self.choices[:_MOST_NAMED]))
            raise Misread("no_choice", found=brief(answer), choices=some + more)
        return plain

    def same(self, value: Any, reference: Any) -> bool:
        return bool(value == plain_text(str(reference)))

    def remark(self, value: Any, reference: Any) -> str:
        return ""

    def kept(self, value: Any) -> str:
        return str(value)


@dataclass(frozen=True)
class Items:
    """Several texts or whole numbers, such as hexes: "B2 B3" or ["B2", "B3"]."""

    ordered: bool = False
    """Whether their order counts."""

    @property
    def slips(self) -> Mapping[str, Undo]:
        return {"backwards": lambda a: a[::-1]} if self.ordered else {}

    @property
    def of(self) -> str:
        return "list" if self.ordered else "set"

    def tells(self, slip: str, value: Any) -> bool:
        return False

    def read(self, answer: Any) -> tuple[str, ...]:
        if isinstance(answer, str):
            answer = APART.sub(r"\1\2", answer.replace(",", " ")).split()
        if isinstance(answer, Mapping | Dist) or not isinstance(answer, Iterable):
            raise Misread("not_a_list", found=type_named(answer))
        try:
            items = tuple(plain_text(str(item)) for item in islice(answer, _MOST_ITEMS))
        except Exception:  # whatever an item does when it is written out
            raise Misread("not_a_list", found=type_named(answer)) from None
        return items if self.ordered else tuple(sorted(set(items)))

    def same(self, value: Any, reference: Any) -> bool:
        return bool(value == self.read(reference))

    def remark(self, value: Any, reference: Any) -> str:
        wanted = self.read(reference)
        if self.ordered:
            if len(value) != len(wanted):
                return SAY("list_short" if len(value) < len(wanted) else "list_long", found=len(value))
            if Counter(value) == Counter(wanted):
                return SAY("other_order")
            good = [mine == right for mine, right in zip(value, wanted, strict=True)]
            return SAY("list_differs", right=sum(good), of=len(good), place=good.index(False) + 1)
        mine, right = set(value), set(wanted)
        missing, foreign = right - mine, mine - right
        return SAY("items_both" if missing and foreign else "items_missing" if missing else "items_foreign")

    def kept(self, value: Any) -> str:
        return " ".join(value)


@dataclass(frozen=True)
class Function:
    """A function that the student writes: it is called with every case, and must give what the reference gives."""

    cases: tuple[tuple[Any, ...], ...]
    """The arguments of each call."""
    each: Kind
    """The kind of what it returns."""

    @property
    def slips(self) -> Mapping[str, Undo]:
        """The slips of each result, made in all of them."""
        return {name: partial(_each, undo) for name, undo in self.each.slips.items()}

    @property
    def of(self) -> str:
        return f"function/{self.each.of}"

    def tells(self, slip: str, value: Any) -> bool:
        return False

    def read(self, answer: Any) -> list[Any]:
        if not callable(answer):
            raise Misread("not_a_function", found=type_named(answer))
        values = []
        for case in self.cases:
            call = f"({', '.join(map(repr, case))})"
            try:
                found = answer(*case)
            except (Exception, SystemExit) as error:  # a student's function may do anything, calling exit() too
                raise Misread("function_stops", call=call, error=f"{type(error).__name__}: {error}") from None
            values.append(found)
        if all(found is None or found is ... for found in values):
            return [None]
        return [self.each.read(found) for found in values]

    def same(self, value: Any, reference: Any) -> bool:
        return len(value) == len(reference) and all(map(self.each.same, value, reference))

    def remark(self, value: Any, reference: Any) -> str:
        wrong = [case for case, mine, right in zip(self.cases, value, reference, strict=True)
                 if not self.each.same(mine, right)]  # fmt: skip
        call = f"({', '.join(map(repr, wrong[0]))})"
        return SAY("function_wrong", right=len(self.cases) - len(wrong), of=len(self.cases), call=call)

    def kept(self, value: Any) -> str:
        return " ".join(map(self.each.kept, value))


def kind(name: str, choices: Sequence[str] = (), cases: Sequence[Sequence[Any]] = (), **numbers: Any) -> Kind:
    """The kind of that name: number, whole, probability, choice, set, list, or "function of" one of the first three.

    DataError if there is none, or if something it needs is missing.
    """
    if found := _NUMBERS.fullmatch(name):
        plain = Number(found[2], **numbers)
        if not found[1]:
            return plain
        if not cases:
            raise DataError(SAY("exercise.needs_cases", kind=brief(name)))
        return Function(tuple(map(tuple, cases)), plain)
    if name in ("set", "list"):
        return Items(ordered=name == "list")
    if name == "choice":
        return Choice(tuple(choices))
    raise DataError(SAY("exercise.no_kind", kind=brief(name)))


def _each(undo: Undo, values: Sequence[Any]) -> list[Any]:
    return [undo(value) for value in values]
