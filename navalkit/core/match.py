"""One game being played: the only mutable object of the library."""

from __future__ import annotations
import json
import os
import re
import secrets
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Self, TypeVar, overload
from urllib.parse import urlencode

from .awaited import Pace, Steps, finish
from .errors import IllegalActionError, NotationError, OptionError, PeekError, RecordError, brief
from .files import clear_away, fingerprint, linked, write_atomic
from .game import CHANCE, TERMINAL, A, Game, O, Outcome, S
from .record import GameRecord
from .registry import as_game, package
from .seeds import MAX_SEED, commitment, fresh_seed
from .shown import Printed, drawn, line
from .words import SAY, Event, Events

__all__ = ["Match", "Ply", "Store"]

# -- What is played, one action after the other: by chance and automatic players, or as a record has it

LONGEST_ACTION = 4000
"""Longest notation of an action, in characters."""


@dataclass(frozen=True, slots=True)
class Ply(Generic[S, A]):
    """One action that was played: by whom, what, and what came of it."""

    by: int
    action: A
    state: S
    events: tuple[Event, ...]


def parsed(game: Game[Any, Any], text: str) -> Any:
    """The action of a notation; one longer than any action's is refused before a game's parser sees it."""
    if len(text) > LONGEST_ACTION:
        raise NotationError(SAY("match.long", text=brief(text), n=len(text), most=LONGEST_ACTION))
    return game.parse_action(text)


def resolved(game: Game[Any, Any], state: Any, seed: int) -> Iterator[Ply]:
    """What chance and automatic players do from ``state`` until a player decides or the game is over."""
    automatic = game.automatic
    while (by := game.turn(state)) == CHANCE or by in automatic:
        action = game.chance(state).pick(seed) if by == CHANCE else game.legal(state)[0]
        step = game.apply(state, action)
        yield Ply(by, action, step.state, step.events)
        state = step.state


def verified(game: Game[Any, Any], actions: Sequence[str]) -> Steps[list[Ply]]:
    """A game played again from its notation, every action verified under the rules, in steps that tell the share done;
    RecordError naming the ply, what was expected and what was found."""
    plies: list[Ply] = []
    state, pace = game.initial(), Pace()
    for number, text in enumerate(actions, 1):
        by = game.turn(state)
        if by == TERMINAL:
            raise RecordError(SAY("match.after_end", number=number, text=brief(text)))
        try:
            action = parsed(game, text)
            step = game.apply(state, action)
        except (NotationError, IllegalActionError) as error:
            raise RecordError(SAY("match.wrong_ply", number=number, error=error)) from None
        plies.append(Ply(by, action, step.state, step.events))
        state = step.state
        if pace():
            yield number / len(actions)
    return plies


LINK_LIMIT = 6000
"""Longest record, in characters, that still goes into a link."""


_S = TypeVar("_S", bound=Hashable)
_A = TypeVar("_A", bound=Hashable)
_O = TypeVar("_O")
# of a new match: pyright would read the class's own as Any


class Match(Printed, Generic[S, A, O]):
    """A game in play: `play`, `undo`, `redo`, `branch`, `at`. Its types are those of
    its game: states, actions, and what players see.

    Chance and automatic players resolve themselves after every action, from the seed. On any error the match
    stays as it was. Make one with `Match.new`, `Match.load` or `Match.replay`.
    """

    def __init__(self, game: Game[S, A, O], seed: int, players: tuple[str, ...] = (), analysis: bool = False) -> None:
        self.game = game
        self.seed = seed
        self.players = players or game.players
        self.analysis = analysis
        self.comments: dict[int, str] = {}
        self._start = game.initial()
        self._plies: list[Ply[S, A]] = []
        self._cursor = 0
        self._unproved = 0  # plies that came from a record, their luck not yet compared with the seed's
        self._stray: int | None = None

    @overload
    @classmethod
    def new(cls, game: Game[_S, _A, _O], seed: int | None = None, players: Iterable[str] = (),
            analysis: bool = False) -> Match[_S, _A, _O]: ...

    @overload
    @classmethod
    def new(cls, game: str, seed: int | None = None, players: Iterable[str] = (), analysis: bool = False) -> Match: ...

    @classmethod
    def new(cls, game: Game | str, seed: int | None = None, players: Iterable[str] = (),
            analysis: bool = False) -> Match:
        """A match from its beginning.

        Parameters
        ----------
        game : Game or str
            A game, or a game's name to play it with default options.
        seed : int, optional
            0 to 2**128 - 1; a fresh one if left out, of 128 bits where the game hides something.
        players : iterable of str
            Who plays, by player number.
        analysis : bool
            Whether going back is free; the record and the score then say so.

        Returns
        -------
        Match

        Raises
        ------
        OptionError
            If there is no such game, the seed is out of range or the number of players is wrong.

        >>> str(Match.new("uss-lox", seed=42, players=["Ada"]).legal()[0])
        'flip A1'
        """
        game = as_game(game)
        seed = fresh_seed(game.hides) if seed is None else seed
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
            raise OptionError(SAY("seed", max_seed=MAX_SEED, seed=brief(seed)))
        names = (players,) if isinstance(players, str) else tuple(players)
        if names and len(names) != len(game.players):
            roles = ", ".join(game.players)
            raise OptionError(SAY("arena.roles", game=game.name, roles=len(game.players), listed=roles, n=len(names)))
        match = cls(game, seed, names, analysis)
        match._plies = match._resolved(match._start)
        match._cursor = len(match._plies)
        return match

    def __repr__(self) -> str:
        told = dict(self.game.chosen)
        if not self.secret:
            told["seed"] = self.seed
        told["ply"] = self.ply
        outcome = self.outcome
        told |= {"result": outcome.result} if outcome else {"turn": self.players[self.turn]}
        return line(f"Match {self.game.name}", told)

    # Where it stands -----------------------------------------------------------------------------------

    @property
    def ply(self) -> int:
        """How many actions led here, chance's included."""
        return self._cursor

    @property
    def plies(self) -> tuple[Ply[S, A], ...]:
        """The actions that led here."""
        return tuple(self._plies[: self._cursor])

    @property
    def state(self) -> S:
        """The present state."""
        return self._plies[self._cursor - 1].state if self._cursor else self._start

    @property
    def turn(self) -> int:
        """Whose turn it is: a player's number, or `TERMINAL`."""
        return self.game.turn(self.state)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.turn == TERMINAL

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, or None."""
        return self.game.outcome(self.state)

    @property
    def stray_luck(self) -> int | None:
        """The first ply at which chance did not do what the seed has there, or None.

        Only a record can bring such luck: one made or changed by hand, or by a version that drew otherwise. What
        comes after it follows the seed again.
        """
        state = self._start
        for number, ply in enumerate(self._plies[: self._unproved], 1):
            if ply.by == CHANCE and self.game.chance(state).pick(self.seed) != ply.action:
                self._stray = number
                break
            state = ply.state
        self._unproved = 0
        return self._stray if self._stray is not None and self._stray <= self._cursor else None

    @property
    def true_to_seed(self) -> bool:
        """Whether every card and die so far is the one that the seed has there (see `stray_luck`)."""
        return self.stray_luck is None

    @property
    def commitment(self) -> str:
        """What the game hides, committed to at its start; "" where it hides nothing.

        Shown from the first move on, it tells nothing; at the end the seed is opened, and everybody can check that
        it gives this text, and (by `true_to_seed`) that it gave this game. A seed that can be guessed hides nothing.
        """
        return self.bound if self.game.hides else ""

    @property
    def bound(self) -> str:
        """The same for any game, for two who play it on two devices."""
        options = json.dumps(sorted(self.game.chosen.items()))
        return commitment(self.seed, self.game.name, self.game.rules_version, options)

    @property
    def log(self) -> tuple[Event, ...]:
        """All events so far, with rule ids. For what one player may know see `log_for`."""
        return self.log_for(None)

    def log_for(self, player: int | None) -> tuple[Event, ...]:
        """The events ``player`` may know of (None: all); OptionError if there is no such player."""
        player = None if player is None else self._seat(player)
        return Events(event for ply in self.plies for event in ply.events if event.seen_by(player))

    def show(self, *players: Any) -> Any:
        """The game's page, to play in the notebook cell that this is the last line of; a picture without widgets.

        ``players``: who decides, in the game's order: None for somebody at the screen, a machine player's name, or a
        class of your own; left out, the match's own, or those of the game's page. Returns a GameCell: what is done on
        the page is done to this match and the other way round; its traits ``match``, ``ply`` and ``seats`` can be
        observed. Raises ImportError without the extra `app`, and OptionError if there is no such player, or not as many
        as decide.

        >>> Match.new("wolf-pack", seed=42).show(None, "greedy").seats
        ('', 'greedy')
        """
        return drawn("show", self, *players)

    def at(self, ply: int) -> S:
        """The state after ``ply`` actions, 0 to `ply`; IndexError outside."""
        if isinstance(ply, bool) or not hasattr(ply, "__index__") or not 0 <= ply <= self._cursor:
            raise IndexError(SAY("match.no_ply", cursor=self._cursor, ply=brief(ply)))
        return self._plies[ply - 1].state if ply else self._start

    def legal(self) -> tuple[A, ...]:
        """What the player on turn may do."""
        return self.game.legal(self.state)

    def why_not(self, action: A | str) -> str | None:
        """None if the action (or its notation) may be played now, else one sentence why not."""
        try:
            return self.game.why_not(self.state, self._read(action))
        except NotationError as error:
            return str(error)

    def observe(self, player: int | None = None) -> O:
        """What ``player`` (a number; left out: the one on turn) may know; OptionError if there is no such player."""
        return self.game.observe(self.state, max(self.turn, 0) if player is None else self._seat(player))

    # What changes it -----------------------------------------------------------------------------------

    def play(self, action: A | str) -> tuple[Event, ...]:
        """Play an action or its notation; chance then resolves itself. What had been undone is forgotten.

        Returns
        -------
        tuple of Event
            What happened.

        Raises
        ------
        NotationError
            If the text is no action of this game.
        IllegalActionError
            If the rules forbid it now; the match is unchanged.
        """
        action = self._read(action)
        by, step = self.turn, self.game.apply(self.state, action)
        new = [Ply(by, action, step.state, step.events), *self._resolved(step.state)]
        self._plies[self._cursor :] = new
        self._unproved = min(self._unproved, self._cursor)
        if self._stray is not None and self._stray > self._cursor:
            self._stray = None
        self._cursor += len(new)
        for ply in [p for p in self.comments if p > self._cursor - len(new)]:
            del self.comments[ply]
        return Events(event for ply in new for event in ply.events)

    def can_undo(self) -> bool:
        """Whether a player's decision lies behind."""
        return any(map(self._decided, self.plies))

    def can_redo(self) -> bool:
        """Whether something was undone."""
        return self._cursor < len(self._plies)

    def undo_reveals(self) -> bool:
        """Whether the last undo step would take back something already seen.

        That is what chance turned up, and in a game that hides something any answer of the rules may be news.
        """
        since = self._plies[self._last_decision() : self._cursor]
        return any(ply.by == CHANCE or self.game.tells(ply.action) for ply in since)

    def undo(self, analysis: bool | None = None) -> None:
        """Take back the last player's action and what chance did after it.

        Parameters
        ----------
        analysis : bool, optional
            True agrees that the match becomes an analysis where undoing takes back something already seen.

        Raises
        ------
        IllegalActionError
            At the start.
        PeekError
            If something has been seen since, and nobody agreed to an analysis.
        """
        if not self.can_undo():
            raise IllegalActionError(SAY("match.undo_nothing"))
        if self.undo_reveals() and not (self.analysis or analysis):
            raise PeekError(SAY("match.peek"))
        self.analysis = self.analysis or self.undo_reveals()
        self._cursor = self._last_decision()

    def redo(self) -> None:
        """Play again what was undone last; IllegalActionError if nothing was."""
        if not self.can_redo():
            raise IllegalActionError(SAY("match.redo_nothing"))
        self._cursor += 1
        while self.can_redo() and not self._decided(self._plies[self._cursor]):
            self._cursor += 1

    def branch(self, ply: int | None = None) -> Self:
        """A new match from after ``ply`` actions (left out: from here); an analysis if more was known."""
        ply = self._cursor if ply is None else ply
        self.at(ply)
        twin = type(self)(self.game, self.seed, self.players, self.analysis or ply < len(self._plies))
        twin._plies = self._plies[:ply]
        twin._unproved = ply if self._unproved or self._stray else 0
        twin._plies += twin._resolved(twin._plies[-1].state if ply else twin._start)
        twin._cursor = len(twin._plies)
        twin.comments = {p: text for p, text in self.comments.items() if p <= ply}
        return twin

    # Saved and shared ----------------------------------------------------------------------------------

    def record(self) -> GameRecord:
        """The game up to here."""
        outcome = self.outcome
        return GameRecord(
            game=self.game.name, rules=self.game.rules_version, options=self.game.chosen, seed=self.seed,
            players=self.players, actions=tuple(self.game.format_action(ply.action) for ply in self.plies),
            result=outcome.result if outcome else "", scores=outcome.scores if outcome else (),
            comments={ply: text for ply, text in self.comments.items() if ply <= self._cursor}, analysis=self.analysis,
            commitment=self.commitment
        )

    @property
    def secret(self) -> bool:
        """Whether the record of this match tells something a player must not know yet."""
        return self.game.hides and not self.over

    def dumps(self) -> str:
        """The record as TOML text, its telling part packed while something is hidden."""
        return self.record().dumps(seal=self.secret)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file: whole, or not at all. RecordError if it cannot be written there."""
        try:
            write_atomic(Path(path), self.dumps())
        except OSError as error:
            raise RecordError(SAY("match.cannot_write", path=brief(str(path)), strerror=error.strerror)) from None

    def share(self) -> str:
        """The query of a link to this very game, beginning with "?".

        The whole record, if nothing in it is hidden and it is short; otherwise game options and seed alone.
        """
        record = self.record()
        if not self.secret and self._cursor and len(text := record.link_text()) <= LINK_LIMIT:
            return "?" + urlencode({"record": text})
        return "?" + urlencode({"seed": self.seed} | {k: linked(v) for k, v in record.options.items()})

    @classmethod
    def replay(cls, record: GameRecord) -> Match:
        """The match of a record, every action verified under the rules; RecordError naming the ply, what was expected
        and what was found, or if it is no record."""
        return finish(cls.replaying(record))

    @classmethod
    def replaying(cls, record: GameRecord) -> Steps[Match]:
        """The same in steps, for a page that shows how far it has come: a long hunt is verified for some seconds."""
        if not isinstance(record, GameRecord):
            raise RecordError(SAY("match.no_record", record=brief(record)))
        try:
            made = package(record.game).game
            if record.rules != (ours := made.rules_version):
                raise RecordError(SAY("match.rules", version=brief(record.rules), game=made.name, ours=repr(ours)))
            game = made(**record.options)
        except OptionError as error:
            raise RecordError(SAY("match.cannot_open", error=error)) from None
        if record.players and len(record.players) != len(game.players):
            raise RecordError(SAY("match.players", n=len(record.players), game=game.name, roles=len(game.players)))
        match = cls(game, record.seed, record.players, record.analysis)
        match._plies = yield from verified(game, record.actions)
        match._unproved = len(match._plies)
        match._plies += match._resolved(match._plies[-1].state if match._plies else match._start)
        match._cursor = len(match._plies)
        if record.commitment and record.commitment != match.commitment:
            raise RecordError(SAY("match.commitment", commitment=match.commitment or "–"))
        outcome = match.outcome
        expected = (outcome.result, tuple(map(float, outcome.scores))) if outcome else ("", ())
        if (record.result, record.scores) != expected:
            found = _result(record.result, record.scores)
            raise RecordError(SAY("match.result", found=found, result=_result(*expected)))
        for ply in record.comments:
            if ply > match._cursor:
                raise RecordError(SAY("match.comment", ply=ply, cursor=match._cursor))
        match.comments = dict(record.comments)
        return match

    @classmethod
    def loads(cls, text: str | bytes) -> Match:
        """The match in a record's text; RecordError if anything is wrong with it."""
        return cls.replay(GameRecord.loads(text))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Match:
        """The match in a record's file; RecordError if anything is wrong with it."""
        return cls.replay(GameRecord.load(path))

    def _seat(self, who: int) -> int:
        if isinstance(who, bool) or not isinstance(who, int) or not 0 <= who < len(self.game.players):
            listed = ", ".join(f"{n} ({name})" for n, name in enumerate(self.game.players))
            raise OptionError(SAY("match.no_player", game=self.game.name, who=brief(who), listed=listed))
        return who

    def _read(self, action: A | str) -> A:
        return parsed(self.game, action) if isinstance(action, str) else action

    def _resolved(self, state: S) -> list[Ply[S, A]]:
        return list(resolved(self.game, state, self.seed))

    def _last_decision(self) -> int:
        """Index of the last ply that a player decided; there must be one."""
        return max(i for i in range(self._cursor) if self._decided(self._plies[i]))

    def _decided(self, ply: Ply[S, A]) -> bool:
        """Whether a player chose this action, rather than chance or the rules."""
        return ply.by >= 0 and ply.by not in self.game.automatic


def _result(result: str, scores: tuple[float, ...]) -> str:
    if not result:
        return SAY("match.unfinished")
    return SAY("match.ended", result=brief(result), scores=", ".join(f"{score:g}" for score in scores[:9]))


# -- Games in progress on the server's disk, so that they survive the death of their kernel --------
# Each lies in a file of its own for the owner alone, under an unguessable token; the browser keeps the token.
# The record on disk is whole, seed and hidden things included: it never leaves the server.

_TOKEN = re.compile(r"[A-Za-z0-9_-]{32}")
_MARK = "# mark: "  # a comment: no part of the record
KEEP_SECONDS = 60 * 24 * 3600
"""How long a game lies untouched before it is cleared away (60 days)."""


def home() -> Path:
    """Where navalkit keeps its files: $NAVALKIT_HOME, $XDG_STATE_HOME/navalkit or ~/.local/state/navalkit."""
    if given := os.environ.get("NAVALKIT_HOME"):
        return Path(given)
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "navalkit"


def new_token() -> str:
    """A token nobody can guess (192 random bits)."""
    return secrets.token_urlsafe(24)


class Store:
    """A folder of games in progress."""

    failed: Callable[[OSError], None] = staticmethod(lambda error: None)
    """Called where `save` was taken first, and could not be kept after all."""

    sure: Callable[[], None] = staticmethod(lambda: None)
    """Called where it is known only later that all that `save` has taken is kept."""
    late = False
    """Whether it is."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = (folder or home()) / "games"
        self._seen: dict[str, tuple[int, ...]] = {}  # token -> which file this process has read or written last

    def _path(self, token: str) -> Path:
        if not _TOKEN.fullmatch(token):
            raise RecordError(SAY("store.token"))
        return self.folder / f"{token}.toml"

    def save(self, token: str, match: Match, mark: str = "") -> None:
        """Keep the match under the token: whole, or what was kept before stays. What another process has kept or taken
        up since this one read or wrote it last is newer, and stays, too: a process may have been frozen meanwhile.

        Parameters
        ----------
        token : str
            Of `new_token`.
        match : Match
        mark : str, optional
            A line to be found again with it (`mark`); it is no part of the record.

        Returns
        -------
        None

        Raises
        ------
        OSError
            If the disk does not take it.
        MovedError
            If something newer is there.

        Examples
        --------
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> token = new_token()
        >>> with TemporaryDirectory() as folder:
        ...     store = Store(Path(folder))
        ...     store.save(token, Match.new("uss-lox", seed=42), "seen")
        ...     store.mark(token), store.load(token).seed
        ('seen', 42)
        """
        path = self._path(token)
        if not path.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            os.chmod(self.folder, 0o700)
            clear_away(self.folder.glob("*.toml"), KEEP_SECONDS)
        text = match.record().dumps() + (f"{_MARK}{mark}\n" if mark else "")
        self._seen[token] = write_atomic(path, text, mode=0o600, over=self._seen.get(token))

    def mark(self, token: str) -> str:
        """The line kept with the match under the token, or ""."""
        try:
            last = self._path(token).read_text(encoding="utf-8").rstrip("\n").rpartition("\n")[2]
        except OSError:
            return ""
        return last.removeprefix(_MARK) if last.startswith(_MARK) else ""

    def load(self, token: str) -> GameRecord:
        """The record kept under the token; RecordError if there is none or it is damaged."""
        path = self._path(token)
        if not path.is_file():
            raise RecordError(SAY("store.gone"))
        self._seen[token] = fingerprint(path)  # before it is read: what is written meanwhile is newer
        return GameRecord.load(path, path.name)

    def take_up(self, token: str) -> GameRecord:
        """The same, to go on with: the process that had it until now finds that it has gone on (`MovedError`)."""
        path = self._path(token)
        with suppress(OSError):  # on a disk that takes nothing, nobody writes anything newer either
            before = path.stat()
            os.utime(path, ns=(before.st_atime_ns, max(time.time_ns(), before.st_mtime_ns + 1)))
        return self.load(token)

    def forget(self, token: str) -> None:
        """Drop the match kept under the token, if there is one."""
        self._path(token).unlink(missing_ok=True)
        self._seen.pop(token, None)
