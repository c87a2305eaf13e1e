"""USS Lox: a submarine patrol with a pack of cards."""

from __future__ import annotations

from .rules import UssLox

GAME = UssLox

__all__ = ["GAME", "UssLox"]
