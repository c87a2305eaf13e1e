"""How a game ended: told to the player in the second person, of a captain's game on the same seed in the third."""

from __future__ import annotations

import numpy as np
import pytest

import navalkit as nk
from navalkit.ui.play.app import GameApp

SMALL = {"rows": 6, "columns": 6, "deep": 3, "fleet": "tiny", "submarines": 1, "missiles": 1}
ENDS = {
    "fleet-action": ({"moves": 2}, 1, "You lost. The Germans win after move 2"),
    "on-patrol": ({"scenario": "lone-merchant"}, 1, "You won. The goal is reached: 12 points"),
    "task-force": (SMALL, 1, "You won. The enemy fleet is found"),
    "uss-lox": ({}, 2, "You lost. The boat is lost."),
    "wolf-pack": ({"transports": 2, "u_boats": 2}, 2, "You lost. The convoy won on turn"),
}


@pytest.mark.parametrize("name", ENDS)
def test_the_page_tells_the_end_in_the_second_person(name: str) -> None:
    options, seed, told = ENDS[name]
    app, rng = GameApp(name), np.random.default_rng(seed)
    match = nk.Match.new(nk.load(name, **options), seed)
    anybody = nk.player("random", match.game)
    while not match.over:
        match.play(anybody.decide(match.observe(), match.legal(), rng).action)
    app.control.take_up(match)
    assert app.control.ending().startswith(told), app.control.ending()
    assert told in app.status.value
    of_others = app.ending.review._ended(match)
    assert match.outcome is not None and of_others.endswith(match.outcome.text) and "You" not in of_others
    assert not any(chart.widget.value for chart in app.charts), "nothing guesses after the end"
    app.control.look_at(match.ply - 1)
    assert "nk-over" in app.widget._dom_classes and app.orders.layout.display == "none"


def test_after_the_end_of_a_card_game_nobody_guesses_what_is_held() -> None:
    app, rng = GameApp("wolf-pack"), np.random.default_rng(2)
    match = nk.Match.new(nk.load("wolf-pack", transports=2, u_boats=2), 2)
    anybody = nk.player("random", match.game)
    while not match.over:
        match.play(anybody.decide(match.observe(), match.legal(), rng).action)
    app.control.take_up(match)
    assert app.facts.value == ""
    app.control.look_at(match.ply - 1)
    assert "What the convoy may hold" in app.facts.value
