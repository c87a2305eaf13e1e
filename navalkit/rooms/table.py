"""A game that two people play on two devices: both sides replay the same moves, and the file says who came first.

Each side has a match of its own made from the room's record. A move is claimed in the file before it is played; its
number is the lock. The record holds the seed: it stays on this machine until the game is over.
"""

from __future__ import annotations
import time
from contextlib import suppress
from typing import Any

from navalkit.core.errors import IllegalActionError
from navalkit.core.match import Match, new_token
from navalkit.core.record import GameRecord
from navalkit.core.seeds import fresh_seed
from . import Move
from .refused import SAY, RoomError
from .store import LONG, Room, Rooms

PLAY, ASK, YES, NO = "play", "ask", "yes", "no"
"""Kinds of `Move`: an action, asking for one's last action back, and the other's answer."""
AGAIN, NEW = "again", "new"
"""And of a game that is over: asking for another one, and, where the other side agrees, that game."""
SAME, SWAP = "same", "swap"
"""How another game is to be played: with the same sides, or with sides changed."""
AWAY = 50.0
"""Seconds without a sign of life after which somebody counts as gone."""
BEAT = 15.0
"""Seconds between two signs of life."""
GRACE = 12.0
"""Seconds after which somebody who has left their page counts as gone: one who loads it again is back before."""
HERE, QUIET, LEFT, GONE = "here", "away", "out", "gone"
"""Where the other side is: there; without a sign of life; off its page; off this game for good, for another one."""


class Table:
    """One side of such a game. ``seat``: who sits here, by the player they were first; with sides changed they are the
    other one."""

    def __init__(self, rooms: Rooms, code: str, seat: int) -> None:
        self.rooms, self.seat = rooms, seat
        self.swapped = False
        room = rooms.room(code)
        self.code, self.minutes = room.code, int(room.kept["minutes"])
        self.match = self._start(room)
        self.done = 0
        """How many moves of the room this match has."""
        self.asks: int | None = None
        """The player who asks for their last action back."""
        self.wants: tuple[int, str] | None = None
        """The player who asks for another game, and how: `SAME` or `SWAP`."""
        self.games = 1
        """How many games were begun at this table."""
        self._won = [0, 0]  # games that were won before this one, by seat
        self.used = [0.0] * len(self.match.game.players)
        """Seconds each player has thought, undone actions included."""
        self.giving: tuple[str, int] | None = None
        """The journal and the number of the order that is being played, where it came over a line."""
        self._since = float(room.kept["at"])
        self.catch_up()

    @classmethod
    def lay(cls, rooms: Rooms, match: Match, seat: int, minutes: int = 0) -> Table:
        """A new game for two devices from a match at its beginning; ``minutes`` is each player's time, 0 for no clock.
        IllegalActionError if the game is not one for two people."""
        if match.game.deciders != 2:
            raise IllegalActionError(SAY("no.two", game=match.game.title))
        shown = {
            "kind": "game", "game": match.game.name, "title": match.game.title, "commitment": match.bound,
            "phase": "open"
        }
        record = match.record().dumps()
        kept = {"record": record, "host": seat, "minutes": minutes, "at": time.time(), "key": new_token()}
        return cls(rooms, rooms.open("game", shown, kept, LONG), seat)

    @classmethod
    def again(cls, rooms: Rooms, ticket: str) -> Table | None:
        """The host's side of a game begun before, by the `ticket` the browser has kept; None if it is gone."""
        code, _, key = ticket.partition(" ")
        try:
            room = rooms.room(code)
        except RoomError:
            return None
        return cls(rooms, code, room.kept["host"]) if key and room.kept.get("key") == key else None

    @property
    def ticket(self) -> str:
        """What the host's browser keeps, to come back by."""
        return f"{self.code} {self.rooms.room(self.code).kept['key']}"

    @staticmethod
    def _start(room: Room) -> Match:
        return Match.replay(GameRecord.loads(room.kept["record"]))

    @property
    def me(self) -> int:
        """The player who sits here."""
        return self.seat ^ self.swapped

    @property
    def won(self) -> list[int]:
        """Games won at this table, by seat."""
        scores = self.match.outcome.scores[:2] if self.match.outcome else (0, 0)
        wins = [int(scores[seat ^ self.swapped] > scores[1 - seat ^ self.swapped]) for seat in (0, 1)]
        return [before + win for before, win in zip(self._won, wins, strict=True)]

    @property
    def joined(self) -> bool:
        """Whether the other side has come."""
        return self.rooms.joined(self.code) > 0

    @property
    def where(self) -> str:
        """Where the other side is: `HERE`, `QUIET`, `LEFT` or `GONE`."""
        since, for_good = self.rooms.left(self.code, 1 - self.seat) or (-1.0, False)
        if for_good:
            return GONE
        if since >= GRACE:
            return LEFT
        return HERE if self.rooms.away(self.code, 1 - self.seat) < AWAY else QUIET

    @property
    def doubt(self) -> float:
        """Seconds until it is known whether the other side has left or loads its page again; 0 where it is known."""
        left = self.rooms.left(self.code, 1 - self.seat)
        return 0.0 if left is None or left[1] else max(0.0, GRACE - left[0])

    def here(self) -> None:
        """Say that this side is there, if it is time to say it again, or if it counts as having left: by a page that
        was loaded again, or one of two. On a full disk it is said later: what there is to see is seen all the same."""
        if self.rooms.away(self.code, self.seat) > BEAT or self.rooms.left(self.code, self.seat) is not None:
            with suppress(RoomError):
                self.rooms.here(self.code, self.seat)

    def leave(self) -> None:
        """Leave this game for another one."""
        self.rooms.leave(self.code, self.seat, for_good=True)

    # What happens ---------------------------------------------------------------------------------------------------

    def catch_up(self) -> list[Move]:
        """Play all that was done since; returns it."""
        new = self.rooms.moves(self.code, self.done)
        for move in new:
            self._take(move)
        return new

    def play(self, action: Any) -> None:
        """Play an action of one's own; IllegalActionError if it may not be played now; RoomError 409 if the other side
        was quicker."""
        game = self.match.game
        if game.turn(self.match.state) != self.me:
            raise IllegalActionError(SAY("no.turn"))
        if (why := self.match.why_not(action)) is not None:
            raise IllegalActionError(why)
        self._claim(PLAY, game.format_action(action))

    def ask_undo(self) -> None:
        """Ask the other side for one's last action back; IllegalActionError if there is none."""
        if not any(ply.by == self.me for ply in self.match.plies):
            raise IllegalActionError(SAY("no.undo"))
        if self.asks is not None:
            raise IllegalActionError(SAY("no.twice"))
        self._claim(ASK)

    def answer_undo(self, agreed: bool) -> None:
        """Say yes or no to what the other side has asked."""
        if self.asks is None or self.asks == self.me:
            raise IllegalActionError(SAY("no.asked"))
        self._claim(YES if agreed else NO)

    def ask_again(self, how: str) -> None:
        """Ask the other side for another game, `SAME` or `SWAP`; if that is what they ask for, it begins."""
        if not self.match.over or how not in (SAME, SWAP):
            raise IllegalActionError(SAY("no.again"))
        if self.wants is not None and self.wants[0] != self.me:
            if self.wants[1] == how:
                self.answer_again(True)
                return
        elif self.wants is not None and self.wants[1] == how:
            raise IllegalActionError(SAY("no.twice"))
        self._claim(AGAIN, how)

    def answer_again(self, agreed: bool) -> None:
        """Say yes or no to another game: with a yes it begins."""
        if self.wants is None or self.wants[0] == self.me:
            raise IllegalActionError(SAY("no.asked"))
        if not agreed:
            self._claim(NO)
            return
        game, players = self.match.game, self.match.players
        swap = self.wants[1] == SWAP
        names = (players[1], players[0], *players[2:]) if swap else players
        record = Match.new(game, fresh_seed(secret=True), names).record().dumps()
        self._claim(NEW, f"{self.wants[1]} {record}")

    def left(self, player: int) -> float:
        """Seconds a player has left; below 0 when the time is up. Without a clock it means nothing."""
        now = time.time()
        self._since = min(self._since, now)  # the clock was set back: they have thought from now on, not from later
        thinking = self.match.turn == player and self.joined
        return self.minutes * 60 - self.used[player] - (now - self._since if thinking else 0.0)

    def _claim(self, kind: str, text: str = "") -> None:
        try:
            self.rooms.move(self.code, self.done + 1, self.seat, kind, text, self.giving)
        except RoomError:
            self.catch_up()
            raise
        self.catch_up()

    def _take(self, move: Move) -> None:
        self.done, by = move.number, move.seat ^ self.swapped
        if move.kind == PLAY:
            self.asks = None
            self.used[by] += max(0.0, move.at - self._since)
            self._since = move.at
            self.match.play(move.text)
        elif move.kind == ASK:
            self.asks = by
        elif move.kind == AGAIN:
            self.wants = by, move.text
        elif move.kind == NEW:
            self._begin(move)
        else:
            if move.kind == YES and self.asks is not None:
                self._undo(self.asks)
            self.asks = self.wants = None

    def _begin(self, move: Move) -> None:
        """Another game: what the file says of it was written by this machine."""
        how, _, record = move.text.partition(" ")
        self._won = self.won
        self.swapped ^= how == SWAP
        self.match = Match.replay(GameRecord.loads(record))
        self.asks = self.wants = None
        self.games, self._since = self.games + 1, move.at
        self.used = [0.0] * len(self.match.game.players)

    def _undo(self, asks: int) -> None:
        while any(ply.by == asks for ply in self.match.plies):
            last = next(ply.by for ply in reversed(self.match.plies) if ply.by in (0, 1))
            self.match.undo(analysis=True)
            if last == asks:
                break
