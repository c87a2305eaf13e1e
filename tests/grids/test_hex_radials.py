"""Radials, vectors, the assault zone and circles, by exhaustion and by symmetry."""

from __future__ import annotations
from collections import Counter

import pytest

from navalkit.core.errors import IllegalActionError
from navalkit.grids.hex import (
    DIRECTIONS,
    Circle,
    Hex,
    assault_zone,
    opposite,
    radial_at,
    radials,
    turn_between,
    turned,
    vectors,
)
from navalkit.testing import refused
from ..sentences import CORE

M20 = Hex.parse("M20")
AROUND = M20.disc(12)


def moved(h: Hex, center: Hex, rotation: int, mirror: bool) -> Hex:
    """``h`` turned about a hex by steps of 60 degrees, after mirroring about the N-S line if so told."""
    a, b = center.along(6, h)
    first, second = (6, 5) if mirror else (6, 1)
    return center.step(turned(first, rotation), a).step(turned(second, rotation), b)


def test_radials_are_the_six_rows_of_hexes_that_start_beside_the_target() -> None:
    rays = radials(M20)
    assert [r.direction for r in rays] == list(DIRECTIONS)
    for ray in rays:
        assert ray.hexes(12) == [M20.step(ray.direction, n) for n in range(1, 13)]
        assert ray.course == opposite(ray.direction)
        on = {h for h in AROUND if ray.holds(h)}
        assert on == set(ray.hexes(12)) == {h for h in AROUND if radial_at(h, M20) == ray}
    assert radial_at(M20, M20) is None
    assert sum(radial_at(h, M20) is None for h in AROUND) == len(AROUND) - 6 * 12


def test_distance_to_a_radial_is_that_of_its_nearest_hex() -> None:
    for ray in radials(M20):
        hexes = ray.hexes(30)
        for h in AROUND:
            nearest = min(hexes, key=h.distance)  # the first, which is the nearest to the target
            assert ray.nearest(h) == nearest
            assert ray.distance(h) == h.distance(nearest)


def vectors_by_sailing(h: Hex, target: Hex) -> set[tuple[int, int, int]]:
    """The twin: sail each course for 40 hexes and see where one turn points to the target."""
    found = set()
    for course in DIRECTIONS:
        for n in range(1, 41):
            ray = radial_at(h.step(course, n), target)
            if ray is not None and abs(turn_between(course, ray.course)) == 1:
                found.add((ray.direction, course, n))
    return found


def test_off_the_radials_there_are_exactly_two_vectors_and_they_are_found() -> None:
    for h in AROUND:
        found = vectors(h, M20)
        if h == M20 or radial_at(h, M20):
            assert found == ()
            continue
        assert len(found) == 2
        assert {(v.radial.direction, v.course, v.length) for v in found} == vectors_by_sailing(h, M20)
        for v in found:
            assert v.joins == h.step(v.course, v.length) and v.radial.holds(v.joins)
            assert turned(v.course, v.last_turn) == v.radial.course and v.last_turn in (-1, 1)
            assert v.length == v.radial.distance(h) and v.turn is None
        assert found[0].length == min(ray.distance(h) for ray in radials(M20))


def test_vectors_come_shorter_first_then_with_the_smaller_turn() -> None:
    ties = 0
    for h in AROUND:
        for heading in DIRECTIONS:
            found = vectors(h, M20, heading)
            if not found:
                continue
            first, second = found
            for v in found:
                assert v.turn is not None and turned(heading, v.turn) == v.course
            assert first.length <= second.length
            if first.length == second.length:
                ties += 1
                # The two courses are 60 degrees apart, so that the turns onto them never are equal.
                assert abs(first.turn or 0) < abs(second.turn or 0)
    assert ties == 6 * 6 * 6  # halfway between two radials, at 2, 4 ... 12 hexes, on six headings


def test_a_vector_by_hand() -> None:
    """From 3 hexes N and 1 NE of the target: one hex on course 4 to the N radial, then a turn to port onto course 3."""
    h = M20.step(6, 3).step(1)
    first, second = vectors(h, M20, heading=5)
    assert (first.radial.direction, first.course, first.length, first.joins) == (6, 4, 1, M20.step(6, 3))
    assert (first.turn, first.last_turn) == (-1, -1)
    assert (second.radial.direction, second.course, second.length, second.joins) == (1, 3, 3, M20.step(1))
    assert (second.turn, second.last_turn) == (-2, 1)


def test_the_assault_zone_is_ranked_as_ruled() -> None:
    """Target M20, marker heading N: checked against the labels read off a drawing."""
    ranks: dict[int, list[str]] = {}
    for rank, h in assault_zone(M20, 6):
        ranks.setdefault(rank, []).append(h.label)
    assert ranks == {
        1: ["M20"],
        2: ["M19"],
        3: ["L19", "N19"],
        4: ["L20", "N20"],
        5: ["M21"],
        6: ["M18"],
        7: ["L18", "N18"],
        8: ["K19", "O19"],
        9: ["K20", "O20"],
        10: ["K21", "O21"],
        11: ["L21", "N21"],
        12: ["M22"],
    }


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_assault_zone_has_19_hexes_in_order_and_turns_with_the_marker(direction: int) -> None:
    zone = assault_zone(M20, direction)
    assert len(zone) == 19
    assert {h for _, h in zone} == set(M20.disc(2))
    assert [rank for rank, _ in zone] == sorted(rank for rank, _ in zone)
    pairs = {3, 4, 7, 8, 9, 10, 11}
    assert Counter(r for r, _ in zone) == {r: 2 if r in pairs else 1 for r in range(1, 13)}
    assert dict((h, r) for r, h in zone)[M20.step(opposite(direction))] == 5  # the marker's bow hex
    north = assault_zone(M20, 6)
    assert zone == [(r, moved(h, M20, direction, mirror=False)) for r, h in north]
    assert sorted(zone) == sorted((r, moved(h, M20, direction, mirror=True)) for r, h in north)
    for (rank, port), (other, starboard) in zip(zone, zone[1:], strict=False):
        if rank == other:  # a pair: mirror images, port first
            assert 180 < (M20.bearing(port) - 60 * direction) % 360 < 360
            assert 0 < (M20.bearing(starboard) - 60 * direction) % 360 < 180


@pytest.mark.parametrize("radius", [1, 2, 6, 12])
def test_circles_run_counter_clockwise_through_every_hex_at_their_distance(radius: int) -> None:
    circle = Circle(M20, radius)
    h, walked = M20.step(6, radius), []
    for _ in range(6 * radius):
        walked.append(h)
        after = h.step(circle.course(h))
        assert h.distance(after) == 1
        assert 0 < (M20.bearing(h) - M20.bearing(after)) % 360 < 180  # counter-clockwise
        turn = turn_between(circle.course(h), circle.course(after))
        assert turn == (-1 if radial_at(after, M20) else 0)  # 60 degrees to port on each radial (106.1.2)
        h = after
    assert h == walked[0] and walked == circle.hexes()
    assert set(walked) == {g for g in AROUND if circle.holds(g)} == set(M20.ring(radius))


def test_one_turn_brings_a_ship_from_a_radial_onto_the_circle() -> None:
    for ray in radials(M20):
        course = Circle(M20, 12).course(M20.step(ray.direction, 12))
        assert turn_between(ray.course, course) == 1


def test_what_is_not_on_a_circle_is_refused() -> None:
    with refused(IllegalActionError, CORE, "hex.off_circle", h="M15", distance=5, target="M20"):
        Circle(M20, 6).course(M20.step(6, 5))
    with refused(IllegalActionError, CORE, "hex.radius"):
        Circle(M20, 0)
