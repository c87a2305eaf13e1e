"""The command ``navalkit``: play, class, sim, tournament, balance, calibration, odds, card, replay, explain ..."""

from __future__ import annotations
import argparse
import os
import secrets
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from navalkit import __version__
from navalkit.core.errors import DataError, NavalkitError, brief, cut
from navalkit.core.registry import names
from navalkit.players.arena import cores
from navalkit.teach import commands as teaching
from navalkit.teach.clicker import word
from navalkit.teach.papers import DOOR, KEY, TEACHING
from . import commands, records
from .commands import new_game, simulate, tournament
from .records import SAY, Parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code (2 after a bad order, which one line on stderr explains)."""
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
        return _failed(f"{error.strerror or error}: {cut(str(error.filename))}." if error.filename else f"{error}.")
    except KeyboardInterrupt:
        print(SAY("stopped"), file=sys.stderr)
        return 130


def _failed(sentence: str) -> int:
    print(f"navalkit: {' '.join(sentence.split())}", file=sys.stderr)
    return 2


# What it understands -----------------------------------------------------------------------------------

class _Commands:
    """The commands, made from what they are called: what they say of themselves is in words.toml."""

    def __init__(self) -> None:
        self.parser = Parser(prog="navalkit", description=SAY("description"))
        self.parser.add_argument("--version", action="version", version=__version__)
        self.all = self.parser.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)

    def command(self, name: str, run: Callable[[argparse.Namespace], int]) -> Parser:
        """Begin a command; what is added after it belongs to it."""
        what = SAY(f"{name}.what")
        example = SAY("example", order=SAY(f"{name}.example"))
        made: Parser = self.all.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.", epilog=example)
        made.set_defaults(run=run)
        self.now, self.name = made, name
        return made

    def add(self, argument: str, key: str = "", **settings: Any) -> None:
        """Add an argument to the command begun last."""
        said = SAY(key or f"{self.name}.{argument.strip('-')}", games=", ".join(names()))
        self.now.add_argument(argument, help=said, **settings)


def _parser() -> Parser:
    line = _Commands()
    command, add = line.command, line.add
    command("play", _play)
    add("game", nargs="?")
    add("--port", type=int, default=8866)
    add("--host", default="127.0.0.1")
    add("--name", action="append", default=[])
    add("--pages", type=int, default=0, metavar="N")
    add("--no-browser", action="store_true")
    add("--teacher", action="store_true")

    command("class", _class)
    add("--exercises", metavar="LESSON", default="")
    add("--port", "play.port", type=int, default=8866)
    add("--host", "class.host", default="0.0.0.0")
    add("--name", "play.name", action="append", default=[])
    add("--pages", "play.pages", type=int, default=0, metavar="N")
    add("--no-browser", "play.no-browser", action="store_true")

    command("sim", simulate)
    add("game", "game")
    add("-n", type=int, default=10_000)
    add("--policy", action="append", default=[])
    add("--seed", type=int, default=1)
    add("--option", "option", action="append", default=[], metavar="NAME=VALUE")
    add("--by", metavar="OPTION")
    add("--csv", metavar="FILE")
    add("--rules", action="store_true")
    _shared(line)

    command("tournament", tournament)
    add("game", "game")
    add("--player", action="append", default=[], metavar="NAME[:OPTION=VALUE,...]")
    add("--even", action="store_true")
    add("-n", type=int, default=200)
    add("--seed", type=int, default=1)
    add("--option", "option", action="append", default=[], metavar="NAME=VALUE")
    add("--margin", type=float, metavar="SHARE")
    _shared(line)

    command("calibration", commands.run_calibration)
    add("game", "game", nargs="?")
    add("--number", default="")
    add("--part", type=float, default=0.05)
    add("--seed", type=int, default=1)
    add("--page", metavar="FILE")
    _shared(line)

    command("balance", commands.run_balance)
    add("game", "game")
    add("-n", type=int, default=40)
    add("--captain", action="append", default=[])
    add("--scenario", action="append", default=[])
    add("--seed", "sim.seed", type=int, default=1)
    add("--option", "option", action="append", default=[], metavar="NAME=VALUE")
    add("--json", metavar="FILE")
    add("--markdown", metavar="FILE")
    add("--stated", action="store_true")
    _shared(line)

    command("odds", commands.run_odds)
    add("game")
    add("question", nargs=argparse.REMAINDER)

    command("card", records.card)
    add("game", "game")
    add("file")
    add("--seed", type=int)
    add("--day", metavar="DATE")
    add("--option", "option", action="append", default=[], metavar="NAME=VALUE")

    command("replay", records.replay)
    add("file", "saved")
    add("--ply", type=int, metavar="N")
    add("--svg", metavar="FILE")
    add("--all", action="store_true")

    command("explain", records.explain)
    add("file", "saved")
    add("--player")

    command("new-game", new_game)
    add("name")
    add("--folder", default=".")

    command("new-player", commands.new_player)
    add("name")
    add("--game", default="wolf-pack")
    add("--folder", default=".")

    teaching.add(command("teach", teaching.run), _lessons)
    return line.parser


def _shared(line: _Commands) -> None:
    """What the commands that play many games share."""
    line.add("--rows", "arena.rows", metavar="FILE")
    line.add("--jobs", "arena.jobs", type=_jobs, default=1, metavar="N")
    line.add("--scheduler", "arena.scheduler", metavar="ADDRESS")


def _jobs(text: str) -> int:
    """A number of processes, or "auto"."""
    if text != "auto" and not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(SAY("arena.no-jobs", text=brief(text)))
    return cores(text)


# What it does ------------------------------------------------------------------------------------------

def _play(arguments: argparse.Namespace) -> int:
    from navalkit.serve import is_loopback, serve

    if arguments.teacher:
        os.environ[DOOR] = str(_lessons())
        if not is_loopback(arguments.host):  # students who play on this server too do not have the key
            os.environ[KEY] = secrets.token_hex(4)
            print(SAY("play.door", key=os.environ[KEY]))
    browser = not arguments.no_browser
    return serve(arguments.game, arguments.port, arguments.host, browser, arguments.pages, arguments.name)


def _class(arguments: argparse.Namespace) -> int:
    from navalkit.serve import serve

    page = "step_escorts.ipynb?class=1"
    if arguments.exercises:
        page = f"lessons/class.ipynb?lesson={word(arguments.exercises)}&class=1"
        os.environ[DOOR] = str(_lessons())
    return serve(None, arguments.port, arguments.host, not arguments.no_browser, arguments.pages, arguments.name, page)


def _lessons() -> Path:
    """The folder of lessons with solutions: this checkout's, or that of the folder one is in."""
    from navalkit.serve import pages

    here = Path(TEACHING).resolve()
    found = next((folder for folder in (pages() / TEACHING, here) if folder.is_dir()), None)
    if found is None:
        raise DataError(SAY("no-lessons"))
    return found
