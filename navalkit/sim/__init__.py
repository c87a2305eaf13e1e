"""Many seeded games between machine players, one after the other or over any executor: the rows are the same.

>>> from navalkit import load
>>> rows = play(load("uss-lox"), "random", 3, seed=1)
>>> [row["game"] for row in rows]
[0, 1, 2]
"""

from __future__ import annotations
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from math import nan, sqrt
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from navalkit.core.errors import DataError, OptionError, brief
from navalkit.core.files import write_atomic, written
from navalkit.core.game import Game
from navalkit.core.registry import as_game
from navalkit.core.seeds import MAX_SEED
from navalkit.core.words import SAY
from navalkit.players.arena import Entrant, Executor, Games, Kept, Row, Workers, game_seed, heard, run
from .kept import Kept as File

__all__ = ["Estimate", "game_seed", "play", "summary", "write_csv"]

def play(game: str | Game[Any, Any], players: Entrant | Sequence[Entrant], n: int, seed: int,
         executor: Executor | int | None = None, *, chunk: int | None = None,
         kept: Kept | str | os.PathLike[str] | None = None,
         progress: Callable[[int, int], None] | None = None) -> list[Row]:
    """Play ``n`` games.

    Game number i has its seed and its players' generators from (``seed``, i) alone, so that its row does not
    depend on how many games are played, in what order or where.

    Parameters
    ----------
    game : str or Game
        What is played; by its name with its usual options.
    players : name, class or player, one of these with options as a pair, or a sequence of these
        One for each role of the game, as for `navalkit.player`; a single one plays all roles.
    n : int
        How many games, 0 or more.
    seed : int
        0 to 2**128 - 1.
    executor : Executor or int, optional
        Where the games are played, or on how many processes of this machine; left out, here. Elsewhere game and players
        must be picklable.
    chunk : int, optional
        How many games are handed over at a time, 1 or more.
    kept : Kept or path, optional
        A file in which rows are kept as they come, ending in .jsonl, .csv or .parquet; what is there already is not
        played again (`navalkit.sim.kept`).
    progress : callable, optional
        Called with (games done, ``n``) after every chunk.

    Returns
    -------
    list of dict
        One row a game, in order: ``players`` (who sat where, in the order of the roles: "careful : greedy"), ``game``
        (its number, from 0), ``seed``, ``result``, ``score`` (``score_<role>`` for every role if there are several),
        ``plies``, and the facts of the outcome. If a game failed, its ``result`` is "failed", and every row has
        ``error`` and ``record`` too, which are "" for the others; `Match.loads` opens the record.

    Raises
    ------
    OptionError
        If a number is out of range, the game or a player does not exist, one cannot play it, their number is wrong, or
        what should play the games, keep their rows or hear how far they are cannot.
    DataError
        If every game failed, or the file holds something else.

    Examples
    --------
    >>> rows = play("wolf-pack", ["random", "greedy"], 2, seed=1)
    >>> [row["game"] for row in rows]
    [0, 1]
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 0:
        raise OptionError(SAY("arena.games", n=brief(n)))
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
        raise OptionError(SAY("seed", max_seed=MAX_SEED, seed=brief(seed)))
    heard(progress)
    game = as_game(game)
    games = Games(game, (_entrants(game, players),), seed)
    games.check()  # so that a wrong name is heard of before anything is handed over
    with ExitStack() as opened:
        if isinstance(executor, int):
            executor = opened.enter_context(Workers(executor))
        if isinstance(kept, str | os.PathLike):
            kept = opened.enter_context(File(kept))
            kept.check([games])
        return run(games, n, executor=executor, kept=kept, chunk=chunk, progress=progress)


def _entrants(game: Game[Any, Any], players: Entrant | Sequence[Entrant]) -> tuple[Entrant, ...]:
    """One entrant for every role."""
    roles = len(game.players)
    named = isinstance(players, tuple) and len(players) == 2 and isinstance(players[1], dict)  # one (name, options)
    if isinstance(players, str) or not isinstance(players, Sequence) or named:
        return (players,) * roles
    entrants = tuple(players)
    if len(entrants) != roles:
        listed = ", ".join(game.players)
        raise OptionError(SAY("arena.roles", game=game.name, roles=roles, listed=listed, n=len(entrants)))
    return entrants


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
        As `navalkit.sim.play` or a game's ``simulate`` gives them. ``game`` and ``seed`` are left out, and so are
        games that failed.

    Raises
    ------
    DataError
        If it is no table, or its rows have different names.
    """
    result: dict[str, Estimate] = {}
    for name, column in _table(table, failed=False).items():
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
        cells = _table(table)
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

    Raises
    ------
    DataError
        If it is no table, its rows have different names, or it cannot be written there.
    """
    text = _text(table)
    if not isinstance(target, str | os.PathLike):
        target.write(text)
        return
    try:
        write_atomic(Path(target), text)
    except OSError as error:
        raise DataError(SAY("table.cannot_write", path=brief(str(target)), strerror=error.strerror)) from None


def _table(table: Columns | Sequence[Mapping[str, Any]], failed: bool = True) -> Columns:
    """The columns of a table in either form, with the rows of games that failed or without; DataError if it is none."""
    if isinstance(table, Mapping):
        return table
    if not (isinstance(table, Sequence) and all(isinstance(row, Mapping) for row in table)):
        raise DataError(SAY("table.none", table=brief(table)))
    return columns([row for row in table if failed or not row.get("error")])


def _text(table: Columns | Sequence[Mapping[str, Any]]) -> str:
    cells = {name: column.tolist() if isinstance(column, np.ndarray) else column
             for name, column in _table(table).items()}
    return written([cells, *zip(*cells.values(), strict=True)])
