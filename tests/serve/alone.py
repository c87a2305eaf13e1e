"""The phones' handlers in a process of their own, without Voila and a kernel: to be measured, and to be killed."""

from __future__ import annotations
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

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
    sockets = bind_sockets(int(sys.argv[1]), "127.0.0.1", backlog=1024)
    print(port := sockets[0].getsockname()[1], flush=True)
    phones = Phones()
    phones.rush = Rush(free=10_000)  # all of them come from one address, and in half a minute
    HTTPServer(Application(handlers("/", port, phones))).add_sockets(sockets)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
asyncio.run(main())
"""


class Alone(NamedTuple):
    """Such a process, and the port that it listens on."""

    process: subprocess.Popen[str]
    port: int


@contextmanager
def alone(folder: Path, port: int = 0) -> Iterator[Alone]:
    """It serves the rooms of a folder, on a free port or the one given, until it is let go or killed."""
    order = [sys.executable, "-c", _SERVER, str(port)]
    environment = os.environ | {"NAVALKIT_ROOMS": str(folder)}
    server = subprocess.Popen(order, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None and server.stdin is not None
    try:
        yield Alone(server, int(server.stdout.readline()))
    finally:
        server.stdin.close()
        server.stdout.close()
        server.wait(10)
