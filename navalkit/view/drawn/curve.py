"""A game as a picture to share: its headline, and the chance to win from its start to its end."""

from __future__ import annotations

from collections.abc import Sequence

from navalkit.core.language.words import local
from navalkit.view.scene import Circle, Layer, Line, Polygon, Rect, Scene, Shape, Style, Text

WIDTH, HEIGHT = 800.0, 420.0
_LEFT, _TOP, _RIGHT, _BOTTOM = 80.0, 130.0, 770.0, 370.0
_LINE, _LONGEST = 46, 2  # characters a line of the headline has room for, and lines


def curve_picture(
    headline: str, about: str, line: Sequence[tuple[int, float, float]], marked: Sequence[int], *, percent: bool
) -> Scene:
    """The picture.

    ``headline``: how the game ended, in a sentence or two. ``about``: which game it was. ``line``: step, value and
    standard error, in order. ``marked``: steps that get a dot with their number in this sequence, from 1. ``percent``:
    whether values are chances, drawn from 0 to 100 %.
    """
    last = max(1, line[-1][0])
    top = 1.0 if percent else 1.1 * max(1e-9, *(value + error for _, value, error in line))

    def at(step: float, value: float) -> tuple[float, float]:
        share = min(max(value / top, 0), 1)
        return _LEFT + (_RIGHT - _LEFT) * step / last, _BOTTOM - (_BOTTOM - _TOP) * share

    ink, soft = Style("ink"), Style("muted")
    shapes: list[Shape] = [Rect(0, 0, WIDTH, HEIGHT, Style("paper"))]
    shapes += [Text(30, 40 + 28 * n, each, ink, 24, "start", True) for n, each in enumerate(_lines(headline))]
    shapes.append(Text(30, 104, about, soft, 15, "start"))
    for share in (0.0, 0.5, 1.0):
        _, y = at(0, top * share)
        shapes.append(Line(((_LEFT, y), (_RIGHT, y)), Style(None, "muted", 1, opacity=0.4)))
        said = f"{share:.0%}" if percent else f"{top * share:,.3g}" if top < 100 else f"{top * share:,.0f}"
        shapes.append(Text(_LEFT - 8, y + 5, local(said), soft, 14, "end"))
    band = [at(x, y + e) for x, y, e in line] + [at(x, y - e) for x, y, e in reversed(line)]
    shapes.append(Polygon(tuple(band), Style("blue", opacity=0.2)))
    shapes.append(Line(tuple(at(x, y) for x, y, _ in line), Style(None, "blue", 3)))
    for number, step in enumerate(marked, 1):
        x, y = at(step, max((each for each in line if each[0] <= step), default=line[0])[1])
        shapes += [Circle(x, y, 11, Style("vermilion")), Text(x, y + 5, str(number), Style("paper"), 14, bold=True)]
    shapes.append(Text(_LEFT, _BOTTOM + 24, str(line[0][0]), soft, 14))
    shapes.append(Text(_RIGHT, _BOTTOM + 24, str(last), soft, 14, "end"))
    return Scene(WIDTH, HEIGHT, (Layer("curve", tuple(shapes)),), title=headline, desc=f"{headline} {about}")


def _lines(text: str) -> list[str]:
    """A text in at most a few lines; what has no room ends in an ellipsis."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) < _LINE:
            lines[-1] = f"{lines[-1]} {word}".strip()
        else:
            lines.append(word)
    return lines if len(lines) <= _LONGEST else [*lines[: _LONGEST - 1], lines[_LONGEST - 1] + "…"]
