"""Many games: the rows are the same in whatever order they are played."""

from __future__ import annotations
import csv
import io
import random
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import mean, stdev
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import navalkit as nk
from navalkit.core.errors import DataError, OptionError
from navalkit.core.words import Phrase
from navalkit.players import Random
from navalkit.sim import columns, game_seed, play, summary, write_csv
from navalkit.testing import refused
from ..sentences import CORE


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return play(nk.load("uss-lox", jokers=True), "random", 40, seed=9)


class Scatterbrain:
    """An executor that does everything late and in the wrong order."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Future[Any], Any, Any]] = []

    def submit(self, function: Any, /, *args: Any) -> Any:
        future: Future[Any] = Future()
        self.waiting.append((future, function, args))
        waiting = self.waiting

        class Late:
            def result(self) -> Any:
                random.Random(1).shuffle(waiting)
                while waiting:
                    other, do, with_these = waiting.pop()
                    other.set_result(do(*with_these))
                return future.result()

        return Late()


def test_any_executor_gives_the_serial_rows(rows: list[dict[str, Any]]) -> None:
    game = nk.load("uss-lox", jokers=True)
    with ThreadPoolExecutor(3) as threads:
        assert play(game, "random", 40, 9, threads, chunk=3) == rows
    assert play(game, "random", 40, 9, Scatterbrain(), chunk=7) == rows


def test_a_process_pool_gives_the_serial_rows(rows: list[dict[str, Any]]) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert play(nk.load("uss-lox", jokers=True), "random", 40, 9, pool) == rows


def test_a_games_row_depends_on_seed_and_number_alone(rows: list[dict[str, Any]]) -> None:
    game = nk.load("uss-lox", jokers=True)
    assert play(game, "random", 5, 9) == rows[:5]
    assert [row["seed"] for row in rows] == [game_seed(9, i) for i in range(40)]
    assert len({row["seed"] for row in rows}) == 40
    assert play(game, "random", 5, 10) != rows[:5]


def test_rows_say_how_the_game_ended(rows: list[dict[str, Any]]) -> None:
    for i, row in enumerate(rows):
        assert list(row)[:6] == ["players", "game", "seed", "result", "score", "plies"]
        assert row["game"] == i and row["result"] in ("win", "loss")
        assert row["score"] == row["tonnage"] and row["won"] == (row["result"] == "win")


def test_every_role_has_its_player_and_its_score(toys: ModuleType) -> None:
    game = nk.load("toy")

    class Folder:
        name = "folder"

        def decide(self, observation: Any, legal: Any, rng: Any) -> Any:
            assert isinstance(observation, tuple) and len(observation) == 2  # never the state
            return Random(game).decide(observation, [legal[-1]], rng)

    class Bold(Folder):
        def decide(self, observation: Any, legal: Any, rng: Any) -> Any:
            return Random(game).decide(observation, [legal[0]], rng)

    rows = play(game, [Bold(), Folder(), "random"], 10, 1)
    assert {(row["score_north"], row["score_south"], row["result"]) for row in rows} == {(1.0, -1.0, "north")}
    assert {row["score_umpire"] for row in rows} == {0.0}


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (("nobody", 1, 1), CORE.phrase("players.unknown", name="'nobody'")),
        ((("random", {"depth": 1}), 1, 1), CORE.phrase("players.option", name="'depth'")),
        ((["random", "random"], 1, 1), CORE.phrase("arena.roles", roles=1, listed="captain", n=2)),
        (("random", -1, 1), CORE.phrase("arena.games")),
        (("random", 1, -1), CORE.phrase("seed")),
    ],
)
def test_what_is_wrong_is_named_before_a_game_is_played(arguments: tuple[Any, ...], sentence: Phrase) -> None:
    with refused(OptionError, sentence):
        play(nk.load("uss-lox"), *arguments)


def test_progress_counts_up_to_the_end() -> None:
    seen: list[tuple[int, int]] = []
    play(nk.load("uss-lox"), "random", 10, 1, chunk=4, progress=lambda done, n: seen.append((done, n)))
    assert seen == [(4, 10), (8, 10), (10, 10)]
    assert play(nk.load("uss-lox"), "random", 0, 1) == []


def test_the_summary_is_mean_and_standard_error(rows: list[dict[str, Any]]) -> None:
    estimates = summary(rows)
    tons = [row["tonnage"] for row in rows]
    assert estimates["tonnage"].mean == pytest.approx(mean(tons))
    assert estimates["tonnage"].error == pytest.approx(stdev(tons) / 40**0.5)
    assert estimates["won"].mean == pytest.approx(mean(row["won"] for row in rows))
    assert not {"game", "seed", "result"} & set(estimates)
    assert summary({"x": np.array([1, 2])}) == summary([{"x": 1}, {"x": 2}])
    assert summary([]) == {} and np.isnan(summary([{"x": 1}])["x"].error)


def test_csv_reads_back_as_the_rows(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    write_csv(rows, tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(newline="", encoding="utf-8") as file:
        read = list(csv.DictReader(file))
    assert [{name: str(value) for name, value in row.items()} for row in rows] == read
    text = io.StringIO()
    write_csv({name: np.array(column) for name, column in columns(rows).items()}, text)
    assert text.getvalue() == (tmp_path / "out.csv").read_text(encoding="utf-8")


def test_rows_of_different_fields_make_no_table() -> None:
    with refused(DataError, CORE, "table.fields", i=1, row="b", names="a"):
        columns([{"a": 1}, {"b": 2}])
