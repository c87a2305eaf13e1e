"""From the first board to the end without a server: each game, a hunt in the stepper, five sliders, at two widths."""

from __future__ import annotations
import random

import pytest

from navalkit.core.registry import names
from navalkit.testing import said
from ..browser.conftest import shot
from ..browser.driver import Driver
from ..sentences import UI_STEP
from .conftest import failed, open_page, python, watched

pytestmark = pytest.mark.slow
MOST = 400
"""Orders after which a game has to be over."""
SIZES = [(1280, 800), (390, 844)]
SLIDERS = {"lox-sink": "torpedoes", "fleet-salvo": "guns", "fleet-torpedoes": "tubes", "wolf-complete": "turns",
           "patrol-torpedo": "spread"}
OVER = """
import navalkit as nk
from navalkit.ui.worker import WORKER
str([nk.Match.load(path).over for path in WORKER.shelf.folder.glob("*.toml")])"""
OPENED = "() => getComputedStyle(document.querySelector('.nk-waiting')).visibility === 'hidden'"
"""The hunt has been played, up to the step that the address asks for."""


@pytest.fixture(params=SIZES, ids=lambda size: str(size[0]))
def sized(request, browser, url, site):
    """A page of that size that must not fail, and asks no host but its own."""
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
    context.set_default_timeout(120_000)
    made = watched(context, url)
    made.width = width
    yield made
    context.close()
    assert not failed(made, site)


@pytest.mark.parametrize("game", names())
def test_a_game_is_played_to_its_end_and_its_end_is_kept(sized, url, game):
    # Opened once: a page that is left before the browser has kept its game's name leaves a game behind, without a move.
    driver, dice = Driver(sized, f"{url}/play_{game.replace('-', '_')}.html?seed=3"), random.Random(3)
    for _ in range(MOST):
        if driver.over:
            break
        driver.act(dice)
    assert driver.over
    shot(sized, f"lite_end_{game}_{sized.width}", full_page=False)
    assert python(sized, OVER) == "[True]"
    sized.reload(wait_until="commit")
    sized.wait_for_selector(".nk-play-report h3:visible")


def test_a_hunt_is_stepped_through_to_its_end(sized, url):
    driver = Driver(sized, f"{url}/step_escorts.html?scenario=night-convoy&seed=2")
    sized.wait_for_function(OPENED)
    seen = set()
    for _ in range(12):
        driver.click(sized.locator(".nk-key-bar-on"))
        seen.add(sized.inner_text(".nk-step-headline"))
    assert len(seen) > 5
    driver.key("End")
    said(driver.status, UI_STEP, "now.end")
    shot(sized, f"lite_hunt_{sized.width}", full_page=False)


def test_five_sliders_move_their_numbers(sized, url):
    for question, name in SLIDERS.items():
        open_page(sized, f"{url}/explore_sinking.html?q={question}")
        sized.wait_for_selector(".nk-status[role=status] .nk-explore-big")
        sized.wait_for_function("() => !document.querySelector('.nk-explore-old')")
        before = sized.inner_text(".nk-explore-big")
        sized.locator(f".nk-key-control-{name} .noUi-handle").press("ArrowRight")
        sized.wait_for_function("(before) => document.querySelector('.nk-explore-big').innerText !== before",
                                arg=before)
        shot(sized, f"lite_slider_{question}_{sized.width}", full_page=False)
