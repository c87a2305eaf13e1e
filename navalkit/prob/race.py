"""The chance to win a race: how far one is ahead, against how much may still come between.

What either side still gains is a sum of many small chances, so that the lead at the end is close to normally
distributed: its mean is the lead now and what usually comes, and its variance grows with what is left of the game. A
game says in numbers of its data what that comes to, fitted to games between like captains (`fitted`).
"""

from __future__ import annotations
from collections.abc import Callable
from math import erfc, sqrt

import numpy as np
from numpy.typing import NDArray

__all__ = ["Floats", "fitted", "stays_ahead"]

Floats = NDArray[np.float64]
LEAST = 1e-6
"""The least variance: a race is never quite over before it is."""
SURE = 1e-4
"""How near 0 or 1 a chance is taken to be while numbers are fitted."""
ROUNDS = 200


def stays_ahead(lead: float, variance: float) -> float:
    """The chance that a lead is above 0 in the end.

    Parameters
    ----------
    lead : float
        The mean of the lead at the end, in any unit.
    variance : float
        Of the lead at the end, in the square of that unit, 0 or more.

    Returns
    -------
    float
        From 0 to 1.

    >>> stays_ahead(0, 1), round(stays_ahead(1, 1), 3)
    (0.5, 0.841)
    """
    return 0.5 * erfc(-lead / sqrt(2 * max(variance, LEAST)))


def fitted(model: Callable[[Floats], tuple[Floats, Floats]], start: Floats, won: Floats, weight: Floats) -> Floats:
    """The numbers under which what happened is likeliest, by Fisher's scoring with damped steps.

    Parameters
    ----------
    model : callable
        Numbers -> the mean and the variance of the lead at the end in each case, shape (cases,).
    start : array
        The numbers to begin with, shape (numbers,).
    won : array
        The share of each case that was won, shape (cases,).
    weight : array
        How many games each case stands for, shape (cases,).

    Returns
    -------
    array
        Shape (numbers,).
    """
    def chances(numbers: Floats) -> Floats:
        lead, variance = model(numbers)
        return np.array([stays_ahead(*each) for each in zip(lead, variance, strict=True)]).clip(SURE, 1 - SURE)

    def surprise(chance: Floats) -> float:
        return -float(weight @ (won * np.log(chance) + (1 - won) * np.log(1 - chance)))

    numbers, damping, step = np.array(start, float), 1e-2, 1e-5
    now = chances(numbers)
    for _ in range(ROUNDS):
        slopes = np.array([(chances(numbers + step * each) - now) / step for each in np.eye(len(numbers))])
        trust = weight / (now * (1 - now))
        square, pull = (slopes * trust) @ slopes.T, slopes @ (trust * (won - now))
        spread = damping * (np.diag(np.diag(square)) + 1e-9 * np.eye(len(numbers)))
        tried = numbers + np.linalg.solve(square + spread, pull)
        then = chances(tried)
        if surprise(then) < surprise(now):
            done = surprise(now) - surprise(then) < 1e-9 * surprise(now)
            numbers, now, damping = tried, then, damping / 3
            if done:
                break
        else:
            damping *= 5
            if damping > 1e9:
                break
    return numbers
