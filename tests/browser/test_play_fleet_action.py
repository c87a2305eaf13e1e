"""The page of Fleet Action in a real Chromium: a battle by clicks, one on a phone, and two people at one screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from navalkit.games.fleet_action.board.afloat import window
from navalkit.grids.square import sections
from navalkit.testing import heard, said
from ..sentences import FLEET, FLEET_PAGE, UI
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
    said(page.inner_text(".nk-alt"), FLEET_PAGE, "desc.you", side="British")
    said(page.inner_text(".nk-play-guide"), FLEET_PAGE, "aim.sink", points=100, names="Graf Spee")
    shot(page, "fleet-1280-start")
    assert axe(page) == []
    bridge.press("H3")
    said(bridge.status, FLEET_PAGE, "move.aimed", square="H3")
    shot(page, "fleet-1280-heading")
    bridge.press("I3")
    said(bridge.whole, FLEET, "moved", ship="Ajax", square="H3", heading="E")
    said(bridge.status, FLEET_PAGE, "now.move", n=1, of=3)
    bridge.press("G6")  # where one heading alone is legal
    said(bridge.whole, FLEET, "moved", ship="Exeter", square="G6")
    set_theme(page, "dark")
    shot(page, "fleet-1280-fire-dark")
    fired = False
    for _ in range(60):
        if bridge.over:
            break
        fired = fired or "order.odds" in heard(bridge.buttons.first.inner_text(), FLEET_PAGE, "order.odds")
        bridge.click(bridge.buttons.first)
    assert bridge.over and fired
    report = page.inner_text(".nk-play-report")
    said(report, FLEET_PAGE, "report.title")
    assert "Graf Spee" in report
    said(page.inner_text(".nk-tabs"), FLEET_PAGE, "sheet.title")
    wait_for_board(page)
    shot(page, "fleet-1280-end-dark")
    assert axe(page) == []
    back = page.locator(".nk-key-step-back")
    bridge.click(back)
    said(bridge.status, UI, "look.back")


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
    said(bridge.status, FLEET, "moved", ship="Iowa", square="I4")
    bridge.type("iowa: i4 nw")
    said(bridge.status, FLEET, "no.moved")
    for _ in range(20):
        if bridge.over:
            break
        if heard(bridge.buttons.first.inner_text(), FLEET_PAGE, "order.turret"):  # she has lost guns
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
        page.locator(".nk-play-panel select").nth(i).select_option(label=UI("seat.here"))
    bridge.click(page.locator(".nk-key-start"))
    seat = page.locator(".nk-key-seat")
    passes = 0
    for _ in range(40):
        if passes == 2:
            break
        page.wait_for_selector(".nk-play-order-button:visible, .nk-key-seat:visible")
        if seat.is_visible():
            passes += 1
            assert said(bridge.status, UI, "seat.pass")["side"] in ("Germans", "British")
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
    said(page.inner_text(".nk-play-guide"), FLEET_PAGE, "aim.sink", points=100, names="Graf Spee")
    bridge.new_game()
    seats = page.locator(".nk-play-panel select")
    for i, who in enumerate((UI("seat.here"), UI("player", name="admiral"))):
        expect(seats.nth(i).locator("option:checked")).to_have_text(who)
    page.locator(".nk-play-panel button", has_text=UI("back")).click()
    moves = set()
    for _ in range(400):
        if bridge.over:
            break
        moves.add(said(page.inner_text(".nk-alt"), FLEET_PAGE, "desc.you")["move"])
        ahead = heard(bridge.buttons.first.inner_text(), FLEET_PAGE, "order.ahead")
        if bridge.buttons.count() > 1 and ahead and len(moves) > 2:
            bridge.click(page.locator(".nk-key-hint"))  # and does what the hint says, if it is a move
            advised = heard(said(bridge.status, UI, "hint.said")["order"], FLEET_PAGE, "move.alt").get("move.alt")
            bridge.type("{unit}: {square} {heading}".format(**advised) if advised else "done")
        else:
            bridge.click(bridge.buttons.first)
    assert bridge.over and len(moves) > 3
    report = page.inner_text(".nk-play-report")
    assert all(name in report for name in ("Ajax", "Achilles", "Exeter", "Graf Spee"))
    page.get_by_role("tab", name=UI("tab.log")).click()
    said(page.inner_text(".nk-log"), FLEET, "salvo", ship="Graf Spee")
    bridge.drawer(tab="options")
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
        said(bridge.status, UI, "together.now")
        assert page.evaluate("bursts") == 0
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
    said(bridge.status, FLEET_PAGE, "headline.fire")
    assert page.evaluate("bursts") == 0


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
    said(bridge.status, UI, "hint.said")
    assert page.evaluate(PICTURE) != bare
    shot(page, "fleet-1280-hint")
    assert axe(page) == []


# Boats, hunters and flights on phones -------------------------------------------------------------------------------

SMALL = {"390": (390, 844), "360": (360, 640), "844": (844, 390)}
CUT = """() => [...document.querySelectorAll(".nk-play-order-button")].filter((one) => one.offsetWidth).map((each) => {
    const box = each.getBoundingClientRect(), room = each.closest('.nk-play-orders').getBoundingClientRect();
    const inside = (part, whole) => part.left >= whole.left - 1 && part.right <= whole.right + 1 &&
        part.top >= whole.top - 1 && part.bottom <= whole.bottom + 1;
    const words = [...each.children].filter((part) => part.localName !== 'i' && part.textContent);
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return {
        said: each.innerText, group: each.dataset.group, lit: each.matches('.nk-play-hinted, .nk-primary'),
        x: Math.round(box.left), y: Math.round(box.top), w: Math.round(box.width),
        inside: inside(box, room),
        right: words.every((part) => inside(part.getBoundingClientRect(), box)) && inside(box, room)
            && each.contains(top) && Math.min(box.width, box.height) >= 44
            && words.every((part) => parseFloat(getComputedStyle(part).fontSize) >= 12),
    };
})"""


@pytest.mark.parametrize("size", SMALL)
@pytest.mark.parametrize("query", ["?scenario=night_convoy", "?scenario=carriers_in_the_cloud", "?first=boats"])
def test_orders_of_boats_and_flights_are_read_and_pressed_on_phones(browser, voila, query, size):
    """What is advised comes first, then what ends the phase; none is cut, covered or too small."""
    width, height = SMALL[size]
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True, reduced_motion="reduce")
    context.set_default_timeout(60_000)
    bridge = Bridge(context.new_page(), voila, f"{query}&seed=3")
    page, phases, most = bridge.page, set(), 0
    for n in range(10):
        shown = page.evaluate(CUT)
        wrong = [each for each in shown if not each["right"] and (each["group"] != "change" or each["inside"])]
        assert not wrong, wrong  # what was ordered scrolls, if it is more than has room
        first = sorted(shown, key=lambda each: (each["y"], each["x"]))
        lit = [each for each in first if each["lit"]]
        assert first[: len(lit)] == lit, "what is advised comes first"
        ends = [k for k, each in enumerate(first) if each["group"] == "done"]
        place = 0 if [each["group"] for each in lit] == ["done"] else len(lit)
        assert ends in ([], [place]), "and then what ends the phase"
        phases |= {each["said"] for each in first if each["group"] == "done"}
        most = max(most, len(shown))
        shot(page, f"fleet-chapters{query[-6:]}-{size}-{n}", full_page=False)
        do_it = page.locator(".nk-key-do-it:visible")
        done = page.locator(".nk-play-order-button[data-group=done]:visible")
        if bridge.over or not (do_it.count() or done.count()):
            break
        if n % 3 == 0 and not query.startswith("?first"):
            bridge.click(page.locator(".nk-key-hint:visible"))
        elif do_it.count() and (n % 3 == 1 or query.startswith("?first")):
            bridge.click(do_it)
        else:
            bridge.click(done)
    assert len(phases) >= 2 and most >= 2
    assert sideways(page) <= 0
    context.close()
