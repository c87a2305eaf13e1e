"""The conning panel under the sea: depth, tubes and firing solutions at a glance, and what the next order shall hold.

A choice made here is a note of the page ("note:aim-depth=100"); a click on a hex then orders the move there with all
that was chosen.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from functools import lru_cache

from navalkit.core.chances import percent
from navalkit.grids.hex import DIRECTIONS, Hex, reachable, turn_between
from navalkit.view.scene import Cell, Rect, Shape, Style, Text, rect_outline

from ..combat.hull import limits
from ..combat.sight import in_sight
from ..combat.torpedoes import LAUNCH_DEPTH, ready, tubes_for
from ..odds.solution import Solution, solutions
from ..rules.orders import DIVE, top_speed, why_not_order
from ..sea.scenario import DEPTHS
from ..sea.setting import Sea
from ..sea.state import Boat, Order, Shot, State

NARROW = 600
"""Panels narrower than this, in pixels, get rows that a finger can hit."""
_HEAD = 42.0
_DEPTH, _FIRE = "note:aim-depth=", "note:aim-fire"
COURSES = ("NE", "SE", "S", "SW", "NW", "N")
SALVOES = (1, 2, 4)


def next_boat(state: State) -> Boat | None:
    """The boat whose orders are due: the first one in play that has none yet."""
    return next((boat for boat in state.boats if boat.active and boat.id not in state.moved), None)


@lru_cache(maxsize=64)
def chances(state: State, boat: Boat, sea: Sea) -> Mapping[int, Solution]:
    """What one torpedo fired now would do, by course; empty where she cannot fire."""
    if boat.depth > LAUNCH_DEPTH or not in_sight(state, boat, sea):
        return {}
    return {found.direction: found for found in solutions(state, boat, sea)}


# The order in the making --------------------------------------------------------------------------------------------


def depth_chosen(boat: Boat, notes: Collection[str]) -> int:
    """The depth in feet that the next order goes to."""
    return next((int(note.removeprefix(_DEPTH)) for note in notes if note.startswith(_DEPTH)), boat.depth)


def shots_chosen(notes: Collection[str]) -> tuple[Shot, ...]:
    """The torpedoes that the next order fires, by course."""
    found = []
    for note in notes:
        if note.startswith(_FIRE):
            course, _, number = note.removeprefix(_FIRE).partition("=")
            found.append(Shot(int(number), int(course)))
    return tuple(sorted(found, key=lambda shot: shot.direction))


def moves(state: State, boat: Boat, sea: Sea, notes: Collection[str] = ()) -> dict[Hex, Order]:
    """The hexes the boat's bow can go to now, each with the order that takes her there by the fewest turns."""
    depth, shots = depth_chosen(boat, notes), shots_chosen(notes)
    found: dict[Hex, Order] = {}
    for place, path in reachable(boat.place, top_speed(boat, depth)).items():
        if place.bow in found:
            continue
        at, turns = boat.place, []
        for to in path:
            turns.append(turn_between(at.direction, to.direction))
            at = to
        order = Order(boat.id, tuple(turns), None if depth == boat.depth else depth, shots)
        if why_not_order(state, order, sea) is None:
            found[place.bow] = order
    return found


def row(width: float) -> float:
    """Pixels from row to row of a panel that wide."""
    return 36.0 if width < NARROW else 18.0


def height(width: float) -> float:
    """Pixels of a panel that wide."""
    return _HEAD + 5 * row(width) + 4


# What it looks like --------------------------------------------------------------------------------------------------


def panel(
    state: State, boat: Boat, sea: Sea, notes: Collection[str], top: float, width: float, live: bool
) -> tuple[tuple[Shape, ...], tuple[Cell, ...]]:
    """The panel's shapes and cells.

    Parameters
    ----------
    state, boat, sea
    notes : collection of str
        Choices made.
    top, width : float
        Pixels: where the panel begins, and how wide it is.
    live : bool
        Whether an order can be given now.
    """
    shapes: list[Shape] = [Rect(0, top, width, height(width), Style("paper"))]
    cells: list[Cell] = []
    left = width * (0.30 if width < NARROW else 0.25)
    _depth(shapes, cells, boat, notes, (0, top, left, row(width)), live)
    _tubes(shapes, cells, state, boat, sea, notes, (left, top, width - left, row(width)), live)
    return tuple(shapes), tuple(cells)


def _depth(
    shapes: list[Shape],
    cells: list[Cell],
    boat: Boat,
    notes: Collection[str],
    box: tuple[float, float, float, float],
    live: bool,
) -> None:
    x, y, width, each_row = box
    chosen, limit = depth_chosen(boat, notes), limits(boat)
    title = f"{boat.id} · hull {boat.hull}"
    shapes.append(Text(x + 8, y + 14, title, Style("ink"), 14, "start", True))
    shapes.append(Text(x + 8, y + 32, f"safe to {limit.depth} ft", Style("muted"), 12, "start"))
    depths = [d for d in DEPTHS if abs(d - boat.depth) <= DIVE]
    for n, depth in enumerate(depths):
        top, high = y + _HEAD + n * each_row, each_row - 2
        on = depth == chosen
        shapes.append(Rect(x + 8, top, width - 16, high, Style("select" if on else "sea_shallow", "grid"), 3))
        word = "surface" if depth == 0 else f"{depth} ft"
        if depth == boat.depth:
            word += " (now)"
        shapes.append(Text(x + width / 2, top + high / 2, word, Style("paper" if on else "ink"), 11, bold=on))
        if live:
            alt = f"Depth for the next order: {word}{', chosen' if on else ''}"
            cells.append(Cell(f"{_DEPTH}{depth}", rect_outline(x + 8, top, width - 16, high), alt))


def _tubes(
    shapes: list[Shape],
    cells: list[Cell],
    state: State,
    boat: Boat,
    sea: Sea,
    notes: Collection[str],
    box: tuple[float, float, float, float],
    live: bool,
) -> None:
    x, y, width, each_row = box
    loaded = {end: len(ready(boat, end)) for end in ("bow", "stern")}
    waits = [t.ready for t in boat.tubes if t.ready]
    racks = sum(count for _, count in boat.reloads)
    wait = f", next in {min(waits)}" if waits else ""
    text = f"tubes: {loaded['bow']} bow, {loaded['stern']} stern{wait} · {racks} spare"
    shapes.append(Text(x + 8, y + 14, text, Style("ink"), 11, "start"))
    found = chances(state, boat, sea)
    chosen = {shot.direction: shot.number for shot in shots_chosen(notes)}
    each = (width - 16) / len(DIRECTIONS)
    for n, direction in enumerate(DIRECTIONS):
        left = x + 8 + n * each
        end, _ = tubes_for(boat.place, direction)
        shapes.append(Text(left + each / 2, y + 36, f"{direction} {COURSES[n]}", Style("ink"), 12, bold=True))
        solution = found.get(direction)
        best = f"{percent(solution.total)}" if solution and solution.total else "–"
        shapes.append(
            Text(left + each / 2, y + 53, best, Style("good" if solution and solution.total else "muted"), 13)
        )
        at = solution.best if solution else ""
        shapes.append(Text(left + each / 2, y + 68, at or end, Style("muted"), 11))
        for k, number in enumerate(SALVOES):
            if number > loaded[end]:
                continue
            top, on = y + _HEAD + (2 + k) * each_row, chosen.get(direction) == number
            shapes.append(
                Rect(left + 3, top, each - 6, each_row - 2, Style("vermilion" if on else "sea_shallow", "grid"), 3)
            )
            word = f"fire {number}" if each > 48 else str(number)
            shapes.append(
                Text(left + each / 2, top + each_row / 2 - 1, word, Style("paper" if on else "ink"), 11, bold=on)
            )
            if live:
                alt = f"Fire {number} on course {direction}{', chosen' if on else ''}: {_told(solution)}"
                outline = rect_outline(left + 3, top, each - 6, each_row - 2)
                cells.append(Cell(f"{_FIRE}{direction}={number}", outline, alt))


def _told(solution: Solution | None) -> str:
    if solution is None or not solution.total:
        return "no ship comes into the way of it"
    ships = sorted(solution.hits.items(), key=lambda hit: -hit[1])[:3]
    return ", ".join(f"{id} {percent(Fraction(chance))}" for id, chance in ships) + " for one torpedo"
