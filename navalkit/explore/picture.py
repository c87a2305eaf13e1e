"""A chart as a Scene, for SVG and PNG, and as CSV: with what was simulated and what was pinned beside it."""

from __future__ import annotations
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from navalkit.core.files import written
from navalkit.core.words import local, percent
from navalkit.view.scene import Circle, Layer, Line, Polygon, Rect, Scene, Shape, Style, Text
from .question import SAY, Counts, Plot

Beside = Sequence[float | None]
"""A value for each place of a chart, None where there is none."""
_W, _H = 720.0, 400.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, 16.0, 48.0, 64.0
_NAMES = 100.0  # room for the names of lines
_FEW = 14  # bars that have room for their numbers
_INK, _SOFT = Style(fill="ink"), Style(fill="muted")


SIGNS = "◆▲■●"
"""What marks the first, the second ... pinned setting in a chart, and in its legend."""


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
    return local(f"{scale * value:,.{places}f}{'' if unit else ' %'}")


def number(value: float, unit: str) -> str:
    """A number over a bar."""
    if not unit:
        return percent(min(max(value, 0.0), 1.0))
    return local(f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2f}")


def beside(plot: Plot, other: Plot | None) -> Beside:
    """The values of another setting's chart at this one's places; none if its bars hold other numbers together."""
    if other is None or other.unit != plot.unit or (other.x != plot.x and any("–" in x for x in (*plot.x, *other.x))):
        return [None] * len(plot.x)
    values = dict(zip(other.x, other.y, strict=True))
    return [values.get(x) for x in plot.x]


def shares(counts: Counts | None, n: int, size: int) -> Beside:
    """The share of the trials that fell to each place."""
    return [None] * size if counts is None or not n else [float(count) / n for count in counts]


def picture(plot: Plot, simulated: Beside = (), pinned: Sequence[Beside] = (), note: str = "") -> Scene:
    """The chart as a picture. ``simulated``: a value for each place, drawn as a ring. ``pinned``: the same for each
    pinned setting, drawn as its sign. ``note``: a line at the foot."""
    marks = ticks(plot, simulated, *pinned)
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
    for sign, row in zip(SIGNS, pinned, strict=False):
        over += [Text(middle(i), y(each), sign, Style("bad", "halo", 3), 16) for i, each in enumerate(row)
                 if each is not None]
    for i, each in enumerate(simulated):
        if each is not None:
            over.append(Circle(middle(i), y(each), 4.5, Style(stroke="ink", width=2)))
    key = "; ".join(word for word, row in ((SAY("picture.ring"), simulated),
                                        *((SAY("picture.sign", sign=sign), row)
                                          for sign, row in zip(SIGNS, pinned, strict=False)))
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
        shapes.append(Text(at(n * part / 4, low)[0], _H - _BOTTOM + 16, local(f"{n * part / 4:,.0f}"), _SOFT, 14))
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


def csv_text(plot: Plot, simulated: Beside = (), pinned: Sequence[Beside] = ()) -> str:
    """The chart as CSV: a row for each place, empty where nothing was simulated or pinned."""
    shown = SAY("picture.simulated"), *[SAY("picture.pinned")] * max(len(pinned), 1)
    head = (plot.x_label or SAY("picture.what"), plot.unit or SAY("picture.probability"), *shown)
    blank: Beside = [None] * len(plot.x)
    return written([head, *zip(plot.x, plot.y, simulated or blank, *(pinned or [blank]), strict=True)])


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


# -- What a question is about, drawn large for a class: the sea with what floats on it, cards in a row, columns --------

Room = tuple[float, float]
"""Width and height, px, that there are for a picture."""
PHONE = 640.0  # px: narrower than this it is a phone, read from near
_HALO = "sea_shallow"  # under words on the sea
_WAVES = ((0.08, 0.2), (0.27, 0.86), (0.46, 0.12), (0.63, 0.9), (0.83, 0.28), (0.93, 0.72))


def type_size(room: Room) -> float:
    """Px of the words of a picture: 22 before a class, which the projector enlarges, 14 on a phone."""
    return 14.0 if room[0] < PHONE else 22.0


def word(x: float, y: float, text: str, size: float, anchor: str = "middle", bold: bool = False) -> Text:
    """A word on the sea, with its halo."""
    return Text(x, y, text, Style("ink", _HALO, 4), size, anchor, bold)


def at_sea(room: Room, shapes: Sequence[Shape], title: str, desc: str) -> Scene:
    """A picture on the sea. ``desc``: what a screen reader says, the settings among it."""
    wide, high = room
    waves = tuple(
        Line(tuple((u * wide + d, v * high + (-3, 3)[i % 2]) for i, d in enumerate((-14, -7, 0, 7, 14))),
             Style(None, "foam", 1.5, opacity=0.8)) for u, v in _WAVES
    )
    sea = Layer("class-sea", (Rect(0, 0, wide, high, Style("sea_shallow")), *waves))
    return Scene(wide, high, (sea, Layer("class-picture", tuple(shapes))), title=title, desc=desc)


def rows(n: int, left: float, right: float, card: float) -> list[float]:
    """The middles of ``n`` cards of a width, side by side in a space, over each other where it is narrow."""
    step = min(1.12 * card, (right - left - card) / max(n - 1, 1))
    return [left + card / 2 + step * i for i in range(n)]


def shown_plot(answer_plots: Sequence[Plot]) -> Plot:
    """Of an answer's charts the one that a class sees: the first in which the present settings have a place."""
    return next((plot for plot in answer_plots if plot.at is not None), answer_plots[0])


def columns(plot: Plot, room: Room, pinned: Sequence[Beside] = (), hidden: bool = False) -> Scene:
    """A chart as columns to be read from the back row, the present one in orange. ``pinned``: for each pinned setting
    its values, drawn as a line across each column, numbered. ``hidden``: frames without heights, while a class guesses.
    """
    wide, high = room
    size = type_size(room)
    top, low = 1.9 * size, high - 1.7 * size
    step = (wide - 2 * size) / len(plot.x)
    most = ticks(plot, *pinned)[-1]
    every = max(1, -(-int(max(map(len, plot.x)) * 0.66 * size + 6) // max(int(step), 1)))
    shapes: list[Shape] = []
    words: list[Shape] = []
    for i, (name, value) in enumerate(zip(plot.x, plot.y, strict=True)):
        here = i == plot.at
        x, w = size + step * (i + 0.11), 0.78 * step
        shapes.append(Rect(x, top, w, low - top, Style("grid", opacity=0.28), 3))
        tall = max((low - top) * min(value / most, 1.0), 2.0)
        if not hidden:
            style = Style("accent", "ink", 2) if here else Style("select")
            shapes.append(Rect(x, low - tall, w, tall, style, 3))
            for n, row in enumerate(pinned):
                if row[i] is not None:
                    y = low - (low - top) * min(float(row[i] or 0) / most, 1.0)
                    shapes.append(Line(((x - 2, y), (x + w + 2, y)), Style(None, "paper", 7)))
                    shapes.append(Line(((x - 2, y), (x + w + 2, y)), Style(None, "bad", 3, DASHES[n % len(DASHES)])))
        if here or (i - (plot.at or 0)) % every == 0:
            words.append(Text(x + w / 2, low + 0.9 * size, name, _INK, size, bold=here))
        if not hidden and (here or (step > 2.6 * size and len(plot.x) <= _FEW)):
            y = max(low - tall - 0.8 * size, top - 0.6 * size)
            words.append(Text(x + w / 2, y, number(value, plot.unit), Style("ink", "halo", 4), size, bold=here))
    title = Text(size, 0.7 * size, plot.title if plot.x_label in plot.title else f"{plot.title}, {plot.x_label}",
                 Style("ink", "halo", 4), size, "start", bold=True)
    values = "" if hidden else ", ".join(f"{x}: {number(v, plot.unit)}"
                                         for x, v in zip(plot.x, plot.y, strict=True))
    return Scene(wide, high, (Layer("class-columns", (*shapes, *words, title)),), title=plot.title, desc=values)


DASHES = ((), (10, 5), (3, 4), (12, 4, 3, 4))
"""The lines of the pinned settings, by which the legend tells them apart."""

_BIN = 5  # guesses are stacked at the nearest multiple


def guessed(guesses: Sequence[int], truth: float, room: Room, size: float) -> Scene:
    """What a class guessed, from 0 to 100 percent: a dot a guess in stacks, and the truth as an orange line. ``truth``:
    a probability. ``size``: px of its words."""
    wide, high = room
    left, right, low = size, wide - size, high - 1.6 * size
    stacks = Counter(round(guess / _BIN) for guess in guesses)
    shapes: list[Shape] = [Line(((left, low), (right, low)), Style(None, "ink", 2.5))]
    for each in (0, 50, 100):
        at = left + (right - left) * each / 100
        shapes.append(Text(at, low + 0.9 * size, str(each), _INK, size))
    r = 0.42 * (right - left) * _BIN / 100
    step = min(2.1 * r, (low - 2 * r - 4) / max(max(stacks.values(), default=1) - 1, 1))
    for place, n in sorted(stacks.items()):
        at = left + (right - left) * place * _BIN / 100
        alone = n > 1 and step < r  # too low a room for dots that can be told apart: their number stands for them
        for k in range(1 if alone else n):
            shapes.append(Circle(at, low - r - 2 - step * k, r, Style("select", "paper", 1)))
        if alone:
            shapes.append(Text(at, low - 2 * r - 0.6 * size, f"×{n}", _INK, size, bold=True))
    at = left + (right - left) * min(max(truth, 0.0), 1.0)
    shapes.append(Line(((at, 0), (at, low + 0.3 * size)), Style(None, "paper", 8)))
    shapes.append(Line(((at, 0), (at, low + 0.3 * size)), Style(None, "accent", 5)))
    title = SAY("guess.title")
    return Scene(wide, high, (Layer("class-guesses", tuple(shapes)),), title=title,
                 desc=SAY("guess.desc", guesses=", ".join(map(str, sorted(guesses))), truth=percent(truth)))


def heat(title: str, names: tuple[str, str], ends: tuple[Sequence[str], Sequence[str]],
         values: Sequence[tuple[int, int, float]]) -> Scene:
    """A map of two sliders as a picture. ``names``: of the slider across and down. ``ends``: their values, as written.
    ``values``: column, row (from below) and answer of each cell."""
    xs, ys = ends
    wide, high = (_W - _LEFT - _RIGHT) / len(xs), (_H - _TOP - _BOTTOM) / len(ys)
    found = [value for _, _, value in values] or [0.0]
    low, spread = min(found), (max(found) - min(found)) or 1.0
    cells = tuple(Rect(_LEFT + wide * i, _H - _BOTTOM - high * (j + 1), wide, high,
                       Style(f"heat{min(9, int(10 * (value - low) / spread))}")) for i, j, value in values)
    every = max(1, -(-len(xs) // _FEW))
    texts = (
        Text(_LEFT, 22, title, _INK, 17, "start", bold=True), Text(_W / 2, _H - 28, names[0], _INK, 14),
        Text(8, _TOP - 10, names[1], _INK, 14, "start"),
        *(Text(_LEFT + wide * (i + 0.5), _H - _BOTTOM + 16, x, _SOFT, 12) for i, x in enumerate(xs) if not i % every),
        *(Text(_LEFT - 8, _H - _BOTTOM - high * (j + 0.5), y, _SOFT, 12, "end") for j, y in enumerate(ys)),
    )
    return Scene(_W, _H, (Layer("cells", cells), Layer("text", texts)), title=title)
