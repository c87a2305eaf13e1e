"""The explorer's charts: bars that move with the sliders, with what was simulated and pinned over them, and a run."""

from __future__ import annotations
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import traitlets
from bqplot import Axis, Bars, Figure, Label, LinearScale, Lines, OrdinalScale, Scatter

from navalkit.core.shown import html
from navalkit.core.words import local
from navalkit.explore.ask import Map, amount
from navalkit.explore.picture import Beside, number, round_up, run_range, run_ticks, tick, ticks
from navalkit.explore.question import SAY, Choice, Control, Marks, Plot, Settings, Switch, Whole
from navalkit.view.theme import theme as find_theme
from ..widgets import (
    HTML,
    Box,
    Button,
    Checkbox,
    Dropdown,
    Heard,
    IntSlider,
    Scripted,
    VBox,
    box,
    button,
    classed,
    keyed,
    shown,
)

_MOVE = 200  # ms
_MARGIN = {"top": 18, "bottom": 46, "left": 62, "right": 10}
_DEEP = _MARGIN | {"bottom": 96}
"""With room for names written aslant. Where there are none, the page draws what comes next up (.nk-explore-flat)."""
_FEW = 9  # bars that have room for their numbers
_NAMES = 60  # characters of names that stand beside each other, or they are written aslant
_SLANTED = 22  # names written aslant, at most
_SHORT = 3  # names of this many characters are never written aslant: some are left out
_ROOM = 1.14
"""How many times as high the y axis is as its last tick."""
_REACH = 0.06
"""Share of a chart's width that a number takes to each side of its bar: it stands above the bars that are there."""
_NARROW = 2
"""How many times fewer names have room on a phone."""
_BAND = 1.96
_PINS = ("diamond", "triangle-up", "square", "circle")  # as `picture.SIGNS`


class _Chart(ABC):
    """What all charts share: a figure with a heading, in the colours of a theme."""

    def __init__(self, marks: list[Any], axes: list[Any], height: str, margin: dict[str, int]) -> None:
        self.figure = Figure(marks=marks, axes=axes, fig_margin=margin, padding_y=0,
                             layout={"width": "100%", "height": height}, animation_duration=_MOVE)
        self.theme = "light"

    @abstractmethod
    def paint(self, theme: str) -> None:
        """Take the colours of a theme."""

    @property
    def calm(self) -> bool:
        """Whether it jumps instead of moving."""
        return bool(self.figure.animation_duration == 0)

    @calm.setter
    def calm(self, calm: bool) -> None:
        self.figure.animation_duration = 0 if calm else _MOVE


class PlotView(_Chart):
    """One `Plot`, kept up to date by `show`. ``buttons``: what can be done with the chart."""

    def __init__(self, buttons: Sequence[Button]) -> None:
        self._x, self._y = OrdinalScale(), LinearScale(min=0.0, max=1.0)
        scales = {"x": self._x, "y": self._y}
        self._bars = Bars(x=["0"], y=[0.0], scales=scales, padding=0.2)
        self._labels = Label(x=["0"], y=[0.0], text=[""], scales=scales, align="middle", default_size=13, y_offset=-14,
                             font_weight="normal")
        self._lines = Lines(x=["0"], y=[0.0], scales=scales, line_style="dashed", stroke_width=1.5, visible=False)
        self._pinned = [Scatter(x=["0"], y=[0.0], scales=scales, marker=marker, default_size=70, visible=False)
                        for marker in _PINS]
        self._drawn = Scatter(x=["0"], y=[0.0], scales=scales, marker="circle", default_size=55, fill=False,
                              stroke_width=2, visible=False)
        self._axes = [
            Axis(scale=self._x, grid_lines="none", label_offset="34px"),
            Axis(scale=self._y, side="left", num_ticks=5),
        ]
        marks = [self._bars, self._lines, self._labels, *self._pinned, self._drawn]
        super().__init__(marks, self._axes, "280px", _DEEP)
        self.heading = HTML()
        tools = Box(list(buttons))
        tools.add_class("nk-explore-chart-tools")
        head = Box([self.heading, tools])
        head.add_class("nk-explore-chart-head")
        self.widget = VBox([head, self.figure])
        self.widget.add_class("nk-explore-chart")
        self.plot: Plot | None = None
        self._painted: tuple[Any, ...] = ()
        self._unit: str | None = None
        self._turn = 0
        self.narrow = False

    def paint(self, theme: str) -> None:
        self.theme = theme
        self._painted = ()
        if self.plot is not None:
            self.show(self.plot)

    def show(self, plot: Plot) -> None:
        """Draw a chart; its bars move from what they were."""
        self._draw(plot)
        self.plot = plot

    def over(self, simulated: Beside, pinned: Sequence[Beside]) -> None:
        """Put what was simulated and what was pinned over the bars."""
        assert self.plot is not None
        colours = find_theme(self.theme)
        rows = [*pinned, *[[None] * len(self.plot.x)] * (len(_PINS) - len(pinned))]
        pins = ((mark, row, "vermilion") for mark, row in zip(self._pinned, rows, strict=True))
        for mark, row, colour in ((self._drawn, simulated, "ink"), *pins):
            places = [(x, v) for x, v in zip(self.plot.x, row, strict=True) if v is not None]
            if places:
                with mark.hold_sync():
                    mark.x = [x for x, _ in places]
                    mark.y = np.array([v for _, v in places])
                    mark.colors = [colours[colour]]
                    mark.visible = True
            elif mark.visible:
                mark.visible = False
        self._fit(ticks(self.plot, simulated, *pinned), self.plot.unit)

    def _draw(self, plot: Plot) -> None:
        colours = find_theme(self.theme)
        bars = [colours["select"]] * len(plot.x)
        if plot.at is not None:
            bars[plot.at] = colours["accent"]
        shape = (plot.x, plot.at, plot.x_label, self.theme, self.narrow)
        few = len(plot.x) <= _FEW
        with self._bars.hold_sync(), self._labels.hold_sync(), self._lines.hold_sync():
            if shape != self._painted:
                self._painted = shape
                self._places(plot)
                self._bars.colors = bars
                self._labels.colors = self._lines.colors = [colours["ink"]]
                self._labels.default_size = 12 if self.narrow else 13
                self._axis(plot)
            self._bars.y = np.array(plot.y)
            named = range(len(plot.x)) if few else [] if plot.at is None else [plot.at]
            self._labels.visible = bool(named)
            if named:
                reach = 0 if few else round(_REACH * len(plot.x) * (_NARROW if self.narrow else 1))
                self._labels.x = [plot.x[i] for i in named]
                self._labels.y = np.array([max(plot.y[max(i - reach, 0) : i + reach + 1]) for i in named])
                self._labels.text = [("▾ " if i == plot.at else "") + number(plot.y[i], plot.unit) for i in named]
            if plot.lines:
                self._lines.x = [plot.x[0], plot.x[-1]]
                self._lines.y = np.array([[value, value] for _, value in plot.lines])
            self._lines.visible = bool(plot.lines)
        self._fit(ticks(plot), plot.unit)
        unit = f", {plot.unit}" if plot.unit else ""
        aslant = html(" <span class=nk-note>({})</span>", "" if self._axes[0].label else plot.x_label)
        lines = "; ".join(f"{word} {number(value, plot.unit)}{unit[1:]}" for word, value in plot.lines)
        note = html("<p class=nk-note>dashed: {}</p>", lines)
        heading = html("<h3>{}{}{}</h3>{}", plot.title, unit, aslant, note)
        if self.heading.value != heading:
            self.heading.value = heading

    def _places(self, plot: Plot) -> None:
        """Put every mark on this chart's places: the scale is made of them, and nothing must lie beside it."""
        x = list(plot.x)
        if list(self._bars.x) == x:
            return
        self._bars.x = x
        self._turn ^= 1
        for mark in (self._labels, self._lines, *self._pinned, self._drawn):
            mark.x, mark.y = x[:1], np.zeros(1)

    def _axis(self, plot: Plot) -> None:
        axis = self._axes[0]
        share = _NARROW if self.narrow else 1
        longest, room = max(map(len, plot.x)), _NAMES // share
        counts = longest <= 2 * _SHORT and all(name[:1].isdigit() for name in plot.x)  # some may be left out
        slanted = longest > _SHORT and not counts and sum(map(len, plot.x)) + len(plot.x) > room
        fit = _SLANTED // share if slanted else room // (longest + 1)
        every = -(-len(plot.x) // fit)
        axis.label = "" if slanted else plot.x_label
        axis.num_ticks = len(plot.x) // every + 1 if every > 1 else None  # how the browser thins names
        axis.tick_rotate = -50 if slanted else 0
        axis.tick_style = {"text-anchor": "end"} if slanted else {}
        (self.figure.remove_class if slanted else self.figure.add_class)("nk-explore-flat")
        # The browser finds the middle of the bars anew only when a margin changes: so it does, a hair, with the bars.
        # The margin below stays: bars would go on standing on the old one.
        self.figure.fig_margin = _DEEP | {"right": _DEEP["right"] + self._turn / 1000}

    def _fit(self, marks: Sequence[float], unit: str) -> None:
        """Have the y axis go to the last of these ticks, with room for a number above it."""
        height = marks[-1]
        if self._y.max == _ROOM * height and self._unit == unit:
            return
        self._unit = unit
        _set_ticks(self._axes[1], marks, marks[1], unit)
        self._y.max = _ROOM * height


def _set_ticks(axis: Axis, ticks: Sequence[float], step: float, unit: str) -> None:
    """Ticks with our own words; the words first, for an axis is not written anew for their sake."""
    axis.tick_labels = {_key(value): tick(value, step, unit) for value in ticks}
    axis.tick_values = np.array(ticks, dtype=float)


def _key(value: float) -> str:
    """A number as the browser writes it."""
    return str(int(value)) if value == int(value) else repr(float(value))


class RunView(_Chart):
    """The curve of a Monte Carlo run: the estimate with its 95 % band, closing on the exact value."""

    def __init__(self) -> None:
        self._x, self._y = LinearScale(min=0.0, max=1.0), LinearScale(min=0.0, max=1.0)
        scales = {"x": self._x, "y": self._y}
        self._band = Lines(x=[0.0, 1.0], y=[[0.0, 0.0], [0.0, 0.0]], scales=scales, fill="between",
                           fill_opacities=[0.25, 0.25], stroke_width=0.0, visible=False)
        self._line = Lines(x=[0.0, 1.0], y=[0.0, 0.0], scales=scales, stroke_width=2.0, visible=False)
        self._exact = Lines(x=[0.0, 1.0], y=[0.0, 0.0], scales=scales, line_style="dashed", stroke_width=1.5)
        self._axes = [
            Axis(scale=self._x, label="trials", label_offset="34px", grid_lines="none", tick_format=",.0f"),
            Axis(scale=self._y, side="left", num_ticks=5),
        ]
        super().__init__([self._band, self._line, self._exact], self._axes, "200px", _MARGIN | {"right": 34})
        self.figure.animation_duration, self.figure.padding_x = 0, 0.0
        self.paint("light")

    def say(self, trials: str) -> None:
        """Write what the x axis counts."""
        self._axes[0].label = trials

    def paint(self, theme: str) -> None:
        self.theme = theme
        colours = find_theme(theme)
        self._band.colors = self._band.fill_colors = [colours["select"]] * 2
        self._line.colors, self._exact.colors = [colours["select"]], [colours["ink"]]

    def show(self, curve: Sequence[tuple[int, float, float]], n: int, exact: float, unit: str) -> None:
        """Draw a run of ``n`` trials so far: pairs of trials, estimate and standard error."""
        self._x.max = float(n)
        low, high = run_range(curve, exact, unit)
        with self._y.hold_sync():
            self._y.min, self._y.max = low, high
        _set_ticks(self._axes[1], run_ticks(low, high), round_up((high - low) / 5), unit)
        self._axes[0].tick_values = np.linspace(0, n, 5)
        with self._exact.hold_sync():
            self._exact.x, self._exact.y = [0.0, float(n)], np.array([exact, exact])
        drawn = len(curve) > 1
        if drawn:
            x, y, error = np.array(curve, dtype=float).T
            with self._line.hold_sync(), self._band.hold_sync():
                self._line.x, self._line.y = x, y
                self._band.x = x
                self._band.y = np.clip([y - _BAND * error, y + _BAND * error], low, high)
        self._line.visible = self._band.visible = drawn


# -- The explorer's own widgets: a board of marks, and the slider, menu or box of every other control

HERE = Path(__file__)
_HEATS = 10
_WORD = 12  # characters of a row's name on a map


class MarksBoard(Scripted):
    """A board of cells; each click takes one to its next mark. ``clicked`` is called with the id of a cell, and 1, or
    -1 to go back."""

    _esm = HERE.with_name("board.js")
    _css = HERE.with_name("explore.css")
    rows: traitlets.List[Any] = traitlets.List().tag(sync=True)
    marks: traitlets.List[Any] = traitlets.List().tag(sync=True)
    levels = traitlets.Dict().tag(sync=True)
    notes = traitlets.Dict().tag(sync=True)
    label = traitlets.Unicode().tag(sync=True)
    kind = traitlets.Unicode("deck").tag(sync=True)

    def __init__(self, control: Marks | None = None) -> None:
        rows = [] if control is None else [
            [{"id": c.id, "label": c.label, "name": str(c.name), "tone": c.tone} for c in row] for row in control.rows
        ]
        kind = "deck" if control is None or len(control.marks) == 2 else "pile" if control.tally else "map"
        marks = [["", ""]] if control is None else [
            [sign, control.say(f"mark.{i}") or str(i)] for i, sign in enumerate(control.marks)
        ]
        super().__init__(rows=rows, kind=kind, marks=marks, label=control.label if control else "")
        self.clicked: Callable[[str, int], None] = lambda cell, by: None
        self._all = rows
        self._notes: dict[str, list[Any]] = {}
        self.hear(mark=lambda told: self.clicked(str(told["cell"]), 1 if told.get("by") == 1 else -1))

    def show(self, levels: Mapping[str, int], chances: Mapping[str, float] | None,
             there: Collection[str] | None = None) -> None:
        """Show these marks, and a probability on every cell that has one; None keeps those that are shown. ``there``:
        the cells there are; None for all."""
        if there is not None:
            kept = ([cell for cell in row if cell["id"] in there or cell["id"] in levels] for row in self._all)
            rows = [row for row in kept if row]
            if rows != self.rows:
                self.rows = rows
        if chances is not None:
            top = max(chances.values(), default=0.0) or 1.0
            self._notes = {id: [f"{100 * p:.0f}", min(_HEATS - 1, int(_HEATS * p / top))] for id, p in chances.items()}
        self.levels = dict(levels)
        self.notes = {id: note for id, note in self._notes.items() if id not in levels}


class MapBoard(MarksBoard):
    """A map of two controls: a cell for each pair of their values, its colour the answer; the exact one is written on
    it where there is room, and said of the cell that the pointer or the focus is on. ``clicked`` is called with a
    cell's id, "COLUMN ROW" by number."""

    def __init__(self) -> None:
        super().__init__()
        self.kind = "heat"

    def draw(self, across: Control, down: Control, found: Map, unit: str, here: tuple[Any, Any]) -> None:
        """Draw the answers there are so far; the others are blank. ``here``: the present settings, framed."""
        xs, ys = (list(dict.fromkeys(key[i] for key in found)) for i in (0, 1))
        values = [float(value) for value in found.values() if value is not None]
        low, high = min(values, default=0.0), max(values, default=0.0)
        rows: list[list[dict[str, str]]] = []
        notes: dict[str, list[Any]] = {}
        for j, y in reversed(list(enumerate(ys))):
            row = [{"id": "", "label": down.shown(y) if len(down.shown(y)) < _WORD else str(y)}]
            for i, x in enumerate(xs):
                id, value = f"{i} {j}", found.get((x, y))
                name = f"{across.label} {across.shown(x)}, {down.label} {down.shown(y)}"
                row.append({"id": id, "label": "", "name": name, "tone": "here" if (x, y) == here else ""})
                if value is not None:
                    heat = int(_HEATS * (float(value) - low) / (high - low)) if high > low else 0
                    short = f"{100 * float(value):.0f}" if not unit else local(f"{float(value):.3g}")
                    notes[id] = [short, min(_HEATS - 1, heat), amount(value, unit)]
            rows.append(row)
        rows.append([{"id": "", "label": ""}, *({"id": "", "label": str(x)} for x in xs)])
        with self.hold_sync():
            if rows != self.rows:
                self.rows = rows
            self.notes = notes


class ControlWidget:
    """The widget of one control. ``moved`` is called with the control's name and new value when the reader moves it.
    ``marked`` is called with the name, a cell and 1 or -1."""

    def __init__(self, control: Control, moved: Callable[[str, Any], None],
                 marked: Callable[[str, str, int], None]) -> None:
        self.control, self._heard = control, Heard()
        self.field: Any = None
        self.board: MarksBoard | None = None
        self._idle = classed(HTML(), "nk-explore-idle")
        shown(self._idle, False)
        unit, help = control.say("unit"), control.say("help")
        name = f"{control.label}, {unit}" if unit else control.label
        note = html("<p class=nk-note>{}</p>", help)
        if isinstance(control, Marks):
            self.board = MarksBoard(control)
            self.board.clicked = lambda cell, by: marked(control.name, cell, by)
            self._head = HTML()
            title = SAY("button.clear.help", label=control.label)
            clear = button(SAY("button.clear"), title, partial(moved, control.name, ""), "nk-explore-clear")
            self.widget = VBox([box("nk-explore-marks-head", self._head, clear), self.board, HTML(note)])
        else:
            self.field = _field(control, name)
            self._heard.value(self.field, partial(moved, control.name))
            self._idle.value = html("<p class=nk-note>{}</p>", SAY("idle"))
            told = [HTML(note)] if note and isinstance(control, Choice) else []
            self.widget = VBox([self.field, *told, self._idle])
            if note and not isinstance(control, Choice):
                self.field.tooltip = help
        keyed(classed(self.widget, "nk-explore-control"), f"control.{control.name}")

    def rest(self, idle: bool) -> None:
        """Say whether it changes nothing here."""
        shown(self._idle, idle)

    def show(self, settings: Settings, chances: Mapping[str, float] | None) -> None:
        """Show its value at some settings without having moved to it; see `MarksBoard.show`."""
        value = settings[self.control.name]
        if self.board is not None:
            assert isinstance(self.control, Marks)
            levels = self.control.levels(value)
            self.board.show(levels, chances, self.control.there and self.control.there(settings))
            marks = sum(levels.values()) if self.control.tally else len(levels)
            self._head.value = html("<b>{}</b>: {}", self.control.label, marks or self.control.say("none"))
            return
        with self._heard.quietly():
            self.field.value = value


def _field(control: Control, name: str) -> Any:
    if isinstance(control, Whole):
        return IntSlider(control.default, control.low, control.high, control.step, description=name)
    if isinstance(control, Switch):
        return Checkbox(control.default, description=name, indent=False)
    assert isinstance(control, Choice)
    options = [(control.shown(word), word) for word in control.choices]
    return Dropdown(options=options, value=control.default, description=name)
