"""The stepper without a widget: stepping through a match or a tour, telling line by line, predicting, what if.

A page calls one method a press; each ends with `Stepper.changed`, and the page repaints. What is wrong is an error with
a sentence. A decision that takes a while is awaited (`Stepper.soon`), and kept: stepping back and forth thinks once.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from navalkit.core.awaited import Steps, finish
from navalkit.core.errors import IllegalActionError, OptionError
from navalkit.view.questions import Result

from . import shows
from .shows import Show, Stop, Tour
from .told import Change, Difference, Line, Moment, Sight, Table, Told
from .trying import Asking, Guess, Supposing, Voter
from .walk import DECISION, Walk

RULE = "rule"
"""To step by the lines of a decision."""
EXPLAIN, PREDICT, WHAT_IF = MODES = ("explain", "predict", "what-if")
"""What a press on the board is for."""
CLASS, ME = "class", "me"
"""Whose eyes the page is for: the class sees nothing before it is told, the teacher everything."""
ALL = -1
"""Lines told: all of them, however many there are."""

Soon = Callable[[str, Steps[Any], Callable[[Any], None]], None]
"""Has work done for a place on the page, and shows its answer: at once if it takes no time."""


def at_once(slot: str, steps: Steps[Any], then: Callable[[Any], None]) -> None:
    """Do all of it here and now: where no page waits."""
    then(finish(steps))


class Stepper:
    """Where one is in a show, what is told of it so far, and what is tried.

    ``show``: what is stepped through. ``sees``: `CLASS` or `ME`. ``soon``: see `Soon`. Its page sets ``changed``,
    called when something else is to be seen, and ``tell``, called with what happened.
    """

    def __init__(self, show: Show, sees: str = ME, soon: Soon = at_once) -> None:
        self.show, self.sees, self.soon = show, sees, soon
        self.changed: Callable[[], None] = lambda: None
        self.said = ""
        """What happened last."""
        self.tell: Callable[[str], None] = self._keep
        self.at = 0
        """Index of the moment looked at."""
        self.unit, self.mode = DECISION, EXPLAIN
        self.told: int | None = None
        """Lines of the decision told so far, when they are told one by one; None is all of them."""
        self.lit: int | None = None
        """The line whose evidence is lit."""
        self.part: int | None = None
        """Which of its parts alone is lit."""
        self.chosen = ""
        """Whose decision is looked at in place of that of who decides next."""
        self.layers = set(self.walk.layers) - self.walk.hidden
        self.supposed, self.asking = Supposing(), Asking(lambda: self.changed())
        self.tour: Tour | None = None
        self.stop = 0
        """The stop of the tour looked at."""
        self._stop_at = 0  # and its moment
        self.draft = shows.draft()
        """The tour that is being put together."""
        self._later: list[Callable[[], None]] = []  # what waits for the decision
        self._decide()

    def _keep(self, text: str) -> None:
        self.said = text
        self.changed()

    # The moment -------------------------------------------------------------------------------------------------------

    @property
    def walk(self) -> Walk[Any, Any, Any]:
        return self.show.walk

    @property
    def row(self) -> tuple[Moment[Any], ...]:
        return self.show.row

    @property
    def moment(self) -> Moment[Any]:
        """The moment looked at."""
        return self.row[self.at]

    @property
    def state(self) -> Any:
        """The state looked at, with what was supposed of it."""
        return self.moment.state if self.supposed.state is None else self.supposed.state

    @property
    def who(self) -> str:
        """Whose decision is looked at, "" if nobody's."""
        if self.chosen and self.chosen in self.walk.deciders(self.show.game, self.moment.state):
            return self.chosen
        return self.moment.who

    @property
    def before(self) -> Told[Any, Any] | None:
        """The decision as it is; None while it is awaited, and where nobody decides."""
        return self.show.known.get((self.at, self.who, (None, "")))

    @property
    def decided(self) -> Told[Any, Any] | None:
        """The decision looked at, with what was supposed; likewise."""
        return self.show.known.get((self.at, self.who, self.supposed.key))

    @property
    def thinking(self) -> bool:
        """Whether the decision is still awaited."""
        return bool(self.who) and self.decided is None

    @property
    def asked(self) -> bool:
        """Whether the decision is to be predicted, so that it is not to be seen yet."""
        askable = self.mode == PREDICT and not self.chosen and self.guess is None
        return askable and self.show.askable(self.at)

    @property
    def over(self) -> bool:
        """Whether this is the end of a whole match."""
        return self.show.match is not None and self.show.match.over and self.at == len(self.row) - 1

    @property
    def sight(self) -> Sight[Any]:
        """All that the board is drawn from."""
        told, supposing = None if self.asked else self.decided, self.mode == WHAT_IF
        before = self.before if self.supposed.anything else None
        letters = self.walk.letters(self.before) if self.asked and self.before and not self.asking.room else {}
        return Sight(
            self.show.game, self.row, self.at, self.who, self.state, told, before, self.asked, supposing, self.over,
            told is not None and not self.untold,
            self.lit_cells, self.shown_layers, letters, self.asking.seen(self.at, self.asked), self.supposed.piece,
        )  # fmt: skip

    @property
    def tables(self) -> Sequence[Table]:
        """The tables of the rules; what the decision has to do with them only once something of it is told."""
        return self.walk.tables(self.sight if self.told != 0 else replace(self.sight, told=None))

    def _decide(self) -> None:
        """See to it that the decision looked at is known, and that without what is supposed."""
        self._later.clear()
        if self.who and (self.before is None or self.decided is None):
            wanted = dict.fromkeys(((None, ""), self.supposed.key))
            self.soon("decision", self._deciding(self.at, self.who, tuple(wanted)), lambda _: self._arrived())

    def _deciding(self, at: int, who: str, wanted: tuple[tuple[Any, str], ...]) -> Steps[None]:
        show = self.show
        for key in wanted:
            if (at, who, key) not in show.known:
                show.keep((at, who, key), (yield from show.walk.deciding(show.game, show.row[at], who, *key)))

    def _arrived(self) -> None:
        later, self._later = self._later, []
        for call in later:
            call()
        self.changed()

    def _when(self, call: Callable[[], None]) -> None:
        """Do something as soon as the decision is there."""
        if self.thinking:
            self._later.append(call)
        else:
            call()

    # Its lines --------------------------------------------------------------------------------------------------------

    @property
    def by_rule(self) -> bool:
        """Whether a decision is told line by line."""
        return self.unit == RULE or self.sees == CLASS

    @property
    def all_lines(self) -> tuple[Line, ...]:
        """The lines of the decision, told or not; () as long as it is to be predicted."""
        return () if self.asked else self.truth

    @property
    def truth(self) -> tuple[Line, ...]:
        """The lines of the decision, for the teacher's eyes, even while the class predicts it."""
        return () if self.decided is None else self.decided.lines

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines of the decision, as far as they are told."""
        return self.all_lines[: self.told]

    @property
    def untold(self) -> int:
        """How many lines are still to be told."""
        return 0 if self.told is None else max(0, len(self.all_lines) - self.told)

    @property
    def shown_layers(self) -> frozenset[str]:
        """The layers of evidence to draw now: those that are on and whose rule has been told."""
        if self.asked or self.decided is None:
            return frozenset()
        if not self.untold:
            return frozenset(self.layers)
        topics = {line.topic for line in self.lines}
        return frozenset(layer for layer in self.layers if self.walk.topics(layer) in topics)

    @property
    def lit_cells(self) -> tuple[str, ...]:
        """The evidence of the lit line, or of its lit part."""
        if self.lit is None or self.lit >= len(self.lines):
            return ()
        line = self.lines[self.lit]
        return line.cells if self.part is None or self.part >= len(line.parts) else line.parts[self.part].cells

    def step_by(self, unit: str) -> None:
        """Step by `RULE`, or by one of the walk's units, from now on."""
        if unit not in (RULE, *self.walk.units):
            raise OptionError(
                self.walk.say("unknown.unit", units=", ".join((RULE, *self.walk.units)), unit=_brief(unit))
            )
        self.unit = unit
        self._untell()

    @property
    def units(self) -> tuple[str, ...]:
        """What one may step by here: what applies, and what one steps by now."""
        return tuple(
            unit for unit in (RULE, *self.walk.units)
            if unit in (RULE, DECISION, self.unit) or len(self.show.stops(unit)) > 2
        )  # fmt: skip

    def look_as(self, sees: str) -> None:
        """Show what the class may see so far, or everything: `CLASS` or `ME`."""
        if sees not in (CLASS, ME):
            raise OptionError(self.walk.say("unknown.eyes", sees=_brief(sees)))
        self.sees = sees
        if sees == ME or self.told is not None:  # what was told stays told
            self.changed()
        else:
            self._untell()

    def _untell(self) -> None:
        self.told = 0 if self.by_rule and self.moment.who else None
        self.lit = self.part = None
        self.changed()

    def _tell(self, told: int) -> None:
        """Have that number of lines told, the last of them lit."""
        self.told, self.part = told, None
        self.lit = told - 1 if told else None
        self.changed()

    def light(self, line: int, part: int | None = None) -> None:
        """Light up the evidence of a line, or of one of its parts; once more puts it out."""
        same = (self.lit, self.part) == (line, part)
        self.lit, self.part = (None, None) if same else (line, part)
        self.changed()

    def light_next(self, step: int) -> None:
        """Light up the next line, or the one before with -1."""
        if self.lines:
            now = len(self.lines) - 1 if self.lit is None else self.lit
            self.lit, self.part = max(0, min(len(self.lines) - 1, now + step)), None
            self.changed()

    def switch(self, layer: str) -> None:
        """Switch a layer of evidence on or off."""
        if layer not in self.walk.layers:
            raise OptionError(self.walk.say("unknown.layer", layer=_brief(layer), layers=", ".join(self.walk.layers)))
        self.layers ^= {layer}
        self.changed()

    def choose(self, who: str) -> None:
        """Show what somebody would decide now; "" shows who decides next again."""
        self.chosen, self.lit, self.part, self.told = who, None, None, None
        self._decide()
        self.changed()

    # Stepping ---------------------------------------------------------------------------------------------------------

    @property
    def here(self) -> Stop | None:
        """The stop of the tour, if one is taken."""
        return self.tour.stops[self.stop] if self.tour else None

    @property
    def at_end(self) -> bool:
        """Whether there is nothing further to step to."""
        more = self.tour is not None and self.stop + 1 < len(self.tour.stops)
        waits = self.thinking and self.by_rule
        return self.at == len(self.row) - 1 and not (self.untold or waits or more)

    @property
    def at_start(self) -> bool:
        """Whether there is nothing to step back to."""
        return self.at == 0 and not self.told and not (self.tour and self.stop)

    def go(self, at: int) -> None:
        """Look at a moment."""
        self._arrive(at, told=0 if self.by_rule else None)

    def first(self) -> None:
        """The start."""
        self.go(0)

    def last(self) -> None:
        """The end."""
        self.go(len(self.row) - 1)

    def _arrive(self, at: int, told: int | None) -> None:
        self.at = max(0, min(len(self.row) - 1, at))
        self.told = (0 if told == ALL else told) if self.moment.who else None
        self.chosen, self.lit, self.part = "", None, None
        self._forget()
        self._decide()
        if told == ALL and self.moment.who:
            self._when(self._tell_all)
        self._ask()
        self.changed()

    def _tell_all(self) -> None:
        self.told = len(self.all_lines)

    def forward(self) -> None:
        """One step on: the next line of the decision, then the next stop of the tour or the next moment."""
        if self.untold:
            assert self.told is not None
            self._tell(self.told + 1)
            return
        if self.thinking and self.by_rule and not self.asked:
            self.tell(self.walk.say("thinking", captain=self.walk.called(self.show.game, self.moment.captain)))
            return
        if self.tour and not self.asked and self.stop + 1 < len(self.tour.stops):
            self.go_on(1)
            return
        found = self._found
        self.go(found[min(bisect_right(found, self.at), len(found) - 1)])

    def back(self) -> None:
        """One step back."""
        if self.told and not self.asked and self.decided is not None:
            self._tell(min(self.told, len(self.all_lines)) - 1)
            return
        if self.tour and self.stop:
            self.go_on(-1)
            return
        found = self._found
        self._arrive(found[max(bisect_left(found, self.at) - 1, 0)], ALL if self.by_rule else None)

    @property
    def _found(self) -> tuple[int, ...]:
        return self.show.stops(DECISION if self.unit == RULE else self.unit)

    # What is shown, and links -----------------------------------------------------------------------------------------

    def open(self, show: Show, at: int = 0) -> None:
        """Step through something else."""
        if show is not self.show:
            if show.walk is not self.walk:
                self.layers, self.asking.kind = set(show.walk.layers) - show.walk.hidden, ""
            self.show, self.asking.guesses = show, {}
        self.tour = None
        self.go(at)

    def open_item(self, item: shows.Item) -> None:
        """Open an entry of the chooser that has a name."""
        if item.kind is shows.Kind.TOUR:
            self.take(shows.find(self.show.name, item.name))
        else:
            self._open(shows.from_item(self.show.name, item))

    def open_another(self) -> None:
        """The same start with the next seed; from a position or a tour the next entry of the chooser."""
        item, match = self.tour.item if self.tour else self.show.item, self.show.match
        if item.kind is shows.Kind.START and match is not None:
            self.soon("open", shows.played(match.game, match.seed + 1, self.show.players), self._another)
            return
        self.open_item(shows.after(self.show.name, item))

    def _another(self, show: Show) -> None:
        assert show.match is not None
        self.open(show)
        self.tell(self.walk.say("another.said", seed=show.match.seed))

    def open_file(self, data: bytes) -> None:
        """Step through a saved game, a scenario of one's own or a tour; on any error the present one stays."""
        if shows.is_tour(data):
            self.take(shows.loads(data.decode("utf-8", "replace")))
        else:
            self.soon("open", shows.from_file(self.show.name, data), self.open)

    def take(self, tour: Tour, stop: int = 0, told: int = 0) -> None:
        """Take a tour, from one of its stops on."""
        stop = max(0, min(len(tour.stops) - 1, stop))
        here = tour.stops[stop]

        def there(found: tuple[Show, int]) -> None:
            self.mode, self.unit, self.asking.kind = (PREDICT if here.predict else EXPLAIN), RULE, ""
            self.open(*found)
            self.tour, self.stop, self._stop_at = tour, stop, self.at
            self._wait_for(told)

        self.soon("open", here.finding(self.show.name), there)

    def _wait_for(self, told: int) -> None:
        """Have that many lines told, as a link asks for, once the decision is there."""
        if told and self.told is not None:
            self._when(lambda: self._tell(min(told, len(self.all_lines))))
        self.changed()

    def go_on(self, stops: int) -> None:
        """To the next stop of the tour, or back with -1."""
        if self.tour:
            self.take(self.tour, self.stop + stops)

    def add_stop(self, title: str, note: str, minutes: int) -> None:
        """Put the moment looked at into the tour that is being made."""
        place = self.walk.place(self.row, self.at)
        title = title.strip() or self.walk.say("tour.untitled", place=place, who=self.who or self.show.title)
        query = self._to_here.lstrip("?")
        self.draft = self.draft.with_stop(Stop(query, title, note.strip(), minutes, predict=self.mode == PREDICT))
        self.tell(self.walk.say("tour.added", n=len(self.draft.stops)))

    def open_query(self, query: str) -> bool:
        """Open what a query string asks for; False if it asks for nothing."""
        if sees := shows.eyes(query):
            self.sees = sees
        if found := shows.tour_of(self.show.name, query):
            self.take(*found)
        elif shows.asks(self.show.name, query):
            self._open(shows.from_query(self.show.name, query))
        else:
            return False
        return True

    def _open(self, steps: Steps[shows.Asked]) -> None:
        def there(asked: shows.Asked) -> None:
            if asked.unit in (RULE, *asked.show.walk.units):
                self.unit = asked.unit
            self.open(asked.show, asked.at)
            if self.by_rule:
                self._wait_for(asked.told)

        self.soon("open", steps, there)

    @property
    def link(self) -> str:
        """The query of a link to this very step."""
        here = self._to_here
        if self.tour and self.at == self._stop_at:
            here = f"{self.tour.query(self.show.name)}&stop={self.stop}"
        query = f"{here}&line={self.told}" if self.told else here
        return f"{query}&view={CLASS}" if self.sees == CLASS else query

    @property
    def _to_here(self) -> str:
        return f"{self.show.query}&step={self.at}&by={self.unit.replace(' ', '+')}"

    # Presses on the board ---------------------------------------------------------------------------------------------

    def use(self, mode: str) -> None:
        """What a press on the board is for from now on: one of `MODES`."""
        if mode not in MODES:
            raise OptionError(self.walk.say("unknown.mode", mode=_brief(mode)))
        self.mode, self.lit, self.part = mode, None, None
        self._forget()
        if mode == WHAT_IF:
            others = self.walk.deciders(self.show.game, self.moment.state)
            self.chosen, self.told = self.who or next(iter(others), ""), None
        self._decide()
        self._ask()
        self.changed()

    def point(self, cell: str, action: Any = None) -> None:
        """A press on a cell of the board: an answer, a piece lifted or put down, or whose decision to look at.
        ``action``: what the cell carries."""
        walk = self.walk
        supposed = self.supposed
        if supposed.dragged:
            supposed.piece, supposed.dragged = None, False
        if self.asked:
            self.answer(walk.chosen(self.sight, cell, action))
        elif self.mode == WHAT_IF and walk.drags:
            if supposed.piece is not None and not walk.covers(self.state, supposed.piece, cell):
                self._put(cell)
                supposed.piece = None
                self.changed()
            else:
                self._lift(cell)
        else:
            self._press(cell, action)

    def drag(self, cell: str) -> None:
        """The pressed pointer comes to a further cell: in a what-if it takes the piece along."""
        if self.mode == WHAT_IF and self.supposed.piece is not None:
            self.supposed.dragged = True
            try:
                self._put(cell)
            except IllegalActionError:  # over another one: it follows again beyond
                return
            self.changed()

    def _press(self, cell: str, action: Any) -> None:
        who, said = self.walk.pressed(self.sight, cell, action)
        if who is not None:
            self.choose(who)
        elif said:
            self.tell(said)
        elif action is not None and self.decided is not None and not self.untold:
            self.soon("worth", self.walk.judging(self.decided, action), self.tell)

    # Predicting -------------------------------------------------------------------------------------------------------

    @property
    def guess(self) -> Guess | None:
        """What was predicted for this moment."""
        return self.asking.guesses.get(self.at)

    def _ask(self) -> None:
        """Put the question of this moment, if there is one that is not answered yet."""
        if self.asked:
            self.asking.put(self.walk, self.show.game, self.moment, f"{self.show.query}&step={self.at}")
        else:
            self.asking.question = None

    def ask_anew(self, kind: str) -> None:
        """Ask a question of this decision, whether or not it has been asked before."""
        self.asking.guesses.pop(self.at, None)
        self.asking.kind, self.asking.question = kind, None
        self.use(PREDICT)

    def answer_by(self, room: Voter | None) -> None:
        """From now on this class answers; with None those at the page."""
        self.asking.room, self.asking.question = room, None
        self._ask()
        self.changed()

    def answer(self, choice: str) -> None:
        """One person's answer: the id of a choice, or of another cell of the board; "" is no answer."""
        question = self.asking.question
        if self.asking.room is not None:
            self.tell(self.walk.say("predict.room"))
            return
        labels = {each.id: each.label for each in question.choices} if question else {}
        if choice and question is not None and (question.shape or choice in labels):
            self.asking.hand.choose(choice)
            label = labels.get(choice, choice)
            self.tell(self.walk.say("predict.chosen", choice=label))

    def change(self) -> None:
        """Take the answer back, as long as it is not confirmed."""
        self.asking.hand.choose("")
        self.tell("")

    def confirm(self, nobody: bool = False) -> None:
        """Close the question, and compare what was answered with what is decided; ``nobody``: even without answers."""
        closed = self.asking.close(self.walk, nobody)
        if closed is None:
            return
        question, votes = closed

        def compare() -> None:
            told, at = self.before, self.at
            assert told is not None, "the decision was waited for"

            def found(result: Result) -> None:
                self.asking.note(at, question, votes, result)
                self.tell(self.result or self.walk.say("predict.closed"))

            self.soon("result", self.walk.result(told, question.kind, votes), found)

        self._when(compare)

    @property
    def result(self) -> str:
        """What came of the prediction of this moment; "" until the reasons are told, for they lead to it. A class is
        told on its phones."""
        return "" if self.untold and self.asking.room is None else self.asking.told(self.at, self.walk)

    # What if ----------------------------------------------------------------------------------------------------------

    @property
    def changes(self) -> tuple[Change, ...]:
        """What may be supposed here."""
        return tuple(self.walk.changes(self.show.game, self.moment, self.who)) if self.who else ()

    @property
    def differences(self) -> tuple[Difference, ...]:
        """What the what-if changes, field by field; () while nothing was changed."""
        if self.before is None or self.decided is None or not self.supposed.anything:
            return ()
        return self.walk.differences(self.before, self.decided)

    def suppose(self, change: str) -> None:
        """Suppose one of `changes`."""
        found = next((each for each in self.changes if each.key == change), None)
        if found is None:
            raise OptionError(self.walk.say("unknown.change", change=_brief(change)))
        self.supposed.change(self.walk, self.show.game, self.moment, self.who, found)
        self._decide()
        self.tell("")

    def _lift(self, cell: str) -> None:
        """Take up what lies on a cell."""
        self.supposed.piece = self.walk.piece_at(self.state, cell)
        said, who = self.walk.lifted(self.supposed.piece)
        self.chosen = who or self.chosen
        self._decide()
        self.tell(said)

    def _put(self, cell: str) -> None:
        self.supposed.put(self.walk, self.state, cell)
        self._decide()

    def reset(self) -> None:
        """The position as it is again."""
        self._forget()
        self._decide()
        self.tell(self.walk.say("what-if.reset.done"))

    def _forget(self) -> None:
        self.supposed.forget()
        self.said = ""


def _brief(text: str) -> str:
    return repr(text[:40])
