"""A click is calculated once: one look at the position, one scene, one set of orders."""

from __future__ import annotations
import random

import pytest

import navalkit as nk
from navalkit.core.match import Store
from navalkit.ui.play.app import GameApp
from navalkit.view.page import Glance, Page, override


class Count:
    """How often a method is called."""

    def __init__(self, call):
        self.call, self.calls = call, 0

    def __call__(self, *args, **named):
        self.calls += 1
        return self.call(*args, **named)


@pytest.mark.parametrize("name", nk.games.names())
def test_a_click_makes_one_glance_one_scene_and_one_set_of_orders(name, tmp_path, monkeypatch):
    app = GameApp(name, Store(tmp_path), seats=("",) * len(nk.load(name).players))
    control, dice = app.control, random.Random(4)
    seen = Count(control.game.observe)
    monkeypatch.setattr(type(control.game), "observe", lambda game, state, me: seen(state, me))
    scenes, orders = Count(control.page.scene), Count(control.page.orders)
    monkeypatch.setattr(type(control.page), "scene", lambda page, *args: scenes(*args))
    monkeypatch.setattr(type(control.page), "orders", lambda page, glance: orders(glance))
    for _ in range(8):
        if control.covered:
            control.take_seat()
        if control.match.over:
            break
        action = dice.choice(control.legal)
        awaited = len(control.page.awaits(control.glance(), control.look))
        for count in (seen, scenes, orders):
            count.calls = 0
        before, waiting = control.match.ply, len(control.later)
        control.give(action)
        if control.match.over:
            break  # the report plays the seed again
        assert orders.calls <= 1
        assert scenes.calls <= 1 + awaited + len(control.page.awaits(control.glance(), control.look))
        early = 2 * max(0, waiting - len(control.later))  # an order given ahead: what was seen then, and now
        passed = control.match.ply - before  # a film looks back at what has happened, ply by ply
        assert seen.calls <= 1 + early + passed


def test_a_misspelt_hook_is_refused():
    with pytest.raises(TypeError, match="a page has no hook 'scenes'"):

        class Wrong(Page):
            def scenes(self, glance: Glance, look: object) -> None: ...


def test_override_changes_nothing():
    class Right(Page):
        @override
        def now(self, glance):
            return "press"

        @override
        def scene(self, glance, look):
            raise AssertionError("nobody looks")

    assert Right().now(None) == "press"


def test_a_page_without_a_board_is_refused():
    class Blind(Page):
        @override
        def now(self, glance):
            return "press"

    with pytest.raises(TypeError, match="abstract method scene"):
        Blind()
