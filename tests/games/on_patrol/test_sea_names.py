"""Names on the sea of On Patrol, and what is left there at the end of a hunt."""

from __future__ import annotations
import random
from dataclasses import replace

import pytest

from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.games.on_patrol.board import conn
from navalkit.testing import said
from navalkit.view.page import Glance, Look, page_of
from navalkit.view.scene import Text, extent
from ...sentences import PATROL_PAGE

ROOMS = ((860, 688), (360, 512))
PAGE = page_of("on-patrol")


@pytest.fixture(scope="module")
def hunt():
    """A hunt that the boat loses: its positions in which she is to be ordered, and its end."""
    game = load("on-patrol")
    match, rng, glances = Match.new(game, 1), random.Random(1), []
    while not match.over:
        if match.turn == 0:
            glances.append(Glance(game, game.observe(match.state, 0), 0, match.legal()))
        match.play(rng.choice(list(match.legal())[:40])) if match.turn >= 0 else match.play()
    assert match.state.boats[0].sunk
    return glances, Glance(game, game.observe(match.state, 0), 0, ())


def drawn(glance, room):
    look = Look(tall=room[0] < 500, room=room)
    return PAGE.scene(glance, replace(look, window=PAGE.frame(glance, look)))


def box(name):
    """Where a name stands: its letters are at least so wide."""
    (text,) = (shape for shape in name.placed() if isinstance(shape, Text))
    wide = 0.5 * text.size * len(text.text)
    return text.x - wide / 2, text.y - text.size / 2, text.x + wide / 2, text.y + text.size / 2


def meet(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@pytest.mark.parametrize("room", ROOMS)
def test_no_name_lies_over_a_counter(hunt, room):
    counters = 0
    for glance in hunt[0]:
        pieces = drawn(glance, room).pieces()
        names = [box(piece) for id, piece in pieces.items() if id.endswith(" name")]
        for id, piece in pieces.items():
            if id.endswith(" marker") and glance.seen.marker(id.split()[0]).kind not in ("sighted", "visible"):
                counters += 1
                assert not any(meet(name, extent(piece.placed())) for name in names), id
    assert counters


@pytest.mark.parametrize("room", ROOMS)
def test_her_name_leaves_the_hexes_free_that_she_can_go_to(hunt, room):
    scene = drawn(hunt[0][0], room)
    name = box(scene.pieces()["S1 name"])
    boat, sea = hunt[0][0].seen.boats[0], hunt[0][0].game.sea
    ways = conn.moves(hunt[0][0].seen, boat, sea, conn.chosen(boat, Look().picks))
    cells = [cell for cell in scene.cells if cell.id in {h.label for h in ways}]
    assert len(cells) == len(ways)
    for cell in cells:
        x, y = cell.centre
        assert not meet(name, (x - 1, y - 1, x + 1, y + 1)), cell.id


@pytest.mark.parametrize("room", ROOMS)
def test_a_lost_boat_leaves_a_wreck_and_the_panel_says_what_became_of_her(hunt, room):
    scene = drawn(hunt[1], room)
    assert "S1" in scene.pieces() and box(scene.pieces()["S1 name"])
    top = room[1] - conn.height(room[0])
    panel = [shape.text for shape in scene.shapes() if isinstance(shape, Text) and shape.y > top]
    said(panel, PATROL_PAGE, "panel.lost", boat="S1")
    said(panel, PATROL_PAGE, "panel.sunk.none")


def test_one_order_is_the_one_to_press_if_in_doubt(hunt):
    for glance in hunt[0]:
        assert sum(order.primary for order in PAGE.orders(glance)) == 1
