"""What the server's phone handlers share: who listens to which room, and how fast somebody may ask."""

from __future__ import annotations
import asyncio
import gc
import itertools
import json
import secrets
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from math import ceil, log2
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from navalkit.rooms.refused import RoomError
from navalkit.rooms.store import Ballot, Rooms
from . import SAY

GLANCE = 0.025
"""Seconds between two looks at the file, while anybody listens."""
LOOK = 0.5
"""Seconds between two looks for a page that has fallen silent."""
BEAT = 2.0
"""Seconds between signs of life: each takes 18 µs of a core, so those of a thousand phones a hundredth of it."""
POLL = 15.0
"""Seconds that one who asks waits for a change."""


class Unhurried:
    """Has Python look for garbage more rarely while anybody listens, and set aside what there was before: with a
    thousand lines open, looking through all of it stops everybody for a seventh of a second, and takes a fifth of the
    server's time (measured). Afterwards all is as it was."""

    RARELY = 20_000, 20, 10
    """As `gc.set_threshold` has it."""

    def __init__(self) -> None:
        self._inside, self._before = 0, gc.get_threshold()

    @contextmanager
    def __call__(self) -> Iterator[None]:
        if not self._inside:
            self._before = gc.get_threshold()
            gc.freeze()
            gc.set_threshold(*self.RARELY)
        self._inside += 1
        try:
            yield
        finally:
            self._inside -= 1
            if not self._inside:
                gc.unfreeze()
                gc.set_threshold(*self._before)


unhurried = Unhurried()
"""Of this process."""


class Seen(NamedTuple):
    """A room as phones see it: its revision, the text they are sent, and what may be chosen in which question."""

    rev: int
    text: bytes
    round: int
    choices: frozenset[str]
    out: frozenset[int] = frozenset()
    """The seats that were taken away: whose line it is, is told so."""


class Listener(Protocol):
    """Those who want to know when a room changes."""

    def tell(self, seen: Seen | None) -> None:
        """The room as it is now; None: nothing has changed for long, or `Watch.gone` says that it is gone."""


class Watch:
    """Tells listeners when their room changes; each state is read and written down once, however many listen.
    ``desk``: what its leader is told, instead of what phones are: a revision and a text, by the code."""

    def __init__(self, rooms: Rooms, desk: Callable[[Rooms, str], tuple[int, str]] | None = None) -> None:
        self.rooms, self._desk = rooms, desk
        self._seen: dict[str, Seen] = {}  # of the rooms that are listened to
        self._listeners: dict[str, set[Listener]] = {}
        self._task: asyncio.Task[None] | None = None

    def now(self, code: str) -> Seen:
        """A room as it stands; RoomError (404) if there is none."""
        known = self._seen.get(code) if self._desk is None else None  # a desk says what time it is
        if known is not None and known.rev == self._rev(code):
            return known
        room = self.rooms.room(code)
        if self._desk is not None:
            rev, desk = self._desk(self.rooms, code)
            return Seen(rev, desk.encode(), 0, frozenset())
        shown = room.shown | {"rev": room.rev, "names": room.names, "seats": self.rooms.joined(room.code)}
        asked = room.shown.get("ask", {})
        choices = frozenset(each[0] for each in asked.get("choices", ()))
        text = json.dumps(shown, ensure_ascii=False, separators=(",", ":")).encode()
        return Seen(room.rev, text, room.shown.get("round", 0), choices, self.rooms.out(room.code))

    def _rev(self, code: str) -> int:
        return self.rooms.rev(code) if self._desk is None else self._desk(self.rooms, code)[0]

    def join(self, code: str, listener: Listener) -> Seen:
        """Listen from now on; returns the room as it stands, which those who listen already are told if it is news to
        them. RoomError (404) if there is none."""
        seen, before = self.now(code), self._seen.get(code)
        self._seen[code] = seen
        if before is not None and before.rev != seen.rev:  # else the next look would find nothing new
            self._tell(code, seen)
        self._listeners.setdefault(code, set()).add(listener)
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._look())
        return seen

    def leave(self, code: str, listener: Listener) -> None:
        """Listen no more."""
        if (all_ := self._listeners.get(code)) is not None:
            all_.discard(listener)
            if not all_:
                del self._listeners[code], self._seen[code]

    def latest(self, code: str) -> Seen | None:
        """A room that is listened to, as it was told last."""
        return self._seen.get(code)

    def gone(self, code: str) -> bool:
        """Whether there is no such room any more."""
        return not self.rooms.rev(code)

    async def next(self, code: str, rev: int) -> Seen:
        """The room once its revision is another than ``rev``, or as it is after `POLL`."""
        waiting = _Waiting()
        seen = self.join(code, waiting)
        try:
            if seen.rev == rev:
                await asyncio.wait((waiting.told,), timeout=POLL)
            return self.now(code)
        finally:
            self.leave(code, waiting)

    def look(self) -> None:
        """Tell those whose room has changed."""
        for code in list(self._listeners):
            if self._rev(code) != self._seen[code].rev:
                try:
                    self._seen[code] = seen = self.now(code)
                except RoomError:
                    self._tell(code, None)
                else:
                    self._tell(code, seen)

    def _tell(self, code: str, seen: Seen | None) -> None:
        for listener in tuple(self._listeners.get(code, ())):
            listener.tell(seen)

    async def _look(self) -> None:
        with unhurried():
            await self._looking()

    async def _looking(self) -> None:
        version, beat, looked = (0, 0), time.monotonic() + BEAT, 0.0
        while self._listeners:
            # The file's version tells what others write; what this server writes itself is news, too.
            # That nothing is written is news to a desk.
            now, silent = (self.rooms.version, self.rooms.sql.total_changes), time.monotonic() > looked + LOOK
            if now != version or (silent and self._desk is not None):
                version, looked = now, time.monotonic()
                self.look()
            if time.monotonic() > beat:
                beat = time.monotonic() + BEAT
                for code in list(self._listeners):
                    self._tell(code, None)
            await asyncio.sleep(GLANCE)


class Lines:
    """Who keeps a line open to hear of a room: a few for each seat, and a number for each room, each address and in all
    that neither one room nor one machine can take them all, and a school behind one address is heard.

    >>> lines = Lines(seat=1, room=1, address=9, all=9)
    >>> lines.enter("ABC", 1, "here", "first", print), lines.enter("ABC", 2, "here", "second", print)
    (True, False)
    >>> lines.enter("ABC", 1, "here", "third", print)
    first
    True
    """

    def __init__(self, seat: int = 3, room: int = 2000, address: int = 2000, all: int = 3000) -> None:
        self._most = {"room": room, "address": address, "all": all}
        self._seat = seat
        self._open: dict[Hashable, tuple[tuple[str, Hashable], ...]] = {}  # line -> what it counts for
        self._seats: dict[Hashable, list[tuple[Hashable, Callable[[Any], object]]]] = {}
        self._count: Counter[tuple[str, Hashable]] = Counter()

    def enter(self, code: str, seat: int, address: str | None, line: Hashable, end: Callable[[Any], object]) -> bool:
        """Whether a line may be kept open; of a seat that has too many the oldest is ended, by ``end``."""
        mine = self._seats.setdefault((code, seat), [])
        while len(mine) >= self._seat:
            oldest, end_it = mine[0]
            self.leave(oldest)
            end_it(oldest)
            mine = self._seats.setdefault((code, seat), [])
        keys = ("room", code), ("address", address), ("all", None)
        for key in keys:
            if self._count[key] >= self._most[key[0]] and (mine or not self._spare(key)):
                return False
        self._count.update(keys)
        self._open[line] = (*keys, ("seat", (code, seat)))
        mine.append((line, end))
        return True

    def _spare(self, full: tuple[str, Hashable]) -> bool:
        """End a line of a seat that has others, where there are too many: a seat that has none goes first."""
        for seat in self._seats.values():
            if len(seat) > 1 and full in self._open[seat[0][0]]:
                oldest, end_it = seat[0]
                self.leave(oldest)
                end_it(oldest)
                return True
        return False

    def leave(self, line: Hashable) -> None:
        """A line is closed."""
        for kind, key in self._open.pop(line, ()):
            if kind != "seat":
                self._count[kind, key] -= 1
            elif left := [each for each in self._seats[key] if each[0] != line]:
                self._seats[key] = left
            else:
                del self._seats[key]
        self._count = +self._count


class _Waiting:
    """Somebody who waits for one change."""

    def __init__(self) -> None:
        self.told: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def tell(self, seen: Seen | None) -> None:
        if not self.told.done():
            self.told.set_result(None)


class Pace:
    """How fast somebody may do something: a number at once, and a rate a second from then on.

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


@dataclass
class _Crowd:
    """Those of an address who came into a room."""

    at: float
    """When it was as it is here."""
    taken: float = 0.0
    """Free seats that are taken; a part of one that is free again is counted."""
    makers: deque[int] = field(default_factory=deque)
    """Their numbers, the first one first."""
    came: deque[float] = field(default_factory=deque)
    """When seats were taken, be it for nothing or not."""


class Rush:
    """How many come in at once: the first of an address just do, as a class does; those on top of them have to work for
    their seats, the harder the more they are. For a phone that is a second or two; a program that takes hundreds of
    seats is kept busy by it.

    The work is to find a number after which the SHA-256 of a text and that number begins with enough zero bits.
    ``free``: seats of an address for which there is nothing to do; one that is taken is free again after `AGAIN`, each
    in its turn. When there are none left, those who took them have made the rush (`makers`).

    >>> rush = Rush(free=1)
    >>> rush.stops("ABC", "here", {}) is None
    True
    >>> puzzle = rush.stops("ABC", "here", {})
    >>> rush.stops("ABC", "here", {"puzzle": puzzle["text"], "number": solved(**puzzle)}) is None
    True
    """

    SPAN = 10.0
    """Seconds of which the crowd is counted that the work grows with."""
    AGAIN = 5.0
    """Seconds until one more seat is free: were all free again soon, a room would be full within minutes."""
    LEAST, MOST = 15, 20
    """Zero bits: for the first above the free ones, and at most, so that it takes no phone ten seconds."""
    STEEP = 3
    """The work grows with this power of the crowd."""

    def __init__(self, free: int = 60) -> None:
        self._free = free
        self._crowds: dict[tuple[str, str], _Crowd] = {}
        self._open: dict[str, tuple[str, int, float]] = {}  # text -> room, bits, until when

    def stops(self, code: str, address: str, sent: Mapping[str, Any]) -> dict[str, Any] | None:
        """A puzzle, if there is one to be solved first; None if one more may come in, who then counts as come."""
        now = time.monotonic()
        crowd = self._crowd(code, address, now)
        solved = self._solved(code, sent.get("puzzle"), sent.get("number"), now)
        if solved or crowd.taken + 1 <= self._free:
            crowd.came.append(now)
            crowd.taken += not solved
            return None
        work = self.LEAST + self.STEEP * log2(max(1.0, len(crowd.came) / self._free))
        text, bits = secrets.token_hex(12), min(self.MOST, round(work))
        self._open[text] = code, bits, now + 12 * self.SPAN
        if len(self._open) > 20_000:  # of one who asks and solves nothing
            self._open = dict(itertools.islice(self._open.items(), 10_000, None))
        return {"text": text, "bits": bits}

    def came(self, code: str, address: str, seat: int) -> None:
        """A seat was taken for nothing."""
        self._crowd(code, address, time.monotonic()).makers.append(seat)

    def makers(self, code: str, address: str) -> deque[int]:
        """The seats that have left none free: those taken for nothing, as long as they are not free again. Who reads
        them and clears them is told of each once."""
        return self._crowd(code, address, time.monotonic()).makers

    def _crowd(self, code: str, address: str, now: float) -> _Crowd:
        if len(self._crowds) > 10_000:  # forget those of whom nothing is left
            self._crowds = {key: each for key, each in self._crowds.items() if now < each.at + self.AGAIN * each.taken}
        crowd = self._crowds.setdefault((code, address), _Crowd(now))
        crowd.taken, crowd.at = max(0.0, crowd.taken - (now - crowd.at) / self.AGAIN), now
        while len(crowd.makers) > ceil(crowd.taken):
            crowd.makers.popleft()
        while crowd.came and crowd.came[0] < now - self.SPAN:
            crowd.came.popleft()
        return crowd

    def _solved(self, code: str, text: Any, number: Any, now: float) -> bool:
        if not isinstance(text, str) or type(number) is not int or self._open.get(text, ("",))[0] != code:
            return False
        _, bits, until = self._open[text]
        if now > until or not zeros(text, number, bits):
            return False
        del self._open[text]  # one seat for one puzzle
        return True


def zeros(text: str, number: int, bits: int) -> bool:
    """Whether the SHA-256 of a text and a number begins with at least ``bits`` zero bits."""
    return int.from_bytes(sha256(f"{text}{number}".encode()).digest()) >> (256 - bits) == 0


def solved(text: str, bits: int) -> int:
    """The first number that solves a puzzle."""
    return next(number for number in itertools.count() if zeros(text, number, bits))


class Urn:
    """Takes the answers of all phones into the file: those that come together in one go, for each go waits for the
    disk. Nobody is told that an answer is taken before it is."""

    GATHER = 0.005
    """Seconds that a first answer waits for others."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._cast: list[tuple[Ballot, asyncio.Future[bool]]] = []

    async def cast(self, ballot: Ballot) -> bool:
        """Whether an answer still came in time; returns once it is in the file."""
        loop = asyncio.get_running_loop()
        if not self._cast:
            loop.call_later(self.GATHER, self._count)
        taken: asyncio.Future[bool] = loop.create_future()
        self._cast.append((ballot, taken))
        return await taken

    def _count(self) -> None:
        cast, self._cast = self._cast, []
        try:
            told: list[bool | Exception] = [*self._rooms.count([ballot for ballot, _ in cast])]
        except Exception as error:  # as of a full disk: each phone is told, and tries again
            told = [error] * len(cast)
        for (_, taken), each in zip(cast, told, strict=True):
            if taken.done():
                continue
            if isinstance(each, Exception):
                taken.set_exception(each)
            else:
                taken.set_result(each)


# -- The one process that makes boards for all guests of games: started with the first, ended when nobody comes
# It ends with the server, whose end of its standard input then closes.

MODULE = "navalkit.ui.rooms.door"
IDLE = 600.0
"""Seconds without a guest after which it ends."""
PATIENCE = 20.0
"""Seconds that an answer may take."""
LARGEST = 4 << 20


class Guests:
    """Asks that process. ``rooms``: the file of all rooms."""

    def __init__(self, rooms: Path) -> None:
        self._rooms = rooms
        self._process: asyncio.subprocess.Process | None = None
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._numbers = itertools.count()
        self._end: asyncio.TimerHandle | None = None
        self._starting = asyncio.Lock()
        self._reader: asyncio.Task[None] | None = None

    async def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """Its answer to a question; RoomError with its status and sentence if it refuses, 503 if it does not answer."""
        number, answer = next(self._numbers), asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            async with self._starting:
                process = await self._running()
            assert process.stdin is not None
            process.stdin.write(json.dumps(question | {"number": number}).encode() + b"\n")
            await process.stdin.drain()
            told: dict[str, Any] = await asyncio.wait_for(answer, PATIENCE)
        except (TimeoutError, OSError):
            raise RoomError(SAY("refuse.guest"), 503) from None
        finally:
            self._waiting.pop(number, None)
        if told["status"] != 200:
            raise RoomError(told["error"], told["status"])
        view: dict[str, Any] = told["view"]
        return view

    async def _running(self) -> asyncio.subprocess.Process:
        if self._end is not None:
            self._end.cancel()
        self._end = asyncio.get_running_loop().call_later(IDLE, self.stop)
        if self._process is None or self._process.returncode is not None:
            pipe = asyncio.subprocess.PIPE
            order = (sys.executable, "-m", MODULE, str(self._rooms))
            self._process = await asyncio.create_subprocess_exec(*order, stdin=pipe, stdout=pipe, limit=LARGEST)
            self._reader = asyncio.ensure_future(self._read(self._process))
        return self._process

    def stop(self) -> None:
        """End the process; the next question starts it again."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            self._process = None

    async def close(self) -> None:
        """End the process, and wait for that."""
        reader = self._reader
        self.stop()
        if self._end is not None:
            self._end.cancel()
        if reader is not None:
            await reader

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            told = json.loads(line)
            if (answer := self._waiting.get(told["number"])) is not None and not answer.done():
                answer.set_result(told)
        await process.wait()
        for answer in self._waiting.values():
            if process is self._process and not answer.done():
                answer.set_exception(OSError())
