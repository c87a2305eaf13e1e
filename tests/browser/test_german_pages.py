"""Every game's page and stepper in German, as a browser has them: no English is left, and nothing is cut off."""

from __future__ import annotations

import pytest

from .conftest import open_page, shot, sideways, wait_for_board
from .test_play_uss_lox import english

GAMES = ("on_patrol", "fleet_action", "wolf_pack", "task_force", "uss_lox")
SIZES = ((1280, 800), (390, 844))


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}")
@pytest.mark.parametrize("game", GAMES)
def test_a_game_opens_in_german(page, voila, game, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_page(page, voila.page(f"play_{game}.ipynb") + "?lang=de&seed=2")
    wait_for_board(page)
    page.wait_for_selector("html[lang=de]")
    page.wait_for_function("!document.querySelector('.nk-waiting')?.innerText.trim()")
    shot(page, f"german-{game}-{size[0]}")
    assert english(page) == set() and sideways(page) <= 0


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}")
@pytest.mark.parametrize(("game", "asked"), [("on-patrol", "position=mode-3"), ("fleet-action", "seed=1")])
def test_a_game_is_stepped_through_in_german(page, voila, game, asked, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_page(page, voila.page("step.ipynb") + f"?lang=de&game={game}&{asked}")
    wait_for_board(page)
    page.wait_for_selector("html[lang=de]")
    page.locator(".nk-key-bar-on").click()
    page.wait_for_timeout(500)
    shot(page, f"german-step-{game}-{size[0]}")
    assert english(page) == set() and sideways(page) <= 0
