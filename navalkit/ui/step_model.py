"""The escort stepper without a widget: where one is in a hunt, what is told of a decision, predictions and what-ifs.

The page calls one method a click, inside one error boundary; each ends with `changed`, and the page repaints.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from navalkit.core.errors import IllegalActionError, OptionError
from navalkit.games.on_patrol.board.moments import UNITS as MOMENT_UNITS
from navalkit.games.on_patrol.board.moments import Moment, stops
from navalkit.games.on_patrol.board.overlay import LAYERS
from navalkit.games.on_patrol.escort import whatif
from navalkit.games.on_patrol.escort.automaton import EscortDecision
from navalkit.games.on_patrol.escort.explain import explain
from navalkit.games.on_patrol.escort.whatif import Piece
from navalkit.games.on_patrol.sea.state import EscortMove, Phase, Role, State
from navalkit.games.on_patrol.sea.tables import TABLES
from navalkit.grids.hex import Hex, Place

from . import step_hunts
from .boundary import guarded
from .controller import Status
from .say import STEP
from .step_lines import TOPICS, Line, lines

RULE = "rule"
UNITS = (RULE, *MOMENT_UNITS)
"""What one may step by."""
EXPLAIN, PREDICT, WHAT_IF = MODES = ("explain", "predict", "what-if")
"""What a click on the board is for."""
OFF_AT_FIRST = {"sonar reach"}


class Guess(NamedTuple):
    """Where the class thought an escort's bow would be, and how many hexes off that was."""

    at: Hex
    off: int


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

    show: step_hunts.Show
    changed: Callable[[], None] = lambda: None
    status: Status = field(default_factory=Status)
    at: int = 0
    """Index of the moment looked at."""
    unit: str = "escort"
    mode: str = EXPLAIN
    told: int | None = None
    """Lines of the decision told so far, when stepping rule by rule; None is all of them."""
    lit: int | None = None
    """The line whose evidence is lit."""
    chosen: str = ""
    """An escort that was clicked: her decision is shown in place of the next one's."""
    layers: set[str] = field(default_factory=lambda: set(LAYERS) - OFF_AT_FIRST)
    guesses: dict[int, Guess] = field(default_factory=dict)
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
        return sum(guess.off == 0 for guess in self.guesses.values()), len(self.guesses)

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines of the decision, as far as they are told."""
        if self.decision is None or self.asked:
            return ()
        return _lines(self.decision)[: self.told]

    @property
    def untold(self) -> int:
        """How many lines are still to be told."""
        if self.decision is None or self.told is None or self.asked:
            return 0
        return len(_lines(self.decision)) - self.told

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
        """The evidence of the lit line."""
        return self.lines[self.lit].hexes if self.lit is not None and self.lit < len(self.lines) else ()

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
        self._arrive(at, told=0 if self.unit == RULE else None)

    def first(self) -> None:
        """The start."""
        self.go(0)

    def last(self) -> None:
        """The end."""
        self.go(len(self.row) - 1)

    def _arrive(self, at: int, told: int | None) -> None:
        self.at = max(0, min(len(self.row) - 1, at))
        self.told = told if self._decides(self.at) else None
        self.chosen, self.lit = "", None
        self._forget()
        self._changed()

    def _decides(self, at: int) -> bool:
        return bool(self.row[at].who)

    def forward(self) -> None:
        """One step on: the next rule of the decision, or the next moment of the unit."""
        if self.unit == RULE and self.untold:
            assert self.told is not None
            self.told += 1
            self.lit = self.told - 1
            self._changed()
            return
        found = self._stops
        self.go(found[min(bisect_right(found, self.at), len(found) - 1)])

    def back(self) -> None:
        """One step back."""
        if self.unit == RULE and self.told and self.decision is not None:
            self.told -= 1
            self.lit = self.told - 1 if self.told else None
            self._changed()
            return
        found = self._stops
        at = found[max(bisect_left(found, self.at) - 1, 0)]
        whole = len(_lines(explained)) if (explained := self._at(at)) is not None else 0
        self._arrive(at, told=whole if self.unit == RULE else None)

    def _at(self, at: int) -> EscortDecision | None:
        moment = self.row[at]
        return _explained(moment.state, moment.who, self.show.game) if moment.who else None

    @property
    def at_end(self) -> bool:
        """Whether there is nothing further to step to."""
        return self.at == len(self.row) - 1 and not (self.unit == RULE and self.untold)

    @property
    def at_start(self) -> bool:
        """Whether there is nothing to step back to."""
        return self.at == 0 and not (self.unit == RULE and self.told)

    @property
    def _stops(self) -> tuple[int, ...]:
        return _stops(self.show, "escort" if self.unit == RULE else self.unit)

    def step_by(self, unit: str) -> None:
        """Step by "rule", "escort", "phase", "turn", "key moment" or "roll" from now on."""
        if unit not in UNITS:
            raise OptionError(STEP("unknown.unit", units=", ".join(UNITS), unit=repr(unit[:40])))
        self.unit = unit
        self.told = 0 if unit == RULE and self._decides(self.at) else None
        self.lit = None
        self._changed()

    # Explaining ----------------------------------------------------------------------------------------------------

    def light(self, line: int) -> None:
        """Light up the evidence of a line; once more puts it out."""
        self.lit = None if self.lit == line else line
        self._changed()

    def switch(self, layer: str) -> None:
        """Switch a layer on or off."""
        if layer not in LAYERS:
            raise OptionError(STEP("unknown.layer", layer=repr(layer[:40]), layers=", ".join(LAYERS)))
        self.layers ^= {layer}
        self._changed()

    def choose(self, escort: str) -> None:
        """Show an escort's decision, as if she were to move now; "" shows the next one's again."""
        self.chosen, self.lit = escort, None
        self.told = None
        self._changed()

    # Clicks on the board -------------------------------------------------------------------------------------------

    def use(self, mode: str) -> None:
        """What a click on the board is for from now on: "explain", "predict" or "what-if"."""
        if mode not in MODES:
            raise OptionError(STEP("unknown.mode", mode=repr(mode[:40])))
        self.mode, self.lit = mode, None
        self._forget()
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
            self._predict(h)
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

    def _predict(self, h: Hex) -> None:
        decision = self.decision
        assert decision is not None, "an escort is to move"
        ends = decision.path[-1].place.bow if decision.path else self.state.vessel(self.who).place.bow
        self.guesses[self.at] = Guess(h, ends.distance(h))
        off = self.guesses[self.at].off
        good, asked = self.score
        self.say(STEP("predict.off" if off else "predict.hit", off=off, ends=ends, good=good, asked=asked))

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

    def open(self, show: step_hunts.Show, at: int = 0) -> None:
        """Step through something else."""
        self.show, self.guesses = show, {}
        self.go(at)

    def open_key(self, key: str, seed: int = step_hunts.FIRST[1]) -> None:
        """Open what the chooser names: "scenario night-convoy" or "position mode-3"."""
        kind, _, name = key.partition(" ")
        self.open(step_hunts.hunt(name, seed) if kind == "scenario" else step_hunts.position(name))

    def open_file(self, data: bytes) -> None:
        """Step through a saved game, or a scenario of one's own; on any error the present one stays."""
        self.open(step_hunts.from_file(data))

    def open_query(self, query: str) -> bool:
        """Open what a query string asks for; False if it asks for nothing."""
        asked = step_hunts.from_query(query)
        if asked is None:
            return False
        if asked.unit in UNITS:
            self.unit = asked.unit
        self.open(asked.show, asked.step)
        if self.unit == RULE and self.decision is not None:
            self.told = min(asked.told, len(_lines(self.decision)))
            self.lit = self.told - 1 if self.told else None
            self._changed()
        return True

    def link(self) -> str:
        """The query of a link to this very step."""
        query = f"{self.show.query}&step={self.at}&by={self.unit.replace(' ', '+')}"
        return f"{query}&line={self.told}" if self.unit == RULE and self.told else query

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
def _stops(show: step_hunts.Show, unit: str) -> tuple[int, ...]:
    return stops(show.row, unit)
