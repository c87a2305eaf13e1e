"""The sea of Fleet Action's board: water and land, weather and light, what never sails on it."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from navalkit.grids.square import LETTERS
from navalkit.view.scene import Line, Rect, Shape, Style, Text

from ..state import sight
from ..state.observation import Observation
from . import SAY
from .pieces import INK, MUTED, anchor, fitting, gate, swell
from .window import Window


def seascape(w: Window, seen: Observation) -> Iterator[Shape]:
    """Water and land, weather and light, exits and harbours; the same for as long as none of it changes."""
    battle, state, side = seen.battle, seen.view, w.side
    night = sight.is_night(battle, state.move)
    yield Rect(0, 0, w.width, w.height, Style("paper"))
    x0, y0 = w.left, w.corner(next(w.squares()))[1]
    yield Rect(x0, y0, w.columns * side, w.rows * side, Style("shadow" if night else "sea_shallow"))
    for square in w.squares():
        x, y = w.corner(square)
        if square in battle.land:
            yield Rect(x, y, side, side, Style("land"))
        elif sight.foggy(battle, state, square):
            yield Rect(x, y, side, side, Style("paper", opacity=0.75))
            for k in (0.3, 0.5, 0.7):
                dash = Style(None, "muted", 1.5, (6, 5), 0.4)
                yield Line(((x, y + k * side), (x + side, y + k * side)), dash)
        elif sight.rough(battle, state, square):
            yield swell(x + side / 2, y + 0.3 * side, side)
            yield swell(x + side / 2, y + 0.75 * side, side)
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
        yield words_at(w, x, y, name, fitting(name, 1.6 * w.side, 12.0))


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


def words_at(w: Window, x: float, y: float, words: str, size: float, style: Style = INK) -> Text:
    """Words about a place, wholly beside the edges of the sea."""
    half = 0.29 * size * len(words)
    return Text(min(max(x, w.left + half), w.left + w.columns * w.side - half), y, words, style, size)
