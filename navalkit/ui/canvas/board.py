"""The board: shows a scene in the browser and says which cell was pointed at.

The canvas is ipycanvas's, which hears the pointer and the keys; what is on it its painter draws (`painter`).

For a page's style sheet and script: the box has the class ``nk-board``, the canvas ``nk-canvas``, the
description (to be its ``aria-label``) ``nk-alt`` and the sentence about the cell in focus
``nk-focus``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from ipycanvas import Canvas
from ipywidgets import Layout

from navalkit.core.echo import brief
from navalkit.core.errors import OptionError
from navalkit.core.language.say import SAY as CORE
from navalkit.view.effect import Film
from navalkit.view.hit_test import hit, neighbour
from navalkit.view.scene import Cell, Layer, Point, Polygon, Scene, Style
from navalkit.view.theme import theme as find_theme

from ..widgets import HTML, Box
from .painter import Outlines, Painter

SCALE = 2
"""Canvas pixels to the CSS pixel: text stays crisp on dense screens and at projector size."""

_STRIDE = 8 * SCALE  # canvas pixels between the places that a drag looks at
_ARROWS = {"ArrowLeft": "left", "ArrowRight": "right", "ArrowUp": "up", "ArrowDown": "down"}
_HIDDEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap"


class Board:
    """A scene on a canvas.

    ``on_point`` is called with a cell's id when it is clicked, tapped, or chosen with Enter. ``theme``: name of a theme
    of `navalkit.view.theme`. ``on_drag`` is called with the id of each further cell that the pointer comes to while it
    stays pressed. The box then has the class ``nk-drag``. ``widget``: what to display.
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
        self._theme = find_theme(theme)
        self._scene: Scene | None = None
        self._focus: str | None = None
        self._cells: Outlines = ()
        self._facts: Mapping[str, Any] = {}
        self.canvas = Canvas(layout=Layout(width="100%", height="auto"))
        self.canvas.add_class("nk-canvas")
        self._alt, self._focus_alt = (_hidden(name) for name in ("nk-alt", "nk-focus"))
        column = Layout(display="flex", flex_flow="column", width="100%", overflow="hidden")
        self.painter = Painter(self.canvas, self._theme)
        self.widget = Box([self.canvas, self._alt, self._focus_alt, self.painter], layout=column)
        self.widget.add_class("nk-board")
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

    def show(
        self,
        scene: Scene,
        cells: Outlines = (),
        facts: Mapping[str, Any] | None = None,
        film: Film | None = None,
        speed: float = 1,
    ) -> None:
        """Show a scene: of a changed one only what has changed is sent, of an equal one nothing. The rest
        is as for `Painter.paint`."""
        width, height = round(scene.width * SCALE), round(scene.height * SCALE)
        with self.canvas.hold_sync():
            self.canvas.width, self.canvas.height = width, height
        self.canvas.layout.max_width = f"{scene.width:g}px"
        self._scene, self._cells = scene, cells
        self._facts = {"size": [round(scene.width), round(scene.height)], **(facts or {})}
        if self._focus is not None and scene.cell(self._focus) is None:
            self._focus = None
        self._alt.value = _hide(escape(" ".join(filter(None, (scene.title, scene.desc)))))
        self._paint(film, speed)

    def redraw(self) -> None:
        """Paint everything anew, whatever was painted before."""
        self.painter.forget(self._theme)
        self._paint()

    def focus(self, cell_id: str | None) -> None:
        """Draw the focus ring around a cell, or with None around nothing, and tell a screen reader about it;
        OptionError for a cell that the scene has not."""
        if cell_id is not None and (self._scene is None or self._scene.cell(cell_id) is None):
            raise OptionError(CORE("view.focus", id=brief(cell_id)))
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

    def _paint(self, film: Film | None = None, speed: float = 1) -> None:
        """Send what differs from what is on the board, with the focus ring uppermost."""
        cell = self._scene.cell(self._focus) if self._scene and self._focus else None
        self._focus_alt.value = _hide(escape(cell.alt)) if cell else ""
        layers = self._scene.layers if self._scene else ()
        facts = {**self._facts, "focus": [round(v) for point in cell.outline for v in point] if cell else []}
        self.painter.paint((*layers, _ring(cell)), self._cells, facts, film, speed)


def _ring(cell: Cell | None) -> Layer:
    """The focus ring, edged in the colour of paper so that it is seen on light and dark cells alike."""
    styles = Style(None, "paper", 7), Style(None, "focus", 3)
    return Layer("focus", tuple(Polygon(cell.outline, style) for style in styles) if cell else ())


def _hidden(name: str) -> HTML:
    """A text for screen readers alone; the page's script makes it a live region where that is wanted."""
    text = HTML(layout=Layout(height="1px", min_height="0", margin="0", overflow="hidden"))
    text.add_class(name)
    return text


def _hide(markup: str) -> str:
    return f'<div style="{_HIDDEN}">{markup}</div>'
