"""What the page of On Patrol says: sea and conning panel, orders, odds of fire and of being found, the report."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from navalkit.core.chances import percent
from navalkit.core.match import Match
from navalkit.view.page import Chart, Order, Table
from navalkit.view.scene import Cell, Layer, Polygon, Rect, Scene, Shape, Style, Text, rect_outline

from .. import odds
from ..combat.hull import limits
from ..combat.sight import in_sight
from ..data import sentences
from ..escort.markers import mode
from ..rules.orders import top_speed
from ..sea.state import Boat, Phase, State
from ..sea.state import Order as BoatOrder
from ..sea.tables import TABLES
from . import conn
from . import scene as sea_scene
from .scene import View, everything, fit

SAY = sentences("page.toml")

NOTES = True
"""The choices on the conning panel are notes."""
UNIT = "points"
WORTH_FIRING = 0.2
"""The chance of a hit from which on the guide speaks of firing."""
PAN = 0.35
"""Share of the window that one press of an arrow moves it."""
MOST_BUTTONS = 6
DEPTHS_SHOWN = (50, 100, 200, 300, 400, 500)
"""Feet, in the chart."""
WHOLE, BOAT = "all", "boat"
"""The windows that show everything at sea, and the boat from near."""
ROUND = 28
"""Hexes round the boat whose ships the usual window shows."""
CLOSE_UP = 5
PAD = (
    ("in", "+", "Larger hexes"),
    ("out", "-", "Smaller hexes"),
    ("left", "", "Look further to the left"),
    ("up", "", "Look further up"),
    ("down", "", "Look further down"),
    ("right", "", "Look further to the right"),
    (WHOLE, "all", "Show everything at sea"),
    (BOAT, "boat", "Show the boat from near"),
)
"""The buttons that move the window: what they do, what stands on them (the others are arrows), what they are called."""
BUTTON = 38.0
_ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


# The window on the sea --------------------------------------------------------------------------------------------


def _sea(tall: bool) -> tuple[float, float]:
    """Width and height of the sea: on a wide screen the panel beneath it takes its room from it."""
    width, height = sea_scene.TALL if tall else sea_scene.WIDE
    return width, height if tall else height - conn.height(width)


def _window(seen: State, held: View | str | None, size: tuple[float, float]) -> View:
    """The window: one that was chosen, everything, the boat from near, or by default the boat and what is about her."""
    if isinstance(held, View):
        return View(held.centre, held.zoom, size)
    boat = conn.next_boat(seen) or next((b for b in seen.boats if b.active), None)
    if boat is None or held == WHOLE:
        return fit(everything(seen), size)
    if held == BOAT:
        return View(boat.place.bow, CLOSE_UP, size)
    near = ROUND if size[0] >= conn.NARROW else ROUND // 2
    about = [h for h in everything(seen) if h.distance(boat.place.bow) <= near]
    return fit([*boat.place.bow.ring(4), *about], size)


def camera(game: Any, seen: State, held: View | str | None, move: str, tall: bool = False) -> View | str | None:
    """The window after one of ``PAD``.

    Parameters
    ----------
    game, seen
    held : View, "all", "boat" or None
        The window before.
    move : str
    tall : bool
        For a phone.
    """
    if move in (WHOLE, BOAT):
        return None if held == move else move
    view = _window(seen, held, _sea(tall))
    if move in ("in", "out"):
        return view.zoomed(1 if move == "in" else -1)
    dx, dy = _ARROWS[move]
    return view.moved(PAN * dx, PAN * dy)


def _pad(tall: bool, width: float) -> tuple[Layer, tuple[Cell, ...]]:
    """The buttons that move the window: a column on the right, on a phone a row along the top."""
    shapes: list[Shape] = []
    cells = []
    for n, (move, sign, alt) in enumerate(PAD):
        x, y = (n * (width - 4) / len(PAD) + 4, 4.0) if tall else (width - BUTTON - 6, 22 + n * (BUTTON + 4))
        shapes.append(Rect(x, y, BUTTON, BUTTON, Style("card", "card_line", 1, opacity=0.92), 5))
        cx, cy = x + BUTTON / 2, y + BUTTON / 2
        if move in _ARROWS:
            dx, dy = _ARROWS[move]
            tip, ends = (cx + 8 * dx, cy + 8 * dy), (-6 * dx, -6 * dy)
            sides = [(cx + ends[0] + 8 * dy * k, cy + ends[1] + 8 * dx * k) for k in (1, -1)]
            shapes.append(Polygon((tip, *sides), Style("ink")))
        else:
            shapes.append(Text(cx, cy, sign, Style("ink"), 20 if len(sign) == 1 else 13, glyph=False))
        cells.append(Cell(f"view:{move}", rect_outline(x, y, BUTTON, BUTTON), alt))
    return Layer("pad", tuple(shapes)), tuple(cells)


def scene(
    game: Any,
    seen: State,
    tall: bool = False,
    odds: Mapping[str, str] | None = None,
    notes: Collection[str] = (),
    view: View | str | None = None,
) -> Scene:
    """The sea, with the conning panel of the boat whose orders are due beneath it.

    Parameters
    ----------
    game, seen
    tall : bool
        For a phone.
    odds : mapping of str to str, optional
        The orders that can be given now; None or empty if none can.
    notes : collection of str
        Choices on the panel.
    view : View, "all", "boat" or None
        The window, by default the boat and the ships about her.
    """
    boat = conn.next_boat(seen) if seen.phase is Phase.BOATS and not seen.over else None
    width, height = _sea(tall)
    window = _window(seen, view, (width, height))
    ordered = conn.moves(seen, boat, game.sea, notes) if boat and odds else {}
    under = (sea_scene.marked(window, ordered),) if ordered else ()
    drawn = sea_scene.scene(
        seen, window, orders={h: str(order) for h, order in ordered.items()}, under=under, night=game.sea.night
    )
    pad, buttons = _pad(tall, width)
    shown = boat or next((b for b in seen.boats if b.active), None)
    panel: tuple[Shape, ...] = (Rect(0, height, width, conn.height(width), Style("paper")),)
    choices: tuple[Cell, ...] = ()
    if shown:
        panel, choices = conn.panel(seen, shown, game.sea, notes, height, width, bool(ordered))
    cells = (*drawn.cells, *choices, *buttons)  # of cells that lie over one another the last is pointed at
    layers = (*drawn.layers, Layer("conn", (*panel, *pad.shapes)))
    return Scene(width, height + conn.height(width), layers, cells, drawn.title, drawn.desc)


# What can be done ---------------------------------------------------------------------------------------------------


def now(game: Any, seen: State) -> str:
    """What can be done now, in a sentence."""
    if game.outcome(seen) is not None:
        return SAY("now.over")
    boat = conn.next_boat(seen)
    if seen.phase is not Phase.BOATS or boat is None:
        return SAY("now.wait")
    return SAY("now.order", boat=boat.id, depth=boat.depth, course=boat.place.direction)


def guide(game: Any, seen: State) -> str:
    """For a first hunt: what one sees here, and what to think of."""
    if game.outcome(seen) is not None:
        return SAY("guide.over")
    boat = conn.next_boat(seen)
    if boat is None or seen.phase is not Phase.BOATS:
        return ""
    marker = seen.marker(boat.id)
    if marker is not None:
        return SAY(f"guide.{marker.kind}")
    best = max((found.total for found in conn.chances(seen, boat, game.sea).values()), default=0)
    if best >= WORTH_FIRING:
        return SAY("guide.solution")
    return SAY("guide.approach")


def orders(game: Any, seen: State, legal: Sequence[Any]) -> tuple[Order, ...]:
    """A few orders as buttons; every other on the board, on the panel, or typed."""
    boat = conn.next_boat(seen)
    if boat is None or not legal:
        return ()
    most = top_speed(boat, boat.depth)
    deeper, higher = min(600, boat.depth + 50), max(0, boat.depth - 50)
    wanted = [
        ("Stay", BoatOrder(boat.id), SAY("help.stay")),
        (f"Ahead {most}", BoatOrder(boat.id, (0,) * most), SAY("help.ahead")),
        (f"Dive to {deeper} ft", BoatOrder(boat.id, (0,), deeper), SAY("help.dive")),
        (f"Rise to {higher} ft", BoatOrder(boat.id, (0,), higher), SAY("help.rise")),
    ]
    buttons = [
        Order(str(order), label, "", help, "move")
        for label, order, help in wanted
        if not (order.depth == boat.depth or (label.startswith("Ahead") and not most))
        and game.why_not(seen, order) is None
    ][:MOST_BUTTONS]
    named = {order.text for order in buttons}
    return (*buttons, *(Order(str(a), str(a), "", "", "board") for a in legal if str(a) not in named))


def charts(game: Any, seen: State) -> tuple[Chart, ...]:
    """The chance of a hit by course, and of being found by depth."""
    boat = conn.next_boat(seen) or next((b for b in seen.boats if b.active), None)
    return _fire(game, seen, boat), _depths(game, seen, boat)


def _fire(game: Any, seen: State, boat: Boat | None) -> Chart:
    title, x, y = SAY("chart.fire"), SAY("chart.fire.x"), SAY("chart.fire.y")
    found = conn.chances(seen, boat, game.sea) if boat else {}
    if not found:
        return Chart("fire", title, x, y, (), (), (), True, SAY("chart.fire.none"))
    names = tuple(f"{d} {name}" for d, name in enumerate(conn.COURSES, 1))
    chances = [found[d].total if d in found else None for d in range(1, 7)]
    labels = tuple(percent(c) if c else "" for c in chances)
    shares = tuple(float(c or 0) for c in chances)
    return Chart("fire", title, x, y, names, shares, labels, True, SAY("chart.fire.note"))


def _depths(game: Any, seen: State, boat: Boat | None) -> Chart:
    """How surely the nearest escort finds her at each depth, if she lay right ahead of it."""
    title, x, y = SAY("chart.depth"), SAY("chart.depth.x"), SAY("chart.depth.y")
    if boat is None or not seen.escorts:
        return Chart("depth", title, x, y, (), (), (), True, SAY("chart.depth.none"))
    nearest = min(seen.escorts, key=lambda v: (v.place.bow.distance(boat.place.bow), v.id))
    distance = nearest.place.bow.distance(boat.place.bow)
    rows = [
        row
        for row in odds.depth_to_go(boat.type, points=max(1, boat.hull), distance=distance, speed=min(boat.speed, 2))
        if row.depth in DEPTHS_SHOWN
    ]
    note = SAY("chart.depth.note", escort=nearest.id, distance=distance, limit=limits(boat).depth)
    return Chart("depth", title, x, y, tuple(f"{row.depth}" for row in rows), tuple(float(row.found) for row in rows),
                 tuple(percent(row.found) for row in rows), True, note)  # fmt: skip


def facts(game: Any, seen: State) -> Table:
    """Boats, tubes and what the escorts know."""
    rows: list[tuple[str, str]] = []
    for boat in seen.boats:
        if not boat.active:
            rows.append((boat.id, SAY("fact.sunk", turn=boat.sunk) if boat.sunk else SAY("fact.away", turn=boat.away)))
            continue
        type_ = TABLES.boats[boat.type]
        marker = seen.marker(boat.id)
        known = SAY(f"fact.{marker.kind}") if marker else SAY("fact.unknown")
        limit = limits(boat)
        rows += [
            (f"{boat.id}, {type_.name}", SAY("fact.boat", hull=boat.hull, most=type_.hull, depth=boat.depth,
                                             limit=limit.depth, under=limit.submerged, above=limit.surfaced)),
            (f"{boat.id}, tubes", _tubes(boat)),
            (f"{boat.id}, what escorts know", SAY("fact.mode", known=known, mode=mode(seen, boat.id))),
            (f"{boat.id}, in sight", ", ".join(in_sight(seen, boat, game.sea)) or SAY("fact.nobody")),
        ]  # fmt: skip
    points = sum(value for _, value in seen.points)
    rows.append(("Points", SAY("fact.points", points=points, goal=game.sea.points)))
    rows.append(("Turn", SAY("fact.turn", turn=seen.turn, turns=game.sea.turns)))
    return Table("The boat and the hunt", ("what", "how it stands"), tuple(rows), SAY("fact.note"))


def _tubes(boat: Boat) -> str:
    parts = []
    for tube in boat.tubes:
        state = tube.torpedo if tube.torpedo and not tube.ready else f"{tube.torpedo or 'empty'}"
        parts.append(f"{tube.end} {state}" + (f" (ready in {tube.ready})" if tube.ready else ""))
    racks = ", ".join(f"{count} {type_}" for type_, count in boat.reloads) or "none"
    return "; ".join(parts) + f". In the racks: {racks}."


# After the end ------------------------------------------------------------------------------------------------------


def report(game: Any, match: Match, others: Sequence[tuple[str, Match]] = ()) -> Table | None:
    """The outcome and what it was made of, beside another captain on the same sea."""
    outcome = match.outcome
    if outcome is None:
        return None
    head = ("", "you", *(name for name, _ in others))
    matches = [match, *(other for _, other in others)]
    rows: list[tuple[str, ...]] = [("points", *(f"{m.outcome.scores[0]:g}" if m.outcome else "-" for m in matches))]
    for label, word in (("ships sunk", "sunk "), ("boats lost", "lost ")):
        rows.append((label, *(str(sum(what.startswith(word) for what, _ in m.state.points)) for m in matches)))
    rows.append(("torpedoes fired", *(str(m.state.launched) for m in matches)))
    rows.append(("turns", *(str(m.state.turn) for m in matches)))
    return Table("How the hunt ended", head, tuple(rows), outcome.text)


def compare(game: Any, name: str, mine: Match, other: Match) -> Table | None:
    """None: two hunts part at the first order, and have no steps in common to compare."""
    return None
