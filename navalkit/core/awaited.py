"""Numbers that take longer than a click may: asked for now, calculated a little at a time, shown when they come.

An `Awaited` is a question, not a thread: a generator that gives way every few milliseconds, so that one thread serves
page and number alike, in a browser's Python too. `navalkit.ui.desk.Desk` does so for a page; what has time to wait
calls `run`.

>>> def count(n):
...     pace = Pace()
...     total = 0
...     for i in range(n):
...         total += i
...         if pace():
...             yield i / n
...     return total
>>> million = Awaited(("count", 1_000_000), lambda: count(1_000_000))
>>> run(million.map(lambda total: f"{total:,}"))
'499,999,500,000'
"""

from __future__ import annotations
from collections.abc import Callable, Generator, Hashable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, Generic, TypeVar

from .errors import OutOfTimeError
from .words import SAY

T = TypeVar("T")
U = TypeVar("U")

Steps = Generator[float | None, None, T]
"""Work in steps of at most some 15 ms: it yields the share that is done, 0 to 1, or None, and returns its answer."""

__all__ = ["Awaited", "Pace", "Steps", "finish", "part", "ready", "run"]


def _same(value: Any) -> Any:
    return value


@dataclass(frozen=True, slots=True)
class Awaited(Generic[T]):
    """A question whose answer takes time.

    Parameters
    ----------
    key : hashable
        Equal keys are the same question: its answer is kept and used again. So the key holds all that ``start``
        depends on ("posterior", observation).
    start : callable
        Begins the work: see `Steps`.
    then : callable
        Makes what is shown from what was calculated, in no time; see `map`.
    quick : bool
        Whether the first step is the last, and takes no time, so that there is nothing to wait for.
    """

    key: Hashable
    start: Callable[[], Steps[Any]]
    then: Callable[[Any], T] = _same
    quick: bool = False

    def map(self, change: Callable[[T], U]) -> Awaited[U]:
        """The same question with its answer changed: calculated once for all that is made of it."""
        before = self.then
        return replace(self, then=lambda value: change(before(value)))  # type: ignore[arg-type,return-value]

    def steps(self) -> Steps[T]:
        """The work with its answer, for a ``yield from`` in other work."""
        return self.then((yield from self.start()))


def ready(value: T) -> Awaited[T]:
    """An answer that is there already, where one may be awaited."""

    def steps() -> Steps[T]:
        yield from ()
        return value

    return Awaited(object(), steps, quick=True)


def run(awaited: Awaited[T], seconds: float | None = None) -> T:
    """The answer, here and now.

    Parameters
    ----------
    awaited : Awaited
    seconds : float, optional
        How long it may take; it is looked at after each step.

    Raises
    ------
    OutOfTimeError
        If the time is over; the work is dropped.
    """
    return finish(awaited.steps(), seconds)


def finish(steps: Steps[T], seconds: float | None = None) -> T:
    """The answer of work, here and now; see `run`."""
    end = None if seconds is None else perf_counter() + seconds
    try:
        while True:
            next(steps)
            if end is not None and perf_counter() > end:
                steps.close()
                raise OutOfTimeError(SAY("awaited.out_of_time", seconds=seconds))
    except StopIteration as stop:
        value: T = stop.value
        return value


def part(steps: Steps[T], low: float, high: float) -> Steps[T]:
    """Work that is a part of greater work: its shares from 0 to 1 become shares from ``low`` to ``high``.

    Parameters
    ----------
    steps : generator
    low, high : float
        Shares, 0 to 1.

    Yields
    ------
    float or None
        The generator returns what ``steps`` returns.

    >>> list(part((share for share in (0.0, 0.5)), 0.5, 1.0))
    [0.5, 0.75]
    """
    try:
        while True:
            share = next(steps)
            yield None if share is None else low + (high - low) * share
    except StopIteration as stop:
        value: T = stop.value
        return value


class Pace:
    """Says now and then that it is time to give way: ``if pace(): yield``.

    The caller goes on at once while there is time, so a yield too many costs next to nothing.

    Parameters
    ----------
    seconds : float
        Between two times to give way.
    """

    __slots__ = ("_due", "_seconds")

    def __init__(self, seconds: float = 0.004) -> None:
        self._seconds, self._due = seconds, perf_counter() + seconds

    def __call__(self) -> bool:
        now = perf_counter()
        if now < self._due:
            return False
        self._due = now + self._seconds
        return True
