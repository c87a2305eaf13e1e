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
from .checking import Report, Student, Tried, Try, summed_up
from .exercises import book
from .papers import checked, source
from .say import SAY

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Handed:
    """All that one student handed in."""

    name: str
    group: str
    id: str
    """Of their history."""
    tried: Mapping[str, Tried]
    intact: bool
    """Whether no file was changed by hand."""
    note: str
    """What the teacher should look at, or ""."""
    files: tuple[str, ...]
    student: Student
    """Who it is, and whose numbers they had."""
    tries: frozenset[Try]

    def noted(self, notes: Mapping[str, str]) -> Handed:
        """The same with what there is to say of its files, by their names."""
        more = [f"{file}: {notes[file]}" for file in self.files if file in notes]
        return replace(self, note="; ".join(filter(None, (self.note, *more))))


def read_all(paths: Iterable[Path], read: Callable[[Path], T]) -> tuple[list[T], list[str]]:
    """What can be read of some files, and a sentence on each that cannot."""
    found, damaged = [], []
    for path in paths:
        try:
            found.append(read(path))
        except DataError as error:
            damaged.append(str(error))
    return found, damaged


def students(reports: Iterable[Report], join: bool = False, course: str = "") -> list[Handed]:
    """Reports by student, in the order of names and groups.

    Files of one name and group are one student's if they have one id. Notebooks, which have none, are if they fit: one
    holds all that the other holds of an exercise that both tried. Else they may be two students of one name, and are
    kept apart.

    ``join``: whether to take one name and group for one student all the same. ``course``: whose numbers they should
    have; a report with others gets a note.
    """
    desks: dict[tuple[str, str], list[list[Report]]] = {}
    for report in sorted(reports, key=lambda report: (report.student.key, -len(report.tries), report.file)):
        own = desks.setdefault(report.student.key, [])
        desk = next((desk for desk in own if join or all(_fit(report, other) for other in desk)), None)
        if desk is None:
            own.append([report])
        else:
            desk.append(report)
    return [_handed(desk, number, len(own), course) for own in desks.values() for number, desk in enumerate(own, 1)]


def _fit(a: Report, b: Report) -> bool:
    """Whether two files may well be one student's."""
    if a.student.id:
        return a.student.id == b.student.id
    for id in {each.exercise for each in a.tries} & {each.exercise for each in b.tries}:
        mine, other = ({each for each in report.tries if each.exercise == id} for report in (a, b))
        if not (mine <= other or other <= mine):
            return False
    return True


def _handed(desk: Sequence[Report], number: int, of: int, course: str) -> Handed:
    student = desk[0].student
    changed = [report.file for report in desk if not report.intact]
    notes = [SAY("class.changed", files=", ".join(changed))] if changed else []
    notes += [SAY("class.same_name", n=of)] if of > 1 else []
    other = [r for r in desk if course and (r.student.numbers, r.student.course) != ("own", course)]
    notes += [SAY("class.other_course", files=", ".join(report.file for report in other))] if other else []
    tries = frozenset[Try]().union(*(report.tries for report in desk))
    written = min(report.student.name for report in desk)
    name = written if of == 1 else f"{written} ({number})"
    id = next((report.student.id for report in desk if report.student.id), "")
    files = tuple(report.file for report in desk)
    return Handed(name, student.group, id, summed_up(tries), not changed, "; ".join(notes), files,
                  student, tries)


def class_table(handed: Sequence[Handed], damaged: Iterable[str] = ()) -> list[dict[str, Any]]:
    """One row a student, and one for each file that cannot be read.

    Returns ``name``, ``group``, ``id`` of the history, ``right`` and ``tried`` (how many exercises), ``retests`` that
    came out right, ``intact`` ("no" if a file was changed by hand), ``note``, ``files``; then for every exercise that
    anybody tried "right" or "wrong" under its id, and "<id> tries".
    """
    order, rows = ids(handed), []
    for mine in handed:
        row: dict[str, Any] = {
            "name": mine.name, "group": mine.group, "id": mine.id,
            "right": sum(each.right > 0 for each in mine.tried.values()), "tried": len(mine.tried),
            "retests": sum(max(0, each.right - 1) for each in mine.tried.values()),
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
    who tried, ``right`` of them, ``tries`` on average, ``slips`` (the kinds of wrong with their number, the most
    frequent first), ``changed`` (who of them changed a file by hand), ``who_right`` and ``who_not_yet``."""
    known = book.everything()
    rows = []
    for id in ids(handed):
        tried = [(mine, mine.tried[id]) for mine in handed if id in mine.tried]
        slips = Counter(slip for _, each in tried for slip in each.slips)
        rows.append(
            {
                "exercise": id,
                "title": known[id].title if id in known else "",
                "students": len(tried),
                "right": sum(each.right > 0 for _, each in tried),
                "tries": round(sum(each.tries for _, each in tried) / len(tried), 1),
                "slips": "; ".join(f"{slip} {n}" for slip, n in slips.most_common()),
                "changed": _names(mine for mine, _ in tried if not mine.intact),
                "who_right": _names(mine for mine, each in tried if each.right),
                "who_not_yet": _names(mine for mine, each in tried if not each.right),
            }
        )
    return rows


def _names(some: Iterable[Handed]) -> str:
    return "; ".join(f"{mine.name} {mine.group}".strip() for mine in some)


def ids(handed: Sequence[Handed]) -> list[str]:
    """The exercises tried, in the order of the lessons, unknown ones last."""
    order = {id: number for number, id in enumerate(book.everything())}
    return sorted({id for each in handed for id in each.tried}, key=lambda id: (order.get(id, len(order)), id))


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
