"""Uniform draws of any size from a random generator: the tickets by which outcomes are sampled."""

from __future__ import annotations

from typing import Any, Protocol

from ._sums import INT64_LIMIT


class IntegerSource(Protocol):
    """What sampling needs of a random generator; ``numpy.random.Generator`` has it."""

    def integers(self, high: int, /) -> Any:
        """A uniform integer from 0 to ``high - 1``, for any ``high`` up to 2**63."""


def below(rng: IntegerSource, high: int) -> int:
    """A uniform integer from 0 to ``high - 1``; beyond int64, wide words are drawn until one fits."""
    if high <= INT64_LIMIT:
        return int(rng.integers(high))
    bits = (high - 1).bit_length()
    while True:
        word = 0
        for _ in range(0, bits, 32):
            word = word << 32 | int(rng.integers(2**32))
        word >>= -bits % 32
        if word < high:
            return word
