"""The explorer in a real Chromium: sliders move charts, cards are clicked away, a run converges, a link comes back."""

from __future__ import annotations
import re

import pytest
from playwright.sync_api import expect

from navalkit import (
    explore,
)
from navalkit.core.words import Voice, speaking
from navalkit.explore import ask
from navalkit.testing import said
from ..sentences import EXPLORE, LOX_ASK, like
from .conftest import axe, open_page, set_theme, shot, sideways
from .driver import ANSWERS

HEIGHTS = """i => [...document.querySelectorAll('.nk-explore-chart')[i].querySelectorAll('rect.bar')]
             .map((bar) => Math.round(bar.getBoundingClientRect().height))"""

FLOATING = """() => [...document.querySelectorAll('.nk-explore-chart:has(rect.bar)')].filter((chart) => {
  const bars = [...chart.querySelectorAll('rect.bar')].map((bar) => bar.getBoundingClientRect());
  const left = Math.min(...bars.map((bar) => bar.left));
  const zero = [...chart.querySelectorAll('.axis .tick text')].map((text) => [text, text.getBoundingClientRect()])
    .find(([text, box]) => /^0(\\.0)?( |$)/.test(text.textContent.trim()) && box.right < left);
  return !zero || bars.some((bar) => Math.abs(bar.bottom - (zero[1].top + zero[1].bottom) / 2) > 3);
}).map((chart) => chart.querySelector('h3').innerText)"""
"""The charts whose bars do not stand on the zero of their axis."""


class Explorer:
    """One page of the explorer."""

    def __init__(self, page, voila, query="?q=lox-sink"):
        self.page = page
        page.set_default_timeout(90_000)  # for signs that come late on a machine that is busy
        open_page(page, voila.page("explore_sinking.ipynb") + query)
        page.wait_for_selector(".nk-status[role=status] .nk-explore-big")
        page.wait_for_function(ANSWERS)
        page.wait_for_function("() => document.querySelectorAll('.nk-explore-chart rect.bar').length > 2")
        self.settled()

    @property
    def count(self):
        return int(self.page.get_attribute(".nk-status [data-count]", "data-count"))

    def shows(self, number):
        """Wait until this is the number shown large: a link or a slider may be on its way yet."""
        expect(self.page.locator(".nk-explore-big")).to_have_text(number, timeout=60_000)

    def heights(self, i=0):
        return self.page.evaluate(HEIGHTS, i)

    def settled(self):
        """Wait until nothing is faded that waits for its numbers, and the bars have stopped moving."""
        self.page.wait_for_function("() => !document.querySelector('.nk-explore-old')")
        self.page.wait_for_function(
            f"""() => {{ const now = JSON.stringify(({HEIGHTS})(0)), same = now === window.nkBars;
                 window.nkBars = now; return same; }}""",
            polling=150,
        )

    def after(self, act):
        """Do something, and wait until the page has answered."""
        before = self.count
        act()
        self.page.wait_for_function(
            "n => +document.querySelector('.nk-status [data-count]').dataset.count > n", arg=before
        )

    def click(self, css):
        self.after(lambda: self.page.click(css))

    def slide(self, name, key):
        """Press a key on a slider."""
        self.after(lambda: self.page.locator(f".nk-key-control-{name} .noUi-handle").press(key))


@pytest.mark.slow
def test_how_many_torpedoes_for_a_queen_once_three_fives_are_gone(page, voila):
    explorer = Explorer(page, voila)
    assert said(page.inner_text(".nk-said"), LOX_ASK, "lox-sink.said", n=2)["ship"]
    for card in ("5C", "5D", "5H"):
        explorer.click(f"[data-cell='{card}']")
    explorer.shows("30 %")
    assert "43/141" in page.inner_text(".nk-explore-ways")
    expect(page.locator(".nk-explore-goal")).to_contain_text(like(EXPLORE, "inverse.best", best="3"))
    before = explorer.heights(1)
    explorer.slide("torpedoes", "ArrowRight")
    explorer.shows("61 %")
    page.wait_for_function(f"before => JSON.stringify(({HEIGHTS})(1)) !== JSON.stringify(before)", arg=before)
    explorer.settled()
    assert page.evaluate(FLOATING) == []
    shot(page, "explore-1280-queen")
    assert axe(page) == []


@pytest.mark.slow
def test_a_run_converges_beside_the_exact_number_and_can_be_paused(page, voila):
    explorer = Explorer(page, voila, "?q=fleet-salvo&guns=5")
    exact = float(explore.answer("fleet-salvo", guns=5).value)
    page.select_option(".nk-explore-run select", label="1,000,000")
    page.click(".nk-key-button-run")
    page.wait_for_function("() => +document.querySelector('.nk-explore-run progress').value > 300")
    page.click(".nk-key-button-run")
    expect(page.locator(".nk-explore-run-text")).to_contain_text(EXPLORE("run.paused"))
    said = page.inner_text(".nk-explore-run-text")
    mean, error, n = re.search(r"([\d.]+) ± ([\d.]+) % \(n = ([\d,]+)\)", said).groups()
    assert int(n.replace(",", "")) > 300
    assert abs(float(mean) - 100 * exact) < 5 * float(error) + 0.1
    assert page.locator(".nk-explore-run .bqplot path.line").count() >= 1
    page.click(".nk-key-button-run")
    explorer.slide("guns", "ArrowRight")  # the run begins anew, and the page answers all the while
    explorer.shows(ask.amount(explore.answer("fleet-salvo", guns=6).value, ""))
    page.click(".nk-key-button-run")
    shot(page, "explore-1280-run")


@pytest.mark.slow
def test_a_pinned_setting_stays_beside_the_present_one(page, voila):
    explorer = Explorer(page, voila, "?q=patrol-torpedo")
    explorer.click(".nk-left .nk-key-button-pin")
    explorer.slide("spread", "ArrowRight")
    said(page.inner_text(".nk-explore-pinned"), EXPLORE, "pinned.value", value="50 %")
    page.wait_for_selector(".nk-explore-chart :is(.object_grp, .dot_grp)", state="attached")
    set_theme(page, "dark")
    explorer.settled()
    assert axe(page) == []
    shot(page, "explore-1280-pinned-dark")


@pytest.mark.slow
def test_a_link_restores_the_sliders_and_a_chart_is_downloaded(page, voila):
    answer = explore.answer("wolf-complete", side="convoy", turns=8, hand="sonar water")
    explorer = Explorer(page, voila, "?q=wolf-complete&side=convoy&turns=8&hand=sonar+water")
    explorer.shows(ask.amount(answer.value, ""))
    assert page.get_attribute("[data-cell=sonar]", "aria-pressed") == "true"
    with page.expect_download() as caught:
        page.click(".nk-explore-chart >> nth=0 >> .nk-key-button-csv")
    assert caught.value.suggested_filename == "wolf-complete-by-turn.csv"
    rows = caught.value.path().read_text().splitlines()
    assert len(rows) == 22 and float(rows[9].split(",")[1]) == float(answer.value)


@pytest.mark.slow
@pytest.mark.parametrize("context", [(390, 844)], indirect=True)
def test_on_a_phone_the_number_stays_in_sight_while_a_map_is_scratched(page, voila):
    explorer = Explorer(page, voila, "?q=task-hit")
    assert sideways(page) <= 0
    explorer.click("[data-cell=B2]")
    explorer.click("[data-cell=B2]")
    assert page.get_attribute("[data-cell=B2]", "aria-label") == "B2: ship"
    page.evaluate("document.querySelector('[data-kind=map]').scrollIntoView({block: 'end'})")
    box = page.locator(".nk-explore-big").bounding_box()
    assert 0 <= box["y"] <= 844 - box["height"]
    explorer.settled()
    assert axe(page) == []
    set_theme(page, "contrast")
    shot(page, "explore-390-map")
    assert page.evaluate(FLOATING) == []
    for game in ("uss-lox", "fleet-action", "on-patrol", "wolf-pack"):
        explorer.click(f".nk-key-game-{game}")
        explorer.settled()
        assert sideways(page) <= 0
        assert page.evaluate(FLOATING) == [], "the bars must stand on zero"
    assert axe(page) == []
    shot(page, "explore-390-wolf")


@pytest.mark.slow
def test_a_slow_answer_lets_the_page_go_on(page, voila):
    explorer = Explorer(page, voila, "?q=fleet-duel")
    explorer.after(lambda: page.select_option(".nk-key-control-first select", label="Suffolk, cruiser, 255"))
    page.wait_for_function("() => document.querySelector('.nk-said')?.innerText.includes('Suffolk')")
    page.wait_for_selector(".nk-status .nk-explore-big")
    explorer.click(".nk-key-game-uss-lox")
    assert said(page.inner_text(".nk-said"), LOX_ASK, "lox-sink.said", n=2)["ship"]


@pytest.mark.slow
def test_a_german_page_is_german_and_can_be_switched(page, voila):
    explorer = Explorer(page, voila, "?q=lox-sink&lang=de")
    with speaking(Voice("de")):
        expect(page.locator(".nk-said")).to_contain_text(like(LOX_ASK, "lox-sink.said"))
        expect(page.locator(".nk-explore-words")).to_contain_text(EXPLORE("head.assumes"))
    assert axe(page) == []
    shot(page, "explore-1280-german")
    page.click(".nk-key-button-lang")
    expect(page.locator(".nk-said")).to_contain_text(like(LOX_ASK, "lox-sink.said"))
    explorer.settled()
    expect(page.locator(".nk-explore-words")).to_contain_text(EXPLORE("head.assumes"))


FITS = """() => {
  const shown = (css) => [...document.querySelectorAll(css)].filter((it) => it.getClientRects().length);
  const box = (it) => it.getBoundingClientRect();
  const ends = shown('.nk-explore .nk-explore-chart:not(.nk-explore-run)').map((chart) => box(chart).bottom);
  const boards = shown('.nk-explore .nk-explore-marks-board');
  return ends.length && {
    bottom: Math.max(...ends),
    boards: boards.map((board) => [box(board.parentElement).height, box(board).height]),
  };
}"""
"""Where the lowest chart ends, and the heights of each card board's place and of the board, read at one moment."""


@pytest.mark.parametrize("context", [(1280, 800)], indirect=True)
def test_number_and_charts_fit_one_screen_beside_the_sliders(page, voila):
    it, cards = Explorer(page, voila, "?q=fleet-sink"), 0
    for game in ("fleet-action", "on-patrol", "task-force", "uss-lox", "wolf-pack"):
        page.click(f".nk-key-game-{game}")
        page.wait_for_selector(f".nk-explore .nk-explore-games .nk-key-game-{game}.mod-primary")
        it.settled()
        fits = page.wait_for_function(FITS).json_value()
        assert fits["bottom"] <= 800, game
        assert all(place >= board for place, board in fits["boards"]), "the cards have a place of their own"
        cards += len(fits["boards"])
    assert cards


def test_a_page_that_is_loaded_again_has_its_question_and_its_figures(page, voila):
    explorer = Explorer(page, voila)
    explorer.slide("torpedoes", "ArrowRight")
    moved = page.inner_text(".nk-explore-big")
    page.reload()
    page.wait_for_selector("#nk-loading", state="detached")
    explorer.shows(moved)


SPILLS = """() => {
  const card = document.querySelector('.nk-explore-proof');
  const room = card.getBoundingClientRect();
  return [...card.querySelectorAll('dl, dt, dd, h3, p, pre')].filter((part) => {
    const box = part.getBoundingClientRect();
    return box.right > room.right || box.left < room.left;
  }).map((part) => part.tagName);
}"""
"""What of an opened answer runs out of its card."""


@pytest.mark.slow
@pytest.mark.parametrize("context", [(390, 844), (1280, 900), (1920, 1080)], indirect=True)
def test_an_opened_answer_stays_in_its_card_and_its_python_scrolls(page, voila):
    Explorer(page, voila)
    page.click(".nk-key-button-proof")
    page.wait_for_selector(".nk-explore-code")
    page.evaluate("document.querySelector('.nk-explore-rules').scrollIntoView({block: 'start'})")
    shot(page, f"explore-opened-{page.viewport_size['width']}", full_page=False)
    assert page.evaluate(SPILLS) == []
    inside, needed = page.evaluate("[...document.querySelectorAll('.nk-explore-code')].map((code) => "
                                   "[code.clientWidth, code.scrollWidth])[0]")
    assert inside < needed, "a long line scrolls in itself"
    assert sideways(page) <= 0
