"""A map small enough to weigh every world on it, and the marks that a reader scratches there."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from navalkit.core.echo import brief
from navalkit.core.errors import NotationError
from navalkit.core.language.say import SAY as CORE
from navalkit.core.language.words import Words
from navalkit.explore.controls import Cell, Marks, Settings
from navalkit.explore.question import Step

from .. import SMALL, TaskForce
from ..odds import Posterior, posterior_of
from ..odds.belief import Worlds, worlds
from ..rules.sea import Ships
from ..rules.state import EMPTY, HIT, MISSILES, SUBMARINE, UNSEEN, Observation

GAME = "task-force"
SAY = Words.load("navalkit.games.task_force.questions")
Floats = NDArray[np.float64]
SEA = TaskForce(**SMALL).sea
NAMES = SEA.grid.names
KINDS = ("hit", "missile", "submarine", "empty")
_MARKS = ("", "-", "x", "s", "m")


def square(word: str) -> str:
    if (name := str(word).upper()) not in NAMES:
        raise NotationError(CORE("square.notation", name=brief(word), names=NAMES[-1]))
    return name


SCRATCHED = Marks(
    "seen", marks=_MARKS, read=square,
    rows=tuple(tuple(Cell(name, name, name) for name in NAMES[i : i + SEA.grid.columns])
               for i in range(0, SEA.grid.size, SEA.grid.columns)),
)  # fmt: skip


class Known(NamedTuple):
    """What the marks leave possible."""

    seen: Observation
    found: Worlds
    odds: Posterior


@lru_cache(maxsize=512)
def known_from(text: str) -> Known:
    """All worlds that fit the marks; DataError if none does."""
    marks, missiles = [UNSEEN] * SEA.grid.size, iter(MISSILES * SEA.grid.size)
    for name, level in SCRATCHED.levels(text).items():
        sign = _MARKS[level]
        marks[NAMES.index(name)] = next(missiles) if sign == "m" else {"-": EMPTY, "x": HIT, "s": SUBMARINE}[sign]
    seen = Observation(SEA, "".join(marks))
    found = worlds(seen, 70_000, np.random.default_rng(0))
    return Known(seen, found, posterior_of(seen, found))


def shares_of(odds: Posterior) -> Floats:
    """The four chances of every square, shape (4, squares), in the order of `KINDS`."""
    shares: Floats = np.clip(np.stack([getattr(odds, kind).ravel() for kind in KINDS]), 0.0, 1.0)
    return shares


def exactness(known: Known) -> str:
    """How exact the answers are."""
    return "rounding" if known.odds.exact else "sample"


def facts(known: Known) -> dict[str, Any]:
    """What the sentences of all the questions tell."""
    return {
        "worlds": known.odds.worlds, "rows": SEA.grid.rows, "columns": SEA.grid.columns, "submarines": SEA.submarines,
        "missiles": SEA.missiles,
    }  # fmt: skip


def drawn(text: str, rng: np.random.Generator, n: int) -> list[list[int]]:
    """Of ``n`` hidden seas those that look like the marks: for each square its place in `KINDS`."""
    marks = known_from(text).seen.marks
    want = {s: 1 if mark in MISSILES else (HIT, "", SUBMARINE, EMPTY).index(mark) for s, mark in enumerate(marks)
            if mark != UNSEEN}  # fmt: skip
    fits = []
    for _ in range(n):
        ships = SEA.draw_fleet(rng)
        while (found := _beside(ships, rng)) is None:  # no room: hide everything anew (T2e)
            ships = SEA.draw_fleet(rng)
        submarines, missiles = found
        kinds = [3] * SEA.grid.size
        for ship in ships:
            for s in ship:
                kinds[s] = 0
        for s in missiles:
            kinds[s] = 1
        for s in submarines:
            kinds[s] = 2
        if all(kinds[s] == kind for s, kind in want.items()):
            fits.append(kinds)
    return fits


def _beside(ships: Ships, rng: np.random.Generator) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Submarines and missiles beside a fleet, or None where there is no room for them."""
    if not SEA.count_submarines(ships):
        return None
    submarines = SEA.draw_submarines(ships, rng)
    if not SEA.count_missiles(ships, submarines):
        return None
    return submarines, tuple(s for s, _ in SEA.draw_missiles(ships, submarines, rng))


def one_more(settings: Settings) -> Iterator[Step]:
    """One more scratch of every square not scratched yet, but for the one asked about: nothing there, or a ship."""
    levels = SCRATCHED.levels(settings["seen"])
    for name in NAMES:
        if name not in levels and name != settings.get("square"):
            sides = (SCRATCHED.write({**levels, name: level}) for level in (1, 2))
            yield Step(SAY("scratch", square=name), "seen", *sides)
