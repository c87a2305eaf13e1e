"""What a machine player needs for a decision, where the house has promised a bound: Task Force and Wolf Pack."""

from __future__ import annotations
import statistics
import time
from typing import Any

import numpy as np

from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.players import player

AIMS = (("task-force", "planner", 0.050), ("wolf-pack", "ismcts", 0.300))
DECISIONS = 60


def bench_players() -> list[dict[str, Any]]:
    """A row for each player, on whole games against itself."""
    return [_row(*aim) for aim in AIMS]


def _row(game: str, name: str, aim: float) -> dict[str, Any]:
    times: list[float] = []
    for seed in range(1, DECISIONS):
        times += _decisions(game, name, seed)
        if len(times) >= DECISIONS:
            break
    ordered = sorted(times)
    p50, p95 = statistics.median(ordered), ordered[int(0.95 * (len(ordered) - 1))]
    return {
        "name": f"a decision of {name}, {game}",
        "ours_seconds": p95,
        "baseline": f"the aim of {1000 * aim:.0f} ms",
        "baseline_seconds": aim,
        "ratio": aim / p95,
        "note": f"95th percentile of {len(times)}; median {1000 * p50:.0f} ms",
    }


def _decisions(game: str, name: str, seed: int) -> list[float]:
    """Seconds of each decision of one game in which more than one order is legal."""
    made = load(game)
    seats = [player(name, made) for _ in made.players]
    match, dice, times = Match.new(made, seed), np.random.default_rng(seed), []
    while not match.over:
        seen, legal = match.observe(match.turn), match.legal()
        begun = time.process_time()  # other programs do not count
        action = seats[match.turn].decide(seen, legal, dice).action
        if len(legal) > 1:
            times.append(time.process_time() - begun)
        match.play(action)
    return times
