"""Two people, two devices: the host's page, and a guest's phone without a kernel."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .conftest import axe, shot, sideways, wait_for
from .driver import Driver

OFFLINE = ["net::ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED|NETWORK_CHANGED)", "status of 503"]


@pytest.fixture
def phone(browser):
    """A phone, watched for errors."""
    made = browser.new_context(viewport={"width": 360, "height": 740}, reduced_motion="reduce", has_touch=True)
    made.set_default_timeout(20_000)
    page = made.new_page()
    seen: list[str] = []
    page.on("pageerror", lambda error: seen.append(str(error)))
    page.on("console", lambda line: seen.append(line.text) if line.type == "error" else None)
    yield page
    made.close()
    assert not [line for line in seen if not any(re.search(pattern, line) for pattern in OFFLINE)]


def invite(game: Driver) -> str:
    """Make a link for somebody on another device; returns its code."""
    game.drawer(tab="Options")
    game.page.click(".nk-invite")
    game.click(game.page.locator(".nk-invite-begin"))
    return game.page.inner_text(".nk-code")


def play(game: Driver, phone) -> str:
    """Give the first order there is, on the turn of either; returns whose turn it was."""
    guest = phone.locator(".orders button").first
    wait_for(lambda: game.buttons.first.is_visible() or guest.is_visible(), 20, "it is nobody's turn")
    if guest.is_visible():
        with phone.expect_response(lambda answer: answer.url.endswith("/game") and answer.request.method == "POST"):
            guest.tap()
        expect(phone.locator("h2")).to_be_visible()
        return "guest"
    game.click(game.buttons.first)
    return "host"


def test_two_people_play_wolf_pack_on_two_devices(page, voila, kernels, phone):
    game = Driver(page, voila.page("play_wolf_pack.ipynb"))
    before = kernels()
    code = invite(game)
    shot(page, "invite")
    phone.goto(f"{voila.url}/room/{code.lower()}")
    expect(page.locator(".nk-invite-text")).to_contain_text("The other side is here")
    expect(phone.locator("#who")).to_contain_text("You are the convoy")
    turns = [play(game, phone) for _ in range(8)]
    assert {"host", "guest"} <= set(turns)
    assert not axe(phone) and sideways(phone) <= 0
    shot(phone, "guest-wolf-pack")
    shot(page, "host-wolf-pack")
    assert kernels() == before  # a guest costs none
