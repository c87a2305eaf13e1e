"""Ships on two hexes: moves, the Williamson turn by exhaustion, searches against breadth-first search."""

from __future__ import annotations
import random
from itertools import product

import pytest

from navalkit.core.errors import IllegalActionError
from navalkit.grids.hex import DIRECTIONS, Hex, opposite, turn_between
from navalkit.grids.hex_moves import (
    Place,
    any_heading,
    moves,
    reachable,
    shortest_path,
    why_not_move,
    why_not_path,
    williamson,
)
from navalkit.testing import refused, said
from ..sentences import CORE

M20 = Hex.parse("M20")
START = Place(M20, 6)


def h(label: str) -> Hex:
    return Hex.parse(label)


def legal(place: Place, to: Place, forbidden: set[Hex], taken: set[Hex]) -> bool:
    """The rules of a move said again from the hexes alone: the twin of ``moves`` and ``why_not_move``."""
    if (to.direction - place.direction) % 6 not in (0, 1, 5) or place.bow.step(to.direction) != to.bow:
        return False
    if to.bow in forbidden or to.bow in taken:
        return False
    swung = place.bow.step(opposite(to.direction))
    return swung == place.stern or swung not in taken


def sailed(start: Place, turns: tuple[int, ...]) -> list[Place]:
    path = [start]
    for turn in turns:
        path.append(path[-1].entering(turn))
    return path[1:]


def rank(start: Place, path: list[Place]) -> tuple[int, int, list[int]]:
    """What paths are compared by: hexes, turns, then the order port, starboard, ahead at the first difference."""
    turns = [turn_between(a.direction, b.direction) for a, b in zip([start, *path], path, strict=False)]
    return len(path), sum(map(abs, turns)), [(-1, 1, 0).index(t) for t in turns]


def sea(seed: int) -> tuple[set[Hex], set[Hex]]:
    """Random forbidden and taken hexes around M20, which with its ship stays clear."""
    rng = random.Random(seed)
    hexes = [g for g in M20.disc(6) if g not in START.hexes]
    chosen = rng.sample(hexes, 45)
    return set(chosen[:25]), set(chosen[25:])


def test_a_place_is_the_pair_of_bow_and_direction_and_its_stern_lies_behind() -> None:
    assert START == (M20, 6) and START.hexes == (h("M20"), h("M21"))
    assert START.ahead(3) == (h("M17"), 6)
    assert START.entering(-1) == (h("L19"), 5) and START.entering(1) == (h("N19"), 1)
    assert str(START) == "M20 course 6"


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_turn_swings_the_stern_into_a_hex_next_to_bow_and_stern(direction: int) -> None:
    ship = Place(M20, direction)
    both = set(ship.bow.neighbours()) & set(ship.stern.neighbours())
    assert set(ship.pivots) == both and len(both) == 2
    assert ship.pivots == (ship.turned(-1).stern, ship.turned(1).stern)
    # A turn to port swings the stern to starboard.
    assert (ship.bow.bearing(ship.pivots[0]) - 60 * direction) % 360 < 180


def test_the_reasons_a_move_is_illegal() -> None:
    assert why_not_move(START, Place(h("M19"), 6)) is None
    said(why_not_move(START, Place(h("N20"), 2)), CORE, "ship.turn", abs=120)
    said(why_not_move(START, Place(h("M21"), 3)), CORE, "ship.turn", abs=180)
    said(why_not_move(START, Place(h("N20"), 1)), CORE, "ship.course", entered="N19", bow="N20")
    to_port = START.entering(-1)
    said(str(why_not_move(START, to_port, taken={h("N20")})), CORE, "ship.stern", hex="N20")
    assert why_not_move(START, to_port, taken={h("L20")}) is None  # the other side
    assert why_not_move(START, to_port, forbidden={h("N20")}) is None  # a forbidden hex may be swung into
    said(str(why_not_move(START, to_port, taken={h("L19")})), CORE, "ship.bow.taken", hex="L19")
    said(str(why_not_move(START, to_port, forbidden={h("L19")})), CORE, "ship.bow.forbidden", hex="L19")
    assert "M18" in str(why_not_path(START, [START.ahead(1), START.ahead(2)], forbidden={h("M18")}))


@pytest.mark.parametrize("seed", range(5))
def test_moves_are_those_the_rules_allow(seed: int) -> None:
    forbidden, taken = sea(seed)
    for place in any_heading(*M20.disc(4)):
        near = any_heading(*place.bow.neighbours(), place.bow)
        right = {to for to in near if legal(place, to, forbidden, taken)}
        found = moves(place, forbidden, taken)
        assert set(found) == right == {to for to in near if why_not_move(place, to, forbidden, taken) is None}
        assert found == sorted(found, key=lambda to: rank(place, [to])[2])


def test_the_williamson_turn_of_the_rulings() -> None:
    path = williamson(M20, 6, "port")
    assert path == [(h("L19"), 5), (h("K19"), 5), (h("K18"), 6), (h("L17"), 1), (h("M18"), 2), (h("M19"), 3)]
    assert williamson(M20, 6, "starboard")[-1] == (h("M19"), 3)
    assert why_not_path(START, path) is None


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_no_way_onto_the_opposite_course_in_the_same_row_is_shorter_than_the_williamson_turn(direction: int) -> None:
    """All 3 + 9 + ... + 729 ways of up to six hexes: none of five, four of six, of which two turn away only once."""
    start = Place(M20, direction)
    row = {M20.step(direction, n) for n in range(-8, 9)}
    found = [
        path
        for n in range(1, 7)
        for turns in product((-1, 0, 1), repeat=n)
        if (path := sailed(start, turns))[-1].bow in row and path[-1].direction == opposite(direction)
    ]
    assert [len(path) for path in found] == [6, 6, 6, 6]
    seaman, mirrored = [williamson(M20, direction, side) for side in ("port", "starboard")]
    assert seaman in found and mirrored in found
    assert {path[-1].bow for path in found if path in (seaman, mirrored)} == {M20.step(direction)}
    for path in found:  # the other two are these two sailed backwards
        if path not in (seaman, mirrored):
            assert rank(start, path)[2] in [rank(start, p)[2][::-1] for p in (seaman, mirrored)]


def test_the_search_finds_the_williamson_turn() -> None:
    goal = Place(h("M19"), 3)
    assert shortest_path(START, [goal]) == williamson(M20, 6, "port")
    blocked = {h("K19")}
    assert shortest_path(START, [goal], forbidden=blocked) == williamson(M20, 6, "starboard")


def test_an_unknown_side_is_refused() -> None:
    with refused(IllegalActionError, CORE, "hex.side"):
        williamson(M20, 6, "left")  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(4))
def test_reachable_places_and_their_paths_are_the_best_of_all_ways(seed: int) -> None:
    forbidden, taken = sea(seed) if seed else (set(), set())
    best: dict[Place, list[Place]] = {START: []}
    ways: list[list[Place]] = [[]]
    for _ in range(5):
        ways = [
            [*way, to]
            for way in ways
            for place in [way[-1] if way else START]
            for to in (place.entering(turn) for turn in (-1, 0, 1))
            if legal(place, to, forbidden, taken)
        ]
        for way in ways:
            if way[-1] not in best or rank(START, way) < rank(START, best[way[-1]]):
                best[way[-1]] = way
    found = reachable(START, 5, forbidden, taken)
    assert found == best
    assert [len(path) for path in found.values()] == sorted(len(path) for path in found.values())


def distances(start: Place, radius: int, forbidden: set[Hex], taken: set[Hex]) -> dict[Place, int]:
    """Breadth-first search on (bow, direction) within a radius of M20: the twin of ``shortest_path``."""
    found, layer = {start: 0}, [start]
    while layer:
        after = []
        for place in layer:
            for to in (place.entering(turn) for turn in (-1, 0, 1)):
                if to not in found and M20.distance(to.bow) <= radius and legal(place, to, forbidden, taken):
                    found[to] = found[place] + 1
                    after.append(to)
        layer = after
    return found


@pytest.mark.parametrize("seed", range(4))
def test_shortest_paths_are_as_short_as_breadth_first_search_says(seed: int) -> None:
    forbidden, taken = sea(seed) if seed else (set(), set())
    found = distances(START, 14, forbidden, taken)  # wide enough to sail round whatever lies within 6
    for goal in any_heading(*M20.disc(7)):
        path = shortest_path(START, [goal], forbidden, taken, limit=16)
        expected = found.get(goal, 99)
        assert (path is not None) == (expected <= 16)
        if path is not None:
            assert len(path) == expected and [START, *path][-1] == goal
            assert all(legal(a, b, forbidden, taken) for a, b in zip([START, *path], path, strict=False))
            assert why_not_path(START, path, forbidden, taken) is None


def test_the_nearest_of_several_goals_is_taken() -> None:
    far, near = Place(M20.step(6, 9), 6), Place(M20.step(1, 4), 1)
    assert shortest_path(START, [far, near]) == [Place(M20.step(1, n), 1) for n in range(1, 5)]
    assert shortest_path(START, any_heading(M20.step(3, 2))) == min(
        (p for p in (shortest_path(START, [g]) for g in any_heading(M20.step(3, 2))) if p), key=lambda p: rank(START, p)
    )


def test_a_ship_already_there_stays_and_one_shut_in_has_no_way() -> None:
    assert shortest_path(START, [START]) == []
    assert shortest_path(START, []) is None
    assert shortest_path(START, [START.ahead(4)], taken=set(M20.ring(2))) is None
    assert shortest_path(START, [START.ahead(4)], limit=3) is None


def test_the_default_detour_is_enough_for_any_place_on_the_open_sea() -> None:
    for goal in any_heading(*M20.disc(4)):
        path = shortest_path(START, [goal])
        assert path is not None and len(path) - M20.distance(goal.bow) <= 7  # 7: back to one's own hex, turned about
