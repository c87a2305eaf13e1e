"""How good a predictor is: scores of single forecasts, and forecasts of the library's own with what came of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf, log2
from typing import NamedTuple

import numpy as np

from navalkit.core.errors import DataError
from navalkit.games.uss_lox import cards, cribbage
from navalkit.games.uss_lox.odds import sink

from ..say import SAY

_MOST = 20_000


class Salvo(NamedTuple):
    """A salvo at a ship of USS Lox: how many torpedoes, the chance the library gives it, and whether it sank her."""

    torpedoes: int
    chance: float
    sunk: bool


def salvoes(n: int = 1000, seed: int = 1) -> list[Salvo]:
    """Salvoes of 1 to 3 torpedoes at ships drawn at random, with nothing else seen; jacks, which always sink, left out.
    DataError if ``n`` is not 1 to 20,000."""
    if not 1 <= n <= _MOST:
        raise DataError(SAY("score.number", most=_MOST))
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


def brier(chance: float, happened: bool) -> float:
    """The Brier score of one forecast: the square of how far it was off; 0 is perfect, 1 the worst."""
    return (chance - (1 if happened else 0)) ** 2


def surprise(chance: float, happened: bool) -> float:
    """The logarithmic score in bits: how surprised one is who believed the forecast."""
    believed = chance if happened else 1 - chance
    return -log2(believed) if believed > 0 else inf


def mean_score(score: Callable[[float, bool], float], said: Iterable[tuple[float, bool]]) -> float:
    """The mean score of forecasts, each with what came of it."""
    pairs = list(said)
    return sum(score(chance, happened) for chance, happened in pairs) / len(pairs)
