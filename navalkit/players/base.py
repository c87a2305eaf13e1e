"""What the generic players share: whom they can play for, and what a position is worth by playing it out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from navalkit.core.echo import brief
from navalkit.core.errors import OptionError
from navalkit.core.game import CHANCE, TERMINAL, Game
from navalkit.core.language.say import SAY
from navalkit.core.language.words import Text
from navalkit.core.trace import Decision, Option

Evaluate = Callable[[Any], Sequence[float]]
"""What a state is worth: one number a player, in the unit of the game's scores."""

LONGEST = 100_000
"""Plies after which a game that is played out counts as one that never ends."""


def check_open(game: Game[Any, Any], who: str) -> None:
    """OptionError if ``game`` hides something: a player that looks ahead needs the whole state."""
    if game.hides:
        raise OptionError(SAY("players.hides", who=who, game=game.name))


def check_count(who: str, name: str, value: Any) -> int:
    """``value`` if it is a whole number from 1 up; OptionError otherwise."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise OptionError(SAY("players.whole_number", who=who, name=name, value=brief(value)))
    return value


def settle(game: Game[Any, Any], state: Any, rng: np.random.Generator) -> Any:
    """The state after chance, and players whose action is prescribed, have acted."""
    for _ in range(LONGEST):
        turn = game.turn(state)
        if turn == CHANCE:
            state = game.apply(state, game.chance(state).sample(rng)).state
        elif turn in game.automatic:
            state = game.apply(state, game.legal(state)[0]).state
        else:
            return state
    raise OptionError(SAY("players.no_decision", game=game.name, longest=LONGEST))


def play_out(game: Game[Any, Any], state: Any, rng: np.random.Generator) -> Sequence[float]:
    """The scores of one game played from ``state`` to its end by players who take any legal action."""
    for _ in range(LONGEST):
        state = settle(game, state, rng)
        if game.turn(state) == TERMINAL:
            return scores(game, state)
        legal = game.legal(state)
        state = game.apply(state, legal[int(rng.integers(len(legal)))]).state
    raise OptionError(SAY("players.endless", game=game.name, longest=LONGEST))


def scores(game: Game[Any, Any], state: Any) -> Sequence[float]:
    """The scores of a game that is over."""
    outcome = game.outcome(state)
    assert outcome is not None  # the protocol: a terminal state has an outcome
    return outcome.scores


def best_of(by: str, options: Sequence[Option], reason: Text) -> Decision:
    """The decision for the option of the highest value; of several, the one named first."""
    ranked = sorted(options, key=lambda option: -(option.value or 0.0))
    best, rest = ranked[0], ranked[1:]
    worse = [Option(o.action, o.value, o.facts, rejected=SAY.phrase("players.not_better")) for o in rest]
    return Decision(best.action, by, reason, options=(best, *worse), unit="score")
