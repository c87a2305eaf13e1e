"""Charts of a page: a row a category, with its bar and its figure, legible at every width and to every reader."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from navalkit.core.language.words import local
from navalkit.view.page import Chart

from .markup import Markup


class BarChart:
    """One `Chart`, kept up to date by `show`."""

    def __init__(self) -> None:
        self.widget = Markup()
        self.widget.add_class("nk-chart")

    def wait(self) -> None:
        """Fade what is shown: it belongs to another position, and the chart of this one is still being calculated."""
        self.widget.add_class("nk-stale")

    def show(self, chart: Chart) -> None:
        """Draw the chart. Without categories there are title and note alone."""
        self.widget.remove_class("nk-stale")
        self.widget.value = _drawn(chart)


def _drawn(chart: Chart) -> str:
    top = 1.0 if chart.percent else max(1.0, max(chart.y, default=1.0))
    rows = "".join(
        f"<tr><th scope=row>{escape(x)}</th><td><i style='width:{100 * y / top:.1f}%'></i></td>"
        f"<td>{escape(label)}</td></tr>"
        for x, y, label in zip(chart.x, chart.y, chart.labels, strict=True)
    )
    title = f"<h3>{escape(chart.title)}</h3>" if chart.title else ""
    table = f"<table class=nk-bars aria-label='{escape(chart.title, quote=True)}'>{rows}</table>" if rows else ""
    note = f"<p class=nk-note>{escape(chart.note)}</p>" if chart.note else ""
    return title + table + note


def curve(
    title: str, line: Sequence[tuple[int, float, float]], marked: Sequence[int], note: str, *, percent: bool
) -> str:
    """A value over the steps of a game as HTML: a line in a band of its standard error, some steps marked and numbered.

    ``line``: step, value and standard error, in order. ``marked``: steps that get a dot with their number in this
    sequence, from 1. ``note``: how it was found. ``percent``: whether values are chances, drawn from 0 to 100 %.
    """
    last = max(1, line[-1][0])
    top = 1.0 if percent else 1.1 * max(1e-9, *(value + error for _, value, error in line))

    def at(step: float, value: float) -> tuple[float, float]:
        return 40 + 300 * step / last, 110 - 100 * min(max(value / top, 0), 1)

    def points(places: Iterable[tuple[float, float]]) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)

    band = [at(x, y + e) for x, y, e in line] + [at(x, y - e) for x, y, e in reversed(line)]
    steps = [(top * share, 110 - 100 * share) for share in (0.0, 0.5, 1.0)]
    axis = "".join(
        f"<path d='M40 {y:.0f}h300' stroke='currentColor' stroke-opacity='.2'/><text x='36' y='{y + 4:.0f}' "
        f"text-anchor='end'>{local(f'{value:.0%}' if percent else f'{value:,.3g}' if value < 100 else f'{value:,.0f}')}"
        "</text>"
        for value, y in steps
    )
    dots = ""
    for number, step in enumerate(marked, 1):
        value = max((each for each in line if each[0] <= step), default=line[0])[1]
        x, y = at(step, value)
        dots += (
            f"<circle cx='{x:.1f}' cy='{y:.1f}' r='7' fill='var(--accent, #d55e00)'/>"
            f"<text x='{x:.1f}' y='{y + 4:.1f}' text-anchor='middle' fill='#fff'>{number}</text>"
        )
    return (
        f"<h3>{escape(title)}</h3><svg class=nk-curve viewBox='-16 0 366 130' role=img aria-label='"
        f"{escape(title, quote=True)}' font-size='12' fill='currentColor'>{axis}"
        f"<polygon points='{points(band)}' fill='var(--bar, #0072b2)' fill-opacity='.25'/>"
        f"<polyline points='{points(at(x, y) for x, y, _ in line)}' fill='none' stroke='var(--bar, #0072b2)' "
        f"stroke-width='2'/>{dots}<text x='40' y='126'>{line[0][0]}</text>"
        f"<text x='340' y='126' text-anchor='end'>{line[-1][0]}</text></svg><p class=nk-note>{escape(note)}</p>"
    )
