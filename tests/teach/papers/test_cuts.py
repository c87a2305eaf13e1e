"""Lessons for 20, 45 and 90 minutes: true sums, whole programs, and nothing of the solutions."""

from __future__ import annotations
import ast
import builtins
from copy import deepcopy
from pathlib import Path

import pytest

import navalkit.teach.lesson as names
from navalkit.core.errors import DataError, OptionError
from navalkit.teach import papers, students
from navalkit.teach.checking import PROGRESS, Verdict
from navalkit.teach.exercises import book
from navalkit.testing import refused, said
from ...sentences import TEACH

ROOT = Path(__file__).parents[3]
LESSONS = students.lessons(ROOT / "teaching")
KNOWN = {*names.__all__, *dir(builtins)}


@pytest.fixture(params=LESSONS, ids=lambda folder: folder.name)
def lesson(request):
    return students.read(request.param / students.SOURCE)


def code(notebook):
    return [ast.parse(papers.source(cell)) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_a_lesson_says_its_true_minutes(lesson):
    first = papers.source(lesson["cells"][0])
    assert f"{papers.minutes(lesson)} minutes" in first
    index = papers.source(students.read(ROOT / "notebooks" / "lessons" / students.INDEX)["cells"][0])
    assert f"({lesson['metadata']['title']}" not in index
    (row,) = (line for line in index.splitlines() if f"[{lesson['metadata']['title']}]" in line)
    assert row.endswith(f"| {papers.minutes(lesson)} |")


@pytest.mark.parametrize("length", papers.CUTS)
def test_a_cut_takes_the_time_it_says_and_needs_nothing_that_was_left_out(lesson, length):
    made = papers.cut(lesson, length)
    sections = papers.sections(made)
    again = sum(cell["id"].startswith("again-ask") for cell in made["cells"])
    taken = sum(section.minutes for section in sections) + papers.AGAIN * again
    said(papers.source(made["cells"][0]), TEACH, "cut.minutes", n=taken)
    assert 0.8 * length <= taken <= length
    assert papers.checked(made["cells"]) and made["cells"][-1]["id"] == "report"
    given = set(KNOWN)
    for tree in code(made):
        nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
        inner = {arg.arg for node in ast.walk(tree) if isinstance(node, ast.arguments) for arg in node.args}
        stored = {node.id for node in nodes if isinstance(node.ctx, ast.Store)} | inner
        stored |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        missing = {node.id for node in nodes if isinstance(node.ctx, ast.Load)} - given - stored
        assert not missing, (length, missing)
        given |= stored


@pytest.mark.slow
@pytest.mark.parametrize("length", papers.CUTS)
def test_a_cut_runs_from_top_to_bottom_and_its_solutions_are_right(lesson, length, capsys):
    PROGRESS.forget()
    scope = {"__name__": "__main__"}
    for cell in papers.cut(lesson, length)["cells"]:
        if cell["cell_type"] == "code":
            *body, last = ast.parse(papers.source(cell)).body
            value = isinstance(last, ast.Expr)
            exec(compile(ast.Module(body if value else [*body, last], []), cell["id"], "exec"), scope)
            found = eval(compile(ast.Expression(last.value), cell["id"], "eval"), scope) if value else None
            if isinstance(found, Verdict):
                assert found.right or cell["id"].startswith("again-"), (cell["id"], found.text)


def test_the_shorter_is_part_of_the_longer(lesson):
    short, middle, long = ([c["id"] for c in papers.cut(lesson, length)["cells"]] for length in papers.CUTS)
    assert set(short) < set(middle) < set(long) and set(long) >= {c["id"] for c in lesson["cells"]}
    assert middle == [id for id in long if id in middle]


def test_the_long_cut_has_a_second_round_of_families(lesson):
    before = deepcopy(lesson)
    made = papers.cut(lesson, 90)
    again = [id for id in papers.checked([c for c in made["cells"] if c["id"].startswith("again-check")])]
    assert len(again) >= 2 and all(book.everything()[id].family for id in again)
    assert lesson == before
    copy = students.copy(made)
    assert any("again_1 = ..." in papers.source(cell) for cell in copy["cells"])


def test_a_handout_may_be_cut(tmp_path):
    students.hand_out(ROOT / "teaching", tmp_path / "out", minutes=20)
    for folder in LESSONS:
        made = students.read(tmp_path / "out" / folder.name / students.COPY)
        assert len(made["cells"]) < len(students.read(folder / students.SOURCE)["cells"])
        assert not any(students.is_solution(cell) for cell in made["cells"])


def test_what_is_wrong_with_a_cut_is_said(lesson):
    with refused(OptionError, TEACH, "cut.unknown", cuts="20, 45, 90", found=30):
        papers.cut(lesson, 30)
    broken = deepcopy(lesson)
    broken["cells"][0]["metadata"]["tags"] = ["cut-20"]
    with refused(DataError, TEACH, "cut.tags"):
        papers.sections(broken)
