"""The stepper's panel for a class with phones: who is in, what is asked, how many have answered, what they thought.

Where she will go is asked through the stepper's own "Predict": the class is then its voter, and each step asks anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from html import escape

from ipywidgets import HTML, Checkbox, Dropdown, Text

from navalkit.core.errors import OptionError
from navalkit.rooms import ClassRoom, Question, Result, Rooms
from navalkit.rooms.report import page, progress

from ..bridge import Bridge
from ..spoken import box, classed, maker, shown
from ..step import vote
from ..step.model import StepModel
from ..step.telling import EXPLAIN, PREDICT
from . import class_questions as ask
from .door import ROOM, Door, News

KEY = "class"
"""Under which the browser keeps the code of the class."""
MOST_LINES = 8
"""Wrong answers that are told one by one."""


class Class:
    """A panel of the stepper, and the voter it asks.

    Parameters
    ----------
    model : StepModel
    bridge : Bridge
    """

    def __init__(self, model: StepModel, bridge: Bridge) -> None:
        safe, made = model.guard, maker(model.guard, ROOM)
        self._model, self._bridge = model, bridge
        self.room: ClassRoom | None = None
        self._news: News | None = None
        self._ask = "where"
        self.open = made("class.open", self.start)
        self.door = Door()
        self.text, self.votes = classed(HTML(), "nk-class-text"), classed(HTML(), "nk-class-votes")
        self.door.found = safe(self.show)
        self.way_in = made("class.door", self._switch_door)
        self.where = made("class.where", lambda: self._predict("where"))
        self.which = made("class.which", lambda: self._predict("which"))
        self.hit = made("class.hit", self._ask_hit)
        self.shut = made("class.close", self._close)
        self.tell = made("class.tell", self._tell)
        self.tell.button_style = "primary"
        self.locked = Checkbox(description=ROOM("class.lock"), indent=False)
        self.names = Checkbox(description=ROOM("class.names"), indent=False)
        for box_ in (self.locked, self.names):
            box_.observe(safe(self._let_in), "value")
        self.progress, self._progress_open = HTML(), False
        self.show_progress = made("class.progress", self._switch_progress)
        self.report = made("class.report", self._report)
        self.end = made("class.end", self._end)
        self.aloud = Text(placeholder=ROOM("class.aloud"))
        self.number = Dropdown(options=[2, 3, 4, 5, 6], value=4, description=ROOM("class.number"))
        self.put = made("class.put", self._ask_own)
        self.right = Dropdown(options=["", *"ABCDEF"], description=ROOM("class.right"))
        self._running = box(
            "nk-room", self.text,
            box("nk-row", self.where, self.which, self.hit),
            box("nk-row", self.aloud, self.number, self.put),
            box("nk-row", self.shut, self.right, self.tell),
            self.votes,
            self.progress,
            box("nk-row", self.way_in, self.locked, self.names, self.show_progress, self.report, self.end),
            column=True,
        )  # fmt: skip
        self.widget = box("nk-room", self.open, self._running, self.door, column=True)
        self._door_open = True
        self.show()

    # A class --------------------------------------------------------------------------------------------------------

    def start(self, code: str = "") -> None:
        """Open a room, or take one up again."""
        rooms = Rooms()
        title = self._model.show.title
        if code and code in rooms.codes("class"):
            self.room = ClassRoom(title, rooms, code)
        else:
            self.room = ClassRoom(title, rooms)
        self._bridge.store(KEY, self.room.code)
        self._news = News(rooms, self._model.guard(self.show))
        self._news.listen()
        self._model.answer_by(self)

    def met(self, query: str, code: str) -> None:
        """The page is there: take up the class it had, or open one if the address asks for it."""
        if self.room is None and (code or "class=" in query):
            rooms = Rooms()
            known = code in rooms.codes("class") and rooms.room(code).shown["phase"] != "over"
            rooms.close()
            if known or "class=" in query:
                self.start(code if known else "")

    @property
    def asking(self) -> bool:
        """Whether a question is open, or closed and not told yet."""
        return self.room is not None and self.room.question is not None and self.room.result is None

    # The stepper's voter --------------------------------------------------------------------------------------------

    def ask(self, question: vote.Question, changed: Callable[[], None]) -> None:
        """Put the question of a moment to the phones."""
        assert self.room is not None
        model = self._model
        make = ask.which if self._ask == "which" else ask.where
        self._put(make(model.state, model.who, self._night))

    def answers(self) -> Mapping[str, str]:
        """Seat -> label of a hex, for a question about one."""
        if self.room is None or self.room.question is None or self.room.question.kind != "where":
            return {}
        return {str(seat): choice for seat, choice in self.room.answers().items()}

    def close(self) -> Mapping[str, str]:
        """Take no more answers."""
        self._close()
        return self.answers()

    def _close(self) -> None:
        if self.room is not None:
            self.room.close()
            self.show()

    # What is asked --------------------------------------------------------------------------------------------------

    @property
    def _night(self) -> bool:
        return self._model.show.game.sea.night and self._model.show.match is not None

    def _put(self, question: Question) -> None:
        assert self.room is not None
        self.room.ask(question)
        self._door_open = False
        self.show()

    def _predict(self, kind: str) -> None:
        if not self._model.moment.who:
            raise OptionError(ROOM("class.nobody"))
        self._ask = kind
        self._model.guesses.pop(self._model.at, None)
        self._model.question = None
        self._model.use(PREDICT)

    def _ask_hit(self) -> None:
        if ask.attack_comes(self._model.row, self._model.at) is None:
            raise OptionError(ROOM("class.no-attack"))
        self._put(ask.hit())

    def _ask_own(self) -> None:
        self._put(ask.own(self.aloud.value.strip() or ROOM("class.said"), int(self.number.value)))

    def _tell(self) -> None:
        """Close the question, and tell what was right."""
        room, model = self.room, self._model
        if room is None or room.question is None or room.result is not None:
            raise OptionError(ROOM("class.nothing"))
        kind = room.question.kind
        if kind == "where" and room.votes():
            model.confirm()  # the stepper shows what she does, and `show` tells the phones
        elif kind in ("where", "which"):
            self._tell_decision()
            model.use(EXPLAIN)
        elif kind == "hit":
            room.reveal(ask.told_hit(bool(ask.attack_comes(model.row, model.at))))
        else:
            room.reveal(ask.told_own(self.right.value))
        self.show()

    def _tell_decision(self) -> None:
        room, model = self.room, self._model
        assert room is not None and room.question is not None
        room.close()
        state, decision, votes = model.moment.state, model.before, room.votes()
        if decision is None:
            return
        if room.question.kind == "where":
            room.reveal(ask.told_where(state, model.who, model.show.game.sea, decision, votes, self._night))
        else:
            room.reveal(ask.told_which(state, decision, votes, self._night))

    # The panel ------------------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Bring it up to date; the page calls it with every change, the room whenever a phone has done something."""
        room, model = self.room, self._model
        shown(self.open, room is None)
        shown(self._running, room is not None)
        if room is None:
            self.text.value = self.votes.value = self.progress.value = ""
            return
        if self.asking and room.question is not None and room.question.kind in ("where", "which") and not model.asked:
            if model.guess is not None and room.question.kind == "where":
                self._tell_decision()
            else:
                room.close()  # what she does is to be seen
        joined = ROOM("class.joined", n=room.joined)
        if self._door_open:
            self.text.value = self.door.html(room.code, joined, self.door.check(room.rooms))
        else:
            self.text.value = f"<p><b>{escape(room.code)}</b> · {escape(joined)}</p>"
        self.shut.disabled = self.tell.disabled = not self.asking
        shown(self.right, room.question is not None and room.question.kind == "own")
        self.votes.value = self._votes()
        self.progress.value = progress(room.report()) if self._progress_open else ""

    def _votes(self) -> str:
        room = self.room
        if room is None or room.question is None:
            return ""
        head = f"<p>{escape(room.question.text)}</p>"
        votes = room.votes()
        if room.result is None:
            come = ROOM("class.come", n=sum(votes.values()), of=room.joined)
            return f"{head}<p class=nk-class-come><b>{escape(come)}</b></p>"
        return f"{head}<p><b>{escape(room.result.text)}</b></p>{_bars(room.question, room.result, votes)}"

    # Buttons --------------------------------------------------------------------------------------------------------

    def _switch_door(self) -> None:
        self._door_open = not self._door_open
        self.show()

    def _switch_progress(self) -> None:
        self._progress_open = not self._progress_open
        self.show()

    def _let_in(self, _change: object) -> None:
        if self.room is not None:
            self.room.let_in(locked=self.locked.value, names=self.names.value)

    def _report(self) -> None:
        if self.room is not None:
            text = page(self.room.title, self.room.report(), self.room.seats(), named=self.names.value)
            self._bridge.download("class-report.html", text)
            self._model.say(ROOM("class.reported"))

    def _end(self) -> None:
        """End the class: its report is handed over, and all that was answered is deleted."""
        if self.room is None:
            return
        self._report()
        self.room.end()
        if self._news is not None:
            self._news.stop()
        self.room.rooms.close()
        self.room = None
        self._door_open = True
        self._bridge.store(KEY, None)
        self._model.answer_by(None)
        self._model.say(ROOM("class.ended"))


def _bars(question: Question, result: Result, votes: Mapping[str, int]) -> str:
    """The answers as bars, the right one first and marked; then what the wrong ones would have needed, by how many."""
    labels = {choice.id: choice.label for choice in question.choices}
    most = max(votes.values(), default=1)
    rows = "".join(
        f"<span{' class=nk-right' if id in result.right else ''}>{'✓ ' * (id in result.right)}"
        f"{escape(labels.get(id, id))}</span><b>{n}</b><i style=width:{100 * n / most:.0f}%></i>"
        for id, n in sorted(votes.items(), key=lambda item: (item[0] not in result.right, -item[1], item[0]))[
            :MOST_LINES
        ]
    )
    missed: Counter[tuple[str, str]] = Counter()
    for id, note in (result.notes or {}).items():
        if id in votes:
            missed[note.rule, note.text] += votes[id]
    lines = "".join(
        f"<li>{escape(ROOM('class.missed', n=n, why=why))}{f' <small>{escape(rule)}</small>' * bool(rule)}</li>"
        for (rule, why), n in missed.most_common(MOST_LINES)
    )
    return f"<div class=nk-votes>{rows}</div>" + (f"<ul>{lines}</ul>" if lines else "")
