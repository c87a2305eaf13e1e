"""How people get into a room from a page: the address, its code for phones to read, and news from the room."""

from __future__ import annotations
import asyncio
import json
import logging
import os
import sys
import time
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
from navalkit.core.game import Game
from navalkit.core.match import Match
from navalkit.core.registry import load, page_url
from navalkit.core.seeds import fresh_seed
from navalkit.core.shown import Markup, html, many
from navalkit.core.words import ENGLISH, speaking
from navalkit.rooms import classroom
from navalkit.rooms.door import KERNEL_ID, Address, addresses, answers, has_gate, told
from navalkit.rooms.refused import RoomError
from navalkit.rooms.store import Rooms
from navalkit.rooms.table import BEAT, HERE, SAME, SWAP, Table
from navalkit.view.lobby import Start, starts
from navalkit.view.page import Order, Table as Figures
from navalkit.view.scene import Scene
from .. import SAY
from ..board import confirming
from ..desk import looping
from ..play.controller import Controller
from ..play.turns import Sent, StaleError
from ..shell import PHONE, Bridge
from ..widgets import HTML, Box, Dropdown, Scripted, box, classed, maker, shown
from . import ROOM

GLANCE = 0.2
"""Seconds between two looks at the file of all rooms."""
RETRY = 1.0
"""Seconds until what could not be read, shown or written down is tried again."""
SIGN = 1.0
"""Seconds between two signs of life of a page that holds a class."""


class Door(Scripted):
    """An invisible widget that knows the page's own address, and can have the server let the network in. ``found`` is
    called when the browser has told the one, ``answered`` with what hinders the other, "" if nothing does."""

    _esm = Path(__file__).with_name("door.js")
    _css = Path(__file__).with_name("door.css")
    browser = traitlets.Unicode().tag(sync=True)

    def __init__(self) -> None:
        super().__init__(layout={"display": "none"})
        self.found: Callable[[], None] = lambda: None
        self.answered: Callable[[str], None] = lambda refused: None
        self.rooms: Rooms | None = None
        """The file of all rooms, once there is need of it."""
        self.observe(lambda _: self.found(), "browser")
        self.hear(gate=lambda told: self.answered(str(told.get("refused", ""))))

    @property
    def gate(self) -> list[str]:
        """The addresses by which the network is let in."""
        return self.rooms.gate(told().get("gate", "")) if self.rooms else []

    @property
    def closed(self) -> bool:
        """Whether nobody can come in until the server lets the network in."""
        return has_gate(self.browser) and not self.gate

    def ask(self, *, open: bool) -> None:
        """Have the server let the network in, or do so no more."""
        self.send({"open": open})

    @property
    def addresses(self) -> list[Address]:
        """What people may type, the likeliest first."""
        return addresses(self.browser, self.gate)

    def picture(self, url: str) -> str:
        """A code for phones to read, as the address of a picture."""
        return str(segno.make(url, error="m").svg_data_uri(scale=4, border=3))

    def html(self, code: str, *facts: str) -> Markup:
        """The way in: a code to read with a phone, an address to type, and further lines."""
        first, *others = self.addresses
        url = f"{first.url}/{code}"
        picture = self.picture(url)
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
    """Looks at the file of all rooms five times a second, and tells when somebody else has written to it, and from time
    to time at any rate; while something is ``owed``, every second. ``tell``: inside the page's error boundary. Whatever
    fails there, the next look comes. ``sign``: done every second, as a sign of life."""

    def __init__(self, rooms: Rooms, tell: Callable[[], None], owed: Callable[[], bool] = lambda: False,
                 sign: Callable[[], None] = lambda: None) -> None:
        self._rooms, self._tell, self._owed, self._sign = rooms, tell, owed, sign
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
        version, beat, told, signed = 0, time.monotonic() + BEAT, 0.0, 0.0
        while True:
            try:
                at = time.monotonic()
                if at > signed + SIGN:
                    signed = at
                    self._sign()
                if (now := self._rooms.version) != version or at > beat or (self._owed() and at > told + RETRY):
                    version, beat, told = now, at + BEAT, at
                    self._tell()
                await asyncio.sleep(GLANCE)
            except Exception:  # the file cannot be read, or what is to be shown fails: it may go well the next time
                log.exception("a look at the rooms failed")
                version = 0
                await asyncio.sleep(RETRY)


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

    def guest(self, code: str, seat: int, size: Sequence[int], lang: str = ENGLISH) -> Controller:
        """The guest in a seat, up to date, with a board of this size (width, height, and of a phone lying down
        `Look.hole`; px), in this language."""
        key = code, seat
        control = self._guests.get(key)
        if control is None:
            table = Table(self._rooms, code, seat)
            control = self._guests[key] = Controller(table.match.game.name)
            control.sit_down(table)
            while len(self._guests) > MOST:
                self._guests.popitem(last=False)
        self._guests.move_to_end(key)
        control.lang = lang
        control.room = float(size[0]), float(size[1])
        control.hole = (*map(float, size[2:6]),) if len(size) == 6 else None  # type: ignore[assignment]
        control.tall = size[0] < PHONE and control.hole is None
        control.status.text, control.status.error = "", False
        assert control.table is not None
        control.table.here()
        with speaking(control.voice):
            control.catch_up()
        return control

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The answer to one question of the server."""
        try:
            control = self.guest(asked["room"], asked["seat"], asked["size"], asked.get("lang", ENGLISH))
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
        "aims": _aims(control),
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
        "where": table.where,
        "doubt": table.doubt,
        "won": [table.won[table.seat], table.won[1 - table.seat]] if over or table.games > 1 else None,
        "wants": None if table.wants is None else [table.wants[0] == table.me, table.wants[1]],
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
    """The board with its cells; of each that gives an order what the button says that confirms a finger's tap."""
    cells = [[cell.id, cell.alt, classroom.points(cell.outline), confirming(cell)] for cell in scene.cells]
    return classroom.picture(scene) | {"cells": cells}


def _aims(control: Controller) -> str:
    """In a line how it stands, or after the end why it ended: what the strip over the host's board says."""
    glance, page, match = control.glance(), control.page, control.match
    if match.over:
        return page.why(control.game, match, control.me)
    aims = page.aims(glance)
    if aims is None:
        return ""
    sides = [f"{camp.name} {camp.score}".strip() for camp in aims.camps]
    return " · ".join([*sides, f"{aims.left} {aims.of}".strip()])


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
OWN = -1
"""Of what is played: what the page has on its board, with options of its own."""


class Invite:
    """Inviting somebody, and what is said of them from then on. ``bridge`` keeps the ticket by which a reloaded page
    comes back to its game. ``page`` is shown in the place of the board until they have come, ``strip`` beside it from
    then on; both are hidden before. ``turned`` is called with whether the page is to be seen."""

    def __init__(self, control: Controller, bridge: Bridge, page: Box, strip: Box,
                 turned: Callable[[bool], None]) -> None:
        made = maker(control.guard, ROOM)
        self._control, self._bridge, self._turned = control, bridge, turned
        self._rooms: Rooms | None = None
        self._news: News | None = None
        self._seat: Table | None = None
        self._open = False
        self.door, self.text, self.told = Door(), classed(HTML(), "nk-room-text"), HTML()
        self.door.found, self.door.answered = control.guard(self.show), control.guard(self._let_in)
        self.which = Dropdown(options=[("", OWN)], description=ROOM("invite.which"))
        self.which.observe(control.guard(lambda _: self._sides()), "value")
        self.side = Dropdown(options=[("", 0)], description=ROOM("invite.side"))
        self.minutes = classed(Dropdown(options=[(_named(n), n) for n in MINUTES], description=ROOM("invite.time"),
                                        tooltip=ROOM("invite.time.help")), "nk-room-clock")
        self.begin = made("invite.begin", self._press)
        self.copy, self.close = made("invite.copy", self._copy), made("invite.close", lambda: self.door.ask(open=False))
        self.open = made("invite.open", lambda: self.door.ask(open=True))
        self.back = made("invite.back", self.toggle)
        for each in (self.begin, self.open):
            each.button_style = "primary"
        self.yes = made("invite.yes", lambda: control.answer(True))
        self.no = made("invite.no", lambda: control.answer(False))
        self.swap = made("invite.swap", lambda: control.again(SWAP))
        self.same = made("invite.same", lambda: control.again(SAME))
        for each in (self.swap, self.yes):
            each.button_style = "primary"
        self._start = box("nk-room-row", self.which, self.side, self.minutes)
        self._answer = box("nk-room-row", self.yes, self.no)
        self._again = box("nk-room-row nk-room-again", self.swap, self.same)
        self._keys = box("nk-room-row nk-room-keys", self.begin, self.open, self.copy, self.close, self.back)
        self.page, self.strip = page, strip
        page.children = self.text, self._start, self._keys, self.door
        strip.children = self.told, self._answer, self._again
        self._offer()
        self.show()

    def _offer(self) -> None:
        """What can be played: what the page has, or one of the game's ways to begin."""
        control = self._control
        own = () if any(control.plays(each) for each in self._starts) else ((ROOM("invite.own"), OWN),)
        self.which.options = [*own, *((each.said("title"), n) for n, each in enumerate(self._starts))]
        self.which.value = OWN if own else next(n for n, each in enumerate(self._starts) if control.plays(each))
        self._sides()

    @property
    def _starts(self) -> tuple[Start, ...]:
        return starts(self._control.name)

    def _game(self) -> Game[Any, Any]:
        control, n = self._control, self.which.value
        return control.game if n == OWN else load(control.name, **self._starts[n].options)

    def _sides(self) -> None:
        side, game = self.side.value or 0, self._game()
        self.side.options = [(name[:1].upper() + name[1:], n)
                             for n, name in enumerate(self._control.page.players(game)[:2])]
        self.side.value = side

    def met(self, ticket: str) -> bool:
        """Sit down again at the table that the browser remembers; False if there is none any more."""
        if not ticket or (table := Table.again(self._file(), ticket)) is None:
            return False
        self._open = True
        self._sit(table)
        return True

    def show(self) -> None:
        """Bring it up to date; the page calls it with every change."""
        table, inviting = self._control.table, self.inviting
        if self._seat is not None and table is None:  # another game was begun: the link leads to the old one
            self._seat.leave()
            self._seat, self._open = None, False
            self._bridge.store(self._control.ticket_key, None)
        joined = table is not None and table.joined
        asked = table is not None and any(
            by not in (None, table.me) for by in (table.asks, table.wants and table.wants[0]))
        over = joined and table is not None and table.match.over and table.wants is None
        closed, let_in = self.door.closed, bool(self.door.gate)
        for widget, wanted in (
            (self.page, inviting), (self.strip, joined and not inviting), (self._start, table is None),
            (self.begin, table is None), (self.open, table is not None and closed),
            (self.copy, table is not None and not closed), (self.close, let_in), (self._answer, asked),
            (self._again, over),
        ):
            shown(widget, wanted)
        self.begin.say("invite.let" if closed else "invite.begin")
        self.text.value = (self._invitation(table) if table else self._about()) if inviting else ""
        self.told.value = self._told(table) if table and joined else ""
        self._turned(inviting)

    @property
    def inviting(self) -> bool:
        """Whether the invitation is to be seen in the place of the board."""
        table = self._control.table
        return self._open and (table is None or not table.joined or self.door.closed)

    def toggle(self) -> None:
        """Open the invitation, or close it."""
        self._open = not self._open
        if self._open:
            self._file()
            self._offer()
        self.show()

    def _about(self) -> Markup:
        """What inviting somebody does, and what it opens."""
        opens = ROOM("invite.opens") if self.door.closed else ""
        return html("<h2>{}</h2><p>{}</p><p class=nk-note>{}</p>", ROOM("invite.title", game=self._control.game.title),
                    ROOM("invite.about"), opens)

    def _invitation(self, table: Table) -> Markup:
        """The way in, in columns: the code, a picture of the link for phones, and the link."""
        title = ROOM("invite.closed" if self.door.closed else "invite.wait")
        if self.door.closed:
            return html("<h2>{}</h2><p>{}</p>", title, ROOM("invite.opens"))
        first, *others = self.door.addresses
        url = f"{first.url}/{table.code}"
        typed = first.url.removeprefix("http://")
        form = ('<h2>{}</h2><div class=nk-room-ways><section><h3>{}</h3><p class=nk-room-code><span>{}</span>'
                '<span>{}</span></p><p>{}</p></section><section class=nk-room-scan><h3>{}</h3><img alt="{}" src="{}">'
                '</section><section><h3>{}</h3><p class=nk-room-address>{}</p><p class=nk-note>{}</p>{}</section></div>'
                '<p class=nk-note>{}</p>')
        half = len(table.code) // 2
        others_too = many("<p class=nk-note>{}</p>", (ROOM("door.other", address=each.url) for each in others[:2]))
        return html(form, title, ROOM("invite.by.code"), table.code[:half], table.code[half:],
                    ROOM("invite.typed", address=typed), ROOM("invite.by.picture"), ROOM("door.picture", url=url),
                    self.door.picture(url), ROOM("invite.by.link"), url, self.door.check(table.rooms), others_too,
                    self._plays(table))

    def _plays(self, table: Table) -> str:
        mine, theirs = (self._control.page.players(table.match.game)[player] for player in (table.me, 1 - table.me))
        return ROOM("invite.plays", mine=mine, theirs=theirs)

    def _told(self, table: Table) -> Markup:
        """Who is there, and what they ask for."""
        said = ROOM(f"invite.{table.where}")
        if table.minutes:
            mine, theirs = (_spelt(table.left(player)) for player in (table.me, 1 - table.me))
            said += " " + ROOM("invite.left", mine=mine, theirs=theirs)
        if table.games > 1 or table.match.over:
            said += " " + ROOM("invite.won", mine=table.won[table.seat], theirs=table.won[1 - table.seat])
        asked = ""
        if table.asks is not None:
            asked = ROOM("invite.mine" if table.asks == table.me else "invite.ask")
        elif table.wants is not None:
            by, how = table.wants
            asked = ROOM(f"invite.{'offered' if by == table.me else 'offers'}.{how}")
        proof = ""
        if table.match.over:
            proof = ROOM("invite.proof", seed=str(table.match.seed), commitment=table.match.bound)
        fair = many("<details class=nk-note><summary>{}</summary>{}</details>",
                    [(ROOM("invite.fair"), proof)] if proof else [])
        return html('<p class=nk-room-who data-there="{}">{}</p>{}{}', int(table.where == HERE), said,
                    many("<p><b>{}</b></p>", filter(None, (asked,))), fair)

    def _file(self) -> Rooms:
        if self._rooms is None:
            self._rooms = self.door.rooms = Rooms()
            self._news = News(self._rooms, self._control.guard(self._heard))
        return self._rooms

    def _press(self) -> None:
        """Make the link; first the network is let in, where it has to be."""
        if self.door.closed:
            self.door.ask(open=True)
        else:
            self._begin()

    def _let_in(self, refused: str) -> None:
        """The server has answered."""
        if refused:
            self._control.say(refused, error=True)
        elif self._open and self._control.table is None and self.door.gate:
            self._begin()
        self.show()

    def _begin(self) -> None:
        """A new game for two devices."""
        control, game, seat = self._control, self._game(), int(self.side.value)
        names = PLAYERS if seat == 0 else PLAYERS[::-1]
        table = Table.lay(self._file(), Match.new(game, fresh_seed(secret=True), names), seat, int(self.minutes.value))
        self._bridge.store(control.ticket_key, table.ticket)
        self._sit(table)

    def _sit(self, table: Table) -> None:
        self._seat = table
        if kernel := os.environ.get(KERNEL_ID, ""):
            table.rooms.plays(kernel, table.code, table.seat)
        table.here()
        self._control.sit_down(table)
        assert self._news is not None
        self._news.listen()

    def _heard(self) -> None:
        """Somebody has written to the file, or it is time to look who is there."""
        if (table := self._control.table) is not None:
            table.here()
            if (doubt := table.doubt) and looping():  # nothing is written when somebody does not come back
                asyncio.get_running_loop().call_later(doubt + GLANCE, self._control.guard(self.show))
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
