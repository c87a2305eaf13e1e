"""How fast patrols of USS Lox are simulated, against patrols played through `Match` in the same run."""

from __future__ import annotations
import time
from typing import Any

import numpy as np

from navalkit.core.match import Match
from navalkit.games.uss_lox import UssLox, simulate
from navalkit.games.uss_lox.bots import Greedy, Optimal


class _Random:
    """Any legal order, without reasons: the cheapest captain there is."""

    def decide(self, observation: Any, legal: Any, rng: np.random.Generator) -> Any:
        return type("Decision", (), {"action": legal[rng.integers(len(legal))]})


def bench_random() -> dict[str, Any]:
    """Random orders, seconds for a million patrols."""
    return _compare("random", _Random(), patrols=600_000, matches=400)


def bench_greedy() -> dict[str, Any]:
    """The greedy captain, seconds for a million patrols."""
    return _compare("greedy", Greedy(UssLox()), patrols=600_000, matches=150)


def bench_optimal() -> dict[str, Any]:
    """The optimal captain, who counts every card, seconds for a million patrols."""
    return _compare("optimal", Optimal(UssLox()), patrols=60_000, matches=80)


def bench_single_decisions() -> list[dict[str, Any]]:
    """A patrol through `Match` by a captain who says why, against a random one in the same matches."""
    rows = []
    for bot in (Greedy(UssLox()), Optimal(UssLox())):
        _play(bot, 3)  # builds the tables
        ours, baseline = min(_seconds(bot, 20) for _ in range(3)), min(_seconds(_Random(), 20) for _ in range(3))
        rows.append(
            {
                "name": f"patrol of {bot.name}",
                "ours_seconds": ours,
                "baseline": "random patrol through Match",
                "baseline_seconds": baseline,
                "ratio": baseline / ours,
                "note": "one decision at a time, with reasons and exact odds; 20 patrols, best of three",
            }
        )
    return rows


def _seconds(bot: Any, matches: int) -> float:
    """A patrol through `Match`."""
    start = time.perf_counter()
    _play(bot, matches)
    return (time.perf_counter() - start) / matches


def _compare(spec: str, bot: Any, patrols: int, matches: int) -> dict[str, Any]:
    simulate(spec, 1000, 0)  # builds the tables
    start = time.perf_counter()
    simulate(spec, patrols, 1)
    ours = (time.perf_counter() - start) * 1e6 / patrols
    baseline = _seconds(bot, matches) * 1e6
    return {
        "name": f"simulate {spec}",
        "ours_seconds": ours,
        "baseline": "patrols through Match",
        "baseline_seconds": baseline,
        "ratio": baseline / ours,
        "note": f"a million patrols; {1e6 / ours:,.0f} patrols a second; Match measured on {matches}",
    }


def _play(bot: Any, matches: int) -> None:
    rng = np.random.default_rng(1)
    for seed in range(matches):
        match = Match.new(UssLox(), seed)
        while not match.over:
            match.play(bot.decide(match.observe(), match.legal(), rng).action)
