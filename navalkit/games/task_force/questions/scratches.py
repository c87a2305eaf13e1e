"""How many well-chosen scratches until the next is a hit?

A plan is a tree: at each node a square to scratch, and below it a node for each of the four things that may turn up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from navalkit.explore.controls import Settings, Whole
from navalkit.explore.question import Answer, Plot, Question, Tally

from ..odds.belief import Worlds
from ..rules.state import UNSEEN
from .where import best_next, by_kind
from .worlds import GAME, NAMES, SAY, SCRATCHED, drawn, exactness, facts, known_from, one_more

_MOST = 4
_TENTHS = tuple(f"{10 * i}+" for i in range(10))
_TRUE = 12  # decimals that rounding leaves as they are
_EVEN = 9  # decimals to which chances are the same, so that the first square of several as good is taken


@dataclass(frozen=True, slots=True)
class Node:
    """A point of the plan: what has turned up so far is known."""

    chance: float  # to come here
    target: int  # the square most likely to hide a ship
    hit: float  # the chance that it does
    look: int  # the square to scratch first instead; -1 where the plan ends
    below: dict[int, Node]  # by what turns up there, in the order of `task.KINDS`


@lru_cache(maxsize=256)
def plan(seen: str) -> Node:
    """The plan from marks on; DataError if nothing fits them."""
    known = known_from(seen)
    return _plan(known.found, np.array([mark == UNSEEN for mark in known.seen.marks]), 1.0, _MOST)


def _plan(found: Worlds, unseen: NDArray[np.bool_], chance: float, left: int) -> Node:
    total = found.weights.sum()
    ships = np.round((found.weights @ (found.ships & unseen)) / total, _EVEN)
    target = int(ships.argmax())
    if not left or not unseen.any():
        return Node(chance, target, float(ships[target]), -1, {})
    look = int(np.where(unseen, np.round(best_next(found, unseen), _EVEN), -1.0).argmax())
    still = unseen.copy()
    still[look] = False
    below = {}
    for kind, part in enumerate(by_kind(found)):
        weights = part[:, look]
        rows = weights > 0
        if rows.any():
            after = _after(found, rows, weights[rows], look, kind)
            below[kind] = _plan(after, still, chance * float(weights.sum() / total), left - 1)
    return Node(chance, target, float(ships[target]), look, below)


def _after(found: Worlds, rows: NDArray[np.bool_], weights: NDArray[np.float64], look: int, kind: int) -> Worlds:
    """The worlds in which that kind turned up there: the square launches nothing more, and a missile found is gone."""
    launchers = found.launchers[rows]
    launchers[:, look] = False
    return replace(
        found, ships=found.ships[rows], submarines=found.submarines[rows], launchers=launchers, weights=weights,
        group=found.group[rows], missiles=found.missiles - (kind == 1),
    )  # fmt: skip


def _after_scratches(node: Node, number: int) -> Iterator[Node]:
    """The nodes the plan can have reached after a number of scratches."""
    if not number or not node.below:
        yield node
    else:
        for below in node.below.values():
            yield from _after_scratches(below, number - 1)


def _tenth(hit: float) -> int:
    return min(9, int(10 * hit + 1e-6))


def _hits(settings: Settings) -> Answer:
    known, first, number = known_from(settings["seen"]), plan(settings["seen"]), settings["scratches"]
    chances = [
        round(sum(node.chance * node.hit for node in _after_scratches(first, k)), _TRUE) for k in range(_MOST + 1)
    ]
    sure = [0.0] * 10
    for node in _after_scratches(first, number):
        sure[_tenth(node.hit)] += node.chance
    return Answer(
        chances[number],
        (
            Plot("by-scratches", tuple(map(str, range(_MOST + 1))), tuple(chances), number),
            Plot("sure", _TENTHS, tuple(sure)),
        ),
        ("first" if first.look >= 0 else "none-left", "worlds", "mean"),
        ("map", "beside", "even", "targets", "ahead"),
        ("worlds", "best", *(["first"] if first.look >= 0 else [])),
        {
            **facts(known), "scratches": number, "first": NAMES[first.look], "best": NAMES[first.target],
            "top": 100 * first.hit,
        },
        exactness=exactness(known),
        cells=dict(zip(NAMES, np.clip(known.odds.hit.ravel(), 0.0, 1.0).tolist(), strict=True)),
    )  # fmt: skip


def _play(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Hidden seas that look like the marks, scratched by the plan; the next scratch after each of its steps."""
    seas, first = drawn(settings["seen"], rng, n), plan(settings["seen"])
    hits, sure = np.zeros((len(seas), _MOST + 1), dtype=bool), np.zeros(10, dtype=np.int64)
    for row, kinds in zip(hits, seas, strict=True):
        node = first
        for k in range(_MOST + 1):
            row[k] = kinds[node.target] == 0 and node.hit > 0
            if k == settings["scratches"]:
                sure[_tenth(node.hit)] += 1
            node = node.below[kinds[node.look]] if node.below else node
    return Tally.of(hits[:, settings["scratches"]], hits.sum(axis=0), sure, tried=n)


SCRATCHES = Question(
    "task-scratches", GAME, SAY, (Whole("scratches", 1, 0, _MOST), SCRATCHED), _hits, _play,
    inverse="scratches", gains=(("scratches", 1, "scratch"),), steps=one_more,
)  # fmt: skip
