"""The functions that the formula of an exercise may call: those that library.toml names, and no others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

from navalkit.core.files.datafile import read

LISTED: Mapping[str, str] = read(__package__, "library.toml")
"""Module -> the names of its functions."""


def _found_when_called(module: str, name: str) -> Callable[..., Any]:
    """A function that is imported at its first call: most exercises need one game of the five."""

    def call(*args: Any, **named: Any) -> Any:
        return getattr(import_module(module), name)(*args, **named)

    return call


FUNCTIONS = MappingProxyType(
    {name: _found_when_called(module, name) for module, names in LISTED.items() for name in names.split()}
)
"""Name -> function. A teacher who needs one that is not here writes the exercise in Python."""
