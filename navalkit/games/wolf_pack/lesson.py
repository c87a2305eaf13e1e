"""What lessons ask of Wolf Pack: a game as one side sees it, and cards that are unseen."""

from __future__ import annotations
from collections.abc import Sequence

from navalkit.core.match import Match
from .cards import parse
from .rules import WolfPack
from .state import Observation

__all__: list[str] = []

LESSON_DECK = "periscope=12 torpedo=14 transport=14"
"""The deck of the lessons, the same whatever the default deck becomes."""


def wolf_pack(seed: int, orders: Sequence[str], side: int) -> Observation:
    """What one side sees of a game of Wolf Pack after these orders: its `Observation`."""
    match = Match.new(WolfPack(deck=LESSON_DECK), seed=seed)
    for order in orders:
        match.play(order)
    return match.observe(side)


def unseen(card: str, observation: Observation) -> int:
    """How many cards of a kind are unseen: in the deck or, unknown, in the opponent's hand."""
    return int(observation.unseen[parse(card)])
