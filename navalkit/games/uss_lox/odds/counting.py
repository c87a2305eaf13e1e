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

A pool is one 64-bit word, with a bit for each unseen card, the jokers last. Counts and products fit a byte: four
cards of a rank, 64 choices from three ranks. Games are taken rank of ship by rank of ship; of one pool, all ships
are counted in one product of the sets of ranks with a matrix that says which of them are safe.
"""

from __future__ import annotations

import itertools
from functools import cache, lru_cache
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
Pools = npt.NDArray[np.uint64]
Counts = npt.NDArray[np.int16]

BIT = np.uint64(1) << np.arange(PACK_SIZE, dtype=np.uint64)  # the bit of each card in a pool
_SHIPS = np.arange(52)
_PLAIN = np.uint64((1 << 52) - 1)  # all cards but the jokers
_JOKERS = np.array([0, 1, 3], dtype=np.uint64) << np.uint64(52)  # by how many they are
_SUIT = np.uint64(0x1111111111111)  # the first suit's cards
_GATHER = [
    (np.uint64(step), np.uint64(mask))
    for step, mask in ((3, 0x03030303030303), (6, 0xF000F000F000F), (12, 0xFF000000FF), (24, 0x1FFF))
]
# C(pool, n) at [n, pool]; the largest, C(54, 3) = 24,804, fits 16 bits, and so does every count of choices.
CHOICES = np.array([[comb(pool, n) for pool in range(PACK_SIZE + 1)] for n in SALVO], dtype=np.int16)


def packed(unseen: npt.ArrayLike) -> Pools:
    """Pools of games whose unseen cards are given one by one, as booleans or 0 and 1: shape (lanes, 52 or 54)."""
    octets = np.packbits(np.asarray(unseen, dtype=bool), axis=1, bitorder="little")
    words = np.zeros((len(octets), 8), dtype=np.uint8)
    words[:, : octets.shape[1]] = octets
    return words.view("<u8")[:, 0]


def by_rank(pools: Pools) -> npt.NDArray[np.uint8]:
    """How many cards of each rank the pools hold, the jokers last: shape (14, *pools)."""
    # Bits are added up in pairs, then in fours: the suits of a rank. Fours are spread over bytes, every other rank.
    twos = pools - (pools >> np.uint64(1) & np.uint64(0x5555555555555555))
    fours = (twos & np.uint64(0x3333333333333333)) + (twos >> np.uint64(2) & np.uint64(0x3333333333333333))
    counts = np.empty((16, pools.size), dtype=np.uint8)
    for odd in (0, 1):
        spread = fours >> np.uint64(4 * odd) & np.uint64(0x0F0F0F0F0F0F0F0F)
        counts[odd::2] = spread.astype("<u8").reshape(-1, 1).view(np.uint8).T
    return counts[:14].reshape(14, *pools.shape)


def hit_counts(ships: npt.ArrayLike, unseen: npt.ArrayLike, *, nob: bool = False) -> Counts:
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
    return np.ascontiguousarray(salvoes(_checked(ships, unseen), packed(unseen), nob)[0].T)


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
    hits, deals = salvoes(targets, packed(unseen) | _JOKERS[blanks], nob)
    chances = np.full(hits.shape, np.nan)
    np.divide(hits, deals, out=chances, where=deals > 0)
    return np.ascontiguousarray(chances.T)


def _checked(ships: npt.ArrayLike, unseen: npt.ArrayLike) -> npt.NDArray[Any]:
    targets, masks = np.asarray(ships), np.asarray(unseen)
    if targets.ndim != 1 or masks.shape != (len(targets), 52):
        raise NotationError(SAY("wrong.lanes", ships=str(targets.shape), unseen=str(masks.shape)))
    if not np.issubdtype(targets.dtype, np.integer) or ((targets < 0) | (targets > 51)).any():
        raise NotationError(SAY("wrong.lanes.ship"))
    return targets


def salvoes(ships: npt.NDArray[Any], pools: Pools, nob: bool = False) -> tuple[Counts, Counts]:
    """How many choices of 0 to 3 cards sink each ship, and how many there are: two arrays of shape (4, lanes).

    ``ships`` and ``pools``: shape (lanes,). ``ships``: card numbers, none of them a joker's. ``pools``: the cards
    unseen, jokers too; the ship itself never counts as such. ``nob``: as for `sink`. Every choice sinks a jack.
    """
    if len(ships) == 1:
        hits, deals = salvoes_by_ship(int(pools[0]), nob)
        return hits[:, ships], deals[:, ships]
    order = np.argsort((ships >> 2).astype(np.uint8), kind="stable")  # of one rank side by side
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    ships, pools = ships[order], pools[order]
    hits, deals = _choices(ships, pools)
    held, suited = _held(pools, ships & 3, nob)
    ends = np.searchsorted(ships >> 2, np.arange(14)).tolist()
    for rank, (start, stop) in enumerate(itertools.pairwise(ends)):
        if start < stop and rank != pack.JACK:
            hits[:, start:stop] -= _misses(held[:, start:stop], suited[start:stop], rank)
    return hits.take(back, axis=1), deals.take(back, axis=1)


@lru_cache(maxsize=64)
def salvoes_by_ship(pool: int, nob: bool = False) -> tuple[Counts, Counts]:
    """`salvoes` at each of the 52 ships in its turn, for one pool: shape (4, 52), not to be written to."""
    pools = np.full(52, pool, dtype=np.uint64)
    hits, deals = _choices(_SHIPS, pools)
    misses = _misses(*_held(pools[:4], _SHIPS[:4], nob))
    misses[:, pack.JACK] = 0
    return hits - misses.reshape(4, 52), deals


def _choices(ships: npt.NDArray[Any], pools: Pools) -> tuple[Counts, Counts]:
    """All choices, shape (4, lanes): of the cards that may sink a ship, and of the whole pool."""
    pools = pools & ~BIT[ships]
    deals = CHOICES.take(np.bitwise_count(pools), axis=1)
    if not (pools > _PLAIN).any():
        return deals.copy(), deals
    plain = CHOICES.take(np.bitwise_count(pools & _PLAIN), axis=1)
    return np.where(ships >> 2 == pack.JACK, deals, plain), deals


def _held(pools: Pools, suits: npt.NDArray[Any], nob: bool) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint64]]:
    """The counts u of the module, shape (14, lanes), and s as a bit for each rank, for ships of some suits."""
    if nob:
        pools = pools & ~BIT[4 * pack.JACK + suits]
    suited = pools >> suits.astype(np.uint64) & _SUIT
    for step, mask in _GATHER:  # every fourth bit is moved up to its neighbour, then pairs of bits, ...
        suited = (suited | suited >> step) & mask
    return by_rank(pools), suited


def _misses(held: npt.NDArray[np.uint8], suited: npt.NDArray[np.uint64], rank: int | None = None) -> Counts:
    """Choices of 0 to 3 that miss, shape (4, lanes): a ship of one rank; or of each in its turn, (4, 13, lanes)."""
    misses = _totals(held, rank)
    flushes = _flushes() if rank is None else _flushes()[rank]
    misses[3] -= flushes.take(suited.astype(np.intp), axis=-1)
    return misses


@cache
def _flushes() -> Counts:
    """T(s) of the module for three torpedoes, by rank of ship and by the bits of s: shape (13, 8192)."""
    bits = np.arange(1 << 13) >> np.arange(13)[:, None] & 1
    return np.asarray(_totals(bits.astype(np.uint8), None)[3])


def _totals(counts: npt.NDArray[np.uint8], rank: int | None) -> Counts:
    """T(counts) of the module for 0 to 3 cards, shape (4, [13,] lanes). A set is one of a card fewer, and a card."""
    lanes = counts.shape[1]
    totals: list[npt.NDArray[Any]] = [np.ones((13, lanes) if rank is None else lanes, dtype=np.int16)]
    products = np.ones((1, lanes), dtype=np.uint8)
    for n in SALVO[1:]:
        first, last = _sets(n, rank)
        products = products.take(first, axis=0)
        products *= counts.take(last, axis=0)
        total = products.sum(axis=0, dtype=np.int16) if rank is not None else _safe(n) @ products.astype(np.float32)
        totals.append(total)
    return np.array(totals, dtype=np.int16)


@cache
def _sets(n: int, rank: int | None) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The sets of n ranks that are safe for a ship of one rank, or all of them: where among the sets of n - 1 their
    first ranks are (what is safe with its last rank is safe without it), and the last rank."""
    fewer, sets = (
        [ranks for ranks in itertools.combinations(range(13), size) if rank is None or _is_safe(rank, ranks)]
        for size in (n - 1, n)
    )
    place = {ranks: i for i, ranks in enumerate(fewer)}
    return np.array([place[ranks[:-1]] for ranks in sets]), np.array([ranks[-1] for ranks in sets])


@cache
def _safe(n: int) -> npt.NDArray[np.float32]:
    """1 where a set of n ranks is safe for a ship, shape (13, sets)."""
    sets = list(itertools.combinations(range(13), n))
    return np.array([[_is_safe(ship, ranks) for ranks in sets] for ship in range(13)], dtype=np.float32)


def _is_safe(ship: int, ranks: tuple[int, ...]) -> bool:
    """Suits play no part: the hit test is asked about cards that are not all of one suit."""
    return not is_hit(4 * ship, [4 * rank + 1 for rank in ranks])
