"""What all pages share: how they live in a browser, whatever they show."""

from __future__ import annotations
import asyncio
import ctypes
import logging
import os
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import traitlets
from ipywidgets import Layout

from navalkit.core.errors import NavalkitError, OptionError, RecordError, brief
from navalkit.core.files import written
from navalkit.core.match import Match
from navalkit.core.record import MAX_BYTES
from navalkit.core.words import ENGLISH, Event, Voice, language, speaking, voice
from navalkit.view.scene import Box, Scene
from . import SAY
from .desk import Desk, Slot, looping
from .frontend import current
from .widgets import HTML, Box as WidgetBox, Scripted, box, maker, shown

# -- The bridge to the browser: its address, storage, clipboard and downloads, and the theme and width of the page

MIMES = {"csv": "text/csv", "html": "text/html", "png": "image/png", "svg": "image/svg+xml", "toml": "application/toml"}
"""What the files are that a page hands over, by their ending."""
FRAME = [key.removeprefix("frame.") for key in SAY.tables[ENGLISH] if key.startswith("frame.")]
"""What the pages' template says, by its ``data-nk-word``."""


_JOURNAL = Path(__file__).parents[1] / "serve" / "static" / "journal.js"


class Bridge(Scripted):
    """An invisible widget that speaks for the browser.

    ``keys``: the things the page keeps in the browser's storage; a "?" in a key stands for the page's query string.
    ``handlers`` is called with the message: "hello" when a page is there (``query``, ``stored``, ``tab``, ``again``,
    ``theme``, ``width``, ``room``, ``header``, ``calm``), "theme", "width", "copied" (``ok``, ``text``, ``what``),
    "hover" when a mouse rests on a board of the class ``nk-hover`` (``x``, ``y``: shares of it, below 0 when it has
    left), "file" when the reader has chosen a file with a button of the class ``nk-key-open`` (``name``, ``size``,
    ``data``), "order" with an order of the tab's journal (``order``), once `stand` has told it where the game stands,
    "unkept" when storage has not taken what was to be stored (``key``): then this tab alone finds it again, and
    "received" when the browser has a file that was sent with a ``receipt``.
    """

    # The journal is that of a guest's page, too.
    _esm = "".join(path.read_text("utf-8") for path in (_JOURNAL, Path(__file__).with_name("bridge.js")))
    _css = Path(__file__).with_name("page.css")
    stored = traitlets.List(traitlets.Unicode()).tag(sync=True)
    lone = traitlets.Unicode("").tag(sync=True)
    """Of the ``keys`` the one whose value one page alone goes on with. ``tab`` then says whether no other one has it;
    of a page without such a key, whether this tab has kept anything of its own."""
    place = traitlets.Unicode("").tag(sync=True)
    """Of a page that has neighbours in its document: what tells its journal from theirs."""

    def __init__(self, keys: Sequence[str] = ()) -> None:
        super().__init__(stored=list(keys), layout={"display": "none"})  # it is heard, not seen
        self.handlers: dict[str, Callable[[dict[str, Any]], None]] = {}
        self.opening: Callable[[], bool] = lambda: False  # whether what the page opens with is still on its way
        self.query = ""
        self.again = False
        """Whether its page was loaded again, or is to go on with what it has kept: no link was followed there."""
        self._told: dict[str, Any] = {}
        self.on_msg(self._heard)

    def store(self, key: str, value: str | None, *, tab: bool = False) -> None:
        """Keep a text in the browser's storage; None drops it. With a "?" in its key, or with ``tab``, it is first of
        all this tab's."""
        self.send({"do": "store", "key": key.replace("?", self.query), "value": value, "tab": tab or "?" in key})

    def stand(self, told: dict[str, Any], *, again: bool = False) -> None:
        """Tell the tab's journal where the game stands (``at``; "" where no order is taken), and what it need not send
        again; with ``keys`` also of which buttons a press is an order while there is no line. ``again``: even if it was
        told the same before."""
        if again or told != self._told:
            self._told = told
            self.send({"do": "stand", **told})

    def drop(self, number: Any) -> None:
        """Tell the tab's journal that what it sent under that number is no order, and need not be sent again."""
        self.send({"do": "drop", "n": number})

    def speak(self, lang: str, title: str = "") -> None:
        """Say in which language the page is ("de"), and what its header, footer and notices say there; the page's title
        stays if none is given."""
        words = {key: SAY(f"frame.{key}") for key in FRAME} | ({"title": title} if title else {})
        self.send({"do": "lang", "lang": lang, "words": words})

    def copy(self, text: str, what: str, *, link: bool = False, query: str = "") -> None:
        """Put a text on the clipboard; with ``link`` it is a query of this page ("?seed=1"), or an address from here.
        ``query``: that of a link that follows the text."""
        self.send({"do": "copy", "text": text, "what": what, "link": link, "query": query})

    def download(self, name: str, data: str | bytes, receipt: str = "") -> None:
        """Hand the reader a file; its ending is one of `MIMES`. ``receipt``: what the browser sends back once it has
        it, as "received"."""
        message = {"do": "download", "name": name, "mime": MIMES[name.rpartition(".")[2]], "receipt": receipt}
        self.send(message, [data.encode() if isinstance(data, str) else data])

    def sheet(self, *, open: bool) -> None:
        """Pull up the drawer on a phone, or let it down."""
        self.send({"do": "sheet", "open": open})

    def picture(self, name: str, scene: Scene, theme: str) -> None:
        """Hand the reader a picture, painted in a theme: an SVG or a PNG, as its name ends."""
        # Here, as the first board does not wait for them.
        from navalkit.view.files import png
        from navalkit.view.painters import svg

        self.download(name, svg(scene, theme) if name.endswith(".svg") else png(scene, theme))

    def _heard(self, _widget: Any, message: dict[str, Any], buffers: Any) -> None:
        event = message.get("event")
        if event == "ping":
            self.send({"do": "pong", "opening": self.opening(), "said": current().said()})
            return
        if event == "hello":
            self.query, self._told = str(message.get("query", "")), {}
            self.again = bool(message.get("again"))
        if event == "file":
            message = message | {"data": bytes(buffers[0]) if buffers else b""}
        if handler := self.handlers.get(str(event)):
            handler(message)


# -- What comes with a page's address, and what a game is written out as ---------------------------

def asked(query: str) -> tuple[dict[str, str], int | None]:
    """What a query string asks for by name, and the step it asks for; OptionError if it has more than 50 parts, or its
    step is no whole number."""
    try:
        parts = {key: values[-1] for key, values in parse_qs(query.lstrip("?"), max_num_fields=50).items()}
    except ValueError:
        raise OptionError(SAY("link.parts")) from None
    parts.pop("lang", None)
    step = parts.pop("step", None)
    if step is not None and not re.fullmatch(r"[0-9]{1,9}", step):
        raise OptionError(SAY("link.step", step=repr(step[:20])))
    return parts, None if step is None else int(step)


def check_size(name: str, size: int) -> None:
    """Refuse a file that is too large to be a saved game; the browser has then not sent it. RecordError if it has more
    than `MAX_BYTES`."""
    if size > MAX_BYTES:
        raise RecordError(SAY("open.large", name=brief(name), size=size, most=MAX_BYTES))


def log_csv(match: Match, me: int, told: Callable[[Event], bool]) -> str:
    """A game as CSV, one row an event: ply, by, action, rule, event. ``me``: for whom it is written. ``told``: whether
    an event may be told. While the match hides something, chance's actions are left out: a drawn hand or a hidden fleet
    would stand in them."""
    rows: list[tuple[object, ...]] = [("ply", "by", "action", "rule", "event")]
    for number, ply in enumerate(match.plies, 1):
        by = "chance" if ply.by < 0 else match.players[ply.by]
        lines = [(event.rule, event.text) for event in ply.events if told(event)]
        shown = not match.secret or ply.by == me or (ply.by >= 0 and lines)
        order = str(ply.action) if shown else ""
        rows += [(number, by, order, rule, text) for rule, text in lines or [("", "")]]
    return written(rows)


# -- What all pages are without their widgets: a status line, word of every change, and the one error boundary

log = logging.getLogger(__name__)

SETTLED = 3.0
"""Seconds after which a page has what it needs for its first board."""
PHONE = 640
"""Pages narrower than this, in px, get the tall board."""


@dataclass
class Status:
    """The status line: what just happened, and whether it is an error."""

    text: str = ""
    error: bool = False
    count: int = 0
    """Goes up with every message, so that a reader notices the same words said twice."""


@dataclass(kw_only=True, eq=False)
class Model:
    """What a page does."""

    changed: Callable[[], None] = lambda: None
    """Called when something else is to be seen: the page repaints."""
    status: Status = field(default_factory=Status)
    lang: str = field(default_factory=lambda: voice().lang)
    """The reader's language; a page that does not speak it speaks English."""
    whole: Callable[[], AbstractContextManager[object]] = nullcontext
    """What every press is made in: of one that fails it may put back what was done already."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages the page speaks, English first."""
        return SAY.languages

    @property
    def voice(self) -> Voice:
        """For whom sentences are made."""
        return Voice(self.lang if self.lang in self.languages else ENGLISH)

    @property
    def comfort(self) -> str:
        """What the reader is told after the sentence that something went wrong."""
        return SAY("comfort")

    def say(self, text: str, error: bool = False) -> None:
        """Put a message into the status line."""
        self.status.text, self.status.error = text, error
        self.repaint()

    def hush(self) -> None:
        """Take the message back: it was of something that is no longer looked at."""
        self.status.text, self.status.error = "", False

    def repaint(self) -> None:
        """Something else is to be seen: the count goes up, so that what waits for it notices."""
        self.status.count += 1
        self.changed()

    def guard(self, call: Callable[..., object]) -> Callable[..., None]:
        """``call`` made safe for a widget's callback, in its reader's language. What a reader did wrong becomes one
        sentence in the status line; what we did wrong is logged, and raised where $NAVALKIT_RAISE is set, as tests
        do."""

        def safe(*args: Any) -> None:
            with speaking(self.voice):
                try:
                    with self.whole():
                        call(*args)
                except NavalkitError as error:
                    text = str(error)
                    self._complain(text[:1].upper() + text[1:])
                except Exception:
                    log.exception("a callback of the page failed")
                    self._complain(SAY("inside", comfort=self.comfort))
                    if os.environ.get("NAVALKIT_RAISE"):
                        raise

        return safe

    def _complain(self, text: str) -> None:
        """Say what went wrong. Nothing leaves from here: the caller would end with it, and the page be deaf."""
        try:
            self.say(text, error=True)
        except Exception:
            log.exception("the page cannot be painted")
            if os.environ.get("NAVALKIT_RAISE"):
                raise


def trim() -> None:
    """Give back to the machine what was taken for a moment: the C library keeps some 25 MB else, of what Task Force's
    tables are made in. Only glibc can."""
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


THEMES = ("light", "dark", "contrast")


class Shell:
    """A page's life: greeting, theme, width, language, the clipboard, files, and what is calculated meanwhile.

    A page is a subclass that overrides what concerns it.

    ``model``: what the page does. ``keys``: what the page keeps in the browser. ``desk``: where the page's slow numbers
    are calculated; one of its own if left out. ``theme``: one of `THEMES`. ``tall``: whether the page is as narrow as a
    phone. ``room``: width and height, px, of the place for the board, where the page has one. ``hole``: of a phone that
    lies down, `Look.hole`. ``calm``: whether the browser asks for little motion.
    """

    def __init__(self, model: Model, keys: Sequence[str] = (), desk: Desk | None = None) -> None:
        self._says, self.safe = model, model.guard
        safe, self.desk = self.safe, desk or Desk(self.safe)
        self.theme, self.tall, self.calm, self._met = "light", False, False, False
        self.room: tuple[float, float] | None = None
        self.hole: Box | None = None
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

    widget: WidgetBox
    """The page itself."""
    longest_copy = 100
    """Characters of something copied that the status line repeats."""

    @property
    def title(self) -> str:
        """What stands over the page in the reader's language; "" for what its notebook says."""
        return ""

    # What a page overrides ------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Bring every widget up to date."""

    @property
    def voice(self) -> Voice:
        """The reader's language."""
        return self._says.voice

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
            self.waiting.relabel()

    def opened(self, data: bytes, name: str) -> None:
        """The reader has chosen a file."""

    def hover(self, message: dict[str, Any]) -> None:
        """The pointer rests on the board, at shares of its width and height, or has left it (below 0)."""

    def _hello(self, message: dict[str, Any]) -> None:
        stored: dict[str, str] = message.get("stored", {})
        query = str(message.get("query", ""))
        shown(self.theme_switch, not message.get("header"))
        self.calm = bool(message.get("calm"))
        self._measure(message)
        self.speak(language(query) or stored.get("lang", "") or str(message.get("tongue", "")) or "en")
        self.safe(self._greet)(message, query, stored)  # in that language
        self.safe(self.refresh)()
        self.bridge.send({"do": "greeted"})
        if looping():
            asyncio.get_running_loop().call_later(SETTLED, trim)

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
        before, room = (self.tall, self.room, self.hole), message.get("room")
        self.tall = int(message.get("width", 1280)) < PHONE
        self.room = (float(room[0]), float(room[1])) if room else None
        hole = [float(each) for each in message.get("hole") or ()]
        self.hole = (hole[0], hole[1], hole[2], hole[3]) if len(hole) == 4 else None
        if self.hole:
            self.tall = False  # a phone lying down is no narrow page
        return (self.tall, self.room, self.hole) != before

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
        check_size(str(message["name"]).removeprefix("new:"), message["size"])
        self.opened(message["data"], str(message["name"]))


class Waiting:
    """The quiet line that says what is still being calculated, with a button that stops it."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._late: dict[Slot, float] = {}
        self._last: tuple[Slot, float] | None = None
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
            with speaking(self._shell.voice):  # the desk works on by itself, and knows no reader
                self._say(*next(iter(self._late.items())))

    def relabel(self) -> None:
        """Say to the present reader what was said last, which is hidden where it is over."""
        if self._last is not None:
            self._say(*self._last)

    def _say(self, slot: Slot, share: float) -> None:
        self._last = slot, share
        key = slot if isinstance(slot, str) else slot[0]
        what = SAY(f"waiting.{key}") if f"waiting.{key}" in SAY else SAY("waiting.numbers")
        self.text.value = SAY("waiting.share", what=what, share=share) if share else SAY("waiting", what=what)

    def _stop(self) -> None:
        for slot in tuple(self._late):
            self._shell.desk.cancel(slot)
        self._shell.tell(SAY("stopped"))
