"""A class of simulated phones on this machine: how fast a question reaches all of them, and their answers the file."""

from __future__ import annotations
import asyncio
import gc
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil

from navalkit.rooms.classroom import ClassRoom
from navalkit.rooms.store import Rooms
from navalkit.view.page import Result
from navalkit.walks import shows
from tests.crowd import Crowd

AIMS = {200: 0.100, 1000: 0.300}
"""Phones -> seconds in which a question is to reach 95 of 100 of them."""
STORED = 0.500
"""Seconds in which 95 of 100 answers are to be acknowledged, also while other programs have the cores."""
ROUNDS = 4
_SERVER = """
import asyncio, sys
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application
from navalkit.serve.phones import Phones, handlers
from navalkit.serve.watch import Rush
from navalkit.serve.server import many_files
async def main():
    many_files()
    sockets = bind_sockets(0, "127.0.0.1", backlog=1024)
    print(port := sockets[0].getsockname()[1], flush=True)
    phones = Phones()
    phones.rush = Rush(free=10_000)  # all of them come from one address, and in half a minute
    HTTPServer(Application(handlers("/", port, phones))).add_sockets(sockets)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
asyncio.run(main())
"""


def bench_rooms() -> list[dict[str, Any]]:
    """A row for the push and one for the answers, for each size of class."""
    rows, cores = [row for phones in AIMS for row in _class(phones)], os.cpu_count() or 1
    for programs in (cores, 2 * cores):
        with _busy(programs):
            rows += _class(max(AIMS), f" beside {programs} busy programs")
    return rows


@contextmanager
def _busy(number: int) -> Iterator[None]:
    """Beside that many programs, each of which has a core if it can."""
    programs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for each in programs:
            each.kill()
            each.wait()


@contextmanager
def _unhurried() -> Iterator[None]:
    """Without this process looking for garbage: all phones are in it, and would stop together, as no class does."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _class(phones: int, beside: str = "") -> list[dict[str, Any]]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    with TemporaryDirectory() as folder:
        environment = os.environ | {"NAVALKIT_ROOMS": folder}
        order = [sys.executable, "-c", _SERVER]
        server = subprocess.Popen(order, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None and server.stdin is not None
        rooms = Rooms(Path(folder) / "rooms.sqlite3")
        try:
            port = int(server.stdout.readline())
            with _unhurried():
                used, seen = psutil.Process(server.pid), list[float]()
                lesson = _lesson(port, ClassRoom("Bench", rooms), phones, lambda: seen.append(_spent(used)))
                pushed, answered, lost = asyncio.run(lesson)
            memory, each = used.memory_info().rss >> 20, 1000 * (seen[-1] - seen[1]) / (phones * (ROUNDS - 1))
        finally:
            server.stdin.close()
            server.wait(10)
            rooms.close()
    note = f"{memory} MB; {lost} of {len(answered)} answers lost"
    load = f"load average {psutil.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    spent = f"{each:.2f} ms of CPU a phone and question, told and answered"
    return [
        _row(f"a question reaches {phones} phones{beside}", pushed, AIMS[phones], f"{load}; {note}"),
        _row(f"an answer of {phones} at once is stored{beside}", answered, STORED, f"{load}; {spent}"),
    ]


def _spent(process: psutil.Process) -> float:
    """Seconds of CPU."""
    return float(sum(process.cpu_times()[:2]))


def _row(name: str, times: list[float], aim: float, note: str) -> dict[str, Any]:
    p95 = sorted(times)[int(0.95 * (len(times) - 1))]
    return {
        "name": name, "ours_seconds": p95, "baseline": "the aim", "baseline_seconds": aim, "ratio": aim / p95,
        "note": f"95th percentile{'; ' * bool(note)}{note}",
    }  # fmt: skip


async def _lesson(port: int, room: ClassRoom, phones: int,
                  look: Callable[[], None]) -> tuple[list[float], list[float], int]:
    crowd = Crowd(port, room.code, phones)
    await crowd.come(0.5 if phones > 400 else 0.1)
    show = shows.position("on-patrol", "mode-3")
    question = show.walk.ask("where", show.game, show.row[0], show.row[0].who)
    people = asyncio.ensure_future(crowd.stay())
    while len(crowd.listening) < phones:
        await asyncio.sleep(0.1)
    await asyncio.sleep(1)
    look()
    pushed: list[float] = []
    for round in range(1, ROUNDS + 1):
        asked = time.perf_counter()
        room.ask(question)
        while len(crowd.acknowledged) < round * phones and time.perf_counter() - asked < 20:
            await asyncio.sleep(0.05)
        pushed += [at - asked for at in crowd.shown[round]]
        look()
        room.reveal(Result((question.choices[0].id,), "There."))
        await asyncio.sleep(0.5)
    lost = len(crowd.missing(room.rooms))
    room.end()
    await asyncio.wait_for(people, 20)
    return pushed, crowd.took, lost
