"""The map of the game itself: where ships lie before anything is scratched."""

from __future__ import annotations

import numpy as np

from navalkit.core.awaited import Steps
from navalkit.explore.controls import Choice, Settings, Whole
from navalkit.explore.question import Answer, Plot, Question, Tally
from navalkit.prob import placements

from ..odds import weighing
from ..rules.game import TaskForce
from ..rules.state import UNSEEN, Observation
from .worlds import GAME, SAY

_SEA = TaskForce().sea
_GRID = _SEA.grid
_COLUMNS = tuple(dict.fromkeys(name[0] for name in _GRID.names))
_SAMPLE = 20_000  # fleets that the answer rests on


def _first(settings: Settings) -> Steps[Answer]:
    found = yield from weighing(Observation(_SEA, UNSEEN * _GRID.size), sample=_SAMPLE)
    column, row = _COLUMNS.index(settings["column"]), settings["row"] - 1
    chance, best = float(found.hit[row, column]), int(found.hit.argmax())
    rows = tuple(str(number) for number in range(1, _GRID.rows + 1))
    return Answer(
        chance,
        (
            Plot("down", rows, tuple(found.hit[:, column].tolist()), row),
            Plot("across", _COLUMNS, tuple(found.hit[row].tolist()), column),
        ),
        ("fleets",),
        ("map", "even"),
        ("best", "mean", "danger"),
        {
            "square": f"{settings['column']}{settings['row']}", "fleets": found.worlds, "best": _GRID.names[best],
            "top": float(found.hit.max()), "mean": _SEA.waters.squares / _GRID.size,
            "danger": float((found.missile + found.submarine)[row, column]),
        },
        error=float(found.se[row, column]), n=found.worlds, exactness="sampled",
    )  # fmt: skip


def _laid(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Fleets drawn as in play."""
    fleets = placements.sample(_SEA.waters, n, rng)
    covered = np.logical_or.reduce(_SEA.waters.placements.cover[fleets], axis=1).reshape(n, _GRID.rows, _GRID.columns)
    column, row = _COLUMNS.index(settings["column"]), settings["row"] - 1
    return Tally.of(covered[:, row, column], covered[:, :, column].sum(axis=0), covered[:, row].sum(axis=0))


REAL = Question(
    "task-real", GAME, SAY,
    (Choice("column", "D", dict.fromkeys(_COLUMNS, ""), True), Whole("row", 5, 1, _GRID.rows)), _first, _laid,
)  # fmt: skip
