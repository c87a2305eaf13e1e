"""What the server's phone handlers share: who waits for which room, and how fast somebody may ask."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import NamedTuple

from navalkit.rooms.store import RoomError, Rooms

GLANCE = 0.025
"""Seconds between two looks at the file, while anybody waits."""


class Seen(NamedTuple):
    """A room as phones see it: its revision, and the text they are sent; what may be chosen, by question."""

    rev: int
    text: str
    round: int
    choices: frozenset[str]


@dataclass
class _Room:
    seen: Seen
    waiting: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)


class Watch:
    """Wakes whoever waits for a room to change; each state is read and written down once, however many wait.

    Parameters
    ----------
    rooms : Rooms
    """

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self._rooms: dict[str, _Room] = {}
        self._version = 0
        self._task: asyncio.Task[None] | None = None

    @property
    def waiting(self) -> int:
        """How many wait."""
        return sum(room.waiting for room in self._rooms.values())

    def now(self, code: str) -> Seen:
        """A room as it stands; RoomError (404) if there is none."""
        if (known := self._rooms.get(code)) is not None and known.seen.rev == self.rooms.rev(code):
            return known.seen
        room = self.rooms.room(code)
        shown = room.shown | {"rev": room.rev, "names": room.names, "seats": self.rooms.joined(room.code)}
        asked = room.shown.get("ask", {})
        choices = frozenset(each[0] for each in asked.get("choices", ()))
        text = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
        return Seen(room.rev, text, room.shown.get("round", 0), choices)

    async def next(self, code: str, rev: int, patience: float) -> Seen | None:
        """The room once its revision is another than ``rev``; None if that takes longer than so many seconds.

        Raises
        ------
        RoomError
            404 if the room is gone.
        """
        room = self._rooms.setdefault(code, _Room(self.now(code)))
        room.waiting += 1
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._look())
        try:
            if (seen := self.now(code)).rev != rev:
                return seen
            await asyncio.wait_for(room.changed.wait(), patience)
            return self.now(code)
        except TimeoutError:
            return None
        finally:
            room.waiting -= 1
            if not room.waiting and self._rooms.get(code) is room:
                del self._rooms[code]

    def look(self) -> None:
        """Wake those whose room has changed."""
        for code, room in list(self._rooms.items()):
            if self.rooms.rev(code) != room.seen.rev:
                try:
                    room.seen = self.now(code)
                except RoomError:
                    del self._rooms[code]
                room.changed.set()
                room.changed = asyncio.Event()

    async def _look(self) -> None:
        while self._rooms:
            if (version := self.rooms.version) != self._version:
                self._version = version
                self.look()
            await asyncio.sleep(GLANCE)


class Pace:
    """How fast somebody may do something: so many at once, and so many a second from then on.

    >>> pace = Pace(2, 1.0)
    >>> [pace.allows("you", at) for at in (0.0, 0.0, 0.0, 1.0)]
    [True, True, False, True]
    """

    def __init__(self, most: float, rate: float) -> None:
        self._most, self._rate = most, rate
        self._left: dict[Hashable, tuple[float, float]] = {}

    def allows(self, who: Hashable, now: float | None = None) -> bool:
        """Whether it may be done now; if so, it counts as done."""
        now = time.monotonic() if now is None else now
        if len(self._left) > 10_000:  # forget those who have waited long enough
            self._left = {k: v for k, v in self._left.items() if v[0] + (now - v[1]) * self._rate < self._most}
        left, at = self._left.get(who, (self._most, now))
        left = min(self._most, left + (now - at) * self._rate)
        self._left[who] = (left - 1 if left >= 1 else left), now
        return left >= 1
