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
from typing import Any, TextIO

import numpy as np

from navalkit.core.errors import DataError, OptionError, brief
from navalkit.core.files import write_atomic, written
from navalkit.core.game import Game
from navalkit.core.registry import load
from navalkit.core.seeds import MAX_SEED
from navalkit.core.words import SAY
from navalkit.players.arena import Entrant, Executor, Games, Kept, Row, game_seed, run

__all__ = ["Estimate", "game_seed", "play", "summary", "write_csv"]

def play(game: str | Game[Any, Any], players: Entrant | Sequence[Entrant], n: int, seed: int,
         executor: Executor | None = None, *, chunk: int | None = None, kept: Kept | None = None,
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
        0 to 2**63 - 1.
    executor : Executor, optional
        Where the games are played; left out, here. Game and players must then be picklable.
    chunk : int, optional
        How many games are handed over at a time.
    kept : Kept, optional
        A file in which rows are kept as they come; what is there already is not played again (`navalkit.sim.kept`).
    progress : callable, optional
        Called with (games done, ``n``) after every chunk.

    Returns
    -------
    list of dict
        One row a game, in order: ``game`` (its number, from 0), ``seed``, ``result``, ``score``
        (``score_<role>`` for every role if there are several), ``plies``, and the facts of the outcome. If a game
        failed, its ``result`` is "failed", and every row has ``error`` and ``record`` too, which are "" for the others;
        `Match.loads` opens the record.

    Raises
    ------
    OptionError
        If a number is out of range, the game or a player does not exist, one cannot play it, or their number is wrong.
    DataError
        If every game failed.

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
    game = load(game) if isinstance(game, str) else game
    games = Games(game, (_entrants(game, players),), seed)
    games.check()  # so that a wrong name is heard of before anything is handed over
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
    """
    result: dict[str, Estimate] = {}
    if not isinstance(table, Mapping):
        table = columns([row for row in table if not row.get("error")])
    for name, column in table.items():
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
