"""A game's page is one screen, and nothing on it moves while a game is played."""

from __future__ import annotations
import random

import pytest

from .conftest import axe, set_theme, sideways
from .driver import Driver

STANDING = (".nk-board", ".nk-play-top", ".nk-play-orders", ".nk-play-controls")
BOXES = """names => names.map((name) => {
  const { x, y, width, height } = document.querySelector(name).getBoundingClientRect();
  return [name, x, y, width, height].join(' '); })"""

ICONS = """() => [...document.querySelectorAll('.nk-play-controls > button')]
  .filter((each) => each.offsetWidth).map((each) => {
  const { webkitMaskImage, width } = getComputedStyle(each, '::before'), text = each.textContent.trim();
  const drawn = webkitMaskImage.startsWith('url("data:image/svg'), fits = each.scrollWidth <= each.clientWidth + 1;
  return [text, drawn, parseFloat(width), fits]; })"""


WIDE, PHONE, GAMES = (1280, 800), (390, 844), ("fleet_action", "on_patrol", "uss_lox", "wolf_pack")
QUICK = ("fleet_action", PHONE)
"""Looked at by `make test`; the others by `make test-all` (Task Force has its squares, and is played in test_phone)."""
PLAYED = [
    pytest.param(name, size, marks=[] if (name, size) == QUICK else pytest.mark.slow, id=f"{name}-{size[0]}")
    for name in GAMES
    for size in (WIDE, PHONE)
]


@pytest.mark.parametrize("name, context", PLAYED, indirect=["context"])
def test_nothing_moves_while_a_game_is_played_and_all_of_it_is_in_sight(page, voila, name):
    game = Driver(page, voila.page(f"play_{name}.ipynb") + "?seed=7")
    dice = random.Random(3)
    page.wait_for_function("window.nkStage?.places?.().length")
    for text, drawn, width, fits in page.evaluate(ICONS):
        assert text and drawn and width == 16 and fits, text
    before = page.evaluate(BOXES, list(STANDING))
    for _ in range(6):
        if game.over:
            break
        game.act(dice)
        assert game.over or page.evaluate(BOXES, list(STANDING)) == before  # at the end its banner has more room
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight") and sideways(page) <= 0
    for theme in ("light", "dark", "contrast"):
        set_theme(page, theme)
        assert axe(page) == [], theme


COVERED = """() => [...document.querySelectorAll('.nk-play-stepper *, .nk-play-controls > button')].filter((each) => {
  if (!each.offsetWidth || each.closest('.nk-play-marks')) return false;
  const { left, right, top, bottom, width } = each.getBoundingClientRect(), other = each.closest('.nk-play-stepper')
    ? document.querySelector('.nk-play-controls') : document.querySelector('.nk-play-stepper');
  const { left: l, right: r, top: t, bottom: b } = other.getBoundingClientRect();
  return width && Math.min(right, r) - Math.max(left, l) > 1 && Math.min(bottom, b) - Math.max(top, t) > 1;
}).map((each) => each.className)"""
"""What of the bar under the board and of the bar of orders lies over the other."""


@pytest.mark.slow
@pytest.mark.parametrize("context", [(844, 390), (740, 360), (1280, 480)], indirect=True, ids=["844", "740", "low"])
@pytest.mark.parametrize("name", GAMES)
def test_a_phone_lying_down_has_board_and_orders_on_one_screen(page, voila, name):
    game = Driver(page, voila.page(f"play_{name}.ipynb") + "?seed=7")
    page.wait_for_function("window.nkStage?.places?.().length")
    game.act(random.Random(3))
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight") and sideways(page) <= 0
    assert page.evaluate(COVERED) == []
    for part in (".nk-board canvas >> nth=0", ".nk-key-undo", ".nk-key-hint"):
        box, size = page.locator(part).bounding_box(), page.viewport_size
        assert box["x"] >= 0 and box["x"] + box["width"] <= size["width"] + 1, part
        assert box["y"] >= 0 and box["y"] + box["height"] <= size["height"] + 1, part
