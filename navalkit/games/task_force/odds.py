"""Odds of Task Force: how many fleets there are, one at random, and what is likely where, given all that was seen.

The posterior is joint over fleet, submarines and missiles: see `belief` for the worlds it is made of.
"""

from __future__ import annotations
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log2
from typing import NamedTuple

import numpy as np

from navalkit.core.awaited import Pace, Steps, finish, part
from navalkit.core.errors import DataError, OptionError, brief
from navalkit.prob import placements
from navalkit.prob.search import Ints
from .belief import Bools, Floats, Worlds, searching, worlds
from .deduce import deduce
from .state import EMPTY, HIT, MISSILES, SAY, SUBMARINE, UNSEEN, Observation, sea

__all__ = [
    "Observation", "Posterior", "Worlds", "count_fleets", "deduce", "posterior", "sample_fleets", "taught", "worlds"
]

SAMPLE = 70_000  # fleets in the sample of `posterior`
GROUPS = 20  # independent parts it is made of: fewer would leave the errors themselves uncertain
ERROR = 0.009  # where the sample leaves a standard error above this, it takes a second one
_HAIR = 1e-9


def count_fleets(rows: int = 10, columns: int = 10, deep: int = 7, fleet: str = "full") -> int:
    """The exact number of legal fleets (T1), counted; about 10 s for ten rows of the full fleet.

    Parameters
    ----------
    rows, columns : int
        Of the map.
    deep : int
        Columns of deep water on the left.
    fleet : str
        "full" or "small".

    Returns
    -------
    int

    Raises
    ------
    DataError
        If there are more than 16 columns.

    >>> count_fleets(7, 7, 4, "small")
    17702
    """
    return placements.count(sea(rows=rows, columns=columns, deep=deep, fleet=fleet).waters)


def sample_fleets(n: int, seed: int, rows: int = 10, columns: int = 10, deep: int = 7, fleet: str = "full") -> Bools:
    """``n`` independent legal fleets, each with exactly the same chance.

    Parameters
    ----------
    n : int
    seed : int
        The same seed gives the same fleets.
    rows, columns, deep, fleet
        As in `count_fleets`.

    Returns
    -------
    array of bool, shape (n, rows, columns)
        The squares each fleet covers.

    Raises
    ------
    DataError
        If no legal fleet fits.

    >>> sample_fleets(2, 1, 7, 7, 4, "small").shape
    (2, 7, 7)
    """
    waters = sea(rows=rows, columns=columns, deep=deep, fleet=fleet).waters
    fleets = placements.sample(waters, n, np.random.default_rng(seed))
    covered: Bools = np.logical_or.reduce(waters.placements.cover[fleets], axis=1)
    return covered.reshape(n, rows, columns)


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
        How many worlds it rests on: those that fit, and so weigh something.
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

    Returns
    -------
    Posterior
        Arrays of shape (rows, columns) with their standard errors.

    Raises
    ------
    DataError
        If nothing fits what was seen.

    >>> import navalkit as nk
    >>> game = nk.load("task-force", rows=7, columns=7, deep=4, fleet="small")
    >>> posterior(nk.Match.new(game, seed=1).observe(0), sample=500).hit.shape
    (7, 7)
    """
    return finish(weighing(observation, seed, sample))


def weighing(observation: Observation, seed: int = 0, sample: int = SAMPLE) -> Steps[Posterior]:
    """The work of `posterior` in short steps; it yields the share that is done."""
    rng = np.random.default_rng(seed)
    sums: list[_Sums] = []
    for _ in range(2):  # seldom: a second sample as large as the first
        found = yield from part(searching(observation, sample, rng, GROUPS), 0, 0.9)
        sums.append((yield from part(_summing(found), 0.9, 1)))
        del found  # what counts of a sample is its sums: on a large map two samples would fill the memory
        result = _concluded(observation, sums)
        if result.errors.max() <= ERROR:
            break
    return result


def shown(observation: Observation) -> Steps[Posterior]:
    """The one posterior that a page shows, on its map and in a hint: that of the last moment asked for is kept."""
    asked = observation, SAMPLE
    found = _SHOWN.get(asked)
    if found is None:
        found = yield from weighing(observation, sample=SAMPLE)
        _SHOWN.clear()
        _SHOWN[asked] = found
    return found


_SHOWN: dict[tuple[Observation, int], Posterior] = {}


def posterior_of(observation: Observation, found: Worlds) -> Posterior:
    """The posterior that those worlds give; see `posterior`."""
    return _concluded(observation, [finish(_summing(found))])


class _Sums(NamedTuple):
    """What a sample comes to."""

    totals: Floats  # (groups,): of the weights
    squares: Floats  # (groups, 3, squares): of those with a ship, a missile, a submarine there
    exact: bool
    worlds: int


def _summing(found: Worlds) -> Steps[_Sums]:
    if not found.weights.sum() > 0:
        raise DataError(SAY("wrong.marks"))
    totals: Floats = np.bincount(found.group, found.weights, found.groups).astype(float)
    group_sums, pace = np.zeros((found.groups, 3, found.ships.shape[1])), Pace()
    for some in found.slices():
        if pace():
            yield None
        group_sums += _group_sums(some)
    return _Sums(totals, group_sums, found.exact, int(np.count_nonzero(found.weights)))


def _concluded(observation: Observation, samples: Sequence[_Sums]) -> Posterior:
    """The posterior from one sample or more of the same size, no group of which knows of another."""
    shape = (observation.sea.grid.rows, observation.sea.grid.columns)
    totals, group_sums = (np.concatenate(sums) for sums in list(zip(*samples, strict=True))[:2])
    exact, n = len(samples) == 1 and samples[0].exact, sum(sample.worlds for sample in samples)
    total = totals.sum()
    means = group_sums.sum(axis=0) / total  # (3, squares)
    for certain in (0.0, 1.0):  # a sum of many weights is off by a hair
        means[np.abs(means - certain) < _HAIR] = certain
    hit, missile, submarine = means
    errors = np.zeros((4, means.shape[1]))
    if not exact:
        spread = group_sums - means[None] * totals[:, None, None]
        spread = np.concatenate([spread, -spread.sum(axis=1, keepdims=True)], axis=1)
        g = len(totals)
        errors = np.sqrt(g / (g - 1) * (spread**2).sum(axis=0)) / total
    for s, mark in enumerate(observation.marks):
        if mark != UNSEEN:
            hit[s], missile[s], submarine[s] = mark == HIT, mark in MISSILES, mark == SUBMARINE
            errors[:, s] = 0
    empty = 1 - hit - missile - submarine
    empty[np.abs(empty) < _HAIR] = 0
    hit, missile, submarine, empty = (a.reshape(shape) for a in (hit, missile, submarine, empty))
    return Posterior(hit, missile, submarine, empty, errors.reshape(4, *shape), exact, n)


def _group_sums(found: Worlds) -> Floats:
    """Weighted sums of ship, missile and submarine by group, shape (groups, 3, squares)."""
    share = found.missiles / np.maximum(found.launchers.sum(axis=1), 1)  # the chance of a missile on a given launcher
    parts = (found.ships, found.weights), (found.launchers, found.weights * share), (found.submarines, found.weights)
    return np.stack([_weighted(bits, weights, found.group, found.groups) for bits, weights in parts], axis=1)


def _weighted(bits: Bools, weights: Floats, group: Ints, groups: int) -> Floats:
    """For every group and column the sum of the weights of the rows that are true there, shape (groups, columns). Eight
    columns at a time: the weights are added up by what a byte of eight may be, and only then by its bits."""
    packed = np.packbits(bits, axis=1, bitorder="little")
    by_bit = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").astype(float)
    sums = [np.bincount(256 * group + byte, weights, 256 * groups).reshape(groups, 256) @ by_bit for byte in packed.T]
    return np.concatenate(sums, axis=1)[:, : bits.shape[1]]


def taught(before: Posterior, square: int, mark: str) -> float:
    """How much it taught, in bits, that ``square`` turned out to bear ``mark`` (the targets of missiles aside).

    The rarer what was seen, the more: minus the binary logarithm of its probability.

    Parameters
    ----------
    before : Posterior
        What was known before.
    square : int
        Row by row from 0.
    mark : str
        What was seen there.

    Returns
    -------
    float
        Bits, 0 or more.

    >>> import navalkit as nk
    >>> game = nk.load("task-force", rows=7, columns=7, deep=4, fleet="small")
    >>> before = posterior(nk.Match.new(game, seed=1).observe(0), sample=500)
    >>> round(taught(before, 0, HIT), 2)
    3.07
    """
    name = {HIT: "hit", EMPTY: "empty", SUBMARINE: "submarine"}.get(mark, "missile")
    chance = before.of(square)[name]
    return -log2(chance) if chance > 0 else float("inf")


def chart(values: Floats) -> Iterator[str]:
    """The rows of an array of probabilities as text, in percent."""
    for row in values:
        yield " ".join(f"{100 * value:3.0f}" for value in row)


def likely(map: str = "", what: str = "hit", *, best: int = 10) -> dict[str, float]:
    """Where the fleet is likeliest: the best squares that are not scratched yet, from the posterior.

    Parameters
    ----------
    map : str
        The map, its rows between slashes, as `Observation.parse` reads it; left out, nothing is scratched yet.
    what : str
        "hit", "missile", "submarine" or "empty".
    best : int
        How many squares.

    Returns
    -------
    dict of str to float
        Square -> chance, the likeliest first.

    Raises
    ------
    NotationError
        If the map cannot be read.
    OptionError
        If ``what`` is none of the four.

    >>> len(likely(best=3))
    3
    """
    seen = Observation.parse(map) if map else Observation(sea(), UNSEEN * sea().grid.size)
    found = posterior(seen)
    if what not in found.of(0):
        raise OptionError(SAY("no.kind", kinds=", ".join(found.of(0)), kind=brief(what)))
    open_squares = [square for square, mark in enumerate(seen.marks) if mark == UNSEEN]
    ranked = sorted(open_squares, key=lambda square: -found.of(square)[what])
    return {seen.sea.grid.names[square]: found.of(square)[what] for square in ranked[:best]}


ODDS = {"likely": likely}  # the questions that the command line asks, too
