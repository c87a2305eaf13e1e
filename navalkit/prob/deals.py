"""Draws without replacement, exactly: how many of a kind, which hand, and how long until the first.

Closed forms count hands with binomial coefficients; ``draw`` and ``chance_of`` list every hand, for questions
that no formula fits.
"""

from __future__ import annotations
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any, TypeVar

from navalkit.core.dist import Dist
from navalkit.core.errors import DataError, brief
from navalkit.core.words import SAY

__all__ = ["at_least", "chance_of", "draw", "hypergeometric", "multivariate", "waiting_time"]

Card = TypeVar("Card", bound=Hashable)
Kind = TypeVar("Kind", bound=Hashable)

MAX_HANDS = 3_000_000  # every poker hand, in a few seconds


def hypergeometric(population: int, successes: int, draws: int) -> Dist[int]:
    """The number of successes among cards drawn without replacement.

    Parameters
    ----------
    population, successes, draws : int
        Cards in all, how many of them are successes, and how many are drawn; the latter two from 0 to ``population``.

    Returns
    -------
    Dist of int

    Raises
    ------
    DataError
        If a count is no whole number or out of range.

    >>> hypergeometric(52, 4, 5)[0]
    Fraction(35673, 54145)
    """
    _check("population", population)
    _check("successes", successes, population)
    _check("draws", draws, population)
    failures = population - successes
    possible = range(max(0, draws - failures), min(draws, successes) + 1)
    return Dist((k, comb(successes, k) * comb(failures, draws - k)) for k in possible)


def at_least(population: int, successes: int, draws: int, wanted: int = 1) -> Fraction:
    """The chance of ``wanted`` successes or more, by default of any; the rest as in ``hypergeometric``.

    Parameters
    ----------
    population, successes, draws : int
        As in ``hypergeometric``.
    wanted : int
        0 or more.

    Returns
    -------
    Fraction

    Raises
    ------
    DataError
        As in ``hypergeometric``.

    >>> at_least(52, 4, 5)  # an ace among five cards
    Fraction(18472, 54145)
    """
    return hypergeometric(population, successes, draws).at_least(wanted)


def waiting_time(population: int, successes: int) -> Dist[int]:
    """The number of draws up to and including the first success (negative hypergeometric), 1 or more.

    DataError if there is no success to wait for, or more successes than cards.
    """
    _check("population", population, least=1)
    _check("successes", successes, population, least=1)
    # The first success is draw t if the other successes all lie among the population - t cards after it.
    last = population - successes + 1
    return Dist((t, comb(population - t, successes - 1)) for t in range(1, last + 1))


def multivariate(counts: Mapping[Kind, int], draws: int) -> Dist[tuple[tuple[Kind, int], ...]]:
    """How many of each kind are drawn without replacement (multivariate hypergeometric).

    Parameters
    ----------
    counts : mapping kind -> int
        The cards of each kind in the pack, >= 0.
    draws : int
        From 0 to the size of the pack.

    Returns
    -------
    Dist over tuples of (kind, number drawn)
        In the order of the kinds (as given if they cannot be sorted), every kind included even with 0, so
        that ``dict(outcome)[kind]`` always answers.

    Raises
    ------
    DataError
        If a count is no whole number or out of range.
    """
    for kind, count in counts.items():
        _check(SAY("deals.count", kind=brief(kind)), count)
    rest = sum(counts.values())
    _check("draws", draws, rest)
    hands: dict[tuple[tuple[Kind, int], ...], int] = {(): 1}
    for kind in _in_order(counts):
        count = counts[kind]
        rest -= count
        longer: dict[tuple[tuple[Kind, int], ...], int] = {}
        for hand, ways in hands.items():
            open_ = draws - sum(n for _, n in hand)
            # Draw enough that the kinds still to come can fill the hand.
            for n in range(max(0, open_ - rest), min(open_, count) + 1):
                longer[(*hand, (kind, n))] = ways * comb(count, n)
        hands = longer
    return Dist(hands)


def draw(cards: Iterable[Card], n: int) -> Dist[tuple[Card, ...]]:
    """Every hand of ``n`` cards drawn without replacement, each a tuple in sorted order.

    Cards that cannot be sorted keep the order given. Equal cards make equal hands, whose chances add up.
    DataError if ``n`` is out of range or there are more than ``MAX_HANDS`` hands.
    """
    return Dist.uniform(_hands(cards, n))


def chance_of(cards: Iterable[Card], n: int, predicate: Callable[[tuple[Card, ...]], bool]) -> Fraction:
    """The chance that ``n`` cards drawn without replacement fulfil ``predicate(hand)``, by trying every hand.

    Parameters
    ----------
    cards : iterable
        The pack; equal cards count as different ones.
    n : int
        How many are drawn.
    predicate : callable
        Hand, a tuple of ``n`` cards -> whether it counts.

    Returns
    -------
    Fraction

    Raises
    ------
    As ``draw``.

    Examples
    --------
    >>> chance_of([1, 2, 3, 4], 2, lambda hand: sum(hand) == 5)
    Fraction(1, 3)
    """
    pack = tuple(cards)
    hits = sum(1 for hand in _hands(pack, n) if predicate(hand))
    return Fraction(hits, comb(len(pack), n))


def _hands(cards: Iterable[Card], n: int) -> Iterable[tuple[Card, ...]]:
    pack = tuple(cards)
    _check(SAY("deals.drawn"), n, len(pack))
    if (hands := comb(len(pack), n)) > MAX_HANDS:
        raise DataError(SAY("deals.hands", n=n, pack=len(pack), hands=hands, most=MAX_HANDS))
    return combinations(_in_order(pack), n)


def _in_order(things: Iterable[Any]) -> list[Any]:
    """Sorted where possible; else as given, equal things together, so that equal hands are equal tuples."""
    things = list(things)
    try:
        return sorted(things)
    except TypeError:
        first = {thing: i for i, thing in reversed(list(enumerate(things)))}
        return sorted(things, key=first.__getitem__)


def _check(name: str, value: object, most: int | None = None, least: int = 0) -> None:
    if type(value) is not int or value < least or (most is not None and value > most):
        bounds = SAY("deals.more", least=least) if most is None else SAY("deals.between", least=least, most=most)
        raise DataError(SAY("deals.whole_number", name=name, bounds=bounds, value=brief(value)))
