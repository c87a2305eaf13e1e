"""What USS Lox says of its decisions: all face-down cards are one order, and what counting cards is worth."""

from __future__ import annotations
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from navalkit.core.trace import Decision
from navalkit.core.words import Words
from navalkit.view.page import Glance
from navalkit.walks.told import Change, Moment
from navalkit.walks.walk import Walk
from .game import UssLox
from .state import NO_CARD, Flip, State

SAY = Words.load("navalkit.games.uss_lox", "data/walk.toml")


class LoxWalk(Walk[UssLox, State, Decision]):
    """A patrol: to fire or not, to sail on or home."""

    words = SAY
    keys = {"escort": "◆", "miss": "◇", "sinking": "✖", "loss": "✚"}
    marks = {"escort": "escort", "missed": "miss", "sunk": "sinking", "deck_gun": "sinking", "lost": "loss"}
    players = ("vance",)
    first = "seed=5"

    def answer(self, game: Any, action: Any) -> str:
        return "flip" if isinstance(action, Flip) else super().answer(game, action)

    def spoken(self, glance: Glance[Any, Any, Any], action: Any) -> str:
        return SAY("flip") if isinstance(action, Flip) else super().spoken(glance, action)

    def lit(self, glance: Glance[Any, Any, Any], action: Any) -> tuple[str, ...]:
        return () if isinstance(action, Flip) else super().lit(glance, action)

    def changes(self, game: Any, moment: Moment[State], who: str) -> Sequence[Change]:
        own = [Change(key, SAY(key), SAY(f"{key}.help"), "cards") for key in ("fresh", "half")]
        return (*super().changes(game, moment, who), *own)

    def suppose(self, game: Any, state: State, moment: Moment[State], who: str, change: str, piece: Any) -> State:
        if change == "fresh":  # only the ship that lies there has been seen
            return replace(state, seen=0 if state.ship == NO_CARD else 1 << state.ship)
        if change == "half":
            return replace(state, supply=state.supply[: len(state.supply) // 2])
        return super().suppose(game, state, moment, who, change, piece)


WALK = LoxWalk()
