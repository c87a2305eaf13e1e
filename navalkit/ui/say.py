"""The sentences of the pages themselves."""

from __future__ import annotations

from navalkit.core.language.words import Words

SAY = Words.load("navalkit.ui")
