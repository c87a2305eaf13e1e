"""A question as data: what can be set, the exact answer with its charts, and its Monte Carlo twin.

Everything else (`ask`, the page) is made from this and knows no game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from navalkit.core.errors import OptionError
from navalkit.core.options import brief

from .controls import Control, Settings, Value, defaults

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Plot:
    """One chart: a value for each place along x.

    Parameters
    ----------
    key : str
        Names the chart, also in file names ("by-torpedoes").
    title, x_label : str
        What stands on it, units included.
    x : tuple of str
    y : tuple of float
    at : int, optional
        The place that the present settings are at.
    unit : str
        Of y; "" for a probability.
    lines : tuple of (str, float)
        Values to measure against ("USS Tang", 19326).
    """

    key: str
    title: str
    x_label: str
    x: tuple[str, ...]
    y: tuple[float, ...]
    at: int | None = None
    unit: str = ""
    lines: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What the numbers say.

    Parameters
    ----------
    value : Fraction or float
        A probability, or a number of ``unit``.
    said : str
        What the value is, as a sentence begun with a capital.
    plots : tuple of Plot
    how : tuple of str
        The formula or enumeration in words, with the numbers put in.
    assumes : tuple of str
        What it takes for granted.
    unit : str
        Of the value; "" for a probability.
    error : float
        Standard error, where the value is an estimate from ``n`` trials; else 0.
    n : int
    exactness : str
        How exact it is, where it is neither a Fraction nor an estimate.
    facts : tuple of (str, str)
        Figures worth knowing beside it, each with its name.
    cells : mapping of str to float
        Probabilities to write on the cells of a board of marks.
    """

    value: Fraction | float
    said: str
    plots: tuple[Plot, ...]
    how: tuple[str, ...]
    assumes: tuple[str, ...]
    unit: str = ""
    error: float = 0.0
    n: int = 0
    exactness: str = "exact"
    facts: tuple[tuple[str, str], ...] = ()
    cells: Mapping[str, float] = field(default_factory=dict)


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
        """The tally of trials with those values."""
        found = np.asarray(values, dtype=float)
        counts = tuple(None if bar is None else np.asarray(bar, dtype=np.int64) for bar in bars)
        n = len(found)
        return cls(n, float(found.sum()), float((found**2).sum()), counts, n if tried is None else tried)

    def __add__(self, other: Tally) -> Tally:
        bars = tuple(None if a is None or b is None else a + b for a, b in zip(self.bars, other.bars, strict=True))
        return Tally(
            self.n + other.n, self.total + other.total, self.squares + other.squares, bars, self.tried + other.tried
        )

    @property
    def mean(self) -> float:
        """The estimate; NaN without trials."""
        return self.total / self.n if self.n else float("nan")

    @property
    def error(self) -> float:
        """Its standard error. Of a proportion it is reckoned from (hits + 1) / (n + 2), so that it is never 0."""
        if not self.n:
            return float("nan")
        if self.squares == self.total:
            p = (self.total + 1) / (self.n + 2)
            return sqrt(p * (1 - p) / self.n)
        return sqrt(max(self.squares / self.n - self.mean**2, 0.0) / max(self.n - 1, 1))


class Step(NamedTuple):
    """A change to either side whose effect the sensitivity bar shows; None where there is nothing to that side."""

    name: str
    control: Control
    down: Value | None
    up: Value | None


class Sides(NamedTuple):
    """What the sensitivity bar is about, and what its two sides are called."""

    what: str = "slider"
    down: str = "a step down"
    up: str = "a step up"


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """One question with sliders.

    Parameters
    ----------
    id : str
        As in Python and in links ("lox-sink").
    game : str
        Name of its game in the registry.
    title : str
        The question in words.
    controls : tuple of Control
    answer : callable
        Checked settings -> Answer.
    simulate : callable
        Checked settings, numpy Generator and n -> Tally of n trials (of which fewer may count).
    inverse : str
        The control that "how many for 80 %?" asks for, or "".
    gains : tuple of (str, int, str)
        "One more": control, by how many steps, and what it is called ("one more torpedo").
    slow : bool
        Whether an answer may take longer than a slider should wait.
    targets : tuple of three ints
        Least and greatest target of the inverse question, and the usual one: percent, or the answer's unit.
    steps : callable, optional
        Settings -> the changes that the sensitivity bar compares; left out, a step down and up of every control.
    sides : Sides
        What the bar calls them.
    no_inverse, no_gain : str
        Why there is no inverse question or no "one more", in a sentence, where there is none.
    """

    id: str
    game: str
    title: str
    controls: tuple[Control, ...]
    answer: Callable[[Settings], Answer]
    simulate: Callable[[Settings, np.random.Generator, int], Tally]
    inverse: str = ""
    gains: tuple[tuple[str, int, str], ...] = ()
    slow: bool = False
    targets: tuple[int, int, int] = (1, 100, 80)
    steps: Callable[[Settings], Iterable[Step]] | None = None
    sides: Sides = Sides()
    no_inverse: str = ""
    no_gain: str = ""

    def control(self, name: str) -> Control:
        """The control of that name; OptionError if there is none."""
        for control in self.controls:
            if control.name == name:
                return control
        names = ", ".join(control.name for control in self.controls)
        raise OptionError(f"{self.id} has no control {brief(name)}; it has: {names}.")

    def settings(self, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Every control's value, checked; defaults where nothing is given. OptionError for a wrong name or value."""
        checked = {name: self.control(name).check(value) for name, value in (given or {}).items()}
        return defaults(self.controls) | checked
