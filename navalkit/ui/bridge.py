"""The bridge to the browser: its address, storage, clipboard and downloads, and the theme and width of the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import traitlets

from navalkit.core.language.words import ENGLISH
from navalkit.view.scene import Scene

from .say import SAY
from .widgets import Scripted

MIMES = {
    "csv": "text/csv", "html": "text/html", "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml",
    "toml": "application/toml",
}  # fmt: skip
"""What the files are that a page hands over, by their ending."""
FRAME = [key.removeprefix("frame.") for key in SAY.tables[ENGLISH] if key.startswith("frame.")]
"""What the pages' template says, by its ``data-nk-word``."""


class Bridge(Scripted):
    """An invisible widget that speaks for the browser.

    ``keys``: the things the page keeps in the browser's storage; a "?" in a key stands for the page's query string.
    ``handlers`` is called with the message: "hello" when a page is there (``query``, ``stored``, ``tab``, ``theme``,
    ``width``, ``room``, ``header``, ``calm``), "theme", "width", "copied" (``ok``, ``text``, ``what``), "hover" when a
    mouse rests on a board of the class ``nk-hover`` (``x``, ``y``: shares of it, below 0 when it has left), and "file"
    when the reader has chosen a file with a button of the class ``nk-key-open`` (``name``, ``size``, ``data``).
    """

    _esm = Path(__file__).with_name("bridge.js")
    _css = Path(__file__).with_name("page.css")
    stored = traitlets.List(traitlets.Unicode()).tag(sync=True)

    def __init__(self, keys: Sequence[str] = ()) -> None:
        super().__init__(stored=list(keys), layout={"display": "none"})  # it is heard, not seen
        self.handlers: dict[str, Callable[[dict[str, Any]], None]] = {}
        self.query = ""
        self.on_msg(self._heard)

    def store(self, key: str, value: str | None) -> None:
        """Keep a text in the browser's storage; None drops it. With a "?" in its key it is first of all this tab's."""
        self.send({"do": "store", "key": key.replace("?", self.query), "value": value, "tab": "?" in key})

    def speak(self, lang: str, title: str = "") -> None:
        """Say in which language the page is ("de"), and what its header, footer and notices say there; the page's title
        stays if none is given."""
        words = {key: SAY(f"frame.{key}") for key in FRAME} | ({"title": title} if title else {})
        self.send({"do": "lang", "lang": lang, "words": words})

    def copy(self, text: str, what: str, *, link: bool = False) -> None:
        """Put a text on the clipboard; with ``link`` it is a query to put behind the page's address."""
        self.send({"do": "copy", "text": text, "what": what, "link": link})

    def download(self, name: str, data: str | bytes) -> None:
        """Hand the reader a file; its ending is one of `MIMES`."""
        message = {"do": "download", "name": name, "mime": MIMES[name.rpartition(".")[2]]}
        self.send(message, [data.encode() if isinstance(data, str) else data])

    def sheet(self, *, open: bool) -> None:
        """Pull up the drawer on a phone, or let it down."""
        self.send({"do": "sheet", "open": open})

    def picture(self, name: str, scene: Scene, theme: str) -> None:
        """Hand the reader a picture, painted in a theme: an SVG or a PNG, as its name ends."""
        # Here, as the first board does not wait for them.
        from navalkit.view.painters.png import png
        from navalkit.view.painters.svg import svg

        self.download(name, svg(scene, theme) if name.endswith(".svg") else png(scene, theme))

    def _heard(self, _widget: Any, message: dict[str, Any], buffers: Any) -> None:
        event = message.get("event")
        if event == "ping":
            self.send({"do": "pong"})
            return
        if event == "hello":
            self.query = str(message.get("query", ""))
        if event == "file":
            message = message | {"data": bytes(buffers[0]) if buffers else b""}
        if handler := self.handlers.get(str(event)):
            handler(message)
