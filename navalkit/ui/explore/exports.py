"""The charts of an answer as they are saved: a table, and a picture that says where it is from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from navalkit.explore import Answer, ask, picture
from navalkit.explore.picture import Beside
from navalkit.explore.question import Plot, Question, Tally
from navalkit.explore.say import SAY
from navalkit.explore.tornado import tornado_csv, tornado_picture
from navalkit.view.scene import Scene

from . import html
from .run import Run

Over = tuple[Plot, Beside, Beside]
"""A chart with what was simulated, and what was pinned."""


@dataclass(frozen=True)
class Export:
    """A chart as it is saved: its name, and what makes the table and the picture."""

    name: str
    table: Callable[[], str]
    scene: Callable[[], Scene]


def over(answer: Answer | None, tally: Tally | None, pinned: Answer | None) -> list[Over]:
    """Every chart of an answer with what was simulated and what was pinned."""
    rows = []
    for i, plot in enumerate(answer.plots if answer else ()):
        counts = tally.bars[i] if tally else None
        other = pinned.plots[i] if pinned and i < len(pinned.plots) else None
        shares = picture.shares(counts, tally.n if tally else 0, len(plot.x))
        rows.append((plot, shares, picture.beside(plot, other)))
    return rows


def chart(question: Question, shown: Over, link: str) -> Export:
    """One of the answer's charts."""
    return Export(
        f"{question.id}-{shown[0].key}", lambda: picture.csv_text(*shown), lambda: picture.picture(*shown, link)
    )  # fmt: skip


def simulated(question: Question, answer: Answer, run: Run) -> Export:
    """How the simulated share came near the answer."""
    title = SAY("run.title", said=answer.said.rstrip("."))
    return Export(
        f"{question.id}-run", lambda: picture.run_csv(run.curve),
        lambda: picture.run_picture(run.curve, run.n, float(answer.value), answer.unit, title),
    )  # fmt: skip


def influences(question: Question, settings: Mapping[str, Any], answer: Answer) -> Export:
    """Which control matters most."""
    rows, title = ask.sensitivity(question, settings), f"{question.title} {html.matters(question)}"
    return Export(
        f"{question.id}-sensitivity", lambda: tornado_csv(rows, answer.value, question),
        lambda: tornado_picture(rows[: html.BARS], answer.value, answer.unit, question, title),
    )  # fmt: skip
