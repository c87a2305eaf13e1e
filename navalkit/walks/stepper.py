"""The stepper without a widget: stepping through a match or a tour, telling line by line, predicting, what if.

A page calls one method a press; each ends with `Stepper.changed`, and the page repaints. What is wrong is an error with
a sentence.
"""

from __future__ import annotations
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from navalkit.core.awaited import Steps
from navalkit.core.errors import IllegalActionError, OptionError, brief
from navalkit.view.page import Question, Result
from . import shows
from .shows import Show, Stop, Tour
from .telling import ALL, CLASS, EXPLAIN, ME, MODES, PREDICT, RULE, WHAT_IF, Guess, Telling, Voter
from .told import Change, Difference
from .walk import DECISION

__all__ = ["CLASS", "EXPLAIN", "ME", "MODES", "PREDICT", "RULE", "WHAT_IF", "Stepper"]

T = TypeVar("T")


class Stepper(Telling):
    """What one may do where one is: step, predict, suppose, open something else."""

    opening = False
    """Whether what is to be opened is still being looked for."""
    begun = 0
    """How often something was opened anew."""

    # Stepping ---------------------------------------------------------------------------------------------------------

    @property
    def at_end(self) -> bool:
        """Whether there is nothing further to step to."""
        if self.asked or self.untold or (self.thinking and self.by_rule):
            return False
        if self.at_stop:  # a tour ends with its last stop, and what came of it
            return self.last_stop and self.at == self._stop_ends
        return self.at == len(self.row) - 1

    @property
    def at_start(self) -> bool:
        """Whether there is nothing to step back to."""
        return self.at == 0 and not self.told and not (self.at_stop and self.stop)

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
        self.chosen, self.lit, self.part = "", None, None
        self.told = (0 if told == ALL else told) if self.who else None
        self._forget()
        self.hush()
        self._decide()
        if told == ALL and self.who:
            self._when(self._tell_all)
        self._ask()
        self.changed()

    def _tell_all(self) -> None:
        self.told = len(self.all_lines)

    def forward(self) -> None:
        """One step on: past what is asked, the next line of the decision, what came of it, the next stop or moment."""
        if self.asked:
            self._past_question()
        elif self.untold:
            assert self.told is not None
            self._tell(self.told + 1)
        elif self.thinking and self.by_rule:
            self.tell(self.walk.say("thinking", captain=self.walk.called(self.show.game, self.moment.captain)))
        elif self.at_end:
            return
        elif self.at_stop and self.at < self._stop_ends:
            self.go(self.at + 1)
        elif self.at_stop:
            self.go_on(1)
        else:
            self.go(self.following)

    @property
    def following(self) -> int:
        """The moment that a step leads to from where no decision is told."""
        found = self._found
        return found[min(bisect_right(found, self.at), len(found) - 1)]

    def _past_question(self) -> None:
        """Close the question and go on to its reasons; only when asked to twice where nobody has answered yet, and
        where a class has: others may still be thinking."""
        answered, alone = self.asking.voter.answers(), self.asking.room is None
        if not (answered and alone):
            self._insist("predict.come" if answered else "predict.unanswered", n=len(answered))
        self.confirm(nobody=True)

    def _insist(self, key: str, **facts: Any) -> None:
        """OptionError with a sentence the first time somebody leaves the question that is open; the second time, go."""
        question = self.asking.question
        if self.asked and question is not None and self._insisted != question.key:
            self._insisted = question.key
            raise OptionError(self.walk.say(key, **facts))

    def back(self) -> None:
        """One step back."""
        if self.told and not self.asked and self.decided is not None:
            self._tell(min(self.told, len(self.all_lines)) - 1)
            return
        if self.stepping_on:
            self._arrive(self.at - 1, ALL)
            return
        if self.at_stop and self.stop:
            self.go_on(-1)
            return
        found = self._found
        self._arrive(found[max(bisect_left(found, self.at) - 1, 0)], ALL if self.by_rule else None)

    @property
    def _found(self) -> tuple[int, ...]:
        return self.show.stops(DECISION if self.unit == RULE else self.unit)

    # What is shown, and links -----------------------------------------------------------------------------------------

    def open(self, show: Show, at: int | None = None, tour: Tour | None = None, stop: int = 0) -> None:
        """Step through something else, from where it opens unless told otherwise; as a stop of a tour perhaps."""
        if show is not self.show:
            if show.walk is not self.walk:
                self.layers, self.asking.kind = set(show.walk.layers) - show.walk.hidden, ""
            self.show = show
            if tour is None:
                self.asking.guesses = {}
        self.begun += tour is None
        at = show.opening if at is None else at
        self.tour, self.stop, self._stop_at = tour, stop, max(0, min(len(self.row) - 1, at))  # what is asked is of it
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

    def take(self, tour: Tour, stop: int = 0, told: int = 0, then: Callable[[], None] = lambda: None, *,
             on: bool = False) -> None:
        """Take a tour, from one of its stops on, and call ``then`` once it is there; OptionError if it is of another
        game. ``on``: whether one is on it already: what was answered at its other stops is known still."""
        if tour.game not in ("", self.show.name):
            raise OptionError(self.walk.say("tour.other", game=brief(tour.game), here=self.show.name))
        stop = max(0, min(len(tour.stops) - 1, stop))
        here = tour.stops[stop]

        def there(found: tuple[Show, int]) -> None:
            self.mode, self.unit = (PREDICT if here.predict else EXPLAIN), RULE
            self.asking.kind = here.ask
            if not on:
                self.asking.guesses, self.begun = {}, self.begun + 1
            self.open(*found, tour, stop)
            self._wait_for(told)
            then()

        self._find(here.finding(self.show.name), there)

    def _wait_for(self, told: int) -> None:
        """Have that many lines told, as a link asks for, once the decision is there."""
        if told and self.told is not None:
            self._when(lambda: self._tell(min(told, len(self.all_lines))))
        self.changed()

    def go_on(self, stops: int) -> None:
        """To the next stop of the tour, or back with -1: first to the stop that one has stepped on from."""
        if self.tour:
            if stops > 0 and self.at_stop:
                self._insist("predict.leaving")
            if stops < 0 and not self.at_stop:
                stops += 1
            self.take(self.tour, self.stop + stops, on=True)

    # A tour of one's own ----------------------------------------------------------------------------------------------

    def add_stop(self, title: str, note: str, minutes: int, ask: str = "") -> None:
        """Put the moment looked at into the tour that is being made; ``ask``: the question that is put there first."""
        place = self.walk.place(self.row, self.at)
        title = title.strip() or self.walk.say("tour.untitled", place=place, who=self.who or self.show.title)
        if ask and not self.show.askable(self.at):
            raise OptionError(self.walk.say("ask.nobody"))
        stop = Stop(self._to_here.lstrip("?"), title, note.strip(), minutes, predict=bool(ask), ask=ask)
        self.draft = self.draft.with_stop(stop)
        self.tell(self.walk.say("tour.added", n=len(self.draft.stops)))

    def change_stop(self, at: int, title: str, note: str, minutes: int, ask: str = "") -> None:
        """Say something else of a stop of that tour, or ask something else there."""
        self._within(at)
        old = self.draft.stops[at]
        new = replace(old, title=title.strip() or old.title, note=note.strip(), minutes=minutes, predict=bool(ask),
                      ask=ask)
        self.draft = self.draft.with_stop(new, at)
        self.tell(self.walk.say("tour.changed", n=at + 1))

    def move_stop(self, at: int, by: int) -> None:
        """Move a stop of that tour by a number of places; with 0 it is taken out."""
        self._within(at)
        self.draft = self.draft.moved(at, by) if by else self.draft.without(at)
        self.changed()

    def name_draft(self, title: str) -> None:
        """Call that tour something."""
        self.draft = replace(self.draft, title=title.strip() or shows.draft().title)

    def take_draft(self, at: int = 0) -> None:
        """Go through that tour as a class will, from one of its stops on."""
        self._within(at)
        self.take(self.draft, at)

    def edit(self) -> None:
        """Make the tour that is shown the one that is being made."""
        if self.tour is None:
            raise OptionError(self.walk.say("tour.no-tour"))
        self.draft = replace(self.tour, id="", game=self.show.name)
        self.tell(self.walk.say("tour.edited", tour=self.tour.title, n=len(self.tour.stops)))

    def _within(self, at: int) -> None:
        if not 0 <= at < len(self.draft.stops):
            raise OptionError(self.walk.say("tour.no-stop"))

    def open_query(self, query: str, then: Callable[[], None] = lambda: None) -> bool:
        """Open what a query string asks for, and call ``then`` once it is there; False if it asks for nothing."""
        if sees := shows.eyes(query):
            self.sees = sees
        if found := shows.tour_of(self.show.name, query):
            self.take(*found, then=then)
        elif shows.asks(self.show.name, query):
            self._open(shows.from_query(self.show.name, query), then)
        else:
            return False
        return True

    def _open(self, steps: Steps[shows.Asked], then: Callable[[], None] = lambda: None) -> None:
        def there(asked: shows.Asked) -> None:
            if asked.unit in (RULE, *asked.show.walk.units):
                self.unit = asked.unit
            self.open(asked.show, asked.at)
            if self.by_rule:
                self._wait_for(asked.told)
            then()

        self._find(steps, there)

    def _find(self, steps: Steps[T], there: Callable[[T], None]) -> None:
        """Look for what is to be opened; until it is there, `opening` is true."""
        def found(what: T) -> None:
            try:
                there(what)
            finally:
                self.opening = False
            self.changed()

        def looking() -> Steps[T]:
            try:
                return (yield from steps)
            except Exception:  # as of a link to what there is not: nothing is looked for any more
                self.opening = False
                raise

        self.opening = True
        try:
            self.soon("open", looking(), found)
        except BaseException:
            self.opening = False
            raise

    @property
    def link(self) -> str:
        """The query of a link to this very step."""
        here = self.tour_link if self.at == self._stop_at else self._to_here
        query = f"{here}&line={self.told}" if self.told else here
        return f"{query}&view={CLASS}" if self.sees == CLASS else query

    @property
    def tour_link(self) -> str:
        """The query of a link to the stop of the tour; of none to this step."""
        return f"{self.tour.query(self.show.name)}&stop={self.stop}" if self.tour else self._to_here

    @property
    def _to_here(self) -> str:
        return f"{self.show.query}&step={self.at}&by={self.unit.replace(' ', '+')}"

    # Presses on the board ---------------------------------------------------------------------------------------------

    def use(self, mode: str) -> None:
        """What a press on the board is for from now on: one of `MODES`."""
        self._known("mode", mode, MODES)
        if mode == WHAT_IF:
            self._insist("predict.leaving")  # it tells what is decided
        self.mode, self.lit, self.part = mode, None, None
        self._forget()
        self.hush()
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
        if action is None and self.moment.who:
            action = self.walk.answers(self.show.game, self.moment).get(cell)
        if who is not None:
            self.choose(who)
        elif said:
            self.tell(said)
        elif action is not None and self.decided is not None and not self.untold:
            self.soon("worth", self.walk.judging(self.decided, action), self.tell)

    # Predicting -------------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Put the question of this moment, if there is one that is not answered yet; of it nothing is told then."""
        if self.asked:
            self.told = self.told and 0
            self.asking.put(self.walk, self.show.game, self.moment, self.here_is)
        else:
            self.asking.question = None

    def ask_anew(self, kind: str) -> None:
        """Ask a question of this decision, whether or not it has been asked before."""
        self.asking.guesses.pop(self.here_is, None)
        self.asking.kind, self.asking.question = kind, None
        self.use(PREDICT)

    def answer_by(self, room: Voter | None) -> None:
        """From now on this class answers; with None those at the page."""
        self.asking.room, self.asking.question = room, None
        self._ask()
        self.changed()

    def go_on_with(self, room: Voter, mode: str, kind: str, told: int | None, question: Question | None,
                   guesses: Mapping[str, Guess]) -> None:
        """Stand at this moment as a class does that has been here before: with what it is asked, and what was told.
        Who calls this shows it."""
        asking = self.asking
        asking.room, asking.question, asking.guesses = room, question, dict(guesses)
        asking.kind = question.kind if question is not None else kind
        self.sees, self.mode = CLASS, mode
        self.told = (told or 0) if self.who else None
        self.lit, self.part = (told - 1 if told and self.who else None), None
        self._ask()

    def stand_beside(self, at: int) -> None:
        """Stand at a moment that is no stop of the tour, as a class has stood there. Who calls this shows it."""
        if 0 <= at < len(self.row) and at != self.at:
            self.at = at
            self._decide()

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
            told, where = self.before, self.here_is
            assert told is not None, "the decision was waited for"

            def found(result: Result) -> None:
                self.asking.note(where, question, votes, result)
                told = "predict.class.told" if self.asking.room else "predict.closed" if votes else "predict.shown"
                self.tell(self.walk.say(told) if self.untold else self.result)

            self.soon("result", self.walk.result(told, question.kind, votes), found)

        self._when(compare)

    @property
    def result(self) -> str:
        """What came of the prediction of this moment; "" until the reasons are told, for they lead to it. A class is
        told on its phones."""
        return "" if self.untold and self.asking.room is None else self.asking.told(self.here_is, self.walk)

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
        found = {each.key: each for each in self.changes}
        self._known("change", change, tuple(found))
        self.supposed.change(self.walk, self.show.game, self.moment, self.who, found[change])
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
