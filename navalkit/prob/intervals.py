"""Intervals for what was counted."""

from __future__ import annotations
from math import sqrt

from navalkit.core.errors import OptionError
from navalkit.core.words import SAY

__all__ = ["wilson"]

Z95 = 1.96
"""Standard errors to either side that hold 95 % of a normal distribution."""


def wilson(share: float, n: int, z: float = Z95) -> tuple[float, float]:
    """The score interval of a share (Wilson 1927), which stays within 0 and 1 and is honest near them.

    Parameters
    ----------
    share : float
        What was counted, from 0 to 1.
    n : int
        Trials, 1 or more.
    z : float
        Standard errors to either side; left out, the interval is of 95 %.

    Returns
    -------
    (float, float)
        All chances p from which the share is no more than ``z`` standard errors sqrt(p (1 - p) / n) away.

    Raises
    ------
    OptionError
        If the share is not one, or there are no trials.

    >>> [round(end, 3) for end in wilson(0.5, 100)]
    [0.404, 0.596]
    """
    if not 0 <= share <= 1:
        raise OptionError(SAY("intervals.share", share=share))
    if n < 1:
        raise OptionError(SAY("intervals.trials", n=n))
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)
