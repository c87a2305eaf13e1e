"""USS Lox: a submarine patrol with a pack of cards."""

from __future__ import annotations

from navalkit.core.registry import lazily

from .rules import UssLox

GAME = UssLox

__all__ = ["BOTS", "GAME", "ODDS", "PAGE", "PICTURE", "QUESTIONS", "UssLox", "simulate"]
__getattr__ = lazily(
    __name__, BOTS=".ai", ODDS=".odds", PAGE=".page", PICTURE=".picture", QUESTIONS=".questions", simulate=".patrols"
)
