"""``navalkit calibration``: whether the numbers that pages show come true."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from navalkit.core.echo import brief
from navalkit.core.errors import OptionError
from navalkit.core.files.atomic import write_atomic
from navalkit.core.registry import names
from navalkit.sim.calibration import Calibration, calibrate, outside, page, predictions

from .text import SAY, print_table


def run(arguments: argparse.Namespace) -> int:
    """Play, measure and print; 1 if a bin lies where luck does not reach."""
    part, seed, only = arguments.part, arguments.seed, arguments.number
    if not 0 < part <= 10 or seed < 0:
        raise OptionError(SAY("calibration.numbers-only"))
    games = [arguments.game] if arguments.game else list(names())
    known = [number for game in games for number in predictions(game)]
    if only and only not in known:
        raise OptionError(SAY("calibration.unknown", number=brief(only), numbers=", ".join(known)))
    measured: list[Calibration] = []
    for game in games:
        for each in calibrate(game, part, seed, only):
            measured.append(each)
            print(f"{game} {each.name}: {SAY('calibration.games', n=each.games)}", file=sys.stderr, flush=True)
    if arguments.page:
        write_atomic(Path(arguments.page), page(measured, part, seed))
    wrong = outside(measured)
    head = (
        SAY("calibration.number-head"),
        SAY("calibration.forecasts"),
        SAY("calibration.bins"),
        SAY("calibration.wrong"),
    )
    rows = [
        (f"{each.game} {each.name}", f"{sum(len(bin.chances) for bin in each.bins):,}", str(len(each.bins)),
         str(sum(found is each for found, _ in wrong)))
        for each in measured
    ]  # fmt: skip
    print_table(head, rows)
    for each, bin in wrong:
        print(SAY("calibration.outside", what=each.name, shown=bin.shown, n=len(bin.chances), came=bin.share))
    return int(bool(wrong))
