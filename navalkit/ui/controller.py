"""Everything a page does, without a widget: a match, the place one looks at, and the status line.

The app calls one method a click, inside one error boundary; each ends with `changed`, and the app repaints. What a
click shows is calculated once: `glance` and `scene` remember the position they were made of.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from time import perf_counter
from typing import Any

from navalkit.core.awaited import Awaited, Steps
from navalkit.core.errors import IllegalActionError, NavalkitError, OptionError, PeekError, RecordError
from navalkit.core.event import Event
from navalkit.core.game import TERMINAL, Game
from navalkit.core.match import Match
from navalkit.core.record import GameRecord
from navalkit.core.registry import load
from navalkit.core.seeds import MAX_SEED, daily_seed
from navalkit.core.store import Store, new_token
from navalkit.core.trace import Decision
from navalkit.core.words import Voice, speaking
from navalkit.players import makers, player
from navalkit.rooms.table import Table
from navalkit.view.page import Glance, Look, Moment, Order, Page, page_of
from navalkit.view.scene import Cell, Picks, Scene
from navalkit.view.tutorial import Step, Tutorial, tutorial

from . import files
from .boundary import guarded
from .crew import Crew
from .days import day_of, read_day, spell, today
from .desk import SLICE, Desk, looping
from .say import SAY

YOU = "you"
"""How a record names somebody at the screen."""

log = logging.getLogger(__name__)


@dataclass
class Status:
    """The status line: what just happened, and whether it is an error."""

    text: str = ""
    error: bool = False
    count: int = 0
    """Goes up with every message, so that a reader notices the same words said twice."""


@dataclass
class Controller:
    """One page's game.

    Parameters
    ----------
    name : str
        The game ("uss-lox").
    store : Store, optional
        Where the game in progress is kept; None keeps nothing.
    adviser : str, optional
        The player whose hint is asked for, and who plays the same seed after the end; the page's own if left out.
    seats : tuple of str, optional
        By player number the machine player who sits there, or "" for somebody at this screen; () puts somebody
        at this screen in every seat. Left out, as the page has it.
    """

    name: str
    store: Store | None = None
    adviser: str = ""
    seats: tuple[str, ...] | None = None
    token: str = ""
    lang: str = "en"
    """The language of all that is said."""
    status: Status = field(default_factory=Status)
    hint: Decision | None = None
    picks: Picks = field(default_factory=Picks)
    """What is picked on the board; it is no part of the game."""
    tall: bool = False
    """Whether the board is the tall one, for a phone."""
    room: tuple[float, float] | None = None
    """Width and height, px, that there is for the board."""
    asking_undo: bool = False
    """Whether the page asks if the game may become an analysis."""
    changed: Callable[[], None] = lambda: None
    answered: Callable[[], None] = lambda: None
    """Called when the board can show something it awaited."""
    kept: Callable[[], None] = lambda: None
    """Called when the token of the game in progress is new: the browser keeps it."""

    def __post_init__(self) -> None:
        self.page: Page[Any, Any, Any] = page_of(self.name)
        self.adviser = self.adviser or self.page.adviser
        self.desk = Desk(self.guard)
        self.crew = Crew()
        self.seats = seats = self.page.seats if self.seats is None else self.seats
        self.match = self._fresh(load(self.name), None, seats)
        self.me = 0
        """The player through whose eyes the page looks."""
        self.covered = False
        """Whether the screen is covered until ``me`` has taken the seat."""
        self.chosen_seed = False
        """Whether somebody chose the seed: then it is no secret of this game."""
        self.view: int | None = None  # the ply looked at; None is the present
        # Orders of a typed line that wait, each with the player and what was seen when it was typed.
        self.later: list[tuple[int, Any, Any]] = []
        self.hovered = ""  # the cell under the pointer, where the game's page shows something of it
        self.window: Any = None  # the window on a large board, as the game's page makes it; None is its usual one
        self.dragging = False  # whether a drag over the board may go on
        self.opened = False  # whether the game came to its end elsewhere: then it is nobody's personal best
        self.table: Table | None = None
        """Where somebody on another device plays the other side."""
        self.first: Tutorial | None = None
        """The first game, while it is played; it is not kept."""
        self._glance: tuple[Any, Glance[Any, Any, Any]] | None = None
        self._scene: tuple[Any, Scene] | None = None
        self._answers: dict[Any, Any] = {}  # to what the board awaits, of this position
        self._sit()

    # What one sees ----------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game[Any, Any]:
        return self.match.game

    @property
    def voice(self) -> Voice:
        """For whom sentences are made: the player who looks, if a person does."""
        return Voice(self.lang, None if self.me in self._machines() else self.me)

    @property
    def name_of_seat(self) -> str:
        """What the page calls the player through whose eyes it looks ("Germans"), or else the game ("red")."""
        return self.page.players(self.game)[self.me]

    @property
    def ply(self) -> int:
        """The ply looked at."""
        return self.match.ply if self.view is None else self.view

    @property
    def live(self) -> bool:
        """Whether one looks at the present."""
        return self.view is None

    def glance(self) -> Glance[Any, Any, Any]:
        """The position looked at, through the eyes of ``me``."""
        state = self.match.at(self.ply)
        mine = self.live and not self.covered and not self.watched and self.match.turn == self.me
        key = self.game, state, self.me, self.live, mine
        if self._glance is None or not all(a is b for a, b in zip(self._glance[0], key, strict=True)):
            legal = self.match.legal() if mine else ()
            self._glance = key, Glance(self.game, self.game.observe(state, self.me), self.me, legal, self.live)
        return self._glance[1]

    def glance_at(self, ply: int) -> Glance[Any, Any, Any]:
        """The position after so many plies of a finished game, with all that could be done there."""
        state = self.match.at(ply)
        return Glance(self.game, self.game.observe(state, self.me), self.me, self.game.legal(state), live=False)

    @property
    def look(self) -> Look:
        """How one looks at it."""
        reasons = self.reasons() if self.page.draws_reasons else None
        hover = self.hovered if self.page.hovers else ""
        return Look(self.tall, self.picks, hover, self.window, reasons, self._answers, self.room)

    @property
    def seen(self) -> Any:
        """What the player may know of the state looked at."""
        return self.glance().seen

    @property
    def legal(self) -> tuple[Any, ...]:
        """What can be done now: nothing while one looks back, or while it is another's turn."""
        return self.glance().legal

    def orders(self) -> Sequence[Order]:
        """The buttons."""
        return self.glance().once(self.page.orders)

    def scene(self) -> Scene:
        """The board as it is looked at, its cells carrying what a press does."""
        glance, look = self.glance(), self.look
        key = glance, look, self.lang
        if self._scene is None or self._scene[0][0] is not glance or self._scene[0][1:] != key[1:]:
            self._scene = key, self.page.scene(glance, look)
        return self._scene[1]

    def await_board(self) -> None:
        """Ask for what the board will show besides; with each answer the page is told, and paints the board again."""
        wanted = self.page.awaits(self.glance(), self.look)
        self._answers = {each.key: self._answers[each.key] for each in wanted if each.key in self._answers}
        for number, awaited in enumerate(wanted):
            if awaited.key not in self._answers:
                raw = replace(awaited, then=_same)
                self.desk.ask(f"board {number}", raw, partial(self._answered, awaited.key))

    def _answered(self, key: Any, answer: Any) -> None:
        self._answers = {**self._answers, key: answer}
        self.answered()

    def events(self) -> list[Event]:
        """What happened up to the ply looked at, as far as the player may know; after the end, all of it."""
        return [event for ply in self.match.plies[: self.ply] for event in ply.events if self._told(event)]

    def moments(self, since: int) -> list[Moment[Any]]:
        """Of each action after the first ``since``: what the player saw before it, and was then told."""
        plies = list(enumerate(self.match.plies))[since : self.ply]
        see = self.game.observe
        return [
            Moment(see(self.match.at(i), self.me), tuple(event for event in ply.events if self._told(event)))
            for i, ply in plies
        ]

    def happened(self) -> str:
        """What the actions up to the ply looked at brought last: the events since the player's last action."""
        plies = self.match.plies[: self.ply]
        first = max((i for i, ply in enumerate(plies) if ply.by == self.me), default=0)
        return self.page.happened([event for ply in plies[first:] for event in ply.events if self._told(event)])

    def told_since(self, ply: int) -> bool:
        """Whether the player is told of anything that happened after so many actions."""
        return any(self._told(event) for each in self.match.plies[ply:] for event in each.events)

    def _told(self, event: Event) -> bool:
        return event.seen_by(None if self.match.over else self.me)

    # Orders -----------------------------------------------------------------------------------------------------

    def order(self, text: str) -> None:
        """Play a typed line; what is typed on after its first order is given when it is due."""
        if not text.strip():
            raise OptionError(SAY("order.empty"))
        if self._ready():
            first, *others = self.page.read(self.glance(), text)
            self._give(first, others)

    def give(self, action: Any) -> None:
        """Play an action: that of a button, or of a cell of the board."""
        if self._ready():
            first, *others = self.page.unfold(self.glance(), action)
            self._give(first, others)

    def _ready(self) -> bool:
        """Whether an order can be given here and now; back to the present first, if one looks back."""
        if not self.live:
            self.view = None
            self._say(SAY("order.present"))
            return False
        if self.covered:
            raise OptionError(SAY("order.covered", side=self.name_of_seat))
        if self.match.turn not in (self.me, TERMINAL):
            raise OptionError(SAY("order.turn"))
        return True

    def _give(self, action: Any, others: Sequence[Any]) -> None:
        mine = self.me, self.seen
        self._play(action)
        self.later += [(*mine, order) for order in others]
        self.picks = self.picks.after_order()
        self._go_on()

    def _play(self, action: Any) -> None:
        """Play an action of one's own; with somebody on another device it is claimed first."""
        if self.first_action not in (None, action):
            raise IllegalActionError(SAY("first.other"))
        (self.match if self.table is None else self.table).play(action)

    def sit_down(self, table: Table) -> None:
        """Play with somebody on another device from now on."""
        self._take(table.match, SAY("table.joined" if table.done else "table.new"), table=table)

    def catch_up(self) -> bool:
        """Play what the other side has done since; whether it has done anything."""
        if self.table is None or not (new := self.table.catch_up()):
            return False
        kinds = {move.kind for move in new if move.seat != self.me} & {"ask", "yes", "no"}
        self.later = self.later if not kinds else []
        said = self._give_later()
        self._moved(" ".join(filter(None, (said, *(SAY(f"table.{kind}") for kind in sorted(kinds))))))
        return True

    def answer_undo(self, agreed: bool) -> None:
        """Say yes or no to the other side, who asks for their last action back."""
        if self.table is not None:
            self.table.answer_undo(agreed)
            self._moved(SAY("table.agreed" if agreed else "table.refused"))

    def _give_later(self) -> str:
        """Give the player's orders of earlier lines whose time has come; says which of them could not be given."""
        refused = []
        for waiting in tuple(self.later):
            by, given, action = waiting
            if by != self.me or self.match.turn != self.me:
                continue
            if (due := self.page.due(given, self.glance(), action)) is False:
                continue
            self.later.remove(waiting)
            try:
                if due:
                    self._play(action)
            except NavalkitError as error:
                refused.append(SAY("order.refused", order=str(action), why=str(error)))
        return " ".join(refused)

    @property
    def first_step(self) -> Step | None:
        """The step of the first game that one is at: as many are done as the player has given orders."""
        done = sum(ply.by == self.me for ply in self.match.plies)
        return self.first.steps[done] if self.first and self.live and done < len(self.first.steps) else None

    @property
    def first_action(self) -> Any:
        """What the first game asks for now; None for anything."""
        step = self.first_step
        return self.game.parse_action(step.order) if step and step.order else None

    def new_first(self) -> None:
        """Start the game's first game."""
        first = tutorial(self.name)
        match = self._fresh(load(self.name, **first.options), first.seed, first.seats)
        self._take(match, "", chosen_seed=True, first=first)

    def leave_first(self) -> None:
        """Play on without being led."""
        self.first = None
        self._moved(SAY("first.left"))

    def take_seat(self) -> None:
        """Uncover the screen: the player whose turn it is sits before it."""
        self.covered = False
        if self.later:
            self._go_on()
        else:
            self._say("")

    def point(self, id: str) -> None:
        """A press on the board: what its cell carries is done; a cell that carries nothing says what lies there."""
        cell = self.scene().cell(id)
        self.dragging = False
        if cell is None:
            return
        if cell.pick is not None:
            self.picks = self.picks.toggled(cell.pick)
        if cell.window is not None:
            self.window = self.page.window(self.glance(), self.look, cell.window)
        if cell.action is not None:
            self._give_from(cell)
        elif cell.pick is not None and (now := self.scene().cell(id)) is None:
            self._say("")  # the pick changed what can be pointed at there
        else:
            said = cell.alt if cell.pick is None or now is None else now.alt
            self._say(said[:1].upper() + said[1:] + ".")

    def drag(self, id: str) -> None:
        """The pressed pointer comes to a further cell: its order, while the game's page lets the drag go on."""
        cell = self.scene().cell(id) if self.dragging else None
        if cell is not None and cell.action is not None:
            self.dragging = False
            self._give_from(cell)

    def _give_from(self, cell: Cell) -> None:
        """Give the order of a cell, and see whether a drag may go on after it."""
        before, ply = self.glance(), self.match.ply
        self.give(cell.action)
        if self.page.drags:
            self.dragging = self.match.ply > ply and self.page.goes_on(before, self.glance(), self.look)

    def can_undo(self) -> bool:
        """Whether somebody at this screen has decided something."""
        return any(ply.by >= 0 and ply.by not in self._machines() for ply in self.match.plies)

    def undo(self, agreed: bool = False) -> None:
        """Take back the last action; asks first where that takes back something already seen."""
        if not self.can_undo():
            raise IllegalActionError(SAY("undo.nothing"))
        self.view, self.later = None, []
        if self.table is not None:
            self.table.ask_undo()
            self._say(SAY("table.asked"))
            return
        self.desk.cancel("machine")
        try:
            self.match.undo(analysis=agreed or None)
            while self.match.turn in self._machines() and self.match.can_undo():
                self.match.undo(analysis=agreed or None)
        except PeekError:
            self.asking_undo = True
            self._say(SAY("undo.ask"))
            return
        self._moved(SAY("undo.analysis" if self.match.analysis else "undo.done"))

    def keep(self) -> None:
        """Answer no to what undo asked."""
        self.asking_undo = False
        self._say(SAY("undo.kept"))

    def redo(self) -> None:
        """Play again what was undone."""
        self.view = None
        if self.table is not None:
            raise IllegalActionError(SAY("table.redo"))
        self.match.redo()
        while self.match.turn in self._machines() and self.match.can_redo():
            self.match.redo()
        self._go_on()

    # Looking back -----------------------------------------------------------------------------------------------

    def look_at(self, ply: int) -> None:
        """Look at the game after ``ply`` actions; the last is the present."""
        ply = min(max(ply, 0), self.match.ply)
        self.view = None if ply == self.match.ply else ply
        self.asking_undo, self.hint = False, None
        self._say("")

    def try_from(self, ply: int) -> None:
        """Play on from after so many plies of a finished game: another game, an analysis."""
        self._take(self.match.branch(ply), SAY("review.from", n=ply + 1), chosen_seed=True)

    def ending(self) -> str:
        """How the game ended for who looks, in a sentence or two; "" before the end."""
        outcome = self.match.outcome
        if outcome is None:
            return ""
        mine, best = outcome.scores[self.me], max(outcome.scores)
        if self.game.deciders < 2:
            return outcome.text
        key = "end.drawn" if min(outcome.scores) == best else "end.won" if mine == best else "end.lost"
        return SAY(key, text=outcome.text)

    # New games, files and links ---------------------------------------------------------------------------------

    def new(
        self,
        seed: str | int | None = None,
        options: Mapping[str, Any] | None = None,
        seats: tuple[str, ...] | None = None,
    ) -> None:
        """Start a new game; options and seats left out stay as they are."""
        game = load(self.name, **(dict(self.game.options) if options is None else options))
        match = self._fresh(game, _seed(seed), self._seats if seats is None else seats)
        self._take(match, SAY("new.game"), chosen_seed=_seed(seed) is not None)

    def new_daily(self, day: date | None = None) -> None:
        """Start the game that everybody plays on that day (left out, today): usual options, a seed nobody is shown."""
        now = today()
        if day and day > now:
            raise OptionError(SAY("day.future", day=spell(day), today=spell(now)))
        match = self._fresh(load(self.name), daily_seed(self.name, day or now), self._seats)
        self._take(match, SAY("day.new", day=spell(day or now)))

    @property
    def secret(self) -> bool:
        """Whether the seed is not to be told yet."""
        shared = self.table is not None and not self.match.over
        return (self.match.secret or shared) and not self.chosen_seed

    @property
    def day(self) -> date | None:
        """The day whose game this is, if it is one of the last that are kept."""
        plain = all(self.game.options[spec.name] == spec.default for spec in self.game.specs)
        return day_of(self.name, self.match.seed, today()) if plain else None

    def day_line(self) -> str:
        """The day's result in a line to share: it tells nothing of the game itself."""
        outcome, day = self.match.outcome, self.day
        if outcome is None or day is None:
            return ""
        mine, best = outcome.scores[self.me], max(outcome.scores)
        result = SAY("day.score", score=mine, unit=self.page.unit)
        if len(outcome.scores) > 1:
            result = SAY("day.drawn" if min(outcome.scores) == best else "day.won" if mine == best else "day.lost")
        return SAY("day.line", game=self.game.title, day=spell(day), result=result)

    def open(self, data: bytes, name: str = "") -> None:
        """Open a saved game; on any error the present game stays."""
        self.take_up(Match.loads(data), name)

    def take_up(self, match: Match, name: str = "") -> None:
        """Go on with a game that was opened; RecordError if it is a game of something else."""
        self._foreign(match)
        key = "open.analysis" if match.analysis else "open.file"
        self._take(match, SAY(key, name=name or SAY("open.name"), steps=match.ply))

    def open_query(self, query: str) -> bool:
        """Open what a query string asks for: seed and options, a day, or a record, and a step; False if for nothing."""
        asked, step = files.asked(query)
        specs = {spec.name for spec in self.game.specs}
        if "record" in asked:
            match = Match.replay(GameRecord.from_link_text(asked["record"]))
            self._foreign(match)
            self._take(match, SAY("open.link", steps=match.ply))
        elif "first" in asked:
            self.new_first()
        elif "day" in asked:
            self.new_daily(read_day(asked["day"]))
        elif "seed" in asked or specs & asked.keys():
            self.new(asked.get("seed"), {key: value for key, value in asked.items() if key in specs})
        else:
            return False
        if step is not None:
            self.look_at(step)
        return True

    def resume(self, token: str, another_tab: bool = False) -> bool:
        """Take up the game kept under the token; False if it is no longer there.

        What ``another_tab`` has kept it may still be playing: this page then goes on with a copy.
        """
        if self.store is None:
            return False
        try:
            match = self.store.load(token)
            self._foreign(match)
        except RecordError:
            return False
        self.token, self.match, self.view, self.hint = "" if another_tab else token, match, None, None
        self.table = None
        self.opened = match.over
        self._sit()
        text = SAY("open.resumed") if match.ply else ""
        (self._moved if another_tab else self._say)(text)
        return True

    def outdated(self, query: str) -> bool:
        """Whether a link asks for the game of another day than this one is of; a game that goes on is never so."""
        asked, _ = files.asked(query)
        busy = self.can_undo() and not self.match.over
        return "day" in asked and not busy and self.day != (read_day(asked["day"]) or today())

    def link(self) -> str:
        """The query of a link to this game, and to the step one looks at; in play a game of the day is its date."""
        if self.secret and self.day:
            return f"?day={self.day.isoformat()}"
        if self.secret:
            raise OptionError(SAY("link.secret"))
        query = self.match.share()
        return query if self.live or "record=" not in query else f"{query}&step={self.ply}"

    def csv(self) -> str:
        """The game as CSV: one row an event; while something is hidden, what chance did is told by its events alone."""
        return files.log_csv(self.match, self.me, self._told)

    # Advice -----------------------------------------------------------------------------------------------------

    def advise(self) -> None:
        """Ask what the adviser would do here, with reasons; the answer comes when it is there."""
        if not self.legal:
            raise OptionError(SAY("hint.present"))
        self.desk.ask("hint", self.crew.decision(self.adviser, self.match, self.match.ply, self.me), self._advised)
        if not looping():
            self.desk.settle()

    def _advised(self, hint: Decision) -> None:
        self.hint = hint
        self._say(SAY("hint.said", order=self.page.spoken(self.glance(), hint.action), why=str(hint.reason)))

    @property
    def advised(self) -> Any:
        """The action that is lit: that of the first game, or of the hint; None for none."""
        return self.first_action if self.first else self.hint.action if self.hint else None

    def follow(self) -> None:
        """Do what is lit."""
        if self.advised is not None:
            self.give(self.advised)

    def reasons(self) -> Decision | None:
        """The hint, if one was asked for; in a finished game the reasons of the machine's move looked at."""
        if self.hint is not None or not self.match.over or self.ply == 0:
            return self.hint
        by = self.match.plies[self.ply - 1].by
        if by not in self._machines():
            return None
        asked = self.crew.decision(self._seats[by], self.match, self.ply - 1, by)
        found: list[Decision] = []
        if looping() and not self.desk.knows(asked):
            self.desk.ask("reasons", asked, lambda _: self.changed())
        else:
            self.desk.ask("reasons", asked, found.append)
            self.desk.settle()
        return found[0] if found else None

    def same_seed(self) -> Awaited[Match]:
        """The adviser's game on this seed and these options, from start to end."""
        return self.crew.alone(self.adviser, self.game, self.match.seed)

    # Seats ------------------------------------------------------------------------------------------------------

    @property
    def _seats(self) -> tuple[str, ...]:
        return self.seats or ()

    def _fresh(self, game: Game[Any, Any], seed: int | None, seats: tuple[str, ...]) -> Match:
        """A new match with these players."""
        for name in filter(None, seats):
            player(name, game)  # refuses an unknown one before anything changes
        names = (*(seat or YOU for seat in seats), *game.players[len(seats) :])
        return Match.new(game, seed, names if any(seats) else ())

    def _machines(self) -> set[int]:
        return {number for number, seat in enumerate(self._seats) if seat}

    @property
    def _deciders(self) -> set[int]:
        return set(range(len(self.game.players))) - self.game.automatic

    @property
    def watched(self) -> bool:
        """Whether machines play all sides: the page plays on when it is told to (`play_on`)."""
        return self._machines() >= self._deciders and self.table is None

    def play_on(self) -> None:
        """The moves of the machine on turn, in a game that is only watched."""
        if self.watched and not self.match.over and self.live and not self.desk.busy("machine"):
            if self._answer(self._moved):
                self._moved()

    def _sit(self) -> None:
        """Take the seats from the match's players, look through the eyes of who is on turn, let machines move."""
        self.later = []
        known = makers(self.game)
        self.seats = tuple(name if name in known else "" for name in self.match.players)
        self.me = min(self._deciders - self._machines(), default=0)
        if self.table is not None:
            self.me = self.table.me
        if not self.watched:
            self._answer(self._go_on)
        self._cover()

    def _go_on(self) -> None:
        """After a person's action: the machines answer, orders that waited are given, and the page is told.

        A machine that needs long is awaited: the person's own action is shown first.
        """
        said = []

        def give_later() -> bool:
            """Whether an order that waited was given."""
            ply = self.match.ply
            if refused := self._give_later():
                said.append(refused)
            return self.match.ply > ply

        def on() -> None:
            while self._answer(on) and give_later():
                pass  # an order that waited was given, and the machines are on turn again
            self._moved(" ".join(said))

        on()

    def _answer(self, on: Callable[[], None]) -> bool:
        """The machine players' moves, until a person must decide or the game is over; whether they are all made.

        What takes longer than a click may goes on at the desk, which calls ``on`` when it is done.
        """
        match = self.match
        if match.over or match.turn not in self._machines():
            return True
        steps, end = self._moves(match), perf_counter() + SLICE
        try:
            while not looping() or perf_counter() < end:
                next(steps)
        except StopIteration:
            return True
        self.desk.ask("machine", Awaited(object(), lambda: steps), lambda _: on())
        return False

    def _moves(self, match: Match) -> Steps[None]:
        """The machines' moves; of a game that is watched those of one of them."""
        first = match.turn
        while not match.over and (turn := match.turn) in self._machines() and (turn == first or not self.watched):
            decided = yield from self.crew.decision(self._seats[turn], match, match.ply, turn).start()
            match.play(decided.action)
            if len(self._deciders) == 1 and self.watched:
                return

    def _cover(self) -> None:
        """Cover the screen where another person's turn has come."""
        turn = self.match.turn
        if turn >= 0 and turn != self.me and turn not in self._machines() and self.table is None:
            self.me, self.covered = turn, self.game.hides

    # Inside -----------------------------------------------------------------------------------------------------

    def _foreign(self, match: Match) -> None:
        if match.game.name != self.name:
            raise RecordError(SAY("open.foreign", game=match.game.name))

    def _take(
        self,
        match: Match,
        text: str,
        chosen_seed: bool = False,
        table: Table | None = None,
        first: Tutorial | None = None,
    ) -> None:
        self.desk.cancel_all()
        self.first = first
        self.covered, self.table = self.covered and table is None, table
        self.match, self.view, self.token, self.chosen_seed = match, None, "", chosen_seed
        self.picks, self.window = self.picks.after_game(), None
        self.opened = match.over
        if not match.true_to_seed:
            text = f"{text} {SAY('open.luck', n=match.stray_luck)}"
        self._sit()
        self._moved(text)

    def _moved(self, text: str = "") -> None:
        """Tell the page, and keep the game right after it has repainted: nobody waits for the disk."""
        self.view, self.hint, self.asking_undo = None, None, False
        self.desk.cancel("hint")
        self._cover()
        self._say(text)
        try:
            self._keep()
        except OSError as error:  # a full disk, say: the game goes on
            log.exception("a game in progress could not be kept")
            self._say(SAY("keep.failed", text=text, why=error.strerror or str(error)).lstrip(), error=True)

    def _keep(self) -> None:
        """Write the game in progress to the store, and tell the browser its token if that is new."""
        if self.store is None or self.first:
            return
        token = self.token or new_token()
        self.store.save(token, self.match)
        if token != self.token:
            self.token = token
            self.kept()

    def tell(self, text: str) -> None:
        """Put a message into the status line."""
        self._say(text)

    def _say(self, text: str, error: bool = False) -> None:
        self.status.text, self.status.error = text, error
        self.status.count += 1
        self.changed()

    def guard(self, call: Callable[..., None]) -> Callable[..., None]:
        """``call`` inside the page's error boundary, in its reader's language."""

        def spoken(*args: Any) -> None:
            with speaking(self.voice):
                call(*args)

        return guarded(spoken, self._say, SAY("comfort"))


def _same(answer: Any) -> Any:
    return answer


def _seed(seed: str | int | None) -> int | None:
    if seed is None or seed == "":
        return None
    if isinstance(seed, str):
        plain = seed.strip().replace(",", "").replace(" ", "")
        if not (plain.isascii() and plain.isdigit() and len(plain) < 40):
            raise OptionError(SAY("new.seed", most=MAX_SEED, seed=repr(seed[:40])))
        return int(plain)
    return seed
