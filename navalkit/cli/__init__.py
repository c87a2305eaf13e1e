"""The command ``navalkit``: play, sim, odds, card, replay, explain, teach, new-game."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from navalkit import __version__
from navalkit.core.errors import NavalkitError
from navalkit.core.registry import names
from navalkit.teach import commands as teaching
from navalkit.teach.pages import DOOR, TEACHING

from . import odds, records
from .simulate import simulate
from .text import Parser


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


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="navalkit", description="Naval games to play, to step through and to explore.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)

    def command(name: str, run: Callable[[argparse.Namespace], int], what: str, example: str) -> Parser:
        added: Parser = commands.add_parser(
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
    sub.add_argument("--host", default="127.0.0.1", help="address listened on (%(default)s); 0.0.0.0 lets others in")
    sub.add_argument("--name", action="append", default=[], help="a host name it answers to, besides this machine's")
    sub.add_argument("--pages", type=int, default=0, metavar="N", help="pages open at once; by default, by memory")
    sub.add_argument("--no-browser", action="store_true", help="only print the address")
    sub.add_argument("--teacher", action="store_true", help="open the page of lesson plans, with all answers, too")

    example = "sim uss-lox -n 100000 --policy optimal --seed 1 --option jokers=true --csv out.csv"
    sub = command("sim", simulate, "play many games by machine and sum them up", example)
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

    example = "odds uss-lox sink 8D 0-3 --seen 5H,5S"
    sub = command("odds", odds.run, "exact chances: the questions of a game, asked as in Python", example)
    sub.add_argument("game", help=f"{games}; alone, it lists its questions")
    sub.add_argument("question", nargs=argparse.REMAINDER, help="one of them with its settings; --help shows them")

    example = "card task-force friday.pdf --seed 42"
    sub = command("card", records.card, "write a card to print and play on paper, with its solution", example)
    sub.add_argument("game", help="task-force")
    sub.add_argument("file", help="a .pdf of two pages, or a .svg, beside which the solution gets a file of its own")
    sub.add_argument("--seed", type=int, help="which map; left out, a new one")
    sub.add_argument("--day", metavar="DATE", help="the map of that day instead, such as 2026-11-21")
    sub.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")

    sub = command(
        "replay", records.replay, "tell the story of a saved game", "replay patrol.toml --ply 12 --svg board.svg"
    )
    sub.add_argument("file", help="a saved game")
    sub.add_argument("--ply", type=int, metavar="N", help="up to this action; left out, to the end")
    sub.add_argument("--svg", metavar="FILE", help="draw the board as it stands then")
    sub.add_argument("--all", action="store_true", help="also what an unfinished game still hides")

    example = "explain patrol.toml --player optimal"
    sub = command("explain", records.explain, "what a machine would have done in a saved game, and why", example)
    sub.add_argument("file", help="a saved game")
    sub.add_argument("--player", help="which machine; left out, optimal if the game has it, else greedy")

    example = "teach grade reports/*.json --csv class.csv"
    sub = command("teach", teaching.run, "make class tables and students' copies, check exercises", example)
    teaching.add(sub, _lessons)
    return parser


# What it does ------------------------------------------------------------------------------------------


def _play(arguments: argparse.Namespace) -> int:
    from navalkit.serve import serve

    if arguments.teacher:
        os.environ[DOOR] = str(_lessons())
    browser = not arguments.no_browser
    return serve(arguments.game, arguments.port, arguments.host, browser, arguments.pages, arguments.name)


def _lessons() -> Path:
    """The folder of lessons with solutions that came with navalkit."""
    from navalkit.serve import pages

    return pages() / TEACHING
