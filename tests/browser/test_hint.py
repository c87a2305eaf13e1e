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
SPARED = """(() => { window.framed = []; const to = CanvasRenderingContext2D.prototype, own = {};
  for (const name of ["rect", "clip", "save", "restore", "stroke"]) own[name] = to[name];
  const now = (each) => each.around ??= [[]];
  to.rect = function (...box) { this.box = box; return own.rect.apply(this, box); };
  to.clip = function (...how) { now(this).at(-1).push(this.box); return own.clip.apply(this, how); };
  to.save = function () { now(this).push([...now(this).at(-1)]); return own.save.call(this); };
  to.restore = function () { if (now(this).length > 1) now(this).pop(); return own.restore.call(this); };
  to.stroke = function (...path) {
    const frames = this.canvas.matches(".nk-stage[data-layer=fx]") && !this.getLineDash().length;
    if (frames) framed.push([...now(this).at(-1)]);
    return own.stroke.apply(this, path);
  }; })()"""
"""Keeps, of each frame that is drawn, the boxes that it is not drawn across."""
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


@pytest.mark.slow
@pytest.mark.parametrize("context", [(390, 844)], indirect=True)
def test_a_frame_is_not_drawn_across_the_figure_that_the_step_points_to(page, voila):
    page.add_init_script(SPARED)
    game = Driver(page, voila.page("play_fleet_action.ipynb?first=carriers"))
    for _ in range(4):
        game.click(page.locator(".nk-key-do-it"))
    expect(page.locator(".nk-status")).to_contain_text("Emden")
    page.wait_for_function("() => framed.at(-1)?.length")
    wide = max(box[2] for box in page.evaluate("() => framed.at(-1)"))
    assert wide > 40, "as wide as her name, or as what her guns leave of an attack"
