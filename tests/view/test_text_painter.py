"""The text painter: everything readable, nothing written over."""

from __future__ import annotations

from navalkit.core.errors import OptionError
from navalkit.testing import refused
from navalkit.view.painters import text
from navalkit.view.scene import Cell, Layer, Scene, Style, Text, rect_outline
from ..sentences import CORE

INK = Style("ink")


def scene_of(*texts, cells=(), width=200, height=100):
    return Scene(width, height, (Layer("only", texts),), cells)


def test_card_table_shows_faces_states_backs_and_places(card_table):
    picture = text(card_table)
    first = next(line for line in picture.splitlines() if "8♦" in line)
    assert first.split() == ["8♦", "[10♠]", "Q♥×"]
    assert picture.count("▒▒") == 4 and "(A♣)" in picture and "★" in picture and "·" in picture
    assert "JOKER" not in picture  # fine print


def test_every_shown_text_is_whole(card_table, square_map, hex_map):
    for scene in (card_table, square_map, hex_map):
        for columns in (1, 20, 80, 200):
            picture = text(scene, columns=columns)
            for shape in scene.shapes():
                if isinstance(shape, Text) and shape.glyph:
                    assert shape.text in picture


def test_square_map_reads_like_a_map(square_map):
    lines = [line.split() for line in text(square_map).splitlines() if line]
    assert lines[0] == list("ABCDEFGHIJ")
    assert lines[2] == ["2", "·", "·", "X", "X", "·", "·", "·", "·", "·", "·"]
    assert [len(line) for line in lines[1:]] == [11] * 6


def test_odd_rows_of_a_hex_map_are_indented(hex_map):
    indents = [len(line) - len(line.lstrip()) for line in text(hex_map).splitlines() if line]
    assert indents[1] > indents[0] == indents[2] == indents[4] and indents[1] == indents[3]


def test_text_that_finds_its_place_taken_moves_right():
    assert (
        text(scene_of(Text(0, 50, "alpha", INK, anchor="start"), Text(9, 50, "beta", INK, anchor="start")))
        == "alpha beta"
    )


def test_anchor_is_respected():
    texts = (Text(100, y, "abcd", INK, anchor=a) for y, a in ((10, "start"), (50, "middle"), (90, "end")))
    assert [len(line) - 4 for line in text(scene_of(*texts), columns=20).splitlines() if line] == [10, 8, 6]


def test_several_empty_lines_shrink_to_one():
    assert (
        text(
            scene_of(Text(0, 5, "a", INK, anchor="start"), Text(0, 195, "b", INK, anchor="start"), height=200)
        )
        == "a\n\nb"
    )


def test_text_that_is_off_for_terminals_is_not_shown():
    assert text(scene_of(Text(0, 5, "fine print", INK, glyph=False))) == ""


def test_unpainted_text_is_for_this_painter():
    assert text(scene_of(Text(0, 5, "8♦", Style(), anchor="start"))) == "8♦"


def test_a_cell_shows_a_dot_only_while_it_has_no_text():
    cell = Cell("A1", rect_outline(0, 0, 40, 40), "A1")
    assert text(scene_of(cells=(cell,))).strip() == "·"
    assert text(scene_of(Text(20, 20, "X", INK), cells=(cell,))).strip() == "X"


def test_no_column_at_all_is_an_error(card_table):
    with refused(OptionError, CORE, "view.columns"):
        text(card_table, columns=0)
