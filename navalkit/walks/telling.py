"""Where one is in a show, and what is told of it so far: without a widget, of any game.

A decision that takes a while is awaited (`Telling.soon`), and kept: stepping back and forth thinks once.
"""

from __future__ import annotations
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from navalkit.core.awaited import Steps, finish
from navalkit.core.errors import OptionError
from navalkit.view.page import Question, Result
from . import shows
from .shows import Show, Stop, Tour
from .told import Change, Line, Moment, Sight, Table, Told
from .walk import DECISION, Walk

# -- What a class may try: predict a decision, or suppose something else ---------------------------

class Voter(Protocol):
    """Those who answer a question."""

    def ask(self, question: Question, changed: Callable[[], None]) -> None:
        """Put a question; ``changed`` is called whenever an answer comes or changes."""

    def answers(self) -> Mapping[str, str]:
        """The answers so far: who -> id of a choice."""

    def close(self) -> Mapping[str, str]:
        """The answers as they are now; from here on none is taken."""


class Hand:
    """One person at the page, who may choose anew until the answer is confirmed."""

    def __init__(self) -> None:
        self.choice = ""
        self._changed: Callable[[], None] = lambda: None

    def ask(self, question: Question, changed: Callable[[], None]) -> None:
        self.choice, self._changed = "", changed

    def choose(self, choice: str) -> None:
        """Answer, or answer something else; "" takes the answer back."""
        self.choice = choice
        self._changed()

    def answers(self) -> Mapping[str, str]:
        return {"": self.choice} if self.choice else {}

    def close(self) -> Mapping[str, str]:
        return self.answers()


@dataclass(frozen=True, slots=True)
class Guess:
    """What was predicted of a decision, and what it was."""

    question: Question
    result: Result
    votes: Counter[str]
    """How many gave each answer."""
    shared: bool
    """Whether a class answered, not one person."""

    @property
    def right(self) -> int:
        """Answers that were right."""
        return sum(self.votes[answer] for answer in self.result.right)

    def off(self, walk: Walk[Any, Any, Any], answer: str) -> int | None:
        """How far off an answer was, where that can be said."""
        return min((off for right in self.result.right if (off := walk.off(answer, right)) is not None), default=None)


class Asking:
    """The question of the moment, who answers it, and what was answered before in this show, or on this tour.

    ``changed`` is called when an answer comes.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self.hand = Hand()
        self.room: Voter | None = None
        """A class that answers on its own screens."""
        self.kind = ""
        """Which question is asked; "" is the walk's first."""
        self.question: Question | None = None
        """What is asked now."""
        self.guesses: dict[str, Guess] = {}
        """By what tells the moment from all others (`Telling.here_is`)."""

    @property
    def voter(self) -> Voter:
        """Who is asked."""
        return self.room or self.hand

    def put(self, walk: Walk[Any, Any, Any], game: Any, moment: Moment[Any], where: str) -> None:
        """Ask about a moment; a question that is open goes on. ``where``: what tells the moment from all others."""
        kind = self.kind or walk.asks[0]
        key = f"{where}&ask={kind}"
        if self.question is None or self.question.key != key:
            self.question = replace(walk.ask(kind, game, moment, moment.who), key=key)
            self.voter.ask(self.question, self._changed)

    def close(self, walk: Walk[Any, Any, Any], nobody: bool) -> tuple[Question, Counter[str]] | None:
        """Take no more answers: the question, and how many gave each answer; None if nothing is asked. OptionError if
        there are no answers, unless ``nobody`` need answer."""
        if self.question is None:
            return None
        if not self.voter.answers() and not nobody:
            raise OptionError(walk.say("predict.unanswered"))
        return self.question, Counter(self.voter.close().values())

    def note(self, where: str, question: Question, votes: Counter[str], result: Result) -> None:
        """Remember what came of a question."""
        self.guesses[where] = Guess(question, result, votes, self.room is not None)
        self.question = None

    def seen(self, where: str, asked: bool) -> Mapping[str, int]:
        """The answers to be seen on the board: a class's once they are closed; one person's own counts 0."""
        if guess := self.guesses.get(where):
            return guess.votes if guess.shared else dict.fromkeys(guess.votes, 0)
        return dict.fromkeys(self.hand.answers().values(), 0) if asked and self.room is None else {}

    def _made(self, walk: Walk[Any, Any, Any]) -> list[Guess]:
        """The predictions of what is asked in "Predict"."""
        return [guess for guess in self.guesses.values() if guess.question.kind == walk.asks[0]]

    def score(self, walk: Walk[Any, Any, Any]) -> tuple[int, int]:
        """Predictions that were right, and all of them."""
        made = self._made(walk)
        return sum(guess.right for guess in made), sum(guess.votes.total() for guess in made)

    def near(self, walk: Walk[Any, Any, Any]) -> int | None:
        """Predictions that were at most one off; None where there is nothing between right and wrong."""
        offs = [(n, guess.off(walk, vote)) for guess in self._made(walk) for vote, n in guess.votes.items()]
        told = [(n, off) for n, off in offs if off is not None]
        return sum(n for n, off in told if off <= 1) if told else None

    def told(self, where: str, walk: Walk[Any, Any, Any]) -> str:
        """What came of a question, in a sentence; "" if none was closed there."""
        guess = self.guesses.get(where)
        if guess is None:
            return ""
        if guess.question.kind != walk.asks[0] or not guess.votes:
            return guess.result.text
        most = max(guess.votes.values(), default=0)
        commonest = [answer for answer, n in guess.votes.items() if n == most]
        off = min((off for answer in commonest if (off := guess.off(walk, answer)) is not None), default=0)
        hit = any(answer in guess.result.right for answer in commonest)
        key = "predict.class" if guess.shared else "predict.hit" if hit else "predict.off"
        ends, of = next(iter(guess.result.right), ""), guess.votes.total()
        return walk.say(key, off=off, ends=ends, right=guess.right, of=of, told=guess.result.text)


class Supposing:
    """What is supposed in place of what is: another state, another captain, a piece elsewhere."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Nothing."""
        self.state: Any = None
        """The state once something was changed in it."""
        self.captain = ""
        """The player who decides, if another one does."""
        self.piece: Any = None
        """What is being put elsewhere."""
        self.dragged = False
        """Whether it was dragged since it was lifted: then the next press does not put it down once more."""

    @property
    def key(self) -> tuple[Any, str]:
        """What a decision depends on besides its moment."""
        return self.state, self.captain

    @property
    def anything(self) -> bool:
        """Whether something is supposed."""
        return self.state is not None or bool(self.captain)

    def change(self, walk: Walk[Any, Any, Any], game: Any, moment: Moment[Any], who: str, change: Change) -> None:
        """Suppose something that the walk offers."""
        if change.captain:
            self.captain = change.captain
        else:
            here = moment.state if self.state is None else self.state
            self.state = walk.suppose(game, here, moment, who, change.key, self.piece)

    def put(self, walk: Walk[Any, Any, Any], state: Any, cell: str) -> None:
        """Have the piece elsewhere."""
        self.state = walk.put(state, self.piece, cell)


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


class Telling:
    """Where one is in a show, what is told of it so far, and what is supposed and asked there.

    ``show``: what is stepped through. ``sees``: `CLASS` or `ME`. ``soon``: see `Soon`. Its page sets ``changed``,
    called when something else is to be seen, and ``tell``, called with what happened.
    """

    def __init__(self, show: Show, sees: str = ME, soon: Soon = at_once) -> None:
        self.show, self.sees, self.soon = show, sees, soon
        self.changed: Callable[[], None] = lambda: None
        self.said = ""
        """What happened last."""
        self.tell: Callable[[str], None] = self._keep
        self.hush: Callable[[], None] = lambda: None  # what was told is of the moment that is left
        self.passes: Callable[[], bool] = lambda: False  # whether nothing is asked of the moment: it is passed by
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
        self._insisted = ""  # the question that somebody tried to go past without an answer
        self.draft = shows.draft(show.name)
        """The tour that is being put together."""
        self._later: list[Callable[[], None]] = []  # what waits for the decision
        self._decide()

    def _keep(self, text: str) -> None:
        self.said = text
        self.changed()

    # What a step that failed puts back --------------------------------------------------------------------------------

    def stands(self) -> tuple[tuple[object, dict[str, Any]], ...]:
        """Where one is, for `stand_at`."""
        asking = vars(self.asking) | {"guesses": dict(self.asking.guesses)}
        mine = vars(self) | {"_later": list(self._later), "layers": set(self.layers)}
        mine.pop("opening", None)  # what is looked for comes, or does not, whatever failed
        return ((self, mine), (self.asking, asking), *((each, dict(vars(each))) for each in (self.asking.hand,
                                                                                        self.supposed)))

    def stand_at(self, stood: tuple[tuple[object, dict[str, Any]], ...]) -> None:
        """Be where one was."""
        for each, facts in stood:
            vars(each).update(facts)

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
    def here(self) -> Stop | None:
        """The stop of the tour, if one is taken."""
        return self.tour.stops[self.stop] if self.tour else None

    @property
    def at_stop(self) -> bool:
        """Whether one is where the stop of the tour is, or at a moment that belongs to it."""
        return self.tour is not None and self._stop_at <= self.at <= self._stop_ends

    @property
    def _stop_ends(self) -> int:
        """The last moment that belongs to the stop."""
        return min(self._stop_at + (self.here.steps if self.here else 0), len(self.row) - 1)

    @property
    def last_stop(self) -> bool:
        """Whether no stop of the tour is left."""
        return self.tour is not None and self.stop + 1 >= len(self.tour.stops)

    @property
    def stepping_on(self) -> bool:
        """Whether what came of the stop's decision is looked at, moment by moment, and no further decision."""
        return self.at_stop and self.at > self._stop_at

    @property
    def state(self) -> Any:
        """The state looked at, with what was supposed of it."""
        return self.moment.state if self.supposed.state is None else self.supposed.state

    @property
    def who(self) -> str:
        """Whose decision is looked at, "" if nobody's."""
        if self.chosen and self.chosen in self.walk.deciders(self.show.game, self.moment.state):
            return self.chosen
        return "" if self.stepping_on else self.moment.who

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
        askable = self.mode == PREDICT and not self.chosen and self.guess is None and not self.stepping_on
        return askable and self.show.askable(self.at) and not self.passes()

    @property
    def guess(self) -> Guess | None:
        """What was predicted for this moment."""
        return self.asking.guesses.get(self.here_is)

    @property
    def here_is(self) -> str:
        """What tells the moment from all others."""
        return f"{self.show.query}&step={self.at}"

    @property
    def over(self) -> bool:
        """Whether this is the end of a whole match."""
        return self.show.match is not None and self.show.match.over and self.at == len(self.row) - 1

    @property
    def news(self) -> list[str]:
        """What came last, one or two sentences: of a moment of note what makes it so."""
        seen = [event for event in self.moment.events if event.seen_by(self.moment.seat)]
        return [event.text for event in [each for each in seen if self.walk.key(each)][-2:] or seen[-2:]]

    @property
    def sight(self) -> Sight[Any]:
        """All that the board is drawn from."""
        told, supposing = None if self.asked else self.decided, self.mode == WHAT_IF
        before = self.before if self.supposed.anything else None
        letters = self.walk.letters(self.before) if self.asked and self.before and not self.asking.room else {}
        return Sight(
            self.show.game, self.row, self.at, self.who, self.state, told, before, self.asked, supposing, self.over,
            told is not None and not self.untold,
            self.lit_cells, self.shown_layers, letters, self.asking.seen(self.here_is, self.asked), self.supposed.piece,
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
        self._known("unit", unit, (RULE, *self.walk.units))
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
        self._known("eyes", sees, (CLASS, ME))
        self.sees = sees
        if sees == ME or self.told is not None:  # what was told stays told
            self.changed()
        else:
            self._untell()

    def _untell(self) -> None:
        self.told = 0 if self.by_rule and self.who else None
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
        self._known("layer", layer, self.walk.layers)
        self.layers ^= {layer}
        self.changed()

    def choose(self, who: str) -> None:
        """Show what somebody would decide now; "" shows who decides next again."""
        self.chosen, self.lit, self.part, self.told = who, None, None, None
        self._decide()
        self.changed()

    def _known(self, what: str, asked: str, known: Sequence[str]) -> None:
        """OptionError if something asked for is not among what there is."""
        if asked not in known:
            raise OptionError(self.walk.say(f"unknown.{what}", asked=repr(asked[:40]), known=", ".join(known)))
