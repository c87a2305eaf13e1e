"""An exercise: its kind of answer, its reference, its hints, and the mistakes that its author expects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import Any

from navalkit.core.errors import DataError
from navalkit.core.options import brief

from .kinds import Choice, Function, Items, Kind, Misread, kind
from .reference import Computed, Sealed, reference

_ID = re.compile(r"[a-z][a-z0-9_-]*\.[a-z0-9_-]+")
_MOST_HINTS = 9


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that its author expects.

    Parameters
    ----------
    kind : Kind
    source : formula or number
        The wrong answer.
    slip : str
        The mistake in a few words, for the teacher's table: "forgot without replacement".
    say : str
        What the student is told; never the answer.
    """

    kind: Kind
    source: Any
    slip: str
    say: str

    @cached_property
    def value(self) -> Any:
        """The wrong answer, worked out and read; of a function, the results of the listed one that is named."""
        wrong = Computed(self.kind, self.source).value if isinstance(self.source, str) else self.source
        return wrong if isinstance(self.kind, Function) else self.kind.read(wrong)


@dataclass(frozen=True)
class Exercise:
    """A question that checks its answer; made by `exercise`."""

    id: str
    title: str
    kind: Kind
    reference: Computed | Sealed
    hints: tuple[str, ...]
    mistakes: tuple[Mistake, ...] = ()
    after: str = ""

    @property
    def lesson(self) -> str:
        """What stands before the dot of its id."""
        return self.id.partition(".")[0]


def exercise(
    id: str,
    title: str,
    kind: str,
    answer: str | Mapping[str, str] | Callable[..., Any],
    hints: Sequence[str],
    wrong: Sequence[Mapping[str, Any]] = (),
    after: str = "",
    **more: Any,
) -> Exercise:
    """An exercise from what a TOML table holds, or from Python.

    Parameters
    ----------
    id : str
        The lesson's word, a dot and a number or word: "cards.1".
    title : str
        The question in a few words, for the teacher's table.
    kind : str
        number, whole, probability, choice, set, list, or "function of" one of the first three.
    answer : formula, {"salt": ..., "digest": ...} or (in Python alone) a callable
        See `navalkit.teach.formula.value`; the table is made by `navalkit teach seal`. A callable gives the reference
        when it is first needed; for a function of the student's, it is that function done right.
    hints : sequence of str
        One more is given after each wrong try. None may give the answer.
    wrong : sequence of mappings
        Mistakes to expect: ``is`` (a formula, or a number), ``slip`` and ``say``, as in `Mistake`.
    after : str
        A sentence to think about once the answer is right.
    **more
        ``choices``; ``cases`` of a function; ``tolerance`` (a share; 0.005 if left out) and ``places`` of numbers.

    Raises
    ------
    DataError
        If something is missing, unknown or of the wrong type.
    """
    if not isinstance(id, str) or not _ID.fullmatch(id):
        raise DataError(f"{brief(id)} is no id of an exercise: write a word, a dot and a number, such as cards.1.")
    try:
        sort = _kind(kind, more)
        mistakes = tuple(Mistake(sort, row["is"], str(row["slip"]), str(row["say"])) for row in wrong)
        texts = all(isinstance(text, str) for text in (title, after, *hints))
        if not texts or isinstance(hints, str) or not 1 <= len(hints) <= _MOST_HINTS:
            raise DataError(f"title and after are texts, and hints a list of 1 to {_MOST_HINTS} texts.")
        return Exercise(id, title, sort, reference(sort, answer), tuple(hints), mistakes, after)
    except KeyError as error:
        raise DataError(f"exercise {id}: each of `wrong` needs is, slip and say; {error} is missing.") from None
    except DataError as error:
        raise DataError(f"exercise {id}: {error}") from None


def _kind(name: str, more: Mapping[str, Any]) -> Kind:
    known = {"choices": list, "cases": list, "tolerance": float, "places": int}
    for key, given in more.items():
        if key not in known:
            raise DataError(f"there is no entry {key!r} of an exercise.")
        if not isinstance(given, known[key]):
            raise DataError(f"the entry {key!r} is no {known[key].__name__}: {brief(given)}.")
    return kind(str(name), **more)


def faults(question: Exercise) -> Iterator[str]:
    """What is wrong with an exercise, one sentence each: worked out, compared, and read for given-away answers."""
    try:
        if isinstance(question.reference, Computed) and not _reads(question, question.reference.value):
            yield "its own answer does not count as right."
            return
        values = [mistake.value for mistake in question.mistakes]
    except (DataError, Misread) as error:
        yield str(error)
        return
    for i, (mistake, wrong) in enumerate(zip(question.mistakes, values, strict=True)):
        if question.reference.right(wrong):
            yield f"the mistake {mistake.slip!r} counts as right."
        if any(question.kind.same(wrong, other) for other in values[:i]):
            yield f"the mistake {mistake.slip!r} is the same answer as one before it."
    for text in (*question.hints, *(mistake.say for mistake in question.mistakes)):
        if given := next((form for form in _forms(question) if re.search(rf"(?<![\w./]){form}(?![\w/])", text)), None):
            yield f"{brief(text)} gives the answer away ({given})."


def _reads(question: Exercise, right: Any) -> bool:
    """Whether the kind of the exercise takes the reference for an answer, and for the right one."""
    if isinstance(question.kind, Function):
        return question.reference.right([question.kind.each.read(each) for each in right])
    return question.reference.right(question.kind.read(right))


def _forms(question: Exercise) -> Iterator[str]:
    """How the right answer may stand in a sentence, as regular expressions."""
    right = question.reference.value if isinstance(question.reference, Computed) else None
    if isinstance(question.kind, Choice) and right is not None:
        yield re.escape(str(right))
    elif isinstance(question.kind, Items) and right is not None:
        yield r"[ ,]+".join(map(re.escape, map(str, right)))
    elif isinstance(right, Real):
        yield re.escape(str(right))
        if not float(right).is_integer():
            yield re.escape(f"{float(right):.3g}")
            yield re.escape(f"{100 * float(right):.3g}") + r" ?%"
            if isinstance(right, Fraction):
                yield rf"{right.numerator} in {right.denominator}"
