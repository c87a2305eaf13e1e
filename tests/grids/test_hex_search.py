"""What is still to go in open water is known exactly, from wherever a ship may come."""

from __future__ import annotations
from itertools import product

import pytest

from navalkit.grids.hex import DIRECTIONS, STEPS, Hex
from navalkit.grids.hex_moves import NONE, TURNS, Place, _best_first, _homeward, shortest_path

GOAL = Place(Hex(3, -2), 5)


def ways(hexes: int) -> dict[tuple[int, int, int], tuple[int, int]]:
    """From all places within a number of hexes of `GOAL` the hexes and turns of the best way, walked backwards."""
    known = {(*GOAL.bow, GOAL.direction): (0, 0)}
    ring = dict(known)
    for _ in range(hexes):
        further: dict[tuple[int, int, int], tuple[int, int]] = {}
        for ((q, r, heading), (far, turns)), turn in product(ring.items(), TURNS):
            before = (q - STEPS[heading][0], r - STEPS[heading][1], (heading - 1 - turn) % 6 + 1)
            if before not in known:
                further[before] = min(further.get(before, (99, 0)), (far + 1, turns + abs(turn)))
        known |= further
        ring = further
    return known


def test_the_way_home_is_exact_near_and_far() -> None:
    to_go = _homeward(GOAL)
    walked = ways(26)
    assert len(walked) > 10_000
    assert {place: to_go(*place) for place in walked} == walked


@pytest.mark.parametrize("heading", DIRECTIONS)
def test_a_long_way_in_open_water_looks_at_nothing_beside_it(heading: int) -> None:
    start = Place(Hex(-31, 60), heading)
    path = shortest_path(start, [GOAL])
    assert path is not None and path[-1] == GOAL
    looked_at = []
    for at, _ in _best_first(start, 120, _homeward(GOAL), NONE, NONE):
        looked_at.append(at)
        if at == (*GOAL.bow, GOAL.direction):
            break
    assert len(looked_at) == len(path) + 1
