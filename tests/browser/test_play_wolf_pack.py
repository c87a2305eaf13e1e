"""The page of Wolf Pack in a real Chromium: a whole game from each side, and two people at one screen."""

from __future__ import annotations

import pytest

from navalkit.testing import heard, said

from ..sentences import UI, WOLF
from .conftest import axe, shot, sideways
from .driver import Driver

SHORT = "transports=2&u_boats=2"


class Table(Driver):
    """One page of Wolf Pack."""

    def __init__(self, page, voila, query):
        super().__init__(page, voila.page("play_wolf_pack.ipynb") + query)
        page.wait_for_selector(".nk-play-order-button:visible")

    def first(self):
        """Give the first order, by its button."""
        self.click(self.buttons.first)


def as_convoy(table):
    """Start anew with the U-boats played by the machine."""
    page = table.page
    table.new_game()
    seats = page.locator(".nk-play-panel select")
    seats.nth(0).select_option(label=UI("seat.captain", name="Lieutenant Winter", level=3))
    seats.nth(1).select_option(label=UI("seat.here"))
    table.click(page.locator(".nk-key-start"))


@pytest.mark.slow
@pytest.mark.parametrize("context", [(1280, 900)], indirect=True)
def test_a_whole_game_as_the_u_boats(page, voila):
    table = Table(page, voila, f"?seed=7&{SHORT}")
    said(page.inner_text(".nk-alt"), WOLF, "table.said", side="U-boats")
    shot(page, "wolf-1280-start")
    assert axe(page) == []
    table.type("play water")
    assert heard(page.inner_text(".nk-status"), WOLF, "laid.you", "no.not_now")
    asked = False
    while not table.over:
        if not asked and table.buttons.count() > 1:
            asked = True
            table.click(page.locator(".nk-key-hint"))
            said(page.inner_text(".nk-tabs"), WOLF, "bot.chance")
            shot(page, "wolf-1280-hint")
        table.first()
    assert asked
    said(page.inner_text(".nk-play-report"), WOLF, "story.title")
    shot(page, "wolf-1280-story")
    assert axe(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("context", [(390, 844)], indirect=True)
def test_a_whole_game_as_the_convoy_on_a_phone_by_typed_orders(page, voila):
    table = Table(page, voila, f"?seed=9&{SHORT}")
    as_convoy(table)
    said(page.inner_text(".nk-alt"), WOLF, "table.said", side="convoy")
    assert sideways(page) <= 0
    shot(page, "wolf-390-convoy")
    assert axe(page) == []
    while not table.over:
        table.type(table.buttons.first.inner_text().split("\n")[0].lower())
    said(page.inner_text(".nk-play-report"), WOLF, "story.title")
    assert sideways(page) <= 0
    shot(page, "wolf-390-story")


@pytest.mark.slow
def test_two_people_pass_the_screen(page, voila):
    table = Table(page, voila, f"?seed=11&{SHORT}")
    table.new_game()
    for i in range(2):
        page.locator(".nk-play-panel select").nth(i).select_option(label=UI("seat.here"))
    table.click(page.locator(".nk-key-start"))
    seat = page.locator(".nk-key-seat")
    passes = 0
    while passes < 2:
        if seat.is_visible():
            passes += 1
            said(page.inner_text(".nk-status"), UI, "seat.pass")
            assert not page.locator(".nk-tabs").is_visible() and table.buttons.count() == 0
            if passes == 1:
                shot(page, "wolf-1280-cover")
            table.click(seat)
        else:
            table.first()
    assert table.buttons.count() > 0
