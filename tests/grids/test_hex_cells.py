"""Hexes against slow, obvious twins: breadth-first search on neighbours, and lines clipped in exact fractions."""

from __future__ import annotations
import random
from collections import deque
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from navalkit.core.errors import IllegalActionError, NotationError
from navalkit.grids.hex import (
    DIRECTIONS,
    Hex,
    line_of_sight,
    opposite,
    side_sign,
    sight_blockers,
    turn_between,
    turned,
)
from navalkit.testing import refused
from ..sentences import CORE

M20 = Hex.parse("M20")
hexes = st.builds(Hex, st.integers(-60, 60), st.integers(-60, 60))
far_hexes = st.builds(Hex, st.integers(-20_000, 20_000), st.integers(-20_000, 20_000))
directions = st.sampled_from(DIRECTIONS)


def flood(start: Hex, radius: int) -> dict[Hex, int]:
    """Distances by breadth-first search over neighbours: the twin of distance, ring and disc."""
    found, queue = {start: 0}, deque([start])
    while queue:
        h = queue.popleft()
        if found[h] < radius:
            for near in h.neighbours():
                if near not in found:
                    found[near] = found[h] + 1
                    queue.append(near)
    return found


@pytest.mark.parametrize(
    ("start", "around"),
    [
        ("M20", "N19 N20 M21 L20 L19 M19"),  # an odd column: its neighbours to the side lie half a hex lower
        ("N20", "O20 O21 N21 M21 M20 N19"),
        ("A1", "B0 B1 A2 -A1 -A0 A0"),
        ("-A1", "A1 A2 -A2 -B2 -B1 -A0"),
        ("Z5", "AA5 AA6 Z6 Y6 Y5 Z4"),
        ("AZ5", "BA5 BA6 AZ6 AY6 AY5 AZ4"),
    ],
)
def test_the_six_neighbours_by_label(start: str, around: str) -> None:
    h = Hex.parse(start)
    assert [h.step(d) for d in DIRECTIONS] == [Hex.parse(label) for label in around.split()]
    assert list(h.neighbours()) == [h.step(d) for d in DIRECTIONS]


def test_column_letters_run_on_after_z_and_start_again_left_of_a() -> None:
    labels = [Hex.at(column, 12).label for column in (1, 26, 27, 28, 52, 53, 702, 703, 0, -1, -25, -26)]
    assert labels == "A12 Z12 AA12 AB12 AZ12 BA12 ZZ12 AAA12 -A12 -B12 -Z12 -AA12".split()
    assert [Hex.at(3, row).label for row in (1, 0, -1)] == ["C1", "C0", "C-1"]


@given(far_hexes)
def test_labels_round_trip(h: Hex) -> None:
    assert Hex.parse(h.label) == h == Hex.at(h.column, h.row)
    assert Hex.parse(f" {h.label.lower()} ") == h
    assert eval(repr(h), {"Hex": Hex}) == h and str(h) == h.label


@given(far_hexes, far_hexes)
def test_different_hexes_have_different_labels(a: Hex, b: Hex) -> None:
    assert (a.label == b.label) == (a == b)


@pytest.mark.parametrize("text", ["", "M", "20", "M 20", "M20x", "--A1", "M--1", "M1.5", "É4", "M２０", "ABCDE1"])
def test_what_is_no_label_is_refused_with_an_example(text: str) -> None:
    with refused(NotationError, CORE, "hex.notation"):
        Hex.parse(text)


def test_hexes_are_frozen_values_sorted_by_column_then_downward() -> None:
    with pytest.raises(AttributeError):
        M20.q = 3  # type: ignore[misc]
    assert {M20, Hex.parse("m20")} == {M20}
    assert sorted(map(Hex.parse, "AA1 B3 B2 A9 -A1".split())) == list(map(Hex.parse, "-A1 A9 B2 B3 AA1".split()))


def test_a_wrong_direction_or_side_is_refused() -> None:
    for direction in (0, 7, -1):
        with refused(IllegalActionError, CORE, "hex.direction"):
            M20.step(direction)
    with refused(IllegalActionError, CORE, "hex.side"):
        side_sign("left")  # type: ignore[arg-type]
    with refused(IllegalActionError, CORE, "hex.no_direction"):
        M20.direction_to(M20)


def test_turns_undo_one_another_and_take_the_shorter_way() -> None:
    for old in DIRECTIONS:
        assert opposite(old) == turned(old, 3) == turned(old, -3)
        for new in DIRECTIONS:
            turn = turn_between(old, new)
            assert turned(old, turn) == new
            assert -2 <= turn <= 3
    assert [turn_between(1, d) for d in DIRECTIONS] == [0, 1, 2, 3, -2, -1]


def test_distance_rings_and_discs_agree_with_breadth_first_search() -> None:
    for start in (M20, Hex.parse("-C-4")):
        found = flood(start, 9)
        assert all(start.distance(h) == n for h, n in found.items())
        assert start.disc(9) == [h for n in range(10) for h in start.ring(n)]
        for n in range(10):
            ring = start.ring(n)
            assert len(ring) == len(set(ring)) == (6 * n or 1)
            assert set(ring) == {h for h, m in found.items() if m == n}


@given(hexes, st.integers(1, 15), directions)
def test_a_ring_starts_where_told_and_runs_clockwise_unbroken(h: Hex, n: int, start: int) -> None:
    ring = h.ring(n, start)
    assert [ring[n * i] for i in range(6)] == [h.step(turned(start, i), n) for i in range(6)]
    assert all(a.distance(b) == 1 for a, b in zip(ring, [*ring[1:], ring[0]], strict=True))


@given(hexes, hexes, hexes)
def test_distance_is_a_metric(a: Hex, b: Hex, c: Hex) -> None:
    assert a.distance(b) == b.distance(a)
    assert (a.distance(b) == 0) == (a == b)
    assert a.distance(c) <= a.distance(b) + b.distance(c)


@given(hexes, directions, st.integers(-9, 9))
def test_steps_add_up(h: Hex, d: int, n: int) -> None:
    assert h.step(d, n).distance(h) == abs(n)
    assert h.step(d, n) == h.step(opposite(d), -n)
    assert h.step(d, n).step(d) == h.step(d, n + 1)


@given(hexes, hexes, directions)
def test_steps_along_two_directions_lead_to_the_hex(a: Hex, b: Hex, d: int) -> None:
    m, n = a.along(d, b)
    assert a.step(d, m).step(turned(d, 1), n) == b


@given(hexes, hexes)
def test_direction_bearing_and_sector_agree(a: Hex, b: Hex) -> None:
    if a == b:
        return
    d, m, n = a.sector(b)
    assert m >= 1 and n >= 0 and m + n == a.distance(b)
    assert a.step(d, m).step(turned(d, 1), n) == b
    off = {k: (a.bearing(b) - 60 * k + 180) % 360 - 180 for k in DIRECTIONS}  # positive: b is to starboard of k
    closest = min(abs(x) for x in off.values())
    ties = [k for k, x in off.items() if abs(abs(x) - closest) < 1e-9]
    expected = ties[0] if len(ties) == 1 else next(k for k in ties if off[k] > 0)  # the one to port of the bearing
    assert a.direction_to(b) == expected
    assert abs((a.bearing(b) - b.bearing(a)) % 360 - 180) < 1e-9


def test_direction_d_bears_60_d_degrees() -> None:
    assert [round(M20.bearing(M20.step(d, 5)), 9) % 360 for d in DIRECTIONS] == [60, 120, 180, 240, 300, 0]
    assert round(M20.bearing(Hex.parse("O20")), 9) == 90


def test_two_hexes_abreast_is_one_step_60_and_one_120_degrees_off() -> None:
    for d in DIRECTIONS:
        two = M20.abreast(d, 2)
        assert two == M20.step(turned(d, 1)).step(turned(d, 2))
        assert round((M20.bearing(two) - 60 * d) % 360, 9) == 90
        assert M20.abreast(d, 8).abreast(d, -8) == M20
        assert M20.abreast(d, -2) == M20.step(turned(d, -1)).step(turned(d, -2))
    with refused(IllegalActionError, CORE, "hex.abreast"):
        M20.abreast(3, 3)


def test_the_columns_of_formations_7_and_10_stand_abreast_of_their_course() -> None:
    e20, u20, i40, q40 = map(Hex.parse, ("E20", "U20", "I40", "Q40"))
    assert M20.abreast(3, -8) == u20 and M20.abreast(3, 8) == e20  # sailing S, port is E
    assert i40.abreast(6, 8) == q40  # sailing N, starboard is E


def between(a: Hex, b: Hex) -> list[list[Hex]]:
    """The twin of ``line``: at each point i / n of the way, the hexes whose centre is nearest, in exact fractions."""
    n, steps = a.distance(b), []
    candidates = {h for near in a.line(b) for h in flood(near, 2)}
    for i in range(n + 1):
        q, r = a.q + Fraction((b.q - a.q) * i, n), a.r + Fraction((b.r - a.r) * i, n)
        off = {h: 3 * (h.q - q) ** 2 + (2 * (h.r - r) + h.q - q) ** 2 for h in candidates}
        steps.append([h for h in off if off[h] == min(off.values())])
    return steps


@pytest.mark.parametrize("seed", range(12))
def test_lines_take_the_nearest_hex_at_each_step(seed: int) -> None:
    rng = random.Random(seed)
    a = Hex(rng.randint(-5, 5), rng.randint(-5, 5))
    b = a.step(rng.randint(1, 6), rng.randint(1, 6)).step(rng.randint(1, 6), rng.randint(1, 3))
    if a == b:
        assert a.line(b) == [a]
        return
    line = a.line(b)
    assert len(line) == a.distance(b) + 1
    assert all(h in nearest for h, nearest in zip(line, between(a, b), strict=True))


@given(hexes, hexes)
def test_lines_are_shortest_paths_the_same_both_ways(a: Hex, b: Hex) -> None:
    line = a.line(b)
    assert line[0] == a and line[-1] == b
    assert [a.distance(h) for h in line] == list(range(a.distance(b) + 1))
    assert all(g.distance(h) == 1 for g, h in zip(line, line[1:], strict=False))
    assert line == b.line(a)[::-1]


@given(hexes, directions, st.integers(1, 12))
def test_a_line_along_a_direction_is_the_straight_row(h: Hex, d: int, n: int) -> None:
    assert h.line(h.step(d, n)) == [h.step(d, i) for i in range(n + 1)]


@given(hexes, directions, st.integers(0, 7), st.sampled_from([0, 20, 30, 60, 90, 180]))
def test_cones_hold_the_hexes_on_bearings_within_the_spread(h: Hex, d: int, radius: int, spread: int) -> None:
    cone = h.cone(d, radius, spread)
    off = {g: abs((h.bearing(g) - 60 * d + 180) % 360 - 180) for g in flood(h, radius) if g != h}
    assert set(cone) == {g for g, angle in off.items() if angle <= spread + 1e-6}
    assert len(cone) == len(set(cone))
    assert [h.distance(g) for g in cone] == sorted(h.distance(g) for g in cone)
    if spread < 180:  # ring by ring, each from port to starboard
        side = [(h.distance(g), round((h.bearing(g) - 60 * d + 180) % 360, 6)) for g in cone]
        assert side == sorted(side)
    if spread == 60:  # two sixths of the disc and three radials, the outer two on the edge
        assert len(cone) == radius * (radius + 2)


def crossed(a: Hex, b: Hex, h: Hex) -> bool | None:
    """Whether the line between the centres of a and b passes through the inside of h (True) or runs for a while along
    a side of it (None): the twin of the sight rules, the segment clipped by the six sides in exact fractions."""
    x, y = 3 * (a.q - h.q), 2 * (a.r - h.r) + a.q - h.q
    dx, dy = 3 * (b.q - a.q), 2 * (b.r - a.r) + b.q - a.q
    enter, leave, grazing = Fraction(0), Fraction(1), False
    for nx, ny, reach in ((0, 1, 1), (0, -1, 1), (1, 1, 2), (-1, -1, 2), (1, -1, 2), (-1, 1, 2)):
        # inside means nx X + ny Y < reach, where (X, Y) = (x, y) + t (dx, dy)
        speed, room = nx * dx + ny * dy, reach - nx * x - ny * y
        if speed > 0:
            leave = min(leave, Fraction(room, speed))
        elif speed < 0:
            enter = max(enter, Fraction(room, speed))
        elif room < 0:
            return False
        elif room == 0:
            grazing = True
    return False if enter >= leave else None if grazing else True


def test_sight_agrees_with_clipping_the_line_for_every_hex_within_six() -> None:
    a = M20
    for b in a.disc(6)[1:]:
        hidden = {h: crossed(a, b, h) for h in a.disc(7) if h not in (a, b)}
        for h, through in hidden.items():
            assert sight_blockers(a, b, {h}) == ([h] if through else []), (a, b, h)
        edges = [h for h, through in hidden.items() if through is None]
        for g in edges:
            for h in edges:
                pair = g != h and g.distance(h) == 1 and a.distance(g) == a.distance(h)
                assert line_of_sight(a, b, {g, h}) != pair


@given(hexes, hexes, st.sets(st.builds(Hex, st.integers(-60, 60), st.integers(-60, 60)), max_size=40))
def test_sight_is_symmetrical_and_the_ends_never_hide(a: Hex, b: Hex, blocking: set[Hex]) -> None:
    blocking |= set(a.line(b)[1:-1:3])
    blockers = sight_blockers(a, b, blocking)
    assert len(blockers) == len(set(blockers))
    assert set(sight_blockers(b, a, blocking)) == set(blockers) <= blocking
    assert sight_blockers(a, b, blocking | {a, b}) == blockers
    assert line_of_sight(a, b, blocking - set(blockers))


def test_sight_along_a_row_and_along_a_border() -> None:
    assert sight_blockers(M20, M20.step(3, 9), {M20.step(3, 7), M20.step(3, 2)}) == [
        M20.step(3, 2),
        M20.step(3, 7),
    ]
    across = M20.abreast(3, -2)  # the line runs E along the border of N19 and N20
    port, starboard = map(Hex.parse, ("N19", "N20"))
    assert line_of_sight(M20, across, {port}) and line_of_sight(M20, across, {starboard})
    assert set(sight_blockers(M20, across, {port, starboard})) == {port, starboard}
    assert line_of_sight(M20, M20, {M20, port})
