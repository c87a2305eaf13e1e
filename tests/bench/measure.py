"""What the benches share: a row of their table, and the best time of several runs."""

from __future__ import annotations
import time
from collections.abc import Callable
from typing import Any


def row(name: str, ours: float, baseline: str, baseline_seconds: float, note: str) -> dict[str, Any]:
    """A row of the table (see `run`)."""
    return {
        "name": name,
        "ours_seconds": ours,
        "baseline": baseline,
        "baseline_seconds": baseline_seconds,
        "ratio": baseline_seconds / ours,
        "note": note,
    }


def best(work: Callable[[], object], repeats: int = 5) -> float:
    """The processor's best time of several runs: the one that other work on the machine disturbed least."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)
