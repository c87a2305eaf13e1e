"""How fast the odds and the show scorer of USS Lox are, against plain Python in the same run."""

from __future__ import annotations
import itertools
from typing import Any

import numpy as np
import numpy.typing as npt

from navalkit.games.uss_lox import cards, cribbage, odds
from tests.bench.measure import best, row


def bench_table() -> dict[str, Any]:
    """`odds.table` against firing every salvo at every ship, one ship of each suit standing for the plain
    loop."""
    odds.table()  # builds the sets of safe ranks
    ours = best(odds.table, repeats=20)
    # Any one ship costs the enumeration the same, but for jacks, so a rank's first suit stands for all four.
    ships = [card for card in range(0, 52, 4) if card // 4 != cards.JACK]
    sample = ships[::4]
    baseline = best(lambda: [_plain_row(ship) for ship in sample]) * 4 * len(ships) / len(sample)
    return row(
        "odds.table", ours, "plain enumeration of every salvo", baseline,
        f"the whole 13 x 4 table; plain loop measured on {len(sample)} of {4 * len(ships)} ships",
    )  # fmt: skip


def bench_show_many() -> dict[str, Any]:
    """`cribbage.show_many` over all 12,994,800 deals against `cribbage.show` on a sample, seconds for all of
    them."""
    deals = _all_deals()
    cribbage.show_many(deals[:5])  # builds the table
    ours = best(lambda: cribbage.show_many(deals))
    sample = deals[np.random.default_rng(1).integers(0, len(deals), 2000)].tolist()
    plain = best(lambda: [cribbage.show(deal[:4], deal[4]) for deal in sample])
    return row(
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
