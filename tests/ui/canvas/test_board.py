"""The board without a browser: what its painter sends, and what a click comes back as."""

from __future__ import annotations
import json
from dataclasses import replace

import numpy as np
import pytest

from navalkit.core.errors import OptionError
from navalkit.testing import refused
from navalkit.ui import board as sending
from navalkit.ui.board import SCALE, Board
from navalkit.view import drawings
from navalkit.view.scene import Cell, Circle, Layer, Line, Polygon, Rect, Scene, Style, Text, rect_outline
from navalkit.view.theme import THEMES
from ...sentences import CORE


def table(label="8D", columns=3):
    """Nine cards, the first face up, on a sea, with a name above."""
    places = {f"{c}{r}": (20 + 60 * i, 40 + 80 * r) for r in range(3) for i, c in enumerate("ABCDEF"[:columns])}
    shapes = [shape for x, y in list(places.values())[1:] for shape in drawings.face_down(x, y, 44, 62)]
    cells = tuple(Cell(id, rect_outline(x, y, 44, 62), f"{id}, face down") for id, (x, y) in places.items())
    layers = (
        Layer("sea", (Rect(0, 0, 300, 320, Style("sea_deep")),)),
        Layer("backs", tuple(shapes)),
        Layer("face", drawings.card(*places["A0"], 44, 62, label)),
        Layer("labels", (Text(100, 20, "Ocean", Style("ink")),)),
    )
    return Scene(300, 320, layers, cells, "Ocean", "Nine <cards>.")


class Wire:
    """Listens to what goes to the browser, and knows what it knows: looks and styles by their numbers."""

    def __init__(self, board, monkeypatch):
        self.messages, self.looks, self.styles = [], [], []
        monkeypatch.setattr(board.painter, "send", self.send)
        board.redraw()  # so that the test begins from a painted board

    def send(self, message):
        self.messages.append(message)
        if message.get("fresh"):
            self.looks, self.styles = [], []
        self.looks += message.get("looks", [])
        self.styles += message.get("styles", [])

    def sheets(self):
        """Numbers of the layers that the last message changed."""
        return [i for i, *_ in self.messages[-1].get("layers", [])]

    def drawn(self, sheet):
        """The parts of a flat layer in the last message, their styles in place of the numbers."""
        _, pieces, *runs = next(each for each in self.messages[-1]["layers"] if each[0] == sheet)
        assert not pieces
        numbers = [first + n for first, many in zip(runs[::2], runs[1::2], strict=True) for n in range(many)]
        return [[kind, self.styles[style], *more] for n in numbers for kind, style, *more in self.looks[n]]


@pytest.fixture
def points():
    return []


@pytest.fixture
def board(points):
    board = Board(points.append)
    board.show(table())
    return board


@pytest.fixture
def wire(board, monkeypatch):
    return Wire(board, monkeypatch)


def event(board, **content):
    board.canvas._handle_frontend_event(None, content, [])


def test_a_click_or_tap_at_the_centre_of_every_cell_points_at_it(board, points):
    for cell in table().cells:
        x, y = (SCALE * v for v in cell.centre)
        event(board, event="mouse_down", x=x, y=y)
        event(board, event="touch_start", touches=[{"x": x, "y": y}])
        assert points[-2:] == [cell.id, cell.id]
    assert len(points) == 18


def test_a_click_beside_the_cells_and_two_fingers_point_at_nothing(board, points):
    event(board, event="mouse_down", x=2, y=2)
    x, y = (SCALE * v for v in table().cells[0].centre)
    event(board, event="touch_start", touches=[{"x": x, "y": y}, {"x": x, "y": y}])
    assert points == []


def test_a_board_without_scene_or_listener_takes_clicks_in_silence():
    board = Board()
    event(board, event="mouse_down", x=2, y=2)
    board.show(table())
    event(board, event="mouse_down", x=80, y=100)


def test_an_equal_scene_sends_nothing(board, wire):
    frames = board.painter.frames
    board.show(table())
    assert len(wire.messages) == 1 and board.painter.frames == frames


def test_of_a_changed_layer_only_the_new_shapes_are_sent_and_each_once(board, wire):
    known = len(wire.looks)
    board.show(table("KC"))
    assert len(wire.messages) == 2 and wire.sheets() == [2] and 0 < len(wire.looks) - known < 12
    assert "K" in [part[-1] for part in wire.drawn(2) if part[0] == "t"]
    board.show(table("8D"))
    assert "looks" not in wire.messages[-1] and "8" in [part[-1] for part in wire.drawn(2) if part[0] == "t"]


def test_a_browser_that_has_just_come_gets_everything(board, wire):
    for _ in range(2):
        board.painter._handle_custom_msg({"event": "ready"}, [])
    first, *again = wire.messages
    assert again == [first, first] and first["fresh"] and wire.sheets() == [0, 1, 2, 3, 4]


def test_a_browser_that_keeps_too_much_is_sent_all_of_it_anew(board, wire, monkeypatch):
    monkeypatch.setattr(sending, "MOST_LOOKS", 10)
    board.show(table("KC"))
    assert wire.messages[-1]["fresh"] and wire.sheets() == [0, 1, 2, 3, 4]


def test_a_scene_of_another_size_resizes_the_canvas_and_one_with_fewer_layers_says_so(board, wire):
    board.show(replace(table(), width=400))
    assert (board.canvas.width, board.canvas.height) == (400 * SCALE, 320 * SCALE)
    assert board.canvas.layout.max_width == "400px" and wire.messages[-1]["size"] == [400, 320]
    board.show(replace(table(), layers=table().layers[:2]))
    assert wire.messages[-1]["height"] == 3, "with the one for the focus"


def test_another_theme_redraws_all_in_its_colours_and_the_same_one_sends_nothing(board, wire):
    board.theme = "light"
    assert len(wire.messages) == 1
    board.theme = "dark"
    colours = {colour for style in wire.styles for colour in style[:2]}
    assert {THEMES["dark"][t] for t in ("sea_deep", "card_back", "ink")} <= colours
    assert wire.messages[-1]["tones"][0] == THEMES["dark"]["accent"]
    with pytest.raises(OptionError):
        board.theme = "sepia"
    assert board.theme == "dark"


def test_a_colour_that_is_none_leaves_the_next_message_whole(board, wire):
    good = table("KC")
    bad = replace(good, layers=(*good.layers[:3], Layer("labels", (Circle(9, 9, 9, Style("mauve")),))))
    with refused(OptionError, CORE, "view.colour", name="'mauve'"):
        board.show(bad)
    assert len(wire.messages) == 1
    board.show(good)
    assert len(wire.messages) == 2 and wire.sheets() == [2] and wire.drawn(2)


def test_frames_and_their_bytes_are_counted(board, wire):
    frames = board.painter.frames
    board.show(table("KC"))
    board.focus("B1")
    assert board.painter.frames == frames + 2
    assert board.painter.last_frame_bytes == len(json.dumps(wire.messages[-1])) < len(json.dumps(wire.messages[0]))


def test_a_thousand_hexes_are_sent_once(monkeypatch):
    angle = np.arange(6) * np.pi / 3
    hexes = [
        tuple(zip(20 * i + 11 * np.sin(angle), 20 * j + 11 * np.cos(angle), strict=True))
        for i in range(40)
        for j in range(30)
    ]
    sea = Layer("sea", tuple(Polygon(h, Style("sea_deep", "grid")) for h in hexes))
    board = Board()
    board.show(Scene(800, 600, (sea,)))
    assert board.painter.last_frame_bytes < 120_000
    board.show(Scene(800, 600, (Layer("sea", (*sea.shapes[:600], Circle(9, 9, 3, Style("ink")), *sea.shapes[600:])),)))
    assert board.painter.last_frame_bytes < 200, "two runs and what lies between"


def drawing(monkeypatch, *shapes):
    board = Board()
    board.show(Scene(100, 100, (Layer("only", shapes),)))
    return Wire(board, monkeypatch).drawn(0)


def test_order_and_kinds_are_kept_and_an_arrow_is_a_line_and_its_head(monkeypatch):
    blue, ink = [THEMES["light"][token] for token in ("blue", "ink")]
    shapes = (
        Circle(9, 9, 5, Style("blue")),
        Rect(0, 0, 9, 9.04, Style("blue"), 2),
        Line(((0, 0), (9, 9)), Style(None, "ink", 2, (4, 2)), arrow=True),
        Text(50, 50, "8", Style("ink"), 16, bold=True),
    )
    circle, rect, line, head, text = drawing(monkeypatch, *shapes)
    assert circle == ["c", [blue, 0, 1, 1, []], 9, 9, 5] and rect[2:] == [0, 0, 9, 9, 2]
    assert line[:2] == ["l", [0, ink, 2, 1, [4, 2]]] and head[0] == "p" and head[2:4] == [9, 9]
    assert text[2:] == [50, 50, 16, "middle", 1, "8"]


def test_what_paints_nothing_is_not_sent(monkeypatch):
    assert drawing(monkeypatch, Text(9, 9, "8♦", Style()), Rect(0, 0, 9, 9, Style())) == []


def test_focus_ring_goes_around_its_cell_uppermost(board, wire):
    board.focus("B1")
    assert wire.sheets() == [4] and [part[0] for part in wire.drawn(4)] == ["p", "p"]
    assert "B1, face down" in board.widget.children[2].value
    board.focus(None)
    assert wire.drawn(4) == [] and "B1" not in board.widget.children[2].value
    with refused(OptionError, CORE, "view.focus", id="'Z9'"):
        board.focus("Z9")


def test_focus_goes_when_its_cell_goes(board):
    board.focus("C2")
    board.show(table(columns=2))
    assert board.focused is None


def test_keys_move_the_focus_and_choose(board, points):
    def key(name):
        event(board, event="key_down", key=name, shift_key=False, ctrl_key=False, meta_key=False)

    key("Enter")
    key("ArrowRight")
    assert board.focused == "A0"
    for name in ("ArrowRight", "ArrowDown", "Enter", "ArrowLeft", " ", "q"):
        key(name)
    assert points == ["B1", "A1"]
    key("Escape")
    assert board.focused is None


def test_widget_carries_the_classes_and_the_description(board):
    assert "nk-board" in board.widget._dom_classes
    canvas, alt, focus, _painter = board.widget.children
    for part, name in ((canvas, "nk-canvas"), (alt, "nk-alt"), (focus, "nk-focus")):
        assert name in part._dom_classes
    assert "nk-alt" in alt._dom_classes
    assert "Nine &lt;cards&gt;." in alt.value and board.description == "Nine <cards>."
    assert canvas.layout.width == "100%" and canvas.layout.max_width == "300px"
