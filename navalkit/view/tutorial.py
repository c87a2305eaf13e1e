"""A first game: a few minutes with a scripted seed, one idea a step, and success certain.

It stands in ``first.toml`` beside a game: seed, options, seats, how the game is won, and the steps, each a sentence and
the order that it asks for (the last has none). ``first.de.toml`` has the sentences in German. A test replays every one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module, resources
from typing import Any

from navalkit.core.errors import DataError, OptionError
from navalkit.core.language.say import SAY
from navalkit.core.language.words import ENGLISH, voice
from navalkit.core.registry import package

__all__ = ["Step", "Tutorial", "has_tutorial", "tutorial"]


@dataclass(frozen=True, slots=True)
class Step:
    """One idea: what it says, by language, and the order that it asks for, in notation; "" to be read alone."""

    say: Mapping[str, str]
    order: str = ""
    cards: tuple[str, ...] = ()
    """Of an example in a primer: what it shows ("8D")."""

    @property
    def text(self) -> str:
        """What it says to the present reader."""
        return self.say.get(voice().lang, self.say[ENGLISH])


@dataclass(frozen=True, slots=True)
class Tutorial:
    """The first game of a game."""

    seed: int
    options: Mapping[str, Any]
    """Of the game."""
    seats: tuple[str, ...]
    """As a page has them: "" is a person."""
    steps: tuple[Step, ...]
    """In order."""
    win: Mapping[str, tuple[str, ...]]
    """By language how the game is won, in a few lines."""
    primer: tuple[Step, ...] = ()
    """What has to be known besides, one thing an example."""

    @property
    def how_to_win(self) -> tuple[str, ...]:
        """How the game is won, said to the present reader."""
        return self.win.get(voice().lang, self.win[ENGLISH])


def tutorial(name: str) -> Tutorial:
    """The first game of a game, by the game's name ("uss-lox"); OptionError if it has none; DataError if a language has
    not as many steps as English."""
    module = package(name).module
    if not has_tutorial(name):
        raise OptionError(SAY("first.none", name=name))
    return _load(module)


def has_tutorial(name: str) -> bool:
    """Whether a game has a first game; one that is a single module has none."""
    module = import_module(package(name).module)
    return "__path__" in vars(module) and (resources.files(module) / "first.toml").is_file()


@cache
def _load(module: str) -> Tutorial:
    tables = {}
    for path in resources.files(module).iterdir():
        first, _, rest = path.name.partition(".")
        if first == "first" and rest.endswith("toml"):
            tables[rest.removesuffix("toml").strip(".") or ENGLISH] = tomllib.loads(path.read_text(encoding="utf-8"))
    plain = tables[ENGLISH]
    if any(len(table["step"]) != len(plain["step"]) for table in tables.values()):
        raise DataError(SAY("first.steps", module=module))
    steps = tuple(
        Step({lang: table["step"][n]["say"] for lang, table in tables.items()}, row.get("order", ""))
        for n, row in enumerate(plain["step"])
    )
    win = {lang: tuple(table["win"]) for lang, table in tables.items()}
    primer = tuple(
        Step({lang: table["primer"][n]["say"] for lang, table in tables.items()}, cards=tuple(row["cards"]))
        for n, row in enumerate(plain.get("primer", ()))
    )
    return Tutorial(plain["seed"], plain.get("options", {}), tuple(plain.get("seats", ())), steps, win, primer)
