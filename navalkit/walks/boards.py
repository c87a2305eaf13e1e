"""Boards of a walk: the cells that a decision is about, those that can be answered, and a board in words."""

from __future__ import annotations
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from navalkit.core.registry import package_of
from navalkit.view.page import Glance, Look, Page
from navalkit.view.scene import Cell, Circle, Layer, Line, Point, Polygon, Rect, Scene, Shape, Style, Text

AnyGlance = Glance[Any, Any, Any]
PLAIN = (390.0, 300.0)
"""Pixels of a board in words."""
TICK = 9.0
"""Radius of the tick beside what was right, px."""


@lru_cache(maxsize=256)
def glanced(game: Any, state: Any, seat: int) -> AnyGlance:
    """A position as a player sees it, with what it may do there."""
    legal = game.legal(state) if game.turn(state) == seat else ()
    return Glance(game, game.observe(state, seat), seat, legal)


def plain(glance: AnyGlance) -> Scene:
    """The board of a game that has a page, as the page shows it on a wide screen."""
    page: Page[Any, Any, Any] = package_of(glance.game).offered("PAGE", None)
    return page.scene(glance, Look())


def phone(page: Page[Any, Any, Any], glance: AnyGlance, look: Look,
          answers: Mapping[str, Any]) -> tuple[Scene, dict[str, Cell]]:
    """A phone's board, and the cells of the answers that have one there; those of another shape than most have none
    that can be tapped. It is a picture: what a page's board is operated with is not on it."""
    look = replace(look, tall=True, room=None, still=True)
    look = replace(look, window=page.frame(glance, look))
    scene = page.scene(glance, look)
    cells = places(page, glance, look, scene, answers)
    forms = Counter(map(form, cells.values()))
    usual = forms.most_common(1)[0][0] if forms else None
    return scene, {answer: cell for answer, cell in cells.items() if form(cell) == usual}


def places(page: Page[Any, Any, Any], glance: AnyGlance, look: Look, scene: Scene,
           answers: Mapping[str, Any]) -> dict[str, Cell]:
    """Answer -> its cell on a board: the one of its name, or that which gives its action."""
    found = {}
    for answer, action in answers.items():
        cells = (scene.cell(answer), *map(scene.cell, page.lit(glance, look, scene, action)))
        if cell := next(filter(None, cells), None):
            found[answer] = cell
    return found


def words(title: str, seen: Any) -> Scene:
    """The board of a game without a page: what a side sees, in words."""
    paper = Rect(0, 0, *PLAIN, Style("paper"))
    lines = [title, *str(seen).split("\n")]
    shapes = [Text(20, 30 + 26 * n, line, Style("ink"), 16, "start", bold=not n) for n, line in enumerate(lines)]
    return Scene(*PLAIN, (Layer("paper", (paper, *shapes)),), (), title, " ".join(lines))


def heat(cells: Mapping[str, Cell], votes: Mapping[str, int]) -> Iterator[Shape]:
    """How many gave each answer: the more, the fuller its cell, with the number on it; 0 is one person's own."""
    most = max(votes.values(), default=1) or 1
    for answer, n in votes.items():
        if answer in cells:
            outline, (x, y) = cells[answer].outline, cells[answer].centre
            high = max(b for _, b in outline) - min(b for _, b in outline)
            yield Polygon(outline, Style("sky", "select", 2, opacity=0.25 + 0.6 * n / most))
            yield Text(x, y, str(n or "?"), Style("ink", "halo", 4), max(12.0, min(22.0, high / 2)), bold=True)


def ring(cells: Mapping[str, Cell], *answers: str) -> Iterator[Shape]:
    """What was right, as the class's screen marks it: orange, and a tick beside it."""
    for cell in (cells[each] for each in answers if each in cells):
        yield Polygon(cell.outline, Style(None, "ink", 6))
        yield Polygon(cell.outline, Style(None, "orange", 4))
        x, y = max(x for x, _ in cell.outline), cell.centre[1]
        yield Circle(x, y, TICK, Style("good", "card", 2))
        yield Line(((x - 4.5, y), (x - 1, y + 4), (x + 4.5, y - 4.5)), Style(None, "card", 2.5))


def led(way: Sequence[Point]) -> Iterator[Shape]:
    """Where a decision led, in the colour of what was right."""
    yield Line(tuple(way), Style(None, "halo", 8))
    yield Line(tuple(way), Style(None, "orange", 4), arrow=True)


def outlined(scene: Scene, ids: Sequence[str]) -> Iterator[Shape]:
    """Cells that are the evidence of a line."""
    for cell in filter(None, map(scene.cell, ids)):
        yield Polygon(cell.outline, Style("orange", None, opacity=0.3))
        yield Polygon(cell.outline, Style(None, "orange", 3))


def form(cell: Cell) -> tuple[Point, ...]:
    """The shape of a cell, wherever it lies."""
    x, y = cell.centre
    return tuple((round(a - x), round(b - y)) for a, b in cell.outline)
