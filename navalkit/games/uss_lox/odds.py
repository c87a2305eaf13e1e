"""The exact odds of USS Lox: will these torpedoes score, can this escort be shaken off?

All is counted, nothing sampled; `counting` has the kernel.
"""

from __future__ import annotations
import itertools
from fractions import Fraction
from functools import cache, lru_cache
from math import comb
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt

from navalkit.core.dist import Dist
from navalkit.core.errors import IllegalActionError, NotationError, OptionError, brief
from . import cards as pack
from .cards import SAY
from .cribbage import Cards, is_hit
from .game import UssLox
from .round import Round
from .state import Attack, State

__all__ = ["ODDS", "attack_outcomes", "escape", "hit_counts", "sink", "sink_many", "survive_escort", "table"]


# -- Counting the salvoes that score, in whole numbers: the kernel of USS Lox's odds, for one game or for thousands
# Torpedoes, ocean and deck all lie face down, so the cards fired are a uniform choice of n from the unseen
# pool. Counting the choices that miss is easier than counting the hits, for a miss is a choice in which nothing
# scores. All its ranks differ from each other and from the ship's, hold no fifteen and no run, and (for three
# torpedoes) the four cards are not of one suit. Which sets of ranks are safe for a ship of rank k does not
# depend on suits, so with u[r] unseen cards of rank r, s[r] of them of the ship's suit, and
#
#     T(x) = sum, over the safe sets R of n ranks, of the product of x[r] for r in R,
#
# the misses number T(u) - [n = 3] T(s): every choice of one card from each rank of a safe set, less those that
# are a flush. Jokers spoil every attack they are in, so hits hold none: with P unseen cards and j unseen jokers
#
#     chance to sink = (C(P, n) - misses) / C(P + j, n).
#
# Under the option `nob` the jack of the ship's suit always scores, and so leaves the counts u and s. A jack as
# ship is sunk by the deck gun, whatever is fired (rule L3a), if that is as many torpedoes as it takes.
#
# A pool is one 64-bit word, with a bit for each unseen card, the jokers last. Counts and products fit a byte: four
# cards of a rank, 64 choices from three ranks. Games are taken rank of ship by rank of ship; of one pool, all ships
# are counted in one product of the sets of ranks with a matrix that says which of them are safe.

SALVO = range(4)  # torpedoes that may be fired at once (rule L2b)
PACK_SIZE = 54  # with both jokers
Pools = npt.NDArray[np.uint64]
Counts = npt.NDArray[np.int16]

BIT = np.uint64(1) << np.arange(PACK_SIZE, dtype=np.uint64)  # the bit of each card in a pool
_SHIPS = np.arange(52)
_PLAIN = np.uint64((1 << 52) - 1)  # all cards but the jokers
_JOKERS = np.array([0, 1, 3], dtype=np.uint64) << np.uint64(52)  # by how many they are
_SUIT = np.uint64(0x1111111111111)  # the first suit's cards
_GATHER = [(np.uint64(step), np.uint64(mask))
           for step, mask in ((3, 0x03030303030303), (6, 0xF000F000F000F), (12, 0xFF000000FF), (24, 0x1FFF))]
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
        The scoring choices of n = 0..3 cards that hold no joker. For a jack every choice counts: the deck gun sinks it.

    Raises
    ------
    NotationError
        If the shapes do not agree or a ship is no card number.

    >>> hit_counts([5], np.ones((1, 52), bool)).tolist()
    [[0, 3, 459, 15155]]
    """
    return np.ascontiguousarray(salvoes(_checked(ships, unseen), packed(unseen), nob)[0].T)


def sink_many(ships: npt.ArrayLike, unseen: npt.ArrayLike, jokers: npt.ArrayLike = 0, *,
              nob: bool = False) -> npt.NDArray[np.float64]:
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
        fewer = pack.GUN_TORPEDOES if rank == pack.JACK else len(SALVO)  # only salvoes of fewer can miss
        if start < stop and fewer:
            hits[:fewer, start:stop] -= _misses(held[:, start:stop], suited[start:stop], rank)[:fewer]
    return hits.take(back, axis=1), deals.take(back, axis=1)


@lru_cache(maxsize=64)
def salvoes_by_ship(pool: int, nob: bool = False) -> tuple[Counts, Counts]:
    """`salvoes` at each of the 52 ships in its turn, for one pool: shape (4, 52), not to be written to."""
    pools = np.full(52, pool, dtype=np.uint64)
    hits, deals = _choices(_SHIPS, pools)
    misses = _misses(*_held(pools[:4], _SHIPS[:4], nob))
    misses[pack.GUN_TORPEDOES :, pack.JACK] = 0
    return hits - misses.reshape(4, 52), deals


def _choices(ships: npt.NDArray[Any], pools: Pools) -> tuple[Counts, Counts]:
    """All choices, shape (4, lanes): of the cards that may sink a ship, and of the whole pool."""
    pools = pools & ~BIT[ships]
    deals = CHOICES.take(np.bitwise_count(pools), axis=1)
    if not (pools > _PLAIN).any():
        return deals.copy(), deals
    plain = CHOICES.take(np.bitwise_count(pools & _PLAIN), axis=1)
    gun = (ships >> 2 == pack.JACK) & (np.array(SALVO) >= pack.GUN_TORPEDOES)[:, None]
    return np.where(gun, deals, plain), deals


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
    fewer, sets = ([ranks for ranks in itertools.combinations(range(13), size) if rank is None or _is_safe(rank, ranks)]
                   for size in (n - 1, n))
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


def sink(ship: str | int, torpedoes: int, *, seen: Cards = (), jokers: int = 0, nob: bool = False) -> Fraction:
    """The chance that `torpedoes` unseen cards, fired at the face-up `ship`, score (rule L3b).

    Parameters
    ----------
    ship : str or int
        The target, such as "8D". It is seen, whether or not it is listed in `seen`.
    torpedoes : int
        How many are fired, 0 to 3.
    seen : str or iterable of str or int
        The other cards seen so far, such as "5H 5S JC". They cannot be among those fired.
    jokers : int
        Jokers in the pack, 0 to 2. One that has been seen ("X1") is listed in `seen`.
    nob : bool
        Whether a jack of the ship's suit scores (rule A6).

    Returns
    -------
    Fraction
        Exact; 1 for a jack.

    Raises
    ------
    NotationError
        If something is no card, the ship is a joker, or `seen` holds a card twice or a joker not in the pack.
    OptionError
        If `torpedoes` or `jokers` is out of range, or fewer cards are unseen than are fired.

    Examples
    --------
    >>> sink("8D", 1)
    Fraction(7, 51)
    """
    target = pack.as_card(ship)
    if pack.is_joker(target):
        raise NotationError(SAY("wrong.joker.ship"))
    if not _is_whole(torpedoes, SALVO):
        raise OptionError(SAY("wrong.salvo", n=brief(torpedoes)))
    pool = _pool(seen, jokers) & ~(1 << target)
    if pool.bit_count() < torpedoes:
        raise OptionError(SAY("wrong.pool", pool=pool.bit_count(), n=torpedoes))
    hits, deals = salvoes_by_ship(pool, bool(nob))
    return Fraction(int(hits[torpedoes, target]), int(deals[torpedoes, target]))


def still_sinks(ship: int, fired: tuple[int, ...], torpedoes: int, unseen: int, nob: bool = False) -> Fraction:
    """The chance that an attack sinks the ship when some of its torpedoes have been turned up.

    Parameters
    ----------
    ship : int
    fired : tuple of int
        The torpedoes turned up so far.
    torpedoes : int
        How many were fired in all.
    unseen : int
        The cards not seen, a bit for each.
    nob : bool
        As for `sink`.

    Returns
    -------
    Fraction
        Exact, by going through every choice of those left.

    >>> still_sinks(pack.as_card("8D"), (pack.as_card("4S"), pack.as_card("KC")), 3, (1 << 10) - 1)
    Fraction(3, 5)
    """
    pool = [card for card in range(PACK_SIZE) if unseen >> card & 1]
    ways = [(*fired, *rest) for rest in itertools.combinations(pool, torpedoes - len(fired))]
    hits = sum(1 for way in ways if pack.by_gun(ship, torpedoes) or _scores(ship, way, nob))
    return Fraction(hits, max(1, len(ways)))


def _scores(ship: int, fired: tuple[int, ...], nob: bool) -> bool:
    return not any(map(pack.is_joker, fired)) and is_hit(ship, fired, nob)


def table(seen: Cards = (), jokers: int = 0, nob: bool = False) -> npt.NDArray[np.float64]:
    """The chances to sink every rank of ship with every number of torpedoes.

    Parameters
    ----------
    seen, jokers, nob
        As for `sink`.

    Returns
    -------
    array of float, shape (13, 4)
        Rows: the ship's rank, ace to king. Columns: 0 to 3 torpedoes. A row is the average of `sink` over the rank's
        unseen cards; it is NaN if there are none. An entry is NaN if too few cards are unseen. The jacks' row is 1.

    Raises
    ------
    NotationError, OptionError
        As `sink`.

    >>> table().round(2)[5].tolist()
    [0.0, 0.14, 0.42, 0.73]
    """
    return ranks_sunk(_pool(seen, jokers), nob)


def ranks_sunk(pool: int, nob: bool) -> npt.NDArray[np.float64]:
    """`table` of a pool of unseen cards, a bit for each."""
    unseen = np.array([pool >> card & 1 for card in range(52)])
    hits, deals = ((choices * unseen).reshape(4, 13, 4).sum(axis=2).T for choices in salvoes_by_ship(pool, bool(nob)))
    return np.asarray(np.divide(hits, deals, out=np.full((13, 4), np.nan), where=deals > 0))


def escape(torpedoes: int, *, seen: Cards = (), jokers: int = 0) -> Fraction:
    """The chance that the next escort can be shaken off by discarding torpedoes (rule L4c).

    The escort is any unseen card that is no joker (a joker drawn as escort is set aside and another card
    drawn), and costs its number in torpedoes, a jack ten like the other face cards.

    Parameters
    ----------
    torpedoes : int
        Torpedoes left, 0 to 53.
    seen, jokers
        As for `sink`.

    Returns
    -------
    Fraction

    Raises
    ------
    NotationError
        If `seen` holds what is no card, a card twice, or a joker not in the pack.
    OptionError
        If `torpedoes` or `jokers` is out of range, or no card is left to be the escort.

    Examples
    --------
    >>> escape(3)
    Fraction(3, 13)
    """
    _check_store(torpedoes)
    escorts = _escorts(_pool(seen, jokers))
    return Fraction(sum(pack.pips(card) <= torpedoes for card in escorts), len(escorts))


def survive_escort(torpedoes: int, *, seen: Cards = (), jokers: int = 0, nob: bool = False) -> Fraction:
    """The chance to get away from the next escort when the captain plays for survival alone.

    A jack is sunk by the deck gun; an escort that can be paid for is paid; any other is attacked with the
    number of torpedoes, up to three, that has the best chance.

    Parameters
    ----------
    torpedoes : int
        Torpedoes left, 0 to 53. They are among the unseen cards.
    seen, jokers, nob
        As for `sink`.

    Returns
    -------
    Fraction

    Raises
    ------
    NotationError, OptionError
        As `escape`, and if fewer cards are unseen than the torpedoes and the escort.

    >>> survive_escort(4)
    Fraction(6502, 7735)
    """
    _check_store(torpedoes)
    unseen = _pool(seen, jokers)
    escorts = _escorts(unseen)
    pool, blanks = len(escorts) - 1, unseen.bit_count() - len(escorts)
    if pool + blanks < torpedoes:
        raise OptionError(SAY("wrong.pool.escort", pool=pool + 1 + blanks, n=torpedoes))
    hits = salvoes_by_ship(unseen, bool(nob))[0].T.tolist()
    alive = Fraction(0)
    # Jokers drawn before the escort are set aside, face up: each one fewer can spoil the attack.
    chance_of_draw = Fraction(1)
    for jokers_left in range(blanks, -1, -1):
        cards_left = len(escorts) + jokers_left
        deals = [comb(pool + jokers_left, n) for n in SALVO if n <= torpedoes]
        ways = sum(Fraction(1)
                   if pack.by_gun(card, torpedoes) or pack.pips(card) <= torpedoes
                   else max(Fraction(hits[card][n], of) for n, of in enumerate(deals) if of)
                   for card in escorts)
        alive += chance_of_draw * ways / cards_left
        chance_of_draw *= Fraction(jokers_left, cards_left)
    return alive


def attack_outcomes(state: State, torpedoes: int, game: UssLox | None = None) -> Dist[str]:
    """What firing that many now leads to, before the captain decides anything more (rules L3, L4).

    Parameters
    ----------
    state : State
        With a target or an escort face up.
    torpedoes : int
        How many are fired, 0 to 3.
    game : UssLox, optional
        The game the state is of; left out, the basic game.

    Returns
    -------
    Dist of str
        Exact over all draws of torpedoes and escort. "sunk"; or missed, and an escort comes that is a jack
        for the "deck gun", that one could "escape" from with the torpedoes left, or that one must "fight"; or
        no card is left to be the escort, and the boat can "slip away" (L4e). "lost" if an escort is missed
        (L4d), or if no card is left on a second patrol (A7).

    Raises
    ------
    IllegalActionError
        If the attack is not possible now.
    OptionError
        If the state is not of that game, but of one with jokers.

    Examples
    --------
    >>> from navalkit.games.uss_lox import UssLox
    >>> text = "(phase=target ocean=-1,1 supply=2,3 deck=4,5,6 ship=8D role=target seen=20000000)"
    >>> attack_outcomes(UssLox().parse_state(text), 1)["sunk"]
    Fraction(7, 51)
    """
    game = game or UssLox()
    if reason := game.why_not(state, Attack(torpedoes)):
        raise IllegalActionError(reason)
    slots = (*state.ocean, *state.supply, *state.deck)
    if max(slots, default=0) >= len(game.pack) or any(card not in game.pack for card in state.seen_cards):
        raise OptionError(SAY("wrong.pack"))
    unseen = sum(1 << card for card in game.pack if not state.seen >> card & 1)
    plain = _plain(unseen)
    blanks, nob = unseen.bit_count() - len(plain), bool(game.options["nob"])
    if pack.by_gun(state.ship, torpedoes):
        return Dist.point("sunk")
    # One lane for each card that may be the escort, and so is not among those fired; the last for none.
    pools = np.array([unseen & ~(1 << escort) for escort in plain] + [unseen], dtype=np.uint64)
    hits = salvoes(np.full(len(pools), state.ship), pools, nob)[0][torpedoes].tolist()
    deals = comb(unseen.bit_count(), torpedoes)
    chances = {"sunk": Fraction(hits[-1], deals)}
    if state.role == "escort":
        return Dist({**chances, "lost": 1 - chances["sunk"]})
    nobody = Round(game).hunted(0, state.patrol, "", "lost", "slip away")
    for duds in range(min(blanks, torpedoes) + 1):
        shots = torpedoes - duds  # the torpedoes fired that are no jokers
        # Jokers drawn as escort are set aside; a deck of nothing else holds no escort.
        left, jokers = unseen.bit_count() - torpedoes, blanks - duds
        none = Fraction(comb(jokers, len(state.deck)), comb(left, len(state.deck)))
        missed = comb(blanks, duds) * comb(len(plain), shots) - (hits[-1] if duds == 0 else 0)
        chances[nobody] = chances.get(nobody, Fraction(0)) + none * Fraction(missed, deals)
        for escort, hit in zip(plain, hits, strict=False):
            ways = comb(blanks, duds) * comb(len(plain) - 1, shots) - (hit if duds == 0 else 0)
            if ways:
                label = _escort_label(escort, state.torpedoes - torpedoes)
                share = (1 - none) * Fraction(ways, deals * (len(plain) - shots))
                chances[label] = chances.get(label, Fraction(0)) + share
    return Dist(chances)


def estimate(game: UssLox, state: State) -> Fraction:
    """What a card of the deck that counts in the place of a ship (rule A2) is worth on average, in tons."""
    unseen = [card for card in game.pack if not state.seen >> card & 1]
    return Fraction(1000 * sum(map(pack.pips, unseen)), len(unseen))


def gains(game: UssLox, state: State, ship: int) -> tuple[float, ...]:
    """Tons to expect of an attack on a ship, exactly, by torpedoes fired: what she counts times the chance to sink her.
    Where a card of the deck counts in her place (rule A2), it is none of those fired."""
    unseen = [card for card in game.pack if not state.seen >> card & 1 and card != ship]
    pool, later = sum(1 << card for card in unseen), game.estimated(state, ship)
    pools = np.array([pool & ~(1 << card) for card in unseen] if later else [pool], dtype=np.uint64)
    worth = np.array([pack.pips(card) for card in unseen] if later else [pack.pips(ship)], dtype=float)
    hits, deals = (counts.astype(float) for counts in salvoes(np.full(len(pools), ship), pools, game.options["nob"]))
    chances = np.divide(hits, deals, out=np.zeros(hits.shape), where=deals > 0)
    return tuple((1000 * chances @ worth / len(worth)).tolist())


def _escort_label(escort: int, torpedoes: int) -> str:
    if pack.by_gun(escort, torpedoes):
        return "deck gun"
    return "escape" if pack.pips(escort) <= torpedoes else "fight"


def _pool(seen: Cards, jokers: int) -> int:
    """The unseen pool, a bit for each card, of a pack with that many jokers."""
    if not _is_whole(jokers, range(3)):
        raise OptionError(SAY("wrong.jokers", jokers=brief(jokers)))
    pool = (1 << 52 + jokers) - 1
    for card in pack.as_cards(seen):
        if card >= 52 + jokers:
            raise NotationError(SAY("wrong.joker.seen", card=pack.text(card), jokers=jokers))
        pool &= ~(1 << card)
    return pool


def _plain(pool: int) -> list[int]:
    """The cards of a pool that are no jokers."""
    return [card for card in range(52) if pool >> card & 1]


def _escorts(pool: int) -> list[int]:
    if not (escorts := _plain(pool)):
        raise OptionError(SAY("wrong.no_escort"))
    return escorts


def _check_store(torpedoes: int) -> None:
    if not _is_whole(torpedoes, range(PACK_SIZE)):
        raise OptionError(SAY("wrong.store", n=brief(torpedoes), most=PACK_SIZE - 1))


def _is_whole(value: object, allowed: range) -> bool:
    return isinstance(value, Integral) and value in allowed


ODDS = {"sink": sink, "escape": escape, "survive_escort": survive_escort}
"""The questions that the command line asks, too."""
