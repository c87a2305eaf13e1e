"""The escort stepper without a widget: how one steps through a hunt or a tour, and the links to every step.

The page calls one method a click, inside one error boundary; each ends with `changed`, and the page repaints. What is
told of a decision is `Telling`, predictions and what-ifs are `Trying`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from functools import lru_cache

from navalkit.core.awaited import Steps
from navalkit.games.on_patrol.board.moments import stops

from ..desk import Desk
from . import hunts, tours
from .say import STEP
from .told.telling import CLASS, EXPLAIN, PREDICT, RULE, UNITS, explained, lines_of
from .tours import Stop, Tour
from .trying import Trying


@dataclass(eq=False)
class StepModel(Trying):
    """What the page shows."""

    tour: Tour | None = None
    stop: int = 0
    """The stop of the tour looked at."""
    draft: Tour = field(default_factory=tours.draft)
    """The tour that is being put together here."""
    desk: Desk = field(init=False)
    """Where hunts are played and records verified."""

    def __post_init__(self) -> None:
        self.desk = Desk(self.guard)

    # Stepping ---------------------------------------------------------------------------------------------------------

    @property
    def here(self) -> Stop | None:
        """The stop of the tour, if one is taken."""
        return self.tour.stops[self.stop] if self.tour else None

    @property
    def at_end(self) -> bool:
        """Whether there is nothing further to step to."""
        more = self.tour is not None and self.stop + 1 < len(self.tour.stops)
        return self.at == len(self.row) - 1 and not self.untold and not more

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
        self.told = told if self.moment.who else None
        self.chosen, self.lit, self.part = "", None, None
        self._forget()
        self._ask()
        self.repaint()

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
        moment = self.row[at]
        whole = len(lines_of(explained(moment.state, moment.who, self.show.game))) if moment.who else 0
        self._arrive(at, told=whole if self.by_rule else None)

    @property
    def _stops(self) -> tuple[int, ...]:
        return _stops(self.show, "escort" if self.unit == RULE else self.unit)

    # What is shown, and links -----------------------------------------------------------------------------------------

    def open(self, show: hunts.Show, at: int = 0) -> None:
        """Step through something else."""
        if show is not self.show:
            self.show, self.guesses = show, {}
        self.tour = None
        self.go(at)

    def open_item(self, item: hunts.Item) -> None:
        """Open an entry of the chooser that has a name."""
        if item.kind == hunts.Kind.TOUR:
            self.take(tours.find(item.name))
        else:
            self._open(hunts.from_query(f"?{item.kind}={item.name}"))

    def open_hunt(self, name: str, seed: int) -> None:
        """Step through a scenario played with a seed."""

        def there(show: hunts.Show) -> None:
            self.open(show)
            self.say(STEP("another.said", seed=seed))

        self.desk.soon("open", hunts.hunting(name, seed), there)

    def open_file(self, data: bytes) -> None:
        """Step through a saved game, a scenario of one's own or a tour; on any error the present one stays."""
        if tours.is_tour(data):
            self.take(tours.loads(data.decode("utf-8", "replace")))
        else:
            self.desk.soon("open", hunts.from_file(data), self.open)

    def take(self, tour: Tour, stop: int = 0, told: int = 0) -> None:
        """Take a tour, from one of its stops on."""
        stop = max(0, min(len(tour.stops) - 1, stop))
        here = tour.stops[stop]

        def there(found: tuple[hunts.Show, int]) -> None:
            self.mode, self.unit = (PREDICT if here.predict else EXPLAIN), RULE
            self.open(*found)
            self.tour, self.stop = tour, stop
            if told and self.told is not None:
                self._tell(min(told, self.told + self.untold))
            self.repaint()

        self.desk.soon("open", here.finding(), there)

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
        if sees:
            self.sees = sees
        if found:
            self.take(*found)
            return True
        if not hunts.asks(query):
            return False
        self._open(hunts.from_query(query))
        return True

    def _open(self, steps: Steps[hunts.Asked | None]) -> None:
        """Open what was asked for, as soon as it is there; what takes long shows how far it has come."""

        def there(asked: hunts.Asked | None) -> None:
            if asked is None:
                return
            if asked.unit in UNITS:
                self.unit = asked.unit
            self.open(asked.show, asked.step)
            if self.by_rule and self.decision is not None:
                self._tell(min(asked.told, len(lines_of(self.decision))))

        self.desk.soon("open", steps, there)

    def link(self) -> str:
        """The query of a link to this very step."""
        here = self._to_here()
        if self.tour and self.here and (self.here.query, self.here.find()[1]) == (self.show.query[1:], self.at):
            here = f"{self.tour.query}&stop={self.stop}"
        query = f"{here}&line={self.told}" if self.told else here
        return f"{query}&view={CLASS}" if self.sees == CLASS else query

    def _to_here(self) -> str:
        return f"{self.show.query}&step={self.at}&by={self.unit.replace(' ', '+')}"


@lru_cache(maxsize=32)
def _stops(show: hunts.Show, unit: str) -> tuple[int, ...]:
    return stops(show.row, unit)
