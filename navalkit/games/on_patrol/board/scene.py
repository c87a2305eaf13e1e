"""The sea as a picture: hexes, ships that point where they head, boats with their depth, tracks, charges and markers.

A ``View`` says which part of the unbounded sea is looked at and how large; everything else comes from the state. What
explains an escort's move is laid over it by ``overlay``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import cos, radians, sin
from typing import Any

from navalkit.grids.hex import Hex, Layout, Place, opposite
from navalkit.view.scene import Cell, Circle, Layer, Line, Point, Polygon, Rect, Scene, Shape, Style, Text

from ..sea.combat_tables import COMBAT
from ..sea.state import Boat, Charge, Light, Marker, MarkerKind, Role, State, Torpedo, Vessel
from ..sea.tables import TABLES
from .words import SAY

WIDE = (800.0, 680.0)
TALL = (390.0, 430.0)
"""Pixels of the board, on a wide page and on a phone."""
SIZES = (5.0, 7.0, 9.0, 12.0, 16.0, 22.0, 30.0)
"""Sides of a hex in pixels, one a zoom step."""
NAMED = 22.0
"""From this size on every hex carries its name; below it the columns and rows are named along the edges."""

BANDS = {Role.MERCHANT: "green", Role.CAPITAL: "purple", Role.ESCORT: "blue"}
"""A side's colour; the letter on the hull says the same."""
_LENGTH = {Role.MERCHANT: 0.80, Role.CAPITAL: 0.95, Role.ESCORT: 0.68}  # of two hexes
_BEAM = {Role.MERCHANT: 0.30, Role.CAPITAL: 0.36, Role.ESCORT: 0.22}
_BOAT_BAND = "vermilion"


@dataclass(frozen=True, slots=True)
class View:
    """A window on the sea.

    Parameters
    ----------
    centre : Hex
        In the middle of the picture.
    zoom : int
        Index in ``SIZES``.
    size : (float, float)
        Width and height in pixels.
    """

    centre: Hex
    zoom: int = 3
    size: tuple[float, float] = WIDE
    layout: Layout = field(init=False, compare=False)

    def __post_init__(self) -> None:
        side = SIZES[self.zoom]
        x, y = Layout(side).center(self.centre)
        object.__setattr__(self, "layout", Layout(side, self.size[0] / 2 - x, self.size[1] / 2 - y))

    @property
    def side(self) -> float:
        """Side of a hex in pixels."""
        return self.layout.size

    def hexes(self) -> tuple[Hex, ...]:
        """The hexes that are at least partly in the window, column by column."""
        return _hexes(self)

    def holds(self, h: Hex) -> bool:
        """Whether the centre of a hex is in the window."""
        x, y = self.layout.center(h)
        return 0 <= x <= self.size[0] and 0 <= y <= self.size[1]

    def moved(self, columns: float, rows: float) -> View:
        """The window moved by a share of its width and height (0.5: by half)."""
        x, y = self.size[0] * (0.5 + columns), self.size[1] * (0.5 + rows)
        return View(self.layout.hex_at(x, y), self.zoom, self.size)

    def zoomed(self, steps: int) -> View:
        """Larger hexes (smaller, if negative), as far as there are sizes."""
        return View(self.centre, max(0, min(len(SIZES) - 1, self.zoom + steps)), self.size)


@lru_cache(maxsize=16)
def _hexes(view: View) -> tuple[Hex, ...]:
    (width, height), side, found = view.size, view.side, []
    for h in view.layout.hexes_in(0, 0, width, height):
        x, y = view.layout.center(h)
        if -side < x < width + side and -side < y < height + side:
            found.append(h)
    return tuple(found)


def fit(hexes: Iterable[Hex], size: tuple[float, float] = WIDE) -> View:
    """The closest view that holds all hexes with some water around them."""
    points = list(hexes)
    if not points:
        return View(Hex(0, 0), size=size)
    unit = Layout(1.0)
    xs, ys = zip(*map(unit.center, points), strict=True)
    centre = unit.hex_at((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    wide, high = max(xs) - min(xs) + 6, max(ys) - min(ys) + 6
    side = min(size[0] / wide, size[1] / high)
    zoom = max((i for i, s in enumerate(SIZES[:-1]) if s <= side), default=0)
    return View(centre, zoom, size)


def everything(state: State) -> list[Hex]:
    """The hexes where something lies: what a view of the whole hunt must hold."""
    ships = [h for v in state.vessels for h in v.place.hexes]
    boats = [h for b in state.boats if b.active for h in b.place.hexes]
    return ships + boats + [t.at for t in state.torpedoes] + [m.target for m in state.markers]


def scene(
    state: State,
    view: View | None = None,
    *,
    orders: Mapping[Hex, Any] | None = None,
    wakes: Sequence[Sequence[Place]] | None = None,
    over: Sequence[Layer] = (),
    under: Sequence[Layer] = (),
    pointable: bool = False,
    night: bool = False,
) -> Scene:
    """The sea at one moment.

    Parameters
    ----------
    state : State
    view : View, optional
        By default one that holds everything.
    orders : mapping of Hex to action, optional
        Hexes a press on which gives an order.
    wakes : sequence of paths, optional
        Places ships have come through this turn; left out, every ship under way has one as long as she is fast.
    over, under : sequence of Layer
        What is drawn above the ships, and beneath them.
    pointable : bool
        Whether every hex in the window can be pointed at, its label being the cell's id.
    night : bool
        Whether it is dark but for ``state.lights``.
    """
    view = view or fit(everything(state))
    hexes = view.hexes()
    white = _white_water(view, state.vessels) if wakes is None else _wakes(view, wakes)
    layers = (
        _sea(view, night, state.lights if night else ()),
        Layer("under", tuple(shape for layer in under for shape in layer.shapes)),
        Layer("tracks", (*white, *_tracks(view, state.torpedoes), *_charges(view, state.charges))),
        Layer("ships", (*_markers(view, state.markers), *_vessels(view, state), *_boats(view, state.boats))),
        *over,
        Layer("edges", _edges(view, hexes)),
    )
    cells = _cells(view, state, orders or {}, hexes if pointable else ())
    width, height = view.size
    return Scene(width, height, layers, cells, SAY("sea.title"), describe(state))


# The sea ------------------------------------------------------------------------------------------------------------


def outline(view: View, h: Hex) -> tuple[Point, ...]:
    """The six corners of a hex in the window."""
    return tuple(view.layout.corners(h))


@lru_cache(maxsize=16)
def _sea(view: View, night: bool, lights: tuple[Light, ...]) -> Layer:
    """Water, light and grid: the same layer as long as view and lights are the same, so that it is drawn once."""
    width, height = view.size
    hexes = view.hexes()
    shapes: list[Shape] = [Rect(0, 0, width, height, Style("sea_deep" if night else "sea_shallow"))]
    if night:
        lit = {h for light in lights for h in hexes if h.distance(light.at) <= light.radius}
        shapes += [Polygon(outline(view, h), Style("sea_shallow")) for h in hexes if h in lit]
    shapes += [Polygon(outline(view, h), Style(None, "grid", 1.0 if view.side >= 9 else 0.5)) for h in hexes]
    if view.side >= NAMED:
        style, size = Style("muted", opacity=0.6), view.side * 0.38
        for h in hexes:
            x, y = view.layout.center(h)
            shapes.append(Text(x, y + view.side * 0.66, h.label, style, size, glyph=False))
    return Layer("sea", tuple(shapes))


def _edges(view: View, hexes: Sequence[Hex]) -> tuple[Shape, ...]:
    """Column letters along the top and row numbers along the left, where the hexes are too small for names."""
    if view.side >= NAMED or not hexes:
        return ()
    step = 1 if view.side >= 16 else 2 if view.side >= 9 else 4
    style = Style("muted")
    paper = Style("paper", opacity=0.75)
    width, height = view.size
    shapes: list[Shape] = [Rect(0, 0, width, 16, paper), Rect(0, 16, 26, height - 16, paper)]
    for q in sorted({h.q for h in hexes}):
        x, _ = view.layout.center(Hex(q, 0))
        if q % step == 0 and 34 < x < width - 6:
            shapes.append(Text(x, 8, Hex(q, 0).label.rstrip("-0123456789") or "A", style, 11, glyph=False))
    left = view.layout.hex_at(26, height / 2)
    for row in sorted({h.row for h in hexes}):
        _, y = view.layout.center(Hex.at(left.column, row))
        if row % (5 if step > 1 else 2) == 0 and 24 < y < height - 6:
            shapes.append(Text(13, y, str(row), style, 11, glyph=False))
    return tuple(shapes)


# What sails ---------------------------------------------------------------------------------------------------------


def _along(view: View, place: Place) -> tuple[Point, Point, Point]:
    """The middle of a ship on two hexes, the unit vector to her bow, and the one to her starboard beam."""
    (bx, by), (sx, sy) = view.layout.center(place.bow), view.layout.center(place.stern)
    angle = radians(60 * place.direction - 90)
    ahead = cos(angle), sin(angle)
    return ((bx + sx) / 2, (by + sy) / 2), ahead, (-ahead[1], ahead[0])


def hull(view: View, place: Place, length: float, beam: float) -> tuple[Point, ...]:
    """A hull that points where she heads; length in lengths of two hexes, beam in heights of one."""
    (x, y), (ax, ay), (bx, by) = _along(view, place)
    half, wide = length * view.layout.height, beam * view.layout.height / 1
    outline_ = ((1.0, 0), (0.55, 0.8), (0.1, 1.0), (-0.75, 0.9), (-1.0, 0.5), (-1.0, -0.5), (-0.75, -0.9), (0.1, -1.0),
                (0.55, -0.8))  # fmt: skip
    return tuple((x + ax * half * u + bx * wide * v, y + ay * half * u + by * wide * v) for u, v in outline_)


def _vessels(view: View, state: State) -> list[Shape]:
    shapes: list[Shape] = []
    for vessel in state.vessels:
        if not view.holds(vessel.place.bow) and not view.holds(vessel.place.stern):
            continue
        band = BANDS[vessel.role]
        gone = bool(vessel.sunk)
        style = Style(None if gone else band, "ink", 1.5 if view.side >= 9 else 1)
        points = hull(view, vessel.place, _LENGTH[vessel.role], _BEAM[vessel.role])
        shapes.append(Polygon(points, style))
        if gone:
            (x, y), (ax, ay), (bx, by) = _along(view, vessel.place)
            r = view.side * 0.7
            for sign in (1, -1):
                ends = ((x - ax * r - bx * r * sign, y - ay * r - by * r * sign),
                        (x + ax * r + bx * r * sign, y + ay * r + by * r * sign))  # fmt: skip
                shapes.append(Line(ends, Style(None, "bad", 2)))
        elif vessel.hits or vessel.stopped:
            x, y = view.layout.center(vessel.place.stern)
            shapes.append(Circle(x, y, view.side * 0.35, Style("orange", "ink", 1)))
        if view.side >= 9:
            shapes.append(_name(view, vessel.place, vessel.id))
    return shapes


def _name(view: View, place: Place, text: str, *, side: int = 1, bold: bool = True) -> Text:
    """A text beside a hull, clear of it: on the starboard beam, or with side -1 on the port beam."""
    (x, y), _, (bx, by) = _along(view, place)
    size = max(10.0, min(14.0, view.side * 0.8))
    off = side * (view.layout.height * 0.45 + size * 0.4)
    anchor = "middle" if abs(bx) < 0.5 else "start" if bx * side > 0 else "end"
    return Text(x + bx * off, y + by * off, text, Style("ink"), size, anchor, bold)


def _boats(view: View, boats: Iterable[Boat]) -> list[Shape]:
    shapes: list[Shape] = []
    for boat in boats:
        if not boat.active or not view.holds(boat.place.bow):
            continue
        deep = boat.depth > 25
        fill = Style(None if deep else _BOAT_BAND, _BOAT_BAND, 2, dash=(4, 2) if deep else ())
        shapes.append(Polygon(hull(view, boat.place, 0.74, 0.16), fill))
        if view.side >= 9:
            name = f"{boat.id} {boat.depth} ft" if boat.depth else f"{boat.id} surfaced"
            shapes.append(_name(view, boat.place, name))
    return shapes


def _markers(view: View, markers: Iterable[Marker]) -> list[Shape]:
    """The escorts' markers: upright, inverted (hollow) or a torpedo, with the target hex they point to."""
    shapes: list[Shape] = []
    for marker in markers:
        if not view.holds(marker.place.bow):
            continue
        inverted = marker.kind in (MarkerKind.INVERTED, MarkerKind.TORPEDO)
        style = Style(None if inverted else "yellow", "ink", 1.5, dash=(3, 2) if inverted else ())
        points = hull(view, marker.place, 0.85, 0.30)
        if marker.kind is MarkerKind.TORPEDO:
            points = hull(view, marker.place, 0.4, 0.12)
        shapes.append(Polygon(points, Style(style.fill, style.stroke, style.width, style.dash, 0.8)))
        if view.side >= 9:
            name = f"{marker.boat} " + SAY(f"sea.kind.{marker.kind}")
            shapes.append(_name(view, marker.place, name, side=-1, bold=False))
    return shapes


def _tracks(view: View, torpedoes: Iterable[Torpedo]) -> list[Shape]:
    """Torpedoes: a dashed track behind and an arrow over the hexes of the next run."""
    shapes: list[Shape] = []
    for torpedo in torpedoes:
        speed = COMBAT.torpedoes[torpedo.type].speed
        start = torpedo.at.step(torpedo.direction, -min(torpedo.run, speed))
        ends = view.layout.center(start), view.layout.center(torpedo.at)
        if torpedo.run:
            shapes.append(Line(ends, Style(None, "ink", 1.5, dash=(3, 3), opacity=0.5)))
        ahead = view.layout.center(torpedo.at.step(torpedo.direction, speed))
        x, y = view.layout.center(torpedo.at)
        shapes.append(Line(((x, y), ahead), Style(None, "vermilion", 2, dash=(6, 3)), arrow=True))
        shapes.append(Circle(x, y, max(2.5, view.side * 0.25), Style("vermilion", "paper", 1)))
    return shapes


def marked(view: View, hexes: Iterable[Hex]) -> Layer:
    """Hexes that can be chosen."""
    return Layer(
        "marked", tuple(Polygon(outline(view, h), Style("select", "select", 1.5, opacity=0.28)) for h in hexes)
    )


def _wakes(view: View, wakes: Iterable[Sequence[Place]]) -> list[Shape]:
    """The ways ships have come."""
    return [
        Line(tuple(view.layout.center(place.stern) for place in wake), Style(None, "paper", 3, opacity=0.9))
        for wake in wakes
        if len(wake) > 1
    ]


def _white_water(view: View, vessels: Iterable[Vessel]) -> list[Shape]:
    """White water behind ships under way, the longer the faster they went."""
    shapes: list[Shape] = []
    for vessel in vessels:
        if vessel.speed and not vessel.sunk:
            stern, abaft = vessel.place.stern, opposite(vessel.place.direction)
            (x, y), (ex, ey) = view.layout.center(stern), view.layout.center(stern.step(abaft))
            reach = 0.4 + 0.5 * vessel.speed
            ends = (x, y), (x + (ex - x) * reach, y + (ey - y) * reach)
            shapes.append(Line(ends, Style(None, "paper", max(1.5, view.side * 0.22))))
    return shapes


def _charges(view: View, charges: Iterable[Charge]) -> list[Shape]:
    """Attacks marked: rings, a filled one for each weapon on the hex, ahead-thrown ones as diamonds."""
    shapes: list[Shape] = []
    count: dict[Hex, int] = {}
    for charge in charges:
        n = count[charge.at] = count.get(charge.at, 0) + 1
        x, y = view.layout.center(charge.at)
        r = view.side * (0.25 + 0.16 * n)
        if charge.weapon in ("hedgehog", "squid"):
            points = ((x, y - r), (x + r, y), (x, y + r), (x - r, y))
            shapes.append(Polygon(points, Style(None, "ink", 2)))
        else:
            shapes.append(Circle(x, y, r, Style(None, "ink", 2)))
    return shapes


# Cells and words ----------------------------------------------------------------------------------------------------


def _cells(view: View, state: State, orders: Mapping[Hex, Any], hexes: Iterable[Hex]) -> tuple[Cell, ...]:
    """What can be pointed at: hexes with an order, hexes with something on them, or all in the window."""
    told = contents(state)
    wanted = {h for h in (*orders, *told, *hexes) if view.holds(h)}
    reading = sorted(wanted, key=lambda h: (view.layout.center(h)[1], view.layout.center(h)[0]))
    return tuple(
        Cell(
            h.label,
            outline(view, h),
            SAY("sea.hex", hex=h, things=told[h]) if h in told else SAY("sea.open", hex=h),
            action=orders.get(h),
        )
        for h in reading
    )


def contents(state: State) -> dict[Hex, str]:
    """What lies on each hex, in words."""
    found: dict[Hex, list[str]] = {}

    def note(h: Hex, key: str, **facts: Any) -> None:
        found.setdefault(h, []).append(SAY(f"sea.{key}", **facts))

    for vessel in state.vessels:
        ship, type_, course = vessel.id, TABLES.vessels[vessel.type].name, vessel.place.direction
        for h, key in zip(vessel.place.hexes, ("bow", "stern"), strict=True):
            note(h, key, ship=ship, type=type_, course=course)
    for boat in state.boats:
        if boat.active:
            for h, key in zip(boat.place.hexes, ("boat_bow", "boat_stern"), strict=True):
                note(h, key, boat=boat.id, depth=boat.depth, course=boat.place.direction)
    for marker in state.markers:
        note(marker.place.bow, "marked", kind=marker.kind, boat=marker.boat)
        note(marker.target, "target", boat=marker.boat)
    for torpedo in state.torpedoes:
        note(torpedo.at, "torpedo", id=torpedo.id, course=torpedo.direction)
    for charge in state.charges:
        note(charge.at, "charge", weapon=charge.weapon, escort=charge.escort)
    return {h: ", ".join(things) for h, things in found.items()}


def describe(state: State) -> str:
    """The moment in a few sentences, for those who do not see the board."""
    ships = sum(v.role is not Role.ESCORT and not v.sunk for v in state.vessels)
    lines = [SAY("sea.turn", turn=state.turn, ships=ships, escorts=len(state.escorts))]
    lines += [
        SAY("sea.boat", boat=b.id, bow=b.place.bow, course=b.place.direction, depth=b.depth, hull=b.hull)
        for b in state.boats
        if b.active
    ]
    lines += [SAY("sea.marker", boat=m.boat, kind=m.kind, place=m.place) for m in state.markers]
    return " ".join(lines)
