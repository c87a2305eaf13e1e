"""Curves, arrows and dashes as points."""

from __future__ import annotations
from itertools import pairwise
from math import hypot

import pytest

from navalkit.view.painters import arrow_head, dashes, rounded, shaft
from navalkit.view.scene import Line, Rect, Style


def length(points):
    return sum(hypot(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in pairwise(points))


def test_sharp_rectangle_is_its_corners():
    assert rounded(Rect(1, 2, 3, 4, Style())) == ((1, 2), (4, 2), (4, 6), (1, 6))


@pytest.mark.parametrize("r", [1, 5, 20, 1000])
def test_rounded_rectangle_has_points_on_its_corner_circles_only(r):
    points = rounded(Rect(10, 10, 40, 60, Style(), r))
    r = min(r, 20)
    for x, y in points:
        cx, cy = min(max(x, 10 + r), 50 - r), min(max(y, 10 + r), 70 - r)
        assert hypot(x - cx, y - cy) == pytest.approx(r)
    assert points[0] == pytest.approx((10 + r, 10))


def test_dashes_take_up_their_share_and_keep_corners():
    line = ((0, 0), (30, 0), (30, 30))
    pieces = list(dashes(line, (10, 5)))
    assert [length(piece) for piece in pieces] == pytest.approx([10, 10, 10, 10])
    assert pieces[0] == ((0, 0), (10, 0))
    assert list(dashes(line, (40, 5)))[0] == ((0, 0), (30, 0), (30, 10))


def test_odd_dash_pattern_is_taken_twice():
    line = ((0, 0), (100, 0))
    assert list(dashes(line, (7,))) == list(dashes(line, (7, 7)))
    assert list(dashes(line, (1, 2, 3))) == list(dashes(line, (1, 2, 3, 1, 2, 3)))


@pytest.mark.parametrize("pattern", [(), (0, 0), (-1, 3)])
def test_pattern_that_draws_nothing_sensible_leaves_the_line_whole(pattern):
    assert list(dashes(((0, 0), (5, 5)), pattern)) == [((0, 0), (5, 5))]


def test_arrow_head_points_along_the_last_piece_and_the_shaft_ends_under_it():
    line = Line(((0, 0), (10, 10), (10, 60)), Style(None, "ink", 2), arrow=True)
    tip, *sides = arrow_head(line)
    assert tip == (10, 60) and all(y < 60 for _, y in sides)
    assert sum(x for x, _ in sides) / 2 == pytest.approx(10)
    assert 45 < shaft(line)[-1][1] < 60 and shaft(line)[:2] == line.points[:2]
    plain = Line(line.points, line.style)
    assert arrow_head(plain) == () and shaft(plain) == line.points
