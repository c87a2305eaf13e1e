"""What the page of On Patrol says: sea and conning panel, orders, odds of fire and of being found, the report."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from navalkit.core.chances import percent
from navalkit.core.match import Match
from navalkit.view.page import Chart, Order, Table
from navalkit.view.scene import Layer, Scene

from . import conn, odds
from . import scene as sea_scene
from .hull import limits
from .markers import mode
from .orders import top_speed
from .page_say import SAY
from .scene import View, everything, fit
from .sight import in_sight
from .state import Boat, Phase, State
from .state import Order as BoatOrder
from .tables import TABLES

NOTES = True
"""The choices on the conning panel are notes."""
UNIT = "points"
PAN = 0.35
"""Share of the window that one press of an arrow moves it."""
MOST_BUTTONS = 6
CAMERA = ("left", "up", "down", "right", "in", "out", "all", "follow")


# The window on the sea --------------------------------------------------------------------------------------------


def _size(tall: bool, panel: bool) -> tuple[float, float]:
    width, height = sea_scene.TALL if tall else sea_scene.WIDE
    return width, height - (conn.HEIGHT if panel and not tall else 0)


def _following(seen: State, size: tuple[float, float]) -> View:
    """The window that follows the boat whose orders are due, or shows everything where there is none."""
    boat = conn.next_boat(seen) or next((b for b in seen.boats if b.active), None)
    return View(boat.place.bow, 3, size) if boat else fit(everything(seen), size)


def camera(game: Any, seen: State, tall: bool, held: View | None, move: str) -> View | None:
    """The window after one of ``CAMERA``; None follows the boat.

    Parameters
    ----------
    game, seen
    tall : bool
    held : View or None
        The window before.
    move : str
    """
    size = _size(tall, panel=True)
    view = held or _following(seen, size)
    match move:
        case "in" | "out":
            return view.zoomed(1 if move == "in" else -1)
        case "all":
            return fit(everything(seen), size)
        case "follow":
            return None
        case _:
            columns, rows = {"left": (-PAN, 0.0), "right": (PAN, 0.0), "up": (0.0, -PAN), "down": (0.0, PAN)}[move]
            return view.moved(columns, rows)


def scene(
    game: Any,
    seen: State,
    tall: bool = False,
    odds: Mapping[str, str] | None = None,
    notes: Collection[str] = (),
    view: View | None = None,
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
    view : View, optional
        The window, by default one that follows the boat.
    """
    boat = conn.next_boat(seen) if seen.phase is Phase.BOATS and not seen.over else None
    size = _size(tall, panel=True)
    view = replace(view, size=size) if view else _following(seen, size)
    ordered = conn.moves(seen, boat, game.sea, notes) if boat and odds else {}
    under = (sea_scene.marked(view, ordered),) if ordered else ()
    drawn = sea_scene.scene(
        seen, view, orders={h: str(order) for h, order in ordered.items()}, under=under, night=game.sea.night
    )
    if boat is None:
        boat = next((b for b in seen.boats if b.active), None)
    if boat is None:
        return drawn
    width, height = size
    shapes, cells = conn.panel(seen, boat, game.sea, notes, height, width, bool(ordered))
    return Scene(
        width,
        height + conn.HEIGHT,
        (*drawn.layers, Layer("conn", shapes)),
        (*drawn.cells, *cells),
        drawn.title,
        drawn.desc,
    )


# What can be done ---------------------------------------------------------------------------------------------------


def now(game: Any, seen: State) -> str:
    """What can be done now, in a sentence."""
    boat = conn.next_boat(seen)
    if seen.phase is not Phase.BOATS or boat is None:
        return SAY("now.wait")
    return SAY("now.order", boat=boat.id, depth=boat.depth, course=boat.place.direction)


def guide(game: Any, seen: State) -> str:
    """For a first hunt: what one sees here, and what to think of."""
    boat = conn.next_boat(seen)
    if boat is None or seen.phase is not Phase.BOATS:
        return ""
    marker = seen.marker(boat.id)
    if marker is not None:
        return SAY(f"guide.{marker.kind}")
    if conn.chances(seen, boat, game.sea):
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
    found = conn.chances(seen, boat, game.sea) if boat else {}
    names = tuple(f"{d} {name}" for d, name in enumerate(conn.COURSES, 1))
    chances = [found[d].total if d in found else None for d in range(1, 7)]
    labels = tuple(percent(c) if c else "" for c in chances)
    note = SAY("chart.fire.note" if found else "chart.fire.none")
    return Chart("fire", SAY("chart.fire"), SAY("chart.fire.x"), SAY("chart.fire.y"), names,
                 tuple(float(c or 0) for c in chances), labels, True, note)  # fmt: skip


def _depths(game: Any, seen: State, boat: Boat | None) -> Chart:
    """How surely the nearest escort finds her at each depth, if she lay right ahead of it."""
    title, x, y = SAY("chart.depth"), SAY("chart.depth.x"), SAY("chart.depth.y")
    if boat is None or not seen.escorts:
        return Chart("depth", title, x, y, ("-",), (0.0,), ("",), True, SAY("chart.depth.none"))
    nearest = min(seen.escorts, key=lambda v: (v.place.bow.distance(boat.place.bow), v.id))
    distance = nearest.place.bow.distance(boat.place.bow)
    rows = [
        row
        for row in odds.depth_to_go(boat.type, points=max(1, boat.hull), distance=distance, speed=min(boat.speed, 2))
        if row.depth <= 400 and row.depth % 50 == 0
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
