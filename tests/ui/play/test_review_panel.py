"""The review on a game's page: asked for after the end, it names turns, and a press on one looks there."""

from __future__ import annotations

import numpy as np
import pytest

import navalkit as nk
from navalkit.core.files.store import Store
from navalkit.core.registry import names, package
from navalkit.ui.play import review_panel
from navalkit.ui.play.app import GameApp

GAMES = [name for name in names() if package(name).module.startswith("navalkit.games.")]


@pytest.fixture(scope="module")
def over() -> nk.Match:
    match, rng = nk.Match.new("wolf-pack", 5), np.random.default_rng(1)
    players = [nk.player(name, "wolf-pack") for name in ("random", "greedy")]
    while not match.over:
        match.play(players[match.turn].decide(match.observe(), match.legal(), rng).action)
    return match


def test_a_finished_game_is_reviewed_picture_by_picture(over, tmp_path, monkeypatch):
    monkeypatch.setattr(review_panel, "STAGES", ((1, 3), (2, 4)))
    app = GameApp("wolf-pack", Store(tmp_path))
    panel = app.ending.review
    assert panel.button.layout.display == "none", "there is nothing to review yet"
    app.opened(over.dumps().encode(), "over.toml")
    assert app.control.match.over and panel.button.layout.display == "" and panel.widget.layout.display == "none"
    assert "You lost. The convoy won on turn" in app.status.value
    panel.button.click()
    app.control.desk.settle(300)
    assert panel.widget.layout.display == "" and "<polyline" in panel._chart.value and "In all" in panel._sums.value
    assert "At 4 points" in panel._chart.value and "2 games" in panel._chart.value, "the second picture took its place"


def test_every_game_has_a_yardstick():
    for name in GAMES:
        assert package(name).offered("REVIEW", None) is not None, name


def test_the_costliest_move_is_named_in_tons_looked_at_and_tried_again(tmp_path):
    app = GameApp("uss-lox", Store(tmp_path))
    captain, rng = nk.player("harper", "uss-lox"), np.random.default_rng(1)
    match = nk.Match.new("uss-lox", 3)
    while not match.over:
        match.play(captain.decide(match.observe(), match.legal(), rng).action)
    app.opened(match.dumps().encode(), "lost.toml")
    panel, control = app.ending.review, app.control
    panel.button.click()
    control.desk.settle(60)
    said, look, again = panel._told.children[0].children
    assert "was step 8: Fire 1. Better: Fire 3 (+15,006 t)" in said.value and "(t)" in panel._chart.value
    look.click()
    assert control.ply == 7 and panel.widget.layout.display == "none", "looking back shows the game"
    control.look_at(match.ply)
    assert panel.widget.layout.display == "", "back at the end it is still there"
    again.click()
    assert control.match.ply == 7 and control.match.analysis and not control.match.over
    assert panel.widget.layout.display == panel.button.layout.display == "none"
    control.order("attack 3")
    assert not control.status.error and control.match.ply > 7
