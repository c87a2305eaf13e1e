"""Many seeded games between machine players, one after the other or over any executor: the rows are the same.

>>> from navalkit import load
>>> rows = play(load("uss-lox"), "random", 3, seed=1)
>>> [row["game"] for row in rows]
[0, 1, 2]
"""

from __future__ import annotations
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import nan, sqrt
from pathlib import Path
from typing import Any, Protocol, TextIO, cast

import numpy as np

from navalkit.core.errors import DataError, OptionError, brief
from navalkit.core.files import write_atomic, written
from navalkit.core.game import Game
from navalkit.core.match import Match
from navalkit.core.seeds import MAX_SEED, Stream
from navalkit.core.trace import Player
from navalkit.core.words import SAY
from navalkit.players import player

__all__ = ["Estimate", "game_seed", "play", "summary", "write_csv"]

Row = dict[str, Any]
Entrant = str | tuple[str, dict[str, Any]] | Player
"""Who plays: a player's name, a name with options, or a player (one that carries nothing from game to game)."""

LONGEST = 100_000
"""Plies after which a game counts as one that never ends."""


class Executor(Protocol):
    """What the arena needs of an executor: those of ``concurrent.futures`` have it, and so has a Dask client."""

    def submit(self, function: Callable[..., Any], /, *args: Any) -> Any:
        """A future whose ``result()`` is what ``function(*args)`` returns."""


def play(game: Game[Any, Any], players: Entrant | Sequence[Entrant], n: int, seed: int,
         executor: Executor | None = None, *, chunk: int | None = None,
         progress: Callable[[int, int], None] | None = None) -> list[Row]:
    """Play ``n`` games.

    Game number i has its seed and its players' generators from (``seed``, i) alone, so that its row does not
    depend on how many games are played, in what order or where.

    Parameters
    ----------
    game : Game
        What is played.
    players : name, (name, options), Player, or a sequence of these
        One for each role of the game; a single one plays all roles.
    n : int
        How many games, 0 or more.
    seed : int
        0 to 2**63 - 1.
    executor : Executor, optional
        Where the games are played; left out, here. Game and players must then be picklable.
    chunk : int, optional
        How many games are handed over at a time.
    progress : callable, optional
        Called with (games done, ``n``) after every chunk.

    Returns
    -------
    list of dict
        One row a game, in order: ``game`` (its number, from 0), ``seed``, ``result``, ``score``
        (``score_<role>`` for every role if there are several), ``plies``, and the facts of the outcome.

    Raises
    ------
    OptionError
        If a number is out of range, a player does not exist or cannot play this game, or their number is wrong.

    Examples
    --------
    >>> from navalkit import load
    >>> rows = play(load("wolf-pack"), ["random", "greedy"], 2, seed=1)
    >>> [row["game"] for row in rows]
    [0, 1]
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 0:
        raise OptionError(SAY("arena.games", n=brief(n)))
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
        raise OptionError(SAY("seed", max_seed=MAX_SEED, seed=brief(seed)))
    entrants = _entrants(game, players)
    _seated(game, entrants)  # so that a wrong name is heard of before anything is handed over
    size = chunk or max(1, min(250, n // 16))
    chunks = [(game, entrants, seed, first, min(first + size, n)) for first in range(0, n, size)]
    rows: list[Row] = []
    if executor is None:
        results = (play_chunk(*part) for part in chunks)
    else:
        futures = [executor.submit(play_chunk, *part) for part in chunks]
        results = (future.result() for future in futures)
    for some in results:
        rows.extend(some)
        if progress:
            progress(len(rows), n)
    return rows


def play_chunk(game: Game[Any, Any], entrants: Sequence[Entrant], seed: int, first: int, last: int) -> list[Row]:
    """The rows of games ``first`` to ``last - 1``: a pure function, so that it may run anywhere."""
    seated = _seated(game, entrants)
    return [_play_one(game, seated, seed, number) for number in range(first, last)]


def game_seed(seed: int, number: int) -> int:
    """The seed of game ``number`` of a run."""
    return Stream(seed, f"arena {number}").integers(1 << 63)


def _play_one(game: Game[Any, Any], seated: Sequence[Player], seed: int, number: int) -> Row:
    match = Match.new(game, game_seed(seed, number))
    generators = [np.random.default_rng([seed, number, role]) for role in range(len(seated))]
    while not match.over:
        if match.ply > LONGEST:
            raise OptionError(SAY("arena.endless", number=number, name=game.name, longest=LONGEST))
        role = match.turn
        match.play(seated[role].decide(match.observe(role), match.legal(), generators[role]).action)
    outcome = match.outcome
    assert outcome is not None  # the protocol: a terminal state has an outcome
    names = ["score"] if len(game.players) == 1 else [f"score_{role}" for role in game.players]
    row: Row = {"game": number, "seed": match.seed, "result": outcome.result}
    row.update(zip(names, outcome.scores, strict=True))
    row["plies"] = match.ply
    return row | dict(outcome.facts)


def _entrants(game: Game[Any, Any], players: Entrant | Sequence[Entrant]) -> tuple[Entrant, ...]:
    """One entrant for every role."""
    roles = len(game.players)
    named = isinstance(players, tuple) and len(players) == 2 and isinstance(players[1], dict)  # one (name, options)
    if isinstance(players, str) or not isinstance(players, Sequence) or named:
        return (cast(Entrant, players),) * roles
    entrants = tuple(cast("Sequence[Entrant]", players))
    if len(entrants) != roles:
        listed = ", ".join(game.players)
        raise OptionError(SAY("arena.roles", game=game.name, roles=roles, listed=listed, n=len(entrants)))
    return entrants


def _seated(game: Game[Any, Any], entrants: Sequence[Entrant]) -> list[Player]:
    each = (entrant if isinstance(entrant, tuple) else (entrant, {}) for entrant in entrants)
    return [player(who, game, **options) for who, options in each]


# -- Rows and columns of simulated games: means with their standard errors, and CSV ----------------

Columns = Mapping[str, Sequence[Any] | np.ndarray[Any, Any]]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over ``n`` games and its standard error (NaN for fewer than two), in the unit of the column."""

    mean: float
    error: float
    n: int

    def __str__(self) -> str:
        return f"{self.mean:,.4f} ± {self.error:,.4f} (n = {self.n:,})"


def columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """The columns of tidy rows, in the order of the first row; DataError if a row has other names than the first."""
    names = list(rows[0]) if rows else []
    for i, row in enumerate(rows):
        if set(row) != set(names):
            raise DataError(SAY("table.fields", i=i, row=", ".join(row), names=", ".join(names)))
    return {name: [row[name] for row in rows] for name in names}


def summary(table: Columns | Sequence[Mapping[str, Any]]) -> dict[str, Estimate]:
    """Mean and standard error of every column of numbers; what is true or false counts as 1 or 0.

    Parameters
    ----------
    table : mapping of name to column, shape (n,), or sequence of rows
        As `navalkit.sim.play` or a game's ``simulate`` gives them. ``game`` and ``seed`` are left out.
    """
    result: dict[str, Estimate] = {}
    for name, column in (table if isinstance(table, Mapping) else columns(table)).items():
        values = np.asarray(column)
        if name in ("game", "seed") or values.dtype.kind not in "biuf" or not len(values):
            continue
        values = values.astype(float)
        error = float(values.std(ddof=1)) / sqrt(len(values)) if len(values) > 1 else nan
        result[name] = Estimate(float(values.mean()), error, len(values))
    return result


def joined(by: str, tables: Mapping[Any, Columns | Sequence[Mapping[str, Any]]]) -> dict[str, list[Any]]:
    """Tables of equal columns under one another, the key of each in a first column ``by``."""
    result: dict[str, list[Any]] = {by: []}
    for key, table in tables.items():
        cells = table if isinstance(table, Mapping) else columns(table)
        result[by] += [key] * len(next(iter(cells.values())))
        for name, column in cells.items():
            result.setdefault(name, []).extend(column)
    return result


def write_csv(table: Columns | Sequence[Mapping[str, Any]], target: str | os.PathLike[str] | TextIO) -> None:
    """Write a table as CSV with a header line, to an open text file or, whole or not at all, to a path.

    Parameters
    ----------
    table
        As for `summary`.
    target : path or open text file
    """
    if not isinstance(target, str | os.PathLike):
        target.write(_text(table))
        return
    write_atomic(Path(target), _text(table))


def _text(table: Columns | Sequence[Mapping[str, Any]]) -> str:
    cells = {name: column.tolist() if isinstance(column, np.ndarray) else column
             for name, column in (table if isinstance(table, Mapping) else columns(table)).items()}
    return written([cells, *zip(*cells.values(), strict=True)])
