"""What the pages say of rooms."""

from __future__ import annotations

from navalkit.core.language.words import Words

ROOM = Words.load("navalkit.ui.rooms")
