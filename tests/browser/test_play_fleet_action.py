"""The page of Fleet action in a real Chromium: a battle by clicks, one on a phone, and two people at one screen."""

from __future__ import annotations

import pytest

from .conftest import axe, set_theme, shot, sideways, wait_for_board
from .driver import Driver

SIDE, LEFT, TOP = 48, 26, 20
"""Px of a square of the River Plate at scale 1, and of what lies beside and above the squares."""


class Bridge(Driver):
    """One page of Fleet action."""

    def __init__(self, page, voila, query):
        super().__init__(page, voila.page("play_fleet_action.ipynb") + query)
        page.wait_for_selector(".nk-order-button:visible, .nk-take-seat:visible")

    def press(self, square):
        """A click on a square of the wide board."""
        x, y = LEFT + (ord(square[0]) - ord("A") + 0.5) * SIDE, TOP + (int(square[1:]) - 0.5) * SIDE
        width = self.canvas.bounding_box()["width"]
        with self.answer():
            self.canvas.click(position={"x": x * width / 800, "y": y * width / 800})


@pytest.mark.parametrize("context", [(1280, 900)], indirect=True)
def test_a_whole_battle_by_clicks_on_the_board(page, voila):
    bridge = Bridge(page, voila, "?seed=3&moves=3")
    assert "You are the British" in page.inner_text(".nk-board-alt")
    assert "100 for sinking Graf Spee" in page.inner_text(".nk-guide")
    shot(page, "fleet-1280-start")
    assert axe(page) == []
    bridge.press("H4")
    assert "H4: now a heading" in bridge.status
    shot(page, "fleet-1280-heading")
    bridge.press("I4")
    assert "Ajax steams to H4, heading E" in bridge.status and "1 of 3 ships" in bridge.status
    bridge.press("G6")
    bridge.press("G6")  # the natural heading
    assert "Exeter steams to G6" in bridge.status or "Order the fire" in bridge.status
    set_theme(page, "dark")
    shot(page, "fleet-1280-fire-dark")
    fired = False
    for _ in range(60):
        if bridge.over:
            break
        fired = fired or "sinks" in bridge.buttons.first.inner_text()
        bridge.click(bridge.buttons.first)
    assert bridge.over and fired
    assert "How the battle ended" in page.inner_text(".nk-report") and "Graf Spee" in page.inner_text(".nk-report")
    assert "Damage sheets" in page.inner_text(".nk-tabs")
    wait_for_board(page)
    shot(page, "fleet-1280-end-dark")
    assert axe(page) == []
    back = page.locator(".nk-step-back")
    bridge.click(back)
    assert "Looking back" in bridge.status


@pytest.mark.parametrize("context", [(390, 844)], indirect=True)
def test_a_phone_by_typed_orders(page, voila):
    bridge = Bridge(page, voila, "?seed=3&scenario=iowa_convoy&moves=1")
    assert sideways(page) <= 0
    shot(page, "fleet-390-start")
    assert axe(page) == []
    bridge.type("Iowa: Z9 N")
    assert "Z9" in bridge.status and not bridge.over
    bridge.type("Iowa: I4 NW")
    assert "Iowa steams to I4" in bridge.status
    bridge.type("iowa: i4 nw")
    assert "has been given her order" in bridge.status
    for _ in range(20):
        if bridge.over:
            break
        if "turret" in bridge.buttons.first.inner_text():  # she has lost guns
            bridge.click(bridge.buttons.first)
        else:
            bridge.type("done")
    assert bridge.over
    assert sideways(page) <= 0
    shot(page, "fleet-390-end")


def test_two_people_pass_the_screen(page, voila):
    bridge = Bridge(page, voila, "?seed=11&moves=6")
    page.click(".nk-new")
    for i in range(2):
        page.locator(".nk-panel select").nth(i).select_option(label="somebody at this screen")
    bridge.click(page.locator(".nk-start"))
    seat = page.locator(".nk-take-seat")
    passes = 0
    for _ in range(40):
        if passes == 2:
            break
        page.wait_for_selector(".nk-order-button:visible, .nk-take-seat:visible")
        if seat.is_visible():
            passes += 1
            assert "Pass the screen" in bridge.status
            assert not page.locator(".nk-tabs").is_visible() and bridge.buttons.count() == 0
            if passes == 1:
                shot(page, "fleet-1280-cover")
            bridge.click(seat)
        else:
            bridge.click(bridge.buttons.last)  # no more orders
    assert passes == 2
    page.wait_for_selector(".nk-order-button:visible")
