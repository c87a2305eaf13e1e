"""The page of On Patrol: sea and conning panel, orders, odds of fire and of being found, the report."""

from __future__ import annotations
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from navalkit.core.awaited import Awaited, Steps
from navalkit.core.match import Match
from navalkit.core.trace import Decision
from navalkit.core.words import ENGLISH, Event, Phrase, percent, voice
from navalkit.grids.hex import DIRECTIONS, Hex
from navalkit.view.art import hexes, hull, svg
from navalkit.view.film import Effect
from navalkit.view.page import Aims, Camp, Chart, Look, Moment, Order, Page, Table, gravest, override
from navalkit.view.scene import (
    Cell,
    Layer,
    Polygon,
    Rect,
    Scene,
    Shape,
    Style,
    aside,
    extent,
)
from .. import odds
from ..combat.damage import damage_points, in_sight, limits
from ..combat.torpedoes import ready
from ..escort.pattern import mode
from ..odds.solution import Solution
from ..rules.game import DIVE, OnPatrol, parts, points, top_speed
from ..rules.sequence import Action
from ..sea.scenario import DEPTHS
from ..sea.state import Boat, MarkerKind, Order as BoatOrder, Phase, Role, State, Vessel
from ..sea.tables import TABLES
from . import conn, scene as sea_scene
from .conn import Seen
from .film import performed
from .scene import BANDS, BOAT_BAND, BUTTON, HIGH, NARROW, PAD, SAY, legend, outlook
from .shapes import View, beyond
from .window import Aid, Move, Window, board_size, framed, moved, pad, way_out

# -- What stops a boat on a plotted course: anything her captain would want to decide about anew ---

NEAR = {Role.ESCORT: 8, Role.MERCHANT: 10, Role.CAPITAL: 10}
"""Hexes at which a ship that was further off is reported."""


def alarmed(before: State, now: State) -> bool:
    """Whether something has happened between two positions that a captain must know of. A marker laid or changed, a
    ship hit or sunk, torpedoes at the end of their run, a boat hurt or gone, or a ship that has come near."""
    return now.over or any(part(before) != part(now) for part in (_markers, _ships, _boats)) or _approached(before, now)


def _markers(state: State) -> object:
    return [(marker.boat, marker.kind) for marker in state.markers]


def _ships(state: State) -> object:
    hurt = [(v.id, v.hits, v.sunk) for v in state.vessels if v.hits or v.sunk]
    return hurt, bool(state.torpedoes)


def _boats(state: State) -> object:
    return [(boat.id, boat.hull, boat.active) for boat in state.boats]


def _approached(before: State, now: State) -> bool:
    return any(_near(now, boat) - _near(before, before.boat(boat.id)) for boat in now.boats if boat.active)


def _near(state: State, boat: Boat) -> set[str]:
    return {v.id for v in state.vessels if v.place.bow.distance(boat.place.bow) <= NEAR[v.role]}


# -- The lobby's picture: hexes, a submarine, an escort and the bearing it hears her on ------------

PICTURE = svg(hexes(18), '<path class="nk-art-evidence" stroke-dasharray="2 6" d="M88 94 186 46"/>',
              hull(72, 100, 66, -26, "#0072b2", "S"), hull(206, 38, 66, 150, "#d55e00"),
              '<g class="nk-art-line"><circle cx="122" cy="56" r="11"/><circle cx="122" cy="56" r="4"/></g>')


PERISCOPE = 50  # feet: the deepest a boat sees at
DEEP = 200  # feet: from here on nobody is told to go deep
LONGEST_PLAN = 6  # turns that a boat carries on by herself at most
CLOSE = 12  # hexes to a merchant or capital ship within which the guide speaks of firing
DEPTHS_SHOWN = (50, 100, 200, 300, 400, 500)  # feet, in the chart
ROUTINE = frozenset({"turn", "escort_moves", "escort_stays", "fleet", "missed", "moves"})
"""Events of every turn, told in one sentence together."""
GRAVE = (
    "sunk_boat", "sunk_ship", "ram_hit", "damage", "gun_hit", "crush", "hit", "dud", "unarmed", "passed", "spent",
    "found", "search_found", "surfaced", "visible", "harmless", "gun_missed", "ram_missed", "attacks", "disappears",
    "missed", "launched", "torpedoes", "return", "search_missed", "away", "moves",
)
"""Kinds of events that make a headline, the gravest first."""
SEEN = frozenset({"found", "search_found", "surfaced", "visible"})
"""Those that say that she was found."""
NAMED = 3
"""Ships sunk that are named where the end is told, the last of them; the others are counted."""
AT_A_BOAT = frozenset({"damage", "gun_hit", "gun_missed", "ram_hit", "ram_missed", "search_found", "search_missed"})
"""Those whose headline names a boat, and what was done to her."""


_DEPTHS = "dive", "rise", "surface"  # what the panel orders, too: the depth, then the way


def _ordered(glance: Seen) -> Boat | None:
    """The boat whose orders are due."""
    due = glance.seen.phase is Phase.BOATS and not glance.seen.over
    return conn.next_boat(glance.seen) if due else None


def _counsel(seen: State, boat: Boat, game: OnPatrol) -> str:
    """What the guide has to say to a boat: of what hunts her first, then of what she can see, and then of her tubes."""
    marker, hunted, blind = seen.marker(boat.id), bool(seen.escorts), boat.depth > PERISCOPE
    if marker and hunted:
        return "contact.deep" if marker.kind is MarkerKind.CONTACT and boat.depth >= DEEP else marker.kind
    prey = [v for v in seen.vessels if v.role is not Role.ESCORT and not v.sunk]
    afloat = [v.place.bow.distance(boat.place.bow) for v in prey]
    if not (boat.reloads or any(tube.torpedo for tube in boat.tubes)):
        return "spent"
    if not afloat:
        return "none_left" if game.scenario.ships else "hunters"
    if blind:
        return "deep" if hunted else "deep_alone"
    if min(afloat) <= CLOSE and conn.can_fire(seen, boat, game.sea):
        return "solution" if ready(boat, "bow") or ready(boat, "stern") else "loading"
    return "seen_alone" if marker else "approach" if hunted else "unopposed"


class PatrolPage(Page[OnPatrol, State, Action]):
    """The page of On Patrol."""

    example = "S1 ahead 2 port, dive 50, fire 2 at 3"
    adviser = "skipper"
    unit = SAY.phrase("unit")
    pattern = MappingProxyType({"hit": "🟨", "dud": "⬜", "sunk_ship": "🟩", "damage": "🟥", "sunk_boat": "⬛"})
    languages = SAY.languages
    hovers = True

    # The position ---------------------------------------------------------------------------------------------------

    @override
    def scene(self, glance: Seen, look: Look) -> Scene:
        return self._seen_through(framed(glance.seen, look).view, glance, look)

    def _seen_through(self, view: View, glance: Seen, look: Look) -> Scene:
        seen, boat, sea = glance.seen, _ordered(glance), glance.game.sea
        shown = boat or conn.shown_boat(seen)
        choice = conn.chosen(shown, look.picks) if shown else None
        live = boat is not None and bool(glance.legal)
        ways: dict[Hex, Any] = conn.moves(seen, boat, sea, choice) if boat and choice and live else {}
        if view.size[0] < NARROW:  # a hex under a button is not pressed: the window can be moved
            low = view.size[1] - HIGH - 6
            ways = {h: order for h, order in ways.items() if PAD < view.layout.center(h)[1] < low}
        under = [sea_scene.marked(view, ways)] if ways else []
        fire = conn.fire(glance)
        found = look.known(fire) if fire else None
        if look.picks.get(Aid.COMPUTER) and shown:
            under.append(conn.layer(view, seen, shown, found or {}))
        if look.picks.get(Aid.PLOT) and ways and boat and choice:
            ways = {**conn.plans(seen, boat, sea, choice), **ways}
            under.append(sea_scene.marked(view, ways, faint=True))
        bare = [extent((Polygon(view.outline(h), Style()),)) for h in ways]  # where she can go, no name shall stand
        signs, told = legend(view, seen)
        ahead, tags = outlook(view, seen, sea)
        under.append(ahead)
        drawn = sea_scene.scene(seen, view, orders=ways, under=under, night=sea.night, shunned=[*bare, told, *tags])
        arrows, buttons = pad(look, view.size[0])
        panel, choices = self._panel(glance, look, view, found, live)
        at_sea = (replace(cell, ask=SAY("ask.go", hex=cell.id)) if cell.action else cell for cell in drawn.cells)
        cells = (*at_sea, *choices, *buttons)  # of cells that lie over one another the last is pointed at
        there = next((order for h, order in ways.items() if h.label == look.hover), None)
        way = conn.way(view, boat, there) if boat else Layer("way", late=True)
        narrow = view.size[0] < NARROW
        edge = beyond(view, seen, BANDS, (PAD + 14, 10, HIGH + 14) if narrow else (30, BUTTON + 18, HIGH + 14))
        layers = (*drawn.layers, way, signs, edge, Layer("conn", (*panel, *arrows.shapes)))
        return Scene(*board_size(look, view), layers, cells, drawn.title, drawn.desc)

    def _panel(self, glance: Seen, look: Look, view: View, found: Mapping[int, Solution] | None,
               live: bool) -> tuple[tuple[Shape, ...], tuple[Cell, ...]]:
        """What is pressed beneath the sea, or beside that of a phone lying down."""
        (width, height), seen = view.size, glance.seen
        shown = None if seen.over else _ordered(glance) or conn.shown_boat(seen)
        waits = conn.fire(glance) is not None and found is None
        choice = conn.chosen(shown, look.picks) if shown else None
        if look.hole is None:
            if shown is None or choice is None:
                return tuple(conn.closed(seen, height, width)), ()
            return conn.Panel(shown, choice, found, waits, height, width, live).drawn()
        left, top, right, low = look.hole
        paper = Rect(width, 0, board_size(look, view)[0] - width, height, Style("paper"))
        if shown is None or choice is None:
            return (paper, *aside(conn.closed(seen, 0, right - left, low - top), (), left, top)[0]), ()
        panel = conn.Panel(shown, choice, found, waits, 0, right - left, live, low - top)
        shapes, cells = aside(*panel.drawn(), left, top)
        return (paper, *shapes), cells

    @override
    def map(self, glance: Seen) -> Scene:
        return sea_scene.chart(glance.seen, glance.game.sea.night)

    @override
    def pieces(self, glance: Seen, look: Look) -> Scene:
        held = look.window if isinstance(look.window, Window) else framed(glance.seen, look)
        return self._seen_through(held.view, glance, look)  # what moved is shown in one window

    @override
    def frame(self, glance: Seen, look: Look) -> Any:
        return framed(glance.seen, look)

    @override
    def effects(self, game: OnPatrol, moments: Sequence[Moment[State]], look: Look, before: Scene,
                last: Scene) -> Sequence[Effect]:
        held = look.window
        return performed(moments, held.view, last) if isinstance(held, Window) else ()

    @override
    def awaits(self, glance: Seen, look: Look) -> Sequence[Awaited[Any]]:
        fire = conn.fire(glance)
        return (fire,) if fire else ()

    @override
    def window(self, glance: Seen, look: Look, move: Move) -> Any:
        return moved(glance.seen, look, move)

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
        return SAY("now.order", boat=boat.id, depth=boat.depth, course=sea_scene.course(boat.place.direction))

    @override
    def guide(self, glance: Seen) -> str:
        boat, seen = _ordered(glance), glance.seen
        if seen.over:
            return SAY("guide.over")
        if boat is None:
            return ""
        return SAY(f"guide.{_counsel(seen, boat, glance.game)}", depth=boat.depth)

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
        wanted += [("ahead", on, most), ("carry_on", conn.Plan((on,) * LONGEST_PLAN), LONGEST_PLAN)] if most else []
        wanted.append(("wait", conn.Plan((still,) * LONGEST_PLAN), LONGEST_PLAN))
        usual = "dive" if glance.seen.marker(boat.id) and boat.depth < deeper else "ahead" if most else "stay"
        wanted += [
            (key, BoatOrder(boat.id, (0,), depth), depth)
            for key, depth in (("dive", deeper), ("rise" if higher else "surface", higher)) if depth != boat.depth
        ]
        return tuple(Order(order, said, "", SAY(f"order.{key}.help", value=value), "move", key == usual,
                           on_board=key in _DEPTHS)
                     for key, order, value in wanted for said in [SAY(f"order.{key}", value=value)]
                     if glance.game.why_not(glance.seen, self.unfold(glance, order)[0]) is None)

    @override
    def spoken(self, glance: Seen, action: Action) -> str:
        boat = _ordered(glance)
        if boat and isinstance(action, BoatOrder) and action.depth == boat.depth:
            action = action._replace(depth=None)
        said = super().spoken(glance, action)
        if not isinstance(action, BoatOrder) or said != str(action):
            return said
        shots = [SAY("order.shot", number=" ".join(filter(None, (str(number), kind))), course=sea_scene.course(course))
                 for number, course, kind in action.shots]
        return ", ".join([str(action._replace(shots=())), *shots])  # by the names that are on the board

    @override
    def aims(self, glance: Seen) -> Aims:
        seen, sea = glance.seen, glance.game.sea
        prey = [v for v in seen.vessels if v.role is not Role.ESCORT]
        kinds = {v.type: [each for each in prey if each.type == v.type and not each.sunk] for v in prey if not v.sunk}
        worth = sorted(kinds.items(), key=lambda each: -TABLES.vessels[each[0]].value)
        wanted = [SAY("strip.more" if n else "strip.sink", ship=_called(ships), points=TABLES.vessels[type].value)
                  for n, (type, ships) in enumerate(worth)]
        wanted += [SAY("strip.away", points=sea.away)] if sea.away else []
        if out := way_out(seen, sea.edges):
            wanted.insert(1, SAY("strip.out", hexes=out[0], course=sea_scene.course(out[1])))
        own = [boat for boat in seen.boats if boat.active]
        boats = ", ".join(boat.id for boat in own)
        theirs = [_at_stake(boat) for boat in seen.boats if boat.active or damage_points(boat)]
        hunted = bool(glance.game.scenario.ships)  # whether or not one of them is still here
        them = SAY("strip.convoy", ships=sum(not v.sunk for v in prey)) if hunted else SAY("strip.hunters")
        theirs.insert(0, SAY("strip.escorts", n=len(seen.escorts)))
        if kinds:
            left = sea.turns - min(seen.turn, sea.turns) + 1
            theirs.insert(0, SAY("strip.gone", course=sea_scene.course(seen.fleet.guide.direction), turns=left))
        return Aims(
            (Camp(SAY("strip.you", boats=boats) if boats else SAY("strip.you.gone"),
                  SAY("strip.points", points=points(seen), goal=sea.points), tuple(wanted), BOAT_BAND),
             Camp(them, "", tuple(theirs), "green" if hunted else "blue")),
            SAY("strip.turn", turn=min(seen.turn, sea.turns), turns=sea.turns), SAY("strip.turns"),
        )

    @override
    def opening(self, glance: Seen) -> str:
        seen, sea = glance.seen, glance.game.sea
        prey = [v for v in seen.vessels if v.role is not Role.ESCORT]
        if len(prey) == 1:
            return SAY("opening.one", ship=_called(prey), turns=sea.turns)
        return SAY("opening" if prey else "opening.hunters", points=sea.points, turns=sea.turns)

    @override
    def why(self, game: OnPatrol, match: Match, me: int) -> str:
        state, sea = match.state, game.sea
        of, total = parts(state), points(state)
        sunk = [score.of for score in state.points if score.kind == "sunk"]
        boats = [boat for boat in state.boats if boat.sunk]
        if sunk and len(boats) < len(state.boats):
            key = "why.sunk" if total >= sea.points else "why.sunk.few"
            ships = ", ".join(sunk[-NAMED:])
            ships = SAY("why.more", ships=ships, n=len(sunk) - NAMED) if len(sunk) > NAMED else ships
            if others := [kind for kind in _BESIDE if of[kind]]:
                made = SAY("why.part.sunk", points=of["sunk"])
                for kind in others:
                    made = SAY(f"why.part.{kind}", sum=made, points=abs(of[kind]))
                return SAY("why.sum", ships=ships, sum=made, points=total, goal=sea.points)
            return SAY(key, ships=ships, points=total, goal=sea.points)
        said, less = _without_ships(game, state), -of["damage"]
        tells = bool(boats) or any(total < limit <= total + less for limit in (0, sea.points))
        return SAY("why.hurt", said=said, points=less) if less and tells and len(boats) < len(state.boats) else said

    @override
    def read(self, glance: Seen, text: str) -> Sequence[Action]:
        """As usual; a course may have its name on the board, in any language: "fire 4 NW" is "fire 4 at 5"."""
        numbers = {words[f"course.{n}"]: str(n) for words in SAY.tables.values() for n in DIRECTIONS}
        return super().read(glance, re.sub(r"(fire [^,]*?)(?:at )?\b(" + "|".join(numbers) + r")\b",
                                           lambda found: f"{found[1]}at {numbers[found[2].upper()]}", text, flags=re.I))

    @override
    def because(self, glance: Seen, decision: Decision[Action]) -> str:
        """How far what counts is off, now and after the order, and what is ready to fire."""
        boat, seen, order = _ordered(glance), glance.seen, decision.action
        key = decision.reason.key if isinstance(decision.reason, Phrase) else ""
        if boat is None or not isinstance(order, BoatOrder) or not key:
            return super().because(glance, decision)
        bow, after = boat.place.bow, (*order.path(boat.place), boat.place)[len(order.turns) - 1].bow
        prey = [v for v in seen.vessels if v.role is not Role.ESCORT and not v.sunk]
        facts: dict[str, Any] = {"boat": boat.id, "depth": boat.depth if order.depth is None else order.depth,
                                 "ready": sum(len(ready(boat, end)) for end in ("bow", "stern")),
                                 "n": sum(shot.number for shot in order.shots)}
        hunter = min(seen.escorts, key=lambda v: v.place.bow.distance(bow), default=None)
        ship = min(prey, key=lambda v: v.place.bow.distance(bow), default=None)
        told = {finding.verdict.key: finding.verdict.facts for finding in decision.findings
                if isinstance(finding.verdict, Phrase)}
        if key == "fires" and "fire.yes" in told:
            courses = len({shot.direction for shot in order.shots})  # the chance told is that of the best
            return SAY("because.fires" if courses == 1 else "because.fires.courses",
                       **{**facts, **told["fire.yes"], "courses": courses})
        evades = key in ("evades", "evades.near")
        near = hunter if evades else ship
        if near is None or not (evades or key == "approaches"):
            return super().because(glance, decision)
        facts |= {"ship": near.id, "off": bow.distance(near.place.bow), "then": after.distance(near.place.bow)}
        return SAY("because.evades" if evades else "because.approaches", **facts)

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
        if event.kind in AT_A_BOAT:  # who did it to her: what others did to another boat is another headline
            alike = [each for each in alike if each["boat"] == event.facts["boat"]]
        actors = dict.fromkeys(str(each[key]) for each in alike for key in ("ship", "actor", "escort") if key in each)
        facts = {**event.facts, "n": len(alike), "actors": ", ".join(actors)}
        if "hull" in facts:  # what other blows of the same turn left of it
            facts["hull"] = [each.facts["hull"] for each in events
                             if "hull" in each.facts and each.facts["boat"] == facts["boat"]][-1]
        if event.kind == "launched":
            facts["direction"] = sea_scene.course(facts["direction"])
        ships = dict.fromkeys(str(each["ship"]) for each in alike if "ship" in each)
        if event.kind in ("sunk_ship", "hit") and len(ships) > 1:
            points = sum(each.get("value", 0) for each in alike)
            return SAY(f"headline.{event.kind}.several", **{**facts, "ships": ", ".join(ships), "points": points})
        less = sum(each.facts.get("less", 0) for each in events if each.facts.get("boat") == facts.get("boat"))
        told = SAY(f"headline.{event.kind}", **facts)
        if event.kind in SEEN:  # what her finders did about it belongs to it, even where it did no harm
            kinds = {each.kind for each in events}
            done = next((kind for kind in ("harmless", "attacks") if kind in kinds), None)
            return f"{told} {self.headline([each for each in events if each.kind == done])}" if done else told
        return SAY("headline.less", told=told, points=less) if less and "hull" in facts else told

    @override
    def charts(self, glance: Seen) -> Sequence[Chart | Awaited[Chart]]:
        fire = conn.fire(glance)
        return fire.map(_fire) if fire else _fire({}), _depths(glance)

    @override
    def facts(self, glance: Seen) -> Table:
        seen, sea = glance.seen, glance.game.sea
        rows = [row for boat in seen.boats for row in _boat_facts(glance, boat)]
        rows.append((SAY("fact.points"), SAY("fact.points.text", points=points(seen), goal=sea.points)))
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
        rows = [(SAY(f"report.{key}"), *(str(facts.get(key, "-")) for facts in ends))
                for key in ("points", "ships_sunk", "boats_lost", "turns")]
        rows.insert(3, (SAY("report.fired"), *(str(m.state.launched) for m in matches)))
        rows.insert(3, (SAY("report.damage"), *(str(-parts(m.state)["damage"]) for m in matches)))
        head = ("", SAY("report.you"), *(name for name, _ in others))
        return Table(SAY("report.title"), head, tuple(rows), outcome.text)


PAGE = PatrolPage()
_BESIDE = "away", "lost", "damage"
"""Kinds of points besides those for ships sunk."""


def _without_ships(game: OnPatrol, state: State) -> str:
    """Why a hunt in which no ship was sunk, or no boat is left, ended as it did, but for what damage costs."""
    boats = [boat for boat in state.boats if boat.sunk]
    if boats and (len(boats) == len(state.boats) or points(state) < 0):
        last = max(boats, key=lambda boat: boat.sunk)
        return SAY("why.boat", boat=last.id, turn=last.sunk)
    prey = [v for v in state.vessels if v.role is not Role.ESCORT]
    if game.scenario.ships and not prey:
        return SAY("why.fled")
    left = [boat for boat in state.boats if boat.away]
    facts = {"turn": state.turn, "ship": _called(prey[:1]) if prey else ""}
    if left and (not prey or len(left) == len(state.boats)):
        boat = max(left, key=lambda boat: boat.away)
        return SAY("why.left" if prey else "why.away", boat=boat.id, **facts | {"turn": boat.away})
    return SAY("why.none" if prey else "why.held", boat=state.boats[0].id, **facts)


def _at_stake(boat: Boat) -> str:
    """What a boat costs: sunk, and by the damage that she has."""
    less = damage_points(boat)
    key = "strip.damage" if not boat.active else "strip.hurt" if less else "strip.lost"
    return SAY(key, boat=boat.id, points=TABLES.boats[boat.type].value, damage=less)


def _called(ships: Sequence[Vessel]) -> str:
    """Ships of one type by its name: "the tanker M1", or how many there are."""
    name = TABLES.vessels[ships[0].type].name
    name = SAY.named(name) if voice().lang != ENGLISH else name.lower()  # within a sentence
    return SAY("strip.ship" if len(ships) == 1 else "strip.ships", type=name, ship=ships[0].id, n=len(ships))


def _fire(found: Mapping[int, Solution]) -> Chart:
    title, x = SAY("chart.fire"), SAY("chart.fire.x")
    if not found:
        return Chart("fire", title, x, (), (), (), True, SAY("chart.fire.none"))
    names = tuple(f"{d} {sea_scene.course(d)}" for d in DIRECTIONS)
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
               limit=limit.depth, under=limit.submerged, above=limit.surfaced)
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
