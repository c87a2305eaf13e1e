"""Lessons as assignments of nbgrader, for a teacher who grades with that tool.

What is written is nbgrader's *source*, with the solutions in it: nbgrader itself takes them out for students.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from navalkit.core.match import write_atomic

from ..papers import students
from ..papers.cuts import checked, source

SCHEMA = 3
_BEGIN, _END = "### BEGIN SOLUTION", "### END SOLUTION"


def for_nbgrader(lesson: students.Notebook) -> students.Notebook:
    """A lesson as nbgrader's source: each solution between its marks, each check a test worth one point."""
    copy = students.copy(lesson)
    cells = [_cell(*pair) for pair in zip(lesson["cells"], copy["cells"], strict=True)]
    return copy | {"cells": cells}


def write(folder: Path, to: Path) -> list[Path]:
    """Write all lessons under a folder as nbgrader's sources, ``to``/LESSON/lesson.ipynb; returns their paths."""
    written = []
    for lesson in students.lessons(folder):
        path = to / lesson.name / students.SOURCE
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, students.text(for_nbgrader(students.read(lesson / students.SOURCE))))
        written.append(path)
    return written


def _cell(ours: dict[str, Any], theirs: dict[str, Any]) -> dict[str, Any]:
    ids = checked([theirs])
    code = theirs["cell_type"] == "code"
    if students.is_solution(ours):
        stub = source(theirs).partition("  #")[0].rstrip()
        words = f"{stub}\n{_BEGIN}\n{source(ours)}\n{_END}" if code else source(ours)
        return _marked(theirs, words, solution=True, grade=not code)
    if ids:
        lines = [
            f"verdict = {line}\nassert verdict, verdict" if line.startswith("check(") else line
            for line in source(theirs).splitlines()
        ]
        return _marked(theirs, "\n".join(lines), solution=False, grade=True)
    return theirs


def _marked(cell: dict[str, Any], words: str, *, solution: bool, grade: bool) -> dict[str, Any]:
    mark: dict[str, Any] = {"schema_version": SCHEMA, "grade_id": cell["id"], "solution": solution, "grade": grade,
                            "locked": not solution, "task": False}  # fmt: skip
    mark |= {"points": 1} if grade else {}
    return cell | {"source": words.splitlines(keepends=True), "metadata": cell["metadata"] | {"nbgrader": mark}}
