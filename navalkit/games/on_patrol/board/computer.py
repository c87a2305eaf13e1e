"""The attack computer on the sea: where ships may be in the next two turns, and the tracks of torpedoes fired now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from navalkit.core.language.chances import percent
from navalkit.grids.hex import Hex, Place
from navalkit.view.scene import Circle, Layer, Line, Shape, Style, Text

from ..combat.torpedoes import ready, tubes_for
from ..odds.solution import Solution
from ..sea.combat_tables import COMBAT
from ..sea.fleet import EMERGENCY, cells, fleeing
from ..sea.state import Boat, Role, State, Vessel
from ..sea.tables import TABLES
from .scene import BANDS, BOAT_BAND
from .shapes.view import View

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
            yield Text(x, y, percent(solution.total), Style("ink", "paper", 3), 13, bold=True)


def _free(state: State, at: Hex, direction: int) -> int:
    """How far along a track its figure stands: the first place from which every ship and her name is some hexes off."""
    places = [vessel.place.bow for vessel in state.vessels if not vessel.sunk]
    ways = (n for n in LABELS if all(place.distance(at.step(direction, n)) > CLEAR for place in places))
    return next(ways, LABELS[0])
