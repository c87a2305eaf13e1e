"""The escort stepper without a widget: where one is in a hunt, what is told of a decision, predictions and what-ifs.

The page calls one method a click, inside one error boundary; each ends with `changed`, and the page repaints.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from navalkit.core.errors import IllegalActionError, OptionError
from navalkit.games.on_patrol.board.moments import UNITS as MOMENT_UNITS
from navalkit.games.on_patrol.board.moments import Moment, stops
from navalkit.games.on_patrol.board.overlay import LAYERS
from navalkit.games.on_patrol.escort import whatif
from navalkit.games.on_patrol.escort.automaton import EscortDecision
from navalkit.games.on_patrol.escort.explain import explain
from navalkit.games.on_patrol.escort.whatif import Piece
from navalkit.games.on_patrol.sea.actions import EscortMove
from navalkit.games.on_patrol.sea.state import Phase, Role, State
from navalkit.games.on_patrol.sea.tables import TABLES
from navalkit.grids.hex import Hex, Place

from ..boundary import guarded
from ..controller import Status
from . import hunts, tours
from .lines import TOPICS, Line, lines
from .say import STEP
from .tours import Stop, Tour
from .vote import Guess, OneVoter, Question, Voter, choices

RULE = "rule"
UNITS = (RULE, *MOMENT_UNITS)
"""What one may step by."""
EXPLAIN, PREDICT, WHAT_IF = MODES = ("explain", "predict", "what-if")
"""What a click on the board is for."""
OFF_AT_FIRST = {"sonar reach"}


CLASS, ME = "class", "me"
"""Whose eyes the page is for: the class sees nothing before it is told, the teacher everything."""


@dataclass
class StepModel:
    """What the page shows.

    Parameters
    ----------
    show : Show
        What is stepped through.
    changed : callable
        Called when something else is to be seen.
    """

    show: hunts.Show
    changed: Callable[[], None] = lambda: None
    status: Status = field(default_factory=Status)
    at: int = 0
    """Index of the moment looked at."""
    unit: str = "escort"
    mode: str = EXPLAIN
    told: int | None = None
    """Lines of the decision told so far, when stepping rule by rule; None is all of them."""
    sees: str = ME
    """`CLASS` or `ME`."""
    lit: int | None = None
    """The line whose evidence is lit."""
    part: int | None = None
    """Which of its parts alone is lit."""
    chosen: str = ""
    """An escort that was clicked: her decision is shown in place of the next one's."""
    layers: set[str] = field(default_factory=lambda: set(LAYERS) - OFF_AT_FIRST)
    guesses: dict[int, Guess] = field(default_factory=dict)
    hand: OneVoter = field(default_factory=OneVoter)
    """Whoever clicks on the board."""
    room: Voter | None = None
    """A class that answers on its own screens."""
    question: Question | None = None
    """What is asked now."""
    tour: Tour | None = None
    stop: int = 0
    """The stop of the tour looked at."""
    draft: Tour = field(default_factory=tours.draft)
    """The tour that is being put together here."""
    supposed: State | None = None
    """The sea of the what-if, once something was changed."""
    piece: Piece | None = None
    """What is being put elsewhere."""
    dragged: bool = False
    """Whether it was dragged since it was lifted: then the next click does not put it down once more."""

    # What one sees -------------------------------------------------------------------------------------------------

    @property
    def row(self) -> tuple[Moment, ...]:
        return self.show.row

    @property
    def moment(self) -> Moment:
        """The moment looked at."""
        return self.row[self.at]

    @property
    def state(self) -> State:
        """The sea looked at, with what was supposed of it."""
        return self.moment.state if self.supposed is None else self.supposed

    @property
    def who(self) -> str:
        """The escort whose decision is shown, "" if none is."""
        here = {v.id for v in self.moment.state.escorts}
        if self.chosen in here:
            return self.chosen
        return self.moment.who if self.moment.who in here else ""

    @property
    def before(self) -> EscortDecision | None:
        """Her decision on the sea as it is."""
        return self._decision(self.moment.state)

    @property
    def decision(self) -> EscortDecision | None:
        """Her decision on the sea looked at."""
        return self._decision(self.state)

    def _decision(self, state: State) -> EscortDecision | None:
        return _explained(state, self.who, self.show.game) if self.who else None

    @property
    def differences(self) -> tuple[whatif.Difference, ...]:
        """What the what-if changes, field by field; () while nothing was changed."""
        if self.supposed is None or self.before is None or self.decision is None:
            return ()
        return whatif.compare(self.before, self.decision)

    @property
    def asked(self) -> bool:
        """Whether the class is asked to predict, so that the decision is not to be seen yet."""
        return self.mode == PREDICT and bool(self.moment.who) and not self.chosen and self.at not in self.guesses

    @property
    def guess(self) -> Guess | None:
        """What was predicted for this moment."""
        return self.guesses.get(self.at)

    @property
    def score(self) -> tuple[int, int]:
        """Predictions that were right to the hex, and all of them."""
        made = self.guesses.values()
        return sum(guess.right for guess in made), sum(guess.votes.total() for guess in made)

    @property
    def by_rule(self) -> bool:
        """Whether a decision is told rule by rule."""
        return self.unit == RULE or self.sees == CLASS

    @property
    def voter(self) -> Voter:
        """Who is asked to predict."""
        return self.room or self.hand

    @property
    def over(self) -> bool:
        """Whether this is the end of a whole hunt."""
        return self.show.match is not None and self.show.match.over and self.at == len(self.row) - 1

    @property
    def here(self) -> Stop | None:
        """The stop of the tour, if one is taken."""
        return self.tour.stops[self.stop] if self.tour else None

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines of the decision, as far as they are told."""
        return self.all_lines[: self.told]

    @property
    def all_lines(self) -> tuple[Line, ...]:
        """The lines of the decision, told or not; () as long as the class is to predict it."""
        return () if self.asked else self.truth

    @property
    def truth(self) -> tuple[Line, ...]:
        """The lines of the decision, for the teacher's eyes, even while the class predicts it."""
        return () if self.decision is None else _lines(self.decision)

    @property
    def untold(self) -> int:
        """How many lines are still to be told."""
        return 0 if self.told is None else len(self.all_lines) - self.told

    @property
    def shown_layers(self) -> frozenset[str]:
        """The layers of the overlay to draw now: those that are on and whose rule has been told."""
        if self.asked or self.decision is None:
            return frozenset()
        if not self.untold:
            return frozenset(self.layers)
        topics = {line.topic for line in self.lines}
        return frozenset(layer for layer in self.layers if TOPICS.get(layer) in topics)

    @property
    def lit_hexes(self) -> tuple[Hex, ...]:
        """The evidence of the lit line, or of its lit part."""
        if self.lit is None or self.lit >= len(self.lines):
            return ()
        line = self.lines[self.lit]
        return line.hexes if self.part is None else line.parts[self.part].hexes

    @property
    def wakes(self) -> tuple[tuple[Place, ...], ...]:
        """The ways escorts have come this turn."""
        found = []
        for i in range(self.at, 0, -1):
            if self.row[i].turn != self.moment.turn or self.moment.phase < Phase.ESCORTS:
                break
            action = self.row[i].action
            if isinstance(action, EscortMove):
                found.append((self.row[i - 1].state.vessel(action.escort).place, *action.path))
        return tuple(found)

    # Stepping ------------------------------------------------------------------------------------------------------

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
        self.told = told if self._decides(self.at) else None
        self.chosen, self.lit, self.part = "", None, None
        self._forget()
        self._ask()
        self._changed()

    def _decides(self, at: int) -> bool:
        return bool(self.row[at].who)

    def forward(self) -> None:
        """One step on: the next rule of the decision, then the next stop of the tour or the next moment."""
        if self.untold:
            assert self.told is not None
            self._tell(self.told + 1)
            return
        if self.tour and not self.asked and self.stop + 1 < len(self.tour.stops):
            self.go_on(1)
            return
        found = self._stops
        self.go(found[min(bisect_right(found, self.at), len(found) - 1)])

    def back(self) -> None:
        """One step back."""
        if self.told and not self.asked and self.decision is not None:
            self._tell(self.told - 1)
            return
        if self.tour and self.stop:
            self.go_on(-1)
            return
        found = self._stops
        at = found[max(bisect_left(found, self.at) - 1, 0)]
        whole = len(_lines(explained)) if (explained := self._at(at)) is not None else 0
        self._arrive(at, told=whole if self.by_rule else None)

    def _tell(self, told: int) -> None:
        """Have so many lines told, the last of them lit."""
        self.told, self.part = told, None
        self.lit = told - 1 if told else None
        self._changed()

    def _at(self, at: int) -> EscortDecision | None:
        moment = self.row[at]
        return _explained(moment.state, moment.who, self.show.game) if moment.who else None

    @property
    def at_end(self) -> bool:
        """Whether there is nothing further to step to."""
        more = self.tour is not None and self.stop + 1 < len(self.tour.stops)
        return self.at == len(self.row) - 1 and not self.untold and not more

    @property
    def at_start(self) -> bool:
        """Whether there is nothing to step back to."""
        return self.at == 0 and not self.told and not (self.tour and self.stop)

    @property
    def _stops(self) -> tuple[int, ...]:
        return _stops(self.show, "escort" if self.unit == RULE else self.unit)

    def step_by(self, unit: str) -> None:
        """Step by "rule", "escort", "phase", "turn", "key moment" or "roll" from now on."""
        if unit not in UNITS:
            raise OptionError(STEP("unknown.unit", units=", ".join(UNITS), unit=repr(unit[:40])))
        self.unit = unit
        self._untell()

    def look_as(self, sees: str) -> None:
        """Show what the class may see so far, or everything: `CLASS` or `ME`."""
        if sees not in (CLASS, ME):
            raise OptionError(STEP("unknown.eyes", sees=repr(sees[:40])))
        if sees == ME or self.told is not None:  # what was told stays told
            self.sees = sees
            self._changed()
            return
        self.sees = sees
        self._untell()

    def _untell(self) -> None:
        self.told = 0 if self.by_rule and self._decides(self.at) else None
        self.lit = self.part = None
        self._changed()

    # Explaining ----------------------------------------------------------------------------------------------------

    def light(self, line: int, part: int | None = None) -> None:
        """Light up the evidence of a line, or of one of its parts; once more puts it out."""
        same = (self.lit, self.part) == (line, part)
        self.lit, self.part = (None, None) if same else (line, part)
        self._changed()

    def light_next(self, step: int) -> None:
        """Light up the next line, or the one before with -1."""
        if self.lines:
            now = len(self.lines) - 1 if self.lit is None else self.lit
            self.lit, self.part = max(0, min(len(self.lines) - 1, now + step)), None
            self._changed()

    def switch(self, layer: str) -> None:
        """Switch a layer on or off."""
        if layer not in LAYERS:
            raise OptionError(STEP("unknown.layer", layer=repr(layer[:40]), layers=", ".join(LAYERS)))
        self.layers ^= {layer}
        self._changed()

    def choose(self, escort: str) -> None:
        """Show an escort's decision, as if she were to move now; "" shows the next one's again."""
        self.chosen, self.lit, self.part = escort, None, None
        self.told = None
        self._changed()

    # Clicks on the board -------------------------------------------------------------------------------------------

    def use(self, mode: str) -> None:
        """What a click on the board is for from now on: "explain", "predict" or "what-if"."""
        if mode not in MODES:
            raise OptionError(STEP("unknown.mode", mode=repr(mode[:40])))
        self.mode, self.lit, self.part = mode, None, None
        self._forget()
        self._ask()
        if mode == WHAT_IF:
            self.chosen = self.who or next((v.id for v in self.moment.state.escorts), "")
            self.told = None
        self._changed()

    def point(self, label: str) -> None:
        """A click on a hex: a prediction, a piece lifted or put down, or an escort chosen."""
        h = Hex.parse(label)
        if self.dragged:
            self.piece, self.dragged = None, False
        if self.asked:
            self._choose(h)
        elif self.mode == WHAT_IF and self.piece is not None and h not in self.piece.place(self.state).hexes:
            self._put(self.piece, Place(h, self.piece.place(self.state).direction))
            self.piece = None
            self._changed()
        elif self.mode == WHAT_IF:
            self._lift(h)
        else:
            self._choose_at(h)

    def drag(self, label: str) -> None:
        """The pressed pointer comes to a further hex: in a what-if it takes the piece along."""
        if self.mode == WHAT_IF and self.piece is not None:
            self.dragged = True
            try:
                self._put(self.piece, Place(Hex.parse(label), self.piece.place(self.state).direction))
            except IllegalActionError:  # over another ship: it follows again beyond her
                return
            self._changed()

    def _choose_at(self, h: Hex) -> None:
        ship = next((v for v in self.state.vessels if h in v.place.hexes), None)
        if ship is not None and ship.role is Role.ESCORT and not ship.sunk:
            self.choose(ship.id)
        elif ship is not None:
            self.say(STEP("merchant", ship=ship.id, type=TABLES.vessels[ship.type].name))
        else:
            self.choose("")

    # Predicting ----------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Put the question of this moment, if there is one that is not answered yet."""
        decision = self.decision if self.asked else None
        if decision is None:
            self.question = None
            return
        asked = Question(
            f"{self.show.query}&step={self.at}", STEP("predict.question", who=self.who), choices(self.state, decision)
        )
        if self.question != asked:
            self.question = asked
            self.voter.ask(asked, self._changed)

    def answer_by(self, room: Voter | None) -> None:
        """From now on this class answers; with None whoever clicks on the board."""
        self.room, self.question = room, None
        self._ask()
        self._changed()

    @property
    def answered(self) -> Counter[Hex]:
        """The answers so far by hex; a class's are not to be seen before they are closed."""
        if self.guess:
            return self.guess.votes
        return Counter(map(Hex.parse, self.hand.answers().values())) if self.asked and not self.room else Counter()

    def _choose(self, h: Hex) -> None:
        if self.room:
            self.say(STEP("predict.room"))
            return
        self.status.text, self.status.error = STEP("predict.chosen", hex=h), False
        self.hand.choose(h.label)

    def confirm(self) -> None:
        """Close the question: what was answered is compared with what she does."""
        decision = self.decision
        if not self.asked or decision is None:
            return
        answers = Counter(map(Hex.parse, self.voter.answers().values()))
        if not answers:
            raise OptionError(STEP("predict.unanswered"))
        self.voter.close()
        ends = decision.path[-1].place.bow if decision.path else self.state.vessel(self.who).place.bow
        guess = self.guesses[self.at] = Guess(ends, answers)
        self.question = None
        good, asked = self.score
        key = "predict.class" if self.room else "predict.off" if guess.off else "predict.hit"
        self.say(STEP(key, off=guess.off, ends=ends, good=good, asked=asked, right=guess.right, of=answers.total()))

    def change(self) -> None:
        """Take the answer back, as long as it is not confirmed."""
        self.status.text = ""
        self.hand.choose("")

    # What if -------------------------------------------------------------------------------------------------------

    @property
    def boat(self) -> str:
        """The boat the shown escort hunts, or the first."""
        hunted = self.state.vessel(self.who).hunt.boat if self.who else ""
        return hunted or next((b.id for b in self.state.boats), "S1")

    def _lift(self, h: Hex) -> None:
        """Take up what lies on a hex."""
        self.piece = whatif.piece_at(self.state, h)
        if self.piece.kind == "escort":
            self.chosen = self.piece.id
        self.say(STEP("what-if.lifted", piece=self.piece))

    def _put(self, piece: Piece, place: Place) -> None:
        self.supposed = piece.put(self.state, place)
        self.status.text, self.status.error = "", False

    def turn_piece(self, turns: int) -> None:
        """Turn what was lifted, else the escort, by 60 degrees: to port if negative."""
        piece = self.piece or (Piece("escort", self.who) if self.who else None)
        if piece is None:
            raise OptionError(STEP("what-if.nothing"))
        self._put(piece, piece.place(self.state).turned(turns))
        self._changed()

    def suppose_mode(self, mode: int) -> None:
        """Suppose that another mode were in force."""
        state, boat = self.state, self.boat
        real = next((b.place for b in state.boats if b.id == boat), None)
        place = real or state.vessel(self.who).place.ahead(8)
        self.supposed, self.piece = whatif.with_mode(state, boat, mode, place), None
        self.say("")

    def reset(self) -> None:
        """The sea as it is again."""
        self._forget()
        self.say(STEP("what-if.reset.done"))

    def _forget(self) -> None:
        self.supposed, self.piece, self.dragged = None, None, False
        self.status.text, self.status.error = "", False

    # What is shown, and links --------------------------------------------------------------------------------------

    def open(self, show: hunts.Show, at: int = 0) -> None:
        """Step through something else."""
        if show is not self.show:
            self.show, self.guesses = show, {}
        self.tour = None
        self.go(at)

    def open_key(self, key: str, seed: int = hunts.FIRST[1]) -> None:
        """Open what the chooser names: "scenario night-convoy", "position mode-3" or "tour an-attack"."""
        kind, _, name = key.partition(" ")
        if kind == "tour":
            self.take(tours.find(name))
        else:
            self.open(hunts.hunt(name, seed) if kind == "scenario" else hunts.position(name))

    def open_file(self, data: bytes) -> None:
        """Step through a saved game, a scenario of one's own or a tour; on any error the present one stays."""
        if tours.is_tour(data):
            self.take(tours.loads(data.decode("utf-8", "replace")))
        else:
            self.open(hunts.from_file(data))

    def take(self, tour: Tour, stop: int = 0, told: int = 0) -> None:
        """Take a tour, from one of its stops on."""
        stop = max(0, min(len(tour.stops) - 1, stop))
        here = tour.stops[stop]
        show, at = here.find()
        self.mode, self.unit = (PREDICT if here.predict else EXPLAIN), RULE
        self.open(show, at)
        self.tour, self.stop = tour, stop
        if told and self.told is not None:
            self._tell(min(told, self.told + self.untold))
        self._changed()

    def go_on(self, stops: int) -> None:
        """To the next stop of the tour, or back with -1."""
        if self.tour:
            self.take(self.tour, self.stop + stops)

    def add_stop(self, title: str, note: str, minutes: int) -> None:
        """Put the moment looked at into the tour that is being made here."""
        query = self._to_here().lstrip("?")
        title = title.strip() or STEP("tour.untitled", turn=self.moment.turn, who=self.who or self.show.title)
        self.draft = self.draft.with_stop(Stop(query, title, note.strip(), minutes, predict=self.mode == PREDICT))
        self.say(STEP("tour.added", n=len(self.draft.stops)))

    def open_query(self, query: str) -> bool:
        """Open what a query string asks for; False if it asks for nothing."""
        sees = hunts.eyes(query)
        found = tours.from_query(query)
        asked = None if found else hunts.from_query(query)
        if sees:
            self.sees = sees
        if found:
            self.take(*found)
            return True
        if asked is None:
            return False
        if asked.unit in UNITS:
            self.unit = asked.unit
        self.open(asked.show, asked.step)
        if self.by_rule and self.decision is not None:
            self._tell(min(asked.told, len(_lines(self.decision))))
        return True

    def link(self) -> str:
        """The query of a link to this very step."""
        here = self._to_here()
        if self.tour and self.here and (self.here.query, self.here.find()[1]) == (self.show.query[1:], self.at):
            here = f"{self.tour.query}&stop={self.stop}"
        query = f"{here}&line={self.told}" if self.told else here
        return f"{query}&view={CLASS}" if self.sees == CLASS else query

    def _to_here(self) -> str:
        return f"{self.show.query}&step={self.at}&by={self.unit.replace(' ', '+')}"

    # Status and errors ---------------------------------------------------------------------------------------------

    def say(self, text: str, error: bool = False) -> None:
        """Put a message into the status line."""
        self.status.text, self.status.error = text, error
        self._changed()

    def _changed(self) -> None:
        """Something else is to be seen: the count goes up, so that whoever waits for it notices."""
        self.status.count += 1
        self.changed()

    def guard(self, call: Callable[..., None]) -> Callable[..., None]:
        """``call`` inside the page's error boundary."""
        return guarded(call, self.say, STEP("comfort"))


@lru_cache(maxsize=64)
def _explained(state: State, who: str, game: Any) -> EscortDecision:
    return explain(state, who, game.sea)


@lru_cache(maxsize=64)
def _lines(decision: EscortDecision) -> tuple[Line, ...]:
    return lines(decision)


@lru_cache(maxsize=32)
def _stops(show: hunts.Show, unit: str) -> tuple[int, ...]:
    return stops(show.row, unit)
