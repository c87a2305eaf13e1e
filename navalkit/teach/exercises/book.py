"""All exercises: those that come with navalkit, and a teacher's own."""

from __future__ import annotations
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache, partial
from importlib import resources, util
from importlib.resources.abc import Traversable
from numbers import Real
from pathlib import Path
from typing import Any

from navalkit.core.errors import DataError, brief
from navalkit.core.words import voice
from ..say import SAY
from .exercise import Choice, Computed, Exercise, Function, Items, Kind, Sealed, exercise, with_names
from .formula import Misread

MAX_BYTES = 1_000_000


@dataclass(frozen=True, eq=False)
class Entry:
    """What a kernel keeps of an exercise: its question. Answer, formulas, hints and the mistakes to expect are read and
    worked out anew by `opened` for each check, and forgotten again: no attribute or method of what a student holds
    leads to them."""

    id: str
    title: str
    kind: Kind
    ask: str
    numbers: Mapping[str, Any]
    """Those that the question names."""
    family: str
    """The id of the exercise whose numbers these are; "" if they do not vary."""

    @property
    def lesson(self) -> str:
        """What stands before the dot of its id."""
        return self.id.partition(".")[0]

    def drawn(self, seed: str = "", retest: int = 0) -> Entry:
        """The same question with the numbers of a seed and a retest; DataError if its family gives none."""
        return _drawn(self, seed, retest, voice().lang) if self.family and (seed or retest) else self


@lru_cache(maxsize=1024)
def _drawn(question: Entry, seed: str, retest: int, lang: str) -> Entry:
    """``lang``: of the reader, in whose language the names of cards in a question are."""
    return _asked(opened(question, seed, retest))


def _asked(question: Exercise) -> Entry:
    family = question.family.key if question.family else ""
    return Entry(question.id, question.title, question.kind, question.ask, question.shown, family)


def entry(question: Exercise, read: Callable[[], Exercise] | None = None) -> Entry:
    """The question of an exercise. ``read``: what reads the exercise again; left out, it is kept as it is."""
    made = _asked(question)
    _READ[made.id] = read or partial(with_names, question, question.numbers)
    return made


def opened(question: Entry, seed: str = "", retest: int = 0) -> Exercise:
    """The whole exercise with the numbers of a seed and a retest, for who judges, prints or marks; DataError if its
    family gives none."""
    return _READ[question.id]().drawn(seed, retest)


_READ: dict[str, Callable[[], Exercise]] = {}
"""What reads each exercise anew, by its id."""
_OWN: dict[str, Entry] = {}
USED: list[Path] = []
"""The files that `use` has taken in."""


def _files() -> Iterator[Traversable]:
    folder = resources.files(__package__) / "shipped"
    return iter(sorted((f for f in folder.iterdir() if f.name.endswith(".toml")), key=lambda f: f.name))


def shipped() -> dict[str, Exercise]:
    """The exercises that come with navalkit, by id, lesson by lesson, read anew."""
    found: dict[str, Exercise] = {}
    for file in _files():
        _add(found, _from_toml(file.name, file.read_text(encoding="utf-8")))
    return found


@cache
def entries() -> dict[str, Entry]:
    """The questions of those that come with navalkit."""
    return {each.id: entry(each, partial(_one, file, each.id)) for file in _files()
            for each in _from_toml(file.name, file.read_text(encoding="utf-8"))}


def everything() -> dict[str, Entry]:
    """The questions of all exercises by id, a teacher's own last."""
    return entries() | _OWN


def own() -> dict[str, Exercise]:
    """A teacher's own exercises that were taken in."""
    return {id: opened(each) for id, each in _OWN.items()}


def questions(some: Iterable[Exercise]) -> str:
    """The questions of exercises without what answers them, as a file in TOML that `use` takes in."""
    return "\n".join(f"[[exercise]]\n{_toml(each.question())}" for each in some)


def _toml(row: Mapping[str, Any]) -> str:
    """A row of texts, numbers, lists and tables of these: all but the tables are written as in JSON."""
    text = ""
    for key, found in row.items():
        inner = isinstance(found, Mapping)
        parts = {f"{key}.{name}": each for name, each in found.items()} if inner else {key: found}
        text += "".join(f"{name} = {json.dumps(each, ensure_ascii=False)}\n" for name, each in parts.items())
    return text


def take(rows: Iterable[Mapping[str, Any]]) -> None:
    """Take in exercises from what `exercise` makes them of."""
    _OWN.update({row["id"]: entry(exercise(**row)) for row in rows})


def _one(file: Traversable | Path, id: str) -> Exercise:
    """One exercise of a file in TOML."""
    try:
        return next(each for each in _from_toml(file.name, file.read_text(encoding="utf-8"), id))
    except (OSError, UnicodeDecodeError, StopIteration):
        raise DataError(SAY("book.unreadable", file=file.name, why=id)) from None


def use(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Take in a teacher's own exercises, so that `check` knows them; read again, they replace those of before.

    Parameters
    ----------
    path : path
        A TOML file of ``[[exercise]]`` tables; or a Python file with a list ``EXERCISES`` made with
        `navalkit.teach.exercise`, which is run: use only files you trust.

    Returns
    -------
    tuple of str
        Their ids.

    Raises
    ------
    DataError
        If the file cannot be read, or an exercise is malformed or has the id of one that comes with navalkit.
    """
    path = Path(path).resolve()
    new = read(path)
    for id in new:
        if id in entries():
            raise DataError(SAY("book.taken", file=path.name, id=id))
    for id, each in new.items():
        _OWN[id] = entry(each, None if path.suffix == ".py" else partial(_one, path, id))
    USED.append(path)
    return tuple(new)


def read(path: str | os.PathLike[str]) -> dict[str, Exercise]:
    """The exercises of a file by id; as `use`."""
    path = Path(path)
    if path.suffix == ".py":
        found: dict[str, Exercise] = {}
        _add(found, _from_python(path))
        return found
    try:
        if path.stat().st_size > MAX_BYTES:
            raise DataError(SAY("book.large", file=path.name, most=MAX_BYTES))
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise DataError(SAY("book.unreadable", file=path.name, why=error.strerror or error)) from None
    except UnicodeDecodeError:
        raise DataError(SAY("book.no_text", file=path.name)) from None
    found = {}
    _add(found, _from_toml(path.name, text))
    return found


def _from_toml(name: str, text: str, id: str = "") -> list[Exercise]:
    """The exercises of a file, or one of them."""
    try:
        rows = tomllib.loads(text)["exercise"]
        by_id = {row.get("id"): row for row in rows}
        return [exercise(**_with_numbers(row, by_id)) for row in rows if id in ("", row.get("id"))]
    except tomllib.TOMLDecodeError as error:
        raise DataError(SAY("book.no_toml", file=name, why=error)) from None
    except KeyError:
        raise DataError(SAY("book.no_exercise", file=name)) from None
    except TypeError as error:  # an entry that is missing: Python's sentence names it
        raise DataError(SAY("book.incomplete", file=name, why=error)) from None
    except DataError as error:
        raise DataError(SAY("book.in_file", file=name, why=error)) from None


def _with_numbers(row: dict[str, Any], by_id: Mapping[Any, dict[str, Any]]) -> dict[str, Any]:
    """A row with the numbers of the one that it shares them with, and what it lets follow from them itself."""
    if "numbers_of" not in row:
        return row
    other = by_id.get(row["numbers_of"], {})
    if "draw" not in other:
        raise DataError(SAY("book.no_family", id=row["id"], other=brief(row["numbers_of"])))
    return {**row, "draw": other["draw"], "let": other.get("let", {}) | row.get("let", {}),
            "where": other.get("where", [])}


def _from_python(path: Path) -> list[Exercise]:
    spec = util.spec_from_file_location(f"navalkit_exercises_{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise DataError(SAY("book.no_file", file=path.name))
    module = util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except DataError as error:
        raise DataError(SAY("book.in_file", file=path.name, why=error)) from None
    except Exception as error:  # a teacher's own program may fail in any way
        raise DataError(SAY("book.stops", file=path.name, why=f"{type(error).__name__}: {error}")) from None
    exercises = getattr(module, "EXERCISES", None)
    if not isinstance(exercises, list) or not all(isinstance(each, Exercise) for each in exercises):
        raise DataError(SAY("book.no_list", file=path.name))
    return exercises


def _add(found: dict[str, Exercise], new: list[Exercise]) -> None:
    for each in new:
        if each.id in found:
            raise DataError(SAY("book.twice", id=each.id))
        found[each.id] = each


# -- What is wrong with an exercise, found before a student meets it -------------------------------

SEEDS = 200
"""How many seeds `faults` tries of a family, if nothing else is asked."""


def faults(question: Exercise, seeds: int = SEEDS) -> Iterator[str]:
    """What is wrong with an exercise, one sentence each: worked out, compared, and read for given-away answers.
    ``seeds``: of a family, how many students' numbers are tried beside the lesson's own."""
    if question.family is None:
        yield from _faults(question)
        return
    found: dict[str, dict[str, Any]] = {}
    try:
        drawn = [question.family.names(), *(question.family.names(str(seed)) for seed in range(seeds))]
    except DataError as error:
        yield str(error)
        return
    for names in {repr(names): names for names in drawn}.values():
        try:
            wrong = list(_faults(with_names(question, names)))
        except (DataError, Misread) as error:
            wrong = [str(error)]
        for sentence in wrong:
            found.setdefault(sentence, names)
    for sentence, names in found.items():
        some = {name: each for name, each in names.items() if name in question.family.draw}
        numbers = ", ".join(f"{name} = {each}" for name, each in some.items())
        yield SAY("exercise.with", fault=sentence, numbers=numbers)


def _faults(question: Exercise) -> Iterator[str]:
    try:
        if question.reference is None:
            yield SAY("exercise.no_answer")
            return
        if isinstance(question.reference, Computed) and not _reads(question, question.reference):
            yield SAY("exercise.own_wrong")
            return
        if isinstance(question.reference, Sealed) and isinstance(question.kind, Choice) and question.kind.choices:
            if not any(question.reference.right(question.kind.read(each)) for each in question.kind.choices):
                yield SAY("exercise.no_choice_sealed")
        values = [mistake.value for mistake in question.mistakes]
    except (DataError, Misread) as error:
        yield str(error)
        return
    for i, (mistake, wrong) in enumerate(zip(question.mistakes, values, strict=True)):
        if question.reference.right(wrong):
            yield SAY("exercise.counts", slip=brief(mistake.slip))
        if any(question.kind.same(wrong, other) for other in values[:i]):
            yield SAY("exercise.same", slip=brief(mistake.slip))
    for text in (*question.hints, *(mistake.say for mistake in question.mistakes)):
        if given := next((form for form in _forms(question) if re.search(rf"(?<![\w./]){form}(?![\w/])", text)), None):
            yield SAY("exercise.given_away", text=brief(text), found=given)


def _reads(question: Exercise, reference: Computed) -> bool:
    """Whether the kind of the exercise takes the reference for an answer, and for the right one."""
    if isinstance(question.kind, Function):
        return reference.right([question.kind.each.read(each) for each in reference.value])
    return reference.right(question.kind.read(reference.value))


def _forms(question: Exercise) -> Iterator[str]:
    """How the right answer may stand in a sentence, as regular expressions."""
    right = question.reference.value if isinstance(question.reference, Computed) else None
    if isinstance(question.kind, Choice) and right is not None:
        yield re.escape(str(right))
    elif isinstance(question.kind, Items) and right is not None:
        yield r"[ ,]+".join(map(re.escape, map(str, right)))
    elif isinstance(right, Real):
        yield re.escape(str(right))
        if not float(right).is_integer():
            yield re.escape(f"{float(right):.3g}")
            yield re.escape(f"{100 * float(right):.3g}") + r" ?%"
            if isinstance(right, Fraction):
                yield rf"{right.numerator} in {right.denominator}"
