"""The sea as a picture: ships that point where they head, boats with their depth, torpedoes, charges and markers.

A ``View`` says which part of the unbounded sea is looked at and how large; everything else comes from the state. What
explains an escort's move is laid over it by ``overlay``.
"""

from __future__ import annotations
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from typing import Any

from navalkit.core.shown import Markup, html, many
from navalkit.core.words import Event, voice
from navalkit.grids.hex import DIRECTIONS, Hex, Layout
from navalkit.grids.hex_moves import Place
from navalkit.view.scene import Cell, Circle, Flat, Layer, Line, Piece, Polygon, Rect, Scene, Shape, Style, Text, extent
from navalkit.walks.told import Moment
from ..data import words
from ..escort.manoeuvre import ZONE
from ..escort.positions import explain
from ..sea.combat_tables import COMBAT
from ..sea.state import ESCORTS, Charge, EscortMove, Marker, MarkerKind, Phase, Role, State, Torpedo, Vessel
from ..sea.tables import TABLES, Sea
from . import shapes as hulls
from .shapes import NIGHT, Box, Named, View, everything, fit, labels, rim, water

SAY = words("page.toml")


BANDS = {Role.MERCHANT: "green", Role.CAPITAL: "purple", Role.ESCORT: "blue"}
"""A side's colour; the silhouette and the letter beside it say the same."""
BOAT_BAND = "vermilion"
NARROW = 600.0  # px: a sea narrower than this is a phone's
BUTTON = 44.0  # px of a button on the sea: in a row along the top of a phone's, else in a column on the right
PAD = 22 + BUTTON + 4  # px at the top of a phone's sea where they lie
_SEEN = (MarkerKind.SURFACED, MarkerKind.VISIBLE)
_ZONED = (*_SEEN, MarkerKind.CONTACT)


def scene(state: State, view: View | None = None, *, orders: Mapping[Hex, Any] | None = None,
          wakes: Sequence[Sequence[Place]] | None = None, over: Sequence[Layer] = (), under: Sequence[Layer] = (),
          shunned: Sequence[Box] = (), pointable: bool = False, night: bool = False) -> Scene:
    """The sea at one moment.

    ``view``: by default one that holds everything. ``orders``: hexes a press on which gives an order. ``wakes``: places
    ships have come through this turn; left out, every ship under way has white water about her. ``over`` and ``under``:
    what is drawn above the ships, and beneath them. ``shunned``: where no ship's name stands if it can stand elsewhere.
    ``pointable``: whether every hex in the window can be pointed at, its label being the cell's id. ``night``: whether
    it is dark but for ``state.lights``.
    """
    view = view or fit(everything(state))
    beneath, late = ([s for layer in under if layer.late is each for s in layer.shapes] for each in (False, True))
    next_turn = *late, *_targets(view, state.markers), *_courses(view, state.torpedoes), *_charges(view, state.charges)
    layers = (
        water(view, night, state.lights if night else ()),
        Layer("under", (*beneath, *_wakes(view, wakes or ()))),
        Layer("next", next_turn, late=True),
        afloat(view, state, wakes is None, shunned),
        *over,
    )
    cells = _cells(view, state, orders or {}, view.hexes() if pointable else ())
    width, height = view.size
    return Scene(width, height, layers, cells, SAY("sea.title"), describe(state))


CHART, TRACKED = (640.0, 480.0), (900.0, 675.0)  # pixels of the whole hunt as a small picture, and of its tracks


def chart(state: State, night: bool) -> Scene:
    """All that sails on a plain sea, for a picture too small to read."""
    view = fit(everything(state), CHART)
    sea = (Rect(0, 0, *CHART, Style("sea_upper")), *((Rect(0, 0, *CHART, NIGHT),) if night else ()))
    return Scene(*CHART, (Layer("sea", sea), afloat(view, state))).bare()


def track(states: Sequence[State], night: bool) -> Scene:
    """The sea at the end of a hunt, with the ways of boats and ships and a dot where each began."""
    ways: dict[str, list[Hex]] = {}
    colours: dict[str, str] = {}
    for state in states:
        for ship in state.vessels:
            ways.setdefault(ship.id, []).append(ship.place.bow)
            colours[ship.id] = BANDS[ship.role]
        for boat in state.boats:
            if boat.active:
                ways.setdefault(boat.id, []).append(boat.place.bow)
                colours[boat.id] = BOAT_BAND
    view, lines = fit([h for way in ways.values() for h in way], TRACKED), list[Shape]()
    for id, way in ways.items():
        points = tuple(view.layout.center(h) for h in dict.fromkeys(way))
        own = colours[id] == BOAT_BAND
        lines.append(Circle(*points[0], 5 if own else 3, Style(colours[id], "ink", 1)))
        if len(points) > 1:
            lines.append(Line(points, Style(None, colours[id], 3.5 if own else 1.5, opacity=0.9 if own else 0.6)))
    sea = (Rect(0, 0, *TRACKED, Style("sea_upper")), *((Rect(0, 0, *TRACKED, NIGHT),) if night else ()))
    layers = Layer("sea", sea), Layer("tracks", tuple(lines)), afloat(view, states[-1], wakes=False)
    return Scene(*TRACKED, layers, (), SAY("sea.tracks"), describe(states[-1]))


# What sails ---------------------------------------------------------------------------------------------------------

def piece(view: View, id: str, place: Place, shapes: tuple[Flat, ...]) -> Piece:
    """A piece that lies on the two hexes of a place."""
    x, y, heading = view.pose(place)
    return Piece(id, x, y, shapes, heading)


def afloat(view: View, state: State, wakes: bool = True, shunned: Sequence[Box] = ()) -> Layer:
    """All that moves."""
    return Layer("pieces", tuple(_pieces(view, state, wakes, shunned)))


def _pieces(view: View, state: State, wakes: bool, shunned: Sequence[Box]) -> Iterator[Piece]:
    """All that moves, from the bottom to the top, and the names over it; the boats' names are placed first."""
    high, named, full = view.layout.height, list[Named](), list[Box]()
    long = hulls.length("submarine", high)
    for marker in state.markers:
        if view.holds(marker.place.bow):
            under = any(boat.id == marker.boat and boat.place == marker.place for boat in state.boats)
            counter = piece(view, f"{marker.boat} marker", marker.place, _counter(marker.kind, long, under))
            box = extent(counter.placed())
            full += rim(counter.x, counter.y, (box[2] - box[0]) / 2) if marker.kind in _SEEN else [box]
            yield counter
    for torpedo in state.torpedoes:
        if view.holds(torpedo.at):
            x, y = view.layout.center(torpedo.at)
            yield Piece(torpedo.id, x, y, hulls.torpedo(max(14.0, high), BOAT_BAND), 60.0 * torpedo.direction % 360)
    for vessel in sorted(state.vessels, key=lambda v: (not v.sunk, v.role is Role.ESCORT)):
        if any(map(view.holds, vessel.place.hexes)):
            yield piece(view, vessel.id, vessel.place, silhouette(vessel, high, wakes))
            kind = TABLES.vessels[vessel.type].kind
            hers = hulls.length(kind, high)
            named.append(Named(vessel.id, vessel.id, view.pose(vessel.place), hers, hulls.BUILDS[kind].beam * hers))
    for boat in state.boats:
        if (boat.active or boat.sunk) and view.holds(boat.place.bow):
            moving = wakes and bool(boat.speed)
            lost = hulls.wreck("submarine", long) if boat.sunk else None
            yield piece(view, boat.id, boat.place, lost or hulls.submarine(long, BOAT_BAND, boat.depth, moving))
            key = ".lost" if lost else "" if boat.depth else ".surfaced"
            text = SAY(f"sea.name{key}", boat=boat.id, depth=boat.depth)
            named.insert(0, Named(boat.id, text, view.pose(boat.place), long, 0.1 * long, keep=True))
    yield from labels(sorted(named, key=lambda each: (not each.keep, each.id[0] == "M")), view.size, shunned, full)


def silhouette(vessel: Vessel, height: float, wakes: bool = True) -> tuple[Flat, ...]:
    """What a surface ship looks like where hexes are so high."""
    kind = TABLES.vessels[vessel.type].kind
    long = hulls.length(kind, height)
    if vessel.sunk:
        return hulls.wreck(kind, long)
    return hulls.ship(kind, long, BANDS[vessel.role], wakes and bool(vessel.speed), bool(vessel.hits or vessel.stopped))


@lru_cache(maxsize=64)
def _counter(kind: MarkerKind, long: float, under: bool) -> tuple[Flat, ...]:
    """The escorts' marker: a ring about a boat in sight; else a counter, yellow with a boat where they know her place,
    pale with a question where they lost her, pale with a torpedo where they saw one. ``under``: whether she lies on
    it: then it has no drawing of its own."""
    r = max(11.0, 0.42 * long)
    if kind in _SEEN:
        around, dark = 0.5 * long + 7, Style(None, "ink", 4, opacity=0.5)
        return Circle(0, 0, around, dark), Circle(0, 0, around, Style(None, "yellow", 2.5))
    known = kind is MarkerKind.CONTACT
    rim: tuple[Flat, ...] = (
        Circle(1.5, 2, r + 1, Style("black", opacity=0.25)),
        Circle(0, 0, r, Style("yellow" if known else "card", "ink", 1.5)),
        Polygon(((0, -r - 5), (4, -r + 1), (-4, -r + 1)), Style("ink")),
    )
    if under:
        return rim
    if known:
        return *rim, *hulls.ship("submarine", 1.5 * r, "black")
    if kind is MarkerKind.TORPEDO:
        return *rim, *hulls.torpedo(1.2 * r, BOAT_BAND)[1:]
    return *rim, Text(0, 0, "?", Style("ink"), max(13.0, r), bold=True)


# What lies beneath them ---------------------------------------------------------------------------------------------

_LETTER = 4.2  # half a letter's width in px, at the most


def _clear(view: View, state: State, at: tuple[float, float], said: str) -> Text:
    """Words by a place, over no boat and no ship where there is room."""
    places = [*(boat.place for boat in state.boats), *(ship.place for ship in state.vessels)]
    hulls = [view.layout.center(h) for place in places for h in (place.bow, place.stern)]
    tags = [_tag((at[0], at[1] + off), said, view.size) for off in (0, -28, 28, -56, 56, -84, 84)]
    wide = _LETTER * len(said) + 14
    return next((each for each in tags if not any(abs(each.x - x) < wide and abs(each.y - y) < 24 for x, y in hulls)),
                tags[0])


def outlook(view: View, state: State, sea: Sea) -> tuple[Layer, tuple[Box, ...]]:
    """The course of the ships that are hunted, with the turns until they are gone; and the edges of the map, beyond
    which a boat has got away. Its words, too, as places where no name shall stand."""
    (width, height), shapes, words_ = view.size, list[Shape](), list[Text]()
    prey = [v for v in state.vessels if v.role is not Role.ESCORT and not v.sunk]
    course = state.fleet.guide.direction
    seen = [v for v in prey if view.holds(v.place.bow) and not v.stopped]
    if seen and not state.over:
        bows = {v.id: (view.layout.center(v.place.bow), view.layout.center(v.place.bow.step(course, 1))) for v in seen}
        lead = max(seen, key=lambda v: sum(a * (b - a) for a, b in zip(*bows[v.id], strict=True)))
        ahead = [view.layout.center(lead.place.bow.step(course, n)) for n in (1, 5)]
        shapes.append(Line(tuple(ahead), Style(None, "halo", 5, opacity=0.8)))
        shapes.append(Line(tuple(ahead), Style(None, BANDS[lead.role], 2.5, (9, 6)), arrow=True))
        words_.append(_clear(view, state, ahead[1], SAY("sea.gone", turns=sea.turns - min(state.turn, sea.turns) + 1)))
    low = view.layout.hex_at(width / 2, height / 2)
    lines = [(Hex.at(low.column, row), True) for row in (sea.edges.north, sea.edges.south) if row is not None]
    lines += [(Hex.at(column, low.row), False) for column in (sea.edges.west, sea.edges.east) if column is not None]
    for h, flat in lines:
        x, y = view.layout.center(h)
        if not (0 < y < height if flat else 0 < x < width):
            continue
        ends = ((0.0, y), (width, y)) if flat else ((x, 0.0), (x, height))
        shapes.append(Line(ends, Style(None, BOAT_BAND, 2.5, (12, 8))))
        words_.append(_tag((x, y), SAY("sea.out"), view.size))
    boxes = tuple((x - half, y - 10, x + half, y + 10)
                  for each in words_ for x, y, half in [(each.x, each.y, _LETTER * len(each.text))])
    return Layer("outlook", (*shapes, *words_), late=True), boxes


def _tag(at: tuple[float, float], text: str, size: tuple[float, float]) -> Text:
    """Words at a point, moved into the window, and clear of its buttons."""
    half, (width, height), narrow = _LETTER * len(text), size, size[0] < NARROW
    right, top = (8, PAD + 12) if narrow else (BUTTON + 16, 20)
    x, y = min(max(at[0], half + 8), width - half - right), min(max(at[1], top), height - 20)
    return Text(x, y, text, Style("ink", "halo", 3), 14, "middle", True)


def _targets(view: View, markers: Iterable[Marker]) -> Iterator[Shape]:
    """Each target hex in cross hairs, and where charges are about to fall round it."""
    for marker in markers:
        x, y = view.layout.center(marker.target)
        if marker.kind in _ZONED:
            zone = (ZONE + 0.5) * view.layout.height
            yield Circle(x, y, zone, Style("orange", opacity=0.14))
            yield Circle(x, y, zone, Style(None, "orange", 1.5, (5, 4), 0.9))
        r, style = max(5.0, 0.6 * view.side), Style(None, "orange", 2)
        yield Circle(x, y, r, style)
        yield Line(((x - 1.7 * r, y), (x + 1.7 * r, y)), style)
        yield Line(((x, y - 1.7 * r), (x, y + 1.7 * r)), style)


def _courses(view: View, torpedoes: Iterable[Torpedo]) -> Iterator[Shape]:
    """Where torpedoes run next."""
    for torpedo in torpedoes:
        ahead = torpedo.at.step(torpedo.direction, COMBAT.torpedoes[torpedo.type].speed)
        ends = view.layout.center(torpedo.at), view.layout.center(ahead)
        yield Line(ends, Style(None, BOAT_BAND, 2, (6, 4), 0.8), arrow=True)


def marked(view: View, hexes: Iterable[Hex], faint: bool = False) -> Layer:
    """Hexes that can be chosen; ``faint`` for those that take several turns."""
    style = Style("select", None if faint else "select", 1.2, opacity=0.1 if faint else 0.3)
    return Layer("marked", tuple(Polygon(view.outline(h), style) for h in hexes), late=True)


def _wakes(view: View, wakes: Iterable[Sequence[Place]]) -> Iterator[Shape]:
    """The ways ships have come."""
    for wake in wakes:
        if len(wake) > 1:
            yield Line(tuple(view.layout.center(place.stern) for place in wake), Style(None, "foam", 3, opacity=0.9))


def _charges(view: View, charges: Iterable[Charge]) -> Iterator[Shape]:
    """Attacks marked: a ring for each weapon on the hex, for those thrown ahead a diamond."""
    count: dict[Hex, int] = {}
    style = Style(None, "ink", 2)
    for charge in charges:
        n = count[charge.at] = count.get(charge.at, 0) + 1
        x, y = view.layout.center(charge.at)
        r = view.side * (0.25 + 0.16 * n)
        if COMBAT.weapons[charge.weapon].ahead:
            yield Polygon(((x, y - r), (x + r, y), (x, y + r), (x - r, y)), style)
        else:
            yield Circle(x, y, r, style)


def _cells(view: View, state: State, orders: Mapping[Hex, Any], hexes: Iterable[Hex]) -> tuple[Cell, ...]:
    """What can be pointed at: hexes with an order, hexes with something on them, or all in the window."""
    told = contents(state)
    wanted = {h for h in (*orders, *told, *hexes) if view.holds(h)}
    reading = sorted(wanted, key=lambda h: (view.layout.center(h)[1], view.layout.center(h)[0]))
    return tuple(
        Cell(h.label,
             view.outline(h),
             SAY("sea.hex", hex=h, things=told[h]) if h in told else SAY("sea.open", hex=h),
             action=orders.get(h))
        for h in reading
    )


def course(direction: int) -> str:
    """What a course is called: "NE"."""
    return SAY(f"course.{direction}")


def contents(state: State) -> dict[Hex, str]:
    """What lies on each hex, in words."""
    found: dict[Hex, list[str]] = {}

    def note(h: Hex, key: str, **facts: Any) -> None:
        found.setdefault(h, []).append(SAY(f"sea.{key}", **facts))

    for vessel in state.vessels:
        ship, type_, sails = vessel.id, TABLES.vessels[vessel.type].name, course(vessel.place.direction)
        left = TABLES.vessels[vessel.type].hits - vessel.hits
        for h, key in zip(vessel.place.hexes, ("bow", "stern"), strict=True):
            note(h, key, ship=ship, type=type_, course=sails)
            if not vessel.sunk:
                note(h, "worth", points=TABLES.vessels[vessel.type].value, n=left)
    for boat in state.boats:
        if boat.active:
            for h, key in zip(boat.place.hexes, ("boat_bow", "boat_stern"), strict=True):
                note(h, key, boat=boat.id, depth=boat.depth, course=course(boat.place.direction))
    for marker in state.markers:
        note(marker.place.bow, "marked", kind=marker.kind, boat=marker.boat)
        note(marker.target, "target", boat=marker.boat)
    for torpedo in state.torpedoes:
        note(torpedo.at, "torpedo", id=torpedo.id, course=course(torpedo.direction))
    for charge in state.charges:
        note(charge.at, "charge", weapon=charge.weapon, escort=charge.escort)
    return {h: ", ".join(things) for h, things in found.items()}


def describe(state: State) -> str:
    """The moment in a few sentences, for those who do not see the board."""
    ships = sum(v.role is not Role.ESCORT and not v.sunk for v in state.vessels)
    lines = [SAY("sea.turn", turn=state.turn, ships=ships, escorts=len(state.escorts))]
    lines += [SAY("sea.boat", boat=b.id, bow=b.place.bow, course=course(b.place.direction), depth=b.depth, hull=b.hull)
              for b in state.boats if b.active]
    lines += [SAY("sea.marker", boat=m.boat, kind=m.kind, place=m.place) for m in state.markers]
    return " ".join(lines)


# -- The legend under the sea: what is what, for as much of it as there is at this moment ----------

LONG, HIGH, LETTERS = 24.0, 22.0, 12.0  # px of a ship and of the line, and of its words
_LEFT, _RIGHT, _EM = 30.0, 58.0, 0.54  # px kept free beside it, and mean width of a letter, of its size


def legend(view: View, state: State) -> tuple[Layer, Box]:
    """One line at the lower edge of the sea, with as many of its entries as have room, and where it lies."""
    width, height = view.size
    x, y = _LEFT + 6, height - HIGH / 2 - 6
    shapes: list[Shape] = []
    for key, drawn in _entries(state):
        text = SAY(f"legend.{key}")
        wide = LONG + 14 + _EM * LETTERS * len(text)
        if x + wide > width - _RIGHT:
            break
        shapes += Piece(key, x + LONG / 2, y, drawn, 90).placed()
        shapes.append(Text(x + LONG + 5, y, text, Style("ink"), LETTERS, "start"))
        x += wide
    box = _LEFT, y - HIGH / 2, x, y + HIGH / 2
    plate = Rect(box[0], box[1], x - _LEFT, HIGH, Style("card", opacity=0.85), 6)
    return Layer("legend", (plate, *shapes) if shapes else ()), box


def _entries(state: State) -> Iterator[tuple[str, tuple[Flat, ...]]]:
    """What there is, the weightiest first, and how it is drawn, bow up."""
    if any(boat.active for boat in state.boats):
        yield "boat", hulls.ship("submarine", LONG, BOAT_BAND)
    afloat = {vessel.role: vessel for vessel in reversed(state.vessels) if not vessel.sunk}
    for role in (role for role in BANDS if role in afloat):
        yield role.value, hulls.ship(TABLES.vessels[afloat[role].type].kind, LONG, BANDS[role])
    if state.torpedoes:
        yield "torpedo", hulls.torpedo(18.0, BOAT_BAND)[1:]
    kinds = {marker.kind for marker in state.markers}
    rim = Style("yellow", "ink", 1.2)
    if MarkerKind.CONTACT in kinds:
        yield "contact", (Circle(0, 0, 7, rim),)
    if kinds & {MarkerKind.SURFACED, MarkerKind.VISIBLE}:
        dark = Circle(0, 0, 8, Style(None, "ink", 3.5, opacity=0.5))
        yield "visible", (dark, Circle(0, 0, 8, Style(None, "yellow", 2.2)))
    if kinds & {MarkerKind.CONTACT, MarkerKind.SURFACED, MarkerKind.VISIBLE}:
        yield "zone", (Circle(0, 0, 8, Style("orange", "orange", 1.5, (3, 2), 0.5)),)
    if MarkerKind.INVERTED in kinds:
        asked = Text(0, 0, "?", Style("ink"), LETTERS, bold=True)
        yield "inverted", (Circle(0, 0, 8, Style("card", "ink", 1.2)), asked)
    if any(vessel.sunk for vessel in state.vessels) or any(boat.sunk for boat in state.boats):
        yield "sunk", hulls.wreck("freighter", LONG)


# -- A whole hunt as one HTML document to print or to keep: what happened, turn by turn, and every escort's reasons

PICTURE = (1000.0, 580.0)  # size of a turn's picture in pixels
SIGNS = {"contact": "◆", "loss": "◇", "attack": "●", "hit": "✚", "sinking": "✖"}
"""What makes a moment a key moment, each with its sign, the gravest last."""
_DETECTION = "104.1.3"
_MARKER = {
    "visible": "contact", "surfaced": "contact", "found": "contact", "torpedoes": "contact", "disappears": "loss",
    "missed": "loss",
}
_KEYS = {
    "attacks": "attack", "launched": "attack", "hit": "hit", "damage": "hit", "gun_hit": "hit", "ram_hit": "hit",
    "crush": "hit", "sunk_ship": "sinking", "sunk_boat": "sinking",
}
_STYLE = """
/* nk-hunt: a hunt to print. */
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; }
body { color: #14222c; background: #fff; }
h1, h2, h3 { line-height: 1.25; } h2 { margin-top: 2rem; border-top: 1px solid #cad8e1; padding-top: 1rem; }
svg { width: 100%; height: auto; border: 1px solid #cad8e1; border-radius: 8px; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 10px 4px 0; border-bottom: 1px solid #cad8e1; text-align: left; vertical-align: top; }
pre { white-space: pre-wrap; font: inherit; margin: 0 0 8px; } summary { cursor: pointer; }
.nk-hunt-key { white-space: nowrap; } :is(.nk-hunt-rule, .nk-hunt-quiet) { color: #4a5d6a; }
.nk-hunt-rule { font-size: 13px; }
@media print {
  body { margin: 0; max-width: none; font-size: 11px; }
  h2, tr, figure { break-inside: avoid; } h2 { break-after: avoid; }
}
"""

Step = tuple[Moment[State], Moment[State]]
"""What somebody did: the moments before and after it."""


def key_of(event: Event) -> str:
    """What an event makes of its moment, "" for nothing: a single search that finds or misses makes nothing, a marker
    laid does."""
    laid = _MARKER.get(event.kind, "") if event.rule == _DETECTION else ""
    return laid or _KEYS.get(event.kind, "")


def report(row: Sequence[Moment[State]], game: Any, title: str, about: str, paint: Callable[[Any], str]) -> Markup:
    """The document. ``row``: the hunt. ``paint`` gives a picture as SVG."""
    turns = many("{}", (_turn(number, list(group), game, paint) for number, group in _turns(row)))
    form = (
        '<!doctype html>\n<html lang="{6}"><head><meta charset="utf-8"><title>{0}</title>'
        "<style>{1}</style></head><body><h1>{0}</h1><p>{2}</p>{3}{4}{5}</body></html>\n"
    )
    return html(form, title, Markup(_STYLE), about, _summary(row, game), _key_moments(row), turns, voice().lang)


def _turns(row: Sequence[Moment[State]]) -> Iterator[tuple[int, Iterator[Step]]]:
    """The steps of the hunt, each as (before, after), by the turn they were taken in."""
    return groupby(zip(row, row[1:], strict=False), key=lambda step: step[0].turn)


def _summary(row: Sequence[Moment[State]], game: Any) -> Markup:
    last = row[-1].state
    outcome = game.outcome(last)
    counts = {key: sum(key in m.keys for m in row) for key in SIGNS}
    by_night = SAY("hunt_report.by_night") if game.sea.night else ""
    facts = [
        (SAY("hunt_report.package"), SAY.named(game.sea.package)),
        (SAY("hunt_report.date"), f"{game.scenario.date:%-d %B %Y}{by_night}"),
        (SAY("hunt_report.turns"), str(last.turn)),
        *((f"{SIGNS[key]} {SAY.named(key)}", str(n)) for key, n in counts.items()),
        (SAY("hunt_report.how_ended"), outcome.text if outcome else SAY("hunt_report.goes_on")),
    ]
    return html("<table>{}</table>", many("<tr><th scope=row>{}</th><td>{}</td></tr>", facts))


def _key_moments(row: Sequence[Moment[State]]) -> Markup:
    lines = many("<tr><td>{}</td><td class=nk-hunt-key>{} {}</td><td>{}</td></tr>",
                 ((m.turn, SIGNS[m.keys[-1]], SAY.named(m.keys[-1]), _told(m, only_key=True)) for m in row if m.keys))
    return html("<h2>{}</h2>{}", SAY("hunt_report.moments"), _table("moments", lines)) if lines else lines


def _table(name: str, lines: Markup) -> Markup:
    """A table of rows in HTML, under the headings of that name."""
    head = many("<th>{}</th>", SAY(f"hunt_report.head.{name}").split(" | "))
    return html("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>", head, lines)


def _told(moment: Moment[State], only_key: bool = False) -> Markup:
    """The events of a moment with their rules; of a key moment, if wished, only those that make it one."""
    events = [event for event in moment.events if not only_key or key_of(event)]
    return html(" ").join(html("{} <span class=nk-hunt-rule>[{}]</span>", e.text, e.rule) for e in events)


def _turn(number: int, steps: list[Step], game: Any, paint: Callable[[Any], str]) -> Markup:
    """One turn: its picture once the escorts have moved, its log, and the escorts' decisions."""
    events = many("<li>{}</li>", (_told(after) for _, after in steps if after.events))
    moves = [(before, after.action) for before, after in steps if after.by == ESCORTS]
    hunted = any(before.state.markers for before, _ in steps)
    head = html("<h2>{}</h2>", SAY("hunt_report.turn", number=number))
    if not hunted and not moves:
        return html("{}<ul class=nk-hunt-quiet>{}</ul>", head, events)
    picture = Markup(paint(_picture(steps, game)))
    return html("{}<figure>{}</figure><ul>{}</ul>{}", head, picture, events, _decisions(moves, game))


def _picture(steps: list[Step], game: Any) -> Any:
    """The sea after the escorts' moves, with the ways they have come; without its grid, which would be most of it."""
    moved = [(before, after) for before, after in steps if after.by == ESCORTS]
    state = moved[-1][1].state if moved else steps[0][0].state
    wakes = [(before.state.vessel(after.action.escort).place, *after.action.path) for before, after in moved]
    shown = scene(state, fit(everything(state), PICTURE), wakes=wakes, night=game.sea.night)
    sea, *others = shown.layers
    water = tuple(shape for shape in sea.flat if shape.style.stroke != "grid")
    return replace(shown, layers=(replace(sea, shapes=water), *others), title="", desc="", cells=())


def _decisions(moves: list[tuple[Moment[State], EscortMove]], game: Any) -> Markup:
    if not moves:
        return Markup()
    rows = []
    for moment, move in moves:
        decision = explain(moment.state, move.escort, game.sea)
        name = SAY.named(TABLES.vessels[moment.state.vessel(move.escort).type].name)
        rules = " ".join(dict.fromkeys(finding.rule for finding in decision.findings))
        rows.append((move.escort, name, decision.mode, decision.reason, decision.explain(), rules))
    form = (
        "<tr><td><b>{}</b> {}</td><td>{}</td><td><details><summary>{}</summary><pre>{}</pre></details></td>"
        "<td class=nk-hunt-rule>{}</td></tr>"
    )
    return _table("prolonged" if moves[0][0].phase is Phase.END else "escorts", many(form, rows))


# -- Blank sheets for the desk, as A4 pages in points: a sheet of hexes to draw a hunt on, and the submarine's log

LANDSCAPE = (842.0, 595.0)
_MARGIN = 36.0
_HEAD = 40.0
_INK, _SOFT, _RULE = Style("ink"), Style("muted"), Style(None, "grid", 0.8)
LOG_COLUMNS = {
    "turn": 34.0, "bow": 58.0, "course": 46.0, "speed": 42.0, "depth": 56.0, "hull": 38.0,
    "tubes": 80.0, "fired": 116.0, "target": 52.0, "mode": 40.0, "happened": 208.0,
}
"""Columns of the log, by the key of their sentence, and their width in points."""


def hex_sheet(side: float = 11.0, first: str = "A1") -> Scene:
    """A sheet of empty hexes with their names along the edges, landscape. ``side``: side of a hex in points. ``first``:
    the hex in the upper left corner."""
    width, height = LANDSCAPE
    corner = Hex.parse(first)
    unit = Layout(side)
    x, y = unit.center(corner)
    left, top = _MARGIN + 20 + side, _MARGIN + _HEAD + side
    layout = Layout(side, left - x, top - y)
    shapes: list[Shape] = []
    columns = int((width - _MARGIN - left) / (1.5 * side)) + 1
    rows = int((height - _MARGIN - top) / unit.height)
    for q in range(corner.column, corner.column + columns):
        for row in range(corner.row, corner.row + rows):
            shapes.append(Polygon(tuple(layout.corners(Hex.at(q, row))), _RULE))
        letters = Hex.at(q, 1).label.removesuffix("1")
        shapes.append(Text(layout.center(Hex.at(q, 1))[0], _MARGIN + _HEAD - 8, letters, _SOFT, 8))
    for row in range(corner.row, corner.row + rows):
        at = layout.center(Hex.at(corner.column, row))[1]
        shapes.append(Text(_MARGIN + 8, at, str(row), _SOFT, 8))
    head = _head(SAY("sheets.hexes"))
    return _page(LANDSCAPE, SAY("sheets.hexes.title"), (*head, *shapes, *_rose(LANDSCAPE)))


def submarine_log(turns: int = 24) -> Scene:
    """The submarine's log: a line a turn, landscape. ``turns``: lines on the sheet."""
    width, height = LANDSCAPE
    top, bottom = _MARGIN + _HEAD, height - _MARGIN
    step = (bottom - top) / (turns + 1)
    total = sum(LOG_COLUMNS.values())
    scale = (width - 2 * _MARGIN) / total
    shapes: list[Shape] = [Rect(_MARGIN, top, width - 2 * _MARGIN, step, Style("sea_shallow"))]
    x = _MARGIN
    for key, wide in LOG_COLUMNS.items():
        shapes.append(Text(x + 3, top + step / 2, SAY(f"sheets.{key}"), _INK, 8.5, "start", True))
        shapes.append(Line(((x, top), (x, bottom)), _RULE))
        x += wide * scale
    shapes.append(Line(((x, top), (x, bottom)), _RULE))
    for n in range(turns + 2):
        y = top + n * step
        shapes.append(Line(((_MARGIN, y), (width - _MARGIN, y)), _RULE))
        if 1 <= n <= turns:
            shapes.append(Text(_MARGIN + 14, y + step / 2, str(n), _SOFT, 9))
    title = SAY("sheets.log")
    return _page(LANDSCAPE, SAY("sheets.log.title"), (*_head(title), *shapes, *_rose(LANDSCAPE)))


def sheets() -> tuple[Scene, Scene]:
    """Both sheets."""
    return hex_sheet(), submarine_log()


def _page(size: tuple[float, float], title: str, shapes: tuple[Shape, ...]) -> Scene:
    paper = Rect(0, 0, *size, Style("paper"))
    return Scene(*size, (Layer("sheet", (paper, *shapes)),), (), title, SAY("sheets.desc", title=title))


def _head(title: str) -> tuple[Shape, ...]:
    return (
        Text(_MARGIN, _MARGIN + 2, "On Patrol", _INK, 14, "start", True),
        Text(_MARGIN + 84, _MARGIN + 2, title, _INK, 11, "start"),
    )


def _rose(size: tuple[float, float]) -> tuple[Shape, ...]:
    """The six courses, as a reminder: "1 NE  2 SE ..."."""
    text = "   ".join(f"{d} {SAY(f'course.{d}')}" for d in DIRECTIONS)
    return (Text(size[0] - _MARGIN, _MARGIN + 2, f"Courses: {text}", _SOFT, 9, "end"),)
