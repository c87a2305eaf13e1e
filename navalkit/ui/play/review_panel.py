"""The review of a finished game on its page: its worth turn by turn, the mistakes, and the turns that decided it.

It is asked for by a button and calculated behind the page (`navalkit.players.review`): a first picture soon, then more
precise ones until it is as sure as it gets or somebody presses Stop.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from html import escape
from typing import Any

from ipywidgets import HTML, Box

from navalkit.core.game import CHANCE
from navalkit.core.match import Match
from navalkit.core.registry import package_of
from navalkit.players.judge import Judge
from navalkit.players.review import SEVERAL, Mistake, Review, Turn, review

from ..charts import curve
from ..say import SAY
from ..spoken import box, maker, shown
from .controller import Controller

STAGES = ((3, 5), (6, 10), (12, 16), (24, 24))
"""Play-outs a point, and points, of each picture."""
SHOWN = 3
"""Mistakes that are named, and turning points."""
LONGEST = 110
"""Characters of what happened in a turn that are repeated."""


class ReviewPanel:
    """The button that asks for the review, and its place on the page.

    Parameters
    ----------
    control : Controller
    """

    def __init__(self, control: Controller) -> None:
        self._control, self._made = control, maker(control.guard)
        self._of: Match | None = None  # the match whose review is shown
        self.button = self._made("review", self._ask, "nk-review-button")
        self._chart, self._sums = HTML(), HTML()
        self._told = box("nk-told", column=True)
        self.widget = box("nk-review", self._chart, self._told, self._sums, column=True)
        self.show(over=False)

    def show(self, *, over: bool) -> None:
        """Be there after the end alone; what was calculated of this match stays."""
        offered = package_of(self._control.game).offered("REVIEW", None) is not None
        shown(self.button, over and offered)
        shown(self.widget, over and self._of is self._control.match)

    def _ask(self) -> None:
        control = self._control
        judge = Judge(control.match, control.me, package_of(control.game).offered("REVIEW", None))
        self._go_on(judge, 0)

    def _go_on(self, judge: Judge, stage: int) -> None:
        asked = review(judge, *STAGES[stage])
        self._control.desk.ask("review", asked, partial(self._tell, judge, stage))

    def _tell(self, judge: Judge, stage: int, found: Review) -> None:
        control, match = self._control, judge.match
        if match is not control.match:
            return
        self._of = match
        self._chart.value = self._drawn(found, stage)
        self._told.children = tuple(self._rows(found))
        change = partial(_change, found)
        sums = {"mine": change(found.skill), "others": change(found.others), "luck": change(found.luck)}
        key = "review.sums" if match.game.deciders > 1 or abs(found.others) > found.least else "review.sums.alone"
        self._sums.value = f"<p class=nk-note>{escape(SAY(key, **sums))}</p>"
        self.show(over=match.over and control.live)
        if stage + 1 < len(STAGES) and not judge.yardstick.exact:
            self._go_on(judge, stage + 1)

    def _drawn(self, found: Review, stage: int) -> str:
        """The value over the game, the mistakes marked, and how it was found."""
        exact = not any(point.error for point in found.points)
        note = SAY("review.exact") if exact else SAY("review.note", n=STAGES[stage][0], points=len(found.points))
        title = SAY("review.worth", unit=found.unit) if found.unit else SAY("review.title")
        line = [(point.ply, point.value, point.error) for point in found.points]
        return curve(title, line, [each.ply - 1 for each in found.mistakes[:SHOWN]], note, percent=not found.unit)

    # What is told -----------------------------------------------------------------------------------------------

    def _rows(self, found: Review) -> Iterator[Box]:
        if not found.mistakes:
            yield box("nk-turn", HTML(f"<p>{escape(SAY('review.none'))}</p>"))
        for number, mistake in enumerate(found.mistakes[:SHOWN], 1):
            yield self._row(self._mistake(found, number, mistake), mistake.ply - 1, again=True)
        for turn in found.turning[:SHOWN]:
            if turn.by != found.me:
                yield self._row(self._turn(found, turn), turn.first - 1)

    def _mistake(self, found: Review, number: int, mistake: Mistake) -> str:
        page, glance = self._control.page, self._control.glance_at(mistake.ply - 1)
        taken, better = (page.spoken(glance, action) for action in (mistake.taken, mistake.better))
        key = "review.mistake" if number > 1 else "review.worst" if mistake.sure else "review.perhaps"
        return SAY(key, n=mistake.ply, taken=taken, better=better, gain=_change(found, mistake.cost))

    def _turn(self, found: Review, turn: Turn) -> str:
        control = self._control
        what = control.page.happened([event for ply in control.match.plies[turn.first - 1 : turn.last]
                                      for event in ply.events])  # fmt: skip
        what = what if len(what) <= LONGEST else what[: LONGEST - 1].rsplit(" ", 1)[0] + "…"
        facts: dict[str, Any] = {"change": _change(found, turn.change), "what": what}
        if turn.by == SEVERAL:
            return SAY("review.between", first=turn.first, last=turn.last, **facts)
        if turn.by == CHANCE:
            return SAY("review.luck", n=turn.last, **facts)
        return SAY("review.other", n=turn.first, who=control.page.players(control.game)[turn.by], **facts)

    def _row(self, said: str, ply: int, *, again: bool = False) -> Box:
        control = self._control
        look = self._made("review.look", partial(control.look_at, ply))
        anew = self._made("review.again", partial(control.try_from, ply))
        return box("nk-turn", HTML(f"<p>{escape(said)}</p>"), look, *([anew] if again else []))


def _change(found: Review, value: float) -> str:
    """A change with its sign, as the page says it: in percent, or in the unit of the values."""
    if not found.unit:
        return SAY("review.change", change=value)
    return SAY("review.change.large" if found.least >= 10 else "review.change.small", change=value, unit=found.unit)
