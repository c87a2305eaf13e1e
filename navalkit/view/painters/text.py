"""The text painter: a scene as lines of characters, for a terminal, a test and a screen reader's description.

Each `Text` whose ``glyph`` is set stands where it stands in the picture, in proportion; it is shown whatever
its style, so a text with neither fill nor stroke is for this painter alone (that is how a card, drawn as an
index and a suit, reads "8♦" here). A cell with no text in it shows a dot.
"""

from __future__ import annotations

from navalkit.core.errors import OptionError
from navalkit.core.language.say import SAY
from navalkit.view.hit_test import contains
from navalkit.view.scene import Scene, Text

EMPTY_CELL = "·"
_ASPECT = 2.0  # a terminal's character is about twice as high as wide
_COLUMN_PX = 9.0  # about the width of a character of the picture's 16 px text
_START = {"start": 0.0, "middle": 0.5, "end": 1.0}


def text(scene: Scene, *, columns: int | None = None) -> str:
    """The scene as text.

    ``columns``: width of the picture in characters; by default one for every 9 px. A line runs longer where labels
    would otherwise cover each other: the later one moves right. Several empty lines in a row shrink to one. Returns
    lines without trailing blanks, no newline at the end. OptionError for fewer than one column.
    """
    if columns is None:
        columns = max(1, round(scene.width / _COLUMN_PX))
    if columns < 1:
        raise OptionError(SAY("view.columns", n=columns))
    px = scene.width / columns
    lines: dict[int, str] = {}
    for x, y, label, anchor in sorted(_labels(scene), key=lambda each: (each[1] // (px * _ASPECT), each[0])):
        row = int(y // (px * _ASPECT))
        line = lines.get(row, "")
        column = round(x / px - _START[anchor] * len(label))
        lines[row] = line.ljust(max(column, len(line) + bool(line))) + label
    if not lines:
        return ""
    rows = [lines.get(row, "").rstrip() for row in range(min(lines), max(lines) + 1)]
    return "\n".join(row for row, before in zip(rows, ("-", *rows), strict=False) if row or before)


def _labels(scene: Scene) -> list[tuple[float, float, str, str]]:
    """(x, y, text, anchor) of every shown text, and of a dot in every cell that has none."""
    labels = [(s.x, s.y, s.text, s.anchor) for s in scene.shapes() if isinstance(s, Text) and s.glyph and s.text]
    empty = (c for c in scene.cells if not any(contains(c.outline, x, y) for x, y, _, _ in labels))
    return labels + [(*cell.centre, EMPTY_CELL, "middle") for cell in empty]
