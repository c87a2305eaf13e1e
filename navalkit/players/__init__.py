"""Machine players: those that need no game's insides, and a game's own by name."""

from __future__ import annotations
from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any, overload

from navalkit.core.errors import OptionError, brief
from navalkit.core.game import A, Game, O, S
from navalkit.core.registry import load, package_of
from navalkit.core.trace import Machine
from navalkit.core.words import SAY, suggested
from .generic import Expectimax, Greedy, Random

__all__ = ["Expectimax", "Greedy", "Random", "makers", "player"]

_GENERIC: Mapping[str, Callable[..., Machine]] = {"random": Random, "greedy": Greedy, "expectimax": Expectimax}


def makers(game: Game[Any, Any]) -> dict[str, Callable[..., Machine]]:
    """The makers of all players for ``game`` by name; the game's own replace generic ones of the same name."""
    return {**_GENERIC, **package_of(game).bots}


@overload
def player(name: str, game: Game[S, A, O], /, **options: Any) -> Machine[O, A]: ...


@overload
def player(name: str, game: str, /, **options: Any) -> Machine: ...


def player(name: str, game: Game | str, /, **options: Any) -> Machine:
    """A machine player by name.

    Parameters
    ----------
    name : str
        "random", "greedy", "expectimax", or one of the game's own.
    game : Game or str
        What it plays; a name ("uss-lox") is that game with its usual options.
    **options
        What its maker takes, such as ``depth=2``.

    Raises
    ------
    OptionError
        For an unknown player (the sentence lists those there are), an unknown option or a value out of range,
        and for a player that cannot play this game.

    Returns
    -------
    Player

    Examples
    --------
    >>> from navalkit import Match
    >>> match = Match.new("uss-lox", seed=1)
    >>> import numpy as np
    >>> str(player("random", "uss-lox").decide(match.observe(0), match.legal(), np.random.default_rng(0)).action)
    'flip B3'
    """
    game = load(game) if isinstance(game, str) else game
    known = makers(game)
    maker = known.get(name) if isinstance(name, str) else None
    if maker is None:
        listed = ", ".join(sorted(known))
        raise OptionError(
            SAY("players.unknown", game=game.name, name=brief(name), near=suggested(name, known), listed=listed)
        )
    parameters = list(signature(maker).parameters.values())[1:]  # the first is the game
    if not any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters):
        valid = [parameter.name for parameter in parameters]
        for option in options:
            if option not in valid:
                listed = ", ".join(valid) or "none"
                raise OptionError(
                    SAY("players.option", who=name, name=brief(option), near=suggested(option, valid), listed=listed)
                )
    return maker(game, **options)
