"""How the review after a game of Wolf Pack measures: in chances to win."""

from __future__ import annotations

from navalkit.players.judge import Yardstick

REVIEW = Yardstick("greedy", adviser="careful")
