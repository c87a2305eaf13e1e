"""The part of the unbounded sea that is looked at, and how large."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from navalkit.grids.hex import Hex, Layout, Place
from navalkit.view.effect import Pose
from navalkit.view.scene import Point

from ...sea.state import State

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

    ``size``: px. ``zoom``: as chosen by hand.
    """
    near = sorted(others, key=lambda h: (boat.distance(h), h))
    distance = boat.distance(near[0]) if near else 0
    if zoom is None:
        zoom = next((each for most, each in ZOOMS if distance <= most), 0) + 2 * (size[0] > LARGE)
    view = View(boat, zoom, size)
    if near:
        points = [view.layout.center(h) for h in near]
        lean = [
            max(-LEAN * whole, min(LEAN * whole, sum(each) / len(points) - whole / 2))
            for each, whole in zip(zip(*points, strict=True), size, strict=True)
        ]
        view = View(view.layout.hex_at(size[0] / 2 + lean[0], size[1] / 2 + lean[1]), zoom, size)
    return view


def everything(state: State) -> list[Hex]:
    """The hexes where something lies: what a view of the whole hunt must hold."""
    ships = [h for v in state.vessels for h in v.place.hexes]
    boats = [h for b in state.boats if b.active or b.sunk for h in b.place.hexes]
    return ships + boats + [t.at for t in state.torpedoes] + [m.target for m in state.markers]
