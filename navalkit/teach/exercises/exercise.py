"""An exercise: its kind of answer, its reference, its hints, and the mistakes that its author expects."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from navalkit.core.echo import brief
from navalkit.core.errors import DataError

from ..say import SAY
from .family import Family
from .formula import NO_NAMES, fill, value
from .kinds import Function, Kind, kind
from .reading import Misread
from .reference import Computed, Sealed, reference

_ID = re.compile(r"[a-z][a-z0-9_-]*\.[a-z0-9_-]+")
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
    reference: Computed | Sealed
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
        return _drawn(self, seed, retest) if self.family and (seed or retest) else self


@lru_cache(maxsize=1024)
def _drawn(question: Exercise, seed: str, retest: int) -> Exercise:
    assert question.family is not None
    return with_names(question, question.family.names(seed, retest))


def with_names(question: Exercise, names: Mapping[str, Any]) -> Exercise:
    """An exercise of a family with these numbers."""
    return _made(question.id, question.family, names, question.row)


def exercise(
    id: str,
    title: str,
    kind: str,
    answer: str | Mapping[str, str] | Callable[..., Any],
    hints: Sequence[str],
    wrong: Sequence[Mapping[str, Any]] = (),
    after: str = "",
    ask: str = "",
    draw: Mapping[str, Sequence[Any]] = NO_NAMES,
    let: Mapping[str, str] = NO_NAMES,
    where: Sequence[str] = (),
    numbers_of: str = "",
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
    ask : str
        The question, which `navalkit.teach.ask` shows; a family needs it.
    draw, let, where, numbers_of
        Make it a family, as in `navalkit.teach.family.Family`: formulas may then use these names, and texts hold
        formulas in braces ("{n - 1} guns"). ``numbers_of`` names the exercise whose numbers these are.
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
    if not isinstance(id, str) or not _ID.fullmatch(id):
        raise DataError(SAY("exercise.id", id=brief(id)))
    row = {"title": title, "kind": kind, "answer": answer, "hints": hints, "wrong": wrong, "after": after, "ask": ask,
           "more": more}  # fmt: skip
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
    if not 1 <= len(hints) <= _MOST_HINTS:
        raise DataError(SAY("exercise.hints", n=len(hints), most=_MOST_HINTS))
    sort = _kind(row["kind"], row["more"], names)
    wrong = [(each["is"], str(each["slip"]), fill(str(each["say"]), names)) for each in row["wrong"]]
    return Exercise(
        id, title, sort, reference(sort, row["answer"], names),
        tuple(fill(hint, names) for hint in hints), tuple(Mistake(sort, *each, names) for each in wrong),
        fill(after, names), fill(ask, names), family, names, row,
    )  # fmt: skip


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
