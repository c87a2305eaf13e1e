"""What a captain may believe: the worlds (fleet and submarines) that fit what was seen, each with its weight.

Fleets that fit come from `navalkit.prob.search`, each as likely as any other; beside each the submarines lie in one of
the ways that fit; and a world is weighed by how likely chance was to put submarines and missiles beside this fleet just
as they were seen:

    1 / S(fleet)  *  C(free launchers, missiles unseen) / C(launchers, missiles)

where S counts the placements of the submarines, and launchers are the squares where a missile may lie. Drawing anew
when there is no room (T2e) makes worlds without room impossible, and leaves the others in proportion.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navalkit.prob.search import Fleets, Population

from .sea import Sea, Ships
from .state import EMPTY, HIT, MISSILES, SUBMARINE, UNSEEN, Observation, Phase, State

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
EXACT = 2
"""All worlds are weighed one by one if there are no more of them than this, times the fleets asked for."""
MAX_GROUPS = 100
"""How often at most the submarines are sampled beside one fleet."""


@dataclass(frozen=True)
class Worlds:
    """Fleets and submarines that fit an observation, with weights.

    Parameters
    ----------
    ships : array of bool, shape (n, squares)
    submarines : array of bool, shape (n, squares)
        Those seen included.
    launchers : array of bool, shape (n, squares)
        Unscratched squares where a missile unseen so far may lie.
    missiles : int
        How many missiles lie unseen, on launchers chosen evenly.
    weights : array of float, shape (n,)
        In proportion to the probability of each world.
    group : array of int, shape (n,)
        Sampled independently of other groups, 0 to ``groups`` - 1.
    groups : int
    exact : bool
        Whether all worlds that fit are here.
    """

    ships: Bools
    submarines: Bools
    launchers: Bools
    missiles: int
    weights: Floats
    group: NDArray[np.int64]
    groups: int
    exact: bool

    def joined(self, other: Worlds) -> Worlds:
        """These worlds and those of another sample of the same size, as one sample."""
        return Worlds(
            np.concatenate([self.ships, other.ships]),
            np.concatenate([self.submarines, other.submarines]),
            np.concatenate([self.launchers, other.launchers]),
            self.missiles,
            np.concatenate([self.weights, other.weights]),
            np.concatenate([self.group, other.group + self.groups]),
            self.groups + other.groups,
            exact=False,
        )


def worlds(observation: Observation, n: int, rng: np.random.Generator, groups: int = 10) -> Worlds:
    """The worlds that fit an observation: all of them where that is affordable, else a sample of about ``n`` fleets.

    Parameters
    ----------
    observation : Observation
    n : int
        Fleets in the sample.
    rng : numpy Generator
    groups : int
        How many independent samples it is made of.
    """
    sea_, grid = observation.sea, observation.sea.grid
    seen_submarines = observation.squares(SUBMARINE)
    beside_submarines = {s for sub in seen_submarines for s in grid.neighbours[sub]}
    fleets = Fleets(
        sea_.waters,
        hits=observation.squares(HIT),
        water={*observation.squares(EMPTY + SUBMARINE + MISSILES), *beside_submarines},
        beside=observation.squares(MISSILES),
    ).sample(n, rng, groups=groups)
    return _Beside(observation, fleets).worlds(n, rng)


class _Beside:
    """What may lie beside fleets: arrays of shape (n, squares) throughout."""

    def __init__(self, observation: Observation, fleets: Population) -> None:
        self.observation, self.fleets = observation, fleets
        grid = observation.sea.grid
        self.columns = grid.columns
        self.same_row = (np.arange(1, grid.size) % grid.columns != 0).astype(np.int8)  # square s + 1 and square s
        self.near = np.zeros((grid.size, grid.size), dtype=bool)
        for square, neighbours in enumerate(grid.neighbours):
            self.near[square, list(neighbours)] = True
        self.unseen = np.array([mark == UNSEEN for mark in observation.marks])
        self.seen_subs = np.array([mark == SUBMARINE for mark in observation.marks])
        seen_missiles = np.array([mark in MISSILES for mark in observation.marks])
        self.missiles = observation.sea.missiles - int(seen_missiles.sum())
        self.to_find = observation.sea.submarines - int(self.seen_subs.sum())
        touched = self._beside(fleets.ships)
        self.lairs = ~fleets.ships & ~touched
        self.launchers = ~fleets.ships & touched
        no_lair = (self.near[self.seen_subs | seen_missiles]).any(axis=0)
        self.open_lairs = self.lairs & (self.unseen & ~no_lair)

    def worlds(self, n: int, rng: np.random.Generator) -> Worlds:
        fleets, k, groups = self.fleets, self.to_find, self.fleets.groups
        placed = self._apart(self.lairs, self.observation.sea.submarines)
        ways = self._apart(self.open_lairs, k)
        possible = (ways > 0) & (placed > 0) if k >= 0 and self.missiles >= 0 else np.zeros(len(ways), dtype=bool)
        exact = fleets.exact and float(ways[possible].sum()) <= EXACT * n
        rows = np.flatnonzero(possible)
        group = fleets.group[rows]
        if exact:
            rows, subs = self._all_submarines(rows)
            weights, group = 1 / placed[rows], fleets.group[rows]
        else:
            if fleets.exact:  # only the submarines are sampled, beside every fleet as often as there is room for
                times = max(1, min(MAX_GROUPS, n // max(len(rows), 1)))
                group, rows = np.repeat(np.arange(times), len(rows)), np.tile(rows, times)
                groups = times
                if times < 10:  # too few to tell an error from: as if the fleets were sampled too, which errs upward
                    groups, group = 10, np.arange(len(rows)) % 10
            subs = self._some_submarines(rows, rng)
            weights = fleets.weights[rows] * (ways[rows] / placed[rows])
        submarines = subs | self.seen_subs
        launchers = self.launchers[rows] & ~self._beside(submarines)
        free = launchers & self.unseen
        unseen = max(self.missiles, 0)
        table_all = np.array([float(comb(v, self.observation.sea.missiles)) for v in range(self.near.shape[0] + 1)])
        table_free = np.array([float(comb(v, unseen)) for v in range(self.near.shape[0] + 1)])
        room = table_all[launchers.sum(axis=1)]
        weights = np.divide(
            weights * table_free[free.sum(axis=1)], room, out=np.zeros(len(rows)), where=room > 0
        )
        return Worlds(fleets.ships[rows], submarines, free, unseen, weights, group, groups, exact)

    def _beside(self, squares: Bools) -> Bools:
        return self._count_beside(squares) > 0

    def _count_beside(self, squares: Bools) -> NDArray[np.int8]:
        """How many neighbours of each square are among ``squares``."""
        ones, wide = squares.view(np.int8), self.columns
        count = np.zeros_like(ones)
        count[:, wide:] += ones[:, :-wide]
        count[:, :-wide] += ones[:, wide:]
        count[:, 1:] += ones[:, :-1] & self.same_row
        count[:, :-1] += ones[:, 1:] & self.same_row
        return count

    def _apart(self, lairs: Bools, k: int) -> Any:
        """For each row the number of sets of k lairs of which no two are neighbours, shape (n,); k is 0 to 3."""
        v = lairs.sum(axis=1).astype(float)
        if k <= 1:
            return v if k == 1 else np.full(len(v), float(k == 0))
        degree = self._count_beside(lairs) * lairs
        pairs = degree.sum(axis=1) / 2
        if k == 2:
            return v * (v - 1) / 2 - pairs
        # No triangles on a board of squares: see Sea.count_submarines.
        return v * (v - 1) * (v - 2) / 6 - pairs * (v - 2) + (degree * (degree - 1)).sum(axis=1) / 2

    def _all_submarines(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], Bools]:
        """Every way for the submarines not seen yet, beside each of those fleets."""
        size = self.near.shape[0]
        subs = np.zeros((len(rows), size), dtype=bool)
        newest = np.full(len(rows), -1)
        numbers = np.arange(size)
        for _ in range(self.to_find):
            options = self.open_lairs[rows] & (numbers[None, :] > newest[:, None]) & ~self._beside(subs)
            parent, square = np.nonzero(options)
            rows, subs, newest = rows[parent], subs[parent], square
            subs[np.arange(len(rows)), square] = True
        return rows, subs

    def _some_submarines(self, rows: NDArray[np.int64], rng: np.random.Generator) -> Bools:
        """One way beside each of those fleets, each way with the same chance: drawn until no two are neighbours."""
        size = self.near.shape[0]
        subs = np.zeros((len(rows), size), dtype=bool)
        if not self.to_find or not len(rows):
            return subs
        lairs = self.open_lairs[rows]
        squares = np.nonzero(lairs)[1]
        counts = lairs.sum(axis=1)
        starts = np.cumsum(counts) - counts
        pending = np.arange(len(rows))
        while len(pending):
            ticket = (rng.random((len(pending), self.to_find)) * counts[pending, None]).astype(np.int64)
            drawn = squares[starts[pending, None] + ticket]
            clash = np.zeros(len(pending), dtype=bool)
            for i in range(self.to_find):
                for j in range(i):
                    clash |= (drawn[:, i] == drawn[:, j]) | self.near[drawn[:, i], drawn[:, j]]
            done = pending[~clash]
            subs[done[:, None], drawn[~clash]] = True
            pending = pending[clash]
        return subs


def elsewhere(observation: Observation, state: State, rng: np.random.Generator) -> State:
    """A state that looks the same but hides something else where it can: to check that nobody peeps.

    Parameters
    ----------
    observation : Observation
        Of that state.
    state : State
        Given back as it is while chance is still hiding things, and once the game is over and shows them.
    rng : numpy Generator
    """
    if state.phase not in (Phase.TURN, Phase.FLIGHT):
        return state
    found = worlds(observation, 200, rng)
    i = int(rng.choice(len(found.weights), p=found.weights / found.weights.sum()))
    fleet = _split(set(np.flatnonzero(found.ships[i]).tolist()), observation.sea)
    free = rng.permutation(np.flatnonzero(found.launchers[i]))[: found.missiles].tolist()
    seen = [(s, MISSILES.index(m)) for s, m in enumerate(observation.marks) if m in MISSILES]
    missiles = tuple(sorted([*seen, *zip(free, observation.targets_left, strict=True)]))
    submarines = tuple(np.flatnonzero(found.submarines[i]).tolist())
    return replace(state, fleet=fleet, submarines=submarines, missiles=missiles)


def _split(squares: set[int], sea_: Sea) -> Ships:
    """The ships that cover these squares: as no two touch, the longest line through a square is its ship."""
    ships = []
    for line in sorted(set(sea_.waters.placements.cells), key=len, reverse=True):
        if squares.issuperset(line):
            ships.append(line)
            squares = squares.difference(line)
    return tuple(sorted(ships))
