"""Figures of machine captains in scenarios' own files: read, refused, and written as they are read."""

from __future__ import annotations
import tomllib

import pytest

from navalkit.core.errors import DataError
from navalkit.players.meeting import Measured, measured, of
from navalkit.players.review import DRAW, Account
from navalkit.sim.balance import Row
from navalkit.testing import refused
from ..sentences import CORE

FIGURES = {
    "captain": "admiral", "games": 60, "seed": 20, "share": 0.48, "length": [8, 9], "unit": "moves",
    "one_blow": 0.0, "decided": {"guns": 1.0},
}  # fmt: skip


def file(**changes: object) -> dict[str, object]:
    return {"title": "Strait", "sides": ["Near", "Far"], "measured": FIGURES | changes}


def test_they_are_read_with_the_scenarios_title_and_sides() -> None:
    found = of(file())
    assert (found.title, found.sides, found.length) == ("Strait", ("Near", "Far"), (8, 9))
    low, high = found.interval
    assert 0.35 < low < 0.48 < high < 0.61


@pytest.mark.parametrize(
    "changes",
    [
        {"share": 1.2}, {"games": 0}, {"seed": -1}, {"length": [9, 8]}, {"length": [8, 8, 9]}, {"length": [0, 1]},
        {"decided": {"guns": 0.5}}, {"one_blow": -0.1},
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(changes: dict[str, object]) -> None:
    with refused(DataError, CORE, "measured.wrong"):
        of(file(**changes))


def test_a_field_there_is_not_is_named() -> None:
    with refused(DataError, CORE, "measured.fields", name="colour"):
        of(file(colour="grey"))


def test_a_row_of_a_balance_is_written_as_it_is_read() -> None:
    games = [Account(0, 8, "moves", decided="guns"), Account(1, 9, "moves", decided="guns", one_blow=True)]
    games += [Account(DRAW, 10, "moves", decided="draw")] * 2
    told = Row("strait", ("admiral", "admiral"), tuple(games)).measured(7)
    assert (told.share, told.one_blow, told.captain) == (0.5, 0.25, "admiral")
    again = of({"title": "", **tomllib.loads(told.toml())})
    assert again == told and isinstance(again, Measured)


def test_where_nothing_was_measured_there_is_nothing() -> None:
    assert measured("uss-lox", "") is None and measured("fleet-action", "build_your_own") is None
    assert measured("fleet-action", "title = 'mine'") is None
