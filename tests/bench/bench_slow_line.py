"""The first board over a slow line, once the browser's cache is warm: a game's page, and the pages of phones.

The line is laid in front of the server, so that everything goes over it: connections, streams and the kernel's socket.
"""

from __future__ import annotations
import asyncio
import os
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from navalkit import Match
from navalkit.rooms.classroom import ClassRoom
from navalkit.rooms.store import Rooms
from navalkit.rooms.table import Table
from navalkit.walks import shows
from tests.bench.bench_browser import DRAWN, _chromium
from tests.servers import ROOT, serve

AIM = 15.0
"""Seconds to the first board."""
VISITS = 3
PIECE = 1460
"""Bytes that go over a line at once."""
FAST = 1e9
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
BOARD = "() => document.querySelector('.nk-phone-board img')?.complete"
GAMES = ("play_uss_lox.ipynb", "play_fleet_action.ipynb", "play_on_patrol.ipynb", "step_escorts.ipynb")


@dataclass
class Line:
    """A line between a browser and a server of this machine.

    Parameters
    ----------
    down, up : float
        Bytes a second towards the browser and towards the server, shared by all connections.
    trip : float
        Seconds there and back; a connection costs one to begin with.
    """

    down: float = FAST
    up: float = FAST
    trip: float = 0.0
    brought: int = 0
    """Bytes that have gone towards the browser."""
    _ends: set[asyncio.StreamWriter] = field(default_factory=set)
    _free: dict[str, float] = field(default_factory=dict)
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)

    @contextmanager
    def to(self, port: int) -> Iterator[int]:
        """Lay it to a port of this machine; gives the port of its near end."""
        thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        thread.start()

        async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await asyncio.sleep(self.trip)
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
            self._ends |= {writer, far_writer}
            ways = self._carry("up", reader, far_writer), self._carry("down", far_reader, writer)
            await asyncio.gather(*ways, return_exceptions=True)
            self._ends -= {writer, far_writer}

        laid = asyncio.start_server(connect, "127.0.0.1", 0)
        server = asyncio.run_coroutine_threadsafe(laid, self._loop).result()
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            self._loop.call_soon_threadsafe(server.close)
            self.cut()
            asyncio.run_coroutine_threadsafe(self._over(), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            thread.join()

    async def _over(self) -> None:
        while self._ends:
            await asyncio.sleep(0.05)

    def cut(self) -> None:
        """Break off all connections: the next visit makes its own."""
        for end in list(self._ends):
            self._loop.call_soon_threadsafe(end.close)

    async def _carry(self, way: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Bring all that comes, each piece once the line is free for it, and half a trip later."""
        due = 0.0
        while piece := await reader.read(PIECE):
            self.brought += len(piece) if way == "down" else 0
            rate = self.down if way == "down" else self.up
            sent = self._free[way] = max(self._free.get(way, 0.0), time.monotonic()) + len(piece) / rate
            due = sent + self.trip / 2
            later = due - time.monotonic()
            self._loop.call_later(later, lambda piece=piece: writer.is_closing() or writer.write(piece))
            await asyncio.sleep(sent - time.monotonic())
        self._loop.call_later(max(0.0, due - time.monotonic()), writer.close)


LINES = {
    "3G": (200_000, 94_000, 0.15),
    "slow 3G": (50_000, 50_000, 0.4),
}
"""Bytes a second down and up, and seconds there and back."""


def bench_slow_line() -> list[dict[str, Any]]:
    """Each page over each line; a first visit over a fast one fills the cache."""
    rows, line = [], Line()
    with TemporaryDirectory() as name, _chromium() as browser, serve(ROOT / "notebooks", Path(name)) as server:
        rooms = Rooms(Path(name) / "rooms.sqlite3")
        with line.to(int(server.url.rpartition(":")[2])) as port:
            near, desk, phone = f"http://127.0.0.1:{port}", browser.new_context(), browser.new_context(**PHONE)
            for game in GAMES:
                rows += _rows(line, desk, game, lambda game=game: f"{near}/voila/render/{game}?seed=5", DRAWN)
            rows += _rows(line, phone, "a phone's question", lambda: f"{near}/room/{_question(rooms)}", BOARD)
            rows += _rows(line, phone, "a guest's game", lambda: f"{near}/room/{_game(rooms)}", BOARD)
            phone.close()
            desk.close()
        rooms.close()
    return rows


def _rows(line: Line, context: Any, what: str, address: Any, drawn: str) -> Iterator[dict[str, Any]]:
    _visit(context, address(), drawn)
    for name, (down, up, trip) in LINES.items():
        times, brought = [], []
        for _ in range(VISITS):
            line.cut()
            url = address()
            line.down, line.up, line.trip, line.brought = down, up, trip, 0
            times.append(_visit(context, url, drawn))
            brought.append(line.brought)
            line.down, line.up, line.trip = FAST, FAST, 0.0
            time.sleep(1)
        took, kilo = statistics.median(times), statistics.median(brought) / 1000
        note = f"most {max(times):.1f} s of {VISITS} visits, cold Python; {kilo:.0f} kB"
        note += f"; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
        yield {
            "name": f"first board over {name}: {what}", "ours_seconds": took, "baseline": "the aim",
            "baseline_seconds": AIM, "ratio": AIM / took, "note": note,
        }  # fmt: skip


def _visit(context: Any, url: str, drawn: str) -> float:
    page = context.new_page()
    begun = time.perf_counter()
    page.goto(url, wait_until="commit", timeout=180_000)
    page.wait_for_function(drawn, timeout=180_000)
    took = time.perf_counter() - begun
    page.close(run_before_unload=True)
    return took


def _question(rooms: Rooms) -> str:
    """A class with an open question that no phone has seen."""
    room, show = ClassRoom("A class", rooms), shows.position("on-patrol", "mode-3")
    room.ask(show.walk.ask("where", show.game, show.row[0], show.row[0].who))
    return room.code


def _game(rooms: Rooms) -> str:
    return Table.lay(rooms, Match.new("fleet-action", 5, ("host", "guest")), 0).code
