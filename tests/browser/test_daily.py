"""The game of the day, from the lobby to a friend: done and best are marked, a line is shared, results are compared."""

from __future__ import annotations
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from navalkit.core.match import Match
from navalkit.core.seeds import daily_seed
from ..sentences import LOBBY, UI, like
from .conftest import open_page, shot, sideways
from .driver import Driver

NOTEBOOK = "play_uss_lox.ipynb"


def shortest() -> tuple[dict[int, str], int]:
    """The orders of a patrol of today that lets every ship go and comes home as soon as it may, each by the move that
    follows it (what falls by chance is a move too); what it brings.
    """
    match, orders = Match.new("uss-lox", daily_seed("uss-lox", datetime.now(UTC).date())), dict[int, str]()
    while not match.over:
        legal = [str(action) for action in match.legal()]
        order = next((order for order in ("return", "decline") if order in legal), legal[0])
        match.play(order)
        orders[match.ply] = order
    return orders, round(match.outcome.scores[0])


def ended(game: Driver, orders: dict[int, str]) -> None:
    for ply, order in orders.items():
        game.type(order)
        expect(game.page.locator(".nk-play-stepper .widget-readout")).to_have_text(str(ply))
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
    orders, points = shortest()
    ended(game, orders)
    with game.answer():
        page.click(".nk-key-share")
    shared = page.evaluate("navigator.clipboard.readText()")
    line, link = shared.split("\n")[0], shared.split()[-1]
    assert like(UI, "day.line", game="USS Lox").search(line) and "?day=" in link and f"beat={points}" in link, shared
    shot(page, f"daily-{width}", full_page=False)

    open_page(page, voila.page("lobby.ipynb"))
    expect(card).to_have_attribute("data-done", "1")
    expect(card.locator(".nk-lobby-day b")).to_have_text(LOBBY("script.won"))
    expect(card.locator(".nk-lobby-day span")).to_contain_text(f"{points:,}")
    expect(card.locator(".nk-lobby-day small")).to_contain_text(like(LOBBY, "script.best"))
    expect(page.locator(".nk-lobby-today h2")).to_contain_text(like(LOBBY, "script.done", n=1))
    assert sideways(page) <= 0
    shot(page, f"daily-lobby-{width}")

    friend = browser.new_context(viewport=page.viewport_size, reduced_motion="reduce")
    there = Driver(friend.new_page(), link)
    assert there.page.locator(".nk-play.nk-play-over").count() == 0, "the friend plays the same day, not this game"
    ended(there, orders)
    expect(there.page.locator(".nk-play-report")).to_contain_text(like(UI, "day.beat.same"))
    shot(there.page, f"daily-friend-{width}", full_page=False)
    other = browser.new_context(viewport=page.viewport_size, reduced_motion="reduce")
    better = Driver(other.new_page(), link.replace(f"beat={points}", f"beat={points + 4000}"))  # who sank another ship
    ended(better, orders)
    expect(better.page.locator(".nk-play-report")).to_contain_text(like(UI, "day.beat.less"))
    friend.close()
    other.close()
