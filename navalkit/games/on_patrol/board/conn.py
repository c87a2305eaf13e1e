"""The conning panel under the sea: depth, torpedoes and firing solutions at a glance, and what the next order holds.

What is picked here goes with the next order: a press on a hex then orders the move there with all that was chosen.
"""

from __future__ import annotations
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from navalkit.core.awaited import Awaited, Steps
from navalkit.core.words import Event, percent
from navalkit.grids.hex import DIRECTIONS, Hex, turn_between
from navalkit.grids.hex_moves import Place, reachable
from navalkit.view.page import FADE, Beat, Effect, Glance, Mark, Moment, Pose, Travel
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
    Scene,
    Shape,
    Style,
    Text,
    rect_outline,
)
from ..combat.damage import in_sight, limits
from ..combat.rolls import SONAR_REACH
from ..combat.torpedoes import LAUNCH_DEPTH, ready, tubes_for
from ..escort.pattern import THROWN
from ..odds.solution import Solution, solving
from ..rules.game import DIVE, OnPatrol, top_speed, why_not_order
from ..rules.sequence import Action
from ..sea.combat_tables import COMBAT
from ..sea.scenario import DEPTHS
from ..sea.state import Boat, MarkerKind, Order, Phase, Role, Shot, State, Vessel
from ..sea.tables import EMERGENCY, TABLES, Sea, cells, fleeing
from .scene import BANDS, BOAT_BAND, SAY
from .shapes import View

Seen = Glance[OnPatrol, State, Action]

NARROW = 600  # panels narrower than this, in pixels, get rows that a finger can hit
_HEAD, _ROW, GAP = 26.0, 46.0, 6.0
_ROWS = 3  # of places to press beside the sea: depths, and two of courses
COURSES = ("NE", "SE", "S", "SW", "NW", "N")
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
            name = SAY("panel.salvo" if number else "panel.course", course=COURSES[direction - 1], number=number)
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


# -- A turn as a film: the convoy's move, the escorts one by one, charges, torpedoes, searches, guns, the boats' moves
# All of it comes from what the captain saw and was told: the moments, and the pieces of the last scene.

_SAIL, _HEX, _NEXT, _BOAT = 340, 75, 130, 280  # ms of the fleet's move, of a hex, between two escorts, of a boat's move
_RUN, _FALL, _READ = 420, 70, 800  # ms of torpedoes, between two charges, of what is to be read


@dataclass
class _Way:
    """Where a piece has gone so far, and when."""

    poses: list[Pose]
    begins: float
    ends: float


@dataclass
class _Film:
    """The film as far as it is made; ``now`` is when what comes next begins."""

    view: View
    last: Scene
    now: float = 0
    ways: dict[str, _Way] = field(default_factory=dict)
    changes: dict[str, float] = field(default_factory=dict)  # when a piece begins to look as it will
    marks: list[Mark] = field(default_factory=list)
    searched: set[str] = field(default_factory=set)
    ran: dict[str, int] = field(default_factory=dict)  # torpedoes that run, each with its mark
    beats: list[Beat] = field(default_factory=list)

    def beat(self, key: str, at: float | None = None, **facts: Any) -> None:
        """A headline of the film, once."""
        text = SAY(f"beat.{key}", **facts)
        if all(each.text != text for each in self.beats):
            self.beats.append(Beat(text, self.now if at is None else at))

    def go(self, id: str, poses: Sequence[Pose], ms: float, at: float) -> None:
        """A piece goes on through ``poses``, the first of which is where it is."""
        way = self.ways.get(id)
        if way is None:
            self.ways[id] = _Way(list(poses), at, at + ms)
        else:
            way.poses += poses[1:]
            way.ends = at + ms

    def mark(self, kind: Any, h: Hex, at: float, to: Hex | None = None, **more: Any) -> None:
        x, y = self.view.layout.center(h)
        self.marks.append(Mark(kind, x, y, self.view.layout.center(to) if to else None, at=at, **more))

    def run(self, id: str, start: Hex, end: Hex) -> None:
        """A torpedo runs; however many steps a turn takes it, it is one track."""
        self.beat("run")
        if id in self.ran:
            self.marks[self.ran[id]] = replace(self.marks[self.ran[id]], to=self.view.layout.center(end))
        else:
            self.ran[id] = len(self.marks)
            self.mark("track", start, self.now, end, ms=_RUN, tone="vermilion")

    def note(self, h: Hex, at: float, text: str, tone: str = "ink") -> None:
        """Words above what they are about, said once where they are said of several charges."""
        x, y = self.view.layout.center(h)
        if all(mark.text != text or mark.at + _READ <= at for mark in self.marks):
            self.marks.append(Mark("note", x, y - 26, text=text, tone=tone, at=at, ms=_READ))

    def effects(self) -> list[Effect]:
        """All of it; a name goes with its ship."""
        made: list[Effect] = [*self.marks, *self.beats]
        pieces = self.last.pieces()
        for id, way in self.ways.items():
            ms = way.ends - way.begins
            made.append(Travel(id, tuple(way.poses), way.begins, ms, changes=self.changes.get(id, -1)))
            ship, name = pieces.get(id), pieces.get(f"{id} name")
            if ship and name:
                off = name.x - ship.x, name.y - ship.y
                beside = tuple((x + off[0], y + off[1], 0.0) for x, y, _ in way.poses)
                made.append(Travel(name.id, beside, way.begins, ms, changes=self.changes.get(id, way.ends)))
        made += [Travel(id, at=at, ms=FADE, changes=at) for id, at in self.changes.items() if id not in self.ways]
        return made


def performed(moments: Sequence[Moment[State]], view: View, last: Scene) -> list[Effect]:
    """The effects of what happened. ``view``: the window that the last scene shows."""
    film = _Film(view, last)
    afters: list[State | None] = [*(moment.seen for moment in moments[1:]), None]
    for moment, after in zip(moments, afters, strict=True):
        for event in moment.events:
            if act := _ACTS.get(event.kind):
                act(film, moment.seen, event)
        if after is not None:
            _between(film, moment.seen, after)
    return film.effects()


def _between(film: _Film, before: State, after: State) -> None:
    """What the positions about an action tell: ships that sailed with the fleet, torpedoes that ran, light."""
    if before.phase is Phase.CONVOY:
        _sail(film, before, after)
    ran = {torpedo.id: torpedo for torpedo in before.torpedoes}
    for torpedo in after.torpedoes:
        old = ran.get(torpedo.id)
        if old is not None and old.at != torpedo.at:
            ends = [(*film.view.layout.center(h), 60.0 * torpedo.direction % 360) for h in (old.at, torpedo.at)]
            film.go(torpedo.id, ends, _RUN, film.now)
            film.run(torpedo.id, old.at, torpedo.at)
    if before.torpedoes and (before.phase <= Phase.TORPEDOES < after.phase or before.turn < after.turn):
        film.now += _RUN
    for light in set(after.lights) - set(before.lights):
        r = (light.radius + 0.5) * film.view.layout.height
        film.mark("light", light.at, film.now, r=r, tone="yellow", ms=_READ)


def _sail(film: _Film, before: State, after: State) -> None:
    """The fleet's move: every ship turns where she lies, then goes ahead."""
    old = {vessel.id: vessel.place for vessel in before.vessels}
    moved = [v for v in after.vessels if v.id in after.moved and old.get(v.id, v.place) != v.place]
    for vessel in moved:
        start, end = film.view.pose(old[vessel.id]), film.view.pose(vessel.place)
        film.go(vessel.id, (start, end), _SAIL, film.now)
    film.now += 0.7 * _SAIL if moved else 0


def _escort(film: _Film, seen: State, event: Event) -> None:
    id, way = event.facts["escort"], event.facts["way"]
    _along(film, id, seen.vessel(id).place, way, film.now, _HEX * (len(way) + 1))
    film.now += _NEXT


def _along(film: _Film, id: str, start: Place, way: Iterable[Place], at: float, ms: float) -> None:
    film.go(id, [film.view.pose(place) for place in (start, *way)], ms, at)


def _drops(film: _Film, seen: State, event: Event) -> None:
    """Charges go over the side while she runs, or fly ahead."""
    film.beat("charges", ship=event.facts["escort"])
    ship = seen.vessel(event.facts["escort"])
    for n, charge in enumerate(event.facts["marked"]):
        at = film.now + _FALL * n
        if charge.weapon in THROWN:
            film.mark("shell", ship.place.bow, at, charge.at, ms=300, r=4, tone="ink")
        film.mark("splash", charge.at, at + 120, r=0.7 * film.view.side, tone="foam", ms=500)
    film.now += _FALL * len(event.facts["marked"])


def _detonates(film: _Film, seen: State, event: Event) -> None:
    """A charge goes off: how far its depth was from the boat's stands beside it."""
    off = event.kind.removeprefix("depth.")
    tone = "bad" if off == "0" else "accent" if off == "25" else "muted"
    film.mark("splash", event.facts["hex"], film.now, r=1.2 * film.view.side, tone=tone, ms=600)
    if off != "miss":
        text = SAY("film.depth", depth=seen.boat(event.facts["boat"]).depth, off=int(off))
        film.note(event.facts["hex"], film.now + 80, text)
    film.now += _FALL


def _hurt(film: _Film, seen: State, event: Event) -> None:
    boat = seen.boat(event.facts["boat"])
    film.mark("hit", boat.place.bow, film.now, tone="bad", ms=600)
    film.note(boat.place.bow, film.now + 60, SAY("film.hull", points=event.facts["points"]), "bad")
    film.now += 120


def _boat(film: _Film, seen: State, event: Event) -> None:
    id, way = event.facts["boat"], event.facts["way"]
    if seen.boat(id).place != (way[-1] if way else seen.boat(id).place) or not film.beats:
        film.beat("moves" if way else "stays", boat=id)
    _along(film, id, seen.boat(id).place, way, film.now, _BOAT)
    marker = seen.marker(id)
    if marker and marker.kind in (MarkerKind.SURFACED, MarkerKind.VISIBLE):
        _along(film, f"{id} marker", seen.boat(id).place, way, film.now, _BOAT)
    film.now += 0.6 * _BOAT


def _launch(film: _Film, seen: State, event: Event) -> None:
    film.beat("launch")
    film.mark("flash", event.facts["hex"], film.now, r=film.view.side, ms=250)
    film.now += 200


def _run_in(film: _Film, seen: State, event: Event) -> None:
    """A torpedo that came to its end runs there, once, however many events tell of it."""
    there, before = event.facts["hex"], {torpedo.id: torpedo for torpedo in seen.torpedoes}
    own = before.get(str(event.facts.get("torpedo", "")))
    if own is None:
        own = min(before.values(), key=lambda torpedo: torpedo.at.distance(there), default=None)
    if own is not None:
        film.run(own.id, own.at, there)


def _struck(film: _Film, seen: State, event: Event) -> None:
    _run_in(film, seen, event)
    film.mark("hit", event.facts["hex"], film.now + _RUN, tone="bad", r=2 * film.view.side, ms=700)
    film.changes[event.facts["ship"]] = film.now + _RUN


def _sinks(film: _Film, seen: State, event: Event) -> None:
    _struck(film, seen, event)
    film.mark("sink", event.facts["hex"], film.now + _RUN, ms=900)


def _fails(film: _Film, seen: State, event: Event) -> None:
    _run_in(film, seen, event)
    film.note(event.facts["hex"], film.now + _RUN, SAY(f"film.{event.kind}"))


def _lost(film: _Film, seen: State, event: Event) -> None:
    film.changes[event.facts["boat"]] = film.now + 400
    film.mark("sink", seen.boat(event.facts["boat"]).place.bow, film.now, ms=1000)
    film.now += 300


def _searches(film: _Film, seen: State, event: Event) -> None:
    """A ping from each ship that searches, once a turn, and a ring where it comes back."""
    ship = event.facts["actor"]
    film.beat("search", ship=ship)
    if ship not in film.searched:
        film.searched.add(ship)
        reach = min(SONAR_REACH, 9) * film.view.layout.height
        film.mark("ping", seen.vessel(ship).place.bow, film.now, r=reach, tone="sky", ms=600)
    if event.kind == "search_found":
        film.mark("ring", seen.boat(event.facts["boat"]).place.bow, film.now + 300, tone="accent", ms=600)
    film.now += 90


def _fires(film: _Film, seen: State, event: Event) -> None:
    ship, boat = seen.vessel(event.facts["ship"]), seen.boat(event.facts["boat"])
    film.beat("guns", ship=ship.id, boat=boat.id)
    film.mark("flash", ship.place.bow, film.now, ms=200)
    film.mark("shell", ship.place.bow, film.now, boat.place.bow, ms=350, r=4, tone="ink")
    kind = "hit" if event.kind == "gun_hit" else "splash"
    film.mark(kind, boat.place.bow, film.now + 330, r=1.2 * film.view.side, ms=500)
    film.now += 150


def _known(film: _Film, seen: State, event: Event) -> None:
    """The escorts come to know where a boat is, or lose her: their marker is laid, or moved, now and not before."""
    id = f"{event.facts['boat']} marker"
    if id not in film.ways:
        film.go(id, (), FADE, film.now)
    if event.kind in ("visible", "surfaced"):
        film.mark("ring", event.facts["place"].bow, film.now, r=24, tone="yellow", ms=700)
        film.now += 200


def _turn(film: _Film, _seen: State, _event: Event) -> None:
    film.searched.clear()


_ACTS: Mapping[str, Callable[[_Film, State, Event], None]] = {
    "turn": _turn, "escort_moves": _escort, "attacks": _drops, "damage": _hurt, "ram_hit": _hurt, "crush": _hurt,
    "moves": _boat, "launched": _launch, "hit": _struck, "sunk_ship": _sinks, "dud": _fails, "unarmed": _fails,
    "sunk_boat": _lost, "search_found": _searches, "search_missed": _searches, "gun_hit": _fires,
    "gun_missed": _fires, "visible": _known, "surfaced": _known, "found": _known, "torpedoes": _known,
    "missed": _known, "disappears": _known, **{f"depth.{off}": _detonates for off in ("miss", "0", "25", "50")},
}
"""Kind of event -> how it is played."""
