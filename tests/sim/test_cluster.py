"""Many machines: the same rows from a Dask cluster of processes here, also when a worker is killed in the middle."""

from __future__ import annotations
import gc
import os
import signal
import socket
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import navalkit as nk
from navalkit.cli import main
from navalkit.core.errors import OptionError
from navalkit.players.arena import Games, run
from navalkit.sim import play
from navalkit.sim.cluster import Cluster
from navalkit.sim.kept import Kept
from navalkit.testing import refused, said
from ..sentences import CORE

distributed = pytest.importorskip("distributed", reason="Dask, the extra `cluster`, is not installed.")
# What Dask itself leaves open when its processes are killed is not ours to close.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as made:
        yield made


class Slow:
    """Any action, after a moment."""

    def decide(self, seen: Any, legal: Any, rng: Any) -> Any:
        time.sleep(0.002)
        return legal[int(rng.integers(len(legal)))]


def test_rows_are_those_of_this_machine(cluster: Any) -> None:
    game = nk.load("uss-lox")
    with Cluster(cluster.scheduler_address) as workers:
        assert workers.jobs == 2 and not workers.lost
        assert play(game, "random", 30, 9, workers, chunk=4) == play(game, "random", 30, 9)

        class Mine(Slow):  # one of a notebook, in no module
            pass

        assert play(game, Mine, 4, 9, workers) == play(game, Mine, 4, 9)


def test_a_worker_that_is_killed_loses_nothing(cluster: Any, tmp_path: Path) -> None:
    games, killed = Games(nk.load("uss-lox"), ((Slow,),), 3), []

    def kill(done: int, n: int) -> None:
        if done >= 20 and not killed:
            killed.append(next(iter(workers._client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    with Cluster(cluster.scheduler_address) as workers, Kept(tmp_path / "rows.jsonl") as kept:
        rows = run(games, 80, executor=workers, kept=kept, chunk=2, progress=kill)
    assert killed and rows == run(games, 80)
    assert (tmp_path / "rows.jsonl").read_text().count("\n") == 80


def test_the_command_plays_there(cluster: Any, capsys: pytest.CaptureFixture[str]) -> None:
    order = ["tournament", "wolf-pack", "--player", "careful", "--player", "random", "-n", "6", "--option",
             "turn_limit=10"]
    assert main(order) == 0
    here = capsys.readouterr().out
    assert main([*order, "--scheduler", cluster.scheduler_address]) == 0
    assert capsys.readouterr().out == here


def test_where_no_scheduler_answers_it_is_said(monkeypatch: pytest.MonkeyPatch,
                                               capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("navalkit.sim.cluster.PATIENCE", 0.3)
    with refused(OptionError, CORE, "cluster.nobody", address="'tcp://127.0.0.1:9'"):
        Cluster("tcp://127.0.0.1:9")
    for address in ("nowhere:x", "nowhere", "tls://127.0.0.1:9"):
        assert main(["sim", "wolf-pack", "-n", "2", "--scheduler", address]) == 2
        said(capsys.readouterr().err, CORE, "cluster.nobody")
    gc.collect()  # a client that was never greeted would complain here, twenty seconds later
    assert not capsys.readouterr().err


def test_where_something_else_listens_it_is_said_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("navalkit.sim.cluster.PATIENCE", 1)
    with socket.create_server(("127.0.0.1", 0)) as mute:  # takes calls, and says nothing, as a web server does
        began = time.monotonic()
        with refused(OptionError, CORE, "cluster.nobody"):
            Cluster(f"127.0.0.1:{mute.getsockname()[1]}")
        assert time.monotonic() - began < 60  # it was without end


class Gone:
    """An executor whose scheduler is gone after three games."""

    lost, left = False, 3

    def submit(self, function: Any, *args: Any) -> Future[Any]:
        self.left -= 1
        self.lost = self.left < 0
        if self.lost:
            raise OSError
        done: Future[Any] = Future()
        done.set_result(function(*args))
        return done


@pytest.mark.parametrize("file", ["rows.jsonl", ""])
def test_a_run_whose_scheduler_is_gone_says_what_is_kept(file: str, tmp_path: Path) -> None:
    games = Games(nk.load("uss-lox"), (("random",),), 3)
    for _ in range(2):
        with ExitStack() as opened:
            kept = opened.enter_context(Kept(tmp_path / file)) if file else None
            facts = {"n": kept.so_far()[0]} if kept else {}
            with refused(OptionError, CORE, "arena.gone-kept" if file else "arena.gone", **facts):
                run(games, 60, executor=Gone(), kept=kept, chunk=1)


def test_a_scheduler_that_goes_away_ends_the_run_and_leaves_what_was_played(tmp_path: Path) -> None:
    file, games = tmp_path / "rows.jsonl", Games(nk.load("uss-lox"), ((Slow,),), 3)
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None, silence_logs=50) as made:
        address, gone = made.scheduler_address, refused(OptionError, CORE, "arena.gone-kept")
        with gone, Cluster(address) as workers, Kept(file) as kept:
            run(games, 60, executor=workers, kept=kept, chunk=1, progress=lambda done, _: done == 9 and made.close())
    with Kept(file) as kept:
        had = kept.rows(games)
        assert 9 <= len(had) < 60 and not any("error" in row for row in had.values())
        assert run(games, 60, kept=kept) == run(games, 60)
