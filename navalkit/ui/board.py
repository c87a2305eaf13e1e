"""The canvas painter: shows a scene in the browser and says which cell was pointed at.

A canvas forgets: what is drawn before a browser is there is lost, and so is everything when it comes back.
The board therefore keeps the scene, draws all of it whenever a client is ready, and otherwise only those
canvases whose layers have changed. A frame is one message; shapes of equal style that follow each other are
one command in it, their points one float32 array.

For a page's style sheet and script: the box has the class ``nk-board``, the canvas ``nk-board-canvas``, the
description (to be its ``aria-label``) ``nk-board-alt`` and the sentence about the cell in focus
``nk-board-focus``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from html import escape
from itertools import groupby
from typing import Any

import numpy as np
from ipycanvas import Canvas, MultiCanvas, hold_canvas
from ipywidgets import HTML, Box, Layout

from navalkit.core.errors import OptionError
from navalkit.view.extent import extent
from navalkit.view.flatten import BASELINE, arrow_head, rounded, shaft
from navalkit.view.hit_test import hit, neighbour
from navalkit.view.scene import Cell, Circle, Flat, Layer, Line, Point, Polygon, Rect, Scene, Style, Text
from navalkit.view.svg import FONT
from navalkit.view.theme import Theme
from navalkit.view.theme import theme as find_theme

SCALE = 2
"""Canvas pixels to the CSS pixel: text stays crisp on dense screens and at projector size."""

CANVASES = 8
"""The last one is for the focus ring; neighbouring layers share a canvas where there are too many."""

_STRIDE = 8 * SCALE  # canvas pixels between the places that a drag looks at
_ARROWS = {"ArrowLeft": "left", "ArrowRight": "right", "ArrowUp": "up", "ArrowDown": "down"}
_HIDDEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap"


class Board:
    """A scene on a canvas.

    Parameters
    ----------
    on_point : callable, optional
        Called with a cell's id when it is clicked, tapped, or chosen with Enter.
    theme : str
        Name of a theme of `navalkit.view.theme`.
    on_drag : callable, optional
        Called with the id of each further cell that the pointer comes to while it stays pressed. The box then has the
        class ``nk-drag``.

    Attributes
    ----------
    widget : ipywidgets.Box
        What to display.
    frames : int
        Frames sent so far: a repaint with nothing to draw is none.
    last_frame_bytes : int
        Size of the last frame's message, in bytes, headers not counted.
    """

    def __init__(
        self,
        on_point: Callable[[str], None] | None = None,
        theme: str = "light",
        on_drag: Callable[[str], None] | None = None,
    ) -> None:
        self.on_point, self.on_drag = on_point, on_drag
        self._pressed: Point | None = None  # where the pressed pointer was last, in canvas pixels
        self._under = ""  # the cell it was over
        self.frames = 0
        self.last_frame_bytes = 0
        self._theme = find_theme(theme)
        self._scene: Scene | None = None
        self._focus: str | None = None
        self._painted: list[tuple[Layer, ...] | None] = [()] * CANVASES
        self.canvas = MultiCanvas(CANVASES, layout=Layout(width="100%", height="auto"))
        self.canvas.add_class("nk-board-canvas")
        self._alt, self._focus_alt = (_hidden(name) for name in ("nk-board-alt", "nk-board-focus"))
        self._alt.add_class("nk-alt")  # which the template takes for the canvas's label
        column = Layout(display="flex", flex_flow="column", width="100%", overflow="hidden")
        self.widget = Box([self.canvas, self._alt, self._focus_alt], layout=column)
        self.widget.add_class("nk-board")
        self.canvas.on_client_ready(self.redraw)
        self.canvas.on_mouse_down(self._press)
        if on_drag:
            self.widget.add_class("nk-drag")
            self.canvas.on_mouse_move(self._move)
            self.canvas.on_mouse_up(self._release)
            self.canvas.on_mouse_out(self._release)
        self.canvas.on_touch_start(self._touch)
        self.canvas.on_key_down(lambda key, *_modifiers: self.press(key))

    @property
    def theme(self) -> str:
        """Name of the theme; setting it paints the board anew."""
        return self._theme.name

    @theme.setter
    def theme(self, name: str) -> None:
        new = find_theme(name)
        if new is not self._theme:
            self._theme = new
            self.redraw()

    @property
    def description(self) -> str:
        """What the board shows, in words."""
        return self._scene.desc if self._scene else ""

    @property
    def focused(self) -> str | None:
        """Id of the cell in focus, if any."""
        return self._focus

    def show(self, scene: Scene) -> None:
        """Paint a scene: of a changed one only the changed canvases are sent, of an equal one nothing."""
        width, height = round(scene.width * SCALE), round(scene.height * SCALE)
        if (width, height) != (self.canvas.width, self.canvas.height):
            self._resize(width, height)
            self._painted = [None] * CANVASES
        self.canvas.layout.max_width = f"{scene.width:g}px"
        self._scene = scene
        if self._focus is not None and scene.cell(self._focus) is None:
            self._focus = None
        self._alt.value = _hide(escape(" ".join(filter(None, (scene.title, scene.desc)))))
        self._paint()

    def _resize(self, width: int, height: int) -> None:
        """Give the canvases a size, each both sides in one message; the browser wipes them."""
        with ExitStack() as held:
            for canvas in (self.canvas, *self.canvas._canvases):
                held.enter_context(canvas.hold_sync())
            self.canvas.width, self.canvas.height = width, height

    def redraw(self) -> None:
        """Paint everything anew, whatever was painted before: for a client that has just come."""
        self._painted = [None] * CANVASES
        self._paint()

    def focus(self, cell_id: str | None) -> None:
        """Draw the focus ring around a cell, or with None around nothing, and tell a screen reader about it.

        Raises
        ------
        OptionError
            For a cell that the scene has not.
        """
        if cell_id is not None and (self._scene is None or self._scene.cell(cell_id) is None):
            raise OptionError(f'the board has no cell "{cell_id}" to put the focus on')
        self._focus = cell_id
        self._paint()

    def at(self, across: float, down: float) -> str:
        """Id of the cell at shares of the board's width and height; "" if none is there."""
        cell = hit(self._scene, across * self._scene.width, down * self._scene.height) if self._scene else None
        return cell.id if cell else ""

    def press(self, key: str) -> None:
        """Do what a key does: arrows move the focus, Enter and space point at its cell, Escape drops it."""
        if self._scene is None or not self._scene.cells:
            return
        if key in _ARROWS:
            at = self._focus
            first = self._scene.cells[0].id
            self.focus(first if at is None else neighbour(self._scene, at, _ARROWS[key]).id)
        elif key in ("Enter", " ") and self._focus is not None and self.on_point:
            self.on_point(self._focus)
        elif key == "Escape":
            self.focus(None)

    def _point(self, x: float, y: float) -> None:
        cell = hit(self._scene, x / SCALE, y / SCALE) if self._scene else None
        if cell and self.on_point:
            self.on_point(cell.id)

    def _press(self, x: float, y: float) -> None:
        cell = hit(self._scene, x / SCALE, y / SCALE) if self._scene else None
        self._pressed, self._under = (x, y), cell.id if cell else ""
        self._point(x, y)

    def _move(self, x: float, y: float) -> None:
        """Come to every cell between the last place and this one: a quick pointer skips none."""
        if self._pressed is None or self._scene is None or self.on_drag is None:
            return
        (x0, y0), self._pressed = self._pressed, (x, y)
        steps = int(max(abs(x - x0), abs(y - y0)) / _STRIDE) + 1
        for i in range(1, steps + 1):
            cell = hit(self._scene, (x0 + (x - x0) * i / steps) / SCALE, (y0 + (y - y0) * i / steps) / SCALE)
            if cell and cell.id != self._under:
                self._under = cell.id
                self.on_drag(cell.id)

    def _release(self, x: float, y: float) -> None:
        self._pressed = None

    def _touch(self, touches: Sequence[Point]) -> None:
        if len(touches) == 1:  # two fingers zoom the page
            self._point(*touches[0])

    def split(self) -> tuple[list[int], list[int]]:
        """The canvases under the uppermost that has pieces, those with pieces left out, and the canvases over it."""
        played = [any(layer.pieces for layer in layers or ()) for layers in self._painted]
        top = max((i for i, each in enumerate(played) if each), default=CANVASES - 1)
        return [i for i in range(top) if not played[i]], list(range(top + 1, CANVASES))

    def _paint(self) -> None:
        """Send a frame with all canvases whose layers differ from what is on them."""
        cell = self._scene.cell(self._focus) if self._scene and self._focus else None
        ring = (_ring(cell),) if cell else ()
        self._focus_alt.value = _hide(escape(cell.alt)) if cell else ""
        wanted = [*_shared(self._scene.layers if self._scene else ()), ring]
        stale = [i for i, (new, old) in enumerate(zip(wanted, self._painted, strict=True)) if new != old]
        if not stale:
            return
        with self._frame():
            for i in stale:
                canvas = self.canvas[i]
                canvas.clear()
                pen = _Pen(canvas, self._theme)
                for layer in wanted[i]:
                    pen.draw(layer.flat)
        self._painted = list(wanted)

    @contextmanager
    def _frame(self) -> Iterator[None]:
        """Hold all commands and send them as one message; if drawing fails, send none and hold nothing.

        ipycanvas's own `hold_canvas` stays held for ever after an exception. Its manager also leaves out the
        command that switches to the canvas it drew on last, which a client that has just come does not know:
        so each frame begins as if no canvas had been chosen.
        """
        manager = self.canvas._canvas_manager
        send, held, size = manager.send, manager._caching, 0

        def counting(content: Any, buffers: Any = None) -> None:
            nonlocal size
            size += len(json.dumps(content)) + sum(memoryview(buffer).nbytes for buffer in buffers or ())
            send(content, buffers=buffers)

        manager.send, manager._current_canvas = counting, None
        try:
            with hold_canvas():
                yield
        except BaseException:
            manager._commands_cache, manager._buffers_cache = [], []
            manager._current_canvas = None
            raise
        finally:
            manager._caching = held
            manager.send = send
        self.frames += 1
        self.last_frame_bytes = size


class _Pen:
    """Draws shapes on one canvas in as few commands as their order allows."""

    def __init__(self, canvas: Canvas, colours: Theme) -> None:
        self._canvas = canvas
        self._colours = colours
        self._set: dict[str, object] = {}
        self._dash: tuple[float, ...] | None = None
        self._use(line_join="round", text_baseline="alphabetic")

    def draw(self, shapes: Sequence[Flat]) -> None:
        """Draw shapes from back to front."""
        for (kind, style), run in groupby(shapes, lambda shape: (_kind(shape), shape.style)):
            if style.fill is None and style.stroke is None:
                continue
            self._use(global_alpha=style.opacity)
            for batch in _batches(list(run), both=style.fill is not None and style.stroke is not None):
                getattr(self, f"_{kind}")(batch, style)

    def _use(self, **attributes: object) -> None:
        """Set what is not yet so: each setting is a command to the browser."""
        for name, value in attributes.items():
            if self._set.get(name) != value:
                setattr(self._canvas, name, value)
                self._set[name] = value

    def _fill(self, style: Style) -> bool:
        if style.fill:
            self._use(fill_style=self._colours[style.fill])
        return style.fill is not None

    def _stroke(self, style: Style) -> bool:
        if style.stroke:
            self._use(stroke_style=self._colours[style.stroke], line_width=style.width * SCALE)
            if style.dash != self._dash:
                self._canvas.set_line_dash([each * SCALE for each in style.dash])
                self._dash = style.dash
        return style.stroke is not None

    def _polygon(self, shapes: Sequence[Rect | Polygon], style: Style) -> None:
        points, counts = _flat([rounded(s) if isinstance(s, Rect) else s.points for s in shapes])
        if self._fill(style):
            self._canvas.fill_polygons(points, counts)
        if self._stroke(style):
            self._canvas.stroke_polygons(points, counts)

    def _circle(self, shapes: Sequence[Circle], style: Style) -> None:
        x, y, r = (SCALE * np.array([(s.x, s.y, s.r) for s in shapes], dtype=np.float32)).T
        if self._fill(style):
            self._canvas.fill_circles(x, y, r)
        if self._stroke(style):
            self._canvas.stroke_circles(x, y, r)

    def _line(self, shapes: Sequence[Line], style: Style) -> None:
        if self._stroke(style):
            self._canvas.stroke_line_segments(*_flat([shaft(line) for line in shapes]))
            if heads := [head for line in shapes if (head := arrow_head(line))]:
                self._fill(Style(fill=style.stroke))
                self._canvas.fill_polygons(*_flat(heads))

    def _text(self, shapes: Sequence[Text], style: Style) -> None:
        for s in shapes:
            align = "center" if s.anchor == "middle" else s.anchor
            self._use(font=f"{'bold ' if s.bold else ''}{s.size * SCALE:g}px {FONT}", text_align=align)
            at = s.text, s.x * SCALE, (s.y + BASELINE * s.size) * SCALE
            if self._stroke(style):
                self._canvas.stroke_text(*at)
            if self._fill(style):
                self._canvas.fill_text(*at)


def _kind(shape: Flat) -> str:
    """What is drawn by the same command: a rectangle is a polygon too."""
    return "polygon" if isinstance(shape, Rect) else type(shape).__name__.lower()


def _batches(run: list[Any], both: bool) -> Iterator[list[Any]]:
    """Split a run of shapes of one style into lists that one command may draw without changing the picture.

    A command fills all its shapes and the next strokes them all. Where shapes are ``both`` filled and
    stroked, one must not lie over another: its fill would fail to hide the other's edge. Whether they might
    is judged by their boxes. So a map of hexes is drawn fastest as one run of fills and then one of strokes.
    """
    if not both or isinstance(run[0], Text):
        yield run
        return
    boxes = np.array([_box(shape) for shape in run])
    start = 0
    for i in range(1, len(run)):
        before, (x0, y0, x1, y1) = boxes[start:i], boxes[i]
        apart = (before[:, 0] >= x1) | (before[:, 2] <= x0) | (before[:, 1] >= y1) | (before[:, 3] <= y0)
        if not apart.all():
            yield run[start:i]
            start = i
    yield run[start:]


def _box(shape: Rect | Polygon | Circle) -> tuple[float, float, float, float]:
    """Left, top, right, bottom, with a hair taken off: squares that share an edge do not overlap."""
    left, top, right, bottom = extent((shape,))
    return left + 1e-6, top + 1e-6, right - 1e-6, bottom - 1e-6


def _flat(outlines: Sequence[Sequence[Point]]) -> tuple[np.ndarray, np.ndarray]:
    """All points as one (n, 2) float32 array in canvas pixels, and the number of points of each outline."""
    points = np.array([point for outline in outlines for point in outline], dtype=np.float32)
    return points * np.float32(SCALE), np.array([len(outline) for outline in outlines], dtype=np.int32)


def _shared(layers: Sequence[Layer]) -> list[tuple[Layer, ...]]:
    """Layers on their canvases: one each, or neighbours together from the uppermost down; pieces keep to themselves."""
    groups: list[tuple[Layer, ...]] = [(layer,) for layer in layers]
    for apart in (True, False):
        while len(groups) >= CANVASES:
            alike = (
                i
                for i in range(len(groups) - 1, 0, -1)
                if not apart or bool(groups[i][0].pieces) == bool(groups[i - 1][0].pieces)
            )
            if not (i := next(alike, 0)):
                break
            groups[i - 1 : i + 1] = [groups[i - 1] + groups[i]]
    return groups + [()] * (CANVASES - 1 - len(groups))


def _ring(cell: Cell) -> Layer:
    """The focus ring, edged in the colour of paper so that it is seen on light and dark cells alike."""
    styles = Style(None, "paper", 7), Style(None, "focus", 3)
    return Layer("focus", tuple(Polygon(cell.outline, style) for style in styles))


def _hidden(name: str) -> HTML:
    """A text for screen readers alone; the page's script makes it a live region where that is wanted."""
    text = HTML(layout=Layout(height="1px", min_height="0", margin="0", overflow="hidden"))
    text.add_class(name)
    return text


def _hide(markup: str) -> str:
    return f'<div style="{_HIDDEN}">{markup}</div>'
