"""The stage: a game's board with the films that lead to what it shows, and rings and lights upon it.

The scene beneath a film is always the last one, so that a page whose browser plays nothing is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from navalkit.view.effect import Film, Mark
from navalkit.view.extent import extent
from navalkit.view.scene import Line, Point, Scene, Shape, Text

from .board import Board

RINGED = 3
"""Pieces that moved last and are ringed: where more moved at once, a ring would tell nothing."""
OUTLINED = 400
"""Cells whose outlines are sent: where there are more, a press is lit where it falls."""
SIGN = 0.6  # mean width of a sign of a board's texts, of their size
_LASTING = ("ring", "hit", "sink")  # marks whose place is ringed after the film


class Stage:
    """Plays films on a board.

    ``rings``: whether what moved last is ringed. ``calm``: whether films are only kept: nothing is played, and nothing
    ringed. ``silent``: whether nothing is heard, whatever the reader's switch says: before a class. ``film``: the last
    one, and the scene it leads to. ``lights``: what is framed when the board is shown, each with a word beside it that
    says why ("Hint").
    """

    def __init__(self, board: Board, *, rings: bool = True) -> None:
        self._board, self._rings = board, rings
        self._moved: tuple[str, ...] = ()
        self._places: tuple[Mark, ...] = ()
        self.rings: list[list[int]] = []
        self.lights: Sequence[tuple[tuple[Point, ...], str]] = ()
        self.calm = self.silent = False
        self.film: tuple[Scene, Film] | None = None

    def show(self, scene: Scene, made: Film | None = None, speed: float = 1.0) -> None:
        """Show a scene on the board; before it, play the film that leads there. With None for ``made``
        nothing has happened: the rings stay. ``speed``: how many times as fast as usual it is played."""
        if made is not None:
            self._moved, self._places = _marked(made) if self._rings and not self.calm else ((), ())
            self.film = (scene, made) if made.ms else None
        pieces = scene.pieces()
        moved = [pieces[id] for id in self._moved if id in pieces]
        self.rings = [_ring(extent(piece.placed()), not piece.flips) for piece in moved]
        self.rings += [_ring((m.x - m.r, m.y - m.r, m.x + m.r, m.y + m.r), True) for m in self._places]
        lit = [[[round(v) for point in outline for v in point], word] for outline, word in self.lights]
        spared = [box for box in _written(scene) if any(_meet(box, ring) for ring in self.rings)] if self.rings else []
        facts = {"rings": self.rings, "spared": spared, "lights": lit, "silent": self.silent}
        cells = [cell.outline for cell in scene.cells] if len(scene.cells) <= OUTLINED else ()
        self._board.show(scene, cells, facts, None if self.calm else made, speed)

    def stop(self) -> None:
        """End a film; the board is seen as it is."""
        self._board.painter.send({"do": "stop"})

    def answered(self) -> None:
        """Say that a press has its answer: its light goes out."""
        self._board.painter.send({"do": "answered"})


def _marked(made: Film) -> tuple[tuple[str, ...], tuple[Mark, ...]]:
    """What a film leaves ringed: the pieces that came somewhere, and the places where something was hit."""
    moved = [each for each in made.goings if each.ms and (len(set(each.way)) > 1 or not each.before)]
    came = [each.after.id for each in moved if each.after and not all(map(_thin, each.after.shapes))]
    places = {(mark.x, mark.y): mark for mark in made.marks if mark.kind in _LASTING}
    return (tuple(came) if len(came) <= RINGED else ()), tuple(places.values())[-RINGED:]


def _thin(shape: Shape) -> bool:
    """Whether it is a part of a name."""
    return isinstance(shape, Text | Line)


def _written(scene: Scene) -> Iterator[list[int]]:
    """About where texts are, left, top, width, height: a ring is not drawn across a name."""
    for text in scene.shapes():
        if isinstance(text, Text) and text.text:
            w, h = SIGN * text.size * len(text.text), 1.2 * text.size
            left = text.x - {"start": 0.0, "middle": w / 2, "end": w}[text.anchor]
            yield [round(v) for v in (left - 2, text.y - h / 2, w + 4, h)]


def _meet(box: Sequence[int], ring: Sequence[int]) -> bool:
    (x, y, w, h), (left, top, wide, high, _) = box, ring
    return x < left + wide and left < x + w and y < top + high and top < y + h


def _ring(box: tuple[float, float, float, float], round_: bool) -> list[int]:
    """Left, top, width, height and corner radius of a ring about a box: a circle about a ship, a frame about a card."""
    left, top, right, bottom = box
    if round_:
        x, y, r = (left + right) / 2, (top + bottom) / 2, max(right - left, bottom - top) / 2
        left, top, right, bottom = x - r, y - r, x + r, y + r
    pad = 5
    radius = (right - left) / 2 + pad if round_ else 10
    return [round(v) for v in (left - pad, top - pad, right - left + 2 * pad, bottom - top + 2 * pad, radius)]
