"""Figures are build products: the games of players/figures.toml, played again, and the tables that are made of them.

`make figures` plays all of them anew and writes the file and docs/figures.md; ARGS=fleet-action/river_plate plays one,
and ARGS=--tables none: it writes the tables alone.
"""

from __future__ import annotations
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np

from navalkit.core.files import write_atomic
from navalkit.core.registry import load
from navalkit.players.meeting import Measured, Meeting, figures
from navalkit.players.review import DRAW
from .balance import SAY, Row, balance, starts, stated

FILE = Path(__file__).parents[1] / "players" / "figures.toml"
PAGE = Path(__file__).parents[2] / "docs" / "figures.md"
SAMPLE = 3
"""How many games of the first run are kept one by one."""


def row(figure: Measured, seed: int, games: int) -> Row:
    """The games of one run of a figure of the kind "balance"."""
    name = next(name for name, options in starts(figure.game).items() if options == figure.options)
    captains = figure.players * (2 if load(figure.game).deciders > 1 else 1)
    found = (each for each in balance(figure.game, figure.players, games, seed, only=(name,)))
    return next(each for each in found if each.captains == captains)


def sample(figure: Measured, games: int = SAMPLE) -> tuple[str, ...]:
    """The first games of a figure's first run: the first side's points and the length of each."""
    if figure.kind == "meeting":
        meeting = Meeting(figure.game, options=figure.options)
        played = (meeting.play(figure.players, figure.seeds[0] + number) for number in range(games))
        return tuple(f"{points:g} {length:g}" for points, length in played)
    return _sample(row(figure, figure.seeds[0], games))


def _sample(of: Row) -> tuple[str, ...]:
    return tuple(f"{0.5 if a.winner == DRAW else float(a.winner == 0):g} {a.length:g}" for a in of.accounts[:SAMPLE])


def made(figure: Measured) -> Measured:
    """The figure, all its games played again."""
    rules = load(figure.game).rules_version
    if figure.kind == "meeting":
        meeting = Meeting(figure.game, options=figure.options)
        one, two = figure.players
        shares = tuple(meeting.meet(one, two, figure.each, seed)[0].share for seed in figure.seeds)
        return replace(figure, rules=rules, runs=shares, value=float(np.mean(shares)), sample=sample(figure))
    rows = [row(figure, seed, figure.each) for seed in figure.seeds]
    return summed(replace(figure, rules=rules), rows)


def summed(figure: Measured, rows: Sequence[Row]) -> Measured:
    """The figure with what its runs came to."""
    whole = Row(figure.name, figure.players, tuple(account for each in rows for account in each.accounts))
    return replace(
        figure, games=whole.games, value=round(whole.share, 4), runs=tuple(round(each.share, 4) for each in rows),
        length=whole.lengths[::2], unit=whole.accounts[0].unit, one_blow=round(whole.one_blow, 3),
        decided={what: round(share, 3) for what, share in whole.decided.items()}, clock=round(whole.clock, 3),
        sample=_sample(rows[0]),
    )


def write(all_of_them: Mapping[str, Measured], file: Path = FILE) -> None:
    """Write the figures as they are read."""
    tables = ("".join(f"{name} = {value}\n" for name, value in _rows(each)) for each in all_of_them.values())
    write_atomic(file, f"# {SAY('figures')}\n" + "".join(f"\n[[figure]]\n{table}" for table in tables))


def _rows(figure: Measured) -> list[tuple[str, str]]:
    names = [each.name for each in fields(figure)]
    kept = zip(names, attrgetter(*names)(figure), strict=True)
    return [(name, _toml(value)) for name, value in kept if value not in ((), {}, None, "")]


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{name} = {_toml(each)}' for name, each in value.items())} }}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return f'"{value}"' if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)


def tables(text: str) -> str:
    """A page with its tables made anew: each stands between "<!-- figures: GAME -->" and "<!-- end -->"."""
    head, *parts = text.split("<!-- figures: ")
    for part in parts:
        game, _, rest = part.partition(" -->\n")
        head += f"<!-- figures: {game} -->\n{stated(game)}\n<!-- end -->{rest.partition('<!-- end -->')[2]}"
    return head


def main(names: Sequence[str]) -> None:
    """The command; ``names``: of figures, all of them if left out."""
    found = dict(figures())
    for name in () if names == ["--tables"] else names or list(found):
        found[name] = made(found[name])
        write(found)
        print(name, found[name].value, *found[name].interval, flush=True)
    figures.cache_clear()
    write_atomic(PAGE, tables(PAGE.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main(sys.argv[1:])
