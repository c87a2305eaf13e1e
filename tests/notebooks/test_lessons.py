"""Lessons: every source runs and is right, every students' copy runs kindly and holds no solution.

Cells run here without a kernel, which is quick; `make check` runs the same notebooks in one, with nbval.
"""

from __future__ import annotations
import ast
import base64
import json
import re
from pathlib import Path

import nbformat
import pytest

from navalkit.teach import Note, students
from navalkit.teach.checking import PROGRESS, Verdict
from navalkit.teach.exercises import book
from navalkit.testing import said
from ..sentences import TEACH

ROOT = Path(__file__).parents[2]
LESSONS = students.lessons(ROOT / "teaching")
COPIES = ROOT / "notebooks" / "lessons"
NUMBERS = {f"{number:02}" for number in range(1, 13)}


@pytest.fixture(params=LESSONS, ids=lambda folder: folder.name)
def folder(request) -> Path:
    return request.param


@pytest.fixture(autouse=True)
def nothing_tried():
    PROGRESS.forget()


def read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=4)


def shown(notebook: nbformat.NotebookNode, times: int = 1) -> list:
    """Run all cells of code, each a number of times, and return what the last expression of each gives."""
    names: dict = {"__name__": "__main__"}
    values = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            *body, last = ast.parse(cell.source).body
            if not isinstance(last, ast.Expr):
                body, last = [*body, last], None
            for _ in range(times):
                exec(compile(ast.Module(body, []), cell.id, "exec"), names)
                value = eval(compile(ast.Expression(last.value), cell.id, "eval"), names) if last else None
            if hasattr(value, "_repr_html_"):
                assert value._repr_html_()
            values.append(value)
    return values


def asked(notebook: nbformat.NotebookNode) -> list[str]:
    """The ids of the exercises that cells check."""
    return [id for cell in notebook.cells for id in re.findall(r'^check\("([^"]+)"', cell.source, re.MULTILINE)]


def test_the_first_lessons_are_there():
    assert {lesson.name[:2] for lesson in LESSONS} >= NUMBERS


def test_every_solution_is_right(folder, capsys):
    source = read(folder / students.SOURCE)
    verdicts = [value for value in shown(source) if isinstance(value, Verdict)]
    assert [verdict.exercise for verdict in verdicts] == asked(source)
    assert [str(verdict.text) for verdict in verdicts if not verdict] == []
    assert capsys.readouterr().err == ""


def test_an_unsolved_copy_stops_nowhere_and_answers_kindly(folder, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    values = shown(read(COPIES / folder.name / students.COPY), times=2)  # learners run cells again
    verdicts = [value for value in values if isinstance(value, Verdict)]
    assert len(verdicts) >= 4
    assert {verdict.slip for verdict in verdicts} == {"unanswered"}

    receipt = values[-1]
    assert isinstance(receipt, Note) and not receipt.files
    said(receipt.text, TEACH, "no_name")
    assert not PROGRESS.tries and list(tmp_path.iterdir()) == []
    assert capsys.readouterr().err == ""


def test_the_copy_is_what_the_command_makes(folder):
    assert students.is_fresh(folder, COPIES / folder.name), "run `navalkit teach students`"


def test_the_copy_is_the_source_but_for_its_solutions(folder):
    source, copy = read(folder / students.SOURCE), read(COPIES / folder.name / students.COPY)
    assert [cell.id for cell in source.cells] == [cell.id for cell in copy.cells]
    assert source.metadata == copy.metadata
    solutions = 0
    for ours, theirs in zip(source.cells, copy.cells, strict=True):
        assert ours.cell_type == theirs.cell_type
        assert not theirs.get("outputs")
        if students.is_solution(ours):
            solutions += 1
            assert ours.source != theirs.source
        else:
            assert ours.source == theirs.source
    assert solutions >= 5


def test_the_copy_carries_no_solution(folder):
    """No line that does something in a solution stands anywhere in the copy, its metadata included."""
    source = read(folder / students.SOURCE)
    text = (COPIES / folder.name / students.COPY).read_text(encoding="utf-8")
    given = {line.strip() for c in source.cells if not students.is_solution(c) for line in c.source.splitlines()}
    for cell in source.cells:
        for line in map(str.strip, cell.source.splitlines() if students.is_solution(cell) else ()):
            if line and not line.startswith("def ") and line not in given:
                assert json.dumps(line, ensure_ascii=False)[1:-1] not in text, line
    assert f'"{students.SOLUTION}"' not in text


def test_exercises_and_notebook_belong_together(folder):
    """A lesson asks all the exercises of its file, four to eight, in order."""
    file = ROOT / "navalkit" / "teach" / "exercises" / "shipped" / f"{folder.name}.toml"
    ids = asked(read(folder / students.SOURCE))
    assert ids == list(book.read(file))
    assert 4 <= len(ids) <= 8


def test_a_lesson_has_all_its_parts(folder):
    source = read(folder / students.SOURCE)
    nbformat.validate(source)
    nbformat.validate(read(COPIES / folder.name / students.COPY))
    first = source.cells[0].source
    assert source.cells[0].cell_type == "markdown" and first.splitlines()[0] == f"# {source.metadata.title}"
    assert f"*Lesson {int(folder.name[:2])} of" in first and re.search(r"\b\d\d minutes", first)
    assert "**You will be able to**" in first
    text = "\n".join(cell.source for cell in source.cells if cell.cell_type == "markdown")
    for heading in ("## Worked example", "## Your turn", "## An open question", "## Further reading", "## Hand in"):
        assert heading in text
    assert not re.search(r"\$[^$\n]+\$|\\\(|\\frac", text), "a page of Voila sets no formulas"


def test_outputs_are_real_and_hold_no_trouble(folder):
    source = read(folder / students.SOURCE)
    for cell in source.cells:
        if cell.cell_type == "code":
            assert cell.execution_count
            assert not [o for o in cell.outputs if o.output_type == "error" or o.get("name") == "stderr"]
    stable = [c for c in source.cells if students.NBVAL in c.metadata.get("tags", [])]
    assert set(asked(source)) == {id for cell in stable for id in asked(nbformat.from_dict({"cells": [cell]}))}


def test_the_instructors_answers_are_right(folder):
    """The table of answers in instructor.md is held against the exercises, and plans the whole lesson."""
    text = (folder / "instructor.md").read_text(encoding="utf-8")
    for heading in ("Before.", "## Plan by the minute", "## What goes wrong", "## Answers", "## Thirty students"):
        assert heading in text
    minutes = [tuple(map(int, pair)) for pair in re.findall(r"^\| (\d+)-(\d+) \|", text, re.MULTILINE)]
    assert minutes[0][0] == 0 and all(end == start for (_, end), (start, _) in zip(minutes, minutes[1:], strict=False))
    assert f"{minutes[-1][1]} minutes" in read(folder / students.SOURCE).cells[0].source
    answers = dict(re.findall(r"^\| ([a-z]+\.\d+) \| ([^|]+) \|", text, re.MULTILINE))
    exercises = book.read(ROOT / "navalkit" / "teach" / "exercises" / "shipped" / f"{folder.name}.toml")
    assert list(answers) == list(exercises)
    for id, question in exercises.items():
        if answers[id] != "see `lesson.ipynb`":
            assert question.reference.right(question.kind.read(answers[id])), id


def test_a_lesson_has_one_import_and_asks_its_families(folder):
    """One line brings all names; every exercise whose numbers vary is asked with the student's, and not in the text."""
    source = read(folder / students.SOURCE)
    imports = [line for cell in source.cells if cell.cell_type == "code" for line in cell.source.splitlines()
               if re.match(r"\s*(import|from)\b", line)]  # fmt: skip
    assert imports == ["from navalkit.teach.lesson import *"]
    asks = [id for cell in source.cells for id in re.findall(r'\bask\("([^"]+)"', cell.source)]
    exercises = book.read(ROOT / "navalkit" / "teach" / "exercises" / "shipped" / f"{folder.name}.toml")
    assert asks == [id for id, question in exercises.items() if question.family] and len(asks) >= 4


def test_pictures_in_a_lesson_do_not_speak_of_clicks(folder):
    for cell in read(folder / students.SOURCE).cells:
        for output in cell.get("outputs", []):
            html = output.get("data", {}).get("text/html", "")
            for data in re.findall(r"base64,([^\"]+)", html):
                html += base64.b64decode(data).decode()
            assert not re.search(r"\b(click|tap)\b", html + cell.source, re.IGNORECASE), cell.id


@pytest.mark.parametrize("path", sorted(COPIES.glob("**/*.ipynb")), ids=str)
def test_the_way_back_leads_to_the_lobby(path):
    """Voila's template takes it from the metadata; pages beside the lobby need none."""
    assert (path.parent / read(path).metadata.lobby).resolve() == ROOT / "notebooks" / "lobby.ipynb"


def test_the_index_leads_to_every_lesson():
    index = read(COPIES / "index.ipynb")
    nbformat.validate(index)
    links = re.findall(r"\]\(([^)]+)\)", index.cells[0].source)
    assert links == [f"{lesson.name}/{students.COPY}" for lesson in LESSONS]
    titles = re.findall(r"\| \[([^\]]+)\]", index.cells[0].source)
    assert titles == [read(lesson / students.SOURCE).metadata.title for lesson in LESSONS]
