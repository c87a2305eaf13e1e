"""How the review after a battle measures: the admiral plays it out, for gunnery leaves the board for no exit."""

from __future__ import annotations

from navalkit.players.judge import Yardstick

REVIEW = Yardstick("admiral")
