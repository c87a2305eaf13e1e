"""The functions that the formula of an exercise may call: those that library.toml and the games list, and no others."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from importlib import import_module
from types import MappingProxyType
from typing import Any

from navalkit.core.files.datafile import read
from navalkit.core.registry import names, package


def listed() -> Iterator[tuple[str, str]]:
    """Module and name of each function: the library's own first, then those in the ``data/lesson.toml`` of a game."""
    for module, functions in read(__package__, "library.toml").items():
        yield from ((module, name) for name in functions.split())
    for game in map(package, names()):
        text = game.text("data/lesson.toml")
        for module, functions in tomllib.loads(text).items():
            yield from ((game.module + module, name) for name in functions.split())


def _found_when_called(module: str, name: str) -> Callable[..., Any]:
    """A function that is imported at its first call: most exercises need one game of the five."""

    def call(*args: Any, **named: Any) -> Any:
        return getattr(import_module(module), name)(*args, **named)

    return call


FUNCTIONS = MappingProxyType({name: _found_when_called(module, name) for module, name in listed()})
"""Name -> function. A teacher who needs one that is not here writes the exercise in Python."""
