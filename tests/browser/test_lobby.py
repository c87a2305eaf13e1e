"""The lobby in a browser: what a card leads to, and the game that is gone on with."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from ..sentences import LOBBY, UI, like
from .conftest import open_page, shot, sideways
from .driver import Driver

ON_TOP = """() => [...document.querySelectorAll('.nk-lobby-ways a')].filter((link) => {
  link.scrollIntoView({ block: 'center' });
  const box = link.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
  return document.elementFromPoint(x, y) !== link || box.height < 44; }).length"""


@pytest.mark.parametrize("context", [(390, 844), (1280, 800)], indirect=True, ids=["390", "1280"])
def test_a_card_leads_to_its_first_game_and_to_todays(page, voila, kernels):
    before = kernels()
    open_page(page, voila.page("lobby.ipynb"))
    assert page.locator(".nk-lobby-ways a").count() >= 10 and page.evaluate(ON_TOP) == 0
    assert sideways(page) <= 0 and kernels() == before
    shot(page, f"lobby-ways-{page.viewport_size['width']}")


def test_the_filled_button_begins_the_first_game_and_once_that_is_done_the_games_of_the_day(page, voila):
    filled = page.locator(".nk-lobby-next")
    open_page(page, voila.page("lobby.ipynb"))
    expect(filled).to_have_text(like(LOBBY, "script.first"))
    assert "first=1" in filled.get_attribute("href")
    page.evaluate("localStorage.setItem('navalkit:wolf-pack:first', '1')")  # kept by its page as it ends
    open_page(page, voila.page("lobby.ipynb"))
    expect(filled).to_have_text(like(LOBBY, "script.next"))
    assert "day=today" in filled.get_attribute("href")


@pytest.mark.slow
def test_a_game_under_way_is_continued_from_the_lobby(page, voila):
    card = page.locator("[data-game=uss-lox]")
    game = Driver(page, voila.page("play_uss_lox.ipynb"))
    open_page(page, voila.page("lobby.ipynb"))
    expect(card.locator(".nk-lobby-state")).to_have_text(LOBBY("play"))
    game.open(voila.page("play_uss_lox.ipynb"))
    game.click(game.buttons.first)
    step = page.inner_text(".nk-play-stepper .widget-readout")
    open_page(page, voila.page("lobby.ipynb"))
    expect(card.locator(".nk-lobby-state")).to_have_text(LOBBY("continue"))
    card.locator("h3 a").click()
    expect(page.locator(".nk-play-stepper .widget-readout")).to_have_text(step)
    open_page(page, voila.page("lobby.ipynb"))
    card.get_by_role("link", name=LOBBY("today")).click()
    expect(page.locator(".nk-status")).to_contain_text(like(UI, "day.new"))
