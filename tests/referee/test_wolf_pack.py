"""House and referee agree on Wolf Pack: draws, discards, rows, raids, reshuffles, counting, the end."""

from __future__ import annotations

import pytest

from ..samples import sizes
from .driver import agree
from .tables import WOLF_PACK

SILENT = {"W1", "W1a", "W2", "W11", "W13"}
"""Rules that no event belongs to: what the deck is, the order of a turn, what cannot be played, what is open."""


@sizes("positions", 4_000, 8_000)
def test_house_and_referee_agree(positions: int) -> None:
    agree(WOLF_PACK, positions, silent=SILENT)


@pytest.mark.slow
def test_house_and_referee_agree_over_a_long_run() -> None:
    agree(WOLF_PACK, 400_000, seed=1_000_000, silent=SILENT)
