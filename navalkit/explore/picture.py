"""A chart as a Scene, for SVG and PNG, and as CSV: with what was simulated and what was pinned beside it."""

from __future__ import annotations
from collections.abc import Mapping, Sequence

import numpy as np

from navalkit.core.files import written
from navalkit.core.words import percent
from navalkit.view.scene import Circle, Layer, Line, Polygon, Rect, Scene, Shape, Style, Text
from .question import SAY, Counts, Plot

Beside = Sequence[float | None]
"""A value for each place of a chart, None where there is none."""
_W, _H = 720.0, 400.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, 16.0, 48.0, 64.0
_NAMES = 100.0  # room for the names of lines
_FEW = 14  # bars that have room for their numbers
_INK, _SOFT = Style(fill="ink"), Style(fill="muted")


def ticks(plot: Plot, *others: Beside) -> tuple[float, ...]:
    """Round numbers for the y axis, from 0 to one that no value passes; for chances to 1, unless all are small."""
    most = max([*plot.y, *(value for _, value in plot.lines), *(v for row in others for v in row if v is not None)])
    if not plot.unit:
        most = 1.0 if most > 0.5 else max(most, 0.004)
    step = round_up(most / 4) or 0.25
    return tuple(step * i for i in range(int(np.ceil(most / step - 1e-9)) + 1))


def round_up(value: float) -> float:
    """The next round number: 1, 2, 2.5 or 5 times a power of ten."""
    if value <= 0:
        return 0.0
    power = 10.0 ** np.floor(np.log10(value))
    return float(next(step * power for step in (1, 2, 2.5, 5, 10) if step * power >= value * (1 - 1e-12)))


def tick(value: float, step: float, unit: str) -> str:
    """A number on an axis whose ticks are ``step`` apart, with as many decimals as that takes; chances in percent."""
    scale = 1.0 if unit else 100.0
    places = next(n for n in range(12) if abs(round(scale * step, n) - scale * step) < 1e-9 * scale * step)
    return f"{scale * value:,.{places}f}{'' if unit else ' %'}"


def number(value: float, unit: str) -> str:
    """A number over a bar."""
    if not unit:
        return percent(min(max(value, 0.0), 1.0))
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2f}"


def beside(plot: Plot, other: Plot | None) -> Beside:
    """The values of another setting's chart at this one's places; none if its bars hold other numbers together."""
    if other is None or other.unit != plot.unit or (other.x != plot.x and any("–" in x for x in (*plot.x, *other.x))):
        return [None] * len(plot.x)
    values = dict(zip(other.x, other.y, strict=True))
    return [values.get(x) for x in plot.x]


def shares(counts: Counts | None, n: int, size: int) -> Beside:
    """The share of the trials that fell to each place."""
    return [None] * size if counts is None or not n else [float(count) / n for count in counts]


def picture(plot: Plot, simulated: Beside = (), pinned: Beside = (), note: str = "") -> Scene:
    """The chart as a picture. ``simulated`` and ``pinned``: a value for each place, drawn as a ring and as a diamond.
    ``note``: a line at the foot."""
    marks = ticks(plot, simulated, pinned)
    height = marks[-1]
    right = _RIGHT + (_NAMES if plot.lines else 0)
    wide, high = _W - _LEFT - right, _H - _TOP - _BOTTOM
    step = wide / len(plot.x)

    def y(value: float) -> float:
        return _TOP + high * (1 - min(value, height) / height)

    def middle(i: int) -> float:
        return _LEFT + step * (i + 0.5)

    axes: list[Shape] = []
    for value in marks:
        axes.append(Line(((_LEFT, y(value)), (_W - right, y(value))), Style(stroke="grid")))
        axes.append(Text(_LEFT - 8, y(value), tick(value, marks[1], plot.unit), _SOFT, 14, "end"))
    bars: list[Shape] = []
    shown = -(-len(plot.x) // (_FEW if max(map(len, plot.x)) > 3 else 2 * _FEW))
    for i, (name, value) in enumerate(zip(plot.x, plot.y, strict=True)):
        style = Style(fill="accent" if i == plot.at else "blue", stroke="ink" if i == plot.at else None, width=1.5)
        bars.append(Rect(middle(i) - 0.38 * step, y(value), 0.76 * step, max(_TOP + high - y(value), 0.0), style))
        if i % shown == 0:
            axes.append(Text(middle(i), _H - _BOTTOM + 16, name, _SOFT, 14 if len(plot.x) <= _FEW else 12))
        if len(plot.x) <= _FEW:
            bars.append(Text(middle(i), y(value) - 12, number(value, plot.unit), _INK, 13))
    over: list[Shape] = []
    for word, value in plot.lines:
        over.append(Line(((_LEFT, y(value)), (_W - right, y(value))), Style(stroke="ink", width=1.5, dash=(6, 4))))
        over.append(Text(_W - right + 6, y(value), word, _INK, 13, "start"))
    for i, each in enumerate(pinned):
        if each is not None:
            x, at, r = middle(i), y(each), 6.0
            points = ((x, at - r), (x + r, at), (x, at + r), (x - r, at))
            over.append(Polygon(points, Style(fill="paper", stroke="vermilion", width=2)))
    for i, each in enumerate(simulated):
        if each is not None:
            over.append(Circle(middle(i), y(each), 4.5, Style(stroke="ink", width=2)))
    key = "; ".join(word for word, row in ((SAY("picture.ring"), simulated), (SAY("picture.diamond"), pinned))
                    if any(v is not None for v in row))
    texts = [
        Text(_LEFT, 22, plot.title, _INK, 17, "start", bold=True),
        Text(_LEFT + wide / 2, _H - 28, plot.x_label, _INK, 14),
        Text(_W - _RIGHT, _H - 10, "; ".join(part for part in (note, key) if part), _SOFT, 12, "end", glyph=False),
    ]
    layers = (
        Layer("axes", tuple(axes)), Layer("bars", tuple(bars)), Layer("over", tuple(over)), Layer("text", tuple(texts))
    )
    values = ", ".join(f"{x}: {number(v, plot.unit)}" for x, v in zip(plot.x, plot.y, strict=True))
    return Scene(_W, _H, layers, title=plot.title, desc=f"{plot.x_label or plot.title}: {values}.")


Curve = Sequence[tuple[int, float, float]]
"""Trials, estimate and standard error of a run as it went on."""


def run_range(curve: Curve, exact: float, unit: str) -> tuple[float, float]:
    """Least and greatest value to draw of a run: the bands of all but its first points, and the exact value."""
    later = curve[len(curve) // 4 :] or [(0, exact, 0.1 * abs(exact) or 1.0 if unit else 0.05)]
    low = min([exact, *(mean - 2.5 * error for _, mean, error in later)])
    high = max([exact, *(mean + 2.5 * error for _, mean, error in later)])
    if high - low < 1e-9:
        low, high = low - 0.01, high + 0.01
    return (low, high) if unit else (max(low, 0.0), min(high, 1.0))


def run_ticks(low: float, high: float) -> tuple[float, ...]:
    """Round numbers between the two."""
    step = round_up((high - low) / 5)
    return tuple(step * i for i in range(int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9)) + 1))


def run_picture(curve: Curve, n: int, exact: float, unit: str, title: str) -> Scene:
    """A Monte Carlo run: the estimate with its 95 % band, and the exact value dashed."""
    wide, high = _W - _LEFT - _RIGHT, _H - _TOP - _BOTTOM
    low, most = run_range(curve, exact, unit)
    step = round_up((most - low) / 5)

    def at(trials: float, value: float) -> tuple[float, float]:
        return _LEFT + wide * trials / n, _TOP + high * (most - min(max(value, low), most)) / (most - low)

    shapes: list[Shape] = []
    for value in run_ticks(low, most):
        shapes.append(Line((at(0, value), at(n, value)), Style(stroke="grid")))
        shapes.append(Text(_LEFT - 8, at(0, value)[1], tick(value, step, unit), _SOFT, 14, "end"))
    for part in range(5):
        shapes.append(Text(at(n * part / 4, low)[0], _H - _BOTTOM + 16, f"{n * part / 4:,.0f}", _SOFT, 14))
    band = [at(t, m + 1.96 * e) for t, m, e in curve] + [at(t, m - 1.96 * e) for t, m, e in reversed(curve)]
    if curve:
        shapes.append(Polygon(tuple(band), Style(fill="sky", opacity=0.4)))
        shapes.append(Line(tuple(at(t, m) for t, m, _ in curve), Style(stroke="blue", width=2)))
    shapes.append(Line((at(0, exact), at(n, exact)), Style(stroke="ink", width=1.5, dash=(6, 4))))
    shapes.append(Text(_LEFT, 22, title, _INK, 17, "start", bold=True))
    shapes.append(Text(_LEFT + wide / 2, _H - 28, SAY("picture.trials"), _INK, 14))
    shapes.append(Text(_W - _RIGHT, _H - 10, SAY("picture.key"), _SOFT, 12, "end", glyph=False))
    return Scene(_W, _H, (Layer("run", tuple(shapes)),), title=title, desc=SAY("picture.run", points=len(curve), n=n))


def run_csv(curve: Curve) -> str:
    """A run as CSV: trials, estimate, standard error."""
    return written([[SAY(f"picture.{column}") for column in ("trials", "estimate", "error")], *curve])


def csv_text(plot: Plot, simulated: Beside = (), pinned: Beside = ()) -> str:
    """The chart as CSV: a row for each place, empty where nothing was simulated or pinned."""
    shown = SAY("picture.simulated"), SAY("picture.pinned")
    head = (plot.x_label or SAY("picture.what"), plot.unit or SAY("picture.probability"), *shown)
    blank: Beside = [None] * len(plot.x)
    return written([head, *zip(plot.x, plot.y, simulated or blank, pinned or blank, strict=True)])


# -- Distributions over many numbers, drawn together to as many bars as a chart has room for -------

_MOST = 32


def binned(weights: Mapping[int, float], most: int = _MOST) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """The weights of whole numbers as named bars, neighbours drawn together if there are more than ``most``.
    ``weights``: numbers from 0 up; the bars depend on which there are, not on their weights. Returns "12", or "12–15"
    for bars that hold several numbers; and the weight of each."""
    numbers = sorted(weights)
    if len(numbers) <= most:
        return tuple(map(str, numbers)), tuple(weights[number] for number in numbers)
    width = -(-(numbers[-1] + 1) // most)
    bars = [0.0] * -(-(numbers[-1] + 1) // width)
    for number, weight in weights.items():
        bars[number // width] += weight
    return tuple(f"{i * width}–{(i + 1) * width - 1}" for i in range(len(bars))), tuple(bars)
