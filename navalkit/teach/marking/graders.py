"""Lessons as assignments of nbgrader or Otter, for a teacher who grades with one of these tools.

For nbgrader its *source* is written, with the solutions in it: nbgrader itself takes them out for copies. For Otter
the students' copy is written, and beside it Otter's tests, one an exercise.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from navalkit.core.files.atomic import write_atomic

from ..papers import students as copies
from ..papers.cuts import checked, source

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
