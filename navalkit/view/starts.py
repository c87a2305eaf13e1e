"""The ways to begin a game, as a newcomer chooses among them: each a card that says what it is and whom it suits.

They stand in ``starts.toml`` beside a game, the one to begin with first:

    [[start]]
    title = "Lone merchant"
    about = "A tanker without escort, and a boat off her bow."
    forces = "1 boat against 1 ship"
    difficulty = 1                   # to 5
    minutes = 10
    suits = "a first hunt"
    options = { scenario = "lone-merchant" }
    opens = true                     # a page that is asked for nothing else begins with it
    de = { title = "..." }           # what another language says otherwise, by its name
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import import_module, resources
from typing import Any

from navalkit.core.files.datafile import read
from navalkit.core.language.words import voice
from navalkit.core.registry import package

__all__ = ["Start", "Stock", "Stocked", "starts"]

_FILE = "starts.toml"


@dataclass(frozen=True, slots=True)
class Start:
    """A way to begin."""

    title: str
    about: str
    forces: str
    difficulty: int
    """1 (easy) to 5."""
    minutes: int
    """How long a game takes."""
    suits: str
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of the game; those left out are its defaults."""
    opens: bool = False
    """Whether a page that is asked for nothing else begins with it: a game whose usual scenario is not for learning."""
    tongues: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """What is said in another language ("de"), by the names of these fields."""

    def said(self, name: str) -> str:
        """One of its texts, for the present reader."""
        plain = {"title": self.title, "about": self.about, "forces": self.forces, "suits": self.suits}
        return self.tongues.get(voice().lang, {}).get(name, plain[name])


@dataclass(frozen=True, slots=True)
class Stocked:
    """One thing of a `Stock`: a ship."""

    name: str
    """As an option names it."""
    group: str
    """Under which heading it stands ("cruiser")."""
    about: str
    """What is said beside its name ("York class")."""
    cells: tuple[str, ...]
    """What is told of it, a cell each."""
    worth: int
    """What it counts in the sum of those chosen."""


@dataclass(frozen=True, slots=True)
class Stock:
    """What options that name several things, with commas between, are put together from; a package's ``STOCK``."""

    fields: tuple[str, ...]
    """Those options ("blue", "red")."""
    needs: Mapping[str, Any]
    """The options under which they count."""
    head: tuple[str, ...]
    """Over the names and over each of the cells."""
    things: tuple[Stocked, ...]


def starts(name: str) -> tuple[Start, ...]:
    """Those of a game, by the game's name ("uss-lox"); () where it tells none."""
    return _load(package(name).module)


@cache
def _load(module: str) -> tuple[Start, ...]:
    found = import_module(module)
    if "__path__" not in vars(found) or not (resources.files(module) / _FILE).is_file():
        return ()
    known = {each.name for each in fields(Start)}
    return tuple(
        Start(**{name: row[name] for name in row if name in known},
              tongues={name: dict(row[name]) for name in row if name not in known})
        for row in read(module, _FILE)["start"]
    )  # fmt: skip
