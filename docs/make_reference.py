"""Writes docs/reference.md, the public functions and classes with their docstrings: ``make docs``."""

from __future__ import annotations
import importlib
import inspect
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from navalkit.core.registry import names

_CACHED = type(cache(len))
HOME = Path(__file__).with_name("reference.md")
HEAD = """# Reference

Made by `make docs` from the docstrings. What stands here stays importable under these names; between versions whose
first two numbers are the same, arguments keep their meaning. Modules that do not stand here are the inside of the
house: their names may move.
"""
MODULES = (
    "navalkit", "navalkit.core.game", "navalkit.core.match", "navalkit.core.record", "navalkit.core.dist",
    "navalkit.core.trace", "navalkit.core.words", "navalkit.core.errors",
    "navalkit.core.awaited", "navalkit.prob.deals", "navalkit.prob.intervals", "navalkit.prob.placements",
    "navalkit.players", "navalkit.players.meeting", "navalkit.sim", "navalkit.explore", "navalkit.teach",
    "navalkit.testing", "navalkit.testing.strategies", "navalkit.grids.hex", "navalkit.grids.hex_moves",
    "navalkit.grids.square",
)  # fmt: skip
GAMES = tuple(f"navalkit.games.{name.replace('-', '_')}" for name in names())


def public(module: ModuleType) -> dict[str, object]:
    """What a module offers: its ``__all__``, which every module of this page has."""
    return {name: _inside(getattr(module, name)) for name in module.__all__ if not name.startswith("__")}


def _inside(each: Any) -> object:
    """The function that a cache stands before, or the thing itself."""
    return each.__wrapped__ if isinstance(each, _CACHED) else each


def _of_games() -> tuple[str, ...]:
    """The modules of the games' own helpers: each package, its ``odds``, and what other modules it offers."""
    found: list[str] = []
    for game in GAMES:
        offered = public(importlib.import_module(game)).values()
        found += dict.fromkeys((game, f"{game}.odds", *(each.__name__ for each in offered if inspect.ismodule(each))))
    return tuple(found)


MODULES += _of_games()


def section(module: ModuleType) -> str:
    """A module's part of the page."""
    parts = [f"## {module.__name__}", inspect.getdoc(module) or ""]
    for name, each in public(module).items():
        if inspect.isfunction(each) or inspect.isclass(each):
            parts += [f"### `{name}{_signature(each)}`", _indented(inspect.getdoc(each) or "")]
            parts += [text for method in _methods(each) for text in method]
    return "\n\n".join(filter(None, parts))


def _methods(each: object) -> list[tuple[str, str]]:
    if not inspect.isclass(each):
        return []
    own = [(name, value) for name, value in vars(each).items() if not name.startswith("_")]
    found = [(name, getattr(value, "__func__", value)) for name, value in own]
    return [(f"#### `{each.__name__}.{name}{_signature(value)}`", _indented(inspect.getdoc(value) or ""))
            for name, value in found if inspect.isfunction(value)]  # fmt: skip


def _signature(each: object) -> str:
    try:
        return str(inspect.signature(each)).replace("typing.", "")  # type: ignore[arg-type]
    except (TypeError, ValueError):  # an exception, an enumeration
        return ""


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


def page() -> str:
    """The whole page."""
    modules = [importlib.import_module(name) for name in MODULES]
    return "\n\n".join((HEAD.strip(), *map(section, modules))) + "\n"


if __name__ == "__main__":
    HOME.write_text(page(), encoding="utf-8")
