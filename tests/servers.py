"""The pages' server, started for a test and ended with it."""

from __future__ import annotations
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import psutil
import pytest

ROOT = Path(__file__).parents[1]
_STACKS = """__import__("faulthandler").register(__import__("signal").SIGUSR1, open(
    __import__("os").path.expandvars("$IPYTHONDIR/stack-") + str(__import__("os").getpid()), "w"))
"""
"""What each kernel runs first: asked by a signal, it writes down where all of its threads are."""


@dataclass(frozen=True)
class Server:
    """A running Voila: its address, its process and the folder its games are saved in."""

    url: str
    process: subprocess.Popen[bytes]
    home: Path

    def page(self, notebook: str) -> str:
        """Address of a notebook's page."""
        return f"{self.url}/voila/render/{notebook}"

    def kernels(self) -> int:
        """How many kernels it runs: Voila offers no list, so count its child processes."""
        return len(children(self.process.pid))

    def stacks(self) -> dict[int, str]:
        """Where the threads of each kernel are now, by its process."""
        found = {}
        for pid in children(self.process.pid):
            path = self.home / "ipython" / f"stack-{pid}"
            if path.exists():  # else the signal would end it
                os.kill(pid, signal.SIGUSR1)
                end = time.monotonic() + 5
                while not path.stat().st_size and time.monotonic() < end:
                    time.sleep(0.05)
                found[pid] = path.read_text()
        return found


def children(pid: int) -> list[int]:
    """The living ipykernel processes that a process started."""
    try:
        found = psutil.Process(pid).children()
        return [
            each.pid
            for each in found
            if each.is_running()
            and each.status() != psutil.STATUS_ZOMBIE
            and any("ipykernel" in word for word in each.cmdline())
        ]
    except psutil.NoSuchProcess:  # one ended while we looked: look again, or there is nothing left to look at
        return children(pid) if psutil.pid_exists(pid) else []


@contextmanager
def serve(notebooks: Path, home: Path, *settings: str, warm: bool = False, port: int = 0) -> Iterator[Server]:
    """The server on a free port or the one given, with the template and settings; games are saved under `home`.

    Without a warm kernel, unless asked for, so that the kernels of pages can be counted.
    """
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", port))
        port = probe.getsockname()[1]
    environment = os.environ | {
        "JUPYTER_PATH": str(ROOT / "voila_templates"),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "NAVALKIT_HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "IPYTHONDIR": str(home / "ipython"),
    }
    command = [
        sys.executable,
        "-m",
        "navalkit.serve.server",
        str(notebooks),
        f"--port={port}",
        "--Voila.ip=127.0.0.1",
        f"--Kernels.keep_warm={warm}",
        *settings,
    ]
    first = home / "ipython" / "profile_default" / "startup"
    first.mkdir(parents=True, exist_ok=True)
    (first / "stacks.py").write_text(_STACKS)
    with (home / "voila.log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True
        )
    server = Server(f"http://127.0.0.1:{port}", process, home)
    try:
        wait_for(lambda: answers(server.url), 180, f"Voila did not start; see {home / 'voila.log'}")
        yield server
    finally:
        process.stdin.close()  # as its launcher does
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()


def answers(url: str) -> bool:
    """Whether a server answers at this address."""
    try:
        with urlopen(url, timeout=60) as answer:
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False


def wait_for(condition: Callable[[], bool], seconds: float, sentence: str | Callable[[], str]) -> None:
    """Wait until the condition holds; fail with the sentence, or with what is said then, if it does not in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            pytest.fail(sentence if isinstance(sentence, str) else sentence())
        time.sleep(0.1)
