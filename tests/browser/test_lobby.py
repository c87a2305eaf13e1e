"""The lobby in a browser: what a card leads to, and the game that is gone on with."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from navalkit.view.lobby import tutorial
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
    assert sideways(page) <= 0 and kernels() <= before  # one of an earlier page may have ended meanwhile
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


@pytest.mark.parametrize("locks", [True, False], ids=["locks", "no locks"])
def test_a_game_whose_tab_was_closed_is_carried_on_and_is_no_copy(context, page, voila, locks):
    if not locks:  # as where a page came neither by https nor from this machine
        context.add_init_script("Object.defineProperty(navigator, 'locks', { value: undefined })")
    address = voila.page("play_uss_lox.ipynb")
    token = "localStorage.getItem('navalkit:uss-lox:token')"
    left = context.new_page()
    game = Driver(left, address)
    game.click(game.buttons.first)
    step, kept = left.inner_text(".nk-play-stepper .widget-readout"), left.evaluate(token)
    games = {path.stem for path in (voila.home / "games").glob("*.toml")}
    other = context.new_page()
    second = Driver(other, address)
    second.tells(UI("open.copy"))
    assert other.evaluate(token) not in games
    other.close()
    left.evaluate(f"localStorage.setItem('navalkit:uss-lox:token', '{kept}')")
    games = {path.stem for path in (voila.home / "games").glob("*.toml")}
    left.close()
    open_page(page, voila.page("lobby.ipynb"))
    carry = page.locator(".nk-lobby-carry a")
    third = Driver(page, carry.get_attribute("href"))
    third.tells(UI("open.resumed"))
    expect(page.locator(".nk-play-stepper .widget-readout")).to_have_text(step)
    assert page.evaluate(token) == kept == page.evaluate(token.replace("local", "session"))
    assert {path.stem for path in (voila.home / "games").glob("*.toml")} == games
    page.reload()
    page.wait_for_selector("#nk-loading", state="detached")
    third.tells(UI("open.resumed"))


def test_a_first_game_is_led_on_by_a_reload_and_by_carry_on_and_begun_anew_by_its_link(page, voila):
    game, readout = Driver(page, voila.page("play_wolf_pack.ipynb?first=1")), ".nk-play-stepper .widget-readout"
    begun = page.inner_text(".nk-status .nk-now")
    game.type(tutorial("wolf-pack").steps[0].order)
    step, now = page.inner_text(readout), page.inner_text(".nk-status .nk-now")
    assert now != begun
    page.reload()
    page.wait_for_selector("#nk-loading", state="detached")
    expect(page.locator(".nk-status .nk-now").first).to_have_text(now)
    open_page(page, voila.page("lobby.ipynb"))
    game.open(page.locator(".nk-lobby-carry a").get_attribute("href"))
    expect(page.locator(readout)).to_have_text(step)
    expect(page.locator(".nk-status .nk-now").first).to_have_text(now)
    open_page(page, voila.page("lobby.ipynb"))
    game.open(page.locator("[data-game=wolf-pack] .nk-lobby-ways a[href*='first=1']").evaluate("link => link.href"))
    expect(page.locator(".nk-status .nk-now").first).to_have_text(begun)


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
