"""What all pages share: how they live in a browser, whatever they show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ipywidgets import Layout

from navalkit.core.language.words import speaking

from . import files
from .bridge import Bridge
from .desk import Desk, Slot
from .model import PHONE, Model
from .say import SAY
from .widgets import HTML, shown
from .widgets.spoken import box, maker

THEMES = ("light", "dark", "contrast")

class Shell:
    """A page's life: greeting, theme, width, language, the clipboard, files, and what is calculated meanwhile.

    A page is a subclass that overrides what concerns it.

    ``model``: what the page does. ``keys``: what the page keeps in the browser. ``desk``: where the page's slow numbers
    are calculated; one of its own if left out. ``theme``: one of `THEMES`. ``tall``: whether the page is as narrow as a
    phone. ``room``: width and height, px, of the place for the board, where the page has one. ``calm``: whether the
    browser asks for little motion.
    """

    def __init__(self, model: Model, keys: Sequence[str] = (), desk: Desk | None = None) -> None:
        self._says, self.safe = model, model.guard
        safe, self.desk = self.safe, desk or Desk(self.safe)
        self.theme, self.tall, self.calm, self._met = "light", False, False, False
        self.room: tuple[float, float] | None = None
        self.bridge = Bridge([*keys, "lang"])
        self.bridge.handlers |= {
            "hello": safe(self._hello),
            "theme": safe(lambda message: self._take_theme(message["theme"])),
            "width": safe(self._width),
            "copied": safe(self._copied),
            "file": safe(self._file),
            "hover": safe(self.hover),
        }
        self.theme_switch = maker(safe)("theme", self._next_theme)
        shown(self.theme_switch, False)  # the page's header has one, where there is a header
        self.waiting = Waiting(self)
        self.desk.waiting = self.waiting.tell

    longest_copy = 100
    """Characters of something copied that the status line repeats."""

    @property
    def title(self) -> str:
        """What stands over the page in the reader's language; "" for what its notebook says."""
        return ""

    # What a page overrides ------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Bring every widget up to date."""

    def tell(self, text: str) -> None:
        """Put a message into the status line."""
        self._says.say(text)

    def met(self, query: str, stored: dict[str, str], *, another_tab: bool) -> None:
        """The first browser is there: open what its address asks for, and what it has kept."""

    def greeted(self) -> None:
        """A browser is there, the first one or one that comes back; its theme, width and language are known."""

    def themed(self) -> None:
        """The theme is another one."""

    def speak(self, lang: str) -> None:
        """The reader's language is this one."""
        self._says.lang = lang
        with speaking(self._says.voice):
            self.bridge.speak(self._says.voice.lang, self.title)

    def opened(self, data: bytes, name: str) -> None:
        """The reader has chosen a file."""

    def hover(self, message: dict[str, Any]) -> None:
        """The pointer rests on the board, at shares of its width and height, or has left it (below 0)."""

    # Inside ---------------------------------------------------------------------------------------------------------

    def _hello(self, message: dict[str, Any]) -> None:
        stored: dict[str, str] = message.get("stored", {})
        query = str(message.get("query", ""))
        shown(self.theme_switch, not message.get("header"))
        self.calm = bool(message.get("calm"))
        self._measure(message)
        self.speak(files.language(query) or stored.get("lang", "") or "en")
        self.safe(self._greet)(message, query, stored)  # in that language
        self.safe(self.refresh)()

    def _greet(self, message: dict[str, Any], query: str, stored: dict[str, str]) -> None:
        self._take_theme(message.get("theme", "light"))
        self._says.status.count += 1  # the page has answered
        self.greeted()
        if not self._met:
            self._met = True
            self.met(query, stored, another_tab=not message.get("tab"))

    def _width(self, message: dict[str, Any]) -> None:
        if self._measure(message):
            self.refresh()

    def _measure(self, message: dict[str, Any]) -> bool:
        """Take the width of the page and the room for the board; whether they are others than before."""
        before, room = (self.tall, self.room), message.get("room")
        self.tall = int(message.get("width", 1280)) < PHONE
        self.room = (float(room[0]), float(room[1])) if room else None
        return (self.tall, self.room) != before

    def _take_theme(self, name: str) -> None:
        self.theme = name if name in THEMES else "light"
        self.themed()

    def _next_theme(self) -> None:
        self._take_theme(THEMES[(THEMES.index(self.theme) + 1) % len(THEMES)])

    def _next_language(self) -> None:
        """The next of the languages the page speaks, remembered by the browser."""
        known = self._says.languages
        self.speak(known[(known.index(self._says.voice.lang) + 1) % len(known)])
        self.bridge.store("lang", self._says.lang)
        self._says.say("")

    def _copied(self, message: dict[str, Any]) -> None:
        what, text = SAY(f"copy.{message.get('what', 'link')}"), str(message.get("text", ""))
        if not message.get("ok"):
            self.tell(SAY("copy.failed", what=what, text=text))
        elif len(text) > self.longest_copy:
            self.tell(SAY("copy.long", what=what))
        else:
            self.tell(SAY("copy.short", what=what, text=text))

    def _file(self, message: dict[str, Any]) -> None:
        files.check_size(message["name"], message["size"])
        self.opened(message["data"], str(message["name"]))


class Waiting:
    """The quiet line that says what is still being calculated, with a button that stops it."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._late: dict[Slot, float] = {}
        self.text = HTML()
        self.widget = box("nk-waiting", self.text, maker(shell.safe)("stop", self._stop))
        self.widget.layout = Layout(visibility="hidden")  # its room is kept

    def tell(self, slot: Slot, share: float | None) -> None:
        """A slot is late, and how much of it is done; None: it has come, or is wanted no more."""
        if share is None:
            self._late.pop(slot, None)
        else:
            self._late[slot] = share
        self.widget.layout.visibility = "visible" if self._late else "hidden"
        if self._late:
            slot, share = next(iter(self._late.items()))
            key = slot if isinstance(slot, str) else slot[0]
            what = SAY(f"waiting.{key}") if f"waiting.{key}" in SAY else SAY("waiting.numbers")
            self.text.value = SAY("waiting.share", what=what, share=share) if share else SAY("waiting", what=what)

    def _stop(self) -> None:
        for slot in tuple(self._late):
            self._shell.desk.cancel(slot)
        self._shell.tell(SAY("stopped"))
