"""Kinds of answers: how each is read, when two are the same, and which slips are common to all exercises of a kind.

A slip is found from the answer alone: if undoing it ("one more", "taken from 1") makes the answer right, that was the
slip. So it is found for answers that are kept as a hash, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import islice
from numbers import Rational, Real
from typing import Any, Protocol

from navalkit.core.dist import Dist
from navalkit.core.errors import DataError

from .tables import SAY

TOLERANCE = 0.005
"""How far a decimal may be off, as a share of the right value: three figures are always enough."""
_CLOSE = 0.1
_ENDLESS = 1e100  # no answer is as large, and what is would overflow a float on the way
_MOST_ITEMS = 1000

Undo = Callable[[Any], Any]


class Misread(Exception):
    """The answer is of the wrong type or out of range; the text says what is asked for. ``slip`` names it."""

    def __init__(self, slip: str, **facts: Any) -> None:
        super().__init__(SAY(slip, **facts))
        self.slip = slip


class Kind(Protocol):
    """What every kind of answer knows.

    ``read`` turns an answer into a value or raises `Misread`; ``same`` tells whether a value is as good as the
    reference; ``remark`` is a sentence on a wrong value, or ""; ``slips`` are the common ones, name -> what undoes it;
    ``kept`` is the text of a value that is hashed.
    """

    @property
    def slips(self) -> Mapping[str, Undo]: ...
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
    """A number: "number", "whole" or "probability".

    Parameters
    ----------
    name : str
    tolerance : float
        How far a decimal may be off, as a share of the reference; fractions and whole numbers must be exact.
    places : int
        Decimals that an answer kept as a hash is rounded to.
    """

    name: str = "number"
    tolerance: float = TOLERANCE
    places: int = 3

    @property
    def slips(self) -> Mapping[str, Undo]:
        return {"whole": _WHOLE_SLIPS, "probability": _CHANCE_SLIPS}.get(self.name, _NUMBER_SLIPS)

    def read(self, answer: Any) -> int | float | Fraction:
        if isinstance(answer, str):
            answer = _number_in(answer, self.name)
        if hasattr(answer, "item") and getattr(answer, "ndim", 0) == 0:
            answer = answer.item()  # a number of numpy
        if isinstance(answer, bool) or not isinstance(answer, Real):
            raise Misread("not_a_number", kind=SAY(f"kind_{self.name}"), found=_type(answer))
        number = _exactly(answer)
        if not -_ENDLESS < number < _ENDLESS:  # nor none at all
            raise Misread("not_finite")
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
        if self.name != "whole" and abs(value - reference) <= _CLOSE * abs(reference):
            return SAY("close")
        return ""

    def kept(self, value: Any) -> str:
        return str(value) if self.name == "whole" else f"{float(value):.{self.places}f}"


@dataclass(frozen=True)
class Choice:
    """One of several texts; case, blanks and hyphens do not count.

    Parameters
    ----------
    choices : tuple of str
        What may be answered; empty: any text.
    """

    choices: tuple[str, ...] = ()
    slips: Mapping[str, Undo] = field(default_factory=dict)

    def read(self, answer: Any) -> str:
        if not isinstance(answer, str):
            raise Misread("not_a_text", found=_type(answer))
        plain = _plain(answer)
        if self.choices and plain not in map(_plain, self.choices):
            raise Misread("no_choice", choices=", ".join(map(repr, self.choices)))
        return plain

    def same(self, value: Any, reference: Any) -> bool:
        return bool(value == _plain(str(reference)))

    def remark(self, value: Any, reference: Any) -> str:
        return ""

    def kept(self, value: Any) -> str:
        return str(value)


@dataclass(frozen=True)
class Items:
    """Several texts or whole numbers, such as hexes: "B2 B3" or ["B2", "B3"].

    Parameters
    ----------
    ordered : bool
        Whether their order counts.
    """

    ordered: bool = False

    @property
    def slips(self) -> Mapping[str, Undo]:
        return {"backwards": lambda a: a[::-1]} if self.ordered else {}

    def read(self, answer: Any) -> tuple[str, ...]:
        if isinstance(answer, str):
            answer = answer.replace(",", " ").split()
        if isinstance(answer, Mapping | Dist) or not isinstance(answer, Iterable):
            raise Misread("not_a_list", found=_type(answer))
        items = tuple(_plain(str(item)) for item in islice(answer, _MOST_ITEMS))
        return items if self.ordered else tuple(sorted(set(items)))

    def same(self, value: Any, reference: Any) -> bool:
        return bool(value == self.read(reference))

    def remark(self, value: Any, reference: Any) -> str:
        mine, right = set(value), set(self.read(reference))
        if self.ordered and mine == right:
            return SAY("other_order")
        missing, foreign = right - mine, mine - right
        return SAY("items_both" if missing and foreign else "items_missing" if missing else "items_foreign")

    def kept(self, value: Any) -> str:
        return " ".join(value)


@dataclass(frozen=True)
class Function:
    """A function that the student writes: it is called with every case, and must give what the reference gives.

    Parameters
    ----------
    cases : tuple of tuple
        The arguments of each call.
    each : Kind
        The kind of what it returns.
    """

    cases: tuple[tuple[Any, ...], ...]
    each: Kind

    @property
    def slips(self) -> Mapping[str, Undo]:
        """The slips of each result, made in all of them."""
        return {name: partial(_each, undo) for name, undo in self.each.slips.items()}

    def read(self, answer: Any) -> list[Any]:
        if not callable(answer):
            raise Misread("not_a_function", found=_type(answer))
        values = []
        for case in self.cases:
            call = f"({', '.join(map(repr, case))})"
            try:
                found = answer(*case)
            except Exception as error:  # a student's function may do anything
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
    of = name.removeprefix("function of ")
    if of in ("number", "whole", "probability"):
        plain = Number(of, **numbers)
        if of == name:
            return plain
        if not cases:
            raise DataError(f"{name!r} needs `cases`, a list of lists of arguments.")
        return Function(tuple(map(tuple, cases)), plain)
    if name in ("set", "list"):
        return Items(ordered=name == "list")
    if name == "choice":
        return Choice(tuple(choices))
    raise DataError(f"there is no kind {name!r}; the kinds are number, whole, probability, choice, set, list, and "
                    "function of number, of whole or of probability.")  # fmt: skip


def _exactly(number: Real) -> Fraction | float:
    return Fraction(number) if isinstance(number, Rational) else float(number)


def _each(undo: Undo, values: Sequence[Any]) -> list[Any]:
    return [undo(value) for value in values]


def _number_in(text: str, kind_name: str) -> Fraction | float:
    """The number in a text such as "7/51", which is exact, or "0.137" or "13.7 %", which are decimals."""
    plain = text.replace(" ", "").replace("\u202f", "").replace("\u2212", "-")
    try:
        if plain.endswith("%"):
            return float(plain.removesuffix("%")) / 100
        return Fraction(plain) if plain.lstrip("+-").replace("/", "").isdecimal() else float(plain)
    except (ValueError, ZeroDivisionError):
        raise Misread("not_a_number", kind=SAY(f"kind_{kind_name}"), found=f"the text {text[:40]!r}") from None


def _plain(text: str) -> str:
    return " ".join(text.replace("-", " ").split()).casefold()


def _type(answer: Any) -> str:
    """What an answer is, in words a beginner knows."""
    if isinstance(answer, Dist):
        return SAY("type_dist")
    names = {list: "list", tuple: "list", set: "list", dict: "table", str: "text", bool: "bool"}
    known = names.get(type(answer)) or ("function" if callable(answer) else "other")
    return SAY(f"type_{known}", name=type(answer).__name__)
