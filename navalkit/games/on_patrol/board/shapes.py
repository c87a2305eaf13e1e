"""Ships seen from above, bow up, about their middle: a silhouette by kind, in the colour of the side."""

from __future__ import annotations
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import cos, floor, hypot, pi, radians, sin, sqrt
from typing import NamedTuple

from navalkit.grids.hex import Hex, Layout
from navalkit.grids.hex_moves import Place
from navalkit.view.film import Pose
from navalkit.view.scene import (
    Box as Box,
    Circle,
    Flat,
    Layer,
    Line,
    Piece,
    Point,
    Polygon,
    Rect,
    Shape,
    Style,
    Text,
    meet,
)
from ..data import read
from ..sea.state import Light, Role, State

LEAST = 46.0  # pixels of a ship as long as two hexes where hexes are small: then she is larger than they


class Build(NamedTuple):
    """How a kind of ship is built, in lengths of the hull."""

    long: float  # her length in heights of two hexes
    beam: float  # half her breadth
    blunt: float  # how far from the bow she has her full breadth
    # superstructure: y from the middle toward the stern, half length, half breadth as a part of the beam
    houses: Sequence[tuple[float, float, float]]
    rounds: Sequence[tuple[float, float]]  # funnels and turrets: y, radius as a part of the beam


BUILDS: Mapping[str, Build] = {kind: Build(**row) for kind, row in read("silhouettes.toml").items()}


def length(kind: str, height: float) -> float:
    """Pixels of a ship of that kind where hexes are so high."""
    return max(LEAST, 2 * height) * BUILDS[kind].long


@lru_cache(maxsize=256)
def ship(kind: str, long: float, band: str, wake: bool = False, hurt: bool = False) -> tuple[Flat, ...]:
    """A ship afloat. ``kind``: one of ``BUILDS``. ``long``: pixels. ``band``: token of her side's colour. ``wake``:
    whether she is under way. ``hurt``: whether she has been hit: then she smokes."""
    build = BUILDS[kind]
    shapes: list[Flat] = list(_wake(long, build.beam)) if wake else []
    hull = _hull(long, build)
    shapes.append(Polygon(hull, Style(band, "ink", 1.2)))
    if kind == "carrier":
        deck = Style("paper", opacity=0.9)
        shapes.append(Line(((0, -0.4 * long), (0, 0.42 * long)), Style(None, "paper", 1.5, (4, 3))))
        shapes.append(Rect(0.5 * build.beam * long, -0.08 * long, 0.4 * build.beam * long, 0.2 * long, deck))
    shapes += _deck(long, build)
    if hurt:
        for y, r in ((0.05, 0.10), (0.18, 0.13), (0.33, 0.16)):
            shapes.append(Circle(-r * long * 0.4, y * long, r * long, Style("black", opacity=0.45)))
    return tuple(shapes)


@lru_cache(maxsize=64)
def wreck(kind: str, long: float) -> tuple[Flat, ...]:
    """What is left of a ship that was sunk: her outline, with a cross."""
    hull = _hull(long, BUILDS[kind])
    r = 0.22 * long
    cross = Style(None, "bad", 2.5)
    return (
        Polygon(hull, Style("paper", "ink", 1.5, (3, 2), 0.7)),
        Line(((-r, -r), (r, r)), cross),
        Line(((-r, r), (r, -r)), cross),
    )


@lru_cache(maxsize=64)
def submarine(long: float, band: str, depth: int, wake: bool = False) -> tuple[Flat, ...]:
    """A boat ``long`` px: solid on the surface; under it in a pale ring with a broken edge, the fainter the deeper."""
    if depth == 0:
        return ship("submarine", long, band, wake)
    build = BUILDS["submarine"]
    hull, tint = _hull(long, build), max(0.5, 0.95 - depth / 500)
    shapes: list[Flat] = [
        Circle(0, 0, 0.62 * long, Style("paper", opacity=0.3)),
        Polygon(hull, Style("paper", "paper", 5)),
        Polygon(hull, Style(band, opacity=tint)),
        Polygon(hull, Style(None, "ink", 1.4, (5, 2))),
    ]
    if depth <= 50:  # the periscope cuts the water
        shapes.append(Line(((-4, 7), (0, 0), (4, 7)), Style(None, "foam", 2)))
        shapes.append(Circle(0, 0, 2.6, Style("ink", "halo", 1)))
    else:
        shapes += _deck(long, build)[:1]
    return tuple(shapes)


@lru_cache(maxsize=16)
def torpedo(long: float, band: str) -> tuple[Flat, ...]:
    """A torpedo with the track it leaves."""
    half = 0.5 * long
    body = ((0, -half), (2.4, -half + 4), (2.4, half), (-2.4, half), (-2.4, -half + 4))
    track = Line(((0, half), (0, half + 2.2 * long)), Style(None, "foam", 2, (4, 3), 0.9))
    return track, Polygon(body, Style(band, "paper", 1))


def _hull(long: float, build: Build) -> tuple[Point, ...]:
    """The outline: a sharp bow, straight sides, a stern a little drawn in."""
    beam, front = build.beam * long, -0.5 * long
    side = (
        (0.0, front), (0.45 * beam, front + 0.3 * build.blunt * long), (0.85 * beam, front + 0.68 * build.blunt * long),
        (beam, front + build.blunt * long), (beam, 0.3 * long), (0.8 * beam, 0.44 * long), (0.35 * beam, 0.5 * long),
    )
    return (*side, *((-x, y) for x, y in reversed(side[1:])))


def _deck(long: float, build: Build) -> list[Flat]:
    beam = build.beam * long
    houses: list[Flat] = [
        Rect(-wide * beam, (y - half) * long, 2 * wide * beam, 2 * half * long, Style("paper", opacity=0.9), 1)
        for y, half, wide in build.houses
    ]
    return [*houses, *(Circle(0, y * long, max(1.0, r * beam), Style("ink", opacity=0.85)) for y, r in build.rounds)]


def _wake(long: float, beam: float) -> tuple[Flat, ...]:
    """White water: a narrow fan astern and a wave off either bow."""
    wide, stern = beam * long, 0.46 * long
    fan = ((-0.6 * wide, stern), (0.6 * wide, stern), (1.5 * wide, 1.05 * long), (-1.5 * wide, 1.05 * long))
    shapes: list[Flat] = [Polygon(fan, Style("foam", opacity=0.45))]
    for side in (1, -1):
        wave = (side * 0.5 * wide, -0.38 * long), (side * 2.4 * wide, 0.35 * long), (side * 3.0 * wide, 0.75 * long)
        shapes.append(Line(wave, Style(None, "foam", 1.6, opacity=0.7)))
    return tuple(shapes)


# -- Names beside ships that do not lie over one another: each takes the first free place round its ship

SIZE = 13.0
_WIDE = 0.58  # of a letter, in its size
_NEAR, _NARROW = 16, 600.0  # of the places, those close by; windows narrower than this, in px
_LED = 34.0  # px from a ship's middle to her name beyond which a line leads there


class Named(NamedTuple):
    """Something with a name."""

    id: str  # of the piece it belongs to
    text: str
    pose: tuple[float, float, float]  # (x, y, heading)
    length: float  # pixels of the ship it stands beside
    beam: float  # half her breadth in pixels
    keep: bool = False  # whether the name is wanted even where no place is free


def labels(named: Iterable[Named], size: tuple[float, float], shunned: Sequence[Box] = (),
           taken: Sequence[Box] = ()) -> list[Piece]:
    """The names as pieces, the first named the first placed; one without a free place is left out. ``named``: in the
    order of their weight. ``size``: of the window: names stay inside it. ``shunned``: what names do not lie over as
    long as there is another place, as (left, top, right, bottom). ``taken``: where no name stands, as on a hull."""
    named, narrow = list(named), size[0] < _NARROW  # there names far off, and lines to them, would be a tangle
    full: list[Box] = [*taken, *(box for each in named for box in _hull_boxes(each))]
    pieces = []
    for each in named:
        places = _places(each)[: _NEAR if narrow and not each.keep else None]
        free = None
        for at in places:
            if _inside(at, size) and not any(meet(at, box) for box in full):
                clear = not any(meet(at, box) for box in shunned)
                free = at if clear else free or at
                if clear:
                    break
        if free is None and each.keep:
            free = min(places, key=lambda at: (not _inside(at, size), sum(meet(at, box) for box in full)))
        if free is not None:
            full.append(free)
            middle = (free[0] + free[2]) / 2, (free[1] + free[3]) / 2
            pieces.append(Piece(f"{each.id} name", *middle, (*_written(each.text), *_leader(each.pose, free))))
    return pieces


def rim(x: float, y: float, radius: float) -> list[Box]:
    """Small boxes along a circle, for names to shun."""
    around = [radians(degrees) for degrees in range(0, 360, 15)]
    spots = [(x + radius * cos(angle), y + radius * sin(angle)) for angle in around]
    r = 0.15 * radius
    return [(sx - r, sy - r, sx + r, sy + r) for sx, sy in spots]


def _leader(pose: tuple[float, float, float], box: Box) -> tuple[Flat, ...]:
    """A thin line from a name that had to stand off to its ship, about the name's middle."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    end = max(box[0], min(box[2], pose[0])), max(box[1], min(box[3], pose[1]))
    far = hypot(pose[0] - end[0], pose[1] - end[1])
    if far < _LED:
        return ()
    share = (far - 6) / far
    tip = end[0] + (pose[0] - end[0]) * share, end[1] + (pose[1] - end[1]) * share
    points = tuple((px - x, py - y) for px, py in (end, tip))
    return Line(points, Style(None, "paper", 3, opacity=0.8)), Line(points, Style(None, "ink", 1.2))


@lru_cache(maxsize=512)
def _written(text: str) -> tuple[Flat, ...]:
    return (Text(0, 0, text, Style("ink", "halo", 3), SIZE, "middle", True),)


def _hull_boxes(each: Named) -> list[Box]:
    """A few small boxes along the hull: less water than one about all of it."""
    x, y, heading = each.pose
    dx, dy = sin(radians(heading)), -cos(radians(heading))
    r = each.beam + 2
    spots = [(x + dx * each.length * k, y + dy * each.length * k) for k in (-0.4, -0.2, 0.0, 0.2, 0.4)]
    return [(sx - r, sy - r, sx + r, sy + r) for sx, sy in spots]


def _places(each: Named) -> list[Box]:
    """Where a name may stand, the best first: abeam to the right, to the left, ahead, astern, and further out."""
    (x, y, heading), wide = each.pose, _WIDE * SIZE * len(each.text) + 4
    sx, sy = abs(sin(radians(heading))) * each.length / 2, abs(cos(radians(heading))) * each.length / 2
    across, down = max(sx, each.beam), max(sy, each.beam)
    found = []
    for out in (0.0, 9.0, 20.0, 32.0, 46.0, 62.0, 80.0):
        right, low = across * 0.75 + 4 + out, down + SIZE / 2 + 2 + out
        beside = [(dx, dy) for dy in (0.0, low / 2, -low / 2) for dx in (right, -right - wide)]
        for dx, dy in (*beside, (-wide / 2, low), (-wide / 2, -low)):
            found.append((x + dx, y + dy - SIZE / 2, x + dx + wide, y + dy + SIZE / 2))
    return found


def _inside(box: Box, size: tuple[float, float]) -> bool:
    return box[0] >= 2 and box[1] >= 2 and box[2] <= size[0] - 2 and box[3] <= size[1] - 2


# -- The part of the unbounded sea that is looked at, and how large --------------------------------

WIDE, TALL = (800.0, 680.0), (390.0, 430.0)  # pixels of the board, on a wide page and on a phone
SIZES = (3.5, 5.0, 7.0, 9.0, 12.0, 16.0, 22.0, 30.0)  # sides of a hex in pixels, one a zoom step
CLOSEST = 6  # the closest zoom that is ever chosen by itself
LEAN = 0.2  # the part of the window by which the boat may be out of its middle
ZOOMS = ((9, 4), (24, 3), (40, 2))  # hexes to the nearest ship, and how close a view of her is
LARGE = 1150.0  # width from which a board shows as many hexes as others do, two sizes larger


@dataclass(frozen=True, slots=True)
class View:
    """A window on the sea."""

    centre: Hex  # in the middle of the picture
    zoom: int = 4  # index in ``SIZES``
    size: tuple[float, float] = WIDE  # width and height in pixels
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

    def outline(self, h: Hex) -> tuple[Point, ...]:
        """The six corners of a hex in the window."""
        return tuple(self.layout.corners(h))

    def pose(self, place: Place) -> Pose:
        """The middle of a ship on two hexes, and where she heads in degrees."""
        (bx, by), (sx, sy) = map(self.layout.center, place.hexes)
        return (bx + sx) / 2, (by + sy) / 2, 60.0 * place.direction % 360

    def moved(self, columns: float, rows: float) -> View:
        """The window moved by a share of its width and height (0.5: by half)."""
        x, y = self.size[0] * (0.5 + columns), self.size[1] * (0.5 + rows)
        return View(self.layout.hex_at(x, y), self.zoom, self.size)

    def widened(self, right: float, low: float) -> View:
        """The window with that many more pixels at its right edge and its lower one, to half a hex."""
        (width, height) = self.size
        middle = self.layout.hex_at((width + right) / 2, (height + low) / 2)
        return View(middle, self.zoom, (width + right, height + low))

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


def fit(hexes: Iterable[Hex], size: tuple[float, float] = WIDE, rim: tuple[float, float, float] = (0, 0, 0)) -> View:
    """The closest view that holds all hexes with some water around them. ``rim``: pixels at the top, the right and the
    lower edge that something else covers."""
    points = list(hexes)
    if not points:
        return View(Hex(0, 0), size=size)
    unit = Layout(1.0)
    xs, ys = zip(*map(unit.center, points), strict=True)
    top, right, low = rim
    side = min((size[0] - right) / (max(xs) - min(xs) + 6), (size[1] - top - low) / (max(ys) - min(ys) + 6))
    zoom = max((i for i, s in enumerate(SIZES[: CLOSEST + 1]) if s <= side), default=0)
    x, y = (min(xs) + max(xs)) / 2 + right / 2 / SIZES[zoom], (min(ys) + max(ys)) / 2 - (top - low) / 2 / SIZES[zoom]
    return View(unit.hex_at(x, y), zoom, size)


def followed(boat: Hex, others: Iterable[Hex], size: tuple[float, float], zoom: int | None = None) -> View:
    """The view about a boat: it leans toward the middle of what is near her, and is the closer the nearer that is.
    ``size``: px. ``zoom``: as chosen by hand."""
    near = sorted(others, key=lambda h: (boat.distance(h), h))
    distance = boat.distance(near[0]) if near else 0
    if zoom is None:
        zoom = next((each for most, each in ZOOMS if distance <= most), 0) + 2 * (size[0] > LARGE)
    view = View(boat, zoom, size)
    if near:
        points = [view.layout.center(h) for h in near]
        lean = [max(-LEAN * whole, min(LEAN * whole, sum(each) / len(points) - whole / 2))
                for each, whole in zip(zip(*points, strict=True), size, strict=True)]
        view = View(view.layout.hex_at(size[0] / 2 + lean[0], size[1] / 2 + lean[1]), zoom, size)
    return view


_ARROW, _BESIDE = 11.0, 8.0  # px of an arrow at the edge, and from it to its words


def beyond(view: View, state: State, bands: Mapping[Role, str], rim: tuple[float, float, float]) -> Layer:
    """Arrows at the edge, to the nearest ship of each kind of which the window holds none, with her name and how many
    hexes she is off. ``rim``: px at the top, the right and the foot that something else lies over."""
    shapes: list[Shape] = []
    boat = next((boat.place.bow for boat in state.boats if boat.active), None)
    for role, band in bands.items():
        afloat = [v for v in state.vessels if v.role is role and not v.sunk]
        if boat is None or not afloat or any(view.holds(v.place.bow) for v in afloat):
            continue
        near = min(afloat, key=lambda v: (v.place.bow.distance(boat), v.id))
        shapes += pointer(view, near.place.bow, f"{near.id} · {near.place.bow.distance(boat)}", band, rim)
    return Layer("beyond", tuple(shapes), late=True)


def pointer(view: View, to: Hex, words: str, band: str, rim: tuple[float, float, float],
            left: float = 12.0) -> Iterator[Shape]:
    """An arrow at the edge, to a hex outside the window, and what is said beside it. ``rim``, ``left``: px at
    the top, the right and the foot, and at the left, that something else lies over."""
    top, right, low = rim
    (width, height), (x, y) = view.size, view.layout.center(to)
    box = (left, top, width - right - 4, height - low)
    middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    dx, dy = x - middle[0], y - middle[1]
    share = min(abs((box[2] - box[0]) / 2 / dx) if dx else 9e9, abs((box[3] - box[1]) / 2 / dy) if dy else 9e9)
    ax, ay, way = middle[0] + share * dx, middle[1] + share * dy, hypot(dx, dy)
    ux, uy = dx / way, dy / way
    tip = (ax + _ARROW * ux, ay + _ARROW * uy)
    wings = ((ax - _ARROW * (ux + k * uy) * 0.8, ay - _ARROW * (uy - k * ux) * 0.8) for k in (1, -1))
    yield Polygon((tip, *wings), Style(band, "ink", 1.5))
    end = ax > middle[0]
    at = ax + (-1 if end else 1) * (_ARROW + _BESIDE)
    yield Text(at, ay + (16 if ay < top + 8 else -16 if ay > box[3] - 8 else 0), words, Style("ink", "halo", 3), SIZE,
               "end" if end else "start", True)


def everything(state: State) -> list[Hex]:
    """The hexes where something lies: what a view of the whole hunt must hold."""
    ships = [h for v in state.vessels for h in v.place.hexes]
    boats = [h for b in state.boats if b.active or b.sunk for h in b.place.hexes]
    return ships + boats + [t.at for t in state.torpedoes] + [m.target for m in state.markers]


# -- The sea under the ships: depths, a few waves, a faint grid, night and light, coordinates along the edges
# All of it hangs on the view and the lights alone, so that it is drawn anew only when one of them changes.

GRID_FROM = 9.0  # side of a hex in pixels from which the grid is drawn
NIGHT = Style("black", opacity=0.42)  # what lies over the sea at night
_PATCH = 20  # hexes from the middle of one patch of deep water to the next
_WAVE = 9
_LABEL = 12.0


@dataclass(frozen=True, slots=True)
class Water(Layer):
    """The sea, and the view it is seen through."""

    view: View = View(Hex(0, 0))


@lru_cache(maxsize=16)
def water(view: View, night: bool, lights: tuple[Light, ...] = ()) -> Water:
    """The sea: the same layer as long as view and lights are the same."""
    width, height = view.size
    shapes: list[Shape] = [Rect(0, 0, width, height, Style("sea_shallow")), *_patches(view)]
    if night:
        shapes.append(Rect(0, 0, width, height, NIGHT))
        for light in lights:
            x, y = view.layout.center(light.at)
            r = (light.radius + 0.5) * view.layout.height
            shapes += [
                Circle(x, y, r, Style("sea_shallow", opacity=0.9)),
                Circle(x, y, r, Style(None, "yellow", 1.5, opacity=0.7)),
            ]
    if view.side >= GRID_FROM:
        shapes += _grid(view)
    return Water("sea", (*shapes, *_waves(view), *_edges(view)), view=view)


def _chance(q: int, r: int, salt: int) -> float:
    """A number from 0 to 1 that a place in the sea always has."""
    mixed = (q * 73856093 ^ r * 19349663 ^ salt * 83492791) & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 13) * 0x5BD1E995 & 0xFFFFFFFF
    return (mixed ^ mixed >> 15) / 0xFFFFFFFF


def _spots(view: View, each: int) -> Iterator[tuple[int, int, float, float]]:
    """Places spread over the sea, ``each`` hexes apart: their numbers and pixels."""
    step = each * view.layout.height
    x0, y0 = view.layout.center(Hex(0, 0))
    for column in range(floor(-x0 / step) - 1, floor((view.size[0] - x0) / step) + 2):
        for row in range(floor(-y0 / step) - 1, floor((view.size[1] - y0) / step) + 2):
            across, down = (step * _chance(column, row, salt) for salt in (1, 2))
            yield column, row, x0 + step * column + across, y0 + step * row + down


def _patches(view: View) -> Iterator[Shape]:
    """Deep water: each patch a soft blot with a deeper heart."""
    unit = _PATCH * view.layout.height
    for column, row, x, y in _spots(view, _PATCH):
        for n, (share, opacity) in enumerate(((1.0, 0.4), (0.7, 0.5))):
            if _chance(column, row, 3) < 0.75:
                yield Polygon(_blot(x, y, unit * share, column, row), Style("sea_deep", opacity=opacity + 0.1 * n))


def _blot(x: float, y: float, r: float, column: int, row: int) -> tuple[Point, ...]:
    turn, flat = 2 * pi * _chance(column, row, 4), 0.45 + 0.25 * _chance(column, row, 5)
    points = []
    for k in range(18):
        a = 2 * pi * k / 18
        far = r * (0.8 + 0.14 * sin(2 * a + turn) + 0.1 * sin(3 * a - 2 * turn))
        points.append((x + far * cos(a), y + flat * far * sin(a)))
    return tuple(points)


def _waves(view: View) -> Iterator[Shape]:
    """Here and there the crest of a wave."""
    style = Style(None, "foam", 1.2, opacity=0.5)
    for column, row, x, y in _spots(view, _WAVE):
        if _chance(column, row, 6) < 0.5:
            crest = [(x - 8 + 2 * k, y - 2.2 * sin(pi * k / 4) * (1 if k < 4 else 0.6)) for k in range(9)]
            yield Line(tuple(crest), style)


def _grid(view: View) -> Iterator[Shape]:
    """The edges of all hexes: along each of three directions they lie on parallel lines, a third of each drawn."""
    side, high = view.side, sqrt(3) / 2 * view.side
    cx, cy = view.layout.center(view.centre)
    reach = sqrt(view.size[0] ** 2 + view.size[1] ** 2) / 2
    style = Style(None, "grid", 0.8, (side, 2 * side), 0.55 if side < 16 else 0.75)
    for turn in range(3):
        ux, uy = cos(pi / 3 * turn), sin(pi / 3 * turn)
        for k in range(-int(reach / high), int(reach / high) + 1):
            v = k * high
            half = sqrt(max(0.0, reach * reach - v * v))
            begin = -side / 2 + (0 if k % 2 else 1.5 * side)
            begin -= 3 * side * floor((begin + half) / (3 * side))  # the last edge that begins within reach
            if ends := _clipped(view, (cx - uy * v, cy + ux * v), (ux, uy), begin, 3 * side):
                yield Line(ends, style)


def _clipped(view: View, at: Point, unit: Point, phase: float, period: float) -> tuple[Point, Point] | None:
    """The part of a line in the window, begun where a dash begins."""
    low, high = -1e9, 1e9
    for a, u, size in zip(at, unit, view.size, strict=True):
        if abs(u) < 1e-9:
            if not 0 <= a <= size:
                return None
            continue
        first, last = sorted(((0 - a) / u, (size - a) / u))
        low, high = max(low, first), min(high, last)
    if low >= high:
        return None
    low = phase + period * floor((low - phase) / period)
    return (at[0] + unit[0] * low, at[1] + unit[1] * low), (at[0] + unit[0] * high, at[1] + unit[1] * high)


def _edges(view: View) -> Iterator[Shape]:
    """Column letters along the top and row numbers along the left, a few of each."""
    width, height = view.size
    style = Style("muted", "sea_shallow", 3)
    columns = next(n for n in (1, 2, 4, 8) if n * 1.5 * view.side >= 34)
    rows = next(n for n in (1, 2, 5, 10) if n * view.layout.height >= 34)
    first, last = view.layout.hex_at(0, 0), view.layout.hex_at(width, height)
    for q in range(first.q, last.q + 1):
        x, _ = view.layout.center(Hex(q, 0))
        if q % columns == 0 and 40 < x < width - 12:
            letters = Hex(q, 0).label.rstrip("-0123456789") or "A"
            yield Text(x, 10, letters, style, _LABEL, glyph=False)
    left = view.layout.hex_at(20, height / 2)
    for row in range(first.row - 1, last.row + 2):
        _, y = view.layout.center(Hex.at(left.column, row))
        if row % rows == 0 and 28 < y < height - 8:
            yield Text(6, y, str(row), style, _LABEL, "start", glyph=False)
