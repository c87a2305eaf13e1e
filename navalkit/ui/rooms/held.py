"""How a page holds a class: it takes it up, makes each press whole or not at all, hears who leads the class elsewhere,
and writes down what it shows. A class is held by one page: one that has lost it writes nothing.

What stands on the page is a subclass's (`panel`).
"""

from __future__ import annotations
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from secrets import token_hex
from typing import Any

from navalkit.core.errors import NavalkitError, NotationError, OptionError
from navalkit.rooms import Order
from navalkit.rooms.classroom import ClassRoom, HeldError, handed_over, left_of, receipt_of
from navalkit.rooms.refused import RoomError, StrangeError, UnwrittenError, damage
from navalkit.rooms.store import Rooms
from .. import SAY
from ..frontend import current
from ..play.turns import Sent, StaleError
from ..shell import Bridge, Model
from . import ROOM
from .door import News
from .screen import DOOR, READY

SEEN = 3.0
"""Seconds that a press which was refused is spoken of, at least."""
REPORT = "class-report.html"
LATELY = 4 * 3600.0
"""Seconds within which a class that was not ended is offered again, where the browser does not know it any more."""
ELSEWHERE = "elsewhere"
"""Where a press was given on a page whose class another one has."""
MOST_TABS = 8
"""Tabs of which it is kept how many of their presses were heard."""


def kept_under(key: str) -> list[str]:
    """Under what the browser keeps the code of a class, and this tab its own name, whatever page of it one is on."""
    return [key, f"{key}-tab"]


class Held:
    """A class that a page holds, or none. ``key``: under which the browser keeps the code of the class."""

    def __init__(self, model: Model, bridge: Bridge, key: str) -> None:
        self._model, self._bridge = model, bridge
        self._key, self._tab_key = kept_under(key)
        self._tab = ""  # the name of the browser's tab: the class knows by it which one has it
        model.whole = self.whole
        bridge.handlers["order"] = model.guard(self._ordered)
        bridge.handlers["unkept"] = model.guard(self._unkept)
        bridge.handlers["received"] = model.guard(self._received)
        bridge.opening = lambda: not (self.ready and self.settled)
        self._met = False
        self._earlier = ""  # a class that was led from such a page and is open, as this one was begun
        self._given: dict[str, int] = {}  # tab -> the last press of its journal that was heard
        self._last: tuple[str, Mapping[str, Any]] | None = None  # and the last of all: where it was given, and what
        self.room: ClassRoom | None = None
        self._news: News | None = None
        self._ticket = ""
        self._sent = ""  # the receipt of the report that was sent last
        self._orders_wait = False  # whether a leader's orders were left for later
        self._untaken = False  # whether they could not be taken
        self._owed = ""  # what is said while something could not be written down, which is tried again
        self._refused, self._until = "", 0.0  # what is said of a press that was refused, and until when at least
        self.sees = DOOR
        self.minutes, self._since = 45, 0.0
        self._door: bool | None = None  # whether the way in is shown: as the teacher wants it, or by itself
        self._late = False  # whether nobody was in yet when the question was put

    # What a panel overrides -----------------------------------------------------------------------------------------

    def show(self) -> None:
        """Bring the page up to date."""

    def press(self, order: str, what: str = "", stand: str = "") -> None:
        """Do one of `ORDERS`."""

    @property
    def presses(self) -> Mapping[str, Callable[[], None]]:
        """What buttons do of which a press is kept while there is no line, by the CSS class of their keys."""
        return {}

    def fill(self, fields: Sequence[str]) -> None:
        """Take what the fields of the page said as such a button was pressed."""

    @property
    def stand(self) -> str:
        """Where the class stands: another text after every step."""
        return ""

    def is_meant(self, what: Mapping[str, Any], stand: str) -> bool:
        """Whether a press that was given where the class stood so is meant where it stands now."""
        return stand == self.stand

    @property
    def title(self) -> str:
        """What phones show above the questions."""
        return ""

    def entered(self) -> None:
        """The room is there, a new one or one taken up again."""

    def left(self) -> None:
        """The class has ended."""

    @property
    def ready(self) -> bool:
        """Whether it is where the class was, after a page has been loaded anew: until then the class sees a blank sea,
        and orders wait."""
        return True

    @property
    def settled(self) -> bool:
        """Whether what the page opens with is there: before, an order would be of another place, and waits."""
        return True

    def keeps(self) -> dict[str, Any]:
        """Where the page stands, for the room to keep with each of its steps: a page that takes the class up again is
        put there."""
        return {"page": self._key, "sees": self.sees, "since": self._since, "minutes": self.minutes,
                "given": self._given, "tab": self._tab}

    def stands(self) -> Any:
        """Where the class stands, for `stand_at`."""
        return {name: vars(self)[name] for name in ("sees", "_door", "_late", "minutes", "_given")}

    def stand_at(self, stood: Any) -> None:
        """Stand where it stood, as if a press had not been made."""
        vars(self).update(stood)

    # Having a class -------------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Make a class whose way in is not open yet, so that a phone or a second window can be given the lead; of a
        class that stands, let another device have it."""
        if self.room is None:
            self.start(at=READY)
        elif not self.lost:
            self._ticket = self.room.rooms.ticket(self.room.code)
            self.show()

    @property
    def offered(self) -> bool:
        """Whether the lead is offered, and nobody has taken it yet."""
        return self.room is not None and bool(self._ticket) and self.room.rooms.offers(self.room.code, self._ticket)

    def start(self, code: str = "", *, new: bool = True, at: str = DOOR, take: bool = True) -> None:
        """Take up a class that is not over; where there is none of that code, open one if it may be a new one. ``at``:
        what a new class sees first. ``take``: whether it is held from now on, or another page keeps it."""
        if not current().rooms:
            raise OptionError(ROOM("none"))
        rooms = Rooms()
        try:
            goes_on = code in rooms.codes("class") and rooms.room(code).shown.get("phase") != "over"
            if not goes_on and not new:
                rooms.close()
                return
            self._earlier = "" if goes_on else self._still_open(rooms)
            room = ClassRoom(self.title, rooms, code if goes_on else "", take=take)
            self._ticket = rooms.ticket(room.code) if at == READY and not goes_on else ""
        except BaseException:
            rooms.close()
            raise
        self.room = room
        if not self._tab:
            self._tab = token_hex(8)
            self._bridge.store(self._tab_key, self._tab, tab=True)
        try:
            self.sees = str(room.kept.get("sees", at)) if goes_on else at
            self._since = float(room.kept.get("since", 0)) or time.time()
            self.minutes = int(room.kept.get("minutes", self.minutes))
            self._given = dict(room.kept.get("given", {}))
            room.keeps = self.keeps
            self.entered()
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if not goes_on or isinstance(error, NavalkitError):
                raise
            self._let_go()
            raise StrangeError(code, f"{type(error).__name__}: {error}") from error
        self._bridge.store(self._key, room.code)
        self._news = News(rooms, self._come_news, sign=self._sign,
                          owed=lambda: bool(self._owed or self._refused or self._untaken))
        self._news.listen()
        if room.report_owed and not self.lost:  # a kernel before this one has sent it, and nobody knows that it arrived
            self._hand_over(room.code, room.report_owed)
            self._model.say(ROOM("class.reporting"))

    def met(self, query: str, stored: Mapping[str, str]) -> None:
        """The page is there: take up the class it had, or open one if the address asks for it. A tab that had lost it
        to another page has lost it still when it is loaded again, as after its kernel's death: a press takes it
        back."""
        self._met, new, code = current().rooms, "class=" in query, stored.get(self._key, "")
        self._tab = stored.get(self._tab_key, "") if self._bridge.again else ""
        if self.room is None and (code or new) and not (code and self._met and self._handed_over(code)):
            self.start(code, new=new, take=not self._taken(code))

    def _handed_over(self, code: str) -> bool:
        """Whether the class has ended while nobody could take its report: it is handed over now."""
        with closing(Rooms()) as rooms:
            report = left_of(rooms, code)
        if report:
            self._hand_over(code, report)
            self._bridge.store(self._key, None)
            self._model.say(ROOM("class.handed", code=code))
        return bool(report)

    def _hand_over(self, code: str, report: str) -> None:
        """Send a report to the browser, which says so once it has it (`_received`)."""
        self._sent = receipt_of(code, report)
        self._bridge.download(REPORT, report, self._sent)

    def _received(self, message: Mapping[str, Any]) -> None:
        """The browser has a report: it is kept no longer, and of a class that is on that is said."""
        room, receipt = self.room, str(message.get("receipt"))
        if room is None or self.lost or receipt.partition(" ")[0] != room.code:
            with closing(Rooms()) as rooms:
                handed_over(rooms, receipt)
        else:
            room.received(receipt)
            if receipt == self._sent:
                self._model.say(ROOM("class.reported"))

    def _unkept(self, message: Mapping[str, Any]) -> None:
        """The browser's storage takes nothing: where the class is found again is said."""
        if message.get("key") == self._key and self.room is not None:
            self._model.say(ROOM("class.unstored", code=self.room.code))

    def _still_open(self, rooms: Rooms) -> str:
        """The class that was led last from such a page on this machine, has somebody in it, and was not ended; "" if
        there is none."""
        for code in rooms.lately("class", LATELY):
            room = rooms.room(code)
            if room.shown.get("phase") != "over" and room.kept.get("page") == self._key and rooms.joined(code):
                return code
        return ""

    @property
    def earlier(self) -> str:
        """The class that may be meant, until somebody is in this one or it is asked something; "" if none is."""
        room = self.room
        return self._earlier if room is not None and not (room.round or room.joined) else ""

    def go_back(self) -> None:
        """Go on with the class before: this one, in which nobody is, is given up."""
        if not (code := self.earlier) or self.room is None:
            return
        self.room.end()
        self._let_go()
        self.start(code, new=False)
        self.show()

    def _sign(self) -> None:
        """Note that the class is held by a page that works: who leads it elsewhere is told if it does not."""
        if self.room is not None and not self.lost:
            with suppress(RoomError):  # a file that cannot be written is spoken of elsewhere
                self.room.rooms.here(self.room.code)

    @property
    def lost(self) -> bool:
        """Whether another page has taken the class over: this one shows so, and writes nothing."""
        return self.room is not None and not self.room.held

    def _taken(self, code: str) -> bool:
        """Whether this tab had the class, and another one has it now, by the class's own file: a kernel that was frozen
        or dead by then could not tell its tab."""
        if not (code and self._tab):
            return False
        with closing(Rooms()) as rooms:
            return bool(rooms.rev(code)) and rooms.room(code).kept.get("tab", self._tab) != self._tab

    def take_back(self) -> None:
        """Have the class on this page again, where it stands now."""
        if self.room is None:
            return
        code = self.room.code
        self._let_go()
        self.start(code, new=False)
        self.show()

    def _let_go(self) -> None:
        """Have no class any more."""
        if self._news is not None:
            self._news.stop()
        if self.room is not None:
            self.room.rooms.close()
        self.room, self._door, self._owed, self._refused = None, None, "", ""
        self.left()

    # Presses, orders, and what is written down ----------------------------------------------------------------------

    @contextmanager
    def whole(self) -> Iterator[None]:
        """A press is made whole, or the class stands where it stood: then the same press does it later."""
        room, stood = self.room, self.stands()
        try:
            yield
        except HeldError:
            self._back_to(room, stood)
            raise
        except UnwrittenError as error:
            self._back_to(room, stood)
            if self.room is None:
                raise
            self._refused, self._until = ROOM("class.refused", why=error.why), time.monotonic() + SEEN
            raise RoomError(self._refused, error.status) from error
        except Exception as error:
            if (damaged := damage(error)) is None:
                raise
            self._back_to(room, stood)
            self._owed = str(damaged)  # for the class's screen
            raise damaged from error

    def _ordered(self, message: Mapping[str, Any]) -> None:
        """A press that the tab's journal has kept while there was no line, and may bring more than once: it is made
        once, and only where it was given. It is written down as heard together with what it does. One that is refused
        is not heard: if the answer is lost, it comes again, and is refused again."""
        number = message["order"].get("n")
        try:
            sent = Sent.read(message["order"])
        except NotationError:
            self._bridge.drop(number)
            raise
        code, _, stand = sent.at.partition(" ")
        if self.room is None and self._met and self._ended(code):
            self._bridge.drop(number)
        if self.room is not None and sent.at == f"{self.room.code} {ELSEWHERE}":  # that the class be here again
            self._bridge.drop(number)
            if self.lost and sent.number > self._given.get(sent.journal, 0):
                self._do(sent.do)
                self._count(sent)
                self.show()
            return
        if self.room is not None and self.lost:  # pressed before it was known that another page has the class
            self._bridge.drop(number)
            if sent.number > self._given.get(sent.journal, 0):
                raise StaleError(SAY("order.stale"))
            return
        if self.room is None or not (self.ready and self.settled):
            return
        if code != self.room.code:  # of a class that has ended, as was said
            self._bridge.drop(number)
            return
        known = self._given
        try:
            if sent.number > self._given.get(sent.journal, 0):
                self._count(sent)
                before, self._last = self._last, (sent.at, sent.do)
                if self.is_meant(sent.do, stand):
                    self._do(sent.do)
                elif self._last != before:  # else it was pressed again while nobody answered
                    raise StaleError(SAY("order.stale"))
        except NavalkitError:  # it is not made, and that is said
            self._given, self._last = known, None
            self._bridge.drop(number)
            raise
        self.show()
        self._tell_journal(again=True)

    def _count(self, sent: Sent) -> None:
        """A tab's press is heard."""
        rest = [each for each in self._given.items() if each[0] != sent.journal][-MOST_TABS:]
        self._given = {**dict(rest), sent.journal: sent.number}

    def _ended(self, code: str) -> bool:
        """Whether a class has ended, or is gone: by a press of which the answer was lost, as a rule."""
        with closing(Rooms()) as rooms:
            return not rooms.rev(code) or rooms.over(code)

    def _do(self, what: Mapping[str, Any]) -> None:
        if "order" in what:
            self.press(str(what["order"]))
        elif call := self.presses.get(str(what.get("press"))):
            self.fill([str(each) for each in what.get("fields", ())])
            call()

    def _tell_journal(self, *, again: bool = False) -> None:
        """Tell the tab's journal where the class stands, once it does, and which of its presses are heard, and safe."""
        if self._met and (self.lost or (self.ready and self.settled)):
            journal, n = next(reversed(self._given.items()), ("", 0))
            at = f"{self.room.code} {ELSEWHERE if self.lost else self.stand}" if self.room is not None else ""
            told = {"at": at, "journal": journal, "n": n, "safe": 0 if self._owed else n}
            self._bridge.stand(told | {"keys": list(self.presses)}, again=again)

    def _back_to(self, room: ClassRoom | None, stood: Any) -> None:
        """Stand where it stood; a class that was taken up meanwhile stands where the file has it."""
        if self.room is room:
            self.stand_at(stood)

    def _come_news(self) -> None:
        """Carry out what a leader elsewhere has asked for, each order once, and show what phones have done."""
        def take() -> None:
            self._orders_wait = not (self.ready and self.settled)
            room, before, self._untaken = self.room, None, False
            if room is None or self._orders_wait or self.lost:
                return
            try:
                for order in room.orders():
                    given = order.word, order.what, order.stand
                    if given != before or not order.stand:  # else it was pressed twice while nobody answered
                        self._carry_out(room, order)
                    before = given
                    if self.room is not room or self.lost:  # what else was ordered is for who has the class now
                        return
                    room.carried(order.number)
                    self._until = 0.0  # what was refused before can be written now
            except UnwrittenError:  # nor can it be noted that they are carried out: later, then
                self._untaken = True

        def look() -> None:
            said = self._model.status.text
            self._try_again()
            self.show()
            if said != self._model.status.text:
                self._model.repaint()

        self._model.guard(take)()
        self._model.guard(look)()

    def _carry_out(self, room: ClassRoom, order: Order) -> None:
        """Carry out a leader's order: that it is done is written with the step that moves the class on from where it
        stood. What moves it nowhere may be done again by a kernel that comes after one that was killed."""
        stood = self.stand
        room.carries = lambda: order.number if self.stand != stood else 0
        try:
            self._model.guard(self.press)(order.word, order.what, order.stand)
        finally:
            room.carries = int

    def _write_down(self, desk: Callable[[], dict[str, Any]] | None) -> None:
        """Keep where the page is, and lay out the leader's desk. What cannot be written now is tried again at the next
        look: that is said, and said no more once it is over."""
        room, status = self.room, self._model.status
        if room is None:
            return
        if self.lost:  # what could not be written is no more for this page to write
            if status.text and status.text in (self._owed, self._refused):
                status.text, status.error = "", False
            self._owed = self._refused = ""
            return
        owed, before = "", self._owed
        try:
            room.keep()
            if desk is not None:
                room.lay(desk())
        except UnwrittenError as error:
            owed = ROOM("class.unkept", why=error.why)
        except HeldError:  # it was lost just now, which the next look shows
            pass
        self._owed = owed
        if owed and owed != before and not self._refused:
            status.text, status.error = owed, True
        elif not owed and before and status.text == before:
            status.text, status.error = "", False

    def _try_again(self) -> None:
        """Say no more that a press was refused, once the file can be written."""
        if self.room is None or not self._refused or time.monotonic() < self._until:
            return
        try:
            self.room.touch()
        except (UnwrittenError, HeldError):
            return
        status = self._model.status
        if status.text == self._refused:
            status.text, status.error = "", False
        self._refused = ""
