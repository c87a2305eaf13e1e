"""``navalkit sim``: many games played by machine and summed up."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import floor, log10
from typing import Any

from navalkit.core.echo import brief
from navalkit.core.errors import OptionError
from navalkit.core.game import Game
from navalkit.core.registry import load, package_of
from navalkit.sim import Estimate, joined, play, summary, write_csv

from .progress import Progress
from .text import SAY, options, print_table


def simulate(arguments: argparse.Namespace) -> int:
    given = options(arguments.option)
    n, seed, policy = arguments.n, arguments.seed, arguments.policy
    if n < 1 or arguments.jobs < 1:
        raise OptionError(SAY("sim.numbers"))
    by, values = _shared_out(load(arguments.game, **given), arguments.by, given)
    games = [load(arguments.game, **{**given, by: value}) if by else load(arguments.game, **given) for value in values]
    shares = [n // len(games) + (i < n % len(games)) for i in range(len(games))]
    started = time.monotonic()
    tables = [_simulated(game, share, arguments) for game, share in zip(games, shares, strict=True) if share]
    if arguments.csv:
        write_csv(joined(by, dict(zip(values, tables, strict=False))) if by else tables[0], arguments.csv)
    took = time.monotonic() - started
    print(SAY("sim.done", game=games[0].title, n=n, policy=policy, seed=str(seed), seconds=took))
    for value, share, table in zip(values, shares, tables, strict=False):
        if by:
            print(SAY("sim.share", option=by, value=str(value), n=share))
        rows = [(name.replace("_", " "), *_rounded(e)) for name, e in summary(table).items()]
        print_table(("", SAY("sim.mean"), SAY("sim.error")), rows)
    return 0


def _shared_out(game: Game[Any, Any], by: str | None, given: Mapping[str, str]) -> tuple[str, Sequence[Any]]:
    """The option whose values the games are shared out over, and those values; ("", [None]) for none."""
    specs = {spec.name: spec for spec in game.specs}
    if by is None and "scenario" in specs and "scenario" not in given:
        by = "scenario"
    if by is None:
        return "", [None]
    if by not in specs or not (specs[by].choices or isinstance(specs[by].default, bool)):
        those = ", ".join(name for name, spec in specs.items() if spec.choices or isinstance(spec.default, bool))
        raise OptionError(SAY("sim.no-option", by=brief(by), game=game.name, options=those or SAY("none")))
    return by, specs[by].choices or [False, True]


def _simulated(game: Game[Any, Any], n: int, arguments: argparse.Namespace) -> Any:
    """The table of ``n`` games, by the game's own simulator where it has one."""
    fast = package_of(game).simulate
    policy, seed = arguments.policy, arguments.seed
    with Progress() as progress:
        if fast and not arguments.rules:
            return fast(policy, n, seed, options=dict(game.options), progress=progress)
        if arguments.jobs > 1:
            with ProcessPoolExecutor(arguments.jobs) as pool:
                return play(game, policy, n, seed, pool, progress=progress)
        return play(game, policy, n, seed, progress=progress)


def _rounded(estimate: Estimate) -> tuple[str, str]:
    """Mean and standard error, both to the second digit of the error."""
    known = estimate.error > 0
    digits = max(0, 1 - floor(log10(estimate.error))) if known else 4
    return f"{estimate.mean:,.{digits}f}", f"± {estimate.error:,.{digits}f}" if known else "none"
