"""Who may ask for what, decided before anything is started.

* The Host must be this machine: an address, ``localhost``, its own name, or one that was allowed. A foreign name that
  resolves here (DNS rebinding) is refused.
* A page starts a kernel, so that only a reader who opens it as a document may ask for one: no image, frame, script or
  prefetch of any site, and no other site that sends a reader without a click.
* Nothing of ours takes a large body.
"""

from __future__ import annotations
import socket
from collections.abc import Collection
from ipaddress import ip_address
from typing import Any

from tornado.httputil import HTTPHeaders, HTTPServerRequest, split_host_and_port
from tornado.web import Application, RequestHandler

from . import SAY

LARGEST_BODY = 64 * 1024
"""Bytes of a request's body: forms of a line or two. Files and orders come over the kernel's socket."""

_SOURCES = {
    "default-src": ["self"],
    "script-src": ["self", "blob:"],  # widgets bring their modules as blobs
    "style-src": ["self", "unsafe-inline"],  # widgets have their layout in style attributes
    "img-src": ["self", "data:", "blob:"],
    "font-src": ["self", "data:"],
    "connect-src": ["self", "data:", "blob:"],
    "worker-src": ["self", "blob:"],
    "object-src": ["none"],
    "base-uri": ["none"],
    "form-action": ["self"],
    "frame-ancestors": ["self"],
}
POLICY = "; ".join(" ".join([rule, *(source if source.endswith(":") else f"'{source}'" for source in sources)])
                   for rule, sources in _SOURCES.items())
"""The Content-Security-Policy of every page: nothing from elsewhere, and no script that stands in a page."""
HEADERS = {"Content-Security-Policy": POLICY, "Referrer-Policy": "same-origin", "X-Content-Type-Options": "nosniff"}
"""Sent with every page."""


def own_host(host: str, allowed: Collection[str] = ()) -> bool:
    """Whether a Host header names this machine. ``host``: as sent, port included ("localhost:8866", "[::1]:8866").
    ``allowed``: further names, in lower case."""
    name = split_host_and_port(host.lower())[0].strip("[]").rstrip(".")
    try:
        ip_address(name)
    except ValueError:
        own = socket.gethostname().lower()
        return name in {"localhost", own, f"{own.partition('.')[0]}.local", *allowed} and bool(name)
    return True


def opens_page(headers: HTTPHeaders) -> bool:
    """Whether a request comes from a reader who opens a page. Browsers say so themselves (Fetch Metadata), except over
    plain http from another machine and in old versions: there the request must at least ask for HTML, as an image or a
    script does not."""
    if "prefetch" in (headers.get("Sec-Purpose") or headers.get("Purpose") or ""):
        return False
    if (destination := headers.get("Sec-Fetch-Dest")) is None:
        return "text/html" in headers.get("Accept", "")
    by_click = headers.get("Sec-Fetch-User") == "?1"
    return destination == "document" and (headers.get("Sec-Fetch-Site") in ("same-origin", "none") or by_click)


PARTS = 64
"""Parts of a message to a kernel at most: its channel, four of its own, and buffers."""


def well_framed(frame: str | bytes) -> bool:
    """Whether a message of a page to its kernel can be taken apart: how many offsets there are, then the offsets of its
    parts, all of eight bytes, then the parts, up to the end. Who believes the first number alone makes as many offsets
    as it says, be the message ever so short."""
    if isinstance(frame, str) or len(frame) < 8:
        return False
    number = int.from_bytes(frame[:8], "little")
    start = 8 * (number + 1)
    if not 6 <= number <= PARTS or len(frame) < start:
        return False
    offsets = [int.from_bytes(frame[at : at + 8], "little") for at in range(8, start, 8)]
    return offsets[0] == start and offsets[-1] == len(frame) and offsets == sorted(offsets)


class GuardedApplication(Application):
    """A tornado application that looks at each request before any handler does."""

    def __init__(self, hosts: Collection[str], pages: str, **settings: Any) -> None:
        super().__init__(**settings)
        self.hosts, self.pages = hosts, pages

    def find_handler(self, request: HTTPServerRequest, **kwargs: Any) -> Any:
        """The handler of a request, or one that refuses it."""
        if not own_host(request.host, self.hosts):
            return self._refuse(request, 421, SAY("refuse.host"))
        if request.path.startswith(self.pages) and not opens_page(request.headers):
            return self._refuse(request, 403, SAY("refuse.document"))
        return super().find_handler(request, **kwargs)

    def _refuse(self, request: HTTPServerRequest, status: int, reason: str) -> Any:
        return self.get_handler_delegate(request, Refusal, {"status": status, "sentence": reason})


class Refusal(RequestHandler):
    """One sentence of plain text."""

    def initialize(self, status: int, sentence: str) -> None:
        self.status, self.sentence = status, sentence

    def prepare(self) -> None:
        self.set_status(self.status)
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(f"{self.sentence}\n")
