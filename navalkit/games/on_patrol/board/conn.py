"""The conning panel under the sea: depth, torpedoes and firing solutions at a glance, and what the next order holds.

What is picked here goes with the next order: a press on a hex then orders the move there with all that was chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from navalkit.core.awaited import Awaited, Steps
from navalkit.core.language.chances import percent
from navalkit.grids.hex import DIRECTIONS, Hex, Place, reachable, turn_between
from navalkit.view.page import Glance
from navalkit.view.scene import Cell, Lasts, Pick, Picks, Rect, Shape, Style, Text, rect_outline

from ..combat.hull import limits
from ..combat.sight import in_sight
from ..combat.torpedoes import LAUNCH_DEPTH, ready, tubes_for
from ..odds.solution import Solution, solving
from ..rules.game import OnPatrol
from ..rules.notation import Action
from ..rules.orders import DIVE, top_speed, why_not_order
from ..sea.actions import Order, Shot
from ..sea.scenario import DEPTHS
from ..sea.setting import Sea
from ..sea.state import Boat, State
from .scene import BOAT_BAND
from .words import SAY

Seen = Glance[OnPatrol, State, Action]

NARROW = 600  # panels narrower than this, in pixels, get rows that a finger can hit
_HEAD, _ROW, GAP = 26.0, 46.0, 6.0
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
    return glance.once(_fire)


def _fire(glance: Seen) -> Awaited[Mapping[int, Solution]] | None:
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


DEPTH = "depth"  # the kind of pick that changes depth; its value is the depth in feet


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
        if place.bow not in found:
            order = Order(boat.id, _turns(boat.place, path), depth, choice.shots)
            if why_not_order(state, order, sea) is None:
                found[place.bow] = order
    return found


def presses(state: State, boat: Boat, sea: Sea, picks: Picks, order: Order) -> list[str]:
    """The cells to press for an order: depth and courses not yet picked so, then the hex."""
    depth, now = boat.depth if order.depth is None else order.depth, chosen(boat, picks)
    found = [f"depth={depth}"] if depth != now.depth else []
    found += [f"fire {shot.direction}" for shot in order.shots if shot not in now.shots]
    ways = moves(state, boat, sea, Choice(depth, tuple(order.shots)))
    return found + [h.label for h, way in ways.items() if way.turns == order.turns]


class Plan(NamedTuple):
    """Orders of several turns, each given when its turn comes unless something happens before."""

    orders: tuple[Order, ...]

    def __str__(self) -> str:
        return "; ".join(map(str, self.orders))


LEGS = 5  # turns that can be plotted at once


def plans(state: State, boat: Boat, sea: Sea, choice: Choice) -> dict[Hex, Plan]:
    """The hexes further off that she can be sent to, each with the orders that take her there turn by turn."""
    most = top_speed(boat, choice.depth)
    found: dict[Hex, Plan] = {}
    for place, path in reachable(boat.place, most * LEGS).items():
        if len(path) > most and place.bow not in found:
            turns = _turns(boat.place, path)
            first = Order(boat.id, turns[:most], None if choice.depth == boat.depth else choice.depth, choice.shots)
            rest = [Order(boat.id, turns[n : n + most]) for n in range(most, len(turns), most)]
            found[place.bow] = Plan((first, *rest))
    first_legs = {plan.orders[0] for plan in found.values()}
    legal = {order for order in first_legs if why_not_order(state, order, sea) is None}
    return {h: plan for h, plan in found.items() if plan.orders[0] in legal}


def _turns(start: Place, path: Sequence[Place]) -> tuple[int, ...]:
    """The turn before each hex of a path."""
    return tuple(turn_between(a.direction, b.direction) for a, b in zip([start, *path], path, strict=False))


# What it looks like --------------------------------------------------------------------------------------------------


def height(width: float) -> float:
    """Pixels of a panel that wide: two rows for fingers on a phone, else one."""
    return _HEAD + (2 if width < NARROW else 1) * (_ROW + GAP) + 2


def closed(state: State, top: float, width: float) -> Iterator[Shape]:
    """The panel when no boat is left to order: what became of each, and what was sunk."""
    yield Rect(0, top, width, height(width), Style("paper"))
    told = [SAY("panel.lost" if b.sunk else "panel.away", boat=b.id, turn=b.sunk or b.away) for b in state.boats]
    sunk = [score.of for score in state.points if score.kind == "sunk"]  # wrecks are soon gone
    told.append(SAY("panel.sunk", ships=", ".join(sunk)) if sunk else SAY("panel.sunk.none"))
    step = min(22.0, (height(width) - 16) / len(told))
    first = top + height(width) / 2 - (len(told) - 1) * step / 2
    for n, line in enumerate(told):
        yield Text(GAP + 8, first + n * step, line, Style("muted" if n + 1 == len(told) else "ink"), 14, "start", not n)


@dataclass(frozen=True)
class Panel:
    """The panel of one boat: a button for each depth she can come to, and one for each course she can fire on."""

    boat: Boat
    choice: Choice
    # firing solutions by course; None while they are calculated, or where she cannot fire
    found: Mapping[int, Solution] | None
    waiting: bool  # whether they are being calculated
    top: float  # pixels: where the panel begins
    width: float  # pixels: how wide it is
    live: bool  # whether an order can be given now

    def drawn(self) -> tuple[tuple[Shape, ...], tuple[Cell, ...]]:
        """Its shapes and cells."""
        narrow, y = self.width < NARROW, self.top + _HEAD
        shapes: list[Shape] = [Rect(0, self.top, self.width, height(self.width), Style("paper")), *self._head()]
        cells: list[Cell] = []
        deep = self.width if narrow else 0.42 * self.width
        self._depths(shapes, cells, (GAP, y, deep - GAP))
        self._courses(
            shapes, cells, (GAP, y + _ROW + GAP, deep - GAP) if narrow else (deep + 10, y, self.width - deep - 10)
        )
        return tuple(shapes), tuple(cells)

    def _head(self) -> Iterator[Shape]:
        boat, y = self.boat, self.top + _HEAD / 2
        short = ".short" if self.width < NARROW else ""
        title = SAY(f"panel.boat{short}", boat=boat.id, hull=boat.hull, depth=limits(boat).depth)
        yield Text(GAP + 2, y, title, Style("ink"), 14, "start", True)
        loaded = {end: len(ready(boat, end)) for end in ("bow", "stern")}
        waits = [tube.ready for tube in boat.tubes if tube.ready]
        racks = sum(count for _, count in boat.reloads)
        text = SAY(f"panel.tubes{'.wait' if waits else ''}{short}", wait=min(waits, default=0), racks=racks, **loaded)
        yield Text(self.width - GAP - 2, y, text, Style("muted"), 13, "end")

    def _depths(self, shapes: list[Shape], cells: list[Cell], at: tuple[float, float, float]) -> None:
        boat, (left, y, width) = self.boat, at
        depths = [d for d in DEPTHS if abs(d - boat.depth) <= DIVE]
        each = width / len(depths)
        for n, depth in enumerate(depths):
            box, on = (left + n * each, y, each - GAP, _ROW), depth == self.choice.depth
            shapes.append(Rect(*box, Style("select" if on else "sea_shallow", "grid", 1.2), 8))
            x, ink = box[0] + box[2] / 2, "paper" if on else "ink"
            shapes.append(Text(x, y + 17, str(depth) if depth else SAY("panel.surface"), Style(ink), 15, bold=True))
            rest = "panel.now" if depth == boat.depth else "panel.up" if depth < boat.depth else "panel.down"
            shapes.append(Text(x, y + 35, SAY(rest, unit="ft" if depth else ""), Style(ink if on else "muted"), 12))
            if self.live:
                alt = SAY("panel.pick_depth.on" if on else "panel.pick_depth", depth=depth)
                cells.append(Cell(f"depth={depth}", rect_outline(*box), alt, pick=Pick(DEPTH, depth, Lasts.ORDER)))

    def _courses(self, shapes: list[Shape], cells: list[Cell], at: tuple[float, float, float]) -> None:
        """A button a course: each press adds torpedoes to what is fired there, up to a full salvo, then none."""
        left, y, width = at
        firing = {shot.direction: shot.number for shot in self.choice.shots}
        each = width / len(DIRECTIONS)
        for n, direction in enumerate(DIRECTIONS):
            box, (end, _) = (left + n * each, y, each - GAP, _ROW), tubes_for(self.boat.place, direction)
            loaded, number = len(ready(self.boat, end)), firing.get(direction, 0)
            solution = (self.found or {}).get(direction)
            chance = float(solution.total) if solution else 0.0
            x, ink = box[0] + box[2] / 2, "paper" if number else "ink" if loaded else "muted"
            edge = Style(BOAT_BAND if number else "sea_shallow" if loaded else "paper", "grid", 1.2)
            shapes.append(Rect(*box, edge, 8))
            name = SAY("panel.salvo" if number else "panel.course", course=COURSES[n], number=number)
            shapes.append(Text(x, y + 15, name, Style(ink), 14, bold=True))
            known = percent(solution.total) if solution and chance else "…" if self.waiting and loaded else "–"
            shapes.append(Text(x, y + 32, known, Style(ink), 13))
            if chance:
                shapes.append(
                    Rect(box[0] + 4, y + _ROW - 7, (box[2] - 8) * chance, 4, Style(ink if number else "good"), 2)
                )
            salvoes = [s for s in SALVOES if s <= loaded]
            if self.live and salvoes:
                wanted = next((s for s in salvoes if s > number), number)  # the last once more: off
                key = "panel.pick_fire.on" if wanted == number else "panel.pick_fire"
                alt = SAY(key, number=wanted, course=direction, odds=self._told(solution))
                cells.append(
                    Cell(f"fire {direction}", rect_outline(*box), alt, pick=Pick(Fire(direction), wanted, Lasts.ORDER))
                )

    def _told(self, solution: Solution | None) -> str:
        if self.waiting:
            return SAY("panel.waiting")
        if solution is None or not solution.total:
            return SAY("panel.nothing")
        hits = sorted(solution.hits.items(), key=lambda hit: -hit[1])[:3]
        return SAY("panel.odds", ships=", ".join(f"{id} {percent(chance)}" for id, chance in hits))
