"""Lessons without a server, in a real JupyterLite: lesson 1 is done, kept, and taken up again without a network; the
others are done without one from their first cell to their report."""

from __future__ import annotations
import importlib
import json
import os
import re
from pathlib import Path

import pytest

from navalkit.testing import said
from ..browser.conftest import shot
from ..sentences import TEACH, UI
from ..servers import ROOT
from .conftest import build, needs_numpy, served, until, watched

pytestmark = pytest.mark.slow
LESSON, *OTHERS = sorted(path.parent.name for path in (ROOT / "teaching").glob("*/lesson.ipynb"))
ME = 'my_name = "Ada"\nbegin(my_name, numbers="lesson")'
SAVED = """() => new Promise((done) => {
  const asked = indexedDB.databases().then((all) => Promise.all(all.map(({ name }) => new Promise((read) => {
    const opening = indexedDB.open(name);
    opening.onsuccess = () => {
      const base = opening.result, names = [...base.objectStoreNames];
      if (!names.includes("files")) { base.close(); return read(false); }
      const all = base.transaction("files").objectStore("files").getAll();
      all.onsuccess = () => { base.close(); read(JSON.stringify(all.result).includes("KEPT")); };
    };
    opening.onerror = () => read(false);
  }))));
  asked.then((found) => done(found.some(Boolean)));
})"""
"""Whether the browser has what was written last, which nobody saved."""
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


def opened(page, home, lesson=LESSON):
    """Open a lesson, and wait for its kernel."""
    page.goto(f"{home}/lessons/notebooks/index.html?path={lesson}/student.ipynb", wait_until="commit")
    ready(page)


def ready(page):
    """Wait for the lesson that is being opened there, and its kernel."""
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


def done(page, lesson):
    """Run all cells, with the right answers, and look whether each of them counts."""
    given = dict(codes(ROOT / "notebooks" / "lessons" / lesson / "student.ipynb"))
    asked = codes(ROOT / "teaching" / lesson / "lesson.ipynb")
    for number, code in asked:
        if number == 3:
            assert "Ada" in run(page, number, ME)
        elif code.endswith("report()"):
            last = run(page, number, code.removesuffix("report()") + TOLD)
        else:
            found = run(page, number, None if given[number] == code else code)
            assert "Error" not in found and "Traceback" not in found, found
    last = last[last.index("KEPT"):]
    right = json.loads(last[last.index("["):last.index("]") + 1].replace("'", '"'))
    assert right == sorted(set(re.findall(r'"([a-z]+\.\d+)"', str([code for _, code in asked]))))


def kept(page, site):
    """Wait until the whole build of the lessons is kept."""
    name = page.evaluate("async () => (await caches.keys()).find((name) => name.startsWith('lessons-'))")
    files = sum(path.is_file() for path in (site / "lessons").rglob("*")) - 1
    until(page, "async ([name, files]) => (await (await caches.open(name)).keys()).length >= files", [name, files])


def test_lesson_one_is_done_kept_and_taken_up_again_without_a_network(browser, lessons):
    home, site = lessons
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(240_000)
    page = watched(context, "/".join(home.split("/")[:3]))
    opened(page, home)
    done(page, LESSON)
    shot(page, "lite_lesson", full_page=False)
    page.keyboard.press("Escape")
    until(page, SAVED)
    kept(page, site)
    context.set_offline(True)
    opened(page, home)
    run(page, 1)
    again = run(page, 3)
    assert "Ada" in again and "7" in again  # its tries are there
    shot(page, "lite_lesson_again", full_page=False)
    assert not page.wrong
    context.close()


@pytest.mark.parametrize("before", [False, True], ids=["none_before", "some_before"])
def test_an_answer_that_cannot_be_kept_is_checked_and_that_is_said(before, browser, lessons):
    home, _ = lessons
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(240_000)
    origin = "/".join(home.split("/")[:3])
    page = watched(context, origin)
    page.expected = "Quota|quota|507|drive"
    # That the notebook is not saved is told by a dialog over it, again and again.
    page.add_locator_handler(page.locator(".jp-Dialog .jp-mod-accept"), lambda button: button.click())
    opened(page, home)
    run(page, 1)
    assert "Ada" in run(page, 3, ME)
    number = codes(ROOT / "notebooks" / "lessons" / LESSON / "student.ipynb")[-1][0]
    if before:
        run(page, number, 'from navalkit.teach.lesson import *\ncheck("cards.2", 5)')
    line = context.new_cdp_session(page)
    line.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 1})
    page.wait_for_timeout(35_000)  # so long Chromium goes by what it knew of the room there is
    shown = run(page, number, 'from navalkit.teach.lesson import *\ncheck("cards.1", 5)')
    said(shown, TEACH, "hint", number=1)
    said(shown, TEACH, "not_kept")
    said(run(page, number, "report()"), TEACH, "not_kept")
    line.send("Storage.overrideQuotaForOrigin", {"origin": origin})
    said(run(page, number, "report()"), TEACH, "written")
    context.close()


WORKERS = """async () => [navigator.serviceWorker.controller?.scriptURL.split("?")[0],
  (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope).sort()]"""
"""The worker that controls the page, and the scopes of all there are."""


def works(page, home, lesson=None):
    """Open a lesson, or load the one that is there past its worker; its first cells run by the lessons' own."""
    if lesson:
        opened(page, home, lesson)
    else:
        page.add_init_script("window.first = navigator.serviceWorker.controller")
        with page.expect_event("load"):
            page.context.new_cdp_session(page).send("Page.reload", {"ignoreCache": True})
        assert page.evaluate("() => window.first") is None
        page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]", state="attached")
    assert page.evaluate(WORKERS) == [f"{home}/lessons/service-worker.js", [f"{home}/", f"{home}/lessons/"]]
    run(page, 1)
    assert "Ada" in run(page, 3, ME)


def test_lessons_run_after_the_lobby_beside_each_other_and_without_the_server(browser, lessons):
    """JupyterLite takes any worker for its own, and ends all of the host as it comes in a new version."""
    _, site = lessons
    context = browser.new_context()
    context.set_default_timeout(240_000)
    with served(site.parents[1]) as root:
        home = f"{root}/{site.relative_to(site.parents[1])}"
        page = context.new_page()
        page.goto(f"{home}/index.html")
        page.wait_for_function("() => !!navigator.serviceWorker.controller")
        until(page, "async () => !!(await navigator.serviceWorker.getRegistration()).active")
        works(page, home, LESSON)
        works(page, home)
        second = context.new_page()
        works(second, home, OTHERS[0])
        assert "Ada" in run(page, 3, ME)
        kept(page, site)
    second.close()
    page.goto(f"{home}/index.html")
    assert "away" not in page.url and page.title()
    for lesson in (LESSON, OTHERS[0]):
        works(page, home, lesson)
    page.evaluate("async () => { for (const name of await caches.keys())"
                  " if (name.startsWith('lessons-')) await caches.delete(name); }")
    page.goto(f"{home}/lessons/notebooks/index.html?path={LESSON}/student.ipynb")
    assert page.url == f"{home}/away.html" and UI("lite.away") in page.inner_text("#nk-cells")
    context.close()


@pytest.fixture(scope="module")
def offline(browser, lessons):
    """A browser that was here once, and has no network now."""
    home, site = lessons
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(240_000)
    page = context.new_page()
    opened(page, home)
    kept(page, site)
    page.close()
    context.set_offline(True)
    yield context
    context.close()


@pytest.mark.parametrize("lesson", OTHERS)
def test_a_lesson_is_done_without_a_network(offline, lessons, lesson):
    page = watched(offline, "/".join(lessons[0].split("/")[:3]))
    opened(page, lessons[0], lesson)
    done(page, lesson)
    shot(page, f"lite_lesson_{lesson[:2]}", full_page=False)
    page.close()
    assert not page.wrong


def test_the_list_leads_to_a_lesson_that_was_not_opened_before_without_a_network(offline, lessons):
    """Its links name no file: a server leads on from them, and so does what keeps the lessons."""
    page = offline.new_page()
    page.goto(f"{lessons[0]}/lessons/index.html")
    link = page.locator(".jp-RenderedMarkdown a[href*='student.ipynb']").last
    with offline.expect_page() as coming:
        link.click()
    lesson = coming.value
    ready(lesson)
    run(lesson, 1)
    assert "Ada" in run(lesson, 3, ME)
    lesson.close()
    page.close()


@pytest.mark.parametrize("width", [390, 360])
def test_on_a_phone_the_list_of_lessons_has_all_its_columns(browser, lessons, width):
    context = browser.new_context(viewport={"width": width, "height": 844})
    context.set_default_timeout(240_000)
    page = context.new_page()
    page.goto(f"{lessons[0]}/lessons/notebooks/index.html?path=index.ipynb", wait_until="commit")
    page.wait_for_selector(".jp-RenderedMarkdown table")
    shot(page, f"lite_lessons_{width}", full_page=False)
    over = "each => each.parentElement.scrollWidth - each.parentElement.clientWidth"
    assert page.eval_on_selector(".jp-RenderedMarkdown table", over) <= 0
    context.close()


def test_a_build_stops_where_jupyterlite_starts_in_another_way(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "lite")
    mend = importlib.import_module("lessons").mend
    files = {"a.js": b"one", "b.js": b"two", "b.js.txt": b"one"}
    mend(files, "its kernel", b"one", b"three")
    assert files == {"a.js": b"three", "b.js": b"two", "b.js.txt": b"one"}
    for each in (files, files | {"a.js": b"one", "b.js": b"one"}):
        with pytest.raises(SystemExit):
            mend(dict(each), "its kernel", b"one", b"three")


def test_the_lessons_hold_no_solution_and_no_page_for_teachers(lessons):
    _, site = lessons
    files = sorted((site / "lessons" / "files").rglob("*.ipynb"))
    assert len(files) == 1 + len(list((ROOT / "notebooks" / "lessons").glob("*/student.ipynb")))
    for path in files:
        tags = {tag for cell in json.loads(path.read_text())["cells"] for tag in cell["metadata"].get("tags", ())}
        assert not tags & {"solution", "teacher"} and "teachers.ipynb" not in path.read_text()
    assert 'href="lessons/notebooks/' in (site / "index.html").read_text()
    for app in ("notebooks", "tree"):
        assert 'href="../../index.html"' in (site / "lessons" / app / "index.html").read_text()
