"""An exercise: its kind of answer, its reference, its hints, and the mistakes that its author expects."""

from __future__ import annotations
import hashlib
import hmac
import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from itertools import islice
from math import isfinite
from numbers import Rational, Real
from typing import Any, Protocol

import numpy as np

from navalkit.core.dist import Dist
from navalkit.core.errors import DataError, brief
from ..say import SAY
from .formula import (
    NO_NAMES,
    Family,
    Misread,
    exactly,
    fill,
    is_rounded,
    names_in,
    number_in,
    parts_in,
    plain_text,
    type_named,
    value,
)

# -- Kinds of answers: how each is read, when two are the same, and which slips are common to all exercises of a kind
# A slip is found from the answer alone: if undoing it ("one more", "taken from 1") makes the answer right, that was the
# slip. So it is found for answers that are kept as a hash, too.

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
    "sign": lambda a: -a, "percentage": lambda a: a / 100, "fraction": lambda a: a * 100,
    "thousand": lambda a: a / 1000, "thousandth": lambda a: a * 1000
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
        if not abs(value) < _ENDLESS:  # undoing a slip may make of a tiny one what no float holds
            return False
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
    """Several texts or whole numbers, such as hexes: "B2 B3", "B2 and B3" or ["B2", "B3"]."""

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
            answer = parts_in(answer)
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
                 if not self.each.same(mine, right)]
        call = f"({', '.join(map(repr, wrong[0]))})"
        return SAY("function_wrong", right=len(self.cases) - len(wrong), of=len(self.cases), call=call)

    def kept(self, value: Any) -> str:
        return " ".join(map(self.each.kept, value))


def kind(name: str, choices: Sequence[str] = (), cases: Sequence[Sequence[Any]] = (), **numbers: Any) -> Kind:
    """The kind of that name: number, whole, probability, choice, set, list, or "function of" one of the first three.
    DataError if there is none, or if something it needs is missing."""
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


# -- What answers are held against: a value the library works out, or a salted hash of one ---------

_ROUNDS = 20_000  # slow enough that trying a million numbers takes an hour


class Computed:
    """A value worked out when it is first needed. ``source``: for a function of the student's it is called with each
    case; the formula then is the name of a listed function. ``names``: the numbers of a family, for the formula; a
    callable is given them by name."""

    def __init__(self, kind: Kind, source: str | Callable[..., Any], names: Mapping[str, Any] = NO_NAMES) -> None:
        self.kind, self.source, self.names = kind, source, names

    @cached_property
    def value(self) -> Any:
        """The reference."""
        if isinstance(self.kind, Function):
            return [self._of(*case) for case in self.kind.cases]
        return self._of()

    def _of(self, *case: Any) -> Any:
        if callable(self.source):
            return self.source(*case, **self.names)
        return value(f"{self.source}({', '.join(map(repr, case))})" if case else self.source, self.names)

    def right(self, answer: Any) -> bool:
        """Whether an answer, as read, is right."""
        return self.kind.same(answer, self.value)

    def remark(self, answer: Any) -> str:
        """A sentence on a wrong answer, or ""."""
        return self.kind.remark(answer, self.value)


@dataclass(frozen=True)
class Sealed:
    """A value that is kept as a hash: for what the library cannot work out, or a teacher will not let it."""

    kind: Kind
    salt: str
    digest: str
    """Made by `seal`."""
    of: str = ""
    """The kind of answer that was sealed, with the decimals it was rounded to; "" if the seal does not tell."""

    def __post_init__(self) -> None:
        if not re.fullmatch("[0-9a-f]{64}", self.digest):
            raise DataError(SAY("formula.digest"))
        if self.of not in ("", self.kind.of):
            raise DataError(SAY("formula.other_kind", of=repr(self.of), kind=repr(self.kind.of)))

    def right(self, answer: Any) -> bool:
        """Whether an answer, as read, has the hash."""
        return hmac.compare_digest(_digest(self.kind.kept(answer), self.salt), self.digest)

    def remark(self, answer: Any) -> str:
        """Nothing: the right value is not known here."""
        return ""


def seal(kind: Kind, answer: Any) -> Sealed:
    """An answer as a salted hash. It is no lock: of a few possible answers all can be tried."""
    salt = secrets.token_hex(8)
    return Sealed(kind, salt, _digest(kind.kept(kind.read(answer)), salt), kind.of)


def _digest(text: str, salt: str) -> str:
    try:
        from hashlib import pbkdf2_hmac as stretch
    except ImportError:  # a browser's Python has no OpenSSL
        return stretched(text.encode(), salt.encode(), _ROUNDS).hex()
    return stretch("sha256", text.encode(), salt.encode(), _ROUNDS).hex()


def stretched(text: bytes, salt: bytes, rounds: int) -> bytes:
    """PBKDF2 by HMAC-SHA-256 (RFC 8018), its first 32 bytes, as `hashlib` has it where it is built with OpenSSL."""
    key = (text if len(text) <= 64 else hashlib.sha256(text).digest()).ljust(64, b"\0")
    inner, outer = (hashlib.sha256(bytes(each ^ pad for each in key)) for pad in (0x36, 0x5C))
    total, last = 0, salt + (1).to_bytes(4, "big")
    for _ in range(rounds):
        within, around = inner.copy(), outer.copy()
        within.update(last)
        around.update(within.digest())
        last = around.digest()
        total ^= int.from_bytes(last, "big")
    return total.to_bytes(32, "big")


def reference(kind: Kind, row: Any, names: Mapping[str, Any] = NO_NAMES) -> Computed | Sealed | None:
    """The reference that the entry ``answer`` of an exercise describes: a formula, or a table of salt and digest; None
    if there is none, as in a file of questions."""
    if row is None:
        return None
    if isinstance(row, str) or callable(row):
        return Computed(kind, row, names)
    sealed = isinstance(row, Mapping) and {"salt", "digest"} <= set(row) <= {"salt", "digest", "of"}
    if sealed and all(isinstance(text, str) for text in row.values()):
        return Sealed(kind, **row)
    raise DataError(SAY("formula.answer"))


ID = re.compile(r"[a-z][a-z0-9_-]*\.[a-z0-9_-]+")
_MOST_HINTS = 9


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that its author expects."""

    kind: Kind
    source: Any
    """The wrong answer."""
    slip: str
    """The mistake in a few words, for the teacher's table: "forgot without replacement"."""
    say: str
    """What the student is told; never the answer."""
    names: Mapping[str, Any] = field(default_factory=dict)
    """The numbers of a family."""

    @cached_property
    def value(self) -> Any:
        """The wrong answer, worked out and read; of a function, the results of the listed one that is named."""
        wrong = Computed(self.kind, self.source, self.names).value if isinstance(self.source, str) else self.source
        return wrong if isinstance(self.kind, Function) else self.kind.read(wrong)

    def made(self, answer: Any) -> bool:
        """Whether an answer, as read, is this mistake. One that cannot be worked out is none of the student's."""
        try:
            return self.kind.same(answer, self.value)
        except (DataError, Misread):
            return False


@dataclass(frozen=True, eq=False)
class Exercise:
    """A question that checks its answer; made by `exercise`.

    ``row`` is what it was made from, ``numbers`` those of its family that were drawn.
    """

    id: str
    title: str
    kind: Kind
    reference: Computed | Sealed | None
    """None where only the teacher's machine knows the answer."""
    hints: tuple[str, ...]
    mistakes: tuple[Mistake, ...] = ()
    after: str = ""
    ask: str = ""
    family: Family | None = None
    numbers: Mapping[str, Any] = field(default_factory=dict)
    row: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def lesson(self) -> str:
        """What stands before the dot of its id."""
        return self.id.partition(".")[0]

    def drawn(self, seed: str = "", retest: int = 0) -> Exercise:
        """The same exercise with the numbers of a seed and a retest; without a family, itself. DataError if its family
        gives no numbers."""
        return with_names(self, self.family.names(seed, retest)) if self.family and (seed or retest) else self

    def question(self) -> dict[str, Any]:
        """What `exercise` makes the same question of, without its answer, hints and mistakes: texts, numbers and lists.
        A formula goes along only if the question, its choices or ``where`` need it."""
        row = self.row
        kept = {key: row[key] for key in ("title", "kind", "ask")} | dict(row["more"])
        if self.family is None:
            return {"id": self.id, **kept}
        choices = row["more"].get("choices", "")
        needed = names_in(row["ask"], choices if isinstance(choices, str) else "", *self.family.where)
        let: dict[str, str] = {}
        for name in reversed(list(self.family.let)):
            if name in needed:
                let = {name: self.family.let[name]} | let
                needed |= names_in("", let[name])
        return {"id": self.id, **kept, "draw": dict(self.family.draw), "let": let, "where": list(self.family.where),
                "numbers_of": self.family.key}

    @property
    def shown(self) -> Mapping[str, Any]:
        """The numbers that its question names; others may be the answer itself."""
        return {name: each for name, each in self.numbers.items() if name in names_in(str(self.row.get("ask", "")))}


def with_names(question: Exercise, names: Mapping[str, Any]) -> Exercise:
    """An exercise of a family with these numbers."""
    return _made(question.id, question.family, names, question.row)


def exercise(id: str, title: str, kind: str, answer: str | Mapping[str, str] | Callable[..., Any] | None = None,
             hints: Sequence[str] = (), wrong: Sequence[Mapping[str, Any]] = (), after: str = "", ask: str = "",
             draw: Mapping[str, Sequence[Any]] = NO_NAMES, let: Mapping[str, str] = NO_NAMES, where: Sequence[str] = (),
             numbers_of: str = "", **more: Any) -> Exercise:
    """An exercise from what a TOML table holds, or from Python.

    Parameters
    ----------
    id : str
        The lesson's word, a dot and a number or word: "cards.1".
    title : str
        The question in a few words, for the teacher's table.
    kind : str
        number, whole, probability, choice, set, list, or "function of" one of the first three.
    answer : formula, {"salt": ..., "digest": ...}, (in Python alone) a callable, or None
        None has only the teacher's machine judge what is answered. See
        `navalkit.teach.exercises.formula.value`; the table is made by `navalkit teach seal`. A callable gives the
        reference when it is first needed; for a function of the student's, it is that function done right.
    hints : sequence of str
        One more is given after each wrong try. None may give the answer.
    wrong : sequence of mappings
        Mistakes to expect: ``is`` (a formula, or a number), ``slip`` and ``say``, as in `Mistake`.
    after : str
        A sentence to think about once the answer is right.
    ask : str
        The question, which `navalkit.teach.ask` shows; a family needs it.
    draw, let, where, numbers_of
        Make it a family, as in `navalkit.teach.exercises.formula.Family`: formulas may then use these names, and
        texts hold formulas in braces ("{n - 1} guns"). ``numbers_of`` names the exercise whose numbers these are.
    **more
        ``choices`` (a list, or a formula for one); ``cases`` of a function; ``tolerance`` (a share; 0.005 if left out)
        and ``places`` of numbers.

    Raises
    ------
    DataError
        If something is missing, unknown or of the wrong type; it names the exercise.

    Returns
    -------
    Exercise

    Examples
    --------
    >>> exercise("cards.99", "Jacks in the pack", "whole", "4", ["How many suits are there?"]).title
    'Jacks in the pack'
    """
    if not isinstance(id, str) or not ID.fullmatch(id):
        raise DataError(SAY("exercise.id", id=brief(id)))
    row = {"title": title, "kind": kind, "answer": answer, "hints": hints, "wrong": wrong, "after": after, "ask": ask,
           "more": more}
    try:
        family = Family(numbers_of or id, draw, let, where) if draw else None
        if family and not ask:
            raise DataError(SAY("exercise.needs_ask"))
        return _made(id, family, family.names() if family else NO_NAMES, row)
    except KeyError as error:
        raise DataError(SAY("exercise.wrong_lacks", id=id, what=error)) from None
    except DataError as error:
        raise DataError(SAY("exercise.at", id=id, why=error)) from None


def _made(id: str, family: Family | None, names: Mapping[str, Any], row: Mapping[str, Any]) -> Exercise:
    title, after, ask, hints = row["title"], row["after"], row["ask"], row["hints"]
    if isinstance(hints, str) or not all(isinstance(text, str) for text in (title, after, ask, *hints)):
        raise DataError(SAY("exercise.texts", most=_MOST_HINTS))
    if not (row["answer"] is not None) <= len(hints) <= _MOST_HINTS:
        raise DataError(SAY("exercise.hints", n=len(hints), most=_MOST_HINTS))
    sort = _kind(row["kind"], row["more"], names)
    wrong = [(each["is"], str(each["slip"]), fill(str(each["say"]), names)) for each in row["wrong"]]
    return Exercise(id, title, sort, reference(sort, row["answer"], names),
                    tuple(fill(hint, names) for hint in hints), tuple(Mistake(sort, *each, names) for each in wrong),
                    fill(after, names), fill(ask, names), family, names, row)


def _kind(name: str, more: Mapping[str, Any], names: Mapping[str, Any]) -> Kind:
    known = {"choices": list, "cases": list, "tolerance": float, "places": int}
    given = dict(more)
    if isinstance(given.get("choices"), str):
        given["choices"] = value(given["choices"], names)
    for key, found in given.items():
        if key not in known:
            raise DataError(SAY("exercise.no_entry", entry=brief(key)))
        if not isinstance(found, known[key]):
            raise DataError(SAY("exercise.entry", entry=brief(key), kind=known[key].__name__, found=brief(found)))
    return kind(str(name), **given)
