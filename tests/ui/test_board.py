"""The canvas painter without a browser: what it sends, and what a click comes back as."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from ipycanvas.canvas import COMMANDS

from navalkit.core.errors import OptionError
from navalkit.ui.board import CANVASES, SCALE, Board
from navalkit.view import cards
from navalkit.view.scene import Cell, Circle, Layer, Line, Polygon, Rect, Scene, Style, Text, rect_outline
from navalkit.view.theme import THEMES

NAMES = {number: name for name, number in COMMANDS.items()}


def table(label="8D", columns=3):
    """Nine cards, the first face up, on a sea, with a name above."""
    places = {
        f"{c}{r}": (20 + 60 * i, 40 + 80 * r) for r in range(3) for i, c in enumerate("ABCDEF"[:columns])
    }
    shapes = [shape for x, y in list(places.values())[1:] for shape in cards.face_down(x, y, 44, 62)]
    cells = tuple(Cell(id, rect_outline(x, y, 44, 62), f"{id}, face down") for id, (x, y) in places.items())
    layers = (
        Layer("sea", (Rect(0, 0, 300, 320, Style("sea_deep")),)),
        Layer("backs", tuple(shapes)),
        Layer("face", cards.card(*places["A0"], 44, 62, label)),
        Layer("labels", (Text(100, 20, "Ocean", Style("ink")),)),
    )
    return Scene(300, 320, layers, cells, "Ocean", "Nine <cards>.")


class Wire:
    """Listens to what goes to the browser: each message is a list of (canvas, command, arguments)."""

    def __init__(self, board):
        self.messages = []
        self.bytes = []
        manager = board.canvas._canvas_manager
        self.index = {f"IPY_MODEL_{c.model_id}": i for i, c in enumerate(board.canvas._canvases)}
        board.redraw()  # so that the test begins from a painted board
        manager.send = self.send

    def send(self, content, buffers=None):
        commands, canvas, drawn = json.loads(bytes(buffers[0])), None, []
        for number, args, *_ in commands:
            if NAMES[number] == "switchCanvas":
                canvas = self.index[args[0]]
            else:
                drawn.append((canvas, NAMES[number], args))
        self.messages.append(drawn)
        self.bytes.append(len(json.dumps(content)) + sum(memoryview(b).nbytes for b in buffers))

    def canvases(self):
        """Canvases that the last message drew on."""
        return sorted({canvas for canvas, _, _ in self.messages[-1]})

    def commands(self, *names):
        return [name for _, name, _ in self.messages[-1] if name in names or not names]


@pytest.fixture
def points():
    return []


@pytest.fixture
def board(points):
    board = Board(points.append)
    board.show(table())
    yield board
    board.canvas._canvas_manager.__dict__.pop("send", None)


def event(board, **content):
    board.canvas[-1]._handle_frontend_event(None, content, [])


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


def test_an_equal_scene_sends_nothing(board):
    wire, frames = Wire(board), board.frames
    board.show(table())
    assert wire.messages == [] and board.frames == frames


def test_a_changed_layer_redraws_its_canvas_alone_in_one_message(board):
    wire = Wire(board)
    board.show(table("KC"))
    assert len(wire.messages) == 1 and wire.canvases() == [2]
    assert ("fillText" in wire.commands()) and "K" in [
        a[0] for _, name, a in wire.messages[0] if name == "fillText"
    ]


def test_a_frame_begins_by_naming_its_canvas_even_if_it_drew_there_last(board):
    wire = Wire(board)
    board.show(table("KC"))
    board.show(table("QC"))
    assert all(canvas is not None for message in wire.messages for canvas, _, _ in message)


def test_a_client_that_is_ready_gets_everything_again(board):
    wire = Wire(board)
    event(board, event="client_ready")
    event(board, event="client_ready")
    assert len(wire.messages) == 2 and wire.messages[0] == wire.messages[1]
    assert wire.canvases() == list(range(CANVASES)) and "fillPolygons" in wire.commands()


def test_layers_beyond_the_canvases_share_one_and_are_all_drawn():
    board = Board()
    board.show(
        Scene(90, 90, tuple(Layer(f"{i}", (Text(9, 9, f"word {i}", Style("ink")),)) for i in range(9)))
    )
    wire = Wire(board)
    board.redraw()
    assert [a[0] for _, name, a in wire.messages[-1] if name == "fillText"] == [f"word {i}" for i in range(9)]
    board.canvas._canvas_manager.__dict__.pop("send", None)


def test_a_scene_of_another_size_resizes_the_canvas_and_redraws_all(board):
    wire = Wire(board)
    board.show(replace(table(), width=400))
    assert (board.canvas.width, board.canvas.height) == (400 * SCALE, 320 * SCALE)
    assert board.canvas.layout.max_width == "400px" and wire.canvases() == list(range(CANVASES))


def test_another_theme_redraws_all_in_its_colours_and_the_same_one_sends_nothing(board):
    wire = Wire(board)
    board.theme = "light"
    assert wire.messages == []
    board.theme = "dark"
    styles = {a[1] for _, name, a in wire.messages[-1] if name == "set"}
    assert {THEMES["dark"][t] for t in ("sea_deep", "card_back", "ink")} <= styles
    with pytest.raises(OptionError):
        board.theme = "sepia"
    assert board.theme == "dark"


def test_an_exception_while_drawing_leaves_nothing_held_and_the_next_frame_whole(board):
    wire = Wire(board)
    good = table("KC")
    bad = replace(good, layers=(*good.layers[:3], Layer("labels", (Circle(9, 9, 9, Style("mauve")),))))
    with pytest.raises(OptionError, match="mauve"):
        board.show(bad)
    manager = board.canvas._canvas_manager
    assert not manager._caching and manager._commands_cache == [] == manager._buffers_cache
    assert wire.messages == []
    board.show(good)
    assert len(wire.messages) == 1 and wire.canvases() == [2]


def test_frames_and_their_bytes_are_counted(board):
    wire, frames = Wire(board), board.frames
    board.show(table("KC"))
    board.focus("B1")
    assert board.frames == frames + 2
    assert board.last_frame_bytes == wire.bytes[-1] < wire.bytes[0]


def test_a_thousand_hexes_take_a_handful_of_commands():
    angle = np.arange(6) * np.pi / 3
    hexes = [
        tuple(zip(20 * i + 11 * np.sin(angle), 20 * j + 11 * np.cos(angle), strict=True))
        for i in range(40)
        for j in range(30)
    ]
    sea = (Layer("sea", tuple(Polygon(h, Style("sea_deep")) for h in hexes)),)
    grid = (Layer("grid", tuple(Polygon(h, Style(None, "grid")) for h in hexes)),)
    board = Board()
    board.show(Scene(800, 600, sea + grid))
    wire = Wire(board)
    board.redraw()
    assert wire.commands("fillPolygons", "strokePolygons") == ["fillPolygons", "strokePolygons"]
    assert len(wire.messages) == 1 and board.last_frame_bytes < 150_000
    board.canvas._canvas_manager.__dict__.pop("send", None)


def drawing(*shapes):
    board = Board()
    board.show(Scene(100, 100, (Layer("only", shapes),)))
    wire = Wire(board)
    board.redraw()
    board.canvas._canvas_manager.__dict__.pop("send", None)
    return wire


def test_shapes_that_touch_are_one_batch_and_shapes_that_overlap_keep_their_order():
    both = Style("card", "ink")
    side_by_side = (Rect(10, 10, 20, 20, both), Rect(30, 10, 20, 20, both))
    assert drawing(*side_by_side).commands("fillPolygons", "strokePolygons") == [
        "fillPolygons",
        "strokePolygons",
    ]
    overlapping = (Rect(10, 10, 20, 20, both), Rect(15, 10, 20, 20, both))
    assert (
        drawing(*overlapping).commands("fillPolygons", "strokePolygons")
        == ["fillPolygons", "strokePolygons"] * 2
    )


def test_order_of_unlike_shapes_is_kept():
    shapes = (
        Circle(9, 9, 5, Style("blue")),
        Rect(0, 0, 9, 9, Style("green")),
        Circle(50, 50, 5, Style("blue")),
        Line(((0, 0), (9, 9)), Style(None, "ink"), arrow=True),
    )
    kinds = ("fillCircles", "fillPolygons", "strokeLineSegments")
    assert drawing(*shapes).commands(*kinds) == [
        "fillCircles", "fillPolygons", "fillCircles", "strokeLineSegments", "fillPolygons"
    ]  # fmt: skip


def test_unpainted_texts_and_empty_styles_send_no_drawing():
    wire = drawing(Text(9, 9, "8♦", Style()), Rect(0, 0, 9, 9, Style()))
    assert set(wire.commands()) <= {"clear", "set"}


def test_text_is_drawn_at_twice_its_size():
    wire = drawing(Text(50, 50, "8", Style("ink"), 16, bold=True))
    font = next(a[1] for _, name, a in wire.messages[-1] if name == "set" and a[0] == 3)
    assert font.startswith("bold 32px ")
    assert next(a for _, name, a in wire.messages[-1] if name == "fillText") == [
        "8",
        100,
        pytest.approx(111.2),
    ]


def test_focus_ring_goes_around_its_cell_on_a_canvas_of_its_own(board):
    wire = Wire(board)
    board.focus("B1")
    assert wire.canvases() == [CANVASES - 1] and wire.commands("strokePolygons") == ["strokePolygons"] * 2
    assert "B1, face down" in board.widget.children[2].value
    board.focus(None)
    assert wire.commands("strokePolygons") == [] and "B1" not in board.widget.children[2].value
    with pytest.raises(OptionError, match="Z9"):
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
    canvas, alt, focus = board.widget.children
    for part, name in ((canvas, "nk-board-canvas"), (alt, "nk-board-alt"), (focus, "nk-board-focus")):
        assert name in part._dom_classes
    assert "nk-alt" in alt._dom_classes
    assert "Nine &lt;cards&gt;." in alt.value and board.description == "Nine <cards>."
    assert canvas.layout.width == "100%" and canvas.layout.max_width == "300px"
