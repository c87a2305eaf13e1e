"""The way into the rooms from the local network, opened while the server runs: a friend's phone gets in by it.

`navalkit play` listens on this machine alone. What a reader opens here is a second listener, on this machine's own
addresses in its networks, for the rooms and nothing else: no page, no file and no Python can be reached by it. Anyone
who comes needs a room's code, as everywhere. It is closed by the reader, or with the server.
"""

from __future__ import annotations
import asyncio
import json
import secrets
import socket
from collections.abc import Collection
from typing import Any
from urllib.parse import urlsplit

from jupyter_server.base.handlers import JupyterHandler
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import HTTPError, RedirectHandler, authenticated

from navalkit.core.errors import OptionError
from navalkit.rooms.door import is_loopback, lan_addresses
from . import SAY, phones
from .guard import GuardedApplication

PORTS = 20
"""Ports tried from the server's own on."""


class Gate:
    """The second listener. ``base``: the server's base URL. ``port``, ``host``: what the server itself listens on.
    ``hosts``: names it answers to. ``shared``: what the phones' handlers share. ``limits``: of the listener, as of the
    server's own."""

    def __init__(self, base: str, port: int, host: str, hosts: Collection[str], shared: phones.Phones,
                 **limits: Any) -> None:
        self._base, self._port, self._host, self._hosts, self._limits = base, port, host, hosts, limits
        self._shared = shared
        self._server: HTTPServer | None = None
        self.name = secrets.token_hex(6)
        """By which kernels know it."""
        self.urls: list[str] = []
        """The rooms' addresses as others type them, the likeliest first; [] while it is closed."""

    @property
    def needed(self) -> bool:
        """Whether others cannot reach the server itself."""
        return is_loopback(self._host)

    def open(self) -> None:
        """Open it, on the addresses that this machine has now; OptionError if it is in no network, or no port is
        free."""
        self.close()
        names = lan_addresses()
        if not names:
            raise OptionError(SAY("gate.alone"))
        sockets, port = self._bound(names)
        handlers = [(rf"{self._base}?", RedirectHandler, {"url": f"{self._base}room", "permanent": False}),
                    *phones.handlers(self._base, self._port, self._shared)]
        app = GuardedApplication(self._hosts, f"{self._base}voila/", handlers=handlers)
        self._server = HTTPServer(app, **self._limits)
        self._server.add_sockets(sockets)
        self._say([f"http://{name}:{port}{self._base}room" for name in names])

    def _say(self, urls: list[str]) -> None:
        self.urls = urls
        self._shared.rooms.say(f"gate {self.name}", urls)

    def _bound(self, names: Collection[str]) -> tuple[list[socket.socket], int]:
        for port in range(self._port, min(self._port + PORTS, 65536)):
            bound: list[socket.socket] = []
            try:
                for name in names:
                    bound += bind_sockets(port, name, family=socket.AF_INET)
            except OSError:
                for each in bound:
                    each.close()
            else:
                return bound, port
        raise OptionError(SAY("gate.ports", n=PORTS, first=str(self._port)))

    def close(self) -> None:
        """Let nobody in any more; who is in is cut off."""
        if self._server is not None:
            self._server.stop()
            asyncio.ensure_future(self._server.close_all_connections())
            self._server = None
            self._say([])


class GateHandler(JupyterHandler):
    """What a page asks of the gate: how it stands, to open it, or to close it. Only a page of this server can: what it
    sends is JSON, and the browser says that it comes from here."""

    def initialize(self, gate: Gate) -> None:
        self.gate = gate

    def check_xsrf_cookie(self) -> None:
        """`_ours` asks for more."""

    def _ours(self) -> bool:
        kind = self.request.headers.get("Content-Type", "").partition(";")[0].strip()
        site = self.request.headers.get("Sec-Fetch-Site", "same-origin")
        sender = urlsplit(self.request.headers.get("Origin", "")).netloc
        return kind == "application/json" and site == "same-origin" and sender == self.request.host

    @authenticated
    def post(self) -> None:
        if not self._ours():
            raise HTTPError(403)
        try:
            asked = json.loads(self.request.body).get("open")
        except (ValueError, AttributeError, RecursionError):
            raise HTTPError(400) from None
        error = ""
        try:
            if asked is True and self.gate.needed:
                self.gate.open()
            elif asked is False:
                self.gate.close()
        except OptionError as why:
            error = str(why)
        self.set_header("Content-Type", "application/json; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        self.finish(json.dumps({"needed": self.gate.needed, "urls": self.gate.urls, "error": error}))
