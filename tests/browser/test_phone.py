"""Every game on a phone, to its end: nothing scrolls, nothing moves, and what is drawn can be read."""

from __future__ import annotations
import random
from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from navalkit.core import registry
from .conftest import shot
from .driver import Driver
from .test_one_screen import BOXES, STANDING

SEED, PRESSES = 5, 400
MAPS = "on-patrol", "fleet-action", "task-force"
LEAST = 12
SIZES = """
window.nkDrawn = new Map();
const wide = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'width');
Object.defineProperty(HTMLCanvasElement.prototype, 'width',
  { ...wide, set(value) { nkDrawn.delete(this); wide.set.call(this, value); } });
const plain = CanvasRenderingContext2D.prototype.fillText, wipe = CanvasRenderingContext2D.prototype.clearRect;
CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...more) {
  const m = this.getTransform(), px = parseFloat(/([\\d.]+)px/.exec(this.font)[1]), at = m.transformPoint({ x, y });
  if (!nkDrawn.has(this.canvas)) nkDrawn.set(this.canvas, []);
  nkDrawn.get(this.canvas).push([px * Math.hypot(m.a, m.b) / this.canvas.width, text, at.x, at.y]);
  return plain.call(this, text, x, y, ...more);
};
CanvasRenderingContext2D.prototype.clearRect = function (x, y, w, h) {
  const m = this.getTransform(), one = m.transformPoint({ x, y }), two = m.transformPoint({ x: x + w, y: y + h });
  const all = one.x <= 0 && one.y <= 0 && two.x >= this.canvas.width && two.y >= this.canvas.height;
  const gone = ([, , ax, ay]) => all || (ax >= one.x && ax <= two.x && ay >= one.y && ay <= two.y);
  if (nkDrawn.has(this.canvas)) nkDrawn.set(this.canvas, nkDrawn.get(this.canvas).filter((each) => !gone(each)));
  return wipe.call(this, x, y, w, h);
};
window.nkSmall = (least) => {
  const shown = document.querySelector('canvas.nk-canvas').clientWidth;
  return [...nkDrawn.values()].flat().filter(([share]) => share * shown < least - 0.05).map(([share, text]) => text);
};"""
"""Writes down every text that a canvas is given, in shares of its width; a canvas that is wiped forgets its own, and of
a part that is wiped what begins there."""
SCROLLS = """() => {
  const page = document.documentElement, canvas = document.querySelector('canvas.nk-canvas');
  const board = canvas.getBoundingClientRect();
  return [page.scrollHeight > innerHeight, page.scrollWidth > innerWidth, board.bottom > innerHeight, board.top < 0];
}"""
CUT = """() => {
  const title = document.querySelector('.nk-frame-title'), buzz = document.querySelector('#nk-haptics');
  buzz.style.setProperty('display', 'grid', 'important'); // as where there is a finger
  const cut = title.scrollWidth > title.clientWidth;
  buzz.style.removeProperty('display');
  return cut;
}"""


@pytest.mark.slow
@pytest.mark.parametrize("context", [(390, 844), (360, 740)], indirect=True, ids=["390", "360"])
@pytest.mark.parametrize("name", registry.names())
def test_a_whole_game_is_played_on_a_phone_without_scrolling(page, voila, name):
    page.add_init_script(SIZES)
    game = Driver(page, voila.page(f"play_{name.replace('-', '_')}.ipynb") + f"?seed={SEED}")
    page.wait_for_timeout(1000)  # the board has come to its size
    assert page.evaluate(CUT) is False
    dice, before = random.Random(1), page.evaluate(BOXES, list(STANDING))
    for _ in range(PRESSES):
        assert page.evaluate(BOXES, list(STANDING)) == before
        assert page.evaluate(SCROLLS) == [False] * 4 and page.evaluate("least => nkSmall(least)", LEAST) == []
        if game.over:
            break
        game.act(dice)
    assert game.over


FINGER, ASKED = 44, 24
"""Px of a place to press, and of one on the board that is asked about before it is an order."""
ROUNDS = 6
PRESSED = """() => [...document.querySelectorAll(
  '.nk-play-order-button, .nk-play-controls > button, .nk-frame-brand, .nk-confirm > button')].filter(
    (each) => each.checkVisibility({ visibilityProperty: true })).map((each) => {
  const { x, y, width, height, right, bottom } = each.getBoundingClientRect();
  const inside = x >= -0.5 && y >= -0.5 && right <= innerWidth + 0.5 && bottom <= innerHeight + 0.5;
  const at = document.elementFromPoint(x + width / 2, y + height / 2);
  const said = each.textContent.trim() || each.className;
  return [said, Math.round(Math.min(width, height)), inside, each.contains(at)]; })"""
"""Every button in play: what it says, its lesser side, whether all of it is in the window, and nothing over it."""
WRITTEN = """() => [...document.querySelectorAll('.nk-play *')].filter((each) =>
  each.checkVisibility({ visibilityProperty: true })
  && [...each.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
  .map((each) => [each.textContent.trim(), parseFloat(getComputedStyle(each).fontSize)])"""
OVER = """(places) => places.map(({ x, y }) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight
  && document.elementFromPoint(x, y)?.matches('canvas.nk-canvas'))"""


def phone(browser, size):
    """A page on a phone of that size."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=True, is_mobile=True,
                                  reduced_motion="reduce")
    context.set_default_timeout(60_000)  # for a machine that is busy
    return context.new_page()


SEATS = [
    pytest.param(name, size, marks=[] if (name, size) == ("uss-lox", (360, 640)) else pytest.mark.slow,
                 id=f"{name}-{size[0]}x{size[1]}")
    for name in registry.names()
    for size in ((360, 640), (390, 844), (844, 390), (667, 375))
]


@pytest.mark.parametrize("name, size", SEATS)
def test_every_card_cell_and_button_in_play_is_seen_and_large_enough(browser, voila, name, size):
    """At each of these sizes: in the window, under nothing, 44 px (24 on a board that asks), texts of 12 px."""
    page = phone(browser, size)
    page.add_init_script(SIZES)
    game, dice = Driver(page, voila.page(f"play_{name.replace('-', '_')}.ipynb") + f"?seed={SEED}"), random.Random(2)
    page.wait_for_function("window.nkStage?.places?.().length")
    page.wait_for_timeout(1000)  # the board has come to its size
    orders = 0
    for played in range(ROUNDS):
        if game.over:
            break
        assert page.evaluate(SCROLLS) == [False] * 4
        for text, least, inside, free in page.evaluate(PRESSED):
            assert least >= FINGER and inside and free, (text, least, inside, free)
        places = page.evaluate("nkStage.places()")
        for place, free in zip(places, page.evaluate(OVER, places), strict=True):
            # A game begins with a picture of both sides, however small that makes the hexes; the glass finds them.
            least = ASKED if place["ask"] else FINGER
            whole = played == 0 and name in ("on-patrol", "fleet-action")
            assert place["own"] and free, (place, played)
            assert whole or place["small"] >= least - 0.5 or (name in MAPS and place["small"] >= ASKED), (place, played)
        orders += len([place for place in places if place["ask"]]) + game.buttons.count()
        assert page.evaluate("least => nkSmall(least)", LEAST) == []
        assert [each for each in page.evaluate(WRITTEN) if each[1] < LEAST and each[1] > 0] == []
        shot(page, f"phone_{name}_{size[0]}x{size[1]}_{played}", full_page=False)
        game.act(dice)
    assert orders
    page.context.close()


FULL = """() => [...document.querySelectorAll('.nk-play-order-button, .nk-play-again > button')].filter((each) =>
  each.checkVisibility({ visibilityProperty: true })).filter((each) => {
    const box = each.getBoundingClientRect();
    return [...each.querySelectorAll('span')].some((part) => { const { top, bottom } = part.getBoundingClientRect();
      return bottom > top && (top < box.top - 1 || bottom > box.bottom + 1); });
  }).map((each) => each.textContent)"""
"""Buttons whose words stick out of them."""
COVERED = """() => document.querySelector('.nk-play-banner').getBoundingClientRect().bottom
  - document.querySelector('.nk-play .nk-board').getBoundingClientRect().top"""
DOUBLE = 800
"""Milliseconds after which a press on the same place is not the second of a double one."""
SETTLED = 15_000
"""Milliseconds in which a picture has surely come to the size of its place."""
LED = [
    pytest.param(name, size, marks=[] if (name, size) == ("uss-lox", (844, 390)) else pytest.mark.slow,
                 id=f"{name}-{size[0]}x{size[1]}")
    for name in registry.names()
    for size in ((360, 640), (390, 844), (844, 390))
]


@pytest.mark.parametrize("name, size", LED)
def test_a_first_game_fits_a_phone_and_its_end_covers_nothing_of_the_board(browser, voila, name, size):
    page = phone(browser, size)
    page.add_init_script(SIZES)
    game = Driver(page, voila.page(f"play_{name.replace('-', '_')}.ipynb") + "?first=1")
    told = page.locator(".nk-play-order-button.nk-primary:visible")
    for played in range(60):
        with suppress(PlaywrightTimeout):  # the picture is drawn anew once its place has another size
            page.wait_for_function("least => !nkSmall(least).length", arg=LEAST, timeout=SETTLED)
        assert page.evaluate("least => nkSmall(least)", LEAST) == []
        assert page.evaluate(FULL) == []
        shot(page, f"first_{name}_{size[0]}x{size[1]}_{played}", full_page=False)
        if game.over or page.locator(".nk-play.nk-play-over").count():
            break
        page.wait_for_timeout(DOUBLE)
        with game.answer():
            (told if told.count() else page.locator(".nk-key-do-it")).first.tap()
    page.wait_for_selector(".nk-play-banner")
    page.wait_for_function(f"() => ({COVERED})() <= 0.5")
    assert page.locator(".nk-key-first-next").is_visible()
    for each in page.locator(".nk-play-again > button:visible").all():  # all that comes after the end is in sight
        box = each.bounding_box()
        assert box["x"] + box["width"] <= size[0] and box["y"] + box["height"] <= size[1]
    page.context.close()


def test_a_hint_ends_the_question_about_a_card(browser, voila):
    """Else it would lie over the button that the hint fills."""
    page = phone(browser, (390, 844))
    game = Driver(page, voila.page("play_wolf_pack.ipynb") + f"?seed={SEED}")
    page.wait_for_function("window.nkStage?.places?.().length")
    page.wait_for_timeout(1000)
    place, asked = game.places[0], page.locator(".nk-confirm")
    page.touchscreen.tap(place["x"], place["y"])
    asked.wait_for(state="visible")
    with game.answer():
        page.locator(".nk-key-hint").tap()
    asked.wait_for(state="hidden")
    page.wait_for_selector(".nk-play-order-button.nk-primary:visible")
    page.context.close()


TAPPED = [("on-patrol", (360, 640)), pytest.param("wolf-pack", (844, 390), marks=pytest.mark.slow),
          pytest.param("task-force", (360, 640), marks=pytest.mark.slow)]


@pytest.mark.parametrize("name, size", TAPPED)
def test_one_tap_on_a_small_place_orders_nothing_and_the_button_orders_it(browser, voila, name, size):
    page = phone(browser, size)
    game = Driver(page, voila.page(f"play_{name.replace('-', '_')}.ipynb") + f"?seed={SEED}")
    page.wait_for_function("window.nkStage?.places?.().length")
    page.wait_for_timeout(1000)
    place, ply = game.places[0], ".nk-play-stepper .widget-readout"
    before, asked = page.locator(ply).text_content(), page.locator(".nk-confirm")
    page.touchscreen.tap(place["x"], place["y"])
    asked.wait_for(state="visible")
    page.wait_for_timeout(500)
    assert page.locator(ply).text_content() == before
    asked.locator("button").first.tap()  # not there
    asked.wait_for(state="hidden")
    assert page.locator(ply).text_content() == before
    page.touchscreen.tap(place["x"], place["y"])
    assert place["ask"] == asked.locator("button.nk-primary").text_content()
    with game.answer():
        asked.locator("button.nk-primary").tap()
    page.wait_for_function("([at, was]) => document.querySelector(at).textContent !== was", arg=[ply, before])
    assert not asked.is_visible()
    place, now = game.places[0], page.locator(ply).text_content()
    page.touchscreen.tap(place["x"], place["y"])  # a second tap there is the button, too
    asked.wait_for(state="visible")
    page.touchscreen.tap(place["x"], place["y"])
    page.wait_for_function("([at, was]) => document.querySelector(at).textContent !== was", arg=[ply, now])
    place, now = game.places[0], page.locator(ply).text_content()
    page.mouse.click(place["x"], place["y"])  # a mouse is not asked, nor framed
    page.wait_for_function("([at, was]) => document.querySelector(at).textContent !== was", arg=[ply, now])
    framed = "getComputedStyle(document.querySelector('.nk-board')).outlineStyle"
    assert page.evaluate("document.activeElement.matches('.nk-board canvas')") and page.evaluate(framed) == "none"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(framed) == "solid"
    page.context.close()


OVERLAP = """([one, other]) => {
  const [a, b] = [one, other].map((each) => document.querySelector(each).getBoundingClientRect());
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom; }"""


def test_lying_down_in_german_nothing_is_cut_broken_or_covered(browser, voila):
    page = phone(browser, (844, 390))
    game = Driver(page, voila.page("play_task_force.ipynb") + "?seed=3&lang=de")
    page.wait_for_function("window.nkStage?.places?.().length")
    page.wait_for_timeout(1000)
    place, asked = game.places[0], page.locator(".nk-confirm")
    page.touchscreen.tap(place["x"], place["y"])
    asked.wait_for(state="visible")
    lines = """(button) => {
      const range = document.createRange();
      range.selectNodeContents(button);
      return new Set([...range.getClientRects()].map((each) => each.top)).size; }"""
    assert asked.locator("button").first.evaluate(lines) == 1
    orders = page.locator(".nk-play-orders").bounding_box()
    assert asked.bounding_box()["y"] >= orders["y"] - 1, "a short question leaves the legend over the orders as it was"
    asked.locator("button").first.tap()
    page.evaluate("document.querySelector('.nk-play').classList.add('nk-play-over')")  # as the end has it
    page.evaluate("""() => {
      const waiting = document.querySelector('.nk-play-top > .nk-waiting');
      waiting.style.display = 'flex';
      waiting.firstElementChild.textContent = 'Wird berechnet: der Bericht, 68 %'; }""")
    assert not page.evaluate(OVERLAP, [".nk-waiting", ".nk-status"])
    assert not page.evaluate(OVERLAP, [".nk-waiting", ".nk-play-hole"]), "the board's part of the column begins below"
    assert page.evaluate("document.querySelector('.nk-waiting').getBoundingClientRect().left") >= orders["x"]
    page.locator(".nk-key-more").tap()
    page.locator(".nk-play.nk-play-sheet").wait_for()
    hidden = "getComputedStyle(document.querySelector('.nk-play-aims')).visibility"
    assert page.evaluate(hidden) == "hidden", "the header's switches lie there"
    page.context.close()
