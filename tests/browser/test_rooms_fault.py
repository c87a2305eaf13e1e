"""Server and kernels are killed in the middle of a class; phones are half a minute without a line."""

from __future__ import annotations
import os
import signal

import psutil
import pytest
from playwright.sync_api import expect

from navalkit.rooms.store import Rooms
from navalkit.rooms.table import Table
from ..sentences import SERVE_PHONE, UI_ROOMS, like
from ..servers import ROOT, children, serve
from .conftest import open_page
from .driver import PATIENCE, Driver
from .test_class import answer, press
from .test_two_devices import invite, play

GONE = ["net::ERR_", "WebSocket connection", "40[0-9]|50[0-9]"]


@pytest.fixture
def phone(browser):
    context = browser.new_context(viewport={"width": 360, "height": 720}, reduced_motion="reduce", has_touch=True)
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


def kill(server) -> None:
    kernels = children(server.process.pid)
    server.process.kill()
    for kernel in kernels:
        os.kill(kernel, signal.SIGKILL)


@pytest.mark.slow
def test_a_class_goes_on_after_its_server_and_its_kernel_were_killed(page, phone, tmp_path):
    page.expected_errors += GONE
    with serve(ROOT / "notebooks", tmp_path) as server:
        open_page(page, server.page("step_escorts.ipynb?position=mode-3&class=1"))
        code = page.inner_text(".nk-room-code")
        phone.goto(f"{server.url}/room/{code}")
        press(page, "class-where")
        phone.wait_for_selector(".nk-phone-cell")
        first = answer(phone, ".nk-phone-cell:nth-child(3)")
        phone.context.set_offline(True)
        phone.wait_for_timeout(30_000)
        phone.context.set_offline(False)
        page.evaluate("window.unloaded = false; 1")
        kill(server)
        phone.locator(".nk-phone-cell").nth(5).dispatch_event("click")
        phone.click("#bar button.nk-phone-primary:enabled")  # it goes on trying
    with serve(ROOT / "notebooks", tmp_path, port=int(server.url.rpartition(":")[2])):
        expect(phone.locator("#bar button.nk-phone-primary")).to_contain_text(like(SERVE_PHONE, "mine"), timeout=60_000)
        assert phone.inner_text("#bar button.nk-phone-primary") != first
        rooms = Rooms(tmp_path / "rooms.sqlite3")
        assert rooms.joined(code) == 1 and len(rooms.answers(code, 1)) == 1
        rooms.close()
        page.wait_for_function("() => window.unloaded === undefined", timeout=PATIENCE)  # the old page says the same
        page.wait_for_selector("#nk-loading", state="detached", timeout=PATIENCE)
        expect(page.locator(".nk-room-text")).to_contain_text(UI_ROOMS("class.joined", n=1), timeout=PATIENCE)
        assert code in page.inner_text(".nk-room-text")
        press(page, "class-where")  # the class goes on where it was
        expect(phone.locator("#bar button.nk-phone-primary")).to_contain_text(SERVE_PHONE("pick.none"), timeout=60_000)
        answer(phone, ".nk-phone-cell:nth-child(2)")
        expect(page.locator(".nk-room-come")).to_have_text(UI_ROOMS("class.come", n=1, of=1))


def guests(server) -> list[psutil.Process]:
    """The process that makes the boards of guests."""
    family = psutil.Process(server.process.pid).children()
    return [each for each in family if "navalkit.ui.rooms.door" in each.cmdline()]


@pytest.mark.slow
def test_a_game_on_two_devices_goes_on_after_all_that_served_it_was_killed(page, phone, tmp_path):
    page.expected_errors += GONE
    rooms = Rooms(tmp_path / "rooms.sqlite3")
    with serve(ROOT / "notebooks", tmp_path) as server:
        game = Driver(page, server.page("play_wolf_pack.ipynb"))
        code = invite(game)
        phone.goto(f"{server.url}/room/{code}")
        expect(page.locator(".nk-room-who")).to_contain_text(UI_ROOMS("invite.here"))
        table = Table(rooms, code, 0)
        assert {play(game, phone, table) for _ in range(8)} == {"host", "guest"}
        (worker,) = guests(server)
        worker.kill()
        assert {play(game, phone, table) for _ in range(8)} == {"host", "guest"}
        assert guests(server) != [worker]
        before = rooms.moves(code)
        page.evaluate("window.unloaded = false; 1")
        kill(server)
    with serve(ROOT / "notebooks", tmp_path, port=int(server.url.rpartition(":")[2])):
        page.wait_for_function("() => window.unloaded === undefined", timeout=PATIENCE)
        page.click(".nk-key-invite-open:visible", timeout=PATIENCE)  # the gate was open as long as its server
        expect(page.locator(".nk-room-who")).to_contain_text(UI_ROOMS("invite.here"))
        assert {play(game, phone, table) for _ in range(8)} == {"host", "guest"}
        # Both leave, and come back.
        page.goto("about:blank")
        phone.goto("about:blank")
        game.open(server.page("play_wolf_pack.ipynb"))
        phone.goto(f"{server.url}/room/{code}")
        expect(phone.locator("#who")).to_contain_text(SERVE_PHONE("game.you", side="convoy"))
        assert {play(game, phone, table) for _ in range(8)} == {"host", "guest"}
        after = rooms.moves(code)
        assert after[: len(before)] == before and len(after) >= len(before) + 16
        assert Table(rooms, code, 0).match.state == Table(rooms, code, 1).match.state
    rooms.close()
