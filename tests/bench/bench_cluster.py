"""What a second worker brings: a Dask cluster of this machine's processes, and a process pool beside it."""

from __future__ import annotations
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any

import navalkit as nk
from navalkit.sim import play
from navalkit.sim.cluster import Cluster

GAMES, ROUNDS = 360, 5


@contextmanager
def _cluster(workers: int) -> Iterator[Any]:
    from distributed import LocalCluster

    local = LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=50)
    with local, Cluster(local.scheduler_address) as made:
        yield made


def bench_second_worker() -> list[dict[str, Any]]:
    """The same games on one worker and on two, by turns, so that what else the machine does hits all alike."""
    game, made = nk.load("uss-lox"), {"dask": _cluster, "process pool": ProcessPoolExecutor}
    seconds: dict[tuple[str, int], list[float]] = {(kind, n): [] for kind in made for n in (1, 2)}
    with ExitStack() as open_:
        pools = {(kind, n): open_.enter_context(made[kind](n)) for kind, n in seconds}
        for pool in pools.values():
            play(game, "greedy", 32, 99, pool)  # its processes import the library
        for seed in range(ROUNDS):
            for key, pool in pools.items():
                begun = time.perf_counter()
                play(game, "greedy", GAMES, seed, pool, chunk=20)
                seconds[key].append(time.perf_counter() - begun)
    median = {key: statistics.median(found) for key, found in seconds.items()}
    return [
        {
            "name": f"{kind}, two workers", "ours_seconds": median[kind, 2], "baseline": "one worker",
            "baseline_seconds": median[kind, 1], "ratio": median[kind, 1] / median[kind, 2],
            "note": f"{GAMES} patrols of the greedy captain; median of {ROUNDS} rounds by turns",
        }
        for kind in made
    ]
