"""A question as data: what can be set, the exact answer with its charts, and its Monte Carlo twin.

Everything else (`ask`, the page) is made from this and knows no game. A question holds numbers and the keys of
sentences; the sentences are in the ``questions.toml`` beside it.
"""

from __future__ import annotations
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from math import sqrt
from typing import Any, NamedTuple
from urllib.parse import urlencode

import numpy as np
from numpy.typing import ArrayLike, NDArray

from navalkit.core.awaited import Steps
from navalkit.core.errors import DataError, NotationError, OptionError, brief, cut
from navalkit.core.game import OptionSpec
from navalkit.core.registry import package
from navalkit.core.shown import Markup, html, listing, many, paragraph
from navalkit.core.words import Text, Words, describe
from navalkit.view.page import Glance
from navalkit.view.painters import image
from navalkit.view.scene import Scene

SAY = Words.load("navalkit.explore")


# -- What can be set in a question: a whole number, a choice, a switch, or marks on a small board of cells

Value = int | str | bool
Settings = Mapping[str, Any]
"""Control -> value: every control of a question has one."""


@dataclass(frozen=True, slots=True)
class Control(ABC):
    """One thing that can be set; the subclasses say what.

    Parameters
    ----------
    name : str
        As written in Python and in links ("torpedoes").
    default : int, str or bool
    say : callable
        Finds its sentences: "label" as on the page, "unit" for what it counts ("hexes"), "help" for a sentence more;
        "" for what there is not. Its question adds what it finds itself.
    named : callable
        What data have in English, for the present reader (`Words.named`); its question knows it.
    """

    name: str
    default: Any
    say: Callable[[str], str] = field(default=lambda part: "", kw_only=True, compare=False, repr=False)
    named: Callable[[str], str] = field(default=str, kw_only=True, compare=False, repr=False)

    @property
    def label(self) -> str:
        """As written on the page."""
        return self.say("label")

    @abstractmethod
    def check(self, value: Any) -> Value:
        """``value`` in its one standard form, read from a link's text if it is one; OptionError if it is wrong."""

    def values(self) -> Sequence[Value]:
        """All values in rising order; empty where they are too many to try."""
        return ()

    def near(self, value: Any) -> tuple[Value | None, Value | None]:
        """The values a step down and a step up, None where there is none."""
        values = self.values()
        i = values.index(value) if value in values else -1
        down, up = (i - 1, i + 1) if i >= 0 else (-1, len(values))
        return (values[down] if down >= 0 else None), (values[up] if up < len(values) else None)

    def text(self, value: Any) -> str:
        """The value as a link has it."""
        return str(value)

    def shown(self, value: Any) -> str:
        """The value as people read it."""
        return f"{value} {self.say('unit')}".strip()


@dataclass(frozen=True, slots=True)
class Whole(Control):
    """A whole number from ``low`` to ``high`` in steps of ``step``."""

    low: int
    high: int
    step: int = 1

    def check(self, value: Any) -> int:
        spec = OptionSpec(self.name, self.default, self.name, "", self.low, self.high)
        number = int(spec.check(value))
        if (number - self.low) % self.step:
            raise OptionError(
                SAY("error.steps", name=self.name, low=self.low, high=self.high, step=self.step, number=number)
            )
        return number

    def values(self) -> Sequence[Value]:
        return range(self.low, self.high + 1, self.step)


@dataclass(frozen=True, slots=True)
class Choice(Control):
    """One of some words."""

    choices: Mapping[str, Text]
    """Each with what the page writes for it: "" for the sentence "is.CHOICE", or else the word itself."""
    ordered: bool = False
    """Whether they stand in an order that means something, so that "a step up" does too."""
    stride: int = 1
    """How far apart neighbours stand (4 in a pack sorted by rank, suit by suit)."""
    read: Callable[[str], str] = str
    """Makes other spellings of a choice the one that is listed."""

    def check(self, value: Any) -> str:
        words = list(self.choices)
        try:
            text = self.read(value)
        except NotationError as error:
            raise OptionError(f"{self.name}: {error}") from None
        if text in words:
            return text
        for word in words:
            if word.casefold() == text.casefold():
                return word
        key, first = ("error.choice", words) if len(words) <= 12 else ("error.choices", words[:8])
        facts = {"some": ", ".join(first), "last": words[-1], "all": len(words)}
        raise OptionError(SAY(key, name=self.name, value=brief(value), **facts))

    def values(self) -> Sequence[Value]:
        return list(self.choices)

    def near(self, value: Any) -> tuple[Value | None, Value | None]:
        """See `Control.near`; nothing is near where the choices have no order."""
        if not self.ordered:
            return None, None
        words = list(self.choices)
        i = words.index(value)
        down, up = i - self.stride, i + self.stride
        return (words[down] if down >= 0 else None), (words[up] if up < len(words) else None)

    def shown(self, value: Any) -> str:
        return self.named(str(self.choices[value]) or self.say(f"is.{value}") or str(value))


@dataclass(frozen=True, slots=True)
class Switch(Control):
    """Yes or no."""

    default: bool = False

    def check(self, value: Any) -> bool:
        return bool(OptionSpec(self.name, self.default, self.name, "").check(value))

    def values(self) -> Sequence[Value]:
        return (False, True)

    def text(self, value: Any) -> str:
        return "yes" if value else "no"

    def shown(self, value: Any) -> str:
        return self.say("yes" if value else "no")


def option(spec: OptionSpec) -> Switch:
    """A game's own option as a control."""
    said = {"label": spec.label, "help": spec.help}
    return Switch(spec.name, say=lambda part: str(said.get(part, "")))


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a board of marks: its id in notation, what stands on it, its name, and its suit of colour."""

    id: str
    label: str
    name: Text
    tone: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks(Control):
    """Marks on a small board: cards clicked away, squares scratched. The value is a text, one word a mark."""

    rows: tuple[tuple[Cell, ...], ...]
    marks: tuple[str, ...] = ("", "")
    """The marks a cell goes through: what follows its id in notation; the first is no mark at all. Their names are the
    sentences "mark.0", "mark.1" ..., or their numbers where the marks are counted."""
    read: Callable[[str], str] = str
    """Makes other spellings of a cell's id the one on the board; NotationError if it is none."""
    tally: bool = False
    """Whether marks are numbers of equal cards: an id then stands in the text that often."""
    there: Callable[[Settings], Collection[str]] | None = None
    """The cells there are at the question's settings, where these say how large the board is; left out, all."""
    default: Any = ""
    _ids: dict[str, int] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        self._ids.update({cell.id: i for i, cell in enumerate(cell for row in self.rows for cell in row)})

    def levels(self, value: Any) -> dict[str, int]:
        """Cell -> number of its mark; cells without one are left out. OptionError for what cannot be read."""
        words = value.replace(",", " ").split() if isinstance(value, str) else [str(word) for word in value]
        found: dict[str, int] = {}
        for word in words:
            id, level = self._read(word)
            if id in found and not self.tally:
                raise OptionError(SAY("error.twice", name=self.name, cell=id))
            found[id] = found.get(id, 0) + level if self.tally else level
            if found[id] >= len(self.marks):
                raise OptionError(SAY("error.many", name=self.name, cell=id, most=len(self.marks) - 1))
        return found

    def _read(self, word: str) -> tuple[str, int]:
        signs = self.marks[1:] if not self.tally else ("",)
        for level, sign in sorted(enumerate(signs, 1), key=lambda pair: -len(pair[1])):
            if word.endswith(sign):
                try:
                    id = self.read(word[: len(word) - len(sign)])
                except NotationError as error:
                    raise OptionError(f"{self.name}: {error}") from None
                if id in self._ids:
                    return id, level
        example = next(iter(self._ids)) + signs[0]
        raise OptionError(SAY("error.mark", name=self.name, word=brief(word), example=example))

    def check(self, value: Any) -> str:
        return self.write(self.levels(value))

    def write(self, levels: Mapping[str, int]) -> str:
        """The notation of marks, in the order of the board."""
        words: list[str] = []
        for id in sorted((id for id, level in levels.items() if level), key=self._ids.__getitem__):
            words += [id] * levels[id] if self.tally else [id + self.marks[levels[id]]]
        return " ".join(words)

    def near(self, value: Any) -> tuple[Value | None, Value | None]:
        """A step down is the bare board; there is no step up."""
        return ("" if value else None), None

    def shown(self, value: Any) -> str:
        return str(value) or self.say("none")


def defaults(controls: Iterable[Control]) -> dict[str, Any]:
    """The defaults of some controls."""
    return {control.name: control.default for control in controls}


Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Plot:
    """One chart: a value for each place along x.

    Parameters
    ----------
    key : str
        Names the chart, also in file names ("by-torpedoes"). Its title and the label of x are the sentences
        "KEY.title" and "KEY.x", unless they are given.
    x : tuple of str
    y : tuple of float
    at : int, optional
        The place of the present settings.
    unit : str
        Of y; "" for a probability.
    lines : tuple of (str, float)
        Values to measure against ("USS Tang", 19326).
    title, x_label : str
    """

    key: str
    x: tuple[str, ...]
    y: tuple[float, ...]
    at: int | None = None
    unit: str = ""
    lines: tuple[tuple[str, float], ...] = ()
    title: str = ""
    x_label: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """What the numbers say.

    A question's function gives the keys of its sentences and the facts that fill them; `Question.tell` says them.

    Parameters
    ----------
    value : Fraction or float
        A probability, or a number of ``unit``.
    plots : tuple of Plot
    how : tuple of str
        How it is calculated, with the numbers put in: the sentences "how.KEY".
    assumes : tuple of str
        Its assumptions: "assumes.KEY".
    figures : tuple of str
        Figures worth knowing beside it, by their keys: "figures.KEY.name" and "figures.KEY.text".
    facts : mapping
        What fills the sentences.
    unit : str
        Of the value; "" for a probability.
    error : float
        Standard error, where the value is an estimate from ``n`` trials; else 0.
    n : int
    exactness : str
        How exact it is: "exactness.KEY".
    cells : mapping of str to float
        Probabilities to write on the cells of a board of marks.
    said : str
        What the value is, as a sentence: "said".
    beside : tuple of pairs
        The figures as they are read: name and figure.
    """

    value: Fraction | float
    plots: tuple[Plot, ...]
    how: tuple[str, ...]
    assumes: tuple[str, ...]
    figures: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    unit: str = ""
    error: float = 0.0
    n: int = 0
    exactness: str = "exact"
    cells: Mapping[str, float] = field(default_factory=dict)
    said: str = ""
    beside: tuple[tuple[str, str], ...] = ()

    @property
    def number(self) -> str:
        """The value with its unit, an estimate with its standard error: "72 % · 4787/6622 · about 3 in 4"."""
        if self.error:
            return f"{float(self.value):.4g} ± {self.error:.2g}{f' {self.unit}' if self.unit else ''}"
        return f"{float(self.value):,.2f} {self.unit}" if self.unit else describe(self.value)

    def __repr__(self) -> str:
        return f"<Answer {self.number}>"

    def _repr_html_(self) -> Markup:
        """In a notebook: the number, how it comes about, its assumptions, and its first chart."""
        from .picture import picture

        number = self.number
        how, assumes = listing("ol", self.how), listing("ul", self.assumes)
        told = paragraph(f"{number} · {self.said}") + how + paragraph(SAY("head.assumes") if assumes else "") + assumes
        return told + many("{}", (image(picture(plot)) for plot in self.plots[:1]))


@dataclass(frozen=True, slots=True)
class Proof:
    """What an answer rests on.

    Parameters
    ----------
    rules : tuple of (str, str)
        Id and text of each rule it follows from.
    code : str
        Python that reproduces the answer without this library's odds, and prints it: an estimate with its standard
        error. What the settings and the rules' tables say is written in at its head.
    """

    rules: tuple[tuple[str, str], ...]
    code: str

    def __str__(self) -> str:
        return self.code

    def _repr_html_(self) -> Markup:
        return html("<dl>{}</dl><pre>{}</pre>", many("<dt>{}</dt><dd>{}</dd>", self.rules), self.code)


@dataclass(frozen=True, slots=True)
class Tally:
    """What came of some trials; tallies add up.

    Parameters
    ----------
    n : int
        Trials that count.
    total, squares : float
        Sum of their values, and of the squares: a value estimates ``Answer.value``.
    bars : tuple of (array of int or None)
        For each plot how many trials fell to each place; None where a plot is not simulated.
    tried : int
        Trials in all, those that did not fit what is known included.
    """

    n: int
    total: float
    squares: float
    bars: tuple[Counts | None, ...] = ()
    tried: int = 0

    @classmethod
    def of(cls, values: ArrayLike, *bars: ArrayLike | None, tried: int | None = None) -> Tally:
        """The tally of some trials.

        Parameters
        ----------
        values : array of shape (n,)
            What each trial gave; truth values for a probability.
        *bars : arrays of int, or None
            Each plot's counts; None for one that is not drawn.
        tried : int, optional
            Trials made, where some gave no value; n if left out.

        Returns
        -------
        Tally

        >>> Tally.of([1, 0, 1, 1]).mean
        0.75
        """
        found = np.asarray(values, dtype=float)
        counts = tuple(None if bar is None else np.asarray(bar, dtype=np.int64) for bar in bars)
        n = len(found)
        return cls(n, float(found.sum()), float((found**2).sum()), counts, n if tried is None else tried)

    def __add__(self, other: Tally) -> Tally:
        bars = tuple(None if a is None or b is None else a + b for a, b in zip(self.bars, other.bars, strict=True))
        return Tally(self.n + other.n, self.total + other.total, self.squares + other.squares, bars,
                     self.tried + other.tried)

    @property
    def mean(self) -> float:
        """The estimate; NaN without trials."""
        return self.total / self.n if self.n else float("nan")

    @property
    def error(self) -> float:
        """Its standard error. Of a proportion it is calculated from (hits + 1) / (n + 2), so that it is never 0."""
        if not self.n:
            return float("nan")
        if self.squares == self.total:
            p = (self.total + 1) / (self.n + 2)
            return sqrt(p * (1 - p) / self.n)
        return sqrt(max(self.squares / self.n - self.mean**2, 0.0) / max(self.n - 1, 1))


class Step(NamedTuple):
    """A change to either side whose effect the sensitivity bar shows; None where there is nothing to that side."""

    name: str
    control: str
    down: Value | None
    up: Value | None


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """One question with sliders.

    Parameters
    ----------
    id : str
        As in Python and in links ("lox-sink").
    game : str
        Name of its game in the registry.
    words : Words
        The game's sentences. Those of this question have keys that begin with its id; what several share has none.
    controls : tuple of Control
    answer : callable
        Checked settings -> Answer, or the steps to it where it may take more than 15 ms.
    simulate : callable
        Checked settings, numpy Generator and n -> Tally of n trials (of which fewer may count).
    inverse : str
        The control that "how many for 80 %?" asks for; or "", and the sentence "no_inverse" says why.
    gains : tuple of (str, int, str)
        "One more": control, by how many steps, and the key of what it is called; or none, and "no_gain" says why.
    targets : tuple of three ints
        Least and greatest target of the inverse question, and the usual one: percent, or the answer's unit.
    steps : callable, optional
        Settings -> the changes that the sensitivity bar compares; left out, a step down and up of every control.
    picture : callable, optional
        Settings, the answer (None while it is calculated) and the room there is (width and height, px) -> Scene: what
        the settings are of, drawn. It is asked for at every move of a slider, so it takes no more than 15 ms.
    here : callable, optional
        A glance at a position of the game -> the settings that are true there, those left out as the page opens with
        them; None where the question does not arise. It reads what the player may know, and nothing else.
    given : callable, optional
        Settings -> what the question's proof begins with, by name: figures of the rules' tables in place of the names
        of ships and weapons. Left out, the settings themselves.
    """

    id: str
    game: str
    words: Words
    controls: tuple[Control, ...]
    answer: Callable[[Settings], Answer | Steps[Answer]]
    simulate: Callable[[Settings, np.random.Generator, int], Tally]
    inverse: str = ""
    gains: tuple[tuple[str, int, str], ...] = ()
    targets: tuple[int, int, int] = (1, 100, 80)
    steps: Callable[[Settings], Iterable[Step]] | None = None
    picture: Callable[[Settings, Answer | None, tuple[float, float]], Scene] | None = None
    here: Callable[[Glance[Any, Any, Any]], Mapping[str, Any] | None] | None = None
    given: Callable[[Settings], Mapping[str, Any]] | None = None

    def __post_init__(self) -> None:
        bound = tuple(replace(each, say=partial(self._say_of, each.name, each.say), named=self.words.named)
                      for each in self.controls)
        object.__setattr__(self, "controls", bound)

    @property
    def title(self) -> str:
        """The question in words."""
        return self.say("title")

    def say(self, key: str, /, **facts: Any) -> str:
        """A sentence: the question's own, or one that the game's questions share, or all do; "" if there is none."""
        for words in (self.words, SAY):
            for full in (f"{self.id}.{key}", key):
                if full in words:
                    return words(full, **facts)
        return ""

    def _say_of(self, control: str, own: Callable[[str], str], part: str) -> str:
        return own(part) or self.say(f"{control}.{part}") or self.say(part)

    def tell(self, made: Answer) -> Answer:
        """The answer with its sentences in place of their keys."""

        def lines(part: str, keys: Iterable[str]) -> tuple[str, ...]:
            return tuple(self.say(f"{part}.{key}", **made.facts) for key in keys)

        plots = tuple(
            replace(each, title=each.title or self.say(f"{each.key}.title", **made.facts),
                    x_label=each.x_label or self.say(f"{each.key}.x", **made.facts))
            for each in made.plots
        )
        names, texts = (lines("figures", (f"{key}.{part}" for key in made.figures)) for part in ("name", "text"))
        return replace(made, plots=plots, said=self.say("said", **made.facts), how=lines("how", made.how),
                       assumes=lines("assumes", made.assumes), beside=tuple(zip(names, texts, strict=True)),
                       exactness=self.say(f"exactness.{made.exactness}"))

    def proof(self, settings: Settings) -> Proof:
        """What the answer at checked settings rests on, and Python that reproduces it; DataError if the game's
        ``proofs.toml`` has none of the question, or cannot be read."""
        title = package(self.game).game.title
        try:
            told = tomllib.loads(package(self.game).text("proofs.toml"))
            if self.id in told:
                return self._proved(told, settings)
        except (tomllib.TOMLDecodeError, DataError) as error:
            raise DataError(SAY("error.proofs", title=title, question=self.id, error=cut(str(error)))) from error
        raise DataError(SAY("error.proof", title=title, question=self.id))

    def _proved(self, told: Mapping[str, Any], settings: Settings) -> Proof:
        own, rules = told[self.id], package(self.game).game().rules()
        for name, kind in (("code", str), ("rules", list)):
            if not isinstance(own, Mapping) or not isinstance(own.get(name), kind):
                raise DataError(SAY("error.proofs.part", name=name))
        if unknown := [id for id in own["rules"] if not isinstance(id, str) or id not in rules]:
            raise DataError(SAY("error.proofs.rule", rule=brief(unknown[0]), names=", ".join(rules)))
        code = own["code"]
        for name, shared in told.get("shared", {}).items():
            code = code.replace(f"{{{name}}}\n", shared)
        names = {name: settings[name] for name in settings} if self.given is None else dict(self.given(settings))
        head = [f"{name} = {value!r}" for name, value in names.items()]
        if any("Fraction(" in line for line in head):
            head, code = ["from fractions import Fraction", *head], code.replace("from fractions import Fraction\n", "")
        return Proof(tuple((id, rules[id].text) for id in own["rules"]), "\n".join([*head, code]))

    def control(self, name: str) -> Control:
        """The control of that name; OptionError if there is none."""
        for control in self.controls:
            if control.name == name:
                return control
        names = ", ".join(control.name for control in self.controls)
        raise OptionError(SAY("error.control", question=self.id, name=brief(name), names=names))

    def settings(self, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Every control's value, checked; defaults where nothing is given. OptionError for a wrong name or value."""
        checked = {name: self.control(name).check(value) for name, value in (given or {}).items()}
        return defaults(self.controls) | checked

    def link(self, settings: Settings, **more: str) -> str:
        """The query that brings these settings back: every control that is not at its default, and ``more``."""
        own = {each.name: each.text(settings[each.name])
               for each in self.controls if settings[each.name] != each.default}
        return "?" + urlencode({"q": self.id} | own | more)
