"""Many pages, opened and closed by a client that behaves as a browser does: memory and open files stay as they are."""

from __future__ import annotations
import asyncio
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import nbformat
import psutil
import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from ..servers import Server, serve

PAGES = int(os.environ.get("NAVALKIT_SOAK", "200"))
"""Some ten minutes; with NAVALKIT_SOAK=2000 an hour and a half."""
FIRST = 20
"""Pages until a server has all that it needs, and goes on using it."""
MORE_FILES, MORE_MEMORY = 12, 60 << 20
"""Open files and bytes that a server may have more at the end than after the first pages: it answers meanwhile."""
V1 = "v1.kernel.websocket.jupyter.org"
KERNEL = re.compile(rb'"kernelId": "([0-9a-f-]{36})"')


class Page(NamedTuple):
    """A page that is open: its kernel, and the line to it."""

    kernel: str
    line: WebSocketClientConnection


def frame(channel: str, *parts: object, buffers: tuple[bytes, ...] = ()) -> bytes:
    """A message as the front end frames it."""
    pieces = [channel.encode(), *(json.dumps(part).encode() for part in parts), *buffers]
    offsets = [8 * (len(pieces) + 2)]
    for piece in pieces:
        offsets.append(offsets[-1] + len(piece))
    return b"".join(number.to_bytes(8, "little") for number in (len(offsets), *offsets)) + b"".join(pieces)


def asked(session: str) -> bytes:
    """The front end's first question to its kernel."""
    header = {"msg_id": uuid4().hex, "msg_type": "kernel_info_request", "session": session, "username": "",
              "version": "5.2", "date": "2026-11-24T00:00:00Z"}
    return frame("shell", header, {}, {}, {})


async def opened(server: Server, notebook: str) -> Page:
    """Open a page, and its line, and wait until the kernel has answered."""
    request = HTTPRequest(server.page(notebook), headers={"Accept": "text/html"}, request_timeout=120)
    for _ in range(4):  # a page whose Python failed, as on a machine that is overloaded, is loaded again
        body = (await AsyncHTTPClient().fetch(request)).body
        if b"data-nk-failed" not in body:
            break
    kernel = KERNEL.findall(body)[-1].decode()
    session = uuid4().hex
    url = f"{server.url.replace('http', 'ws')}/api/kernels/{kernel}/channels?session_id={session}"
    line = await websocket_connect(url, subprotocols=[V1], connect_timeout=60)
    await line.write_message(asked(session), binary=True)
    while (told := await asyncio.wait_for(line.read_message(), 60)) is not None:
        if b"kernel_info_reply" in told:
            return Page(kernel, line)
    raise AssertionError("the line was closed")


async def closed(server: Server, page: Page) -> None:
    """Leave a page: a beacon tells the server, and while that ends the kernel the line is closed."""
    headers = {"Cookie": "_xsrf=0123", "Content-Type": "application/x-www-form-urlencoded"}
    url = f"{server.url}/voila/api/shutdown/{page.kernel}"
    told = AsyncHTTPClient().fetch(HTTPRequest(url, "POST", headers, "_xsrf=0123", request_timeout=60))
    asyncio.get_running_loop().call_later(0.02, page.line.close)
    assert (await told).code == 204


def used(server: Server) -> tuple[int, int]:
    """Open files, sockets and event counters included, and bytes of memory of the server."""
    process = psutil.Process(server.process.pid)
    return process.num_fds(), process.memory_info().rss


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Server]:
    """A server of one small page."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    (tmp_path / "pages").mkdir()
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1")], metadata={"kernelspec": kernel})
    nbformat.write(book, tmp_path / "pages" / "small.ipynb")
    with serve(tmp_path / "pages", tmp_path) as server:
        yield server


async def soak(server: Server, pages: int) -> None:
    """One page after the other."""
    for _ in range(pages):
        await closed(server, await opened(server, "small.ipynb"))


@pytest.mark.slow
def test_a_page_that_is_closed_leaves_no_socket_behind(small: Server) -> None:
    asyncio.run(soak(small, 3))
    before, _ = used(small)
    asyncio.run(soak(small, 8))
    assert used(small)[0] <= before + 3


@pytest.mark.slow
def test_after_many_pages_the_server_has_no_more_files_open_and_no_more_memory(small: Server) -> None:
    asyncio.run(soak(small, FIRST))
    files, memory = used(small)
    for _ in range(10):
        asyncio.run(soak(small, PAGES // 10))
        print(f"files {used(small)[0] - files:+}, MB {(used(small)[1] - memory) / (1 << 20):+.1f}")
    assert used(small)[0] - files <= MORE_FILES and used(small)[1] - memory <= MORE_MEMORY
