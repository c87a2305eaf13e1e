"""Every page in German, as a browser has it, with class, phones and friends: no English is left, nothing is cut off."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from navalkit.core.words import Voice, speaking
from navalkit.rooms.store import Rooms
from ..english import english as unspoken, spoken
from ..sentences import SERVE_PHONE, like
from ..servers import ROOT, serve
from .conftest import open_page, shot, sideways, wait_for_board
from .driver import Driver
from .test_class_screen import CONVOY, PATIENCE, aboard, ended, opened, paired, press, tap
from .test_play_uss_lox import english
from .test_two_devices import invite

GAMES = ("on_patrol", "fleet_action", "wolf_pack", "task_force", "uss_lox")
SIZES = ((1280, 800), (390, 844))


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}")
@pytest.mark.parametrize("game", GAMES)
def test_a_game_opens_in_german(page, voila, game, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_page(page, voila.page(f"play_{game}.ipynb") + "?lang=de&seed=2")
    wait_for_board(page)
    page.wait_for_selector("html[lang=de]")
    page.wait_for_function("() => !document.querySelector('.nk-waiting')?.innerText.trim()")
    shot(page, f"german-{game}-{size[0]}")
    assert english(page) == set() and sideways(page) <= 0


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}")
@pytest.mark.parametrize(("game", "asked"), [("on-patrol", "position=mode-3"), ("fleet-action", "seed=1")])
def test_a_game_is_stepped_through_in_german(page, voila, game, asked, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_page(page, voila.page("step.ipynb") + f"?lang=de&game={game}&{asked}")
    wait_for_board(page)
    page.wait_for_selector("html[lang=de]")
    page.locator(".nk-key-bar-on").click()
    page.wait_for_timeout(500)
    shot(page, f"german-step-{game}-{size[0]}")
    assert english(page) == set() and sideways(page) <= 0


@pytest.fixture
def devices(browser):
    """Makes pages of a size, each a device of its own whose browser asks for German."""
    made = []

    def page(width, height):
        size = {"width": width, "height": height}
        context = browser.new_context(viewport=size, reduced_motion="reduce", locale="de-DE", has_touch=width < 640)
        context.set_default_timeout(PATIENCE)
        made.append(context)
        return context.new_page()

    yield page
    for context in made:
        context.close()


def looked_at(page, name):
    """A picture; nothing is English, once the page has been said anew, and nothing reaches beyond the window."""
    for _ in range(60):
        page.wait_for_timeout(500)
        if not english(page):
            break
    shot(page, f"german-{name}", full_page=False)
    assert english(page) == set(), name
    assert sideways(page) <= 0, name


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}")
@pytest.mark.parametrize("name", ["lobby", "explore_sinking"])
def test_what_is_around_the_games_is_german(page, voila, name, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_page(page, voila.page(f"{name}.ipynb") + "?lang=de")
    page.wait_for_selector("html[lang=de], .nk-lobby[lang=de]", state="attached")
    page.wait_for_function("() => !document.querySelector('.nk-waiting')?.innerText.trim()")
    looked_at(page, f"{name}-{size[0]}")


@pytest.mark.slow
def test_a_friend_is_asked_in_german(voila, devices):
    host, guest = devices(1280, 800), devices(390, 844)
    with speaking(Voice("de")):
        code = invite(Driver(host, voila.page("play_wolf_pack.ipynb") + "?lang=de"))
        looked_at(host, "invite")
        guest.goto(f"{voila.url}/room/{code}")
        expect(guest.locator("#who")).to_contain_text(like(SERVE_PHONE, "game.you"))
        guest.wait_for_selector(".nk-phone-board img")
    looked_at(guest, "friend")
    host.wait_for_timeout(1000)
    looked_at(host, "host")


@pytest.mark.slow
def test_a_class_is_german_on_screen_console_and_phones(devices, tmp_path):
    screen, console, phone = devices(1280, 800), devices(390, 844), devices(360, 640)
    with serve(ROOT / "notebooks", tmp_path) as server, speaking(Voice("de")):
        rooms = Rooms(tmp_path / "rooms.sqlite3")
        code = opened(screen, server, f"{CONVOY}&lang=de")
        looked_at(screen, "class-door")
        aboard(server, code, phone)
        looked_at(phone, "phone-wait")
        paired(console, server, rooms, code)
        looked_at(console, "console")
        press(console, "open", screen)
        phone.locator(".nk-phone-cell, .nk-phone-list button").first.wait_for()
        looked_at(phone, "phone-asked")
        tap(phone, 2)
        looked_at(phone, "phone-answered")
        looked_at(screen, "class-asked")
        looked_at(console, "console-asked")
        press(console, "shown", screen)
        looked_at(screen, "class-told")
        looked_at(phone, "phone-told")
        console.click("#room summary")
        looked_at(console, "console-room")
        told = ended(console, screen)
    left = set(unspoken(spoken(told)))
    assert left == set()
