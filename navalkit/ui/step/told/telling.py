"""A decision of an escort as the stepper tells it: the moment looked at, her lines one by one, and what lights up."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from navalkit.core.errors import OptionError
from navalkit.games.on_patrol.board.moments import UNITS as MOMENT_UNITS
from navalkit.games.on_patrol.board.moments import Moment
from navalkit.games.on_patrol.board.overlay import LAYERS
from navalkit.games.on_patrol.escort.automaton import EscortDecision
from navalkit.games.on_patrol.escort.explain import explain
from navalkit.games.on_patrol.sea.actions import EscortMove
from navalkit.games.on_patrol.sea.state import Phase, State
from navalkit.grids.hex import Hex, Place

from ...model import Model
from .. import hunts
from ..say import STEP
from ..vote import Guess
from .lines import TOPICS, Line, lines

RULE = "rule"
UNITS = (RULE, *MOMENT_UNITS)
"""What one may step by."""
EXPLAIN, PREDICT, WHAT_IF = MODES = ("explain", "predict", "what-if")
"""What a click on the board is for."""
OFF_AT_FIRST = {"sonar reach"}
CLASS, ME = "class", "me"
"""Whose eyes the page is for: the class sees nothing before it is told, the teacher everything."""


@dataclass(eq=False)
class Telling(Model):
    """What is seen at one moment."""

    show: hunts.Show
    """What is stepped through."""
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
    supposed: State | None = None
    """The sea of the what-if, once something was changed."""

    @property
    def languages(self) -> tuple[str, ...]:
        return STEP.languages

    @property
    def comfort(self) -> str:
        return STEP("comfort")

    # The moment -------------------------------------------------------------------------------------------------------

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
        return explained(state, self.who, self.show.game) if self.who else None

    @property
    def asked(self) -> bool:
        """Whether the class is asked to predict, so that the decision is not to be seen yet."""
        return self.mode == PREDICT and bool(self.moment.who) and not self.chosen and self.at not in self.guesses

    @property
    def over(self) -> bool:
        """Whether this is the end of a whole hunt."""
        return self.show.match is not None and self.show.match.over and self.at == len(self.row) - 1

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

    # Its lines --------------------------------------------------------------------------------------------------------

    @property
    def by_rule(self) -> bool:
        """Whether a decision is told rule by rule."""
        return self.unit == RULE or self.sees == CLASS

    @property
    def all_lines(self) -> tuple[Line, ...]:
        """The lines of the decision, told or not; () as long as the class is to predict it."""
        return () if self.asked else self.truth

    @property
    def truth(self) -> tuple[Line, ...]:
        """The lines of the decision, for the teacher's eyes, even while the class predicts it."""
        return () if self.decision is None else lines_of(self.decision)

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines of the decision, as far as they are told."""
        return self.all_lines[: self.told]

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

    # Telling and lighting ---------------------------------------------------------------------------------------------

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
            self.repaint()
            return
        self.sees = sees
        self._untell()

    def _untell(self) -> None:
        self.told = 0 if self.by_rule and self.moment.who else None
        self.lit = self.part = None
        self.repaint()

    def _tell(self, told: int) -> None:
        """Have that number of lines told, the last of them lit."""
        self.told, self.part = told, None
        self.lit = told - 1 if told else None
        self.repaint()

    def light(self, line: int, part: int | None = None) -> None:
        """Light up the evidence of a line, or of one of its parts; once more puts it out."""
        same = (self.lit, self.part) == (line, part)
        self.lit, self.part = (None, None) if same else (line, part)
        self.repaint()

    def light_next(self, step: int) -> None:
        """Light up the next line, or the one before with -1."""
        if self.lines:
            now = len(self.lines) - 1 if self.lit is None else self.lit
            self.lit, self.part = max(0, min(len(self.lines) - 1, now + step)), None
            self.repaint()

    def switch(self, layer: str) -> None:
        """Switch a layer on or off."""
        if layer not in LAYERS:
            raise OptionError(STEP("unknown.layer", layer=repr(layer[:40]), layers=", ".join(LAYERS)))
        self.layers ^= {layer}
        self.repaint()

    def choose(self, escort: str) -> None:
        """Show an escort's decision, as if she were to move now; "" shows the next one's again."""
        self.chosen, self.lit, self.part = escort, None, None
        self.told = None
        self.repaint()


@lru_cache(maxsize=64)
def explained(state: State, who: str, game: Any) -> EscortDecision:
    """The decision of an escort."""
    return explain(state, who, game.sea)


@lru_cache(maxsize=64)
def lines_of(decision: EscortDecision) -> tuple[Line, ...]:
    """A decision in lines."""
    return lines(decision)
