"""The panel for a new game: its cards and the list of ships are in reach of a thumb, and what is chosen is begun."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import axe, shot, sideways
from .driver import Driver


@pytest.mark.slow
@pytest.mark.parametrize("context", [(390, 844), (1280, 800)], indirect=True)
def test_a_squadron_is_put_together_by_presses(page, voila):
    game = Driver(page, voila.page("play_fleet_action.ipynb") + "?seed=3")
    game.new_game()
    expect(page.locator(".nk-play-offer img:not([hidden])")).to_have_count(7)
    maps = page.locator(".nk-play-offer img")
    assert maps.evaluate_all("(maps) => maps.every((map) => map.naturalWidth > 0)")
    page.locator(".nk-play-offer", has_text="Build your own").click()
    sums = page.locator(".nk-play-stock-sums")
    expect(sums).to_contain_text("Blue squadron: 2 ships")
    page.fill(".nk-play-stock-find", "york")
    add = page.get_by_role("button", name="Blue squadron: Exeter")
    add.click()
    expect(add).to_have_attribute("aria-pressed", "true")
    expect(sums).to_contain_text("Blue squadron: 3 ships")
    shot(page, f"stock-{page.viewport_size['width']}", full_page=False)
    assert axe(page) == [] and sideways(page) <= 0
    game.click(page.locator(".nk-key-start"))
    game.drawer(tab="odds")
    expect(page.locator(".nk-tabs")).to_contain_text("Exeter")
