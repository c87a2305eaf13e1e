"""USS Lox as a reader plays it: in a real browser, by mouse, touch, keyboard and typed orders.

Each page is shadowed by a `Match` of the same seed in this process: it says where a cell lies on the canvas and what
the status line must tell.
"""

from __future__ import annotations
import os
import re
import signal
import time
from collections import deque
from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import expect

from navalkit.core.match import Match
from navalkit.core.words import Voice, percent, speaking
from navalkit.games.uss_lox.page import PAGE, chance_to_sink
from navalkit.games.uss_lox.questions import QUESTIONS
from navalkit.testing import said
from navalkit.view.page import Glance, Look
from navalkit.view.scene import neighbour
from ..english import ENGLISH, QUOTED
from ..patrols import SEED, TONS, WON
from ..sentences import CORE, EXPLORE, LOX, UI, like
from .conftest import axe, children, open_page, set_theme, shot, sideways, wait_for_board
from .driver import Driver

NOTEBOOK = "play_uss_lox.ipynb"
DESK, PHONE = (1280, 900), (390, 844)
KEYS = {"left": "ArrowLeft", "right": "ArrowRight", "up": "ArrowUp", "down": "ArrowDown"}
LOST = ["Cannot send", "WebSocket", "Failed to load resource", "Connection lost", "kernel", "Kernel"]


class Lox(Driver):
    """The page, and the same patrol played beside it."""

    def __init__(self, page, voila, query=f"?seed={SEED}", match=None, tall=False):
        self.tall, self.match = tall, match or Match.new("uss-lox", seed=SEED)
        super().__init__(page, voila.page(NOTEBOOK) + query)
        self.settled()

    def settled(self):
        """Wait until the page is where the match is; its status line must tell what happened last."""
        super().settled(self.match)

    @property
    def scene(self):
        game, state = self.match.game, self.match.observe(0)
        width, height = self.page.locator(".nk-board").evaluate("board => [board.clientWidth, board.clientHeight]")
        return PAGE.scene(Glance(game, state, 0, game.legal(state)), Look(self.tall, room=(width, height)))

    def at(self, cell_id):
        """Where a cell lies on the canvas, in CSS pixels from its corner."""
        return self.place(self.scene, cell_id)

    def cell_of(self, order):
        return next(cell.id for cell in self.scene.cells if str(cell.action) == order)

    def played(self, order):
        """The same order beside; the page must have come to the same place and tell the same."""
        events = self.match.play(order)
        self.settled()
        self.tells(*(event.text for event in events))

    @property
    def home(self):
        """The button that ends the patrol: no slip on the board may do that."""
        return self.page.locator(".nk-play-order-button", has_text=LOX("order.return"))

    def click(self, order):
        with self.answer():
            if order == "return":
                self.home.click()
            else:
                self.canvas.click(position=self.at(self.cell_of(order)))
        self.played(order)

    def tap(self, order):
        with self.answer():
            if order == "return":
                self.home.tap()
            else:
                self.canvas.tap(position=self.at(self.cell_of(order)))
        self.played(order)

    def type(self, order):
        super().type(order)
        self.played(order)
        if not self.match.over:
            expect(self.page.locator(".nk-order input")).to_have_value("")

    def press(self, name):
        self.page.locator(f"button.{name}").click()

    def more(self):
        """Open the menu of rarer things, where it is not open."""
        self.drawer(tab="options")

    def pixels(self):
        """The board as the reader sees it."""
        return Image.open(BytesIO(self.canvas.screenshot())).convert("RGB")


def alike(one, other):
    return one.size == other.size and ImageChops.difference(one, other).getbbox() is None


def until(holds, said, seconds=20):
    """Wait until something holds that the page itself does not announce."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, said
        time.sleep(0.1)


def focused(page):
    return page.evaluate("document.activeElement.tagName + '.' + document.activeElement.className")


def arrows(scene, start, goal):
    """The shortest way by arrow keys from one cell to another."""
    ways, queue = {start: []}, deque([start])
    while queue:
        here = queue.popleft()
        if here == goal:
            return ways[here]
        for direction, key in KEYS.items():
            there = neighbour(scene, here, direction).id
            if there not in ways:
                ways[there] = [*ways[here], key]
                queue.append(there)
    raise AssertionError(f"no way by arrow keys from {start} to {goal}")


# A whole patrol, four ways


@pytest.mark.slow
def test_a_whole_patrol_by_mouse_to_the_report(page, voila):
    lox = Lox(page, voila)
    assert len(lox.pixels().getcolors(1 << 24)) > 20, "the board is blank"
    shot(page, "lox-1280-start")
    assert axe(page) == []
    told = [lox.status]
    for order in WON[:-1]:
        before = lox.pixels()
        lox.click(order)
        assert not alike(before, lox.pixels()), f"{order} does not show on the board"
        told.append(lox.status)
        if order == "flip A1":
            state = lox.match.observe(0)
            for n in range(4):
                button = page.get_by_role("button", name=LOX("order.fire", n=n))
                assert percent(chance_to_sink(lox.match.game, state, n)) in button.inner_text()
            shot(page, "lox-1280-ship")
            assert axe(page) == []
        elif order == "attack 2" and len(told) == 3:
            assert page.get_by_role("button", name=LOX("order.escape")).is_visible()
            shot(page, "lox-1280-escort")
    lox.click(WON[-1])
    told.append(lox.status)
    assert all(one != other for one, other in pairwise(told)), "the live region must change with each move"
    report = page.locator(".nk-play-report")
    report.get_by_text(LOX("report.title")).wait_for(state="visible")
    assert TONS in report.inner_text()
    report.get_by_text("Commander Vance").first.wait_for(state="visible")  # is played after the report is shown
    assert LOX("yard.tang") in report.inner_text()
    said(report.inner_text(), UI, "seed", seed=SEED)  # the personal bests
    assert page.locator(".nk-play-order-button:visible").count() == 0
    shot(page, "lox-1280-report")
    assert axe(page) == []


@pytest.mark.slow
def test_a_whole_patrol_by_keyboard_alone(page, voila):
    lox = Lox(page, voila)
    page.keyboard.press("Tab")
    for _ in range(40):
        if focused(page).startswith("CANVAS"):
            break
        page.keyboard.press("Tab")
    assert focused(page).startswith("CANVAS"), "Tab must lead into the board"
    page.keyboard.press("ArrowRight")
    here = lox.scene.cells[0].id
    for order in WON[:-1]:
        goal = lox.cell_of(order)
        if lox.scene.cell(here) is None:  # the focus went with its cell
            page.keyboard.press("ArrowRight")
            here = lox.scene.cells[0].id
        for key in arrows(lox.scene, here, goal):
            page.keyboard.press(key)
        page.wait_for_function(
            "alt => document.querySelector('.nk-focus').textContent === alt",
            arg=lox.scene.cell(goal).alt,
        )
        with lox.answer():
            page.keyboard.press("Enter")
        lox.played(order)
        here = goal
    page.keyboard.press("Tab")
    assert not focused(page).startswith("CANVAS"), "Tab must lead out of the board"
    page.keyboard.press("Shift+Tab")
    assert focused(page).startswith("CANVAS")
    page.keyboard.press("Shift+Tab")
    assert not focused(page).startswith("CANVAS"), "Shift+Tab must lead out of the board"
    for _ in range(40):
        if LOX("order.return") in page.evaluate("document.activeElement.textContent"):
            break
        page.keyboard.press("Tab")
    with lox.answer():
        page.keyboard.press("Enter")
    lox.played("return")
    page.wait_for_selector(".nk-play-report h3:visible")


@pytest.mark.slow
def test_a_whole_patrol_by_typed_orders(page, voila):
    lox = Lox(page, voila)
    Driver.type(lox, "torpedo los")
    box = page.locator(".nk-order input")
    assert "torpedo los" in lox.status and box.input_value() == "torpedo los", "a wrong order stays, to be mended"
    for order in WON:
        lox.type(order)
    page.wait_for_selector(".nk-play-report h3:visible")
    said(page.inner_text(".nk-play-report"), LOX, "report.win")


# What a page says, its tooltips and what only a screen reader reads among it; what never shows in German is left out.
SAID = """() => { const said = []; const walk = (node) => {
  if (node.nodeType === 3 && node.data.trim()) said.push(node.data.trim());
  if (node.nodeType !== 1 || node.matches("script, noscript, style, .jp-MarkdownCell, .toolbar_div")) return;
  for (const name of ["title", "aria-label", "placeholder", "alt"]) said.push(node.getAttribute(name) || "");
  [...node.childNodes, ...(node.shadowRoot?.childNodes || [])].forEach(walk);
}; walk(document.body); return said; }"""


def english(page):
    """What an open page says in English."""
    said = {line for text in page.evaluate(SAID) for line in text.splitlines()}
    return {line for line in said if ENGLISH.intersection(re.findall(r"\w+", QUOTED.sub("", line).lower()))}


def test_a_whole_patrol_in_german_shows_no_english(page, voila):
    with speaking(Voice("de", 0)):
        lox = Lox(page, voila, f"?seed={SEED}&lang=de")
        assert page.get_attribute("html", "lang") == "de"
        assert english(page) == set(), "before the first order"
        for order in WON:
            lox.type(order)
        page.wait_for_selector(".nk-play-report h3:visible")
    assert page.get_by_role("tab").count() == 5 and english(page) == set()
    assert not page.locator(".jp-MarkdownCell:visible").count(), "what the notebook says is English"
    shot(page, "lox-german")


@pytest.mark.slow
def test_what_surrounds_a_german_patrol_shows_no_english_either(page, voila):
    with speaking(Voice("de")):
        captains, chances, matters = UI("review.captains"), EXPLORE("page"), like(EXPLORE, "head.matters")
        harper = UI("seat.captain", name="Fähnrich Harper", level=1)
    lox = Driver(page, voila.page(NOTEBOOK) + "?lang=de&first=1")
    lox.type("flip B2")
    assert english(page) == set(), "the first game"
    page.goto("about:blank")
    lox = Driver(page, voila.page(NOTEBOOK) + f"?seed={SEED}&lang=de")
    for order in WON:
        if order == WON[1]:
            lox.click(page.locator(".nk-key-hint"))
            page.wait_for_selector(".nk-play-advised")
            lox.type("flip A1")
            assert english(page) == set(), "hint and refusal"
        lox.type(order)
    page.locator(".nk-key-review").click()
    page.get_by_role("button", name=captains).click()
    page.wait_for_selector("text=Fähnrich Harper")
    page.locator(".nk-key-play").click()  # nothing moves on, and the button says so
    assert english(page) == set(), "review"
    lox.new_game()
    page.locator(".nk-key-new-more").click()
    page.wait_for_selector(".nk-play-more-options", state="visible")
    page.get_by_role("combobox").filter(has_text="Harper").select_option(label=harper)
    page.wait_for_selector("text=Feuert drei")
    assert english(page) == set(), "a new game"
    for question in QUESTIONS:
        page.goto("about:blank")
        open_page(page, voila.page("explore_sinking.ipynb") + f"?q={question.id}&lang=de")
        page.wait_for_selector("html[lang=de]")
        expect(page.locator("h1.nk-frame-title")).to_have_text(chances)
        page.get_by_text(matters).first.wait_for()  # comes last
        assert english(page) == set(), question.id


@pytest.mark.slow
def test_a_whole_patrol_by_touch_on_a_phone_where_a_tap_acts_once(browser, voila):
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    page = context.new_page()
    lox = Lox(page, voila, tall=True)
    shot(page, "lox-390-start")
    for order in WON[:2]:
        count = lox.count
        lox.tap(order)
        page.wait_for_timeout(400)  # a mouse event made from the same tap would have come by now
        assert lox.count == count + 1
        assert sideways(page) <= 0
        shot(page, "lox-390-ship" if order == WON[0] else "lox-390-escort")
        assert cut_off(page) == []
        assert axe(page) == []
    box = lox.canvas.bounding_box()
    ply = lox.count
    swipe(context, page, box["x"] + box["width"] / 2, min(box["y"] + box["height"] / 2, 700))
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0, "one screen: nothing is scrolled"
    assert lox.count == ply, "a swipe over the board is no order"
    for order in WON[2:]:
        lox.tap(order)
    page.wait_for_selector(".nk-play-report h3:visible")
    shot(page, "lox-390-report")
    assert cut_off(page) == []
    lox.more()
    lox.new_game()
    shot(page, "lox-390-panel")
    assert axe(page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    page.wait_for_timeout(300)
    assert sideways(page) <= 0
    shot(page, "lox-320-report")
    context.close()


def cut_off(page):
    """Tables that are wider than their place."""
    return page.evaluate(
        "[...document.querySelectorAll('.nk-table')].filter(t => t.scrollWidth > t.clientWidth + 1)"
        ".map(t => t.innerText)"
    )


def swipe(context, page, x, y):
    """A finger drawn upward over the page."""
    devtools = context.new_cdp_session(page)
    for kind, way in (("touchStart", 0), *(("touchMove", 20 * i) for i in range(1, 16)), ("touchEnd", None)):
        points = [] if way is None else [{"x": x, "y": y - way}]
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        page.wait_for_timeout(16)
    page.wait_for_timeout(300)


@pytest.mark.slow
def test_a_double_click_gives_one_order(page, voila):
    lox = Lox(page, voila)
    for order in WON[:2]:
        count = lox.count
        lox.canvas.dblclick(position=lox.at(lox.cell_of(order)))
        lox.played(order)
        page.wait_for_timeout(200)
        assert lox.count == count + 1
    page.get_by_role("button", name=LOX("order.escape")).dblclick()
    lox.played("escape")
    page.wait_for_timeout(200)
    lox.settled()


# Going back, and coming back


@pytest.mark.slow
def test_undo_asks_and_the_stepper_steps_and_a_reload_takes_the_game_up(page, voila):
    lox = Lox(page, voila)
    for order in WON[:3]:
        lox.type(order)
    readout = page.locator(".nk-play-stepper .widget-readout")

    def step_is(ply):
        page.wait_for_function(
            "ply => document.querySelector('.nk-play-stepper .widget-readout').textContent.trim() === ply", arg=str(ply)
        )

    present = lox.pixels()
    with lox.answer():
        lox.press("nk-key-step-back")
    step_is(lox.match.ply - 1)
    said(lox.status, UI, "look.back")
    assert not alike(present, lox.pixels())
    assert page.locator(".nk-play-order-button:visible").count() == 0
    with lox.answer():
        lox.press("nk-key-step-forward")
    step_is(lox.match.ply)
    assert alike(present, lox.pixels())
    handle = page.locator(".nk-play-stepper .noUi-handle")
    handle.focus()
    page.keyboard.press("Home")
    step_is(0)
    page.locator(".nk-play-stepper select").select_option(label=UI("speed.fast"))
    lox.press("nk-key-play")
    step_is(1)
    expect(page.locator(".nk-key-play")).to_have_text(UI("play"), timeout=60_000)
    step_is(lox.match.ply)
    assert alike(present, lox.pixels())

    page.reload(wait_until="commit")
    page.wait_for_selector("#nk-loading", state="detached", timeout=60_000)
    wait_for_board(page)
    lox.settled()
    expect(page.locator(".nk-status").first).to_contain_text(UI("open.resumed"))
    # Its first picture is as large as the page was when it told Python its room; the second fits the bar as filled.
    until(lambda: alike(present, lox.pixels()), "the board must be drawn anew")

    lox.type(WON[3])
    lox.press("nk-key-undo")
    page.wait_for_selector(".nk-ask:visible")
    assert page.locator(".nk-play-order-button:visible").count() == 0
    shot(page, "lox-1280-ask")
    lox.press("nk-key-undo-no")
    page.wait_for_selector(".nk-ask", state="hidden")
    lox.settled()
    lox.press("nk-key-undo")
    lox.press("nk-key-undo-yes")
    lox.match.undo(analysis=True)
    lox.settled()
    assert UI("analysis") in page.inner_text(".nk-play-seed-line")
    lox.press("nk-key-redo")
    lox.match.redo()
    lox.settled()
    assert readout.inner_text().strip() == str(lox.match.ply)


@pytest.mark.slow
def test_a_killed_kernel_loses_no_move(page, voila):
    page.expected_errors = LOST
    before = set(children(voila.process.pid))
    lox = Lox(page, voila)
    (kernel,) = set(children(voila.process.pid)) - before
    for order in WON[:4]:
        lox.type(order)
    page.evaluate("window.unloaded = false; 1")
    os.kill(kernel, signal.SIGKILL)
    page.wait_for_function("() => window.unloaded === undefined", timeout=60_000)  # the page comes back by itself
    page.wait_for_selector("#nk-loading", state="detached", timeout=60_000)
    wait_for_board(page)
    lox.settled()
    for order in WON[4:]:
        lox.type(order)
    page.wait_for_selector(".nk-play-report h3:visible")


@pytest.mark.slow
def test_two_tabs_play_two_games(context, page, voila):
    one = Lox(page, voila)
    one.type(WON[0])
    other = context.new_page()
    two = Lox(other, voila, match=one.match.branch())  # a second tab takes the game up, and goes its own way
    one.type("attack 1")
    two.type("decline")
    for lox in (one, two):
        lox.page.reload(wait_until="commit")
        lox.page.wait_for_selector("#nk-loading", state="detached", timeout=60_000)
        lox.settled()
    other.close(run_before_unload=True)


# Links, files, hints, new games, themes


@pytest.mark.slow
def test_a_link_and_a_file_lead_to_the_very_same_game(browser, context, page, voila, tmp_path):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    lox = Lox(page, voila)
    for order in WON[:4]:
        lox.type(order)
    lox.more()
    with lox.answer():
        lox.press("nk-key-copy-link")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(voila.page(NOTEBOOK) + "?record=")
    saved = download(page, lox, "nk-key-save", tmp_path)
    assert Match.load(saved).record() == lox.match.record()
    for kind, start in (("png", b"\x89PNG"), ("svg", b"<"), ("csv", b"ply,")):
        path = download(page, lox, f"nk-key-{kind}", tmp_path)
        assert path.suffix == f".{kind}" and path.read_bytes().startswith(start)

    strange = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    there = Lox(strange.new_page(), voila, link.partition(NOTEBOOK)[2], match=lox.match.branch())
    there.type(WON[4])
    assert there.match.ply != lox.match.ply and saved.name in opened(there, saved)
    there.match = Match.load(saved)
    there.type(WON[4])
    there.page.close(run_before_unload=True)
    strange.close()


def download(page, lox, button, folder):
    """The file that a button hands over."""
    with page.expect_download() as waiting:
        lox.press(button)
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


@pytest.mark.slow
def test_bad_links_and_files_lose_nothing(page, voila, tmp_path):
    lox = Lox(page, voila)
    for order in WON[:4]:
        lox.type(order)
    bad = tmp_path / "bad.toml"
    bad.write_text("the tide is out")
    said(opened(lox, bad), CORE, "record.no_toml")
    big = tmp_path / "big.toml"
    big.write_text("# " + "x" * (2 << 20))
    said(opened(lox, big), UI, "open.large", name="'big.toml'", most=1_048_576)
    lox.settled()

    open_page(page, voila.page(NOTEBOOK) + "?record=" + lox.match.record().link_text()[:-40])
    page.wait_for_selector(".nk-status .nk-bad")
    said(page.inner_text(".nk-status .nk-bad"), CORE, "record.cut", where=CORE("record.link"))
    assert page.locator(".nk-play-order-button:visible").count() == 9, "beside the sentence there is a game to play"


def opened(lox, path):
    """Open a file by the button; what the status line says then."""
    with lox.page.expect_file_chooser() as chooser:
        lox.more()
        lox.press("nk-key-open")
    with lox.answer():
        chooser.value.set_files(path)
    return lox.status


@pytest.mark.slow
def test_hint_new_game_and_themes(page, voila):
    lox = Lox(page, voila, "?seed=42", match=Match.new("uss-lox", seed=42))
    lox.type("flip B2")
    with lox.answer():
        lox.press("nk-key-hint")
    reasons = page.locator(".nk-hint")
    reasons.wait_for(state="visible")
    said(reasons.inner_text(), UI, "hint.unit")
    said(reasons.inner_text(), LOX, "table.fire", n=0)
    shot(page, "lox-1280-hint")

    pictures = []
    for theme in ("light", "dark", "contrast"):
        set_theme(page, theme)
        page.wait_for_timeout(300)
        pictures.append(lox.pixels())
        shot(page, f"lox-1280-ship-{theme}")
        assert axe(page) == [], theme
    assert not any(alike(one, other) for one, other in pairwise(pictures))

    lox.new_game()
    panel = page.locator(".nk-play-panel")
    set_theme(page, "dark")
    shot(page, "lox-1280-panel-dark")
    assert axe(page) == []
    set_theme(page, "light")
    assert axe(page) == []
    shot(page, "lox-1280-panel")
    page.locator(".nk-key-new-more").click()
    panel.locator("input[type=text]").first.fill("7")
    panel.get_by_label(LOX("option.plan_patrol")).check()
    with lox.answer():
        page.locator(".nk-key-start").click()
    panel.wait_for(state="hidden")
    lox.match = Match.new(lox.match.game.__class__(plan_patrol=True), seed=7)
    lox.settled()
    assert page.locator(".nk-play-order-button:visible").count() == 23
    shot(page, "lox-1280-plan")
    lox.type("plan 23")
    shot(page, "lox-1280-ocean-23")
    assert axe(page) == []
