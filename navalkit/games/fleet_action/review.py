"""How the review after a battle measures: gunnery plays it out, the admiral says what would have been better."""

from __future__ import annotations

from navalkit.players.judge import Yardstick

REVIEW = Yardstick("gunnery", adviser="admiral")
