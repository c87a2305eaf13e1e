"""What a room shows: the class's questions, the invitation, and the guest's own page."""

from __future__ import annotations

from navalkit.core.words import Words

ROOM = Words.load("navalkit.ui.rooms")
