"""Work in the background of the explorer: a Monte Carlo run, and answers that take time. Nothing blocks.

Both are tasks of the kernel's own loop and give way every few milliseconds; a slow answer is reckoned in one thread
beside it. A change of the settings cancels what is no longer wanted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from navalkit.core.errors import NavalkitError
from navalkit.explore import Answer, Question, Tally, ask

SLICE = 0.008
"""Seconds of trials before the page's turn comes."""
SHOW = 0.12
"""Seconds between two looks at a run."""
PAUSE = 0.15
"""Seconds without a change before what lies beside the answer is reckoned."""
POINTS = 60
"""Points of the curve of a run."""


class Run:
    """One Monte Carlo run: it can be paused, gone on with, and begun anew.

    Parameters
    ----------
    show : callable
        Called now and then while it runs, and when it stops.

    Attributes
    ----------
    tally : Tally or None
        What has come so far.
    curve : list of (int, float, float)
        Trials, estimate and standard error, as it went on.
    n : int
        Trials in all.
    seed : int
    running : bool
    """

    def __init__(self, show: Callable[[], None]) -> None:
        self._show = show
        self._task: asyncio.Task[None] | None = None
        self.seed, self.n = 1, 20_000
        self._of: tuple[Question, dict[str, Any]] | None = None
        self._clear()

    def _clear(self) -> None:
        self.tally: Tally | None = None
        self.curve: list[tuple[int, float, float]] = []
        self._rng = np.random.default_rng(self.seed)
        self._size = 16

    @property
    def running(self) -> bool:
        """Whether trials are being made."""
        return self._task is not None

    @property
    def done(self) -> int:
        """Trials made."""
        return self.tally.tried if self.tally else 0

    def of(self, question: Question, settings: dict[str, Any]) -> None:
        """Say what to simulate; if that is new, what came before is dropped, and a run that was going begins anew."""
        if self._of and self._of[0] is question and self._of[1] == settings:
            return
        again = self.running and self._of is not None and self._of[0] is question
        self.pause()
        self._of = question, dict(settings)
        self._clear()
        if again:
            self.start()

    def start(self) -> None:
        """Begin, or go on; from the start with the next seed if it had come to its end."""
        if self.running or self._of is None:
            return
        if self.done >= self.n:
            self.seed += 1
            self._clear()
        self._task = asyncio.get_running_loop().create_task(self._go(*self._of))

    def pause(self) -> None:
        """Stop for now."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def clear(self) -> None:
        """Stop, and drop what has come."""
        self.pause()
        self._clear()

    async def _go(self, question: Question, settings: dict[str, Any]) -> None:
        shown = 0.0
        while self.done < self.n:
            self.chunk(question, settings)
            if perf_counter() - shown > SHOW:
                self._show()
                shown = perf_counter()
            await asyncio.sleep(0.001)
        self._task = None
        self._show()

    def chunk(self, question: Question, settings: dict[str, Any]) -> None:
        """So many trials as fit in a slice of time."""
        begin = perf_counter()
        part = question.simulate(settings, self._rng, min(self._size, self.n - self.done))
        took = max(perf_counter() - begin, 1e-5)
        self._size = max(1, min(2 * self._size, int(self._size * SLICE / took)))
        self.tally = part if self.tally is None else self.tally + part
        if self.tally.n:
            self.curve.append((self.tally.tried, self.tally.mean, self.tally.error))
        if len(self.curve) > 2 * POINTS:
            self.curve = [*self.curve[:-1:2], self.curve[-1]]


class Beside:
    """What is reckoned after the answer: the settings next to the present ones, for `ask.inverse` and the others.

    Parameters
    ----------
    show : callable
        Called with how many are done and how many there are; at the end both are equal.
    """

    def __init__(self, show: Callable[[int, int], None]) -> None:
        self._show = show
        self._task: asyncio.Task[None] | None = None
        self._thread: Executor | None = None

    @property
    def running(self) -> bool:
        """Whether something is being reckoned."""
        return self._task is not None

    def start(self, question: Question, settings: dict[str, Any], then: Callable[[], None]) -> None:
        """Reckon a slow answer, call ``then``, and go on with all its variants; what was under way is dropped."""
        self.stop()
        self._task = asyncio.get_running_loop().create_task(self._go(question, dict(settings), then))

    def stop(self) -> None:
        """Drop what is under way."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _go(self, question: Question, settings: dict[str, Any], then: Callable[[], None]) -> None:
        if question.slow:
            await self._reckon(question, settings)
            then()
        await asyncio.sleep(PAUSE)
        variants = ask.variants(question, settings)
        for i, variant in enumerate(variants):
            self._show(i, len(variants))
            await self._reckon(question, dict(variant))
            await asyncio.sleep(0)
        self._task = None
        self._show(len(variants), len(variants))

    def _reckon(self, question: Question, settings: dict[str, Any]) -> Awaitable[Any]:
        if not question.slow:
            ask.value(question, settings)
            return asyncio.sleep(0)
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "navalkit-explore")
        return asyncio.get_running_loop().run_in_executor(self._thread, partial(_quietly, question, settings))


def _quietly(question: Question, settings: dict[str, Any]) -> Answer | None:
    """An answer for its being kept; what is wrong with it is said when it is asked for again."""
    try:
        return ask.answer(question, settings)
    except NavalkitError:
        return None
