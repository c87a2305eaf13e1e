"""A class with phones on a page: the way in, who is in, what is asked, how many have answered, what they thought.

`RoomPanel` is what every such panel has; `Class` is the stepper's: its questions come from the walk of the game.
"""

from __future__ import annotations
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial

from navalkit.core.errors import OptionError
from navalkit.core.shown import Markup, html, many, paragraph
from navalkit.rooms.classroom import ClassRoom, page, progress
from navalkit.rooms.store import Rooms
from navalkit.view.page import Choice, Question, Result
from navalkit.walks.stepper import Stepper
from ..shell import Bridge, Model
from ..widgets import HTML, Box, Checkbox, Dropdown, KeyButton, Text, box, classed, maker, shown
from . import ROOM
from .door import Door, News

KEY = "class"
"""Under which the browser keeps the code of the stepper's class."""
MOST_LINES = 8
"""Wrong answers that are told one by one."""
_LETTERS = "ABCDEF"


class RoomPanel:
    """A class with phones on a page; a subclass says what is asked. ``key``: under which the browser keeps the code of
    the class."""

    def __init__(self, model: Model, bridge: Bridge, key: str) -> None:
        self._model, self._bridge, self._key = model, bridge, key
        safe, made = model.guard, maker(model.guard, ROOM)
        self._made = made
        self.room: ClassRoom | None = None
        self._news: News | None = None
        self.open = made("class.open", self.start)
        self.door = Door()
        self.door.found = safe(self.show)
        self.text, self.votes = classed(HTML(), "nk-room-text"), HTML()
        self.way_in = made("class.door", self._switch_door)
        self.shut = made("class.close", self._close)
        self.tell = made("class.tell", self._tell)
        self.tell.button_style = "primary"
        self.locked = Checkbox(description=ROOM("class.lock"), indent=False)
        self.names = Checkbox(description=ROOM("class.names"), indent=False)
        for box_ in (self.locked, self.names):
            box_.observe(safe(self._let_in), "value")
        self.progress, self._progress_open, self._more_open = HTML(), False, False
        self.show_progress = made("class.progress", self._switch_progress)
        self.report = made("class.report", self._report)
        self.end = made("class.end", self._end)
        self.more = made("class.more", self._switch_more)
        self._door: bool | None = None  # whether the way in is shown: as the teacher wants it, or by itself
        self._late = False  # whether nobody was in yet when the question was put

    # What a panel overrides -----------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """What phones show above the questions."""
        return ""

    def entered(self) -> None:
        """The room is there, a new one or one taken up again."""

    def left(self) -> None:
        """The class has ended."""

    def _tell(self) -> None:
        """Close the question, and tell what was right."""

    def start(self, code: str = "", *, new: bool = True) -> None:
        """Take up a class that is not over; where there is none of that code, open one if it may be a new one."""
        rooms = Rooms()
        goes_on = code in rooms.codes("class") and rooms.room(code).shown["phase"] != "over"
        if not goes_on and not new:
            rooms.close()
            return
        self.room = ClassRoom(self.title, rooms, code if goes_on else "")
        self._bridge.store(self._key, self.room.code)
        self._news = News(rooms, self._model.guard(self.show))
        self._news.listen()
        self.entered()

    def met(self, query: str, code: str) -> None:
        """The page is there: take up the class it had, or open one if the address asks for it."""
        new = "class=" in query
        if self.room is None and (code or new):
            self.start(code, new=new)

    @property
    def asking(self) -> bool:
        """Whether a question is open, or closed and not told yet."""
        return self.room is not None and self.room.question is not None and self.room.result is None

    def _put(self, question: Question) -> None:
        assert self.room is not None
        self.room.ask(question)
        self._door, self._late = None, not self.room.joined
        self.show()

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
        seats, ends = (self.locked, self.names), (self.show_progress, self.report, self.end)
        self._more = box("nk-room-more", *more, *(box("nk-room-row", *row) for row in (seats, ends)), column=True)
        shown(self._more, False)
        self._running = box("nk-room", self.text, *middle, self.votes, self.progress,
                            box("nk-room-row", self.way_in, self.more), self._more, column=True)
        return box("nk-room", self.open, self._running, self.door, column=True)

    def show(self) -> None:
        """Bring it up to date; the page calls it with every change, the room whenever a phone has done something."""
        room = self.room
        shown(self.open, room is None)
        shown(self._running, room is not None)
        if room is None:
            self.text.value = self.votes.value = self.progress.value = ""
            return
        joined = ROOM("class.joined", n=room.joined)
        if self._door_open:
            self.text.value = self.door.html(room.code, joined, self.door.check(room.rooms))
        else:
            self.text.value = html("<p><b>{}</b> · {}</p>", room.code, joined)
        self.shut.disabled = self.tell.disabled = not self.asking
        self.votes.value = self._votes()
        self.progress.value = progress(room.report()) if self._progress_open else ""

    def _votes(self) -> Markup:
        room = self.room
        if room is None or room.question is None:
            return Markup()
        head, votes = paragraph(room.question.text), room.votes()
        if room.result is None:
            return head + come(room, votes)
        return head + html("<p><b>{}</b></p>", room.result.text) + bars(room.question, room.result, votes)

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
        self.room, self._door = None, None
        self._bridge.store(self._key, None)
        self.left()
        self._model.say(ROOM("class.ended"))


class Class(RoomPanel):
    """The stepper's panel for a class, and the voter it asks: each step asks anew."""

    def __init__(self, model: Model, bridge: Bridge, stepper: Stepper) -> None:
        super().__init__(model, bridge, KEY)
        self._stepper, made, walk = stepper, self._made, stepper.walk
        self._kinds = {kind: partial(self.predict, kind) for kind in walk.asks}
        self._kinds |= {kind: partial(self.wager, kind) for kind in walk.bets}
        self.asks = {kind: self._asks(f"class.{kind}", call) for kind, call in self._kinds.items()}
        self.aloud = Text(placeholder=ROOM("class.aloud"))
        self.number = Dropdown(options=[2, 3, 4, 5, 6], value=4, description=ROOM("class.number"))
        self.put = made("class.put", self._ask_own)
        self.right = Dropdown(options=["", *_LETTERS], description=ROOM("class.right"))
        self._answer: Result | None = None  # of a question about what chance brings
        self._changed, self._come = (lambda: None), 0  # what to call when an answer comes, and how many have
        self.widget = self.panel(box("nk-room-row", *self.asks.values(), self.shut, self.right, self.tell),
                                 more=(box("nk-room-row", self.aloud, self.number, self.put),))
        self.show()

    def _asks(self, key: str, call: Callable[[], None]) -> KeyButton:
        return KeyButton(key, self._model.guard(lambda _: call()), words=self._stepper.walk.words_of(key))

    @property
    def title(self) -> str:
        return self._stepper.show.title

    def entered(self) -> None:
        self._stepper.answer_by(self)

    def left(self) -> None:
        self._stepper.answer_by(None)

    # The stepper's voter ----------------------------------------------------------------------------------------------

    def ask(self, question: Question, changed: Callable[[], None]) -> None:
        """Put the question of a moment to the phones."""
        self._changed, self._come = changed, 0
        self._put(question)

    def answers(self) -> Mapping[str, str]:
        """Seat -> its answer to the stepper's question."""
        if self.room is None or self.room.question is not self._stepper.asking.question:
            return {}
        return {str(seat): choice for seat, choice in self.room.answers().items()}

    def close(self) -> Mapping[str, str]:
        """Take no more answers."""
        self._close()
        return self.answers()

    # What is asked ----------------------------------------------------------------------------------------------------

    def predict(self, kind: str) -> None:
        """Ask about the decision that comes now; OptionError if none does."""
        stepper = self._stepper
        if not stepper.moment.who:
            raise OptionError(stepper.walk.say("ask.nobody"))
        stepper.ask_anew(kind)

    def wager(self, kind: str) -> None:
        """Ask what chance will bring next."""
        question, self._answer = self._stepper.walk.bet(kind, self._stepper.row, self._stepper.at)
        self._put(question)

    def _votes(self) -> Markup:
        """What was thought of the decision looked at; of one before, nothing: the board has gone on."""
        room, guess = self.room, self._stepper.guess
        gone = room is not None and room.question is not None and room.question.kind in self._stepper.walk.asks
        here = self.asking or (guess is not None and room is not None and guess.question is room.question)
        return Markup() if gone and not here else super()._votes()

    def _ask_own(self) -> None:
        """A question asked aloud, answered by letters."""
        choices = tuple(Choice(letter, letter) for letter in _LETTERS[: int(self.number.value)])
        self._put(Question("own", self.aloud.value.strip() or ROOM("class.said"), choices))

    def _tell(self) -> None:
        room, stepper = self.room, self._stepper
        if room is None or room.question is None or room.result is not None:
            raise OptionError(ROOM("class.nothing"))
        if room.question.kind in stepper.walk.asks:
            stepper.confirm(nobody=True)  # the stepper shows what is decided, and `show` tells the phones
        elif self._answer is not None and room.question.kind in stepper.walk.bets:
            room.reveal(self._answer)
        else:
            right = self.right.value
            told = ROOM("told.own", letter=right) if right else ROOM("told.all")
            room.reveal(Result((right,) if right else (), told))
        self.show()

    def show(self) -> None:
        room, stepper = self.room, self._stepper
        if room is not None and room.question is not None and self.asking and not stepper.asked:
            guess = stepper.guess
            if guess is not None and guess.question is room.question:
                room.reveal(guess.result)
            elif room.question.kind in stepper.walk.asks:
                room.close()  # what is decided is to be seen
        shown(self.right, room is not None and room.question is not None and room.question.kind == "own")
        super().show()
        if len(self.answers()) != self._come:
            self._come = len(self.answers())
            self._changed()


def come(room: ClassRoom, votes: Mapping[str, int]) -> Markup:
    """How many have answered."""
    said = ROOM("class.come", n=sum(votes.values()), of=room.joined)
    return html("<p class=nk-room-come><b>{}</b></p>", said)


def bars(question: Question, result: Result, votes: Mapping[str, int]) -> Markup:
    """The answers as bars, the right ones first and marked, chosen or not; then what the wrong ones would have needed,
    by how many."""
    labels = {choice.id: choice.label for choice in question.choices}
    votes = {**dict.fromkeys(result.right, 0), **votes}
    most = max(1, *votes.values())
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
