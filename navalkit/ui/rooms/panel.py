"""A class with phones on a page: the way in, who is in, what is asked, how many have answered, what they thought.

`RoomPanel` is what every such panel has: what the class's screen shows, and what its leader elsewhere sees and orders.
A subclass says what is asked.
"""

from __future__ import annotations
import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from navalkit.core.errors import OptionError
from navalkit.core.shown import Markup, html, many, paragraph
from navalkit.rooms.classroom import ClassRoom, HeldError, Poll, page, progress
from navalkit.rooms.door import told as told_by_server
from navalkit.rooms.refused import UnwrittenError
from navalkit.view.page import Question, Result
from navalkit.view.scene import Scene
from ..desk import looping
from ..frontend import current
from ..shell import Bridge, Model
from ..widgets import HTML, Box, KeyCheck, box, classed, maker, shown
from . import ROOM
from .door import Door
from .held import Held
from .screen import (
    BLANK,
    BOARD,
    DOOR,
    READY,
    Screen,
    Sea,
    code_picture,
    counted,
    flows,
    missed,
    painted,
    places,
    planned,
    rows as ranked,
    rule_of,
    way_in,
)

SAYS = ("answers", "before", "now", "flow")
"""What the class's screen says by itself."""
LINES = ("away", "busy", "silent", "refused", "resume", "stuck", "waits")
"""What it says of its line to Python, by what is the matter (connection.js), and of a press that waits for it."""
PLANS = ("20", "45", "90")
"""Minutes that a lesson may have."""
LEAST_WINDOW = 200
"""Pixels of a window that is one."""
DIVIDED = (0.3, 0.7)
"""Shares of right answers between which a class gains most by talking before it is asked again (Mazur, Peer
Instruction, 1997)."""
FEWEST = 3
"""Answers of which a share says anything."""
MOST_LINES = 8
"""Wrong answers that are told one by one."""
STEPS = ("next", "back", "reveal", "close", "ask", "again")
"""Orders that are of the step at which they were given."""


@dataclass(frozen=True)
class Face:
    """What the class's screen says: the question or headline, and at its foot one sentence and what stands under it."""

    head: str = ""
    strong: str = ""
    soft: str = ""
    html: str = ""
    """A longer text, beside the board."""
    side: str = ""
    """What stands at the right end of the bar."""
    asks: bool = True
    """Whether it is about the question asked last."""
    result: bool = True
    """Whether, once it is told, what was right is what it says."""


@dataclass(frozen=True)
class Secret:
    """What the leader alone sees: the right answers, the rule, all lines with whether they are told, the note, and what
    to say."""

    right: Sequence[str] = ()
    rule: str = ""
    lines: Sequence[tuple[str, str, bool]] = ()
    note: str = ""
    say: str = ""


class RoomPanel(Held):
    """A class with phones on a page; a subclass says what is asked. ``key``: under which the browser keeps the code of
    the class."""

    def __init__(self, model: Model, bridge: Bridge, key: str) -> None:
        super().__init__(model, bridge, key)
        safe, made = model.guard, maker(model.guard, ROOM)
        self._made = made
        self.open = made("class.open", self.start)
        self.lead = made("class.lead", self.prepare)
        self.lead_here = made("class.lead.window", self.prepare)
        self.begin = made("class.begin", self.press_next)
        self.begin.button_style = "primary"
        self.screen, self.theme = Screen(), "light"
        self.screen.pressed = safe(self.press)
        self.screen.sized = safe(self._sized)
        self.screen.left = safe(lambda: self.leave())
        self.leave: Callable[[], None] = lambda: None
        self.back_here = made("class.here", self.take_back)
        self.back_here.button_style = "primary"
        self.back_to = made("class.back", self.go_back)
        self.projected = False
        self._window = (1280.0, 800.0)
        self._painted: tuple[Scene | None, object, dict[str, Any]] = (None, None, {})
        self.door = Door()
        self.door.found = safe(self.show)
        self.text, self.votes = classed(HTML(), "nk-room-text"), HTML()
        self.way_in = made("class.door", self._switch_door)
        self.shut = made("class.close", self._close)
        self.tell = made("class.tell", self._tell)
        self.tell.button_style = "primary"
        self.locked = KeyCheck("class.lock", ROOM)
        self.names = KeyCheck("class.names", ROOM)
        for box_ in (self.locked, self.names):
            box_.observe(safe(self._let_in), "value")
        self.progress, self._progress_open, self._more_open = HTML(), False, False
        self.show_progress = made("class.progress", self._switch_progress)
        self.report = made("class.report", self._report)
        self.end = made("class.end", self._end)
        self.more = made("class.more", self._switch_more)
        self.rush = HTML()
        self._rushed = box("nk-room-row", self.rush, made("class.admit", self._admit),
                           made("class.dismiss", self._dismiss))

    def entered(self) -> None:
        """An open question that the file does not know whole, as one of an earlier version, can be neither told nor
        counted here: it is put away, and that is said."""
        if self.room is not None and self.room.question is None and self.room.stage in ("open", "closed"):
            self._put_away()

    def _put_away(self) -> None:
        room = self.room
        assert room is not None
        try:
            room.wait()
        except (UnwrittenError, HeldError):  # phones have it still: the next question takes its place
            room.question = None
        self._model.status.text, self._model.status.error = ROOM("class.gone"), True

    # What a panel overrides -----------------------------------------------------------------------------------------

    def _tell(self) -> None:
        """Close the question, and tell what was right."""

    def face(self) -> Face:
        """What the class's screen says now."""
        return Face()

    def sea(self) -> Sea | None:
        """The board on the class's screen."""
        return None

    def kinds(self) -> Sequence[tuple[str, str]]:
        """What may be asked now: each with what its button says."""
        return ()

    @property
    def presses(self) -> Mapping[str, Callable[[], None]]:
        return {"class-close": self._close, "class-tell": self._tell, "class-report": self._report,
                "class-end": self._end, "class-here": self.take_back}

    def put_now(self, kind: str) -> None:
        """Ask one of those; "" is the one that comes next."""

    def onward(self) -> None:
        """One step on, from what has been told."""

    def backward(self) -> None:
        """One step back."""

    def secret(self) -> Secret:
        """What the leader alone sees."""
        return Secret()

    @property
    def repeats(self) -> bool:
        """Whether the question asked last can be asked again: the very same one, no other."""
        return self.room is not None and self.room.question is not None

    def ahead(self) -> tuple[Sequence[tuple[str, float]], int]:
        """The parts of the lesson, each with its minutes, and the number of the one that is on."""
        return (), 0

    @property
    def asking(self) -> bool:
        """Whether a question is open, or closed and not told yet."""
        return self.room is not None and self.room.question is not None and self.room.result is None

    @property
    def waits(self) -> bool:
        """Whether that is what the next step is about: to tell it."""
        return self.asking

    @property
    def poll(self) -> Poll | None:
        """The question whose answers are to be seen."""
        return self.room.poll if self.room is not None else None

    def _put(self, question: Question, place: str = "", *, again: bool = False, answer: Result | None = None) -> None:
        assert self.room is not None
        self.room.title = self.title
        self.sees, self._door, self._late = BOARD, None, not self.room.joined  # what the room keeps of its step
        self.room.ask(question, place, again=again, answer=answer)
        self.show()

    # What the class sees, and who leads it ------------------------------------------------------------------------

    def press(self, order: str, what: str = "", stand: str = "") -> None:
        """Do one of `ORDERS`. ``what``: what it is about. ``stand``: where the one who gave it saw the class stand: a
        step that was given for an earlier one is left undone."""
        if self.lost:
            if order == "next":
                self.take_back()
            return
        if self.room is None or not (self.ready and self.settled) or (order in STEPS and stand not in ("", self.stand)):
            return
        calls: dict[str, Callable[[], None]] = {
            "next": self.press_next, "back": self.press_back, "reveal": self._tell, "close": self._close,
            "ask": lambda: self.put_now(what), "again": self.again, "see": lambda: self.look(what),
            "lock": lambda: self._lock(what), "remove": lambda: self._remove(what), "plan": lambda: self._plan(what),
            "report": self._report, "end": self._end, "admit": self._admit, "dismiss": self._dismiss,
        }  # fmt: skip
        calls[order]()
        self.show()

    def press_next(self) -> None:
        """The next step of the lesson, whatever it is: way in, question, answer, reasons, the next question."""
        if self.sees == READY:
            self.look(DOOR)
        elif self.sees != BOARD:
            self.sees = BOARD
            if self.room is not None and self.room.question is None:
                self.put_now("")
        elif self.waits:
            self._tell()
        else:
            self.onward()
        self.show()

    def press_back(self) -> None:
        """One step back of what the class sees: behind its way in nothing moves."""
        if self.sees == BOARD:
            self.backward()

    def look(self, sees: str) -> None:
        """Have the class see its board, the way in, or nothing."""
        self._ticket = "" if self.sees == READY else self._ticket  # its picture is seen no more
        self.sees = sees if sees in (DOOR, BOARD, BLANK) else self.sees
        self.show()

    def again(self) -> None:
        """Ask the same question once more, after the class has talked."""
        if self.room is None or self.room.question is None:
            raise OptionError(ROOM("class.nothing"))
        self._put(self.room.question, again=True, answer=self.room.answer)

    @property
    def stand(self) -> str:
        room = self.room
        phase = "told" if room and room.result else "asked" if self.asking else "free"
        return f"{self.sees} {room.round if room else 0} {phase}"

    @property
    def _next(self) -> str:
        """What the one filled button does now."""
        if self.sees != BOARD:
            return {READY: "door", DOOR: "board"}.get(self.sees, "show")
        return "reveal" if self.waits else "on"

    def _lock(self, what: str) -> None:
        self.locked.value = what == "1"

    def _remove(self, what: str) -> None:
        if self.room is not None and what.isdecimal():
            self.room.remove(int(what))

    def _admit(self) -> None:
        if self.room is not None:
            self.room.admit()
            self.show()

    def _dismiss(self) -> None:
        if self.room is not None:
            self.room.dismiss()
            self.show()

    def _plan(self, what: str) -> None:
        self.minutes = int(what) if what in PLANS else self.minutes

    def _sized(self, width: float, height: float) -> None:
        if width > LEAST_WINDOW and height > LEAST_WINDOW:
            self._window = (width, height)
            self.show()

    def view(self) -> dict[str, Any]:
        """What the class's screen shows: nothing of the answer before it is told."""
        room = self.room
        if room is None:
            return {}
        if self.lost:
            return self._lost_view(room)
        url, poll = self.door.addresses[0].url, self.poll
        face = self.face()
        view: dict[str, Any] = {
            "sees": self.sees if self.ready and self.sees != READY else BLANK, "phase": "free",
            "title": self.title or room.title, "in": way_in(room.code, url, room.seats()), "key": f"{room.round}",
            "stand": self.stand, "wrong": self._refused or self._owed or self._other,
            "says": {key: ROOM(f"screen.says.{key}") for key in SAYS}, "line": self._lines,
        }  # fmt: skip
        if self.sees != BOARD or not self.ready:
            return view
        view |= {"head": face.head, "strong": face.strong, "soft": face.soft, "html": face.html, "side": face.side}
        if poll is None or not face.asks:
            return view
        sea, question, result, votes = self._sea, poll.question, poll.result, poll.votes()
        places_, labels = places(sea, question), {each.id: each.label for each in question.choices}
        placed = {id for id, _ in places_}
        view["listed"] = [[each.id, each.label] for each in question.choices if each.id not in placed]
        if result is None:
            view |= {"phase": "open" if room.open else "closed", "cells": places_,
                     "come": [sum(votes.values()), room.joined],
                     "counted": ROOM("screen.come", n=sum(votes.values()), of=room.joined)}
            return view if room.open else view | {"soft": ROOM("screen.closed")}
        before = Counter(poll.before.values())
        way = [list(point) for point in sea.way] if sea else []
        view |= {"phase": "shown", "cells": places_, "rows": ranked(question, result, votes, before),
                 "twice": bool(before), "flows": flows(question, poll.flow()), "way": way}
        if face.result:
            count, soft = counted(result, votes, labels), (missed(result, votes, labels), rule_of(result, votes))
            view |= {"head": count if result.right else question.text, "strong": result.text,
                     "soft": " ".join(filter(None, soft if result.right else (count, *soft)))}
        elif face.head != question.text:  # the answers beside it say what they are to
            view["says"] = view["says"] | {"answers": question.text}
        return view

    def _lost_view(self, room: ClassRoom) -> dict[str, Any]:
        """What the screen shows where another page has the class."""
        return {
            "sees": BOARD, "phase": "free", "key": "lost", "stand": "lost", "title": self.title or room.title,
            "in": way_in(room.code, self.door.addresses[0].url, ()), "head": str(HeldError()), "strong": "",
            "soft": ROOM("class.lost.key"), "html": "", "side": "", "wrong": "", "says": {}, "line": self._lines,
        }  # fmt: skip

    @property
    def _other(self) -> str:
        """What is said of a class that may be meant, until somebody is in this one or it sees its board."""
        return ROOM("class.other", code=self.earlier) if self.earlier and self.sees != BOARD else ""

    @property
    def _lines(self) -> dict[str, str]:
        return {key: ROOM(f"screen.line.{key}") for key in LINES}

    def _show_screen(self) -> Callable[[], dict[str, Any]] | None:
        """Bring the class's screen up to date; returns what makes the desk of who leads it elsewhere, if somebody
        does."""
        room, lost = self.room, self.lost
        on = room is not None and self.projected
        led = room is not None and not lost and room.rooms.led(room.code)
        if not (led or on):
            self.screen.active = False
            return None
        assert room is not None
        self._sea = self.sea() if self.sees == BOARD and self.ready and not lost else None
        view, board = self.view(), dict[str, Any]()
        if self._sea is not None:
            scene, drawn_for, board = self._painted
            if drawn_for != (self.theme, self._window) or scene != self._sea.scene:
                board = painted(self._sea, self.theme, self._window)
                self._painted = (self._sea.scene, (self.theme, self._window), board)
            board = board | {"whole": self._sea.whole}
        view["led"], view["next"] = led, ROOM("class.here" if lost else f"next.{self._next}")
        with self.screen.hold_sync():
            if board != self.screen.board:
                self.screen.board = board
            if view != self.screen.view:
                self.screen.view = view
            self.screen.active = on
        return (lambda: self.desk(view, board)) if led else None

    _sea: Sea | None = None
    walled = True
    """Whether what the class sees is the class's screen, which can show the way in or nothing."""

    def desk(self, view: dict[str, Any], board: dict[str, Any]) -> dict[str, Any]:
        """What the leader alone sees: what the class sees, who has answered, the answer, what to say, what comes."""
        room, secret = self.room, self.secret()
        assert room is not None
        given, poll = room.answers(), self.poll
        seats = [[seat.number, seat.name, seat.own, seat.number in given] for seat in room.seats()]
        right = poll.result.right if poll is not None and poll.result is not None else secret.right
        private = Result(tuple(right), "")
        labels = {each.id: each.label for each in poll.question.choices} if poll else {}
        rows = ranked(poll.question, private, poll.votes(), Counter(poll.before.values())) if poll else []
        parts, at = self.ahead()
        status = self._model.status
        return {
            "view": view, "board": room.rooms.keep_board(room.code, board) if board else "", "stand": self.stand,
            "code": view["in"]["code"], "joined": view["in"]["joined"], "sees": self.sees, "seats": seats,
            "waiting": len(seats) - len(given) if self.waits else 0, "asking": self.waits, "open": room.open,
            "next": [self._next, ROOM(f"next.{self._next}")], "asks": [list(each) for each in self.kinds()],
            "answer": ", ".join(labels.get(id, id) for id in right), "rule": secret.rule, "rows": rows,
            "lines": [list(line) for line in secret.lines], "note": secret.note, "say": self._to_say(secret),
            "plan": planned(parts, at, self.minutes), "minutes": self.minutes, "since": self._since,
            "locked": self.locked.value, "rush": room.rush, "told": [status.text, status.error],
            "again": self.repeats, "walled": self.walled,
        }  # fmt: skip

    def _to_say(self, secret: Secret) -> str:
        """The sentence to say next: once the answers are divided, to let the class talk."""
        room, key = self.room, {READY: "ready", DOOR: "door", BLANK: "blank"}.get(self.sees, "")
        if key or room is None or room.question is None:
            return ROOM(f"say.{key}") if key else secret.say
        votes = room.votes()
        come, good = sum(votes.values()), sum(votes.get(id, 0) for id in secret.right)
        if not self.waits:
            return ROOM("say.waits", n=come) if self.asking else secret.say
        if self.poll is not None and self.poll.before:
            return ROOM("say.again")
        divided = come >= FEWEST and DIVIDED[0] <= good / come <= DIVIDED[1]
        asked = room.question.text
        asked += "" if asked.endswith((".", "?", "!")) else "."  # a lesson's title
        return ROOM("say.divided" if divided else "say.open", question=asked)

    def _close(self) -> None:
        if self.room is not None:
            self.room.close()
            self.show()

    @property
    def _door_open(self) -> bool:
        """Whether the way in is shown: until something is asked, or answered if it was asked before anybody came."""
        if self._door is not None or self.room is None:
            return bool(self._door)
        return self.room.question is None or (self._late and not self.room.votes())

    def panel(self, *middle: Box, more: tuple[Box, ...] = ()) -> Box:
        """All of it, with what is asked in its middle. ``more``: what is seldom wanted, shown on demand."""
        seats, ends = (self.locked, self.names), (self.show_progress, self.lead_here, self.report, self.end)
        self._second = HTML()  # beside the button that asks for it
        rows = (box("nk-room-row", *row) for row in (seats, ends))
        self._more = box("nk-room-more", *more, *rows, self._second, column=True)
        shown(self._more, False)
        self._running = box("nk-room", self.text, self._rushed, *middle, self.votes, self.progress,
                            box("nk-room-row", self.way_in, self.more), self._more, column=True)
        opens = box("nk-room-row", self.open, self.lead)
        shown(opens, current().rooms)
        self._elsewhere, self._lost_text = box("nk-room-row", self.back_here), HTML()
        return box("nk-room", opens, self._lost_text, self._elsewhere, self.back_to, self._running, self.begin,
                   self.door, self.screen, column=True)

    def show(self) -> None:
        """Bring it up to date; the page calls it with every change, the room whenever a phone has done something."""
        room, lost = self.room, self.lost
        if self._orders_wait and self.ready and self.settled and looping():
            self._orders_wait = False
            asyncio.get_running_loop().call_soon(self._come_news)
        shown(self.open, room is None)
        early = room is not None and not lost and self.sees == READY
        shown(self.lead, not self.projected and (room is None or (early and not self.offered)))
        shown(self.lead_here, not early)
        shown(self._running, room is not None and not lost)
        shown(self._elsewhere, lost)
        shown(self.back_to, bool(self.earlier))
        self.back_to.say("class.back.to", code=self.earlier)
        self._lost_text.value = paragraph(str(HeldError())) if lost else ""
        shown(self.begin, room is not None and not lost and self.sees == READY)
        self._write_down(self._show_screen())
        self._tell_journal()
        if lost:
            return
        if room is None:
            self.text.value = self.votes.value = self.progress.value = ""
            return
        self.locked.value, self.names.value = room.locked, room.names  # put back, where it could not be written
        joined = ROOM("class.joined", n=room.joined)
        if self.sees == READY:
            self.text.value = self._pairing(room)
        elif self._door_open:
            self.text.value = self.door.html(room.code, joined, self.door.check(room.rooms))
        else:
            self.text.value = html("<p><b>{}</b> · {}</p>", room.code, joined)
        form = "<p><a href='{}' target=navalkit-lead>{}</a></p><p class=nk-note>{}</p>"
        self._second.value = "" if self.sees == READY or not self.offered else html(
            form, self._lead_link(room), ROOM("lead.open"), ROOM("lead.ends"))
        came, apart = room.rush
        shown(self._rushed, came > 0)
        self.rush.value = paragraph(ROOM("class.rush.votes" if apart else "class.rush", n=came, votes=apart))
        self.shut.disabled = not (self.asking and self.ready)
        self.tell.disabled = not (self.waits and self.ready)
        self.votes.value = self._votes()
        self.progress.value = progress(room.report()) if self._progress_open else ""

    def _pairing(self, room: ClassRoom) -> Markup:
        """How to lead from a phone or a second window: before the way in is open, and once."""
        if not self.offered:
            return paragraph(ROOM("lead.done")) if room.rooms.led(room.code) else Markup()
        first = self.door.addresses[0]
        url = f"{first.url}/{room.code}/lead#{self._ticket}"
        plain = ROOM("lead.plain") if url.startswith("http:") else ""
        form = (
            "<div class=nk-room-door><img alt='{}' src='{}'><p>{}</p><p><a href='{}' target=navalkit-lead>{}</a></p>"
            "<p class=nk-note>{}</p></div>"
        )
        return html(form, ROOM("lead.picture"), code_picture(url), ROOM("lead.how"), self._lead_link(room),
                    ROOM("lead.window"), plain)

    def _lead_link(self, room: ClassRoom) -> str:
        return f"{told_by_server()['base']}room/{room.code}/lead#{self._ticket}"

    def _votes(self) -> Markup:
        room, poll = self.room, self.poll
        if room is None or poll is None:
            return Markup()
        head, votes = paragraph(poll.question.text), poll.votes()
        if poll.result is None:
            return head + come(room, votes)
        return head + html("<p><b>{}</b></p>", poll.result.text) + bars(poll.question, poll.result, votes)

    def _switch_door(self) -> None:
        self._door = not self._door_open
        self.show()

    def _switch_more(self) -> None:
        self._more_open = not self._more_open
        shown(self._more, self._more_open)

    def _switch_progress(self) -> None:
        self._progress_open = not self._progress_open
        self.show()

    def _let_in(self, _change: object) -> None:
        room, wanted = self.room, (self.locked.value, self.names.value)
        if room is not None and wanted != (room.locked, room.names):
            room.let_in(locked=wanted[0], names=wanted[1])

    def _page(self, room: ClassRoom) -> str:
        return page(room.title, room.report(), room.seats(), named=self.names.value)

    def _report(self) -> None:
        if self.room is not None:
            report = self._page(self.room)
            self.room.owe(report)
            self._hand_over(self.room.code, report)
            self._model.say(ROOM("class.reporting"))

    def _end(self) -> None:
        """End the class: all that was answered is deleted, but for its report, until the browser has it."""
        if self.room is None:
            return
        report, code = self._page(self.room), self.room.code
        self.room.end(report)
        self._hand_over(code, report)
        self._let_go()
        self._bridge.store(self._key, None)
        self._model.say(ROOM("class.ended"))


def come(room: ClassRoom, votes: Mapping[str, int]) -> Markup:
    """How many have answered."""
    said = ROOM("class.come", n=sum(votes.values()), of=room.joined)
    return html("<p class=nk-room-come><b>{}</b></p>", said)


def bars(question: Question, result: Result, votes: Mapping[str, int]) -> Markup:
    """The answers as bars, the right ones first and marked, chosen or not; then what the wrong ones would have needed,
    by how many."""
    labels = {choice.id: choice.label for choice in question.choices}
    votes = {**dict.fromkeys(result.right, 0), **votes}
    most = max([1, *votes.values()])  # perhaps nobody has answered, and none is right
    ranked = sorted(votes.items(), key=lambda item: (item[0] not in result.right, -item[1], item[0]))
    rows = many(
        "<span{}>{}{}</span><b>{}</b><i style=width:{:.0f}%></i>",
        ((" class=nk-room-correct" * (id in result.right), "✓ " * (id in result.right), labels.get(id, id), n,
          100 * n / most) for id, n in ranked[:MOST_LINES]),
    )
    missed: Counter[tuple[str, str]] = Counter()
    for id, note in (result.notes or {}).items():
        if id in votes:
            missed[note.rule, ". ".join(filter(None, (note.slip, note.text)))] += votes[id]
    lines = many(
        "<li>{}{}</li>",
        ((ROOM("class.missed", n=n, why=why), html(" <small>{}</small>", rule))
         for (rule, why), n in missed.most_common(MOST_LINES)),
    )
    return html("<div class=nk-room-votes>{}</div>", rows) + html("<ul>{}</ul>", lines)
