"""The page of On Patrol: sea and conning panel, orders, odds of fire and of being found, the report."""

from __future__ import annotations
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

from navalkit.core.awaited import Awaited, Steps
from navalkit.core.match import Match
from navalkit.core.trace import Decision
from navalkit.core.words import Event, Phrase, percent
from navalkit.grids.hex import Hex
from navalkit.view.art import hexes, hull, svg
from navalkit.view.page import Aims, Camp, Chart, Effect, Look, Moment, Order, Page, Table, gravest, override
from navalkit.view.scene import (
    Cell,
    Circle,
    Lasts,
    Layer,
    Line,
    Pick,
    Point,
    Polygon,
    Rect,
    Scene,
    Shape,
    Style,
    Text,
    aside,
    extent,
    rect_outline,
)
from .. import odds
from ..combat.damage import in_sight, limits
from ..combat.torpedoes import ready
from ..escort.pattern import mode
from ..odds.solution import Solution
from ..rules.game import DIVE, OnPatrol, points, top_speed
from ..rules.sequence import Action
from ..sea.scenario import DEPTHS
from ..sea.state import Boat, MarkerKind, Order as BoatOrder, Phase, Role, State, Vessel
from ..sea.tables import TABLES, Sea
from . import conn, scene as sea_scene
from .conn import Seen, performed
from .scene import BANDS, BOAT_BAND, HIGH, SAY, legend
from .shapes import CLOSEST, TALL, WIDE, View, beyond, everything, fit, followed

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


# -- The window on the sea, which is too large to show at once, and the buttons that move it -------

PAN = 0.35  # share of the window that one press of an arrow moves it
ROUND = 28  # hexes round the boat whose ships the window keeps in sight if it can
FAR = 2  # the least zoom of a first picture
FINGER = 5  # the zoom from which a hex is large enough for a finger that is asked (24 px)
EDGE = 0.14  # share of the window at its edges in which the boat makes it follow
BUTTON = 44.0
PAD = 22 + BUTTON + 4  # px at the top of a phone's sea where buttons lie
MARGIN = 12.0  # px between the sea of a phone lying down and the panel beside it


class Move(StrEnum):
    """What a button does with the window."""

    IN = "in"
    OUT = "out"
    LEFT = "left"
    UP = "up"
    DOWN = "down"
    RIGHT = "right"
    WHOLE = "all"
    BOAT = "boat"


class Aid(StrEnum):
    """What a button draws on the sea besides."""

    COMPUTER = "computer"
    PLOT = "plot"


class Window(NamedTuple):
    """Where one looks; what it follows: the boat, everything, or nothing (moved by hand); and a zoom chosen by hand."""

    view: View
    follows: Move | None = Move.BOAT
    zoom: int | None = None


ARROWS = {Move.LEFT: (-1, 0), Move.RIGHT: (1, 0), Move.UP: (0, -1), Move.DOWN: (0, 1)}


def sea_size(look: Look) -> tuple[float, float]:
    """Width and height of the sea: the panel beneath it takes its room from the board's."""
    width, height = look.room or (TALL if look.tall else WIDE)
    return (look.hole[0] - MARGIN, height) if look.hole else (width, height - conn.height(width))


def board_size(look: Look, view: View) -> tuple[float, float]:
    """Width and height of sea and panel together."""
    return look.room if look.hole and look.room else (view.size[0], view.size[1] + conn.height(view.size[0]))


def framed(seen: State, look: Look) -> Window:
    """The window for a position: the one before it as long as that holds what matters."""
    size, held = sea_size(look), look.window
    if not isinstance(held, Window):
        return _following(seen, size, Move.BOAT)
    if held.view.size == size and (held.follows is None or _holds(held, seen, size)):
        return held
    if held.follows is None:
        return Window(View(held.view.centre, held.view.zoom, size), None)
    return _following(seen, size, held.follows, held.zoom)


def _following(seen: State, size: tuple[float, float], what: Move, zoom: int | None = None) -> Window:
    boat = conn.shown_boat(seen)
    if boat is None or what is Move.WHOLE:
        return Window(_whole(seen, size), what)
    if (first := _first(seen, size)) and zoom is None:
        return Window(first, what)
    others = [v.place.bow for v in _about(seen, boat)]
    view = followed(boat.place.bow, others, size, zoom)
    if size[0] < conn.NARROW:  # hexes that a finger finds, clear of the buttons; arrows point to what lies beyond
        clear = size[0], size[1] - PAD - HIGH - 8
        inner = followed(boat.place.bow, others, clear, max(view.zoom, FINGER) if zoom is None else zoom)
        view = View(inner.layout.hex_at(size[0] / 2, size[1] / 2 - PAD), inner.zoom, size)
    return Window(view, what, zoom)


def _first(seen: State, size: tuple[float, float]) -> View | None:
    """What a phone's game begins with: both sides, where they fit."""
    if seen.turn > 1 or size[0] >= conn.NARROW:
        return None
    view = _whole(seen, size)
    return view if view.zoom >= FAR and all(map(view.holds, everything(seen))) else None


def _whole(seen: State, size: tuple[float, float]) -> View:
    """All that is on the sea."""
    low = HIGH + 6  # the legend
    rim = (22 + BUTTON, 0.0, low) if size[0] < conn.NARROW else (22.0, BUTTON + 8, low)
    return fit(everything(seen), size, rim)


def _about(seen: State, boat: Boat) -> list[Vessel]:
    return [v for v in seen.vessels if v.place.bow.distance(boat.place.bow) <= ROUND]


def _holds(held: Window, seen: State, size: tuple[float, float]) -> bool:
    """Whether nothing that matters has left the window or come too near to its edge."""
    boat, view = conn.shown_boat(seen), held.view
    if boat is None or held.follows is Move.WHOLE:
        return all(map(view.holds, everything(seen)))
    at = view.layout.center(boat.place.bow)
    inside = all(EDGE * whole < here < (1 - EDGE) * whole for here, whole in zip(at, size, strict=True))
    wanted = _following(seen, size, Move.BOAT, held.zoom).view
    near = min(_about(seen, boat), key=lambda v: v.place.bow.distance(boat.place.bow), default=None)
    shown = near is None or view.holds(near.place.bow) or not wanted.holds(near.place.bow)
    small = size[0] < conn.NARROW and held.zoom is None and view.zoom < min(FINGER, wanted.zoom)
    return inside and shown and not small and abs(wanted.zoom - view.zoom) <= 1


def moved(seen: State, look: Look, move: Move) -> Window:
    """The window after a press: a second press on "all" follows the boat again, one on "boat" comes near."""
    held = framed(seen, look)
    view, size = held.view, held.view.size
    if move in ARROWS:
        dx, dy = ARROWS[move]
        return Window(view.moved(PAN * dx, PAN * dy), None)
    if move is Move.WHOLE:
        return _following(seen, size, Move.BOAT if held.follows is move else move)
    if move is Move.BOAT:
        near = held.follows is move and held.zoom is None
        return _following(seen, size, move, CLOSEST if near else None)
    closer = view.zoomed(1 if move is Move.IN else -1)
    follows = held.follows is Move.BOAT and _first(seen, size) != view
    return Window(closer, Move.BOAT if follows else None, closer.zoom)


def pad(look: Look, width: float) -> tuple[Layer, tuple[Cell, ...]]:
    """The buttons that move the window and draw on it: columns on the right, on a phone a row along the top."""
    shapes: list[Shape] = []
    cells = []
    narrow = width < conn.NARROW
    buttons: list[Move | Aid] = [*Aid, *((m for m in Move if m not in ARROWS) if narrow else Move)]
    for n, what in enumerate(buttons):
        box = (width - (n + 1) * (BUTTON + 5), 22.0) if narrow else (width - BUTTON - 8, 24 + n * (BUTTON + 4))
        on = isinstance(what, Aid) and bool(look.picks.get(what))
        shapes += _button(*box, what, on)
        outline, alt = rect_outline(*box, BUTTON, BUTTON), SAY(f"pad.{what}{'.on' if on else ''}")
        if isinstance(what, Aid):
            cells.append(Cell(f"aid:{what}", outline, alt, pick=Pick(what, True, Lasts.PAGE)))
        else:
            cells.append(Cell(f"view:{what}", outline, alt, window=what))
    return Layer("pad", tuple(shapes)), tuple(cells)


def _button(x: float, y: float, what: Move | Aid, on: bool) -> list[Shape]:
    face = Style("select" if on else "card", "card_line", 1, opacity=0.92)
    icon = _icon(x + BUTTON / 2, y + BUTTON / 2, what, "card" if on else "ink")
    return [Rect(x, y, BUTTON, BUTTON, face, 8), *icon]


def _icon(x: float, y: float, what: Move | Aid, ink: str) -> list[Shape]:
    line = Style(None, ink, 2)

    def stroke(*points: Point, arrow: bool = False) -> Line:
        return Line(tuple((x + dx, y + dy) for dx, dy in points), line, arrow)

    match what:
        case Move.IN | Move.OUT:
            return [Text(x, y, "+" if what is Move.IN else "-", Style(ink), 22, bold=True, glyph=False)]
        case Move.WHOLE:
            return [stroke((5 * a, 10 * b), (10 * a, 10 * b), (10 * a, 5 * b)) for a in (1, -1) for b in (1, -1)]
        case Move.BOAT:
            cross = [stroke((7 * a, 7 * b), (12 * a, 12 * b)) for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1))]
            return [Circle(x, y, 7, line), Circle(x, y, 2, Style(ink)), *cross]
        case Aid.COMPUTER:
            return [stroke((-9, 10), (a, -10), arrow=True) for a in (-7, 1, 9)]
        case Aid.PLOT:
            return [stroke((-11, 8), (-4, -3), (3, 3), (11, -9), arrow=True)]
    dx, dy = ARROWS[what]
    sides = [(x - 6 * dx + 8 * dy * k, y - 6 * dy + 8 * dx * k) for k in (1, -1)]
    return [Polygon(((x + 8 * dx, y + 8 * dy), *sides), Style(ink))]


PERISCOPE = 50  # feet: the deepest a boat sees at
DEEP = 200  # feet: from here on nobody is told to go deep
LONGEST_PLAN = 6  # turns that a boat carries on by herself at most
CLOSE = 12  # hexes to a merchant or capital ship within which the guide speaks of firing
DEPTHS_SHOWN = (50, 100, 200, 300, 400, 500)  # feet, in the chart
ROUTINE = frozenset({"turn", "escort_moves", "escort_stays", "fleet", "missed", "moves"})
"""Events of every turn, told in one sentence together."""
GRAVE = (
    "sunk_boat", "sunk_ship", "ram_hit", "damage", "gun_hit", "crush", "hit", "dud", "unarmed", "passed", "spent",
    "found", "surfaced", "visible", "harmless", "gun_missed", "ram_missed", "attacks", "disappears", "missed",
    "launched", "torpedoes", "return", "search_missed", "away", "moves",
)
"""Kinds of events that make a headline, the gravest first."""


_DEPTHS = "dive", "rise", "surface"  # what the panel orders, too: the depth, then the way


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
        if view.size[0] < conn.NARROW:  # a hex under a button is not pressed: the window can be moved
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
        drawn = sea_scene.scene(seen, view, orders=ways, under=under, night=sea.night, shunned=[*bare, told])
        arrows, buttons = pad(look, view.size[0])
        panel, choices = self._panel(glance, look, view, found, live)
        at_sea = (replace(cell, ask=SAY("ask.go", hex=cell.id)) if cell.action else cell for cell in drawn.cells)
        cells = (*at_sea, *choices, *buttons)  # of cells that lie over one another the last is pointed at
        there = next((order for h, order in ways.items() if h.label == look.hover), None)
        way = conn.way(view, boat, there) if boat else Layer("way", late=True)
        narrow = view.size[0] < conn.NARROW
        edge = beyond(view, seen, BANDS, (30 + BUTTON, 10, HIGH + 14) if narrow else (30, BUTTON + 18, HIGH + 14))
        layers = (*drawn.layers, way, signs, edge, Layer("conn", (*panel, *arrows.shapes)))
        return Scene(*board_size(look, view), layers, cells, drawn.title, drawn.desc)

    def _panel(self, glance: Seen, look: Look, view: View, found: Mapping[int, Solution] | None,
               live: bool) -> tuple[tuple[Shape, ...], tuple[Cell, ...]]:
        """What is pressed beneath the sea, or beside that of a phone lying down."""
        (width, height), seen = view.size, glance.seen
        shown = _ordered(glance) or conn.shown_boat(seen)
        waits = conn.fire(glance) is not None and found is None
        choice = conn.chosen(shown, look.picks) if shown else None
        if look.hole is None:
            if shown is None or choice is None:
                return tuple(conn.closed(seen, height, width)), ()
            return conn.Panel(shown, choice, found, waits, height, width, live).drawn()
        left, top, right, low = look.hole
        paper = Rect(width, 0, board_size(look, view)[0] - width, height, Style("paper"))
        if shown is None or choice is None:
            return (paper, *aside(conn.closed(seen, 0, right - left), (), left, top)[0]), ()
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
        shots = [SAY("order.shot", number=" ".join(filter(None, (str(number), kind))), course=conn.COURSES[course - 1])
                 for number, course, kind in action.shots]
        return ", ".join([str(action._replace(shots=())), *shots])  # by the names that are on the board

    @override
    def aims(self, glance: Seen) -> Aims:
        seen, sea = glance.seen, glance.game.sea
        prey = [v for v in seen.vessels if v.role is not Role.ESCORT]
        kinds = {v.type: [each for each in prey if each.type == v.type and not each.sunk] for v in prey if not v.sunk}
        wanted = [SAY("strip.sink", ship=_called(ships), points=TABLES.vessels[type].value)
                  for type, ships in sorted(kinds.items(), key=lambda each: -TABLES.vessels[each[0]].value)]
        wanted += [SAY("strip.away", points=sea.away)] if sea.away else []
        own = [boat for boat in seen.boats if boat.active]
        boats = ", ".join(boat.id for boat in own)
        theirs = [SAY("strip.lost", boat=boat.id, points=TABLES.boats[boat.type].value) for boat in own]
        them = SAY("strip.convoy", ships=sum(not v.sunk for v in prey)) if prey else SAY("strip.hunters")
        return Aims(
            (Camp(SAY("strip.you", boats=boats) if boats else SAY("strip.you.gone"),
                  SAY("strip.points", points=points(seen), goal=sea.points), tuple(wanted), BOAT_BAND),
             Camp(them, "", (SAY("strip.escorts", n=len(seen.escorts)), *theirs), "green" if prey else "blue")),
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
        boats = [boat for boat in state.boats if boat.sunk]
        if boats and (len(boats) == len(state.boats) or points(state) < 0):
            last = max(boats, key=lambda boat: boat.sunk)
            return SAY("why.boat", boat=last.id, turn=last.sunk)
        sunk = [score.of for score in state.points if score.kind == "sunk"]
        if sunk:
            key = "why.sunk" if points(state) >= sea.points else "why.sunk.few"
            return SAY(key, ships=", ".join(sunk[-3:]), points=points(state), goal=sea.points)
        prey = [v for v in state.vessels if v.role is not Role.ESCORT]
        who = _called(prey[:1]) if prey else state.boats[0].id
        return SAY("why.none", ship=who, turn=state.turn)

    @override
    def read(self, glance: Seen, text: str) -> Sequence[Action]:
        """As usual; a course may have its name on the board: "fire 4 NW" is "fire 4 at 6"."""
        numbers = {name: str(n) for n, name in enumerate(conn.COURSES, 1)}
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
                                 "ready": sum(bool(tube.torpedo) for tube in boat.tubes),
                                 "n": sum(shot.number for shot in order.shots)}
        hunter = min(seen.escorts, key=lambda v: v.place.bow.distance(bow), default=None)
        ship = min(prey, key=lambda v: v.place.bow.distance(bow), default=None)
        told = {finding.verdict.key: finding.verdict.facts for finding in decision.findings
                if isinstance(finding.verdict, Phrase)}
        if key == "fires" and "fire.yes" in told:
            return SAY("because.fires", **{**facts, **told["fire.yes"]})
        near = hunter if key == "evades" else ship
        if key == "leaves" or near is None:
            return SAY("because.leaves" if prey else "because.alone", **facts)
        facts |= {"ship": near.id, "off": bow.distance(near.place.bow), "then": after.distance(near.place.bow)}
        return SAY(f"because.{key}", **facts)

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
        head = ("", SAY("report.you"), *(name for name, _ in others))
        return Table(SAY("report.title"), head, tuple(rows), outcome.text)


PAGE = PatrolPage()


def _called(ships: Sequence[Vessel]) -> str:
    """Ships of one type by its name: "the tanker M1", or how many there are."""
    name = TABLES.vessels[ships[0].type].name.lower()
    return SAY("strip.ship" if len(ships) == 1 else "strip.ships", type=name, ship=ships[0].id, n=len(ships))


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
