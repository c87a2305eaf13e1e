"""The phone's page by itself: lines that hold streams back, that fail at the start, orders that are refused."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from navalkit import Match
from navalkit.rooms.classroom import ClassRoom
from navalkit.rooms.store import Rooms
from navalkit.rooms.table import Table
from ..sentences import SERVE_PHONE
from ..serve.phones import phones
from ..serve.test_phones import HIT

CLOCK = "window.later = 0; const now = Date.now; Date.now = () => now() + window.later;"


@pytest.fixture
def server(tmp_path):
    with phones(tmp_path) as (port, shared):
        rooms = Rooms(shared.rooms.path)  # as a kernel has it
        yield f"http://127.0.0.1:{port}/room", rooms
        rooms.close()


@pytest.mark.slow
def test_where_streams_are_held_back_the_room_is_polled_however_long_it_takes(page, server):
    url, rooms = server
    room, asked = ClassRoom("Held", rooms), []
    page.add_init_script(CLOCK)
    page.route("**/events", lambda route: asked.append(route))  # never answered
    page.goto(f"{url}/{room.code}")
    expect(page.locator("#main")).to_contain_text(SERVE_PHONE("wait.title"))
    assert len(asked) == 1
    page.evaluate("window.later = 61_000")
    with page.expect_request("**/events"):  # a change: after it the stream is tried again
        room.let_in(locked=True)
    for _ in range(3):  # and polled again: each change comes at once
        with page.expect_response("**/state?**"):
            room.ask(HIT)
        expect(page.locator("#main")).to_contain_text(HIT.text)
        with page.expect_response("**/state?**"):
            room.wait()
        expect(page.locator("#main")).to_contain_text(SERVE_PHONE("wait.title"))
    assert len(asked) == 2


def test_a_page_whose_line_fails_at_the_start_comes_up_by_itself(page, server):
    url, rooms = server
    page.expected_errors += ["net::ERR_FAILED"]
    page.route("**/words", lambda route: route.abort(), times=2)
    page.goto(f"{url}/{ClassRoom('Lost', rooms).code}")
    expect(page.locator("#main")).to_contain_text(SERVE_PHONE("wait.title"))


def test_an_order_that_is_refused_need_not_be_typed_again(page, server):
    url, rooms = server
    page.expected_errors += ["status of 400"]
    table = Table.lay(rooms, Match.new("wolf-pack", 7, ("host", "guest")), 0)
    while table.match.turn == 0:
        table.play(table.match.legal()[0])
    page.goto(f"{url}/{table.code}")
    typed = page.get_by_label(SERVE_PHONE("game.type"))
    typed.fill("nonsense")
    with page.expect_response(lambda answer: "/game?" in answer.url and answer.ok):  # it looks again, and is drawn
        typed.press("Enter")
    expect(page.locator("#line")).to_be_visible()
    expect(typed).to_have_value("nonsense")
    page.wait_for_timeout(300)  # a field that is drawn anew between a robot's choosing and its typing takes nothing
    typed.fill(table.match.game.format_action(Table(rooms, table.code, 1).match.legal()[0]))
    typed.press("Enter")
    expect(typed).to_have_value("")
    table.catch_up()
    assert table.done > 0


def test_a_guests_window_that_has_no_size_yet_gets_its_board_once_it_has(page, server):
    """As a page that is opened in the background."""
    url, rooms = server
    table = Table.lay(rooms, Match.new("wolf-pack", 7, ("host", "guest")), 0)
    page.set_viewport_size({"width": 20, "height": 20})
    page.goto(f"{url}/{table.code}")
    page.wait_for_selector(".nk-phone-board img[width='300']")
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_selector(".nk-phone-board img[width='390']")
