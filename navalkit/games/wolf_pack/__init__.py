"""Wolf Pack: U-boats against a convoy, two hands of cards from one deck."""

from __future__ import annotations

from navalkit.core.registry import lazily

from .rules import WolfPack

GAME = WolfPack

__all__ = ["BOTS", "GAME", "ODDS", "PICTURE", "QUESTIONS", "WolfPack"]
__getattr__ = lazily(__name__, BOTS=".ai", ODDS=".odds", PICTURE=".picture", QUESTIONS=".questions")
