"""The sentences of the escort stepper."""

from __future__ import annotations

from navalkit.core.language.words import Words

STEP = Words.load("navalkit.ui.step")
