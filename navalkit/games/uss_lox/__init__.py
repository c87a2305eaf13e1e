"""USS Lox: a submarine patrol with a pack of cards."""

from __future__ import annotations

from typing import Any

from .rules import UssLox

GAME = UssLox

__all__ = ["GAME", "UssLox", "simulate"]


def __getattr__(name: str) -> Any:
    # The simulator builds tables of its own; playing the game needs none of them.
    if name == "simulate":
        from .patrols import simulate

        return simulate
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
