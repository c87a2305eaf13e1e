"""The one process that makes boards for all guests of games: started with the first, ended when nobody has come for
long. It ends with the server, whose end of its standard input then closes."""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
from pathlib import Path
from typing import Any

from navalkit.core.language.words import Words
from navalkit.rooms.store import RoomError

SAY = Words.load("navalkit.serve")

MODULE = "navalkit.ui.rooms.guest"
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
