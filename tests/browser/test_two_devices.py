"""Two people, two devices: the host's page, and a guest's phone without a kernel."""

from __future__ import annotations
import re
import time

import numpy as np
import pytest
from playwright.sync_api import expect

from navalkit import Match
from navalkit.rooms.store import Rooms
from navalkit.rooms.table import Table
from ..sentences import SERVE_PHONE, UI_ROOMS, like
from .conftest import axe, shot, sideways
from .driver import Driver
from .test_review import ENDED

OFFLINE = [
    "net::ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED|NETWORK_CHANGED)",
    "status of (409|503)",
]  # a press on a board that is a moment old is refused


@pytest.fixture
def phone(browser):
    """A phone, watched for errors."""
    made = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce", has_touch=True)
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
    game.drawer(tab="options")
    game.page.click(".nk-key-invite")
    game.click(game.page.locator(".nk-key-invite-begin"))
    return game.page.inner_text(".nk-room-code")


def play(game: Driver, phone, table: Table) -> str:
    """Give the first order there is for the side on turn by the file, again if it was refused; returns who it was."""
    table.catch_up()
    before, host = table.done, table.match.turn == table.me
    button = game.buttons.first if host else phone.locator(".nk-phone-orders button").first

    def given() -> bool:
        table.catch_up()
        return table.done > before

    for _ in range(6):
        button.click()
        end = time.monotonic() + 10
        while time.monotonic() < end:
            if given():
                return "host" if host else "guest"
            game.page.wait_for_timeout(50)
    raise AssertionError("an order was given six times and is not in the file")


def fits(phone, width: int, height: int) -> None:
    """Turned to this size the phone shows the whole board, laid out for it, and the orders below it at once."""
    phone.set_viewport_size({"width": width, "height": height})
    phone.wait_for_selector(f".nk-phone-board img[width='{width}']")
    board, bar, text = phone.evaluate(
        """() => ["#main .nk-phone-board", "#bar", ".nk-phone-status"].map((part) => {
            const box = document.querySelector(part).getBoundingClientRect(); return [box.top, box.bottom]; })"""
    )
    bar = bar if any(bar) else (height, height)  # hidden while there is nothing to do
    assert text[1] <= board[0] and board[1] <= bar[0] and bar[1] <= height and board[1] - board[0] >= 0.6 * height


@pytest.mark.slow
def test_two_people_play_wolf_pack_on_two_devices(page, voila, kernels, phone):
    game = Driver(page, voila.page("play_wolf_pack.ipynb"))
    before = kernels()
    code = invite(game)
    shot(page, "invite")
    phone.goto(f"{voila.url}/room/{code.lower()}")
    expect(page.locator(".nk-room-text")).to_contain_text(UI_ROOMS("invite.here"))
    expect(phone.locator("#who")).to_contain_text(SERVE_PHONE("game.you", side="convoy"))
    rooms = Rooms(voila.home / "rooms.sqlite3")
    table = Table(rooms, code, 0)
    turns = [play(game, phone, table) for _ in range(5)]
    assert {"host", "guest"} <= set(turns)
    while Table(rooms, code, 1).match.turn != 1:
        play(game, phone, table)
    expect(phone.locator("h2")).to_have_text(SERVE_PHONE("game.turn"))
    for size in ((360, 740), (390, 844)):
        fits(phone, *size)
    assert not axe(phone) and sideways(phone) <= 0
    shot(phone, "guest-wolf-pack")
    shot(page, "host-wolf-pack")
    assert kernels() == before  # a guest costs none
    rooms.close()


@pytest.mark.slow
def test_two_people_play_fleet_action_on_two_devices_to_its_end(page, voila, phone):
    game = Driver(page, voila.page("play_fleet_action.ipynb"))
    game.drawer(tab="options")
    page.click(".nk-key-invite")
    page.select_option(".nk-room select:visible", label=UI_ROOMS("invite.clock", n=30))
    game.click(page.locator(".nk-key-invite-begin"))
    code = page.inner_text(".nk-room-code")
    rooms = Rooms(voila.home / "rooms.sqlite3")
    bound = Table(rooms, code, 0).match.bound
    phone.goto(f"{voila.url}/room/{code}")
    expect(phone.locator("#who")).to_contain_text(like(SERVE_PHONE, "game.you"))
    expect(phone.locator("main")).to_contain_text(bound)
    expect(page.locator(".nk-room-text")).to_contain_text(like(UI_ROOMS, "invite.left"))
    shot(page, "host-fleet-action")
    shot(phone, "guest-fleet-action-start")
    for size in ((360, 740), (390, 844)):
        fits(phone, *size)
    table = Table(rooms, code, 0)
    turns = [play(game, phone, table) for _ in range(10)]
    assert {"host", "guest"} <= set(turns)
    expect(phone.locator("main")).to_contain_text(like(SERVE_PHONE, "game.clock"))  # both clocks
    shot(phone, "guest-fleet-action")
    assert not axe(phone) and sideways(phone) <= 0

    # What the guest did last is taken back once the host agrees.
    while play(game, phone, table) != "guest":
        pass
    before = len(rooms.moves(code))
    phone.get_by_role("button", name=SERVE_PHONE("game.undo")).click()
    expect(phone.locator("main")).to_contain_text(SERVE_PHONE("game.undo.asked"))
    page.locator(".nk-key-invite-yes").click()
    expect(phone.locator("main")).not_to_contain_text(SERVE_PHONE("game.undo.asked"))
    assert [move.kind for move in rooms.moves(code, before)] == ["ask", "yes"]

    # The rest is played as if on two further screens; then the record belongs to both.
    sides, rng = [Table(rooms, code, me) for me in (0, 1)], np.random.default_rng(1)
    while not sides[0].match.over:
        side = sides[sides[0].match.turn]
        legal = side.match.legal()
        side.play(legal[rng.integers(len(legal))])
        for each in sides:
            each.catch_up()
    expect(phone.locator("h2").first).to_have_text(SERVE_PHONE("game.over"))
    shot(phone, "guest-fleet-action-end")
    expect(phone.locator("main")).to_contain_text(str(sides[0].match.seed))
    expect(page.locator(".nk-room-text")).to_contain_text(bound)
    shot(page, "host-fleet-action-end")
    with phone.expect_download() as saved:
        phone.get_by_role("button", name=SERVE_PHONE("game.save")).click()
    match = Match.loads(saved.value.path().read_bytes())
    assert match.over and match.state == sides[0].match.state and match.bound == bound

    # And the guest looks at it with their own eyes.
    phone.get_by_role("button", name=SERVE_PHONE("game.review")).click()
    phone.wait_for_selector(".nk-play-review svg", timeout=120_000)
    expect(phone.locator(".nk-play-review h3").first).to_contain_text(ENDED)
    shot(phone, "guest-fleet-action-review", full_page=False)
    rooms.close()
