"""Figures are build products: the games of players/figures.toml, played again, and the tables that are made of them.

`make figures` plays all of them anew and writes the file, docs/figures.md and, number by number, docs/calibration.md;
ARGS=fleet-action/river_plate plays one, ARGS=kills those of a kind, and ARGS=--tables none: it writes the tables alone.
ARGS=wolf-pack/calibration/counted:60:98401 measures a number anew, or one that has no figure yet.
"""

from __future__ import annotations
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from navalkit.core.errors import OptionError
from navalkit.core.files import write_atomic
from navalkit.core.registry import load, names as registered, package
from navalkit.players.generic import DRAW
from navalkit.players.meeting import Measured, Meeting, Scores, figures, strengths
from . import calibration
from .balance import SAY, Row, balance, made_by, starts, stated, table

FILE = Path(__file__).parents[1] / "players" / "figures.toml"
PAGE = Path(__file__).parents[2] / "docs" / "figures.md"
BINS = PAGE.with_name("calibration.md")
NUMBER, END = "<!-- number: {} -->\n", "\n<!-- end -->"
SAMPLE = 3
"""How many games of the first run are kept one by one."""


def row(figure: Measured, seed: int, games: int) -> Row:
    """The games of one run of a figure of the kind "balance"."""
    name = next(name for name, options in starts(figure.game).items() if options == figure.options)
    captains = figure.players * (2 if load(figure.game).deciders > 1 else 1)
    found = (each for each in balance(figure.game, figure.players, games, seed, only=(name,)))
    return next(each for each in found if each.captains == captains)


def _sample(of: Row) -> tuple[str, ...]:
    return tuple(f"{0.5 if a.winner == DRAW else float(a.winner == 0):g} {a.length:g}" for a in of.accounts[:SAMPLE])


def made(figure: Measured) -> Measured:
    """The figure, all its games played again."""
    figure = replace(figure, rules=load(figure.game).rules_version, code=code(figure.game))
    if figure.kind == "balance":
        return summed(figure, [row(figure, seed, figure.each) for seed in figure.seeds])
    if figure.kind == "kills":
        hunts = _hunts(figure, figure.games)
        sunk, runs_made = sum(hunt.sunk for hunt in hunts), sum(hunt.made for hunt in hunts)
        figure = replace(figure, value=round(sunk / max(1, runs_made), 4), made=runs_made)
    elif figure.kind == "calibration":
        figure = _calibrated(figure)
    elif figure.kind == "meeting":
        runs = [_share(figure, options, seed) for seed in figure.seeds for options in figure.grounds]
        figure = replace(figure, value=round(fmean(runs), 4), runs=tuple(round(run, 4) for run in runs))
    else:
        scores, won = _alone(figure, figure.games)
        value, half = float(f"{scores.mean:.5g}"), float(f"{scores.half:.3g}")
        figure = replace(figure, value=value, half=half, won=round(won, 4))
    return replace(figure, sample=sample(figure))


def _hunts(figure: Measured, games: int) -> list[Any]:
    """The runs of each hunt of a figure of the kind "kills"."""
    play = package(figure.game).offered("KILLS", {})[figure.of]
    return [play(1, *figure.players, seed) for seed in range(figure.seeds[0], figure.seeds[0] + games)]


def _calibrated(figure: Measured) -> Measured:
    """A number of the pages measured; its bins are written into docs/calibration.md."""
    found = calibration.measure(figure.game, figure.of, figure.games, figure.seeds[0])
    among = sum(each.kind == "calibration" for each in figures().values())
    text = BINS.read_text(encoding="utf-8")
    write_atomic(BINS, sectioned(text, figure, calibration.section(found, among)))
    errors = [(round(each.error, 4), round(1.96 * each.luck, 4)) for each in found.pooled]
    (value, half), *tilt = errors or [(0.0, 0.0)]
    bins = (len(found.bins), len(calibration.outside([found], among)))
    return replace(figure, value=value, half=half, tilt=tilt[0] if tilt else (), bins=bins)


def sectioned(text: str, figure: Measured, section: str) -> str:
    """The page of bins with the section of a figure made anew, or added at the end of its game's."""
    mark, title = NUMBER.format(figure.name), f"## {package(figure.game).game.title}"
    body = f"{mark}{section}{END}"
    if mark in text:
        head, _, rest = text.partition(mark)
        return f"{head}{body}{rest.partition(END)[2]}"
    parts = [part.rstrip() for part in text.split("\n## ")]
    own = [n for n, part in enumerate(parts) if f"## {part}".partition("\n")[0] == title]
    at = own[0] if own else len(parts)
    parts[at:at + 1] = [f"{parts[at] if own else title[3:]}\n\n{body}"]
    return "\n\n## ".join(parts) + "\n"


def sample(figure: Measured, games: int = SAMPLE) -> tuple[str, ...]:
    """What the first games of a figure's first run came to: the first side's points and the length of each; where one
    plays alone, the scores. Of a game with a simulator of its own all games are played."""
    if figure.kind == "balance":
        return _sample(row(figure, figure.seeds[0], games))
    if figure.kind == "alone":
        scores, _ = _alone(figure, figure.games if package(figure.game).simulate else games)
        return tuple(f"{score:g}" for score in scores.scores[:games])
    if figure.kind == "kills":
        return tuple(f"{hunt.sunk} {hunt.made}" for hunt in _hunts(figure, games))
    if figure.kind == "calibration":
        return calibration.sample(figure.game, figure.of, games, figure.seeds[0])
    meeting, seeds = Meeting(figure.game, options=figure.grounds[0]), range(figure.seeds[0], figure.seeds[0] + games)
    if load(figure.game).deciders > 1:
        return tuple("{:g} {:g}".format(*meeting.play(figure.players, seed)) for seed in seeds)
    return tuple(" ".join(f"{meeting.play((name,), seed)[0]:g}" for name in figure.players) for seed in seeds)


def _share(figure: Measured, options: Mapping[str, Any], seed: int) -> float:
    """The first player's share of one run of a meeting."""
    meeting, (one, two), games = Meeting(figure.game, options=options), figure.players, figure.each
    if load(figure.game).deciders > 1:
        return meeting.meet(one, two, games, seed)[0].share
    return meeting.alone(one, games, seed).against(meeting.alone(two, games, seed)).share


def _alone(figure: Measured, games: int) -> tuple[Scores, float]:
    """What one who plays alone scores, and the share of games won."""
    (name,), (seed,) = figure.players, figure.seeds
    if fast := package(figure.game).simulate:
        table = fast(name, games, seed, options=dict(figure.options))
        return Scores(tuple(map(float, table["tonnage"]))), float(np.mean(table["won"]))
    meeting = Meeting(figure.game, options=figure.options)
    ends = [meeting.end((name,), number).outcome for number in range(seed, seed + games)]
    return Scores(tuple(end.scores[0] for end in ends if end)), fmean(end.result == "win" for end in ends if end)


def code(game: str) -> str:
    """A print of a game's sources: its Python files and its data, in the order of their names. Two like prints are like
    rules; sentences and pages are in it too, so that unlike ones need not be unlike rules. `sample` tells that."""
    folder = Path(str(import_module(package(game).module).__file__)).parent
    files = sorted(file for kind in ("*.py", "*.toml") for file in folder.rglob(kind))
    prints = (f"{file.relative_to(folder).as_posix()} {sha256(file.read_bytes()).hexdigest()}" for file in files)
    return sha256("\n".join(prints).encode()).hexdigest()[:8]


def summed(figure: Measured, rows: Sequence[Row]) -> Measured:
    """The figure with what its runs came to."""
    whole = Row(figure.name, figure.players, tuple(account for each in rows for account in each.accounts))
    return replace(
        figure, games=whole.games, value=round(whole.share, 4), runs=tuple(round(each.share, 4) for each in rows),
        length=tuple(float(round(end)) for end in whole.lengths[::2]), unit=whole.accounts[0].unit,
        one_blow=round(whole.one_blow, 3),
        decided={what: round(share, 3) for what, share in whole.decided.items()}, clock=round(whole.clock, 3),
        sample=_sample(rows[0]),
    )


def write(all_of_them: Mapping[str, Measured], file: Path = FILE) -> None:
    """Write the figures as they are read."""
    rows = ("".join(f"{name} = {value}\n" for name, value in _rows(each)) for each in all_of_them.values())
    write_atomic(file, f"# {SAY('figures')}\n" + "".join(f"\n[[figure]]\n{row}" for row in rows))


def _rows(figure: Measured) -> list[tuple[str, str]]:
    told = asdict(figure)
    kept = ((each.name, told[each.name], each.default) for each in fields(figure))
    return [(name, _toml(value)) for name, value, usual in kept if value not in (usual, {})]


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{name} = {_toml(each)}' for name, each in value.items())} }}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return f'"{value}"' if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)


def tables(text: str) -> str:
    """A page with its tables made anew: each stands between "<!-- figures: WHICH -->" and "<!-- end -->", with the name
    of a game for how even its ways to begin are, else a name of `TABLES`."""
    head, *parts = text.split("<!-- figures: ")
    for part in parts:
        which, _, rest = part.partition(" -->\n")
        made = TABLES[which]() if which in TABLES else stated(which)
        head += f"<!-- figures: {which} -->\n{made}\n<!-- end -->{rest.partition('<!-- end -->')[2]}"
    return head


def _strengths() -> str:
    """The players by what they came to in the games for several, and for one on the same games."""
    games = dict.fromkeys(each.game for each in figures().values() if each.kind == "meeting")
    rows = [(game, name, f"{found.elo:+.0f} ± {found.half:.0f}", f"{found.games:,}")
            for game in games for name, found in strengths(game).items()]
    return table(SAY("strengths").split(" | "), rows)


def _meetings() -> str:
    rows = []
    for each in figures().values():
        if each.kind == "meeting":
            low, high = (100 * end for end in each.interval)
            rows.append((each.name, " – ".join(each.players), f"{100 * each.value:.1f} % ({low:.1f} to {high:.1f})",
                         f"{each.games:,}", ", ".join(map(str, each.seeds)), made_by(each)))
    return table(SAY("meetings").split(" | "), rows)


def _means() -> str:
    rows = []
    for each in figures().values():
        if each.kind == "alone":
            digits = 2 if each.half < 10 else 0
            won = "" if each.won is None else f"{100 * each.won:.1f} %"
            mean = f"{each.value:,.{digits}f} ± {each.half:,.{digits}f} {each.unit}"
            rows.append((each.name, each.players[0], mean, won, f"{each.games:,}", str(each.seeds[0]), made_by(each)))
    return table(SAY("means").split(" | "), rows)


def _kills() -> str:
    rows = []
    for each in figures().values():
        if each.kind == "kills":
            low, high = (100 * end for end in each.interval)
            rows.append((each.name, each.players[0], f"{100 * each.value:.1f} % ({low:.1f} to {high:.1f})",
                         f"{each.made:,}", f"{each.games:,}", str(each.seeds[0]), made_by(each)))
    return table(SAY("kills").split(" | "), rows)


def _numbers() -> str:
    """How far each number of the pages is off; bold what lies beyond luck, all numbers together."""
    found = [each for each in figures().values() if each.kind == "calibration"]
    width = calibration.wide(2 * len(found)) / 1.96

    def error(value: float, half: float) -> str:
        told = f"{100 * value:+.1f} ± {100 * half:.1f}"
        return f"**{told}**" if abs(value) > width * half + calibration.ROUNDING else told

    rows = [(each.name, error(each.value, each.half), error(*each.tilt) if each.tilt else "",
             f"{each.bins[0]}", f"**{each.bins[1]}**" if each.bins[1] else "0", f"{each.games:,}", str(each.seeds[0]),
             made_by(each)) for each in found]
    return table(SAY("calibration").split(" | "), rows)


def _number(text: str) -> Measured:
    """A number of the pages still to be measured, by "GAME/calibration/NUMBER:GAMES:SEED"; OptionError if there is none
    such."""
    name, games, seed = (*text.split(":"), "", "")[:3]
    game, _, number = name.partition("/calibration/")
    counts = games.isdecimal() and seed.isdecimal()
    if not counts or game not in registered() or number not in calibration.predictions(game):
        raise OptionError(SAY("unknown", names=text))
    return Measured(name, "calibration", game, (), (int(seed),), int(games), load(game).rules_version, 0.0)


TABLES = {"strengths": _strengths, "meetings": _meetings, "means": _means, "kills": _kills, "calibration": _numbers}


def main(names: Sequence[str]) -> None:
    """The command; ``names``: of figures, or of kinds of them; all of them if left out. A number that has no figure yet
    comes with its games and its seed: "wolf-pack/calibration/counted:60:98401"; one that has is replaced."""
    found = dict(figures())
    kinds = {each.kind: [name for name, other in found.items() if other.kind == each.kind] for each in found.values()}
    fresh = {each.name: each for each in (_number(name) for name in names if ":" in name)}
    names = [name.partition(":")[0] for name in names]
    if unknown := set(names) - {"--tables", *found, *fresh, *kinds}:
        raise OptionError(SAY("unknown", names=", ".join(sorted(unknown))))
    chosen = (kinds.get(name, [name]) for name in names if name != "--tables") if names else kinds.values()
    for name in dict.fromkeys(name for some in chosen for name in some):
        found[name] = made(fresh.get(name) or found[name])  # written once it is measured, and not before
        write(found)
        print(name, found[name].value, *found[name].interval, flush=True)
    figures.cache_clear()
    write_atomic(PAGE, tables(PAGE.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main(sys.argv[1:])
