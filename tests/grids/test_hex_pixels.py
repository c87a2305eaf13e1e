"""Hexes on a screen: pixel round trips, shared corners, and what a window shows."""

from __future__ import annotations
from math import dist, isclose, sqrt

from hypothesis import given, strategies as st

from navalkit.core.errors import OptionError
from navalkit.grids.hex import DIRECTIONS, Hex, Layout, opposite
from navalkit.testing import refused
from ..sentences import CORE

layouts = st.builds(Layout, st.floats(2, 80), st.floats(-900, 900), st.floats(-900, 900))
hexes = st.builds(Hex, st.integers(-200, 200), st.integers(-200, 200))


@given(layouts, hexes, st.floats(0, 0.98), st.integers(0, 5), st.floats(0, 1))
def test_every_pixel_inside_a_hex_leads_back_to_it(
    layout: Layout, h: Hex, out: float, corner: int, round_: float
) -> None:
    (x, y), corners = layout.center(h), layout.corners(h)
    (x1, y1), (x2, y2) = corners[corner], corners[(corner + 1) % 6]
    edge_x, edge_y = x1 + round_ * (x2 - x1), y1 + round_ * (y2 - y1)
    assert layout.hex_at(x + out * (edge_x - x), y + out * (edge_y - y)) == h


@given(layouts, st.floats(-5000, 5000), st.floats(-5000, 5000))
def test_a_pixel_belongs_to_the_hex_with_the_nearest_centre(layout: Layout, x: float, y: float) -> None:
    h = layout.hex_at(x, y)
    nearest = min(dist((x, y), layout.center(near)) for near in h.disc(2))
    assert dist((x, y), layout.center(h)) <= nearest + 1e-6


def test_a_hex_is_flat_topped_and_regular() -> None:
    layout = Layout(10, x0=50, y0=40)
    a1 = Hex.parse("A1")
    corners = layout.corners(a1)
    assert layout.center(a1) == (50, 40)
    assert all(isclose(dist(c, (50, 40)), 10) for c in corners)
    assert all(isclose(dist(c, d), 10) for c, d in zip(corners, [*corners[1:], corners[0]], strict=True))
    assert corners[0] == (60, 40) and isclose(corners[1][1], 40 + 5 * sqrt(3))  # right, then clockwise on the screen
    xs, ys = zip(*corners, strict=True)
    assert isclose(max(xs) - min(xs), layout.width) and isclose(max(ys) - min(ys), layout.height)


def test_columns_b_d_f_lie_half_a_hex_lower_on_the_screen() -> None:
    layout = Layout(10)
    (ax, ay), (bx, by), (cx, cy) = (layout.center(Hex.parse(label)) for label in ("A1", "B1", "C1"))
    assert (bx - ax, cx - ax) == (15, 30)
    assert isclose(by - ay, layout.height / 2) and isclose(cy, ay)


@given(layouts, hexes, st.sampled_from(DIRECTIONS))
def test_directions_on_the_screen_bear_as_they_do_at_sea_and_neighbours_share_a_side(
    layout: Layout, h: Hex, d: int
) -> None:
    near = h.step(d)
    (x, y), (u, v) = layout.center(h), layout.center(near)
    assert isclose(dist((x, y), (u, v)), layout.height, rel_tol=1e-6)
    side, other = layout.edge(h, d), layout.edge(near, opposite(d))
    for p, q in zip(side, other[::-1], strict=True):
        assert dist(p, q) < 1e-6
    middle = ((side[0][0] + side[1][0]) / 2, (side[0][1] + side[1][1]) / 2)
    assert dist(middle, ((x + u) / 2, (y + v) / 2)) < 1e-6


@given(layouts, st.floats(-500, 500), st.floats(-500, 500), st.floats(1, 300), st.floats(1, 300), st.integers(0, 400))
def test_a_window_shows_every_hex_it_touches_and_few_others(
    layout: Layout, left: float, top: float, width: float, height: float, i: int
) -> None:
    shown = list(layout.hexes_in(left, top, left + width, top + height))
    assert len(shown) == len(set(shown)) and shown == sorted(shown)
    x, y = left + width * (i % 21) / 20, top + height * (i // 21) / 20
    near = {layout.hex_at(x + dx, y + dy) for dx in (-1e-6, 0, 1e-6) for dy in (-1e-6, 0, 1e-6)}
    assert near & {*shown}  # several where the point lies on a border
    for h in shown[:: max(1, len(shown) // 50)]:
        cx, cy = layout.center(h)
        assert left - layout.size - 1e-6 <= cx <= left + width + layout.size + 1e-6
        assert top - layout.height / 2 - 1e-6 <= cy <= top + height + layout.height / 2 + 1e-6


def test_a_size_of_nothing_is_refused() -> None:
    for size in (0, -3, float("nan")):
        with refused(OptionError, CORE, "hex.pixels"):
            Layout(size)
