"""The sentences of what happens and of what is refused in Fleet Action."""

from __future__ import annotations

from navalkit.core.language.words import Words

HOME = "navalkit.games.fleet_action"
SAY = Words.load(HOME, "data/words.toml")
