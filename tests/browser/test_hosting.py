"""What every page promises, whatever game it shows: tried on the lobby and on small pages made here."""

from __future__ import annotations
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import nbformat
import pytest
from playwright.sync_api import expect

from navalkit.core.registry import names
from navalkit.view import lobby as lobby_page
from ..samples import sizes
from .conftest import (
    ROOT,
    Server,
    axe,
    open_page,
    serve,
    set_theme,
    shot,
    sideways,
    wait_for,
    wait_for_board,
)

PHONE, DESK = (390, 844), (1280, 900)
BOARD = """
import ipycanvas, ipywidgets as w
from time import sleep
sleep(1)  # long enough for the loading page to be read
board = ipycanvas.Canvas(width=780, height=509)
def draw():
    board.fill_style = "#0072B2"
    board.fill_rect(0, 0, 780, 509)
board.on_client_ready(draw)
board_box = w.Box([board], layout=w.Layout(max_width="100%")); board_box.add_class("nk-board")
undo = w.Button(icon="undo", tooltip="Take it back")
disabled = w.Button(description="Fire 9", disabled=True)
tabs = w.Tab([w.HTML("The odds."), w.HTML("The rules.")], titles=("Odds", "Rules"))
speed, order = w.IntSlider(description="Speed"), w.Text(placeholder="Type an order")
w.VBox([board_box, undo, disabled, speed, order, tabs])
"""


WAITS = """
import os
import ipywidgets as w
from pathlib import Path
from time import sleep
while not Path(os.environ["NAVALKIT_HOME"], "go").exists():
    sleep(0.05)
w.HTML("<p id='gone-on'>The cell has gone on.</p>")
"""


def write(folder: Path, name: str, *code: str) -> None:
    cells = [nbformat.v4.new_code_cell(source) for source in code]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    book = nbformat.v4.new_notebook(cells=cells, metadata={"title": f"The {name}", "kernelspec": kernel})
    nbformat.write(book, folder / f"{name}.ipynb")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory, voila: Server) -> Iterator[Server]:
    """A second Voila over pages made for these tests: a board, and one that fails."""
    folder = tmp_path_factory.mktemp("pages")
    write(folder, "board", "name = 'Lox'", BOARD)
    write(folder, "broken", "secret = 'tigerlily'\n1 / 0")
    write(folder, "waiting", WAITS)
    write(
        folder,
        "query",
        "import ipywidgets as w\nfrom voila.utils import get_query_string\n"
        "w.HTML(f'<p id=query>{get_query_string()}</p>')",
    )
    with serve(folder, tmp_path_factory.mktemp("home")) as server:
        yield server


@sizes("context", PHONE, DESK, indirect=True)
def test_the_lobby_opens_with_title_icon_and_footer_and_never_scrolls_sideways(page, voila):
    open_page(page, voila.page("lobby.ipynb"))
    assert page.title() == "Lobby"
    assert page.get_attribute("html", "lang") == "en"
    icon = page.get_attribute("link[rel=icon]", "href")
    assert icon.split("?")[0].endswith("favicon.svg")
    assert page.request.get(voila.url + icon).ok
    assert page.inner_text("h1") == "Lobby"
    assert [page.locator(tag).count() for tag in ("header", "main", "footer", "h1")] == [1, 1, 1, 1]
    assert "MIT" in page.inner_text("footer")
    assert page.locator(".nk-lobby-entry").count() == len(names()) + len(list(lobby_page.tools()))
    assert sideways(page) <= 0
    shot(page, f"lobby-{page.viewport_size['width']}")


@pytest.mark.slow
def test_the_lobby_links_exactly_what_there_is_and_every_link_opens(page, voila):
    open_page(page, voila.page("lobby.ipynb"))
    here = [*lobby_page.games(ROOT / "notebooks"), *lobby_page.tools()]
    links = page.locator(".nk-lobby-entry h3 a")
    assert links.all_inner_texts() == [entry.title for entry in here]
    for link in links.all():
        assert page.evaluate("a => a.href", link.element_handle()).startswith(f"{voila.url}/voila/render/")
    for entry in here:
        open_page(page, voila.page(entry.address))
        assert page.locator(".nk-frame-failed").count() == 0


@pytest.mark.slow
def test_the_source_notebook_can_be_downloaded_from_the_footer(page, voila):
    open_page(page, voila.page("lobby.ipynb"))
    answer = page.request.get(voila.url + page.get_attribute("#nk-source", "href"))
    assert answer.ok
    assert answer.json()["metadata"]["title"] == "Lobby"


def test_the_root_address_leads_to_the_lobby(page, voila):
    page.goto(voila.url, wait_until="commit")
    page.wait_for_url("**/voila/render/lobby.ipynb")
    page.wait_for_selector("#nk-loading", state="detached")


@pytest.mark.slow
@sizes("context", DESK, PHONE, indirect=True)
def test_axe_finds_no_serious_violation_in_any_theme(page, voila, pages):
    for name, url in {"lobby": voila.page("lobby.ipynb"), "widgets": pages.page("board.ipynb")}.items():
        open_page(page, url)
        for theme in ("light", "dark", "contrast"):
            set_theme(page, theme)
            shot(page, f"{name}-{page.viewport_size['width']}-{theme}")
            assert axe(page) == [], theme
            assert sideways(page) <= 0


@pytest.mark.slow
def test_a_chosen_theme_is_remembered_and_auto_follows_the_system(page, voila):
    open_page(page, voila.page("lobby.ipynb"))
    page.evaluate("addEventListener('navalkit:theme', event => { window.heard = event.detail })")
    background = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    set_theme(page, "dark")
    assert page.evaluate("heard") == "dark"
    dark = page.evaluate(background)
    assert dark != light
    open_page(page, voila.page("lobby.ipynb"))
    assert page.evaluate(background) == dark
    page.emulate_media(color_scheme="light")
    set_theme(page, "auto")
    assert page.evaluate(background) == light
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"() => {background} === '{dark}'")


def test_the_loading_page_says_what_is_going_on(page, pages):
    page.add_init_script(
        """window.stages = [];
           const note = () => stages.push(document.querySelector('#nk-loading [role=status]')?.textContent);
           new MutationObserver(note).observe(document, {subtree: true, childList: true, characterData: true});"""
    )
    page.goto(pages.page("board.ipynb"), wait_until="commit")
    page.wait_for_selector("#nk-loading [role=status]")
    shot(page, "loading")
    page.wait_for_selector("#nk-loading", state="detached")
    stages = page.evaluate("stages.filter(Boolean)")
    assert stages[0].startswith("Starting Python"), stages
    read = [number for number, stage in enumerate(stages) if "cell 1 of 2" in stage]
    assert read and set(stages[read[-1] + 1:]) - set(stages[:read[-1]]), stages  # and then it is drawn


def test_the_front_end_starts_while_the_notebook_is_still_read(page, pages):
    """It shows the widgets of a cell that goes on until then."""
    page.goto(pages.page("waiting.ipynb"), wait_until="commit")
    asked = "performance.getEntriesByType('resource').some((each) => each.name.includes('/api/kernels/'))"
    there = "window._JUPYTERLAB?.ipycanvas && window._JUPYTERLAB.bqplot"  # looked at in the same moment
    found = page.wait_for_function(f"() => {there} && [document.readyState, {asked}]")
    assert found.json_value() == ["loading", False]
    (pages.home / "go").touch()
    expect(page.locator("#gone-on")).to_have_text("The cell has gone on.")


WAITING = """<main id="nk-main"><section id="nk-loading"><p role="status"><strong id="nk-stage"></strong>
<span id="nk-stage-detail"></span></p><progress id="nk-progress" max="100"></progress></section>
<div id="nk-cells" hidden><div class="jp-OutputArea-output">Loading widget...</div></div></main>
<select id="nk-theme"><option>auto</option></select><button id="nk-sound"></button><button id="nk-haptics"></button>
<a id="nk-source"></a><footer class="nk-frame-footer"></footer><script src="navalkit.js"></script>"""
"""A page as it is while its widgets are on their way."""


def test_a_page_stays_covered_as_long_as_its_widgets_are_on_their_way(page):
    script = (ROOT / "voila_templates" / "navalkit" / "static" / "navalkit.js").read_text("utf-8")
    answers = {"/": WAITING, "/navalkit.js": script}
    page.route("http://127.0.0.1:9/**", lambda route: route.fulfill(
        body=answers.get(urlsplit(route.request.url).path, ""),
        content_type="text/javascript" if route.request.url.endswith("js") else "text/html",
    ))  # fmt: skip
    page.clock.install()
    page.goto("http://127.0.0.1:9/")
    page.clock.run_for(10_000)
    assert page.locator("#nk-loading").count() == 1
    assert page.evaluate("document.querySelector('#nk-progress').value") >= 90  # it is being drawn
    page.evaluate("document.querySelector('.jp-OutputArea-output').innerHTML = '<canvas></canvas>'")
    page.clock.run_for(100)
    assert page.locator("#nk-loading").count() == 0


@pytest.mark.slow
@sizes("context", DESK, PHONE, indirect=True)
def test_a_server_that_is_full_says_so_on_a_clean_page(page, tmp_path):
    page.expected_errors.append("status of 503")
    write(tmp_path, "small", "print('here')")
    first = page.context.new_page()
    with serve(tmp_path, tmp_path, "--Kernels.limit=1") as full:
        open_page(first, full.page("small.ipynb"))
        page.goto(full.page("small.ipynb"))
        assert "As many pages are open" in page.inner_text("main")
        for theme in ("light", "dark", "contrast"):
            set_theme(page, theme)
            assert axe(page) == [] and sideways(page) <= 0, theme
        first.close(run_before_unload=True)


def test_an_erroring_notebook_shows_one_sentence_and_no_traceback(page, pages):
    open_page(page, pages.page("broken.ipynb"))
    shot(page, "broken")
    assert "Something went wrong" in page.inner_text(".nk-frame-failed")
    source = page.content()
    for leak in ("Traceback", "ZeroDivisionError", "1 / 0", "tigerlily", "show_tracebacks"):
        assert leak not in source


@pytest.mark.slow
def test_a_page_that_is_not_there_says_so_in_one_sentence(page, voila):
    page.expected_errors.append("404")
    answer = page.goto(voila.page("nothing.ipynb"))
    assert answer.status == 404
    assert "There is no page at this address" in page.inner_text("main")
    assert "Traceback" not in page.content()
    assert axe(page) == []


@pytest.mark.slow
def test_ten_pages_opened_and_closed_leave_no_kernel(context, voila, kernels: Callable[[], int]):
    before = kernels()
    for opened in range(10):
        each = context.new_page()
        open_page(each, voila.page("lobby.ipynb") + "?game=uss-lox")
        assert kernels() > 0
        if opened % 2:
            each.goto("about:blank")  # leaving by a link counts as much as closing
        each.close(run_before_unload=True)
    wait_for(lambda: kernels() == before, 15, f"{kernels()} kernels are running, there were {before}.")


@pytest.mark.slow
def test_a_page_that_is_left_ends_its_kernel_even_if_a_cookie_set_then_comes_too_late(page, voila, kernels):
    before = kernels()
    page.add_init_script(
        """const cookie = Object.getOwnPropertyDescriptor(Document.prototype, "cookie");
        addEventListener("pagehide", () => Object.defineProperty(document, "cookie", { ...cookie, set() {} }));"""
    )
    open_page(page, voila.page("lobby.ipynb") + "?game=uss-lox")
    assert kernels() > before
    page.goto("about:blank")
    wait_for(lambda: kernels() == before, 15, f"{kernels()} kernels are running, there were {before}.")


@pytest.mark.slow
def test_tab_leaves_a_focused_board_and_the_wheel_scrolls_past_it(page, pages):
    open_page(page, pages.page("board.ipynb"))
    wait_for_board(page)
    page.set_viewport_size({"width": 1280, "height": 500})
    page.eval_on_selector(".nk-board canvas", "canvas => { canvas.tabIndex = 0; canvas.focus(); }")
    assert page.evaluate("document.activeElement.tagName") == "CANVAS"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") != "CANVAS"
    box = page.locator(".nk-board canvas").first.bounding_box()
    page.mouse.move(box["x"] + 50, box["y"] + 50)
    page.mouse.wheel(0, 200)
    page.wait_for_function("() => scrollY > 0")


@pytest.mark.slow
def test_controls_and_board_have_names_for_screen_readers(page, pages):
    open_page(page, pages.page("board.ipynb"))
    wait_for_board(page)
    assert page.get_by_role("button", name="Take it back").count() == 1
    assert page.get_by_role("slider", name="Speed").count() == 1
    assert page.get_by_role("textbox", name="Type an order").count() == 1
    assert page.get_by_role("img", name="Board").count() == 1


@pytest.mark.slow
@pytest.mark.parametrize("context", [PHONE], indirect=True, ids=["phone"])
def test_on_a_phone_a_game_is_one_column_in_reading_order_with_large_targets(page, voila):
    open_page(page, voila.page("play_uss_lox.ipynb"))
    wait_for_board(page)
    board, status, orders, controls = (
        page.locator(part).first.bounding_box()
        for part in (".nk-board", ".nk-status", ".nk-play-orders", ".nk-play-controls")
    )
    for above, below in ((board, status), (status, orders), (orders, controls)):
        assert above["y"] + above["height"] <= below["y"]
    for button in page.locator("button:visible, select:visible").all():
        assert button.bounding_box()["height"] >= 44
    assert sideways(page) <= 0


@pytest.mark.slow
def test_the_page_scrolls_in_one_place_only(page, pages):
    open_page(page, pages.page("board.ipynb"))
    page.set_viewport_size({"width": 1280, "height": 400})
    inner = page.evaluate(
        """() => [...document.querySelectorAll('body, body *')].filter(e =>
             e.scrollHeight > e.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(e).overflowY))
             .map(e => e.className)"""
    )
    assert inner == []
    assert page.evaluate("document.documentElement.scrollHeight > innerHeight")


@pytest.mark.slow
def test_the_query_string_reaches_the_notebook(page, pages):
    open_page(page, pages.page("query.ipynb") + "?seed=42&step=3")
    assert page.inner_text("#query") == "seed=42&step=3"
