"""Students for the tests of lessons: right answers, restarted kernels, files handed in."""

from __future__ import annotations
import csv
from pathlib import Path

from navalkit.teach import begin, report
from navalkit.teach.checking import PROGRESS, check
from navalkit.teach.exercises import book
from navalkit.teach.exercises.exercise import Function, Sealed

SHIPPED = book.shipped()
FAMILIES = [id for id, question in SHIPPED.items() if question.family]


def answer_of(question: object) -> object:
    """A right answer to an exercise; one that is kept as a hash is found by trying."""
    if isinstance(question.reference, Sealed):
        some = getattr(question.kind, "choices", range(1914, 1919))
        return next(answer for answer in some if question.reference.right(question.kind.read(answer)))
    right = question.reference.value
    if isinstance(question.kind, Function):
        table = dict(zip(question.kind.cases, right, strict=True))
        return lambda *case: table[case]
    return right


def restart(name: str = "Ada", group: str = "", folder: Path | str = ".", numbers: str | int = "lesson") -> str:
    """Another kernel, in which the first cell is run."""
    PROGRESS.forget()
    return begin(name, group, numbers, folder).text


def student(folder: Path, name: str, *answers: tuple[str, object], group: str = "") -> Path:
    """One student's file."""
    PROGRESS.forget()
    for id, answer in answers:
        check(id, answer)
    folder.mkdir(exist_ok=True)
    return report(name, group, folder).files[0]


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))
