"""Counting the salvoes that score, in whole numbers: the kernel of USS Lox's odds, for one game or for thousands.

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

Games are taken rank of ship by rank of ship. T(u) is then a product of small matrices, exact in 32-bit floats (no
count reaches 2**24); T(s), of a set s, is looked up.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
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

_Singles = npt.NDArray[np.float32]
_BLOCK = 2048  # games at a time: the products of their ranks then stay in cache
_BITS = (2.0 ** np.arange(13)).astype(np.float32)
# C(pool, n) at [n, pool]; the largest, C(54, 3) = 24,804, fits 16 bits, and so does every count of choices.
_CHOICES = np.array([[comb(pool, n) for pool in range(PACK_SIZE + 1)] for n in SALVO], dtype=np.int16)


def by_rank(unseen: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """How many cards of each rank are there: of 0 and 1 for every card, shape (lanes, 4 * ranks)."""
    # The four suits of a rank are four bytes of 0 or 1; a product adds them up in the highest.
    suits = np.ascontiguousarray(unseen).view(np.uint32)
    return np.asarray((suits * np.uint32(0x01010101) >> np.uint32(24)).astype(np.uint8))


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
    return np.ascontiguousarray(_counted(_checked(ships, unseen), np.asarray(unseen), nob)[0].T)


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
    targets = _checked(ships, unseen)
    hits, pools = _counted(targets, np.asarray(unseen), nob)
    deals = _CHOICES[:, pools + blanks]
    chances = np.full(hits.shape, np.nan)
    np.divide(hits, deals, out=chances, where=deals > 0)
    chances[:, targets >> 2 == pack.JACK] = np.where(deals > 0, 1.0, np.nan)[:, targets >> 2 == pack.JACK]
    return np.ascontiguousarray(chances.T)


def _checked(ships: npt.ArrayLike, unseen: npt.ArrayLike) -> npt.NDArray[Any]:
    targets, masks = np.asarray(ships), np.asarray(unseen)
    if targets.ndim != 1 or masks.shape != (len(targets), 52):
        raise NotationError(SAY("wrong.lanes", ships=str(targets.shape), unseen=str(masks.shape)))
    if not np.issubdtype(targets.dtype, np.integer) or ((targets < 0) | (targets > 51)).any():
        raise NotationError(SAY("wrong.lanes.ship"))
    return targets


def _counted(
    targets: npt.NDArray[Any], unseen: npt.NDArray[Any], nob: bool
) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.intp]]:
    """`hit_counts`, lanes last, and how many unseen cards without the ship each game has."""
    order = np.argsort((targets >> 2).astype(np.uint8), kind="stable")  # of one rank side by side
    ships, masks = targets[order], np.ascontiguousarray(unseen, dtype=np.uint8)[order]
    every, ends = np.arange(len(ships)), np.searchsorted(ships >> 2, np.arange(14))
    held = np.ascontiguousarray(by_rank(masks).T, dtype=np.float32)
    pools = held.sum(axis=0).astype(np.intp) - masks[every, ships]
    suited = (masks.reshape(-1, 13, 4)[every, :, ships & 3] @ _BITS).astype(np.intp)
    if nob:
        his_jacks = suited >> pack.JACK & 1
        held[pack.JACK] -= his_jacks
        suited -= his_jacks << pack.JACK
    sorted_hits = _CHOICES[:, pools]
    for rank in range(13):
        for start in range(ends[rank], ends[rank + 1], _BLOCK) if rank != pack.JACK else ():
            lanes = slice(start, min(start + _BLOCK, ends[rank + 1]))
            sorted_hits[:, lanes] -= _safe(rank).misses(held[:, lanes], suited[lanes])
    hits, sizes = np.empty_like(sorted_hits), np.empty_like(pools)
    hits[:, order], sizes[order] = sorted_hits, pools
    return hits, sizes


@dataclass(frozen=True, slots=True)
class _Safe:
    """The sets of ranks that are safe for a ship of one rank, as matrices of 0 and 1.

    ``singles`` has shape (13,) and ``pairs`` (13, 13), above the diagonal. Sets of three are told by their ``lower``
    two ranks, shape (2, n), and by which ranks ``upper`` may be the third, shape (n, 13). ``suited`` has T(s) for
    every set s of ranks, a bit mask.
    """

    singles: _Singles
    pairs: _Singles
    lower: npt.NDArray[np.intp]
    upper: _Singles
    suited: npt.NDArray[np.int16]

    def misses(self, held: _Singles, suited: npt.NDArray[np.intp]) -> npt.NDArray[np.int16]:
        """Salvoes of 0 to 3 that miss, shape (4, lanes), where ``held``, (13, lanes), counts the ranks held."""
        three = (held[self.lower[0]] * held[self.lower[1]] * (self.upper @ held)).sum(axis=0) - self.suited[suited]
        two = (held * (self.pairs @ held)).sum(axis=0)
        return np.array([np.ones_like(two), self.singles @ held, two, three]).astype(np.int16)


@cache
def _safe(rank: int) -> _Safe:
    """Suits play no part: the hit test is asked about cards that are not all of one suit."""
    one, two, three = (
        np.array(
            [
                ranks
                for ranks in itertools.combinations(range(13), n)
                if not is_hit(4 * rank, [4 * other + 1 for other in ranks])
            ]
        ).reshape(-1, n)
        for n in SALVO[1:]
    )
    singles, pairs = np.zeros(13, dtype=np.float32), np.zeros((13, 13), dtype=np.float32)
    singles[one[:, 0]], pairs[two[:, 0], two[:, 1]] = 1, 1
    lower, place = np.unique(three[:, :2], axis=0, return_inverse=True)
    upper = np.zeros((len(lower), 13), dtype=np.float32)
    upper[place.reshape(-1), three[:, 2]] = 1
    held = np.arange(1 << 13)[:, None] >> three.reshape(1, -1) & 1
    suited = held.reshape(1 << 13, -1, 3).all(axis=2).sum(axis=1, dtype=np.int16)
    return _Safe(singles, pairs, lower.T, upper, suited)
