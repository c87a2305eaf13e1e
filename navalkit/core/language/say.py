"""The sentences of what all games share: refusals and errors."""

from __future__ import annotations

from .words import Words

SAY = Words.load("navalkit.core.language")
