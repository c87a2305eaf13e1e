"""The page of Fleet Action in a real Chromium: a battle by clicks, one on a phone, and two people at one screen."""

from __future__ import annotations
import re

import pytest
from playwright.sync_api import expect

from navalkit.games.fleet_action.board.afloat import window
from navalkit.grids.square import sections
from .conftest import axe, set_theme, sheets_printed, shot, sideways, wait_for_board
from .driver import Driver

GRID = sections(2, 1)
"""The board of the River Plate."""


class Bridge(Driver):
    """One page of Fleet Action."""

    def __init__(self, page, voila, query):
        super().__init__(page, voila.page("play_fleet_action.ipynb") + query)
        page.wait_for_selector(".nk-play-order-button:visible, .nk-key-seat:visible")

    def press(self, square):
        """A click on a square of the wide board."""
        box = self.canvas.bounding_box()
        x, y = window(GRID, False, None, (box["width"], box["height"])).centre(GRID.number(square))
        with self.answer():
            self.canvas.click(position={"x": x, "y": y})


@pytest.mark.slow
@pytest.mark.parametrize("context", [(1280, 900)], indirect=True)
def test_a_whole_battle_by_clicks_on_the_board(page, voila):
    bridge = Bridge(page, voila, "?seed=3&moves=3")
    assert "You are the British" in page.inner_text(".nk-alt")
    assert "100 for sinking Graf Spee" in page.inner_text(".nk-play-guide")
    shot(page, "fleet-1280-start")
    assert axe(page) == []
    bridge.press("H3")
    assert "H3: now a heading" in bridge.status
    shot(page, "fleet-1280-heading")
    bridge.press("I3")
    assert "Ajax steams to H3, heading E" in bridge.whole and "Move 1 of 3" in bridge.status
    bridge.press("G6")  # where one heading alone is legal
    assert "Exeter steams to G6" in bridge.whole or "Order the fire" in bridge.status
    set_theme(page, "dark")
    shot(page, "fleet-1280-fire-dark")
    fired = False
    for _ in range(60):
        if bridge.over:
            break
        fired = fired or "sinks" in bridge.buttons.first.inner_text()
        bridge.click(bridge.buttons.first)
    assert bridge.over and fired
    report = page.inner_text(".nk-play-report")
    assert "How the battle ended" in report and "Graf Spee" in report
    assert "Damage sheets" in page.inner_text(".nk-tabs")
    wait_for_board(page)
    shot(page, "fleet-1280-end-dark")
    assert axe(page) == []
    back = page.locator(".nk-key-step-back")
    bridge.click(back)
    assert "Looking back" in bridge.status


@pytest.mark.slow
@pytest.mark.parametrize("context", [(390, 844)], indirect=True)
def test_a_phone_by_typed_orders(page, voila):
    bridge = Bridge(page, voila, "?seed=3&scenario=iowa_convoy&moves=1")
    assert sideways(page) <= 0
    shot(page, "fleet-390-start")
    assert axe(page) == []
    bridge.type("Iowa: Z9 N")
    assert "Z9" in bridge.status and not bridge.over
    bridge.type("Iowa: I4 NW")
    assert "Iowa steams to I4" in bridge.status
    bridge.type("iowa: i4 nw")
    assert "has been given her order" in bridge.status
    for _ in range(20):
        if bridge.over:
            break
        if "turret" in bridge.buttons.first.inner_text():  # she has lost guns
            bridge.click(bridge.buttons.first)
        else:
            bridge.type("done")
    assert bridge.over
    assert sideways(page) <= 0
    shot(page, "fleet-390-end")


@pytest.mark.slow
def test_two_people_pass_the_screen(page, voila):
    bridge = Bridge(page, voila, "?seed=11&moves=6")
    bridge.new_game()
    for i in range(2):
        page.locator(".nk-play-panel select").nth(i).select_option(label="somebody at this screen")
    bridge.click(page.locator(".nk-key-start"))
    seat = page.locator(".nk-key-seat")
    passes = 0
    for _ in range(40):
        if passes == 2:
            break
        page.wait_for_selector(".nk-play-order-button:visible, .nk-key-seat:visible")
        if seat.is_visible():
            passes += 1
            assert re.search("Pass the screen to the (Germans|British)", bridge.status)
            assert not page.locator(".nk-tabs").is_visible() and bridge.buttons.count() == 0
            if passes == 1:
                shot(page, "fleet-1280-cover")
            bridge.click(seat)
        else:
            bridge.click(bridge.buttons.last)  # no more orders
    assert passes == 2
    page.wait_for_selector(".nk-play-order-button:visible")


# Done when ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("context", [(1280, 900)], indirect=True)
def test_the_river_plate_from_start_to_end_against_the_admiral_and_its_sheets(page, voila):
    """As the page opens: nothing chosen, sixteen moves, the German side played by the admiral."""
    bridge = Bridge(page, voila, "?seed=1939")
    assert "100 for sinking Graf Spee" in page.inner_text(".nk-play-guide")
    bridge.new_game()
    seats = page.locator(".nk-play-panel select")
    for i, who in enumerate(("somebody at this screen", "the admiral player")):
        expect(seats.nth(i).locator("option:checked")).to_have_text(who)
    page.click(".nk-play-panel button:has-text('Back')")
    moves = set()
    for _ in range(400):
        if bridge.over:
            break
        moves.update(re.findall(r"Move (\d+)\.", page.inner_text(".nk-alt")))
        if bridge.buttons.count() > 1 and "ahead" in bridge.buttons.first.inner_text() and len(moves) > 2:
            bridge.click(page.locator(".nk-key-hint"))  # and does what the hint says, if it is a move
            advised = re.search(r"Hint: (.+?) goes to (\w+), heading (\w+)\. ", bridge.status)
            bridge.type("{}: {} {}".format(*advised.groups()) if advised else "done")
        else:
            bridge.click(bridge.buttons.first)
    assert bridge.over and len(moves) > 3
    report = page.inner_text(".nk-play-report")
    assert all(name in report for name in ("Ajax", "Achilles", "Exeter", "Graf Spee"))
    page.get_by_role("tab", name="Log").click()
    assert re.search(r"Graf Spee fires .+ at (Ajax|Achilles|Exeter)", page.inner_text(".nk-log"))
    bridge.drawer(tab="Options")
    with page.expect_download() as sheets, bridge.answer():
        page.click(".nk-key-sheets")
    assert sheets_printed(page, sheets.value.path().read_text()) == 2
    shot(page, "fleet-1280-plate-end")
    assert axe(page) == []


WATCH = """
  window.bursts = 0;
  const stop = CanvasGradient.prototype.addColorStop;
  CanvasGradient.prototype.addColorStop = function (at, colour) {
    if (colour === '#ffb13d') window.bursts += 1;
    return stop.call(this, at, colour);
  };
"""
"""Counts what the page draws of the glow of a hit, however soon it is gone again."""
PICTURE = "() => document.querySelector('.nk-canvas').toDataURL()"


@pytest.mark.slow
def test_a_salvo_is_seen_to_fall_and_leaves_the_board_as_it_is_now(browser, voila):
    """In a browser that does not ask for calm; all other tests' do."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="no-preference")
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.add_init_script(WATCH)
    try:
        bridge = Bridge(page, voila, "?seed=3")
        for order in ("H4 E", "G6 E", "guns Graf Spee", "guns Graf Spee"):
            bridge.type(order)
        assert page.evaluate("bursts") == 0
        bridge.type("guns Graf Spee")
        assert "Look your orders over" in bridge.status and page.evaluate("bursts") == 0
        bridge.type("done")
        page.wait_for_function("() => bursts > 5")
        bridge.click(page.locator(".nk-key-step-back"))  # whatever one presses ends the film
        bridge.click(page.locator(".nk-key-step-forward"))
        drawn, board = page.evaluate("bursts"), page.evaluate(PICTURE)
        bridge.click(page.locator(".nk-key-step-back"))
        bridge.click(page.locator(".nk-key-step-forward"))
        assert page.evaluate(PICTURE) == board
        page.wait_for_function("n => bursts > n", arg=drawn)  # a step forward shows again how it came
    finally:
        context.close()


@pytest.mark.slow
def test_nothing_moves_in_a_browser_that_asks_for_calm(page, voila):
    page.add_init_script(WATCH)
    bridge = Bridge(page, voila, "?seed=3")
    for order in ("H4 E", "G6 E", *["guns Graf Spee"] * 3, "done"):
        bridge.type(order)
    assert "hits" in bridge.status and page.evaluate("bursts") == 0


@pytest.mark.slow
@pytest.mark.parametrize("context", [(1280, 900)], indirect=True)
def test_arcs_under_the_pointer_and_the_hint_on_the_board(page, voila):
    bridge = Bridge(page, voila, "?seed=3")
    bare = page.evaluate(PICTURE)
    box = bridge.canvas.bounding_box()
    x, y = window(GRID, False, None, (box["width"], box["height"])).centre(GRID.number("F4"))  # Ajax
    page.mouse.move(box["x"] + x, box["y"] + y)
    page.wait_for_function("before => (" + PICTURE + ")() !== before", arg=bare)
    shot(page, "fleet-1280-arcs", full_page=False)
    page.mouse.move(box["x"] + box["width"] + 200, box["y"] + 5)
    page.wait_for_function("before => (" + PICTURE + ")() === before", arg=bare)
    bridge.click(page.locator(".nk-key-hint"))
    assert page.evaluate(PICTURE) != bare and "Hint: " in bridge.status
    shot(page, "fleet-1280-hint")
    assert axe(page) == []
