"""navalkit: naval games as a small, exact, explainable library."""

from __future__ import annotations

from . import games
from .core.match import Match
from .core.registry import load, register
from .players import player

__version__ = "0.1.0"
__all__ = ["Match", "__version__", "games", "load", "player", "register"]
