"""What lessons ask of USS Lox: cards in words, salvoes, and patrols played as well as can be."""

from __future__ import annotations
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from navalkit.core.errors import DataError, OptionError
from . import cards, cribbage
from .cards import SAY
from .game import UssLox
from .odds import sink

__all__ = ["Salvo", "best_patrol", "salvoes", "share_of_hits", "tons_to_come"]

_MOST = 20_000


def cards_named(codes: str) -> str:
    """Cards in words: "5H KS" is "the five of hearts and the king of spades"."""
    words = [f"the {cards.name(cards.as_card(code))}" for code in codes.split()]
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def torpedoes_for(ship: str, chance: float, seen: str = "") -> int:
    """The fewest torpedoes, 0 to 3, that sink a ship with at least this chance; OptionError if three are too few."""
    for torpedoes in range(4):
        if sink(ship, torpedoes, seen=seen) >= chance:
            return torpedoes
    raise OptionError(SAY("lesson.three_few", ship=ship, chance=chance))


class Salvo(NamedTuple):
    """A salvo at a ship of USS Lox: how many torpedoes, the chance the library gives it, and whether it sank her."""

    torpedoes: int
    chance: float
    sunk: bool


def salvoes(n: int = 1000, seed: int = 1) -> list[Salvo]:
    """Salvoes of 1 to 3 torpedoes at ships drawn at random, with nothing else seen; jacks, which always sink, left out.
    DataError if ``n`` is not 1 to 20,000."""
    if not 1 <= n <= _MOST:
        raise DataError(SAY("lesson.number", most=_MOST))
    rng = np.random.default_rng(seed)
    found: list[Salvo] = []
    while len(found) < n:
        ship, *drawn = (cards.PACK[i] for i in rng.permutation(len(cards.PACK))[:4])
        if cards.text(ship).startswith("J"):
            continue
        torpedoes = int(rng.integers(1, 4))
        chance = float(sink(cards.text(ship), torpedoes))
        found.append(Salvo(torpedoes, chance, bool(cribbage.hits(ship, drawn[:torpedoes]))))
    return found


def best_patrol(loss_weight: float = 1.0) -> float:
    """Mean tonnage, in thousands of tons, of a patrol of the basic USS Lox played as well as can be. ``loss_weight``:
    what a ton counts when the boat is lost, 0 to 1."""
    best = _best(loss_weight)
    return float(best.start(0, best.supply)[0])


def tons_to_come(ocean: int, torpedoes: int) -> float:
    """Mean thousands of tons still to come in the basic USS Lox played as well as can be. ``ocean`` and ``torpedoes``:
    ocean cards and torpedoes that are left."""
    best = _best(1.0)
    return float(best.flip[0, ocean, torpedoes, 0] @ best.weights)


@lru_cache(maxsize=4)
def _best(loss_weight: float) -> Any:
    from .endgame import Aim, Solution

    return Solution(UssLox(), Aim.of("tonnage", loss_weight))


@lru_cache(maxsize=16)
def _patrols(policy: str, n: int, seed: int) -> tuple[float, float]:
    from .patrols import simulate

    average, error = simulate(policy, n, seed).mean("tonnage")
    return average, error


def patrols_mean(policy: str, n: int, seed: int) -> float:
    """Mean tonnage of ``n`` simulated patrols; the same seed gives the same patrols."""
    return _patrols(policy, n, seed)[0]


def patrols_error(policy: str, n: int, seed: int) -> float:
    """Its standard error."""
    return _patrols(policy, n, seed)[1]


def share_of_hits(ship: str, torpedoes: int, n: int, seed: int) -> Fraction:
    """The share of salvoes, drawn at random from a fresh pack without the ship, that sink her.

    Parameters
    ----------
    ship : str
        A card ("8D").
    torpedoes : int
        Cards of a salvo, 1 to 3.
    n : int
        Salvoes.
    seed : int

    Returns
    -------
    Fraction

    Examples
    --------
    >>> share_of_hits("8D", 2, 500, 1) == share_of_hits("8D", 2, 500, 1)
    True
    """
    target = cards.as_card(ship)
    rng, pool = np.random.default_rng(seed), [card for card in cards.PACK if card != target]
    salvoes = (rng.choice(pool, torpedoes, replace=False).tolist() for _ in range(n))
    return Fraction(sum(cribbage.is_hit(target, salvo) for salvo in salvoes), n)
