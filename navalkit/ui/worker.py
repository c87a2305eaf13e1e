"""The frontend of a page without a server: Python in a worker of the browser, and no kernel.

The script around it (lite/worker.js) puts this to work: `WORKER` is told what the reader does by `hear`, and says what
is to be seen by its ``post``. Widgets say nothing while a page is made; what they are by then goes out in one message.
What is said in answer to one message of the browser goes out together.
"""

from __future__ import annotations
import ast
import asyncio
import json
import logging
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from random import Random
from time import perf_counter
from typing import Any

import comm
from comm.base_comm import BaseComm, CommManager
from ipywidgets import Widget
from ipywidgets.widgets.widget import _instances, _remove_buffers

from navalkit.core.match import Match, Store
from navalkit.core.registry import names, pages_end
from . import SAY
from .frontend import Frontend, use
from .widgets import share_anew

log = logging.getLogger(__name__)
Buffers = Sequence[bytes]
TRIED = 8
"""Orders that are tried in a game that nobody sees."""
QUIET, PAUSE = 0.5, 0.05
"""Seconds since the reader did something, and between two steps, before such a step is made."""


class Line(BaseComm):
    """A widget's line to the browser."""

    def publish_msg(self, msg_type: str, data: Any = None, metadata: Any = None, buffers: Any = None, **_: Any) -> None:
        WORKER.say(msg_type, self.comm_id, data, buffers or ())


class Shelf(Store):
    """Games in progress in the browser's own database: the files here are what was read from there, and ``keep`` brings
    there what is new. The database answers later (`Worker.sure`, `Worker.unkept`)."""

    late = True

    def __init__(self, keep: Callable[[str, str | None], object]) -> None:
        super().__init__()
        self.keep = keep

    def fill(self, kept: Mapping[str, str]) -> None:
        """Take what the database had, by token."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for token, text in kept.items():
            self._path(token).write_text(text, encoding="utf-8")

    def save(self, token: str, match: Match, mark: str = "") -> None:
        super().save(token, match, mark)
        self.keep(token, self._path(token).read_text(encoding="utf-8"))

    def forget(self, token: str) -> None:
        super().forget(token)
        self.keep(token, None)


class Full(OSError):
    """No room is left; said in the language of the page that asks."""

    def __str__(self) -> str:
        return SAY("lite.full")


def _reached(shown: Iterable[str | None]) -> set[str]:
    """The widgets that these are made of, and they themselves, by their models."""
    found: set[str] = set()
    ahead = [each for each in shown if each]
    while ahead:
        found.add(model := ahead.pop())
        state = json.dumps(_instances[model].get_state(), default=str)
        ahead += set(re.findall("IPY_MODEL_([0-9a-f]+)", state)) - found
    return found


def _models(found: Iterable[Any]) -> list[str | None]:
    """What cells show, by its model."""
    return [each.model_id if isinstance(each, Widget) else None for each in found]


def tried(name: str) -> Iterator[None]:
    """What a game's first clicks do, and what its end needs, in steps of about a click each, in a game that nobody sees
    and nothing keeps: what is made at a first use is there then."""
    from .play.controller import Controller
    yield
    from .play import review_panel  # noqa: F401
    yield
    control, dice = Controller(name), Random(1)
    control.new(1)
    for _ in range(TRIED):
        yield
        while control.desk.busy("machine"):
            yield
        control.covered = False
        if not control.legal:
            return
        control.give(dice.choice(control.legal))
        yield
        control.scene()
        yield
        control.orders()
        glance = control.glance()
        control.page.facts(glance), control.page.charts(glance), control.page.aims(glance), control.headline()


class Worker(Frontend):
    """Speaks to the script around it. ``post`` takes a text and the buffers that belong to it."""

    rooms = False

    def __init__(self) -> None:
        self.post: Callable[[str, Buffers], object] = lambda text, buffers: None
        self._lines = CommManager()
        self._said: list[list[Any]] = []
        self._buffers: list[bytes] = []
        self._shown = self._busy = self._due = False
        self._query, self.asked = "", False
        self._made: tuple[str, list[str | None]] | None = None  # made beforehand: its cells, and what they show
        self.shelf = Shelf(lambda token, text: None)
        self._heard = 0.0  # when the reader did something last
        self._tried: Iterator[None] = iter(())

    @property
    def query(self) -> str:
        self.asked = True
        return self._query

    def store(self) -> Store:
        return self.shelf

    def unheard(self) -> nullcontext[None]:
        return nullcontext()  # nobody is told anything before the page is shown

    # A page's life: made beforehand, perhaps, and kept in a snapshot; then shown to a reader -------------------------

    def make(self, cells: str) -> str:
        """Make the page of a notebook's cells of code, a list in JSON, before its reader comes; without a loop, so that
        what it calculates is there, too. Returns in JSON what a browser needs to lay it out while this process is still
        to come: what is said of its widgets, which of them the cells show, and whether the address is asked for."""
        self.asked = False
        asyncio._set_running_loop(None)
        shown, told = _models(self._run(cells)), dict[str, Any]()
        self._made = (cells, shown)
        usual, self._shown = self.post, True
        self.post = lambda text, buffers: told.update(say=text, buffers=[b64encode(each).decode() for each in buffers])
        self._open(set(self._lines.comms) | _reached(shown))
        self.post, self._shown = usual, False
        return json.dumps(told | {"shown": shown, "asked": self.asked})

    def begin(self, query: str, kept: str, keep: Callable[[str, str | None], object]) -> None:
        """A reader is there. ``query``: of the page's address. ``kept``: the games in the browser's database, in
        JSON."""
        asyncio._set_running_loop(asyncio.get_event_loop_policy().get_event_loop())
        self._query, self.shelf.keep = query, keep
        self.shelf.fill(json.loads(kept))

    def show(self, cells: str) -> list[str | None]:
        """Show the page of these cells; returns for each the widget that it shows, by its model. Of a page that was
        made beforehand its reader's browser has been told."""
        made, self._made = self._made, None
        self.beforehand = made is not None and made[0] == cells and not (self.asked and self._query)
        self._shown = self.beforehand
        if self.beforehand and made:
            return made[1]
        before = set(self._lines.comms)
        share_anew()
        shown = _models(self._run(cells))
        self._shown = True
        self._open((set(self._lines.comms) - before) | _reached(shown))
        return shown

    def _run(self, cells: str) -> list[Any]:
        space: dict[str, Any] = {"__name__": "__main__"}
        found = []
        for code in json.loads(cells):
            tree = ast.parse(code)
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, "page", "exec"), space)
            ends = compile(ast.Expression(last.value), "page", "eval") if isinstance(last, ast.Expr) else None
            found.append(eval(ends, space) if ends else None)
        return found

    def _open(self, lines: set[str]) -> None:
        with self._together():
            for line in filter((lines & set(_instances)).__contains__, self._lines.comms):  # as they were made
                state, paths, buffers = _remove_buffers(_instances[line].get_state())
                self.say("comm_open", line, {"state": state, "buffer_paths": paths}, buffers)

    def warm(self, page: str) -> None:
        """Try what comes first on a game's page while its reader does nothing."""
        games = {f"play_{name.replace('-', '_')}": name for name in names()}
        self._tried = tried(games[page]) if page in games else iter(())
        self._try()

    def _try(self) -> None:
        if perf_counter() - self._heard > QUIET:
            try:
                next(self._tried)
            except StopIteration:
                return
            except Exception:  # nobody has seen it; the page itself says what fails there
                log.exception("a game that nobody sees failed")
                return
        asyncio.get_running_loop().call_later(PAUSE, self._try)

    # Messages --------------------------------------------------------------------------------------------------------

    def say(self, kind: str, line: str, data: Any, buffers: Sequence[Any]) -> None:
        """Tell the browser something of a widget, by its line."""
        if not self._shown:
            return
        self._buffers += (bytes(each) for each in buffers)
        self._said.append([kind, line, data, len(buffers)])
        if not self._busy and not self._due:
            self._due = True
            asyncio.get_running_loop().call_soon(self._flush)

    @contextmanager
    def _together(self) -> Iterator[None]:
        """What is said meanwhile goes out at its end."""
        self._busy = True
        try:
            yield
        finally:
            self._busy = False
            self._flush()

    def _flush(self) -> None:
        self._due = False
        if self._said:
            text, buffers = json.dumps(self._said, separators=(",", ":"), default=str), self._buffers
            self._said, self._buffers = [], []
            self.post(text, buffers)

    def hear(self, line: str, text: str, buffers: Sequence[Any]) -> None:
        """What the browser says to a widget, by its line."""
        self._heard = perf_counter()
        found = self._lines.comms.get(line)
        if found is not None:
            with self._together():
                content = {"comm_id": line, "data": json.loads(text)}
                found.handle_msg({"content": content, "buffers": [memoryview(each) for each in buffers],
                                  "header": {"msg_id": ""}})

    def sure(self) -> None:
        """The browser's database has all that was to be kept."""
        with self._together():
            self.shelf.sure()

    def unkept(self, why: str) -> None:
        """The browser's database did not take a game. ``why``: "" if it is full."""
        with self._together():
            self.shelf.failed(OSError(0, why) if why else Full())


WORKER = Worker()


def install() -> None:
    """Have this process's pages speak to the script around it."""
    use(WORKER)
    pages_end(".html")
    comm.create_comm = Line
    comm.get_comm_manager = lambda: WORKER._lines
