"""The legend under the sea: what is what, for as much of it as there is at this moment."""

from __future__ import annotations

from collections.abc import Iterator

from navalkit.view.scene import Circle, Flat, Layer, Piece, Rect, Shape, Style, Text

from ..sea.state import MarkerKind, State
from ..sea.tables import TABLES
from .scene import BANDS, BOAT_BAND
from .shapes import ships as hulls
from .shapes.labels import Box
from .shapes.view import View
from .words import SAY

LONG, HIGH, SIZE = 24.0, 22.0, 12.0  # px of a ship and of the line, and of its words
_LEFT, _RIGHT, _EM = 30.0, 58.0, 0.54  # px kept free beside it, and mean width of a letter, of its size


def legend(view: View, state: State) -> tuple[Layer, Box]:
    """One line at the lower edge of the sea, with as many of its entries as have room, and where it lies."""
    width, height = view.size
    x, y = _LEFT + 6, height - HIGH / 2 - 6
    shapes: list[Shape] = []
    for key, drawn in _entries(state):
        text = SAY(f"legend.{key}")
        wide = LONG + 14 + _EM * SIZE * len(text)
        if x + wide > width - _RIGHT:
            break
        shapes += Piece(key, x + LONG / 2, y, drawn, 90).placed()
        shapes.append(Text(x + LONG + 5, y, text, Style("ink"), SIZE, "start"))
        x += wide
    box = _LEFT, y - HIGH / 2, x, y + HIGH / 2
    plate = Rect(box[0], box[1], x - _LEFT, HIGH, Style("card", opacity=0.85), 6)
    return Layer("legend", (plate, *shapes) if shapes else ()), box


def _entries(state: State) -> Iterator[tuple[str, tuple[Flat, ...]]]:
    """What there is, the weightiest first, and how it is drawn, bow up."""
    if any(boat.active for boat in state.boats):
        yield "boat", hulls.ship("submarine", LONG, BOAT_BAND)
    afloat = {vessel.role: vessel for vessel in reversed(state.vessels) if not vessel.sunk}
    for role in (role for role in BANDS if role in afloat):
        yield role.value, hulls.ship(TABLES.vessels[afloat[role].type].kind, LONG, BANDS[role])
    if state.torpedoes:
        yield "torpedo", hulls.torpedo(18.0, BOAT_BAND)[1:]
    kinds = {marker.kind for marker in state.markers}
    rim = Style("yellow", "ink", 1.2)
    if MarkerKind.CONTACT in kinds:
        yield "contact", (Circle(0, 0, 7, rim),)
    if kinds & {MarkerKind.SURFACED, MarkerKind.VISIBLE}:
        dark = Circle(0, 0, 8, Style(None, "ink", 3.5, opacity=0.5))
        yield "visible", (dark, Circle(0, 0, 8, Style(None, "yellow", 2.2)))
    if kinds & {MarkerKind.CONTACT, MarkerKind.SURFACED, MarkerKind.VISIBLE}:
        yield "zone", (Circle(0, 0, 8, Style("orange", "orange", 1.5, (3, 2), 0.5)),)
    if MarkerKind.INVERTED in kinds:
        yield "inverted", (Circle(0, 0, 8, Style("card", "ink", 1.2)), Text(0, 0, "?", Style("ink"), SIZE, bold=True))
    if any(vessel.sunk for vessel in state.vessels) or any(boat.sunk for boat in state.boats):
        yield "sunk", hulls.wreck("freighter", LONG)
