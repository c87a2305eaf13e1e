"""Every game on a phone, to its end: nothing scrolls, nothing moves, and what is drawn can be read."""

from __future__ import annotations
import random

import pytest

from navalkit.core import registry
from navalkit.core.match import Match
from navalkit.view.page import Glance, Look, page_of
from .driver import Driver
from .test_one_screen import BOXES, STANDING

SEED, PRESSES = 5, 400
LEAST = 12
SIZES = """
window.nkDrawn = new Map();
const wide = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'width');
Object.defineProperty(HTMLCanvasElement.prototype, 'width',
  { ...wide, set(value) { nkDrawn.delete(this); wide.set.call(this, value); } });
const plain = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, ...where) {
  const m = this.getTransform(), px = parseFloat(/([\\d.]+)px/.exec(this.font)[1]);
  if (!nkDrawn.has(this.canvas)) nkDrawn.set(this.canvas, []);
  nkDrawn.get(this.canvas).push([px * Math.hypot(m.a, m.b) / this.canvas.width, text]);
  return plain.call(this, text, ...where);
};
window.nkSmall = (least) => {
  const shown = document.querySelector('canvas.nk-canvas').clientWidth;
  return [...nkDrawn.values()].flat().filter(([share]) => share * shown < least - 0.05).map(([share, text]) => text);
};"""
"""Writes down every text that a canvas is given, in shares of its width; a canvas that is wiped forgets its own."""
SCROLLS = """() => {
  const page = document.documentElement, canvas = document.querySelector('canvas.nk-canvas');
  const board = canvas.getBoundingClientRect();
  return [page.scrollHeight > innerHeight, page.scrollWidth > innerWidth, board.bottom > innerHeight, board.top < 0];
}"""
CUT = """() => {
  const title = document.querySelector('.nk-frame-title'), buzz = document.querySelector('#nk-haptics');
  buzz.style.setProperty('display', 'grid', 'important'); // as where there is a finger
  const cut = title.scrollWidth > title.clientWidth;
  buzz.style.removeProperty('display');
  return cut;
}"""


def squares(name, canvas, *, tall=True):
    """Where to press on a board that takes the orders itself: every cell that gives one, on that canvas."""
    game, box = registry.load(name), canvas.bounding_box()
    match = Match.new(game, SEED)
    glance = Glance(game, game.observe(match.state, 0), 0, match.legal())
    scene = page_of(name).scene(glance, Look(tall=tall, room=(box["width"], box["height"])))
    centres = [cell.centre for cell in scene.cells if cell.action is not None]
    return [(box["x"] + x, box["y"] + y) for x, y in centres]


@pytest.mark.slow
@pytest.mark.parametrize("context", [(390, 844), (360, 740)], indirect=True, ids=["390", "360"])
@pytest.mark.parametrize("name", registry.names())
def test_a_whole_game_is_played_on_a_phone_without_scrolling(page, voila, name):
    page.add_init_script(SIZES)
    game = Driver(page, voila.page(f"play_{name.replace('-', '_')}.ipynb") + f"?seed={SEED}")
    page.wait_for_timeout(1000)  # the board has come to its size
    assert page.evaluate(CUT) is False
    dice, places, before = random.Random(1), squares(name, game.canvas), page.evaluate(BOXES, list(STANDING))
    for _ in range(PRESSES):
        assert page.evaluate(BOXES, list(STANDING)) == before
        assert page.evaluate(SCROLLS) == [False] * 4 and page.evaluate("least => nkSmall(least)", LEAST) == []
        if game.over:
            break
        with game.answer():
            if game.buttons.count():
                game.buttons.nth(dice.randrange(game.buttons.count())).click()
            else:
                page.mouse.click(*places.pop(dice.randrange(len(places))))
    assert game.over
