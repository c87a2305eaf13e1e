"""What a ship is sent to do besides fighting, as a value of every square: exits, islands, harbours, depot ships."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from ..cards.vessels import allowance, quarters
from ..rules.harbour import full_load
from ..rules.mines import SWEEPER
from ..rules.movement import DEPOT
from ..rules.salvos import mine
from ..state import MINES_A_SQUARE, Fate
from .chart import UNREACHED, Array, sailing_distance
from .sea import Sea

UNARMED = "merchant", DEPOT  # ships not built to fight
REPAIR = 0.1  # share of the sinking rate mended in a move in harbour (rule F22)


@dataclass(frozen=True, slots=True)
class Task:
    """Something to be done at certain squares."""

    rule: str
    key: str  # of the sentence that tells of it
    worth: float  # in points of the scenario
    where: frozenset[int]  # the squares where it is done
    name: str = ""  # what it is called there: an island's name


def tasks(sea: Sea, ship: int) -> tuple[Task, ...]:
    """What there is to do for a ship of one's own."""
    return (*_exits(sea, ship), *_islands(sea, ship), *_shelter(sea, ship), *_mines(sea, ship))


def _exits(sea: Sea, ship: int) -> Iterator[Task]:
    """The way out that pays; a ship not built to fight is also out of danger there, with all that she is worth."""
    if (gain := sea.stakes.exit[ship]) and (exits := sea.battle.exits[sea.me]):
        safety = sea.figures["haven"] * sea.stakes.value[ship] if sea.battle.card(ship).type in UNARMED else 0.0
        yield Task("F12", "task.exit", gain + safety, exits)


def _islands(sea: Sea, ship: int) -> Iterator[Task]:
    """The islands to be captured, each a task of the ship that is nearest to it."""
    battle, view = sea.battle, sea.view
    for aim in battle.objectives:
        if aim.aim != "island":
            continue
        for island in aim.of:
            owner, shore = view.islands[island].owner, battle.shores[island]
            wanted = aim.side == sea.me and owner != sea.me or aim.side != sea.me and owner == aim.side
            if wanted and shore:
                away = sailing_distance(battle.grid, battle.land, shore)
                if ship == min(sea.own, key=lambda n: (away[view.ships[n].square], n)):
                    yield Task("F35", "task.island", float(aim.points), shore, battle.islands[island].name)


def _shelter(sea: Sea, ship: int) -> Iterator[Task]:
    """A harbour for a ship that is badly hurt; torpedoes for one that has fired all of hers."""
    battle, own, card = sea.battle, sea.view.ships[ship], sea.battle.card(ship)
    worth = sea.stakes.point[ship] * REPAIR * card.sinking_rate
    if (ports := battle.harbours[sea.me]) and quarters(own.damage, card.sinking_rate) >= sea.figures["crippled"]:
        yield Task("F22", "task.harbour", sea.figures["moves_in_harbour"] * worth, ports)
    depots = frozenset(
        sea.view.ships[n].square
        for n in battle.fleet(sea.me)
        if battle.card(n).type == DEPOT and sea.view.ships[n].fate is Fate.AT_SEA and n != ship
    )
    if card.torpedoes and not own.loaded and full_load(battle, ship) and (depots | ports):
        yield Task("F21", "task.reload", sea.figures["reloading"] * sea.stakes.value[ship], depots | ports)


def _mines(sea: Sea, ship: int) -> Iterator[Task]:
    """Enemy mines for a sweeper to sweep; for a minelayer squares that enemies are likely to pass."""
    card = sea.battle.card(ship)
    most = max((sea.stakes.value[n] for n in sea.own), default=0.0)
    swept = frozenset(f.square for f in sea.view.fields if f.side != sea.me)
    if card.type == SWEEPER and swept:
        yield Task("F26", "task.sweep", sea.figures["sweeping"] * most, swept)
    if sea.view.ships[ship].mines >= MINES_A_SQUARE:
        passed = passing(sea)
        likely = frozenset(int(s) for s in np.flatnonzero(passed >= sea.figures["mining"] * passed.max(initial=0.0)))
        if passed.max(initial=0.0) > 0:
            yield Task("F23", "task.lay", float(passed.max()) * mean_mine(), likely)


@cache
def mean_mine() -> float:
    """Mean damage of a mined square (rule F24)."""
    return float(mine().mean)


def passing(sea: Sea) -> Array:
    """For every square without mines of one's own, how likely enemies are to pass it, times the worth of a point.

    An enemy bound for an exit is as likely to pass each of the squares at the same distance on its shortest ways there.
    """
    battle, total = sea.battle, np.zeros(sea.battle.grid.size)
    for foe in sea.foes:
        for n, chance in zip(foe.ships, foe.chances, strict=True):
            if sea.stakes.exit[n]:
                goal = sailing_distance(battle.grid, battle.land, battle.exits[1 - sea.me])
                way = sailing_distance(battle.grid, battle.land, frozenset((foe.square,))) + goal
                ahead = (way == goal[foe.square]) & (goal < goal[foe.square])
                across = np.bincount(goal[ahead], minlength=UNREACHED + 1)[goal]
                total += np.where(ahead, chance * sea.stakes.point[n] / np.maximum(across, 1), 0.0)
    total[[f.square for f in sea.view.fields if f.side == sea.me]] = 0.0
    return total


def task_values(sea: Sea, ship: int, found: tuple[Task, ...]) -> Array:
    """What a ship's tasks are worth from every square: each the less, the more moves it is away; 0 if too late."""
    total = np.zeros(sea.battle.grid.size)
    card, own = sea.battle.card(ship), sea.view.ships[ship]
    squares = sum(allowance(card.speed)) / 2 - quarters(own.damage, card.sinking_rate)
    left = sea.battle.moves - sea.view.move
    for task in found:
        away = sailing_distance(sea.battle.grid, sea.battle.land, task.where)
        moves = away / max(squares, 1.0)
        # To leave takes a move of its own, from a square of the exit on (rule F12).
        in_time = (moves <= left) & (away < UNREACHED)
        total += np.where(in_time, task.worth * sea.figures["patience"] ** moves, 0.0)
    return total
