"""A class of simulated phones on this machine: how fast a question reaches all of them, and their answers the file."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil

from navalkit.rooms import ClassRoom, Result, Rooms
from navalkit.ui.rooms import class_questions
from navalkit.ui.step import hunts

AIMS = {200: 0.100, 1000: 0.300}
"""Phones -> seconds in which a question is to reach 95 of 100 of them."""
ROUNDS = 4
_SERVER = """
import asyncio, sys
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application
from navalkit.serve.phones import handlers
from navalkit.serve.server import many_files
async def main():
    many_files()
    sockets = bind_sockets(0, "127.0.0.1", backlog=1024)
    print(port := sockets[0].getsockname()[1], flush=True)
    HTTPServer(Application(handlers("/", port))).add_sockets(sockets)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
asyncio.run(main())
"""


def bench_rooms() -> list[dict[str, Any]]:
    """A row for the push and one for the answers, for each size of class."""
    return [row for phones in AIMS for row in _class(phones)]


def _class(phones: int) -> list[dict[str, Any]]:
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
            pushed, answered, lost = asyncio.run(_lesson(port, ClassRoom("Bench", rooms), phones))
            used = psutil.Process(server.pid)
            memory, busy = used.memory_info().rss >> 20, sum(used.cpu_times()[:2])
        finally:
            server.stdin.close()
            server.wait(10)
            rooms.close()
    note = f"{memory} MB, {busy:.1f} s of CPU in {ROUNDS} questions; {lost} of {len(answered)} answers lost"
    return [
        _row(f"a question reaches {phones} phones", pushed, AIMS[phones], note),
        _row(f"an answer of {phones} at once is stored", answered, 1.0, ""),
    ]


def _row(name: str, times: list[float], aim: float, note: str) -> dict[str, Any]:
    p95 = sorted(times)[int(0.95 * (len(times) - 1))]
    return {
        "name": name, "ours_seconds": p95, "baseline": "the aim", "baseline_seconds": aim, "ratio": aim / p95,
        "note": f"95th percentile{'; ' * bool(note)}{note}",
    }  # fmt: skip


async def _lesson(port: int, room: ClassRoom, phones: int) -> tuple[list[float], list[float], int]:
    keys: list[str] = []
    for start in range(0, phones, 20):  # they come in as a class does, not in one instant
        some = (_ask(port, "POST", f"/{room.code}/seat", {}) for _ in range(start, min(start + 20, phones)))
        seats = await asyncio.gather(*some)
        keys += [seat.get("key", "") for seat in seats]
        await asyncio.sleep(0.5 if phones > 400 else 0.1)
    assert all(keys), "a phone was not let in"
    state = hunts.position("mode-3").row[0]
    question = class_questions.where(state.state, state.who)
    asked: list[float] = [0.0]
    pushed: list[float] = []
    answered: list[float] = []
    waiting = asyncio.Event()
    listening = [0]

    async def phone(number: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET /room/{room.code}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        board, round = "", 0
        while True:
            line = await reader.readline()
            if not line.startswith(b"data: "):
                continue
            now, state = time.perf_counter(), json.loads(line[6:])
            if state["phase"] == "wait":
                listening[0] += 1
                waiting.set()
            elif state["phase"] == "over":
                writer.close()
                return
            elif state["phase"] == "open" and state["round"] != round:
                round = state["round"]
                pushed.append(now - asked[0])
                if state["ask"]["board"] != board:
                    board = state["ask"]["board"]
                    await asyncio.sleep(state["seats"] * 0.0003 * (number % 97) / 97)
                    await _ask(port, "GET", f"/{room.code}/board/{board}")
                await asyncio.sleep(0.5 + 2.0 * (number % 89) / 89)  # people think, each for another while
                choice = question.choices[number % len(question.choices)].id
                begun = time.perf_counter()
                sent = {"round": round, "choice": choice}
                told = await _ask(port, "POST", f"/{room.code}/answer", sent, keys[number])
                if told.get("choice") == choice:
                    answered.append(time.perf_counter() - begun)

    people = [asyncio.ensure_future(phone(number)) for number in range(phones)]
    while listening[0] < phones:
        waiting.clear()
        await waiting.wait()
    await asyncio.sleep(1)
    for round in range(1, ROUNDS + 1):
        asked[0] = time.perf_counter()
        room.ask(question)
        while len(answered) < round * phones and time.perf_counter() - asked[0] < 20:
            await asyncio.sleep(0.05)
        room.reveal(Result((question.choices[0].id,), "There."))
        await asyncio.sleep(0.5)
    stored = sum(len(asked.answers) for asked in room.report())
    room.end()
    await asyncio.wait_for(asyncio.gather(*people), 20)
    return pushed, answered, len(answered) - stored


async def _ask(port: int, method: str, path: str, sent: Any = None, key: str = "") -> dict[str, Any]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    body = b"" if sent is None else json.dumps(sent).encode()
    head = (
        f"{method} /room{path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
        f"X-Navalkit-Seat: {key}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    writer.write(head.encode() + body)
    answer = await reader.read()
    writer.close()
    told: dict[str, Any] = json.loads(answer.partition(b"\r\n\r\n")[2])
    return told

