"""Chance from a seed, keyed by slot: one seed means the same sea whatever was done before.

A slot is a text that names what is being decided ("salvo 3 Iowa", "cards"). Draws depend on seed and slot
alone, not on how many draws came before, and come from BLAKE2b, so they are the same on every machine and
with every numpy.
"""

from __future__ import annotations

import secrets
from functools import lru_cache
from hashlib import blake2b

MAX_SEED = 2**63 - 1


def fresh_seed() -> int:
    """A new seed that is short enough to be read aloud (below one thousand million)."""
    return secrets.randbelow(10**9)


class Stream:
    """An endless stream of exact uniform integers for one slot of one seed.

    Parameters
    ----------
    seed : int
        The game's seed, 0 to 2**63 - 1.
    slot : str
        What is being decided.
    """

    __slots__ = ("_key", "_block", "_word", "_words")

    def __init__(self, seed: int, slot: str) -> None:
        self._key = seed.to_bytes(8, "little") + slot.encode()
        self._block = 0
        self._word = 8
        self._words: list[int] = []

    def _next(self) -> int:
        """The next 64 random bits."""
        if self._word == 8:
            digest = blake2b(self._key + self._block.to_bytes(8, "little")).digest()
            self._words = [int.from_bytes(digest[i : i + 8], "little") for i in range(0, 64, 8)]
            self._block += 1
            self._word = 0
        self._word += 1
        return self._words[self._word - 1]

    def integers(self, high: int) -> int:
        """A uniform integer in 0..high-1 (exact: words past the last whole multiple are thrown away)."""
        words = -(-high.bit_length() // 64)
        span = 1 << (64 * words)
        limit = span - span % high
        while True:
            value = 0
            for _ in range(words):
                value = value << 64 | self._next()
            if value < limit:
                return value % high


@lru_cache(maxsize=256)
def permutation(seed: int, slot: str, n: int) -> tuple[int, ...]:
    """A uniform permutation of 0..n-1 for that slot (Fisher-Yates): a shuffled deck."""
    stream = Stream(seed, slot)
    cards = list(range(n))
    for i in range(n - 1, 0, -1):
        j = stream.integers(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)
