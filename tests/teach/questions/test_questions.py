"""What lessons ask of the library agrees with slow twins."""

from __future__ import annotations
from fractions import Fraction

from navalkit.games.task_force import lesson as hidden
from navalkit.games.uss_lox import lesson as lox
from navalkit.teach import formulas


def test_questions_agree_with_slow_twins():
    def ways(length: int, rows: int, columns: int) -> list[set]:
        return [{(r, c + i) for i in range(length)} for r in range(rows) for c in range(columns - length + 1)] + [
            {(r + i, c) for i in range(length)} for r in range(rows - length + 1) for c in range(columns)
        ]

    def apart(a: set, b: set) -> bool:
        return all(abs(r - s) + abs(c - d) > 1 for r, c in a for s, d in b)

    assert hidden.fleets(5, 5, [3, 2]) == sum(apart(a, b) for a in ways(3, 5, 5) for b in ways(2, 5, 5))
    assert hidden.fleets(4, 4, [3], ship="B2", water="A2") == sum(
        (1, 1) in way and (1, 0) not in way for way in ways(3, 4, 4)
    )
    half, eighth = Fraction(1, 2), Fraction(1, 8)
    # One look ahead: at 24 both are worth the same, and a ship less is worth risking.
    assert formulas.turns_home_at(4, half, eighth, 6) == 24
    assert formulas.worth_going_on(1, 18, half, eighth, 6) == half * 24 + Fraction(3, 8) * 18
    assert formulas.always_sails_on(2, 24, half, eighth, 6) < formulas.worth_going_on(2, 24, half, eighth, 6) == 24
    assert lox.share_of_hits("8D", 2, 500, 1) == lox.share_of_hits("8D", 2, 500, 1)
