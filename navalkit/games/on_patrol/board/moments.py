"""A hunt as a row of moments to step through: whose turn it is at each, what led to it, and which are worth a mark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from navalkit.core.event import Event
from navalkit.core.game import Game
from navalkit.core.match import Match
from navalkit.core.plies import Ply

from ..escort.precedence import next_to_move
from ..sea.state import ESCORTS, Phase, State


class Key(StrEnum):
    """What makes a moment a key moment, the gravest last."""

    CONTACT = "contact"
    LOSS = "loss"
    ATTACK = "attack"
    HIT = "hit"
    SINKING = "sinking"


_DETECTION = "104.1.3"
_KINDS = {
    Key.CONTACT: ("visible", "surfaced", "found", "torpedoes"),
    Key.LOSS: ("disappears", "missed"),
    Key.ATTACK: ("attacks", "launched"),
    Key.HIT: ("hit", "damage", "gun_hit", "ram_hit", "crush"),
    Key.SINKING: ("sunk_ship", "sunk_boat"),
}
KEYS: Mapping[str, Key] = {kind: key for key, kinds in _KINDS.items() for kind in kinds}
"""Kind of event -> what it makes of its moment."""
_OF_MARKERS = {*_KINDS[Key.CONTACT], *_KINDS[Key.LOSS]}


def key_of(event: Event) -> Key | None:
    """What an event makes of its moment: a single search that finds or misses makes nothing, a marker laid does."""
    if event.kind in _OF_MARKERS and event.rule != _DETECTION:
        return None
    return KEYS.get(event.kind)


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment of a hunt."""

    ply: int  # actions that led here
    state: State
    by: int  # who did the last of them: a player, or -1 for chance; at the start, chance
    action: Any  # the last of them; None at the start
    events: tuple[Event, ...]  # what came of it
    who: str  # id of the escort that moves next, or ""
    keys: tuple[Key, ...]  # what there is of note in the events, each once, the gravest last

    @property
    def turn(self) -> int:
        return self.state.turn

    @property
    def phase(self) -> Phase:
        return self.state.phase


def mover(state: State) -> str:
    """The escort that moves next when escorts are on turn: in phase 3, or to her run in the prolonged attack."""
    return state.moved[0] if state.phase is Phase.END else next_to_move(state) or ""


def moments(match: Match) -> tuple[Moment, ...]:
    """The moments of a match: one before its first action, and one after each."""
    return _moments(match.game, match.at(0), match.plies)


def unfolded(game: Game[Any, Any], state: State) -> tuple[Moment, ...]:
    """A position and what the escorts do in it by rule, until somebody else's turn comes."""
    start, plies = state, []
    while game.turn(state) == ESCORTS:
        action = game.legal(state)[0]
        step = game.apply(state, action)
        state = step.state
        plies.append(Ply(ESCORTS, action, state, step.events))
    return _moments(game, start, plies)


def _moments(game: Game[Any, Any], start: State, plies: Sequence[Ply]) -> tuple[Moment, ...]:
    def moment(number: int, state: State, by: int, action: Any, events: tuple[Event, ...]) -> Moment:
        found = {key_of(event) for event in events}
        keys = tuple(key for key in Key if key in found)
        who = mover(state) if game.turn(state) == ESCORTS else ""
        return Moment(number, state, by, action, events, who, keys)

    first = moment(0, start, -1, None, ())
    return first, *(moment(n, ply.state, ply.by, ply.action, ply.events) for n, ply in enumerate(plies, 1))


# Stepping --------------------------------------------------------------------------------------------------------

UNITS = ("escort", "phase", "turn", "key moment", "roll")
"""What one may step by; "roll" is every single action, chance's too."""


def stops(row: Sequence[Moment], unit: str) -> tuple[int, ...]:
    """Where one stops when stepping by a unit: indices of the moments, the first and the last always among them.

    By "escort" one stops before each escort's move; by "phase" and "turn" where a new one begins.
    """
    found = {0, len(row) - 1}
    for i, (before, now) in enumerate(zip(row, row[1:], strict=False), 1):
        begins = {
            "roll": True,
            "escort": bool(now.who),
            "phase": (before.turn, before.phase) != (now.turn, now.phase),
            "turn": before.turn != now.turn,
            "key moment": bool(now.keys),
        }
        if begins[unit]:
            found.add(i)
    return tuple(sorted(found))
