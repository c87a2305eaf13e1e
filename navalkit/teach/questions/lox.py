"""What lessons ask of USS Lox: cards in words, salvoes, and the value of stopping."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

from navalkit.core.errors import OptionError

from ..say import SAY
from .chances import Number


def cards_named(codes: str) -> str:
    """Cards in words: "5H KS" is "the five of hearts and the king of spades"."""
    from navalkit.games.uss_lox.rules.cards import as_card, name

    words = [f"the {name(as_card(code))}" for code in codes.split()]
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def torpedoes_for(ship: str, chance: float, seen: str = "") -> int:
    """The fewest torpedoes, 0 to 3, that sink a ship with at least this chance; OptionError if three are too few."""
    from navalkit.games.uss_lox.odds import sink

    for torpedoes in range(4):
        if sink(ship, torpedoes, seen=seen) >= chance:
            return torpedoes
    raise OptionError(SAY("formula.three_few", ship=ship, chance=chance))


def worth_going_on(left: int, tons: Number, sink: Number, lost: Number, worth: Number) -> Number:
    """The value of the best way to end a patrol that may stop before every encounter, by dynamic programming.

    ``left``: encounters still possible, 0 or more. ``tons``: sunk so far. They count only if the boat comes home.
    ``sink`` and ``lost``: chances that one encounter sinks a ship, and that it loses the boat; else nothing happens.
    ``worth``: tons of a ship.
    """
    if left == 0:
        return tons
    return max(tons, _sail(left, tons, sink, lost, worth))


def _sail(left: int, tons: Number, sink: Number, lost: Number, worth: Number) -> Number:
    won = worth_going_on(left - 1, tons + worth, sink, lost, worth)
    return sink * won + (1 - sink - lost) * worth_going_on(left - 1, tons, sink, lost, worth)


def always_sails_on(left: int, tons: Number, sink: Number, lost: Number, worth: Number) -> Number:
    """The mean tonnage of a captain who never turns home early; parameters as for `worth_going_on`."""
    if left == 0:
        return tons
    won = always_sails_on(left - 1, tons + worth, sink, lost, worth)
    return sink * won + (1 - sink - lost) * always_sails_on(left - 1, tons, sink, lost, worth)


def turns_home_at(left: int, sink: Number, lost: Number, worth: Number) -> Number:
    """The fewest tons, in whole ships, with which to turn home rather than risk another of ``left`` encounters."""
    tons: Number = 0
    while _sail(left, tons, sink, lost, worth) > tons:
        tons += worth
    return tons


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
    from navalkit.games.uss_lox import UssLox
    from navalkit.games.uss_lox.bots.solve import Aim, Solution

    return Solution(UssLox(), Aim.of("tonnage", loss_weight))


@lru_cache(maxsize=16)
def _patrols(policy: str, n: int, seed: int) -> tuple[float, float]:
    from navalkit.games.uss_lox import simulate

    average, error = simulate(policy, n, seed).mean("tonnage")
    return average, error


def patrols_mean(policy: str, n: int, seed: int) -> float:
    """Mean tonnage of ``n`` simulated patrols; the same seed gives the same patrols."""
    return _patrols(policy, n, seed)[0]


def patrols_error(policy: str, n: int, seed: int) -> float:
    """Its standard error."""
    return _patrols(policy, n, seed)[1]


def share_of_hits(ship: str, torpedoes: int, n: int, seed: int) -> Fraction:
    """The share of ``n`` salvoes, drawn at random from a fresh pack without the ship, that sink her."""
    import numpy as np

    from navalkit.games.uss_lox import cards, cribbage

    target = cards.as_card(ship)
    rng, pool = np.random.default_rng(seed), [card for card in cards.PACK if card != target]
    salvoes = (rng.choice(pool, torpedoes, replace=False).tolist() for _ in range(n))
    return Fraction(sum(cribbage.is_hit(target, salvo) for salvo in salvoes), n)
