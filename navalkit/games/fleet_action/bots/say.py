"""The figures the players go by, and the sentences that give their reasons."""

from __future__ import annotations

from collections.abc import Mapping

from navalkit.core.files.datafile import read, sourced
from navalkit.core.language.words import Words

from ..words import HOME

_ROWS = read(HOME, "data/bots.toml")["figure"]
FIGURES: Mapping[str, float] = {row["name"]: float(sourced(row, f"figure {row['name']}")["value"]) for row in _ROWS}
"""Name -> value; bots.toml says what each is for."""
SAY = Words.load(HOME, "data/bots_words.toml")
