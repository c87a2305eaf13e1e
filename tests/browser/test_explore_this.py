"""'Explore this' in a real Chromium: from every game's page, from its stepper and from its review, to an answer."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from navalkit.core.registry import names
from ..blunders import CASES, blundered
from ..sentences import UI, like
from .conftest import open_page, shot
from .driver import Driver

GAMES = [pytest.param(each, marks=() if each == "uss-lox" else pytest.mark.slow) for each in names()]


def explored(page, link, where: str) -> None:
    """What a link leads to: the explorer with an answer to a question of that game, at these very settings."""
    expect(link).to_be_visible()
    with page.context.expect_page() as opened:
        link.click()
    explorer = opened.value
    explorer.wait_for_selector(".nk-status .nk-explore-big")
    expect(explorer.locator(".nk-explore-message .nk-bad")).to_have_count(0)
    asked = link.evaluate("each => each.href").partition("?")[2]
    assert explorer.evaluate("() => location.search").lstrip("?") == asked
    shot(explorer, f"explored-{where}", full_page=False)
    explorer.close()


@pytest.mark.parametrize("game", GAMES)
def test_a_games_page_opens_a_question_of_its_position(page, voila, game):
    Driver(page, voila.page(f"play_{game.replace('-', '_')}.ipynb"))
    explored(page, page.locator(".nk-play-explore a"), f"play-{game}")


@pytest.mark.parametrize("game", GAMES)
def test_its_stepper_opens_a_question_of_the_decision_looked_at(page, voila, game):
    open_page(page, f"{voila.page('step.ipynb')}?game={game}")
    link = page.locator(".nk-step-explore a")
    for _ in range(4):  # nobody decides at some first moments
        page.click(".nk-key-step-on, .nk-key-bar-on")
        if link.count():
            break
    explored(page, link, f"step-{game}")


@pytest.mark.slow
@pytest.mark.parametrize("game", CASES)
def test_a_review_opens_a_question_of_the_move_that_it_names(page, voila, game):
    match, _, _ = blundered(game)
    address = voila.page(f"play_{game.replace('-', '_')}.ipynb")
    Driver(page, f"{address}?record={match.record().link_text()}&review=1")
    review = page.locator(".nk-play-review")
    expect(review).to_contain_text(like(UI, "review.worst"), timeout=300_000)
    explored(page, review.locator(".nk-play-turn a").first, f"review-{game}")
