"""Everything a page does, without a widget: a match, the place one looks at, and the status line.

The app calls one method a click, inside one error boundary; each ends with `changed`, and the app repaints.
"""

from __future__ import annotations

import csv
import io
import logging
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any
from urllib.parse import parse_qs

import numpy as np

from navalkit.core.errors import NavalkitError, OptionError, PeekError, RecordError
from navalkit.core.game import Game
from navalkit.core.match import Match
from navalkit.core.record import GameRecord
from navalkit.core.registry import load
from navalkit.core.seeds import MAX_SEED
from navalkit.core.store import Store, new_token
from navalkit.core.trace import Decision
from navalkit.players import player

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
    """

    name: str
    store: Store | None = None
    adviser: str = "optimal"
    token: str = ""
    status: Status = field(default_factory=Status)
    hint: Decision | None = None
    asking_undo: bool = False
    """Whether the page asks if the game may become an analysis."""
    changed: Callable[[], None] = lambda: None
    kept: Callable[[], None] = lambda: None
    """Called when the token of the game in progress is new: the browser keeps it."""

    def __post_init__(self) -> None:
        self.match = Match.new(load(self.name))
        self.view: int | None = None  # the ply looked at; None is the present
        self.opened = False  # whether the game came to its end elsewhere: then it is nobody's personal best
        self.page = import_module(type(self.match.game).__module__.rpartition(".")[0] + ".page")
        self._others: dict[tuple[Any, int], Match] = {}
        self._bots: dict[Any, Any] = {}

    # What one sees ----------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game[Any, Any]:
        return self.match.game

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
        return self.game.observe(self.match.at(self.ply), 0)

    def happened(self) -> str:
        """What the actions up to the ply looked at brought last: the events since the player's last action."""
        plies = self.match.plies[: self.ply]
        first = max((i for i, ply in enumerate(plies) if ply.by >= 0), default=0)
        events = [event for ply in plies[first:] for event in ply.events if event.seen_by(0)]
        return " ".join(event.text for event in events)

    # Orders -----------------------------------------------------------------------------------------------------

    def order(self, text: str) -> None:
        """Play an order in notation; the board's clicks, the buttons and the typed box all come here."""
        if not text.strip():
            raise OptionError("the order is empty; write one such as those on the buttons.")
        if not self.live:
            self.view = None
            self._say("Back to the present. Give the order again if you still mean it.")
            return
        self.match.play(text)
        self._moved()

    def point(self, cell: str) -> None:
        """A click on the board: the order it stands for, or what lies there."""
        place = self.page.scene(self.game, self.seen).cell(cell)
        if place is not None and place.order and self.live:
            self.order(place.order)
        elif place is not None:
            self._say(place.alt[:1].upper() + place.alt[1:] + ".")

    def undo(self, agreed: bool = False) -> None:
        """Take back the last action; asks first where that takes back something already seen."""
        self.view = None
        try:
            self.match.undo(analysis=agreed or None)
        except PeekError:
            self.asking_undo = True
            self._say(
                "Undoing this takes back cards you have seen. The game then counts as an analysis. Undo?"
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
        self._moved()

    # Looking back -----------------------------------------------------------------------------------------------

    def look(self, ply: int) -> None:
        """Look at the game after ``ply`` actions; the last is the present."""
        ply = min(max(ply, 0), self.match.ply)
        self.view = None if ply == self.match.ply else ply
        self.asking_undo, self.hint = False, None
        self._say("" if self.live else f"Looking back: step {ply} of {self.match.ply}.")

    # New games, files and links ---------------------------------------------------------------------------------

    def new(self, seed: str | int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start a new game; options left out stay as they are."""
        game = load(self.name, **(dict(self.game.options) if options is None else options))
        self._take(
            Match.new(game, seed=_seed(seed)),
            "A new patrol begins." if self.name == "uss-lox" else "A new game begins.",
        )

    def open(self, data: bytes, name: str = "the file") -> None:
        """Open a saved game; on any error the present game stays."""
        match = Match.loads(data)
        self._foreign(match)
        self._take(
            match, f"Opened {name}: {match.ply} steps." + (" It is an analysis." if match.analysis else "")
        )

    def open_query(self, query: str) -> bool:
        """Open what a query string asks for (seed and options, or record, and step); False if it asks for nothing."""
        try:
            asked = {
                key: values[-1] for key, values in parse_qs(query.lstrip("?"), max_num_fields=50).items()
            }
        except ValueError:
            raise OptionError(
                "the link has more than 50 parts; copy it again from the page it came from."
            ) from None
        if not re.fullmatch(r"[0-9]{1,9}", step := asked.get("step", "0")):
            raise OptionError(f"the link's step is a whole number, not {step[:20]!r}.")
        specs = {spec.name for spec in self.game.specs}
        if "record" in asked:
            match = Match.replay(GameRecord.from_link_text(asked["record"]))
            self._foreign(match)
            self._take(match, f"Opened from the link: {match.ply} steps.")
        elif "seed" in asked or specs & asked.keys():
            self.new(asked.get("seed"), {key: value for key, value in asked.items() if key in specs})
        else:
            return False
        if "step" in asked:
            self.look(int(step))
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
        text = "Taken up where you left off." if match.ply else ""
        (self._moved if another_tab else self._say)(text)
        return True

    def link(self) -> str:
        """The query of a link to this game, and to the step one looks at."""
        query = self.match.share()
        return query if self.live or "record=" not in query else f"{query}&step={self.ply}"

    def csv(self) -> str:
        """The game as CSV: one row an event."""
        out = io.StringIO()
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(("ply", "by", "action", "rule", "event"))
        for number, ply in enumerate(self.match.plies, 1):
            by = "chance" if ply.by < 0 else self.match.players[ply.by]
            told = [(event.rule, event.text) for event in ply.events if event.seen_by(0)]
            for rule, text in told or [("", "")]:
                rows.writerow((number, by, ply.action, rule, text))
        return out.getvalue()

    # Advice -----------------------------------------------------------------------------------------------------

    def advise(self) -> None:
        """What the adviser would do here, with reasons."""
        if not self.live or self.match.over:
            raise OptionError(
                "a hint is for the present of a game that goes on; step forward to it, or start a new one."
            )
        self.hint = self._adviser().decide(self.match.observe(), self.match.legal(), np.random.default_rng(0))
        self._say(f"Hint: {self.hint.action}. {self.hint.reason}")

    def same_sea(self) -> Match:
        """The adviser's game on this seed and these options, from start to end."""
        key = (self.game, self.match.seed)
        if key not in self._others:
            other, bot, rng = Match.new(self.game, self.match.seed), self._adviser(), np.random.default_rng(0)
            while not other.over:
                other.play(bot.decide(other.observe(), other.legal(), rng).action)
            self._others = {key: other}
        return self._others[key]

    def _adviser(self) -> Any:
        key = (self.adviser, self.game)
        if key not in self._bots:  # one that plans ahead takes a moment to make
            self._bots = {key: player(*key)}
        return self._bots[key]

    # Inside -----------------------------------------------------------------------------------------------------

    def _foreign(self, match: Match) -> None:
        if match.game.name != self.name:
            raise RecordError(f"this is a game of {match.game.name}; open it on that game's page.")

    def _take(self, match: Match, text: str) -> None:
        self.match, self.view, self.token = match, None, ""
        self.opened = match.over
        self._moved(text)

    def _moved(self, text: str = "") -> None:
        self.view, self.hint, self.asking_undo = None, None, False
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
        """The error boundary: ``call`` made safe for a widget's callback.

        What a player did wrong becomes one sentence in the status line; what we did wrong is logged, and raised where
        $NAVALKIT_RAISE is set, as tests do.
        """

        def guarded(*args: Any) -> None:
            try:
                call(*args)
            except NavalkitError as error:
                text = str(error)
                self._say(text[:1].upper() + text[1:], error=True)
            except Exception:
                log.exception("a callback of the page failed")
                self._say(
                    "Something went wrong inside navalkit. Your game is as it was; go on, or reload the page.",
                    error=True,
                )
                if os.environ.get("NAVALKIT_RAISE"):
                    raise

        return guarded


def _seed(seed: str | int | None) -> int | None:
    if seed is None or seed == "":
        return None
    if isinstance(seed, str):
        plain = seed.strip().replace(",", "").replace(" ", "")
        if not (plain.isascii() and plain.isdigit() and len(plain) < 20):
            raise OptionError(f"a seed is a whole number from 0 to {MAX_SEED}, not {seed[:40]!r}.")
        return int(plain)
    return seed
