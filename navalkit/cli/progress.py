"""How far work in a terminal has come: a bar on stderr, which says how to stop it."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TypeVar

from navalkit.core.awaited import Steps

from .text import SAY

T = TypeVar("T")

LATE, LOOK = 0.5, 0.1
"""Seconds after which a bar is shown, and between two looks of it."""
_LONG = 30


class Progress:
    """A bar for work of more than half a second; its line is empty again once the work is over.

    A `with` statement ends it; called with what is done and how much there is, it is one for `navalkit.sim`.
    """

    def __init__(self) -> None:
        self._due = time.monotonic() + LATE
        self._shown = False

    def __call__(self, done: int, total: int) -> None:
        self._show(done / total, SAY("progress.of", done=done, total=total))

    def watch(self, steps: Steps[T]) -> T:
        """The answer of work in steps; the bar stands where their shares say."""
        try:
            while True:
                share = next(steps)
                if share is not None:
                    self._show(share, SAY("progress.share", share=share))
        except StopIteration as stop:
            value: T = stop.value
            return value

    def clear(self) -> None:
        """Empty the line, for something else to be printed there."""
        if self._shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
            self._shown = False

    def _show(self, share: float, said: str) -> None:
        now = time.monotonic()
        if now < self._due:
            return
        self._due, self._shown = now + LOOK, True
        full = int(_LONG * share)
        bar = f"[{'#' * full}{'.' * (_LONG - full)}]"
        print(f"\r\033[K{bar} {SAY('progress.bar', said=said)}", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.clear()
