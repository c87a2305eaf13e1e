"""``navalkit odds``: a game's exact questions, asked as they are asked in Python.

The questions are the functions in the game's ``ODDS``. Their signatures make the orders: what has no default is given
in its place, what is keyword-only as ``--name``; their docstrings make the help. A whole number may be a range ("0-3"),
which asks once for each.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from inspect import Parameter, getdoc, signature
from sys import modules
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from navalkit.core.echo import brief
from navalkit.core.errors import OptionError
from navalkit.core.luck.dist import Dist, one_in, percent
from navalkit.core.registry import package

from .text import SAY, Parser, print_table

Function = Callable[..., Any]
_LONG = 24
"""Characters after which an exact fraction says nothing to a reader any more."""
_AS_IN = re.compile(r"As in `+(\w+)`+\.")
_MOST = 1000
"""Numbers in a range, at most."""


def run(arguments: argparse.Namespace) -> int:
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
            print(f"  {_usage(name, function)}\n      {(getdoc(function) or '').partition(chr(10))[0]}")
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


def _usage(name: str, question: Function) -> str:
    return " ".join([name, *(p.upper() for p, each in signature(question).parameters.items() if _placed(each))])


def _placed(parameter: Parameter) -> bool:
    return parameter.kind is Parameter.POSITIONAL_OR_KEYWORD and parameter.default is Parameter.empty


# From a signature to a parser ---------------------------------------------------------------------------


def _parser(prog: str, question: Function) -> Parser:
    doc = getdoc(question) or ""
    told, hints = _told(question), get_type_hints(question)
    parser = Parser(prog=prog, description=doc.partition("\n")[0])
    for name, parameter in signature(question).parameters.items():
        types = _types(hints[name])
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


def _types(hint: Any) -> set[Any]:
    return set(get_args(hint)) if get_origin(hint) in (Union, UnionType) else {hint}


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
