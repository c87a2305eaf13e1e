"""What is played, one action after the other: by chance and automatic players, or as a record has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from .awaited import Pace, Steps
from .echo import brief
from .errors import IllegalActionError, NotationError, RecordError
from .event import Event
from .game import CHANCE, TERMINAL, A, Game, S
from .language.say import SAY

LONGEST_ACTION = 4000
"""Longest notation of an action, in characters."""


@dataclass(frozen=True, slots=True)
class Ply(Generic[S, A]):
    """One action that was played: by whom, what, and what came of it."""

    by: int
    action: A
    state: S
    events: tuple[Event, ...]


def parsed(game: Game[Any, Any], text: str) -> Any:
    """The action of a notation; one longer than any action's is refused before a game's parser sees it."""
    if len(text) > LONGEST_ACTION:
        raise NotationError(SAY("match.long", text=brief(text), n=len(text), most=LONGEST_ACTION))
    return game.parse_action(text)


def resolved(game: Game[Any, Any], state: Any, seed: int) -> Iterator[Ply]:
    """What chance and automatic players do from ``state`` until a player decides or the game is over."""
    automatic = game.automatic
    while (by := game.turn(state)) == CHANCE or by in automatic:
        action = game.chance(state).pick(seed) if by == CHANCE else game.legal(state)[0]
        step = game.apply(state, action)
        yield Ply(by, action, step.state, step.events)
        state = step.state


def verified(game: Game[Any, Any], actions: Sequence[str]) -> Steps[list[Ply]]:
    """A game played again from its notation, every action verified under the rules, in steps that tell the share done;
    RecordError naming the ply, what was expected and what was found."""
    plies: list[Ply] = []
    state, pace = game.initial(), Pace()
    for number, text in enumerate(actions, 1):
        by = game.turn(state)
        if by == TERMINAL:
            raise RecordError(SAY("match.after_end", number=number, text=brief(text)))
        try:
            action = parsed(game, text)
            step = game.apply(state, action)
        except (NotationError, IllegalActionError) as error:
            raise RecordError(SAY("match.wrong_ply", number=number, error=error)) from None
        plies.append(Ply(by, action, step.state, step.events))
        state = step.state
        if pace():
            yield number / len(actions)
    return plies
