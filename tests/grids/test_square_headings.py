"""Headings, bearings and range on a board of squares, held against geometry in floating point."""

from __future__ import annotations
import math

import pytest

from navalkit.core.errors import DataError, NotationError
from navalkit.grids.square import (
    HEADINGS,
    SquareGrid,
    ahead,
    bearing,
    distance,
    heading,
    quarter,
    sections,
    shifted,
    step_cost,
)
from navalkit.testing import refused
from ..sentences import CORE

GRID = SquareGrid(9, 13)


@pytest.mark.parametrize("number, name", list(enumerate(HEADINGS)))
def test_headings_have_names(number: int, name: str) -> None:
    assert heading(name) == heading(name.lower()) == number


@pytest.mark.parametrize("name", ["", "NNE", "north", "x" * 50])
def test_what_is_no_heading_is_refused(name: str) -> None:
    with refused(NotationError, CORE, "square.heading"):
        heading(name)


def test_a_step_on_each_heading_leads_to_the_neighbour() -> None:
    centre = GRID.number("E5")
    names = [GRID.names[square] for h in range(8) if (square := ahead(GRID, centre, h)) is not None]
    assert names == ["E4", "F4", "F5", "F6", "E6", "D6", "D5", "D4"]
    for h in range(8):
        square = ahead(GRID, centre, h)
        assert square is not None and distance(GRID, centre, square) == step_cost(h)
        assert bearing(GRID, centre, square) == h
        assert ahead(GRID, square, (h + 4) % 8) == centre


def test_nothing_lies_beyond_the_edge() -> None:
    for square in range(GRID.size):
        near = [ahead(GRID, square, h) for h in range(8)]
        assert sorted(s for s in near if s is not None) == list(GRID.around[square])
    assert shifted(GRID, GRID.number("A1"), 0, -1) is None and shifted(GRID, GRID.number("M1"), 0, 1) is None
    assert shifted(GRID, GRID.number("A1"), 8, 12) == GRID.size - 1


def test_distance_is_columns_plus_rows() -> None:
    for a in range(0, GRID.size, 5):
        for b in range(GRID.size):
            (row, column), (row_b, column_b) = GRID.place(a), GRID.place(b)
            assert distance(GRID, a, b) == abs(row - row_b) + abs(column - column_b) == distance(GRID, b, a)


def test_the_bearing_is_the_nearest_eighth_of_a_circle() -> None:
    for a in range(0, GRID.size, 7):
        for b in set(range(GRID.size)) - {a}:
            (row, column), (row_b, column_b) = GRID.place(a), GRID.place(b)
            degrees = math.degrees(math.atan2(column_b - column, row - row_b)) % 360
            assert bearing(GRID, a, b) == round(degrees / 45) % 8
            assert bearing(GRID, b, a) == (bearing(GRID, a, b) + 4) % 8
    assert bearing(GRID, 5, 5) == 0


def test_a_board_of_sections() -> None:
    board = sections(3, 1)
    assert (board.rows, board.columns, board.names[-1]) == (10, 24, "X10")
    assert sections(1, 2).size == 160
    for across, down in ((4, 1), (0, 1), (1, 0), (1, 11)):
        with refused(DataError, CORE, "square.sections", most=3, across=across, down=down):
            sections(across, down)


def test_the_quarters_of_a_board() -> None:
    board = sections(2, 1)
    corners = [board.number(name) for name in ("A1", "P1", "A10", "P10")]
    assert [quarter(board, square) for square in corners] == [0, 1, 2, 3]
    assert [sum(quarter(board, s) == zone for s in range(board.size)) for zone in range(4)] == [40] * 4
    odd = SquareGrid(3, 3)
    assert [quarter(odd, s) for s in range(9)] == [0, 0, 1, 0, 0, 1, 2, 2, 3]
