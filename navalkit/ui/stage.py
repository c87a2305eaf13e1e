"""The stage over a board: an invisible widget whose script plays films and lights what is pressed in the same frame.

The board beneath is always the last one, so that a page whose browser plays nothing is right. The script reads the
canvases of ipycanvas's MultiCanvas (``_canvases``), an internal of the version that pyproject.toml pins.
"""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Any

import anywidget
import traitlets
from ipycanvas import MultiCanvas
from ipywidgets import widget_serialization

from navalkit.view.effect import Film, Mark, packed
from navalkit.view.extent import extent
from navalkit.view.scene import Scene, Text
from navalkit.view.svg import FONT
from navalkit.view.theme import theme

from .board import Board
from .say import SAY
from .spoken import Spoken

RINGED = 3
"""Pieces that moved last and are ringed: where more moved at once, a ring would tell nothing."""
_LASTING = ("ring", "hit", "sink")  # marks whose place is ringed after the film


class Stage(anywidget.AnyWidget, Spoken):
    """Plays films over a board.

    Parameters
    ----------
    board : Board
        It gets the stage as a child: the script finds the canvas beside itself.
    """

    _esm = Path(__file__).with_name("stage.js")
    board = traitlets.Instance(MultiCanvas).tag(sync=True, **widget_serialization)
    size: Any = traitlets.List().tag(sync=True)
    cells = traitlets.Bytes().tag(sync=True)
    rings: Any = traitlets.List().tag(sync=True)
    hinted: Any = traitlets.List().tag(sync=True)
    tones: Any = traitlets.List().tag(sync=True)
    words: Any = traitlets.List().tag(sync=True)
    font = traitlets.Unicode(FONT).tag(sync=True)

    def __init__(self, board: Board) -> None:
        super().__init__(board=board.canvas, size=[1, 1], layout={"display": "none"})
        self._board = board
        self._moved: tuple[str, ...] = ()
        self._places: tuple[Mark, ...] = ()
        board.widget.children = (*board.widget.children, self)
        self.on_msg(self._heard)
        self.relabel()

    def relabel(self) -> None:
        self.words = [SAY("waiting.press"), SAY("waiting.presses", n="{n}")]

    def show(self, scene: Scene, made: Film | None = None, speed: float = 1.0) -> None:
        """Show a scene on the board; before it, play the film that leads there.

        Parameters
        ----------
        scene : Scene
        made : Film or None
            None: nothing has happened, the rings stay where they are.
        speed : float
            How many times as fast as usual it is played.
        """
        if made is not None:
            self._moved, self._places = _marked(made)
        plays, frames = made is not None and made.ms > 0, self._board.frames
        if plays:
            self.send({"do": "hold"})
        self._board.show(scene)
        self._know(scene)
        if made is not None and plays:
            under, over = self._board.split()
            film = packed(made, theme(self._board.theme))
            drawn = self._board.frames - frames
            self.send({"do": "play", "film": film, "under": under, "over": over, "speed": speed, "frames": drawn})

    def hint(self, scene: Scene, action: Any) -> None:
        """Light the cell that gives an action; None, or one that no cell gives, lights none."""
        cell = next((cell for cell in scene.cells if action is not None and cell.action == action), None)
        self.hinted = [round(value) for point in cell.outline for value in point] if cell else []

    def stop(self) -> None:
        """End a film; the board is seen as it is."""
        self.send({"do": "stop"})

    def answered(self) -> None:
        """Say that a press has its answer: its light goes out."""
        self.send({"do": "answered"})

    def _know(self, scene: Scene) -> None:
        """Know where the scene can be pressed: outlines as whole numbers, each behind the number of its corners."""
        flat = array("h")
        for cell in scene.cells:
            flat.append(len(cell.outline))
            flat.extend(round(value) for point in cell.outline for value in point)
        colours, pieces = theme(self._board.theme), scene.pieces()
        moved = [pieces[id] for id in self._moved if id in pieces]
        rings = [_ring(extent(piece.placed()), not piece.flips) for piece in moved]
        rings += [_ring((m.x - m.r, m.y - m.r, m.x + m.r, m.y + m.r), True) for m in self._places]
        with self.hold_sync():
            self.size = [round(scene.width), round(scene.height)]
            self.cells = flat.tobytes()
            self.rings = rings
            self.tones = [colours["accent"], colours["select"], colours["focus"]]

    def _heard(self, _widget: Any, message: dict[str, Any], _buffers: Any) -> None:
        if message.get("event") == "fonts":  # what was drawn before they had come was drawn in others
            self._board.redraw()


def _marked(made: Film) -> tuple[tuple[str, ...], tuple[Mark, ...]]:
    """What a film leaves ringed: the pieces that came somewhere, and the places where something was hit."""
    moved = [each for each in made.goings if each.ms and (len(set(each.way)) > 1 or not each.before)]
    came = [each.after.id for each in moved if each.after and any(not isinstance(s, Text) for s in each.after.shapes)]
    places = tuple(mark for mark in made.marks if mark.kind in _LASTING)[-RINGED:]
    return (tuple(came) if len(came) <= RINGED else ()), places


def _ring(box: tuple[float, float, float, float], round_: bool) -> list[int]:
    """Left, top, width, height and corner radius of a ring about a box: a circle about a ship, a frame about a card."""
    left, top, right, bottom = box
    if round_:
        x, y, r = (left + right) / 2, (top + bottom) / 2, max(right - left, bottom - top) / 2
        left, top, right, bottom = x - r, y - r, x + r, y + r
    pad = 5
    radius = (right - left) / 2 + pad if round_ else 10
    return [round(v) for v in (left - pad, top - pad, right - left + 2 * pad, bottom - top + 2 * pad, radius)]
