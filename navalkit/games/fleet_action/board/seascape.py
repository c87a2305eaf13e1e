"""The sea of Fleet Action's board: water and land, weather and light, what never sails on it."""

from __future__ import annotations
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from navalkit.core.trace import Decision, Mark
from navalkit.core.words import local
from navalkit.grids.square import HEADINGS, LETTERS, STEPS, bearing, distance, shifted
from navalkit.view.scene import Box, Circle, Line, Point, Polygon, Rect, Shape, Style, Text, meet, rect_outline
from .. import sight
from ..cards import TABLES
from ..rules.sailing import reach as reach_of
from ..sight import Observation
from ..state import Move, Phase, Scenario, Shot, weapons
from . import SAY, percent, points
from .afloat import Window
from .choice import Choice, formation, located, natural, unit_ships
from .forecast import foretold
from .pieces import INK, MUTED, ON_BAND, SIDE_COLOURS, SMALLEST_TEXT, anchor, gate, ghost, swell, turned

_TAG_SIZE = 13.0  # px of an exit's tag
_NAMED = 3  # ships that it names: of more it says how many


def seascape(w: Window, seen: Observation) -> Iterator[Shape]:
    """Water and land, weather and light, exits and harbours; the same for as long as none of it changes."""
    battle, state = seen.battle, seen.view
    fog = frozenset(square for square in w.squares() if sight.foggy(battle, state, square))
    high = frozenset(square for square in w.squares() if sight.rough(battle, state, square))
    yield from _sea(w, battle, sight.is_night(battle, state.move), fog, high)
    for island in battle.islands:
        yield from _name(w, island.squares, island.name)
    if sight.is_screened(battle, state.move):
        yield from _screen(w, seen)
    yield from _weather_names(w, seen)


@lru_cache(maxsize=8)
def _sea(w: Window, battle: Scenario, night: bool, fog: frozenset[int], high: frozenset[int]) -> tuple[Shape, ...]:
    """What of it has no words. ``fog``, ``high``: the squares in fog, and those of high seas."""
    return tuple(_drawn(w, battle, night, fog, high))


def _drawn(w: Window, battle: Scenario, night: bool, fog: frozenset[int], high: frozenset[int]) -> Iterator[Shape]:
    side = w.side
    yield Rect(0, 0, w.width, w.height, Style("paper"))
    x0, y0 = w.left, w.top
    wide, tall = w.columns * side, w.rows * side
    yield Rect(x0, y0, wide, tall, Style("shadow" if night else "sea_shallow"))
    for k in range(1, 4):  # deeper and deeper
        inset = 0.55 * k * side
        deep = Style("sea_deep", opacity=0.35)
        yield Rect(x0 + inset, y0 + inset, wide - 2 * inset, tall - 2 * inset, deep, 0.8 * side)
    yield from _ripples(w, battle.land)
    yield from coasts(w, battle.land, side)
    for square in w.squares():
        x, y = w.corner(square)
        if square in battle.land:
            pass
        elif square in fog:
            yield Rect(x, y, side, side, Style("paper", opacity=0.75))
            for share in (0.3, 0.5, 0.7):
                dash = Style(None, "muted", 1.5, (6, 5), 0.4)
                yield Line(((x, y + share * side), (x + side, y + share * side)), dash)
        elif square in high:
            yield swell(x + side / 2, y + 0.3 * side, side)
            yield swell(x + side / 2, y + 0.75 * side, side)
    beside = w.width - x0 - wide
    paper = Style("paper")  # shoals end with the sea
    yield from (Rect(0, 0, w.width, y0, paper), Rect(0, y0, x0, tall, paper))
    yield from (Rect(x0 + wide, y0, beside, tall, paper), Rect(0, y0 + tall, w.width, 4, paper))
    yield from _grid(w)
    for owner in (0, 1):
        for square in sorted(battle.harbours[owner]):
            if w.holds(square):
                yield from anchor(*w.centre(square), owner, side)
        yield from _exit(w, battle, owner)


def _exit(w: Window, battle: Scenario, owner: int) -> Iterator[Shape]:
    """Where ships of a side may leave the board: tinted, with a chevron each."""
    side = w.side
    shown = [square for square in sorted(battle.exits[owner]) if w.holds(square)]
    for square in shown:
        yield Rect(*w.corner(square), side, side, Style(SIDE_COLOURS[owner], opacity=0.2))
        yield from gate(*w.centre(square), _outward(w, square), owner, side)


def tags(w: Window, seen: Observation) -> Iterator[Shape]:
    """What leaving by each exit brings, where that hides nothing that is known; not at all where there is no such
    place: the strip over the board says it, too."""
    battle, side = seen.battle, w.side
    lying = list(_lying(w, seen))
    for owner in (0, 1):
        shown = [square for square in sorted(battle.exits[owner]) if w.holds(square)]
        corners = [w.corner(square) for square in shown]
        for words in _leaving(battle, owner) if shown else ():
            wide, high = 0.56 * _TAG_SIZE * len(words) + 14, 22.0
            edge = w.left + w.columns * side - wide - 3
            low, top = max(y for _, y in corners) + side + 5, min(y for _, y in corners) - high - 5
            places = [(corners[0][0] + 4, low), (corners[0][0] + 4, top)]
            places += [(x + side + 6, y + (side - high) / 2) for x, y in corners]
            boxes = [(max(w.left, min(x, edge)), y, max(w.left, min(x, edge)) + wide, y + high) for x, y in places]
            free = (box for box in boxes if w.top <= box[1] and box[3] <= w.bottom and box[2] <= edge + wide + 3
                    and not any(meet(box, other) for other in lying))
            if (box := next(free, None)) is None:
                continue
            x, y = box[:2]
            lying.append(box)
            yield Rect(x, y, wide, high, Style("card", "card_line", 1), 5)
            yield Rect(x, y, 4, high, Style(SIDE_COLOURS[owner]))
            yield Text(x + wide / 2 + 2, y + high / 2, words, INK, _TAG_SIZE, bold=True)
            break


def _leaving(battle: Scenario, owner: int) -> Iterator[str]:
    """What leaving brings a side, else whom it saves; then in fewer words, for where there is no room. Of some of its
    ships that says which, or how many: the others bring nothing."""
    found = [aim for aim in battle.objectives if aim.side == owner and aim.aim in ("exit", "survive")]
    leave = [aim for aim in found if aim.aim == "exit"][:1]
    of = {ship for aim in leave or found for ship in aim.of}
    if not of:
        return
    fleet = battle.fleet(owner)
    whole = [name for name, ships in battle.divisions.items() if set(ships) == of]
    names = whole or [battle.units[ship].name for ship in sorted(of)]
    every = of >= set(fleet) and len(fleet) > 1
    named = [".of" if leave and len(of) > 1 else ""] if len(names) <= _NAMED else []
    kinds = [".each"] if every else [*named, ".some"]
    place = battle.exit_names[owner] or SAY("strip.exit.place")
    for kind in kinds:
        words = SAY(f"exit.tag{'' if leave else '.away'}{kind}", place=place, n=len(of), fleet=len(fleet),
                    name=battle.sides[owner] if every else ", ".join(names),
                    points=leave and leave[0].points or SAY("strip.value"))
        yield f"{words[:1].upper()}{words[1:]}"


def _lying(w: Window, seen: Observation) -> Iterator[Box]:
    """Where a word on the sea would cover what lies there: a ship has her name below her."""
    for x, y in map(w.centre, _occupied(w, seen)):
        yield x - w.side / 2, y - w.side / 2, x + w.side / 2, y + w.side / 2 + 12


def _occupied(w: Window, seen: Observation) -> Iterator[int]:
    """The squares of the window in which anything that moves is known to be, or lies on the ground."""
    ships = seen.view.ships
    squares = {*seen.discs, *(square for square, _ in seen.sky), *(own.square for own in seen.view.flights),
               *(ships[n].square for side in (0, 1) for n in located(seen, side)), *(ship.wreck for ship in ships)}
    return (square for square in squares if w.holds(square))


def _ripples(w: Window, land: Collection[int]) -> Iterator[Shape]:
    """A still, sparse texture of waves: the same in the same squares."""
    for square in w.squares():
        if square not in land and square * 7 % 11 < 3:
            (x, y), shift = w.centre(square), 0.3 * w.side * (square * 5 % 7 - 3) / 3
            yield swell(x + 0.5 * shift, y + shift, 0.6 * w.side, 0.16)


def coasts(w: Window, land: Collection[int], side: float) -> Iterator[Shape]:
    """Land with its coast: shoals about it, a beach, and a shore without corners."""
    shores = [_rounded(shore) for shore in _shores(w, land)]
    for style in (Style("sea_shallow", "sea_shallow", 0.3 * side), Style("land", "muted", 2.0)):
        for shore in shores:
            yield Polygon(shore, style)


def _shores(w: Window, land: Collection[int]) -> Iterator[list[Point]]:
    """The edges of the land in the window, each all round a piece of it, clockwise."""
    inside = {square for square in w.squares() if square in land}
    after: dict[Point, list[Point]] = {}
    for square in inside:
        x, y = w.corner(square)
        corners = ((x, y), (x + w.side, y), (x + w.side, y + w.side), (x, y + w.side))
        for k, heading in enumerate((0, 2, 4, 6)):
            if shifted(w.grid, square, *STEPS[heading]) not in inside:
                after.setdefault(_exact(corners[k]), []).append(_exact(corners[(k + 1) % 4]))
    while after:
        start = at = next(iter(after))
        shore = [start]
        while (following := after[at].pop()) != start:
            if not after[at]:
                del after[at]
            shore.append(at := following)
        if not after[at]:
            del after[at]
        yield shore


def _exact(point: Point) -> Point:
    return round(point[0], 3), round(point[1], 3)


def _rounded(shore: Sequence[Point]) -> tuple[Point, ...]:
    """An outline with its corners cut twice."""
    points = list(shore)
    for _ in range(2):
        ends = zip(points, (*points[1:], points[0]), strict=True)
        points = [
            (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])) for a, b in ends for share in (0.22, 0.78)
        ]
    return tuple(points)


def _grid(w: Window) -> Iterator[Shape]:
    x0, y0 = w.left, w.height - 4 - w.rows * w.side
    x1, y1 = x0 + w.columns * w.side, y0 + w.rows * w.side
    line = Style(None, "grid", 1)
    for k in range(w.columns + 1):
        yield Line(((x0 + k * w.side, y0), (x0 + k * w.side, y1)), line)
    for k in range(w.rows + 1):
        yield Line(((x0, y0 + k * w.side), (x1, y0 + k * w.side)), line)
    for k in range(w.columns):
        yield Text(x0 + (k + 0.5) * w.side, y0 - 10, LETTERS[w.column + k], MUTED, 13, bold=True, glyph=False)
    for k in range(w.rows):
        yield Text(x0 - 5, y0 + (k + 0.5) * w.side, str(w.row + k + 1), MUTED, 13, "end", bold=True, glyph=False)


def _outward(w: Window, square: int) -> tuple[float, float]:
    """The way off the board from one of its edges: rows down and columns right."""
    row, column = w.grid.place(square)
    right, down = w.grid.columns - 1 - column, w.grid.rows - 1 - row
    edges = {(0.0, -1.0): column, (0.0, 1.0): right, (-1.0, 0.0): row, (1.0, 0.0): down}
    return min(edges, key=lambda way: edges[way])


def _name(w: Window, squares: Collection[int], name: str) -> Iterator[Shape]:
    """The name of an island, on it."""
    inside = [w.centre(s) for s in sorted(squares) if w.holds(s)]
    if inside:
        mx, my = (sum(each) / len(inside) for each in zip(*inside, strict=True))
        x, y = min(inside, key=lambda at: (at[0] - mx) ** 2 + (at[1] - my) ** 2)
        yield words_at(w, x, y, name, SMALLEST_TEXT)


def _screen(w: Window, seen: Observation) -> Iterator[Shape]:
    """The side of the board that the screen hides."""
    beyond = [w.corner(s) for s in w.squares() if s in seen.battle.halves[1 - seen.me]]
    veil = Style("muted", opacity=0.22)
    for x, y in beyond:
        yield Rect(x, y, w.side, w.side, veil)
    if beyond:
        xs, ys = zip(*beyond, strict=True)
        words = SAY("sea.screen", move=seen.battle.screened)
        wide, size = max(xs) - min(xs) + w.side, 15.0
        if 0.56 * size * len(words) < wide:
            yield Text(min(xs) + wide / 2, (min(ys) + max(ys) + w.side) / 2, words, INK, size, bold=True)


def _weather_names(w: Window, seen: Observation) -> Iterator[Shape]:
    """At the top of each zone, where no ship lies, what the weather is there, if it matters."""
    battle, state = seen.battle, seen.view
    lying = list(_lying(w, seen))
    zones: dict[int, list[int]] = {}
    for square in w.squares():
        zones.setdefault(battle.zones[square], []).append(square)
    for squares in zones.values():
        key = (
            "fog"
            if sight.foggy(battle, state, squares[0])
            else "rough"
            if sight.rough(battle, state, squares[0])
            else ""
        )
        if key:
            words = SAY(f"sea.{key}")
            x = w.corner(squares[0])[0]
            x += (w.corner(squares[-1])[0] - x + w.side) / 2
            wide = 0.56 * 12 * len(words) + 8
            tops = list(dict.fromkeys(w.corner(square)[1] for square in squares))
            boxes = [(x - wide / 2, y + 3, x + wide / 2, y + 19) for y in tops]
            y = next((box[1] for box in boxes if not any(meet(box, other) for other in lying)), boxes[0][1])
            yield Rect(x - wide / 2, y, wide, 16, Style("paper", "card_line", 1), 4)
            yield Text(x, y + 8, words, INK, 12, bold=True)


def flags(w: Window, seen: Observation) -> Iterator[Shape]:
    """Who holds the islands."""
    for island, hold in zip(seen.battle.islands, seen.view.islands, strict=True):
        flag = min(island.squares)
        if hold.owner >= 0 and w.holds(flag):
            x, y = w.corner(flag)
            high = max(15.0, 0.28 * w.side)
            yield Rect(x + 3, y + 3, 1.4 * high, high, Style(SIDE_COLOURS[hold.owner], "ink", 1), 2)
            letter = seen.battle.sides[hold.owner][0]
            yield Text(x + 3 + 0.7 * high, y + 3 + high / 2, letter, ON_BAND[hold.owner], SMALLEST_TEXT, bold=True)


def wakes(w: Window, seen: Observation) -> Iterator[Shape]:
    """Where ships have come through in this move."""
    for side in (0, 1):
        for number in located(seen, side):
            own = seen.view.ships[number]
            wake = [w.centre(s) for s in own.wake if w.holds(s)]
            if len(wake) > 1:
                yield Line(tuple(wake), Style(None, SIDE_COLOURS[side], 2.0, (2, 4), 0.8))


def words_at(w: Window, x: float, y: float, words: str, size: float) -> Text:
    """Words about a place, wholly beside the edges of the sea."""
    half = 0.29 * size * len(words)
    return Text(min(max(x, w.left + half), w.left + w.columns * w.side - half), y, words, INK, size)


# -- What is laid over the sea: places in reach, fields of fire, where a ship would lie, shots and the odds at targets

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


def field_of_fire(w: Window, seen: Observation, ship: int, square: int, heading: int, *,
                  foe: bool = False) -> tuple[Shape, ...]:
    """Where a ship's main guns bear from a place, deeper where more of them do; and how far her weapons reach."""
    tiles: list[Shape] = []
    styles: dict[int, Style] = {}
    most = seen.battle.card(ship).main_guns
    for at, guns in _bearing(seen, ship, square, heading, w.squares()).items():
        if guns not in styles:
            share = 0.15 * guns / most
            styles[guns] = Style("vermilion" if foe else "orange", opacity=round(0.03 + share, 2))
        tiles.append(Polygon(rect_outline(*w.corner(at), w.side, w.side), styles[guns]))
    return (*tiles, *rings(w, seen, ship, square, "bad" if foe else "accent"))


def _bearing(seen: Observation, ship: int, square: int, heading: int, among: Iterable[int]) -> dict[int, int]:
    """How many of a ship's main guns bear from a place on each of these squares; those on which none does are left
    out."""
    battle, out, found = seen.battle, seen.view.ships[ship].out, dict[int, int]()
    mounts = [(TABLES.guns[mount.gun].range, mount, mount.guns - lost)
              for mount, lost in zip(battle.card(ship).mounts, out, strict=True) if mount.battery == "main"]
    bears = [[(far, guns) for far, mount, guns in mounts if mount.bears(relative)] for relative in range(8)]
    furthest = max((far for far, _, guns in mounts if guns), default=0)
    for at in among:
        if at == square or at in battle.land or (far := distance(battle.grid, square, at)) > furthest:
            continue
        relative = (bearing(battle.grid, square, at) - heading) % 8
        guns = sum(guns for reaches, guns in bears[relative] if reaches >= far)
        if guns and sight.sighted(battle, seen.view, square, at):  # the longest to find out comes last
            found[at] = guns
    return found


def threats(w: Window, seen: Observation) -> tuple[Shape, ...]:
    """What the enemy ships in sight can do: guns that bear now, and dots where torpedoes can reach after their move."""
    ships, battle = seen.view.ships, seen.battle
    foes, water = located(seen, 1 - seen.me), torpedo_water(seen)
    most = sum(battle.card(foe).main_guns for foe in foes)
    shapes: list[Shape] = []
    bear = Counter[int]()
    for foe in foes:
        bear.update(_bearing(seen, foe, ships[foe].square, ships[foe].heading, w.squares()))
    for at in w.squares():
        if guns := bear[at]:
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
        grid = battle.grid
        found.update(s for s in range(grid.size) if run and any(distance(grid, place, s) <= run for place in places))
    return frozenset(found - battle.land)


def rings(w: Window, seen: Observation, ship: int, square: int, token: str) -> tuple[Shape, ...]:
    """How far a ship's weapons reach: main guns a thick line, others thin, torpedoes dashed."""
    card = seen.battle.card(ship)
    found: dict[int, Style] = {}
    for number in range(len(card.torpedoes)):
        if seen.view.ships[ship].loaded >> number & 1:
            found[seen.battle.torpedo_range(ship, number)] = Style(None, token, 2, (5, 4))
    for weapon in reversed(weapons(card)):
        found[weapon.gun.range] = Style(None, token, 3.0 if weapon.battery == "main" else 1.5)
    return tuple(line for range_, style in found.items() for line in w.border(square, range_, style))


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
        points = turned(*w.centre(square), heading, ((0.62, 0.0), (-0.45, 0.62), (-0.2, 0.0), (-0.45, -0.62)),
                        *(w.side / 2,) * 2)
        on = heading == course
        shapes.append(Polygon(points, Style("accent" if on else "card", "ink", 1.5)))
    return tuple(shapes)


def rose(w: Window, choice: Choice) -> Mapping[int, int]:
    """Heading -> the square next to the one picked on which it is pressed, if that is in the window."""
    if choice.aim is None:
        return {}
    around = ((h, shifted(w.grid, choice.aim, *STEPS[h])) for h in choice.moves[choice.aim])
    return {heading: square for heading, square in around if square is not None and w.holds(square)}


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
    for target, orders in choice.targets.items() if not escorts(seen, choice) else ():
        square = seen.view.ships[target].square
        name = f"{SAY.named(seen.battle.units[target].name)} " if lying[square] > 1 else ""
        if w.holds(square):
            stacked = above[square] = above.get(square, -1) + 1
            x, y = w.centre(square)
            found = foretold(seen, orders[0])
            if w.side < _ROOMY:  # on her own square, so that it hides no other ship
                told = f"{name}{points(found.mean)} · {percent(found.sink)}"
                shapes += tag(w, x, y + 0.34 * w.side + stacked * (_TAG + 3), told)
            else:
                told = name + SAY("target.odds", points=points(found.mean), sink=percent(found.sink))
                shapes += tag(w, x, y - 0.56 * w.side - stacked * (_TAG + 4), told)
    return tuple(shapes)


def escorts(seen: Observation, choice: Choice) -> bool:
    """Whether the chosen flight is of fighters, who do no ship any harm."""
    return choice.flight is not None and seen.battle.flights[choice.flight].fighter


def tag(w: Window, x: float, y: float, words: str, size: float = _TAG) -> tuple[Shape, ...]:
    """Words on a plate, wholly within the window."""
    wide, high = 0.56 * size * len(words) + 6, size + 4
    x = min(max(x, w.left + wide / 2), w.width - wide / 2 - 2)
    y = min(max(y, high / 2 + 2), w.height - high / 2 - 2)
    plate = Rect(x - wide / 2, y - high / 2, wide, high, Style("paper", "card_line", 1), 4)
    return plate, Text(x, y, words, Style("ink"), size, bold=True)


# -- The reasons of a decision, drawn on the board: the course or fire advised, what it rests on, what was not taken
# In one accent colour over everything else; places that were weighed and rejected are thin and grey.

_CHOSEN, _ABOUT = Style(None, "accent", 3.0), Style(None, "accent", 1.5)
_REJECTED = Style(None, "muted", 1.5, (3, 3), 0.8)
_LINE = Style(None, "accent", 2.5)
_LABEL = 12.0  # px


def evidence(w: Window, seen: Observation, reasons: Decision | None) -> tuple[Shape, ...]:
    """What shows why; nothing without a decision. ``reasons``: its marks name squares."""
    return () if reasons is None else (*_weighed(w, reasons), *_advised(w, seen, reasons))


def _cells(marks: Iterable[Mark]) -> dict[str, str]:
    """Square -> label of the marks of squares."""
    return {cell: mark.label for mark in marks if mark.kind == "cell" for cell in mark.at}


def _weighed(w: Window, reasons: Decision) -> Iterator[Shape]:
    """The places not taken."""
    taken = _cells(_own(reasons))
    for cell in _cells(m for o in reasons.options if o.rejected for fact in o.facts for m in fact.marks):
        if cell not in taken:
            yield from _frame(w, cell, _REJECTED)


def _own(reasons: Decision) -> tuple[Mark, ...]:
    """The marks of the option that was taken."""
    return tuple(m for option in reasons.options if not option.rejected for fact in option.facts for m in fact.marks)


def _advised(w: Window, seen: Observation, reasons: Decision) -> Iterator[Shape]:
    """The course or the fire advised. Figures stand at the places of a move alone: targets carry odds of their own."""
    found = tuple(mark for finding in reasons.findings for mark in finding.marks())
    lines = [mark for mark in (*found, *_own(reasons)) if mark.kind == "line"]
    places = _cells(_own(reasons))
    for cell in _cells(found):
        yield from _frame(w, cell, _ABOUT) if cell not in places else ()
    for ends in dict.fromkeys(mark.at for mark in lines):
        yield from _line(w, *ends)
    for cell in places:
        yield from _frame(w, cell, _CHOSEN)
    if isinstance(reasons.action, Move):
        yield from _course(w, seen, reasons.action)
        yield from _worth(w, places, lines)


def _worth(w: Window, places: Mapping[str, str], lines: Sequence[Mark]) -> Iterator[Shape]:
    """What a place is worth above it; on the line to an enemy what one does to her from there, and what she does."""
    for cell, label in places.items():
        if w.holds(square := w.grid.number(cell)):
            x, y = w.centre(square)
            yield from tag(w, x, y - 0.5 * w.side, label, _LABEL)
    told: dict[tuple[str, ...], list[float]] = {}
    for mark in dict.fromkeys(lines):
        if mark.worth is not None:
            told.setdefault(tuple(sorted(mark.at)), [0.0, 0.0])[mark.at[0] not in places] += mark.worth
    for ends, (does, takes) in told.items():
        squares = [w.grid.number(end) for end in ends]
        if all(map(w.holds, squares)):
            x, y = (sum(each) / 2 for each in zip(*map(w.centre, squares), strict=True))
            words = (local(f"+{does:.1f}") if does else "", local(f"−{takes:.1f}") if takes else "")
            yield from tag(w, x, y, " ".join(filter(None, words)), _LABEL)


def _course(w: Window, seen: Observation, move: Move) -> Iterator[Shape]:
    """Where each ship of the order would go, and how she would head there."""
    for ship, square in formation(seen, unit_ships(seen, move.who), w.grid.number(move.square)):
        here, name = seen.view.ships[ship].square, w.grid.names[square]
        if w.holds(square):
            if here >= 0:
                yield from _line(w, w.grid.names[here], name)
            type_ = seen.battle.card(ship).type
            yield from ghost(*w.centre(square), HEADINGS.index(move.heading), type_, seen.me, w.side)


def _frame(w: Window, cell: str, style: Style) -> Iterator[Shape]:
    if w.holds(square := w.grid.number(cell)):
        x, y = w.corner(square)
        yield Rect(x + 2, y + 2, w.side - 4, w.side - 4, style, 0.15 * w.side)


def _line(w: Window, start: str, end: str) -> Iterator[Line]:
    a, b = w.grid.number(start), w.grid.number(end)
    if a != b and w.holds(a) and w.holds(b):
        yield Line((w.centre(a), w.centre(b)), _LINE, arrow=True)
