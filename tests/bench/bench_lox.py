"""How fast the odds and the show scorer of USS Lox are, against plain Python in the same run."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from navalkit.games.uss_lox import cards, cribbage, odds


def bench_table() -> dict[str, Any]:
    """`odds.table` against firing every salvo at every ship, one ship of each suit standing for the plain
    loop."""
    odds.table()  # builds the sets of safe ranks
    ours = _seconds(odds.table, repeats=20)
    # Any one ship costs the enumeration the same, but for jacks, so a rank's first suit stands for all four.
    ships = [card for card in range(0, 52, 4) if card // 4 != cards.JACK]
    sample = ships[::4]
    baseline = _seconds(lambda: [_plain_row(ship) for ship in sample]) * 4 * len(ships) / len(sample)
    return _row(
        "odds.table", ours, "plain enumeration of every salvo", baseline,
        f"the whole 13 x 4 table; plain loop measured on {len(sample)} of {4 * len(ships)} ships",
    )  # fmt: skip


def bench_show_many() -> dict[str, Any]:
    """`cribbage.show_many` over all 12,994,800 deals against `cribbage.show` on a sample, seconds for all of
    them."""
    deals = _all_deals()
    cribbage.show_many(deals[:5])  # builds the table
    ours = _seconds(lambda: cribbage.show_many(deals))
    sample = deals[np.random.default_rng(1).integers(0, len(deals), 2000)].tolist()
    plain = _seconds(lambda: [cribbage.show(deal[:4], deal[4]) for deal in sample])
    return _row(
        "cribbage.show_many", ours, "cribbage.show", plain * len(deals) / len(sample),
        f"all {len(deals):,} deals; plain scorer measured on {len(sample):,} of them",
    )  # fmt: skip


def _plain_row(ship: int) -> list[float]:
    pool = [card for card in range(52) if card != ship]
    row = []
    for torpedoes in range(4):
        hits = [cribbage.is_hit(ship, salvo) for salvo in itertools.combinations(pool, torpedoes)]
        row.append(sum(hits) / len(hits))
    return row


def _all_deals() -> npt.NDArray[np.uint8]:
    hands = np.array(list(itertools.combinations(range(52), 4)), dtype=np.uint8)
    blocks = []
    for starter in range(52):
        others = hands[(hands != starter).all(axis=1)]
        blocks.append(np.column_stack([others, np.full(len(others), starter, dtype=np.uint8)]))
    return np.concatenate(blocks)


def _seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """The best time of several runs: the one that other work on the machine disturbed least."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def _row(name: str, ours: float, baseline: str, baseline_seconds: float, note: str) -> dict[str, Any]:
    return {
        "name": name,
        "ours_seconds": ours,
        "baseline": baseline,
        "baseline_seconds": baseline_seconds,
        "ratio": baseline_seconds / ours,
        "note": note,
    }
