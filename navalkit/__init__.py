"""navalkit: naval games as a small, exact, explainable library."""

from __future__ import annotations
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .core.match import Match
from .core.shown import drawn_by
from .players import player, register

if TYPE_CHECKING:
    from .games import load

    def games() -> tuple[str, ...]:
        """The names of all games."""
else:
    from . import games
    from .core.registry import load

__version__ = "0.2.0"
__all__ = ["Match", "__version__", "games", "load", "player", "register"]


def _drawn(form: str) -> Any:
    return lambda value: getattr(import_module(".teach.pictures", __name__), form)(value)


drawn_by(html=_drawn("html"), text=_drawn("plain"))
