"""How the review after a hunt measures: in chances to reach the scenario's goal."""

from __future__ import annotations

from navalkit.players.judge import Yardstick

from .rules.game import OnPatrol
from .rules.victory import result
from .sea.state import State


def _reached(game: OnPatrol, state: State, me: int) -> float:
    """Whether the hunt has the points that its scenario asks for, and a boat afloat."""
    return float(result(state, game.sea) == "win")


REVIEW = Yardstick("skipper", worth=_reached)
