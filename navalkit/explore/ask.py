"""What can be asked of any question: its answer, the inverse, the gain of one more, and which slider matters most.

All of it comes from answers at other settings. They are kept, so that each is calculated once; `awaited` and `beside`
do it in steps, for a page.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from navalkit.core.awaited import Awaited, Steps, part, run
from navalkit.core.errors import NavalkitError, OptionError
from navalkit.core.language.words import voice

from .controls import Control, Settings, Value
from .question import Answer, Question, Step, Tally
from .say import SAY

_MOST = 4096
_KEPT: OrderedDict[tuple[Any, ...], Answer] = OrderedDict()  # the latest answers


def _key(question: Question, settings: Settings) -> tuple[Any, ...]:
    return (question.id, voice().lang, *sorted(settings.items()))


def steps(question: Question, settings: Settings) -> Steps[Answer]:
    """The answer at checked settings, step by step; it is kept."""
    key = _key(question, settings)
    if (kept := _KEPT.get(key)) is not None:
        return kept
    made = question.answer(settings)
    if not isinstance(made, Answer):
        made = yield from made
    _KEPT[key] = made = question.tell(made)
    if len(_KEPT) > _MOST:
        _KEPT.popitem(last=False)
    return made


def awaited(question: Question, settings: Settings) -> Awaited[Answer]:
    """The answer, for those who cannot wait for it."""
    return Awaited(_key(question, settings), lambda: steps(question, settings))


def answer(question: Question, settings: Settings) -> Answer:
    """The answer at checked settings, here and now."""
    return run(awaited(question, settings))


def value(question: Question, settings: Settings) -> Fraction | float | None:
    """The answer's value; None where these settings do not go together."""
    try:
        return answer(question, settings).value
    except NavalkitError:
        return None


@dataclass(frozen=True, slots=True)
class Inverse:
    """How much of one control a target takes.

    Parameters
    ----------
    control : Control
    least : int, str, bool or None
        Its smallest value that reaches the target; None if none does.
    reached : Fraction or float
        The answer there; if none does, the best there is.
    best : int, str or bool
        The value of the control with the best answer.
    """

    control: Control
    least: Value | None
    reached: Fraction | float
    best: Value


def inverse(question: Question, settings: Settings, target: Fraction | float) -> Inverse:
    """The smallest value of the control ``question.inverse`` whose answer is at least ``target``, all else as it is.

    ``target``: a probability, or a number of the answer's unit. OptionError if the question has no inverse, or no value
    of the control goes with the other settings.
    """
    if not question.inverse:
        raise OptionError(SAY("error.inverse", question=question.id))
    control = question.control(question.inverse)
    found = [(each, value(question, {**settings, control.name: each})) for each in control.values()]
    possible = [(each, chance) for each, chance in found if chance is not None]
    if not possible:
        raise OptionError(SAY("error.none", name=control.name))
    best, most = max(possible, key=lambda pair: pair[1])
    for each, chance in possible:
        if chance >= target:
            return Inverse(control, each, chance, best)
    return Inverse(control, None, most, best)


@dataclass(frozen=True, slots=True)
class Gain:
    """What one more brings: its name ("one more torpedo"), the value it leads to, and the answers before and after."""

    name: str
    to: Value
    before: Fraction | float
    after: Fraction | float


def gain(question: Question, settings: Settings) -> tuple[Gain, ...]:
    """What one more torpedo, gun or row brings; left out where there is no more."""
    before = answer(question, settings).value
    gains = []
    for name, to, words in _more(question, settings):
        after = value(question, {**settings, name: to})
        if after is not None:
            gains.append(Gain(words, to, before, after))
    return tuple(gains)


def _more(question: Question, settings: Settings) -> Iterator[tuple[str, Value, str]]:
    for name, by, key in question.gains:
        values = question.control(name).values()
        place = values.index(settings[name]) + by
        if 0 <= place < len(values):
            yield name, values[place], question.say(f"gains.{key}")


@dataclass(frozen=True, slots=True)
class Influence:
    """How much one control, or one cell of a board, matters here.

    Parameters
    ----------
    name : str
        What is changed, as people read it.
    control : Control
    down, up : tuple of (value, answer) or None
        The changes to either side, and the answers there.
    size : float
        The greater of the two changes of the answer.
    """

    name: str
    control: Control
    down: tuple[Value, Fraction | float] | None
    up: tuple[Value, Fraction | float] | None
    size: float


def _steps(question: Question, settings: Settings) -> Iterable[Step]:
    if question.steps is not None:
        return question.steps(settings)
    return (Step(each.label, each.name, *each.near(settings[each.name])) for each in question.controls)


def sensitivity(question: Question, settings: Settings) -> tuple[Influence, ...]:
    """How much the answer changes if each control goes a step down or up, the greatest change first."""
    here = answer(question, settings).value
    found = []
    for name, control, *changes in _steps(question, settings):
        sides: list[tuple[Value, Fraction | float] | None] = []
        for to in changes:
            there = None if to is None else value(question, {**settings, control: to})
            sides.append(None if to is None or there is None else (to, there))
        size = max((abs(float(side[1] - here)) for side in sides if side), default=-1.0)
        if size >= 0:
            found.append(Influence(name, question.control(control), sides[0], sides[1], size))
    return tuple(sorted(found, key=lambda each: (-round(each.size, 12), -_both(each, here))))


def _both(each: Influence, here: Fraction | float) -> float:
    """The changes of both sides together: which of two comes first whose greater ones are the same."""
    return sum(abs(float(side[1] - here)) for side in (each.down, each.up) if side)


def variants(question: Question, settings: Settings) -> tuple[Settings, ...]:
    """All settings that `inverse`, `gain` and `sensitivity` look at, each once."""
    others: list[tuple[str, Any]] = [(name, to) for name, to, _ in _more(question, settings)]
    for step in _steps(question, settings):
        others += [(step.control, to) for to in (step.down, step.up) if to is not None]
    if question.inverse:
        others += [(question.inverse, each) for each in question.control(question.inverse).values()]
    return tuple({**settings, name: to} for name, to in dict.fromkeys(others))


def beside(question: Question, settings: Settings) -> Steps[None]:
    """The answers at all `variants`, so that `inverse`, `gain` and `sensitivity` take no time afterwards."""
    others = variants(question, settings)
    for i, each in enumerate(others):
        yield i / len(others)
        try:
            yield from part(steps(question, each), i / len(others), (i + 1) / len(others))
        except NavalkitError:  # settings that do not go together have no answer
            pass


def simulate(question: Question, settings: Settings, n: int, seed: int = 1, chunk: int = 2000) -> Tally:
    """Trials, in chunks; the same seed and chunk give the same tally."""
    rng = np.random.default_rng(seed)
    whole: Tally | None = None
    for start in range(0, n, chunk):
        part = question.simulate(settings, rng, min(chunk, n - start))
        whole = part if whole is None else whole + part
    if whole is None:
        raise OptionError(SAY("error.trials", n=n))
    return whole
