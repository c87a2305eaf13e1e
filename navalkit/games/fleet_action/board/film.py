"""A salvo as a film: a few pictures from the flash of the guns to the fall of shot, between two moments of the page.

Both sides fire at once, and only what the player may know of is seen. The pictures differ in one layer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import cos, pi, sin, sqrt

from navalkit.core.event import Event
from navalkit.view.page import Glance, Look, Moment
from navalkit.view.scene import Circle, Layer, Line, Picks, Point, Polygon, Scene, Shape, Style

from ..game import FleetAction
from ..state.observation import Observation
from . import SAY
from .choice import located, look_pick
from .overlay import tag
from .scene import scene
from .window import Window, window

FIRES = ("salvo", "torpedoes")
"""The kinds of event that tell of fire."""
FLIGHT = (0.3, 0.55, 0.8)
"""Shares of the way that shells and torpedoes have come in the pictures between flash and fall."""
HOLD = 3
"""Pictures of the fall of shot: time to read the hits."""
_MOST = 7  # splashes or bursts drawn at one target
_GOLDEN = pi * (3 - sqrt(5))  # radians between two splashes: they never stand in rows
_SHELL, _FLASH = Style("ink", "paper", 1.0), Style("yellow", "vermilion", 2.0)
_BURST = Style("vermilion", "yellow", 1.2)
_SPLASH, _TRACK = Style("paper", "select", 1.5, opacity=0.9), Style(None, "ink", 2.0, (5, 4))


@dataclass
class Fire:
    """All that one ship fires at another in a move, guns or torpedoes."""

    ship: int
    target: int
    torpedo: bool
    dice: int = 0
    hits: int = 0
    points: int = 0


def film(game: FleetAction, moments: Sequence[Moment[Observation]], tall: bool, last: Scene) -> tuple[Scene, ...]:
    """The pictures of all salvos in what has happened since the page was shown.

    Parameters
    ----------
    game : FleetAction
    moments : sequence of Moment
        Before each action since, what was seen, and what the action then brought.
    tall : bool
    last : Scene
        What the page shows at the end; the pictures are as large and have its panel and its cells.

    Returns
    -------
    tuple of Scene
        Empty if nobody has fired.
    """
    shown: list[Scene] = []
    fired = (moment for moment in moments if any(e.kind in FIRES for e in moment.events))
    for _, group in groupby(fired, key=lambda moment: moment.seen.view.move):
        salvo = list(group)
        seen = salvo[0].seen
        events = [event for moment in salvo for event in moment.events]
        if fires := _fires(seen, events):
            shown += _salvo(game, seen, fires, events, tall, last)
    return tuple(shown)


def _fires(seen: Observation, events: Sequence[Event]) -> list[Fire]:
    """Who fired at whom with what success, where both ends are known."""
    known = {*located(seen, 0), *located(seen, 1)}
    found: dict[tuple[int, int, bool], Fire] = {}
    for event in events:
        if event.kind in FIRES:
            facts = event.facts
            key = seen.battle.numbers[facts["ship"]], seen.battle.numbers[facts["target"]], event.kind == "torpedoes"
            if {*key[:2]} <= known:
                fire = found.setdefault(key, Fire(*key))
                fire.dice += facts["dice"]
                fire.hits += facts["hits"]
                fire.points += facts["points"]
    return list(found.values())


def _salvo(
    game: FleetAction, seen: Observation, fires: list[Fire], events: Sequence[Event], tall: bool, last: Scene
) -> Iterator[Scene]:
    """The pictures of one salvo."""
    grid, ships = seen.battle.grid, seen.view.ships
    places = [grid.place(ships[n].square) for fire in fires for n in (fire.ship, fire.target)]
    (top, left), (bottom, right) = (tuple(map(pick, zip(*places, strict=True))) for pick in (min, max))
    middle = (top + bottom) // 2 * grid.columns + (left + right) // 2
    still = scene(Glance(game, seen, seen.me), Look(tall, Picks.of(look_pick(middle)))).layers
    w = window(grid, tall, middle)
    sunk = [seen.battle.numbers[event.facts["ship"]] for event in events if event.kind == "sunk"]
    pictures = [_flashes(w, seen, fires), *(_flight(w, seen, fires, share) for share in FLIGHT)]
    pictures += [_fall(w, seen, fires, sunk)] * HOLD
    for shapes in pictures:
        layers = (*still[:3], Layer("over", tuple(shapes)), *last.layers[4:])
        yield Scene(last.width, last.height, layers, last.cells, last.title, last.desc)


def _ends(w: Window, seen: Observation, fire: Fire) -> tuple[Point, Point] | None:
    """Where the firer and her target lie, if the window shows both."""
    a, b = (seen.view.ships[n].square for n in (fire.ship, fire.target))
    return (w.centre(a), w.centre(b)) if w.holds(a) and w.holds(b) else None


def _flashes(w: Window, seen: Observation, fires: Sequence[Fire]) -> list[Shape]:
    """The guns go off."""
    shapes: list[Shape] = []
    for fire in fires:
        if (ends := _ends(w, seen, fire)) and not fire.torpedo:
            shapes.append(_star(*_between(*ends, 0.45 * w.side), 0.24 * w.side, _FLASH))
    return shapes


def _between(start: Point, end: Point, px: float) -> Point:
    """The point so many px from the start toward the end."""
    far = sqrt((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) or 1.0
    return start[0] + (end[0] - start[0]) * px / far, start[1] + (end[1] - start[1]) * px / far


def _flight(w: Window, seen: Observation, fires: Sequence[Fire], share: float) -> list[Shape]:
    """Three shells of each salvo on their way, and the tracks of torpedoes."""
    shapes: list[Shape] = []
    for fire in fires:
        if ends := _ends(w, seen, fire):
            (x0, y0), (x1, y1) = ends
            at = [(x0 + (x1 - x0) * (share - lag), y0 + (y1 - y0) * (share - lag)) for lag in (0.0, 0.06, 0.12)]
            if fire.torpedo:
                shapes.append(Line((ends[0], at[0]), _TRACK, arrow=True))
            else:
                shapes += [Circle(x, y, 3.2, _SHELL) for x, y in at]
    return shapes


def _fall(w: Window, seen: Observation, fires: Sequence[Fire], sunk: Sequence[int]) -> list[Shape]:
    """Splashes where shells missed, bursts where they hit, and at every target what it came to."""
    shapes: list[Shape] = []
    tags: list[Shape] = []
    for target in dict.fromkeys(fire.target for fire in fires):
        at_her = [fire for fire in fires if fire.target == target and _ends(w, seen, fire)]
        if not at_her:
            continue
        x, y = w.centre(seen.view.ships[target].square)
        hits, points = sum(fire.hits for fire in at_her), sum(fire.points for fire in at_her)
        misses = sum(fire.dice for fire in at_her) - hits
        for i in range(min(misses, _MOST)):
            radius = (0.36 + 0.028 * i) * w.side
            shapes.append(Circle(x + radius * cos(i * _GOLDEN), y + radius * sin(i * _GOLDEN), 0.075 * w.side, _SPLASH))
        for i in range(min(hits, _MOST)):
            radius = 0.09 * w.side * sqrt(i)
            spot = x + radius * cos(1 + i * _GOLDEN), y + radius * sin(1 + i * _GOLDEN)
            shapes.append(_star(*spot, 0.15 * w.side, _BURST))
        key = "film.sunk" if target in sunk else "film.hits" if hits else "film.missed"
        tags += tag(w, x, y - 0.62 * w.side, SAY(key, hits=hits, points=points))
    return shapes + tags


def _star(x: float, y: float, radius: float, style: Style) -> Polygon:
    """A burst of eight points."""
    spikes = ((radius * (0.5 if k % 2 else 1.0), k * pi / 8) for k in range(16))
    return Polygon(tuple((x + r * cos(angle), y + r * sin(angle)) for r, angle in spikes), style)
