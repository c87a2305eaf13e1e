"""Lessons as assignments of nbgrader and Otter: as their formats ask, and graded by these tools where installed."""

from __future__ import annotations
import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from navalkit.cli import main
from navalkit.teach import grade, papers, students

ROOT = Path(__file__).parents[3]
LESSONS = students.lessons(ROOT / "teaching")
NAME = "01_counting_cards"


@pytest.mark.parametrize("folder", LESSONS, ids=lambda folder: folder.name)
def test_solutions_are_between_their_marks_and_checks_are_tests(folder):
    lesson = students.read(folder / students.SOURCE)
    made = grade.for_nbgrader(lesson)
    assert [c["id"] for c in made["cells"]] == [c["id"] for c in lesson["cells"]]
    tests = 0
    for ours, cell in zip(lesson["cells"], made["cells"], strict=True):
        mark = cell["metadata"].get("nbgrader")
        if students.is_solution(ours):
            assert mark["solution"] and not mark["locked"]
            if cell["cell_type"] == "code":
                before, _, rest = papers.source(cell).partition("### BEGIN SOLUTION\n")
                assert papers.source(ours) in rest and papers.source(ours) not in before
        elif papers.checked([ours]):
            tests += 1
            assert mark == mark | {"grade": True, "points": 1, "locked": True}
            assert "assert verdict, verdict" in papers.source(cell)
        else:
            assert mark is None
    assert tests >= 5


@pytest.mark.slow
@pytest.mark.skipif(not find_spec("nbgrader"), reason="nbgrader is not installed: pip install nbgrader")
def test_nbgrader_makes_and_grades_an_assignment(tmp_path):
    course = tmp_path / "course"
    assert main(["teach", "nbgrader", str(ROOT / "teaching" / NAME), "--to", str(course / "source")]) == 0

    def nbgrader(*words):
        path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))  # it calls its own tools by name
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *words], cwd=course, capture_output=True, text=True,
            env=os.environ | {"PATH": path}, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-2000:]

    nbgrader("generate_assignment", NAME, "--create")
    release = course / "release" / NAME / "lesson.ipynb"
    given = students.read(release)
    text = json.dumps(given)
    assert "3 + 3" not in text and "alone = ..." in text
    for who, solved in (("ada", True), ("bo", False)):
        to = course / "submitted" / who / NAME
        to.mkdir(parents=True)
        shutil.copy(release, to / "lesson.ipynb")
        source = {c["id"]: c for c in students.read(course / "source" / NAME / "lesson.ipynb")["cells"]}
        if solved:
            own = {id: {"source": cell["source"]} for id, cell in source.items() if id.startswith("sol")}
            cells = [cell | own.get(cell["id"], {}) for cell in given["cells"]]
            (to / "lesson.ipynb").write_text(students.text(given | {"cells": cells}), encoding="utf-8")
    nbgrader("autograde", NAME)
    nbgrader("export")
    rows = (course / "grades.csv").read_text().splitlines()
    head = rows[0].split(",")
    scores = {row.split(",")[head.index("student_id")]: float(row.split(",")[head.index("score")]) for row in rows[1:]}
    assert scores == {"ada": 7.0, "bo": 0.0}


@pytest.mark.parametrize("folder", LESSONS, ids=lambda folder: folder.name)
def test_otter_has_a_test_for_every_exercise_and_none_holds_an_answer(folder):
    lesson = students.read(folder / students.SOURCE)
    made = grade.for_otter(lesson)
    assert [f"{id.replace('.', '_')}.py" for id in papers.checked(lesson["cells"])] == list(made)
    solutions = [papers.source(cell) for cell in lesson["cells"] if students.is_solution(cell)]
    solved = {line.strip() for text in solutions for line in text.splitlines()}
    for text in made.values():
        assert not any(line in text for line in solved if len(line) > 20)
        compile(text, "test", "exec")


@pytest.mark.slow
@pytest.mark.skipif(not find_spec("otter"), reason="Otter is not installed: pip install otter-grader")
def test_otter_grades_an_assignment(tmp_path):
    assert main(["teach", "otter", str(ROOT / "teaching" / NAME), "--to", str(tmp_path)]) == 0
    course = tmp_path / NAME
    given, source = (
        students.read(path) for path in (course / students.COPY, ROOT / "teaching" / NAME / "lesson.ipynb")
    )
    own = {c["id"]: {"source": c["source"]} for c in source["cells"] if c["id"].startswith("sol")}
    solved = [cell | own.get(cell["id"], {}) for cell in given["cells"]]
    (course / "solved.ipynb").write_text(students.text(given | {"cells": solved}), encoding="utf-8")
    for name, passed in (("solved.ipynb", True), (students.COPY, False)):
        done = subprocess.run(
            [sys.executable, "-m", "otter", "check", "-t", "tests", name], cwd=course, capture_output=True, text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-2000:]
        assert ("All tests passed!" in done.stdout) is passed
        assert passed or done.stdout.count("Test case failed") == len(papers.checked(given["cells"]))
