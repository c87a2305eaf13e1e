"""The sentences of USS Lox (words.toml, and words.de.toml in German)."""

from __future__ import annotations

from navalkit.core.language.words import Words

SAY = Words.load("navalkit.games.uss_lox", "data/words.toml")
