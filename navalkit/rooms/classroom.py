"""A class as its teacher's kernel has it: questions put to all phones, answers counted, and shown when it says so.

Until it says so nothing that reaches a phone depends on the answer, nor on what others have answered.
"""

from __future__ import annotations
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from secrets import token_hex
from typing import Any

from navalkit.core.shown import Markup, html, many, paragraph
from navalkit.view.page import Choice, Note, Question, Result
from navalkit.view.painters import number, svg
from navalkit.view.scene import Scene
from navalkit.view.theme import Theme, theme as find_theme
from . import Order
from .refused import SAY, RoomError, StrangeError, UnwrittenError
from .store import SHORT, Room, Rooms, Seat

# -- A scene as a phone gets it: one picture for the light and the dark theme, and the cells to tap beside it

_LIGHT, _DARK = find_theme("light").colours, find_theme("dark").colours
_EITHER = Theme("either", {token: f"var(--{token})" for token in _LIGHT})


def picture(scene: Scene) -> dict[str, Any]:
    """The picture of a scene: SVG whose colours follow the reader's theme, its size, and what it shows in words."""
    drawn = svg(scene, _EITHER)
    used = sorted(token for token in _LIGHT if f"var(--{token})" in drawn)

    def root(colours: Any) -> str:
        return ":root{" + ";".join(f"--{token}:{colours[token]}" for token in used) + "}"

    style = f"<style>{root(_LIGHT)}@media(prefers-color-scheme:dark){{{root(_DARK)}}}</style>"
    head, _, rest = drawn.partition(">")
    return {
        "svg": f"{head}>{style}{rest}", "width": scene.width, "height": scene.height,
        "alt": " ".join(filter(None, (scene.title, scene.desc)))
    }


def points(outline: Any) -> str:
    """The corners of an outline as an SVG attribute."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in outline)


# -- A question as the file keeps it, and what is told of it: whole, but for boards, whose pictures phones have anyway

def _question(asked: Question) -> dict[str, Any]:
    choices = [[each.id, each.label, each.at] for each in asked.choices]
    return {"kind": asked.kind, "text": asked.text, "choices": choices, "shape": asked.shape, "more": asked.more,
            "key": asked.key, "scale": asked.scale}


def _read_question(kept: Mapping[str, Any]) -> Question:
    choices = tuple(Choice(id, label, tuple(at) if at else None) for id, label, at in kept["choices"])
    shape = tuple((x, y) for x, y in kept["shape"])
    return Question(kept["kind"], kept["text"], choices, None, shape, kept["more"], kept["key"], kept["scale"])


def _result(told: Result | None) -> dict[str, Any] | None:
    if told is None:
        return None
    notes = {id: [note.rule, note.text, note.slip] for id, note in (told.notes or {}).items()}
    return {"right": list(told.right), "text": told.text, "rule": told.rule, "notes": notes}


def _read_result(kept: Mapping[str, Any] | None) -> Result | None:
    if kept is None:
        return None
    notes = {id: Note(*note) for id, note in kept["notes"].items()}
    return Result(tuple(kept["right"]), kept["text"], kept["rule"], notes)


NOT_HELD = -1
"""The number of a page that holds no class: the file counts from 0."""
_TRIED = 4096
"""Bytes by which it is found out whether the file can be written: some pages of it."""


class HeldError(RoomError):
    """Another page has taken the class over: this one writes nothing any more."""

    def __init__(self) -> None:
        super().__init__(SAY("no.held"), 409)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of the class for its report."""

    text: str
    labels: Mapping[str, str]
    """What each choice said."""
    answers: Mapping[int, str]
    """Seat -> its choice."""
    round: int
    key: str = ""
    place: str = ""
    """Where in a game it was asked."""
    more: str = ""
    """The rest of the question."""
    again: int = 0
    """The round in which it was asked before; 0 if it was not."""
    right: Sequence[str] = ()
    """The right choices; () if the answer was never shown."""
    told: str = ""
    """What was said then."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """Wrong choice -> what it would have needed."""
    slips: Mapping[str, str] = field(default_factory=dict)
    """Wrong choice -> the mistake in a few words, where it has a name."""


@dataclass(frozen=True, slots=True)
class Poll:
    """A question, and what a class thinks of it."""

    question: Question
    result: Result | None
    """What was told of it."""
    answers: Mapping[int, str]
    """Seat -> its choice."""
    before: Mapping[int, str]
    """What it answered when the same was asked before; {} if it was not."""

    def votes(self) -> Counter[str]:
        """Choice -> how many phones have it."""
        return Counter(self.answers.values())

    def flow(self) -> Counter[tuple[str, str]]:
        """(First answer, answer now) -> how many phones went from the one to the other."""
        now = self.answers.items()
        return Counter((self.before[seat], choice) for seat, choice in now if seat in self.before)


class ClassRoom:
    """A room for a class. ``title``: what phones show above the questions. ``rooms``: the file. ``code``: a room that
    there is already, which is taken over from whose page had it (`held`), unless it is not to be taken (``take``); left
    out, a new one is opened.

    Whatever becomes of its page, the class goes on from the file: with the question that it has, whole, what is to be
    told of it, and where its page stands (`keeps`). All of it is written together with the step that made it so."""

    def __init__(self, title: str = "", rooms: Rooms | None = None, code: str = "", *, take: bool = True) -> None:
        self.rooms = rooms or Rooms()
        self.title = title or SAY("title.class")
        self.question: Question | None = None
        self.result: Result | None = None
        self.answer: Result | None = None
        """What is to be told of the question, where it was known as it was asked, and cannot be made again."""
        self._ask: dict[str, Any] = {}  # the question as phones have it
        self._asked: list[dict[str, Any]] = []  # what the report needs besides the answers; the file has it too
        self.locked = self.names = False
        self.round = 0
        self.kept: dict[str, Any] = {}
        """What a page keeps of itself, to come back by."""
        self.keeps: Callable[[], Mapping[str, Any]] = dict
        """What it keeps now: written with every step."""
        self.carries: Callable[[], int] = int
        """The number of the leader's order that is carried out with the present step, or 0: the two are written
        together, so that a kernel that is killed has done it or finds it again."""
        self._written: dict[str, Any] = {}  # what this machine's part of the file was, when it was written last
        self._phase = "wait"
        self._found: Room | None = None
        if code:
            room = self.rooms.room(code)
            try:
                self._hold = self.rooms.hold(room.code) if take else NOT_HELD
                room = self.rooms.room(code)
            except UnwrittenError:  # the class can be read, and is taken over with the first thing that is written
                self._hold, self._found = self.rooms.held(room.code), room
            try:
                self._go_on(room)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise StrangeError(room.code, f"{type(error).__name__}: {error}") from error
            return
        shown = {"kind": "class", "phase": "wait", "title": self.title}
        self.code = self.rooms.open("class", shown, {"asked": []}, SHORT)
        self._hold = self.rooms.held(self.code)

    def _go_on(self, room: Room) -> None:
        """Stand where the file has it."""
        self.code, self.round = room.code, int(room.shown.get("round", 0))
        self.title, self.locked, self.names = str(room.shown["title"]), room.locked, room.names
        self._asked, self._phase = room.kept["asked"], str(room.shown["phase"])
        for each in self._asked:
            Asked(**each, answers={})
        self.kept = {key: value for key, value in room.kept.items() if key not in ("asked", "now")}
        if (now := room.kept.get("now")) and self._phase in ("open", "closed", "shown"):
            self.question, self._ask = _read_question(now["question"]), room.shown["ask"]
            self.answer, self.result = _read_result(now["answer"]), _read_result(now["result"])
        self._written = self._keeps

    @property
    def held(self) -> bool:
        """Whether this page still holds the class: one page does, so that none overwrites what another has asked. One
        that could not yet write that it took the class over holds it until somebody goes on with it elsewhere."""
        if self.rooms.held(self.code) != self._hold:
            return False
        if (found := self._found) is None:
            return True
        room = self.rooms.room(self.code)
        return (room.shown, room.kept) == (found.shown, found.kept)

    def ask(self, question: Question, place: str = "", *, again: bool = False, answer: Result | None = None) -> None:
        """Put a question to all phones; one that is open ends unanswered. ``place``: where in a game it is asked.
        ``again``: whether the class was asked this before, and has talked since: what it answered then is kept.
        ``answer``: what is to be told of it, where it cannot be made again."""
        labels = {each.id: each.label for each in question.choices}
        before = [each["round"] for each in self._asked if _is(each, question)] or [self.round]
        first = before[-1] if again and self._asked else 0
        ask = self._ask if question is self.question else self._put(question)
        ask = {key: value for key, value in ask.items() if key != "again"} | ({"again": True} if first else {})
        with self.step():
            self.round += 1
            self.question, self.result, self.answer, self._ask = question, None, answer, ask
            asked = {"round": self.round, "text": question.text, "labels": labels, "key": question.key, "place": place,
                     "more": question.more}
            self._asked.append(asked | ({"again": first} if first else {}))
            self._show("open")

    @property
    def poll(self) -> Poll | None:
        """The present question, and what is thought of it."""
        return self.polled(self.question, self.result, self.round) if self.question is not None else None

    def polled(self, question: Question, result: Result | None, round: int = 0) -> Poll:
        """What was thought of a question when it was told last, or in a round."""
        asked = [each for each in self._asked
                 if (each["round"] == round if round else _is(each, question) and "told" in each)]
        now, first = (asked[-1]["round"], asked[-1].get("again", 0)) if asked else (round, 0)
        before = self.rooms.answers(self.code, first) if first else {}
        return Poll(question, result, self._counted(question, now), before)

    @property
    def stage(self) -> str:
        """Where phones stand, put there by an earlier kernel perhaps: "wait", "open", "closed", "shown" or "over"."""
        return self._phase

    @property
    def shown(self) -> bool:
        """Whether phones are shown what was right."""
        return self._phase == "shown"

    @property
    def open(self) -> bool:
        """Whether answers are taken."""
        return self._phase == "open"

    def keep(self, **facts: Any) -> None:
        """Keep something of the page, to come back by, and where it stands (`keeps`)."""
        if self.kept != {**self.kept, **facts, **self.keeps()}:
            with self.step():
                self.kept = self.kept | facts

    def touch(self) -> None:
        """Write as much as a step does, and nothing that is there already, for SQLite writes no page that stays the
        same: of a file that cannot be written this says so (`UnwrittenError`)."""
        with self.step():
            self.rooms.say("tried", token_hex(_TRIED))

    @property
    def _keeps(self) -> dict[str, Any]:
        now = {"question": _question(self.question), "answer": _result(self.answer), "result": _result(self.result)} \
            if self.question is not None else None
        return self.kept | {"asked": list(self._asked)} | ({"now": now} if now else {})

    def votes(self) -> Mapping[str, int]:
        """Choice -> how many phones have it now."""
        return Counter(self.answers().values())

    def told(self, question: Question) -> bool:
        """Whether the class was told that very question, and was not asked it again since."""
        rounds = [each for each in self._asked if _is(each, question)]
        return bool(rounds) and "told" in rounds[-1]

    def close(self, rests: bool = False) -> None:
        """Take no more answers; `rests`: for now, as something else is looked at."""
        if self.question is not None and self.result is None and not self.shown:
            with self.step():
                self._show("closed", rests=rests)

    def reopen(self) -> None:
        """Take answers to the present question again, before it is told."""
        if self._phase == "closed" and self.question is not None:
            with self.step():
                self._show("open")

    def reveal(self, result: Result) -> None:
        """Show all phones what was right, what all answered, and what each wrong answer would have needed."""
        notes = result.notes or {}
        told = {
            "right": list(result.right),
            "told": result.text,
            "notes": {id: note.text for id, note in notes.items()},
            "slips": {id: note.slip for id, note in notes.items() if note.slip},
        }
        board = self.rooms.keep_board(self.code, picture(result.board)) if result.board is not None else ""
        with self.step():
            self.result, self._asked[-1] = result, self._asked[-1] | told
            self._show("shown", self._told(result) | ({"board": board} if board else {}))

    def answers(self) -> dict[int, str]:
        """Seat -> its answer to the present question."""
        return self._counted(self.question, self.round) if self.question is not None else {}

    def _counted(self, question: Question, round: int) -> dict[int, str]:
        """What is none of a question's choices is nobody's answer."""
        known = {each.id for each in question.choices}
        return {seat: each for seat, each in self.rooms.answers(self.code, round).items() if each in known}

    @property
    def last(self) -> str:
        """The key of the question asked last, by an earlier kernel perhaps; "" if there is none."""
        return str(self._asked[-1].get("key", "")) if self._asked else ""

    @property
    def joined(self) -> int:
        """How many phones are in."""
        return self.rooms.joined(self.code)

    @property
    def rush(self) -> tuple[int, int]:
        """How many came in a rush, and how many of their answers to the present question are set apart."""
        return self.rooms.rush(self.code, self.round)

    def seats(self) -> list[Seat]:
        """The phones, for the teacher alone."""
        return self.rooms.seats(self.code)

    def let_in(self, *, locked: bool | None = None, names: bool | None = None) -> None:
        """Lock the room or open it; let phones name themselves or not. None leaves a thing as it is."""
        with self.step():
            self.locked = self.locked if locked is None else locked
            self.names = self.names if names is None else names
            self.rooms.let_in(self.code, locked=self.locked, names=self.names)

    def wait(self) -> None:
        """Put the question away: phones wait for the next."""
        with self.step():
            self.question = self.result = self.answer = None
            self._show("wait")

    # What its leader elsewhere asks for, and sees ---------------------------------------------------------------------

    def orders(self) -> list[Order]:
        """The orders of a leader elsewhere that are not carried out yet, and can be: where nothing can be written
        (`UnwrittenError`), they wait."""
        if new := self.rooms.orders(self.code):
            self.touch()
        return new

    def carried(self, number: int) -> None:
        """The orders up to this one are carried out, if no step has noted it (`carries`)."""
        if self.rooms.done(self.code) < number:
            with self.step():
                self.rooms.carry(self.code, number)

    def lay(self, desk: Mapping[str, Any]) -> None:
        """Lay out what the leader is to see."""
        with self.step():
            self.rooms.lay(self.code, desk)

    def remove(self, seat: int) -> None:
        """Take a seat away, and what it has answered."""
        with self.step():
            self.rooms.remove(self.code, seat)

    def admit(self) -> None:
        """Those who came in a rush are as all others from now on."""
        with self.step():
            self.rooms.admit(self.code)

    def dismiss(self) -> None:
        """Take the seats away that were taken in a rush, and their answers."""
        with self.step():
            self.rooms.dismiss(self.code)

    @property
    def report_owed(self) -> str:
        """The report that a page has made, as long as no browser has it; "" if there is none."""
        return str(self.kept.get("report", ""))

    def owe(self, report: str) -> None:
        """Keep a report until a browser has it (`received`); on a full disk it is sent all the same."""
        with suppress(UnwrittenError):
            self.keep(report=report)

    def received(self, receipt: str) -> None:
        """A browser has a report: it is kept no longer, if it is the one that is kept (`receipt_of`). On a full disk it
        is, and may be sent again."""
        if self.report_owed and receipt == receipt_of(self.code, self.report_owed):
            with suppress(UnwrittenError), self.step():
                self.kept = {key: value for key, value in self.kept.items() if key != "report"}

    def end(self, report: str = "") -> None:
        """End the class: phones are told, and all that was answered is deleted. ``report``: the page that is left of
        it, kept until somebody has it (`handed_over`)."""
        with self.step():  # when phones are told that nothing is kept, nothing is
            self.question = self.result = self.answer = None
            self._asked, self.kept, self.keeps = [], {"report": report} if report else {}, dict
            self.rooms.empty(self.code)
            self._show("over")

    def report(self) -> list[Asked]:
        """All questions so far, from the file: what an earlier kernel of this class asked is among them."""
        return [Asked(**each, answers=self.rooms.answers(self.code, each["round"])) for each in self._asked]

    @contextmanager
    def step(self) -> Iterator[None]:
        """A step of the class: written whole, so that no answer comes in the middle of it and phones are told once; or
        not made, as on a full disk (`UnwrittenError`) or where another page holds the class (`HeldError`), and the
        class stands where it stood. Phones' answers wait for it: what takes long, as a picture, comes before."""
        stood = vars(self) | {"_asked": list(self._asked)}
        try:
            with self.rooms.writing():
                if not self.held:
                    raise HeldError
                if self._found is not None:
                    self._hold, self._found = self.rooms.hold(self.code), None
                yield
                if number := self.carries():
                    self.rooms.carry(self.code, number)
                self.kept = {**self.kept, **self.keeps()}
                if self._written != (now := self._keeps):
                    self.rooms.keep(self.code, now)
                    self._written = now
        except BaseException:
            vars(self).update(stood)
            raise

    def _show(self, phase: str, told: Mapping[str, Any] | None = None, rests: bool = False) -> None:
        shown: dict[str, Any] = {"kind": "class", "title": self.title, "phase": phase, "round": self.round}
        if self.question is not None and phase in ("open", "closed", "shown"):
            shown["ask"] = self._ask
        if told is not None:
            shown["result"] = told
        if rests:
            shown["rests"] = True
        self.rooms.show(self.code, shown, None, self.round if phase == "open" else 0)
        self._phase = phase

    def _put(self, question: Question) -> dict[str, Any]:
        asked: dict[str, Any] = {"kind": question.kind, "text": question.text, "more": question.more}
        cells = [[each.id, each.label, *each.at] for each in question.choices if each.at is not None]
        if question.board is not None:
            board = picture(question.board) | {"cells": cells, "shape": points(question.shape)}
            asked["board"] = self.rooms.keep_board(self.code, board)
        # Taps are checked against these; phones find those with a place in the board.
        if question.scale:
            asked["scale"] = question.scale
        asked["choices"] = [[each.id, "" if each.at else each.label] for each in question.choices]
        return asked

    def _told(self, result: Result) -> dict[str, Any]:
        votes = self.votes()
        return {
            "right": list(result.right),
            "text": result.text,
            "rule": result.rule,
            "votes": dict(votes),
            "notes": {id: [note.rule, note.text] for id, note in (result.notes or {}).items() if id in votes},
        }


def _is(asked: Mapping[str, Any], question: Question) -> bool:
    """Whether a round was about a question, with the same numbers."""
    return bool((asked["key"], asked["more"]) == (question.key, question.more))


# -- What is left of a class: a page to print, kept until a browser has it. Phones go by their generated names, and
# without any unless asked for

MOST_SLIPS = 3
"""Slips of a question on the board of progress."""
_STYLE = """
/* nk-report: what is left of a class. */
body{font:16px/1.45 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#14222c}
section{break-inside:avoid;border-top:1px solid #c2d7e3;padding:.5rem 0 1rem}h2{font-size:1.15rem;margin:.5rem 0}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
td,th{text-align:left;padding:.2rem .8rem .2rem 0;vertical-align:top}
td.nk-report-n{text-align:right}tr.nk-report-right{font-weight:600}.nk-report-bar{display:inline-block;height:.7rem;background:#0072b2}
"""


def left_of(rooms: Rooms, code: str) -> str:
    """The report of a class that has ended, as long as nobody has it; "" if there is none."""
    return str(rooms.room(code).kept.get("report", "")) if rooms.over(code) else ""


def receipt_of(code: str, report: str) -> str:
    """What a browser sends back that has a report: of this class, and of no earlier report of it."""
    return f"{code} {blake2b(report.encode(), digest_size=8).hexdigest()}"


def handed_over(rooms: Rooms, receipt: str) -> None:
    """Somebody has it: it is kept no longer."""
    code = receipt.partition(" ")[0]
    if (report := left_of(rooms, code)) and receipt == receipt_of(code, report):
        rooms.keep(code, {"asked": []})


def page(title: str, asked: Sequence[Asked], seats: Sequence[Seat], *, named: bool = False) -> Markup:
    """The report as a page of HTML that needs nothing else. What nobody answered is left out where it was answered
    at another time. ``seats``: the phones there were. ``named``: whether it says who answered what."""
    known = {each.key for each in asked if each.answers and each.key}
    asked = [each for each in asked if each.answers or each.key not in known]
    rounds = {each.round: each for each in asked}
    sections = many("{}", (_section(number, each, rounds.get(each.again)) for number, each in enumerate(asked, 1)))
    intro = SAY("report.named" if named else "report.asked", rounds=len(asked), seats=len(seats))
    who = _who(asked, seats) if named else ""
    form = (
        '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>{0}</title><style>{1}</style>'
        "<h1>{0}</h1><p>{2}</p><p>{3}</p>{4}{5}</html>"
    )
    return html(form, SAY("report.title"), Markup(_STYLE), title, intro, sections, who)


def progress(asked: Sequence[Asked]) -> Markup:
    """How the class is doing, for all to see: of each question that was told, how many were right, and the commonest
    slips. No phone is named, and a question that is still open is left out."""
    told = [each for each in asked if each.right and each.answers]
    if not told:
        return paragraph(SAY("progress.none"))
    rows = []
    for each in told:
        wrong = [choice for choice in each.answers.values() if choice not in each.right]
        slips = Counter(each.slips.get(choice) or each.notes.get(choice) or each.labels.get(choice, choice)
                        for choice in wrong)
        lines = html("<br>").join(SAY("progress.slip", n=n, slip=slip) for slip, n in slips.most_common(MOST_SLIPS))
        good, of = len(each.answers) - len(wrong), len(each.answers)
        rows.append((each.text, 100 * good / of, SAY("progress.right", right=good, of=of), lines))
    body = many("<tr><td>{}</td><td class=nk-room-share style=--share:{:.0f}%>{}</td><td>{}</td></tr>", rows)
    head = many("<th scope=col>{}</th>", SAY("progress.head").split("|"))
    form = "<table class=nk-room-progress><thead><tr>{}</tr></thead><tbody>{}</tbody></table>"
    return html(form, head, body)


def _section(number: int, each: Asked, before: Asked | None) -> Markup:
    """``before``: the same question as it was asked first."""
    votes = Counter(each.answers.values())
    most = max(votes.values(), default=1)
    rows = many(
        "<tr{}><td>{}</td><td class=nk-report-n>{}</td>"
        "<td><span class=nk-report-bar style=width:{:.1f}rem></span> {}</td></tr>",
        ((" class=nk-report-right" * (id in each.right), each.labels.get(id, id), n, 10 * n / most,
          SAY("report.right") if id in each.right else each.slips.get(id) or each.notes.get(id, ""))
         for id, n in votes.most_common()),
    )
    good = sum(votes[id] for id in each.right)
    told = SAY("report.answers", answers=votes.total()) if each.told else SAY("report.open")
    said = SAY("report.count", right=good, answers=votes.total()) if each.right else told
    head = SAY("report.question", number=number, text=each.text)
    where = " ".join(filter(None, (each.place, SAY("report.again") if each.again else "")))
    names = many("<th scope=col>{}</th>", SAY("report.head").split("|"))
    more = many("<p>{}</p>", ((line,) for line in each.more.splitlines() if line))
    moved = Counter((before.answers[seat], choice) for seat, choice in each.answers.items()
                    if seat in before.answers and before.answers[seat] != choice) if before else Counter()
    said_of = {choice: each.labels.get(choice, choice) for pair in moved for choice in pair}
    flow = many("<li>{}</li>", ((SAY("report.flow", n=n, one=said_of[one], other=said_of[other]),)
                                for (one, other), n in moved.most_common()))
    changed = html("<p>{}</p><ul>{}</ul>", SAY("report.changed"), flow) if moved else ""
    form = "<section><h2>{}</h2>{}{}{}<p>{}</p><table><tr>{}</tr>{}</table>{}</section>"
    return html(form, head, paragraph(where) if where else "", more, paragraph(each.told), said, names, rows, changed)


def _who(asked: Sequence[Asked], seats: Sequence[Seat]) -> Markup:
    rows = []
    for seat in seats:
        own = [each for each in asked if seat.number in each.answers]
        right = sum(each.answers[seat.number] in each.right for each in own)
        name = f"{seat.own} ({seat.name})" if seat.own else seat.name
        rows.append((name, many("<td class=nk-report-n>{}</td>", (right, len(own)))))
    names = many("<th scope=col>{}</th>", SAY("report.who.head").split("|"))
    form = "<section><h2>{}</h2><table><tr>{}</tr>{}</table></section>"
    return html(form, SAY("report.who"), names, many("<tr><td>{}</td>{}</tr>", rows))
