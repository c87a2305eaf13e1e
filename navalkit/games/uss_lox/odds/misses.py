"""Counting the salvoes that miss, in whole numbers: the kernel of USS Lox's odds, for one game or for thousands.

Torpedoes, ocean and deck all lie face down, so the cards fired are a uniform choice of n from the unseen
pool. Counting the choices that miss is easier than counting the hits, for a miss is a choice in which nothing
scores. All its ranks differ from each other and from the ship's, hold no fifteen and no run, and (for three
torpedoes) the four cards are not of one suit. Which sets of ranks are safe for a ship of rank k does not
depend on suits, so with u[r] unseen cards of rank r, s[r] of them of the ship's suit, and

    T(x) = sum, over the safe sets R of n ranks, of the product of x[r] for r in R,

the misses number T(u) - [n = 3] T(s): every choice of one card from each rank of a safe set, less those that
are a flush. Jokers spoil every attack they are in, so hits hold none: with P unseen cards and j unseen jokers

    chance to sink = (C(P, n) - misses) / C(P + j, n).

Under the option `nob` the jack of the ship's suit always scores, and so leaves the counts u and s. A jack as
ship is sunk by the deck gun, whatever is fired (rule L3a).

One function, `misses_of`, evaluates this polynomial in whole numbers, for counts of any trailing shape: nothing
for `sink`, the four suits for `table`, thousands of games for `hit_counts`.
"""

from __future__ import annotations

import itertools
from functools import cache
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from navalkit.core.errors import NotationError, OptionError

from ..rules import cards as pack
from ..rules.cribbage import is_hit
from ..rules.say import SAY

SALVO = range(4)  # torpedoes that may be fired at once (rule L2b)
PACK_SIZE = 54  # with both jokers

_IntArray = npt.NDArray[np.integer[Any]]
_CHUNK = 2048  # games at a time in hit_counts: the products of their rank sets then stay in cache
# C(pool, n) at [n, pool]; the largest, C(54, 3) = 24,804, fits 16 bits, and so does every count of choices.
_CHOICES = np.array([[comb(pool, n) for pool in range(PACK_SIZE + 1)] for n in SALVO], dtype=np.int16)


def hit_counts(ships: npt.ArrayLike, unseen: npt.ArrayLike, *, nob: bool = False) -> npt.NDArray[np.int16]:
    """How many choices of 0 to 3 unseen cards score, for many games at once.

    Parameters
    ----------
    ships : array of int, shape (lanes,)
        The target of each game, a card number 0..51.
    unseen : array of bool or of 0 and 1, shape (lanes, 52)
        Which cards each game has not seen. The ship itself never counts as unseen.
    nob : bool
        As for `sink`.

    Returns
    -------
    array of int16, shape (lanes, 4)
        The scoring choices of n = 0..3 cards that hold no joker. For a jack every choice counts: the deck gun
        sinks it.

    Raises
    ------
    NotationError
        If the shapes do not agree or a ship is no card number.

    >>> hit_counts([5], np.ones((1, 52), bool)).tolist()
    [[0, 3, 459, 15155]]
    """
    targets, masks = np.asarray(ships), np.asarray(unseen)
    if targets.ndim != 1 or masks.shape != (len(targets), 52):
        raise NotationError(SAY("wrong.lanes", ships=str(targets.shape), unseen=str(masks.shape)))
    if not np.issubdtype(targets.dtype, np.integer) or ((targets < 0) | (targets > 51)).any():
        raise NotationError(SAY("wrong.lanes.ship"))
    counts = np.empty((len(targets), 4), dtype=np.int16)
    order = np.argsort(targets.astype(np.uint8), kind="stable")
    ends = np.cumsum(np.bincount(targets, minlength=52))
    for ship in range(52):
        first, last = (int(ends[ship - 1]) if ship else 0), int(ends[ship])
        for start in range(first, last, _CHUNK):
            lanes = order[start : min(start + _CHUNK, last)]
            counts[lanes] = _lane_hits(ship, masks[lanes], nob).T
    return counts


def sink_many(
    ships: npt.ArrayLike, unseen: npt.ArrayLike, jokers: npt.ArrayLike = 0, *, nob: bool = False
) -> npt.NDArray[np.float64]:
    """`sink` for many games at once, with 0 to 3 torpedoes each.

    Parameters
    ----------
    ships, unseen, nob
        As for `hit_counts`.
    jokers : int or array of int, shape (lanes,)
        Unseen jokers of each game, 0 to 2.

    Returns
    -------
    array of float, shape (lanes, 4)
        The chances; NaN where fewer cards are unseen than are fired, else 1 for a jack.

    Raises
    ------
    NotationError
        As `hit_counts`.
    OptionError
        If `jokers` is out of range.

    >>> sink_many([5], np.ones((1, 52), bool)).round(3).tolist()
    [[0.0, 0.059, 0.36, 0.728]]
    """
    blanks = np.asarray(jokers)
    if ((blanks < 0) | (blanks > 2)).any():
        raise OptionError(SAY("wrong.lanes.jokers"))
    hits = hit_counts(ships, unseen, nob=nob)
    targets, masks = np.asarray(ships), np.asarray(unseen)
    pools = np.count_nonzero(masks, axis=1) - (masks[np.arange(len(targets)), targets] != 0)
    deals = _CHOICES[:, pools + blanks].T
    chances = np.full(hits.shape, np.nan)
    np.divide(hits, deals, out=chances, where=deals > 0)
    chances[(targets >> 2 == pack.JACK)[:, None] & (deals > 0)] = 1.0
    return chances


def _lane_hits(ship: int, masks: npt.NDArray[Any], nob: bool) -> npt.NDArray[np.int16]:
    """`hit_counts` of games that all have the same ship, lanes last: shape (4, lanes)."""
    rank, suit = divmod(ship, 4)
    cards = np.ascontiguousarray(masks.T, dtype=np.int16).reshape(13, 4, -1)
    cards[rank, suit] = 0
    by_rank, suited = cards.sum(axis=1, dtype=np.int16), cards[:, suit]
    pool = by_rank.sum(axis=0, dtype=np.int16)
    hits = _CHOICES[:, pool]
    if rank != pack.JACK:
        for n in SALVO:
            hits[n] -= misses_of(rank, by_rank, suited, n, nob)
    return hits


def hits_by_ship(unseen: _IntArray, nob: bool) -> npt.NDArray[np.int64]:
    """Scoring choices from one pool, shape (13 ranks, 4 suits, 4): each ship taken out of the pool in its
    turn.

    A ship's own rank never counts among the misses, so that the counts of ranks may be the same for all
    ships.
    """
    pool = max(int(unseen.sum()) - 1, 0)
    hits = np.empty((13, 4, 4), dtype=np.int64)
    hits[:] = [comb(pool, n) for n in SALVO]
    by_rank = np.repeat(unseen.sum(axis=1)[:, None], 4, axis=1)
    for rank in range(13):
        if rank != pack.JACK:
            for n in SALVO:
                hits[rank, :, n] -= misses_of(rank, by_rank, unseen, n, nob)
    return hits


def misses_of(rank: int, by_rank: _IntArray, suited: _IntArray, torpedoes: int, nob: bool) -> Any:
    """The choices of `torpedoes` cards that leave a ship of `rank` afloat (the module says why).

    Parameters
    ----------
    rank : int
        The ship's, no jack.
    by_rank, suited : array of int, shape (13, ...)
        Unseen cards of each rank, and those of them of the ship's suit.

    Returns
    -------
    int array, shape (...)
    """
    if nob:
        by_rank, suited = by_rank.copy(), suited.copy()
        by_rank[pack.JACK] -= suited[pack.JACK]
        suited[pack.JACK] = 0
    misses = _sum_of_products(by_rank, rank, torpedoes)
    if torpedoes == 3:
        misses -= _sum_of_products(suited, rank, torpedoes)
    return misses


def _sum_of_products(counts: _IntArray, rank: int, size: int) -> Any:
    """T(counts): the products of `counts` over the sets of `size` ranks that are safe for `rank`, summed."""
    factors = counts[_safe_sets(rank, size)]
    return factors.prod(axis=0, dtype=counts.dtype).sum(axis=0, dtype=counts.dtype)


@cache
def _safe_sets(rank: int, size: int) -> npt.NDArray[np.intp]:
    """The sets of `size` ranks that do not score with a ship of `rank`, one a column: shape (size, sets).

    Suits play no part: the hit test is asked about cards that are not all of one suit.
    """
    sets = [
        ranks
        for ranks in itertools.combinations(range(13), size)
        if not is_hit(4 * rank, [4 * other + 1 for other in ranks])
    ]
    return np.array(sets, dtype=np.intp).reshape(len(sets), size).T
