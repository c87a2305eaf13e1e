"""Everything a page does, without a widget: a match, the place one looks at, and the status line.

The app calls one method a click, inside one error boundary; each ends with `changed`, and the app repaints.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import numpy as np

from navalkit.core.errors import IllegalActionError, NavalkitError, OptionError, PeekError, RecordError
from navalkit.core.event import Event
from navalkit.core.game import TERMINAL, Game
from navalkit.core.match import Match
from navalkit.core.record import GameRecord
from navalkit.core.registry import drawing, load
from navalkit.core.seeds import MAX_SEED
from navalkit.core.store import Store, new_token
from navalkit.core.trace import Decision
from navalkit.players import makers, player
from navalkit.view.page import Order
from navalkit.view.scene import Scene

from . import files
from .boundary import guarded
from .crew import Crew
from .days import day_of, read_day, spell, today

YOU = "you"
"""How a record names somebody at the screen."""
NOTE, AIM, VIEW = "note:", "note:aim", "view:"
"""How the ids of cells begin that hold a note, of those that aim the next order alone, and of those that move the
window on a large board."""

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
    adviser : str
        The player whose hint is asked for, and who plays the same sea after the end.
    seats : tuple of str
        By player number the machine player who sits there, or "" for somebody at this screen; () puts somebody
        at this screen in every seat.
    """

    name: str
    store: Store | None = None
    adviser: str = "optimal"
    seats: tuple[str, ...] = ()
    token: str = ""
    status: Status = field(default_factory=Status)
    hint: Decision | None = None
    notes: frozenset[str] = frozenset()
    """Ids of the board's cells that the player has switched on, where the game's page has such notes: they are no
    part of the game. Of "note:heat=hit" and "note:heat=danger" only one can be on."""
    tall: bool = False
    """Whether the board is the tall one, for a phone."""
    asking_undo: bool = False
    """Whether the page asks if the game may become an analysis."""
    changed: Callable[[], None] = lambda: None
    kept: Callable[[], None] = lambda: None
    """Called when the token of the game in progress is new: the browser keeps it."""

    def __post_init__(self) -> None:
        self.match = self._fresh(load(self.name), None, self.seats)
        self.me = 0
        """The player through whose eyes the page looks."""
        self.covered = False
        """Whether the screen is covered until ``me`` has taken the seat."""
        self.chosen_seed = False
        """Whether somebody chose the seed: then it is no secret of this game."""
        self.view: int | None = None  # the ply looked at; None is the present
        # Orders of a typed line that wait, each with the player and what was seen when it was typed.
        self.later: list[tuple[int, Any, str]] = []
        self.hovered = ""  # the cell under the pointer, where the game's page shows something of it
        self.camera: Any = None  # the window on a large board, as the game's page makes it; None is its usual one
        self.dragging = False  # whether a drag over the board may go on
        self.opened = False  # whether the game came to its end elsewhere: then it is nobody's personal best
        self.page = drawing(self.match.game, "page")
        self.crew = Crew()
        self._sit()

    # What one sees ----------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game[Any, Any]:
        return self.match.game

    @property
    def name_of_seat(self) -> str:
        """What the page calls the player through whose eyes it looks ("Germans"), or else the game ("red")."""
        names = getattr(self.page, "players", lambda game: game.players)(self.game)
        return str(names[self.me])

    @property
    def ply(self) -> int:
        """The ply looked at."""
        return self.match.ply if self.view is None else self.view

    @property
    def live(self) -> bool:
        """Whether one looks at the present."""
        return self.view is None

    @property
    def seen(self) -> Any:
        """What the player may know of the state looked at."""
        return self.game.observe(self.match.at(self.ply), self.me)

    @property
    def legal(self) -> tuple[Any, ...]:
        """What can be done now: nothing while one looks back, or while it is another's turn."""
        return self.match.legal() if self.live and self.match.turn == self.me and not self.covered else ()

    def orders(self) -> tuple[Order, ...]:
        """The legal actions with their odds."""
        return self.page.orders(self.game, self.seen, self.legal)  # type: ignore[no-any-return]

    def scene(self) -> Scene:
        """The board as it is looked at, its places clickable where an order can be given."""
        odds = {order.text: order.odds for order in self.orders()}
        more: dict[str, Any] = {"notes": self.notes} if getattr(self.page, "NOTES", False) else {}
        if hasattr(self.page, "camera"):
            more["view"] = self.camera
        if getattr(self.page, "HOVERS", False):
            more["hover"] = self.hovered
        if getattr(self.page, "REASONS", False):
            more["reasons"] = self.reasons()
        return self.page.scene(self.game, self.seen, self.tall, odds, **more)  # type: ignore[no-any-return]

    def events(self) -> list[Event]:
        """What happened up to the ply looked at, as far as the player may know; after the end, all of it."""
        return [event for ply in self.match.plies[: self.ply] for event in ply.events if self._told(event)]

    def moments(self, since: int) -> list[tuple[Any, list[Event]]]:
        """Of each action after the first ``since``: what the player saw before it, and was then told."""
        plies = list(enumerate(self.match.plies))[since : self.ply]
        see = self.game.observe
        return [
            (see(self.match.at(i), self.me), [event for event in ply.events if self._told(event)]) for i, ply in plies
        ]

    def happened(self) -> str:
        """What the actions up to the ply looked at brought last: the events since the player's last action."""
        plies = self.match.plies[: self.ply]
        first = max((i for i, ply in enumerate(plies) if ply.by == self.me), default=0)
        events = [event for ply in plies[first:] for event in ply.events if self._told(event)]
        if shorter := getattr(self.page, "happened", None):
            return str(shorter(events))
        return " ".join(event.text for event in events)

    def _told(self, event: Event) -> bool:
        return event.seen_by(None if self.match.over else self.me)

    # Orders -----------------------------------------------------------------------------------------------------

    def order(self, text: str) -> None:
        """Play an order in notation; the board's clicks, the buttons and the typed box all come here."""
        if not text.strip():
            raise OptionError("the order is empty; write one such as those on the buttons.")
        if not self.live:
            self.view = None
            self._say("Back to the present. Give the order again if you still mean it.")
            return
        if self.covered:
            raise OptionError(f"the screen is covered: first the {self.name_of_seat} take the seat.")
        if self.match.turn not in (self.me, TERMINAL):
            raise OptionError("it is not your turn.")
        if complete := getattr(self.page, "complete", None):
            text = complete(self.game, self.seen, text)
        first, *others = self.page.split(text) if hasattr(self.page, "split") else (text,)
        mine = self.me, self.seen
        self.match.play(first)
        self.later += [(*mine, order) for order in others]
        self.notes = frozenset(note for note in self.notes if not note.startswith(AIM))
        self._answer()
        self._moved(self._give_later())

    def _give_later(self) -> str:
        """Give the player's orders of earlier lines whose time has come; says which of them could not be given."""
        refused = []
        for waiting in tuple(self.later):
            by, given, text = waiting
            if by != self.me or self.match.turn != self.me:
                continue
            if (due := self.page.due(self.game, given, self.seen, text)) is False:
                continue
            self.later.remove(waiting)
            try:
                if due:
                    self.match.play(text)
                    self._answer()
            except NavalkitError as error:
                refused.append(f'"{text}" was not given: {error}')
        return " ".join(refused)

    def take_seat(self) -> None:
        """Uncover the screen: the player whose turn it is sits before it."""
        self.covered = False
        if self.later:
            self._moved(self._give_later())
        else:
            self._say("")

    def point(self, cell: str) -> None:
        """A click on the board: a note switched on or off, the order it stands for, or what lies there."""
        if cell.startswith(NOTE) and getattr(self.page, "NOTES", False):
            key, choice, _ = cell.partition("=")
            rivals = {note for note in self.notes if choice and note.startswith(key + choice)}
            self.notes = self.notes - {cell} if cell in self.notes else (self.notes - rivals) | {cell}
        if cell.startswith(VIEW) and hasattr(self.page, "camera"):
            self.camera = self.page.camera(self.game, self.seen, self.camera, cell.removeprefix(VIEW), self.tall)
        place = self.scene().cell(cell)
        self.dragging = False
        if place is not None and place.order:
            self._drag_order(place.order)
        elif place is not None:
            self._say(place.alt[:1].upper() + place.alt[1:] + ".")
        elif cell.startswith(NOTE):  # the note changed what can be pointed at there
            self._say("")

    def drag(self, cell: str) -> None:
        """The pressed pointer comes to a further cell: its order, while the game's page lets the drag go on."""
        place = self.scene().cell(cell) if self.dragging else None
        if place is not None and place.order:
            self.dragging = False
            self._drag_order(place.order)

    def _drag_order(self, text: str) -> None:
        """Play an order of the board, and see whether a drag may go on after it."""
        before, ply = self.seen, self.match.ply
        self.order(text)
        if goes_on := getattr(self.page, "goes_on", None):
            self.dragging = self.match.ply > ply and goes_on(self.game, before, self.seen, self.notes)

    def can_undo(self) -> bool:
        """Whether somebody at this screen has decided something."""
        return any(ply.by >= 0 and ply.by not in self._machines() for ply in self.match.plies)

    def undo(self, agreed: bool = False) -> None:
        """Take back the last action; asks first where that takes back something already seen."""
        if not self.can_undo():
            raise IllegalActionError("there is nothing to undo: you have not decided anything yet.")
        self.view, self.later = None, []
        try:
            self.match.undo(analysis=agreed or None)
            while self.match.turn in self._machines() and self.match.can_undo():
                self.match.undo(analysis=agreed or None)
        except PeekError:
            self.asking_undo = True
            self._say(
                "Undoing this takes back what you have seen. The game then counts as an analysis. Undo?"
            )
            return
        self._moved("Taken back." + (" This game is now an analysis." if self.match.analysis else ""))

    def keep(self) -> None:
        """Answer no to what undo asked."""
        self.asking_undo = False
        self._say("Nothing was taken back.")

    def redo(self) -> None:
        """Play again what was undone."""
        self.view = None
        self.match.redo()
        while self.match.turn in self._machines() and self.match.can_redo():
            self.match.redo()
        self._answer()
        self._moved()

    # Looking back -----------------------------------------------------------------------------------------------

    def look(self, ply: int) -> None:
        """Look at the game after ``ply`` actions; the last is the present."""
        ply = min(max(ply, 0), self.match.ply)
        self.view = None if ply == self.match.ply else ply
        self.asking_undo, self.hint = False, None
        self._say("" if self.live else f"Looking back: step {ply} of {self.match.ply}.")

    # New games, files and links ---------------------------------------------------------------------------------

    def new(
        self,
        seed: str | int | None = None,
        options: Mapping[str, Any] | None = None,
        seats: tuple[str, ...] | None = None,
    ) -> None:
        """Start a new game; options and seats left out stay as they are."""
        game = load(self.name, **(dict(self.game.options) if options is None else options))
        match = self._fresh(game, _seed(seed), self.seats if seats is None else seats)
        self._take(match, "A new game begins.", chosen_seed=_seed(seed) is not None)

    def new_daily(self, day: date | None = None) -> None:
        """Start the game that everybody plays on that day (left out, today): usual options, a seed nobody is shown."""
        now = today()
        if not hasattr(self.page, "daily"):
            raise OptionError(f"{self.game.title} has no game of the day.")
        if day and day > now:
            raise OptionError(f"there is no game of {spell(day)} yet: today is {spell(now)} (UTC).")
        match = self._fresh(load(self.name), self.page.daily(day or now), self.seats)
        self._take(match, f"The map of {spell(day or now)}: everybody has the same.")

    @property
    def day(self) -> date | None:
        """The day whose game this is, if it is one of the last that are kept."""
        daily = getattr(self.page, "daily", None)
        plain = all(self.game.options[spec.name] == spec.default for spec in self.game.specs)
        return day_of(daily, self.match.seed, today()) if daily and plain else None

    def open(self, data: bytes, name: str = "the file") -> None:
        """Open a saved game; on any error the present game stays."""
        match = Match.loads(data)
        self._foreign(match)
        self._take(
            match, f"Opened {name}: {match.ply} steps." + (" It is an analysis." if match.analysis else "")
        )

    def open_query(self, query: str) -> bool:
        """Open what a query string asks for: seed and options, a day, or a record, and a step; False if for nothing."""
        asked, step = files.asked(query)
        specs = {spec.name for spec in self.game.specs}
        if "record" in asked:
            match = Match.replay(GameRecord.from_link_text(asked["record"]))
            self._foreign(match)
            self._take(match, f"Opened from the link: {match.ply} steps.")
        elif "day" in asked:
            self.new_daily(read_day(asked["day"]))
        elif "seed" in asked or specs & asked.keys():
            self.new(asked.get("seed"), {key: value for key, value in asked.items() if key in specs})
        else:
            return False
        if step is not None:
            self.look(step)
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
        self.opened = match.over
        self._sit()
        text = "Taken up where you left off." if match.ply else ""
        (self._moved if another_tab else self._say)(text)
        return True

    def outdated(self, query: str) -> bool:
        """Whether a link asks for the game of another day than this one is of; a game that goes on is never so."""
        asked, _ = files.asked(query)
        busy = self.can_undo() and not self.match.over
        return "day" in asked and not busy and self.day != (read_day(asked["day"]) or today())

    def link(self) -> str:
        """The query of a link to this game, and to the step one looks at; in play a game of the day is its date."""
        if self.match.secret and not self.chosen_seed and self.day:
            return f"?day={self.day.isoformat()}"
        if self.match.secret and not self.chosen_seed:
            raise OptionError("this game still hides something, and a link would tell it: copy the link at its end.")
        query = self.match.share()
        return query if self.live or "record=" not in query else f"{query}&step={self.ply}"

    def csv(self) -> str:
        """The game as CSV: one row an event; while something is hidden, what chance did is told by its events alone."""
        return files.log_csv(self.match, self.me, self._told)

    # Advice -----------------------------------------------------------------------------------------------------

    def advise(self) -> None:
        """What the adviser would do here, with reasons."""
        if not self.legal:
            raise OptionError(
                "a hint is for the present of a game that goes on; step forward to it, or start a new one."
            )
        adviser = self.crew.player(self.adviser, self.game)
        self.hint = adviser.decide(self.match.observe(), self.legal, np.random.default_rng(0))
        self._say(f"Hint: {self.hint.action}. {self.hint.reason}")

    def reasons(self) -> Decision | None:
        """The hint, if one was asked for; in a finished game the reasons of the machine's move looked at."""
        if self.hint is not None or not self.match.over or self.ply == 0:
            return self.hint
        by = self.match.plies[self.ply - 1].by
        return self._decision(self.ply - 1, by) if by in self._machines() else None

    def same_sea(self) -> Match:
        """The adviser's game on this seed and these options, from start to end."""
        return self.crew.alone(self.adviser, self.game, self.match.seed)

    # Seats ------------------------------------------------------------------------------------------------------

    def _fresh(self, game: Game[Any, Any], seed: int | None, seats: tuple[str, ...]) -> Match:
        """A new match with these players."""
        for name in filter(None, seats):
            player(name, game)  # refuses an unknown one before anything changes
        return Match.new(game, seed, tuple(seat or YOU for seat in seats) if any(seats) else ())

    def _machines(self) -> set[int]:
        return {number for number, seat in enumerate(self.seats) if seat}

    def _sit(self) -> None:
        """Take the seats from the match's players, look through the eyes of who is on turn, let machines move."""
        self.later = []
        known = makers(self.game)
        self.seats = tuple(name if name in known else "" for name in self.match.players)
        people = [number for number, seat in enumerate(self.seats) if not seat]
        self.me = people[0] if people else 0
        self._answer()
        self._cover()

    def _answer(self) -> None:
        """The machine players' moves, until somebody at this screen must decide or the game is over."""
        while not self.match.over and (turn := self.match.turn) in self._machines():
            self.match.play(self._decision(self.match.ply, turn).action)

    def _decision(self, ply: int, seat: int) -> Decision:
        """What the machine player in that seat decides after so many plies."""
        return self.crew.decision(self.seats[seat], self.match, ply, seat)

    def _cover(self) -> None:
        """Cover the screen where another person's turn has come."""
        turn = self.match.turn
        if turn >= 0 and turn != self.me and turn not in self._machines():
            self.me, self.covered = turn, self.game.hides

    # Inside -----------------------------------------------------------------------------------------------------

    def _foreign(self, match: Match) -> None:
        if match.game.name != self.name:
            raise RecordError(f"this is a game of {match.game.name}; open it on that game's page.")

    def _take(self, match: Match, text: str, chosen_seed: bool = False) -> None:
        self.match, self.view, self.token, self.chosen_seed = match, None, "", chosen_seed
        self.notes, self.camera = frozenset(n for n in self.notes if "=" in n and not n.startswith(AIM)), None
        self.opened = match.over
        self._sit()
        self._moved(text)

    def _moved(self, text: str = "") -> None:
        self.view, self.hint, self.asking_undo = None, None, False
        self._cover()
        try:
            self._keep()
        except OSError as error:  # a full disk, say: the game goes on
            log.exception("a game in progress could not be kept")
            self._say(
                f"{text} The game is not kept on the server ({error.strerror or error}); save it as a file.".lstrip(),
                error=True,
            )
        else:
            self._say(text)

    def _keep(self) -> None:
        """Write the game in progress to the store, and tell the browser its token if that is new."""
        if self.store is None:
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
        """``call`` inside the page's error boundary."""
        return guarded(call, self._say, "Your game is as it was; go on, or reload the page.")


def _seed(seed: str | int | None) -> int | None:
    if seed is None or seed == "":
        return None
    if isinstance(seed, str):
        plain = seed.strip().replace(",", "").replace(" ", "")
        if not (plain.isascii() and plain.isdigit() and len(plain) < 40):
            raise OptionError(f"a seed is a whole number from 0 to {MAX_SEED}, not {seed[:40]!r}.")
        return int(plain)
    return seed
