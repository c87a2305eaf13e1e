"""The sea of Fleet Action's board: water and land, weather and light, what never sails on it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from navalkit.grids.square import LETTERS
from navalkit.grids.square_headings import STEPS, shifted
from navalkit.view.scene import Line, Point, Polygon, Rect, Shape, Style, Text

from ...state import sight
from ...state.observation import Observation
from .. import SAY
from .pieces import INK, MUTED, SMALLEST_TEXT, anchor, gate, swell
from .window import Window


def seascape(w: Window, seen: Observation) -> Iterator[Shape]:
    """Water and land, weather and light, exits and harbours; the same for as long as none of it changes."""
    battle, state, side = seen.battle, seen.view, w.side
    night = sight.is_night(battle, state.move)
    yield Rect(0, 0, w.width, w.height, Style("paper"))
    x0, y0 = w.left, w.top
    wide, high = w.columns * side, w.rows * side
    yield Rect(x0, y0, wide, high, Style("shadow" if night else "sea_shallow"))
    for k in range(1, 4):  # deeper and deeper
        inset = 0.55 * k * side
        deep = Style("sea_deep", opacity=0.35)
        yield Rect(x0 + inset, y0 + inset, wide - 2 * inset, high - 2 * inset, deep, 0.8 * side)
    yield from _ripples(w, battle.land)
    yield from coasts(w, battle.land, side)
    for square in w.squares():
        x, y = w.corner(square)
        if square in battle.land:
            pass
        elif sight.foggy(battle, state, square):
            yield Rect(x, y, side, side, Style("paper", opacity=0.75))
            for share in (0.3, 0.5, 0.7):
                dash = Style(None, "muted", 1.5, (6, 5), 0.4)
                yield Line(((x, y + share * side), (x + side, y + share * side)), dash)
        elif sight.rough(battle, state, square):
            yield swell(x + side / 2, y + 0.3 * side, side)
            yield swell(x + side / 2, y + 0.75 * side, side)
    beside = w.width - x0 - wide
    paper = Style("paper")  # shoals end with the sea
    yield from (Rect(0, 0, w.width, y0, paper), Rect(0, y0, x0, high, paper))
    yield from (Rect(x0 + wide, y0, beside, high, paper), Rect(0, y0 + high, w.width, 4, paper))
    yield from _grid(w)
    for owner in (0, 1):
        for square in sorted(battle.harbours[owner]):
            if w.holds(square):
                yield from anchor(*w.centre(square), owner, side)
        for square in sorted(battle.exits[owner]):
            if w.holds(square):
                yield from gate(*w.centre(square), _outward(w, square), owner, side)
    for island in battle.islands:
        yield from _name(w, island.squares, island.name)
    if sight.is_screened(battle, state.move):
        yield from _screen(w, seen)
    yield from _weather_names(w, seen)


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
    """At the top of each zone what the weather is there, if it matters."""
    battle, state = seen.battle, seen.view
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
            x, y = w.corner(squares[0])
            x += (w.corner(squares[-1])[0] - x + w.side) / 2
            wide = 0.56 * 12 * len(words) + 8
            yield Rect(x - wide / 2, y + 3, wide, 16, Style("paper", "card_line", 1), 4)
            yield Text(x, y + 11, words, INK, 12, bold=True)


def words_at(w: Window, x: float, y: float, words: str, size: float) -> Text:
    """Words about a place, wholly beside the edges of the sea."""
    half = 0.29 * size * len(words)
    return Text(min(max(x, w.left + half), w.left + w.columns * w.side - half), y, words, INK, size)
