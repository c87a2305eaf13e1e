"""The server of the pages: how soon it ends with twenty kernels, and how soon a warm kernel opens a page."""

from __future__ import annotations
import http.client
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import psutil

from tests.bench.measure import row
from tests.servers import ROOT, Server, children, serve, wait_for

KERNELS = 20
END = 3.0
"""Seconds in which the server is to end with them."""
PAGE = "/voila/render/play_uss_lox.ipynb"
TRIES = 5


def bench_end() -> dict[str, Any]:
    """From the signal until neither the server nor a kernel is left."""
    with _server() as server:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _: _open(server), range(KERNELS)))
        family = [server.process.pid, *children(server.process.pid)]
        begun = time.perf_counter()
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(60)
        wait_for(lambda: not any(map(psutil.pid_exists, family)), 60, "a kernel is left")
        took = time.perf_counter() - begun
    return row(f"the server ends with {len(family) - 1} kernels", took, "the aim", END, "")


def bench_warm() -> dict[str, Any]:
    """From the request until the page has come whole, its cells run; medians."""
    with _server() as server:
        cold = median(_open(server) for _ in range(TRIES))
    with _server(warm=True) as server:
        found = []
        for pages in range(TRIES):
            wait_for(lambda pages=pages: server.kernels() > pages, 60, "no kernel is warmed")  # type: ignore[misc]
            _rest(max(children(server.process.pid)))  # its modules are imported
            found.append(_open(server))
    return row("a page opens by a warm kernel", median(found), "by a cold one", cold, "a game's page, all cells run")


@contextmanager
def _server(*, warm: bool = False) -> Iterator[Server]:
    with TemporaryDirectory() as home, serve(ROOT / "notebooks", Path(home), warm=warm) as server:
        yield server


def _open(server: Server) -> float:
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=120)
    begun = time.perf_counter()
    connection.request("GET", PAGE, headers={"Accept": "text/html"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    assert answer.status == 200
    return time.perf_counter() - begun


def _rest(process: int) -> None:
    """Wait until a process has done nothing for a second."""
    before = -1.0
    while (now := sum(psutil.Process(process).cpu_times()[:2])) - before > 0.02:
        before = now
        time.sleep(1)
