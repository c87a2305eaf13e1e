"""A press is answered at once, however it is made: by mouse, finger or key, twice, too long, or taken back."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from navalkit.core import registry
from navalkit.core.awaited import finish
from navalkit.core.match import Match
from navalkit.view.page import Glance, Look, page_of
from navalkit.walks import shows
from navalkit.walks.stepper import Stepper
from ..sentences import UI
from .conftest import open_page, wait_for_board
from .driver import Driver
from .test_stage import LIT, PLAYING

LOX, WOLF = "uss_lox", "wolf_pack"
SLOW = pytest.mark.slow
NOTED = f"""() => {{ window.nkNoted = []; window.nkSaid = [];
  new MutationObserver(() => nkSaid.push(document.querySelector('.nk-late.nk-open')?.textContent))
    .observe(document.body, {{ subtree: true, childList: true, attributeFilter: ['class'] }});
  const lit = ({LIT}), order = () => !!document.querySelector('.nk-play-order-button.nk-pressed');
  for (const type of ['pointerdown', 'keydown', 'click'])
    document.addEventListener(type, () => nkNoted.push([type, lit(), order()]), true); }}"""
"""Writes down what is lit while an event is still under way, before anything else can be painted; and what is said."""
QUIET = "() => !document.querySelector('.nk-pressed, .nk-late.nk-open')"
"""No order is lit, and nothing is said to be calculated."""
WAIT = 700
"""Milliseconds after which a press that became no order has left nothing behind."""


def squares(name, canvas, *, tall=True):
    """Where to press on a board that takes the orders itself: every cell that gives one, on that canvas."""
    game, box = registry.load(name), canvas.bounding_box()
    match = Match.new(game, 5)
    glance = Glance(game, game.observe(match.state, 0), 0, match.legal())
    scene = page_of(name).scene(glance, Look(tall=tall, room=(box["width"], box["height"])))
    centres = [cell.centre for cell in scene.cells if cell.action is not None]
    return [(box["x"] + x, box["y"] + y) for x, y in centres]


def opened(page, voila, name):
    game = Driver(page, voila.page(f"play_{name}.ipynb") + "?seed=5")
    page.wait_for_selector(".nk-play-order-button", state="attached")
    page.wait_for_timeout(1000)  # the board has come to its size
    page.evaluate(NOTED)
    return game


def plies(page):
    return int(page.locator(".nk-play-stepper .widget-readout").text_content())


def lit(page, kind):
    """What was lit at the last event of a kind: the board, an order."""
    return [each[1:] for each in page.evaluate("nkNoted") if each[0] == kind][-1]


@pytest.mark.parametrize("context", [(1280, 800)], indirect=True, ids=["1280"])
@pytest.mark.slow
@pytest.mark.parametrize("name", [LOX, WOLF])
def test_by_mouse_and_by_keys(page, voila, name):
    game = opened(page, voila, name)
    x, y = squares(name.replace("_", "-"), game.canvas, tall=False)[0]
    box = game.buttons.first.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    # Pressed, and let go somewhere else: no order, and nothing is waited for.
    count, ply = game.count, plies(page)
    page.mouse.move(*middle)
    page.mouse.down()
    assert lit(page, "pointerdown")[1]
    page.mouse.move(middle[0], middle[1] + 300)
    page.mouse.up()
    page.wait_for_timeout(WAIT)
    assert page.evaluate(QUIET) and game.count == count

    # A double click is one order, and says so.
    with game.answer():
        page.mouse.dblclick(x, y)
    page.wait_for_function("(double) => nkSaid.includes(double)", arg=UI("waiting.double"))
    assert lit(page, "pointerdown")[0]
    page.wait_for_selector(".nk-late:not(.nk-open)", state="attached")
    once = plies(page)
    game.click(page.locator(".nk-key-undo"))
    game.click(page.locator(".nk-key-undo-yes")) if page.locator(".nk-key-undo-yes").is_visible() else None
    with game.answer():
        page.mouse.click(x, y)
    assert plies(page) == once > ply
    page.wait_for_function(QUIET)

    # A button by a key: lit, and answered.
    game.buttons.first.focus()
    game.key("Enter")
    assert lit(page, "click")[1]
    # The board by keys.
    game.canvas.focus()
    game.page.keyboard.press("ArrowRight")
    page.wait_for_selector(".nk-focus :not(:empty)", state="attached")
    with game.answer():
        page.keyboard.press("Enter")
    assert lit(page, "keydown")[0]
    page.wait_for_function(QUIET)


@pytest.fixture
def finger(browser, voila):
    """A phone and its finger: touches as the screen reports them."""
    made = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce", has_touch=True)
    made.set_default_timeout(60_000)
    page = made.new_page()
    line = made.new_cdp_session(page)

    def touch(kind, *points):
        at = [{"x": x, "y": y} for x, y in points]
        line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    page.touch = touch
    yield page
    made.close()


@pytest.mark.parametrize("name", [LOX, pytest.param(WOLF, marks=SLOW)])
def test_by_a_finger(finger, voila, name):
    page, game = finger, opened(finger, voila, name)
    x, y = squares(name.replace("_", "-"), game.canvas)[0]
    with game.answer():
        page.touchscreen.tap(x, y)
    assert lit(page, "pointerdown")[0]

    # A finger that scrolls the row of orders gives none.
    box, count = game.buttons.first.bounding_box(), game.count
    left, high = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.touch("touchStart", (left, high))
    for far in range(10, 90, 10):
        page.touch("touchMove", (left - far, high))
    page.touch("touchEnd")
    page.wait_for_timeout(WAIT)
    assert page.evaluate(QUIET) and game.count == count

    with game.answer():
        game.buttons.first.tap()
    assert lit(page, "pointerdown")[1]
    page.wait_for_function(QUIET)

    # One that rests on the board, or on an order, is an order at last or none: nothing stays lit.
    box = game.buttons.first.bounding_box()
    for place in ((x, y), (box["x"] + 10, box["y"] + 10)):
        page.touch("touchStart", place)
        page.wait_for_timeout(900)
        page.touch("touchEnd")
        page.wait_for_timeout(WAIT)
        page.wait_for_function(QUIET)


@pytest.mark.slow
def test_sound_is_off_until_switched_on_and_one_switch_is_for_all_pages(page, voila):
    game = opened(page, voila, "uss_lox")
    switch = page.locator("#nk-sound")
    assert switch.get_attribute("aria-pressed") == "false"
    game.click(game.buttons.first)
    assert page.evaluate("nkStage.heard") == []
    switch.click()
    game.click(game.buttons.first)
    assert "press" in page.evaluate("nkStage.heard")
    open_page(page, voila.page("step_escorts.ipynb"))
    wait_for_board(page)
    assert page.locator("#nk-sound").get_attribute("aria-pressed") == "true"
    page.click(".nk-key-large:visible")  # before a class nothing is heard
    page.wait_for_selector("html[data-nk-silent]", state="attached")
    before = page.evaluate("nkStage.heard.length")
    page.click(".nk-key-bar-on")
    assert page.evaluate("nkStage.heard.length") == before


def test_a_hint_is_framed_on_the_board_and_lit_on_its_button(page, voila):
    game = opened(page, voila, "wolf_pack")
    game.click(page.locator(".nk-key-hint"))
    expect(page.locator(".nk-play-order-button.nk-play-hinted")).to_have_count(1)
    page.wait_for_function(LIT)
    page.wait_for_selector(".nk-key-do-it:visible")
    game.click(page.locator(".nk-key-do-it"))
    expect(page.locator(".nk-play-order-button.nk-play-hinted")).to_have_count(0)


@pytest.mark.slow
def test_the_stepper_shows_who_moves_and_lights_a_press(page, voila):
    page.emulate_media(reduced_motion="no-preference")
    stepper = Driver(page, voila.page("step_escorts.ipynb"))
    page.evaluate(NOTED)
    walked = Stepper(finish(shows.from_query("on-patrol", "")).show)
    scene, box = walked.walk.scene(walked.sight, walked.walk.camera()), stepper.canvas.bounding_box()
    x, y = scene.cells[0].centre
    with stepper.answer():
        page.mouse.click(box["x"] + x * box["width"] / scene.width, box["y"] + y * box["height"] / scene.height)
    assert lit(page, "pointerdown")[0]
    page.wait_for_function(f"() => !({LIT})()")
    for _ in range(12):
        stepper.click(page.locator(".nk-key-bar-on").first)
        if page.evaluate("nkStage.plays"):
            break
    assert page.evaluate("nkStage.plays") == 1
    page.wait_for_function(f"() => !({PLAYING})()")
