"""The class table: from the files of all students to one CSV."""

from __future__ import annotations
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from navalkit.core.errors import DataError
from navalkit.core.files import write_atomic
from . import students as copies
from .checking import MOST_RETESTS, Report, Student, Tried, Try, summed_up
from .exercises import book
from .papers import checked, source, writable
from .say import SAY

S = TypeVar("S")
T = TypeVar("T")
_MOST_NAMED = 5
"""Exercises that are not known and are named in a note."""


@dataclass(frozen=True, slots=True)
class Handed:
    """All that one student handed in."""

    name: str
    group: str
    id: str
    """Of their history."""
    tried: Mapping[str, Tried]
    """How each exercise went with the numbers that are marked: the student's first, or those of one retest."""
    retests: Mapping[str, Mapping[int, Tried]]
    """How it went with other numbers: exercise -> retest."""
    intact: bool
    """Whether no file was changed by hand."""
    note: str
    """What the teacher should look at, or ""."""
    files: tuple[str, ...]
    student: Student
    """Who it is, and whose numbers they had."""
    tries: frozenset[Try]
    """Of exercises that are known here: a file may hold any others, which nobody set."""

    @property
    def retests_alone(self) -> set[str]:
        """The exercises answered with other numbers, and never with those that are marked."""
        return {*self.retests} - {*self.tried}

    def noted(self, notes: Mapping[str, str]) -> Handed:
        """The same with what there is to say of its files, by their names."""
        more = [f"{file}: {notes[file]}" for file in self.files if file in notes]
        return replace(self, note="; ".join(filter(None, (self.note, *more))))


def read_all(paths: Iterable[Path], read: Callable[[Path], T]) -> tuple[list[T], list[str]]:
    """What can be read of some files, and a sentence on each that cannot."""
    return outcomes(paths, read, lambda path: path.name)


def outcomes(some: Iterable[S], do: Callable[[S], T], name: Callable[[S], str]) -> tuple[list[T], list[str]]:
    """What comes of each of what was handed in, and a sentence on each that fails, whatever is in it: nothing stops the
    others. ``name``: what a sentence calls it."""
    found, failed = [], []
    for each in some:
        try:
            found.append(do(each))
        except DataError as error:
            failed.append(writable(str(error)))
        except Exception as error:  # what nobody thought of; its type is told, for it may be a fault of ours
            failed.append(writable(SAY("class.failed", file=name(each), why=type(error).__name__)))
    return found, failed


def students(reports: Iterable[Report], join: bool = False, course: str = "", retest: int = 0) -> list[Handed]:
    """Reports by student, in the order of names and groups.

    Files of one name and group are one student's if they have one id. Notebooks, which have none, are if they fit: one
    holds all that the other holds of an exercise that both tried. Else they may be two students of one name, and are
    kept apart.

    ``join``: whether to take one name and group for one student all the same. ``course``: whose numbers they should
    have; a report with others gets a note. ``retest``: the one that is marked; 0 marks the first numbers.
    """
    desks: dict[tuple[str, str], list[list[Report]]] = {}
    for report in sorted(reports, key=lambda report: (report.student.key, -len(report.tries), report.file)):
        own = desks.setdefault(report.student.key, [])
        desk = next((desk for desk in own if join or all(_fit(report, other) for other in desk)), None)
        if desk is None:
            own.append([report])
        else:
            desk.append(report)
    return [_handed(desk, number, len(own), course, retest, join)
            for own in desks.values() for number, desk in enumerate(own, 1)]


def _fit(a: Report, b: Report) -> bool:
    """Whether two files may well be one student's."""
    if a.student.id:
        return a.student.id == b.student.id
    for id in {each.exercise for each in a.tries} & {each.exercise for each in b.tries}:
        mine, other = ({each for each in report.tries if each.exercise == id} for report in (a, b))
        if not (mine <= other or other <= mine):
            return False
    return True


def _handed(desk: Sequence[Report], number: int, of: int, course: str, retest: int, join: bool) -> Handed:
    student = desk[0].student
    changed = [report.file for report in desk if not report.intact]
    notes = [SAY("class.changed", files=", ".join(changed))] if changed else []
    notes += [SAY("class.same_name", n=of)] if of > 1 else []
    apart = sum(bool(report.tries) and not report.student.id for report in desk)
    notes += [SAY("class.put_together", n=apart)] if apart > 1 and not join else []
    other = [r for r in desk if course and (r.student.numbers, r.student.course) != ("own", course)]
    notes += [SAY("class.other_course", files=", ".join(report.file for report in other))] if other else []
    known = book.everything()
    given = frozenset[Try]().union(*(report.tries for report in desk))
    tries = frozenset(each for each in given if each.exercise in known)
    foreign = sorted({each.exercise for each in given - tries})
    if foreign:
        some = ", ".join(foreign[:_MOST_NAMED]) + (", ..." if len(foreign) > _MOST_NAMED else "")
        notes.append(SAY("class.not_known", n=len(foreign), ids=some))
    written = min(report.student.name for report in desk)
    name = written if of == 1 else f"{written} ({number})"
    id = next((report.student.id for report in desk if report.student.id), "")
    files = tuple(report.file for report in desk)
    tried, retests = _apart(tries, retest)
    mine = Handed(name, student.group, id, tried, retests, not changed, "", files, student, tries)
    if alone := mine.retests_alone:
        key = "class.not_retest" if retest else "class.retests_alone"
        notes.append(SAY(key, retest=retest, ids=", ".join(id for id in ids([mine]) if id in alone)))
    return replace(mine, note="; ".join(notes))


def _apart(tries: Iterable[Try], retest: int) -> tuple[dict[str, Tried], dict[str, dict[int, Tried]]]:
    """How exercises went with the numbers that are marked, and with others by their retests: a student who may choose
    the retest can find a neighbour's numbers, or some to which any answer is right. Without a family there is but one
    set of numbers."""
    known = book.everything()
    rounds: dict[int, set[Try]] = {}
    for each in tries:
        rounds.setdefault(each.retest, set()).add(each)
    marked: dict[str, Tried] = {}
    others: dict[str, dict[int, Tried]] = {}
    for number in sorted(rounds):
        for id, tried in summed_up(rounds[number]).items():
            if number == (retest if known[id].family else 0):
                marked[id] = tried
            else:
                others.setdefault(id, {})[number] = tried
    return marked, others


def class_table(handed: Sequence[Handed], damaged: Iterable[str] = ()) -> list[dict[str, Any]]:
    """One row a student, and one for each file that cannot be read.

    Returns ``name``, ``group``, ``id`` of the history, ``right`` and ``tried`` (how many exercises, with the numbers
    that are marked), ``retests`` (how many with other numbers came out right), ``which_retests`` (of which exercise,
    how many of them), ``intact`` ("no" if a file was changed by hand), ``note``, ``files``; then for every exercise
    that anybody tried "right" or "wrong" under its id, and "<id> tries".
    """
    order, rows = ids(handed), []
    for mine in handed:
        row: dict[str, Any] = {
            "name": mine.name, "group": mine.group, "id": mine.id,
            "right": sum(each.right > 0 for each in mine.tried.values()), "tried": len(mine.tried),
            "retests": sum(_right(rounds) for rounds in mine.retests.values()),
            "which_retests": "; ".join(_told(id, mine.retests[id]) for id in order if id in mine.retests),
            "intact": "yes" if mine.intact else "no", "note": mine.note, "files": " ".join(mine.files)
        }
        for id in order:
            tried = mine.tried.get(id)
            row[id] = ("right" if tried.right else "wrong") if tried else ""
            row[f"{id} tries"] = tried.tries if tried else ""
        rows.append(row)
    empty = dict.fromkeys(rows[0] if rows else ("name", "intact", "note"), "")
    return rows + [empty | {"intact": "no", "note": sentence} for sentence in damaged]


def exercise_table(handed: Sequence[Handed]) -> list[dict[str, Any]]:
    """One row an exercise: what went wrong in this class, and for whom. Returns ``exercise``, ``title``, ``students``
    who tried it with the numbers that are marked, ``right`` of them, ``tries`` on average, ``slips`` (the kinds of
    wrong with their number, the most frequent first, retests included), ``changed`` (who changed a file by hand),
    ``who_right`` and ``who_not_yet``; ``retests`` with other numbers (how many, and how many right), and
    ``who_retests_alone``, who answered none but these."""
    known = book.everything()
    rows = []
    for id in ids(handed):
        tried = [(mine, mine.tried[id]) for mine in handed if id in mine.tried]
        again = [rounds for mine in handed for rounds in mine.retests.get(id, {}).values()]
        slips = Counter(slip for each in (*(each for _, each in tried), *again) for slip in each.slips)
        retests = SAY("class.retests", right=sum(bool(each.right) for each in again), n=len(again)) if again else ""
        rows.append(
            {
                "exercise": id,
                "title": known[id].title,
                "students": len(tried),
                "right": sum(each.right > 0 for _, each in tried),
                "tries": round(sum(each.tries for _, each in tried) / len(tried), 1) if tried else "",
                "slips": "; ".join(f"{slip} {n}" for slip, n in slips.most_common()),
                "changed": _names(mine for mine in handed if not mine.intact and id in {*mine.tried, *mine.retests}),
                "who_right": _names(mine for mine, each in tried if each.right),
                "who_not_yet": _names(mine for mine, each in tried if not each.right),
                "retests": retests,
                "who_retests_alone": _names(mine for mine in handed if id in mine.retests_alone),
            }
        )
    return rows


def _right(rounds: Mapping[int, Tried]) -> int:
    return sum(bool(each.right) for each in rounds.values())


def _told(id: str, rounds: Mapping[int, Tried]) -> str:
    """How the retests of an exercise went: "cards.1: 1 of 2 right (1, 2)"."""
    which = ", ".join(map(str, sorted(rounds)[:MOST_RETESTS])) + (", ..." if len(rounds) > MOST_RETESTS else "")
    return SAY("class.which_retests", id=id, right=_right(rounds), n=len(rounds), which=which)


def _names(some: Iterable[Handed]) -> str:
    return "; ".join(f"{mine.name} {mine.group}".strip() for mine in some)


def ids(handed: Sequence[Handed]) -> list[str]:
    """The exercises tried, in the order of the lessons."""
    tried = {each.exercise for mine in handed for each in mine.tries}
    return [id for id in book.everything() if id in tried]


# -- Lessons as assignments of nbgrader or Otter, for a teacher who grades with one of these tools -
# For nbgrader its *source* is written, with the solutions in it: nbgrader itself takes them out for copies. For Otter
# the students' copy is written, and beside it Otter's tests, one an exercise.

SCHEMA = 3
_CHECKED = re.compile(r'^check\("([^"]+)", (.+)\)$', re.MULTILINE)
_BEGIN, _END = "### BEGIN SOLUTION", "### END SOLUTION"


def for_nbgrader(lesson: copies.Notebook) -> copies.Notebook:
    """A lesson as nbgrader's source: each solution between its marks, each check a test worth one point."""
    copy = copies.copy(lesson)
    cells = [_cell(*pair) for pair in zip(lesson["cells"], copy["cells"], strict=True)]
    return copy | {"cells": cells}


def for_otter(lesson: copies.Notebook) -> dict[str, str]:
    """Otter's tests of a lesson, each worth one point: name of the file -> its text."""
    found = {}
    for cell in lesson["cells"]:
        for id, answer in _CHECKED.findall(source(cell)):
            case = {"code": f">>> bool(check({id!r}, {answer}))\nTrue", "hidden": True, "locked": False}
            suite = {"cases": [case], "scored": True, "setup": "", "teardown": "", "type": "doctest"}
            name = id.replace(".", "_")
            found[f"{name}.py"] = f"OK_FORMAT = True\n\ntest = {dict(name=name, points=1, suites=[suite])!r}\n"
    return found


def write_otter(folder: Path, to: Path) -> list[Path]:
    """Write all lessons under a folder for Otter: ``to``/LESSON/student.ipynb, and its tests in ``tests`` beside it."""
    written = []
    for lesson in copies.lessons(folder):
        written.append(copies.make(lesson, to / lesson.name))
        for name, text in for_otter(copies.read(lesson / copies.SOURCE)).items():
            path = to / lesson.name / "tests" / name
            path.parent.mkdir(exist_ok=True)
            write_atomic(path, text)
            written.append(path)
    return written


def write(folder: Path, to: Path) -> list[Path]:
    """Write all lessons under a folder as nbgrader's sources, ``to``/LESSON/lesson.ipynb; returns their paths."""
    written = []
    for lesson in copies.lessons(folder):
        path = to / lesson.name / copies.SOURCE
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, copies.text(for_nbgrader(copies.read(lesson / copies.SOURCE))))
        written.append(path)
    return written


def _cell(ours: dict[str, Any], theirs: dict[str, Any]) -> dict[str, Any]:
    ids = checked([theirs])
    code = theirs["cell_type"] == "code"
    if copies.is_solution(ours):
        stub = source(theirs).partition("  #")[0].rstrip()
        words = f"{stub}\n{_BEGIN}\n{source(ours)}\n{_END}" if code else source(ours)
        return _marked(theirs, words, solution=True, grade=not code)
    if ids:
        lines = [f"verdict = {line}\nassert verdict, verdict" if line.startswith("check(") else line
                 for line in source(theirs).splitlines()]
        return _marked(theirs, "\n".join(lines), solution=False, grade=True)
    return theirs


def _marked(cell: dict[str, Any], words: str, *, solution: bool, grade: bool) -> dict[str, Any]:
    mark: dict[str, Any] = {"schema_version": SCHEMA, "grade_id": cell["id"], "solution": solution, "grade": grade,
                            "locked": not solution, "task": False}
    mark |= {"points": 1} if grade else {}
    return cell | {"source": words.splitlines(keepends=True), "metadata": cell["metadata"] | {"nbgrader": mark}}
