"""A hint on the board of every game: its cell framed, a word beside it, and a button that does it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from ..sentences import UI
from .driver import Driver

SAID = """(() => { window.said = []; const fill = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
    if (this.canvas.matches(".nk-stage[data-layer=fx]")) said.push(text);
    return fill.call(this, text, ...at);
  }; })()"""
GAMES = {
    "play_fleet_action": "?seed=3",
    "play_on_patrol": "?seed=3&scenario=small-convoy",
    "play_task_force": "?seed=3&rows=6&columns=6&deep=3&fleet=tiny&submarines=1&missiles=1",
    "play_uss_lox": "?seed=3",
    "play_wolf_pack": "?seed=3",
}


@pytest.mark.slow
@pytest.mark.parametrize("context", [(1280, 800), (390, 844)], indirect=True)
def test_a_hint_is_framed_on_the_board_with_its_word_and_done_by_a_button(page, voila):
    page.add_init_script(SAID)
    for name, query in GAMES.items():
        game = Driver(page, voila.page(f"{name}.ipynb") + query)
        do_it = page.locator(".nk-key-do-it")
        expect(do_it).to_be_hidden()
        page.evaluate("() => { said.length = 0; }")
        game.click(page.locator(".nk-key-hint"))
        expect(do_it, name).to_be_visible()
        page.wait_for_function("(word) => said.includes(word)", arg=UI("light.hint"))
        game.click(do_it)
        expect(do_it).to_be_hidden()
