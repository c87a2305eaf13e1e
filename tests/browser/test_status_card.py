"""The status card has one height: whatever is said in it, nothing beside or below it moves."""

from __future__ import annotations
import random

import pytest

from navalkit.core import registry
from ..sentences import UI
from .driver import Driver

SIZES = {1280: (1280, 800), 390: (390, 844)}
SEATS = [
    pytest.param(name, SIZES[width], marks=[] if (name, width) == ("wolf-pack", 390) else pytest.mark.slow,
                 id=f"{name}-{width}")
    for name in registry.names()
    for width in SIZES
]
HEIGHTS = """() => [".nk-play-top", ".nk-status"].map((part) => {
  const { top, height } = document.querySelector(part).getBoundingClientRect(); return `${part} ${top} ${height}`; })"""


@pytest.mark.parametrize("name, context", SEATS, indirect=["context"])
def test_the_status_card_has_one_height_whatever_it_says(page, voila, name):
    """At the start, after orders, an error, a hint, undo, a look back and an end: the card stays where it is."""
    address = voila.page(f"play_{name.replace('-', '_')}.ipynb")
    game, dice, said = Driver(page, f"{address}?seed=7"), random.Random(3), set[str]()

    def stands() -> None:
        assert page.evaluate(HEIGHTS) == before, game.status
        said.add(game.status)

    before = page.evaluate(HEIGHTS)
    stands()
    for _ in range(3):
        game.act(dice)
        stands()
        if game.over:
            return
    game.type("this is no order of any game, and the answer to it is a rather long sentence that takes its two lines")
    stands()
    game.click(page.locator(".nk-key-undo"))
    stands()
    if (yes := page.get_by_role("button", name=UI("undo.yes"), exact=True)).is_visible():
        game.click(yes)
        stands()
    game.click(page.locator(".nk-play-stepper > button").nth(1))
    stands()
    assert len(said) > 4
