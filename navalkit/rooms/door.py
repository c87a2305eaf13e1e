"""Where phones knock: what the server tells its kernels of its address, and what people are to type.

A browser's own address is right behind a proxy, where the server knows none; on this machine itself it is "localhost",
which no phone can use: then the address in the network is taken.
"""

from __future__ import annotations
import http.client
import json
import os
import socket
import tempfile
from collections.abc import Sequence
from getpass import getuser
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from navalkit.core.match import home

_TOLD = "NAVALKIT_DOOR"
KERNEL_ID = "NAVALKIT_KERNEL"
"""The environment variable with a kernel's id, by which its server knows it."""
ALL = ("", "0.0.0.0", "::")
"""Hosts that stand for every address of this machine."""
LETTERS = "BCDFGHJKLMNPQRSTVWXYZ346789"
"""What codes are made of: nothing that is read as something else, and no vowels, so that no words come of it."""
LENGTH = 6


class Address(NamedTuple):
    """An address of the rooms' page, without a code, and whether other machines can reach it as far as is known."""

    url: str
    open: bool


def spelt(code: str) -> str:
    """A code as it was meant: capitals, no gaps."""
    return "".join(each for each in code.upper() if each.isalnum())


def tell(port: int, host: str, base: str, gate: str = "") -> None:
    """Said by the server before it starts a kernel: kernels inherit it. ``gate``: names its gate to the network (see
    `navalkit.serve.gate`), if it has one; no two servers have the same."""
    os.environ[_TOLD] = json.dumps({"port": port, "host": host, "base": base, "gate": gate})


def told() -> dict[str, Any]:
    """What the server of this kernel has told; port 0 if there is none."""
    found: dict[str, Any] = json.loads(os.environ.get(_TOLD, '{"port": 0, "host": "127.0.0.1", "base": "/"}'))
    return found


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens on ``host``."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def lan_address() -> str:
    """This machine's address in its network, for others to type; "localhost" if it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: nothing is sent
            return str(probe.getsockname()[0])
        except OSError:
            return "localhost"


def lan_addresses() -> list[str]:
    """All addresses of this machine in networks it is part of, the likeliest first."""
    import psutil  # here, as a page that shows no address need not wait for it

    up = {name for name, stats in psutil.net_if_stats().items() if stats.isup}
    found = [each.address for name, addresses in psutil.net_if_addrs().items() for each in addresses
             if name in up and each.family == socket.AF_INET and not is_loopback(each.address)]
    likely = lan_address()
    return sorted(set(found), key=lambda address: (address != likely, address))


def has_gate(browser: str) -> bool:
    """Whether the server can let others in while it runs, and they cannot reach it without."""
    here, name = told(), urlsplit(browser).hostname
    return bool(here.get("gate")) and is_loopback(here["host"]) and (not name or is_loopback(name))


def addresses(browser: str, gate: Sequence[str] = ()) -> list[Address]:
    """What people may type, the likeliest first. ``browser``: the address the teacher's own page has in the browser.
    ``gate``: the addresses of an open gate."""
    if gate:
        return [Address(url, True) for url in gate]
    here, parts = told(), urlsplit(browser)
    base = here["base"]
    if parts.hostname and not is_loopback(parts.hostname):
        return [Address(f"{parts.scheme}://{parts.netloc}{base}room", True)]
    if is_loopback(here["host"]):
        return [Address(f"http://localhost:{here['port']}{base}room", False)]
    names = lan_addresses() if here["host"] in ALL else [here["host"]]
    return [Address(f"http://{name}:{here['port']}{base}room", True) for name in names]


def answers(address: str) -> bool:
    """Whether the rooms' page answers at an address, asked from this machine."""
    parts = urlsplit(address)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.netloc, timeout=2)
    try:
        connection.request("GET", parts.path)
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


_FOREIGN = ("nfs", "cifs", "smb", "fuse", "9p", "afs", "lustre", "ceph", "gluster")


def folder() -> Path:
    """Where the file lies: $NAVALKIT_ROOMS, else beside the games; on a disk of another machine, which cannot keep it
    in order, in a local folder of the user's own."""
    if given := os.environ.get("NAVALKIT_ROOMS"):
        return Path(given)
    own = home()
    own.mkdir(parents=True, exist_ok=True)
    if not _foreign(own.resolve()):
        return own
    local = Path(tempfile.gettempdir()) / f"navalkit-{getuser()}"
    local.mkdir(mode=0o700, exist_ok=True)
    if os.name == "posix" and local.stat().st_uid != os.getuid():
        raise PermissionError(1, os.strerror(1), str(local))
    return local


def _foreign(path: Path) -> bool:
    import psutil  # here, as most pages need no room: their first board does not wait for it

    mounts = [m for m in psutil.disk_partitions(all=True) if path.is_relative_to(m.mountpoint)]
    return bool(mounts) and max(mounts, key=lambda m: len(m.mountpoint)).fstype.lower().startswith(_FOREIGN)
