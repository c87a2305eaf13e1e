"""What a student has tried, and the small file in which it goes to the teacher.

The file is sealed against accidents: whoever changes it by hand is found out, whoever reads this module and means to
cheat is not. Names and answers of others stand nowhere in it; nor do the student's own answers, only the slips.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from navalkit.core.errors import DataError
from navalkit.core.match import write_atomic

from .pages import read_only
from .tables import SAY

FORMAT = 1
SUFFIX = ".report.json"
MAX_BYTES = 200_000
_SEAL = b"navalkit report: sealed against accidents, no lock"
_LONGEST_NAME = 80


@dataclass(slots=True)
class Tried:
    """How an exercise went.

    Parameters
    ----------
    right : bool
    tries : int
        Up to the first right one, that included.
    slips : list of str
        What kind of wrong each wrong try was, in order.
    """

    right: bool = False
    tries: int = 0
    slips: list[str] = field(default_factory=list)

    def better(self, other: Tried) -> bool:
        """Whether this is worth more than another: right, then in fewer tries."""
        return (self.right, -self.tries) > (other.right, -other.tries)


class Progress:
    """What has been tried since this kernel was started."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self.tried: dict[str, Tried] = {}
        self._last: dict[str, str] = {}

    def note(self, id: str, slip: str, answer: str) -> int:
        """Note one try; returns the number of wrong ones, 1 or more.

        The answer of before is no new try, for cells are run again and again; nor is any once one was right.
        """
        tried = self.tried.setdefault(id, Tried())
        if not tried.right and self._last.get(id) != answer:
            tried.tries += 1
            tried.right = not slip
            if slip:
                tried.slips.append(slip)
        self._last[id] = answer
        return max(1, len(tried.slips))


PROGRESS = Progress()


@dataclass(frozen=True, slots=True)
class Receipt:
    """What `report` did, as a sentence; ``file`` is None if nothing was written."""

    file: Path | None
    text: str

    def __repr__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Report:
    """One student's file, read.

    Parameters
    ----------
    name : str
    made : str
        When, in UTC.
    tried : mapping of id to Tried
    intact : bool
        Whether the seal fits.
    file : str
    """

    name: str
    made: str
    tried: Mapping[str, Tried]
    intact: bool
    file: str


def report(name: str = ..., folder: str | os.PathLike[str] = ".") -> Receipt:  # type: ignore[assignment]
    """Write what was tried since the kernel was started to a small file for the teacher.

    A file of the same student and lessons that is there already is taken in: the better of both counts.

    Parameters
    ----------
    name : str
        The student's.
    folder : path
        Where the file goes; left out, beside the notebook.

    Raises
    ------
    DataError
        If a file of that name is there, but is somebody else's or damaged.
    """
    plain = " ".join(str(name).split())[:_LONGEST_NAME] if isinstance(name, str) else ""
    if read_only():
        return Receipt(None, SAY("read_only"))
    if not plain:
        return Receipt(None, SAY("no_name"))
    tried = dict(PROGRESS.tried)
    if not tried:
        return Receipt(None, SAY("nothing_tried"))
    path = Path(folder) / f"{_slug(plain)}.{'-'.join(sorted({id.partition('.')[0] for id in tried}))}{SUFFIX}"
    if path.exists():
        before = read_report(path)
        if not before.intact or _key(before.name) != _key(plain):
            raise DataError(f"{path.name} is there already and is somebody else's or changed; move it away first.")
        tried = merged((before.tried, tried))
    write_atomic(path, dumps(plain, tried))
    right = sum(each.right for each in tried.values())
    return Receipt(path, SAY("written", file=path.name, right=right, tried=len(tried)))


def dumps(name: str, tried: Mapping[str, Tried]) -> str:
    """The text of a report."""
    body = {
        "navalkit report": FORMAT,
        "name": name,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "exercises": {id: {"right": t.right, "tries": t.tries, "slips": t.slips} for id, t in sorted(tried.items())},
    }
    return json.dumps(body | {"seal": _seal(body)}, ensure_ascii=False, indent=1) + "\n"


def read_report(path: str | os.PathLike[str]) -> Report:
    """A student's file.

    Raises
    ------
    DataError
        If it cannot be read or is no report. A changed one is read, and is not ``intact``.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise DataError(f"{path.name} cannot be read: {error.strerror or error}.") from None
    try:
        if len(data) > MAX_BYTES:
            raise ValueError
        body: dict[str, Any] = json.loads(data.decode("utf-8"))
        if body["navalkit report"] != FORMAT:
            raise ValueError
        tried = {str(id): _tried(row) for id, row in body["exercises"].items()}
        name, made, given = str(body["name"]), str(body["made"]), str(body.pop("seal", ""))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise DataError(f"{path.name} is no report of navalkit, or a damaged one; ask for it again.") from None
    intact = hmac.compare_digest(given.encode(), _seal(body).encode())
    return Report(name[:_LONGEST_NAME], made, tried, intact, path.name)


def merged(parts: Iterable[Mapping[str, Tried]]) -> dict[str, Tried]:
    """All exercises of several reports, the better where there are two."""
    best: dict[str, Tried] = {}
    for part in parts:
        for id, tried in part.items():
            if id not in best or tried.better(best[id]):
                best[id] = tried
    return best


def same_student(reports: Iterable[Report]) -> list[list[Report]]:
    """Reports by student, in the order of names; case and blanks in a name do not count."""
    groups: dict[str, list[Report]] = {}
    for each in reports:
        groups.setdefault(_key(each.name), []).append(each)
    return [groups[key] for key in sorted(groups)]


def _tried(row: Any) -> Tried:
    right, tries, slips = row["right"], row["tries"], row["slips"]
    if type(right) is not bool or type(tries) is not int or not isinstance(slips, list):
        raise TypeError
    return Tried(right, tries, [str(slip) for slip in slips])


def _seal(body: Mapping[str, Any]) -> str:
    text = json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hmac.new(_SEAL, text.encode(), hashlib.sha256).hexdigest()


def _key(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).split()).casefold()


def _slug(name: str) -> str:
    """A name as part of a file's name, in letters every system takes."""
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40] or hashlib.sha256(_key(name).encode()).hexdigest()[:8]
