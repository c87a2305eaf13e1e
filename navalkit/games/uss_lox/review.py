"""How the review after a patrol measures: in tons to expect, exactly, from the cards that nobody had seen."""

from __future__ import annotations

from navalkit.players.judge import Yardstick

from .rules.game import UssLox
from .rules.state import State


def _tons(game: UssLox, state: State, me: int) -> float:
    return float(state.tons)


REVIEW = Yardstick("optimal", unit="t", least=3000, exact=True, worth=_tons)
