"""How good a predictor is: scores of single forecasts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf, log2


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
