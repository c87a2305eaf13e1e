"""A class of simulated phones: each takes a seat, keeps a stream open, fetches the board, thinks, and answers.

They do as the page on a real phone does (`navalkit/serve/static`): a lost line is tried again, and so is an answer,
until the server has acknowledged it or the question is over.
"""

from __future__ import annotations
import asyncio
import gzip
import json
import re
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from navalkit.rooms.store import Rooms
from navalkit.serve.watch import solved

COME = 20
"""Phones that come in at once."""
SPREAD = 0.0003
"""Seconds by which a board's fetch may wait, for each phone of the class."""
_LENGTH = re.compile(rb"(?i)content-length: (\d+)")
PACKED = b"\x1f\x8b"
"""How what is packed begins."""
PATIENCE = 0.5
"""Seconds until something is tried again."""


class Refused(Exception):
    """The server has said no; the arguments are its status and what it said."""


@dataclass
class Crowd:
    """Simulated phones in one room.

    Parameters
    ----------
    port : int
        Of a server on this machine.
    code : str
    phones : int
    think : tuple of float
        Seconds after which the first and the last phone answer.
    changing : int
        One phone in this many thinks better of its answer; 0 for none.
    """

    port: int
    code: str
    phones: int
    think: tuple[float, float] = (0.5, 2.5)
    changing: int = 0
    keys: list[str] = field(default_factory=list)
    """Of their seats."""
    shown: dict[int, list[float]] = field(default_factory=dict)
    """Question -> when it reached each phone (`time.perf_counter`)."""
    acknowledged: dict[tuple[int, str], str] = field(default_factory=dict)
    """(Question, key of a seat) -> the last answer that the server has taken."""
    took: list[float] = field(default_factory=list)
    """Seconds that each answer took."""
    listening: set[int] = field(default_factory=set)
    _told: tuple[bytes, dict[str, Any]] = (b"", {})
    _boards: dict[bytes, dict[str, Any]] = field(default_factory=dict)
    _open: dict[str, tuple[asyncio.StreamReader, asyncio.StreamWriter]] = field(default_factory=dict)

    async def come(self, pause: float = 0.1) -> None:
        """Let all of them in as a class comes: not in one instant."""
        for start in range(0, self.phones, COME):
            some = range(start, min(start + COME, self.phones))
            self.keys += [seat["key"] for seat in await asyncio.gather(*(self._sit() for _ in some))]
            await asyncio.sleep(pause)

    async def _sit(self) -> dict[str, Any]:
        try:
            return await self._ask("seat", {})
        except Refused as no:
            if (puzzle := no.args[1].get("puzzle")) is None:
                raise
            return await self._ask("seat", {"puzzle": puzzle["text"], "number": solved(**puzzle)})

    async def stay(self) -> None:
        """Answer every question until the class is over."""
        async with asyncio.TaskGroup() as self._tasks:
            for number in range(self.phones):
                self._tasks.create_task(self._phone(number))
        kept, self._open = self._open, {}
        for _, writer in kept.values():  # while there is a loop to close them in
            writer.close()
        await asyncio.sleep(0)

    def missing(self, rooms: Rooms) -> list[tuple[int, str]]:
        """The answers that were acknowledged and are not in the file."""
        stored = {round: rooms.answers(self.code, round) for round, _ in self.acknowledged}
        seats = {key: seat.number for key in self.keys if (seat := rooms.seat(self.code, key)) is not None}
        answers = self.acknowledged.items()
        return [(round, key) for (round, key), choice in answers if stored[round].get(seats.get(key, 0)) != choice]

    @contextmanager
    def beside(self) -> Iterator[None]:
        """All of it in a thread, while something else is done; the end of the class ends it."""
        failed: list[BaseException] = []

        async def lesson() -> None:
            await self.come()
            await self.stay()

        def run() -> None:
            try:
                asyncio.run(lesson())
            except BaseException as error:  # it is raised below, where a test sees it
                failed.append(error)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        yield
        thread.join(240)
        if failed:
            raise failed[0]
        assert not thread.is_alive(), "phones are left in the room"

    async def _phone(self, number: int) -> None:
        seen, board = 0, ""
        while True:
            try:
                async for state in self._states(number):
                    self.listening.add(number)
                    if state.get("gone") or state["phase"] == "over":
                        return
                    if state["phase"] == "open" and state["round"] != seen:
                        seen = state["round"]
                        self.shown.setdefault(seen, []).append(time.perf_counter())
                        known, board = board, state["ask"].get("board", "")
                        self._tasks.create_task(self._answer(number, state, board if board != known else ""))
            except OSError:
                pass
            self.listening.discard(number)
            await asyncio.sleep(PATIENCE * (1 + number % 89 / 89))

    async def _states(self, number: int) -> AsyncIterator[dict[str, Any]]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            seat = f"X-Navalkit-Seat: {self.keys[number]}"
            writer.write(f"GET /room/{self.code}/events HTTP/1.1\r\nHost: localhost\r\n{seat}\r\n\r\n".encode())
            while line := await reader.readline():
                if line.startswith(b"data: "):
                    if line != self._told[0]:  # all hear the same, and one machine is all of them
                        self._told = line, json.loads(line[6:])
                    yield self._told[1]
        finally:
            writer.close()

    async def _answer(self, number: int, state: dict[str, Any], board: str) -> None:
        """Fetch the board if it is a new one, think, and answer, or think better of it."""
        if board:
            await asyncio.sleep(state["seats"] * SPREAD * (number % 97) / 97)
            await self._surely(f"board/{board}")
        first, last = self.think
        await asyncio.sleep(first + (last - first) * (number % 89) / 89)
        round, ids = state["round"], [id for id, _ in state["ask"]["choices"]]
        for change in range(1 + bool(self.changing and number % self.changing == 0)):
            choice, begun = ids[(7 * number + round + change) % len(ids)], time.perf_counter()
            if await self._surely("answer", {"round": round, "choice": choice}, self.keys[number]) is None:
                return
            self.acknowledged[round, self.keys[number]] = choice
            self.took.append(time.perf_counter() - begun)

    async def _surely(self, path: str, sent: Any = None, key: str = "") -> dict[str, Any] | None:
        """Ask until there is an answer; None if it came too late."""
        while True:
            try:
                return await self._ask(path, sent, key)
            except Refused as no:
                if no.args[0] in (404, 409):
                    return None
                if no.args[0] != 429 and no.args[0] < 500:
                    raise
            except OSError:
                pass
            await asyncio.sleep(PATIENCE)

    async def _ask(self, path: str, sent: Any = None, key: str = "") -> dict[str, Any]:
        reader, writer = self._open.pop(key, None) or await asyncio.open_connection("127.0.0.1", self.port)
        body = b"" if sent is None else json.dumps(sent).encode()
        writer.write(
            f"{'GET' if sent is None else 'POST'} /room/{self.code}/{path} HTTP/1.1\r\nHost: localhost\r\n"
            f"Content-Type: application/json\r\nAccept-Encoding: gzip\r\nX-Navalkit-Seat: {key}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode() + body
        )  # fmt: skip
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            told = await reader.readexactly(int(_LENGTH.findall(head)[0]))
        except (asyncio.IncompleteReadError, OSError):
            writer.close()
            raise ConnectionResetError from None
        if key:
            self._open[key] = reader, writer  # as a browser keeps it
        else:
            writer.close()
        if (status := int(head.split(b" ", 2)[1])) != 200:
            raise Refused(status, json.loads(told))
        if told.startswith(PACKED):  # a board: one machine is all of the phones, and unpacks it once
            if told not in self._boards:
                self._boards[told] = json.loads(gzip.decompress(told))
            return self._boards[told]
        answer: dict[str, Any] = json.loads(told)
        return answer
