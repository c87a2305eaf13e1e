"""How many kernels there is room for; the server itself is tried in test_server."""

from __future__ import annotations
import asyncio
import os
from pathlib import Path
from types import CodeType, SimpleNamespace

import pytest
from jinja2 import DictLoader, Environment
from tornado.web import HTTPError

from navalkit.core.match import Match
from navalkit.rooms.door import KERNEL_ID
from navalkit.rooms.store import Rooms
from navalkit.rooms.table import Table
from navalkit.serve import server
from navalkit.serve.phones import Phones
from navalkit.serve.server import KERNEL, RESERVE, Compiled, Kernels


def test_there_is_room_while_memory_is_left_and_young_kernels_count_before_they_have_taken_theirs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "available", lambda: RESERVE + 3 * KERNEL)
    manager, now = Kernels(), 1000.0
    monkeypatch.setattr(server.time, "monotonic", lambda: now)
    assert manager.room(3) and not manager.room(4)
    manager._started = [now - 1, now - 2]
    assert manager.room() and not manager.room(2)
    now += server.YOUNG
    assert manager.room(3)  # they are grown: what they took is missing from the memory


def test_without_room_a_page_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "available", lambda: RESERVE)
    with pytest.raises(HTTPError) as raised:
        asyncio.run(Kernels().start_kernel())
    assert raised.value.status_code == 503


def test_available_memory_is_a_number_of_bytes() -> None:
    assert 0 < server.available() < 1 << 50


def test_a_template_is_compiled_once_for_all_pages_and_anew_when_its_text_is_another() -> None:
    texts, kept, compiled = {"page": "{{ 1 + 1 }}"}, Compiled(), []

    class Counting(Environment):
        def _compile(self, source: str, filename: str) -> CodeType:
            compiled.append(filename)
            return super()._compile(source, filename)

    def page() -> str:
        return Counting(loader=DictLoader(texts), bytecode_cache=kept).get_template("page").render()

    assert [page() for _ in range(3)] == ["2"] * 3 and len(compiled) == 1
    texts["page"] = "{{ 2 + 2 }}"
    assert [page() for _ in range(3)] == ["4"] * 3 and len(compiled) == 2


def test_whose_kernel_ends_has_left_their_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[dict[str, str]] = []

    async def start(self: Kernels, *, kernel_id: str, env: dict[str, str], **kwargs: object) -> str:
        started.append(env)
        self._kernels[kernel_id] = SimpleNamespace()
        return kernel_id

    monkeypatch.setattr(Kernels.__mro__[1], "start_kernel", start)
    monkeypatch.setattr(server, "available", lambda: 1 << 40)
    manager, shared = Kernels(), Phones()
    manager.ended = shared.ended
    kernel = asyncio.run(manager.start_kernel())
    assert started[0][KERNEL_ID] == kernel and started[0].keys() >= os.environ.keys()
    manager.remove_kernel(kernel)  # no phone has come: nobody is to be told, and no file is made
    shared.rooms = Rooms(tmp_path / "rooms.sqlite3")
    table = Table.lay(shared.rooms, Match.new("wolf-pack", 7, ("host", "guest")), 0)
    kernel = asyncio.run(manager.start_kernel())
    shared.rooms.plays(kernel, table.code, table.seat)
    assert shared.rooms.left(table.code, 0) is None
    manager.remove_kernel(kernel)
    assert shared.rooms.left(table.code, 0) is not None
    shared.rooms.close()
