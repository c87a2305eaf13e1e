"""Cribbage: the score of the show, the combinations that make it, and the hit test of USS Lox.

Rules: the show in cribbage as USS Lox quotes it (its section "Cribbage scoring"), and rule L3b of USS Lox
("Torpedoes away!") for `hits` and `is_hit`. Cards are given as texts or as the numbers of `cards`.
"""

from __future__ import annotations
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from navalkit.core.errors import NotationError
from navalkit.core.words import Phrase
from . import cards as pack
from .cards import SAY

__all__ = ["Combination", "combinations", "hits", "is_hit", "show", "show_many", "sinks"]

Cards = str | Iterable[str | int]
Kind = Literal["fifteen", "pair", "run", "flush", "nob"]

_CHUNK = 1 << 14  # deals at a time in show_many: its working arrays then stay in the processor's cache


@dataclass(frozen=True, slots=True)
class Combination:
    """Cards that score together.

    Attributes
    ----------
    kind : "fifteen", "pair", "run", "flush" or "nob"
    cards : tuple of int
        The cards, lowest first; for a nob the jack and then the starter (in USS Lox: the ship).
    points : int
        What they score in the show.
    """

    kind: Kind
    cards: tuple[int, ...]
    points: int

    @property
    def said(self) -> Phrase:
        """What scores and how much, to be said when it is read: "8♦ and 7♣ add up to fifteen: 2 points"."""
        *front, last = map(pack.symbol, self.cards)
        together = SAY.phrase("scores.and", some=", ".join(front), last=last)
        count = len(self.cards)
        return SAY.phrase(f"scores.{self.kind}", cards=together, count=count, word=SAY.phrase(f"rank.{count - 1}"),
                          points=self.points, jack=front[0], starter=last)

    def __str__(self) -> str:
        return f"{self.said}."


def combinations(cards: Cards, starter: str | int | None = None) -> list[Combination]:
    """Everything that scores in a hand of any number of cards.

    Parameters
    ----------
    cards : str or iterable of str or int
        The hand. Jokers may be in it and score nothing.
    starter : str or int, optional
        The card turned up. It joins every combination, lengthens the hand's own flush, and makes a jack of
        its suit in the hand his nob.

    Returns
    -------
    list of Combination
        Fifteens, pairs, runs, flush and nob in this order. A pair royal is listed as its three pairs, a
        double run as its two runs. A flush needs four cards, and the whole hand.

    Raises
    ------
    NotationError
        If something is no card or a card is there twice.
    """
    hand = pack.as_cards(cards)
    up = () if starter is None else (pack.as_card(starter),)
    found = _by_rank(pack.as_cards(hand + up))
    if len(hand) >= 4 and _one_suit(hand):
        flush = hand + up if _one_suit(hand + up) else hand
        found.append(Combination("flush", tuple(sorted(flush)), len(flush)))
    return found + [nob for card in up for nob in _nobs(hand, card)]


def show(hand: Cards, starter: str | int) -> int:
    """The score of the show: a hand of four cards and the starter.

    Parameters
    ----------
    hand : str or iterable of str or int
        Four cards, such as "5H 5S 5D JC".
    starter : str or int
        The card turned up, such as "5C". (Two for his heels are the dealer's and are no part of the show.)

    Raises
    ------
    NotationError
        If these are not five different cards of the pack without jokers.

    Examples
    --------
    >>> show("5H 5S 5D JC", "5C")
    29
    """
    held = pack.as_cards(hand)
    if len(held) != 4:
        raise NotationError(SAY("wrong.hand", count=len(held)))
    if any(map(pack.is_joker, (*held, pack.as_card(starter)))):
        raise NotationError(SAY("wrong.joker.show"))
    return sum(combination.points for combination in combinations(held, starter))


def hits(ship: str | int, torpedoes: Cards, *, nob: bool = False) -> list[Combination]:
    """Every combination by which `torpedoes` sink `ship` (rule L3b); none means that they miss.

    Ship and torpedoes together must hold a pair, a fifteen, a run of three or more, or be four cards of one suit. Two
    torpedoes may score without the ship. A jack as ship is sunk by the deck gun (L3a), which is no combination.

    Parameters
    ----------
    ship : str or int
        The target, no joker.
    torpedoes : str or iterable of str or int
        The cards fired. With a joker among them the attack fails.
    nob : bool
        Whether a jack fired at a ship of its suit scores too (rule A6).

    Raises
    ------
    NotationError
        If something is no card, a card is there twice, or the ship is a joker.

    Returns
    -------
    list of Combination

    Examples
    --------
    >>> [each.kind for each in hits("8D", "8S 7C")]
    ['fifteen', 'fifteen', 'pair']
    """
    target, *fired = pack.as_cards((pack.as_card(ship), *pack.as_cards(torpedoes)))
    if pack.is_joker(target):
        raise NotationError(SAY("wrong.joker.ship"))
    if any(map(pack.is_joker, fired)):
        return []
    scored = _by_rank((target, *fired))
    if len(fired) == 3 and _one_suit((target, *fired)):
        scored.append(Combination("flush", tuple(sorted((target, *fired))), 4))
    return scored + (_nobs(fired, target) if nob else [])


def is_hit(ship: int, torpedoes: Sequence[int], nob: bool = False) -> bool:
    """Whether `hits` would find anything, quickly: for card numbers, which it does not check.

    Parameters
    ----------
    ship : int
    torpedoes : sequence of int
    nob : bool
        As `hits` takes them.

    Returns
    -------
    bool

    >>> is_hit(pack.as_card("8D"), pack.as_cards("8S 7C"))
    True
    """
    if any(card >= 52 for card in torpedoes):
        return False
    # Two bit sets: the ranks held, and the totals that some of the cards add up to.
    ranks, sums = 1 << (ship >> 2), 1 | 1 << pack.pips(ship)
    for card in torpedoes:
        if ranks >> (card >> 2) & 1:
            return True  # a pair
        ranks |= 1 << (card >> 2)
        sums |= sums << min((card >> 2) + 1, 10)
    return bool(
        sums >> 15 & 1 or ranks & ranks >> 1 & ranks >> 2 or (len(torpedoes) == 3 and _one_suit((ship, *torpedoes)))
        or (nob and pack.JACK * 4 + (ship & 3) in torpedoes)
    )


def sinks(ship: int, torpedoes: Sequence[int], nob: bool = False) -> bool:
    """Whether the torpedoes or the deck gun sink her (rules L3a, L3b).

    Parameters
    ----------
    ship, torpedoes, nob
        As `is_hit` takes them.

    Returns
    -------
    bool

    >>> sinks(pack.as_card("JC"), ())
    True
    """
    return pack.by_gun(ship, len(torpedoes)) or is_hit(ship, torpedoes, nob)


def show_many(cards: npt.ArrayLike) -> npt.NDArray[np.int16]:
    """The scores of many shows at once.

    What the ranks score is looked up in a table of all 13**5 rows of five ranks; only flush and nob look at suits.

    Parameters
    ----------
    cards : array of integers, shape (n, 5)
        One deal a row: card numbers 0..51, the starter in the last column. The cards of a row must differ.

    Returns
    -------
    array of int16, shape (n,)

    Raises
    ------
    NotationError
        If `cards` is no such array; the sentence names the first row that is wrong.
    """
    deals = np.asarray(cards)
    if deals.shape[1:] != (5,) or not np.issubdtype(deals.dtype, np.integer):
        raise NotationError(SAY("wrong.deals", shape=str(deals.shape), type=str(deals.dtype)))
    scores = np.empty(len(deals), dtype=np.int16)
    for start in range(0, len(deals), _CHUNK):
        chunk = deals[start : start + _CHUNK]
        if chunk.min() < 0 or chunk.max() > 51:
            raise _bad_row(chunk, start)
        columns = np.ascontiguousarray(chunk.T, dtype=np.uint8)
        if any((columns[i] == columns[i + 1 :]).any() for i in range(4)):
            raise _bad_row(chunk, start)
        scores[start : start + _CHUNK] = _show_columns(columns)
    return scores


def _show_columns(columns: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Scores of shows given as five rows of card numbers, shape (5, n); the starter is the last row."""
    hand, starter = columns[:4], columns[4]
    ranks = columns >> 2
    index = ranks[0].astype(np.intp)
    for column in ranks[1:]:
        index *= 13
        index += column
    scores: npt.NDArray[np.uint8] = _rank_scores().take(index)
    # Two cards are of one suit where their numbers agree in the two lowest bits.
    flush = ((hand[0] ^ hand[1]) | (hand[0] ^ hand[2]) | (hand[0] ^ hand[3])) & 3
    scores += (flush == 0) * np.uint8(4)
    scores += (flush | (hand[0] ^ starter) & 3) == 0
    nob = (starter & 3) | np.uint8(pack.JACK * 4)
    scores += (hand == nob).any(axis=0)
    return scores


@cache
def _rank_scores() -> npt.NDArray[np.uint8]:
    """Fifteens, pairs and runs of every row of five ranks, at ``(((a*13 + b)*13 + c)*13 + d)*13 + e``."""
    ranks = [axis.astype(np.int8) for axis in np.ogrid[(slice(13),) * 5]]
    values = [np.minimum(rank + 1, 10, dtype=np.int8) for rank in ranks]
    scores = np.zeros((13,) * 5, dtype=np.uint8)
    for size in range(2, 6):
        for some in itertools.combinations(range(5), size):
            scores += np.uint8(2) * (sum(values[i] for i in some) == 15)
    for i, j in itertools.combinations(range(5), 2):
        scores += np.uint8(2) * (ranks[i] == ranks[j])
    # held[r]: how many of the five have rank r - 1, with an empty rank below the ace and above the king.
    held = np.zeros((15, *scores.shape), dtype=np.uint8)
    for rank in range(13):
        held[rank + 1] = sum((axis == rank).astype(np.uint8) for axis in ranks)
    for length in (3, 4, 5):
        for low in range(1, 15 - length):
            whole = (held[low - 1] == 0) & (held[low + length] == 0)
            scores += np.uint8(length) * whole * held[low : low + length].prod(axis=0, dtype=np.uint8)
    return scores.ravel()


def _by_rank(cards: Iterable[int]) -> list[Combination]:
    """Fifteens, pairs and runs: all that does not look at suits. Jokers score nothing."""
    hand = sorted(card for card in cards if not pack.is_joker(card))
    fifteens = [Combination("fifteen", some, 2) for some in _adding_to(15, hand)]
    twos = itertools.combinations(hand, 2)
    pairs = [Combination("pair", (a, b), 2) for a, b in twos if a >> 2 == b >> 2]
    ranks: dict[int, list[int]] = {}
    for card in hand:
        ranks.setdefault(card >> 2, []).append(card)
    runs = []
    for low in ranks:
        high = low
        while low - 1 not in ranks and high + 1 in ranks:
            high += 1
        if high - low >= 2:
            span = (ranks[rank] for rank in range(low, high + 1))
            runs += [Combination("run", some, len(some)) for some in itertools.product(*span)]
    return fifteens + pairs + runs


def _adding_to(total: int, hand: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every choice of cards from `hand` (sorted) whose pips add up to `total`."""
    if total == 0:
        yield ()
    for i, card in enumerate(hand):
        if pack.pips(card) > total:
            break
        for rest in _adding_to(total - pack.pips(card), hand[i + 1 :]):
            yield (card, *rest)


def _one_suit(cards: Sequence[int]) -> bool:
    return not any(map(pack.is_joker, cards)) and len({card & 3 for card in cards}) == 1


def _nobs(hand: Sequence[int], starter: int) -> list[Combination]:
    jack = pack.JACK * 4 + (starter & 3)
    return [] if pack.is_joker(starter) or jack not in hand else [Combination("nob", (jack, starter), 1)]


def _bad_row(chunk: npt.NDArray[Any], start: int) -> NotationError:
    """The error for the first wrong row of a chunk that begins at row `start`."""
    ordered = np.sort(chunk, axis=1)
    wrong = (ordered[:, 0] < 0) | (ordered[:, -1] > 51) | (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    row = int(np.argmax(wrong))
    return NotationError(SAY("wrong.deals.row", row=start + row, cards=str(chunk[row].tolist())))
