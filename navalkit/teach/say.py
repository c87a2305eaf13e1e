"""The sentences of exercises, reports and pictures, from words.toml."""

from __future__ import annotations

from navalkit.core.words import Words

SAY = Words.load("navalkit.teach")
