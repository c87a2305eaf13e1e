"""The page of On Patrol: sea and conning panel, orders, odds of fire and of being found, the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from navalkit.core.awaited import Awaited, Steps
from navalkit.core.event import Event
from navalkit.core.language.chances import percent
from navalkit.core.match import Match
from navalkit.grids.hex import Hex
from navalkit.view.effect import Effect
from navalkit.view.extent import extent
from navalkit.view.page import Chart, Look, Moment, Order, Page, Table, gravest, override
from navalkit.view.scene import Cell, Layer, Polygon, Scene, Shape, Style

from .. import odds
from ..combat.hull import limits
from ..combat.sight import in_sight
from ..combat.torpedoes import ready
from ..escort.markers import mode
from ..odds.solution import Solution
from ..rules.game import OnPatrol
from ..rules.notation import Action
from ..rules.orders import DIVE, top_speed
from ..sea.actions import Order as BoatOrder
from ..sea.scenario import DEPTHS
from ..sea.setting import Sea
from ..sea.state import Boat, MarkerKind, Phase, Role, State
from ..sea.tables import TABLES
from . import computer, conn, window
from . import scene as sea_scene
from .conn import Seen
from .effects import performed
from .legend import legend
from .watch import alarmed
from .window import Aid
from .words import SAY

PERISCOPE = 50  # feet: the deepest a boat sees at
DEEP = 200  # feet: from here on nobody is told to go deep
LONG = 6  # turns that a boat carries on by herself at most
CLOSE = 12  # hexes to a merchant or capital ship within which the guide speaks of firing
DEPTHS_SHOWN = (50, 100, 200, 300, 400, 500)  # feet, in the chart
ROUTINE = frozenset({"turn", "escort_moves", "escort_stays", "fleet", "missed", "moves"})
"""Events of every turn, told in one sentence together."""
GRAVE = (
    "sunk_boat", "sunk_ship", "ram_hit", "damage", "gun_hit", "crush", "hit", "dud", "unarmed", "passed", "spent",
    "found", "surfaced", "visible", "harmless", "gun_missed", "ram_missed", "attacks", "disappears", "missed",
    "launched", "torpedoes", "return", "search_missed", "away", "moves",
)  # fmt: skip
"""Kinds of events that make a headline, the gravest first."""


def _ordered(glance: Seen) -> Boat | None:
    """The boat whose orders are due."""
    due = glance.seen.phase is Phase.BOATS and not glance.seen.over
    return conn.next_boat(glance.seen) if due else None


def _counsel(seen: State, boat: Boat, sea: Sea) -> str:
    """What the guide has to say to a boat: of what hunts her first, then of what she can see, and then of her tubes."""
    marker, hunted, blind = seen.marker(boat.id), bool(seen.escorts), boat.depth > PERISCOPE
    if marker and hunted:
        return "contact.deep" if marker.kind is MarkerKind.CONTACT and boat.depth >= DEEP else marker.kind
    prey = [v for v in seen.vessels if v.role is not Role.ESCORT]
    afloat = [v.place.bow.distance(boat.place.bow) for v in prey if not v.sunk]
    if not (boat.reloads or any(tube.torpedo for tube in boat.tubes)):
        return "spent"
    if not afloat:
        return "none_left" if prey else "hunters"
    if blind:
        return "deep" if hunted else "deep_alone"
    if min(afloat) <= CLOSE and conn.can_fire(seen, boat, sea):
        return "solution" if ready(boat, "bow") or ready(boat, "stern") else "loading"
    return "seen_alone" if marker else "approach" if hunted else "unopposed"


class PatrolPage(Page[OnPatrol, State, Action]):
    """The page of On Patrol."""

    example = "S1 ahead 2 port, dive 50, fire 2 at 3"
    adviser = "skipper"
    unit = "points"
    languages = SAY.languages

    # The position ---------------------------------------------------------------------------------------------------

    @override
    def scene(self, glance: Seen, look: Look) -> Scene:
        seen, boat, sea = glance.seen, _ordered(glance), glance.game.sea
        shown = boat or conn.shown_boat(seen)
        view = window.framed(seen, look).view
        choice = conn.chosen(shown, look.picks) if shown else None
        live = boat is not None and bool(glance.legal)
        ways: dict[Hex, Any] = conn.moves(seen, boat, sea, choice) if boat and choice and live else {}
        under = [sea_scene.marked(view, ways)] if ways else []
        fire = conn.fire(glance)
        found = look.known(fire) if fire else None
        if look.picks.get(Aid.COMPUTER) and shown:
            under.append(computer.layer(view, seen, shown, found or {}))
        if look.picks.get(Aid.PLOT) and ways and boat and choice:
            ways = {**conn.plans(seen, boat, sea, choice), **ways}
            under.append(sea_scene.marked(view, ways, faint=True))
        bare = [extent((Polygon(view.outline(h), Style()),)) for h in ways]  # where she can go, no name shall stand
        signs, told = legend(view, seen)
        drawn = sea_scene.scene(seen, view, orders=ways, under=under, night=sea.night, shunned=[*bare, told])
        panel, buttons = window.pad(look, view.size[0])
        width, height = view.size
        panel: tuple[Shape, ...] = tuple(conn.closed(seen, height, width))
        choices: tuple[Cell, ...] = ()
        if shown and choice:
            waits = fire is not None and found is None
            panel, choices = conn.Panel(shown, choice, found, waits, height, width, live).drawn()
        cells = (*drawn.cells, *choices, *buttons)  # of cells that lie over one another the last is pointed at
        layers = (*drawn.layers, signs, Layer("conn", (*panel, *pad.shapes)))
        return Scene(width, height + conn.height(width), layers, cells, drawn.title, drawn.desc)

    @override
    def map(self, glance: Seen) -> Scene:
        return sea_scene.chart(glance.seen, glance.game.sea.night)

    @override
    def pieces(self, glance: Seen, look: Look) -> Scene:
        view = window.framed(glance.seen, look).view
        width, height = view.size
        return Scene(width, height + conn.height(width), (sea_scene.afloat(view, glance.seen),))

    @override
    def frame(self, glance: Seen, look: Look) -> Any:
        return window.framed(glance.seen, look)

    @override
    def effects(
        self, game: OnPatrol, moments: Sequence[Moment[State]], look: Look, before: Scene, last: Scene
    ) -> Sequence[Effect]:
        held = look.window
        return performed(moments, held.view, last) if isinstance(held, window.Window) else ()

    @override
    def awaits(self, glance: Seen, look: Look) -> Sequence[Awaited[Any]]:
        fire = conn.fire(glance)
        return (fire,) if fire else ()

    @override
    def window(self, glance: Seen, look: Look, move: window.Move) -> Any:
        return window.moved(glance.seen, look, move)

    @override
    def unfold(self, glance: Seen, action: Any) -> Sequence[Action]:
        return action.orders if isinstance(action, conn.Plan) else (action,)

    @override
    def lit(self, glance: Seen, look: Look, scene: Scene, action: Any) -> Sequence[str]:
        """The depth and the courses fired on that are still to be picked, and the hex to press then."""
        boat = _ordered(glance)
        if boat is None or not isinstance(action, BoatOrder):
            return super().lit(glance, look, scene, action)
        return conn.presses(glance.seen, boat, glance.game.sea, look.picks, action)

    @override
    def due(self, given: State, glance: Seen, action: Action) -> bool | None:
        """The next leg of a plotted course is sailed unless something has happened."""
        now = glance.seen
        if isinstance(action, BoatOrder) and conn.next_boat(now) not in (None, now.boat(action.boat)):
            return False
        return None if alarmed(given, now) else True

    @override
    def now(self, glance: Seen) -> str:
        if glance.seen.over:
            return SAY("now.over")
        boat = _ordered(glance)
        if boat is None:
            return SAY("now.wait")
        return SAY("now.order", boat=boat.id, depth=boat.depth, course=boat.place.direction)

    @override
    def guide(self, glance: Seen) -> str:
        boat, seen = _ordered(glance), glance.seen
        if seen.over:
            return SAY("guide.over")
        if boat is None:
            return ""
        return SAY(f"guide.{_counsel(seen, boat, glance.game.sea)}", depth=boat.depth)

    @override
    def orders(self, glance: Seen) -> Sequence[Order]:
        """A few orders as buttons; every other on the board, on the panel, or typed."""
        boat = _ordered(glance)
        if boat is None or not glance.legal:
            return ()
        most = top_speed(boat, boat.depth)
        deeper, higher = min(DEPTHS[-1], boat.depth + DIVE), max(0, boat.depth - DIVE)
        on, still = (BoatOrder(boat.id, (0,) * most), BoatOrder(boat.id))
        wanted: list[tuple[str, Any, int]] = [("stay", still, 0)]
        wanted += [("ahead", on, most), ("carry_on", conn.Plan((on,) * LONG), LONG)] if most else []
        wanted.append(("wait", conn.Plan((still,) * LONG), LONG))
        usual = "dive" if glance.seen.marker(boat.id) and boat.depth < deeper else "ahead" if most else "stay"
        wanted += [
            (key, BoatOrder(boat.id, (0,), depth), depth)
            for key, depth in (("dive", deeper), ("rise" if higher else "surface", higher))
            if depth != boat.depth
        ]
        return tuple(
            Order(order, said, "", SAY(f"order.{key}.help", value=value), "move", key == usual)
            for key, order, value in wanted
            for said in [SAY(f"order.{key}", value=value)]
            if glance.game.why_not(glance.seen, self.unfold(glance, order)[0]) is None
        )

    @override
    def spoken(self, glance: Seen, action: Action) -> str:
        boat = _ordered(glance)
        if boat and isinstance(action, BoatOrder) and action.depth == boat.depth:
            action = action._replace(depth=None)
        said = super().spoken(glance, action)
        if not isinstance(action, BoatOrder) or said != str(action):
            return said
        shots = [
            SAY("order.shot", number=" ".join(filter(None, (str(number), kind))), course=conn.COURSES[course - 1])
            for number, course, kind in action.shots
        ]
        return ", ".join([str(action._replace(shots=())), *shots])  # by the names that are on the board

    @override
    def happened(self, events: Sequence[Event]) -> str:
        told = [event.text for event in events if event.kind not in ROUTINE]
        own = [event.text for event in events if event.kind == "moves"]
        return " ".join([*own, *told])

    @override
    def headline(self, events: Sequence[Event]) -> str:
        """The gravest thing; of several of its kind how many, and whose."""
        event = gravest(events, GRAVE)
        if event is None:
            return self.happened(events)
        alike = [each.facts for each in events if each.kind == event.kind]
        actors = dict.fromkeys(str(each[key]) for each in alike for key in ("ship", "actor", "escort") if key in each)
        return SAY(f"headline.{event.kind}", **{**event.facts, "n": len(alike), "actors": ", ".join(actors)})

    # Charts and figures ---------------------------------------------------------------------------------------------

    @override
    def charts(self, glance: Seen) -> Sequence[Chart | Awaited[Chart]]:
        fire = conn.fire(glance)
        return fire.map(_fire) if fire else _fire({}), _depths(glance)

    @override
    def facts(self, glance: Seen) -> Table:
        seen, sea = glance.seen, glance.game.sea
        rows = [row for boat in seen.boats for row in _boat_facts(glance, boat)]
        points = sum(score.value for score in seen.points)
        rows.append((SAY("fact.points"), SAY("fact.points.text", points=points, goal=sea.points)))
        rows.append((SAY("fact.turn"), SAY("fact.turn.text", turn=seen.turn, turns=sea.turns)))
        return Table(SAY("fact.title"), (SAY("fact.what"), SAY("fact.how")), tuple(rows), SAY("fact.note"))

    # After the end --------------------------------------------------------------------------------------------------

    @override
    def track(self, game: OnPatrol, match: Match) -> Scene:
        return sea_scene.track([match.at(ply) for ply in range(match.ply + 1)], game.sea.night)

    @override
    def report(self, game: OnPatrol, match: Match, others: Sequence[tuple[str, Match]]) -> Table | None:
        outcome = match.outcome
        if outcome is None:
            return None
        matches = [match, *(other for _, other in others)]
        ends = [m.outcome.facts if m.outcome else {} for m in matches]
        rows = [
            (SAY(f"report.{key}"), *(str(facts.get(key, "-")) for facts in ends))
            for key in ("points", "ships_sunk", "boats_lost", "turns")
        ]
        rows.insert(3, (SAY("report.fired"), *(str(m.state.launched) for m in matches)))
        head = ("", SAY("report.you"), *(name for name, _ in others))
        return Table(SAY("report.title"), head, tuple(rows), outcome.text)


PAGE = PatrolPage()


def _fire(found: Mapping[int, Solution]) -> Chart:
    title, x = SAY("chart.fire"), SAY("chart.fire.x")
    if not found:
        return Chart("fire", title, x, (), (), (), True, SAY("chart.fire.none"))
    names = tuple(f"{d} {name}" for d, name in enumerate(conn.COURSES, 1))
    chances = [found[d].total if d in found else None for d in range(1, 7)]
    labels = tuple(percent(c) if c else "" for c in chances)
    shares = tuple(float(c or 0) for c in chances)
    return Chart("fire", title, x, names, shares, labels, True, SAY("chart.fire.note"))


def _depths(glance: Seen) -> Chart | Awaited[Chart]:
    """How surely the nearest escort finds her at each depth, if she lay right ahead of it."""
    boat, escorts = conn.shown_boat(glance.seen), glance.seen.escorts
    title, x = SAY("chart.depth"), SAY("chart.depth.x")
    if boat is None or not escorts:
        return Chart("depth", title, x, (), (), (), True, SAY("chart.depth.none"))
    nearest = min(escorts, key=lambda v: (v.place.bow.distance(boat.place.bow), v.id))
    distance = nearest.place.bow.distance(boat.place.bow)
    type_, hull, speed = boat.type, max(1, boat.hull), min(boat.speed, 2)

    def work() -> Steps[list[odds.Depth]]:
        yield None
        rows = odds.depth_to_go(type_, points=hull, distance=distance, speed=speed)
        return [row for row in rows if row.depth in DEPTHS_SHOWN]

    def chart(rows: list[odds.Depth]) -> Chart:
        note = SAY("chart.depth.note", escort=nearest.id, distance=distance, limit=limits(boat).depth)
        names, shares = tuple(f"{row.depth}" for row in rows), tuple(float(row.found) for row in rows)
        return Chart("depth", title, x, names, shares, tuple(percent(row.found) for row in rows), True, note)

    return Awaited(("on-patrol-depths", type_, hull, distance, speed), work).map(chart)


def _boat_facts(glance: Seen, boat: Boat) -> list[tuple[str, str]]:
    """A boat, her tubes, what the escorts know of her and what she sees."""
    seen, id = glance.seen, boat.id
    if not boat.active:
        return [(id, SAY("fact.sunk", turn=boat.sunk) if boat.sunk else SAY("fact.away", turn=boat.away))]
    type_, limit, marker = TABLES.boats[boat.type], limits(boat), seen.marker(id)
    known = SAY(f"fact.{marker.kind}" if marker else "fact.unknown")
    hers = SAY("fact.boat.text", hull=boat.hull, most=type_.hull, depth=boat.depth,
               limit=limit.depth, under=limit.submerged, above=limit.surfaced)  # fmt: skip
    sighted = ", ".join(in_sight(seen, boat, glance.game.sea)) or SAY("fact.nobody")
    return [
        (SAY("fact.boat", boat=id, type=type_.name), hers),
        (SAY("fact.tubes", boat=id), _tubes(boat)),
        (SAY("fact.known", boat=id), SAY("fact.mode", known=known, mode=mode(seen, id))),
        (SAY("fact.sight", boat=id), sighted),
    ]


def _tubes(boat: Boat) -> str:
    parts = []
    for tube in boat.tubes:
        key = "fact.tube.wait" if tube.ready else "fact.tube" if tube.torpedo else "fact.tube.empty"
        parts.append(SAY(key, end=tube.end, torpedo=tube.torpedo, turns=tube.ready))
    racks = ", ".join(f"{count} {type_}" for type_, count in boat.reloads) or SAY("fact.none")
    return SAY("fact.tubes.text", tubes="; ".join(parts), racks=racks)
