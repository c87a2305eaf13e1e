"""From points to cells and from cell to cell."""

from __future__ import annotations
from itertools import product

import pytest

from navalkit.core.errors import OptionError
from navalkit.testing import refused
from navalkit.view.scene import DIRECTIONS, Cell, Scene, contains, hit, neighbour, rect_outline
from ..sentences import CORE

SCENES = ["card_table", "square_map", "hex_map"]


@pytest.fixture(params=SCENES)
def scene(request):
    return request.getfixturevalue(request.param)


def test_the_centre_of_every_cell_hits_that_cell(scene):
    assert [hit(scene, *cell.centre) for cell in scene.cells] == list(scene.cells)


def test_points_just_inside_every_corner_hit_the_cell(scene):
    for cell in scene.cells:
        cx, cy = cell.centre
        for x, y in cell.outline:
            assert hit(scene, x + (cx - x) * 1e-6, y + (cy - y) * 1e-6) is cell


def test_outside_all_cells_nothing_is_hit(scene):
    assert hit(scene, -1, -1) is None and hit(scene, scene.width + 1, scene.height / 2) is None


def test_of_overlapping_cells_the_last_is_hit():
    cells = tuple(Cell(str(i), rect_outline(10 * i, 0, 50, 50), "") for i in range(3))
    assert hit(Scene(100, 50, (), cells), 25, 25).id == "2"
    assert hit(Scene(100, 50, (), cells), 15, 25).id == "1"


def test_a_point_on_a_common_edge_is_in_exactly_one_square(square_map):
    for x, y in product(range(80, 440, 40), range(80, 280, 40)):
        assert sum(contains(cell.outline, x, y) for cell in square_map.cells) == 1


def test_a_dent_in_an_outline_is_outside():
    dented = ((0, 0), (10, 0), (10, 10), (5, 3), (0, 10))
    assert contains(dented, 5, 2) and not contains(dented, 5, 6)


def test_arrows_on_squares_go_to_the_adjacent_square_or_stay_at_the_edge(square_map):
    for cell in square_map.cells:
        column, row = "ABCDEFGHIJ".index(cell.id[0]), int(cell.id[1])
        for direction, (dx, dy) in DIRECTIONS.items():
            c, r = column + dx, row + dy
            inside = 0 <= c < 10 and 1 <= r <= 6
            assert neighbour(square_map, cell.id, direction).id == (
                f"{'ABCDEFGHIJ'[c]}{r}" if inside else cell.id
            )


def test_arrows_on_hexes_go_to_an_adjacent_hex(hex_map):
    for cell in hex_map.cells:
        column, row = int(cell.id[0]), int(cell.id[1])
        if column < 6:
            assert neighbour(hex_map, cell.id, "right").id == f"{column + 1}{row}"
        down = neighbour(hex_map, cell.id, "down")
        assert int(down.id[1]) == min(row + 1, 4)
        assert abs(down.centre[0] - cell.centre[0]) < 27


def test_every_cell_can_be_reached_with_the_arrows(scene):
    seen, fresh = set(), [scene.cells[0].id]
    while fresh:
        seen.add(at := fresh.pop())
        fresh += {neighbour(scene, at, direction).id for direction in DIRECTIONS} - seen
    assert seen == {cell.id for cell in scene.cells}


def test_unknown_cell_and_direction_are_named(square_map):
    with refused(OptionError, CORE, "view.cell", id="'Z9'"):
        neighbour(square_map, "Z9", "up")
    with refused(OptionError, CORE, "view.direction", name="'north'"):
        neighbour(square_map, "A1", "north")
