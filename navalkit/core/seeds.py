"""Chance from a seed, keyed by slot: one seed means the same sea whatever was done before.

A slot is a text that names what is being decided ("salvo 3 Iowa", "cards"). Draws depend on seed and slot alone, not on
how many draws came before, and come from BLAKE2b, so they are the same on every machine and with every numpy.
"""

from __future__ import annotations
import json
import secrets
from datetime import date
from functools import lru_cache
from hashlib import blake2b

MAX_SEED = 2**128 - 1


def fresh_seed(secret: bool = False) -> int:
    """A new seed: short enough to be read aloud (below one thousand million), or of 128 bits, too many to guess. A game
    that hides something needs a ``secret`` one: a seed that can be guessed gives away what is hidden."""
    return secrets.randbelow(MAX_SEED + 1 if secret else 10**9)


def daily_seed(game: str, day: date) -> int:
    """The seed of a game's game of the day, the same for everybody.

    >>> daily_seed("task-force", date(2026, 11, 21))
    461553601
    """
    return int.from_bytes(blake2b(f"{game} {day.isoformat()}".encode()).digest()[:8], "little") % 10**9


def commitment(seed: int, *parts: str) -> str:
    """40 hexadecimal digits that bind the one who shows them to ``seed`` without telling it (if it cannot be guessed).
    ``seed``: 0 to `MAX_SEED`. ``*parts``: what else is bound: the game, its rules, its options."""
    return blake2b(json.dumps([*parts, str(seed)]).encode(), digest_size=20, person=b"navalkit").hexdigest()


def _seed_bytes(seed: int) -> bytes:
    """Eight bytes, as they always were; of a larger seed 17, told apart by a byte that no text (the slot) holds."""
    low = (seed & (1 << 64) - 1).to_bytes(8, "little")
    return low if seed < 1 << 64 else low + b"\xff" + (seed >> 64).to_bytes(8, "little")


class Stream:
    """An endless stream of exact uniform integers for one slot of one seed. ``seed``: the game's seed, 0 to 2**128 - 1.
    ``slot``: what is being decided."""

    __slots__ = ("_key", "_block", "_word", "_words")

    def __init__(self, seed: int, slot: str) -> None:
        self._key = _seed_bytes(seed) + slot.encode()
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
