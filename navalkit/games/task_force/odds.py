"""Odds of Task Force: how many fleets there are, one at random, and what is likely where, given all that was seen.

The posterior is joint. Fleets that fit come from `navalkit.prob.search`, each as likely as any other; beside each the
submarines lie in one of the ways that fit; and a world (fleet and submarines) is weighed by how likely chance was to
put submarines and missiles beside this fleet just as they were seen:

    1 / S(fleet)  *  C(free launchers, missiles unseen) / C(launchers, missiles)

where S counts the placements of the submarines, and launchers are the squares where a missile may lie. Drawing anew
when there is no room (T2e) makes worlds without room impossible, and leaves the others in proportion.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navalkit.core.errors import DataError
from navalkit.prob import placements
from navalkit.prob.search import Fleets, Population

from .deduce import deduce
from .sea import Sea, Ships, sea
from .state import EMPTY, HIT, MISSILES, SUBMARINE, UNSEEN, Observation, Phase, State
from .tables import TABLES

__all__ = [
    "Observation",
    "Posterior",
    "Worlds",
    "count_fleets",
    "deduce",
    "posterior",
    "sample_fleets",
    "taught",
    "worlds",
]

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
SAMPLE = 50_000
"""Fleets in the sample of `posterior`."""
MAX_EXACT = 100_000
"""Worlds that are weighed one by one before `posterior` samples the submarines instead."""
MAX_GROUPS = 100
"""How often at most the submarines are sampled beside one fleet."""
_SUM_TO_ONE = 1e-9


# -- fleets ----------------------------------------------------------------------------------------


def count_fleets(rows: int = 10, columns: int = 10, deep: int = 7, fleet: str = "full") -> int:
    """The exact number of legal fleets (T1), counted; about 10 s for ten rows of the full fleet.

    Raises
    ------
    DataError
        If there are more than 16 columns.
    """
    return placements.count(sea(rows=rows, columns=columns, deep=deep, fleet=fleet).waters)


@lru_cache(maxsize=16)
def count_fleets_of(sea_: Sea) -> int:
    """The number of legal fleets of a sea: from data.toml where it is there, else counted."""
    rows = sea_.grid.rows
    if rows in TABLES.counts and sea_.waters == sea(rows).waters:
        return TABLES.counts[rows]
    return placements.count(sea_.waters)


def sample_fleets(n: int, seed: int, rows: int = 10, columns: int = 10, deep: int = 7, fleet: str = "full") -> Bools:
    """``n`` independent legal fleets, each with exactly the same chance.

    Returns
    -------
    array of bool, shape (n, rows, columns)
        The squares each fleet covers.

    Raises
    ------
    DataError
        If no legal fleet fits.
    """
    waters = sea(rows=rows, columns=columns, deep=deep, fleet=fleet).waters
    fleets = placements.sample(waters, n, np.random.default_rng(seed))
    covered: Bools = np.logical_or.reduce(waters.placements.cover[fleets], axis=1)
    return covered.reshape(n, rows, columns)


@lru_cache(maxsize=32)
def has_room(sea_: Sea) -> bool:
    """Whether some fleet leaves room for all submarines and missiles."""
    nothing = Observation(sea_, UNSEEN * sea_.grid.size)
    return bool(worlds(nothing, 500, np.random.default_rng(0)).weights.sum() > 0)


# -- worlds that fit -------------------------------------------------------------------------------


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
        self.shape = (grid.rows, grid.columns)
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
        exact = fleets.exact and float(ways[possible].sum()) <= MAX_EXACT
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
        ones = squares.reshape(-1, *self.shape).view(np.int8)
        count = np.zeros_like(ones)
        count[:, 1:] += ones[:, :-1]
        count[:, :-1] += ones[:, 1:]
        count[:, :, 1:] += ones[:, :, :-1]
        count[:, :, :-1] += ones[:, :, 1:]
        return count.reshape(squares.shape)

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
        Given back as it is while chance is still hiding things.
    rng : numpy Generator
    """
    if state.phase in (Phase.FLEET, Phase.SUBMARINES, Phase.MISSILES):
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


# -- what is likely where --------------------------------------------------------------------------


@dataclass(frozen=True)
class Posterior:
    """What is likely where.

    Parameters
    ----------
    hit, missile, submarine, empty : arrays of float, shape (rows, columns)
        The probability of each; they add up to 1 on every square. On scratched squares 0 or 1.
    errors : array of float, shape (4, rows, columns)
        Standard errors of hit, missile, submarine, empty.
    exact : bool
        Whether all worlds that fit were weighed, so that nothing was sampled.
    worlds : int
        How many worlds it rests on.
    """

    hit: Floats
    missile: Floats
    submarine: Floats
    empty: Floats
    errors: Floats
    exact: bool
    worlds: int

    @property
    def se(self) -> Floats:
        """The standard errors of ``hit``, shape (rows, columns); 0 if exact."""
        se: Floats = self.errors[0]
        return se

    def of(self, square: int) -> dict[str, float]:
        """The four probabilities of a square by name."""
        names = ("hit", "missile", "submarine", "empty")
        return {name: float(getattr(self, name).flat[square]) for name in names}


def posterior(observation: Observation, seed: int = 0, sample: int = SAMPLE) -> Posterior:
    """The probability of hit, missile, submarine and empty for every square, given everything seen.

    Parameters
    ----------
    observation : Observation
    seed : int
        Of the sampling, if it comes to that; the same seed gives the same figures.
    sample : int
        Fleets in the sample.

    Raises
    ------
    DataError
        If nothing fits what was seen.
    """
    return posterior_of(observation, worlds(observation, sample, np.random.default_rng(seed)))


def posterior_of(observation: Observation, found: Worlds) -> Posterior:
    """The posterior that those worlds give; see `posterior`."""
    if not found.weights.sum() > 0:
        raise DataError("no fleet, submarines and missiles fit what the map shows; check the marks.")
    shape = (observation.sea.grid.rows, observation.sea.grid.columns)
    group_sums, totals = _group_sums(found)
    total = totals.sum()
    means = group_sums.sum(axis=0) / total  # (3, squares)
    hit, missile, submarine = means
    errors = np.zeros((4, means.shape[1]))
    if not found.exact:
        spread = group_sums - means[None] * totals[:, None, None]
        spread = np.concatenate([spread, -spread.sum(axis=1, keepdims=True)], axis=1)
        g = len(totals)
        errors = np.sqrt(g / (g - 1) * (spread**2).sum(axis=0)) / total
    for s, mark in enumerate(observation.marks):
        if mark != UNSEEN:
            hit[s], missile[s], submarine[s] = mark == HIT, mark in MISSILES, mark == SUBMARINE
            errors[:, s] = 0
    empty = np.clip(1 - hit - missile - submarine, 0, 1)
    empty[empty < _SUM_TO_ONE] = 0
    hit, missile, submarine, empty = (a.reshape(shape) for a in (hit, missile, submarine, empty))
    return Posterior(hit, missile, submarine, empty, errors.reshape(4, *shape), found.exact, len(found.weights))


def _group_sums(found: Worlds) -> tuple[Floats, Floats]:
    """Weighted sums of ship, missile and submarine by group, shape (groups, 3, squares), and of 1, shape (groups,)."""
    free = found.launchers.sum(axis=1)
    share = found.missiles / np.maximum(free, 1)  # the chance that a missile lies on a given launcher
    parts = np.empty((found.groups, 3, found.ships.shape[1]))
    totals = np.zeros(found.groups)
    for g in range(found.groups):
        mine = found.group == g
        w = found.weights[mine]
        totals[g] = w.sum()
        parts[g, 0] = w @ found.ships[mine]
        parts[g, 1] = (w * share[mine]) @ found.launchers[mine]
        parts[g, 2] = w @ found.submarines[mine]
    return parts, totals


def taught(before: Posterior, square: int, mark: str) -> float:
    """How much it taught, in bits, that ``square`` turned out to bear ``mark`` (the targets of missiles aside).

    The rarer what was seen, the more: minus the binary logarithm of its probability.
    """
    name = {HIT: "hit", EMPTY: "empty", SUBMARINE: "submarine"}.get(mark, "missile")
    chance = before.of(square)[name]
    return -log2(chance) if chance > 0 else float("inf")


def chart(values: Floats) -> Iterator[str]:
    """The rows of an array of probabilities as text, in percent."""
    for row in values:
        yield " ".join(f"{100 * value:3.0f}" for value in row)
