"""Charts of a page: bars that move when the numbers change."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from bqplot import Axis, Bars, Figure, Label, LinearScale, OrdinalScale
from ipywidgets import HTML, VBox
from numpy.typing import NDArray

from navalkit.view.page import Chart

_MOVE = 200  # ms
_ROOM = 28  # letters that stand side by side on a phone: names of more are written aslant, labels smaller
_LONG = 10  # letters of a name that have room aslant
_SIZE, _SMALL = 14, 11  # px
_MARGIN = {"top": 22, "bottom": 64, "left": 58, "right": 8}
"""With room for names written aslant. It never changes: bars would go on standing on the old one."""
_BAR = {"light": "#0072B2", "dark": "#56B4E9", "contrast": "#F0E442"}
_INK = {"light": "#14222C", "dark": "#EAF2F7", "contrast": "#FFFFFF"}


class BarChart:
    """One `Chart`, kept up to date by `show`."""

    def __init__(self, theme: str = "light") -> None:
        self._x, self._y = OrdinalScale(), LinearScale(min=0.0, max=1.0)
        scales = {"x": self._x, "y": self._y}
        self._bars = Bars(x=np.arange(1), y=np.zeros(1), scales=scales, padding=0.25)
        self._labels = Label(
            x=np.arange(1),
            y=np.zeros(1),
            text=[""],
            scales=scales,
            align="middle",
            default_size=_SIZE,
            y_offset=-8,
            font_weight="normal",
        )
        self._axes = [
            Axis(scale=self._x, grid_lines="none", label_offset="30px"),
            Axis(scale=self._y, side="left", num_ticks=5),
        ]
        self._figure = Figure(
            marks=[self._bars, self._labels],
            axes=self._axes,
            fig_margin=_MARGIN,
            padding_y=0,
            layout={"width": "100%", "height": "208px"},
            animation_duration=_MOVE,
        )
        self._heading, self._note = HTML(), HTML()
        self.widget = VBox([self._heading, self._figure, self._note])
        self.theme = theme

    @property
    def theme(self) -> str:
        """Name of the theme its colours come from."""
        return self._theme

    @theme.setter
    def theme(self, name: str) -> None:
        self._theme = name
        self._bars.colors = [_BAR[name]]
        self._labels.colors = [_INK[name]]

    @property
    def calm(self) -> bool:
        """Whether the bars jump instead of moving."""
        return bool(self._figure.animation_duration == 0)

    @calm.setter
    def calm(self, calm: bool) -> None:
        self._figure.animation_duration = 0 if calm else _MOVE

    def wait(self) -> None:
        """Fade what is shown: it belongs to another position, and the chart of this one is still being calculated."""
        self.widget.add_class("nk-stale")

    def show(self, chart: Chart) -> None:
        """Draw the chart; its bars move from what they were. Without categories there is the note alone."""
        self.widget.remove_class("nk-stale")
        self._heading.value = f"<h3 class='nk-chart-title'>{chart.title}</h3>"
        self._note.value = f"<p class='nk-note'>{chart.note}</p>" if chart.note else ""
        picture = (self._figure,) if chart.x else ()
        self.widget.children = (self._heading, *picture, self._note)
        if not chart.x:
            return
        top = 1.0 if chart.percent else max(1.0, max(chart.y, default=1.0))
        y = np.asarray(chart.y, dtype=float)
        crowded = _crowded(chart.x)
        with self._bars.hold_sync(), self._labels.hold_sync():
            self._bars.x = self._labels.x = _short(chart.x) if crowded else list(chart.x)
            self._bars.y = self._labels.y = y
            self._labels.text = list(chart.labels)
            self._labels.default_size = _SMALL if _crowded(chart.labels) else _SIZE
        self._y.max = 1.12 * top
        self._axes[0].label, self._axes[1].label = chart.x_label, ""
        self._axes[0].tick_rotate = -45 if crowded else 0
        self._axes[0].tick_style = {"text-anchor": "end", "font-size": f"{_SMALL}px"} if crowded else {}
        self._axes[1].tick_format = ".0%" if chart.percent else ",.0f"
        self._axes[1].tick_values = np.linspace(0.0, 1.0, 5) if chart.percent else _ticks(top)


def _crowded(texts: Sequence[str]) -> bool:
    return max(map(len, texts)) * len(texts) > _ROOM


def _short(names: Sequence[str]) -> list[str]:
    """Names of several words with initials, where they are long; all as they are, if two would then be the same."""
    short = []
    for name in names:
        *first, last = name.split(" ")
        short.append(" ".join([*(f"{word[:1]}." for word in first), last]) if len(name) > _LONG else name)
    return short if len(set(short)) == len(short) else list(names)


def _ticks(top: float) -> NDArray[np.float64]:
    """Round ticks from 0 to ``top``: steps of 1, 2 or 5 times a power of ten, at most six of them."""
    power = 10.0 ** np.floor(np.log10(top))
    step = next(step for share in (0.2, 0.5, 1.0, 2.0) if top / (step := share * power) <= 6)
    return np.arange(0.0, top + step / 2, step)
