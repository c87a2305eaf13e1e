"""Charts of a page: a row a category, with its bar and its figure, legible at every width and to every reader."""

from __future__ import annotations

from html import escape

from ipywidgets import HTML

from navalkit.view.page import Chart


class BarChart:
    """One `Chart`, kept up to date by `show`."""

    def __init__(self) -> None:
        self.widget = HTML()
        self.widget.add_class("nk-chart-box")

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
        f"<tr><th scope=row>{escape(x)}</th><td class=nk-track-cell><i style='width:{100 * y / top:.1f}%'></i></td>"
        f"<td>{escape(label)}</td></tr>"
        for x, y, label in zip(chart.x, chart.y, chart.labels, strict=True)
    )
    title = f"<h3>{escape(chart.title)}</h3>" if chart.title else ""
    table = f"<table class=nk-bars aria-label='{escape(chart.title, quote=True)}'>{rows}</table>" if rows else ""
    note = f"<p class=nk-note>{escape(chart.note)}</p>" if chart.note else ""
    return title + table + note
