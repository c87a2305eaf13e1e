"""The sensitivity bar as a Scene, for SVG and PNG, and as CSV: how far the answer goes with each change."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from navalkit.core.files.csvtext import written
from navalkit.view.scene import Layer, Line, Rect, Scene, Shape, Style, Text

from .ask import Influence
from .question import Question
from .say import SAY
from .text import change

_W, _TOP, _ROW, _BOTTOM = 720.0, 78.0, 52.0, 34.0
_NAMES, _WORDS = 190.0, 130.0  # room for the names, and for a change written beyond its bar
_INK, _SOFT = Style(fill="ink"), Style(fill="muted")


def tornado_picture(
    rows: Sequence[Influence], here: Fraction | float, unit: str, question: Question, title: str
) -> Scene:
    """The bars as a picture: two lanes for each change, the first for one side, the second for the other.

    ``here``: the answer as things are, from which all bars begin. ``unit``: of the answer; "" for a probability.
    ``question``: whose sides they are: what a bar is about, and what lies to either side.
    """
    middle = _NAMES + (_W - _NAMES) / 2
    scale = ((_W - _NAMES) / 2 - _WORDS) / (max((row.size for row in rows), default=0.0) or 1.0)
    lanes = SAY("tornado.lanes", down=question.say("sides.down"), up=question.say("sides.up"))
    shapes: list[Shape] = [
        Text(16, 24, title, _INK, 17, "start", bold=True),
        Text(16, 52, lanes, _SOFT, 14, "start"),
    ]
    for i, row in enumerate(rows):
        top = _TOP + _ROW * i
        shapes.append(Text(16, top + _ROW / 2, row.name, _INK, 14, "start"))
        for lane, (side, colour) in enumerate(((row.down, "blue"), (row.up, "accent"))):
            if side is None:
                continue
            by, y = float(side[1] - here), top + 6 + 21 * lane
            end = middle + scale * by
            shapes.append(Rect(min(middle, end), y, abs(end - middle), 16, Style(fill=colour, stroke="ink")))
            words, anchor = change(side[1], here, unit), "start" if by >= 0 else "end"
            shapes.append(Text(end + (6 if by >= 0 else -6), y + 8, words, _INK, 13, anchor))
    height = _TOP + _ROW * len(rows) + _BOTTOM
    shapes.append(Line(((middle, _TOP), (middle, height - _BOTTOM)), Style(stroke="ink", width=1.5)))
    said = "; ".join(
        f"{row.name}: " + ", ".join(change(side[1], here, unit) for side in (row.down, row.up) if side) for row in rows
    )
    return Scene(_W, height, (Layer("bars", tuple(shapes)),), title=title, desc=f"{said}.")


def tornado_csv(rows: Sequence[Influence], here: Fraction | float, question: Question) -> str:
    """The bars as CSV: a row for each change, the answers as they are and to either side, empty where there is none."""
    head = [question.say(f"sides.{part}") for part in ("what", "here", "down", "up")]
    sides = ((None if side is None else float(side[1]) for side in (row.down, row.up)) for row in rows)
    return written([head, *((row.name, float(here), *both) for row, both in zip(rows, sides, strict=True))])
