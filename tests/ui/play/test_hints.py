"""A hint is lit on the board of every game, a flight of Task Force by the ship that sends it and the square."""

from __future__ import annotations

import pytest

from navalkit.core.match import Store
from navalkit.ui.play.app import GameApp
from ...sentences import UI

SMALL = {"rows": 6, "columns": 6, "deep": 3, "fleet": "tiny", "submarines": 1, "missiles": 1}


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("fleet-action", {}),
        ("on-patrol", {"scenario": "small-convoy"}),
        ("task-force", SMALL),
        ("uss-lox", {}),
        ("wolf-pack", {}),
    ],
)
def test_a_hint_is_lit_on_the_board(name, options, tmp_path):
    app = GameApp(name, Store(tmp_path))
    app.control.new(3, options)
    app.hint.click()
    app.control.desk.settle(300)
    assert app.control.advised is not None and [word for _, word in app.stage.lights][:1] == [UI("light.hint")]


def test_a_flight_lights_the_ship_that_sends_it_and_then_its_square_alone(tmp_path):
    app = GameApp("task-force", Store(tmp_path))
    control = app.control
    control.new(3, SMALL)
    fly = control.game.parse_action("fly helicopter 3 from D1")
    scene = control.scene()
    assert control.page.lit(control.glance(), control.look, scene, fly) == ["D-3", "D1"]
    control.point("D-3")
    assert control.page.lit(control.glance(), control.look, control.scene(), fly) == ["D1"]
