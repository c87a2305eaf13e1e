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


SHIPS = ("Iowa", "Fletcher", "Patrick Henry", "Stephen Hopkins", "Graf Spee", "Schenectady")


def drawn(chart):
    found = BarChart()
    found.show(chart)
    return found


def test_many_long_names_stand_aslant_with_initials():
    plain = drawn(CHART)
    assert list(plain._bars.x) == ["1", "2"] and plain._axes[0].tick_rotate == 0
    many = drawn(replace(CHART, x=SHIPS, y=(0.5,) * 6, labels=("1116", "0", "0", "0", "0", "0")))
    assert list(many._bars.x) == ["Iowa", "Fletcher", "P. Henry", "S. Hopkins", "Graf Spee", "Schenectady"]
    assert list(many._labels.x) == list(many._bars.x) and many._axes[0].tick_rotate < 0
    assert many._labels.default_size == plain._labels.default_size, "six labels of four letters have room"
    wide = drawn(replace(CHART, x=SHIPS, y=(0.5,) * 6, labels=("11162", "0", "0", "0", "0", "0")))
    assert wide._labels.default_size < plain._labels.default_size


def test_two_names_never_become_one_bar():
    names = ("Richard Peary", "Robert Peary", "Stephen Hopkins")
    assert list(drawn(replace(CHART, x=names, y=(0.1, 0.2, 0.3), labels=("", "", "")))._bars.x) == list(names)
