"""Starts the pages: a Voila server on the notebooks folder, and the browser once it answers."""

from __future__ import annotations

import http.client
import os
import signal
import site
import socket
import subprocess
import sys
import time
import webbrowser
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import FrameType

from navalkit.core.errors import DataError, OptionError
from navalkit.core.registry import game_class

PORT = 8866
_PORTS_TRIED = 50
_PATIENCE = 120.0  # seconds until a server that does not answer counts as one that will not


def serve(game: str | None = None, port: int = PORT, host: str = "127.0.0.1", browser: bool = True) -> int:
    """Serve the pages until Ctrl-C, or until the server ends by itself.

    Parameters
    ----------
    game : str, optional
        Whose page is opened; left out, the lobby.
    port : int
        The first port tried; one in use is passed over, and that is said.
    host : str
        The address listened on.
    browser : bool
        Whether the page is opened in a browser.

    Returns
    -------
    int
        0 after Ctrl-C, else the server's exit code.

    Raises
    ------
    OptionError
        For an unknown game, a game without a page, or if no port is free.
    DataError
        If the pages or Voila are not installed.
    """
    base = pages()
    page = page_of(game, base)
    if find_spec("voila") is None:
        raise DataError('the pages need Voila, which is not installed; install "navalkit[app]".')
    taken = free_port(host, port)
    if taken != port:
        print(f"Port {port} is in use; taking {taken}.", file=sys.stderr)
    server = subprocess.Popen(
        command(taken, host),
        cwd=base,  # where Voila looks for voila.json
        env=environment(base),
        start_new_session=os.name == "posix",  # so that Ctrl-C reaches us alone, and we stop it in good order
    )
    previous = signal.signal(signal.SIGTERM, _as_interrupt)
    try:
        if not _answers(server, host, taken):
            return server.poll() or 1
        name = "localhost" if host in ("127.0.0.1", "0.0.0.0", "") else host
        address = f"http://{name}:{taken}/voila/render/{page}"
        print(f"navalkit is at {address} (Ctrl-C stops it)", flush=True)
        if browser:
            webbrowser.open(address)
        return server.wait()
    except KeyboardInterrupt:
        return 0
    finally:
        _stop(server)
        signal.signal(signal.SIGTERM, previous)


def pages() -> Path:
    """The folder with ``notebooks`` and ``voila.json``: the checkout's, or the one the wheel was installed
    with."""
    checkout = Path(__file__).resolve().parents[1]
    shares = [Path(sys.prefix) / "share", Path(site.getuserbase()) / "share"]
    for base in (checkout, *(share / "navalkit" for share in shares)):
        if (base / "voila.json").is_file() and (base / "notebooks").is_dir():
            return base
    raise DataError(
        "the pages are not installed beside navalkit; install it from a checkout or from its wheel."
    )


def page_of(game: str | None, base: Path) -> str:
    """The notebook of a game, or the lobby; OptionError if there is none."""
    if game is None:
        return "lobby.ipynb"
    notebook = f"play_{game_class(game).name.replace('-', '_')}.ipynb"
    if not (base / "notebooks" / notebook).is_file():
        raise OptionError(
            f"{game} has no page {notebook} in {base / 'notebooks'}; leave the game out for the lobby."
        )
    return notebook


def command(port: int, host: str) -> list[str]:
    """What starts Voila."""
    quiet = "--Voila.log_level=ERROR"
    return [
        sys.executable,
        "-m",
        "voila",
        "notebooks",
        "--no-browser",
        f"--port={port}",
        f"--Voila.ip={host}",
        quiet,
    ]


def environment(base: Path) -> dict[str, str]:
    """The server's environment: in a checkout Voila finds the template where it is edited."""
    env = dict(os.environ)
    templates = base / "voila_templates"
    if templates.is_dir():
        env["JUPYTER_PATH"] = os.pathsep.join(filter(None, (str(templates), env.get("JUPYTER_PATH"))))
    return env


def free_port(host: str, first: int) -> int:
    """The first free port from ``first`` on; OptionError if there is none near."""
    if not 1 <= first <= 65535:
        raise OptionError(f"a port is a whole number from 1 to 65535, not {first}.")
    for port in range(first, min(first + _PORTS_TRIED, 65536)):
        with socket.socket() as trial:
            if os.name == "posix":  # a port just given up is free; elsewhere the flag means something else
                trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trial.bind((host, port))
            except OSError as error:
                if isinstance(error, socket.gaierror) or error.errno in _NO_ADDRESS:
                    raise OptionError(f"{host!r} is no address of this machine; try 127.0.0.1.") from None
                continue
            return port
    raise OptionError(f"none of the {_PORTS_TRIED} ports from {first} on is free; name another with --port.")


_NO_ADDRESS = {99, 49, 10049}  # EADDRNOTAVAIL on Linux, macOS and Windows


def _answers(server: subprocess.Popen[bytes], host: str, port: int) -> bool:
    """Wait until the server answers; False if it ends or stays silent instead."""
    deadline = time.monotonic() + _PATIENCE
    while server.poll() is None and time.monotonic() < deadline:
        connection = http.client.HTTPConnection(
            "127.0.0.1" if host in ("", "0.0.0.0") else host, port, timeout=2
        )
        try:
            connection.request("GET", "/")  # any answer will do
            connection.getresponse()
            return True
        except (OSError, http.client.HTTPException):
            time.sleep(0.1)
        finally:
            connection.close()
    print("navalkit: the server did not start; what it said stands above.", file=sys.stderr)
    return False


def _as_interrupt(signum: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _stop(server: subprocess.Popen[bytes]) -> None:
    """End the server as Ctrl-C would, so that it ends its kernels; less gently if it does not listen."""
    ways: tuple[Callable[[], None], ...] = (
        partial(server.send_signal, signal.SIGINT),
        server.terminate,
        server.kill,
    )
    for stop in ways:
        if server.poll() is not None:
            return
        try:
            stop()
            server.wait(timeout=10)
        except subprocess.TimeoutExpired:
            continue
        except KeyboardInterrupt:
            continue  # Ctrl-C once more: go on to the next, sharper way
        except ValueError:
            continue  # this system has no such signal
