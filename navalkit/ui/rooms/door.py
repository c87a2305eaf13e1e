"""How people get into a room from a page: the address, its code for phones to read, and news from the room."""

from __future__ import annotations
import asyncio
import json
import logging
import os
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import segno
import traitlets

from navalkit.core.awaited import Awaited, run
from navalkit.core.errors import NavalkitError, OutOfTimeError
from navalkit.core.match import Match
from navalkit.core.registry import page_url
from navalkit.core.seeds import fresh_seed
from navalkit.core.shown import Markup, html, many, paragraph
from navalkit.core.words import speaking
from navalkit.rooms import classroom
from navalkit.rooms.door import Address, addresses, answers, told
from navalkit.rooms.store import RoomError, Rooms
from navalkit.rooms.table import Table
from navalkit.view.page import Order, Table as Figures
from navalkit.view.scene import Scene
from .. import SAY
from ..desk import looping
from ..play.controller import Controller
from ..play.turns import Sent, StaleError
from ..shell import PHONE, Bridge
from ..widgets import HTML, Box, Dropdown, Scripted, box, classed, maker, shown
from . import ROOM

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

    def html(self, code: str, *facts: str) -> Markup:
        """The way in: a code to read with a phone, an address to type, and further lines."""
        first, *others = self.addresses
        url = f"{first.url}/{code}"
        picture = segno.make(url, error="m").svg_data_uri(scale=4, border=3)
        form = (
            '<div class=nk-room-door><img alt="{}" src="{}"><p class=nk-room-address>{}</p>'
            "<p>{} <span class=nk-room-code>{}</span></p>{}{}</div>"
        )
        others_too = many("<p class=nk-note>{}</p>", (ROOM("door.other", address=each.url) for each in others))
        return html(form, ROOM("door.picture", url=url), picture, first.url.removeprefix("http://"), ROOM("door.code"),
                    code, others_too, many("<p>{}</p>", facts))

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


# -- The process behind the light page: it plays guests' orders and says what each of them sees, without a widget
# It reads questions as lines of JSON and answers each with one line. A guest has the same controller as a page has, so
# that board, orders, sentences and what may be known are the same; what leaves here is made of the guest's observation.

log = logging.getLogger(__name__)

MOST = 60
"""Guests whose games are kept in mind."""
_LOG = 80
"""Lines of the log that are sent."""
_SOON = 0.25
"""Seconds that odds and figures may take; without them the board comes all the same."""


class Desk:
    """The guests of all rooms."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._guests: OrderedDict[tuple[str, int], Controller] = OrderedDict()

    def guest(self, code: str, seat: int, size: Sequence[int]) -> Controller:
        """The guest in a seat, up to date, with a board of this size (width, height, px)."""
        key = code, seat
        control = self._guests.get(key)
        if control is None:
            table = Table(self._rooms, code, seat)
            control = self._guests[key] = Controller(table.match.game.name)
            control.sit_down(table)
            while len(self._guests) > MOST:
                self._guests.popitem(last=False)
        self._guests.move_to_end(key)
        control.room = float(size[0]), float(size[1])
        control.tall = size[0] < PHONE
        control.status.text, control.status.error = "", False
        control.catch_up()
        return control

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The answer to one question of the server."""
        try:
            control = self.guest(asked["room"], asked["seat"], asked["size"])
            with speaking(control.voice):
                do = asked["do"]
                return {"status": 200, "view": act(control, do)}
        except StaleError as error:
            return {"status": 409, "error": str(error)}
        except RoomError as error:
            self._guests.pop((asked["room"], asked["seat"]), None)  # it is made anew from the file
            return {"status": error.status, "error": str(error)}
        except NavalkitError as error:
            text = str(error)
            return {"status": 400, "error": text[:1].upper() + text[1:]}
        except Exception:
            log.exception(SAY("table.failed"))
            self._guests.pop((asked["room"], asked["seat"]), None)
            return {"status": 500, "error": SAY("inside", comfort="")}


def act(control: Controller, do: dict[str, Any]) -> dict[str, Any]:
    """Do what a guest asks for, and say what they see then. ``do``: an order (`Sent`), or ``rules`` for the rules by id
    instead; {} only looks. NavalkitError for an order that cannot be given."""
    if "rules" in do:
        return {"rules": [[id, rule.text] for id, rule in control.game.rules().items()]}
    if do:
        control.take(sent := Sent.read(do))
    return view(control) | {"standing": control.standing(sent.journal if do else "")}


def view(control: Controller) -> dict[str, Any]:
    """All that a guest sees: made of what the guest may know."""
    glance, page, match, table = control.glance(), control.page, control.match, control.table
    assert table is not None
    rules = control.game.rules()
    over = match.over
    seen = {
        "game": control.game.title,
        "side": control.name_of_seat,
        "mine": match.turn == control.me,
        "over": over,
        "headline": control.ending() or control.headline(),
        "happened": control.happened(),
        "now": page.now(glance),
        "said": control.status.text,
        "guide": page.guide(glance),
        "example": page.example,
        "orders": [_order(order) for order in control.orders()],
        "board": board(control.scene()),
        "log": [[event.text, event.rule, rules[event.rule].text if event.rule in rules else ""]
                for event in control.events()[: -_LOG - 1 : -1]],
        "tables": [asdict(each) for each in _tables(control) if each is not None],
        "undo": {"asks": table.asks, "me": table.me, "can": control.can_undo() and not over},
        "clock": [table.left(player) for player in range(2)] if table.minutes else None,
        "running": match.turn if table.minutes and not over else None,
        "analysis": match.analysis,
        "commitment": match.bound,
    }
    if over:
        seen["record"], seen["seed"] = match.dumps(), str(match.seed)
        if "record=" in (query := match.share()):  # a link holds no longer game
            seen["review"] = page_url("play", f"game={control.name}&{query[1:]}&review={control.me + 1}")
    return seen


def board(scene: Scene) -> dict[str, Any]:
    """The board with its cells, those that do something when they are tapped first of all."""
    cells = [
        [cell.id, cell.alt, classroom.points(cell.outline), cell.action is not None or cell.pick is not None or
         cell.window is not None]
        for cell in scene.cells
    ]
    return classroom.picture(scene) | {"cells": cells}


def _order(order: Order) -> dict[str, Any]:
    return {
        "text": order.text, "label": order.label, "odds": _soon(order.odds) or "", "help": order.help,
        "primary": order.primary
    }


def _tables(control: Controller) -> Iterable[Figures | None]:
    page, match = control.page, control.match
    if match.over:
        yield _soon(page.report(control.game, match, ()))
    yield _soon(page.facts(control.glance()))


def _soon(data: Any) -> Any:
    """Data that is there, or comes soon; else None."""
    if not isinstance(data, Awaited):
        return data
    try:
        return run(data, seconds=_SOON)
    except OutOfTimeError:
        return None


def main() -> None:
    """Answer until the server closes the line."""
    desk = Desk(Rooms(Path(sys.argv[1])))
    for line in sys.stdin:
        asked = json.loads(line)
        told = desk.answer(asked) | {"number": asked["number"]}
        print(json.dumps(told, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()


# -- The part of a game's page that lets somebody on another device play the other side ------------

DAY = 24 * 60
MINUTES = (0, 10, 30, 60, 7 * DAY, 30 * DAY)
"""Each player's time, to choose from; 0 is no clock, days are for play by correspondence."""
PLAYERS = ("host", "guest")


class Invite:
    """The panel, in its ``place`` on the page, which is hidden until then. ``bridge`` keeps the ticket by which a
    reloaded page comes back to its game."""

    def __init__(self, control: Controller, bridge: Bridge, place: Box) -> None:
        made = maker(control.guard, ROOM)
        self._control, self._bridge = control, bridge
        self._rooms: Rooms | None = None
        self._news: News | None = None
        self._seated = False
        self.door, self.text = Door(), classed(HTML(), "nk-room-text")
        self.door.found = control.guard(self.show)
        self.minutes = Dropdown(options=[(_named(n), n) for n in MINUTES],
                                description=ROOM("invite.time"), tooltip=ROOM("invite.time.help"))
        self.begin = made("invite.begin", self._begin)
        self.begin.button_style = "primary"
        self.copy = made("invite.copy", self._copy)
        self.yes = made("invite.yes", lambda: control.answer_undo(True))
        self.no = made("invite.no", lambda: control.answer_undo(False))
        self._start = box("nk-room-row", self.minutes, self.begin)
        self._answer = box("nk-room-row", self.yes, self.no)
        self.widget = place
        place.children = self.text, self._start, self.copy, self._answer, self.door
        self._open = False
        self.show()

    def met(self, ticket: str) -> bool:
        """Sit down again at the table that the browser remembers; False if there is none any more."""
        if not ticket or (table := Table.again(self._file(), ticket)) is None:
            return False
        self._sit(table)
        return True

    def show(self) -> None:
        """Bring the panel up to date; the page calls it with every change."""
        table = self._control.table
        if self._seated and table is None:  # another game was begun: the other side's link leads to the old one
            self._seated = False
            self._bridge.store(self._control.ticket_key, None)
        asked = table is not None and table.asks is not None and table.asks != table.me
        visible = self._open or table is not None
        for widget, wanted in (
            (self.widget, visible), (self._start, table is None),
            (self.copy, table is not None and not table.joined), (self._answer, asked),
        ):
            shown(widget, wanted)
        self.text.value = self._text(table) if visible else ""

    def toggle(self) -> None:
        """Open the panel, or close it."""
        self._open = not self._open
        self.show()

    def _text(self, table: Table | None) -> Markup:
        if table is None:
            return paragraph(ROOM("invite.about"))
        bound = html("<p class=nk-note>{}</p>", ROOM("invite.luck", commitment=table.match.bound))
        if not table.joined:
            return self.door.html(table.code, self.door.check(table.rooms)) + bound
        if table.asks is not None:
            return paragraph(ROOM("invite.mine" if table.asks == table.me else "invite.ask"))
        said = ROOM("invite.here")
        if table.minutes:
            mine, theirs = (_spelt(table.left(player)) for player in (table.me, 1 - table.me))
            said += " " + ROOM("invite.left", mine=mine, theirs=theirs)
        if table.match.over:
            said = ROOM("invite.proof", seed=str(table.match.seed), commitment=table.match.bound)
        return html("<p class=nk-note>{}</p>", said)

    def _file(self) -> Rooms:
        if self._rooms is None:
            self._rooms = Rooms()
            self._news = News(self._rooms, self._control.guard(self._heard))
        return self._rooms

    def _begin(self) -> None:
        control = self._control
        names = PLAYERS if control.me == 0 else PLAYERS[::-1]
        match = Match.new(control.game, fresh_seed(secret=True), names)
        table = Table.lay(self._file(), match, control.me, int(self.minutes.value))
        self._bridge.store(self._control.ticket_key, table.ticket)
        self._sit(table)

    def _sit(self, table: Table) -> None:
        self._seated = True
        self._control.sit_down(table)
        assert self._news is not None
        self._news.listen()

    def _heard(self) -> None:
        """Somebody has written to the file: the other side has come, or done something."""
        if not self._control.catch_up():
            self.show()

    def _copy(self) -> None:
        if (table := self._control.table) is not None:
            self._bridge.copy(f"{self.door.addresses[0].url}/{table.code}", "link")


def _named(minutes: int) -> str:
    if not minutes:
        return ROOM("invite.none")
    return ROOM("invite.clock", n=minutes) if minutes < DAY else ROOM("invite.days", n=minutes // DAY)


def _spelt(seconds: float) -> str:
    if seconds <= 0:
        return ROOM("invite.up")
    minutes, rest = divmod(int(seconds), 60)
    if minutes >= DAY:
        return ROOM("invite.long", days=minutes // DAY, hours=minutes % DAY // 60)
    return f"{minutes}:{rest:02}"
