"""The window on the sea, which is too large to show at once, and the buttons that move it."""

from __future__ import annotations

from enum import StrEnum

from navalkit.view.scene import Cell, Layer, Polygon, Rect, Shape, Style, Text, rect_outline

from ..sea.state import State
from . import conn
from .view import CLOSEST, TALL, WIDE, View, everything, fit, followed
from .words import SAY

PAN = 0.35
"""Share of the window that one press of an arrow moves it."""
ROUND = 28
"""Hexes round the boat whose ships the usual window shows."""
BUTTON = 38.0


class Move(StrEnum):
    """What a button does with the window."""

    IN = "in"
    OUT = "out"
    LEFT = "left"
    UP = "up"
    DOWN = "down"
    RIGHT = "right"
    WHOLE = "all"
    BOAT = "boat"


SIGNS = {Move.IN: "+", Move.OUT: "-", Move.WHOLE: "all", Move.BOAT: "boat"}
ARROWS = {Move.LEFT: (-1, 0), Move.RIGHT: (1, 0), Move.UP: (0, -1), Move.DOWN: (0, 1)}


def sea_size(tall: bool) -> tuple[float, float]:
    """Width and height of the sea: on a wide screen the panel beneath it takes its room from it."""
    width, height = TALL if tall else WIDE
    return width, height if tall else height - conn.height(width)


def window(seen: State, held: View | Move | None, size: tuple[float, float]) -> View:
    """The window: one that was chosen, everything, the boat from near, or by default the boat and what is about her."""
    if isinstance(held, View):
        return View(held.centre, held.zoom, size)
    boat = conn.shown_boat(seen)
    if boat is None or held is Move.WHOLE:
        return fit(everything(seen), size)
    if held is Move.BOAT:
        return View(boat.place.bow, CLOSEST, size)
    about = [v.place.bow for v in seen.vessels if v.place.bow.distance(boat.place.bow) <= ROUND]
    return followed(boat.place.bow, about, size)


def moved(seen: State, held: View | Move | None, move: Move, tall: bool) -> View | Move | None:
    """The window after a press on a button; `Move.WHOLE` and `Move.BOAT` are switched off by a second press."""
    if move in (Move.WHOLE, Move.BOAT):
        return None if held is move else move
    view = window(seen, held, sea_size(tall))
    if move in (Move.IN, Move.OUT):
        return view.zoomed(1 if move is Move.IN else -1)
    dx, dy = ARROWS[move]
    return view.moved(PAN * dx, PAN * dy)


def pad(tall: bool, width: float) -> tuple[Layer, tuple[Cell, ...]]:
    """The buttons that move the window: a column on the right, on a phone a row along the top."""
    shapes: list[Shape] = []
    cells = []
    for n, move in enumerate(Move):
        x, y = (n * (width - 4) / len(Move) + 4, 4.0) if tall else (width - BUTTON - 6, 22 + n * (BUTTON + 4))
        shapes.append(Rect(x, y, BUTTON, BUTTON, Style("card", "card_line", 1, opacity=0.92), 5))
        cx, cy = x + BUTTON / 2, y + BUTTON / 2
        if move in ARROWS:
            dx, dy = ARROWS[move]
            tip, ends = (cx + 8 * dx, cy + 8 * dy), (-6 * dx, -6 * dy)
            sides = [(cx + ends[0] + 8 * dy * k, cy + ends[1] + 8 * dx * k) for k in (1, -1)]
            shapes.append(Polygon((tip, *sides), Style("ink")))
        else:
            sign = SIGNS[move]
            shapes.append(Text(cx, cy, sign, Style("ink"), 20 if len(sign) == 1 else 13, glyph=False))
        cells.append(Cell(f"view:{move}", rect_outline(x, y, BUTTON, BUTTON), SAY(f"pad.{move}"), window=move))
    return Layer("pad", tuple(shapes)), tuple(cells)
