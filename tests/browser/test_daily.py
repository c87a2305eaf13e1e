"""The game of the day, from the lobby to a friend: done and best are marked, a line is shared, results are compared."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from ..sentences import LOBBY, UI, like
from .conftest import open_page, shot, sideways
from .driver import Driver

NOTEBOOK = "play_uss_lox.ipynb"


def tons(n: int) -> str:
    return UI("day.score", score=n, unit="tons")


def ended(game: Driver) -> None:
    """She comes home at once, with nothing sunk: as short as a game of the day can be."""
    game.type("return")
    game.page.wait_for_selector(".nk-play.nk-play-over")


@pytest.mark.parametrize("context", [(390, 844), pytest.param((1280, 800), marks=pytest.mark.slow)], indirect=True,
                         ids=["390", "1280"])
def test_a_game_of_the_day_is_done_shared_and_compared(page, context, browser, voila):
    width = page.viewport_size["width"]
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    card = page.locator("[data-game=uss-lox]")
    open_page(page, voila.page("lobby.ipynb"))
    assert card.get_attribute("data-done") == "0"
    game = Driver(page, voila.page(NOTEBOOK) + "?day=today")
    expect(page.locator(".nk-status")).to_contain_text(like(UI, "day.new"))
    ended(game)
    with game.answer():
        page.click(".nk-key-share")
    shared = page.evaluate("navigator.clipboard.readText()")
    line, link = shared.split("\n")[0], shared.split()[-1]
    assert like(UI, "day.line", game="USS Lox").search(line) and "?day=" in link and "beat=0" in link, shared
    shot(page, f"daily-{width}", full_page=False)

    open_page(page, voila.page("lobby.ipynb"))
    expect(card).to_have_attribute("data-done", "1")
    expect(card.locator(".nk-lobby-day b")).to_have_text(LOBBY("script.won"))
    expect(card.locator(".nk-lobby-day span")).to_contain_text("0")
    expect(card.locator(".nk-lobby-day small")).to_contain_text(like(LOBBY, "script.best"))
    expect(page.locator(".nk-lobby-today h2")).to_contain_text(like(LOBBY, "script.done", n=1))
    assert sideways(page) <= 0
    shot(page, f"daily-lobby-{width}")

    friend = browser.new_context(viewport=page.viewport_size, reduced_motion="reduce")
    there = Driver(friend.new_page(), link)
    assert there.page.locator(".nk-play.nk-play-over").count() == 0, "the friend plays the same day, not this game"
    ended(there)
    expect(there.page.locator(".nk-play-report")).to_contain_text(like(UI, "day.beat.same"))
    shot(there.page, f"daily-friend-{width}", full_page=False)
    there.open(link.replace("beat=0", "beat=4000"))  # somebody who sank a ship
    if there.page.locator(".nk-play.nk-play-over").count() == 0:
        ended(there)
    expect(there.page.locator(".nk-play-report")).to_contain_text(like(UI, "day.beat.less"))
    friend.close()
