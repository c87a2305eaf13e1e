"""How people get into a room from a page: the address, its code for phones to read, and news from the room."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

import segno
import traitlets

from navalkit.rooms.door import Address, addresses, answers, told
from navalkit.rooms.store import Rooms

from ..desk import looping
from ..widgets import Scripted
from .say import ROOM

GLANCE = 0.2
"""Seconds between two looks at the file of all rooms."""


class Door(Scripted):
    """An invisible widget that knows the page's own address. ``found`` is called when the browser has told it."""

    _esm = Path(__file__).with_name("door.js")
    _css = Path(__file__).with_name("door.css")
    browser = traitlets.Unicode().tag(sync=True)

    def __init__(self) -> None:
        super().__init__(layout={"display": "none"})
        self.found: Callable[[], None] = lambda: None
        self.observe(lambda _: self.found(), "browser")

    @property
    def addresses(self) -> list[Address]:
        """What people may type, the likeliest first."""
        return addresses(self.browser)

    def html(self, code: str, *facts: str) -> str:
        """The way in: a code to read with a phone, an address to type, and further lines."""
        first, *others = self.addresses
        url = f"{first.url}/{code}"
        picture = segno.make(url, error="m").svg_data_uri(scale=4, border=3)
        lines = [
            f"<p class=nk-room-address>{escape(first.url.removeprefix('http://'))}</p>",
            f"<p>{escape(ROOM('door.code'))} <span class=nk-room-code>{escape(code)}</span></p>",
            *(f"<p class=nk-note>{escape(ROOM('door.other', address=each.url))}</p>" for each in others),
            *(f"<p>{escape(fact)}</p>" for fact in facts),
        ]
        image = f'<img alt="{escape(ROOM("door.picture", url=url))}" src="{picture}">'
        return f"<div class=nk-room-door>{image}{''.join(lines)}</div>"

    def check(self, rooms: Rooms) -> str:
        """Whether a phone can get here, as far as can be known from here, in a sentence."""
        first = self.addresses[0]
        if "BINDER_SERVICE_HOST" in os.environ:
            return ROOM("door.binder")
        if not first.open:
            return ROOM("door.closed")
        if far := rooms.said(f"reached {told()['port']}"):
            return ROOM("door.reached", address=far)
        if urlsplit(first.url).scheme == "http" and not answers(first.url):
            return ROOM("door.silent", address=first.url)
        return ROOM("door.try")


class News:
    """Looks at the file of all rooms five times a second, and tells when somebody else has written to it. ``tell``:
    inside the page's error boundary."""

    def __init__(self, rooms: Rooms, tell: Callable[[], None]) -> None:
        self._rooms, self._tell = rooms, tell
        self._task: asyncio.Task[None] | None = None

    def listen(self) -> None:
        """From now on; without an event loop, as in tests, nobody listens."""
        if looping() and (self._task is None or self._task.done()):
            self._task = asyncio.ensure_future(self._look())

    def stop(self) -> None:
        """No more."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _look(self) -> None:
        version = 0
        while True:
            if (now := self._rooms.version) != version:
                version = now
                self._tell()
            await asyncio.sleep(GLANCE)
