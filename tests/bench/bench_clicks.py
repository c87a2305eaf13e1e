"""Python's part of a click in every game and scenario: from the press to the new state of the widgets."""

from __future__ import annotations
import asyncio
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import navalkit as nk
from navalkit.core.match import Store
from navalkit.ui.play.app import GameApp
from navalkit.ui.warm import warm

AIM = 0.050
CLICKS = 40
CALLS = ("scene", "orders", "legal", "observe")


def bench_clicks() -> list[dict[str, Any]]:
    """A row for each game, and for each of its scenarios, in a kernel that was kept warm for its page."""
    warm()
    return [row for name in nk.games.names() for row in asyncio.run(_game(name))]


async def _game(name: str) -> list[dict[str, Any]]:
    specs = {spec.name: spec for spec in nk.load(name).specs}
    scenarios = specs["scenario"].choices if "scenario" in specs else ("",)
    rows = []
    for scenario in scenarios:
        times, calls = await _clicks(name, {"scenario": scenario} if scenario else {})
        ordered = sorted(times)
        p50, p95 = statistics.median(ordered), ordered[int(0.95 * (len(ordered) - 1))]
        rows.append(
            {
                "name": f"a click in Python, {name}{f', {scenario}' if scenario else ''}",
                "ours_seconds": p95,
                "baseline": "the aim of 50 ms",
                "baseline_seconds": AIM,
                "ratio": AIM / p95,
                "note": f"95th percentile of {len(times)}; median {1000 * p50:.0f} ms; a click calls {calls}",
            }
        )
    return rows


async def _clicks(name: str, options: dict[str, Any]) -> tuple[list[float], str]:
    """Seconds of each click of one game of random orders, between which the awaited numbers are worked off; and how
    often a click looks at the position, in the median ("scene 1, orders 1, legal 1, observe 2")."""
    times: list[float] = []
    counts: list[Counter[str]] = []
    with TemporaryDirectory() as folder, ExitStack() as patched:
        app = GameApp(name, Store(Path(folder)), seats=("",) * len(nk.load(name).players))
        control, dice = app.control, random.Random(1)
        control.store = app._store
        control.new(1, options)
        for what in CALLS:
            thing = control.page if what in ("scene", "orders") else control.game
            patched.enter_context(mock.patch.object(type(thing), what, _counted(getattr(type(thing), what), counts)))
        while len(times) < CLICKS and not control.match.over:
            if control.covered:
                control.take_seat()
            action = dice.choice(control.legal)
            counts.append(Counter())
            begun = time.process_time()  # other programs do not count
            control.give(action)
            times.append(time.process_time() - begun)
            counts.append(Counter())  # what follows is of no click
            for _ in range(400):
                if app.desk.idle:
                    break
                await asyncio.sleep(0.005)
    calls = {what: statistics.median(each[what] for each in counts[::2]) for what in CALLS}
    return times, ", ".join(f"{what} {n:g}" for what, n in calls.items())


def _counted(call: Callable[..., Any], counts: list[Counter[str]]) -> Callable[..., Any]:
    def counting(*args: Any, **named: Any) -> Any:
        if counts:
            counts[-1][call.__name__] += 1
        return call(*args, **named)

    return counting
