"""The review in a browser, of all five games: a blunder was put into each, and the page names it in the end."""

from __future__ import annotations
import re
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from navalkit.core import registry
from navalkit.testing import heard
from ..blunders import CASES, blundered
from ..sentences import UI, like
from .conftest import axe, shot, sideways
from .driver import Driver
from .test_one_screen import BOXES, STANDING

LIT = """(() => { window.said = []; const fill = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
    if (this.canvas.matches(".nk-stage[data-layer=fx]")) said.push(text);
    return fill.call(this, text, ...at);
  }; })()"""
TRACKS = {"fleet-action", "on-patrol", "task-force"}
SLOW = {"on-patrol"}
"""Games whose last picture takes minutes on a busy machine."""
NONE = {"on-patrol"}
"""Games whose blunder leaves the goal missed; the others are lost."""
ENDED = re.compile("|".join(like(UI, f"end.{each}").pattern for each in ("win", "loss", "draw", "none")))
"""A headline of an end."""
STEPS = [f"review.{each}" for each in ("worst", "perhaps", "luck", "own", "other")]
"""What names the step that decided most."""


ROOM = """() => [".nk-play-orders", ".nk-key-moment", ".nk-key-review", ".nk-key-share"].map((part) => {
  const { left, top, right, bottom } = document.querySelector(part).getBoundingClientRect();
  return [left, top, right, bottom]; })"""

RIGHT = """() => Math.max(...[...document.querySelectorAll('.nk-play-review *')].map(
  (each) => each.getBoundingClientRect().right))"""


@pytest.mark.parametrize("context", [(390, 844)], indirect=True)
def test_the_end_of_a_game_offers_its_review_in_sight(page, voila):
    match, _, _ = blundered("uss-lox")
    game = Driver(page, f"{voila.page('play_uss_lox.ipynb')}?record={match.record().link_text()}&review=1")
    expect(page.locator(".nk-play-review")).to_contain_text(like(UI, "review.worst"))
    row, *buttons = page.evaluate(ROOM)
    for left, top, right, bottom in buttons:
        assert row[0] <= left and row[1] <= top and right <= row[2] and bottom <= row[3], "it is seen without scrolling"
    page.locator(".nk-key-moment, .nk-key-review-look").first.click()
    expect(page.locator(".nk-play")).not_to_have_class(re.compile("nk-play-sheet"))
    game.click(page.get_by_role("button", name=UI("review.back")))
    expect(page.locator(".nk-play")).to_have_class(re.compile("nk-play-sheet"))


LONG = ("on-patrol", "wolf-pack")
ENDS = [
    pytest.param(name, size, marks=[] if (name, size[0]) == ("uss-lox", 390) else pytest.mark.slow)
    for name in CASES
    for size in ((390, 844), (1280, 800))[: 1 if name in LONG else 2]
]


@pytest.mark.parametrize("name, context", ENDS, indirect=["context"])
def test_the_last_move_brings_the_curve_and_what_decided_the_game_and_moves_nothing(page, voila, name):
    match, step, _ = blundered(name)
    last = max(number for number, ply in enumerate(match.plies) if ply.by == 0)
    before = match.branch(last).record()
    if match.game.deciders > 1:
        before = replace(before, players=("you", CASES[name][1]))
    address = voila.page(f"play_{name.replace('-', '_')}.ipynb")
    game = Driver(page, f"{address}?record={before.link_text()}")
    boxes = page.evaluate(BOXES, list(STANDING))
    game.type(str(match.plies[last].action))
    while not page.locator(".nk-play.nk-play-over").count():
        game.click(game.buttons.first)
    expect(page.locator(".nk-status")).to_contain_text(ENDED)
    expect(page.locator(".nk-play-review polyline").first).to_be_visible()
    ended = page.evaluate(BOXES, list(STANDING))  # a phone's board has given room to what comes next
    assert boxes[-1] == ended[-1] and sideways(page) <= 0
    expect(page.locator(".nk-key-moment")).to_be_enabled(timeout=300_000)
    assert page.evaluate(BOXES, list(STANDING)) == ended
    shot(page, f"end-{name}-{page.viewport_size['width']}", full_page=False)
    game.click(page.locator(".nk-key-moment"))
    named = {facts["n"] for facts in heard(game.status, UI, *STEPS).values()}
    assert str(step) in named or name not in ("fleet-action", "uss-lox"), "elsewhere dice may weigh more"
    expect(page.locator(".nk-play-orders .nk-key-review-again")).to_be_visible()
    shot(page, f"end-{name}-{page.viewport_size['width']}-moment", full_page=False)


def found(page, review, name, step):
    """Wait until the blunder is named the costliest move. On Patrol's games take minutes to be compared as surely as it
    gets: there whoever knows enough presses Stop, once the move stands there and further points have been looked at."""
    if name in SLOW:
        expect(review).to_contain_text(like(UI, "review.mistake", n=step), timeout=300_000)
        expect(review).to_contain_text(like(UI, "review.note", points=16), timeout=600_000)
        page.click(".nk-play-review .nk-key-stop")
    expect(review).to_contain_text(like(UI, "review.worst", n=step), timeout=300_000)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("context", [(390, 844)], indirect=True)
def test_the_review_on_a_phone_is_read_and_looked_at(page, voila, name):
    page.add_init_script(LIT)
    match, step, _ = blundered(name)
    address = voila.page(f"play_{name.replace('-', '_')}.ipynb")
    game = Driver(page, f"{address}?record={match.record().link_text()}")
    page.click(".nk-key-review")
    review = page.locator(".nk-play-review")
    found(page, review, name, step)
    expect(review).not_to_contain_text(UI("review.more"))
    expect(page.locator(".nk-play.nk-play-sheet .nk-play-mark").first).to_be_visible()
    assert page.evaluate(RIGHT) <= 390 and sideways(page) <= 0 and axe(page) == []
    shot(page, f"review-phone-{name}", full_page=False)
    game.click(review.locator(".nk-key-review-look").first)
    page.wait_for_function("(word) => said.includes(word)", arg=UI("light.better"))
    expect(page.locator(".nk-play-drawer")).to_be_hidden()
    shot(page, f"review-phone-{name}-look", full_page=False)
    game.click(page.locator(".nk-play-orders .nk-key-review-again"))
    game.tells(UI("review.from", n=step))


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("context", [(1280, 800)], indirect=True)
def test_the_blunder_is_named_looked_at_and_played_again(page, voila, name):
    page.add_init_script(LIT)
    match, step, _ = blundered(name)
    lost = like(UI, "end.none" if name in NONE else "end.loss")
    address = voila.page(f"play_{name.replace('-', '_')}.ipynb")
    game = Driver(page, f"{address}?record={match.record().link_text()}")
    page.click(".nk-key-review")
    review = page.locator(".nk-play-review")
    expect(review.locator("h3").first).to_contain_text(lost)
    found(page, review, name, step)
    expect(review).not_to_contain_text(UI("review.more"))
    expect(review.locator("polyline").first).to_be_attached()
    expect(review.locator(".nk-play-tracks[src^=data]")).to_have_count(int(name in TRACKS))
    shot(page, f"review-{name}", full_page=False)
    assert axe(page) == [] and sideways(page) <= 0
    with page.expect_download() as picture:
        review.get_by_role("button", name=UI("review.svg")).click()
    assert lost.search(picture.value.path().read_text(encoding="utf-8"))
    review.get_by_role("button", name=UI("review.captains")).click()
    expect(review.locator("table tr")).to_have_count(2 + len(registry.package(name).offered("CAPTAINS", ())))
    page.evaluate("() => { said.length = 0; }")
    game.click(page.locator(".nk-play-mark", has_text="1"))
    page.wait_for_function("(word) => said.includes(word)", arg=UI("light.better"))
    shot(page, f"review-{name}-mark", full_page=False)
    game.click(page.locator(".nk-play-stepper > button").nth(4))
    game.click(review.get_by_role("button", name=UI("lesson.try")))
    expect(page.locator(".nk-play-stepper .widget-readout")).to_have_text(str(step - 1))
    game.tells(UI("review.from", n=step))
    expect(page.locator(".nk-key-review")).to_be_hidden()
