"""How soon a slider has its answer: 95 of 100 moves take no longer than this, all widgets brought up to date."""

from __future__ import annotations
import asyncio
import random
import time
import warnings
from typing import Any

from navalkit.explore import QUESTIONS, Control
from navalkit.explore.question import Marks

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # bqplot's, of its own traits
    from navalkit.ui.explore.app import Explorer

AIM = 0.250
"""Seconds to the answer, while the page goes on answering."""
MOVES = 60
ENOUGH = 5.0
"""Seconds of processor time for one question."""


def bench_sliders() -> list[dict[str, Any]]:
    """A row for each question: random moves of random controls that have an answer, in processor time."""
    return asyncio.run(_rows())


async def _rows() -> list[dict[str, Any]]:
    explorer = Explorer()
    desk = explorer.desk
    rows = []
    for id, question in QUESTIONS.items():
        rng = random.Random(1)
        explorer.model.choose(id)
        times, tries = [], 0
        while len(times) < MOVES and sum(times) < ENOUGH:
            control = rng.choice(question.controls)
            value = _somewhere(control, explorer.model.settings[control.name], rng)
            begin = time.process_time()
            explorer.model.set(control.name, value)
            while desk.busy("answer"):
                await asyncio.sleep(0.001)
            took, tries = time.process_time() - begin, tries + 1
            desk.cancel_all()
            if explorer._answer is not None:
                times.append(took)
            else:  # that settings do not go together is found at once, and would make the rest look fast
                explorer.model.reset()
                desk.cancel_all()
        times.sort()
        p95 = times[int(0.95 * (len(times) - 1))]
        what = f"{len(times)} of {tries} moves had an answer"
        rows.append(
            {
                "name": f"slider move, {id}", "ours_seconds": p95, "baseline": "the aim of 250 ms",
                "baseline_seconds": AIM, "ratio": AIM / p95, "note": f"p95, page included; {what}",
            }
        )  # fmt: skip
    return rows


def _somewhere(control: Control, now: Any, rng: random.Random) -> Any:
    """Another value of a control: any of a slider's, one more or fewer mark of a board's."""
    if not isinstance(control, Marks):
        return rng.choice([value for value in control.values() if value != now] or [now])
    levels = control.levels(now)
    cell = rng.choice([cell.id for row in control.rows for cell in row])
    levels[cell] = (levels.get(cell, 0) + 1) % len(control.marks)
    return control.write(levels)
