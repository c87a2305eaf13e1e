"""A page's charts without a browser."""

from __future__ import annotations

from dataclasses import replace

from navalkit.ui.charts import BarChart
from navalkit.view.page import Chart

CHART = Chart("fire", "Chance of a hit", "course", "chance", ("1", "2"), (0.25, 0.5), ("25 %", "50 %"), True, "Exact.")


def test_a_chart_without_categories_is_its_note_alone_and_comes_back():
    chart = BarChart()
    chart.show(CHART)
    whole = chart.widget.children
    assert len(whole) == 3
    chart.show(replace(CHART, x=(), y=(), labels=(), note="Nothing in sight."))
    heading, note = chart.widget.children
    assert "Chance of a hit" in heading.value and "Nothing in sight." in note.value
    chart.show(CHART)
    assert chart.widget.children == whole and "Exact." in note.value
