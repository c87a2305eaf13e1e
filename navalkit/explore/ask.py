"""What can be asked of any question: its answer, the inverse, the gain of one more, and which slider matters most.

All of it comes from answers at other settings. They are kept, so that what is asked twice is reckoned once; and
`variants` lists them, so that a page can have them reckoned one by one in the background.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from navalkit.core.errors import NavalkitError, OptionError

from .controls import Control, Settings, Value
from .question import Answer, Question, Step, Tally

_MOST = 4096
_KEPT: OrderedDict[tuple[Any, ...], Answer] = OrderedDict()  # the latest answers


def _key(question: Question, settings: Settings) -> tuple[Any, ...]:
    return (question.id, *sorted(settings.items()))


def known(question: Question, settings: Settings) -> bool:
    """Whether the answer at these settings is kept, so that it costs no time."""
    return _key(question, settings) in _KEPT


def answer(question: Question, settings: Settings) -> Answer:
    """The answer at checked settings; it is kept."""
    key = _key(question, settings)
    if (kept := _KEPT.get(key)) is not None:
        return kept
    _KEPT[key] = made = question.answer(settings)
    if len(_KEPT) > _MOST:
        _KEPT.popitem(last=False)
    return made


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

    Parameters
    ----------
    target : Fraction or float
        A probability, or a number of the answer's unit.

    Raises
    ------
    OptionError
        If the question has no inverse, or no value of the control goes with the other settings.
    """
    if not question.inverse:
        raise OptionError(f"{question.id} has no inverse question.")
    control = question.control(question.inverse)
    found = [(each, value(question, {**settings, control.name: each})) for each in control.values()]
    possible = [(each, chance) for each, chance in found if chance is not None]
    if not possible:
        raise OptionError(f"no value of {control.name} goes with the other settings.")
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
    for name, steps, words in question.gains:
        values = question.control(name).values()
        place = values.index(settings[name]) + steps
        if 0 <= place < len(values):
            yield name, values[place], words


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
    return (Step(each.label, each, *each.near(settings[each.name])) for each in question.controls)


def sensitivity(question: Question, settings: Settings) -> tuple[Influence, ...]:
    """How much the answer changes if each control goes a step down or up, the greatest change first."""
    here = answer(question, settings).value
    found = []
    for name, control, *steps in _steps(question, settings):
        sides: list[tuple[Value, Fraction | float] | None] = []
        for to in steps:
            there = None if to is None else value(question, {**settings, control.name: to})
            sides.append(None if to is None or there is None else (to, there))
        size = max((abs(float(side[1] - here)) for side in sides if side), default=-1.0)
        if size >= 0:
            found.append(Influence(name, control, sides[0], sides[1], size))
    return tuple(sorted(found, key=lambda each: (-round(each.size, 12), -_both(each, here))))


def _both(each: Influence, here: Fraction | float) -> float:
    """The changes of both sides together: which of two comes first whose greater ones are the same."""
    return sum(abs(float(side[1] - here)) for side in (each.down, each.up) if side)


def variants(question: Question, settings: Settings) -> tuple[Settings, ...]:
    """All settings that `inverse`, `gain` and `sensitivity` look at, each once."""
    others: list[tuple[str, Any]] = [(name, to) for name, to, _ in _more(question, settings)]
    for step in _steps(question, settings):
        others += [(step.control.name, to) for to in (step.down, step.up) if to is not None]
    if question.inverse:
        others += [(question.inverse, each) for each in question.control(question.inverse).values()]
    return tuple({**settings, name: to} for name, to in dict.fromkeys(others))


def simulate(question: Question, settings: Settings, n: int, seed: int = 1, chunk: int = 2000) -> Tally:
    """So many trials, in chunks; the same seed and chunk give the same tally."""
    rng = np.random.default_rng(seed)
    whole: Tally | None = None
    for start in range(0, n, chunk):
        part = question.simulate(settings, rng, min(chunk, n - start))
        whole = part if whole is None else whole + part
    if whole is None:
        raise OptionError(f"the number of trials is a whole number, 1 or more, not {n}.")
    return whole
