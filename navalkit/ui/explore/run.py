"""A Monte Carlo run of the explorer: it can be paused, resumed and started again; the desk gives it its slices."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from navalkit.core.awaited import Awaited, Steps
from navalkit.explore import Question, Tally

from ..desk import Desk

SLOT = "run"
SLICE = 0.008
"""Seconds of trials at a time."""
SHOW = 0.12
"""Seconds between two looks at a run."""
POINTS = 60
"""Points of the curve of a run."""


class Run:
    """One Monte Carlo run. ``show`` is called now and then while it runs, and when it ends. ``tally``: what has come so
    far. ``curve``: trials, estimate and standard error, as it went on. ``n``: trials in all."""

    def __init__(self, desk: Desk, show: Callable[[], None]) -> None:
        self._desk, self._show = desk, show
        self.seed, self.n = 1, 20_000
        self._of: tuple[Question, dict[str, Any]] | None = None
        self.clear()

    @property
    def running(self) -> bool:
        """Whether trials are being made."""
        return self._desk.busy(SLOT)

    @property
    def done(self) -> int:
        """Trials made."""
        return self.tally.tried if self.tally else 0

    def of(self, question: Question, settings: dict[str, Any]) -> None:
        """Say what to simulate; if that is new, what came before is dropped, and a run that was going begins anew."""
        if self._of and self._of[0] is question and self._of[1] == settings:
            return
        again = self.running and self._of is not None and self._of[0] is question
        self._of = question, dict(settings)
        self.clear()
        if again:
            self.start()

    def start(self) -> None:
        """Begin, or go on; from the start with the next seed if it had come to its end."""
        if self.running or self._of is None:
            return
        if self.done >= self.n:
            self.seed += 1
            self.clear()
        of = self._of
        self._desk.ask(SLOT, Awaited(object(), lambda: self._steps(*of)), lambda _: self._show())

    def pause(self) -> None:
        """Stop for now."""
        self._desk.cancel(SLOT)

    def clear(self) -> None:
        """Stop, and drop what has come."""
        self.pause()
        self.tally: Tally | None = None
        self.curve: list[tuple[int, float, float]] = []
        self._rng = np.random.default_rng(self.seed)
        self._size = 16

    def _steps(self, question: Question, settings: dict[str, Any]) -> Steps[None]:
        shown = 0.0
        while self.done < self.n:
            self.chunk(question, settings)
            if perf_counter() - shown > SHOW:
                self._show()
                shown = perf_counter()
            yield None

    def chunk(self, question: Question, settings: dict[str, Any]) -> None:
        """As many trials as fit in a slice of time."""
        begin = perf_counter()
        part = question.simulate(settings, self._rng, min(self._size, self.n - self.done))
        took = max(perf_counter() - begin, 1e-5)
        self._size = max(1, min(2 * self._size, int(self._size * SLICE / took)))
        self.tally = part if self.tally is None else self.tally + part
        if self.tally.n:
            self.curve.append((self.tally.tried, self.tally.mean, self.tally.error))
        if len(self.curve) > 2 * POINTS:
            self.curve = [*self.curve[:-1:2], self.curve[-1]]
