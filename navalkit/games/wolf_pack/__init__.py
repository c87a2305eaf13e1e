"""Wolf Pack: U-boats against a convoy, two hands of cards from one deck."""

from __future__ import annotations

from .rules import WolfPack

GAME = WolfPack

__all__ = ["GAME", "WolfPack"]
