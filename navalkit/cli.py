"""The command ``navalkit``: play, sim, odds, card, replay, explain, teach."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from importlib import import_module
from itertools import zip_longest
from math import floor, log10
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from navalkit import __version__
from navalkit.core.dist import one_in, percent
from navalkit.core.errors import NavalkitError, OptionError
from navalkit.core.game import Game
from navalkit.core.match import Match, Ply, write_atomic
from navalkit.core.options import brief
from navalkit.core.registry import drawing, load, names
from navalkit.players import player
from navalkit.sim import Estimate, joined, play, summary, write_csv
from navalkit.teach import commands as teaching


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code (2 after a bad order, which one line on stderr
    explains)."""
    try:
        arguments = _parser().parse_args(argv)
        code: int = arguments.run(arguments)
        sys.stdout.flush()
        return code
    except SystemExit as stop:  # argparse: --help, --version and bad orders
        return stop.code if isinstance(stop.code, int) else 2
    except NavalkitError as error:
        return _failed(str(error))
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _failed(f"{error.strerror or error}: {error.filename}." if error.filename else f"{error}.")
    except KeyboardInterrupt:
        return 130


def _failed(sentence: str) -> int:
    print(f"navalkit: {' '.join(sentence.split())}", file=sys.stderr)
    return 2


# What it understands -----------------------------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="navalkit", description="Naval games to play, to step through and to explore.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)

    def command(name: str, run: Callable[[argparse.Namespace], int], what: str, example: str) -> _Parser:
        added: _Parser = commands.add_parser(
            name,
            help=what,
            description=what[0].upper() + what[1:] + ".",
            epilog=f"Example: navalkit {example}",
        )
        added.set_defaults(run=run)
        return added

    games = ", ".join(names())
    sub = command("play", _play, "open the pages in the browser", "play uss-lox")
    sub.add_argument("game", nargs="?", help=f"{games}; left out, the lobby")
    sub.add_argument("--port", type=int, default=8866, help="first port tried (%(default)s)")
    sub.add_argument("--host", default="127.0.0.1", help="address listened on (%(default)s)")
    sub.add_argument("--no-browser", action="store_true", help="only print the address")

    example = "sim uss-lox -n 100000 --policy optimal --seed 1 --option jokers=true --csv out.csv"
    sub = command("sim", _sim, "play many games by machine and sum them up", example)
    sub.add_argument("game", help=games)
    sub.add_argument("-n", type=int, default=10_000, help="how many games (%(default)s)")
    sub.add_argument(
        "--policy", default="random", help="who plays: random, greedy, or a player of the game's own"
    )
    sub.add_argument("--seed", type=int, default=1, help="seed of the whole run (%(default)s)")
    sub.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game"
    )
    sub.add_argument(
        "--by",
        metavar="OPTION",
        help="share the games out over the values of an option, and sum up each; by default over the scenarios, "
        "where a game has some and --option names none",
    )
    sub.add_argument("--csv", metavar="FILE", help="write one row a game")
    sub.add_argument(
        "--rules", action="store_true", help="play through the rules even if there is a fast simulator"
    )
    sub.add_argument(
        "--jobs", type=int, default=1, help="processes for games played through the rules (%(default)s)"
    )

    example = "odds uss-lox --ship 8D --seen 5H,5S --jokers"
    sub = command("odds", _odds, "the exact chances to sink a ship", example)
    sub.add_argument("game", help="uss-lox")
    sub.add_argument("--ship", required=True, metavar="CARD", help="the target, such as 8D")
    sub.add_argument("--torpedoes", type=int, metavar="N", help="for so many torpedoes only (0 to 3)")
    sub.add_argument("--seen", default="", metavar="CARDS", help="cards already seen, such as 5H,5S")
    sub.add_argument("--jokers", action="store_true", help="two jokers are in the pack")
    sub.add_argument("--nob", action="store_true", help="a jack of the ship's suit hits")

    example = "card task-force friday.pdf --seed 42"
    sub = command("card", _card, "write a card to print and play on paper, with its solution", example)
    sub.add_argument("game", help="task-force")
    sub.add_argument("file", help="a .pdf of two pages, or a .svg, beside which the solution gets a file of its own")
    sub.add_argument("--seed", type=int, help="which map; left out, a new one")
    sub.add_argument("--day", metavar="DATE", help="the map of that day instead, such as 2026-11-21")
    sub.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")

    sub = command(
        "replay", _replay, "tell the story of a saved game", "replay patrol.toml --ply 12 --svg board.svg"
    )
    sub.add_argument("file", help="a saved game")
    sub.add_argument("--ply", type=int, metavar="N", help="up to this action; left out, to the end")
    sub.add_argument("--svg", metavar="FILE", help="draw the board as it stands then")
    sub.add_argument("--all", action="store_true", help="also what an unfinished game still hides")

    example = "explain patrol.toml --player optimal"
    sub = command("explain", _explain, "what a machine would have done in a saved game, and why", example)
    sub.add_argument("file", help="a saved game")
    sub.add_argument("--player", help="which machine; left out, optimal if the game has it, else greedy")

    example = "teach grade reports/*.json --csv class.csv"
    sub = command("teach", teaching.run, "make class tables and students' copies, check exercises", example)
    teaching.add(sub, _lessons)
    return parser


# What it does ------------------------------------------------------------------------------------------


def _play(arguments: argparse.Namespace) -> int:
    from navalkit.serve import serve

    return serve(arguments.game, arguments.port, arguments.host, not arguments.no_browser)


def _sim(arguments: argparse.Namespace) -> int:
    given = _options(arguments.option)
    n, seed, policy = arguments.n, arguments.seed, arguments.policy
    if n < 1 or arguments.jobs < 1:
        raise OptionError("-n and --jobs are whole numbers from 1 up.")
    by, values = _shared_out(load(arguments.game, **given), arguments.by, given)
    games = [load(arguments.game, **{**given, by: value}) if by else load(arguments.game, **given) for value in values]
    shares = [n // len(games) + (i < n % len(games)) for i in range(len(games))]
    started = time.monotonic()
    tables = [_simulated(game, share, arguments) for game, share in zip(games, shares, strict=True) if share]
    if arguments.csv:
        write_csv(joined(by, dict(zip(values, tables, strict=False))) if by else tables[0], arguments.csv)
    print(f"{games[0].title}: {n:,} games by {policy}, seed {seed}, {time.monotonic() - started:.1f} s")
    for value, share, table in zip(values, shares, tables, strict=False):
        if by:
            print(f"\n{by} {value}: {share:,} games")
        rows = [(name.replace("_", " "), *_rounded(e)) for name, e in summary(table).items()]
        _print_table(("", "mean", "standard error"), rows)
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
        raise OptionError(
            f"--by names an option with a few values, not {brief(by)}; {game.name} has: {those or 'none'}."
        )
    return by, specs[by].choices or [False, True]


def _simulated(game: Game[Any, Any], n: int, arguments: argparse.Namespace) -> Any:
    """The table of ``n`` games, by the game's own simulator where it has one."""
    simulate = getattr(import_module(game.package), "simulate", None)
    progress = _Progress()
    policy, seed = arguments.policy, arguments.seed
    try:
        if simulate and not arguments.rules:
            return simulate(policy, n, seed, options=dict(game.options), progress=progress)
        if arguments.jobs > 1:
            with ProcessPoolExecutor(arguments.jobs) as pool:
                return play(game, policy, n, seed, pool, progress=progress)
        return play(game, policy, n, seed, progress=progress)
    finally:
        progress.close()


def _odds(arguments: argparse.Namespace) -> int:
    questions = import_module(f"{load(arguments.game).package}.odds")
    sink = getattr(questions, "sink", None)
    if sink is None:
        raise OptionError(f"this command answers for uss-lox alone; ask {questions.__name__} in Python instead.")
    seen = arguments.seen.replace(",", " ")
    counts = range(4) if arguments.torpedoes is None else [arguments.torpedoes]
    rows = []
    for n in counts:
        chance = sink(arguments.ship, n, seen=seen, jokers=2 * arguments.jokers, nob=arguments.nob)
        rows.append((str(n), str(chance), percent(chance), one_in(chance)))
    _print_table(("torpedoes", "exactly", "chance", "odds"), rows)
    return 0


def _card(arguments: argparse.Namespace) -> int:
    from navalkit.view.pdf import pdf
    from navalkit.view.svg import svg

    game = load(arguments.game, **_options(arguments.option))
    page = drawing(game, "page")
    if not hasattr(page, "card"):
        raise OptionError(f"{game.title} has no card to print; task-force has.")
    seed = arguments.seed
    if arguments.day is not None:
        if seed is not None or arguments.option:
            raise OptionError("--day says which map it is: leave --seed and --option out.")
        seed = page.daily(_date(arguments.day))
    match = Match.new(game, seed)
    file, sheets = Path(arguments.file), page.card(game, match)
    if file.suffix == ".pdf":
        written = {file: pdf(sheets)}
    elif file.suffix == ".svg":
        written = {file: svg(sheets[0]), file.with_stem(f"{file.stem}-solution"): svg(sheets[1])}
    else:
        raise OptionError(f"a card is a .pdf or .svg file, not {brief(arguments.file)}.")
    for path, text in written.items():
        write_atomic(path, text)
    print(f"{game.title}, card {match.seed}: {' and '.join(map(str, written))}")
    return 0


def _replay(arguments: argparse.Namespace) -> int:
    match = Match.load(arguments.file)
    if match.secret and not arguments.all:
        raise OptionError("this game goes on and hides something; finish it first, or see all of it with --all.")
    last = match.ply if arguments.ply is None else arguments.ply
    if not 0 <= last <= match.ply:
        raise OptionError(f"this game has plies 0 to {match.ply}, not {last}.")
    for line in story(match, last):
        print(line)
    if arguments.svg:
        from navalkit.view.svg import svg

        game, state = match.game, match.at(last)
        scene = drawing(game, "scene").scene
        write_atomic(Path(arguments.svg), svg(scene(game, game.observe(state, max(game.turn(state), 0)))))
    return 0


def _explain(arguments: argparse.Namespace) -> int:
    match = Match.load(arguments.file)
    game = match.game
    name = arguments.player or ("optimal" if "optimal" in game.bots() else "greedy")
    bot = player(name, game)
    if note := luck(match):
        print(note)
    for number, ply in enumerate(match.plies, 1):
        if ply.by < 0 or ply.by in game.automatic:
            continue
        state = match.at(number - 1)
        rng = np.random.default_rng([match.seed, number])
        decision = bot.decide(game.observe(state, ply.by), game.legal(state), rng)
        verdict = "the same" if decision.action == ply.action else f"{name} would {decision.action}"
        print(f"{number}. {game.players[ply.by]}: {ply.action} ({verdict})")
        print("\n".join(f"   {line}" for line in decision.explain().splitlines()))
    return 0


def _lessons() -> Path:
    """The folder of lessons that came with navalkit."""
    from navalkit.serve import pages

    return pages() / "notebooks" / "lessons"


def story(match: Match, last: int) -> Iterator[str]:
    """A match as lines of text, up to ply ``last``: actions, events with their rule ids, comments, result."""
    game = match.game
    yield f"{game.title}, seed {match.seed}" + ("" if game == type(game)() else f", {game!r}")
    if match.commitment:
        yield f"Committed to at the start: {match.commitment}"
    if note := luck(match):
        yield note
    for number, (ply, comment) in enumerate(
        zip_longest(match.plies[:last], [match.comments.get(i, "") for i in range(1, last + 1)]), 1
    ):
        yield f"{number:>4}. {_who(game, ply)}{ply.action}"
        yield from (f"      {event}" for event in ply.events)
        if comment:
            yield f"      ({comment})"
    outcome = match.outcome if last == match.ply else None
    if outcome:
        yield f"{outcome.result}: {outcome.text}" + (" (an analysis)" if match.analysis else "")


def luck(match: Match) -> str:
    """One sentence if the luck of a match is not its seed's, else ""."""
    if match.true_to_seed:
        return ""
    return (
        f"The luck of this game is not its seed's from action {match.stray_luck} on: its record was made or changed by "
        "hand, or by a version that drew otherwise."
    )


# Small helpers -----------------------------------------------------------------------------------------


def _who(game: Game[Any, Any], ply: Ply) -> str:
    """Who acted, where that is not plain."""
    return f"{game.players[ply.by]}: " if ply.by >= 0 and len(game.players) > 1 else ""


def _options(pairs: Sequence[str]) -> Mapping[str, str]:
    """Options written NAME=VALUE; OptionError for any other text."""
    options = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise OptionError(f"an option is written NAME=VALUE, such as jokers=true, not {brief(pair)}.")
        options[name.strip()] = value.strip()
    return options


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise OptionError(f"a day is written like 2026-11-21, not {brief(text)}.") from None


def _rounded(estimate: Estimate) -> tuple[str, str]:
    """Mean and standard error, both to the second digit of the error."""
    known = estimate.error > 0
    digits = max(0, 1 - floor(log10(estimate.error))) if known else 4
    return f"{estimate.mean:,.{digits}f}", f"± {estimate.error:,.{digits}f}" if known else "none"


def _print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns side by side; the first is left-aligned, the others right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        first, *others = zip(row, widths, strict=True)
        cells = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]
        print("  ".join(cells).rstrip())


class _Progress:
    """A progress bar on stderr, for runs of more than half a second."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.shown = False

    def __call__(self, done: int, total: int) -> None:
        if time.monotonic() - self.started < 0.5:
            return
        self.shown = True
        full = 30 * done // total
        print(
            f"\r[{'#' * full}{'.' * (30 - full)}] {done:,} of {total:,}", end="", file=sys.stderr, flush=True
        )

    def close(self) -> None:
        """End the line."""
        if self.shown:
            print(file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
