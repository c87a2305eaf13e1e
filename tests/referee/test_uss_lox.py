"""House and referee agree on USS Lox: hits, escorts, escapes, all advanced rules, second patrols, the end."""

from __future__ import annotations

import pytest

from ..samples import sizes
from .driver import agree
from .tables import USS_LOX

SILENT = {"L0"}
"""The deal has no event."""


@sizes("positions", 3_000, 6_000)
def test_house_and_referee_agree(positions: int) -> None:
    agree(USS_LOX, positions, silent=SILENT)


@pytest.mark.slow
def test_house_and_referee_agree_over_a_long_run() -> None:
    agree(USS_LOX, 300_000, seed=1_000_000, silent=SILENT)
