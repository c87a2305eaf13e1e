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
from typing import Any, NamedTuple

import psutil

from navalkit.rooms.classroom import ClassRoom
from navalkit.rooms.store import Rooms
from navalkit.view.page import Result
from navalkit.walks import shows
from tests.crowd import Crowd
from tests.serve.alone import alone

AIMS = {200: 0.100, 1000: 0.300}
"""Phones -> seconds in which a question is to reach 95 of 100 of them."""
STORED = 0.500
"""Seconds in which 95 of 100 answers are to be acknowledged, also while other programs have the cores."""
ROUNDS = 4
THINK = 0.5, 2.5
"""Seconds after which the first and the last phone answer; in one more round all do in the same instant."""
PATIENCE = 20.0
"""Seconds until a bench gives up."""


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
    with TemporaryDirectory() as folder, alone(Path(folder)) as server:
        rooms = Rooms(Path(folder) / "rooms.sqlite3")
        try:
            with _unhurried():
                used, seen = psutil.Process(server.process.pid), list[float]()
                lesson = _lesson(server.port, ClassRoom("Bench", rooms), phones, lambda: seen.append(_spent(used)))
                told = asyncio.run(lesson)
            memory, each = used.memory_info().rss >> 20, 1000 * (seen[-1] - seen[1]) / (phones * (ROUNDS - 1))
        finally:
            rooms.close()
    note = f"{memory} MB; {told.lost} of {len(told.answered) + len(told.burst)} answers lost"
    load = f"load average {psutil.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    spent = f"{each:.2f} ms of CPU a phone and question, told and answered"
    many = f"an answer of {phones} within {THINK[1] - THINK[0]:.0f} s is stored{beside}"
    return [
        _row(f"a question reaches {phones} phones{beside}", told.pushed, AIMS[phones], f"{load}; {note}"),
        _row(many, told.answered, STORED, f"{load}; {spent}"),
        _row(f"an answer of {phones} in one instant is stored{beside}", told.burst, STORED, load),
    ]


class Told(NamedTuple):
    """What a lesson took, s, and how many answers that were acknowledged are not in the file."""

    pushed: list[float]
    answered: list[float]
    burst: list[float]
    """Answers that all phones gave in the same instant."""
    lost: int


def _spent(process: psutil.Process) -> float:
    """Seconds of CPU."""
    return float(sum(process.cpu_times()[:2]))


def _row(name: str, times: list[float], aim: float, note: str) -> dict[str, Any]:
    p95 = sorted(times)[int(0.95 * (len(times) - 1))]
    return {
        "name": name, "ours_seconds": p95, "baseline": "the aim", "baseline_seconds": aim, "ratio": aim / p95,
        "note": f"95th percentile{'; ' * bool(note)}{note}",
    }  # fmt: skip


async def _lesson(port: int, room: ClassRoom, phones: int, look: Callable[[], None]) -> Told:
    """RuntimeError if a question does not reach every phone, or is not answered by each: a percentile of those that it
    reached would be none of the class's."""
    crowd = Crowd(port, room.code, phones, THINK)
    await crowd.come(0.5 if phones > 400 else 0.1)
    show = shows.position("on-patrol", "mode-3")
    question = show.walk.ask("where", show.game, show.row[0], show.row[0].who)
    people = asyncio.ensure_future(crowd.stay())
    while len(crowd.listening) < phones:
        await asyncio.sleep(0.1)
    await asyncio.sleep(1)
    look()
    pushed: list[float] = []
    for round in range(1, ROUNDS + 2):
        if burst := round > ROUNDS:
            crowd.think, before = (THINK[0], THINK[0]), len(crowd.took)
        asked = time.perf_counter()
        room.ask(question)
        while len(crowd.acknowledged) < round * phones and time.perf_counter() - asked < PATIENCE:
            await asyncio.sleep(0.05)
        if len(crowd.acknowledged) < round * phones or len(crowd.shown[round]) < phones:
            raise RuntimeError(f"question {round}: {len(crowd.shown[round])} of {phones} phones have it, and "
                               f"{len(crowd.acknowledged) - (round - 1) * phones} have answered")
        pushed += [at - asked for at in crowd.shown[round]]
        if not burst:
            look()
        room.reveal(Result((question.choices[0].id,), "There."))
        await asyncio.sleep(0.5)
    lost = len(crowd.missing(room.rooms))
    room.end()
    await asyncio.wait_for(people, PATIENCE)
    return Told(pushed, crowd.took[:before], crowd.took[before:], lost)
