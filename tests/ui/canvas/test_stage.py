"""The stage without a browser: what it sends, and what stays ringed."""

from __future__ import annotations
from dataclasses import replace
from importlib.metadata import version

import pytest

from navalkit.ui.board import Board, Stage
from navalkit.view.film import Mark, film
from navalkit.view.scene import Cell, Circle, Layer, Piece, Polygon, Rect, Scene, Style, Text, rect_outline

HULL = (Polygon(((0, -20), (6, 20), (-6, 20)), Style("ink")),)
CARD = (Rect(-20, -30, 40, 60, Style("card")),)
CELLS = (Cell("A1", rect_outline(0, 0, 50, 40), "A1"), Cell("B1", ((50, 0), (100, 0), (75, 40)), "B1"))


def scene(*pieces: Piece, above: int = 1) -> Scene:
    over = tuple(Layer(f"over {n}", (Circle(n, 9, 3, Style("ink")),)) for n in range(above))
    sea = Layer("sea", (Rect(0, 0, 300, 200, Style("sea_deep")),))
    return Scene(300, 200, (sea, Layer("ships", pieces), *over), CELLS)


@pytest.fixture
def stage(monkeypatch):
    board = Board()
    board.sent = []
    monkeypatch.setattr(board.painter, "send", board.sent.append)
    made = Stage(board)
    made.sent = board.sent
    return made


def test_a_move_is_one_message_with_its_film_and_what_stands_still_is_not_in_it(stage):
    before, last = (scene(Piece("rock", 9, 9, HULL), Piece("E1", x, 40, HULL, turn)) for x, turn in ((30, 0), (90, 90)))
    stage.show(before)
    assert stage.sent[0]["fresh"] and "film" not in stage.sent[0]
    stage.show(last, film(before, last), speed=2)
    assert len(stage.sent) == 2
    play = stage.sent[1]
    assert play["layers"] == [[1, 1, 1, 9, 9, 0, 1, 90, 40, 90]] and "looks" not in play and play["speed"] == 2
    assert [going[:4] + going[7:] for going in play["film"]["go"]] == [[1, 1, 1, 0, 30, 40, 0, 90, 40, 90]]


def test_a_piece_that_is_gone_fades_from_a_place_that_is_none(stage):
    before, last = scene(Piece("E1", 30, 40, HULL), Piece("E2", 60, 40, CARD)), scene(Piece("E2", 60, 40, CARD))
    stage.show(before)
    stage.show(last, film(before, last))
    assert [going[1:3] for going in stage.sent[1]["film"]["go"]] == [[-1, -1]]


def test_cells_are_outlines_by_their_numbers_and_sent_when_they_change(stage):
    stage.show(scene())
    first, many = stage.sent[0]["cells"]
    outlines = stage.sent[0]["looks"][first : first + many]
    assert outlines == [[0, 0, 50, 0, 50, 40, 0, 40], [50, 0, 100, 0, 75, 40]] and stage.sent[0]["size"] == [300, 200]
    stage.show(scene(Piece("E1", 30, 40, HULL)))
    assert "cells" not in stage.sent[1] and "size" not in stage.sent[1]
    stage.show(replace(scene(), cells=CELLS[1:]))
    assert stage.sent[2]["cells"] == [first + 1, 1] and "looks" not in stage.sent[2]


def test_what_an_order_that_is_advised_takes_is_framed_with_a_word(stage):
    stage.lights = [(CELLS[0].outline, "Hint")]
    stage.show(scene())
    assert stage.sent[0]["lights"] == [[[0, 0, 50, 0, 50, 40, 0, 40], "Hint"]]
    stage.lights = ()
    stage.show(scene())
    assert stage.sent[1]["lights"] == []


def test_the_last_move_stays_ringed_until_the_next(stage):
    before, last = scene(Piece("E1", 30, 40, HULL)), scene(Piece("E1", 90, 40, HULL))
    stage.show(before)
    assert stage.rings == []
    stage.show(last, film(before, last))
    assert stage.rings == [[65, 15, 50, 50, 25]], "a circle about a ship"
    stage.show(scene(Piece("E1", 100, 50, HULL)))
    assert stage.rings == [[75, 25, 50, 50, 25]], "a window that moves takes the ring along"
    stage.show(last, film(last, last, [Mark("sink", 50, 60, r=20), Mark("hit", 50, 60, r=10), Mark("ping", 9, 9)]))
    assert stage.rings == [[35, 45, 30, 30, 15]], "a place that was hit, and no longer the ship; once, though she sinks"
    cards = [scene(Piece("hand 1", x, 40, CARD, flips=True)) for x in (40, 80)]
    stage.show(cards[1], film(*cards))
    assert stage.rings == [[55, 5, 50, 70, 10]], "a frame about a card"
    many = [scene(*(Piece(f"M{n}", x + 9 * n, 40, HULL) for n in range(4))) for x in (10, 60)]
    stage.show(many[1], film(*many))
    assert stage.rings == [], "where everything moves, a ring tells nothing"


def test_a_place_that_was_hit_stays_ringed_where_its_square_lies_now(stage):
    """A board that shows another part of itself, as when the strip of the end takes room, takes its rings along."""
    first = scene()
    stage.show(first)
    stage.show(first, film(first, first, [Mark("hit", 20, 30, r=10)]))
    (ring,) = stage.rings
    stage.show(Scene(300, 200, first.layers, (Cell("A1", rect_outline(100, 80, 50, 40), "A1"),)))
    assert stage.rings == [[ring[0] + 100, ring[1] + 80, *ring[2:]]]
    stage.show(Scene(300, 200, first.layers, (CELLS[1],)))
    assert stage.rings == [], "its square is not shown"
    stage.show(first)
    assert stage.rings == [ring]


def test_a_ring_leaves_out_the_name_it_would_cross(stage):
    near, far = Text(90, 66, "Exeter", Style("ink"), 12), Text(20, 200, "Ajax", Style("ink"), 12)
    before, last = (
        replace(sea, layers=(*sea.layers, Layer("names", (near, far))))
        for sea in (scene(Piece("E1", x, 40, HULL)) for x in (30, 90))
    )
    stage.show(before)
    assert stage.sent[-1].get("spared", []) == [], "where nothing is ringed nothing is spared"
    stage.show(last, film(before, last))
    ((x, y, w, h),) = stage.sent[-1]["spared"]
    assert x < 72 and x + w > 108 and y < 62 and y + h > 70, "all of the name near the ring, and no other"


def test_a_word_at_something_framed_is_told_of_the_words_it_could_hide(stage):
    near, far = Text(90, 26, "Exeter", Style("ink"), 12), Text(20, 200, "Ajax", Style("ink"), 12)
    sea = scene(Piece("E1", 90, 40, HULL))
    sea = replace(sea, layers=(*sea.layers, Layer("names", (near, far))))
    framed = ((80, 30), (100, 30), (100, 50), (80, 50))
    stage.lights = [(framed, "")]
    stage.show(sea)
    assert stage.sent[-1].get("free", []) == [], "a frame without a word hides nothing"
    stage.lights = [(framed, "Here")]
    stage.show(sea)
    ((x, y, w, h),) = stage.sent[-1]["free"]
    assert x < 72 and x + w > 108 and y < 22 and y + h > 30, "the name beside it, and no other"


def test_ipycanvas_keeps_its_canvas_where_the_script_draws():
    assert version("ipycanvas").startswith("0.14."), "pyproject.toml pins it: see stage.js"
