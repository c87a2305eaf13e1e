"""What a captain may believe: the worlds (fleet and submarines) that fit what was seen, each with its weight.

Fleets that fit come from `navalkit.prob.search`, each as likely as any other; beside each the submarines lie in one of
the ways that fit; and a world is weighed by how likely chance was to put submarines and missiles beside this fleet just
as they were seen:

    1 / S(fleet)  *  C(free launchers, missiles unseen) / C(launchers, missiles)

where S counts the placements of the submarines, and launchers are the squares where a missile may lie. Drawing anew
when there is no room (T2e) makes worlds without room impossible, and leaves the others in proportion.
"""

from __future__ import annotations
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from navalkit.core.awaited import Pace, Steps, finish, part
from navalkit.prob.search import Fleets, Ints, Population, stacked
from .state import EMPTY, HIT, MISSILES, SUBMARINE, UNSEEN, Observation, Phase, Sea, Ships, State

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
EXACT = 2  # all worlds are weighed one by one if there are no more of them than this, times the fleets asked for
MAX_GROUPS = 100  # how often at most the submarines are sampled beside one fleet
ROOM = 100  # squares of the largest map that gets the whole sample asked for
AT_ONCE = 2048  # worlds that are weighed between two looks at the clock


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
    group: Ints
    groups: int
    exact: bool

    def take(self, rows: Any) -> Worlds:
        """Some of these worlds, by number, mask or slice."""
        return Worlds(self.ships[rows], self.submarines[rows], self.launchers[rows], self.missiles, self.weights[rows],
                      self.group[rows], self.groups, self.exact)

    def slices(self) -> Iterator[Worlds]:
        """The same worlds, `AT_ONCE` at a time."""
        return (self.take(slice(start, start + AT_ONCE)) for start in range(0, len(self.weights), AT_ONCE))


def _together(parts: list[Worlds]) -> Worlds:
    """Several samples as one; the list is emptied on the way, so that on a large map nothing is held twice."""
    missiles, groups, exact = parts[0].missiles, parts[0].groups, parts[0].exact
    columns = [(part.ships, part.submarines, part.launchers, part.weights, part.group) for part in parts]
    parts.clear()
    ships, submarines, launchers, weights, group = stacked(columns)
    return Worlds(ships, submarines, launchers, missiles, weights, group, groups, exact)


def worlds(observation: Observation, n: int, rng: np.random.Generator, groups: int = 10) -> Worlds:
    """The worlds that fit an observation: all of them where that is affordable, else a sample of about ``n`` fleets.

    Parameters
    ----------
    observation : Observation
    n : int
        Fleets in the sample; on a map of more squares than `ROOM` fewer, so that it takes no more memory.
    rng : numpy Generator
    groups : int
        How many independent samples it is made of.

    Returns
    -------
    Worlds
        A row a world, with its weight.

    >>> import navalkit as nk
    >>> game = nk.load("task-force", rows=7, columns=7, deep=4, fleet="small")
    >>> worlds(nk.Match.new(game, seed=1).observe(0), 50, np.random.default_rng(1)).ships.shape
    (50, 49)
    """
    return finish(searching(observation, n, rng, groups))


def searching(observation: Observation, n: int, rng: np.random.Generator, groups: int = 10) -> Steps[Worlds]:
    """The work of `worlds` in short steps; it yields the share that is done."""
    grid = observation.sea.grid
    n = n if grid.size <= ROOM else max(1, n * ROOM // grid.size)
    beside_submarines = {s for sub in observation.squares(SUBMARINE) for s in grid.neighbours[sub]}
    task = Fleets(observation.sea.waters, hits=observation.squares(HIT),
                  water={*observation.squares(EMPTY + SUBMARINE + MISSILES), *beside_submarines},
                  beside=observation.squares(MISSILES))
    fleets = yield from part(task.growing(n, rng, groups=groups), 0, 0.7)
    return (yield from part(_Beside(observation, fleets).weighing(n, rng), 0.7, 1))


class _Spots(NamedTuple):
    """Where submarines and missiles may lie beside some fleets, a row each."""

    rows: Ints  # which fleets
    open_lairs: Bools  # (n, squares): where a submarine not seen yet may lie
    launchers: Bools  # (n, squares): where a missile may lie, submarines aside
    placed: Floats  # (n,): the placements of all submarines
    ways: Floats  # (n,): those of the submarines not seen yet

    def take(self, rows: Any) -> _Spots:
        return _Spots._make(column[rows] for column in self)


class _Beside:
    """What may lie beside fleets: arrays of shape (n, squares) throughout."""

    def __init__(self, observation: Observation, fleets: Population) -> None:
        self.observation, self.fleets = observation, fleets
        grid = observation.sea.grid
        self.columns, self.size = grid.columns, grid.size
        self.same_row = (np.arange(1, grid.size) % grid.columns != 0).astype(np.int8)  # square s + 1 and square s
        self.near = np.zeros((grid.size, grid.size), dtype=bool)
        for square, neighbours in enumerate(grid.neighbours):
            self.near[square, list(neighbours)] = True
        self.unseen = np.array([mark == UNSEEN for mark in observation.marks])
        self.seen_subs = np.array([mark == SUBMARINE for mark in observation.marks])
        seen_missiles = np.array([mark in MISSILES for mark in observation.marks])
        self.missiles = observation.sea.missiles - int(seen_missiles.sum())
        self.to_find = observation.sea.submarines - int(self.seen_subs.sum())
        self.may_hide = self.unseen & ~self.near[self.seen_subs | seen_missiles].any(axis=0)
        self.all_ways = self._choices(observation.sea.missiles)
        self.free_ways = self._choices(max(self.missiles, 0))

    def _choices(self, missiles: int) -> Floats:
        """In how many ways the missiles lie on 0, 1, 2 ... squares."""
        return np.array([float(comb(v, missiles)) for v in range(self.size + 1)])

    def weighing(self, n: int, rng: np.random.Generator) -> Steps[Worlds]:
        """The worlds with their weights; see `worlds`."""
        fleets, pace, spots = self.fleets, Pace(), list[_Spots]()
        for start in range(0, fleets.size, AT_ONCE):
            if pace():
                yield 0.5 * start / fleets.size
            spots.append(self._spots(start, start + AT_ONCE))
        exact = fleets.exact and sum(float(some.ways.sum()) for some in spots) <= EXACT * n
        groups, found = fleets.groups, [self._none()]
        chosen: Iterable[tuple[_Spots, Ints]] = ((some, fleets.group[some.rows]) for some in _used_up(spots))
        if fleets.exact and not exact:  # only the submarines are sampled, beside every fleet as often as there is room
            rows = sum(len(some.rows) for some in spots)
            times = max(1, min(MAX_GROUPS, n // max(rows, 1)))
            groups = times if times >= 10 else 10
            # Too few to tell an error from are grouped as if the fleets were sampled too, which errs upward.
            chosen = ((some, np.full(len(some.rows), time, dtype=np.intp) if times >= 10 else some.rows % 10)
                      for time in range(times) for some in spots)
        elif exact:
            chosen = ((part, fleets.group[part.rows]) for some in _used_up(spots) for part in _few_ways(some))
        for some, group in chosen:
            if pace():
                yield 0.5
            found.append(self._every(some) if exact else self._some(some, group, rng))
        return replace(_together(found), groups=groups, exact=exact)

    def _spots(self, start: int, stop: int) -> _Spots:
        """The spots beside those fleets that leave room."""
        ships = self.fleets.ships[start:stop]
        touched = self._beside(ships)
        lairs = ~ships & ~touched
        open_lairs = lairs & self.may_hide
        placed = self._apart(lairs, self.observation.sea.submarines)
        ways = self._apart(open_lairs, self.to_find)
        possible = (ways > 0) & (placed > 0) & (self.missiles >= 0)
        rows = np.arange(start, start + len(ships), dtype=np.intp)
        return _Spots(rows, open_lairs, ~ships & touched, placed, ways).take(possible)

    def _every(self, spots: _Spots) -> Worlds:
        """Every way for the submarines not seen yet, beside each of those fleets."""
        rows = np.arange(len(spots.rows))
        subs = np.zeros((len(rows), self.size), dtype=bool)
        newest, numbers = np.full(len(rows), -1), np.arange(self.size)
        for _ in range(self.to_find):
            options = spots.open_lairs[rows] & (numbers[None, :] > newest[:, None]) & ~self._beside(subs)
            parent, square = np.nonzero(options)
            rows, subs, newest = rows[parent], subs[parent], square
            subs[np.arange(len(rows)), square] = True
        spots = spots.take(rows)
        return self._world(spots, subs, 1 / spots.placed, np.zeros(len(rows), dtype=np.intp))

    def _some(self, spots: _Spots, group: Ints, rng: np.random.Generator) -> Worlds:
        """One way beside each of those fleets, each way with the same chance."""
        subs = self._some_submarines(spots.open_lairs, rng)
        return self._world(spots, subs, self.fleets.weights[spots.rows] * (spots.ways / spots.placed), group)

    def _none(self) -> Worlds:
        nothing = np.zeros((0, self.size), dtype=bool)
        no_rows = np.zeros(0, dtype=np.intp)
        return Worlds(nothing, nothing, nothing, max(self.missiles, 0), np.zeros(0), no_rows, 1, True)

    def _world(self, spots: _Spots, subs: Bools, weights: Floats, group: Ints) -> Worlds:
        submarines = subs | self.seen_subs
        launchers = spots.launchers & ~self._beside(submarines)
        free = launchers & self.unseen
        room = self.all_ways[launchers.sum(axis=1)]
        fitting = weights * self.free_ways[free.sum(axis=1)]
        weights = np.divide(fitting, room, out=np.zeros(len(room)), where=room > 0)
        return replace(self._none(), ships=self.fleets.ships[spots.rows], submarines=submarines, launchers=free,
                       weights=weights, group=group)

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

    def _apart(self, lairs: Bools, k: int) -> Floats:
        """For each row the number of sets of k lairs of which no two are neighbours, shape (n,)."""
        v: Floats = lairs.sum(axis=1).astype(float)
        if k <= 1:
            return v if k == 1 else np.full(len(v), float(k == 0))
        degree = self._count_beside(lairs) * lairs
        pairs: Floats = degree.sum(axis=1) / 2
        if k == 2:
            return v * (v - 1) / 2 - pairs
        # No triangles on a board of squares: see Sea.count_submarines.
        triples: Floats = v * (v - 1) * (v - 2) / 6 - pairs * (v - 2) + (degree * (degree - 1)).sum(axis=1) / 2
        return triples

    def _some_submarines(self, lairs: Bools, rng: np.random.Generator) -> Bools:
        """One way in each row, each with the same chance: drawn until no two are neighbours."""
        subs = np.zeros(lairs.shape, dtype=bool)
        if not self.to_find or not len(lairs):
            return subs
        squares = np.nonzero(lairs)[1]
        counts = lairs.sum(axis=1)
        starts = np.cumsum(counts) - counts
        pending = np.arange(len(lairs))
        while len(pending):
            ticket = (rng.random((len(pending), self.to_find)) * counts[pending, None]).astype(np.intp)
            drawn = squares[starts[pending, None] + ticket]
            clash = np.zeros(len(pending), dtype=bool)
            for i in range(self.to_find):
                for j in range(i):
                    clash |= (drawn[:, i] == drawn[:, j]) | self.near[drawn[:, i], drawn[:, j]]
            done = pending[~clash]
            subs[done[:, None], drawn[~clash]] = True
            pending = pending[clash]
        return subs


def _used_up(spots: list[_Spots]) -> Iterator[_Spots]:
    """One after the other; what has been handed out is no longer kept."""
    spots.reverse()
    while spots:
        yield spots.pop()


def _few_ways(spots: _Spots) -> Iterator[_Spots]:
    """The same spots, in chunks so large that the submarines lie in some `AT_ONCE` ways beside them."""
    edges = np.flatnonzero(np.diff(np.cumsum(spots.ways) // AT_ONCE)) + 1
    for start, stop in zip([0, *edges.tolist()], [*edges.tolist(), len(spots.rows)], strict=True):
        yield spots.take(slice(start, stop))


def elsewhere(observation: Observation, state: State, rng: np.random.Generator) -> State:
    """A state that looks the same but hides something else where it can: to check that nobody peeps. ``observation``:
    of that state. ``state``: given back as it is while chance is still hiding things, and once the game is over and
    shows them."""
    if state.phase not in (Phase.TURN, Phase.FLIGHT):
        return state
    found = worlds(observation, 200, rng)
    row = int(rng.choice(len(found.weights), p=found.weights / found.weights.sum()))
    return filled(observation, state, found, row, rng)


def filled(observation: Observation, state: State, found: Worlds, row: int, rng: np.random.Generator) -> State:
    """The state with what one of those worlds hides; its unseen missiles lie on launchers drawn evenly."""
    fleet = _split(set(np.flatnonzero(found.ships[row]).tolist()), observation.sea)
    free = rng.permutation(np.flatnonzero(found.launchers[row]))[: found.missiles].tolist()
    seen = [(s, MISSILES.index(m)) for s, m in enumerate(observation.marks) if m in MISSILES]
    missiles = tuple(sorted([*seen, *zip(free, observation.targets_left, strict=True)]))
    submarines = tuple(np.flatnonzero(found.submarines[row]).tolist())
    return replace(state, fleet=fleet, submarines=submarines, missiles=missiles)


def _split(squares: set[int], sea_: Sea) -> Ships:
    """The ships that cover these squares: as no two touch, the longest line through a square is its ship."""
    ships = []
    for line in sorted(set(sea_.waters.placements.cells), key=len, reverse=True):
        if squares.issuperset(line):
            ships.append(line)
            squares = squares.difference(line)
    return tuple(sorted(ships))
