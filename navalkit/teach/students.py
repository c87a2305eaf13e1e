"""Students' copies of lessons: the same notebook, with a place to work where the source has a solution.

In the source a solution stands in cells tagged "solution". A code cell becomes one that keeps only the names which
later cells need, each with three dots for its value; text becomes "write here". Outputs are left out. `hand_out` puts
the copies in a folder of their own, with nothing beside them that only a teacher should have.
"""

from __future__ import annotations
import ast
import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from importlib.metadata import version
from pathlib import Path
from typing import Any

from navalkit.core.errors import DataError
from navalkit.core.files import write_atomic
from .papers import cut, source, tags, taken
from .say import SAY

SOURCE, COPY, INDEX = "lesson.ipynb", "student.ipynb", "index.ipynb"
SOLUTION, TEACHER, WORDS, NBVAL = "solution", "teacher", "answer-in-words", "nbval-check-output"
BEGIN = "begin(my_name)"
MAX_BYTES = 50_000_000
YOUR_TURN = f"# {SAY('copy.your_turn')}"
WRITE_HERE = SAY("copy.write_here")

Notebook = dict[str, Any]


def lessons(folder: Path) -> list[Path]:
    """The folders of lessons under a folder (or it alone, if it is one), in order; DataError if there is none."""
    found = [folder] if (folder / SOURCE).is_file() else sorted(file.parent for file in folder.glob(f"*/{SOURCE}"))
    if not found:
        raise DataError(SAY("copy.no_lesson", folder=folder, file=SOURCE))
    return found


def make(lesson: Path, to: Path | None = None) -> Path:
    """Write the students' copy of a lesson, beside it or into another folder; returns its path."""
    path = (to or lesson) / COPY
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, text(copy(read(lesson / SOURCE))))
    return path


def hand_out(folder: Path, to: Path, index: Path | None = None, numbers: str = "own", minutes: int = 0,
             course: str = "") -> list[Path]:
    """Write the students' copies of all lessons under a folder to another one, each in a folder of its lesson's name.

    Beside them go what Binder and pip need to install navalkit, and the list of lessons, if there is one, without the
    cells tagged "teacher": the folder is a whole repository for Binder or for nbgitpuller.

    ``index``: the notebook with the list. ``numbers``: what `begin` is given in every copy: "own", "lesson" or a whole
    number. ``minutes``: a cut of `navalkit.teach.papers.cut`; 0 is the whole lesson. ``course``: a word from which own
    numbers are drawn besides. Returns what was written.
    DataError if there is no lesson, or a file of that name is there and is another: a student may have worked in it.
    """
    files = {to / "requirements.txt": f"navalkit[app]=={version('navalkit')}\njupyterlab\n"}
    if index and index.is_file():
        files[to / INDEX] = text(_without(read(index), TEACHER))
    for lesson in lessons(folder):
        given = read(lesson / SOURCE)
        made = copy(cut(given, minutes) if minutes else given)
        files[to / lesson.name / COPY] = text(_with_numbers(made, numbers, course))
    for path in files:
        if path.exists() and path.read_text(encoding="utf-8") != files[path]:
            raise DataError(SAY("copy.other", file=path))
    for path, words in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, words)
    return list(files)


def _with_numbers(notebook: Notebook, numbers: str, course: str) -> Notebook:
    """A copy in which all students have the same numbers, unless they are to have their own; then those of a course."""
    if numbers == "own" and not course:
        return notebook
    asked = {"course": repr(course)} if course else {"numbers": numbers if numbers.isdecimal() else repr(numbers)}
    call = BEGIN.replace(")", "".join(f", {name}={value})" for name, value in asked.items()))
    cells = [c | {"source": source(c).replace(BEGIN, call).splitlines(keepends=True)} for c in notebook["cells"]]
    return notebook | {"cells": cells}


def texts(notebook: Notebook) -> dict[str, str]:
    """What a student answered in words, by the heading above it; empty answers are left out."""
    found, heading = {}, ""
    for cell in notebook["cells"]:
        words = source(cell).strip()
        if cell["cell_type"] == "markdown" and WORDS in tags(cell):
            if words not in ("", WRITE_HERE):
                found[heading or str(cell["id"])] = words
        elif cell["cell_type"] == "markdown":
            heading = next((line.lstrip("# ") for line in words.splitlines()[::-1] if line.startswith("#")), heading)
    return found


def _without(notebook: Notebook, tag: str) -> Notebook:
    return notebook | {"cells": [c for c in notebook["cells"] if tag not in tags(c)]}


def is_fresh(lesson: Path, to: Path | None = None) -> bool:
    """Whether the students' copy is there and is what `make` would write."""
    path = (to or lesson) / COPY
    return path.is_file() and path.read_text(encoding="utf-8") == text(copy(read(lesson / SOURCE)))


def read(path: Path) -> Notebook:
    """A notebook; DataError if the file is none."""
    try:
        notebook = taken(path, MAX_BYTES)
        if notebook["nbformat"] != 4 or not all({"cell_type", "id", "source"} <= set(c) for c in notebook["cells"]):
            raise ValueError
    except OSError as error:
        raise DataError(SAY("class.unreadable", file=path.name, why=error.strerror or error)) from None
    except (ValueError, KeyError, TypeError):
        raise DataError(SAY("copy.no_notebook", file=path.name)) from None
    return dict(notebook)


def text(notebook: Notebook) -> str:
    """A notebook as its file's text."""
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def is_solution(cell: Notebook) -> bool:
    """Whether a cell is tagged as a solution."""
    return SOLUTION in tags(cell)


def copy(lesson: Notebook) -> Notebook:
    """The students' copy of a lesson. ``lesson``: the source notebook. Returns another notebook: cells with the same
    ids in the same order. DataError if a cell of code is no Python."""
    cells = lesson["cells"]
    new = {key: deepcopy(value) for key, value in lesson.items() if key != "cells"}
    return new | {"cells": [_for_student(cell, cells[i + 1 :]) for i, cell in enumerate(cells)]}


def _for_student(cell: Notebook, later: Sequence[Notebook]) -> Notebook:
    given = cell.get("metadata", {})
    kept = [tag for tag in tags(cell) if tag not in (SOLUTION, NBVAL)]
    metadata = {key: value for key, value in given.items() if key not in ("tags", "execution")}
    kept += [WORDS] if is_solution(cell) and cell["cell_type"] == "markdown" else []
    metadata |= {"tags": kept} if kept else {}
    new: Notebook = {"cell_type": cell["cell_type"], "id": cell["id"], "metadata": metadata}
    if cell["cell_type"] == "code":
        new |= {"execution_count": None, "outputs": []}
    words = source(cell)
    if is_solution(cell):
        words = _your_turn(cell, later) if cell["cell_type"] == "code" else WRITE_HERE
    return new | {"source": words.splitlines(keepends=True)}


def _your_turn(cell: Notebook, later: Sequence[Notebook]) -> str:
    """What is left of a solution: the names that given cells use later, with dots for their values."""
    given = [other for other in later if other["cell_type"] == "code" and not is_solution(other)]
    needed = {node.id for other in given for node in ast.walk(_parsed(other))
              if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    lines = [line for node in _parsed(cell).body for name, line in _stumps(node) if name in needed]
    return "\n".join(dict.fromkeys(lines)) or f"...  {YOUR_TURN}"


def _stumps(node: ast.stmt) -> Iterator[tuple[str, str]]:
    """(name, what a student's cell holds for it) of all that a statement defines."""
    if isinstance(node, ast.FunctionDef):
        yield node.name, f"def {node.name}({ast.unparse(node.args)}):\n    ...  {YOUR_TURN}"
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            for name in ast.walk(target):
                if isinstance(name, ast.Name):
                    yield name.id, f"{name.id} = ...  {YOUR_TURN}"


def _parsed(cell: Notebook) -> ast.Module:
    try:
        return ast.parse(source(cell))
    except SyntaxError as error:
        raise DataError(SAY("copy.no_python", cell=cell["id"], why=error.msg, line=error.lineno)) from None
