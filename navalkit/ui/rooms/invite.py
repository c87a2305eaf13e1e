"""The part of a game's page that lets somebody on another device play the other side."""

from __future__ import annotations

from html import escape

from navalkit.core.luck.seeds import fresh_seed
from navalkit.core.match import Match
from navalkit.rooms.store import Rooms
from navalkit.rooms.table import Table

from ..bridge import Bridge
from ..play.controller import Controller
from ..widgets import HTML, Box, Dropdown, shown
from ..widgets.spoken import box, classed, maker
from .door import Door, News
from .say import ROOM

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
        self.minutes = Dropdown(
            options=[(_named(n), n) for n in MINUTES],
            description=ROOM("invite.time"), tooltip=ROOM("invite.time.help"),
        )  # fmt: skip
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
        ):  # fmt: skip
            shown(widget, wanted)
        self.text.value = self._text(table) if visible else ""

    def toggle(self) -> None:
        """Open the panel, or close it."""
        self._open = not self._open
        self.show()

    # Inside ---------------------------------------------------------------------------------------------------------

    def _text(self, table: Table | None) -> str:
        if table is None:
            return f"<p>{escape(ROOM('invite.about'))}</p>"
        bound = f"<p class=nk-note>{escape(ROOM('invite.luck', commitment=table.match.bound))}</p>"
        if not table.joined:
            return self.door.html(table.code, self.door.check(table.rooms)) + bound
        if table.asks is not None:
            return f"<p>{escape(ROOM('invite.mine' if table.asks == table.me else 'invite.ask'))}</p>"
        said = ROOM("invite.here")
        if table.minutes:
            mine, theirs = (_spelt(table.left(player)) for player in (table.me, 1 - table.me))
            said += " " + ROOM("invite.left", mine=mine, theirs=theirs)
        if table.match.over:
            said = ROOM("invite.proof", seed=str(table.match.seed), commitment=table.match.bound)
        return f"<p class=nk-note>{escape(said)}</p>"

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
