"""The desk: a page's slow numbers, calculated in slices on the kernel's own loop, while clicks are answered.

Nothing here needs a thread. Between two slices the loop has time of its own: a message to the kernel passes several of
its turns, and another thread of ipykernel, before it is heard, so a single turn after each slice would make a click
wait for a handful of them.
"""

from __future__ import annotations
import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, TypeVar

from navalkit.core.awaited import Awaited, Steps
from navalkit.core.errors import OutOfTimeError
from . import SAY

T = TypeVar("T")

SLICE = 0.012
"""Seconds of work before the page's turn comes."""
REST = 0.002
"""Seconds that are the page's."""
LATE = 0.3
"""Seconds after which a number is said to be waited for."""
SOON = 1.5
"""Seconds that what somebody opens may take before it is waited for: mostly it is the first thing to be seen."""
LOOK = 0.1
"""Seconds between two words on how far it has come."""
KEPT = 64
"""Answers that are kept."""

Guard = Callable[[Callable[..., None]], Callable[..., None]]
Slot = str | tuple[str, int]
"""A place on the page by its name; one of several by its number too."""
Waiting = Callable[[Slot, float | None], None]


@dataclass
class _Place:
    """A place on the page that waits for an answer."""

    then: Callable[[Any], Any]
    show: Callable[[Any], None]
    due: float  # when it is late, or to be told how far things have come
    told: bool = False  # whether it has been


@dataclass
class _Work:
    """A question under way, and who asked it."""

    steps: Steps[Any]
    places: dict[Slot, _Place] = field(default_factory=dict)
    share: float = 0.0


class Desk:
    """Calculates the slow numbers of one page.

    ``guard`` puts a callback inside the page's error boundary (`Model.guard`). ``waiting`` is called with a slot and
    the share done (0 where it is not known) once its answer is late, and now and then until it comes; then, or when it
    is wanted no more, with None.

    Several questions take turns, slice by slice, so that a short one need not wait for a long one. What is asked in
    two slots at once is calculated once. Without a running loop questions wait for `settle`.

    >>> from navalkit.core.awaited import Awaited
    >>> def slow():
    ...     yield 0.5
    ...     return 42
    >>> desk = Desk(lambda call: call)
    >>> desk.ask("answer", Awaited("life", slow), print)
    >>> desk.settle()
    42
    >>> desk.ask("again", Awaited("life", slow), print)
    42
    """

    def __init__(self, guard: Guard, waiting: Waiting = lambda slot, share: None) -> None:
        self._guard, self.waiting = guard, waiting
        self._works: OrderedDict[Hashable, _Work] = OrderedDict()
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._loop: asyncio.AbstractEventLoop | None = None  # the one on which a slice is due

    def ask(self, slot: Slot, awaited: Awaited[T], show: Callable[[T], None], late: bool = False) -> None:
        """Have a question answered: ``show`` is called with the answer, at once where it is known. ``slot``: the place
        on the page. A new question there takes the place of an older one, which is dropped; the same question goes on.
        ``late``: whether it is late already.
        """
        told = self._leave(slot, awaited.key)
        if awaited.quick or awaited.key in self._kept:
            self._tell_over(slot, told)
            self._guard(lambda: show(self._known(awaited)))()
            return
        work = self._works.get(awaited.key)
        if work is None:
            work = self._works[awaited.key] = _Work(awaited.start())
        due = 0.0 if late or told else perf_counter() + LATE  # a place that says it waits goes on saying so
        work.places[slot] = _Place(awaited.then, show, due, told)
        self._wake()

    def soon(self, slot: Slot, steps: Steps[T], show: Callable[[T], None], within: float | None = None) -> None:
        """Have work done whose answer mostly comes ``within`` a time (s; left out, `SOON`): then it is shown at once,
        and what takes longer is asked for as by `ask`. Without a running loop all is done here and now."""
        self.cancel(slot)
        end = perf_counter() + (SOON if within is None else within)
        try:
            while not looping() or perf_counter() < end:
                next(steps)
        except StopIteration as stop:
            show(stop.value)
        else:
            self.ask(slot, Awaited(object(), lambda: steps), show, late=True)

    def fill(self, slot: Slot, data: T | Awaited[T], show: Callable[[T], None],
             wait: Callable[[], None] = lambda: None) -> None:
        """Show data that is there, or that will be; ``wait`` marks what still shows the question before."""
        if not isinstance(data, Awaited):
            self.cancel(slot)
            show(data)
            return
        if not self.knows(data):
            wait()
        self.ask(slot, data, show)

    def knows(self, awaited: Awaited[Any]) -> bool:
        """Whether the answer is there, so that asking for it shows it at once."""
        return awaited.quick or awaited.key in self._kept

    def cancel(self, slot: Slot) -> None:
        """Drop the question of a slot, if there is one."""
        self._tell_over(slot, self._leave(slot))

    def cancel_all(self) -> None:
        """Drop all questions."""
        for slot in [slot for work in self._works.values() for slot in work.places]:
            self.cancel(slot)

    def busy(self, slot: Slot) -> bool:
        """Whether a slot waits for an answer."""
        return any(slot in work.places for work in self._works.values())

    @property
    def idle(self) -> bool:
        """Whether there is nothing to calculate."""
        return not self._works

    def settle(self, seconds: float = 60.0) -> None:
        """Calculate all that is asked for, here and now; OutOfTimeError if that takes longer than ``seconds``."""
        end = perf_counter() + seconds
        while self._works:
            self._slice()
            if self._works and perf_counter() > end:
                raise OutOfTimeError(SAY("desk.long", seconds=seconds))

    def _known(self, awaited: Awaited[T]) -> T:
        if not awaited.quick:
            self._kept.move_to_end(awaited.key)
            return awaited.then(self._kept[awaited.key])
        try:
            next(steps := awaited.steps())
        except StopIteration as stop:
            value: T = stop.value
            return value
        steps.close()
        raise AssertionError("what is quick answers at its first step")

    def _leave(self, slot: Slot, key: Hashable = None) -> bool:
        """Take a slot from its question; whether it said that it waits. Work that nobody waits for is dropped."""
        for asked, work in self._works.items():
            if (place := work.places.pop(slot, None)) is not None:
                if not work.places and asked != key:
                    del self._works[asked]
                    work.steps.close()
                return place.told
        return False

    def _tell_over(self, slot: Slot, told: bool) -> None:
        if told:
            self._guard(self.waiting)(slot, None)

    def _wake(self) -> None:
        """Have the next slice made, if there is a loop to make it."""
        if not looping():
            return
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop = loop
            loop.call_later(REST, self._turn, loop)

    def _turn(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            self._slice()
        finally:
            self._loop = None
            if self._works:
                self._wake()

    def _slice(self) -> None:
        """A slice of the question whose turn it is, and a word where one is late."""
        if not self._works:
            return
        key = next(iter(self._works))
        self._works.move_to_end(key)
        self._guard(self._advance)(key)
        now = perf_counter()
        for slot, place, share in list(self._places()):
            if now > place.due:
                place.due, place.told = now + LOOK, True
                self._guard(self.waiting)(slot, share)

    def _places(self) -> Iterator[tuple[Slot, _Place, float]]:
        for work in self._works.values():
            for slot, place in work.places.items():
                yield slot, place, work.share

    def _advance(self, key: Hashable) -> None:
        work, end = self._works[key], perf_counter() + SLICE
        try:
            while True:
                share = next(work.steps)
                if share is not None:
                    work.share = share
                if perf_counter() >= end:
                    return
        except StopIteration as stop:
            self._answer(key, work, stop.value)
        except BaseException:
            self._end(key, work)
            raise

    def _answer(self, key: Hashable, work: _Work, value: Any) -> None:
        self._kept[key] = value
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        self._end(key, work)
        for place in work.places.values():
            self._guard(lambda place=place: place.show(place.then(value)))()

    def _end(self, key: Hashable, work: _Work) -> None:
        self._works.pop(key, None)
        for slot, place in work.places.items():
            self._tell_over(slot, place.told)


def looping() -> bool:
    """Whether there is a loop on which work can go on; without one, in tests and notebooks run headless, all is made at
    once."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
