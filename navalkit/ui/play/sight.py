"""What one sees of a match on its page: a position through a player's eyes, what was told, and what is advised there.

What a click shows is calculated once: `glance` and `scene` remember the position they were made of.
"""

from __future__ import annotations
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from navalkit.core.awaited import Awaited
from navalkit.core.errors import OptionError
from navalkit.core.game import Game, Outcome
from navalkit.core.match import Match
from navalkit.core.registry import load, package_of
from navalkit.core.trace import Decision
from navalkit.core.words import Event, Voice
from navalkit.players import player
from navalkit.players.captains import Crew
from navalkit.players.own import owned
from navalkit.view.lobby import Step, Tutorial
from navalkit.view.page import Glance, Look, Moment, Order, Page, page_of
from navalkit.view.scene import Box, Picks, Point, Scene
from .. import SAY, shell
from ..desk import Desk, looping
from ..shell import Model

if TYPE_CHECKING:
    from navalkit.rooms.table import Table

YOU = "you"
"""How a record names somebody at the screen."""


class Sight(Model):
    """A match, and the place one looks at it from; nothing here changes the match.

    ``name``: the game ("uss-lox"). ``adviser``: the player whose hint is asked for, and who plays the same seed after
    the end; the page's own if empty. ``seats``: by player number the machine player who sits there, or "" for somebody
    at this screen; () puts somebody at this screen in every seat. Left out, as the page has it.
    """

    def __init__(self, name: str, adviser: str, seats: tuple[str, ...] | None) -> None:
        super().__init__()
        self.name = name
        self.page: Page[Any, Any, Any] = page_of(name)
        self.adviser = adviser or self.page.adviser
        self.desk = Desk(self.guard)
        self.crew = Crew()
        self.seats = self.page.seats if seats is None else seats
        self.match = self.fresh(load(name), None, self.seats)
        self.me = 0
        """The player through whose eyes the page looks."""
        self.covered = False
        """Whether the screen is covered until ``me`` has taken the seat."""
        self.view: int | None = None  # the ply looked at; None is the present
        self.ahead: tuple[Any, ...] = ()
        """What can be ordered before the screen is passed, though the other side is on turn (`Page.ahead`)."""
        self._early: dict[int, tuple[int, int]] = {}  # by player where an order given ahead was played, and given
        self.hint: Decision | None = None
        self.table: Table | None = None
        """Where somebody on another device plays the other side."""
        self.first: Tutorial | None = None
        """The first game, while it is played."""
        self.picks = Picks()
        """What is picked on the board; it is no part of the game."""
        self.hovered = ""  # the cell under the pointer, where the game's page shows something of it
        self.window: Any = None  # the window on a large board, as the game's page makes it; None is its usual one
        self.tall = False
        """Whether the board is the tall one, for a phone."""
        self.room: tuple[float, float] | None = None
        """Width and height, px, that there is for the board."""
        self.hole: Box | None = None
        """Of a phone lying down, what `Look.hole` says."""
        self.answered: Callable[[], None] = lambda: None
        """Called when the board can show something it awaited."""
        self._glance: tuple[Any, Glance[Any, Any, Any]] | None = None
        self._scene: tuple[Any, Scene] | None = None
        self._answers: dict[Any, Any] = {}  # to what the board awaits, of this position
        self._earlier: dict[Any, Any] = {}  # of the one before, by the first part of their keys

    @property
    def game(self) -> Game[Any, Any]:
        return self.match.game

    @property
    def voice(self) -> Voice:
        """For whom sentences are made: the player who looks, if a person does."""
        return replace(super().voice, reader=None if self.me in self.machines else self.me)

    @property
    def languages(self) -> tuple[str, ...]:
        return self.page.languages

    @property
    def name_of_seat(self) -> str:
        """What the page calls the player through whose eyes it looks ("Germans"), or else the game ("red")."""
        return self.page.players(self.game)[self.me]

    @property
    def machines(self) -> set[int]:
        """The players that a machine plays."""
        return {number for number, seat in enumerate(self.seats) if seat}

    @property
    def deciders(self) -> set[int]:
        """The players who have something to decide."""
        return set(range(len(self.game.players))) - self.game.automatic

    @property
    def watched(self) -> bool:
        """Whether machines play all sides: the page plays on when it is told to (`Turns.play_on`)."""
        return self.machines >= self.deciders and self.table is None

    def fresh(self, game: Game[Any, Any], seed: int | None, seats: tuple[str, ...]) -> Match:
        """A new match with these players."""
        for name in filter(None, seats):
            player(name, game)  # refuses an unknown one before anything changes
        names = (*(seat or YOU for seat in seats), *game.players[len(seats) :])
        return Match.new(game, seed, names if any(seats) else ())

    # The position ---------------------------------------------------------------------------------------------------

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
        ahead = self.ahead if self.live and not self.covered else ()
        key = self.game, state, self.me, self.live, mine, ahead, self.lang
        if self._glance is None or not all(a is b for a, b in zip(self._glance[0], key, strict=True)):
            legal, last = self.match.legal() if mine else ahead, self._glance
            same = last and all(a is b for a, b in zip(last[0][:3], key[:3], strict=True)) and last[0][-1] is self.lang
            seen = last[1].seen if last and same else self.game.observe(state, self.me)
            self._glance = key, Glance(self.game, seen, self.me, legal, self.live)
        return self._glance[1]

    def glance_at(self, ply: int) -> Glance[Any, Any, Any]:
        """The position after ``ply`` plies of a finished game, with all that could be done there."""
        state = self.match.at(ply)
        return Glance(self.game, self.game.observe(state, self.me), self.me, self.game.legal(state), live=False)

    @property
    def look(self) -> Look:
        """How one looks at it."""
        reasons = self.reasons() if self.page.draws_reasons else None
        hover = self.hovered if self.page.hovers else ""
        told = tuple(self.events()) if self.page.writes_log else ()
        return Look(self.tall, self.picks, hover, self.window, reasons, self._answers, self.room, told=told,
                    hole=self.hole, earlier=self._earlier)

    @property
    def seen(self) -> Any:
        """What the player may know of the state looked at."""
        return self.glance().seen

    @property
    def legal(self) -> tuple[Any, ...]:
        """What can be done now: nothing while one looks back, or while it is another's turn."""
        return self.glance().legal

    def orders(self) -> Sequence[Order]:
        """The buttons. Filled is what the captain advises, once asked, or the only order there is; else none."""
        rows, best = self.glance().once(self.page.orders), self.advised
        return [replace(order, primary=len(self.legal) == 1 or (best is not None and order.action == best))
                for order in rows]

    def scene(self) -> Scene:
        """The board as it is looked at, its cells carrying what a press does."""
        glance, look = self.glance(), self.look
        key = glance, look
        if self._scene is None or self._scene[0][0] is not glance or self._scene[0][1] != look:
            self._scene = key, self.page.scene(glance, look)
        return self._scene[1]

    def scene_at(self, ply: int) -> Scene:
        """The board after ``ply`` plies of a finished game, with all that could be done there."""
        return self.page.scene(self.glance_at(ply), self.look)

    def lit(self, action: Any, word: str, ply: int | None = None) -> list[tuple[tuple[Point, ...], str]]:
        """What is framed on the board for an order, each with that word; of a finished game after ``ply`` plies."""
        glance, look = self.glance() if ply is None else self.glance_at(ply), self.look
        scene = self.scene() if ply is None else self.scene_at(ply)
        cells = map(scene.cell, self.page.lit(glance, look, scene, action))
        return [(cell.outline, word) for cell in cells if cell is not None]

    def await_board(self) -> None:
        """Ask for what the board will show besides; with each answer the page is told, and paints the board again."""
        wanted = self.page.awaits(self.glance(), self.look)
        gone = {key: answer for key, answer in self._answers.items() if key not in {each.key for each in wanted}}
        self._earlier |= {key[0] if isinstance(key, tuple) else key: answer for key, answer in gone.items()}
        self._answers = {each.key: self._answers[each.key] for each in wanted if each.key in self._answers}
        for number, awaited in enumerate(wanted):
            if awaited.key not in self._answers:
                raw = replace(awaited, then=_same)
                self.desk.ask(("board", number), raw, partial(self._answered, awaited.key))

    def _answered(self, key: Any, answer: Any) -> None:
        self._answers = {**self._answers, key: answer}
        self.answered()

    # What was told --------------------------------------------------------------------------------------------------

    def events(self) -> list[Event]:
        """What happened up to the ply looked at, as far as the player may know; after the end, all of it."""
        return self._told(0)

    def moments(self, since: int) -> list[Moment[Any]]:
        """Of each action after the first ``since``: what the player saw before it, and was then told."""
        see, at = self.game.observe, self.match.at
        return [Moment(see(at(i), self.me), tuple(self._told(i, i + 1))) for i in range(since, self.ply)]

    def happened(self) -> str:
        """What the actions up to the ply looked at brought last: the events since the player's last action."""
        return self.page.happened(self._latest())

    def headline(self) -> str:
        """What matters most of that, in one line."""
        return self.page.headline(self._latest())

    def _latest(self) -> list[Event]:
        plies = self.match.plies[: self.ply]
        last = max((i for i, ply in enumerate(plies) if ply.by == self.me), default=0)
        early, given = self._early.get(self.me, (-1, 0))
        return self._told(given if last == early else last)

    def ending(self, *, short: bool = False) -> str:
        """How the game ended for who looks, in a sentence or two, or ``short`` in two words; "" before the end."""
        outcome = self.match.outcome
        return SAY(f"end.{self.result(outcome)}", text="" if short else outcome.text).strip() if outcome else ""

    def result(self, outcome: Outcome) -> str:
        """What an end of this game is to the seat of who looks: "win", "loss", "draw"; "none" for coming home with
        nothing, and for a lone player's goal missed: nobody drew with anybody."""
        if self.game.deciders < 2:
            nothing = outcome.result == "win" and outcome.scores[0] <= 0
            return "none" if nothing or outcome.result == "draw" else outcome.result
        mine, best = outcome.scores[self.me], max(outcome.scores)
        return "draw" if min(outcome.scores) == best else "win" if mine == best else "loss"

    def csv(self) -> str:
        """The game as CSV: one row an event; while something is hidden, what chance did is told by its events alone."""
        return shell.log_csv(self.match, self.me, self._may_know)

    def _told(self, first: int, end: int | None = None) -> list[Event]:
        plies = self.match.plies[first : self.ply if end is None else end]
        return [event for ply in plies for event in ply.events if self._may_know(event)]

    def _may_know(self, event: Event) -> bool:
        return event.seen_by(None if self.match.over else self.me)

    def advise(self) -> None:
        """Ask what the adviser would do here, with reasons; the answer comes when it is there."""
        if not self.legal or self.ahead:
            raise OptionError(SAY("hint.present"))
        self.desk.ask("hint", self.crew.decision(self.adviser, self.match, self.match.ply, self.me), self._advised)
        if not looping():
            self.desk.settle()

    def _advised(self, hint: Decision) -> None:
        self.hint = hint
        order, why = self.advice(hint)
        self.say(SAY("hint.said", order=order, why=why))

    def advice(self, hint: Decision) -> tuple[str, str]:
        """What a hint says is to be done, as its button says it, and why."""
        glance = self.glance()
        button = next((order.label for order in self.orders() if order.action == hint.action), "")
        return button or self.page.spoken(glance, hint.action), self.page.because(glance, hint)

    def called(self, name: str) -> str:
        """What a machine player is called, with its level: as the captain of that name, or else as the best of those
        who play like that."""
        found = [each for each in package_of(self.game).offered("CAPTAINS", ()) if name in (each.name, each.player)]
        if not found:
            yours = owned(self.game).get(name)
            return yours.title if yours else SAY("seat.machine")
        best = max(found, key=lambda each: (each.name == name, each.level))
        return SAY("seat.captain", name=best.called, level=best.level)

    @property
    def against(self) -> str:
        """Who plays the other sides, for who looks: "" if nobody but persons."""
        others = (self.called(seat) for number, seat in enumerate(self.seats) if seat and number != self.me)
        return SAY("and").join(others)

    @property
    def advised(self) -> Any:
        """The action that is lit: that of the first game, or of the hint; None for none."""
        return self.first_action if self.first else self.hint.action if self.hint else None

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

    def reasons(self) -> Decision | None:
        """The hint, if one was asked for; in a finished game the reasons of the machine's move looked at."""
        if self.hint is not None or not self.match.over or self.ply == 0:
            return self.hint
        by = self.match.plies[self.ply - 1].by
        if by not in self.machines:
            return None
        asked = self.crew.decision(self.seats[by], self.match, self.ply - 1, by)
        found: list[Decision] = []
        if looping() and not self.desk.knows(asked):
            self.desk.ask("reasons", asked, lambda _: self.changed())
        else:
            self.desk.ask("reasons", asked, found.append)
            if not found:  # what is known needs nobody to settle, least of all what tells of itself just now
                self.desk.settle()
        return found[0] if found else None

    def same_seed(self) -> Awaited[Match]:
        """The adviser's game on this seed and these options, from start to end."""
        return self.crew.alone(self.adviser, self.game, self.match.seed)


def _same(answer: Any) -> Any:
    return answer
