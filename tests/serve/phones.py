"""The phones' handlers in a server of their own, on a free port, for tests: no Voila, no kernel."""

from __future__ import annotations
import asyncio
import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application

from navalkit.rooms.store import Rooms
from navalkit.serve.phones import KEY, Phones, handlers


class Answer(NamedTuple):
    """What came back: status, headers (names in lower case), and the body."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Line:
    """A phone's line to the server, kept open from request to request."""

    def __init__(self, port: int, base: str = "/") -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._base = base
        self.key = ""

    def ask(
        self, path: str, body: Any = None, method: str = "", headers: dict[str, str] | None = None
    ) -> Answer:
        """Send something: an object as JSON, bytes as they are."""
        sent = {KEY: self.key} if self.key else {}
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        if data is not None:
            sent["Content-Type"] = "application/json"
        try:
            order = method or ("GET" if body is None else "POST"), f"{self._base}room{path}"
            self._connection.request(*order, data, sent | (headers or {}))
            answer = self._connection.getresponse()
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        except (OSError, http.client.HTTPException):
            self._connection.close()
            raise

    def sit(self, code: str, **sent: Any) -> Answer:
        """Take a seat."""
        answer = self.ask(f"/{code}/seat", sent)
        if answer.status == 200:
            self.key = answer.json()["key"]
        return answer

    def close(self) -> None:
        self._connection.close()


@contextmanager
def phones(folder: Path, base: str = "/") -> Iterator[tuple[int, Phones]]:
    """The handlers, serving from a thread."""
    shared = Phones()
    shared.rooms = Rooms(folder / "rooms.sqlite3")
    sockets = bind_sockets(0, "127.0.0.1")
    port = sockets[0].getsockname()[1]
    started, stop = threading.Event(), asyncio.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    async def serve() -> None:
        server = HTTPServer(Application(handlers(base, port, shared)), max_body_size=64 * 1024)
        server.add_sockets(sockets)
        loops.append(asyncio.get_running_loop())
        started.set()
        await stop.wait()
        server.stop()
        await shared.guests.close()
        await server.close_all_connections()
        shared.rooms.close()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    started.wait(10)
    try:
        yield port, shared
    finally:
        loops[0].call_soon_threadsafe(stop.set)
        thread.join(300)  # a busy machine takes its time to end the processes behind it
