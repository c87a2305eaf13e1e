"""Rows and columns of simulated games: means with their standard errors, and CSV."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan, sqrt
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from navalkit.core.errors import DataError
from navalkit.core.files.atomic import write_atomic
from navalkit.core.files.csvtext import written
from navalkit.core.language.say import SAY

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
    cells = {
        name: column.tolist() if isinstance(column, np.ndarray) else column
        for name, column in (table if isinstance(table, Mapping) else columns(table)).items()
    }
    return written([cells, *zip(*cells.values(), strict=True)])
