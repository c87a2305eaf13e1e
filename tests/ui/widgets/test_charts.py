"""A page's charts without a browser."""

from __future__ import annotations
import re
from dataclasses import replace

from navalkit.ui.widgets import BarChart
from navalkit.view.page import Chart

HALVES = ("1", "2"), (0.25, 0.5), ("25 %", "50 %")
CHART = Chart("fire", "Chance of a <hit>", "course", *HALVES, True, "Exact.")


def drawn(chart):
    found = BarChart()
    found.show(chart)
    return found.widget.value


def widths(markup):
    return [float(width) for width in re.findall(r"width:([\d.]+)%", markup)]


def test_every_category_has_its_bar_and_its_figure():
    markup = drawn(CHART)
    assert "Chance of a &lt;hit&gt;" in markup and "Exact." in markup
    assert re.findall("<th scope=row>(.*?)</th>", markup) == ["1", "2"] and "50 %" in markup
    assert widths(markup) == [25, 50], "a probability is a share of the whole width"


def test_other_values_are_shares_of_the_largest():
    assert widths(drawn(replace(CHART, percent=False, y=(2.0, 8.0)))) == [25, 100]


def test_a_chart_without_categories_is_its_note_alone():
    markup = drawn(replace(CHART, x=(), y=(), labels=(), note="Nothing in sight."))
    assert "<table" not in markup and "Nothing in sight." in markup


def test_what_belongs_to_another_position_fades_until_the_next_chart():
    chart = BarChart()
    chart.wait()
    assert "nk-stale" in chart.widget._dom_classes
    chart.show(CHART)
    assert "nk-stale" not in chart.widget._dom_classes
