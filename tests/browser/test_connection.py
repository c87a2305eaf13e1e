"""The connection tells the truth: lines that break, kernels that are busy or die, servers that go and come."""

from __future__ import annotations
import os
import re
import signal
import time
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import expect

from ..sentences import UI
from ..servers import ROOT, children, serve
from .conftest import open_page, shot
from .driver import PATIENCE, Driver

OFFLINE = [
    "net::ERR_(INTERNET_DISCONNECTED|NETWORK_CHANGED|CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE)",
    "WebSocket connection",
    "404",
]
GAME = "play_uss_lox.ipynb?seed=42"
TABS = 10
LINE = {"offline": False, "latency": 300, "downloadThroughput": 200_000, "uploadThroughput": 96_000}
"""A 3G line as browsers emulate it: ms, and bytes a second."""
FIRST_BOARD = 15
"""Seconds in which such a line is to bring the first board, once the cache is warm."""
BUSY = """
import time
import ipywidgets as w
from navalkit.ui.shell import Bridge
done = w.HTML("<p id=done>0</p>")
def calculate(_):
    time.sleep(20)
    done.value = "<p id=done>1</p>"
button = w.Button(description="Calculate")
button.on_click(calculate)
w.VBox([button, done, Bridge()])
"""


@pytest.fixture
def game(page, voila):
    """A game with one order given, and a mark that a reload would wipe out."""
    page.expected_errors += OFFLINE
    driver = Driver(page, voila.page(GAME))
    driver.click(driver.buttons.first)
    page.evaluate("window.unloaded = false; document.title")
    return driver


def notice(page):
    return page.locator("#nk-lost")


def reloaded(page) -> bool:
    return page.evaluate("window.unloaded === undefined")


def ply(page) -> str:
    return page.inner_text(".nk-play-stepper .widget-readout").strip()


def lose_and_find(page, context, game, seconds: float) -> None:
    before, place = ply(page), game.canvas.bounding_box()
    context.set_offline(True)
    expect(notice(page)).to_contain_text(UI("frame.away"), timeout=60_000)
    assert game.canvas.bounding_box() == place  # the notice moves nothing
    game.buttons.first.click()
    expect(notice(page)).to_contain_text(f"{UI('frame.orders')} 1")
    shot(page, "offline")
    assert ply(page) == before
    time.sleep(seconds)
    with game.answer():
        context.set_offline(False)
    expect(notice(page)).to_be_hidden(timeout=60_000)
    assert int(ply(page)) > int(before)  # the order that waited has been given
    assert not reloaded(page)
    game.click(game.buttons.first)  # and the game goes on


@pytest.mark.slow
def test_after_a_short_loss_the_game_goes_on_with_the_order_that_waited(page, context, game):
    lose_and_find(page, context, game, 1)


@pytest.mark.slow
def test_after_half_a_minute_offline_the_game_goes_on(page, context, game):
    lose_and_find(page, context, game, 30)


@pytest.mark.slow
def test_ten_tabs_lose_their_line_and_all_go_on(context, voila, page):
    page.expected_errors += OFFLINE
    tabs = [page, *(context.new_page() for _ in range(TABS - 1))]
    games = []
    for seed, tab in enumerate(tabs, 42):
        games.append(Driver(tab, voila.page(f"play_uss_lox.ipynb?seed={seed}")))
        games[-1].click(games[-1].buttons.first)
        tab.evaluate("window.unloaded = false; 1")
    before = [ply(tab) for tab in tabs]
    context.set_offline(True)
    for tab in tabs:
        expect(notice(tab)).to_contain_text(UI("frame.away"), timeout=PATIENCE)
    context.set_offline(False)
    for tab, game, at in zip(tabs, games, before, strict=True):
        tab.bring_to_front()
        expect(notice(tab)).to_be_hidden(timeout=PATIENCE)
        assert ply(tab) == at and not reloaded(tab)
        game.click(game.buttons.first)
    for tab in tabs[1:]:
        tab.close(run_before_unload=True)


@pytest.mark.slow
def test_a_laptop_that_was_asleep_goes_on_where_it_was(page, context, tmp_path):
    page.expected_errors += OFFLINE
    with serve(ROOT / "notebooks", tmp_path) as server:
        game = Driver(page, server.page(GAME))
        game.click(game.buttons.first)
        before = ply(page)
        page.evaluate("window.unloaded = false; 1")
        browser = context.new_cdp_session(page)
        family = [server.process.pid, *children(server.process.pid)]
        browser.send("Page.setWebLifecycleState", {"state": "frozen"})
        for process in family:
            os.kill(process, signal.SIGSTOP)
        time.sleep(60)
        for process in family:
            os.kill(process, signal.SIGCONT)
        browser.send("Page.setWebLifecycleState", {"state": "active"})
        game.click(game.buttons.first)
        expect(notice(page)).to_be_hidden(timeout=PATIENCE)
        assert int(ply(page)) > int(before) and not reloaded(page)


@pytest.mark.slow
def test_over_a_slow_line_a_page_opens_and_plays_and_brings_no_more_than_the_line_carries(page, context, voila):
    Driver(page, voila.page(GAME))  # the cache is warm from now on
    line, brought, frames = context.new_cdp_session(page), [], []
    line.send("Network.enable")
    line.on("Network.loadingFinished", lambda done: brought.append(done["encodedDataLength"]))
    line.on("Network.webSocketFrameReceived", lambda got: frames.append(len(got["response"]["payloadData"])))
    line.send("Network.emulateNetworkConditions", LINE)
    game = Driver(page, voila.page(GAME))
    assert sum(brought + frames) < FIRST_BOARD * LINE["downloadThroughput"] / 3  # Python's start takes its time as well
    asked = [each for each in brought if each]  # what the cache has brings nothing
    assert len(asked) * LINE["latency"] < FIRST_BOARD * 1000 / 3  # even if each waited for the one before
    game.click(game.buttons.first)
    expect(notice(page)).to_be_hidden()


@pytest.mark.slow
def test_a_browser_that_is_busy_for_long_leaves_no_widget_out(page, voila):
    """Their modules come as blobs, for which anywidget has two seconds."""
    page.add_init_script(
        "const make = URL.createObjectURL; let busy = true;"
        "URL.createObjectURL = (blob) => {"
        "  if (busy && blob.type === 'text/javascript') {"
        "    busy = false; const end = Date.now() + 2500; setTimeout(() => { while (Date.now() < end); });"
        "  } return make.call(URL, blob); };"
    )
    game = Driver(page, voila.page(GAME))
    game.click(game.buttons.first)


@pytest.mark.slow
def test_widgets_that_come_while_the_browser_is_too_busy_to_look_are_found(page, voila):
    """Its timers then ring late: here those by which widgets are looked for ring when all widgets are there."""
    page.add_init_script(
        """const later = setTimeout;
        window.late = 0;
        window.setTimeout = (call, ms, ...rest) => {
          if (ms !== 100) return later(call, ms, ...rest);
          const due = Date.now() + 2500, ring = () => {
            if (window.jupyterapp?.widgetManager?.restoredStatus && Date.now() > due) call(...rest);
            else { window.late += 1; later(ring, 50); }
          };
          return later(ring, ms);
        };"""
    )
    page.goto(voila.page(GAME), wait_until="commit")
    page.wait_for_selector(".nk-play-order-button", timeout=PATIENCE)
    assert page.evaluate("window.late") and not page.evaluate("sessionStorage.getItem('navalkit:resumed')")


@pytest.mark.slow
def test_a_page_that_lost_a_widget_is_loaded_again(page, voila):
    """Once: the first time a widget comes as the front end's sign that it could not be made."""
    page.add_init_script(
        """if (!sessionStorage.getItem("lost")) new MutationObserver((_, seen) => {
            const cells = document.querySelector("#nk-cells");
            if (!cells) return;
            seen.disconnect();
            sessionStorage.setItem("lost", "1");
            cells.append(Object.assign(document.createElement("div"), { className: "jupyter-widgets-error-widget" }));
        }).observe(document, { childList: true, subtree: true });"""
    )
    page.goto(voila.page(GAME), wait_until="commit")
    page.wait_for_function("() => performance.getEntriesByType('navigation')[0].type === 'reload'", timeout=PATIENCE)
    page.wait_for_selector(".nk-play-order-button", timeout=PATIENCE)
    assert page.locator(".jupyter-widgets-error-widget").count() == 0 and notice(page).is_hidden()


def test_a_killed_kernel_is_replaced_and_the_game_taken_up_by_itself(page, voila, game):
    before = ply(page)
    for kernel in children(voila.process.pid):
        os.kill(kernel, signal.SIGKILL)
    page.wait_for_function("() => window.unloaded === undefined", timeout=60_000)
    page.wait_for_selector("#nk-loading", state="detached", timeout=60_000)
    expect(page.locator(".nk-play-stepper .widget-readout")).to_have_text(before, timeout=60_000)
    assert notice(page).is_hidden()
    game.click(game.buttons.first)


@pytest.mark.slow
def test_a_line_that_does_not_open_is_exchanged_for_another(page, voila):
    page.add_init_script("""
      const Native = window.WebSocket;
      window.nkHoles = [];
      window.WebSocket = class extends Native {
        constructor(...asked) {
          if (!window.nkHole) return super(...asked);
          const hole = Object.assign(new EventTarget(), { readyState: 0, close() {} });
          window.nkHoles.push(hole);
          return hole;
        }
      };""")
    game = Driver(page, voila.page(GAME))
    page.evaluate("window.nkHole = true; dispatchEvent(new Event('offline'))")
    page.wait_for_function("() => window.nkHoles.length === 1")
    page.evaluate("window.nkHole = false")
    page.wait_for_selector("html[data-nk-line=fine]", timeout=30_000)
    game.click(game.buttons.first)
    assert page.evaluate("window.nkHoles.length") == 1 and notice(page).is_hidden()


def test_what_is_said_to_be_stuck_is_taken_back_as_soon_as_the_game_answers(page, game):
    page.evaluate("""() => {
        sessionStorage.setItem("navalkit:resumed", 3);  // three times in vain
        window.seen = [];
        new MutationObserver(() => window.seen.push(document.documentElement.dataset.nkLine))
            .observe(document.documentElement, { attributeFilter: ["data-nk-line"] });
        dispatchEvent(new Event("navalkit:widgets-lost"));
    }""")
    page.wait_for_function("() => window.seen.at(-1) === 'fine'", timeout=PATIENCE)
    assert page.evaluate("window.seen") == ["stuck", "fine"] and not reloaded(page)
    expect(notice(page)).to_be_hidden()
    game.click(game.buttons.first)


def test_a_game_that_comes_slowly_is_given_its_time(page, voila, game):
    """Python is held as long as a slow machine takes: the page waits for it, and is not loaded once more."""
    before, held, free = ply(page), [], []

    def route(line):
        server = line.connect_to_server()

        def tell(message):
            raw = message.encode() if isinstance(message, str) else message
            if not free and (held or b'"pong"' in raw or b'"stand"' in raw):
                held.append(lambda: line.send(message))
            else:
                line.send(message)

        server.on_message(tell)

    page.route_web_socket(re.compile("/api/kernels/"), route)
    page.reload()
    page.wait_for_function("() => document.querySelector('#nk-cells')?.hidden === false", timeout=PATIENCE)
    page.evaluate("window.unloaded = false")
    page.wait_for_timeout(12_000)
    assert page.locator("#nk-loading").count() and held and not reloaded(page)
    free.append(True)
    for each in held:
        each()
    page.wait_for_selector("#nk-loading", state="detached", timeout=PATIENCE)
    expect(page.locator(".nk-play-stepper .widget-readout")).to_have_text(before, timeout=PATIENCE)
    assert not reloaded(page)


@pytest.mark.slow
def test_a_server_that_is_killed_and_started_again_finds_its_readers(page, tmp_path):
    page.expected_errors += OFFLINE
    with serve(ROOT / "notebooks", tmp_path) as server:
        game = Driver(page, server.page(GAME))
        game.click(game.buttons.first)
        before = ply(page)
        page.evaluate("window.unloaded = false; 1")
        kernels = children(server.process.pid)
        server.process.kill()
        for kernel in kernels:
            os.kill(kernel, signal.SIGKILL)
        expect(notice(page)).to_contain_text(UI("frame.away"), timeout=60_000)
    with serve(ROOT / "notebooks", tmp_path, port=int(server.url.rpartition(":")[2])):
        page.wait_for_function("() => window.unloaded === undefined", timeout=60_000)
        page.wait_for_selector("#nk-loading", state="detached", timeout=60_000)
        expect(page.locator(".nk-play-stepper .widget-readout")).to_have_text(before, timeout=60_000)
        game.click(game.buttons.first)


@pytest.mark.slow
def test_a_busy_kernel_is_not_a_dead_one(page, tmp_path: Path):
    page.expected_errors += OFFLINE
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(BUSY)], metadata={"kernelspec": kernel})
    (tmp_path / "pages").mkdir()
    nbformat.write(book, tmp_path / "pages" / "busy.ipynb")
    with serve(tmp_path / "pages", tmp_path) as server:
        open_page(page, server.page("busy.ipynb"))
        page.wait_for_selector("#done")
        page.evaluate("window.unloaded = false; 1")
        page.click("button:has-text('Calculate')")
        expect(notice(page)).to_contain_text(UI("frame.busy"), timeout=60_000)
        expect(page.locator("#done")).to_have_text("1", timeout=60_000)
        expect(notice(page)).to_be_hidden(timeout=60_000)
        assert not reloaded(page)
