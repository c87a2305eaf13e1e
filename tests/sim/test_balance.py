"""The balance of a game's scenarios: rows of a known toy, and of a short battle."""

from __future__ import annotations

import pytest

from navalkit.cli import main
from navalkit.players.generic import DRAW, Account
from navalkit.sim.balance import HEAD, Row, balance, cells, markdown, starts
from navalkit.testing import said
from ..sentences import CLI


def account(winner=0, length=6, leads=(), decided="guns", blow=False):
    return Account(winner, length, "moves", leads, decided, blow)


def test_a_row_sums_up_its_games():
    games = (account(0, 4), account(1, 8, decided="mines"), account(DRAW, 10, decided="draw"), account(0, 6, blow=True))
    row = Row("strait", ("a", "b"), games)
    assert (row.games, row.share, row.draws, row.one_blow) == (4, 0.625, 1, 0.25)
    assert row.lengths == (5.5, 7.0, 8.5)
    assert row.decided == {"guns": 0.5, "mines": 0.25, "draw": 0.25}
    low, high = row.interval
    assert 0 < low < 0.625 < high < 1
    assert len(cells(row)) == len(HEAD)
    assert markdown([row]).splitlines()[2].startswith("| strait | a : b | 4 |")
    assert row.data()["interval"] == [low, high]


@pytest.mark.parametrize(
    ("leads", "changes"), [((), 0), ((1, 2, 3), 0), ((1, -1), 1), ((1, 0, -2, 0, 3), 2), ((0, 0), 0)]
)
def test_a_lead_changes_when_it_passes_to_the_other(leads, changes):
    assert account(leads=leads).lead_changes == changes


def test_the_same_run_gives_the_same_rows_and_both_seats_are_taken():
    def run():
        return list(balance("fleet-action", ["random", "gunnery"], 1, 3, only=["river_plate"], options={"moves": "2"}))

    rows = run()
    assert [row.captains for row in rows] == [
        ("random", "random"), ("random", "gunnery"), ("gunnery", "random"), ("gunnery", "gunnery"),
    ]  # fmt: skip
    assert rows == run()


def test_where_one_decides_each_captain_plays_alone():
    (row,) = balance("uss-lox", ["random"], 4, 1)
    assert row.captains == ("random",) and row.scenario == "" and row.games == 4


def test_scenarios_are_the_values_of_the_option():
    assert {"river_plate", "carriers_in_the_cloud"} <= set(starts("fleet-action")) and set(starts("uss-lox")) == {""}


def test_the_command_prints_rows_and_writes_them(tmp_path, capsys):
    order = ["balance", "fleet-action", "-n", "1", "--captain", "random", "--scenario", "river_plate"]
    files = tmp_path / "rows.json", tmp_path / "rows.md"
    assert main([*order, "--option", "moves=1", "--json", str(files[0]), "--markdown", str(files[1])]) == 0
    head, row = (line.split(" · ") for line in capsys.readouterr().out.splitlines())
    assert tuple(head) == HEAD and len(row) == len(head) and row[:3] == ["river_plate", "random : random", "1"]
    assert '"scenario": "river_plate"' in files[0].read_text() and files[1].read_text().count("\n") == 3
    assert main(["balance", "fleet-action", "--scenario", "atlantis"]) == 2
    said(capsys.readouterr().err, CLI, "balance.no-scenario", name="'atlantis'")
