"""What can be asked of any question: its answer, the inverse, the gain of one more, and which slider matters most.

All of it comes from answers at other settings. They are kept, so that each is calculated once; `awaited` and `beside`
do it in steps, for a page.
"""

from __future__ import annotations
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from inspect import isgeneratorfunction
from math import floor, isfinite, log10
from typing import Any

import numpy as np

from navalkit.core.awaited import Awaited, Steps, part, run
from navalkit.core.errors import NavalkitError, OptionError
from navalkit.core.files import written
from navalkit.core.words import ENGLISH, in_words, number, percent, voice
from navalkit.view.scene import Layer, Line, Rect, Scene, Shape, Style, Text
from .question import SAY, Answer, Control, Proof, Question, Settings, Step, Tally, Value

_MOST = 4096
_SAME = 1e-12  # two answers no further apart than this are the same: they may have been rounded
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


def either(question: Question, settings: Settings) -> Awaited[Answer | NavalkitError]:
    """The answer, or why these settings have none."""

    def found() -> Steps[Answer | NavalkitError]:
        try:
            return (yield from steps(question, settings))
        except NavalkitError as error:
            return error

    return Awaited(awaited(question, settings).key, found)


def answer(question: Question, settings: Settings) -> Answer:
    """The answer at checked settings, here and now."""
    return run(awaited(question, settings))


def proof(question: Question, settings: Settings) -> Proof | NavalkitError:
    """What the answer rests on, or that its game has not written it down: an answer is shown all the same."""
    try:
        return question.proof(settings)
    except NavalkitError as error:
        return error


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
    of the control goes with the other settings."""
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


def idle(question: Question, settings: Settings) -> Steps[tuple[str, ...]]:
    """The controls that change nothing here: at every value they have the answer is the same, where there is one. What
    lies next to the present value is looked at first, then the ends; the first change settles it. None of a question
    whose answers take long: to try them all would take minutes."""
    if isgeneratorfunction(question.answer):
        return ()
    here, found = (yield from steps(question, settings)).value, []
    for control in question.controls:
        near = [each for each in control.near(settings[control.name]) if each is not None]
        values = control.values() if near else ()  # a menu in no order is no slider
        same = 0
        for to in dict.fromkeys([*near, *values[:1], *values[-1:], *values]):
            yield 0.0
            try:
                there = (yield from steps(question, {**settings, control.name: to})).value
            except NavalkitError:
                continue
            same += to != settings[control.name]
            if abs(float(there) - float(here)) > _SAME:
                same = 0
                break
        if same:
            found.append(control.name)
    return tuple(found)


Map = dict[tuple[Value, Value], Fraction | float | None]
"""Values of two controls -> the answer there; None where they do not go together."""


def axis(control: Control, most: int) -> tuple[Value, ...]:
    """The values of a control that a map has room for: all, or every second, third ... of them."""
    values = control.values()
    return tuple(values[:: -(-len(values) // most)])


def mapped(question: Question, settings: Settings, across: str, down: str, most: tuple[int, int]) -> Steps[Map]:
    """The answers over two controls, all else as it is. ``most``: how many columns and rows there may be."""
    places = [(x, y) for y in axis(question.control(down), most[1]) for x in axis(question.control(across), most[0])]
    found: Map = {}
    for n, (x, y) in enumerate(places):
        yield n / len(places)
        try:
            there = {**settings, across: x, down: y}
            found[x, y] = (yield from part(steps(question, there), n / len(places), (n + 1) / len(places))).value
        except NavalkitError:
            found[x, y] = None
    return found


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


# -- Numbers as people read them: exact ones with their fraction and in words, estimates with their error

_LONG = 10**8  # a fraction with a greater denominator is not written out at once


def amount(value: Fraction | float, unit: str) -> str:
    """A number of a unit, or a probability in percent where there is none."""
    if not unit:
        return percent(chance(value))
    return f"{number(float(value), f',.{_digits(float(value))}f')} {unit}"


def inline(label: str) -> str:
    """A label inside a sentence: small in English, while a German noun stays as it is."""
    return label.lower() if voice().lang == ENGLISH else label


def parts(value: Fraction | float, unit: str) -> tuple[tuple[str, str, str], ...]:
    """The other ways to write a probability: as fraction, as decimal and in words. Returns the name of each way, the
    text, and what is left out of it: the fraction itself if it is too long to read ("fraction of 23 digits")."""
    if unit:
        return ()
    p, whole = chance(value), ""
    written = f"{p.numerator}/{p.denominator}" if isinstance(value, Fraction) else ""
    if p.denominator >= _LONG and written:
        whole, written = written, SAY("text.long", digits=len(str(p.denominator)))
    named = (
        (SAY("text.fraction"), written, whole), (SAY("text.decimal"), number(float(p), ".6f"), ""),
        (SAY("text.words"), in_words(p), ""),
    )
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


def chance(value: Fraction | float) -> Fraction:
    """A probability whose rounding may have carried it past 0 or 1 by a hair."""
    return Fraction(min(max(value, 0), 1))


def _places(error: float) -> int:
    """Decimals that show one figure of an error, 1 to 4; none where it counts whole units."""
    if error <= 0:
        return 1
    return min(4, max(0 if error >= 1 else 1, -floor(log10(error))))


def _digits(value: float) -> int:
    return 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2


# -- The sensitivity bar as a Scene, for SVG and PNG, and as CSV: how far the answer goes with each change

_W, _TOP, _ROW, _BOTTOM = 720.0, 78.0, 52.0, 34.0
_NAMES, _WORDS = 190.0, 130.0  # room for the names, and for a change written beyond its bar
_INK, _SOFT = Style(fill="ink"), Style(fill="muted")


def tornado_picture(rows: Sequence[Influence], here: Fraction | float, unit: str, question: Question,
                    title: str) -> Scene:
    """The bars as a picture: two lanes for each change, the first for one side, the second for the other.

    ``here``: the answer as things are, from which all bars begin. ``unit``: of the answer; "" for a probability.
    ``question``: whose sides they are: what a bar is about, and what lies to either side.
    """
    middle = _NAMES + (_W - _NAMES) / 2
    scale = ((_W - _NAMES) / 2 - _WORDS) / (max((row.size for row in rows), default=0.0) or 1.0)
    lanes = SAY("tornado.lanes", down=question.say("sides.down"), up=question.say("sides.up"))
    shapes: list[Shape] = [Text(16, 24, title, _INK, 17, "start", bold=True), Text(16, 52, lanes, _SOFT, 14, "start")]
    for i, row in enumerate(rows):
        top = _TOP + _ROW * i
        shapes.append(Text(16, top + _ROW / 2, row.name, _INK, 14, "start"))
        for lane, (side, colour) in enumerate(((row.down, "blue"), (row.up, "accent"))):
            if side is None:
                continue
            by, y = float(side[1] - here), top + 6 + 21 * lane
            end = middle + scale * by
            shapes.append(Rect(min(middle, end), y, abs(end - middle), 16, Style(fill=colour, stroke="ink")))
            words, anchor = change(side[1], here, unit), "start" if by >= 0 else "end"
            shapes.append(Text(end + (6 if by >= 0 else -6), y + 8, words, _INK, 13, anchor))
    height = _TOP + _ROW * len(rows) + _BOTTOM
    shapes.append(Line(((middle, _TOP), (middle, height - _BOTTOM)), Style(stroke="ink", width=1.5)))
    said = "; ".join(f"{row.name}: " + ", ".join(change(side[1], here, unit) for side in (row.down, row.up) if side)
                     for row in rows)
    return Scene(_W, height, (Layer("bars", tuple(shapes)),), title=title, desc=f"{said}.")


def tornado_csv(rows: Sequence[Influence], here: Fraction | float, question: Question) -> str:
    """The bars as CSV: a row for each change, the answers as they are and to either side, empty where there is none."""
    head = [question.say(f"sides.{part}") for part in ("what", "here", "down", "up")]
    sides = ((None if side is None else float(side[1]) for side in (row.down, row.up)) for row in rows)
    return written([head, *((row.name, float(here), *both) for row, both in zip(rows, sides, strict=True))])
