"""``navalkit odds``: a game's exact questions, asked as they are asked in Python.

The questions are the functions in the game's ``ODDS``. Their signatures make the orders: what has no default is given
in its place, what is keyword-only as ``--name``; their docstrings make the help. A whole number may be a range ("0-3"),
which asks once for each.
"""

from __future__ import annotations
import argparse
import json
import os
import re
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from fractions import Fraction
from importlib import resources
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from inspect import Parameter, getdoc, signature
from itertools import combinations
from keyword import iskeyword
from math import floor, log10
from pathlib import Path
from sys import modules
from types import TracebackType, UnionType
from typing import Any, TextIO, Union, get_args, get_origin, get_type_hints

from navalkit.core.dist import Dist
from navalkit.core.errors import DataError, NavalkitError, OptionError, brief
from navalkit.core.files import write_atomic
from navalkit.core.game import Game
from navalkit.core.registry import load, names, package, package_of
from navalkit.core.words import SAY as CORE, one_in, percent
from navalkit.players import makers, player
from navalkit.players.arena import Executor, FailedError, Games, Task, Workers, run
from navalkit.players.meeting import Meeting, Result, Scores, Sequential, ratings
from navalkit.players.own import declared
from navalkit.sim import Estimate, joined, summary, write_csv
from navalkit.sim.balance import HEAD, Row, balance, cells, lots, markdown, starts, stated
from navalkit.sim.calibration import Calibration, Forecasts, astray, calibrate, outside, predictions, section
from navalkit.sim.cluster import Cluster
from navalkit.sim.kept import Kept
from .records import SAY, Parser, Progress, options, print_table

Function = Callable[..., Any]
_LONG = 24
"""Characters after which an exact fraction says nothing to a reader any more."""
_AS_IN = re.compile(r"As in `+(\w+)`+\.")
_MOST = 1000
"""Numbers in a range, at most."""


def run_odds(arguments: argparse.Namespace) -> int:
    """The command: list the questions of a game, or answer one."""
    of = package(arguments.game)
    if not of.odds:
        raise OptionError(SAY("odds.none", game=of.game.title))
    if not arguments.question:
        arguments.question = ["--help"]
    asked, *settings = arguments.question
    if asked in ("-h", "--help"):
        print(SAY("odds.list", game=of.name, title=of.game.title))
        for name, function in of.odds.items():
            asked = (p.upper() for p, each in signature(function).parameters.items() if _placed(each))
            print(f"  {' '.join([name, *asked])}\n      {(getdoc(function) or '').partition(chr(10))[0]}")
        return 0
    question = of.odds.get(asked.replace("-", "_"))
    if question is None:
        raise OptionError(SAY("odds.unknown", game=of.name, asked=brief(asked), questions=", ".join(of.odds)))
    given = vars(_parser(SAY("odds.order", game=of.name, question=asked), question).parse_args(settings))
    ranges = [name for name, value in given.items() if isinstance(value, range) and len(value) > 1]
    if len(ranges) > 1:
        raise OptionError(SAY("odds.ranges", n=len(ranges), names=", ".join(ranges)))
    single = {name: value[0] if isinstance(value, range) else value for name, value in given.items()}
    over = {value: question(**single | {ranges[0]: value}) for value in given[ranges[0]]} if ranges else {}
    if not ranges:
        _print_answer(question(**single), single)
    elif isinstance(next(iter(over.values())), (Fraction, float, int)):
        _print_chances(ranges[0], over)
    else:
        for value, answer in over.items():
            print(f"{ranges[0]} {value}:")
            _print_answer(answer, single)
    return 0


def _placed(parameter: Parameter) -> bool:
    return parameter.kind is Parameter.POSITIONAL_OR_KEYWORD and parameter.default is Parameter.empty


# From a signature to a parser ---------------------------------------------------------------------------

def _parser(prog: str, question: Function) -> Parser:
    doc = getdoc(question) or ""
    told, hints = _told(question), get_type_hints(question)
    parser = Parser(prog=prog, description=doc.partition("\n")[0])
    for name, parameter in signature(question).parameters.items():
        hint = hints[name]
        types = set(get_args(hint)) if get_origin(hint) in (Union, UnionType) else {hint}
        if parameter.kind is Parameter.VAR_KEYWORD or not types & {bool, int, str}:
            continue  # only for Python; it has a default
        settings: dict[str, Any] = {"help": told.get(name, "").replace("%", "%%") or None}
        if bool in types:
            settings["action"] = argparse.BooleanOptionalAction if parameter.default else "store_true"
        elif str not in types:
            settings["type"] = _numbers
        if _placed(parameter):
            parser.add_argument(name, metavar=name.upper(), **settings)
        elif parameter.default is Parameter.empty:
            parser.add_argument(f"--{name.replace('_', '-')}", required=True, **settings)
        else:
            parser.add_argument(f"--{name.replace('_', '-')}", default=parameter.default, **settings)
    return parser


def _told(question: Function) -> dict[str, str]:
    """What its docstring says of each parameter; what it leaves to another function is said as there."""
    told: dict[str, str] = {}
    names: list[str] = []
    _, _, section = (getdoc(question) or "").partition("Parameters\n----------\n")
    for line in section.split("\n\n")[0].splitlines():
        if line.startswith(" "):
            told.update({name: f"{told.get(name, '')} {line.strip()}".strip() for name in names})
        else:
            names = [name.strip() for name in line.partition(":")[0].split(",")]
    others = {name: _AS_IN.fullmatch(text) for name, text in told.items()}
    return told | {name: _told(vars(modules[question.__module__])[at[1]])[name] for name, at in others.items() if at}


def _numbers(text: str) -> range:
    """A whole number, or a range such as "0-3"; an error of argparse otherwise."""
    low, dash, high = text.partition("-")
    if not (low.isdecimal() and (high.isdecimal() or not dash)):
        raise argparse.ArgumentTypeError(SAY("odds.number", text=brief(text)))
    numbers = range(int(low), int(high or low) + 1)
    if not 0 < len(numbers) <= _MOST:
        raise argparse.ArgumentTypeError(SAY("odds.range", most=_MOST, text=brief(text)))
    return numbers


# From an answer to a table ------------------------------------------------------------------------------

def _print_answer(answer: Any, settings: Mapping[str, Any]) -> None:
    if isinstance(answer, Dist):
        _print_chances(SAY("odds.result"), dict(sorted(answer.items())))
        print(SAY("odds.mean", mean=float(answer.mean)))
    elif isinstance(answer, Mapping):
        _print_chances("", answer)
    elif isinstance(answer, Sequence) and answer and isinstance(answer[0], tuple):
        print_table(type(answer[0])._fields, [[_cell(cell) for cell in row] for row in answer])  # type: ignore[attr-defined]
    elif isinstance(answer, Sequence):
        counted = [name for name, value in settings.items() if value == len(answer)]
        _print_chances(counted[-1] if counted else "", dict(enumerate(answer, 1)))
    else:
        _print_chances("", {"": answer})


def _print_chances(label: str, chances: Mapping[Any, Any]) -> None:
    exact = {key: str(p) if isinstance(p, Fraction) and len(str(p)) <= _LONG else "" for key, p in chances.items()}
    table = [[label, *(SAY(f"odds.{column}") for column in ("exactly", "chance", "odds"))]]
    table += [[str(key), exact[key], percent(p), one_in(p)] for key, p in chances.items()]
    head, *rows = table if any(exact.values()) else [[row[0], *row[2:]] for row in table]
    print_table(head, rows)


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return SAY("odds.yes" if value else "odds.no")
    return percent(value) if isinstance(value, (Fraction, float)) else str(value)


# -- What the commands that play many games share ---------------------------------------------------

class Arena:
    """Where a command's games are played and kept, with a bar where somebody looks. Once it ends, games that failed are
    told of."""

    def __init__(self, arguments: argparse.Namespace, tasks: Sequence[Task]) -> None:
        self._arguments, self._tasks, self._with = arguments, tasks, ExitStack()
        self._failed: dict[tuple[str, int], Mapping[str, Any]] = {}
        self._games = 0

    def __enter__(self) -> Arena:
        given = self._arguments
        with ExitStack() as entered:
            self._bar = entered.enter_context(Progress())
            pool: Executor | None = None
            if given.scheduler:
                pool = entered.enter_context(Cluster(given.scheduler))
            elif given.jobs > 1:
                pool = entered.enter_context(Workers(given.jobs))
            kept = entered.enter_context(_kept(given.rows)) if given.rows else None
            if kept:
                kept.check(self._tasks)
            self.where: dict[str, Any] = {"executor": pool, "kept": kept, "progress": self._bar, "watch": self._watch}
            self._with = entered.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._with.__exit__(kind, error, at)
        if self._failed:
            first = next(iter(self._failed.values()))
            told = {"n": len(self._failed), "of": self._games, "error": first["error"]}
            print(SAY("arena.failed", seed=str(first["seed"]), **told), file=sys.stderr)
            if self._arguments.rows:
                lost = sum(not row.get("record") for row in self._failed.values())
                where = SAY("arena.failed-lost" if lost else "arena.failed-kept", path=self._arguments.rows, n=lost)
                print(where, file=sys.stderr)

    def say(self, text: str, to: TextIO | None = None) -> None:
        """Print a line where the bar is."""
        self._bar.clear()
        print(text, file=to or sys.stdout, flush=True)

    def _watch(self, task: Task, rows: Sequence[Mapping[str, Any]]) -> None:
        self._games += len(rows)
        self._failed.update(((task.key, row["game"]), row) for row in rows if row.get("error"))


def _kept(path: str) -> Kept:
    """The file of ``--rows``; DataError for one that is no text at all, or no Parquet."""
    try:
        return Kept(path)
    except NavalkitError:
        raise
    except ValueError:  # of what reads the bytes: each library has its own
        raise DataError(CORE("kept.foreign", path=brief(path))) from None


# -- ``navalkit balance``: every scenario of a game between every pair of captains -----------------

def run_balance(arguments: argparse.Namespace) -> int:
    name = arguments.game
    game, given = load(name, **options(arguments.option)), options(arguments.option)
    if arguments.stated:
        print(stated(game.name))
        return 0
    captains = [_who(each) for each in arguments.captain] or _usual(name)
    known = starts(name)
    if wrong := [each for each in arguments.scenario if each not in known]:
        raise OptionError(SAY("balance.no-scenario", name=brief(wrong[0]), names=", ".join(filter(None, known))))
    if arguments.n < 1:
        raise OptionError(SAY("sim.numbers"))
    settings = {"only": arguments.scenario, "options": given}
    tasks = [games for *_, games in lots(game.name, captains, arguments.seed, **settings)]
    for games in tasks:
        games.check()
    rows: list[Row] = []
    with Arena(arguments, tasks) as arena:
        arena.say(" · ".join(HEAD))
        for row in balance(game.name, captains, arguments.n, arguments.seed, **settings, **arena.where):
            rows.append(row)
            arena.say(" · ".join(cell or "–" for cell in cells(row)))
    if arguments.json:
        Path(arguments.json).write_text(json.dumps([row.data() for row in rows], indent=1) + "\n", encoding="utf-8")
    if arguments.markdown:
        Path(arguments.markdown).write_text(markdown(rows) + "\n", encoding="utf-8")
    return 0


def _usual(name: str) -> list[str]:
    """The strongest of the game's named captains; of a game that names none, its last player."""
    ranked = sorted(package(name).offered("CAPTAINS", ()), key=lambda captain: captain.level)
    return [ranked[-1].name if ranked else [*makers(load(name))][-1]]


# -- ``navalkit calibration``: whether the numbers that pages show come true -----------------------

def run_calibration(arguments: argparse.Namespace) -> int:
    """Play, measure and print; 1 if a bin, or all of a number together, lies where luck does not reach."""
    part, seed, only = arguments.part, arguments.seed, arguments.number
    if not 0 < part <= 10 or seed < 0:
        raise OptionError(SAY("calibration.numbers-only"))
    games = [arguments.game] if arguments.game else list(names())
    known = [number for game in games for number in predictions(game)]
    if only and only not in known:
        raise OptionError(SAY("calibration.unknown", number=brief(only), numbers=", ".join(known)))
    measured: list[Calibration] = []
    tasks = [Forecasts(game, number, seed) for game in games for number in predictions(game) if only in ("", number)]
    with Arena(arguments, tasks) as arena:
        for game in games:
            for each in calibrate(game, part, seed, only, **arena.where):
                measured.append(each)
                arena.say(f"{game} {each.name}: {SAY('calibration.games', n=each.games)}", sys.stderr)
    if arguments.page:
        text = "\n\n".join(section(each, len(measured)) for each in measured)
        write_atomic(Path(arguments.page), f"{text}\n")
    wrong = outside(measured)
    head = (
        SAY("calibration.number-head"), SAY("calibration.forecasts"), SAY("calibration.bins"), SAY("calibration.wrong")
    )
    rows = [
        (f"{each.game} {each.name}", f"{sum(len(bin.chances) for bin in each.bins):,}", str(len(each.bins)),
         str(sum(found is each for found, _ in wrong)))
        for each in measured
    ]
    print_table(head, rows)
    for each, bin in wrong:
        print(SAY("calibration.outside", what=each.name, shown=bin.shown, n=len(bin.chances), came=bin.share))
    for each, pooled in (found := astray(measured)):
        print(SAY(f"calibration.{pooled.name}", what=each.name, error=100 * pooled.error, luck=100 * pooled.luck))
    return int(bool(wrong or found))


# -- ``navalkit new-game`` and ``new-player``: a package of one's own, that plays and is tested as it is

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def new_game(arguments: argparse.Namespace) -> int:
    """The command: write the skeleton into a new folder, and say what comes next."""
    name = arguments.name
    folder = write(name, Path(arguments.folder), "game", names(), game=name)
    print(SAY("new-game.written", game=name, folder=str(folder)))
    return 0


def new_player(arguments: argparse.Namespace) -> int:
    """The command: write a player for a game into a new folder, and say what comes next."""
    name, game = arguments.name, load(arguments.game)
    folder = write(name, Path(arguments.folder), "player", [*names(), *makers(game)], game=game.name)
    print(SAY("new-player.written", name=name, game=game.name, folder=str(folder)))
    return 0


def write(name: str, inside: Path, what: str, taken: Collection[str], game: str) -> Path:
    """Write a skeleton. ``name``: of what is new ("night-duel"); its package is called alike ("night_duel").
    ``inside``: the folder in which a folder of that name is made. ``what``: "game" or "player". ``taken``: names that
    are taken. ``game``: whose player it is, or itself. Returns the new folder. OptionError if the name is none or is
    taken, or the folder is there already."""
    package = name.replace("-", "_")
    if not _NAME.fullmatch(name):
        raise OptionError(SAY(f"new-{what}.no-name", name=brief(name)))
    if iskeyword(package):
        raise OptionError(SAY("new-game.keyword", name=name))
    if name in taken or find_spec(package):
        raise OptionError(SAY(f"new-{what}.taken", name=name))
    folder = inside / name
    if folder.exists():
        raise OptionError(SAY("new-game.there", folder=str(folder)))
    title = name.replace("-", " ").title()
    filled = {"game": game, "name": name, "package": package, "title": title, "Class": title.replace(" ", "")}
    for path, text in _files(resources.files("navalkit.cli") / "skeletons" / what):
        target = folder / _fill(path.removesuffix(".txt"), filled)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_fill(text, filled), encoding="utf-8")
    return folder


def _files(folder: Traversable, above: str = "") -> Iterator[tuple[str, str]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry, f"{above}{entry.name}/")
        else:
            yield above + entry.name, entry.read_text(encoding="utf-8")


def _fill(text: str, filled: dict[str, str]) -> str:
    return re.sub(r"\{\{(\w+)\}\}", lambda found: filled[found[1]], text)


# -- ``navalkit tournament``: the machine players of a game measured against each other, or on the same games

def tournament(arguments: argparse.Namespace) -> int:
    """Every pair of players, sides swapped; in a game for one, every player on the same games: who scores more wins."""
    given, n, seed, margin = options(arguments.option), arguments.n, arguments.seed, arguments.margin
    if n < 1 or seed < 0:
        raise OptionError(SAY("tournament.numbers"))
    game = load(arguments.game, **given)
    entrants = [*dict.fromkeys(map(_who, arguments.player))] or ["random", *package_of(game).bots]
    for name in entrants:
        player(name, game)  # so that a wrong name is heard of before anything is played
    if margin is not None:
        Sequential(margin)
    meeting = Meeting(game.name, options=given)
    sides = [role for number, role in enumerate(game.players) if number not in game.automatic]
    alone, even = len(sides) == 1, arguments.even
    if len(entrants) < 2 and not (alone or even):
        raise OptionError(SAY("tournament.two", name=brief(entrants[0])))
    pairs: list[tuple[str, ...]] = [(name,) for name in entrants] if alone else [
        (name, name) for name in entrants] if even else [*combinations(entrants, 2)]
    met: dict[tuple[str, str], Result] = {}
    failed: list[FailedError] = []
    with Arena(arguments, [meeting.games(*pair, seed=seed) for pair in pairs]) as arena:
        scores: dict[str, Scores] = {}
        for pair in pairs:
            try:
                if alone:
                    scores[pair[0]] = meeting.alone(pair[0], n, seed, **arena.where)
                    arena.say(f"{pair[0]}: {scores[pair[0]]}")
                elif even:
                    result = meeting.even(pair[0], n, seed, **arena.where)
                    arena.say(SAY("tournament.even-result", name=pair[0], side=sides[0], result=str(result)))
                else:
                    one, two = pair
                    until = Sequential(margin) if margin is not None else None
                    both, first, second = meeting.meet(one, two, n, seed, until=until, **arena.where)
                    if first.games and second.games:  # one side alone says nothing of a player
                        met[one, two] = both
                    arena.say(_pair_told(pair, sides, both, first, second))
                    if until:
                        arena.say(_answered(until, one, two, n))
            except FailedError as error:  # the others' games are played all the same
                failed.append(error)
                arena.say(SAY("tournament.failed", names=" : ".join(dict.fromkeys(pair))))
        met |= {(one, two): scores[one].against(scores[two]) for one, two in combinations(scores, 2)}
    if len(failed) == len(pairs):
        raise failed[0]
    return _rated(met, entrants)


def _pair_told(pair: Sequence[str], sides: Sequence[str], both: Result, *apart: Result) -> str:
    """What a pair's games came to; ``apart``: those with the first player on either side. Of a side whose games all
    failed there is no share."""
    facts = {"one": pair[0], "two": pair[1], "result": str(both)}
    if all(result.games for result in apart):
        first, second = (result.share for result in apart)
        return SAY("tournament.pair", side=sides[0], other=sides[1], first=first, second=second, **facts)
    had = int(not apart[0].games)
    return SAY("tournament.half-pair", side=sides[had], other=sides[1 - had], share=apart[had].share, **facts)


def _answered(question: Sequential, one: str, two: str, most: int) -> str:
    """What a sequential test came to."""
    facts = {"n": question.games, "evidence": question.evidence, "bound": question.bound}
    if not question.answer:
        return SAY("tournament.unsure", **facts)
    return SAY("tournament.sure", name=one if question.answer > 0 else two, most=most, **facts)


def _rated(met: Mapping[tuple[str, str], Result], entrants: Sequence[str]) -> int:
    """What ratings the meetings of more than two players come to, as far as games from both sides that did not fail
    connect them; 0."""
    if len(entrants) < 3 or not met:
        return 0
    near: set[str] = set()
    more = {*next(iter(met))}
    while more - near:
        near |= more
        more = {name for pair in met if near & {*pair} for name in pair}
    for name, rating in ratings({pair: result for pair, result in met.items() if pair[0] in near}).items():
        print(SAY("tournament.rating", name=name, rating=str(rating)))
    if left := [name for name in entrants if name not in near]:
        print(SAY("tournament.unrated", names=", ".join(left)))
    return 0


def _who(name: str) -> str:
    """A player's name. One in a module of its own ("my_bots:Bold") is looked for in the folder one is in, too."""
    if ":" in name and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    return name


# -- ``navalkit sim``: many games played by machine and summed up ----------------------------------

def simulate(arguments: argparse.Namespace) -> int:
    given = options(arguments.option)
    n, seed, policies = arguments.n, arguments.seed, arguments.policy or ["random"]
    if n < 1:
        raise OptionError(SAY("sim.numbers"))
    if len(policies) > 1:
        raise OptionError(SAY("sim.policies", names=", ".join(map(brief, policies))))
    policy = _who(policies[0])
    by, values = _shared_out(load(arguments.game, **given), arguments.by, given)
    games = [load(arguments.game, **{**given, by: value}) if by else load(arguments.game, **given) for value in values]
    shares = [n // len(games) + (i < n % len(games)) for i in range(len(games))]
    started = time.monotonic()
    fast = package_of(games[0]).simulate
    named = policy.partition(":")[0]
    ours = named in makers(games[0]) if ":" in policy else declared(policy) is None
    if fast and not arguments.rules and ours:
        if arguments.rows or arguments.jobs > 1 or arguments.scheduler:
            print(SAY("sim.fast", game=games[0].title), file=sys.stderr)
        tables: list[Any]
        with Progress() as progress:
            tables = [fast(policy, share, seed, options=dict(game.options), progress=progress)
                      for game, share in zip(games, shares, strict=True) if share]
    else:
        told = [{by: value} if by else {} for value in values]
        tasks = [Games(game, ((policy,) * len(game.players),), seed, told=each)
                 for game, each in zip(games, told, strict=True)]
        tasks[0].check()
        with Arena(arguments, tasks) as arena:
            tables = [*(run(task, share, **arena.where) for task, share in zip(tasks, shares, strict=True) if share)]
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


def _rounded(estimate: Estimate) -> tuple[str, str]:
    """Mean and standard error, both to the second digit of the error."""
    known = estimate.error > 0
    digits = max(0, 1 - floor(log10(estimate.error))) if known else 4
    return f"{estimate.mean:,.{digits}f}", f"± {estimate.error:,.{digits}f}" if known else "none"
