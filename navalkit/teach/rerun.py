"""Students' notebooks run again on the teacher's machine, where the formulas are.

A notebook runs in a brig (`navalkit.teach.brig`), with the questions and no answer of yours. It hands over nothing but
what its student answered; whether that is right is found out here.
"""

from __future__ import annotations
import ast
import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from time import monotonic
from typing import Any

from navalkit.core.errors import brief
from . import brig, checking, lesson as lesson_names, students
from .checking import (
    MOST_RETESTS,
    PROGRESS,
    RETESTS,
    UNANSWERED,
    Report,
    Student,
    Try,
    Verdict,
    is_typed_badly,
    judge,
    named,
    one_line,
)
from .exercises import book
from .exercises.exercise import Function
from .exercises.formula import Misread
from .papers import loads, source, writable
from .say import SAY

SECONDS = 60
LARGEST = 5_000
"""Characters of an answer: what is larger is none, and nobody knows how long it would be looked at."""
BEGINNING = 40
"""Characters of a cell's first line, by which a teacher and a student find it."""
JUDGING = 15
"""Seconds for the answers of a notebook, after those for the notebook itself."""


@dataclass(frozen=True, slots=True)
class Work:
    """What one notebook gave."""

    report: Report
    """Each exercise tried once with each set of numbers: with the last answer given to it."""
    texts: Mapping[str, str]
    """Answers in words, by the heading of their question."""
    note: str
    """What stopped, or ""."""


def rerun(path: Path, seconds: float = SECONDS, course: str = "", retest: int = 0) -> Work:
    """Run a student's notebook and judge its answers. ``seconds``: how long it may take; its answers have `JUDGING`
    more. ``course``: whose numbers they must be, whatever the notebook says; "" goes by the notebook. ``retest``: the
    one that is marked. DataError if the file is no notebook."""
    until = monotonic() + seconds + JUDGING
    notebook = students.read(path)
    found, notes = _run(notebook, brig.Limits(seconds))
    try:
        student = named(found.get("name"), found.get("group", ""), found.get("numbers", "own"), found.get("course", ""))
    except ValueError:
        student = Student(one_line(" ".join(path.with_suffix("").parts[-2:])), numbers="own" if course else "lesson")
        notes.append(SAY("class.no_name"))
    if course:
        other = "name" in found and (student.numbers, student.course) != ("own", course)
        notes += [SAY("class.other_numbers")] if other else []
        student = replace(student, numbers="own", course=course)
    answers, left = _sensible(found.get("answers", []), retest)
    file = writable("/".join(path.parts[-2:]))
    tries: set[Try] = set()
    unread: list[str] = []
    for number, ((id, set_), answer) in enumerate(answers.items()):
        if monotonic() > until:
            left += len(answers) - number
            break
        opened = book.opened(book.everything()[id], student.seed, set_)
        large = len(json.dumps(answer)) > LARGEST
        slip = "" if large else judge(opened, _revived(opened.kind, answer))[0]
        if large or is_typed_badly(opened, slip):
            unread.append(id)
        elif slip != UNANSWERED:  # the file stands for its session, so that notebooks of one name are kept apart
            tries.add(Try("", file, number, id, set_, slip, ""))
    notes += [SAY("class.unread", ids=", ".join(dict.fromkeys(unread)))] if unread else []
    notes += [SAY("class.not_judged", n=left)] if left else []
    report = Report(student, frozenset(tries), True, file)
    return Work(report, students.texts(notebook), "; ".join(notes))


def _sensible(rows: list[list[Any]], retest: int) -> tuple[dict[tuple[str, int], Any], int]:
    """The last answer to each exercise and set of numbers, those that are marked first, and of how many nobody will
    know: of one exercise a few sets are judged, for a notebook may go through all of them."""
    known = book.everything()
    last = {(id, number): answer for id, number, answer in rows if isinstance(id, str) and type(number) is int
            and id in known and 0 <= number < (RETESTS if known[id].family else 1)}
    found: dict[tuple[str, int], Any] = {}
    sets = Counter[str]()
    for id, number in sorted(last, key=lambda key: (key[1] != retest, key[1])):
        sets[id] += 1
        if sets[id] <= MOST_RETESTS:
            found[id, number] = last[id, number]
    return found, len(last) - len(found)


def _revived(kind: Any, answer: Any) -> Any:
    """An answer as a notebook handed it over; a function is what it gave in every case."""
    if not isinstance(kind, Function) or not isinstance(answer, list) or len(answer) != len(kind.cases):
        return answer
    table = dict(zip(kind.cases, answer, strict=True))
    return lambda *case: table[case]


def _run(notebook: students.Notebook, limits: brig.Limits) -> tuple[dict[str, Any], list[str]]:
    """What a notebook handed over, as far as it has the form of that, and what the teacher should know."""
    given = {"notebook": notebook, "own": [each.question() for each in book.own().values()]}
    ended = brig.run(__name__, json.dumps(given).encode(), limits)
    notes = [] if ended.in_time else [SAY("class.stopped", seconds=limits.seconds)]
    notes += [SAY("class.too_much")] if len(ended.told) >= limits.told else []
    found: dict[str, Any] = {}
    rows: list[list[Any]] = []
    for line in ended.told.splitlines():
        try:
            told = loads(line)
            answers = told.pop("answers")
            if not all(isinstance(row, list) and len(row) == 3 for row in answers):
                raise ValueError
        except (ValueError, AttributeError, KeyError, TypeError):
            continue
        rows += answers
        found |= told
    if not ended.told:
        return {}, notes or [SAY("class.not_run")]
    found["answers"] = rows
    notes += [SAY("class.ended_early")] if not notes and not found.get("ended") else []
    error = one_line(str(found.get("error", "")))[:200]
    return found, notes + ([error] if error else [])


# -- in the notebook's own process -------------------------------------------------------------------

def main() -> None:
    """Run the cells of a notebook, and hand over its answers after each: what is told when time is up counts."""
    text, out = brig.settle()
    given = json.loads(text)
    book.take(given["own"])
    answers: list[tuple[str, int, Any]] = []

    def note(exercise_id: str, answer: Any = ...) -> Verdict:
        question = book.everything().get(str(exercise_id))
        if question is not None:
            retest = PROGRESS.retest_of(question)
            answers.append((question.id, retest, _plain(question.drawn(PROGRESS.seed, retest).kind, answer)))
        return Verdict(str(exercise_id), False, "", "")

    import navalkit.teach as teach

    for module in (teach, checking, lesson_names):
        module.check = note  # type: ignore[attr-defined]
    for module in (teach, lesson_names):
        module.report = lambda *_, **__: None  # type: ignore[attr-defined]
    for module in (teach, lesson_names):
        module.use = lambda _: ()  # type: ignore[attr-defined]
    names: dict[str, Any] = {"__name__": "__main__", "display": lambda *_, **__: None}  # IPython's own, never imported
    error = ""
    for cell in given["notebook"]["cells"]:
        if cell["cell_type"] == "code":
            try:
                exec(compile(_python(source(cell)), str(cell["id"]), "exec"), names)
            except BaseException as wrong:
                first = next((line.strip() for line in source(cell).splitlines() if line.strip()), "")
                why = f"{type(wrong).__name__}: {wrong}"
                error = error or SAY("class.cell", cell=brief(first[:BEGINNING]), why=why)[:200]
            student = PROGRESS.student
            body: dict[str, Any] = {"answers": answers, "error": error}
            if student:
                body |= {"name": student.name, "group": student.group, "numbers": student.numbers,
                         "course": student.course}
            out.write(json.dumps(body).encode() + b"\n")
            answers.clear()
    out.write(b'{"answers": [], "ended": true}\n')


_IPYTHON = re.compile(r"(\s*)(?:([^\W\d]\w*\s*=)\s*)?(?:[%!].*|\?\??[\w.*]*|[\w.*]+\?\??)\s*")
"""A line of magic, a command of the system or a call for help, perhaps with a name for what it gives."""


def _python(text: str) -> ast.Module:
    """A cell as Python. What only a notebook understands becomes None, line by line where Python stumbles over it: a
    line that begins with "%" may also stand in a text or in brackets. SyntaxError if it is no Python all the same."""
    lines = re.split("\r\n?|\n", text)
    while True:
        try:
            return ast.parse("\n".join(lines))
        except SyntaxError as error:
            at = (error.lineno or 0) - 1
            found = _IPYTHON.fullmatch(lines[at]) if 0 <= at < len(lines) else None
            if found is None:
                raise
            indent, name = found.groups()
            lines[at] = f"{indent}{name} None" if name else f"{indent}pass" if indent else "None"


def _plain(kind: Any, answer: Any) -> Any:
    """An answer as JSON holds it: texts of numbers, lists of texts, or None where there is none."""
    if isinstance(answer, str) and len(answer) > LARGEST:
        return answer[: LARGEST + 1]
    try:
        if answer is None or answer is ...:
            return None
        read: Any = kind.read(answer)
    except Misread:
        return _text(answer)
    return [_text(each) for each in read] if isinstance(read, list | tuple) else _text(read)


def _text(each: Any) -> str | None:
    if each is None or each is ...:
        return None
    return str(each) if isinstance(each, int | Fraction | str) else repr(each)[:200]


if __name__ == "__main__":
    main()
