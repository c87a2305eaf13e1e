"""What all tests of a page share: open it, act, and wait until its status line has counted the answer."""

from __future__ import annotations
from contextlib import contextmanager

from playwright.sync_api import expect

from ..sentences import UI
from .conftest import open_page, wait_for_board

PATIENCE = 60_000
"""Milliseconds to wait for an answer: long, for a machine that is busy; a page that never answers still fails."""

READY = ".nk-status[role=status][aria-live=polite]"
COUNT = ".nk-status [data-count]"
ANSWERS = f"() => +document.querySelector('{COUNT}').dataset.count > 0"  # it knows its address and its width
TWO_FRAMES = """() => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(done));
    setTimeout(done, 2000); // a browser that is starved may stop to paint, and an evaluation has no time limit
})"""


class Driver:
    """One page in a browser.

    Every answer of a page raises the counter in its status line, after the rest has been sent.

    Parameters
    ----------
    page : playwright Page
    address : str
        Of the dashboard, with its query.
    """

    def __init__(self, page, address):
        self.page = page
        self.canvas = page.locator(".nk-canvas").first
        self.open(address)

    def open(self, address):
        open_page(self.page, address)
        wait_for_board(self.page)
        self.page.wait_for_selector(READY, timeout=PATIENCE)
        self.page.wait_for_function(ANSWERS)

    @property
    def count(self):
        return int(self.page.get_attribute(COUNT, "data-count"))

    def answered(self, before):
        """Wait until the page has spoken anew, and has been laid out and painted."""
        self.page.wait_for_function(
            f"n => +document.querySelector('{COUNT}').dataset.count > n", arg=before, timeout=PATIENCE
        )
        self.page.evaluate(TWO_FRAMES)

    @contextmanager
    def answer(self):
        """What is done within is answered at its end."""
        before = self.count
        yield
        self.answered(before)

    def click(self, locator):
        with self.answer():
            locator.click()

    def drawer(self, *, tab=None):
        """Open the drawer, where it is shut (on a phone), and one of its pages, by its key."""
        more = self.page.locator(".nk-key-more")
        if more.is_visible() and more.get_attribute("aria-expanded") != "true":
            more.click()
        if tab:
            self.page.get_by_role("tab", name=UI(f"tab.{tab}"), exact=True).click()

    def key(self, name):
        with self.answer():
            self.page.keyboard.press(name)

    def type(self, order):
        self.drawer()
        box = self.page.locator(".nk-order input")
        box.fill(order)
        with self.answer():
            box.press("Enter")

    def new_game(self):
        """Open the panel for a new game, and wait until it holds what is played now and stands alone."""
        self.page.click(".nk-key-new")
        self.page.wait_for_selector(".nk-play-panel", state="visible", timeout=PATIENCE)
        self.page.wait_for_selector(".nk-play-order-box", state="hidden", timeout=PATIENCE)
        self.page.evaluate(TWO_FRAMES)

    @property
    def status(self):
        return self.page.inner_text(".nk-status").strip()

    @property
    def whole(self):
        """All that happened, of which the status shows a headline."""
        return self.page.locator(".nk-status p").first.get_attribute("title")

    def tells(self, *texts):
        """Wait until the status line holds all of these: it comes after the rest of the page."""
        for text in texts:
            expect(self.page.locator(".nk-status").first).to_contain_text(text, timeout=PATIENCE)  # a film has a copy

    @property
    def buttons(self):
        """The orders that have a button."""
        return self.page.locator(".nk-play-order-button:visible")

    @property
    def places(self):
        """The places on the board at which a press gives an order: what it is called, and where in the window."""
        return [place for place in self.page.evaluate("nkStage.places()") if place["ask"]]

    def act(self, dice):
        """Give an order with the mouse: by one of the buttons, or on the board."""
        if self.buttons.count():
            self.click(self.buttons.nth(dice.randrange(self.buttons.count())))
        else:
            place = dice.choice(self.places)
            with self.answer():
                self.page.mouse.click(place["x"], place["y"])

    @property
    def over(self):
        return self.page.locator(".nk-play-report h3:visible").count() > 0

    def settled(self, match):
        """Wait until the page is where a match is."""
        self.page.wait_for_function(
            "([seed, ply]) => document.querySelector('.nk-seed')?.textContent === seed &&"
            " document.querySelector('.nk-play-stepper .widget-readout')?.textContent.trim() === ply",
            arg=[str(match.seed), str(match.ply)], timeout=PATIENCE,
        )  # fmt: skip

    def place(self, scene, cell):
        """Where a cell of the scene lies on the canvas, in CSS pixels from its corner."""
        share = self.canvas.bounding_box()["width"] / scene.width
        x, y = scene.cell(cell).centre
        return {"x": x * share, "y": y * share}
