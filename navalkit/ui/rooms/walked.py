"""A class before a stepper: its questions, its screen and its plan come from the walk of the game."""

from __future__ import annotations
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from navalkit.core.awaited import finish
from navalkit.core.errors import OptionError
from navalkit.rooms.classroom import ClassRoom, Poll
from navalkit.view.page import Choice, Question, Result
from navalkit.walks.shows import tour_names
from navalkit.walks.stepper import CLASS, EXPLAIN, PREDICT, Stepper
from navalkit.walks.telling import Guess
from ..shell import Bridge, Model, asked
from ..widgets import Dropdown, KeyButton, Text, box, shown
from . import ROOM
from .panel import Face, RoomPanel, Secret
from .screen import BELOW, BESIDE, BOARD, DOOR, LEAST, READY, SMALLEST, Sea, brief, room_of

KEY = "class"
"""Under which the browser keeps the code of the stepper's class."""
MOST_PARTS = 12
"""Parts of a match's plan."""
_LETTERS = "ABCDEF"


class Class(RoomPanel):
    """The stepper's panel for a class, and the voter it asks: each step asks anew."""

    def __init__(self, model: Model, bridge: Bridge, stepper: Stepper) -> None:
        super().__init__(model, bridge, KEY)
        self._stepper, made, walk = stepper, self._made, stepper.walk
        self._kinds = {kind: partial(self.predict, kind) for kind in walk.asks}
        self._kinds |= {kind: partial(self.wager, kind) for kind in walk.bets}
        self.asks = {kind: self._asks(f"class.{kind}", call) for kind, call in self._kinds.items()}
        self.aloud, self.number = Text(), Dropdown(options=[2, 3, 4, 5, 6], value=4)
        self.put = made("class.put", self._ask_own)
        self.right = Dropdown(options=["", *_LETTERS])
        self.right.observe(model.guard(lambda _: self.show()), "value")  # which the room keeps
        self.relabel()
        self._changed, self._come = (lambda: None), 0  # what to call when an answer comes, and how many have
        self._anew = False  # whether the class is asked once more
        # Where something was asked last: the moment, its stop and number, what was stepped through (`begun`), and how
        # many of the moment's reasons were told by then.
        self._put_at, self._put_in, self._put_of, self._put_told = "", (0, 0), -1, 0
        stepper.passes = self._looks_back
        self._left = 0  # the round of a question that was closed as its moment was left
        self._wanted = False  # whether a question is pressed for
        self._came_by = ""  # the address that the page was opened by
        self._returning = False  # whether what the class had before it is still being looked for
        self._placing = False  # whether it is there, and the page is put where the class stands
        self._camera = stepper.walk.camera()
        self._camera.still = True
        self.widget = self.panel(box("nk-room-row", *self.asks.values(), self.shut, self.right, self.tell),
                                 more=(box("nk-room-row", self.aloud, self.number, self.put),))
        self.show()

    def relabel(self) -> None:
        """Say what the fields are to the present reader."""
        self.aloud.placeholder = ROOM("class.aloud")
        self.number.description, self.right.description = ROOM("class.number"), ROOM("class.right")

    def _asks(self, key: str, call: Callable[[], None]) -> KeyButton:
        return KeyButton(key, self._model.guard(lambda _: call()), words=self._stepper.walk.words_of(key))

    @property
    def title(self) -> str:
        tour = self._stepper.tour
        return tour.title if tour is not None else self._stepper.show.title

    def met(self, query: str, stored: Mapping[str, str]) -> None:
        self._came_by = "" if self._bridge.again else query
        super().met(query, stored)

    def entered(self) -> None:
        """Nothing is drawn of a decision before the class was asked about it; one that goes on does so where it was."""
        assert self.room is not None
        stepper = self._stepper
        if link := str(self.room.kept.get("link", "")):
            self._returning = True
            stepper.open_query(link)
            self._go_on()
            return
        super().entered()
        stepper.asking.guesses = {}  # of a class before this one, or of one person
        stepper.look_as(CLASS)
        if stepper.tour is None:
            stepper.use(PREDICT)
        stepper.answer_by(self)

    def _go_on(self) -> None:
        """Once the place is found where the class was, the page stands there as the room has kept it: nothing is asked
        or told of it anew, and nothing is written."""
        stepper, room = self._stepper, self.room
        if room is None or not self._returning or self._placing or stepper.opening:
            return
        there, question = room.kept.get("there", {}), room.question
        if stepper.tour is not None:
            stepper.stand_beside(int(there.get("at", stepper.at)))
        mode = there.get("mode") or (stepper.mode if stepper.tour else PREDICT)
        open_ = question if room.result is None and _where(question) == stepper.here_is else None
        self._placing = True
        try:
            self._put_at, self.right.value = str(there.get("put_at", "")), str(there.get("right", ""))
            self._left, (stop, at) = int(there.get("left", 0)), there.get("put_in", (0, 0))
            self._put_in, self._put_of = (int(stop), int(at)), stepper.begun
            self._put_told = int(there.get("put_told", 0))
            stepper.go_on_with(self, mode, str(there.get("kind", "")), there.get("told"), open_, self._guesses(room))
        finally:
            self._placing = False
        self._returning, self._come, self._changed = False, len(self.answers()), lambda: stepper.changed()
        super().entered()
        came = _place_of(self._came_by)
        if came and came != _place_of(str(room.kept.get("link", ""))):
            self._model.say(ROOM("class.stays", code=room.code))
        stepper.changed()

    def _guesses(self, room: ClassRoom) -> dict[str, Guess]:
        """What the class was told of decisions, by their moments; what it was asked again since, and not told, is
        not."""
        found: dict[str, Guess] = {}
        for each in room.report():
            question: Question | None = Question(each.key.rpartition("=")[2], each.text, (), key=each.key)
            result: Result | None = Result(tuple(each.right), each.told) if each.told else None
            if each.round == room.round and room.question is not None:
                question, result = room.question, room.result
            found.pop(at := _where(question), None)
            if at and question is not None and result is not None:
                found[at] = Guess(question, result, Counter(each.answers.values()), True)
        return found

    def left(self) -> None:
        self._returning, self._anew, self._left = False, False, 0
        self._put_at, self._put_of, self._put_told = "", -1, 0
        self._stepper.answer_by(None)

    @property
    def ready(self) -> bool:
        return not self._returning

    @property
    def settled(self) -> bool:
        return not self._stepper.opening

    def keeps(self) -> dict[str, Any]:
        if self._returning:
            return super().keeps()
        began = {"began": [self._stepper.show.query, self._began]} if self.sees == BOARD else {}
        stepper = self._stepper
        there = {"mode": stepper.mode if stepper.mode in (PREDICT, EXPLAIN) else "", "kind": stepper.asking.kind,
                 "told": stepper.told, "put_at": self._put_at, "put_in": self._put_in, "put_told": self._put_told,
                 "left": self._left, "right": self.right.value, "at": stepper.at}
        link = f"{stepper.tour_link}&view={CLASS}" if stepper.tour else stepper.link
        return super().keeps() | {"link": link, "there": there} | began

    def stands(self) -> Any:
        mine = {name: vars(self)[name] for name in ("_anew", "_put_at", "_put_in", "_put_of", "_put_told", "_left",
                                                    "_changed", "_come")}
        return super().stands() | mine, self._stepper.stands()

    def stand_at(self, stood: Any) -> None:
        super().stand_at(stood[0])
        self._stepper.stand_at(stood[1])

    # The stepper's voter ----------------------------------------------------------------------------------------------

    def ask(self, question: Question, changed: Callable[[], None]) -> None:
        """Put the question of a moment to the phones; while the class still sees its way in, it waits, and one that the
        class was not asked before its page was left is not asked as it comes back. One that is not told yet goes on,
        when its moment is looked at again."""
        assert self.room is not None
        room, here = self.room, self._stepper.here_is
        self._changed, self._come = changed, 0
        if self._placing:
            return
        if self.sees in (READY, DOOR) and not self._put_at == here:
            return
        anew, self._anew = self._anew, False
        if room.question is not None and self.asking and self._put_at == here and not self._wanted:
            if room.question.kind in self._stepper.walk.asks:
                asking = self._stepper.asking
                asking.question, asking.kind = room.question, room.question.kind
            self._reopen(room)
            return
        self._put_here()
        self._put(question, self._place, again=anew or (self._wanted and room.told(question)))

    def _put_here(self) -> None:
        stepper = self._stepper
        self._put_at, self._put_in, self._put_of = stepper.here_is, (stepper.stop, stepper.at), stepper.begun
        self._put_told = 0 if stepper.asked else stepper.told or 0

    def _looks_back(self) -> bool:
        """Whether what lies before the question asked last is looked at, or beside the stops of a tour: of that nothing
        is asked by itself."""
        stepper = self._stepper
        if stepper.asking.room is not self or self._put_at == stepper.here_is:
            return False
        before = self._put_of == stepper.begun and (stepper.stop, stepper.at) < self._put_in
        return before or (stepper.tour is not None and not stepper.at_stop)

    def _reopen(self, room: ClassRoom) -> None:
        """What was closed as its moment was left is open where it stands."""
        if self._left == room.round:
            self._left = 0
            room.reopen()

    @property
    def _place(self) -> str:
        stepper = self._stepper
        return f"{stepper.show.title}. {stepper.walk.place(stepper.row, stepper.at)}."

    def answers(self) -> Mapping[str, str]:
        """Seat -> its answer to the stepper's question."""
        if self.room is None or self.room.question is not self._stepper.asking.question:
            return {}
        return {str(seat): choice for seat, choice in self.room.answers().items()}

    def close(self) -> Mapping[str, str]:
        """The answers as they are. No more are taken once they are told, which is one step; or from now on, where the
        decision is still waited for."""
        if self._stepper.thinking:
            self._close()
        return self.answers()

    # What is asked ----------------------------------------------------------------------------------------------------

    def predict(self, kind: str) -> None:
        """Ask about the decision that comes now; OptionError if none does."""
        stepper = self._stepper
        if not stepper.moment.who:
            raise OptionError(stepper.walk.say("ask.nobody"))
        self._put_here()
        self._wanted = True
        try:
            stepper.ask_anew(kind)
        finally:
            self._wanted = False

    def wager(self, kind: str) -> None:
        """Ask what chance will bring next."""
        question, answer = self._stepper.walk.bet(kind, self._stepper.row, self._stepper.at)
        self._put_here()
        self._put(question, self._place, answer=answer)

    # The class's screen, and who leads it ---------------------------------------------------------------------------

    def kinds(self) -> Sequence[tuple[str, str]]:
        return tuple((kind, made.description) for kind, made in self.asks.items() if self._answerable(kind))

    def _answerable(self, kind: str) -> bool:
        """Whether something comes here that the question is about: for the leader's eyes, for it tells."""
        stepper = self._stepper
        if kind not in stepper.walk.bets:
            return bool(stepper.moment.who)
        with suppress(OptionError):
            return bool(stepper.walk.bet(kind, stepper.row, stepper.at))
        return False

    @property
    def presses(self) -> Mapping[str, Callable[[], None]]:
        asks = {f"class-{kind}": call for kind, call in self._kinds.items()}
        mine = {"class-put": self._ask_own, "bar-on": self.onward, "bar-back": self.backward}
        return {**super().presses, **asks, **mine}

    def fill(self, fields: Sequence[str]) -> None:
        right, aloud, number = fields  # as the page has them
        self.right.value, self.aloud.value, self.number.value = right, aloud, int(number)

    def put_now(self, kind: str) -> None:
        stepper = self._stepper
        if kind in self._kinds:
            self._kinds[kind]()
        elif stepper.asked and stepper.asking.question is not None and not self.asking:
            self._put_here()
            self.ask(stepper.asking.question, self._changed)

    @property
    def repeats(self) -> bool:
        """A question of the game, or of its chance, can be asked again at its own moment only."""
        stepper, question = self._stepper, self.room.question if self.room is not None else None
        if question is not None and question.kind in stepper.walk.asks:
            return _where(question) == stepper.here_is
        bet = question is not None and question.kind in stepper.walk.bets
        return super().repeats and (not bet or self._put_at == stepper.here_is)

    def again(self) -> None:
        room = self.room
        if room is not None and room.question is not None and not self.repeats:
            raise OptionError(ROOM("class.moment"))
        if room is None or room.question is None or room.question.kind not in self._stepper.walk.asks:
            super().again()
            return
        self._anew = True
        self.predict(room.question.kind)

    def onward(self) -> None:
        """One step on; a question in whose place another one was put is asked first."""
        stepper, room, (stop, at) = self._stepper, self.room, self._put_in
        waiting = stepper.asking.question if stepper.asked else None
        if stepper.at_end and not stepper.asked:
            raise OptionError(ROOM("class.over"))
        passes = self.asking and self._looks_back() and stepper.stop == stop and not stepper.untold
        if passes and stepper.at < at < stepper.following and not (stepper.at_stop and stepper.tour is not None):
            stepper.go(at)  # where no decision is, as of a bet, no step of its own leads
            return
        if room is not None and waiting is not None and room.question is not waiting and not self.asking:
            self.put_now("")
        else:
            stepper.forward()

    def backward(self) -> None:
        self._stepper.back()

    @property
    def stand(self) -> str:
        stepper = self._stepper
        where = f" {stepper.stop} {stepper.at} {stepper.told}" if self.sees == BOARD else ""  # else it sees no board
        return f"{super().stand}{where}"

    @property
    def waits(self) -> bool:
        """A question is told at its own moment only: from another one goes on who has looked back."""
        room, stepper = self.room, self._stepper
        if room is None or room.question is None or not self.asking:
            return False
        return self._put_at == stepper.here_is and (stepper.asked or room.question.kind not in stepper.walk.asks)

    @property
    def _last_here(self) -> bool:
        """Whether the question asked last is of what is looked at now."""
        room, stepper = self.room, self._stepper
        if room is None or room.question is None or self._put_at != stepper.here_is:
            return False
        guess = stepper.guess
        told = guess is not None and guess.question is room.question
        return self.asking or told or room.question.kind not in stepper.walk.asks

    @property
    def poll(self) -> Poll | None:
        """What was thought of what is looked at now: the question asked last, or what was told of it earlier."""
        room, stepper, guess = self.room, self._stepper, self._stepper.guess
        if self._last_here:
            return super().poll
        if room is None or guess is None or not guess.shared:
            return None
        if not guess.question.choices and stepper.before is not None:  # the file has no more than its words
            walk, moment, key, kind = stepper.walk, stepper.moment, guess.question.key, guess.question.kind
            question = replace(walk.ask(kind, stepper.show.game, moment, moment.who), key=key)
            result = finish(walk.result(stepper.before, kind, guess.votes))
            guess = stepper.asking.guesses[stepper.here_is] = replace(guess, question=question, result=result)
        return room.polled(guess.question, guess.result)

    @property
    def _own_title(self) -> str:
        """What the class is to read of this stop of a teacher's own tour; the house's titles may tell what comes."""
        stepper = self._stepper
        tour = stepper.tour
        own = tour is not None and tour.id not in tour_names(stepper.show.name)
        return stepper.here.title if own and stepper.here is not None and stepper.at_stop else ""

    def face(self) -> Face:
        stepper = self._stepper
        walk, row, line = stepper.walk, stepper.row, stepper.lines[-1] if stepper.lines else None
        poll = self.poll
        asks = poll is not None
        # A question put among the reasons is what is seen until one goes on.
        if poll is not None and (line is None or (self._last_here and stepper.told == self._put_told)):
            on_board, asking = any(choice.at is not None for choice in poll.question.choices), poll.result is None
            how = ROOM("screen.tap" if on_board else "screen.choose") if asking else ""
            title = self._own_title if asking else ""
            return Face(poll.question.text, title, how, side=walk.place(row, stepper.at))
        if line is not None and stepper.told:
            rule = stepper.show.game.rules().get(line.rule)
            side = ROOM("screen.line", n=stepper.told, of=len(stepper.all_lines))
            told = " ".join(each.text for each in stepper.lines if each.rule == line.rule)
            cited = brief(rule.text, told) if rule else ""
            return Face(line.ask, line.text, cited, side=side, asks=asks, result=False)
        captain = walk.called(stepper.show.game, stepper.moment.captain) if stepper.thinking else ""
        head = side = walk.say("thinking", captain=captain) if captain else walk.place(row, stepper.at)
        about = stepper.show.about if stepper.at == stepper.show.opening else ""
        if stepper.here is not None and stepper.at_stop and not stepper.stepping_on:
            head = stepper.here.title  # what the class reads of this stop
        ending = walk.ending(stepper.show.game, row) if stepper.over else None
        if ending is not None:
            return Face(head, ending.head, " ".join(ending.lines), asks=asks, result=False)
        side = side if side != head else ""
        return Face(head, " ".join(stepper.news) or about, side=side, asks=asks, result=False)

    def sea(self) -> Sea | None:
        stepper = self._stepper
        if stepper.mode not in (PREDICT, EXPLAIN):
            return None
        walk, sight = stepper.walk, replace(stepper.sight, votes={}, letters={})
        width, height, scale = room_of(*self._window)
        larger = scale * SMALLEST / LEAST
        beside, below = BESIDE * larger / scale, BELOW * larger / scale
        self._camera.fill(width, height, beside=beside, below=below)
        scene = walk.scene(sight, self._camera)
        poll = self.poll
        on_board = poll is not None and any(choice.at is not None for choice in poll.question.choices)
        cells = walk.places(sight, self._camera, scene) if on_board else {}
        told = stepper.before if on_board and poll is not None and poll.result is not None else None
        whole = abs(scene.width - width) < 2 and abs(scene.height - height) < 2
        return Sea(scene, cells, walk.way(told, sight, self._camera) if told is not None else (), whole)

    def secret(self) -> Secret:
        room, stepper = self.room, self._stepper
        told = len(stepper.lines) if not stepper.asked else 0
        lines = tuple((line.ask, line.text, number < told) for number, line in enumerate(stepper.truth))
        right: Sequence[str] = ()
        rule = next((line.rule for line in stepper.truth if line.rule), "")
        before, question = stepper.before, room.question if room is not None else None
        if question is not None and self._last_here and before is not None and question.kind in stepper.walk.asks:
            known = finish(stepper.walk.result(before, question.kind, {}))
            right, rule = known.right, known.rule or rule
        elif room is not None and room.answer is not None:
            right = room.answer.right
        note = stepper.here.note if stepper.here is not None and stepper.at_stop else ""
        left = stepper.truth[told:]
        say = ROOM("say.over") if stepper.at_end else ROOM("say.on")
        if stepper.guess is not None and left:
            say = ROOM("say.line", ask=left[0].ask, text=left[0].text)
        elif stepper.stepping_on:
            say = ROOM("say.came")
        return Secret(right, rule, lines, note, say)

    def ahead(self) -> tuple[Sequence[tuple[str, float]], int]:
        stepper, walk = self._stepper, self._stepper.walk
        if stepper.tour is not None:
            return tuple((stop.title, float(stop.minutes)) for stop in stepper.tour.stops), stepper.stop
        row, began = stepper.row, self._began
        keyed = [at for at, moment in enumerate(row) if moment.keys]
        keyed = keyed[max(0, sum(at <= began for at in keyed) - 1) :][:MOST_PARTS] or [0]
        parts = [(walk.say("mark", place=walk.place(row, at), turn=row[at].turn, key=walk.name(row[at].keys[-1])), 1.0)
                 for at in keyed if row[at].keys]
        return parts, sum(at <= stepper.at for at in keyed) - 1

    @property
    def _began(self) -> int:
        """The moment at which the class saw its board first: a lesson's minutes are those from there on."""
        stepper, kept = self._stepper, self.room.kept.get("began", ()) if self.room is not None else ()
        return int(kept[1]) if kept and kept[0] == stepper.show.query else stepper.at

    def _ask_own(self) -> None:
        """A question asked aloud, answered by letters."""
        choices = tuple(Choice(letter, letter) for letter in _LETTERS[: int(self.number.value)])
        self._put_here()
        self._put(Question("own", self.aloud.value.strip() or ROOM("class.said"), choices))

    def _tell(self) -> None:
        room, stepper = self.room, self._stepper
        if room is None or room.question is None or room.result is not None:
            raise OptionError(ROOM("class.nothing"))
        if room.question.kind in stepper.walk.asks:
            stepper.confirm(nobody=True)  # the stepper shows what is decided, and `show` tells the phones
            if stepper.asked:  # it is not found yet
                self._close()
        elif room.answer is not None:
            room.reveal(room.answer)
        else:
            right = self.right.value
            told = ROOM("told.own", letter=right) if right else ROOM("told.all")
            room.reveal(Result((right,) if right else (), told))
        self.show()

    def show(self) -> None:
        for each in (*self.asks.values(), self.put):
            each.disabled = not (self.ready and self.settled)  # it would be asked of another place
        if self.lost:
            super().show()
            return
        self._go_on()  # once the place is found
        if self._returning:
            super().show()
            return
        room, stepper = self.room, self._stepper
        if room is not None and room.question is not None and self.asking:
            guess = stepper.guess
            if guess is not None and guess.question is room.question and not stepper.asked:
                room.reveal(guess.result)
                votes = Counter(room.answers().values())  # an answer may have come until this moment
                stepper.asking.guesses[stepper.here_is] = replace(guess, votes=votes)
            elif room.open and not self.waits:
                self._left = room.round
                room.close(rests=True)  # what is decided is to be seen
            elif self.waits:
                self._reopen(room)
        shown(self.right, room is not None and room.question is not None and room.question.kind == "own")
        super().show()
        if len(self.answers()) != self._come:
            self._come = len(self.answers())
            self._changed()


def _place_of(query: str) -> dict[str, str]:
    """What an address names to be stepped through; {} if it names nothing."""
    return {key: value for key, value in asked(query)[0].items() if key in ("tour", "position", "scenario")}


def _where(question: Question | None) -> str:
    """The moment whose decision a question is about (`Stepper.here_is`); "" for none."""
    return question.key.rpartition("&ask=")[0] if question is not None else ""
