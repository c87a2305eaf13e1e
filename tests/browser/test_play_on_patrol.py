"""The page of On Patrol in a real Chromium: a hunt by clicks and typed orders, the window on the sea, the end."""

from __future__ import annotations
from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

import navalkit as nk
from navalkit.games.on_patrol.board.page import PAGE
from navalkit.testing import said
from navalkit.view.page import Glance, Look
from navalkit.view.scene import Picks
from ..sentences import PATROL, PATROL_PAGE, PATROL_WHY, UI, like
from .conftest import axe, shot, sideways, wait_for_board
from .driver import Driver

LONE = "scenario=lone-merchant"
SEED = 2


class Hunt(Driver):
    """One page of On Patrol."""

    def __init__(self, page, voila, query):
        super().__init__(page, voila.page("play_on_patrol.ipynb") + query)
        page.wait_for_selector(".nk-play-order-button:visible")


class Shadow:
    """The same hunt in this process: says where a cell lies on the canvas, and what the skipper would order."""

    def __init__(self, hunt, seed, tall=False):
        self.hunt, self.tall = hunt, tall
        self.match = nk.Match.new(nk.load("on-patrol", scenario="lone-merchant"), seed=seed)
        self.skipper = nk.player("skipper", self.match.game)
        self.picks, self.window = Picks(), None

    def scene(self):
        glance = Glance(self.match.game, self.match.observe(0), 0, self.match.legal())
        box = self.hunt.canvas.bounding_box()
        look = Look(self.tall, self.picks, room=(round(box["width"]), round(box["height"])), window=self.window)
        self.window = PAGE.frame(glance, look)
        return PAGE.scene(glance, replace(look, window=self.window))

    def click(self, cell):
        """Click a cell; the order it gave, if it gave one."""
        scene = self.scene()
        with self.hunt.answer():
            self.hunt.canvas.click(position=self.hunt.place(scene, cell))
        pressed = scene.cell(cell)
        if pressed.pick:
            self.picks = self.picks.toggled(pressed.pick)
        return pressed.action

    def order(self):
        seen = self.match.observe(0)
        return str(self.skipper.decide(seen, self.match.legal(), np.random.default_rng(0)).action)


@pytest.mark.parametrize("context", [(1280, 900)], indirect=True)
def test_a_hunt_by_clicks_and_typed_orders_to_the_report(page, voila):
    hunt = Hunt(page, voila, f"?seed={SEED}&{LONE}")
    shadow = Shadow(hunt, SEED)
    shot(page, "patrol-1280-start")
    assert axe(page) == []
    boat = shadow.match.state.boats[0]
    assert shadow.click(f"depth={boat.depth + 25}") is None
    ahead = boat.place.ahead().bow.label
    order = shadow.click(ahead)
    assert order and order.depth == boat.depth + 25
    shadow.match.play(order)
    shadow.picks = shadow.picks.after_order()
    said(page.inner_text(".nk-status"), PATROL_PAGE, "headline.moves", depth=boat.depth + 25)
    hunt.click(page.locator(".nk-key-hint"))
    assert "Lindqvist" in page.inner_text(".nk-tabs")
    while not shadow.match.over:
        order = shadow.order()
        hunt.type(order)
        shadow.match.play(order)
    assert hunt.over
    assert shadow.match.outcome.text in page.inner_text(".nk-play-report")
    hunt.tells(like(UI, "end.win"), like(PATROL, "result.win"))
    said(page.inner_text(".nk-play-guide"), PATROL_PAGE, "guide.over")
    shot(page, "patrol-1280-report")
    assert axe(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("context", [(390, 844)], indirect=True)
def test_the_window_on_the_sea_moves_and_a_phone_can_order(page, voila):
    hunt = Hunt(page, voila, f"?seed={SEED}&{LONE}")
    assert sideways(page) <= 0
    shadow = Shadow(hunt, SEED, tall=True)
    assert shadow.click("view:in") is None
    assert shadow.click("view:boat") is None
    shot(page, "patrol-390-near")
    hunt.click(page.locator(".nk-play-order-button:visible", has_text=like(PATROL_PAGE, "order.ahead")))
    said(page.inner_text(".nk-status"), PATROL_PAGE, "headline.moves", boat="S1")
    assert sideways(page) <= 0
    hunt.type("S1 ahead 9")
    said(page.inner_text(".nk-status"), PATROL_WHY, "orders.makes_hexes_turn")
    shot(page, "patrol-390-order")


@pytest.mark.slow
def test_a_scenario_is_chosen_and_the_link_brings_the_hunt_back(page, voila):
    hunt = Hunt(page, voila, "?seed=3&scenario=small-convoy")
    hunt.type("S1 ahead 2")
    before = page.inner_text(".nk-status")
    page.reload()
    wait_for_board(page)
    page.wait_for_selector(".nk-play-order-button:visible")
    assert "S1" in page.inner_text(".nk-log, .nk-tabs") and before.split(".")[0]
    hunt.new_game()
    offers = page.locator(".nk-play-offer")
    expect(offers.filter(has_text="Small convoy")).to_contain_class("nk-play-chosen")
    page.click(".nk-key-new-more")
    box = page.locator(".nk-play-more-options input[list]").first
    box.fill("no such scenario")
    box.press("Tab")
    hunt.click(page.locator(".nk-key-start"))
    assert "no such scenario" in page.inner_text(".nk-status")
    offers.filter(has_text="Wolf pack").click()
    expect(offers.filter(has_text="Wolf pack")).to_contain_class("nk-play-chosen")
    hunt.click(page.locator(".nk-key-start"))
    assert "S2" in page.inner_text(".nk-tabs")
