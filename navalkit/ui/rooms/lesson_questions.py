"""A lesson's question as a class is asked it on phones, and what it is told: on a board where the answer is a place."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from navalkit.core.awaited import finish
from navalkit.core.registry import package
from navalkit.teach.clickers import Clicker, position
from navalkit.view.page import Look, glance_at, page_of
from navalkit.view.questions import Choice, Note, Question, Result
from navalkit.view.scene import Cell, Layer, Polygon, Scene, Shape, Style, Text
from navalkit.walks.told import Moment
from navalkit.walks.walk import Walk, walk_of

KIND = "lesson"
SQUARES = "squares"
"""Answers that are squares still to be looked at; any other word for cells names who decides where to go."""
LONGEST = 360
"""Characters of a question that a phone shows: of a longer one the paragraph that asks, the rest is in front."""
MARGIN = 12.0
"""Pixels below the squares; what else the game has there is not asked."""
_MARKS = re.compile(r"\*\*|(?<!\w)\*|\*(?!\w)|`|\[([^\]]*)\]\([^)]*\)")


def question(asked: Clicker) -> Question:
    """What phones are asked."""
    look = asked.look
    choices = tuple(Choice(each.id, each.label) for each in asked.options)
    made = Question(KIND, asked.title, choices, more=plain(asked.text), key=asked.id)
    if not look:
        return made
    if "marked" in look:
        match = position(look)
        chart = package(match.game.name).offered("lesson", None).goal_chart
        return replace(made, board=chart(match.state, look["marked"]))
    if look.get("cells", SQUARES) != SQUARES:
        walk, game, moment = _decision(look)
        asked_of = walk.ask(walk.asks[0], game, moment, look["cells"])
        return replace(asked_of, text=made.text, more=made.more, key=made.key)
    scene = _board(look)
    if "cells" not in look:
        return replace(made, board=scene)
    cells = _squares(look, scene)
    scene = replace(scene, height=max(y for cell in cells for _, y in cell.outline) + MARGIN)
    (x, y), outline = _middle(cells[0]), cells[0].outline
    places = tuple(Choice(cell.id, cell.id, _middle(cell)) for cell in cells)
    return replace(made, choices=places, board=scene, shape=tuple((a - x, b - y) for a, b in outline))


def result(asked: Clicker, put: Question, votes: Mapping[str, int]) -> Result:
    """What they are told once the teacher reveals it."""
    look = asked.look
    if look.get("cells", SQUARES) != SQUARES:
        walk, game, moment = _decision(look)
        decided = finish(walk.deciding(game, moment, look["cells"]))
        return finish(walk.result(decided, walk.asks[0], votes))
    notes = {each.id: Note("", each.say, each.slip) for each in asked.options if each.slip or each.say}
    told = Result(asked.right, asked.told, "", notes)
    if "cells" in look and put.board is not None:
        return replace(told, board=_counted(put.board, votes))
    return told


def plain(text: str) -> str:
    """Markdown as a phone shows it: without marks, and without tables, which are in front."""
    parts = [part for part in text.strip().split("\n\n") if not part.lstrip().startswith(("|", "```", ">"))]
    if sum(map(len, parts)) > LONGEST:
        parts = [part for part in parts if "?" in part][-1:] or parts[-1:]
    return _MARKS.sub(lambda found: found[1] or "", "\n".join(parts))


def _decision(look: Mapping[str, Any]) -> tuple[Walk[Any, Any, Any], Any, Moment[Any]]:
    """The first decision of what the lesson shows."""
    match = position(look)
    walk = walk_of(match.game)
    return walk, match.game, next(moment for moment in walk.row(match) if moment.who)


def _board(look: Mapping[str, Any]) -> Scene:
    match = position(look)
    return page_of(match.game.name).scene(glance_at(match), Look(tall=True))


def _squares(look: Mapping[str, Any], scene: Scene) -> Sequence[Cell]:
    match = position(look)
    legal = {match.game.format_action(action) for action in match.legal()}
    return [cell for cell in scene.cells if cell.id in legal]


def _middle(cell: Cell) -> tuple[float, float]:
    xs, ys = zip(*cell.outline, strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def _counted(scene: Scene, votes: Mapping[str, int]) -> Scene:
    """The board with how many have chosen each cell: the more, the fuller, with the number on it."""
    most, shapes = max(votes.values(), default=1), list[Shape]()
    for cell in scene.cells:
        if n := votes.get(cell.id):
            shapes.append(Polygon(tuple(cell.outline), Style("orange", "ink", 1, opacity=0.25 + 0.6 * n / most)))
            shapes.append(Text(*_middle(cell), str(n), Style("ink", "paper", 3), 16, bold=True))
    return replace(scene, layers=(*scene.layers, Layer("answers", tuple(shapes))))
