"""What a finished game leaves on its page: a report beside the adviser's, the reader's bests, and what to play next."""

from __future__ import annotations
import json
from collections.abc import Callable
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any

from navalkit.core.awaited import Awaited, Steps
from navalkit.core.match import Match
from navalkit.core.registry import package_of
from navalkit.core.shown import html, many
from navalkit.core.words import Text, number
from navalkit.view.page import Table
from navalkit.view.scene import Scene
from .. import SAY
from ..desk import looping
from ..shell import Bridge
from ..widgets import HTML, Button, box, classed, maker, shown
from . import controls
from .controller import Controller, Streak, today

if TYPE_CHECKING:
    from .review_panel import Lights, ReviewPanel


# -- A reader's personal bests in one game, by scenario and captain: they are kept in the browser, and nowhere else

MOST, KEPT = 5, 60
"""Games that are kept of one scenario and captain, and in all."""


class Bests:
    """The best games, the best first. ``rows``: each with ``of`` (scenario and captain), ``score`` (the sentence of a
    game that somebody else could have won), ``points``, ``seed``, ``result`` and ``day``."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self._last: Any = None  # the game that was noted last: it is looked at again and again

    def loads(self, text: str | None) -> None:
        """Take what the browser kept; what is damaged is dropped."""
        try:
            rows = json.loads(text or "[]")
            sound = [row for row in rows if isinstance(row, dict) and isinstance(row.get("of"), str)
                     and isinstance(row.get("points"), int | float)]
        except (ValueError, TypeError):
            sound = []
        self.rows = sound[:KEPT]

    def dumps(self) -> str:
        """What the browser is to keep."""
        return json.dumps(self.rows)

    def of(self, what: str) -> list[dict[str, Any]]:
        """Those of one scenario and captain."""
        return [row for row in self.rows if row["of"] == what]

    def note(self, match: Match, what: str, me: int = 0, unit: Text = "") -> bool:
        """Put a finished game among those of ``what``, once, and say whether it is new there. An analysis does not
        count, nor luck that is not the seed's, nor against somebody a game that was not won. ``unit``: of its points,
        as the lobby says them."""
        outcome = match.outcome
        played = (match.seed, match.game, match.record().actions)
        if match.analysis or not match.true_to_seed or outcome is None or played == self._last:
            return False
        self._last = played
        points = outcome.scores[me]
        if match.game.deciders > 1 and points <= min(outcome.scores):
            return False
        won = match.game.deciders > 1  # of such a game its sentence is told: its score is 1 for every game won
        row = {
            "of": what, "score": str(outcome.text) if won else f"{number(points, ',.0f')} {unit}", "won": won,
            "points": points, "seed": match.seed,
            "result": outcome.result, "day": date.today().isoformat(),
        }
        same = self.of(what)
        if any(all(kept.get(name) == row[name] for name in ("seed", "points", "result")) for kept in same):
            return False
        others = [kept for kept in self.rows if kept not in same]
        self.rows = [*sorted([*same, row], key=lambda kept: -float(kept["points"]))[:MOST], *others][:KEPT]
        return True


class Ending:
    """The report and the buttons under it. ``bridge`` keeps the reader's bests in the browser. ``today`` begins the
    game of the day. ``keep`` hands the reader a picture, by its file's name. ``theme`` says in which theme pictures are
    shown. ``story`` brings what stands here to sight."""

    def __init__(self, control: Controller, bridge: Bridge, today: Button, keep: Callable[[str, Scene], None],
                 theme: Callable[[], str], story: Callable[[], None]) -> None:
        self._control, self._bridge, self._today = control, bridge, today
        self._over = False
        made = maker(control.guard)
        self.bests, self.streak = Bests(), Streak()
        self._keep, self._theme, self._story = keep, theme, story
        self.report, self._ended = classed(HTML(), "nk-play-report"), False  # whether a game has been to its end here
        self.review_place = box("nk-play-review", column=True)
        shown(self.review_place, False)
        self.share = made("share", self._share)
        self.next = made("first.next", control.new_promised)
        self.next.button_style = "primary"
        again, same = made("again", control.new), made("again.seed", lambda: control.new(control.match.seed))
        self._alone = again, same
        self.again = box("nk-ask", self.next, again, self.share, same, today)
        self.again.add_class("nk-play-again")
        self.walk = classed(HTML(), "nk-play-walk")
        retry = made("review.again", lambda: control.try_from(control.ply))
        retry.button_style = "primary"
        self.looking = box("nk-ask", retry, made("review.back", self._back), self.walk)
        self.looking.add_class("nk-play-looking")

    @cached_property
    def review(self) -> ReviewPanel:
        """The review, made when the first game ends: no first board waits for what calculates it."""
        from .review_panel import ReviewPanel

        panel = ReviewPanel(self._control, self._bridge, self._keep, self._theme, self.review_place, self._story)
        first, again, *others = self.again.children
        self.again.children = first, panel.moment, again, panel.button, *others
        self._ended = True
        return panel

    def _review_made(self) -> Steps[ReviewPanel]:
        from . import review_panel  # noqa: F401

        yield None
        return self.review

    def lights(self) -> Lights:
        """What the review frames on the board at the step looked at."""
        return self.review.lights() if self._ended else []

    @property
    def marks(self) -> list[tuple[int, str, str]]:
        """What the review marks on the time line."""
        return self.review.marks if self._ended else []

    @classmethod
    def keys(cls, game: str) -> tuple[str, str]:
        """Under which the browser keeps what this shows."""
        return cls.key(game), cls.streak_key(game)

    def _share(self) -> None:
        """What to send to others: a line of today's game that tells nothing of it, or a link to this game's review."""
        if self._control.day:
            control = self._control
            self._bridge.copy(control.day_line(self.streak.length(today())), "day", query=control.day_link())
        else:
            self.review.link()

    def _back(self) -> None:
        """From a move looked at back to the end, and to the review."""
        self._control.look_at(self._control.match.ply)
        self._story()

    @staticmethod
    def key(game: str) -> str:
        """Under which the browser keeps the bests."""
        return f"{game}:bests"

    @staticmethod
    def streak_key(game: str) -> str:
        """Under which the browser keeps the days whose games were ended."""
        return f"{game}:days"

    def show(self) -> bool:
        """Bring it up to date; whether the game has come to its end just now."""
        control, match = self._control, self._control.match
        day, over = control.day, match.over and control.live
        new, self._over = over and not self._over, over
        shown(self._today, day != today() and control.table is None)
        shown(self.report, over)
        shown(self.again, over)
        shown(self.next, control.first is not None)
        if control.first is not None and (start := control.promised) is not None:
            self.next.description = SAY("first.on", title=start.said("title"))
        for each in self._alone:  # with a friend there is a rematch instead
            shown(each, control.table is None and (control.first is None or each is self._alone[0]))
        self._show_walk()
        shown(self.looking, match.over and not control.live and self._ended and self.review.knows(match))
        if over and not (self._ended or control.wants_review) and looping():  # the end itself is seen first
            control.desk.ask("end", Awaited("end", self._review_made), lambda _: control.changed())
        elif over or self._ended:
            self.review.show(over=over)
            if over:
                self.review.begin()
        if over and control.wants_review:
            control.wants_review = False
            self.review.ask()
        if not over:
            control.desk.cancel("report")
            return False
        if new and day is not None and not control.opened and self.streak.note(day, today()):
            self._bridge.store(self.streak_key(control.name), self.streak.dumps())
            told = {"day": day.isoformat(), "said": control.day_result()}
            self._bridge.store(f"{control.name}:today", json.dumps(told))  # for the lobby
        if new and control.first is not None:
            self._bridge.store(f"{control.name}:first", "1")  # for the lobby, whose filled button then is another
        own = not (control.opened or control.first)
        if own and self.bests.note(match, control.played, control.me, control.page.unit):
            self._bridge.store(self.key(control.name), self.bests.dumps())
        if control.first is not None:  # its orders were told: nobody is judged by them
            self._show_tables()
            return new
        report = control.page.report(control.game, match, ())
        if match.game.deciders > 1:
            control.desk.fill("report", report, self._show_tables)
            return new
        self._show_tables(None if isinstance(report, Awaited) else report)  # beside the adviser's once that is played
        control.desk.fill("report", control.same_seed(), self._show_beside)
        return new

    def _show_walk(self) -> None:
        """A link to the stepper with this very game, once it is over: at its start, or at the move looked at."""
        control, match = self._control, self._control.match
        query = match.share().removeprefix("?") if match.over else ""
        shown(self.walk, "record=" in query)  # a very long one has no link
        at = "" if control.live else f"&ply={control.ply}"
        address = f"{package_of(control.game).stepper}&{query}{at}"
        self.walk.value = html('<p><a href="{}" target="_blank">{}</a></p>', address, SAY("walk"))

    def _show_beside(self, other: Match) -> None:
        """The report, once the adviser has played the same seed."""
        control, match, page = self._control, self._control.match, self._control.page
        if not match.over:
            return
        name = control.called(control.adviser)
        compared = page.compare(control.game, name, match, other)
        report = page.report(control.game, match, ((name, other),))
        control.desk.fill("report", report, lambda table: self._show_tables(table, compared))

    def _show_tables(self, *tables: Table | None) -> None:
        control = self._control
        bests = controls.bests(self.bests.of(control.played), control.played, control.page.unit)
        days = self.streak.length(today()) if control.day else 0
        told = " ".join(filter(None, (SAY("day.streak", days=days) if days else "", control.compared())))
        report = many("{}", map(controls.table, tables))
        self.report.value = report + html("<p class=nk-note>{}</p>", told) + bests
