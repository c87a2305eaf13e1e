"""One arena: numbered games between machine players, here or in other processes, and what is done when one fails.

Game number i of a run depends on the run and on i alone: its row is the same in whatever order games are played, where,
and however often a process dies. A game that fails is a row too, with its error and its record up to there.
"""

from __future__ import annotations
import copy
import hashlib
import json
import os
import pickle
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from multiprocessing import parent_process
from threading import Thread
from time import monotonic, sleep
from typing import Any, Protocol, cast

import numpy as np

from navalkit.core.errors import DataError, OptionError, brief
from navalkit.core.game import Game
from navalkit.core.match import Match
from navalkit.core.seeds import Stream
from navalkit.core.shown import Shown
from navalkit.core.trace import Machine
from navalkit.core.words import SAY
from . import player
from .own import Own, declared, pointed, printed, tuned

__all__ = [
    "Executor", "FailedError", "Games", "Row", "Rows", "Task", "Workers", "endless", "game_seed", "heard", "level",
    "run",
]

Row = dict[str, Any]


class Rows(list[Row], Shown):
    """Rows in order: a list that a notebook shows as a table."""


Entrant = Any
"""Who plays: whatever `navalkit.player` takes, or such a one with options: ("ismcts", {"iterations": 400})."""

LONGEST = 100_000
"""Plies after which a game counts as one that never ends."""
AHEAD = 3
"""Parts handed over for each process: none waits, and few are lost when one dies."""
TRIES = 2
"""How often a game that its process did not survive is played alone, before it counts as failed."""
FAILED = "failed"
"""The result of a game that failed."""
FORM = 2
"""Of the rows of `Games`: higher once they say something else, so that no file mixes them with older ones."""


class Executor(Protocol):
    """What the arena needs of an executor: those of ``concurrent.futures`` have it, and so has a Dask client."""

    def submit(self, function: Callable[..., Any], /, *args: Any) -> Any:
        """A future whose ``result()`` is what ``function(*args)`` returns."""


class Kept(Protocol):
    """Where rows are kept as they come (`navalkit.sim.kept.Kept`)."""

    def rows(self, task: Task) -> Mapping[int, Row]:
        """Those of a task that are there already, by game."""

    def add(self, task: Task, rows: Sequence[Row]) -> None:
        """Keep more of them."""

    def so_far(self) -> tuple[int, str]:
        """How many games are there, of all tasks, and in which file."""


class GoneError(Exception):
    """Nobody is left to play, and no game is to blame."""


class Task(Protocol):
    """Numbered games, each played on its own; it can be pickled."""

    @property
    def key(self) -> str:
        """A print of all that its rows depend on."""

    @property
    def told(self) -> Mapping[str, Any]:
        """What a file says of it in each row ("scenario")."""

    def begun(self, number: int) -> Row:
        """What the row of a game begins with, however it ends: ``game`` and ``seed`` at least."""

    def __call__(self, number: int) -> Row:
        """The row of a game."""


def game_seed(seed: int, number: int) -> int:
    """The seed of game ``number`` of a run."""
    return Stream(seed, f"arena {number}").integers(1 << 63)


# -- Games between players -------------------------------------------------------------------------

@dataclass(frozen=True)
class Games:
    """Numbered games of one game: who sits where, and where the seeds come from."""

    game: Game[Any, Any]
    seats: tuple[tuple[Entrant, ...], ...]
    """Who plays, by player number; several of them take turns on the same seed (sides swapped)."""
    seed: int
    following: bool = False
    """Whether seeds follow one another (``seed``, ``seed`` + 1 ...) and players draw from them, as in a tournament;
    else each is drawn from the run's."""
    told: Mapping[str, Any] = field(default_factory=dict)
    row: Callable[[Match], Row] | None = None
    """What a finished match adds to its row, instead of its facts; a function of a module."""

    @cached_property
    def key(self) -> str:
        """A print of all that its rows depend on."""
        game = self.game
        told = [FORM, game.name, game.rules_version, dict(game.options), self.seed, self.following,
                self.row and printed(self.row, {}),
                [[_print(each) for each in seated] for seated in self.seats]]
        return hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()[:8]

    def __getstate__(self) -> dict[str, Any]:
        """Without players that were made here; views of dictionaries cannot be sent to another process."""
        kept = {name: value for name, value in vars(self).items() if name != "_players"}
        return kept | {"told": dict(self.told)}

    @cached_property
    def _players(self) -> list[list[Machine]]:
        return [[seat(each, self.game) for each in seated] for seated in self.seats]

    def seated(self, which: int) -> list[Machine]:
        """The players of a game: the library's keep nothing from game to game, and are made once; others anew."""
        return [seat(given, self.game) if isinstance(made, Own) else made
                for given, made in zip(self.seats[which], self._players[which], strict=True)]

    def check(self) -> None:
        """OptionError for a player that does not exist, or cannot play this game."""
        assert self._players

    def seed_of(self, number: int) -> int:
        """The seed of a game."""
        return self.seed + number // len(self.seats) if self.following else game_seed(self.seed, number)

    def begun(self, number: int) -> Row:
        """What the row of a game begins with: who sits where in this very game, by player number; its number and its
        seed."""
        players = " : ".join(map(name_of, self.seats[number % len(self.seats)]))
        return {"players": players, "game": number, "seed": self.seed_of(number)}

    def __call__(self, number: int) -> Row:
        row = self.begun(number)
        which, seed = number % len(self.seats), row["seed"]
        match = Match.new(self.game, seed)
        try:
            play_on(match, self.seated(which), (seed,) if self.following else (self.seed, number))
            outcome = match.outcome
            assert outcome is not None  # the protocol: a terminal state has an outcome
            names = ["score"] if len(self.game.players) == 1 else [f"score_{role}" for role in self.game.players]
            row |= {"result": outcome.result, **dict(zip(names, outcome.scores, strict=True)), "plies": match.ply}
            return row | (self.row(match) if self.row else dict(outcome.facts))
        except Exception as error:
            return row | {"result": FAILED, "plies": match.ply, "error": _told(error), "record": match.dumps()}


def play_on(match: Match, players: Sequence[Machine], dice: Sequence[int]) -> None:
    """Play a match to its end. ``dice``: what the players' generators are made of, besides their number; OptionError
    for a game that goes on for ever."""
    generators = [np.random.default_rng([*dice, side]) for side in range(len(players))]
    while not match.over:
        if match.ply > LONGEST:
            raise endless(match)
        side = match.turn
        match.play(players[side].decide(match.observe(side), match.legal(), generators[side]).action)


def endless(match: Match) -> OptionError:
    """What is wrong with a match that goes on for ever."""
    return OptionError(SAY("arena.endless", number=match.seed, name=match.game.name, longest=LONGEST))


def seat(entrant: Entrant, game: Game[Any, Any]) -> Machine:
    """The player that an entrant is; an object that plays is copied, so that it keeps nothing from game to game.
    OptionError if it cannot be."""
    what, options = entrant if isinstance(entrant, tuple) else (entrant, {})
    try:
        own = what if isinstance(what, str | type) else copy.deepcopy(what)
    except Exception as error:
        raise OptionError(SAY("arena.copy", who=name_of(what), error=brief(str(error)))) from error
    return player(own, game, **options)


def name_of(entrant: Entrant) -> str:
    """What a table calls an entrant: its name with its options."""
    what, options = entrant if isinstance(entrant, tuple) else (entrant, {})
    name = what if isinstance(what, str) else str(getattr(what, "name", getattr(what, "__name__", type(what).__name__)))
    given = ",".join(f"{key}={value}" for key, value in options.items())
    return f"{name}:{given}" if given else name


def _print(entrant: Entrant) -> list[str]:
    """What tells an entrant from others: for one of somebody's own, also where it is given by the name that it is
    declared under or by where it is, all that can be seen of it (`own.printed`)."""
    what, options = entrant if isinstance(entrant, tuple) else (entrant, {})
    if isinstance(what, str):
        name, maker = tuned(what)[0], None
        with suppress(OptionError):
            maker = pointed(name) if ":" in name else declared(name)
        return [name_of(entrant)] if maker is None else [what, printed(maker.what, options)]
    return [name_of(what), printed(what, options)]


def _told(error: BaseException) -> str:
    return brief(f"{type(error).__name__}: {error}") if not isinstance(error, ValueError) else str(error)


# -- Where they are played -------------------------------------------------------------------------

class FailedError(DataError):
    """Every game of a run failed."""


class Workers:
    """Processes of this machine, 1 or more; one that dies is replaced. A `with` statement ends them, and they end with
    the process that they work for, however that ends. OptionError for a number below 1."""

    def __init__(self, jobs: int) -> None:
        if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1:
            raise OptionError(SAY("arena.jobs", jobs=brief(jobs)))
        self.jobs = jobs
        self._pool: ProcessPoolExecutor | None = None

    def submit(self, function: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """As executors of ``concurrent.futures`` do."""
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self.jobs, initializer=_leashed)
        return self._pool.submit(function, *args)

    def renew(self) -> None:
        """End them; the next to be asked are new."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
        self._pool = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.renew()
        elif self._pool is not None:  # at once: a player may hang
            pool, self._pool = self._pool, None
            processes, games = [*(pool._processes or {}).values()], pool._pending_work_items
            pool.shutdown(wait=False, cancel_futures=True)
            until = monotonic() + 1
            while any(each.future.cancelled() for each in [*games.values()]) and monotonic() < until:
                sleep(0.01)  # until the pool has put them away: with its processes gone Python 3.11 stumbles over them
            for process in processes:  # `kill_workers` from Python 3.14 on
                process.kill()


def _leashed() -> None:
    """Have this process end with its parent: one that waits for work does not see that nobody is left to give it."""
    parent = parent_process()

    def wait_for_it() -> None:
        assert parent is not None  # this is a process of a pool
        parent.join()
        os._exit(1)

    Thread(target=wait_for_it, daemon=True).start()


def cores(jobs: int | str) -> int:
    """How many processes: a number, or "auto" for those this machine lets us have."""
    if jobs != "auto":
        return int(jobs)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(task: Task, n: int, *, executor: Executor | None = None, kept: Kept | None = None, chunk: int | None = None,
        progress: Callable[[int, int], None] | None = None, enough: Callable[[Row], bool] | None = None,
        watch: Callable[[Task, list[Row]], None] | None = None) -> list[Row]:
    """The rows of games 0 to ``n`` - 1, in order.

    Parameters
    ----------
    task : Task
        What is played, such as `Games`.
    n : int
        How many.
    executor : Executor, optional
        Where they are played; left out, here.
    kept : Kept, optional
        Where rows are kept as they come; those that are there already are not played again (`navalkit.sim.kept`).
    chunk : int, optional
        Games handed over at a time, 1 or more.
    progress : callable, optional
        Called with (games done, ``n``).
    enough : callable, optional
        Given the rows one after the other, in order; the run ends with the first at which it holds, wherever other
        games have got to.
    watch : callable, optional
        Given the task and the rows in the end.

    Returns
    -------
    list of dict
        Those of `level`.

    Raises
    ------
    DataError
        If every game failed, with the first one's error.
    OptionError
        For an executor, a file or a size of parts that is none, and for an executor that is lost in the middle.

    Examples
    --------
    >>> from navalkit import load
    >>> games = Games(load("uss-lox"), (("random",),), seed=1)
    >>> [row["plies"] > 9 for row in run(games, 2)]
    [True, True]
    """
    _check(executor, kept, chunk)
    have = {number: row for number, row in (kept.rows(task) if kept else {}).items() if number < n}
    end, asked, held = n, 0, dict[int, Row]()

    def keep(rows: Sequence[Row]) -> None:
        """Where the run may end early, only up to the first that is missing: what others play beyond its end is in no
        file, and nothing that is in one has to be taken out."""
        have.update((row["game"], row) for row in rows)
        held.update((row["game"], row) for row in rows)
        over()
        ready = sorted(number for number in held if not enough or number < asked)
        if kept and ready:
            kept.add(task, [held[number] for number in ready])
        for number in ready:
            del held[number]

    def over() -> bool:
        nonlocal end, asked
        while enough and end == n and asked in have:
            if enough(have[asked]):
                end = asked + 1
            asked += 1
        return asked >= end < n

    if not over():
        size = chunk or (max(1, min(25, n // 64)) if executor is not None else 1)
        missing = [number for number in range(n) if number not in have]
        parts = [missing[at : at + size] for at in range(0, len(missing), size)]
        try:
            for rows in _done(task, parts, executor):
                keep(rows)
                if progress:
                    progress(len(have), n)
                if over():
                    break
        except GoneError as error:
            games, path = kept.so_far() if kept else (0, "")
            raise OptionError(SAY("arena.gone-kept" if kept else "arena.gone", n=games, path=brief(path))) from error
    found = [have[number] for number in range(end)]
    if watch:
        watch(task, found)
    if found and all("error" in row for row in found):
        raise FailedError(SAY("arena.all_failed", n=len(found), error=found[0]["error"]))
    return level(found)


def _check(executor: object, kept: object, chunk: object) -> None:
    """OptionError for what cannot play games, keep their rows, or say how many are handed over."""
    if executor is not None and not hasattr(executor, "submit"):
        raise OptionError(SAY("arena.executor", executor=brief(executor)))
    if kept is not None and not hasattr(kept, "rows"):
        raise OptionError(SAY("arena.kept", kept=brief(kept)))
    if chunk is not None and (isinstance(chunk, bool) or not isinstance(chunk, int) or chunk < 1):
        raise OptionError(SAY("arena.chunk", chunk=brief(chunk)))


def heard(progress: object) -> None:
    """OptionError for what cannot be told how far a run has come."""
    if progress is not None and not callable(progress):
        raise OptionError(SAY("arena.progress", progress=brief(progress)))


def level(rows: Sequence[Row]) -> list[Row]:
    """Rows of the same columns: where a game failed, all rows say so or not, and what it does not know is None."""
    if not any("error" in row for row in rows):
        return Rows(rows)
    names = dict.fromkeys(name for row in sorted(rows, key=lambda row: "error" in row) for name in row)
    usual = {name: "" if name in ("error", "record") else None for name in names}
    return Rows({**usual, **row} for row in rows)


def _part(task: Task, numbers: Sequence[int]) -> list[Row]:
    """The rows of some games, and of one that failed its error."""
    rows = []
    for number in numbers:
        try:
            rows.append(task(number))
        except Exception as error:
            rows.append(_failed(task, number, _told(error)))
    return rows


def _done(task: Task, parts: Sequence[Sequence[int]], executor: Executor | None) -> Iterator[list[Row]]:
    """The rows of parts, in the order in which they are done."""
    if executor is None:
        yield from (_part(task, part) for part in parts)
        return
    if isinstance(executor, Workers | ProcessPoolExecutor):
        _sent(task)
    waiting, out = deque(parts), dict[Any, Sequence[int]]()
    jobs = 0
    try:
        while waiting or out:
            try:
                jobs = jobs or getattr(executor, "jobs", None) or getattr(executor, "_max_workers", None) or 16
                while waiting and len(out) < AHEAD * jobs:
                    out[executor.submit(_part, task, waiting[0])] = waiting[0]
                    waiting.popleft()
                for future in _first(out):
                    rows = future.result()
                    del out[future]
                    yield rows
            except Exception as error:  # no game's: those are rows
                if isinstance(error, BrokenProcessPool) and not isinstance(executor, Workers):
                    raise
                if getattr(executor, "lost", False):
                    raise GoneError from error
                suspects = list(out.values())
                out.clear()
                if isinstance(executor, Workers):
                    executor.renew()
                for number in (number for part in suspects for number in part):
                    yield [_alone(task, number, executor)]
    finally:
        for future in out:
            future.cancel()


def _first(out: Mapping[Any, Any]) -> Sequence[Any]:
    """Those that are done, once one is; of an executor whose futures cannot be waited for, the oldest."""
    if all(isinstance(future, Future) for future in out):
        return list(wait(out, return_when=FIRST_COMPLETED).done)
    return [next(iter(out))]


def _alone(task: Task, number: int, executor: Executor) -> Row:
    """The row of a game while no other is played: if its process dies, it is this one's doing."""
    for _ in range(TRIES):
        try:
            return cast("list[Row]", executor.submit(_part, task, [number]).result())[0]
        except Exception as error:
            if getattr(executor, "lost", False):
                raise GoneError from error
            told = _told(error)
            if isinstance(executor, Workers):
                executor.renew()
    return _failed(task, number, SAY("arena.died", error=told))


def _failed(task: Task, number: int, error: str) -> Row:
    """The row of a game that left no record."""
    return task.begun(number) | {"result": FAILED, "error": error, "record": ""}


def _sent(task: Task) -> None:
    """OptionError if a task cannot be sent to another process."""
    try:
        pickle.dumps(task)
    except Exception as error:
        raise OptionError(SAY("arena.pickle", error=brief(str(error)))) from error


