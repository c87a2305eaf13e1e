"""Starts the pages: a server on the notebooks folder (`server`), and the browser once it answers.

The server reads its standard input and ends when that closes: so it ends with this process, however that ends.
"""

from __future__ import annotations
import http.client
import json
import os
import secrets
import signal
import site
import socket
import subprocess
import sys
import time
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from types import FrameType

from navalkit.core.errors import DataError, OptionError
from navalkit.core.registry import package
from navalkit.core.words import Words
from navalkit.rooms.door import ALL, folder, is_loopback as is_loopback, lan_address

SAY = Words.load("navalkit.serve")

PORT = 8866
_PORTS_TRIED = 50
_PATIENCE = 120.0  # seconds until a server that does not answer counts as one that will not
_TAKEN_UP = 12 * 3600.0  # seconds after its start in which the token of a server that died is taken up again
_GIVING_UP = 5.0  # seconds that a server whose launcher was killed may take to give up its port


def serve(game: str | None = None, port: int = PORT, host: str = "127.0.0.1", browser: bool = True, kernels: int = 0,
          names: Sequence[str] = (), page: str = "lobby.ipynb") -> int:
    """Serve the pages until Ctrl-C, or until the server ends by itself.

    * ``game``: whose page is opened; left out, the lobby.
    * ``port``: the first port tried; one in use is passed over, and that is said.
    * ``host``: the address listened on. Any but this machine's own ("127.0.0.1") lets others in: the pages then ask
      for a token, which the printed address holds.
    * ``browser``: whether the page is opened in a browser.
    * ``kernels``: pages open at once, at most; 0 leaves it to the memory.
    * ``names``: host names the server answers to, besides addresses and this machine's own name.
    * ``page``: the page opened where no game is named, with its query.
    * Returns 0 after Ctrl-C, else the server's exit code.
    * OptionError for an unknown game, or if no port is free; DataError if the pages or Voila are not installed.
    """
    base = pages()
    page = package(game).page(base / "notebooks") if game else page
    if find_spec("voila") is None:
        raise DataError(SAY("no-voila"))
    others = not is_loopback(host)
    before = _take_up(port) if others else ""
    if before:
        _await_port(host, port)
    taken = free_port(host, port)
    if taken != port:
        print(SAY("port-taken", port=str(port), taken=str(taken)), file=sys.stderr)
    token = ((before if taken == port else "") or secrets.token_urlsafe(18)) if others else ""
    if token:
        _note(taken, token)
    server = subprocess.Popen(
        command(taken, host, kernels, names),
        cwd=base,  # where Voila looks for voila.json
        env=environment(base, token),
        stdin=subprocess.PIPE,  # see above
        start_new_session=os.name == "posix",  # so that Ctrl-C reaches us alone, and we stop it in good order
    )
    previous = signal.signal(signal.SIGTERM, _as_interrupt)
    died = False
    try:
        if not _answers(server, host, taken):
            return server.poll() or 1
        name = "localhost" if is_loopback(host) else names[0] if names else lan_address() if host in ALL else host
        address = f"http://{f'[{name}]' if ':' in name else name}:{taken}/voila/render/{page}"
        address += f"{'&' if '?' in address else '?'}token={token}" if token else ""
        print(SAY("ready", address=address), flush=True)
        if token:
            print(SAY("others"), file=sys.stderr)
        if browser:
            webbrowser.open(address)
        ended = server.wait()
        died = ended != 0
        return ended
    except KeyboardInterrupt:
        return 0
    finally:
        _stop(server)
        signal.signal(signal.SIGTERM, previous)
        if token and not died:
            with suppress(OSError):
                _noted(taken).unlink(missing_ok=True)


# -- The token of a server that died: kept in a file of this user's alone, so that the pages of before are let in again

def _noted(port: int) -> Path:
    return folder() / f"server-{port}.json"


def _process(pid: int) -> float:
    """When a process of this machine was started; 0.0 if there is none: its number alone may be another's by now."""
    import psutil  # here, as a command that starts no server need not wait for it

    try:
        return float(psutil.Process(pid).create_time())
    except psutil.Error:
        return 0.0


def _note(port: int, token: str) -> None:
    """Keep the token while the server runs. Where that cannot be done, the next start has another."""
    with suppress(OSError):
        path = _noted(port)
        path.unlink(missing_ok=True)  # of this server or of one before
        noted = json.dumps({"token": token, "pid": os.getpid(), "began": _process(os.getpid()), "at": time.time()})
        with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(noted)


def _take_up(port: int) -> str:
    """The token of the server that was on this port, if it died: one that was ended has left none, one that runs keeps
    its own, and what others could read or write, or is old, counts for nothing."""
    try:
        with _noted(port).open() as file:
            told = os.fstat(file.fileno())
            if os.name == "posix" and (told.st_uid != os.getuid() or told.st_mode & 0o077):
                return ""
            noted = json.load(file)
        token, lives = str(noted["token"]), _process(int(noted["pid"])) == float(noted["began"])
        return "" if lives or not 0 <= time.time() - float(noted["at"]) < _TAKEN_UP else token
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _await_port(host: str, port: int) -> None:
    """Wait for a server whose launcher was killed: it is about to end."""
    deadline = time.monotonic() + _GIVING_UP
    while time.monotonic() < deadline and not _is_free(host, port):
        time.sleep(0.1)


def pages() -> Path:
    """The folder with ``notebooks`` and ``voila.json``: the checkout's, or the one the wheel was installed with."""
    checkout = Path(__file__).resolve().parents[2]
    shares = [Path(sys.prefix) / "share", Path(site.getuserbase()) / "share"]
    for base in (checkout, *(share / "navalkit" for share in shares)):
        if (base / "voila.json").is_file() and (base / "notebooks").is_dir():
            return base
    raise DataError(SAY("no-pages"))


def command(port: int, host: str, kernels: int = 0, names: Sequence[str] = ()) -> list[str]:
    """What starts the server."""
    quiet = "--Voila.log_level=ERROR"
    return [
        sys.executable,
        "-m",
        "navalkit.serve.server",
        "notebooks",
        f"--port={port}",
        f"--Voila.ip={host}",
        f"--Kernels.limit={kernels}",
        *(f"--Server.hosts={name}" for name in names),
        quiet,
    ]


def environment(base: Path, token: str = "") -> dict[str, str]:
    """The server's environment: in a checkout Voila finds the template where it is edited."""
    env = dict(os.environ) | ({"NAVALKIT_TOKEN": token} if token else {})
    templates = base / "voila_templates"
    if templates.is_dir():
        env["JUPYTER_PATH"] = os.pathsep.join(filter(None, (str(templates), env.get("JUPYTER_PATH"))))
    return env


def free_port(host: str, first: int) -> int:
    """The first free port from ``first`` on; OptionError if there is none near."""
    if not 1 <= first <= 65535:
        raise OptionError(SAY("no-port", port=str(first)))
    for port in range(first, min(first + _PORTS_TRIED, 65536)):
        if _is_free(host, port):
            return port
    raise OptionError(SAY("no-free-port", n=_PORTS_TRIED, first=str(first)))


def _is_free(host: str, port: int) -> bool:
    with socket.socket() as trial:
        if os.name == "posix":  # a port just given up is free; elsewhere the flag means something else
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
        except OSError as error:
            if isinstance(error, socket.gaierror) or error.errno in _NO_ADDRESS:
                raise OptionError(SAY("no-address", host=host)) from None
            return False
        return True


_NO_ADDRESS = {99, 49, 10049}  # EADDRNOTAVAIL on Linux, macOS and Windows


def _answers(server: subprocess.Popen[bytes], host: str, port: int) -> bool:
    """Wait until the server answers; False if it ends or stays silent instead."""
    deadline = time.monotonic() + _PATIENCE
    while server.poll() is None and time.monotonic() < deadline:
        connection = http.client.HTTPConnection("127.0.0.1" if host in ALL else host, port, timeout=2)
        try:
            connection.request("GET", "/")  # any answer will do
            connection.getresponse()
            return True
        except (OSError, http.client.HTTPException):
            time.sleep(0.1)
        finally:
            connection.close()
    print(SAY("not-started"), file=sys.stderr)
    return False


def _as_interrupt(signum: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _stop(server: subprocess.Popen[bytes]) -> None:
    """End the server, and with it its kernels; less gently if it does not listen."""
    assert server.stdin is not None
    for stop in (server.stdin.close, server.terminate, server.kill):
        if server.poll() is not None:
            break
        try:
            stop()
            server.wait(timeout=5)
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            continue  # Ctrl-C once more goes on to the next, sharper way
    server.stdin.close()
