"""``navalkit balance``: every scenario of a game between every pair of captains."""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from pathlib import Path

from navalkit.core.echo import brief
from navalkit.core.errors import OptionError
from navalkit.core.registry import load, package
from navalkit.players import makers
from navalkit.sim.balance import Row, balance, cells, markdown, scenarios, stated

from .text import SAY, options


def run(arguments: argparse.Namespace) -> int:
    name = arguments.game
    game, given = load(name, **options(arguments.option)), options(arguments.option)
    if arguments.stated:
        print(stated(game.name))
        return 0
    captains = arguments.captain or _usual(name)
    known = scenarios(name)
    if wrong := [each for each in arguments.scenario if each not in known]:
        raise OptionError(SAY("balance.no-scenario", name=brief(wrong[0]), names=", ".join(filter(None, known))))
    if arguments.n < 1 or arguments.jobs < 1:
        raise OptionError(SAY("sim.numbers"))
    rows: list[Row] = []
    with ProcessPoolExecutor(arguments.jobs) if arguments.jobs > 1 else nullcontext() as pool:
        settings = {"only": arguments.scenario, "options": given, "executor": pool}
        for row in balance(game.name, captains, arguments.n, arguments.seed, **settings):
            rows.append(row)
            print(" · ".join(filter(None, cells(row))), flush=True)
            if arguments.toml:
                print(row.measured(arguments.seed).toml(), flush=True)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps([row.data() for row in rows], indent=1) + "\n", encoding="utf-8")
    if arguments.markdown:
        Path(arguments.markdown).write_text(markdown(rows) + "\n", encoding="utf-8")
    return 0


def _usual(name: str) -> list[str]:
    """The strongest of the game's named captains; of a game that names none, its last player."""
    ranked = sorted(package(name).offered("CAPTAINS", ()), key=lambda captain: captain.level)
    return [ranked[-1].name if ranked else [*makers(load(name))][-1]]
