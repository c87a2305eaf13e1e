"""How fast games go through the rules."""

from __future__ import annotations
import random
import time
from typing import Any

import navalkit as nk
from navalkit.core.record import GameRecord
from navalkit.games.uss_lox import UssLox
from tests.bench.measure import row

AIM = 20_000
"""Random moves a second that a page, a bot and a test can live with."""


def bench_moves() -> dict[str, Any]:
    """Random moves a second through `Match`, chance's moves and the choice among the legal ones included."""
    plies, seconds = _best(_play)
    aim = plies / AIM
    return row(
        "random moves through the rules", seconds, f"the aim of {AIM:,} a second", aim,
        f"{plies / seconds:,.0f} moves a second, USS Lox",
    )  # fmt: skip


def bench_moves_all_options() -> dict[str, Any]:
    """The same with all options of USS Lox."""
    options = dict(jokers=True, face_estimates=True, king_ships=True, queen_ships=True, nob=True, patrols=2)
    plies, seconds = _best(lambda: _play(**options))
    aim = plies / AIM
    return row(
        "random moves, all options", seconds, f"the aim of {AIM:,} a second", aim,
        f"{plies / seconds:,.0f} moves a second, USS Lox",
    )  # fmt: skip


def bench_replay() -> dict[str, Any]:
    """Loading a record, every action verified, against playing the same game."""
    match = nk.Match.new("uss-lox", seed=2)
    orders = []
    while not match.over:
        orders.append(match.legal()[0])
        match.play(orders[-1])
    text = match.dumps()
    _, load = _best(lambda: [nk.Match.loads(text) for _ in range(50)])
    _, read = _best(lambda: [GameRecord.loads(text) for _ in range(50)])
    return row(
        "load and verify a record", load / 50, "reading its TOML alone", read / 50,
        f"{match.ply} plies, {len(text):,} bytes",
    )  # fmt: skip


def _play(**options: Any) -> int:
    game = UssLox(**options)
    rng = random.Random(1)
    plies = 0
    for seed in range(200):
        match = nk.Match.new(game, seed=seed)
        while not match.over:
            match.play(rng.choice(match.legal()))
        plies += match.ply
    return plies


def _best(work: Any, repeats: int = 5) -> tuple[Any, float]:
    """The result, and the best time of several runs: the one that other work on the machine disturbed
    least."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        result = work()
        times.append(time.process_time() - start)
    return result, min(times)
