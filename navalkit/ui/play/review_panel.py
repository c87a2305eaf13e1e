"""The review of a finished game on its page: its worth turn by turn, the mistakes, and the turns that decided it.

It is calculated behind the page (`navalkit.players.review`): its headline at once, what is found as it is found, at
the end of a game the first pictures, and by a button more precise ones, as sure as it gets. Until then
mistakes are listed in the order of the game, and the page says that they are still being compared: a quick first
picture may take a lesser one for the worst. Then it names, of every game that was lost, what lost it: a move, or where
no move is known to be worse than the captain's, the step at which luck or the other side decided it.
"""

from __future__ import annotations
from base64 import b64encode
from collections.abc import Callable, Iterator
from functools import partial
from time import perf_counter
from typing import Any

from navalkit.core.awaited import run
from navalkit.core.game import CHANCE
from navalkit.core.match import Match
from navalkit.core.registry import package_of
from navalkit.core.shown import html, paragraph
from navalkit.core.words import voice
from navalkit.players.review import SEVERAL, Judge, Mistake, Point, Review, Turn, Yardstick, review
from navalkit.view.art import curve_picture
from navalkit.view.lobby import suggested
from navalkit.view.page import Table
from navalkit.view.painters import svg
from navalkit.view.scene import Scene
from .. import SAY
from ..desk import looping
from ..shell import Bridge
from ..widgets import HTML, Box, box, curve, is_shown, maker, shown
from .controller import Controller
from .controls import explored, table

STAGES = ((3, 5), (6, 10), (12, 16), (24, 24))
"""Play-outs a point, and points, of each picture."""
UNASKED = 3
"""Pictures that are made at the end of every game."""
SHOWN = 3
"""Mistakes that are named, and turning points."""
APART = 0.5
"""The share of one's decisions that must be told apart from what lies between them, for their sum to be said."""
Lights = list[tuple[tuple[tuple[float, float], ...], str]]
"""What is framed on a board: outlines, each with a word."""
WON = 0.5
"""A chance to win from which a game counts as won or drawn at its end."""
PACE = 0.6
"""Seconds between two pictures of what has been found so far."""
LONGEST = 110
"""Characters of what happened in a turn that are repeated."""


class ReviewPanel:
    """The button that asks for the review, and its place on the page.

    ``bridge`` copies a link. ``keep`` hands the reader a picture, by its file's name. ``theme`` says in which theme
    pictures are shown. ``place``: on the page, hidden until there is a review; ``story`` brings it to sight. ``marks``:
    for the time line: a step, its sign, and what it was.
    """

    def __init__(self, control: Controller, bridge: Bridge, keep: Callable[[str, Scene], None],
                 theme: Callable[[], str], place: Box, story: Callable[[], None]) -> None:
        self._bridge, self._theme, self._story = bridge, theme, story
        self._control, self._made = control, maker(control.guard)
        self._of: Match | None = None  # the match whose review is shown
        self._judge: Judge | None = None
        self._done, self._wanted = 0, 0  # pictures of that judge's
        self.button = self._made("review", self.ask)
        self.moment = self._made("moment", self._look)
        self._keep, self._found = keep, Review(0, (Point(0, 0, 0),), ())
        self._head, self._chart, self._sums, self._table = HTML(), HTML(), HTML(), HTML()
        self._stop = self._made("stop", self._halt)
        self._painted = 0.0  # when what has been found so far was shown last
        self._progress = ""  # how far it has come
        self._first = False  # whether the first picture is not done
        self._stage = 0  # of what is shown
        self._told = box("", column=True)
        self._lines: dict[tuple[str, int, str], tuple[HTML, Box]] = {}  # rows of this match: what, ply, language
        self._lesson, self._position = HTML(), 0
        self.retry = self._made("lesson.try", lambda: self._control.try_from(self._position))
        self.lesson = box("nk-play-turn nk-play-lesson", self._lesson, self.retry)
        self.marks: list[tuple[int, str, str]] = []
        self._rivals: dict[str, Match] = {}
        self._chart_of_tracks = HTML()
        self.tracks = [self._made(f"review.track.{each}", partial(self._track, each)) for each in ("svg", "png")]
        further = box(
            "nk-ask",
            *self.tracks,
            self._made("review.captains", self._ask_captains),
            self._made("review.svg", partial(self._picture, "svg")),
            self._made("review.png", partial(self._picture, "png")),
            self._made("review.link", self.link),
        )
        found = self._chart, self._told, self._sums, self.lesson, self._chart_of_tracks
        self.widget = place
        place.children = self._head, box("nk-play-turn", self._stop), *found, further, self._table
        self.show(over=False)

    def show(self, *, over: bool) -> None:
        """Be there after the end alone; what was calculated of this match stays."""
        shown(self.button, over and self._offered is not None)
        shown(self.moment, is_shown(self.button) and self._control.first is None)
        self.moment.disabled = self._of is not self._control.match or self.decided is None
        # With a friend the rematch is what comes next.
        self.moment.button_style = "" if self.moment.disabled or self._control.table is not None else "primary"
        if not self.moment.disabled:
            self.moment.say("moment")
        elif self._going:
            self.moment.say("moment.wait", share=self._share)
        else:
            self.moment.say("moment.none")
        shown(self.widget, over and self._of is self._control.match)
        shown(self._stop, self._going)
        note = html("<p class=nk-note role=status>{}</p>", self._progress if self._going else "")
        told = self._control.compared()  # a friend's result is what one came for
        beside = html("<p><b>{}</b></p>", told) if told else ""
        self._head.value = html("<h3 class=nk-play-ended>{}</h3>{}{}", self._control.ending(), beside, note)
        if self._of is not self._control.match:
            self._of, self.marks, self._rivals, self._table.value = None, [], {}, ""
            self._lines.clear()
            shown(self.lesson, False)

    @property
    def _share(self) -> float:
        """How much is calculated of what says what decided the game: the first two pictures, or the only one."""
        points = len(self._found.points) if self._of is self._control.match and not self._done else 0
        begun = min(1.0, points / STAGES[0][1])
        return min(0.99, (self._done + begun) / min(2, max(1, self._wanted)))

    def lights(self) -> Lights:
        """What is framed on the board at a move that cost something: the player's order, and the better one."""
        control = self._control
        for mistake in self._named(self._found) if self._of is control.match else ():
            if control.view == mistake.ply - 1:
                taken = control.lit(mistake.taken, SAY("light.taken"), control.view)
                better = control.lit(mistake.better, SAY("light.better"), control.view)
                both = {outline for outline, _ in taken} & {outline for outline, _ in better}
                return [light for light in taken + better if light[0] not in both]  # where the two differ
        return []

    def knows(self, match: Match) -> bool:
        """Whether there is a review of this very match."""
        return self._of is match

    @property
    def _offered(self) -> Yardstick | None:
        """How this game is measured."""
        found: Yardstick | None = package_of(self._control.game).offered("REVIEW", None)
        return found

    def begin(self) -> None:
        """Have the first pictures of a game made that has come to its end; without a loop everybody would wait. Of a
        first game, whose orders were given, nobody need hear what was amiss."""
        begun = self._judge is not None and self._judge.match is self._control.match
        if looping() and self._offered is not None and not (begun or self._control.first):
            self._want(UNASKED)

    def ask(self) -> None:
        """Have the game reviewed as precisely as it gets, behind the page, and show it."""
        control = self._control
        tracks, theme = control.page.track(control.game, control.match), self._theme()
        drawn = "" if tracks is None else b64encode(svg(tracks, theme).encode()).decode()
        form = "<h3>{}</h3><img class=nk-play-tracks alt='{}' src='data:image/svg+xml;base64,{}'>"
        self._chart_of_tracks.value = html(form, *[SAY("review.tracks")] * 2, drawn) if drawn else ""
        for button in self.tracks:
            shown(button, tracks is not None)
        self._story()
        self._want(len(STAGES))

    def _want(self, pictures: int) -> None:
        """Have that many pictures made of this game."""
        control, yardstick = self._control, self._offered
        assert yardstick is not None
        if self._judge is None or self._judge.match is not control.match:
            given = suggested(control.match, control.me)
            self._judge = Judge(control.match, control.me, yardstick, given=given)
            self._done, self._painted = 0, 0.0
        self._wanted = 1 if yardstick.doubt else pictures
        if not self._going and self._done < self._wanted:
            self._go_on(self._judge, self._done)

    def _halt(self) -> None:
        """Go no further; what has been found stays."""
        self._control.desk.cancel("review")
        self._list(self._found)
        self._control.changed()

    def _go_on(self, judge: Judge, stage: int) -> None:
        so_far = partial(self._so_far, judge) if not stage else _hear_nothing
        self._control.desk.ask("review", review(judge, *STAGES[stage], so_far), partial(self._tell, judge, stage))

    def _so_far(self, judge: Judge, found: Review) -> None:
        """Show what the first picture has so far: its headline at once, all else now and then."""
        if judge.match is self._control.match and perf_counter() > self._painted + PACE:
            self._paint(judge, 0, found, SAY("review.so_far", points=len(found.points)), True)
            self._painted = perf_counter()

    def _tell(self, judge: Judge, stage: int, found: Review) -> None:
        if judge.match is not self._control.match:
            return
        self._done = stage + 1
        if self._done < self._wanted:
            self._go_on(judge, self._done)
        self._paint(judge, stage, found, SAY("review.going_on"), False)

    def _paint(self, judge: Judge, stage: int, found: Review, progress: str, so_far: bool) -> None:
        control, match = self._control, judge.match
        self._of, self._found, self._progress, self._first, self._stage = match, found, progress, so_far, stage
        self._list(found)
        change = partial(_change, found)
        sums = {"mine": change(found.skill), "others": change(found.others), "luck": change(found.luck)}
        key = "review.sums" if match.game.deciders > 1 or abs(found.others) > found.least else "review.sums.alone"
        quicker = SAY("review.sums.quicker") if judge.yardstick.otherwise else ""
        told = not so_far and found.apart(match) >= APART
        self._sums.value = html("<p class=nk-note>{}</p>", f"{SAY(key, **sums)} {quicker}".rstrip() if told else "")
        self.show(over=match.over and control.live)
        if looping() or not so_far:  # without a loop all that is asked for is calculated now, this among it
            control.changed()  # the time line has its marks

    def _list(self, found: Review) -> None:
        """The mistakes and turning points, in words, on the curve and on the time line, under the same numbers."""
        mine = self._shown(found)
        self._chart.value = self._drawn(found)
        self.marks = [(each.ply - 1, str(n), self._mistake(found, n, each)) for n, each in mine]
        taken = {step for step, _, _ in self.marks}
        turning = [turn for turn in self._telling(found) if turn.first - 1 not in taken]
        self.marks += [(turn.first - 1, "◆", self._turn(found, turn)) for turn in turning]
        self._told.children = tuple(self._rows(found))
        self._teach(found)

    def _teach(self, found: Review) -> None:
        """What is to be learnt, in one sentence, and the one position to try it in: once all has been compared."""
        shown(self.lesson, not (self._going or self._first))
        said, position = self._learnt(found)
        form = "<h3>{}</h3><p>{}</p>"
        self._lesson.value = html(form, SAY("lesson.title"), said)
        self._position = 0 if position is None else position
        shown(self.retry, position is not None)

    def _learnt(self, found: Review) -> tuple[str, int | None]:
        """The lesson, and after how many plies the position is that it is of."""
        mistake, turn = next(iter(self._named(found)), None), found.deciding
        page, control = self._control.page, self._control
        if mistake is not None:
            ply = mistake.ply - 1
            glance, advice = control.glance_at(ply), self._judge.advised(ply) if self._judge else None
            known = advice is not None and advice.action == mistake.better
            why = page.because(glance, advice) if known and advice else ""
            said = SAY("lesson.move", n=mistake.ply, better=page.spoken(glance, mistake.better),
                       taken=page.spoken(glance, mistake.taken), why=why)
            return said.strip(), ply
        if turn is None or turn not in found.turning or turn.change > 0:  # what went well is nothing to do otherwise
            return SAY("lesson.none"), None
        own = [n for n, ply in enumerate(control.match.plies[: turn.last]) if ply.by == found.me]
        before = [n for n in own if n < turn.first - 1]
        within = own[len(before) :]
        position = next(iter(within if turn.by == found.me or not before else before[-1:]), None)
        kind = "luck" if turn.by == CHANCE or turn.by in control.game.automatic else "turn"
        return SAY(f"lesson.{kind}" if turn.by != found.me else "lesson.own", n=turn.last), position

    @property
    def _going(self) -> bool:
        """Whether it is still being calculated."""
        return self._control.desk.busy("review")

    def _shown(self, found: Review) -> list[tuple[int, Mistake]]:
        """The mistakes that are listed, numbered: the costliest first once they have been compared."""
        listed = self._named(found)
        return list(enumerate(sorted(listed, key=lambda each: each.ply) if self._going else listed, 1))

    def _named(self, found: Review) -> list[Mistake]:
        """The mistakes that are spoken of: those that are sure, and the worst, if it is likely one."""
        listed = enumerate(found.mistakes[:SHOWN])
        return [each for number, each in listed if each.sure or (not number and each.likely)]

    def _drawn(self, found: Review) -> str:
        """The value over the game, the mistakes marked, and how it was found."""
        yardstick, exact = self._offered, not any(point.error for point in found.points)
        assert yardstick is not None
        tables, turns = yardstick.doubt, yardstick.ahead
        of = {"n": STAGES[self._stage][0] * yardstick.times, "points": len(found.points), "turns": turns}
        played = "review.judged" if turns else "review.note"
        how = f"{SAY('review.exact' if exact else 'review.tables' if tables else played, **of)} {yardstick.by}".rstrip()
        note = "" if self._first else f"{how} {SAY('review.more')}" if self._going and not tables else how
        title = SAY("review.worth", unit=found.unit) if found.unit else SAY("review.title")
        line = [(point.ply, point.value, point.error) for point in found.points]
        marked = [each.ply - 1 for _, each in self._shown(found)]
        return curve(title, line, marked, note, percent=not found.unit, ringed=self._ringed)

    @property
    def _ringed(self) -> int | None:
        """The step of the curve that decided the game."""
        return None if self.decided is None else self.decided[0]

    # What is told -----------------------------------------------------------------------------------------------

    def _rows(self, found: Review) -> Iterator[Box]:
        lost, named = self._is_lost(found), self._named(found)
        if self._first or (self._going and not named):
            pass  # what lost the game is not known yet
        elif not named and lost and (turn := found.deciding):
            yield self._row("lost", self._lost(found, turn), turn.first - 1)
        elif not named:
            never = lost and not any(point.value for point in found.points)
            said = SAY("review.lost.start" if never else "review.none")
            yield box("nk-play-turn", HTML(paragraph(said)))
        elif self._going:
            yield box("nk-play-turn", HTML(paragraph(SAY("review.comparing"))))
        for number, mistake in self._shown(found):
            yield self._row("mistake", self._mistake(found, number, mistake), mistake.ply - 1)
        for turn in self._telling(found):
            if self._going or self._first or named or not lost or turn != found.deciding:  # else the first row has it
                yield self._row("turn", self._turn(found, turn), turn.first - 1)

    def _telling(self, found: Review) -> list[Turn]:
        """The turning points that are told: what was not the player's own."""
        return [turn for turn in found.turning[:SHOWN] if turn.by != found.me]

    @property
    def decided(self) -> tuple[int, int, str] | None:
        """What decided the game: the ply just before, the one at which it is seen, and in words; None while nothing is
        sure. Where a move of the player's own cost at least half as much, it is seen before it, with the better one."""
        found, turn, worst = self._found, self._found.deciding, next(iter(self._named(self._found)), None)
        if turn is None or self._first or self._done < (2 if self._going else 1):  # the first picture is a rough one
            return None
        own = worst is not None and (turn.first <= worst.ply <= turn.last or 2 * worst.cost > abs(turn.change))
        if own and worst and worst.sure and turn.change < 0:
            return worst.ply - 1, worst.ply - 1, self._mistake(found, 1, worst)
        if self._going and turn not in found.turning:
            return None
        told = self._lost if self._is_lost(found) and worst is None else self._turn
        return turn.first - 1, turn.last, told(found, turn)

    def _look(self) -> None:
        """Show on the board what decided the game, and say it."""
        if self.decided is not None:
            before, seen, said = self.decided
            if before < seen:
                self._control.look_at(before)  # the film from there leaves what happened ringed
            self._control.look_at(seen, said)

    def _is_lost(self, found: Review) -> bool:
        return not found.unit and found.points[-1].value < WON

    def _mistake(self, found: Review, number: int, mistake: Mistake) -> str:
        page, glance = self._control.page, self._control.glance_at(mistake.ply - 1)
        taken, better = (page.spoken(glance, action) for action in (mistake.taken, mistake.better))
        worst = "review.worst" if mistake.sure and not self._first else "review.perhaps"
        key = "review.mistake" if number > 1 or self._going else worst
        return SAY(key, n=mistake.ply, taken=taken, better=better, gain=_change(found, mistake.cost))

    def _lost(self, found: Review, turn: Turn) -> str:
        """What lost a game in which no own move is known to be worse than the captain's."""
        facts = self._facts(found, turn)
        if turn.by == found.me and turn.sure:
            return SAY("review.lost.own", **facts)
        game = self._control.game
        if turn.by == SEVERAL or not turn.sure:
            return SAY("review.lost.unknown", **facts)
        if turn.by == CHANCE or turn.by in game.automatic:
            return SAY("review.lost.luck", **facts)
        return SAY("review.lost.other", who=self._control.page.players(game)[turn.by], **facts)

    def _facts(self, found: Review, turn: Turn) -> dict[str, Any]:
        """What happened in a turn, and what that changed."""
        control = self._control
        events = [event for ply in control.match.plies[turn.first - 1 : turn.last] for event in ply.events]
        what = control.page.happened(events) or " ".join(event.text for event in events) or SAY("review.untold")
        what = what if len(what) <= LONGEST else what[: LONGEST - 1].rsplit(" ", 1)[0] + "…"
        return {"n": turn.last, "change": _change(found, turn.change), "what": what}

    def _turn(self, found: Review, turn: Turn) -> str:
        facts, control = self._facts(found, turn), self._control
        if turn.by == SEVERAL:
            key = "review.between" if turn.first < turn.last else "review.within"
            return SAY(key, first=turn.first, last=turn.last, **facts)
        if not turn.sure:
            return SAY("review.unknown", **facts)
        if turn.by == CHANCE:
            return SAY("review.luck", **facts)
        if turn.by == found.me:
            return SAY("review.own", **facts)
        return SAY("review.other", who=control.page.players(control.game)[turn.by], **facts)

    def _row(self, what: str, said: str, ply: int) -> Box:
        """A line with what leads on from it. It stays while the review gets more precise: else a press that begins
        before its next picture, and ends after it, would be lost."""
        control, key = self._control, (what, ply, voice().lang)
        if key not in self._lines:
            look = self._made("review.look", partial(control.look_at, ply))  # the browser lets the drawer down
            line, link = HTML(), HTML(run(explored(control.glance_at(ply))))
            self._lines[key] = line, box("nk-play-turn", line, look, link)
        line, row = self._lines[key]
        line.value = paragraph(said)
        return row

    # The same seed by others, and a picture ---------------------------------------------------------------------

    def _ask_captains(self) -> None:
        """The named captains play the same seed in the player's seat."""
        control, game = self._control, self._control.game
        others = [control.seats[n] for n in range(len(control.seats)) if n != control.me and control.seats[n]]
        against = (others or [control.adviser])[0] if game.deciders > 1 else ""
        for number, captain in enumerate(package_of(game).offered("CAPTAINS", ())):
            asked = control.crew.alone(captain.name, game, control.match.seed, against, control.me)
            control.desk.ask(("captain", number), asked, partial(self._came, control.match, captain.called))

    def _came(self, of: Match, captain: str, match: Match) -> None:
        """A captain's game is there."""
        if of is not self._control.match:
            return
        self._rivals[captain] = match
        games = {SAY("review.you"): of, **self._rivals}
        rows = [(name, self._ended(each), str(each.ply)) for name, each in games.items()]
        head = SAY("review.captain"), SAY("review.ended"), SAY("review.steps")
        self._table.value = table(Table(SAY("review.seed"), head, tuple(rows)))

    def _ended(self, match: Match) -> str:
        """How somebody's game on the same seed ended."""
        outcome = match.outcome
        return SAY(f"captain.{self._control.result(outcome)}", text=outcome.text) if outcome else ""

    def _picture(self, ending: str) -> None:
        """The curve with its headline, to keep or to share."""
        control, found = self._control, self._found
        line = [(point.ply, point.value, point.error) for point in found.points]
        about = f"{control.game.title} · {SAY('review.worth', unit=found.unit) if found.unit else SAY('review.title')}"
        marked = [each.ply - 1 for _, each in self._shown(found)]
        scene = curve_picture(control.ending(), about, line, marked, percent=not found.unit, ringed=self._ringed)
        self._keep(f"{control.name}-review.{ending}", scene)

    def link(self) -> None:
        """A link to this game that opens with the review for who looks."""
        self._bridge.copy(f"{self._control.link()}&review={self._control.me + 1}", "link", link=True)

    def _track(self, ending: str) -> None:
        """The ways that ships have come, to keep or to share."""
        control = self._control
        if (tracks := control.page.track(control.game, control.match)) is not None:
            self._keep(f"{control.name}-tracks.{ending}", tracks)


def _hear_nothing(found: Review) -> None:
    """What a later picture has so far is less than what is shown."""


def _change(found: Review, value: float) -> str:
    """A change with its sign, as the page says it: in percent, or in the unit of the values."""
    if not found.unit:
        return SAY("review.change", change=value)
    return SAY("review.change.large" if found.least >= 10 else "review.change.small", change=value, unit=found.unit)
