"""What places are worth to a ship: fire dealt and taken there, what comes after, her tasks, mines, and her division."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..rules import mines
from ..rules.movement import Way, can_move, reach
from ..state import Fate
from .approach import range_values
from .chart import Array
from .sea import Foe, Places, Sea
from .tasks import Task, mean_mine, task_values, tasks


@dataclass(frozen=True, slots=True)
class Survey:
    """What places are worth to a ship, part by part, in points of the scenario."""

    ship: int
    at: Places  # the places; the first is where she lies
    dealt: Array  # places x enemies: worth of her fire in this move, at each enemy
    taken: Array  # places x enemies: worth of each enemy's fire at her, as far as she is likely to get it
    later: Array  # by place: of the moves after this one
    task: Array  # by place: of what she is sent to do
    mines: Array  # by place: expected worth lost on mines known of
    formation: Array  # by place: for keeping with her division
    answers: tuple[Array, ...]  # for each enemy, by place: which of its places answers each of hers best
    tasks: tuple[Task, ...]

    @property
    def total(self) -> Array:
        """All together; she fires at one enemy, the one where it is worth most."""
        best = self.dealt.max(axis=1, initial=0.0)
        return np.asarray(best - self.taken.sum(axis=1) + self.later + self.task - self.mines + self.formation)


def survey(sea: Sea, ship: int, targets: Sequence[tuple[int, int]]) -> Survey:
    """What staying, and each of these squares and headings, is worth to a ship of ``sea.own``."""
    own = sea.view.ships[ship]
    places = np.array([(own.square, own.heading), *targets])
    at = Places(places[:, 0], places[:, 1])
    next_square = sea.chart.ahead[at.squares, at.headings]
    values = range_values(sea, ship, sea.battle.grid.rows + sea.battle.grid.columns)
    dealt, taken = np.zeros((2, len(places), len(sea.foes)))
    later, answers = np.zeros(len(places)), []
    for n, foe in enumerate(sea.foes):
        fire, hurt = sea.exchange(ship, at, foe)
        hurt = hurt * sea.aimed_at[sea.own.index(ship), n] * (sea.figures["exposed"] if foe.moves else 1.0)
        away = sea.chart.distance[np.ix_(at.squares, foe.places.squares)]
        onward = sea.chart.distance[np.ix_(next_square, foe.places.squares)]
        future = (values[n, away] + values[n, onward]) / 2
        answer = _answer(sea, ship, foe, fire * sea.aims[sea.own.index(ship), n] - hurt + future)
        dealt[:, n], taken[:, n] = _meet(sea, fire, answer, foe), _meet(sea, hurt, answer, foe)
        later += _meet(sea, future, answer, foe)
        answers.append(answer)
    found = tasks(sea, ship)
    worth = task_values(sea, ship, found)
    task = (worth[at.squares] + worth[next_square]) / 2
    return Survey(
        ship, at, dealt, taken, later, task,
        _mined(sea, ship, places), _formation(sea, ship, at), tuple(answers), found,
    )  # fmt: skip


def _answer(sea: Sea, ship: int, foe: Foe, worth: Array) -> Array:
    """Which of its places an enemy answers each of hers with: the one that is worst for the side, all ships counted."""
    if not foe.moves:
        return np.zeros(len(worth), dtype=np.int64)
    standing = sea.standing(sea.foes.index(foe))
    others = standing.sum(axis=0) - standing[sea.own.index(ship)]
    return np.asarray((worth + others).argmin(axis=1))


def _meet(sea: Sea, worth: Array, answer: Array, foe: Foe) -> Array:
    """A worth over her places and an enemy's as a worth over hers: between its best answer and any of its places."""
    anywhere = worth @ foe.likely
    if not foe.moves:
        return np.asarray(anywhere)
    foresight = sea.figures["foresight"]
    return np.asarray(foresight * worth[np.arange(len(worth)), answer] + (1 - foresight) * anywhere)


def _mined(sea: Sea, ship: int, places: Array) -> Array:
    """What the mines on each way are expected to cost."""
    if sea.battle.card(ship).type == mines.SWEEPER:
        return np.zeros(len(places))
    known = {f.square for f in sea.view.fields if f.side != sea.me}
    ways = reach(sea.battle, sea.view, ship) if known else {}
    passed = [len(known & set(ways.get((int(s), int(h)), _STAYS).squares)) for s, h in places]
    return sea.stakes.point[ship] * mean_mine() * np.array(passed, dtype=float)


_STAYS = Way((), 0)


def _formation(sea: Sea, ship: int, at: Places) -> Array:
    """For keeping near those of her division that have moved, and on their heading."""
    name = sea.battle.units[ship].division
    worth = np.zeros(len(at.squares))
    mates = [n for n in sea.battle.divisions.get(name, ()) if n != ship]
    mates = [n for n in mates if sea.view.ships[n].fate is Fate.AT_SEA and not can_move(sea.view, n)]
    for n in mates:
        mate = sea.view.ships[n]
        near = sea.chart.distance[at.squares, mate.square] <= sea.figures["close_order"]
        worth += near * 0.5 + (near & (at.headings == mate.heading)) * 0.5
    return np.asarray(worth * in_formation(sea, ship) / max(1, len(mates)))


def in_formation(sea: Sea, ship: int) -> float:
    """What it is worth to a ship to keep with her whole division."""
    return sea.figures["formation"] * sea.stakes.value[ship]
