"""The game's own players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from navalkit.players.captains import captains, with_captains

from .skipper import Skipper

CAPTAINS = captains("navalkit.games.on_patrol", "data/captains.toml")
BOTS: Mapping[str, Callable[..., Any]] = with_captains({"skipper": Skipper}, CAPTAINS)
"""The game's own machine players, the named captains among them: name -> maker(game, **options)."""
