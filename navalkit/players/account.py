"""How a game went: what a game's package offers as ``ACCOUNT``, for its balance."""

from __future__ import annotations
from collections.abc import Callable
from dataclasses import dataclass

from navalkit.core.match import Match

DRAW = -1


@dataclass(frozen=True, slots=True)
class Account:
    """How a game went."""

    winner: int
    """The player who won; `DRAW` for nobody."""
    length: float
    """In ``unit``."""
    unit: str
    """"moves", "turns"."""
    leads: tuple[float, ...] = ()
    """The first player's lead after each of these units, in points of the game."""
    decided: str = ""
    """What decided it ("guns"); "" where the game tells no such thing."""
    one_blow: bool = False
    """Whether one blow alone did."""
    clock: bool = False
    """Whether the last move or turn came with nothing decided."""

    @property
    def lead_changes(self) -> int:
        """How often the lead passed from one player to the other."""
        signs = [lead > 0 for lead in self.leads if lead]
        return sum(a != b for a, b in zip(signs, signs[1:], strict=False))


def plain(match: Match) -> Account:
    """Of a game that has no account of its own: with two deciders the higher score wins; alone, any score above 0."""
    outcome = match.outcome
    assert outcome is not None
    scores = outcome.scores
    if match.game.deciders > 1:
        winner = DRAW if scores[0] == scores[1] else int(scores[1] > scores[0])
    else:
        winner = 0 if scores[0] > 0 else 1
    return Account(winner, match.ply, "plies", decided=outcome.result)


Accountant = Callable[[Match], Account]
"""What a game's package offers as ``ACCOUNT``; `plain` where it offers none."""
