"""The board: shows a scene in the browser and says which cell was pointed at.

The canvas is ipycanvas's, which hears the pointer and the keys; what is on it its painter draws (`painter`).

For a page's style sheet and script: the box has the class ``nk-board``, the canvas ``nk-canvas``, the description (to
be its ``aria-label``) ``nk-alt`` and the sentence about the cell in focus ``nk-focus``.
"""

from __future__ import annotations
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import traitlets
from ipycanvas import Canvas
from ipywidgets import Layout, widget_serialization

from navalkit.core.errors import OptionError, brief
from navalkit.core.shown import Markup, html
from navalkit.core.words import SAY as CORE
from navalkit.view.film import Film, Mark
from navalkit.view.painters import Looks, packed, runs
from navalkit.view.scene import Cell, Layer, Line, Point, Polygon, Scene, Style, Text, extent, hit, neighbour
from navalkit.view.theme import FONT, Theme, theme as find_theme
from . import SAY
from .widgets import HTML, Box, Scripted, Spoken

# -- The painter of a board: an invisible widget whose script draws pictures and plays films on the board's canvas
# All that a change shows comes in one message, without what the browser knows already (`navalkit.view.painters`).
# A browser that has just come knows nothing: its script asks, and is sent everything.

Outlines = Sequence[tuple[Point, ...]]
MOST_LOOKS = 8000
"""Looks that a browser keeps; with more, everything is sent anew."""


class Painter(Scripted, Spoken):
    """Draws on a canvas. ``frames``: messages sent so far: a repaint with nothing to draw is none.
    ``last_frame_bytes``: size of the last one, in bytes."""

    _esm = Path(__file__).with_name("stage.js")
    canvas = traitlets.Instance(Canvas).tag(sync=True, **widget_serialization)
    words: Any = traitlets.List().tag(sync=True)
    font = traitlets.Unicode(FONT).tag(sync=True)

    def __init__(self, canvas: Canvas, colours: Theme) -> None:
        super().__init__(canvas=canvas, layout={"display": "none"})
        self.frames, self._last = 0, dict[str, Any]()
        self._layers: Sequence[Layer] = ()
        self._cells: Outlines = ()
        self._facts: Mapping[str, Any] = {}
        self.forget(colours)
        self.hear(ready=self._begin)
        self.relabel()

    @property
    def last_frame_bytes(self) -> int:
        return len(json.dumps(self._last)) if self._last else 0

    def relabel(self) -> None:
        self.words = [SAY("waiting.press"), SAY("waiting.presses", n="{n}"), SAY("waiting.double")]

    def forget(self, colours: Theme) -> None:
        """Take it that the browser knows nothing, and shall be painted in these colours."""
        self._looks, self._fresh = Looks(colours), True
        self._painted: list[Layer] = []
        self._told: dict[str, Any] = {}

    def paint(self, layers: Sequence[Layer], cells: Outlines, facts: Mapping[str, Any], film: Film | None = None,
              speed: float = 1) -> None:
        """Show these layers, and before them a film; send what the browser does not know of them.

        ``layers``: from back to front. ``cells``: what is lit when it is pressed. ``facts``: what else the script is to
        know: "size" of the scene (px), "rings", "lights", "focus" (its outline), "silent". ``speed``: how many times as
        fast as usual it is played.
        """
        if len(self._looks) > MOST_LOOKS:
            self.forget(self._looks.colours)
        looks, old = self._looks, self._painted
        stale = [i for i, layer in enumerate(layers) if i >= len(old) or old[i] != layer]
        message: dict[str, Any] = {"layers": [[i, *looks.layer(layers[i])] for i in stale]} if stale else {}
        told = {**facts, "cells": runs(map(looks.outline, cells)), "height": len(layers)}
        message |= {name: fact for name, fact in told.items() if self._told.get(name) != fact}
        if film is not None and film.ms:
            places = {each.id: n for n, each in enumerate(piece for layer in layers for piece in layer.pieces)}
            message |= {"film": packed(film, looks, places) | self._before(film.under, layers), "speed": speed}
        self._layers, self._cells, self._facts = layers, cells, facts
        if self._fresh:
            message |= {"fresh": True, "tones": [looks.colours[tone] for tone in _TONES]}
        if message:
            self._last = message = message | looks.news() | {"do": "paint"}
            self.frames += 1
            self.send(message)
        self._painted, self._fresh = list(layers), False
        self._told = told

    def _before(self, under: Sequence[Layer], layers: Sequence[Layer]) -> dict[str, Any]:
        """The layers that a film shows as they were: those that the browser has kept by their numbers, and others."""
        kept, sent, named = [], [], {layer.name: layer for layer in under}
        for i, layer in enumerate(layers):
            was = named.get(layer.name, layer)
            if was != layer and not (was.pieces or layer.pieces or layer.late):
                known = i < len(self._painted) and self._painted[i] == was
                kept += [i] if known else []
                sent += [] if known else [[i, *self._looks.layer(was)]]
        return {"keep": kept, "was": sent}

    def _begin(self, _message: dict[str, Any]) -> None:
        """A browser has just come."""
        self.forget(self._looks.colours)
        self.paint(self._layers, self._cells, self._facts)


_TONES = "accent", "select", "focus", "on_accent"  # of rings, lights, edges, and of words on rings
SCALE = 2
"""Canvas pixels to the CSS pixel: text stays crisp on dense screens and at projector size."""

_STRIDE = 8 * SCALE  # canvas pixels between the places that a drag looks at
_ARROWS = {"ArrowLeft": "left", "ArrowRight": "right", "ArrowUp": "up", "ArrowDown": "down"}
_HIDDEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap"


class Board:
    """A scene on a canvas. ``on_point`` is called with a cell's id when it is clicked, tapped, or chosen with Enter.
    ``theme``: name of a theme of `navalkit.view.theme`. ``on_drag`` is called with the id of each further cell that the
    pointer comes to while it stays pressed. The box then has the class ``nk-drag``. ``widget``: what to display."""

    def __init__(self, on_point: Callable[[str], None] | None = None, theme: str = "light",
                 on_drag: Callable[[str], None] | None = None) -> None:
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

    def show(self, scene: Scene, cells: Outlines = (), facts: Mapping[str, Any] | None = None, film: Film | None = None,
             speed: float = 1) -> None:
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
        self._alt.value = _hide(" ".join(filter(None, (scene.title, scene.desc))))
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

    def pressed(self, across: float, down: float) -> str:
        """The pointer is pressed at shares of the board's width and height: the id of the cell there, or ""."""
        scene = self._scene
        self._pressed = (across * scene.width * SCALE, down * scene.height * SCALE) if scene else None
        self._under = self.at(across, down)
        return self._under

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
        self._focus_alt.value = _hide(cell.alt) if cell else ""
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


def _hide(text: str) -> Markup:
    return html('<div style="{}">{}</div>', _HIDDEN, text)


# -- The stage: a game's board with the films that lead to what it shows, and rings and lights upon it
# The scene beneath a film is always the last one, so that a page whose browser plays nothing is right.

RINGED = 3
"""Pieces that moved last and are ringed: where more moved at once, a ring would tell nothing."""
OUTLINED = 800
"""Cells whose outlines are sent: where there are more, a press is lit where it falls."""
SIGN = 0.6  # mean width of a sign of a board's texts, of their size
_LASTING = ("ring", "hit", "sink")  # marks whose place is ringed after the film


class Stage:
    """Plays films on a board.

    ``rings``: whether what moved last is ringed. ``calm``: whether films are only kept: nothing is played, and nothing
    ringed. ``silent``: whether nothing is heard, whatever the reader's switch says: before a class. ``film``: the last
    one, and the scene it leads to. ``lights``: what is framed when the board is shown, each with a word beside it that
    says why ("Hint"). ``asking``: of whom it is asked whether a press on a place too small for a finger is meant: one
    of `ASKING`; "" for a board on which no press gives an order.
    """

    def __init__(self, board: Board, *, rings: bool = True) -> None:
        self._board, self._rings = board, rings
        self._moved: tuple[str, ...] = ()
        self._places: tuple[Mark, ...] = ()
        self._spots: Scene | None = None  # the scene in whose px those places are
        self.rings: list[list[int]] = []
        self.lights: Sequence[tuple[tuple[Point, ...], str]] = ()
        self.led: Any = None  # the action that a first game wants: no other is asked about, it is refused at once
        self.calm = self.silent = False
        self.asking = ""
        self.film: tuple[Scene, Film] | None = None

    def show(self, scene: Scene, made: Film | None = None, speed: float = 1.0) -> None:
        """Show a scene on the board; before it, play the film that leads there. With None for ``made``
        nothing has happened: the rings stay. ``speed``: how many times as fast as usual it is played."""
        if made is not None:
            self._moved, self._places = _marked(made) if self._rings and not self.calm else ((), ())
            self._spots = scene
            self.film = (scene, made) if made.ms else None
        pieces = scene.pieces()
        moved = [pieces[id] for id in self._moved if id in pieces]
        self.rings = [_mark(extent(piece.placed()), not piece.flips) for piece in moved]
        places = (_placed(each, self._spots, scene) for each in self._places)
        self.rings += [_mark((m.x - m.r, m.y - m.r, m.x + m.r, m.y + m.r), True) for m in places if m]
        lit = [[[round(v) for point in outline for v in point], word] for outline, word in self.lights]
        framed = [_near(outline) for outline, word in self.lights if word]
        written = list(_written(scene)) if self.rings or framed else []
        spared, free = ([box for box in written if any(_meet(box, place) for place in places)]
                        for places in (self.rings, framed))
        facts = {"rings": self.rings, "spared": spared, "lights": lit, "free": free, "silent": self.silent}
        asks = _asks(scene, self.led) if self.asking else []
        facts |= {"asking": [self.asking, SAY("confirm.not")], "asks": asks}
        cells = [cell.outline for cell in scene.cells] if len(scene.cells) <= OUTLINED else ()
        self._board.show(scene, cells, facts, None if self.calm else made, speed)

    def stop(self) -> None:
        """End a film; the board is seen as it is."""
        self._board.painter.send({"do": "stop"})

    def forget(self) -> None:
        """Another game is shown: no film of the last one, and nothing ringed."""
        self._moved, self._places, self.film = (), (), None
        self.stop()

    def answered(self) -> None:
        """Say that a press has its answer: its light goes out."""
        self._board.painter.send({"do": "answered"})


ASKING = "touch", "always", "never"
"""Who is asked before a press on a small place is an order: fingers only, a mouse too, or nobody."""


def _asks(scene: Scene, led: Any = None) -> list[list[Any]]:
    """Of each cell that a press does something at its number, and where that is an order, what the button says that
    confirms it, and what the place is in words."""
    if len(scene.cells) > OUTLINED:
        return []
    return [[n, confirming(cell) if led in (None, cell.action) else "", cell.alt] for n, cell in enumerate(scene.cells)
            if cell.action is not None or cell.pick is not None or cell.window is not None]


def confirming(cell: Cell) -> str:
    """What the button says that confirms a press on a cell; "" where a press is no order."""
    return (cell.ask or SAY("confirm.do", cell=cell.id)) if cell.action is not None else ""


def _marked(made: Film) -> tuple[tuple[str, ...], tuple[Mark, ...]]:
    """What a film leaves ringed: the pieces that came somewhere, and the places where something was hit."""
    moved = [each for each in made.goings if each.ms and (len(set(each.way)) > 1 or not each.before)]
    after = (each.after for each in moved if each.after)  # texts and lines are parts of a name
    came = [piece.id for piece in after if not all(isinstance(shape, Text | Line) for shape in piece.shapes)]
    places = {(mark.x, mark.y): mark for mark in made.marks if mark.kind in _LASTING}
    return (tuple(came) if len(came) <= RINGED else ()), tuple(places.values())[-RINGED:]


def _placed(mark: Mark, then: Scene | None, now: Scene) -> Mark | None:
    """A mark of one scene where its cell lies in another, which may show another part of a board; None if it does not
    show it."""
    if then is None or then is now:
        return mark
    boxes = ((extent((Polygon(cell.outline, Style()),)), cell.id) for cell in then.cells)
    held = [(box, id) for box, id in boxes if box[0] <= mark.x <= box[2] and box[1] <= mark.y <= box[3]]
    if not held:
        return mark
    was, id = min(held, key=lambda each: (each[0][2] - each[0][0]) * (each[0][3] - each[0][1]))
    if (cell := now.cell(id)) is None:
        return None
    box = extent((Polygon(cell.outline, Style()),))
    share = (box[2] - box[0]) / ((was[2] - was[0]) or 1.0)
    return replace(mark, x=box[0] + share * (mark.x - was[0]), y=box[1] + share * (mark.y - was[1]), r=share * mark.r)


_ASIDE = 60.0
"""Px about something framed in which a word that says why may come to stand."""


def _written(scene: Scene) -> Iterator[list[int]]:
    """About where texts are, left, top, width, height: a ring is not drawn across a name."""
    for text in scene.texts():
        if text.text:
            w, h = SIGN * text.size * len(text.text), 1.2 * text.size
            left = text.x - {"start": 0.0, "middle": w / 2, "end": w}[text.anchor]
            yield [round(v) for v in (left - 2, text.y - h / 2, w + 4, h)]


def _meet(box: Sequence[int], ring: Sequence[int]) -> bool:
    (x, y, w, h), (left, top, wide, high, _) = box, ring
    return x < left + wide and left < x + w and y < top + high and top < y + h


def _near(outline: Sequence[Point]) -> list[int]:
    """Where a word about something framed may stand: what is written there it does not hide."""
    left, top, right, bottom = extent((Polygon(tuple(outline), Style()),))
    return [round(v) for v in (left - _ASIDE, top - _ASIDE, right - left + 2 * _ASIDE, bottom - top + 2 * _ASIDE, 0)]


def _mark(box: tuple[float, float, float, float], round_: bool) -> list[int]:
    """Left, top, width, height and corner radius of a ring about a box: a circle about a ship, a frame about a card."""
    left, top, right, bottom = box
    if round_:
        x, y, r = (left + right) / 2, (top + bottom) / 2, max(right - left, bottom - top) / 2
        left, top, right, bottom = x - r, y - r, x + r, y + r
    pad = 5
    radius = (right - left) / 2 + pad if round_ else 10
    return [round(v) for v in (left - pad, top - pad, right - left + 2 * pad, bottom - top + 2 * pad, radius)]
