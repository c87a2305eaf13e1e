"""'Explore this' in a real Chromium: from every game's page, from its stepper and from its review, to an answer."""

from __future__ import annotations
import re
from typing import Any
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import expect

from navalkit.core.awaited import finish
from navalkit.core.registry import names
from navalkit.explore import opened, question
from navalkit.explore.question import Choice, Marks
from navalkit.view.page import Glance, glance_at
from navalkit.walks import shows
from navalkit.walks.walk import DECISION
from ..blunders import CASES, blundered
from .conftest import open_page, shot
from .driver import Driver

PATIENCE = 180_000
"""Milliseconds until the explorer answers: a second page and its Python begin, on a machine that may be busy."""

GAMES = [pytest.param(each, marks=() if each == "uss-lox" else pytest.mark.slow) for each in names()]


FIELDS = """() => Object.fromEntries([...document.querySelectorAll('.nk-explore-control')].map((each) => {
  const name = [...each.classList].find((word) => word.startsWith('nk-key-control-')).slice('nk-key-control-'.length);
  const menu = each.querySelector('select'), box = each.querySelector('input[type=checkbox]');
  const marks = [...each.querySelectorAll("button[data-level]:not([data-level='0'])")];
  return [name, menu ? menu.selectedOptions[0].textContent.replaceAll('\u00a0', ' ') : box ? box.checked
    : each.querySelector('.widget-readout')?.textContent ??
      marks.map(({ dataset }) => `${dataset.cell} ${dataset.level}`).sort()];
}))"""
"""What each field of the explorer shows; of a board the cells that are marked, and how."""


def wanted(query: str) -> dict[str, Any]:
    """What each field is to show at the settings of a link."""
    words = {key: values[-1] for key, values in parse_qs(query.lstrip("?")).items()}
    asked = question(words.pop("q"))
    settings, shown = asked.settings(words), dict[str, Any]()
    for each in asked.controls:
        value: Any = settings[each.name]
        if isinstance(each, Marks):
            value = sorted(f"{cell} {level}" for cell, level in each.levels(value).items())
        elif isinstance(each, Choice):
            value = each.shown(value)
        shown[each.name.replace("_", "-")] = value if isinstance(value, (bool, list)) else str(value)
    return shown


def explored(page, link, where: str, query: str = "") -> None:
    """What a link leads to: the explorer with an answer to a question of that game, at these very settings. ``query``:
    of the position looked at; left out, the one that the link has now."""
    expect(link).to_be_visible()
    query = query or "?" + link.evaluate("each => each.href").partition("?")[2]
    expect(link).to_have_attribute("href", re.compile(re.escape(query) + "$"))  # of no position that was shown before
    with page.context.expect_page() as tab:
        link.click()
    explorer = tab.value
    explorer.wait_for_selector(".nk-status .nk-explore-big", timeout=PATIENCE)
    expect(explorer.locator(".nk-explore-message .nk-bad")).to_have_count(0)
    assert explorer.evaluate("() => location.search") == query
    assert explorer.evaluate(FIELDS) == wanted(query)
    shot(explorer, f"explored-{where}", full_page=False)
    explorer.close()


@pytest.mark.parametrize("game", GAMES)
def test_a_games_page_opens_a_question_of_its_position(page, voila, game):
    Driver(page, voila.page(f"play_{game.replace('-', '_')}.ipynb"))
    explored(page, page.locator(".nk-play-explore a"), f"play-{game}")


def sight(show, at):
    """A moment as the side that decides sees it."""
    moment = show.row[at]
    return Glance(show.game, show.game.observe(moment.state, moment.seat), moment.seat, live=False)


@pytest.mark.parametrize("game", GAMES)
def test_its_stepper_opens_a_question_of_the_decision_looked_at(page, voila, game):
    show = finish(shows.from_query(game, "")).show
    at, query = next((at, query) for at in show.stops(DECISION) if (query := opened(sight(show, at))))
    open_page(page, f"{voila.page('step.ipynb')}?game={game}&{show.query.lstrip('?')}&step={at}")
    link = page.locator(".nk-step-explore a")
    link.wait_for(state="attached")
    page.click(".nk-key-menu")
    explored(page, link, f"step-{game}", query)


@pytest.mark.slow
@pytest.mark.parametrize("game", CASES)
def test_a_review_opens_a_question_of_the_move_that_it_names(page, voila, game):
    """As soon as a move is named; how sure that is gets better for minutes."""
    match, step, _ = blundered(game)
    address = voila.page(f"play_{game.replace('-', '_')}.ipynb")
    Driver(page, f"{address}?record={match.record().link_text()}&review=1")
    query = opened(glance_at(match, 0, step - 1))
    assert query, "a question arises where the move was made"
    named = page.locator(".nk-play-review .nk-play-turn").filter(has=page.locator(f"a[href$='{query}']"))
    expect(named.first).to_contain_text(str(step), timeout=300_000)
    link = named.first.locator("a")
    explored(page, link, f"review-{game}", query)
