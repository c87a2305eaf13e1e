"""The sentences of Wolf Pack."""

from __future__ import annotations

from navalkit.core.language.words import Words

SAY = Words.load("navalkit.games.wolf_pack", "data/words.toml")
