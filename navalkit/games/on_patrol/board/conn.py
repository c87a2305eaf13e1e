"""The conning panel under the sea: depth, tubes and firing solutions at a glance, and what the next order shall hold.

What is picked here goes with the next order: a press on a hex then orders the move there with all that was chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from navalkit.core.awaited import Awaited, Steps
from navalkit.core.chances import percent
from navalkit.grids.hex import DIRECTIONS, Hex, reachable, turn_between
from navalkit.view.page import Glance
from navalkit.view.scene import Cell, Lasts, Pick, Picks, Rect, Shape, Style, Text, rect_outline

from ..combat.hull import limits
from ..combat.sight import in_sight
from ..combat.torpedoes import LAUNCH_DEPTH, ready, tubes_for
from ..odds.solution import Solution, solving
from ..rules.game import OnPatrol
from ..rules.notation import Action
from ..rules.orders import DIVE, top_speed, why_not_order
from ..sea.scenario import DEPTHS
from ..sea.setting import Sea
from ..sea.state import Boat, Order, Shot, State
from .words import SAY

Seen = Glance[OnPatrol, State, Action]

NARROW = 600
"""Panels narrower than this, in pixels, get rows that a finger can hit."""
_HEAD = 42.0
COURSES = ("NE", "SE", "S", "SW", "NW", "N")
SALVOES = (1, 2, 4)


def next_boat(state: State) -> Boat | None:
    """The boat whose orders are due: the first one in play that has none yet."""
    return next((boat for boat in state.boats if boat.active and boat.id not in state.moved), None)


def shown_boat(state: State) -> Boat | None:
    """The boat that panel, charts and window are about: the one whose orders are due, else the first in play."""
    return next_boat(state) or next((boat for boat in state.boats if boat.active), None)


# Firing solutions -----------------------------------------------------------------------------------------------------


def can_fire(state: State, boat: Boat | None, sea: Sea) -> bool:
    """Whether a boat is high enough to fire, with a ship in sight."""
    return boat is not None and boat.depth <= LAUNCH_DEPTH and bool(in_sight(state, boat, sea))


def fire(glance: Seen) -> Awaited[Mapping[int, Solution]] | None:
    """What one torpedo fired now would do, by course; None if the boat shown cannot fire."""
    state, sea, boat = glance.seen, glance.game.sea, shown_boat(glance.seen)
    if boat is None or not can_fire(state, boat, sea):
        return None
    hers = boat

    def work() -> Steps[Mapping[int, Solution]]:
        found = yield from solving(state, hers, sea)
        return {solution.direction: solution for solution in found}

    return Awaited(("on-patrol-solutions", state.vessels, state.fleet, state.package, boat, sea), work)


# The order in the making --------------------------------------------------------------------------------------------


class Choice(NamedTuple):
    """What the next order holds besides the way: the depth in feet, and what is fired, by course."""

    depth: int
    shots: tuple[Shot, ...]


class Fire(NamedTuple):
    """The kind of pick that fires on a course; its value is the number of torpedoes."""

    course: int


DEPTH = "depth"
"""The kind of pick that changes depth; its value is the depth in feet."""


def chosen(boat: Boat, picks: Picks) -> Choice:
    """What is picked for a boat's next order."""
    shots = [Shot(pick.value, pick.kind.course) for pick in picks if isinstance(pick.kind, Fire)]  # type: ignore[arg-type]
    depth = picks.get(DEPTH)
    return Choice(boat.depth if depth is None else depth, tuple(sorted(shots, key=lambda shot: shot.direction)))


def moves(state: State, boat: Boat, sea: Sea, choice: Choice) -> dict[Hex, Order]:
    """The hexes the boat's bow can go to now, each with the order that takes her there by the fewest turns."""
    found: dict[Hex, Order] = {}
    depth = None if choice.depth == boat.depth else choice.depth
    for place, path in reachable(boat.place, top_speed(boat, choice.depth)).items():
        if place.bow in found:
            continue
        at, turns = boat.place, []
        for to in path:
            turns.append(turn_between(at.direction, to.direction))
            at = to
        order = Order(boat.id, tuple(turns), depth, choice.shots)
        if why_not_order(state, order, sea) is None:
            found[place.bow] = order
    return found


# What it looks like --------------------------------------------------------------------------------------------------


def row(width: float) -> float:
    """Pixels from row to row of a panel that wide."""
    return 36.0 if width < NARROW else 18.0


def height(width: float) -> float:
    """Pixels of a panel that wide."""
    return _HEAD + 5 * row(width) + 4


@dataclass(frozen=True)
class Panel:
    """The panel of one boat.

    Parameters
    ----------
    boat : Boat
    choice : Choice
    found : mapping or None
        Firing solutions by course; None while they are calculated, or where she cannot fire.
    waiting : bool
        Whether they are being calculated.
    top, width : float
        Pixels: where the panel begins, and how wide it is.
    live : bool
        Whether an order can be given now.
    """

    boat: Boat
    choice: Choice
    found: Mapping[int, Solution] | None
    waiting: bool
    top: float
    width: float
    live: bool

    def drawn(self) -> tuple[tuple[Shape, ...], tuple[Cell, ...]]:
        """Its shapes and cells."""
        shapes: list[Shape] = [Rect(0, self.top, self.width, height(self.width), Style("paper"))]
        cells: list[Cell] = []
        left = self.width * (0.30 if self.width < NARROW else 0.25)
        self._depth(shapes, cells, left)
        self._tubes(shapes, cells, left)
        return tuple(shapes), tuple(cells)

    def _button(self, box: tuple[float, float, float, float], on: bool, word: str, fill: str) -> list[Shape]:
        x, y, width, high = box
        text = Text(x + width / 2, y + high / 2, word, Style("paper" if on else "ink"), 11, bold=on)
        return [Rect(x, y, width, high, Style(fill if on else "sea_shallow", "grid"), 3), text]

    def _depth(self, shapes: list[Shape], cells: list[Cell], width: float) -> None:
        boat, y, each = self.boat, self.top, row(self.width)
        title = SAY("panel.boat", boat=boat.id, hull=boat.hull)
        shapes.append(Text(8, y + 14, title, Style("ink"), 14, "start", True))
        safe = SAY("panel.safe", depth=limits(boat).depth)
        shapes.append(Text(8, y + 32, safe, Style("muted"), 12, "start"))
        for n, depth in enumerate(d for d in DEPTHS if abs(d - boat.depth) <= DIVE):
            box, on = (8, y + _HEAD + n * each, width - 16, each - 2), depth == self.choice.depth
            word = SAY("panel.depth" if depth else "panel.surface", depth=depth)
            shown = SAY("panel.now", depth=word) if depth == boat.depth else word
            shapes += self._button(box, on, shown, "select")
            if self.live:
                alt = SAY("panel.pick_depth.on" if on else "panel.pick_depth", depth=shown)
                pick = Pick(DEPTH, depth, Lasts.ORDER)
                cells.append(Cell(f"depth={depth}", rect_outline(*box), alt, pick=pick))

    def _tubes(self, shapes: list[Shape], cells: list[Cell], x: float) -> None:
        boat, y, each_row = self.boat, self.top, row(self.width)
        loaded = {end: len(ready(boat, end)) for end in ("bow", "stern")}
        waits = [tube.ready for tube in boat.tubes if tube.ready]
        racks = sum(count for _, count in boat.reloads)
        text = SAY("panel.tubes.wait" if waits else "panel.tubes", wait=min(waits, default=0), racks=racks, **loaded)
        shapes.append(Text(x + 8, y + 14, text, Style("ink"), 11, "start"))
        firing = {shot.direction: shot.number for shot in self.choice.shots}
        each = (self.width - x - 16) / len(DIRECTIONS)
        for n, direction in enumerate(DIRECTIONS):
            left, (end, _) = x + 8 + n * each, tubes_for(boat.place, direction)
            middle = left + each / 2
            shapes.append(Text(middle, y + 36, f"{direction} {COURSES[n]}", Style("ink"), 12, bold=True))
            solution = (self.found or {}).get(direction)
            best = percent(solution.total) if solution and solution.total else "…" if self.waiting else "–"
            good = "good" if solution and solution.total else "muted"
            shapes.append(Text(middle, y + 53, best, Style(good), 13))
            aimed = solution.best if solution and solution.best else end
            shapes.append(Text(middle, y + 68, aimed, Style("muted"), 11))
            for k, number in enumerate(SALVOES):
                if number > loaded[end]:
                    continue
                on = firing.get(direction) == number
                box = (left + 3, y + _HEAD + (2 + k) * each_row, each - 6, each_row - 2)
                word = SAY("panel.fire", number=number) if each > 48 else str(number)
                shapes += self._button(box, on, word, "vermilion")
                if self.live:
                    key = "panel.pick_fire.on" if on else "panel.pick_fire"
                    alt = SAY(key, number=number, course=direction, odds=self._told(solution))
                    pick = Pick(Fire(direction), number, Lasts.ORDER)
                    cells.append(Cell(f"fire {direction}={number}", rect_outline(*box), alt, pick=pick))

    def _told(self, solution: Solution | None) -> str:
        if self.waiting:
            return SAY("panel.waiting")
        if solution is None or not solution.total:
            return SAY("panel.nothing")
        ships = sorted(solution.hits.items(), key=lambda hit: -hit[1])[:3]
        return SAY("panel.odds", ships=", ".join(f"{id} {percent(chance)}" for id, chance in ships))
