"""The server of the phones is killed while a class answers: what it has acknowledged is in the file."""

from __future__ import annotations
import asyncio
from pathlib import Path

import pytest

from navalkit.rooms.classroom import ClassRoom
from navalkit.rooms.store import Rooms
from navalkit.view.page import Choice, Question
from ..crowd import Crowd
from .alone import alone

PHONES, SECONDS = 120, 60.0
HIT = Question("hit", "Hit or miss?", (Choice("hit", "A hit"), Choice("miss", "A miss"), Choice("none", "Neither")))


@pytest.mark.parametrize("think", [(0.0, 0.0), (0.0, 1.0)], ids=["at-once", "within-a-second"])
def test_no_answer_is_lost_when_the_server_is_killed_in_the_middle_of_them(
        tmp_path: Path, think: tuple[float, float]) -> None:
    """`kill -9`, twice, with some answers acknowledged and others on their way: in the end all are in the file, each
    the one that its phone was told stands."""
    rooms = Rooms(tmp_path / "rooms.sqlite3")
    room = ClassRoom("Class", rooms)
    crowd = Crowd(0, room.code, PHONES, think)

    async def until(answers: float) -> None:
        async with asyncio.timeout(SECONDS):
            while len(crowd.acknowledged) < answers:
                await asyncio.sleep(0.001)

    async def listening() -> None:
        """All hear what is said: one whose line is not back when the class ends has no seat that could hear of it."""
        async with asyncio.timeout(SECONDS):
            while len(crowd.listening) < PHONES:
                await asyncio.sleep(0.01)

    async def lesson() -> list[int]:
        killed = []
        with alone(tmp_path) as server:
            crowd.port = server.port
            await crowd.come(0.0)
            people = asyncio.ensure_future(crowd.stay())
            await listening()
            room.ask(HIT)
            await until(1)
            server.process.kill()
        killed.append(len(crowd.acknowledged))
        with alone(tmp_path, server.port) as server:
            await until(killed[0] + 1)
            server.process.kill()
        killed.append(len(crowd.acknowledged))
        with alone(tmp_path, server.port):
            await until(PHONES)
            assert crowd.missing(rooms) == [] and len(room.answers()) == PHONES
            await listening()
            room.end()
            await asyncio.wait_for(people, SECONDS)
        return killed

    assert all(0 < each < PHONES for each in asyncio.run(lesson())), "it was not killed in their middle"
    rooms.close()
