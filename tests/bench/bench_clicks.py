"""Python's part of a click in every game and scenario: from the press to the new state of the widgets."""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import navalkit as nk
from navalkit.core.files.store import Store
from navalkit.ui.play.app import GameApp
from navalkit.ui.warm import warm

AIM = 0.050
CLICKS = 40


def bench_clicks() -> list[dict[str, Any]]:
    """A row for each game, and for each of its scenarios, in a kernel that was kept warm for its page."""
    warm()
    return [row for name in nk.games.names() for row in asyncio.run(_game(name))]


async def _game(name: str) -> list[dict[str, Any]]:
    specs = {spec.name: spec for spec in nk.load(name).specs}
    scenarios = specs["scenario"].choices if "scenario" in specs else ("",)
    rows = []
    for scenario in scenarios:
        times = await _clicks(name, {"scenario": scenario} if scenario else {})
        ordered = sorted(times)
        p50, p95 = statistics.median(ordered), ordered[int(0.95 * (len(ordered) - 1))]
        rows.append(
            {
                "name": f"a click in Python, {name}{f', {scenario}' if scenario else ''}",
                "ours_seconds": p95,
                "baseline": "the aim of 50 ms",
                "baseline_seconds": AIM,
                "ratio": AIM / p95,
                "note": f"95th percentile of {len(times)}; median {1000 * p50:.0f} ms",
            }
        )
    return rows


async def _clicks(name: str, options: dict[str, Any]) -> list[float]:
    """Seconds of each click of one game of random orders; between two the awaited numbers are worked off."""
    times: list[float] = []
    with TemporaryDirectory() as folder:
        app = GameApp(name, Store(Path(folder)), seats=("",) * len(nk.load(name).players))
        control, dice = app.control, random.Random(1)
        control.store = app._store
        control.new(1, options)
        while len(times) < CLICKS and not control.match.over:
            if control.covered:
                control.take_seat()
            action = dice.choice(control.legal)
            begun = time.process_time()  # other programs do not count
            control.give(action)
            times.append(time.process_time() - begun)
            for _ in range(400):
                if app.desk.idle:
                    break
                await asyncio.sleep(0.005)
    return times
