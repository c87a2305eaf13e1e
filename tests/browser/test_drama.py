"""Films on the pages of all games: nothing beside the board, nor what stands still on it, runs ahead of them."""

from __future__ import annotations

import pytest

from ..sentences import UI
from .driver import Driver

# What is written on a canvas is remembered until it is wiped; what is drawn of another canvas counts as written here.
WATCH = """() => {
  const seen = new WeakMap(), of = (c) => seen.get(c) ?? seen.set(c, new Set()).get(c);
  const proto = CanvasRenderingContext2D.prototype, { fillText, drawImage, clearRect } = proto;
  proto.fillText = function (text, ...v) { of(this.canvas).add(text); return fillText.call(this, text, ...v); };
  proto.drawImage = function (image, ...v) {
    for (const t of of(image)) of(this.canvas).add(t);
    return drawImage.call(this, image, ...v);
  };
  proto.clearRect = function (x, y, w, h) {
    if (w >= this.canvas.width) of(this.canvas).clear();
    return clearRect.call(this, x, y, w, h);
  };
  const wide = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'width');
  const set = function (v) { of(this).clear(); wide.set.call(this, v); };
  Object.defineProperty(HTMLCanvasElement.prototype, 'width', { ...wide, set });
  const lines = (where) => [...document.querySelectorAll(where)]
    .filter((e) => e.checkVisibility({ opacityProperty: true }))
    .flatMap((e) => e.innerText.split('\\n')).map((t) => t.trim()).filter(Boolean);
  const column = () => lines('.nk-play > .nk-right, .nk-play .nk-play-aims');
  window.nkColumn = column;
  window.nkSamples = [];
  setInterval(() => {
    if (!document.querySelector('.nk-playing') || !document.querySelector('[data-nk-held]')) return;
    const written = (n) => [...of(document.querySelector(`.nk-stage[data-layer=${n}]`))];
    const still = [...written('back'), ...written('front')], moving = written('fx');
    window.nkSamples.push({ column: column(), still, moving, head: lines('.nk-status p:first-child')[0] ?? '' });
  }, 50);
}"""
OVER = "() => !document.querySelector('.nk-playing') && !document.querySelector('[data-nk-held]')"
GAMES = {
    "uss_lox": ("?seed=3", ["flip B2", "attack 3", "escape"]),
    "task_force": ("?seed=3", ["E5", "E6", "F5", "B2", "H8"]),
    "wolf_pack": ("?seed=3", []),
    "fleet_action": ("?seed=5", ["Ajax: H2 NE", "Exeter: G6 E", "done", "Exeter: guns Graf Spee", "done"]),
    "on_patrol": ("?seed=3", ["S1 ahead 1", "S1 fire 2 at 5", "S1 ahead 2"]),
    "fleet_action a boat": ("?first=boats", [
        "U 552: F5 E periscope", "U 552: G6 SE", *(f"U 552: torpedoes {n} Patrick Henry" for n in (1, 2, 3))]),
    "fleet_action a raid": ("?first=carriers", ["Ark Royal: D5 E", "Squadron 818: launch", "Squadron 810: launch",
                                                "done", "Squadron 818: attack Emden", "Squadron 810: attack Emden"]),
}


@pytest.mark.parametrize("name", GAMES)
def test_no_frame_of_a_film_tells_what_has_not_been_shown(page, voila, name):
    query, orders = GAMES[name]
    page.emulate_media(reduced_motion="no-preference")
    page.add_init_script(f"addEventListener('DOMContentLoaded', {WATCH})")
    game = Driver(page, voila.page(f"play_{name.partition(' ')[0]}.ipynb{query}"))
    sampled = 0
    for order in orders or [None] * 4:
        page.wait_for_function(OVER)
        before = page.evaluate("nkColumn()")
        page.evaluate("nkSamples.length = 0")
        if order is None:
            game.click(game.buttons.first)
        else:
            game.type(order)
        page.wait_for_function(OVER)
        after = page.evaluate("nkColumn()")
        news = {line for line in after if line not in before}
        headline = page.inner_text(".nk-status p:first-child").strip()
        for sample in page.evaluate("nkSamples"):
            sampled += 1
            beat = sample["head"]
            told = news.intersection(sample["column"]) - {beat}
            assert not told, (order, told)
            assert beat != headline or headline in before, (order, beat)
            assert headline not in sample["moving"] and headline not in sample["still"]
    assert sampled >= 3


def begun(page, voila):
    """A patrol from its start, whatever the tab has kept."""
    if page.url.startswith("http"):
        page.evaluate("() => { sessionStorage.clear(); localStorage.clear(); }")
    return Driver(page, voila.page("play_uss_lox.ipynb?seed=3"))


def test_any_press_ends_a_film_and_does_not_act(page, voila):
    page.emulate_media(reduced_motion="no-preference")
    steps = ".nk-play-stepper .widget-readout"
    for press in ("mouse", "key", "order"):
        game = begun(page, voila)
        game.type("flip B2")
        page.wait_for_function(OVER)
        page.select_option(".nk-speed select:visible", label=UI("speed.slow"))  # so that a busy machine is in time
        with game.answer():
            game.page.locator(".nk-play-order-button[data-group=fire]:visible").last.click()
        playing = page.evaluate(f"!({OVER})()")
        assert playing, "an order plays a film"
        at = page.locator(steps).first.inner_text()
        count, spot = game.count, game.buttons.last.bounding_box()
        if press == "key":
            page.keyboard.press("Enter")
        else:
            x, y = (spot["x"] + 9, spot["y"] + 9) if press == "order" else (400, 500)
            page.mouse.click(x, y)
        assert page.evaluate(OVER), "it shows the verdict at once"
        page.wait_for_timeout(300)
        assert game.count == count and page.locator(steps).first.inner_text() == at, "and nothing else has happened"
        assert page.inner_text(".nk-told").strip(), "it is read aloud"


def test_reduced_motion_shows_the_verdict_at_once_and_the_same(page, voila):
    said = {}
    for motion in ("reduce", "no-preference"):
        page.emulate_media(reduced_motion=motion)
        game = begun(page, voila)
        for order in ("flip B2", "attack 3"):
            game.type(order)
            page.wait_for_function(OVER)
        assert (page.evaluate("nkStage.plays") > 0) is (motion != "reduce")
        said[motion] = game.status, page.locator(".nk-play-aims").first.inner_text()
    assert said["reduce"] == said["no-preference"]
