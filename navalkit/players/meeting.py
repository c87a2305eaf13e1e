"""Players against each other over many seeds, sides swapped, so that a game that favours a side favours nobody."""

from __future__ import annotations
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from math import log, sqrt
from statistics import fmean, median, stdev
from typing import Any

import numpy as np

from navalkit.core.errors import DataError, OptionError, brief
from navalkit.core.files import read
from navalkit.core.match import Match
from navalkit.core.registry import load, package
from navalkit.core.words import SAY
from navalkit.prob.intervals import wilson
from .arena import Entrant, Games, Row, Workers, heard, play_on, run

__all__ = ["Measured", "Meeting", "Rating", "Result", "Scores", "Sequential", "figures", "measured", "ratings",
           "strengths"]

Options = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Result:
    """Games between two players.

    Parameters
    ----------
    games : int
    share : float
        The first player's share of the points, a draw half a point.
    length : float
        The median length of a game, in ``unit``.
    unit : str
        "turns", say.
    """

    games: int
    share: float
    length: float
    unit: str

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share."""
        return wilson(self.share, self.games)

    def __str__(self) -> str:
        low, high = self.interval
        interval = f"95 %: {low:.1%} to {high:.1%}"
        return f"{self.share:.1%} ({interval}), median {self.length:g} {self.unit}, n = {self.games:,}"


@dataclass(frozen=True, slots=True)
class Scores:
    """One player's games of a game for one.

    Parameters
    ----------
    scores : tuple of float
        One a game.
    """

    scores: tuple[float, ...]
    numbers: tuple[int, ...] = ()
    """Of the games, where some failed; left out, 0, 1 ..."""

    @property
    def mean(self) -> float:
        """The mean score."""
        return fmean(self.scores)

    @property
    def half(self) -> float:
        """Half the width of the mean's 95 % interval; 0 for a single game."""
        return 1.96 * stdev(self.scores) / sqrt(len(self.scores)) if len(self.scores) > 1 else 0.0

    def against(self, other: Scores) -> Result:
        """How often a score is higher than another's on the same game, a tie half."""
        if self.numbers or other.numbers:
            mine, theirs_ = (dict(zip(each.numbers, each.scores, strict=True)) for each in (self, other))
            pairs = [(mine[number], theirs_[number]) for number in mine if number in theirs_]
        else:
            pairs = list(zip(self.scores, other.scores, strict=True))
        points = [0.5 + 0.5 * np.sign(own - theirs) for own, theirs in pairs]
        return Result(len(points), float(np.mean(points)), 1, "games")

    def __str__(self) -> str:
        return f"{self.mean:,.2f} ± {self.half:,.2f} (95 %), n = {len(self.scores):,}"


@dataclass(frozen=True, slots=True)
class Meeting:
    """What is played: a game for two or for one, under options, with players of options of their own.

    Parameters
    ----------
    game : str
        Its name, such as "wolf-pack".
    length : str
        The fact of its outcome that says how long it was; "" for the number of actions.
    unit : str
        What that is counted in.
    options : mapping
        Of the game.
    tuned : mapping of str to mapping
        Player -> options.

    Raises
    ------
    OptionError
        By each method, before anything is played: if there is no such game or player, if another number of players
        decides in the game (`meet` and `even` are for two, `alone` for one), if ``games`` is no whole number from 1
        up, for `meet` an even one, since every seed is played twice, if ``workers`` is none from 1 up, or if ``until``
        or ``progress`` is something else than it takes.
    """

    game: str
    length: str = ""
    unit: str = "actions"
    options: Options = field(default_factory=dict)
    tuned: Mapping[str, Options] = field(default_factory=dict)

    def play(self, names: tuple[Entrant, ...], seed: int) -> tuple[float, float]:
        """The first side's points in one game, and its length; the same whenever it is asked."""
        match = self.end(names, seed)
        assert match.outcome is not None
        return match.outcome.scores[0], match.outcome.facts[self.length] if self.length else match.ply

    def end(self, names: tuple[Entrant, ...], seed: int) -> Match:
        """One game, played to its end; the same whenever it is asked."""
        games = self._games((names,), seed)
        match = Match.new(games.game, seed)
        play_on(match, games.seated(0), (seed,))
        return match

    def alone(self, name: Entrant, games: int, seed: int, workers: int = 1, **where: Any) -> Scores:
        """A player of a game for one, on the games of seeds ``seed``, ``seed`` + 1 ...; parameters as for `meet`."""
        rows = self._rows(self._games(((name,),), seed), games, workers, where)
        return Scores(tuple(score for score, _ in rows.values()), tuple(rows))

    def even(self, name: Entrant, games: int, seed: int, workers: int = 1, **where: Any) -> Result:
        """A player against itself, every seed once: the first side's share; parameters as for `meet`."""
        return self._result(self._rows(self._games(((name, name),), seed), games, workers, where))

    def meet(self, one: Entrant, two: Entrant, games: int, seed: int, workers: int = 1, *,
             until: Sequential | None = None, **where: Any) -> tuple[Result, Result, Result]:
        """Two players against each other: every seed is played twice, sides swapped.

        Parameters
        ----------
        one, two : name, class or player
            As for `navalkit.player`.
        games : int
            In all, an even number; half of them with ``one`` on the first side.
        seed : int
            Of the first game; the others follow.
        workers : int
            Processes.
        until : Sequential, optional
            Ends the meeting as soon as it is answered.
        **where
            ``executor``, ``kept`` and ``progress``, as for `arena.run`.

        Returns
        -------
        three Results
            The share of ``one`` overall, on the first side, and on the second. Games that failed count for nobody.

        Raises
        ------
        OptionError
            As for `Meeting`.
        DataError
            If every game failed.

        >>> Meeting("wolf-pack").meet("greedy", "random", games=2, seed=1)[0].share
        1.0
        """
        if until is not None and not isinstance(until, Sequential):
            raise OptionError(SAY("meeting.until", until=brief(until)))
        if until is not None:
            where["enough"] = lambda row: until.add(_turned(row["game"], self._points(row)))
        rows = self._rows(self._games(((one, two), (two, one)), seed), games, workers, where)
        both = [(1 - points if number % 2 else points, length) for number, (points, length) in rows.items()]
        sides = ([each for number, each in zip(rows, both, strict=True) if number % 2 == side] for side in (0, 1))
        first, second = map(self._result, sides)
        return self._result(both), first, second

    def games(self, *names: Entrant, seed: int) -> Games:
        """The games of `alone` for one name, and for two of `meet`, or of `even` if they are the same."""
        swapped = len(names) == 2 and names[0] != names[1]
        return self._games((names, names[::-1]) if swapped else (names,), seed)

    def _games(self, seats: tuple[tuple[Entrant, ...], ...], seed: int) -> Games:
        """The games of those who sit so by turns."""
        game = load(self.game, **self.options)
        if len(seats[0]) != game.deciders:
            raise OptionError(SAY("meeting.sides", game=game.name, n=game.deciders, given=len(seats[0])))
        own = tuple(tuple((who, dict(self.tuned[who])) if isinstance(who, str) and who in self.tuned else who
                          for who in seated) for seated in seats)
        return Games(game, own, seed, following=True)

    def _points(self, row: Row) -> float | None:
        """The first side's points in a game; None if it failed."""
        roles = package(self.game).game.players
        return row.get("score" if len(roles) == 1 else f"score_{roles[0]}")

    def _rows(self, games: Games, n: int, workers: int, where: Mapping[str, Any]) -> _Rows:
        """The first side's points and the length of each game that did not fail, by its number."""
        games.check()  # so that a wrong name is heard of before anything is played
        heard(where.get("progress"))
        seats = len(games.seats)
        if isinstance(n, bool) or not isinstance(n, int) or n < 1 or n % seats:
            raise OptionError(SAY("meeting.pairs" if seats > 1 else "meeting.games", n=brief(n)))
        with nullcontext() if workers == 1 else Workers(workers) as pool:
            rows = run(games, n, **({"executor": pool} | dict(where)))
        found = ((row["game"], self._points(row), row[self.length or "plies"]) for row in rows)
        return {number: (points, length) for number, points, length in found if points is not None}

    def _result(self, rows: _Rows | Sequence[tuple[float, float]]) -> Result:
        found = list(rows.values() if isinstance(rows, Mapping) else rows)
        if not found:
            return Result(0, 0.5, 0, self.unit)
        points, lengths = zip(*found, strict=True)
        return Result(len(found), sum(points) / len(found), median(lengths), self.unit)


_Rows = dict[int, tuple[float, float]]


def _turned(number: int, points: float | None) -> float | None:
    """The points of who began on the first side: in games of odd numbers sides are swapped."""
    return None if points is None else 1 - points if number % 2 else points


class Sequential:
    """Who is stronger, asked after every pair of games on the same seed: Wald's sequential test, for shares.

    Either the first player's share of the points is 1/2 + ``margin``, or it is 1/2 - ``margin``: once the games are
    many times as likely under the one as under the other, the question is answered. A player whose share is at least
    that large is called the weaker with a chance of ``error`` at most; of two who are closer either may be named, late.
    The pairs' scores are taken as normal, with the variance they show.

    Parameters
    ----------
    margin : float
        Above 0, below 1/2.
    error : float
        The chance of a wrong answer, above 0, below 1/2.

    Raises
    ------
    OptionError
        If one of them is out of range.

    >>> question = Sequential(0.1)
    >>> any(question.add(1.0) for _ in range(40)), question.answer
    (True, 1)
    """

    LEAST = 8
    """Pairs before which nothing is answered: their variance is not known yet."""

    def __init__(self, margin: float, error: float = 0.05) -> None:
        if not all(isinstance(each, int | float) and 0 < each < 0.5 for each in (margin, error)):
            raise OptionError(SAY("sequential.range", margin=brief(margin), error=brief(error)))
        self.margin, self.bound = margin, log((1 - error) / error)
        self.pairs: list[float] = []
        self._half: list[float | None] = []
        self.games = 0

    def add(self, points: float | None) -> bool:
        """Whether the question is answered with one more game; ``points``: the first player's, None for a game that
        failed, whose pair is left out."""
        self.games += 1
        self._half.append(points)
        if len(self._half) == 2:
            if None not in self._half:
                self.pairs.append(fmean(self._half))  # type: ignore[arg-type]
            self._half = []
        return bool(self.answer) and not self._half

    @property
    def evidence(self) -> float:
        """The logarithm of how many times as likely the games are if the first player is the stronger."""
        n = len(self.pairs)
        if not n:
            return 0.0
        mean = fmean(self.pairs)
        # A pair of either kind is added, so that who won all has a variance too.
        spread = (sum((each - mean) ** 2 for each in self.pairs) + (1 - mean) ** 2 + mean**2) / (n + 2)
        return 2 * self.margin * n * (mean - 0.5) / spread

    @property
    def answer(self) -> int:
        """1 if the first player is the stronger, -1 if the second is; 0 while that is open."""
        found = self.evidence
        return 0 if len(self.pairs) < self.LEAST or abs(found) < self.bound else 1 if found > 0 else -1


# -- Ratings from games between pairs of players, on Elo's scale, with intervals -------------------
# By the model of Bradley and Terry a player of rating r scores 1 / (1 + 10 ** ((s - r) / 400)) on average against one
# of rating s. The ratings that make the results likeliest are found by Newton's method, with the mean of all at 0;
# how well the results fix them (the information matrix) gives their standard errors. Each pair counts as having drawn
# one game more, so that a player who won all has a rating too.

SCALE = 400 / log(10)
"""Points of Elo for a factor of e in the odds."""
STEPS = 50


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's strength."""

    elo: float
    """Points above the mean of those rated; 100 more win 64 %, 200 more 76 %."""
    half: float
    """Half the width of its 95 % interval, in points."""
    games: int
    """On which it rests."""

    def __str__(self) -> str:
        return f"{self.elo:+.0f} ± {self.half:.0f} (n = {self.games:,})"


def ratings(pairs: Mapping[tuple[str, str], Result]) -> dict[str, Rating]:
    """The ratings of players, the strongest first. ``pairs``: (one, two) -> the first one's result; every player is in
    a pair, and no group of them is cut off from the rest."""
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    ends = [(names.index(one), names.index(two)) for one, two in pairs]
    games = np.array([result.games + 1.0 for result in pairs.values()])
    won = np.array([result.share * result.games + 0.5 for result in pairs.values()])
    design = np.zeros((len(ends), len(names)))
    for row, (one, two) in zip(design, ends, strict=True):
        row[one], row[two] = 1.0, -1.0
    strength = np.zeros(len(names))
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-design @ strength))
        spread = np.linalg.pinv(design.T @ ((games * chance * (1 - chance))[:, None] * design))
        strength += spread @ design.T @ (won - games * chance)
    errors = np.sqrt(np.diag(spread))
    played = [int(sum(r.games for pair, r in pairs.items() if name in pair)) for name in names]
    found = {name: Rating(SCALE * float(s), SCALE * 1.96 * float(e), n)
             for name, s, e, n in zip(names, strength, errors, played, strict=True)}
    return dict(sorted(found.items(), key=lambda each: -each[1].elo))


# -- Figures: what games between machine players came to. All that README, docs and cards state is in figures.toml
#     [[figure]]
#     name = "fleet-action/night_action"   # `make figures ARGS=...` plays its games again
#     kind = "balance"                     # see `KINDS`
#     game = "fleet-action"
#     options = { scenario = "night_action" }
#     over = [{ moves = 8 }, {}]           # options besides, an equal share of the games under each
#     players = ["admiral"]                # in USS Lox a policy: "greedy:counting=yes"
#     seeds = [71001, 71002, 71003]        # one run each, all of like length
#     games = 450                          # of all runs
#     rules = "1"                          # the game's rules_version
#     code = "0f3a52bc"                    # print of the game's sources when it was made: see sim/figures.py
#     value = 0.48                         # see `KINDS`
#     half = 0.11                          # half the width of the 95 % interval of a mean or an error
#     made = 525                           # what the value is a share of, where that is not the games
#     tilt = [0.02, 0.04]                  # of "calibration": the tilt, and half the width of its interval
#     bins = [13, 0]                       # of "calibration": how many, and how many lie outside the range of luck
#     won = 0.66                           # of "alone": the share of games won
#     runs = [0.5, 0.46, 0.48]             # the same of each run; with `over`, of each run under each of its options
#     length = [8, 9]                      # of the middle half, in `unit`
#     decided = { guns = 1.0 }             # what decided the games -> its share of them
#     one_blow = 0.0                       # the share that one blow alone decided
#     clock = 0.1                          # the share that lasted to the last move or turn, with nothing decided
#     sample = ["1 8", "0 9"]              # what the first games came to: see sim/figures.py

KINDS = ("balance", "meeting", "alone", "kills", "calibration")
"""What ``value`` is. "balance", a way to begin: the first side's share of the points, a draw half a point; where one
plays alone, the share of games won. "meeting": the first player's share, sides swapped; where one plays alone, how
often the first scores more on the same game. "alone": the mean score of one who plays alone, in ``unit``. "kills": the
share of the runs ``made`` that sank the boat. "calibration": how much oftener than shown it came true, the level of
sim/calibration.py. Of the last two the name's last part says what is measured."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A figure; DataError if a field is out of range."""

    name: str
    kind: str
    game: str
    players: tuple[str, ...]
    seeds: tuple[int, ...]
    games: int
    rules: str
    value: float
    options: Options = field(default_factory=dict)
    over: tuple[Options, ...] = ()
    half: float = 0.0
    won: float | None = None
    """None where nothing is won."""
    runs: tuple[float, ...] = ()
    unit: str = ""
    """"moves", "turns", "t", "ships"."""
    length: tuple[float, ...] = ()
    decided: Mapping[str, float] = field(default_factory=dict)
    one_blow: float = 0.0
    clock: float | None = None
    """None where it was not kept."""
    made: int = 0
    tilt: tuple[float, ...] = ()
    bins: tuple[int, ...] = ()
    code: str = ""
    sample: tuple[str, ...] = ()
    """() for a figure that was not made again since its games may have changed."""

    def __post_init__(self) -> None:
        shares = (self.one_blow, self.clock or 0.0, self.won or 0.0, *self.decided.values())
        shares += {"alone": (), "calibration": (abs(self.value),)}.get(self.kind, (self.value, *self.runs))
        whole = abs(sum(self.decided.values()) - 1) < 0.03 if self.decided else True
        good = self.kind in KINDS and self.games > 0 and whole and all(0 <= share <= 1 for share in shares)
        good = good and all(seed >= 0 for seed in self.seeds) and self.half >= 0 and self.made >= 0
        good = good and len(self.runs) in (0, self._parts) and not self.games % self._parts
        if not good or len(self.length) not in (0, 2) or (self.length and not 0 < self.length[0] <= self.length[-1]):
            raise DataError(SAY("measured.wrong", what=self.name, games=self.games))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the value: Wilson's of a share."""
        if self.kind in ("alone", "calibration"):
            return self.value - self.half, self.value + self.half
        return wilson(self.value, self.made or self.games)

    @property
    def of(self) -> str:
        """What is measured: the last part of its name."""
        return self.name.rpartition("/")[2]

    @property
    def grounds(self) -> tuple[Options, ...]:
        """The options under which it is played, an equal share of the games under each."""
        return tuple({**self.options, **each} for each in self.over or ({},))

    @property
    def _parts(self) -> int:
        return max(1, len(self.seeds)) * len(self.grounds)

    @property
    def each(self) -> int:
        """Games of a run, under each of its options."""
        return self.games // self._parts

    @property
    def title(self) -> str:
        """Of the way to begin that has these options, in the game's own words; "" if none has."""
        rows = package(self.game).beginnings
        return next((str(row["title"]) for row in rows if row.get("options", {}) == self.options), "")

    @property
    def sides(self) -> tuple[str, ...]:
        """What the scenario calls its sides, the first first; () where one plays alone."""
        made = load(self.game, **self.options)
        return made.sides if made.deciders > 1 else ()


def strengths(game: str) -> dict[str, Rating]:
    """What the players of a game came to by the figures, the strongest first.

    Parameters
    ----------
    game : str
        Its name, such as "on-patrol".

    Returns
    -------
    dict of str to Rating
        Elo by the meetings of its players; without any, what each scores alone: ``elo`` is then its mean in the unit of
        the figure, and it is named as the figure is. Empty where nothing was measured.

    Raises
    ------
    OptionError
        If there is no such game.

    Examples
    --------
    >>> list(strengths("task-force"))[0]
    'marchetti'
    """
    name = package(game).name
    rows = [each for each in figures().values() if each.game == name]
    met: dict[tuple[str, ...], Result] = {}
    for each in rows:
        if each.kind == "meeting":
            before = met.get(each.players, Result(0, 0.0, 1, "games"))
            games = before.games + each.games
            points = before.games * before.share + each.games * each.value
            met[each.players] = Result(games, points / games, 1, "games")
    if met:
        return ratings(met)  # type: ignore[arg-type]
    alone = {each.name.partition("/")[2]: Rating(each.value, each.half, each.games) for each in rows
             if each.kind == "alone"}
    return dict(sorted(alone.items(), key=lambda each: -each[1].elo))


@cache
def figures() -> Mapping[str, Measured]:
    """All figures by name; DataError if a field is unknown, missing or out of range."""
    known, found = {each.name for each in fields(Measured)}, {}
    for row in read("navalkit.players", "figures.toml")["figure"]:
        lacking = {each.name for each in fields(Measured) if each.default is each.default_factory is MISSING} - set(row)
        if wrong := sorted(set(row) - known) or sorted(lacking):
            raise DataError(SAY("measured.fields", listed=", ".join(sorted(known)), name=wrong[0]))
        lists = {name: tuple(value) for name, value in row.items() if isinstance(value, list)}
        found[row["name"]] = Measured(**{**row, **lists})
    return found


def measured(game: str, options: Options) -> Measured | None:
    """How even a game is under these options; None where nothing was measured.

    Parameters
    ----------
    game : str
        Its name, such as "fleet-action".
    options : mapping
        Of the game; those left out are its defaults.

    Examples
    --------
    >>> measured("fleet-action", {}).sides
    ('British', 'Germans')
    """
    specs = {spec.name: spec for spec in package(game).game.specs}

    def whole(some: Options) -> dict[str, Any]:
        return {name: spec.check(some.get(name, spec.default)) for name, spec in specs.items()}

    asked = whole(options)
    rows = (each for each in figures().values() if each.game == game and each.kind == "balance")
    return next((each for each in rows if whole(each.options) == asked), None)
