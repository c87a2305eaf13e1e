"""The sentences of the explorer itself."""

from __future__ import annotations

from navalkit.core.language.words import Words

SAY = Words.load("navalkit.explore")
