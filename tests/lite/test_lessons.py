"""Lessons without a server: lesson 1 is done in a real JupyterLite, kept, and taken up again without a network."""

from __future__ import annotations
import json
import os
from pathlib import Path

import pytest

from ..browser.conftest import shot
from ..servers import ROOT
from .conftest import build, needs_numpy, served, watched

pytestmark = pytest.mark.slow
LESSON = "01_counting_cards"
ME = 'my_name = "Ada"\nbegin(my_name, numbers="lesson")'
TOLD = ('from navalkit.teach.checking import PROGRESS\n'
        'print("KEPT", sorted({each.exercise for each in PROGRESS.tries if not each.slip}))\nreport()')


@pytest.fixture(scope="module")
def lessons(tmp_path_factory):
    """Where the lessons are served, below a path of their own."""
    needs_numpy()
    if "NAVALKIT_LITE" in os.environ:
        site = Path(os.environ["NAVALKIT_LITE"]).resolve()
    else:
        site = build(tmp_path_factory.mktemp("taught") / "below" / "kit", "play_uss_lox", "lessons")
    with served(site.parents[1]) as home:
        yield f"{home}/{site.relative_to(site.parents[1])}", site


def codes(path):
    """The code of a notebook's cells, by their place among all."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [(n, "".join(cell["source"])) for n, cell in enumerate(cells) if cell["cell_type"] == "code"]


def opened(page, home):
    """Open lesson 1, and wait for its kernel."""
    page.goto(f"{home}/lessons/notebooks/index.html?path={LESSON}/student.ipynb", wait_until="commit")
    page.wait_for_selector(".jp-Notebook .jp-CodeCell .cm-content")
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]", state="attached")


def run(page, number, text=None):
    """Run a cell by its place, with another text where one is given; returns what it shows."""
    cell = page.locator(".jp-Notebook .jp-Cell").nth(number)
    cell.scroll_into_view_if_needed()
    cell.locator(".cm-content").first.click()
    if text is not None:
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(text)
    page.keyboard.press("Control+Enter")
    page.wait_for_function("""(n) => { const cell = document.querySelectorAll('.jp-Notebook .jp-Cell')[n];
        return /\\[\\d+\\]/.test(cell.querySelector('.jp-InputPrompt').textContent); }""", arg=number)
    return cell.locator(".jp-Cell-outputArea").inner_text() if cell.locator(".jp-OutputArea-child").count() else ""


def test_lesson_one_is_done_kept_and_taken_up_again_without_a_network(browser, lessons):
    home, site = lessons
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(240_000)
    page = watched(context, "/".join(home.split("/")[:3]))
    opened(page, home)
    given = dict(codes(ROOT / "notebooks" / "lessons" / LESSON / "student.ipynb"))
    asked = codes(ROOT / "teaching" / LESSON / "lesson.ipynb")
    for number, code in asked:
        if number == 3:
            assert "Ada" in run(page, number, ME)
        elif code.startswith("report"):
            last = run(page, number, TOLD)
        else:
            found = run(page, number, None if given[number] == code else code)
            assert "Error" not in found and "Traceback" not in found, found
    right = json.loads(last[last.index("["):last.index("]") + 1].replace("'", '"'))
    assert right == [f"cards.{n}" for n in range(1, 8)]
    shot(page, "lite_lesson", full_page=False)
    page.keyboard.press("Escape")
    page.keyboard.press("Control+s")
    kept = "async (name) => (await (await caches.open(name)).keys()).length"
    name = page.evaluate("async () => (await caches.keys()).find((name) => name.startsWith('lessons-'))")
    files = sum(path.is_file() for path in (site / "lessons").rglob("*")) - 1
    page.wait_for_function(f"async ([name, files]) => await ({kept})(name) >= files", arg=[name, files])
    context.set_offline(True)
    opened(page, home)
    run(page, 1)
    again = run(page, 3)
    assert "Ada" in again and "7" in again  # its tries are there
    shot(page, "lite_lesson_again", full_page=False)
    assert not page.wrong
    context.close()


def test_the_lessons_hold_no_solution_and_no_page_for_teachers(lessons):
    _, site = lessons
    files = sorted((site / "lessons" / "files").rglob("*.ipynb"))
    assert len(files) == 1 + len(list((ROOT / "notebooks" / "lessons").glob("*/student.ipynb")))
    for path in files:
        tags = {tag for cell in json.loads(path.read_text())["cells"] for tag in cell["metadata"].get("tags", ())}
        assert not tags & {"solution", "teacher"} and "teachers.ipynb" not in path.read_text()
    assert 'href="lessons/notebooks/' in (site / "index.html").read_text()
