"""What is laid over the sea: places in reach, fields of fire, where a ship would lie, shots and the odds at targets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from navalkit.core.language.chances import percent
from navalkit.grids.square_headings import STEPS, bearing, distance, shifted
from navalkit.view.scene import Circle, Line, Polygon, Rect, Shape, Style, Text, rect_outline

from ...cards import TABLES
from ...odds.prospects import Prospect, prospect
from ...rules.movement import reach as reach_of
from ...state import Phase, Shot, sight
from ...state.observation import Observation
from ...state.scenario import weapons
from .. import SAY
from ..choice import Choice, formation, located, natural
from .pieces import ghost, turned
from .window import Window

_REACH, _LEFT = Style("select", opacity=0.22), Style(None, "select", 1.5, opacity=0.7)
_TAG = 12.0  # px of the figures at a target
_ROOMY = 44.0


def reach(w: Window, choice: Choice) -> tuple[Shape, ...]:
    """The squares the chosen ship or division can go to."""
    inset, style = 0.06 * w.side, _REACH if choice.aim is None else _LEFT
    tiles = []
    for square in choice.moves:
        if w.holds(square):
            x, y = w.corner(square)
            tiles.append(Rect(x + inset, y + inset, w.side - 2 * inset, w.side - 2 * inset, style, 0.15 * w.side))
    return tuple(tiles)


# Fields of fire -------------------------------------------------------------------------------------------------


def field_of_fire(
    w: Window, seen: Observation, ship: int, square: int, heading: int, *, foe: bool = False
) -> tuple[Shape, ...]:
    """Where a ship's main guns bear from a place, deeper where more of them do; and how far her weapons reach."""
    tiles: list[Shape] = []
    for at in w.squares():
        if guns := _bearing(seen, ship, square, heading, at):
            share = 0.15 * guns / seen.battle.card(ship).main_guns
            tile = rect_outline(*w.corner(at), w.side, w.side)
            tiles.append(Polygon(tile, Style("vermilion" if foe else "orange", opacity=round(0.03 + share, 2))))
    return (*tiles, *rings(w, seen, ship, square, "bad" if foe else "accent"))


def _bearing(seen: Observation, ship: int, square: int, heading: int, at: int) -> int:
    """How many of a ship's main guns bear from a place on a square."""
    battle, out = seen.battle, seen.view.ships[ship].out
    if at == square or at in battle.land or not sight.sighted(battle, seen.view, square, at):
        return 0
    far, relative = distance(battle.grid, square, at), (bearing(battle.grid, square, at) - heading) % 8
    return sum(
        mount.guns - lost
        for mount, lost in zip(battle.card(ship).mounts, out, strict=True)
        if mount.battery == "main" and TABLES.guns[mount.gun].range >= far and mount.bears(relative)
    )


def threats(w: Window, seen: Observation) -> tuple[Shape, ...]:
    """What the enemy ships in sight can do: guns that bear now, and dots where torpedoes can reach after their move."""
    ships, battle = seen.view.ships, seen.battle
    foes, water = located(seen, 1 - seen.me), torpedo_water(seen)
    most = sum(battle.card(foe).main_guns for foe in foes)
    shapes: list[Shape] = []
    for at in w.squares():
        guns = sum(_bearing(seen, foe, ships[foe].square, ships[foe].heading, at) for foe in foes)
        if guns:
            shade = Style("vermilion", opacity=round(0.06 + 0.3 * guns / most, 2))
            shapes.append(Polygon(rect_outline(*w.corner(at), w.side, w.side), shade))
        if at in water:
            x, y = w.corner(at)
            shapes += [Circle(x + dx * w.side, y + 0.86 * w.side, 2.0, Style("bad")) for dx in (0.38, 0.5, 0.62)]
    return tuple(shapes)


def torpedo_water(seen: Observation) -> frozenset[int]:
    """The squares within a torpedo's run of where an enemy in sight lies, or can go in this move (rules F4, F17)."""
    battle, state, found = seen.battle, seen.view, set[int]()
    for foe in located(seen, 1 - seen.me):
        loaded = state.ships[foe].loaded
        sets = (number for number in range(len(battle.card(foe).torpedoes)) if loaded >> number & 1)
        run = max((battle.torpedo_range(foe, number) for number in sets), default=0)
        moving = seen.view.phase is Phase.MOVE
        places = {state.ships[foe].square, *(square for square, _ in reach_of(battle, state, foe) if moving)}
        found.update(at for at in range(battle.grid.size) if run and _within(seen, places, at, run))
    return frozenset(found - battle.land)


def _within(seen: Observation, places: Iterable[int], at: int, run: int) -> bool:
    return any(distance(seen.battle.grid, place, at) <= run for place in places)


def rings(w: Window, seen: Observation, ship: int, square: int, token: str) -> tuple[Shape, ...]:
    """How far a ship's weapons reach: main guns a thick line, others thin, torpedoes dashed."""
    card = seen.battle.card(ship)
    found: dict[int, Style] = {}
    for number in range(len(card.torpedoes)):
        if seen.view.ships[ship].loaded >> number & 1:
            found[seen.battle.torpedo_range(ship, number)] = Style(None, token, 2, (5, 4))
    for weapon in reversed(weapons(card)):
        found[weapon.gun.range] = Style(None, token, 3.0 if weapon.battery == "main" else 1.5)
    return tuple(line for range_, style in found.items() for line in _border(w, square, range_, style))


def _border(w: Window, square: int, range_: int, style: Style) -> Iterable[Line]:
    """The edge between the squares within a range and those beyond it."""
    side = w.side
    for at in w.squares():
        if distance(w.grid, square, at) != range_:
            continue
        x, y = w.corner(at)
        corners = ((x, y), (x + side, y), (x + side, y + side), (x, y + side))
        for k, heading in enumerate((0, 2, 4, 6)):
            beyond = shifted(w.grid, at, *STEPS[heading])
            if beyond is not None and w.holds(beyond) and distance(w.grid, square, beyond) > range_:
                yield Line((corners[k], corners[(k + 1) % 4]), style)


# Where she would lie --------------------------------------------------------------------------------------------


def destination(w: Window, seen: Observation, choice: Choice) -> tuple[Shape, ...]:
    """The chosen ships at the square picked, and an arrow for each heading they may take there."""
    if choice.aim is None:
        return ()
    headings = choice.moves[choice.aim]
    course = natural(seen, choice.ships, choice.aim, headings)
    shapes: list[Shape] = []
    for ship, square in formation(seen, choice.ships, choice.aim):
        if w.holds(square):
            type_ = seen.battle.card(ship).type
            shapes += ghost(*w.centre(square), course, type_, seen.me, w.side)
    for heading, square in rose(w, choice).items():
        points = turned(
            *w.centre(square), heading, ((0.62, 0.0), (-0.45, 0.62), (-0.2, 0.0), (-0.45, -0.62)), *(w.side / 2,) * 2
        )
        on = heading == course
        shapes.append(Polygon(points, Style("accent" if on else "card", "ink", 1.5)))
    return tuple(shapes)


def rose(w: Window, choice: Choice) -> Mapping[int, int]:
    """Heading -> the square next to the one picked on which it is pressed, if that is in the window."""
    if choice.aim is None:
        return {}
    around = ((h, shifted(w.grid, choice.aim, *STEPS[h])) for h in choice.moves[choice.aim])
    return {heading: square for heading, square in around if square is not None and w.holds(square)}


# Shots ----------------------------------------------------------------------------------------------------------


def shots(w: Window, seen: Observation) -> tuple[Shape, ...]:
    """Fire ordered, dashed; and fire of which the dice have been thrown, with its hits."""
    known = {*located(seen, 0), *located(seen, 1)}
    ships = seen.view.ships
    lines: dict[tuple[int, int], list[Shot]] = {}
    for shot in seen.view.shots:
        if {shot.ship, shot.target} <= known:
            lines.setdefault((shot.ship, shot.target), []).append(shot)
    shapes: list[Shape] = []
    for (ship, target), fired in lines.items():
        a, b = ships[ship].square, ships[target].square
        if not (w.holds(a) and w.holds(b)):
            continue
        hits = sum(max(0, shot.hits) for shot in fired)
        if all(shot.hits < 0 for shot in fired):
            style = Style(None, "select", 1.5, (6, 4))
        else:
            style = Style(None, "bad", 2.5) if hits else Style(None, "muted", 1.5, (2, 4))
        shapes.append(Line((w.centre(a), w.centre(b)), style, arrow=True))
        if hits:
            x, y = w.centre(b)
            shapes += tag(w, x, y - 0.62 * w.side, SAY("target.hits", n=hits))
    return tuple(shapes)


def odds_at_targets(w: Window, seen: Observation, choice: Choice) -> tuple[Shape, ...]:
    """At each enemy the chosen ship can fire at: mean damage, the chance to sink her, and among others her name."""
    shapes: list[Shape] = []
    above: dict[int, int] = {}
    lying = Counter(seen.view.ships[target].square for target in choice.targets)
    for target, orders in choice.targets.items():
        square = seen.view.ships[target].square
        name = f"{seen.battle.units[target].name} " if lying[square] > 1 else ""
        if w.holds(square):
            stacked = above[square] = above.get(square, -1) + 1
            x, y = w.centre(square)
            found = prospect(seen.battle, seen.view, orders[0])
            if w.side < _ROOMY:  # on her own square, so that it hides no other ship
                told = f"{name}{points(found)} · {percent(found.sink)}"
                shapes += tag(w, x, y + 0.34 * w.side + stacked * (_TAG + 3), told)
            else:
                told = name + SAY("target.odds", points=points(found), sink=percent(found.sink))
                shapes += tag(w, x, y - 0.56 * w.side - stacked * (_TAG + 4), told)
    return tuple(shapes)


def points(found: Prospect) -> str:
    """Mean damage points."""
    return f"{float(found.mean):.1f}" if found.mean < 10 else f"{float(found.mean):.0f}"


def tag(w: Window, x: float, y: float, words: str, size: float = _TAG) -> tuple[Shape, ...]:
    """Words on a plate, wholly within the window."""
    wide, high = 0.56 * size * len(words) + 6, size + 4
    x = min(max(x, w.left + wide / 2), w.width - wide / 2 - 2)
    y = min(max(y, high / 2 + 2), w.height - high / 2 - 2)
    plate = Rect(x - wide / 2, y - high / 2, wide, high, Style("paper", "card_line", 1), 4)
    return plate, Text(x, y, words, Style("ink"), size, bold=True)
