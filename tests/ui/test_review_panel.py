"""The review on a game's page: asked for after the end, it names turns, and a press on one looks there."""

from __future__ import annotations

import numpy as np
import pytest

import navalkit as nk
from navalkit.core.store import Store
from navalkit.ui import review_panel
from navalkit.ui.app import GameApp


@pytest.fixture(scope="module")
def over() -> nk.Match:
    match, rng = nk.Match.new("wolf-pack", 5), np.random.default_rng(1)
    greedy = nk.player("greedy", "wolf-pack")
    while not match.over:
        match.play(greedy.decide(match.observe(), match.legal(), rng).action)
    return match


def test_a_finished_game_is_reviewed_on_its_page(over, tmp_path, monkeypatch):
    monkeypatch.setattr(review_panel, "PLAYED", 6)
    app = GameApp("wolf-pack", Store(tmp_path))
    panel = app.review
    assert panel.button.layout.display == "none", "there is nothing to review yet"
    app.opened(over.dumps().encode(), "over.toml")
    assert app.control.match.over and panel.button.layout.display == "" and panel.widget.layout.display == "none"
    panel.button.click()
    app.control.desk.settle(300)
    assert panel.widget.layout.display == ""
    shown = panel._chart.widget.value
    assert "step 0" in shown and f"step {over.ply}" in shown and "±" in shown
    turns = panel._turns.children
    assert 0 < len(turns) <= review_panel.TURNS
    step = int(turns[0].description.partition(":")[0].removeprefix("Step "))
    turns[0].click()
    assert app.control.ply == step - 1 and panel.widget.layout.display == "none", "looking back shows the game"
    app.control.look_at(over.ply)
    assert panel.widget.layout.display == "", "back at the end it is still there"
    app.control.new()
    assert panel.widget.layout.display == panel.button.layout.display == "none"


def test_a_game_without_a_quick_judge_offers_none(tmp_path):
    assert GameApp("uss-lox", Store(tmp_path)).control.page.reviewer == ""
