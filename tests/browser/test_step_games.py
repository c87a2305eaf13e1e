"""The stepper of every game in a real Chromium: ready to step as it opens, and a tour on screens large and small."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from navalkit.core.registry import names
from navalkit.walks import shows
from .conftest import open_page, shot, sideways

GAMES = names()
SIZES = [(360, 640), (844, 390), (1920, 1080)]
OPENED = "() => getComputedStyle(document.querySelector('.nk-waiting')).visibility === 'hidden'"
OUTSIDE = """() => [...document.querySelectorAll('.nk-step :is(button, select)')].filter((each) => {
  const { left, right, width } = each.getBoundingClientRect();
  return width && (left < -1 || right > innerWidth + 1);
}).map((each) => each.outerHTML.slice(0, 120))"""
"""Buttons that stand out of the window sideways."""
STRETCHED = """() => { const canvas = document.querySelector('.nk-canvas');
  const { width, height } = canvas.getBoundingClientRect();
  return canvas.width / canvas.height / (width / height); }"""
"""By what factor the board is drawn too wide or too narrow."""


def opened(page, voila, query):
    open_page(page, voila.page("step.ipynb") + query)
    page.wait_for_function(OPENED)


@pytest.mark.parametrize("game", [GAMES[0], *(pytest.param(each, marks=pytest.mark.slow) for each in GAMES[1:])])
def test_a_game_opens_ready_to_step_and_offers_its_tours(page, voila, game):
    opened(page, voila, f"?game={game}")
    offered = [text.replace("\xa0", " ") for text in page.locator(".nk-step-chooser option").all_text_contents()]
    assert all(any(shows.find(game, each).title in text for text in offered) for each in shows.tour_names(game))
    assert page.locator(".nk-key-bar-on").bounding_box()["y"] < 400
    before = page.inner_text(".nk-status")
    page.click(".nk-key-bar-on")
    expect(page.locator(".nk-status")).not_to_have_text(before)
    expect(page.locator(".nk-step-told > li").last).to_be_visible()
    page.click(".nk-key-mode-what-if")
    expect(page.locator(".nk-step-what-if")).to_be_visible()
    shot(page, f"step-{game}-what-if")
    assert sideways(page) <= 0 and page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("context", [(390, 844), (844, 390)], indirect=True)
def test_on_a_phone_the_reason_and_the_board_are_seen_together(page, voila):
    opened(page, voila, "?game=wolf-pack&tour=what-do-they-hold&stop=1")
    page.click(".nk-key-bar-on")
    expect(page.locator(".nk-status .nk-bad")).to_be_in_viewport(ratio=1)  # nobody has answered
    choice = page.locator(".nk-step-choice").first
    choice.scroll_into_view_if_needed()
    choice.click()
    for _ in range(3):
        page.click(".nk-key-bar-on")
    expect(page.locator(".nk-step-told > .nk-step-lit")).to_be_in_viewport()
    expect(page.locator(".nk-board canvas").first).to_be_in_viewport(ratio=0.7)
    expect(page.locator(".nk-key-bar-on")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(
    ("game", "context"),
    [  # by `make test` each game on one screen, and each screen with a game
        pytest.param(game, size, id=f"{game}-{size[0]}", marks=[] if (n - m) % len(SIZES) == 0 else pytest.mark.slow)
        for n, game in enumerate(GAMES) for m, size in enumerate(SIZES)
    ],
    indirect=["context"],
)  # fmt: skip
def test_a_class_takes_a_stop_of_a_tour(page, voila, game):
    which = next(
        (each, n) for each in shows.tour_names(game)
        for n, stop in enumerate(shows.find(game, each).stops) if stop.predict
    )  # fmt: skip
    tour, stop = shows.find(game, which[0]), which[1]
    opened(page, voila, f"?game={game}&tour={tour.id}&stop={stop}")
    expect(page.locator(".nk-step-tour")).to_contain_text(tour.stops[stop].title)
    expect(page.locator(".nk-step-tour")).not_to_contain_text(tour.stops[stop].note[:40])  # it may tell the answer
    assert sideways(page) <= 0 and page.evaluate(OUTSIDE) == []
    page.click(".nk-key-large")
    page.wait_for_selector(".nk-step-projector")
    expect(page.locator(".nk-step-tour")).not_to_contain_text(tour.stops[stop].note[:40])
    if page.locator(".nk-step-choice").count():
        page.locator(".nk-step-choice").first.click()
        page.locator(".nk-key-predict-confirm").click()
        expect(page.locator(".nk-step-choice")).to_have_count(0)
        page.click(".nk-key-bar-on")
        expect(page.locator(".nk-step-told > li.nk-step-current")).to_be_visible()
    shot(page, f"step-{game}-{page.viewport_size['width']}", full_page=False)
    assert sideways(page) <= 0 and page.evaluate(OUTSIDE) == []
    assert page.evaluate(STRETCHED) == pytest.approx(1, abs=0.03)
