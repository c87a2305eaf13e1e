"""The review of a finished game on its page: the chance to win, turn by turn, and the turns that decided it.

It is asked for by a button and calculated behind the page (`navalkit.players.review`); a press on a turn looks there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ipywidgets import HTML, Button

from navalkit.core.match import Match
from navalkit.players.review import Review, Turn, review
from navalkit.view.page import Chart

from .charts import BarChart
from .controller import Controller
from .say import SAY
from .spoken import KeyButton, box, button

PLAYED = 24
"""Games played out from each position."""
TURNS = 3
"""Turning points that are named."""


class ReviewPanel:
    """The button that asks for the review, and its place on the page.

    Parameters
    ----------
    control : Controller
    safe : callable
        Wraps what a press calls, so that an error becomes a sentence of the page.
    """

    def __init__(self, control: Controller, safe: Callable[..., Any]) -> None:
        self._control, self._safe = control, safe
        self._of: Match | None = None  # the match whose review is shown
        self.button = KeyButton("review", safe(lambda _: self._ask()), "nk-review-button")
        self._chart, self._sums = BarChart(), HTML()
        self._turns = box("nk-ask")
        self.widget = box("nk-review", self._chart.widget, self._turns, self._sums, column=True)
        self.show(over=False)

    def show(self, *, over: bool) -> None:
        """Be there after the end alone; what was calculated of this match stays."""
        self.button.layout.display = "" if over and self._control.page.reviewer else "none"
        self.widget.layout.display = "" if over and self._of is self._control.match else "none"

    def _ask(self) -> None:
        control = self._control
        asked = review(control.match, control.me, control.page.reviewer, PLAYED)
        control.desk.ask("review", asked, partial(self._tell, control.match))

    def _tell(self, match: Match, found: Review) -> None:
        control = self._control
        if match is not control.match:
            return
        self._of = match
        x = tuple(SAY("review.step", n=point.ply) for point in found.points)
        labels = tuple(
            SAY("review.chance" if point.error else "review.sure", p=point.chance, error=point.error)
            for point in found.points
        )
        chances = tuple(point.chance for point in found.points)
        note = SAY("review.note", n=PLAYED)
        self._chart.show(Chart("review", SAY("review.title"), "", "", x, chances, labels, percent=True, note=note))
        self._turns.children = tuple(self._there(turn) for turn in found.turning[:TURNS])
        key = "review.sums" if found.turning else "review.even"
        self._sums.value = f"<p>{SAY(key, mine=found.skill, luck=found.luck, others=found.others)}</p>"
        self.show(over=match.over and control.live)

    def _there(self, turn: Turn) -> Button:
        """A turning point; a press looks at the game as it stood before it."""
        control = self._control
        who = "review.chance_turn" if turn.by < 0 else "review.turn"
        name = "" if turn.by < 0 else control.page.players(control.game)[turn.by]
        label = SAY(who, n=turn.first, who=name, by=turn.by, change=turn.change)
        return button(label, SAY("review.there"), self._safe(lambda _: control.look_at(turn.first - 1)))
