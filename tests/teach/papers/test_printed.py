"""Slides and worksheets: the questions are there, the answers only where they belong."""

from __future__ import annotations
import html
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from navalkit.cli import main
from navalkit.teach import papers, students
from navalkit.teach.checking import check
from navalkit.teach.exercises import book
from navalkit.teach.exercises.exercise import Number, Sealed, seal
from navalkit.testing import said
from ...sentences import TEACH

ROOT = Path(__file__).parents[3]
LESSONS = students.lessons(ROOT / "teaching")


@pytest.fixture(params=LESSONS, ids=lambda folder: folder.name)
def lesson(request):
    return students.read(request.param / students.SOURCE), request.param.name


def plain(text):
    words = re.sub(r"<style.*?</style>|<script.*?</script>|<[^>]*>", " ", text, flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(words))


def test_slides_ask_each_question_and_answer_it_on_the_next(lesson):
    name, text = papers.slides(*lesson)
    assert name == f"{lesson[1]}.slides.html" and not re.search(r'(src|href)="?http', text.partition("<main>")[0])
    slides = [plain(slide) for slide in text.split("<section>")[1:]]
    for id in papers.checked(lesson[0]["cells"]):
        question = book.opened(book.everything()[id])
        (at,) = (i for i, slide in enumerate(slides) if TEACH("print.answer", title=question.title) in slide)
        assert papers.answer(question)[:40] in slides[at]
    assert len(slides) > 12 and all(slides)
    assert max(slide.count("<img") for slide in text.split("<section>")) <= 1
    assert not re.search(r"\d{30}", " ".join(slides)), "an answer that nobody writes down"


def test_every_slide_has_a_heading(lesson):
    slides = papers.slides(*lesson)[1].split("<section>")[1:]
    assert all(re.search("<h[1-3]", slide) for slide in slides)


def test_a_key_knows_every_choice_that_is_kept_as_a_hash():
    sealed = [each for each in book.shipped().values() if isinstance(each.reference, Sealed)]
    assert len(sealed) > 4 and all(check(each.id, papers.answer(each)).right for each in sealed)
    year = book.shipped()["cards.1"].kind
    said(papers.answer(replace(sealed[0], reference=seal(year, 6), kind=year)), TEACH, "print.sealed")


@pytest.mark.parametrize("seed", ["", "7", "8"])
def test_a_number_on_a_key_has_four_figures_and_counts_as_right(seed):
    found = 0
    for question in (each.drawn(seed) for each in book.shipped().values()):
        if not isinstance(question.kind, Number) or isinstance(question.reference, Sealed):
            continue
        text = papers.answer(question)
        exact, _, rounded = text.rpartition("= " if "= " in text else "≈ ")
        if "." in rounded:
            found += 1
            assert len(rounded.lstrip("-0.").replace(".", "")) <= 4, text
        assert question.reference.right(question.kind.read((exact or rounded).strip())), (question.id, text)
    assert found > 25


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (Fraction(9, 100), "9/100 = 0.09"), (Fraction(6, 49), "6/49 ≈ 0.1224"), (289.0246, "≈ 289"), (24.0, "24"),
        (48828.4, "≈ 48828"), (0.1 + 0.2, "0.3"), (Fraction(24), "24"), (Fraction(1, 10**10), "1e-10"), (5, "5"),
    ],
)  # fmt: skip
def test_a_number_is_written_as_one_writes_it_down(value, says):
    assert papers.said(value) == says


def test_a_worksheet_has_every_question_and_no_answer_and_the_key_has_them(lesson):
    sheet, key = (papers.worksheet(*lesson, key=key) for key in (False, True))
    ids = papers.checked(lesson[0]["cells"])
    assert sheet[1].count("<div class=nk-sheet-line>") >= papers._LINES * len(ids)
    assert "class=nk-sheet-answer" not in sheet[1]
    assert key[0].endswith(".key.html") and key[1].count("<p class=nk-sheet-answer>") == len(ids)
    said(plain(sheet[1]), TEACH, "print.name")
    assert not re.search(TEACH("print.screen"), sheet[1])


@pytest.mark.parametrize("folder", LESSONS, ids=lambda folder: folder.name)
def test_what_the_plan_prints_is_on_the_worksheet(folder):
    """Where a plan says "print", it names the worksheet, and the picture is on it."""
    plan, lesson = (folder / "instructor.md").read_text(encoding="utf-8"), students.read(folder / students.SOURCE)
    number = int(folder.name[:2])
    if not re.search(r"\bPrint the|\bprints the map", plan):
        return
    assert f"navalkit teach worksheet {number}`" in plan
    wanted = [cell for cell in lesson["cells"] if papers.PRINT in papers.tags(cell)]
    sheet = papers.worksheet(lesson, folder.name)[1]
    for cell in wanted:
        (picture,) = re.findall(r"base64,([^\"]+)", papers._pictures(cell))
        assert picture in sheet
    assert wanted


def test_a_worksheet_may_have_numbers_of_its_own_and_its_key_follows():
    lesson = students.read(LESSONS[0] / students.SOURCE), LESSONS[0].name
    pages = {
        seed: [plain(papers.worksheet(*lesson, seed=seed, key=key)[1]) for key in (False, True)]
        for seed in ("", "7", "8")
    }
    assert len({page[0] for page in pages.values()}) == 3
    for seed, (_, key) in pages.items():
        assert papers.answer(book.opened(book.everything()["cards.2"], seed)) in key


def test_the_commands_write_the_files(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["teach", "slides", "1", "--minutes", "20"]) == 0
    assert main(["teach", "worksheet", "04", "--key"]) == 0
    assert main(["teach", "worksheet", str(LESSONS[2]), "--to", "three.html", "--numbers", "7"]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {
        "01_counting_cards.slides.html", "04_seeing_the_unseen.key.html", "three.html",
    }  # fmt: skip
    assert main(["teach", "slides", "77"]) == 2
    said(capsys.readouterr().err, TEACH, "print.no_lesson", found="'77'")
    assert main(["teach", "worksheet", "1", "--numbers", "many"]) == 2
