"""The conning panel under the sea: depth, torpedoes and firing solutions at a glance, and what the next order holds.

What is picked here goes with the next order: a press on a hex then orders the move there with all that was chosen.
"""

from __future__ import annotations
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from navalkit.core.awaited import Awaited, Steps
from navalkit.core.words import percent
from navalkit.grids.hex import DIRECTIONS, Hex, turn_between
from navalkit.grids.hex_moves import Place, reachable
from navalkit.view.page import Glance
from navalkit.view.scene import (
    Cell,
    Circle,
    Lasts,
    Layer,
    Line,
    Pick,
    Picks,
    Polygon,
    Rect,
    Shape,
    Style,
    Text,
    rect_outline,
)
from ..combat.damage import in_sight, limits
from ..combat.torpedoes import LAUNCH_DEPTH, ready, tubes_for
from ..odds.solution import Solution, solving
from ..rules.game import DIVE, OnPatrol, top_speed, why_not_order
from ..rules.sequence import Action
from ..sea.combat_tables import COMBAT
from ..sea.scenario import DEPTHS
from ..sea.state import Boat, Order, Role, Shot, State, Vessel
from ..sea.tables import EMERGENCY, TABLES, Sea, cells, fleeing
from .scene import BANDS, BOAT_BAND, NARROW, SAY, course
from .shapes import View

Seen = Glance[OnPatrol, State, Action]

_HEAD, _ROW, GAP = 26.0, 46.0, 6.0
_ROWS = 3  # of places to press beside the sea: depths, and two of courses
SALVOES = (1, 2, 4)


def next_boat(state: State) -> Boat | None:
    """The boat whose orders are due: the first one in play that has none yet."""
    return next((boat for boat in state.boats if boat.active and boat.id not in state.moved), None)


def shown_boat(state: State) -> Boat | None:
    """The boat that panel, charts and window are about: the one whose orders are due, else the first in play."""
    return next_boat(state) or next((boat for boat in state.boats if boat.active), None)


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
    amiss = {*order.shots} ^ {*now.shots}  # not picked yet, or picked otherwise
    found += [f"fire {direction}" for direction in DIRECTIONS if any(shot.direction == direction for shot in amiss)]
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


def way(view: View, boat: Boat, order: Order | Plan | None) -> Layer:
    """The way to the hex under the pointer, or under the finger that asks for it, with that hex."""
    if order is None:
        return Layer("way", late=True)
    place, points = boat.place, [view.layout.center(boat.place.bow)]
    for leg in order.orders if isinstance(order, Plan) else (order,):
        for turn in leg.turns:
            place = place.entering(turn)
            points.append(view.layout.center(place.bow))
    goal = Polygon(view.outline(place.bow), Style("accent", "ink", 1.5, opacity=0.75))
    lines = tuple(Line(tuple(points), Style(None, tone, wide)) for tone, wide in (("foam", 7), ("accent", 4)))
    return Layer("way", (goal, *(lines if len(points) > 1 else ())), late=True)


def _turns(start: Place, path: Sequence[Place]) -> tuple[int, ...]:
    """The turn before each hex of a path."""
    return tuple(turn_between(a.direction, b.direction) for a, b in zip([start, *path], path, strict=False))


def height(width: float) -> float:
    """Pixels of a panel that wide: two rows for fingers on a phone, else one."""
    return _HEAD + (2 if width < NARROW else 1) * (_ROW + GAP) + 2


def closed(state: State, top: float, width: float, high: float = 0.0) -> Iterator[Shape]:
    """The panel when no boat is to be ordered any more: what became of each, and what was sunk. ``high``: px of it
    beside the sea."""
    high = high or height(width)
    yield Rect(0, top, width, high, Style("paper"))
    told = [SAY("panel.lost" if b.sunk else "panel.away", boat=b.id, turn=b.sunk or b.away) if not b.active else
            SAY("panel.boat.short", boat=b.id, hull=b.hull, depth=limits(b).depth) for b in state.boats]
    sunk = [score.of for score in state.points if score.kind == "sunk"]  # wrecks are soon gone
    told.append(SAY("panel.sunk", ships=", ".join(sunk)) if sunk else SAY("panel.sunk.none"))
    step = min(22.0, (high - 16) / len(told))
    first = top + high / 2 - (len(told) - 1) * step / 2
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
    high: float = 0.0  # pixels: how high it is beside the sea of a phone lying down; 0 beneath it

    def drawn(self) -> tuple[tuple[Shape, ...], tuple[Cell, ...]]:
        """Its shapes and cells."""
        if self.high:
            return self._beside()
        narrow, y = self.width < NARROW, self.top + _HEAD
        shapes: list[Shape] = [Rect(0, self.top, self.width, height(self.width), Style("paper")), *self._head()]
        cells: list[Cell] = []
        deep = self.width if narrow else 0.42 * self.width
        self._depths(shapes, cells, (GAP, y, deep - GAP))
        self._courses(shapes, cells,
                      (GAP, y + _ROW + GAP, deep - GAP) if narrow else (deep + 10, y, self.width - deep - 10))
        return tuple(shapes), tuple(cells)

    def _beside(self) -> tuple[tuple[Shape, ...], tuple[Cell, ...]]:
        """In a column: the depths in a row, the courses in two; the head where there is room for it."""
        shapes: list[Shape] = []
        cells: list[Cell] = []
        row = min(_ROW, (self.high - 2 * GAP) / _ROWS)
        top = self.high - _ROWS * row - 2 * GAP
        if top > 16:
            title = SAY("panel.boat.short", boat=self.boat.id, hull=self.boat.hull, depth=limits(self.boat).depth)
            shapes.append(Text(0, top / 2, title, Style("ink"), 13, "start", True))
        self._depths(shapes, cells, (0, max(0.0, top), self.width + GAP), row)
        for n in (0, 1):
            at = 0.0, max(0.0, top) + (n + 1) * (row + GAP), self.width + GAP
            self._courses(shapes, cells, at, DIRECTIONS[3 * n : 3 * n + 3], row)
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

    def _depths(self, shapes: list[Shape], cells: list[Cell], at: tuple[float, float, float],
                row: float = _ROW) -> None:
        boat, (left, y, width) = self.boat, at
        depths = [d for d in DEPTHS if abs(d - boat.depth) <= DIVE]
        each = width / len(depths)
        for n, depth in enumerate(depths):
            box, on = (left + n * each, y, each - GAP, row), depth == self.choice.depth
            shapes.append(Rect(*box, Style("select" if on else "sea_shallow", "grid", 1.2), 8))
            x, ink = box[0] + box[2] / 2, "paper" if on else "ink"
            name = str(depth) if depth or self.high else SAY("panel.surface")
            shapes.append(Text(x, y + 0.37 * row, name, Style(ink), 15, bold=True))
            rest = "panel.now" if depth == boat.depth else "panel.up" if depth < boat.depth else "panel.down"
            told = SAY(rest, unit="ft" if depth and not self.high else "").strip()
            shapes.append(Text(x, y + 0.76 * row, told, Style(ink if on else "muted"), 12))
            if self.live:
                alt = SAY("panel.pick_depth.on" if on else "panel.pick_depth", depth=depth)
                cells.append(Cell(f"depth={depth}", rect_outline(*box), alt, pick=Pick(DEPTH, depth, Lasts.ORDER)))

    def _courses(self, shapes: list[Shape], cells: list[Cell], at: tuple[float, float, float],
                 some: Sequence[int] = DIRECTIONS, row: float = _ROW) -> None:
        """A button a course: each press adds torpedoes to what is fired there, up to a full salvo, then none."""
        left, y, width = at
        firing = {shot.direction: shot.number for shot in self.choice.shots}
        each = width / len(some)
        for n, direction in enumerate(some):
            box, (end, _) = (left + n * each, y, each - GAP, row), tubes_for(self.boat.place, direction)
            loaded, number = len(ready(self.boat, end)), firing.get(direction, 0)
            solution = (self.found or {}).get(direction)
            chance = float(solution.total) if solution else 0.0
            x, ink = box[0] + box[2] / 2, "paper" if number else "ink" if loaded else "muted"
            edge = Style(BOAT_BAND if number else "sea_shallow" if loaded else "paper", "grid", 1.2)
            shapes.append(Rect(*box, edge, 8))
            name = SAY("panel.salvo" if number else "panel.course", course=course(direction), number=number)
            shapes.append(Text(x, y + 0.33 * row, name, Style(ink), 14, bold=True))
            known = percent(solution.total) if solution and chance else "…" if self.waiting and loaded else "–"
            shapes.append(Text(x, y + 0.7 * row, known, Style(ink), 13))
            if chance:
                shapes.append(
                    Rect(box[0] + 4, y + row - 7, (box[2] - 8) * chance, 4, Style(ink if number else "good"), 2)
                )
            salvoes = [s for s in SALVOES if s <= loaded]
            if self.live and salvoes:
                wanted = next((s for s in salvoes if s > number), number)  # the last once more: off
                key = ".on" if number and wanted == number else ".more" if number else ""
                facts = {"number": wanted, "chosen": number, "course": course(direction)}
                alt = SAY(f"panel.pick_fire{key}", odds=self._told(solution), **facts)
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


# -- The attack computer on the sea: where ships may be in the next two turns, and the tracks of torpedoes fired now

AHEAD = 2  # turns looked ahead
SHIPS = 6  # the nearest ships that it follows, within ``RANGE`` hexes
RANGE = 24
LABELS = range(5, 16, 2)  # hexes along a track at which its figure may stand
CLEAR = 3  # hexes that it keeps from every ship


def layer(view: View, state: State, boat: Boat, found: Mapping[int, Solution]) -> Layer:
    """What the computer draws for a boat. ``found``: the firing solutions by course; none while they are calculated."""
    return Layer("computer", (*_places(view, state, boat), *_fan(view, state, boat, found)))


def _places(view: View, state: State, boat: Boat) -> Iterator[Shape]:
    prey = [v for v in state.vessels if v.role is not Role.ESCORT and not (v.sunk or v.stopped)]
    prey.sort(key=lambda v: (v.place.bow.distance(boat.place.bow), v.id))
    for ship in prey[:SHIPS]:
        if ship.place.bow.distance(boat.place.bow) <= RANGE:
            for turn, spread in enumerate(chances(state, ship), 1):
                most = max(spread.values())
                for h, ways in spread.items():
                    x, y = view.layout.center(h)
                    r = view.side * (0.35 + 0.5 * ways / most)
                    yield Circle(x, y, r, Style(BANDS[ship.role], opacity=0.5 if turn == 1 else 0.22))


def chances(state: State, ship: Vessel) -> Iterator[Counter[Hex]]:
    """Where her bow may be after each of the next turns, with the number of ways the fleet die has to bring her
    there."""
    row = EMERGENCY if fleeing(state) else state.fleet.row
    places: Counter[Place] = Counter({Place(ship.place.bow, state.fleet.guide.direction): 1})
    top = TABLES.vessels[ship.type].speed_after(ship.hits)
    for turn in range(1, AHEAD + 1):
        after: Counter[Place] = Counter()
        for place, ways in places.items():
            for cell in cells(row, place.direction, state.fleet.base):
                hexes = min(top, ship.speed + turn) if cell.hexes is None else cell.hexes
                after[place.turned(cell.before).ahead(hexes).turned(cell.after)] += ways
        places = after
        bows: Counter[Hex] = Counter()
        for place, ways in places.items():
            bows[place.bow] += ways
        yield bows


def _fan(view: View, state: State, boat: Boat, found: Mapping[int, Solution]) -> Iterator[Shape]:
    """A line for each course she can fire on, the heavier the likelier a hit, with a dot for every turn of the run."""
    for direction, solution in found.items():
        end, at = tubes_for(boat.place, direction)
        if not ready(boat, end):
            continue
        torpedo = COMBAT.torpedoes[next(t.torpedo for t in boat.tubes if t.end == end and t.torpedo and not t.ready)]
        chance = float(solution.total)
        style = Style(None, BOAT_BAND if chance else "muted", 1.2 + 4 * chance, (7, 4), 0.9 if chance else 0.5)
        yield Line((view.layout.center(at), view.layout.center(at.step(direction, torpedo.range))), style)
        for run in range(torpedo.speed, torpedo.range, torpedo.speed):
            yield Circle(*view.layout.center(at.step(direction, run)), 3, Style(BOAT_BAND if chance else "muted"))
        if chance:
            x, y = view.layout.center(at.step(direction, _free(state, at, direction)))
            yield Text(x, y, percent(solution.total), Style("ink", "halo", 3), 13, bold=True)


def _free(state: State, at: Hex, direction: int) -> int:
    """How far along a track its figure stands: the first place from which every ship and her name is some hexes off."""
    places = [vessel.place.bow for vessel in state.vessels if not vessel.sunk]
    ways = (n for n in LABELS if all(place.distance(at.step(direction, n)) > CLEAR for place in places))
    return next(ways, LABELS[0])
