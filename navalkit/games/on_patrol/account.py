"""What a hunt came to: won with the points that its scenario asks for, and what decided it."""

from __future__ import annotations

from navalkit.core.account import Account
from navalkit.core.match import Match

from .rules.game import OnPatrol
from .rules.victory import points, result


def ACCOUNT(match: Match) -> Account:
    """What a finished hunt came to, in turns; the captain is its first player, and a draw is no win.

    It was decided by the goal reached, by boats lost, by damage that cost more than was sunk, or by time.
    """
    game, state = match.game, match.state
    assert isinstance(game, OnPatrol)
    if result(state, game.sea) == "win":
        decided = "goal"
    elif any(boat.sunk for boat in state.boats):
        decided = "boats"
    else:
        decided = "damage" if points(state) < 0 else "time"
    return Account(int(decided != "goal"), state.turn, "turns", decided=decided)
