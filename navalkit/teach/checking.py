"""`check`: says right, or what kind of wrong, with one more hint after each wrong try; never the answer."""

from __future__ import annotations
import hashlib
import hmac
import json
import os
import re
import reprlib
import secrets
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import astuple, dataclass, field, replace
from datetime import UTC, datetime
from difflib import get_close_matches
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

from navalkit.core.errors import DataError, brief
from navalkit.core.files import write_atomic
from navalkit.core.shown import html
from navalkit.core.words import voice
from .exercises import book
from .exercises.book import Entry
from .exercises.exercise import ID, Exercise
from .exercises.formula import MISREAD, Misread
from .papers import read_only, taken, writable
from .say import SAY, to_student

# -- What a student has tried: every try is kept, on disk too, in the small file that goes to the teacher
# The file holds tries, not sums, so that any number of files of one student is the union of their tries and nothing is
# lost. Each history has a random id from its first try on, so that two students of one name never share one. It is
# sealed against accidents: a change made by hand is found out; someone who reads this module and means to cheat is not.
# No answer stands in it, only a short digest that tells one answer from the next.

FORMAT = 1
SUFFIX = ".report.json"
MAX_BYTES = 1_000_000
RETESTS = 1000
"""Beyond these no retest goes."""
MOST_RETESTS = 10
"""Sets of numbers of one exercise that are judged, named and shown at most, whatever else a file holds."""
_SEAL = b"navalkit report: sealed against accidents, no lock"
_LONGEST_NAME = 80
_JOINS = "\u200c\u200d"
"""Unseen letters that belong to words, as in Persian."""
_SELECTORS = "\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0000-\U000e0fff"
_FILLERS = "\u115f\u1160\u2800\u3164\uffa0\U0001d159"
"""Letters that look like a blank."""
_LESSONS = "[0-9][0-9]_*"
"""How the folders of lessons are called, which lie beside each other."""
_ID = re.compile(r"[0-9a-f]{8}")


@dataclass(frozen=True, order=True, slots=True)
class Try:
    """One try of one exercise."""

    at: str
    """When, in UTC."""
    session: str
    """The kernel in which it was made."""
    number: int
    """Its place among those of the session."""
    exercise: str
    retest: int
    """Which numbers of its family: 0 the first."""
    slip: str
    """What kind of wrong; "" if right."""
    mark: str
    """A digest of the answer."""


@dataclass(slots=True)
class Tried:
    """How an exercise went, all its numbers together."""

    right: int = 0
    """With how many numbers it was right: 1, and one more for each retest."""
    tries: int = 0
    """Each time up to the first right one, that included."""
    slips: list[str] = field(default_factory=list)
    """What kind of wrong each wrong try was, in order."""


def summed_up(tries: Iterable[Try]) -> dict[str, Tried]:
    """How each exercise went, by id; what was tried once it was right does not count."""
    found: dict[str, Tried] = {}
    done = set()
    for each in sorted(set(tries)):
        numbers = (each.exercise, each.retest)
        if numbers in done:
            continue
        sum = found.setdefault(each.exercise, Tried())
        sum.tries += 1
        if each.slip:
            sum.slips.append(each.slip)
        else:
            sum.right += 1
            done.add(numbers)
    return found


@dataclass(frozen=True, slots=True)
class Student:
    """Who works here."""

    name: str
    group: str = ""
    """The group is a class, a number, anything that tells two students of one name apart."""
    numbers: str | int = "own"
    """Whose numbers the exercises have: the student's own, those of the lesson's text, or those of a seed."""
    id: str = ""
    """Of their history; "" before the first try is kept, and in a notebook handed in."""
    course: str = ""
    """What their own numbers are drawn from besides name and group: one word for all of a course; "" for none."""

    @property
    def key(self) -> tuple[str, str]:
        """What makes two files those of one student: case, blanks, widths of letters and letters that cannot be seen do
        not count."""
        return _key(self.name), _key(self.group)

    @property
    def seed(self) -> str:
        """What the numbers are drawn from; "" for the lesson's own."""
        if self.numbers == "lesson":
            return ""
        course = seen(self.course)
        own = (*self.key, course) if course else self.key
        return "|".join(own) if self.numbers == "own" else str(self.numbers)

    def may_be(self, other: Student) -> bool:
        """Whether a history with that name on it may be continued as this student's."""
        return self.key == other.key and self.id in ("", other.id)

    def file(self, lesson: str) -> str:
        """The name of their file of a lesson."""
        words = [word for word in (slug(self.name), slug(self.group) if self.group else "", lesson) if word]
        return f"{'.'.join(words)}{SUFFIX}"


@dataclass(frozen=True, slots=True)
class Report:
    """One student's file, read."""

    student: Student
    tries: frozenset[Try]
    intact: bool
    """Whether the seal fits."""
    file: str


class Progress:
    """What has been tried: in this kernel, and by the same student before."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin anew, as another kernel would."""
        self.session = secrets.token_hex(4)
        self.student: Student | None = None
        self.folder = Path()
        self.tries: set[Try] = set()
        self.unnamed: set[Try] = set()  # tried before a name was written, and not kept yet
        self.retest = 0
        self.retests: dict[str, int] = {}
        self.trouble = ""
        self._count = count(1)

    @property
    def seed(self) -> str:
        """What the numbers of exercises are drawn from."""
        return self.student.seed if self.student else ""

    def retest_of(self, question: Entry) -> int:
        """Which numbers of an exercise's family are asked for now."""
        return self.retests.get(question.family, self.retest) if question.family else 0

    def begin(self, student: Student, folder: str | os.PathLike[str] = ".") -> None:
        """Take up the work of a student: what was tried before, and what was tried in this kernel by nobody named."""
        if self.student is not None and self.student.key != student.key:
            kept = self.session, self._count, self.unnamed
            self.forget()
            self.session, self._count, self.unnamed = kept
            self.tries = set(self.unnamed)
        known = self.student.id if self.student else ""
        self.student, self.folder = replace(student, id=known), Path(folder).resolve()
        if not known:
            self._recognise()
        before: set[Try] = set()
        for path in sorted(self.folder.glob(f"*{SUFFIX}")):
            before |= self._own(path)
        self.tries |= before
        if self.tries and not (self.unnamed and (before or self.student.id)):  # may be another's, who is warned now
            self.save()

    def _recognise(self) -> None:
        """Take up the id of the latest history of this name: here, or else beside the notebooks of other lessons."""
        assert self.student is not None
        key, beside = self.student.key, self.folder.parent.glob(_LESSONS) if self.folder.match(_LESSONS) else ()
        for folders in ((self.folder,), beside):
            found = [report for folder in folders for report in _reports(folder) if report.student.key == key]
            if found:
                latest = max(found, key=lambda report: max((each.at for each in report.tries), default=""))
                self.student = replace(self.student, id=latest.student.id)
                return

    def note(self, id: str, retest: int, slip: str, answer: str) -> int:
        """Note one try, and keep it; returns the number of wrong ones with these numbers, 1 or more. The answer of
        before is no new try, for cells are run again and again; nor is any once one was right."""
        mark = hmac.new(_SEAL, f"{id}|{answer}".encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:8]
        before = sorted(each for each in self.tries if (each.exercise, each.retest) == (id, retest))
        if (not before or before[-1].mark != mark) and all(each.slip for each in before):
            new = Try(_now(), self.session, next(self._count), id, retest, slip, mark)
            self.tries.add(new)
            if self.student is None:
                self.unnamed.add(new)
            before.append(new)
            self.save(id.partition(".")[0])
        return max(1, sum(bool(each.slip) for each in before))

    def save(self, lesson: str = "") -> list[Path]:
        """Write the student's files, of one lesson or all, taking in what they hold; a failure is kept in ``trouble``.
        Nothing is written over that cannot be read or is another student's: the file then gets a number."""
        if self.student is None:
            return []
        if self.tries and not self.student.id:
            self._recognise()  # another kernel of theirs may have begun it
            self.student = replace(self.student, id=self.student.id or secrets.token_hex(4))
        self.unnamed = set()
        written, self.trouble = [], ""
        for word in sorted({each.exercise.partition(".")[0] for each in self.tries}):
            if lesson in ("", word):
                mine = {each for each in self.tries if each.exercise.partition(".")[0] == word}
                try:
                    path = self._free(word)
                    write_atomic(path, dumps(self.student, mine | self._own(path)))
                    written.append(path)
                except OSError as error:
                    self.trouble = str(error.strerror or error)
        return written

    def _own(self, path: Path) -> frozenset[Try]:
        """The tries in a file, if it is this student's and intact."""
        try:
            found = read_report(path)
        except DataError:
            return frozenset()
        mine = self.student is not None and found.intact and self.student.may_be(found.student)
        return found.tries if mine else frozenset()

    def _free(self, lesson: str) -> Path:
        assert self.student is not None
        name = self.student.file(lesson)
        for number in count(1):
            path = self.folder / (name if number == 1 else name.replace(SUFFIX, f".{number}{SUFFIX}"))
            if not path.exists() or self._own(path):
                return path
        raise AssertionError


PROGRESS = Progress()


def dumps(student: Student, tries: Iterable[Try]) -> str:
    """The text of a report."""
    body = {
        "navalkit-report": FORMAT, "name": student.name, "group": student.group, "numbers": student.numbers,
        "course": student.course, "id": student.id, "made": _now(),
        "tries": [list(astuple(each)) for each in sorted(tries)]
    }
    return json.dumps(body | {"seal": _seal(body)}, ensure_ascii=False, indent=1) + "\n"


def read_report(path: str | os.PathLike[str]) -> Report:
    """A student's file; DataError if it cannot be read or is no report. A changed one is read, but not ``intact``."""
    path = Path(path)
    try:
        body: dict[str, Any] = taken(path, MAX_BYTES)
        given = str(body.pop("seal", ""))
        if body["navalkit-report"] != FORMAT:
            raise ValueError
        tries = frozenset(map(_try, body["tries"]))
        student = named(body["name"], body["group"], body["numbers"], body.get("course", ""))
        student = replace(student, id=_id(body["id"]))
    except OSError as error:
        raise DataError(SAY("class.unreadable", file=path.name, why=error.strerror or error)) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise DataError(SAY("class.damaged", file=path.name)) from None
    return Report(student, tries, hmac.compare_digest(given.encode(), _seal(body).encode()), writable(path.name))


def _reports(folder: Path) -> Iterator[Report]:
    """The files in a folder that can be read."""
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        with suppress(DataError):
            yield read_report(path)


def named(name: Any, group: Any = "", numbers: Any = "own", course: Any = "") -> Student:
    """A student by what was written; ValueError if there is no name or the numbers are nobody's."""
    texts = [text if seen(text) else "" for text in (one_line(str(each))[:_LONGEST_NAME]
                                                     for each in (name, group, course))]
    whole = isinstance(numbers, int) and not isinstance(numbers, bool)
    if not isinstance(name, str) or not texts[0] or not (whole or numbers in ("own", "lesson")):
        raise ValueError
    return Student(texts[0], texts[1], numbers, course=seen(texts[2]))


def one_line(text: str) -> str:
    """A text without what moves the cursor of a teacher's terminal, turns what stands beside it, cannot be seen or
    cannot be written out."""
    left = (c for c in text if c in _JOINS or unicodedata.category(c) != "Cf")
    return " ".join("".join(" " if unicodedata.category(c) in ("Cc", "Cs") else c for c in left).split())


def seen(text: str) -> str:
    """What a reader sees of a text: two names that look alike on the page are one name."""
    visible = re.sub(f"[{_JOINS}{_SELECTORS}]", "", one_line(text))
    return " ".join(re.sub(f"[{_FILLERS}]", " ", visible).split())


def _id(text: Any) -> str:
    if not isinstance(text, str) or not _ID.fullmatch(text):
        raise ValueError
    return text


def _try(row: Any) -> Try:
    found = Try(*row)
    whole = type(found.number) is int and type(found.retest) is int
    if not whole or not all(isinstance(row[i], str) for i in (0, 1, 3, 5, 6)):
        raise TypeError
    if not ID.fullmatch(found.exercise) or len(found.exercise) > _LONGEST_NAME or not 0 <= found.retest < RETESTS:
        raise ValueError
    return found


def _seal(body: Mapping[str, Any]) -> str:
    text = json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hmac.new(_SEAL, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _key(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", seen(name)).split()).casefold()


def slug(name: str) -> str:
    """A name as part of a file's name, in letters every system takes."""
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40] or hashlib.sha256(_key(name).encode()).hexdigest()[:8]


UNANSWERED, OTHER, TAKEN = "unanswered", "other", "taken"
_UNITS = ("percentage", "fraction", "thousand", "thousandth")
"""Slips of a right number in another unit than the one asked for."""
_WIDGETS = "navalkit.ui.widgets"


class _Short(reprlib.Repr):
    """For telling an answer from the one before, whatever it is."""

    def repr_int(self, x: int, level: int) -> str:
        return hex(x) if x.bit_length() > 999 else super().repr_int(x, level)  # Python refuses to write out more


_SHORT = _Short()
_SHORT.maxtuple = _SHORT.maxlist = _SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 200
_RIGHT, _ASKS, _WRONG = ("#009E73", "✓"), ("#0072B2", "…"), ("#D55E00", "✗")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a check; a notebook shows it as a box.

    Parameters
    ----------
    exercise : str
        Its id.
    right : bool
    slip : str
        What kind of wrong: a slip's name, "unanswered", "unknown", "other", the name of what cannot be read
        ("not_a_number"), or "taken" where only the teacher's machine judges; "" if right.
    text : str
        What the student reads.
    free : bool
        Whether it was no try: nothing was answered, or nothing that can be read as an answer.
    """

    exercise: str
    right: bool
    slip: str
    text: str
    free: bool = False

    def __bool__(self) -> bool:
        return self.right

    def __repr__(self) -> str:
        return self.text

    @to_student
    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """On a page of Voila, where nobody can write into a cell, a box to answer in; else nothing besides the HTML."""
        question = book.everything().get(self.exercise)
        if self.slip != UNANSWERED or not read_only() or question is None:
            return {}
        widgets = import_module(_WIDGETS)  # which a kernel of Jupyter may not have, and nothing else here needs
        return dict(widgets.AnswerBox(question).widget._repr_mimebundle_())

    @to_student
    def _repr_html_(self) -> str:
        colour, sign = _RIGHT if self.right else _ASKS if self.free else _WRONG
        lines = html("<br>").join(self.text.splitlines())
        if self.slip == UNANSWERED and read_only():
            lines += html(' <a href="../index.ipynb" style="text-decoration:underline">{}</a>', SAY("how_to_write"))
        box = f"border-left:6px solid {colour};padding:6px 14px;font-size:16px;line-height:1.5"
        return html('<div role="status" lang="{}" style="{}"><b aria-hidden="true">{}</b> {}</div>',
                    voice().lang, box, sign, lines)


@to_student
def check(exercise_id: str, answer: Any = ...) -> Verdict:
    """Check an answer. Nothing that is answered makes it fail, and no network is asked.

    Parameters
    ----------
    exercise_id : str
        Such as "cards.1".
    answer : object
        What is asked for; left out, ``...`` or None, it is not answered yet.

    Returns
    -------
    Verdict
        True if right. It never holds the answer; after each wrong try it holds the next hint.

    Examples
    --------
    >>> check("cards.2", 12.2).slip
    'percentage'
    """
    try:
        return _checked(str(exercise_id), answer)
    except (Exception, SystemExit):  # an answer may be any object, which may do anything when it is looked at
        return Verdict("", False, "unreadable", SAY("unreadable"))


def _checked(id: str, answer: Any) -> Verdict:
    plain = book.everything().get(id)
    if plain is None:
        return Verdict(id, False, "unknown", unknown(id))
    retest = PROGRESS.retest_of(plain)
    try:
        question = book.opened(plain, PROGRESS.seed, retest)
        slip, say, mine = judge(question, answer)
    except DataError:
        return Verdict(id, False, "broken", SAY("broken", id=id))
    if slip in (UNANSWERED, TAKEN):
        return Verdict(id, False, slip, say, True)
    if is_typed_badly(question, slip):
        return Verdict(id, False, slip, f"{say} {SAY('no_try')}", True)
    wrong_tries = PROGRESS.note(id, retest, slip, _SHORT.repr(mine))
    unkept = f"\n{SAY('not_kept', trouble=PROGRESS.trouble)}" if PROGRESS.trouble else ""
    if not slip:
        return Verdict(id, True, "", " ".join(filter(None, (SAY("right"), question.after))) + unkept)
    wrong = " ".join(filter(None, (SAY("wrong"), say)))
    return Verdict(id, False, slip, f"{wrong}\n{_hint(question, wrong_tries)}{unkept}")


def unknown(id: str) -> str:
    """The sentence on an id that no exercise has."""
    everything = book.everything()
    near = get_close_matches(id[:40], everything, 1, 0) or [next(iter(everything))]
    return SAY("unknown", id=brief(id), near=near[0])


def judge(question: Exercise, answer: Any) -> tuple[str, str, Any]:
    """The slip ("" if right), the sentence on it, and the answer as far as it could be read; DataError if the exercise
    itself cannot be worked out."""
    if _is_blank(answer):
        return UNANSWERED, SAY("read_only" if read_only() else "unanswered"), answer
    try:
        mine = question.kind.read(answer)
    except Misread as error:
        return error.slip, str(error), answer
    if _is_blank(mine):
        return UNANSWERED, SAY("unanswered"), mine
    if question.reference is None:
        return TAKEN, SAY("taken"), mine
    if question.reference.right(mine):
        return "", "", mine
    for mistake in question.mistakes:
        if mistake.made(mine):
            return mistake.slip, mistake.say, mine
    for name, undo in question.kind.slips.items():
        if question.reference.right(undo(mine)):
            return name, "" if question.kind.tells(name, mine) else SAY(name), mine
    return OTHER, question.reference.remark(mine), mine


def is_typed_badly(question: Exercise, slip: str) -> bool:
    """Whether a slip says that what was answered cannot be read as an answer, or has another unit than the one asked
    for: it is no try, and costs no hint."""
    return slip in MISREAD or slip in _UNITS and slip in question.kind.slips


def _is_blank(answer: Any) -> bool:
    """Whether an answer, or part of it, is still to be written."""
    parts = answer if isinstance(answer, list | tuple) and answer else [answer]
    return any(part is None or part is ... for part in parts)  # no ==, which arrays understand in ways of their own


def _hint(question: Exercise, number: int) -> str:
    of = len(question.hints)
    if number > of:
        return SAY("no_more_hints")
    return SAY("hint", number=number, of=of, hint=question.hints[number - 1])
