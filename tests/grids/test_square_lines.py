"""Lines of sight between centres of squares, held against a slow twin that clips them with fractions."""

from __future__ import annotations
from fractions import Fraction

import numpy as np
from hypothesis import given, strategies as st

from navalkit.grids.square import SquareGrid, clear, line

GRID = SquareGrid(7, 9)
SMALL = SquareGrid(5, 6)  # for the twin


def stay(a: tuple[int, int], b: tuple[int, int], square: tuple[int, int]) -> Fraction:
    """How much of the line from centre to centre lies in the square, as a part of it; -1 if they do not even touch."""
    low, high = Fraction(0), Fraction(1)
    for start, end, place in zip(a, b, square, strict=True):
        inner, outer = Fraction(2 * place - 1, 2), Fraction(2 * place + 1, 2)
        if start == end:
            if not inner <= start <= outer:
                return Fraction(-1)
            continue
        cuts = sorted(((inner - start) / (end - start), (outer - start) / (end - start)))
        low, high = max(low, cuts[0]), min(high, cuts[1])
    return high - low if high >= low else Fraction(-1)


def test_the_line_crosses_the_squares_it_stays_in_and_touches_the_corners() -> None:
    for a in range(SMALL.size):
        for b in range(SMALL.size):
            found, ends = line(SMALL, a, b), (SMALL.place(a), SMALL.place(b))
            stays = {s: stay(*ends, SMALL.place(s)) for s in range(SMALL.size) if s not in (a, b)}
            assert sorted(found.squares) == [s for s, part in stays.items() if part > 0]
            touched = {s for pair in found.corners for s in pair}
            assert touched == {s for s, part in stays.items() if part == 0}
            assert all(c in SMALL.around[d] and c not in SMALL.neighbours[d] for c, d in found.corners)


def test_a_line_names_its_squares_in_order() -> None:
    names = GRID.names
    found = line(GRID, GRID.number("A1"), GRID.number("E2"))
    assert [names[s] for s in found.squares] == ["B1", "C1", "C2", "D2"] and found.corners == ()
    found = line(GRID, GRID.number("C3"), GRID.number("A1"))
    assert [names[s] for s in found.squares] == ["B2"]
    assert [{names[s] for s in pair} for pair in found.corners] == [{"C2", "B3"}, {"B1", "A2"}]


@given(st.integers(0, GRID.size - 1), st.integers(0, GRID.size - 1), st.integers(0, 2**32))
def test_sight_is_mutual(a: int, b: int, seed: int) -> None:
    land = frozenset(np.random.default_rng(seed).choice(GRID.size, 12, replace=False).tolist()) - {a, b}
    assert clear(GRID, a, b, land) == clear(GRID, b, a, land)
    assert not clear(GRID, a, b, land) or clear(GRID, a, b, frozenset(sorted(land)[::2]))


def test_one_square_masks_what_lies_behind_it_and_a_corner_needs_two() -> None:
    def number(names: str) -> frozenset[int]:
        return frozenset(GRID.number(name) for name in names.split())

    (c3,), (e5,), (g3,) = number("C3"), number("E5"), number("G3")
    assert clear(GRID, c3, e5, frozenset()) and clear(GRID, c3, e5, number("D3 E4"))
    assert not clear(GRID, c3, e5, number("D4")) and not clear(GRID, c3, e5, number("D3 C4"))
    assert not clear(GRID, c3, g3, number("E3")) and clear(GRID, c3, g3, number("E2 E4"))
    assert clear(GRID, c3, c3, number("C3"))
