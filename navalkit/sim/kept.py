"""Rows kept in a file as they come: whatever ends a run, a second one plays only what is missing.

A file holds the rows of one run, or of several that belong together (every pair of a tournament): first what was
played, then the game's row, then ``error`` and ``record`` of a game that failed, and last ``run``, a print of all that
the row depends on. By its ending it is JSON lines (.jsonl), CSV (.csv) or Parquet (.parquet, the extra ``parquet``),
which cannot be written row by row: until the run ends its rows are JSON lines in a file beside it. A file that is done
is in order, so that it is the same, byte by byte, however often the run was broken off.
"""

from __future__ import annotations
import csv
import io
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import numpy as np

from navalkit.core.errors import DataError, OptionError, brief
from navalkit.core.files import write_atomic, written
from navalkit.core.words import SAY
from navalkit.players.arena import Row, Task

__all__ = ["Kept"]

ENDINGS = (".jsonl", ".csv", ".parquet")
RUN, LAST = "run", ("error", "record", "run")


class Kept:
    """A file of rows. A `with` statement closes it, in order; rows of another run are refused.

    Parameters
    ----------
    path : path
        Ending in .jsonl, .csv or .parquet.

    Raises
    ------
    OptionError
        For another ending, or Parquet without its library.
    DataError
        If the file holds something else, or cannot be read or written.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        if self.path.suffix not in ENDINGS:
            raise OptionError(SAY("kept.ending", path=brief(str(path)), endings=", ".join(ENDINGS)))
        self._parquet = _pyarrow() if self.path.suffix == ".parquet" else None
        self._live = Path(f"{self.path}.jsonl") if self._parquet else self.path
        self._csv = self._live.suffix == ".csv"
        self._rows: dict[tuple[str, int], Row] = {}
        self._checked: Sequence[Task] = ()
        self._names: list[str] = []
        """The columns of a CSV file."""
        self._told: dict[str, Mapping[str, Any]] = {}
        self._file: IO[str] | None = None
        try:
            if whole := self._read():
                self._write(self._live, whole)
            self._file = self._live.open("a", encoding="utf-8", newline="")
        except OSError as error:  # such as a folder that is not there
            raise DataError(SAY("kept.cannot", path=brief(str(self.path)), strerror=error.strerror)) from None

    def rows(self, task: Task) -> Mapping[int, Row]:
        """The rows of a task that are there. DataError if there are rows, and none of what was asked for so far."""
        own = self._key(task)
        there = [key for key, _ in self._rows]
        if there and own not in there and self._told.keys().isdisjoint(there):
            raise DataError(SAY("kept.other", path=brief(str(self.path)), n=len(there)))
        self._told[own] = task.told
        outer = (*task.told, RUN)
        mine = {number: row for (key, number), row in self._rows.items() if key == own}
        others = [row for (key, _), row in self._rows.items() if key != own]
        foreign = _filled(others) - _filled(mine.values())
        gap = "" if self._csv else None  # in CSV nothing is an empty text, where the column is of this run
        return {number: {name: gap if value is None else value for name, value in row.items()
                         if name not in outer and (name not in LAST or row["error"])
                         and not (value is None and (row["error"] or (self._csv and name in foreign)))}
                for number, row in mine.items()}

    def add(self, task: Task, rows: Sequence[Row]) -> None:
        """Keep rows of a task; they are written at once. DataError if the file is closed."""
        if self._file is None:
            raise DataError(SAY("kept.closed", path=brief(str(self.path))))
        new = [self._whole(task, row) for row in rows]
        self._rows.update(((row[RUN], row["game"]), row) for row in new)
        if self._csv and (wider := _names([*self._rows.values()])) != self._names:
            self._file.close()
            self._names = wider
            self._write(self._live, self._ordered())
            self._file = self._live.open("a", encoding="utf-8", newline="")
            return
        self._file.write(self._text(new))
        self._file.flush()

    def so_far(self) -> tuple[int, str]:
        """How many rows are there, and in which file."""
        return len(self._rows), str(self._live)

    def close(self) -> None:
        """Put the file in order. DataError if it holds rows of something else than was played."""
        if self._file is None:
            return
        self._file.close()
        self._file = None
        rows = self._ordered()
        self._names = _names(rows)
        self._write(self._live, rows)
        if self._parquet:
            even = [{name: row.get(name) for name in self._names} for row in rows]
            beside = self.path.with_suffix(".part")
            self._parquet.parquet.write_table(self._parquet.Table.from_pylist(even), beside)
            beside.replace(self.path)
            self._live.unlink()
        if self._told and (others := [key for key, _ in self._rows if key not in self._told]):
            raise DataError(SAY("kept.other", path=brief(str(self.path)), n=len(others)))

    def check(self, tasks: Sequence[Task]) -> None:
        """DataError if there are rows that belong to none of these tasks."""
        self._checked = tasks
        keys = [task.key for task in tasks]
        if other := [key for key, _ in self._rows if key not in keys]:
            raise DataError(SAY("kept.other", path=brief(str(self.path)), n=len(other)))
        self._told = {task.key: task.told for task in tasks}

    def __enter__(self) -> Kept:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is None:
            self.close()
        elif self._file is not None:  # broken off: what is there stays as it is
            self._file.close()
            self._file = None

    def _whole(self, task: Task, row: Row) -> Row:
        last = {"error": row.get("error", ""), "record": row.get("record", ""), RUN: self._key(task)}
        return {**task.told, **row, **last}

    def _key(self, task: Task) -> str:
        """A task's print; of one that was checked, that of then: players may have noted something since."""
        for known in self._checked:
            with suppress(Exception):  # players say themselves what they are equal to
                if known is task or known == task:
                    return known.key
        return task.key

    def _ordered(self) -> list[Row]:
        order = {key: nth for nth, key in enumerate([*self._told, *(key for key, _ in self._rows)])}
        return [row for _, row in sorted(self._rows.items(), key=lambda item: (order[item[0][0]], item[0][1]))]

    def _text(self, rows: Sequence[Row]) -> str:
        if self._csv:
            return written([row.get(name) for name in self._names] for row in rows)
        return "".join(json.dumps(row, default=_plain) + "\n" for row in rows)

    def _write(self, path: Path, rows: Sequence[Row]) -> None:
        head = written([self._names]) if self._csv and rows else ""
        write_atomic(path, head + self._text(rows))

    def _read(self) -> list[Row]:
        """The rows that are there; a last one that was not written to its end is forgotten."""
        source = self._live if self._live.exists() else self.path
        if not source.exists():
            return []
        try:
            if self._parquet and source == self.path:
                rows = self._parquet.parquet.read_table(source).to_pylist()
            else:
                text = source.read_text(encoding="utf-8")
                rows = self._from_csv(text) if self._csv else _from_lines(text, source)
        except DataError:
            raise
        except ValueError:  # bytes that are no text, a table that is none
            raise DataError(SAY("kept.foreign", path=brief(str(self.path)))) from None
        if any(RUN not in row or not isinstance(row.get("game"), int) for row in rows):
            raise DataError(SAY("kept.foreign", path=brief(str(self.path))))
        self._rows = {(row[RUN], row["game"]): row for row in rows}
        return list(self._rows.values())

    def _from_csv(self, text: str) -> list[Row]:
        csv.field_size_limit(max(csv.field_size_limit(), len(text)))  # a record has room, and what a lone mark swallows
        head, *lines = csv.reader(io.StringIO(text, newline="")) if text else ([],)
        self._names = list(head)
        if self._names and self._names[-1] != RUN:
            if "\n" in text or "game" not in self._names:  # else it was cut there
                raise DataError(SAY("kept.foreign", path=brief(str(self.path))))
            return []
        cut = [lines.pop()] if lines and (not text.endswith("\n") or text.count('"') % 2) else []
        whole = [line for line in lines if len(line) == len(head) and line[-1]]
        hidden = csv.reader(row for line in cut for cell in line for row in cell.splitlines())
        runs = {line[-1] for line in whole}
        within = [row for row in hidden if len(row) == len(head) and (row[-1] in runs or not runs)]
        if len(whole) < len(lines) or within:  # a quotation mark too many hides the rows after it
            number = next((nth for nth, line in enumerate(lines, 2) if line not in whole), 2 + len(lines))
            raise DataError(SAY("kept.line", path=brief(str(self.path)), number=number))
        return [{name: cell if name in LAST else _value(cell) for name, cell in zip(head, line, strict=True)}
                for line in whole]


def _filled(rows: Iterable[Row]) -> set[str]:
    """The columns in which one of these rows has something."""
    return {name for row in rows for name, value in row.items() if value is not None}


def _names(rows: Sequence[Row]) -> list[str]:
    """The columns of rows: those of a game that was played to its end first."""
    full = sorted(rows, key=lambda row: bool(row["error"]))
    return [*dict.fromkeys(name for row in full for name in row if name not in LAST), *LAST]


def _from_lines(text: str, path: Path) -> list[Row]:
    lines = text.splitlines(keepends=True)
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            row = None
        if isinstance(row, dict) and line.endswith("\n"):
            rows.append(row)
        elif line.endswith("\n") or not line.startswith("{") or (isinstance(row, dict) and RUN not in row):
            raise DataError(SAY("kept.line", path=brief(str(path)), number=number))
    return rows


def _value(cell: str) -> Any:
    """What a cell of CSV was, where that is the only thing it can have been."""
    if cell in ("", "True", "False"):
        return {"": None, "True": True, "False": False}[cell]
    for kind in (int, float):
        try:
            value = kind(cell)
        except ValueError:
            continue
        if str(value) == cell:
            return value
    return cell


def _plain(value: Any) -> Any:
    """A number of numpy's as Python has it."""
    return value.item() if isinstance(value, np.generic) else str(value)


def _pyarrow() -> Any:
    try:
        import_module("pyarrow.parquet")
        return import_module("pyarrow")
    except ImportError:
        raise OptionError(SAY("kept.parquet")) from None


