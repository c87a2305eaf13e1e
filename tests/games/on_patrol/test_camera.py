"""The stepper's board: every ship has her name, and no ring lies over one."""

from __future__ import annotations

import pytest

from navalkit.games.on_patrol.board.camera import STAGE, SeaCamera, _ring
from navalkit.games.on_patrol.board.scene import scene
from navalkit.games.on_patrol.board.shapes import SIZE, SIZES, View, everything, fit
from navalkit.view.scene import Piece, Text
from navalkit.walks import shows
from navalkit.walks.stepper import CLASS, Stepper

FIRST = shows.finish(shows.from_query("on-patrol", "")).show
CLASSROOM = (round(STAGE * 966 / 744), STAGE)


def names(shown) -> dict[str, Piece]:
    found = {p.id.removesuffix(" name"): p for layer in shown.layers for p in layer.pieces if p.id.endswith(" name")}
    assert found
    return found


def box(piece: Piece) -> tuple[float, float, float, float]:
    half = 0.29 * SIZE * len(piece.shapes[0].text)
    return piece.x - half, piece.y - SIZE / 2, piece.x + half, piece.y + SIZE / 2


@pytest.mark.parametrize("zoom", range(len(SIZES)))
def test_every_ship_in_the_window_has_her_name_at_every_zoom(zoom):
    for moment in FIRST.row[::14]:
        state = moment.state
        view = View(fit(everything(state), CLASSROOM).centre, zoom, CLASSROOM)
        here = {v.id for v in state.vessels if not v.sunk and any(map(view.holds, v.place.hexes))}
        if here:
            assert here <= names(scene(state, view)).keys()


def test_no_name_lies_under_the_ring_round_an_escort():
    model, camera = Stepper(FIRST, sees=CLASS), SeaCamera()
    camera.fill(966, 744)
    rings = 0
    for at in range(0, len(model.row), 5):
        model.go(at)
        if model.who:
            view = camera.view(model.sight)
            x, y, r = _ring(view, model.state, model.who)
            rings += 1
            for name, piece in names(model.walk.scene(model.sight, camera)).items():
                left, top, right, low = box(piece)
                near = max(left - x, 0, x - right) ** 2 + max(top - y, 0, y - low) ** 2
                far = max(abs(left - x), abs(right - x)) ** 2 + max(abs(top - y), abs(low - y)) ** 2
                assert not near < r * r < far, (at, model.who, name)
    assert rings > 10


@pytest.mark.parametrize("tall", [True, False])
def test_no_text_on_the_stepper_s_board_is_under_12_px(tall):
    """The page shows the board as large as it is made, or larger (the test of the browser compares the two)."""
    model, camera = Stepper(FIRST), SeaCamera()
    camera.tall = tall
    for at in range(0, len(model.row), 9):
        model.go(at)
        drawn = model.walk.scene(model.sight, camera).shapes()
        texts = [shape for shape in drawn if isinstance(shape, Text) and shape.text]
        assert texts and min(text.size for text in texts) >= 12, (at, [t.text for t in texts if t.size < 12])
