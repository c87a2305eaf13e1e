"""All that a lesson's notebook needs, with one line: ``from navalkit.teach.lesson import *``.

Games are there under their own names (``uss_lox.odds.sink("8D", 1)``) and with what they offer to lessons (their
``lesson``), beside matches, distributions, hexes, pictures, the mathematics of the standard library and the exercises.
"""

# ruff: noqa: F401
from __future__ import annotations
from collections.abc import Callable as _Callable
from fractions import Fraction
from functools import wraps as _wraps
from importlib import import_module as _import
from itertools import combinations, product
from math import comb, factorial, log, log2, sqrt
from typing import Any as _Any

import numpy as np

from navalkit.core.dist import Dist
from navalkit.core.match import Match
from navalkit.core.registry import load, names as _names, package as _package
from navalkit.grids.hex import Hex
from navalkit.grids.hex_moves import Place, any_heading, shortest_path, williamson
from navalkit.players import player
from navalkit.prob import deals
from navalkit.sim import play, summary
from navalkit.view.scene import Scene as _Scene
from . import ask, begin, fresh, report
from .checking import check
from .exercises.book import use
from .formulas import MARKER, RIVALS, Seen, brier, found, hunts, mean_score, on_ring, surprise, towards
from .pictures import Picture as _Picture, bars, board, hex_map


def _shown(draws: _Callable[..., _Any]) -> _Callable[..., _Any]:
    """A function of a game whose scenes show themselves in a notebook."""

    @_wraps(draws)
    def call(*args: _Any, **named: _Any) -> _Any:
        made = draws(*args, **named)
        return _Picture(made) if isinstance(made, _Scene) else made

    return call


def _games() -> dict[str, _Any]:
    offered: dict[str, _Any] = {}
    for package in map(_package, _names()):
        offered[package.name.replace("-", "_")] = _import(package.module)
        lesson = package.offered("lesson", None)
        for name in getattr(lesson, "__all__", ()):
            value = getattr(lesson, name)
            offered[name] = value if isinstance(value, type) else _shown(value)
    return offered


globals().update(_games())
__all__ = [name for name in dir() if not name.startswith("_") and name != "annotations"]
