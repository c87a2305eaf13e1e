"""Two people, two devices: the host's page, and a guest's phone without a kernel."""

from __future__ import annotations
import os
import re
import signal
import time
from collections import Counter
from urllib.parse import urlsplit

import numpy as np
import pytest
from playwright.sync_api import TimeoutError, expect

from navalkit import Match
from navalkit.rooms.door import lan_addresses
from navalkit.rooms.store import Rooms
from navalkit.rooms.table import GRACE, Table
from ..sentences import SERVE_PHONE, UI, UI_ROOMS, like
from ..servers import children, wait_for
from .conftest import axe, open_page, shot, sideways
from .driver import Driver
from .test_review import ENDED

SEEN = """() => ['.nk-room-code', '.nk-room-ways img', '.nk-room-address'].filter((part) => {
  const box = document.querySelector(part).getBoundingClientRect();
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return box.top >= 0 && box.bottom <= innerHeight && top && top.closest('.nk-room-page'); }).length"""
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
    return link(game)


def link(game: Driver) -> str:
    """Open the way in, and make the link; returns its code."""
    game.page.click(".nk-key-invite-begin")
    return game.page.inner_text(".nk-room-code").replace("\n", "")


def another(game: Driver, phone, table: Table) -> None:
    """After a game that is over, another one with the same sides: the host asks for it, and the guest agrees."""
    game.page.click(".nk-key-invite-same")
    phone.get_by_role("button", name=SERVE_PHONE("game.undo.yes"), exact=True).click()
    begun = table.games

    def on() -> bool:
        table.catch_up()
        return table.games > begun

    wait_for(on, 60, "another game was agreed on, and has not begun")


def told(phone) -> dict[str, object]:
    """What a guest's phone shows, for the message of a test that has waited in vain."""
    return phone.evaluate("""() => { const text = (css) => document.querySelector(css)?.innerText ?? null; return {
        hidden: document.hidden, there: document.getElementById("who").dataset.there, line: text("#line"),
        said: text(".nk-phone-status"), orders: text("#bar") }; }""")


def play(game: Driver, phone, table: Table) -> str:
    """Give the first order there is for the side on turn by the file, again if it was refused; returns who it was. A
    game that has come to its end has no orders: another one is begun first."""
    table.catch_up()
    if table.match.over:
        another(game, phone, table)
    before, host = table.done, table.match.turn == table.me
    button = game.buttons.first if host else phone.locator(".nk-phone-orders button").first

    def given() -> bool:
        table.catch_up()
        return table.done > before

    for _ in range(6):
        try:
            button.click()
        except TimeoutError as error:
            raise AssertionError(f"{'host' if host else 'guest'} has no order; {table.match.record().dumps()}\n"
                                 f"{told(phone)}") from error
        end = time.monotonic() + 10
        while time.monotonic() < end:
            if given():
                return "host" if host else "guest"
            game.page.wait_for_timeout(50)
    raise AssertionError(f"an order was given six times and is not in the file\n{told(phone)}")


def fits(phone, width: int, height: int) -> None:
    """Turned to this size the phone shows the whole board, laid out for it, and below it what is said and the orders at
    once, as the host's page does."""
    phone.set_viewport_size({"width": width, "height": height})
    phone.wait_for_selector(f".nk-phone-board img[width='{width}']")
    board, bar, text = phone.evaluate(
        """() => ["#main .nk-phone-board", "#bar", ".nk-phone-status"].map((part) => {
            const box = document.querySelector(part).getBoundingClientRect(); return [box.top, box.bottom]; })"""
    )
    bar = bar if any(bar) else (height, height)  # hidden while there is nothing to do
    assert 40 <= board[0] <= 48 and board[1] - board[0] >= 0.6 * height and bar[1] <= height
    assert board[1] <= text[0] + 1 and text[1] <= bar[0] + 8  # its foot is empty
    assert phone.evaluate("[...document.fonts].filter((each) => each.status === 'loaded').length") == 2


def lies(phone, width: int, height: int) -> None:
    """Lying down the board fills the window at its own size, with no type below 12 px; status and orders lie over the
    column at its end, and neither over the other."""
    phone.set_viewport_size({"width": width, "height": height})
    phone.wait_for_selector(f".nk-phone-board img[width='{width}'][height='{height}']")
    board, text, bar = phone.evaluate(
        """() => ["#main .nk-phone-board img", ".nk-phone-status", "#bar"].map((part) => {
            const { left, top, right, bottom } = document.querySelector(part).getBoundingClientRect();
            return [left, top, right, bottom]; })"""
    )
    assert board == [0, 0, width, height]
    for left, top, right, bottom in (text, bar):
        assert left >= width - 252 and top >= 0 and right <= width and bottom <= height
    assert text[3] <= bar[1] and not phone.evaluate(
        """() => [...decodeURIComponent(document.querySelector("#main .nk-phone-board img").src)
            .matchAll(/font-size=.?"?([\\d.]+)/g)].filter((found) => Number(found[1]) < 11.95).length"""
    )
    shot(phone, "guest-lying", full_page=False)


def asked(phone, rooms, code) -> None:
    """A finger's tap on a card is asked about before it is an order; "Not there" leaves all as it was."""
    done, cells = Table(rooms, code, 1).done, phone.locator(".nk-phone-cell")
    not_there = phone.get_by_role("button", name=SERVE_PHONE("game.not"), exact=True)
    for number in reversed(range(cells.count())):  # the hand lies on top
        cells.nth(number).tap(force=True)
        if not_there.is_visible():
            break
    not_there.tap()
    assert Table(rooms, code, 1).done == done
    cells.nth(number).tap(force=True)
    phone.locator("#bar .nk-phone-row .nk-phone-primary").tap()
    wait_for(lambda: Table(rooms, code, 1).done > done, 20, "a card that was confirmed is not played")


@pytest.mark.slow
def test_two_people_play_wolf_pack_on_two_devices(page, voila, kernels, phone):
    game = Driver(page, voila.page("play_wolf_pack.ipynb"))
    before = kernels()
    code = invite(game)
    shot(page, "invite")
    phone.goto(f"{voila.url}/room/{code.lower()}")
    expect(page.locator(".nk-room-who")).to_contain_text(UI_ROOMS("invite.here"))
    expect(phone.locator("#who")).to_contain_text(SERVE_PHONE("game.you", side="convoy"))
    rooms = Rooms(voila.home / "rooms.sqlite3")
    table = Table(rooms, code, 0)
    turns = [play(game, phone, table) for _ in range(5)]
    assert {"host", "guest"} <= set(turns)
    while Table(rooms, code, 1).match.turn != 1:
        play(game, phone, table)
    expect(phone.locator("h2")).to_have_text(SERVE_PHONE("game.turn"))
    lies(phone, 844, 390)
    for size in ((360, 740), (390, 844), (360, 640)):
        fits(phone, *size)
    assert not axe(phone) and sideways(phone) <= 0
    asked(phone, rooms, code)
    shot(phone, "guest-wolf-pack")
    shot(page, "host-wolf-pack")
    assert kernels() == before  # a guest costs none
    rooms.close()


@pytest.mark.slow
def test_what_the_host_answers_and_asks_for_outlives_a_line_that_is_cut_and_a_kernel_that_is_killed(
        page, context, voila, phone):
    """They were plain presses, which went with the page."""
    page.expected_errors += ["net::ERR_", "WebSocket", "status of", "Failed to fetch"]
    game = Driver(page, voila.page("play_wolf_pack.ipynb?seed=11"))
    code = invite(game)
    phone.goto(f"{voila.url}/room/{code}")
    expect(page.locator(".nk-room-who")).to_contain_text(UI_ROOMS("invite.here"))
    rooms = Rooms(voila.home / "rooms.sqlite3")
    guest = Table(rooms, code, 1)
    while not any(move.seat == 1 for move in rooms.moves(code)):
        play(game, phone, Table(rooms, code, 0))

    def pressed(key: str, kind: str) -> None:
        button = page.locator(f".nk-key-invite-{key}")
        button.wait_for()
        context.set_offline(True)
        page.wait_for_selector("html[data-nk-line=away]")
        button.evaluate("(button) => { button.click(); button.click(); }")
        for kernel in children(voila.process.pid):
            os.kill(kernel, signal.SIGKILL)
        page.evaluate("window.unloaded = false")
        context.set_offline(False)
        page.wait_for_function("() => window.unloaded === undefined")
        wait_for(lambda: kind in [move.kind for move in rooms.moves(code)], 60, f"{key} is lost")
        page.wait_for_selector("#nk-loading", state="detached")
        expect(page.locator("#nk-lost")).to_be_hidden()
        page.wait_for_timeout(1000)
        assert [move.kind for move in rooms.moves(code)].count(kind) == 1
        assert not page.locator(".nk-status .nk-bad").count()

    guest.catch_up()
    guest.ask_undo()
    pressed("yes", "yes")
    played_out(rooms, code)
    pressed("swap", "again")
    guest.catch_up()
    guest.answer_again(True)
    game.tells(UI("table.another", side="convoy"))
    rooms.close()


@pytest.mark.slow
def test_two_people_go_on_playing_when_their_game_has_come_to_its_end(page, voila, phone):
    game = Driver(page, voila.page("play_wolf_pack.ipynb"))
    code = invite(game)
    phone.goto(f"{voila.url}/room/{code}")
    expect(page.locator(".nk-room-who")).to_contain_text(UI_ROOMS("invite.here"))
    rooms = Rooms(voila.home / "rooms.sqlite3")
    played_out(rooms, code)
    table = Table(rooms, code, 0)
    turns = Counter(play(game, phone, table) for _ in range(6))
    assert set(turns) == {"host", "guest"} and table.games == 2 and table.match.ply
    rooms.close()


@pytest.mark.slow
@pytest.mark.skipif(not lan_addresses(), reason="this machine is in no network")
def test_a_friend_asked_from_the_lobby_comes_in_by_the_network_and_plays_again(page, voila, phone):
    open_page(page, voila.page("lobby.ipynb"))
    page.click(".nk-lobby-friend a[href*=wolf]")
    page.wait_for_selector(".nk-key-invite-begin:visible")
    game = Driver.__new__(Driver)
    game.page = page
    for size in ((390, 844), (1280, 800)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        shot(page, f"friend-ask-{size[0]}", full_page=False)
    code = link(game)
    for size in ((390, 844), (1280, 800)):  # code, picture and link are seen at once, and nothing covers them
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.wait_for_timeout(300)
        assert page.evaluate(SEEN) == 3 and sideways(page) <= 0
        shot(page, f"friend-wait-{size[0]}", full_page=False)
    url = page.inner_text(".nk-room-address")
    assert urlsplit(url).hostname in lan_addresses()
    phone.goto(url)
    expect(page.locator(".nk-room-who")).to_contain_text(UI_ROOMS("invite.here"))
    expect(page.locator(".nk-room-page")).to_be_hidden()
    rooms = Rooms(voila.home / "rooms.sqlite3")
    played_out(rooms, code)
    expect(phone.locator("h2").first).to_have_text(SERVE_PHONE("game.over"))
    page.locator(".nk-key-invite-swap").click()
    expect(phone.locator("#bar")).to_contain_text(SERVE_PHONE("game.offers.swap"))
    shot(phone, "guest-rematch", full_page=False)
    phone.get_by_role("button", name=SERVE_PHONE("game.undo.yes"), exact=True).click()
    expect(phone.locator("#who")).to_contain_text(SERVE_PHONE("game.you", side="U-boats"))
    expect(page.locator(".nk-status")).to_contain_text(UI("table.another", side="convoy"))
    shot(page, "host-next-game")
    phone.close()
    rooms.close()


ALARMS = """(place) => { window.nkAlarms = 0; setInterval(() => {
  if (document.querySelector(place)?.dataset.there === "0") nkAlarms += 1; }, 50); }"""
HOST, GUEST = ".nk-room-who", "#who"


@pytest.mark.slow
def test_each_side_is_told_when_the_other_has_left_and_no_page_that_is_loaded_again_alarms_them(page, voila, phone):
    game = Driver(page, voila.page("play_wolf_pack.ipynb"))
    code = invite(game)
    phone.goto(f"{voila.url}/room/{code}")
    here, rooms = f"{GUEST}[data-there='1']", Rooms(voila.home / "rooms.sqlite3")
    expect(page.locator(HOST)).to_contain_text(UI_ROOMS("invite.here"))
    expect(phone.locator(here)).to_be_visible()

    def back(seat: int, rev: int) -> None:
        wait_for(lambda: rooms.rev(code) > rev + 1 and rooms.left(code, seat) is None, 60, "left, and not back")

    rev = rooms.rev(code)
    page.evaluate(ALARMS, HOST)
    phone.reload()
    back(1, rev)
    page.wait_for_timeout(GRACE * 1000 + 2000)  # so long nobody knows
    assert page.evaluate("nkAlarms") == 0
    rev = rooms.rev(code)
    phone.evaluate(ALARMS, GUEST)
    page.reload()
    expect(page.locator(HOST)).to_contain_text(UI_ROOMS("invite.here"))
    back(0, rev)
    phone.wait_for_timeout(GRACE * 1000 + 2000)
    assert phone.evaluate("nkAlarms") == 0

    context = phone.context
    phone.close(run_before_unload=False)
    expect(page.locator(HOST)).to_contain_text(UI_ROOMS("invite.out"))
    shot(page, "friend-left-host", full_page=False)
    phone = context.new_page()
    phone.goto(f"{voila.url}/room/{code}")
    expect(page.locator(HOST)).to_contain_text(UI_ROOMS("invite.here"))
    expect(phone.locator(here)).to_be_visible()
    page.goto("about:blank")
    expect(phone.locator("main")).to_contain_text(SERVE_PHONE("game.out"))
    shot(phone, "friend-left-guest", full_page=False)
    rooms.close()


def played_out(rooms, code):
    """A game of two as if on two further screens, at random; the match at its end."""
    sides, rng = [Table(rooms, code, me) for me in (0, 1)], np.random.default_rng(1)
    while not sides[0].match.over:
        side = sides[sides[0].match.turn]
        legal = side.match.legal()
        side.play(legal[rng.integers(len(legal))])
        for each in sides:
            each.catch_up()
    return sides[0].match


@pytest.mark.slow
def test_two_people_play_fleet_action_on_two_devices_to_its_end(page, voila, phone):
    game = Driver(page, voila.page("play_fleet_action.ipynb"))
    game.drawer(tab="options")
    page.click(".nk-key-invite")
    page.select_option(".nk-room-clock select:visible", label=UI_ROOMS("invite.clock", n=30))
    code = link(game)
    rooms = Rooms(voila.home / "rooms.sqlite3")
    bound = Table(rooms, code, 0).match.bound
    phone.goto(f"{voila.url}/room/{code}")
    expect(phone.locator("#who")).to_contain_text(like(SERVE_PHONE, "game.you"))
    expect(phone.locator("main")).to_contain_text(bound)
    expect(page.locator(".nk-room-who")).to_contain_text(like(UI_ROOMS, "invite.left"))
    shot(page, "host-fleet-action")
    shot(phone, "guest-fleet-action-start")
    for size in ((360, 740), (390, 844), (360, 640)):
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
    ended = played_out(rooms, code)
    expect(phone.locator("h2").first).to_have_text(SERVE_PHONE("game.over"))
    shot(phone, "guest-fleet-action-end")
    expect(phone.locator("main")).to_contain_text(str(ended.seed))
    expect(page.locator(".nk-room-strip")).to_contain_text(bound)
    shot(page, "host-fleet-action-end")
    with phone.expect_download() as saved:
        phone.get_by_role("button", name=SERVE_PHONE("game.save")).click()
    match = Match.loads(saved.value.path().read_bytes())
    assert match.over and match.state == ended.state and match.bound == bound

    # Both want another game, with sides changed.
    phone.get_by_role("button", name=SERVE_PHONE("game.swap")).click()
    expect(page.locator(".nk-room-strip")).to_contain_text(UI_ROOMS("invite.offers.swap"))
    shot(page, "host-rematch")
    page.locator(".nk-key-invite-no").click()
    expect(phone.get_by_role("button", name=SERVE_PHONE("game.swap"))).to_be_visible()

    # And the guest looks at it with their own eyes.
    phone.get_by_role("button", name=SERVE_PHONE("game.review")).click()
    phone.wait_for_selector(".nk-play-review svg", timeout=120_000)
    expect(phone.locator(".nk-play-review h3").first).to_contain_text(ENDED)
    shot(phone, "guest-fleet-action-review", full_page=False)
    rooms.close()
