"""Where one is in a show, and what is told of it so far: without a widget, of any game.

A decision that takes a while is awaited (`Telling.soon`), and kept: stepping back and forth thinks once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from navalkit.core.awaited import Steps, finish
from navalkit.core.errors import OptionError

from . import shows
from .shows import Show, Tour
from .told import Line, Moment, Sight, Table, Told
from .trying import Asking, Guess, Supposing
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
    def guess(self) -> Guess | None:
        """What was predicted for this moment."""
        return self.asking.guesses.get(self.at)

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
