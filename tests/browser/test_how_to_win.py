"""How a game is won is read on one screen, with its picture, before the rule book."""

from __future__ import annotations

import pytest

from navalkit.core.registry import names, package
from .conftest import shot
from .driver import Driver

GAMES = [name for name in names() if package(name).module.startswith("navalkit.games.")]
SEEN = """() => {
  const win = document.querySelector(".nk-play-win");
  const pane = win.closest(".widget-tab-contents").getBoundingClientRect();
  const parts = [...win.querySelectorAll(":scope > :is(svg, ol, p)")].map((part) => part.getBoundingClientRect());
  return [parts.length, Math.min(...parts.map((part) => part.height)),
    pane.bottom - Math.max(...parts.map((part) => part.bottom)), innerHeight - pane.bottom]; }"""


@pytest.mark.slow
@pytest.mark.parametrize("context", [(1280, 800), (390, 844)], indirect=True, ids=["wide", "phone"])
def test_how_to_win_lies_on_one_screen_with_its_picture(page, voila):
    for name in GAMES:
        game = Driver(page, voila.page(f"play_{name.replace('-', '_')}.ipynb"))
        game.drawer(tab="rules")
        page.wait_for_selector(".nk-play-reading .nk-play-win > svg", state="visible")
        page.wait_for_function(f"() => ({SEEN})()[2] >= 0")  # a drawer that opens has come to its height
        parts, least, spare, below = page.evaluate(SEEN)
        assert parts == 3 and least > 15 and spare >= 0 and below >= 0, (name, parts, least, spare, below)
        shot(page, f"how-to-win-{name}-{page.viewport_size['width']}", full_page=False)
