"""Do the numbers a page shows come true? Forecasts from played games, in bins, beside what happened.

A game offers ``PREDICTIONS``: name -> (play, games). ``play(seed)`` plays one game and gives its *moments*: each a
sequence of forecasts (chance, whether it came so), all shown at the same time. The first line of its docstring says
which number of the page it is and under what assumption; ``games`` is how many the published page rests on.

Forecasts of one game depend on one another: a square that is hit stays so. So a game gives each bin one forecast at
most, the first that falls into it (of several at one moment one at random). Whatever was shown before, that forecast
comes true with just its chance if the page is right; games are independent; and so the hits of a bin are a sum of
independent trials of known chances, whose exact distribution says how far luck goes.

A thin bin cannot fail. So the bins of a number are pooled as well: how far what was shown is off on the average
(`level`), and by how much more for every unit of chance (`tilt`: below 0 what is likely is overstated, and what is
unlikely understated). Forecasts of one game hang together, so games are what is independent there; and the page says
how large an error that many games would have shown.
"""

from __future__ import annotations
import json
from bisect import bisect_left
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navalkit.core.awaited import finish
from navalkit.core.errors import DataError, NavalkitError
from navalkit.core.match import Match
from navalkit.core.registry import load, package
from navalkit.core.words import Words, percent
from navalkit.players import player
from navalkit.players.arena import run
from navalkit.players.meeting import measured as measured_start
from navalkit.players.review import Judge, Yardstick
from . import game_seed
from .balance import starts

Forecast = tuple[float, bool]
Play = Callable[[int], Iterable[Sequence[Forecast]]]
SAY = Words.load("navalkit.sim", "calibration.toml")
EDGES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98)
"""Where bins begin, each open to the left and closed to the right; 0 and 1 have bins of their own."""
TOGETHER = 0.99
"""The chance that all bins of a report lie within their ranges, if every number shown is right; and all pooled
errors."""
POWER = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8)
"""Standard errors at which an error is found beyond 5 % of luck four times in five."""
ROUNDING = 1e-9
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Bin:
    """Forecasts of like size, one a game."""

    chances: tuple[float, ...]
    came: int
    """How many of them came true."""
    games: tuple[int, ...] = ()
    """Of each, the number of its game."""
    outcomes: tuple[bool, ...] = ()
    """Of each, whether it came true."""

    @property
    def shown(self) -> float:
        """The mean chance that was shown."""
        return sum(self.chances) / len(self.chances)

    @property
    def share(self) -> float:
        """The share that came true."""
        return self.came / len(self.chances)

    def luck(self, level: float) -> tuple[int, int]:
        """How few and how many of them come true by luck: outside lies at most 1 - ``level``, half on each side."""
        row, tail = _trials(self.chances), (1 - level) / 2
        below, above = row.cumsum(), row[::-1].cumsum()
        low = int(np.searchsorted(below, tail, side="right"))
        return low, len(row) - 1 - int(np.searchsorted(above, tail, side="right"))


@dataclass(frozen=True, slots=True)
class Calibration:
    """One number of a game's pages, measured."""

    game: str
    name: str
    what: str
    """Which number, and its assumption."""
    games: int
    """How many were played."""
    bins: tuple[Bin, ...]
    """By rising chance; empty ones are left out."""

    @property
    def pooled(self) -> tuple[Pooled, ...]:
        """All bins together: `level`, and `tilt` where chances of several sizes were shown; () without any."""
        if not self.bins:
            return ()
        chances = np.concatenate([bin.chances for bin in self.bins])
        games = np.concatenate([bin.games for bin in self.bins])
        if len(games) < len(chances):
            return ()
        off = np.concatenate([bin.outcomes for bin in self.bins]) - chances
        lever = chances - chances.mean()
        found = [Pooled.of("level", off, np.ones(len(chances)), chances, games)]
        if lever @ lever > len(chances) / 1000:
            found.append(Pooled.of("tilt", off, lever, chances, games))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Pooled:
    """An error of a number, as a line through all of its forecasts has it."""

    name: str
    error: float
    """What came true beyond what was shown, as a share: in all (`level`), or for every unit of chance (`tilt`)."""
    luck: float
    """The standard error of that, games being independent."""

    @classmethod
    def of(cls, name: str, off: Floats, lever: Floats, chances: Floats, games: NDArray[np.int_]) -> Pooled:
        """``off``: what came less what was shown. ``lever``: what each forecast counts. ``games``: whose it is."""
        size = float(lever @ lever)
        error = float(off @ lever) / size
        whole = np.bincount(games, off * lever - error * lever * lever)
        # Where hardly anything may happen, games look more alike than they are; and a few are not normal, so that one
        # forecast is added.
        luck = max(float(whole @ whole), float(lever**2 @ (chances * (1 - chances)))) + float((lever**2).max())
        return cls(name, error, sqrt(luck) / size)

    @property
    def seen(self) -> float:
        """The error that this number of games would show, four times in five, beyond the 5 % of luck."""
        return POWER * self.luck


def calibrate(game: str, part: float = 1.0, seed: int = 1, only: str = "", **where: Any) -> Iterator[Calibration]:
    """Play, and compare what was shown with what happened, for every number that a game offers: the same for the same
    seed and part. ``part``: share of the games that the published page rests on; at least one is played. ``only``: the
    name of one number; left out, all. A number that is no chance has no bins, and is left out. ``**where``:
    ``executor``, ``kept`` and ``progress``, as for `players.arena.run`."""
    for name, (_, published) in predictions(game).items():
        if only in ("", name) and (found := measure(game, name, max(1, round(part * published)), seed, **where)).bins:
            yield found


def measure(game: str, name: str, games: int, seed: int, **where: Any) -> Calibration:
    """One number of a game, measured; without bins where it is no chance. ``**where`` as for `calibrate`."""
    play, _ = predictions(game)[name]
    what = " ".join((play.__doc__ or name).split("\n\n")[0].split())
    rows = run(Forecasts(game, name, seed), games, **where)
    return Calibration(game, name, what, games, _bins([_read(row) for row in rows if not row.get("error")]))


def sample(game: str, name: str, games: int, seed: int) -> tuple[str, ...]:
    """What the first games forecast: of each how often, the chances together, and how many came true."""
    play, _ = predictions(game)[name]
    heard = ([one for moment in play(game_seed(seed, number)) for one in moment] for number in range(games))
    return tuple(f"{len(all_of_it)} {sum(chance for chance, _ in all_of_it):g} {sum(so for _, so in all_of_it)}"
                 for all_of_it in heard)


def predictions(game: str) -> Mapping[str, tuple[Play, int]]:
    """The numbers of a game that are measured: its own, and the explorer's chances."""
    ours = package(game)
    own: dict[str, tuple[Play, int]] = dict(ours.offered("PREDICTIONS", {}))
    yardstick: Yardstick | None = ours.offered("REVIEW", None)
    if yardstick is not None and not yardstick.unit:
        own |= {f"curve_{name.replace('-', '_')}": (_Curve(game, yardstick, options), CURVES)
                for name, options in starts(game).items()
                if measured_start(game, options)}
    for question in ours.offered("QUESTIONS", ()):
        own[question.id] = _Asked(question), 1000
    return own


def binned(play: Play, games: int, seed: int) -> tuple[Bin, ...]:
    """The bins of a number of games; see the head of this module."""
    return _bins([(number, _first(play, seed, number)) for number in range(games)])


def _first(play: Play, seed: int, number: int) -> dict[int, Forecast]:
    """The first forecast of one game in each bin."""
    rng, first = np.random.default_rng([seed, number]), dict[int, Forecast]()
    for moment in play(game_seed(seed, number)):
        fresh: dict[int, list[Forecast]] = {}
        for chance, so in moment:
            fresh.setdefault(len(EDGES) + 1 if chance >= 1 else bisect_left(EDGES, chance), []).append((chance, so))
        for which, forecasts in fresh.items():
            if which not in first:
                chance, so = forecasts[rng.integers(len(forecasts))]
                first[which] = float(chance), bool(so)
    return first


@dataclass(frozen=True)
class Forecasts:
    """The forecasts of one number of a game, as numbered games of the arena (`players.arena.Task`)."""

    game: str
    name: str
    seed: int

    @property
    def key(self) -> str:
        told = [self.game, package(self.game).game.rules_version, self.name, self.seed]
        return sha256(json.dumps(told).encode()).hexdigest()[:8]

    @property
    def told(self) -> Mapping[str, Any]:
        return {"number": f"{self.game} {self.name}"}

    def begun(self, number: int) -> dict[str, Any]:
        return {"game": number, "seed": game_seed(self.seed, number)}

    def __call__(self, number: int) -> dict[str, Any]:
        first = _first(predictions(self.game)[self.name][0], self.seed, number)
        told = ";".join(f"{which} {chance!r} {int(so)}" for which, (chance, so) in first.items())
        return self.begun(number) | {"forecasts": told}


def _read(row: Mapping[str, Any]) -> tuple[int, dict[int, Forecast]]:
    """A row of `Forecasts`."""
    each = (one.split() for one in (row["forecasts"] or "").split(";") if one)
    return row["game"], {int(which): (float(chance), so == "1") for which, chance, so in each}


def _bins(games: Iterable[tuple[int, Mapping[int, Forecast]]]) -> tuple[Bin, ...]:
    """The bins of some games, by number."""
    found: list[list[tuple[float, int, bool]]] = [[] for _ in range(len(EDGES) + 2)]
    for number, first in games:
        for which, (chance, so) in first.items():
            found[which].append((chance, number, so))
    return tuple(Bin(chances, sum(came), games, came) for chances, games, came in
                 (tuple(zip(*each, strict=True)) for each in found if each))


def _trials(chances: Sequence[float]) -> NDArray[np.float64]:
    """The distribution of how many of independent trials succeed, shape (trials + 1,)."""
    row = np.ones(1)
    for chance in chances:
        row = np.append(row * (1 - chance), 0.0) + np.append(0.0, row * chance)
    return row


CURVES, PLAYED = 100, 32
"""Games of a curve that the page would rest on, and play-outs of a position: what all of them win, or none, is not
certain for that, and so their share is taken by the rule of succession, (wins + 1) / (n + 2)."""


TRIES = 500
"""Settings drawn for one game until there are some that a question takes."""


class _Asked:
    """A question of the explorer under settings drawn at random, each simulated once; those that it refuses, as a map
    too small for its fleet, are drawn again."""

    def __init__(self, question: Any) -> None:
        self.question, self.__doc__ = question, SAY("question", title=question.title)

    def __call__(self, seed: int) -> Iterator[Sequence[Forecast]]:
        rng, question = np.random.default_rng(seed), self.question
        for _ in range(TRIES):
            given = {control.name: values[rng.integers(len(values))]
                     for control in question.controls if (values := list(control.values()))}
            settings = question.settings(given)
            try:
                answer = question.answer(settings)
                answer = finish(answer) if isinstance(answer, Generator) else answer
                break
            except NavalkitError:
                continue
        else:
            raise DataError(SAY("refused", title=question.title, n=TRIES))
        if not answer.unit and not answer.error:
            tally = question.simulate(settings, rng, 1)
            if tally.n:
                yield [(float(answer.value), bool(tally.total))]


class _Curve:
    """What a review's curve says of the chance to win, at a decision of games played by its adviser, from a way to
    begin whose balance was measured. A draw is neither won nor lost, and is left out."""

    def __init__(self, game: str, yardstick: Yardstick, options: Mapping[str, Any]) -> None:
        self.game, self.yardstick, self.options = game, yardstick, options
        of = measured_start(game, options)
        start = of.title or of.name.partition("/")[2] if of else ""
        self.captain = yardstick.adviser or str(yardstick.captains[0])
        self.__doc__ = SAY("curve", start=start, n=PLAYED * yardstick.times, captain=self.captain)

    def __call__(self, seed: int) -> Iterator[Sequence[Forecast]]:
        game, yardstick, rng = load(self.game, **self.options), self.yardstick, np.random.default_rng(seed)
        adviser = player(self.captain, game)
        match, moments = Match.new(game, seed, [self.captain] * len(game.players)), list[int]()
        while not match.over:
            legal = match.legal()
            if len(legal) > 1:
                moments.append(match.ply)
            match.play(adviser.decide(match.observe(), legal, rng).action)
        ply = moments[int(rng.integers(len(moments)))]
        judge, n = Judge(match, match.plies[ply].by, yardstick, seed), PLAYED * yardstick.times
        value, _ = finish(judge.value(ply, n))
        end, _ = finish(judge.value(match.ply, n))
        if end in (0.0, 1.0):
            yield [((n * value + 1) / (n + 2), bool(end))]


def outside(measured: Sequence[Calibration], among: int = 1) -> list[tuple[Calibration, Bin]]:
    """The bins that lie outside the range of luck, all bins together. ``among``: how many such lots there are."""
    level = _each(measured, among)
    found = []
    for each in measured:
        for bin in each.bins:
            low, high = bin.luck(level)
            if not low <= bin.came <= high:
                found.append((each, bin))
    return found


def astray(measured: Sequence[Calibration], among: int = 1) -> list[tuple[Calibration, Pooled]]:
    """The pooled errors that are beyond luck, all of them together; ``among`` as in `outside`."""
    found = [(each, pooled) for each in measured for pooled in each.pooled]
    width = wide(among * len(found))
    return [(each, pooled) for each, pooled in found if abs(pooled.error) > width * pooled.luck + ROUNDING]


def wide(errors: int) -> float:
    """How many standard errors leave `TOGETHER` to that many pooled errors."""
    return NormalDist().inv_cdf(1 - (1 - TOGETHER) / (2 * max(1, errors)))


def _each(measured: Sequence[Calibration], among: int) -> float:
    """The level of one bin that leaves `TOGETHER` to all."""
    return float(1 - (1 - TOGETHER) / max(1, among * sum(len(each.bins) for each in measured)))


def section(measured: Calibration, among: int) -> str:
    """A number, its bins and its pooled errors in Markdown, for docs/calibration.md, which has ``among`` of them."""
    beyond = {(each.name, pooled.name) for each, pooled in astray([measured], among)}
    return f"{_table(measured, _each([measured], among))}\n\n{_line(measured, beyond)}"


def _line(measured: Calibration, beyond: Collection[tuple[str, str]]) -> str:
    """All bins of a number together."""
    pooled = [SAY(f"page.{each.name}", error=f"{100 * each.error:+.1f}", luck=f"{100 * each.luck:.1f}",
                  seen=f"{100 * each.seen:.1f}", verdict=SAY(f"page.beyond.{(measured.name, each.name) in beyond}"))
              for each in measured.pooled]
    n = sum(len(bin.chances) for bin in measured.bins)
    played = len({game for bin in measured.bins for game in bin.games})
    return " ".join([SAY("page.pooled", n=n, games=played), *pooled])


def _table(measured: Calibration, level: float) -> str:
    head = [SAY("page.number", what=measured.what, name=measured.name, games=measured.games), ""]
    head += [SAY("page.columns"), "|---:|---:|---:|---:|---|"]
    for bin in measured.bins:
        low, high = bin.luck(level)
        n = len(bin.chances)
        verdict = SAY("page.within" if low <= bin.came <= high else "page.outside")
        luck = SAY("page.range", low=low / n, high=high / n)
        head.append(f"| {percent(bin.shown)} | {n:,} | {percent(bin.share)} | {luck} | {verdict} |")
    return "\n".join(head)
