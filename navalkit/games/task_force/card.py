"""Cards to print: a sheet to play on with pencil, and the map that it hides. Both are A4 pages, in points."""

from __future__ import annotations
from collections.abc import Iterator
from math import exp

from navalkit.core.match import Match
from navalkit.view.art import squares, svg
from navalkit.view.scene import Layer, Line, Rect, Scene, Shape, Style, Text
from . import pieces
from .game import TaskForce
from .pieces import INK, MUTED
from .state import CARRIER, CRUISER, EMPTY, HIT, MISSILES, OWN, SAY, SUBMARINE, Phase, contents

WIDTH, HEIGHT = 595.0, 842.0
_MARGIN = 50.0
_TOP = 116.0  # of the map
_ROOM = 430.0  # for the map, both ways
_BELOW = 568.0  # what stands below the map


def card(game: TaskForce, match: Match) -> tuple[Scene, Scene]:
    """The sheet to play on, and its solution: the map of a match, at any moment after everything was hidden. What was
    scratched since does not show."""
    return _Sheet(game, match).empty(), _Sheet(game, match).solved()


class _Sheet:
    """One page."""

    def __init__(self, game: TaskForce, match: Match) -> None:
        self.game, self.seed = game, match.seed
        state = next(s for s in map(match.at, range(match.ply + 1)) if s.phase is Phase.TURN)
        self.grid, self.fleet = game.sea.grid, state.fleet
        self.marks = contents(self.grid.size, state.fleet, state.submarines, state.missiles)
        self.side = min(_ROOM / self.grid.rows, _ROOM / self.grid.columns)
        self.left = (WIDTH - self.side * self.grid.columns) / 2
        self.deep = min(game.options["deep"], self.grid.columns)

    def empty(self) -> Scene:
        """To play on: nothing on it tells where anything lies."""
        shapes = (*self._head(SAY("card.title")), *self._water(), *self._group(), *self._checks(), *self._key())
        desc = SAY("card.desc", columns=self.grid.columns, rows=self.grid.rows)
        return self._page(shapes, SAY("card.name", seed=self.seed), desc)

    def solved(self) -> Scene:
        """Everything that is hidden."""
        shapes: list[Shape] = [*self._head(SAY("card.solution")), *self._water()]
        for square, what in enumerate(self.marks):
            if what != EMPTY:
                shapes += pieces.mark(*self._place(square), self.side, what)
        for ship in self.fleet:
            (r0, c0), (r1, c1) = self.grid.place(ship[0]), self.grid.place(ship[-1])
            shapes.append(pieces.ship(*self._place(ship[0]), self.side, c1 - c0 + 1, r1 - r0 + 1))
        lines = list(self._list())
        shapes += [Text(_MARGIN, _BELOW + 18 * i, line, INK, 11, anchor="start") for i, line in enumerate(lines)]
        return self._page(tuple(shapes), SAY("card.solved", seed=self.seed), " ".join(lines))

    def _page(self, shapes: tuple[Shape, ...], title: str, desc: str) -> Scene:
        paper = Rect(0, 0, WIDTH, HEIGHT, Style("paper"))
        return Scene(WIDTH, HEIGHT, (Layer("card", (paper, *shapes)),), title=title, desc=desc)

    def _place(self, square: int) -> tuple[float, float]:
        row, column = self.grid.place(square)
        return self.left + column * self.side, _TOP + row * self.side

    def _head(self, title: str) -> tuple[Shape, ...]:
        right = WIDTH - _MARGIN
        return (
            Text(_MARGIN, 52, f"{self.game.title}: {title}", INK, 22, anchor="start", bold=True),
            Text(right, 52, SAY("card.seed", seed=self.seed), MUTED, 12, anchor="end"),
            Line(((_MARGIN, 74), (right, 74)), Style(None, "ink", 1)),
        )

    def _water(self) -> tuple[Shape, ...]:
        """The map with its shore, and nothing on it."""
        s, rows, columns = self.side, self.grid.rows, self.grid.columns
        split, low = self.left + self.deep * s, _TOP + rows * s
        return (
            Rect(self.left, _TOP, self.deep * s, rows * s, Style("sea_deep")),
            *pieces.grid(self.left, _TOP, s, rows, columns),
            Rect(self.left, _TOP, columns * s, rows * s, Style(None, "ink", 1.2)),
            Line(((split, _TOP), (split, low)), Style(None, "ink", 2, (6, 4))),
            *pieces.labels(self.left - 2, _TOP, s, rows, columns),
        )

    def _group(self) -> Iterator[Shape]:
        """Our ships from left to right, each with a box for whatever she can use up."""
        wide = (WIDTH - 2 * _MARGIN) / len(OWN)
        yield Text(_MARGIN, _BELOW, SAY("card.group"), INK, 11, anchor="start", bold=True)
        for ship, key in enumerate(OWN):
            x = _MARGIN + ship * wide
            yield Rect(x + 2, _BELOW + 12, wide - 4, 66, Style(None, "ink", 1), 6)
            yield from pieces.own_ship(x + wide / 2, _BELOW + 28, wide - 26, ship, True)
            yield Text(x + wide / 2, _BELOW + 48, key, INK, 12, bold=True)
            boxes, name = self._load(ship)
            start = x + wide / 2 - 6.5 * boxes - 14
            for i in range(boxes):
                yield Rect(start + 13 * i, _BELOW + 59, 10, 10, Style(None, "ink", 1), 2)
            if boxes:
                yield Text(start + 13 * boxes + 2, _BELOW + 64, name, MUTED, 10, anchor="start")

    def _load(self, ship: int) -> tuple[int, str]:
        options = self.game.options
        if ship == CARRIER:
            return options["strike_fighters"], "strike"
        if ship == CRUISER:
            return options["anti_air"], "AA"
        return int(options["helicopters"]), "helo"

    def _checks(self) -> Iterator[Shape]:
        """A check-box for every enemy ship, with her squares."""
        y = _BELOW + 104
        yield Text(_MARGIN, y, SAY("card.enemy"), INK, 11, anchor="start", bold=True)
        ships = [kind for kind in self.game.sea.waters.classes for _ in range(kind.count)]
        wide, size = (WIDTH - 2 * _MARGIN) / 2, 9.0
        for i, kind in enumerate(ships):
            x, line = _MARGIN + i % 2 * wide, y + 18 + 17 * (i // 2)
            yield Rect(x, line - 5, 10, 10, Style(None, "ink", 1), 2)
            yield Text(x + 16, line, SAY.named(kind.name), INK, 11, anchor="start")
            for j in range(kind.length):
                yield Rect(x + 104 + j * size, line - size / 2, size - 1.5, size - 1.5, Style(None, "ink", 0.8))

    def _key(self) -> Iterator[Shape]:
        """How to play with it."""
        for i, key in enumerate(("card.how", "card.call", "card.missile", "card.win")):
            yield Text(_MARGIN, HEIGHT - 66 + 14 * i, SAY(key), MUTED, 9, anchor="start")

    def _list(self) -> Iterator[str]:
        """The solution in words."""
        names = self.grid.names
        for length in sorted({len(ship) for ship in self.fleet}, reverse=True):
            ends = ", ".join(f"{names[s[0]]}-{names[s[-1]]}" for s in self.fleet if len(s) == length)
            yield SAY("card.ships", length=length, ends=ends)
        submarines = ", ".join(names[s] for s, what in enumerate(self.marks) if what == SUBMARINE)
        yield SAY("card.submarines", squares=submarines or "none")
        for target, mark in zip(OWN, MISSILES, strict=True):
            squares = ", ".join(names[s] for s, what in enumerate(self.marks) if what == mark)
            yield SAY("card.missiles", target=target, squares=squares or "none")
        yield SAY("card.hits", hits=self.marks.count(HIT))


# -- The lobby's picture: a square sea shaded by where the hidden fleet is likely, with a hit and two misses

_shades = "".join(f'<rect x="{20 * c}" y="{20 * r}" width="20" height="20" fill="#56b4e9" '
                  f'fill-opacity="{0.75 * exp(-((c - 8.5) ** 2 / 9 + (r - 3) ** 2 / 3)):.2f}"/>'
                  for r in range(7) for c in range(14))
PICTURE = svg(_shades, squares(20), '<path class="nk-art-evidence" d="M163 63l14 14m0-14-14 14"/>',
              '<g class="nk-art-line"><circle cx="90" cy="50" r="6"/><circle cx="230" cy="110" r="6"/></g>')
