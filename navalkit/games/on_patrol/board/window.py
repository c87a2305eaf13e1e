"""The window on the sea, which is too large to show at once, and the buttons that move it."""

from __future__ import annotations
from enum import StrEnum
from typing import NamedTuple

from navalkit.grids.hex import DIRECTIONS
from navalkit.view.page import Look
from navalkit.view.scene import (
    Cell,
    Circle,
    Lasts,
    Layer,
    Line,
    Pick,
    Point,
    Polygon,
    Rect,
    Shape,
    Style,
    Text,
    rect_outline,
)
from ..sea.state import Boat, State, Vessel
from ..sea.tables import Edges
from . import conn
from .scene import BUTTON, HIGH, NARROW, PAD, SAY
from .shapes import CLOSEST, TALL, WIDE, View, everything, fit, followed

PAN = 0.35  # share of the window that one press of an arrow moves it
ROUND = 28  # hexes round the boat whose ships the window keeps in sight if it can
FAR = 2  # the least zoom of a first picture
FINGER = 5  # the zoom from which a hex is large enough for a finger that is asked (24 px)
EDGE = 0.14  # share of the window at its edges in which the boat makes it follow
_FARTHEST = 200  # hexes: nobody looks further for the edge of the map
MARGIN = 12.0  # px between the sea of a phone lying down and the panel beside it


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


class Aid(StrEnum):
    """What a button draws on the sea besides."""

    COMPUTER = "computer"
    PLOT = "plot"


class Window(NamedTuple):
    """Where one looks; what it follows: the boat, everything, or nothing (moved by hand); and a zoom chosen by hand."""

    view: View
    follows: Move | None = Move.BOAT
    zoom: int | None = None


ARROWS = {Move.LEFT: (-1, 0), Move.RIGHT: (1, 0), Move.UP: (0, -1), Move.DOWN: (0, 1)}


def sea_size(look: Look) -> tuple[float, float]:
    """Width and height of the sea: the panel beneath it takes its room from the board's."""
    width, height = look.room or (TALL if look.tall else WIDE)
    return (look.hole[0] - MARGIN, height) if look.hole else (width, height - conn.height(width))


def board_size(look: Look, view: View) -> tuple[float, float]:
    """Width and height of sea and panel together."""
    return look.room if look.hole and look.room else (view.size[0], view.size[1] + conn.height(view.size[0]))


def framed(seen: State, look: Look) -> Window:
    """The window for a position: the one before it as long as that holds what matters."""
    size, held = sea_size(look), look.window
    if not isinstance(held, Window):
        return _following(seen, size, Move.BOAT)
    if held.view.size == size and (held.follows is None or _holds(held, seen, size)):
        return held
    if held.follows is None:
        return Window(View(held.view.centre, held.view.zoom, size), None)
    return _following(seen, size, held.follows, held.zoom)


def _following(seen: State, size: tuple[float, float], what: Move, zoom: int | None = None) -> Window:
    boat = conn.shown_boat(seen)
    if boat is None or what is Move.WHOLE:
        return Window(_whole(seen, size), what)
    if (first := _first(seen, size)) and zoom is None:
        return Window(first, what)
    others = [v.place.bow for v in _about(seen, boat)]
    view = followed(boat.place.bow, others, size, zoom)
    if size[0] < NARROW:  # hexes that a finger finds, clear of the buttons; arrows point to what lies beyond
        clear = size[0], size[1] - PAD - HIGH - 8
        inner = followed(boat.place.bow, others, clear, max(view.zoom, FINGER) if zoom is None else zoom)
        view = View(inner.layout.hex_at(size[0] / 2, size[1] / 2 - PAD), inner.zoom, size)
    return Window(view, what, zoom)


def _first(seen: State, size: tuple[float, float]) -> View | None:
    """What a phone's game begins with: both sides, where they fit."""
    if seen.turn > 1 or size[0] >= NARROW:
        return None
    view = _whole(seen, size)
    return view if view.zoom >= FAR and all(map(view.holds, everything(seen))) else None


def _whole(seen: State, size: tuple[float, float]) -> View:
    """All that is on the sea."""
    low = HIGH + 6  # the legend
    rim = (22 + BUTTON, 0.0, low) if size[0] < NARROW else (22.0, BUTTON + 8, low)
    return fit(everything(seen), size, rim)


def _about(seen: State, boat: Boat) -> list[Vessel]:
    return [v for v in seen.vessels if v.place.bow.distance(boat.place.bow) <= ROUND]


def _holds(held: Window, seen: State, size: tuple[float, float]) -> bool:
    """Whether nothing that matters has left the window or come too near to its edge."""
    boat, view = conn.shown_boat(seen), held.view
    if boat is None or held.follows is Move.WHOLE:
        return all(map(view.holds, everything(seen)))
    at = view.layout.center(boat.place.bow)
    inside = all(EDGE * whole < here < (1 - EDGE) * whole for here, whole in zip(at, size, strict=True))
    wanted = _following(seen, size, Move.BOAT, held.zoom).view
    near = min(_about(seen, boat), key=lambda v: v.place.bow.distance(boat.place.bow), default=None)
    shown = near is None or view.holds(near.place.bow) or not wanted.holds(near.place.bow)
    small = size[0] < NARROW and held.zoom is None and view.zoom < min(FINGER, wanted.zoom)
    return inside and shown and not small and abs(wanted.zoom - view.zoom) <= 1


def moved(seen: State, look: Look, move: Move) -> Window:
    """The window after a press: a second press on "all" follows the boat again, one on "boat" comes near."""
    held = framed(seen, look)
    view, size = held.view, held.view.size
    if move in ARROWS:
        dx, dy = ARROWS[move]
        return Window(view.moved(PAN * dx, PAN * dy), None)
    if move is Move.WHOLE:
        return _following(seen, size, Move.BOAT if held.follows is move else move)
    if move is Move.BOAT:
        near = held.follows is move and held.zoom is None
        return _following(seen, size, move, CLOSEST if near else None)
    closer = view.zoomed(1 if move is Move.IN else -1)
    follows = held.follows is Move.BOAT and _first(seen, size) != view
    return Window(closer, Move.BOAT if follows else None, closer.zoom)


def pad(look: Look, width: float) -> tuple[Layer, tuple[Cell, ...]]:
    """The buttons that move the window and draw on it: columns on the right, on a phone a row along the top."""
    shapes: list[Shape] = []
    cells = []
    narrow = width < NARROW
    buttons: list[Move | Aid] = [*Aid, *((m for m in Move if m not in ARROWS) if narrow else Move)]
    for n, what in enumerate(buttons):
        box = (width - (n + 1) * (BUTTON + 5), 22.0) if narrow else (width - BUTTON - 8, 24 + n * (BUTTON + 4))
        on = isinstance(what, Aid) and bool(look.picks.get(what))
        shapes += _button(*box, what, on)
        outline, alt = rect_outline(*box, BUTTON, BUTTON), SAY(f"pad.{what}{'.on' if on else ''}")
        if isinstance(what, Aid):
            cells.append(Cell(f"aid:{what}", outline, alt, pick=Pick(what, True, Lasts.PAGE)))
        else:
            cells.append(Cell(f"view:{what}", outline, alt, window=what))
    return Layer("pad", tuple(shapes)), tuple(cells)


def _button(x: float, y: float, what: Move | Aid, on: bool) -> list[Shape]:
    face = Style("select" if on else "card", "card_line", 1, opacity=0.92)
    icon = _icon(x + BUTTON / 2, y + BUTTON / 2, what, "card" if on else "ink")
    return [Rect(x, y, BUTTON, BUTTON, face, 8), *icon]


def _icon(x: float, y: float, what: Move | Aid, ink: str) -> list[Shape]:
    line = Style(None, ink, 2)

    def stroke(*points: Point, arrow: bool = False) -> Line:
        return Line(tuple((x + dx, y + dy) for dx, dy in points), line, arrow)

    match what:
        case Move.IN | Move.OUT:
            return [Text(x, y, "+" if what is Move.IN else "-", Style(ink), 22, bold=True, glyph=False)]
        case Move.WHOLE:
            return [stroke((5 * a, 10 * b), (10 * a, 10 * b), (10 * a, 5 * b)) for a in (1, -1) for b in (1, -1)]
        case Move.BOAT:
            cross = [stroke((7 * a, 7 * b), (12 * a, 12 * b)) for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1))]
            return [Circle(x, y, 7, line), Circle(x, y, 2, Style(ink)), *cross]
        case Aid.COMPUTER:
            return [stroke((-9, 10), (a, -10), arrow=True) for a in (-7, 1, 9)]
        case Aid.PLOT:
            return [stroke((-11, 8), (-4, -3), (3, 3), (11, -9), arrow=True)]
    dx, dy = ARROWS[what]
    sides = [(x - 6 * dx + 8 * dy * k, y - 6 * dy + 8 * dx * k) for k in (1, -1)]
    return [Polygon(((x + 8 * dx, y + 8 * dy), *sides), Style(ink))]


def way_out(state: State, edges: Edges) -> tuple[int, int] | None:
    """Hexes to the nearest edge of the map for the first boat, and the course there; None for no boat, or no edge."""
    boat = next((boat.place.bow for boat in state.boats if boat.active), None)
    if boat is None or edges == Edges():
        return None
    near = min((next((n for n in range(1, _FARTHEST) if edges.outside(boat.step(course, n))), _FARTHEST), course)
               for course in DIRECTIONS)
    return near if near[0] < _FARTHEST else None
