"""Many pages, opened and closed by a client that behaves as a browser does: memory and open files stay as they are."""

from __future__ import annotations
import asyncio
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import nbformat
import psutil
import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from ..servers import Server, serve, wait_for

PAGES = int(os.environ.get("NAVALKIT_SOAK", "2000"))
"""Most have a kernel that starts fast (`light_kernel`): looked at is the server, which hears the same of both."""
REAL = 10
"""Of this number of pages one has IPython's kernel."""
FIRST = 40
"""Pages until a server has all that it needs, and goes on using it."""
AT_ONCE = 4
"""Pages that are open together: one is read while another is being closed, as in a class."""
MORE_FILES, MORE_THREADS, MORE_MEMORY = 12, 4, 60 << 20
"""Open files, threads and bytes that a server may have more at the end than after the first pages."""
PATIENCE = 600.0
"""Seconds in which a client hears nothing until it gives up: a busy machine is no fault of the server's, and a server
that is dead is found out at once."""
PATIENT: dict[str, Any] = {"request_timeout": PATIENCE, "connect_timeout": PATIENCE}
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
    request = HTTPRequest(server.page(notebook), headers={"Accept": "text/html"}, **PATIENT)
    while (body := (await AsyncHTTPClient().fetch(request)).body) and b"data-nk-failed" in body:
        assert server.process.poll() is None  # a page whose Python failed, on a machine that is overloaded, loads anew
    kernel = KERNEL.findall(body)[-1].decode()
    session = uuid4().hex
    url = f"{server.url.replace('http', 'ws')}/api/kernels/{kernel}/channels?session_id={session}"
    line = await websocket_connect(url, subprotocols=[V1], connect_timeout=PATIENCE)
    await line.write_message(asked(session), binary=True)
    while (told := await line.read_message()) is not None:
        if b"kernel_info_reply" in told:
            return Page(kernel, line)
    raise AssertionError("the line was closed")


async def closed(server: Server, page: Page) -> None:
    """Leave a page: a beacon tells the server, and while that ends the kernel the line is closed."""
    headers = {"Cookie": "_xsrf=0123", "Content-Type": "application/x-www-form-urlencoded"}
    url = f"{server.url}/voila/api/shutdown/{page.kernel}"
    told = AsyncHTTPClient().fetch(HTTPRequest(url, "POST", headers, "_xsrf=0123", **PATIENT))
    asyncio.get_running_loop().call_later(0.02, page.line.close)
    assert (await told).code == 204


class Used(NamedTuple):
    """What a server holds: open files, with sockets and event counters; kernels; threads; bytes of memory."""

    files: int
    kernels: int
    threads: int
    memory: int


def used(server: Server) -> Used:
    """That, once the kernels of all pages that were closed have ended."""
    process = psutil.Process(server.process.pid)
    wait_for(lambda: not process.children(), PATIENCE, "a kernel is left, or was not waited for")
    return Used(process.num_fds(), len(process.children()), process.num_threads(), process.memory_info().rss)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Server]:
    """A server of a small page, with IPython's kernel and with the light one."""
    order = [sys.executable, str(Path(__file__).with_name("light_kernel.py")), "{connection_file}"]
    about = {"argv": order, "display_name": "Light", "language": "python"}
    (folder := tmp_path / "data" / "jupyter" / "kernels" / "light").mkdir(parents=True)
    (folder / "kernel.json").write_text(json.dumps(about), "utf-8")
    (tmp_path / "pages").mkdir()
    for page, kernel in (("small", "python3"), ("light", "light")):
        spec = {"name": kernel, "display_name": kernel, "language": "python"}
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1")], metadata={"kernelspec": spec})
        nbformat.write(book, tmp_path / "pages" / f"{page}.ipynb")
    with serve(tmp_path / "pages", tmp_path) as server:
        yield server


async def soak(server: Server, pages: int, at_once: int = AT_ONCE) -> None:
    """Readers, each of whom opens one page after the other; all wait as long as something happens."""
    left = iter(range(pages))
    done = 0

    async def reader() -> None:
        nonlocal done
        for n in left:
            await closed(server, await opened(server, "light.ipynb" if n % REAL else "small.ipynb"))
            done += 1

    readers = {asyncio.ensure_future(reader()) for _ in range(at_once)}
    while readers:
        before = done
        ended, readers = await asyncio.wait(readers, timeout=PATIENCE, return_when=asyncio.FIRST_EXCEPTION)
        for each in ended:
            each.result()
        assert server.process.poll() is None and (done > before or not readers), "nothing is answered any more"


@pytest.mark.slow
def test_a_page_that_is_closed_leaves_no_socket_behind(small: Server) -> None:
    asyncio.run(soak(small, 3, 1))
    before = used(small).files
    asyncio.run(soak(small, 8, 1))
    assert used(small).files <= before + 3


@pytest.mark.slow
def test_after_many_pages_the_server_has_no_more_files_open_and_no_more_memory(small: Server) -> None:
    asyncio.run(soak(small, FIRST))
    first = used(small)
    series = [first]
    for n in range(1, 11):
        asyncio.run(soak(small, PAGES // 10))
        series.append(used(small))
        print(f"{n * (PAGES // 10)} pages: files {series[-1].files}, kernels {series[-1].kernels},"
              f" threads {series[-1].threads}, MB {series[-1].memory / (1 << 20):.1f}", flush=True)
    last = series[-1]
    assert last.files - first.files <= MORE_FILES and last.threads - first.threads <= MORE_THREADS
    assert last.memory - first.memory <= MORE_MEMORY
