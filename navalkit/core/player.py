"""What every machine player implements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from typing_extensions import TypeVar

from .awaited import Steps
from .game import A
from .trace import Decision, Option

O_in = TypeVar("O_in", contravariant=True, default=Any)
"""What a player sees."""


Luck = np.random.Generator | None
"""Where a player's own chance comes from; None is a fresh generator."""


class Player(Protocol[O_in, A]):
    """Chooses one of the legal actions from what it may see. A player of your own needs no more than this."""

    name: str

    def decide(self, observation: O_in, legal: Sequence[A], rng: np.random.Generator) -> Decision[A]:
        """The action it takes, with its reasons.

        Parameters
        ----------
        observation : object
            What ``game.observe(state, player)`` gave; never the state of a game that hides something.
        legal : sequence of actions
            Not empty.
        rng : numpy Generator
            For players that need chance of their own.

        Raises
        ------
        IllegalActionError
            By a game's own captains, if it is not the turn of whose observation it is.
        """
        ...


class Machine(Player[O_in, A], Protocol):
    """A player of the library: one that draws nothing by chance needs no generator, another then takes a fresh one."""

    def decide(
        self, observation: O_in, legal: Sequence[A], rng: Luck = None
    ) -> Decision[A]:
        """As `Player.decide`."""
        ...


@runtime_checkable
class Thinker(Player, Protocol):
    """A player who may need more than 20 ms, and so can be asked to decide a step at a time."""

    def think(self, observation: Any, legal: Sequence[Any], rng: np.random.Generator) -> Steps[Decision]:
        """As `Player.decide`, in steps (`navalkit.core.awaited`)."""
        ...


@runtime_checkable
class Weigher(Player, Protocol):
    """A player whose decision does not tell of every legal action, but who says what any is worth when asked."""

    def weigh(self, observation: Any, legal: Sequence[Any], actions: Sequence[Any]) -> Steps[Sequence[Option]]:
        """What actions are worth to it, in steps.

        Parameters
        ----------
        observation, legal
            As `Player.decide` takes them.
        actions : sequence of actions
            Some of the legal ones.

        Returns
        -------
        steps of a sequence of Option
            One for each action, with its value, its facts, and why it is not taken.

        Examples
        --------
        >>> from navalkit import Match, player
        >>> from navalkit.core.awaited import finish
        >>> match = Match.new("task-force", seed=1)
        >>> hunter = player("hunter", match.game)
        >>> (option,) = finish(hunter.weigh(match.observe(), match.legal(), match.legal()[-1:]))
        >>> option.rule
        'T7'
        """
        ...


def thinking(player: Player, observation: Any, legal: Sequence[Any], rng: np.random.Generator) -> Steps[Decision]:
    """The decision of any player in steps: of one who needs no time in a single one.

    Parameters
    ----------
    player : Player
    observation, legal, rng
        As `Player.decide` takes them.

    Returns
    -------
    Steps of Decision

    Examples
    --------
    >>> from navalkit import Match
    >>> from navalkit.core.awaited import finish
    >>> from navalkit.players import player
    >>> match, rng = Match.new("uss-lox", seed=1), np.random.default_rng(0)
    >>> str(finish(thinking(player("random", "uss-lox"), match.observe(0), match.legal(), rng)).action)
    'flip B3'
    """
    if isinstance(player, Thinker):
        return (yield from player.think(observation, legal, rng))
    return player.decide(observation, legal, rng)
