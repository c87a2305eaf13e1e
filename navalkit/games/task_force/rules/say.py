"""The sentences of Task Force."""

from __future__ import annotations

from navalkit.core.language.words import Words

SAY = Words.load("navalkit.games.task_force", "data/words.toml")
