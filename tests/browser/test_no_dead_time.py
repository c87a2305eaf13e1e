"""What spares a player presses: a course of several turns, the attack computer, and a game that machines play."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from navalkit.games.on_patrol.board.conn import Plan
from navalkit.games.on_patrol.board.window import Aid
from ..sentences import UI
from .conftest import shot
from .driver import Driver
from .test_play_on_patrol import LONE, Hunt, Shadow

PICTURE = "() => [...document.querySelectorAll('.nk-board canvas')].map((each) => each.toDataURL()).join()"
STEP = "() => +document.querySelector('.nk-play-stepper .widget-readout').textContent"


@pytest.mark.slow
@pytest.mark.parametrize("context", [(1280, 800), (390, 844)], indirect=True, ids=["wide", "phone"])
def test_the_computer_draws_on_the_sea_and_one_press_sails_several_turns(page, voila):
    hunt = Hunt(page, voila, f"?{LONE}&seed=2")
    width = page.viewport_size["width"]
    shadow = Shadow(hunt, 2, tall=width < 600)
    page.wait_for_timeout(1000)  # the board has come to its size
    bare = page.evaluate(PICTURE)
    shadow.click(f"aid:{Aid.COMPUTER}")
    page.wait_for_function(f"(before) => ({PICTURE})() !== before", arg=bare)
    shot(page, f"patrol-{width}-computer", full_page=False)
    shadow.click(f"aid:{Aid.PLOT}")
    shot(page, f"patrol-{width}-plot", full_page=False)
    plans = {each.id: each.action for each in shadow.scene().cells if isinstance(each.action, Plan)}
    far = max(plans, key=lambda id: len(plans[id].orders))
    assert len(plans[far].orders) > 2
    turn = page.evaluate(STEP)
    shadow.click(far)
    one = shadow.match.game
    assert one.why_not(shadow.match.state, plans[far].orders[0]) is None
    shadow.match.play(plans[far].orders[0])
    assert page.evaluate(STEP) - turn > shadow.match.ply, "more than its first turn was sailed by one press"
    shot(page, f"patrol-{width}-sailed", full_page=False)


@pytest.mark.slow
@pytest.mark.parametrize("context", [(1280, 800)], indirect=True)
def test_both_sides_by_machine_play_on_by_themselves_until_they_are_stopped(page, voila):
    game = Driver(page, voila.page("play_wolf_pack.ipynb") + "?seed=3")
    game.new_game()
    seats = page.locator(".nk-play-panel select")
    for n in range(2):
        seats.nth(n).select_option(index=1)
    with game.answer():
        page.click(".nk-play-panel .nk-key-start")
    watch = page.locator(".nk-key-watch")
    expect(watch).to_have_text(UI("watch.stop"))
    page.wait_for_function(f"() => ({STEP})() > 3")
    watch.click()
    expect(watch).to_have_text(UI("watch"))
    page.wait_for_timeout(1500)  # what had been asked for by then has been played
    still = page.evaluate(STEP)
    page.wait_for_timeout(3000)
    assert page.evaluate(STEP) == still > 3
