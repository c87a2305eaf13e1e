"""The stepper's board: every ship has her name, and no ring lies over one."""

from __future__ import annotations
from dataclasses import replace

import pytest

from navalkit.games.on_patrol.board.camera import PHONE, SEEN, STAGE, TAPPED, SeaCamera, _ring, noted, phone, reachable
from navalkit.games.on_patrol.board.scene import scene
from navalkit.games.on_patrol.board.shapes import SIZE, SIZES, View, everything, fit
from navalkit.ui.rooms.screen import BELOW, BESIDE, LEAST, SMALLEST, room_of
from navalkit.view.scene import Piece, Text
from navalkit.walks import shows
from navalkit.walks.stepper import CLASS, PREDICT, Stepper

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


def arrows(drawn) -> list[str]:
    """What is said at the arrows to what lies outside."""
    return [shape.text for layer in drawn.layers if layer.name == "outside" for shape in layer.shapes
            if isinstance(shape, Text)]


def framed(view, state, who, size, least) -> bool:
    """Whether a class sees all that it may choose, and what decides: the markers and their targets, unless hexes were
    too small then. ``size``: of the part of the window that nothing covers."""
    own = [*reachable(state, who), *state.vessel(who).place.hexes]
    deciding = [h for marker in state.markers for h in (*marker.place.hexes, marker.target)]
    closest = fit([*own, *deciding], size)
    clear = [all(0 <= at <= most for at, most in zip(view.layout.center(h), size, strict=True)) for h in own]
    assert all(clear) and view.side >= least
    if closest.side < least:
        return False
    assert all(0 <= at <= most for h in deciding for at, most in zip(view.layout.center(h), size, strict=True))
    return True


@pytest.mark.parametrize("window", [(1280, 800), (1920, 1080)])
def test_what_decides_a_question_is_on_the_class_s_screen(window):
    """The marker, the target and the escort, clear of what lies over the board; where they are too far apart, an arrow
    says where the target is. It is the same whatever she is about to do, and stays so when the answer is told."""
    width, height, scale = room_of(*window)
    over = (BESIDE * SMALLEST / LEAST, BELOW * SMALLEST / LEAST)
    model, camera = Stepper(FIRST, sees=CLASS), SeaCamera()
    camera.fill(width, height, beside=over[0], below=over[1])
    model.use(PREDICT)
    held = asked = 0
    for at, moment in enumerate(model.row):
        if not moment.who or not moment.state.markers:
            continue
        model.go(at)
        camera.follow()  # each question as the first: what a board may keep of the last is another matter
        sight, view = model.sight, camera.view(model.sight)
        drawn = model.walk.scene(sight, camera)
        asked += 1
        size = camera.size
        whole = framed(view, moment.state, moment.who, size, SEEN)
        held += whole
        assert whole != bool(arrows(drawn)), (at, moment.who)
        assert camera.view(replace(sight, told=None)) == camera.view(replace(sight, asked=False)) == view
    assert held > 0.9 * asked > 100


@pytest.mark.parametrize("window", [(1280, 800), (1920, 1080)])
def test_what_is_told_of_a_moment_of_note_is_on_the_class_s_screen_whatever_it_showed_before(window):
    width, height, scale = room_of(*window)
    model, camera = Stepper(FIRST, sees=CLASS), SeaCamera()
    camera.fill(width, height, beside=BESIDE * SMALLEST / LEAST, below=BELOW * SMALLEST / LEAST)
    places = [at for at, moment in enumerate(model.row) if moment.keys and not moment.who]
    deciding = [at for at, moment in enumerate(model.row) if moment.who and moment.state.markers]
    for n, at in enumerate(places):
        for step in (deciding[7 * n % len(deciding)], at):
            model.go(step)
            view = camera.view(model.sight)
        told = [*noted(model.sight)]
        assert told
        for h in told:
            assert all(0 <= x <= most for x, most in zip(view.layout.center(h), camera.size, strict=True)), (at, str(h))
    assert len(places) > 20


def test_a_phone_s_board_holds_what_decides_or_says_where_it_lies():
    held = asked = 0
    for moment in FIRST.row:
        if moment.who and moment.state.markers:
            drawn, asked = phone(moment.state, moment.who, night=True), asked + 1
            closest = fit([*reachable(moment.state, moment.who), *moment.state.vessel(moment.who).place.hexes, *(
                h for marker in moment.state.markers for h in (*marker.place.hexes, marker.target))], PHONE)
            assert (closest.side >= TAPPED) == (not arrows(drawn))
            held += not arrows(drawn)
    assert 0.5 * asked < held < asked
