"""Files that are written whole, or not at all."""

from __future__ import annotations
import base64
import binascii
import csv
import io
import os
import re
import sys
import tempfile
import time
import tomllib
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from errno import EEXIST
from functools import lru_cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from .errors import DataError, brief, near
from .words import SAY, Text, voice

try:
    import fcntl
except ImportError:  # Windows, and a browser without a server
    fcntl = None  # type: ignore[assignment]

LOCKED = 2.0
"""Seconds that is waited for another process that is just putting its file there."""


LOOK = 24 * 3600
"""Seconds, at least, between two looks at a file that lay untouched, of which the second deletes it."""


class MovedError(OSError):
    """A file was not written: something newer is there than what this process knows of."""


def fingerprint(path: Path) -> tuple[int, ...]:
    """Which file lies at a path: another one after each writing, or touch."""
    found = path.stat()
    return found.st_ino, found.st_mtime_ns, found.st_size


def clear_away(paths: Iterable[Path], seconds: float) -> None:
    """Delete the files that lay untouched for that long at two looks. One is not enough: the clock may have been
    behind when a file was written, or be ahead just now. The first is noted as the time of the last access."""
    now = time.time()
    for path in paths:
        with suppress(OSError):  # another process looks, too
            found = path.stat()
            idle = found.st_mtime + seconds
            if now <= idle:
                continue
            if not idle < found.st_atime <= now:
                os.utime(path, ns=(round(now * 1e9), found.st_mtime_ns))
            elif now - found.st_atime > LOOK:
                path.unlink()


def write_atomic(path: Path, text: str, mode: int | None = None, over: tuple[int, ...] | None = None
                 ) -> tuple[int, ...]:
    """Write ``text`` to a temporary neighbour and rename it: a reader finds the old file or the new one, whose
    `fingerprint` is returned. ``over``: that of the one file it may take the place of; MovedError if there is
    another."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:  # name the file asked for, not its neighbour
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if mode is None:  # mkstemp makes files for the owner alone; a saved game is an ordinary file
            umask = os.umask(0)
            os.umask(umask)
            mode = 0o666 & ~umask
        os.chmod(name, mode)
        written = fingerprint(Path(name))
        with nullcontext() if over is None else _alone(path, over):
            os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
    return written


@contextmanager
def _alone(path: Path, over: tuple[int, ...]) -> Iterator[None]:
    """Nobody who asks for the same takes this file's place meanwhile: the file itself is the lock, which ends with the
    process that has it. One that is frozen has it on (OSError)."""
    if not path.exists():  # it was cleared away: nothing newer is there
        yield
        return
    with nullcontext() if fcntl is None else path.open("rb") as file:
        end = time.monotonic() + LOCKED
        while file is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.01)
            except OSError:  # a disk that knows no locks
                break
        if fingerprint(path) != over:
            raise MovedError(EEXIST, SAY("store.moved"), str(path))
        yield


# -- Texts in links: packed, URL-safe, without padding ---------------------------------------------

PACKED = "~"
"""Begins a packed text where a plain one may stand as well: no option's text begins so."""


def packed(text: str) -> str:
    """A text made short enough for a link."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(packer.compress(text.encode()) + packer.flush()).decode().rstrip("=")


def unpacked(text: str, most: int) -> str:
    """The text that was `packed`, of at most that many bytes; ValueError if it is longer, or there is none."""
    opener = zlib.decompressobj(-15)
    try:
        data = opener.decompress(base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True), most)
    except (binascii.Error, zlib.error) as error:
        raise ValueError(str(error)) from None
    if not opener.eof:
        raise ValueError(most)
    return data.decode()


def linked(value: Any) -> str:
    """The value of an option as a link has it: a text of several lines is packed."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"{PACKED}{packed(text)}" if "\n" in text else text


# -- Rows as comma-separated values: the one writer of every table that is taken home --------------

_FORMULA = ("=", "+", "-", "@")


def written(rows: Iterable[Iterable[Any]]) -> str:
    """Rows as CSV, each in a line; None is an empty cell, and no text in it is a formula (`harmless`)."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([harmless(cell) for cell in row] for row in rows)
    return text.getvalue()


def harmless(cell: Any) -> Any:
    """A cell that no spreadsheet takes for a formula: a text that begins like one gets an apostrophe before it. Names
    come from people, and a spreadsheet would carry out "=HYPERLINK(...)". Numbers stay what they are."""
    if not isinstance(cell, str):
        return cell
    cell = cell.replace("\r", " ")  # the csv module does not quote it, and it ends a line
    if not (cell.lstrip().startswith(_FORMULA) or cell[:1] == "\t"):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


# -- TOML files: those of a game, whose rows say where their figures are from, and those that people write

T = TypeVar("T")

SOURCES = ("seed", "ruling", "facts", "derived")
_SHOWN = 40, 80  # entries of a wrong list, and characters of it, that a sentence repeats


def read(package: str, file: str = "data.toml") -> dict[str, Any]:
    """A TOML file of a game package ("navalkit.games.uss_lox")."""
    return tomllib.loads((resources.files(package) / file).read_text(encoding="utf-8"))


def sourced(row: dict[str, Any], where: str) -> dict[str, Any]:
    """The figures of a row, without its source and its rule id; DataError if the row names no source; ``where`` says
    which row it is."""
    source = str(row.get("source", ""))
    if source.partition(":")[0] not in SOURCES:
        raise DataError(SAY("data.source", where=where, sources=", ".join(SOURCES), source=brief(source)))
    return {key: value for key, value in row.items() if key not in ("source", "rule")}


def values(table: dict[str, Any], where: str) -> dict[str, Any]:
    """The values of a table of single figures, each a row of its own with its source."""
    return {key: sourced(row, f"{where}.{key}")["value"] for key, row in table.items()}


def wrong_toml(error: ValueError) -> str:
    """What is wrong in a text of TOML, and where, in our words: the reader's own are a programmer's, in English."""
    found = _PLACE.fullmatch(str(error))
    if found is None:  # Python reads no number that long
        return SAY("toml.number")
    why, line, column = found.groups()
    key = next((key for key, pattern in _WHY.items() if pattern.search(why)), "else")
    return SAY("toml.at" if line else "toml.end", why=SAY(f"toml.why.{key}"), line=line, column=column)


_PLACE = re.compile(r"(?s)(.*) \(at (?:line (\d+), column (\d+)|end of document)\)")
_WHY = {"twice": re.compile("[Mm]utate|overwrite|declare|Duplicate"),
        "quote": re.compile("string|Illegal character|scape"), "bracket": re.compile("Unclosed|inline table"),
        "equals": re.compile("after a key")}
"""What Python's reader of TOML says, by what we call it."""


class Fields:
    """A table that somebody wrote, read field by field.

    Each reader raises DataError if the field is not what it should be: the sentence says where, which field, what it
    must be and what it is. A field with a default may be left out.

    ``data``: the table. ``where``: what it is, for the sentences: "scenario night-convoy, boat 1". ``at``: the way to
    it from the whole table ("boat", 0). DataError, which knows that way too, if ``data`` is no table.
    """

    def __init__(self, data: object, where: str, at: tuple[str | int, ...] = ()) -> None:
        if not isinstance(data, Mapping):
            raise DataError(SAY("fields.table", where=where, value=brief(data)), place=at)
        self.data: Mapping[str, Any] = data
        self.where, self.at, self.known = where, at, set[str]()

    @classmethod
    def of(cls, text: str, where: str) -> Fields:
        """The table that is a whole text of TOML; DataError if it is no TOML."""
        try:
            return cls(tomllib.loads(text), where)
        except tomllib.TOMLDecodeError as error:
            raise DataError(SAY("fields.toml", where=where, error=wrong_toml(error))) from None

    def __contains__(self, name: str) -> bool:
        """Whether a field is there, which may be left out."""
        self.known.add(name)
        return name in self.data

    def wrong(self, name: str, right: str) -> DataError:
        """The error that says what a field must be, and what it is."""
        entries, most = _SHOWN
        given = self.data.get(name)
        if name in self.data:
            value = f"[{', '.join(map(brief, given[:entries]))}]"[:most] if isinstance(given, list) else brief(given)
        else:
            other = near(name, [key for key in self.data if key not in self.known], 0)
            value = SAY("fields.misspelt", other=other) if other else SAY("fields.missing")
        return DataError(SAY("fields.must", where=self.where, name=name, right=right, value=value),
                         place=(*self.at, name))

    def take(self, name: str, kind: type[Any], right: str, default: Any = None) -> Any:
        """A field of a kind, whatever it is; ``right`` says what it must be."""
        value = self._given(name, default)
        if not isinstance(value, kind):
            raise self.wrong(name, right)
        return value

    def text(self, name: str, default: str | None = None, most: int = 0) -> str:
        """A text without blanks around it; with ``most``, one line of at most that many characters."""
        value = self._given(name, default)
        if not isinstance(value, str) or (default is None and not value.strip()):
            raise self.wrong(name, SAY("fields.text"))
        if most and (len(value) > most or not value.isprintable()):
            raise self.wrong(name, SAY("fields.line", most=most))
        return value.strip()

    def flag(self, name: str) -> bool:
        """True or false; false if it is left out."""
        return bool(self.take(name, bool, SAY("fields.flag"), False))

    def whole(self, name: str, numbers: range, default: int | None = None) -> int:
        """A whole number out of a range, or the default."""
        value = self._given(name, default)
        if type(value) is not int or (value not in numbers and value != default):
            key = "fields.steps" if numbers.step > 1 else "fields.whole"
            raise self.wrong(name, SAY(key, low=numbers[0], high=numbers[-1], step=numbers.step))
        return value

    def number(self, name: str, low: float, high: float) -> float:
        """A number within limits."""
        value = self._given(name, None)
        if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= high:
            raise self.wrong(name, SAY("fields.number", low=low, high=high))
        return value

    def one_of(self, name: str, names: Collection[str], default: str | None = None) -> str:
        """One of some names, or the default."""
        value = self._given(name, default)
        if not isinstance(value, str) or (value not in names and value != default):
            raise self.wrong(name, SAY("fields.one", names=near(value, names)))
        return value

    def texts(self, name: str, names: Collection[str] = (), most: int = 0,
              default: Collection[str] | None = None) -> tuple[str, ...]:
        """A list of texts, perhaps of some names alone and of a length."""
        found = self._given(name, default)
        listed = isinstance(found, list) and all(isinstance(each, str) for each in found)
        if not listed or (names and not set(found) <= set(names)) or (most and len(found) > most):
            right = SAY("fields.list", most=most, names=", ".join(names)) if names else SAY("fields.texts")
            raise self.wrong(name, right)
        return tuple(found)

    def rows(self, name: str, numbers: range = range(1 << 20), right: Text = "") -> list[Fields]:
        """A list of tables, as many of them as a range allows."""
        found = self._given(name, None if numbers[0] else [])
        if not isinstance(found, list) or len(found) not in numbers:
            raise self.wrong(name, str(right) or SAY("fields.tables"))
        return [Fields(row, f"{self.where}, {name} {number}", (*self.at, name, number - 1))
                for number, row in enumerate(found, 1)]

    def _given(self, name: str, default: Any) -> Any:
        return self.data.get(name, default) if name in self else default

    def read(self, name: str, reader: Callable[..., T], *values: Any, right: str = "") -> T:
        """What ``reader`` makes of values of a field; what it complains of is said of the field, or what is right."""
        try:
            return reader(*values)
        except ValueError as error:  # of navalkit too
            raise self.wrong(name, right) if right else DataError(
                SAY("fields.at", where=self.where, name=name, error=error), place=(*self.at, name)
            ) from None

    def done(self) -> None:
        """Complains of a field that was never asked for."""
        for name in self.data:
            if name not in self.known:
                names = near(name, self.known, 0)
                key, names = ("fields.meant", names) if names else ("fields.unknown", ", ".join(sorted(self.known)))
                raise DataError(SAY(key, where=self.where, name=brief(name), names=names), place=(*self.at, name))


# -- A game's RULES.md as data: each rule with its id, its text in our words, and where it comes from
# A rule is a list item ``- **L3b** Text. [seed 3b]``; it may run over several lines. What stands in the
# brackets is the source: ``seed ...`` or ``ruling ...``, or both with a semicolon between. A heading may name a drawing
# (`navalkit.view.drawings`) for its section: ``## Guns <!-- battleship -->``.

_HEADING = re.compile(r"^## (?P<section>.+?)(?: <!-- (?P<picture>[\w-]+) -->)?$")
_ITEM = re.compile(r"^- \*\*(?P<id>[A-Z0-9][A-Za-z0-9.]*)\*\* (?P<text>.+) \[(?P<source>[^\]]+)\]$")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its text, where in the source it stands, and the ruling it needed, if any."""

    text: str
    source: str
    ruling: str
    section: str = ""
    """The heading it stands under."""
    picture: str = ""
    """The drawing of its section."""


@lru_cache
def home(module: str) -> str:
    """The nearest package at or around an imported module that has a RULES.md; "" if there is none."""
    while module:
        folders = vars(sys.modules[module]).get("__path__", ()) if module in sys.modules else ()
        if any((Path(folder) / "RULES.md").is_file() for folder in folders):
            return module
        module = module.rpartition(".")[0]
    return ""


def rulebook(package: str) -> Mapping[str, Rule]:
    """The rules of a game package ("navalkit.games.uss_lox") by id, in the order of its RULES.md. In the present
    reader's language where there is, say, a RULES.de.md; else in English. DataError if an item has no id or no source,
    or an id stands twice."""
    return _read(package, _rules_file(package, voice().lang))


@lru_cache
def _rules_file(package: str, lang: str) -> str:
    own = f"RULES.{lang}.md"
    return own if (resources.files(package) / own).is_file() else "RULES.md"


@lru_cache
def _read(package: str, file: str) -> Mapping[str, Rule]:
    text = (resources.files(package) / file).read_text(encoding="utf-8")
    rules: dict[str, Rule] = {}
    section = picture = ""
    for item in re.findall(r"^## .*|^- .*(?:\n(?:  ).*)*", text, flags=re.MULTILINE):
        if heading := _HEADING.match(item):
            section, picture = heading["section"], heading["picture"] or ""
            continue
        line = " ".join(part.strip() for part in item.splitlines())
        match = _ITEM.match(line)
        if match is None:
            raise DataError(SAY("rulebook.item", file=file, package=package, line=repr(line[:60])))
        if match["id"] in rules:
            raise DataError(SAY("rulebook.twice", file=file, package=package, id=match["id"]))
        source, _, ruling = f"; {match['source']}".partition("; ruling")  # a ruling goes on to the end of the brackets
        ruled = ruling.lstrip(": ") or ("yes" if "; ruling" in f"; {match['source']}" else "")
        rules[match["id"]] = Rule(match["text"], source.removeprefix("; ").strip(), ruled, section, picture)
    return MappingProxyType(rules)
