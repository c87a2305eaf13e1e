"""What is wrong with an exercise, found before a student meets it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from numbers import Real
from typing import Any

from navalkit.core.echo import brief
from navalkit.core.errors import DataError

from ..say import SAY
from .exercise import Exercise, with_names
from .kinds import Choice, Function, Items
from .reading import Misread
from .reference import Computed, Sealed

SEEDS = 200
"""How many seeds `faults` tries of a family, if nothing else is asked."""


def faults(question: Exercise, seeds: int = SEEDS) -> Iterator[str]:
    """What is wrong with an exercise, one sentence each: worked out, compared, and read for given-away answers.
    ``seeds``: of a family, how many students' numbers are tried beside the lesson's own."""
    if question.family is None:
        yield from _faults(question)
        return
    found: dict[str, dict[str, Any]] = {}
    try:
        drawn = [question.family.names(), *(question.family.names(str(seed)) for seed in range(seeds))]
    except DataError as error:
        yield str(error)
        return
    for names in {repr(names): names for names in drawn}.values():
        try:
            wrong = list(_faults(with_names(question, names)))
        except (DataError, Misread) as error:
            wrong = [str(error)]
        for sentence in wrong:
            found.setdefault(sentence, names)
    for sentence, names in found.items():
        some = {name: each for name, each in names.items() if name in question.family.draw}
        numbers = ", ".join(f"{name} = {each}" for name, each in some.items())
        yield SAY("exercise.with", fault=sentence, numbers=numbers)


def _faults(question: Exercise) -> Iterator[str]:
    try:
        if isinstance(question.reference, Computed) and not _reads(question, question.reference.value):
            yield SAY("exercise.own_wrong")
            return
        if isinstance(question.reference, Sealed) and isinstance(question.kind, Choice) and question.kind.choices:
            if not any(question.reference.right(question.kind.read(each)) for each in question.kind.choices):
                yield SAY("exercise.no_choice_sealed")
        values = [mistake.value for mistake in question.mistakes]
    except (DataError, Misread) as error:
        yield str(error)
        return
    for i, (mistake, wrong) in enumerate(zip(question.mistakes, values, strict=True)):
        if question.reference.right(wrong):
            yield SAY("exercise.counts", slip=brief(mistake.slip))
        if any(question.kind.same(wrong, other) for other in values[:i]):
            yield SAY("exercise.same", slip=brief(mistake.slip))
    for text in (*question.hints, *(mistake.say for mistake in question.mistakes)):
        if given := next((form for form in _forms(question) if re.search(rf"(?<![\w./]){form}(?![\w/])", text)), None):
            yield SAY("exercise.given_away", text=brief(text), found=given)


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
