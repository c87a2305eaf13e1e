"""A picture as data: shapes, labels and alt text in layers. Painters (canvas, SVG, text, PNG) draw it, nobody else.

Coordinates are in units of one CSS pixel at scale 1, x to the right, y downward. Colours are names of
theme tokens (``navalkit.view.theme``), never colours, so that one scene serves every theme.
"""

from __future__ import annotations
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from math import cos, hypot, radians, sin
from typing import Any

from navalkit.core.errors import OptionError, brief
from navalkit.core.words import SAY

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Style:
    """How a shape is painted: theme tokens for fill and stroke (None: not painted), line width and dashes."""

    fill: str | None = None
    stroke: str | None = None
    width: float = 1.0
    dash: tuple[float, ...] = ()
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle by its top left corner, with corners rounded by radius ``r``."""

    x: float
    y: float
    w: float
    h: float
    style: Style
    r: float = 0.0


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle about (x, y) with radius ``r``."""

    x: float
    y: float
    r: float
    style: Style


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed polygon."""

    points: tuple[Point, ...]
    style: Style


@dataclass(frozen=True, slots=True)
class Line:
    """An open line through ``points``; with ``arrow`` its end carries a head."""

    points: tuple[Point, ...]
    style: Style
    arrow: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text. ``anchor`` is start, middle or end; (x, y) is the anchor at the text's middle height."""

    x: float
    y: float
    text: str
    style: Style
    size: float = 16.0
    anchor: str = "middle"
    bold: bool = False
    glyph: bool = True  # the text painter shows it too; off for fine print that would clutter a terminal
    turn: float | None = None  # degrees clockwise that it is turned, with its piece; None: upright, whatever turns


Flat = Rect | Circle | Polygon | Line | Text
"""What painters draw."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A thing that stays itself from scene to scene: a ship, a counter, a card. What moves on a board is a piece. The
    stage sees by its id where it was and where it is, and moves it from there to here; nothing else need be said."""

    id: str
    """The same in all scenes of a game ("E1", "hand 3"). It reaches the browser: it tells nothing that is hidden."""
    x: float
    y: float
    """Where its origin lies."""
    shapes: tuple[Flat, ...]
    """What it looks like about (0, 0), heading up. They turn with it; a text keeps upright at its turned place."""
    heading: float = 0.0
    """Degrees clockwise from up."""
    flips: bool = False
    """Whether it is turned over like a card where its look changes; else one look fades into the other."""
    what: Hashable = None
    """What it is to its game, where a film asks for it: "fighter", ("row", 1). It stays in Python."""

    @property
    def pose(self) -> tuple[float, float, float]:
        """Where it lies, and its heading."""
        return self.x, self.y, self.heading

    def placed(self) -> tuple[Flat, ...]:
        """Its shapes where they lie on the board."""
        c, s = cos(radians(self.heading)), sin(radians(self.heading))

        def at(x: float, y: float) -> Point:
            return self.x + c * x - s * y, self.y + s * x + c * y

        def moved(shape: Flat) -> Flat:
            match shape:
                case Rect(x, y, w, h, style, r) if not self.heading:
                    return Rect(self.x + x, self.y + y, w, h, style, r)
                case Rect(x, y, w, h, style):
                    return Polygon(tuple(at(*corner) for corner in rect_outline(x, y, w, h)), style)
                case Circle(x, y, r, style):
                    return Circle(*at(x, y), r, style)
                case Polygon(points, style):
                    return Polygon(tuple(at(*point) for point in points), style)
                case Line(points, style, arrow):
                    return Line(tuple(at(*point) for point in points), style, arrow)
                case Text(x, y):
                    turned = at(x, y)
                    way = None if shape.turn is None else shape.turn + self.heading
                    return replace(shape, x=turned[0], y=turned[1], turn=way)

        return tuple(moved(shape) for shape in self.shapes)


Shape = Flat | Piece


class Lasts(Enum):
    """How long something picked stays so: until the next order, until a new game, or as long as the page is open."""

    ORDER = "order"
    GAME = "game"
    PAGE = "page"


@dataclass(frozen=True, slots=True)
class Pick:
    """Something on the page that a press switches on, and a second press off; it is no part of the game."""

    kind: Hashable
    """What is picked ("depth"). Of a kind one value is picked at a time."""
    value: Hashable = True
    """Which (100)."""
    lasts: Lasts = Lasts.GAME


@dataclass(frozen=True, slots=True)
class Picks:
    """All that is picked on a page."""

    picked: frozenset[Pick] = frozenset()

    @classmethod
    def of(cls, *picks: Pick) -> Picks:
        """These, each of another kind."""
        return cls(frozenset(picks))

    def __contains__(self, pick: Pick) -> bool:
        return pick in self.picked

    def __iter__(self) -> Iterator[Pick]:
        return iter(self.picked)

    def get(self, kind: Hashable) -> Any:
        """The value picked of a kind, or None."""
        return next((pick.value for pick in self.picked if pick.kind == kind), None)

    def toggled(self, pick: Pick) -> Picks:
        """After a press: switched off if it was on, else on in the place of what was picked of its kind."""
        others = frozenset(each for each in self.picked if each.kind != pick.kind)
        return Picks(others if pick in self.picked else others | {pick})

    def after_order(self) -> Picks:
        """What is left after an order."""
        return Picks(frozenset(each for each in self.picked if each.lasts is not Lasts.ORDER))

    def after_game(self) -> Picks:
        """What is left for a new game."""
        return Picks(frozenset(each for each in self.picked if each.lasts is Lasts.PAGE))


@dataclass(frozen=True, slots=True)
class Cell:
    """A place that can be pointed at: a square, a hex, a card."""

    id: str
    """Names the place for focus and tests ("B2"). Nothing reads it."""
    outline: tuple[Point, ...]
    alt: str
    """The sentence a screen reader says."""
    action: Any = None
    """The action that a press gives; None where it gives none now."""
    pick: Pick | None = None
    """What a press switches on or off, before it gives the action."""
    ask: str = ""
    """What the button says that asks a finger once more before the action is given, where the place is too small for
    one ("Go to AD24")."""
    window: Any = None
    """How a press moves the window on a large board; what it means its page knows (`Page.window`)."""

    @property
    def centre(self) -> Point:
        """Mean of the outline's corners."""
        n = len(self.outline)
        return sum(x for x, _ in self.outline) / n, sum(y for _, y in self.outline) / n


@dataclass(frozen=True, slots=True)
class Layer:
    """Shapes that change together, or pieces. A painter that remembers a layer need not draw an equal one again."""

    name: str
    shapes: tuple[Shape, ...] = ()
    late: bool = False
    """Whether it is hidden while a film plays: what it shows is true at the end, and would tell it too soon."""

    @property
    def flat(self) -> tuple[Flat, ...]:
        """What painters draw: its shapes, its pieces where they lie."""
        drawn = (shape.placed() if isinstance(shape, Piece) else (shape,) for shape in self.shapes)
        return tuple(each for some in drawn for each in some)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Its pieces. A layer that has any has nothing else: the stage plays it while the others stand."""
        return tuple(shape for shape in self.shapes if isinstance(shape, Piece))


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole picture: size, layers from back to front, the cells to point at, a title and a description. ``cells`` are
    in reading order: arrow keys and Tab go through them so."""

    width: float
    height: float
    layers: tuple[Layer, ...]
    cells: tuple[Cell, ...] = ()
    title: str = ""
    desc: str = ""
    _by_id: dict[str, Cell] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        self._by_id.update((cell.id, cell) for cell in self.cells)

    def cell(self, id: str) -> Cell | None:
        """The cell of that id, if there is one."""
        return self._by_id.get(id)

    def bare(self, *without: str, size: tuple[float, float] | None = None) -> Scene:
        """The scene for a picture too small to be read: no text, nothing to point at, without these layers. ``size``
        (width, height) cuts it off on the right and below."""
        layers = [Layer(each.name, tuple(shape for shape in each.flat if not isinstance(shape, Text)))
                  for each in self.layers if each.name not in without]
        width, height = size or (self.width, self.height)
        return Scene(width, height, tuple(layers))

    def shapes(self) -> Iterator[Flat]:
        """All that painters draw, from back to front."""
        for layer in self.layers:
            yield from layer.flat

    def texts(self) -> Iterator[Text]:
        """The texts among them."""
        for layer in self.layers:
            for shape in layer.shapes:
                if isinstance(shape, Text):
                    yield shape
                elif isinstance(shape, Piece) and (said := tuple(s for s in shape.shapes if isinstance(s, Text))):
                    yield from (text for text in replace(shape, shapes=said).placed() if isinstance(text, Text))

    def pieces(self) -> dict[str, Piece]:
        """All pieces by their ids, from back to front."""
        return {piece.id: piece for layer in self.layers for piece in layer.pieces}


def aside(shapes: Iterable[Shape], cells: Iterable[Cell], dx: float,
          dy: float) -> tuple[tuple[Flat, ...], tuple[Cell, ...]]:
    """A part of a picture further to the right and down: what is pressed under a map on one screen lies beside it on
    another."""
    flat = Layer("aside", tuple(shapes)).flat
    moved = (replace(cell, outline=tuple((x + dx, y + dy) for x, y in cell.outline)) for cell in cells)
    return Piece("", dx, dy, flat).placed(), tuple(moved)


def rect_outline(x: float, y: float, w: float, h: float) -> tuple[Point, ...]:
    """The four corners of a rectangle, clockwise from the top left: an outline for a `Cell`."""
    return ((x, y), (x + w, y), (x + w, y + h), (x, y + h))


# -- How far shapes reach --------------------------------------------------------------------------

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def extent(shapes: Iterable[Flat]) -> Box:
    """The box that holds shapes; texts are left out, whose width no painter knows beforehand. ValueError where there is
    nothing to hold."""
    points = [point for shape in shapes for point in _corners(shape)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def meet(a: Box, b: Box) -> bool:
    """Whether two boxes have more than an edge in common."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _corners(shape: Flat) -> tuple[Point, ...]:
    match shape:
        case Rect(x, y, w, h):
            return rect_outline(x, y, w, h)
        case Circle(x, y, r):
            return rect_outline(x - r, y - r, 2 * r, 2 * r)
        case Polygon(points) | Line(points):
            return points
        case Text():
            return ()


# -- From a point to the cell under it, and from a cell to its neighbour in a direction ------------

DIRECTIONS: dict[str, Point] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def contains(outline: tuple[Point, ...], x: float, y: float) -> bool:
    """Whether a point lies in a polygon: a ray to the right crosses its edges an odd number of times. Edges are half
    open, so that a point on the common edge of two cells is in one of them only."""
    inside = False
    x0, y0 = outline[-1]
    for x1, y1 in outline:
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            inside = not inside
        x0, y0 = x1, y1
    return inside


def hit(scene: Scene, x: float, y: float) -> Cell | None:
    """The topmost cell under a point (px at scale 1): the last in the scene that holds it, or None."""
    return next((cell for cell in reversed(scene.cells) if contains(cell.outline, x, y)), None)


def neighbour(scene: Scene, cell_id: str, direction: str) -> Cell:
    """The cell an arrow key leads to: the nearest centre within a wide cone, or the cell itself at the edge.

    What lies off the axis counts double, so that a row or column is followed before it is left; the cone (two across
    for one along) still reaches the slanting neighbours of a hex and a pile beside the cards. Among equals the first in
    reading order is taken. OptionError for a cell the scene has not, or a direction other than left, right, up, down.
    """
    cell = scene.cell(cell_id)
    if cell is None:
        raise OptionError(SAY("view.cell", id=brief(cell_id), listed=", ".join(_ids(scene))))
    if direction not in DIRECTIONS:
        raise OptionError(SAY("view.direction", name=brief(direction), listed=", ".join(DIRECTIONS)))
    dx, dy = DIRECTIONS[direction]
    x0, y0 = cell.centre

    def distance(other: Cell) -> float | None:
        x, y = other.centre
        along = (x - x0) * dx + (y - y0) * dy
        across = abs((x - x0) * dy - (y - y0) * dx)
        return round(hypot(along, 2 * across), 6) if along > 1e-9 and across <= 2 * along else None

    reached = [(d, i) for i, other in enumerate(scene.cells) if (d := distance(other)) is not None]
    return scene.cells[min(reached)[1]] if reached else cell


def _ids(scene: Scene) -> list[str]:
    """The first few ids, to show in a message."""
    ids = [cell.id for cell in scene.cells[:8]]
    return [*ids, "..."] if len(scene.cells) > 8 else ids
