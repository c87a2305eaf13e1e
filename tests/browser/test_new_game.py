"""A sixth game, from another folder, in the browser: nothing of the house was changed for it."""

from __future__ import annotations
import re

import pytest
from playwright.sync_api import expect

from navalkit.cli.commands import write
from ..cli.test_new_game import installed
from ..servers import ROOT, serve
from .conftest import axe, open_page, shot
from .driver import Driver


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """A server where the package of a new game is installed."""
    folder = write("night-duel", tmp_path)
    monkeypatch.setenv("PYTHONPATH", installed(folder, "night-duel")["PYTHONPATH"])
    with serve(ROOT / "notebooks", tmp_path) as server:
        yield server


@pytest.mark.slow
def test_a_game_of_another_package_is_in_the_lobby_and_played_to_its_end(page, elsewhere):
    open_page(page, elsewhere.page("lobby.ipynb"))
    link = page.locator(".nk-lobby-entry a", has_text="Night Duel")
    assert page.locator(".nk-lobby-entry:has-text('Night Duel') svg").count() == 1
    assert page.locator(".nk-lobby-entry:has(.nk-lobby-here)", has_text="Night Duel").count() == 0
    link.click()
    page.wait_for_url("**/play.ipynb?game=night-duel")
    game = Driver(page, page.url)
    expect(page.locator("h1.nk-frame-title")).to_have_text("Night Duel")
    assert page.title().startswith("Night Duel")
    game.click(page.locator(".nk-play-order-button", has_text="Close"))
    game.tells("You closed to 3 squares.")
    box = game.canvas.bounding_box()
    with game.answer():  # a press on the raider
        game.canvas.click(position={"x": box["width"] * 3.5 / 5, "y": box["height"] / 2})
    game.tells("You fired at 3 squares.")
    game.click(page.locator(".nk-key-hint"))
    expect(page.locator(".nk-hint")).to_contain_text("It leaves the best chance to sink the raider.")
    shot(page, "night-duel")
    assert axe(page) == []
    while not game.over and game.buttons.count():
        game.click(game.buttons.first)
    ended = re.compile(r"The raider is sunk\.|Night has fallen, and the raider is gone\.")
    expect(page.locator(".nk-status")).to_contain_text(ended)
