"""Figures of games between machine players: read, refused, written as they are read, and told on cards."""

from __future__ import annotations

import pytest

from navalkit.core.errors import DataError
from navalkit.players.meeting import Measured, figures, measured
from navalkit.players.review import DRAW, Account
from navalkit.sim import figures as making
from navalkit.sim.balance import Row
from navalkit.testing import refused
from ..sentences import CORE

FIGURE = {
    "name": "fleet-action/river_plate", "kind": "balance", "game": "fleet-action", "players": ("admiral",),
    "seeds": (20, 21), "games": 60, "rules": "1", "value": 0.48, "options": {"scenario": "river_plate"},
    "runs": (0.5, 0.46), "length": (8.0, 9.0), "unit": "moves", "decided": {"guns": 1.0},
}  # fmt: skip


def figure(**changes: object) -> Measured:
    return Measured(**(FIGURE | changes))  # type: ignore[arg-type]


def test_a_figure_has_an_interval_and_the_sides_of_its_scenario() -> None:
    found = figure()
    low, high = found.interval
    assert 0.35 < low < 0.48 < high < 0.61
    assert found.each == 30 and len(found.sides) == 2 and figure(game="wolf-pack", options={}).title


@pytest.mark.parametrize(
    "changes",
    [
        {"value": 1.2}, {"games": 0}, {"games": 61}, {"seeds": (-1, 2)}, {"length": (9, 8)}, {"length": (8, 8, 9)},
        {"length": (0, 1)}, {"decided": {"guns": 0.5}}, {"one_blow": -0.1}, {"runs": (0.5,)}, {"kind": "guess"},
        {"clock": 1.5},
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(changes: dict[str, object]) -> None:
    with refused(DataError, CORE, "measured.wrong"):
        figure(**changes)


def test_all_figures_are_written_as_they_are_read(tmp_path, monkeypatch) -> None:
    file, before = tmp_path / "figures.toml", dict(figures())
    making.write(before, file)
    text = file.read_text(encoding="utf-8")
    assert text == making.FILE.read_text(encoding="utf-8") and list(before) == [each.name for each in before.values()]


def test_the_runs_of_a_figure_are_summed_up() -> None:
    games = [Account(0, 8, "moves", decided="guns"), Account(1, 9, "moves", decided="guns", one_blow=True)]
    games += [Account(DRAW, 10, "moves", decided="draw", clock=True)] * 2
    found = making.summed(figure(), [Row("", ("admiral",), tuple(games)), Row("", ("admiral",), tuple(games[:1] * 4))])
    assert (found.games, found.value, found.runs, found.one_blow, found.clock) == (8, 0.75, (0.5, 1.0), 0.125, 0.25)
    assert found.sample == ("1 8", "0 9", "0.5 10")


def test_figures_are_found_by_options_and_where_nothing_was_measured_there_is_none() -> None:
    assert measured("fleet-action", {}) == measured("fleet-action", {"scenario": "river_plate"})
    assert measured("wolf-pack", {"transports": 6}) == measured("wolf-pack", {})
    assert measured("uss-lox", {}) is None and measured("wolf-pack", {"transports": 1}) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, each in figures().items() if each.sample])
def test_the_first_games_of_a_figure_come_out_as_they_did(name: str) -> None:
    assert making.sample(figures()[name], len(figures()[name].sample)) == figures()[name].sample
