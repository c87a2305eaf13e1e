"""The stage without a browser: what it sends before and after the board, and what stays ringed."""

from __future__ import annotations

from importlib.metadata import version

import numpy as np
import pytest
from ipycanvas import MultiCanvas

from navalkit.ui.board import CANVASES, Board
from navalkit.ui.stage import Stage
from navalkit.view.effect import Mark, film
from navalkit.view.scene import Cell, Circle, Layer, Piece, Polygon, Rect, Scene, Style, rect_outline

HULL = (Polygon(((0, -20), (6, 20), (-6, 20)), Style("ink")),)
CARD = (Rect(-20, -30, 40, 60, Style("card")),)
CELLS = (Cell("A1", rect_outline(0, 0, 50, 40), "A1"), Cell("B1", ((50, 0), (100, 0), (75, 40)), "B1"))


def scene(*pieces: Piece, above: int = 1) -> Scene:
    over = tuple(Layer(f"over {n}", (Circle(n, 9, 3, Style("ink")),)) for n in range(above))
    sea = Layer("sea", (Rect(0, 0, 300, 200, Style("sea_deep")),))
    return Scene(300, 200, (sea, Layer("ships", pieces), *over), CELLS)


@pytest.fixture
def sent(monkeypatch):
    messages = []
    monkeypatch.setattr(Stage, "send", lambda stage, message: messages.append((message, stage._board.frames)))
    return messages


def test_the_browser_holds_the_picture_before_the_board_is_painted_and_plays_after_it(sent):
    board = Board()
    stage = Stage(board)
    before, last = scene(Piece("E1", 30, 40, HULL)), scene(Piece("E1", 90, 40, HULL, 90))
    stage.show(before)
    assert sent == []
    frames = board.frames
    stage.show(last, film(before, last), speed=2)
    (hold, painted), (play, after) = sent
    assert hold == {"do": "hold"} and painted == frames and after == frames + 1
    assert play["do"] == "play" and play["speed"] == 2 and play["frames"] == 1
    assert play["under"] == [0] and play["over"] == [2, *range(3, CANVASES)]
    assert [going[5:] for going in play["film"]["go"]] == [[30, 40, 0, 90, 40, 90]]


def test_cells_are_packed_with_the_number_of_their_corners():
    stage = Stage(Board())
    stage.show(scene())
    assert np.frombuffer(stage.cells, np.int16).tolist() == [4, 0, 0, 50, 0, 50, 40, 0, 40, 3, 50, 0, 100, 0, 75, 40]
    assert stage.size == [300, 200]


def test_the_last_move_stays_ringed_until_the_next(sent):
    stage = Stage(Board())
    before, last = scene(Piece("E1", 30, 40, HULL)), scene(Piece("E1", 90, 40, HULL))
    stage.show(before)
    assert stage.rings == []
    stage.show(last, film(before, last))
    assert stage.rings == [[65, 15, 50, 50, 25]], "a circle about a ship"
    stage.show(scene(Piece("E1", 100, 50, HULL)))
    assert stage.rings == [[75, 25, 50, 50, 25]], "a window that moves takes the ring along"
    stage.show(last, film(last, last, [Mark("hit", 50, 60, r=10), Mark("ping", 9, 9)]))
    assert stage.rings == [[35, 45, 30, 30, 15]], "a place that was hit, and no longer the ship"
    cards = [scene(Piece("hand 1", x, 40, CARD, flips=True)) for x in (40, 80)]
    stage.show(cards[1], film(*cards))
    assert stage.rings == [[55, 5, 50, 70, 10]], "a frame about a card"
    many = [scene(*(Piece(f"M{n}", x + 9 * n, 40, HULL) for n in range(4))) for x in (10, 60)]
    stage.show(many[1], film(*many))
    assert stage.rings == [], "where everything moves, a ring tells nothing"


def test_layers_share_canvases_from_the_uppermost_down_and_pieces_keep_to_themselves():
    board = Board()
    crowded = scene(Piece("E1", 30, 40, HULL), above=9)
    board.show(crowded)
    under, over = board.split()
    assert under == [0] and over == list(range(2, CANVASES))
    names = [[layer.name for layer in layers or ()] for layers in board._painted]
    assert names[:3] == [["sea"], ["ships"], ["over 0"]] and names[CANVASES - 2][-1] == "over 8"


def test_ipycanvas_keeps_its_canvases_where_the_script_looks_for_them():
    assert version("ipycanvas").startswith("0.14."), "pyproject.toml pins it: see stage.js"
    assert MultiCanvas(3).trait_metadata("_canvases", "sync")
