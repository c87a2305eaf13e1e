"""How escorts steer in open water, and where their weapons go: rules 105 and 106, against slow and obvious twins."""

from __future__ import annotations
from itertools import pairwise, permutations, product

import pytest
from hypothesis import given, settings, strategies as st

from navalkit.games.on_patrol.escort import pattern
from navalkit.games.on_patrol.escort.manoeuvre import Intention, approach, circle, in_zone, ring_for
from navalkit.games.on_patrol.escort.pattern import Unit, cover, reach
from navalkit.games.on_patrol.sea.combat_tables import COMBAT
from navalkit.grids.hex import DIRECTIONS, Circle, Hex, assault_zone, radial_at, turn_between
from navalkit.grids.hex_moves import Place, why_not_path

M20 = Hex.parse("M20")
places = st.builds(
    lambda q, r, d: Place(Hex(M20.q + q, M20.r + r), d),
    st.integers(-16, 16),
    st.integers(-16, 16),
    st.sampled_from(DIRECTIONS),
)


def sail(start: Place, target: Hex, turns: int, speed: int = 3) -> list[Place]:
    """The places a ship comes to in radial movement on one target, over several turns."""
    place, plan, path = start, (), [start]
    for _ in range(turns):
        step = approach(place, target, speed, plan=plan)
        path += [leg.place for leg in step.legs]
        place, plan = path[-1], step.plan
    return path


def rules(step: Intention) -> list[str]:
    return [leg.rule for leg in step.legs]


@settings(deadline=None, max_examples=150)
@given(start=places, speed=st.integers(1, 6))
def test_105_3_2_every_escort_comes_to_the_target_by_legal_turns(start: Place, speed: int) -> None:
    path = sail(start, M20, 60 // speed, speed)
    assert why_not_path(start, path[1:]) is None
    assert any(place.bow == M20 for place in path)


@settings(deadline=None, max_examples=150)
@given(start=places)
def test_105_3_2b_on_a_radial_she_heads_for_the_target(start: Place) -> None:
    on = radial_at(start.bow, M20)
    if on is None or in_zone(start, M20) or abs(turn_between(start.direction, on.course)) > 1:
        return
    step = approach(start, M20, 1)
    assert step.legs[0].place == Place(start.bow.step(on.course), on.course)
    assert rules(step) == ["105.3.2b"]


@settings(deadline=None, max_examples=150)
@given(start=places)
def test_105_3_2a_off_the_radials_she_takes_the_shorter_vector(start: Place) -> None:
    if start.bow == M20 or radial_at(start.bow, M20) or in_zone(start, M20):
        return
    if M20.distance(start.stern) == 3 and M20.distance(start.ahead().bow) > 4:
        return  # she has just run through the zone, and turns back (105.4.9)
    chosen = approach(start, M20, 1).chosen
    assert chosen is not None
    lengths = []
    for course in DIRECTIONS:  # along which courses is a radial reached whose course is 60 degrees off?
        for n in range(1, 40):
            on = radial_at(start.bow.step(course, n), M20)
            if on is not None:
                if abs(turn_between(course, on.course)) == 1:
                    lengths.append(n)
                break
    assert chosen.length == min(lengths)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_105_3_3_facing_away_on_a_radial_she_makes_a_williamson_turn(direction: int) -> None:
    start = Place(M20.step(direction, 5), direction)
    step = approach(start, M20, 7)
    assert rules(step)[:6] == ["105.3.3"] * 6
    back = step.legs[5].place
    assert back == Place(start.bow.step(direction), (direction + 2) % 6 + 1)
    assert step.legs[6].place == back.ahead()


def test_105_3_3_port_unless_only_starboard_is_clear() -> None:
    start = Place(M20.step(2, 5), 2)
    port = approach(start, M20, 1)
    assert turn_between(2, port.legs[0].place.direction) == -1
    blocked = frozenset({port.legs[0].place.bow})
    assert turn_between(2, approach(start, M20, 1, taken=blocked).legs[0].place.direction) == 1
    everywhere = frozenset(start.bow.ring(1))
    assert turn_between(2, approach(start, M20, 1, taken=everywhere).legs[0].place.direction) == -1


def test_105_2_on_the_way_to_a_circle_too_port_unless_only_starboard_is_clear() -> None:
    start = Place(M20.step(2, 16), 2)
    port = circle(start, M20, 1, 12)
    assert turn_between(2, port.legs[0].place.direction) == -1
    for closed in ("forbidden", "taken"):
        blocked = {closed: frozenset({port.legs[0].place.bow})}
        assert turn_between(2, circle(start, M20, 1, 12, **blocked).legs[0].place.direction) == 1


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("turn", [-2, 2])
def test_105_3_2b_120_degrees_off_she_takes_the_shortest_way(direction: int, turn: int) -> None:
    inward = (direction + 2) % 6 + 1
    start = Place(M20.step(direction, 6), (inward + turn - 1) % 6 + 1)
    path = sail(start, M20, 5)
    first = next(p for p in path if p.direction == inward and radial_at(p.bow, M20) == radial_at(start.bow, M20))
    assert path.index(first) <= 4


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_105_4_9_through_the_zone_on_the_same_course_and_back_by_a_williamson_turn(direction: int) -> None:
    inward = (direction + 2) % 6 + 1
    path = sail(Place(M20.step(direction, 4), inward), M20, 6)
    entered = next(i for i, place in enumerate(path) if in_zone(place, M20))
    out = next(i for i in range(entered, len(path)) if not in_zone(path[i], M20))
    assert {p.direction for p in path[: out + 1]} == {inward}
    assert M20.distance(path[out].stern) == 3
    assert path[out + 6].direction == direction  # she is back on the row, the other way about
    assert radial_at(path[out + 6].bow, M20) is not None


def test_106_2_2_a_manoeuvre_of_radial_movement_ends_where_the_ring_is_reached() -> None:
    """Whether it was begun in this turn or in the one before."""
    start, target = Place(Hex.parse("A28"), 6), Hex.parse("B34")
    whole = circle(start, target, 5, 6)
    first = circle(start, target, 2, 6)
    second = circle(first.legs[-1].place, target, 3, 6, plan=first.plan)
    assert first.plan and target.distance(second.legs[0].place.bow) == 6
    assert [leg.place for leg in (*first.legs, *second.legs)] == [leg.place for leg in whole.legs]
    assert rules(whole)[3:] == ["106.2.2"] * 2


def test_105_4_9_one_that_faces_the_target_again_has_turned_back() -> None:
    """Pushed aside on her way out, she lies on a radial with 60 degrees to turn: she runs in again at once."""
    for turn in (-1, 0, 1):
        start = Place(M20.step(6, 5), (3 + turn - 1) % 6 + 1)
        assert rules(approach(start, M20, 3, ran=True)) == ["105.3.2b"] * 3
    about = Place(M20.step(6, 5), 5)
    assert rules(approach(about, M20, 3, ran=True)) == ["105.4.9"] * 3


def test_105_3_4_a_plan_is_kept_across_turns() -> None:
    start = Place(M20.step(1, 6), 1)
    whole = approach(start, M20, 6)
    first = approach(start, M20, 2)
    second = approach(first.legs[-1].place, M20, 4, plan=first.plan)
    assert [leg.place for leg in (*first.legs, *second.legs)] == [leg.place for leg in whole.legs]


@pytest.mark.parametrize(("distance", "kept", "ring"), [(20, 0, 12), (12, 0, 12), (11, 0, 6), (3, 0, 6), (5, 12, 12)])
def test_106_2_4_which_circle(distance: int, kept: int, ring: int) -> None:
    assert ring_for(M20, M20.step(3, distance), kept) == ring


@settings(deadline=None, max_examples=150)
@given(start=places, ring=st.sampled_from([6, 12]))
def test_106_1_2_once_on_the_circle_her_bow_never_leaves_it(start: Place, ring: int) -> None:
    place, plan, path = start, (), [start]
    for _ in range(20):
        step = circle(place, M20, 4, ring, plan=plan)
        path += [leg.place for leg in step.legs]
        place, plan = path[-1], step.plan
    assert why_not_path(start, path[1:]) is None
    around = Circle(M20, ring)
    along = [around.holds(a.bow) and b.bow == a.bow.step(around.course(a.bow)) for a, b in pairwise(path)]
    since = along.index(True) + 1
    assert since < 60
    for before, after in zip(path[since - 1 :], path[since:], strict=False):
        assert after.bow == before.bow.step(around.course(before.bow))  # counter-clockwise (106.2.2)


def test_106_2_2_what_is_left_of_a_manoeuvre_ends_on_the_circle() -> None:
    """She came from 120 degrees off the radial and meets the circle on its course: in one turn or in two."""
    place, left = Place(M20.step(5, 6), 3), (Place(M20.step(5, 5), 2),)
    on = circle(place, M20, 3, 6, plan=left)
    assert [leg.rule for leg in on.legs] == ["106.1.2"] * 3 and not on.plan


# Where the weapons go -------------------------------------------------------------------------------------------------


def best_set(units: list[Unit], order: list[Hex]) -> set[Hex]:
    """The hexes one weapon each can cover, the best by priority, by trying every assignment."""
    best: tuple[bool, ...] = ()
    for choice in product(*([None, *unit.reach] for unit in units)):
        used = [h for h in choice if h is not None]
        if len(used) == len(set(used)):
            covered = tuple(h in used for h in order)
            best = max(best, covered)
    return {h for h, on in zip(order, best, strict=True) if on}


@settings(deadline=None, max_examples=100)
@given(data=st.data())
def test_105_4_6_one_weapon_a_hex_by_priority_before_any_hex_gets_two(data: st.DataObject) -> None:
    zone = assault_zone(M20, 3)
    order = [h for _, h in zone]
    reaches = st.lists(st.sampled_from(order[:9]), min_size=1, max_size=4, unique=True)
    units = [
        Unit(weapon, {h: 1 for h in data.draw(reaches)})
        for weapon in data.draw(st.lists(st.sampled_from([pattern.DEPTH_CHARGE, pattern.K_GUN]), max_size=5))
    ]
    placed = cover(units, zone)
    assert len(placed) == len(units)  # all weapons that reach the zone are used (105.4.1)
    assert {p.at for p in placed if p.round == 1} == best_set(units, order)
    assert all(len({p.at for p in placed if p.round == n}) == sum(p.round == n for p in placed) for n in range(1, 6))


def test_105_4_6_six_charges_in_three_hexes_are_two_in_each() -> None:
    path = [Place(M20.step(6, 2 - n), 3) for n in range(3)]
    zone = assault_zone(M20, 3)
    reached = reach(pattern.DEPTH_CHARGE, path, [h for _, h in zone])
    placed = cover([Unit(pattern.DEPTH_CHARGE, reached)] * 6, zone)
    counts = {h: sum(p.at == h for p in placed) for h in reached}
    assert set(counts.values()) == {6 // len(reached)}


def test_105_4_10_only_what_is_thrown_goes_where_an_attack_is_marked() -> None:
    zone = assault_zone(M20, 3)
    gun, charge = Unit(pattern.K_GUN, {M20: 1}), Unit(pattern.DEPTH_CHARGE, {M20: 1})
    assert [p.weapon for p in cover([gun, charge], zone, marked={M20})] == [pattern.K_GUN]
    free = M20.step(3)
    assert [p.at for p in cover([Unit(pattern.K_GUN, {M20: 1, free: 1})], zone, marked={M20})] == [free]


def test_105_4_11_ahead_throwing_weapons_spare_hexes_with_ships() -> None:
    path, zone = [Place(M20, 3)], [h for _, h in assault_zone(M20, 3)]
    ahead = M20.step(3, COMBAT.weapons[pattern.HEDGEHOG].ahead)
    assert set(reach(pattern.HEDGEHOG, path, [*zone, ahead])) == {ahead}
    assert not reach(pattern.HEDGEHOG, path, [*zone, ahead], closed={ahead})
    assert set(reach(pattern.K_GUN, path, zone)) == {M20.step(6).step(1), M20.step(6).step(5)}


def test_102_5_the_one_ton_charge_gets_the_likeliest_hex_off_the_stern() -> None:
    """Whatever else reaches that hex, and in whatever order they are named: as many hexes are covered as without."""
    zone = assault_zone(M20, 3)
    ranked = [h for _, h in zone]
    astern = {h: n for n, h in enumerate((ranked[7], ranked[0], ranked[3]), 1)}
    beside = {h: n for n, h in enumerate((ranked[0], ranked[5]), 1)}
    units = [Unit(pattern.ONE_TON, astern), *[Unit(pattern.DEPTH_CHARGE, astern)] * 2, Unit(pattern.K_GUN, beside)]
    for order in permutations(units):
        placed = cover(order, zone)
        assert {p.at for p in placed} == {*astern, ranked[5]}
        assert next(p for p in placed if p.weapon == pattern.ONE_TON).at == ranked[0]
        assert all(p.at in unit.reach for p in placed for unit in units if unit.weapon == p.weapon)
