"""The minutes that lessons, their cuts and plans say, held against the stated rule of docs/teaching.md."""

from __future__ import annotations
import re
from itertools import accumulate
from pathlib import Path

import pytest

from navalkit.teach import papers, students
from navalkit.teach.exercises import book
from ...sentences import TEACH

ROOT = Path(__file__).parents[3]
LESSONS = students.lessons(ROOT / "teaching")

WORDS, RUN, EXERCISE, LINE, EXAMPLE = 60, 1.0, 4.5, 0.5, 1.0
"""Words a minute that are read aloud and talked about; minutes for a cell run and looked at, for an exercise and each
further line of its solution, and for the worked example on top of its text."""
NEAR = 0.2
"""As a share: what may lie between plan and rule."""


def ruled(notebook: dict) -> float:
    """Minutes by the rule; further reading, answers in words and the line on Jupyter are not done in class."""
    minutes = 0.0
    for cell in notebook["cells"]:
        text, solution = papers.source(cell), students.is_solution(cell)
        if cell["id"] == "further" or (solution and cell["cell_type"] == "markdown"):
            continue
        if cell["cell_type"] == "markdown":
            said = [part for part in text.split("\n\n") if not part.startswith("*Lesson")]
            minutes += len(" ".join(said).split()) / WORDS + EXAMPLE * ("## Worked example" in text)
        elif solution or re.search(r"= \.\.\.  #", text):
            lines = [line for line in text.splitlines() if line.strip() and not line.startswith("assert")]
            minutes += EXERCISE + LINE * (len(lines) - 1)
        elif asked := re.findall(r'\bask\("([^"]+)"', text):
            minutes += sum(len(book.everything()[id].ask.split()) for id in asked) / WORDS
        elif not papers.checked([cell]):
            minutes += RUN
    return minutes


@pytest.fixture(params=LESSONS, ids=lambda folder: folder.name)
def folder(request):
    return request.param


@pytest.mark.parametrize("length", (0, *papers.CUTS))
def test_a_lesson_and_its_cuts_take_the_minutes_that_they_say(folder, length):
    lesson = students.read(folder / students.SOURCE)
    made = papers.cut(lesson, length) if length else lesson
    word = TEACH("cut.minutes", n=2).split()[-1] if length else "minutes"
    minutes = int(re.search(rf"(\d+) {word}", papers.source(made["cells"][0]))[1])
    assert abs(ruled(made) - minutes) <= NEAR * minutes, (minutes, ruled(made))
    if length:
        assert ruled(made) <= 1.12 * length


def test_the_plan_by_the_minute_is_that_of_the_sections(folder):
    sections = papers.sections(students.read(folder / students.SOURCE))
    ends = {0, *accumulate(section.minutes for section in sections)}
    plan = re.findall(r"^\| (\d+)-(\d+) \|", (folder / "instructor.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert {int(minute) for row in plan for minute in row} <= ends


def test_docs_state_the_rule():
    docs = " ".join((ROOT / "docs" / "teaching.md").read_text(encoding="utf-8").split())
    for part in (f"{WORDS} words a minute", "a cell that is run 1 minute", "an exercise 4½ minutes", f"{NEAR:.0%}"):
        assert part.replace("%", " %") in docs, part
