"""Machine players: those that need no game's insides, a game's own by name, and yours (`navalkit.players.own`)."""

from __future__ import annotations
from collections.abc import Callable
from inspect import signature
from typing import Any, overload

from navalkit.core.errors import OptionError, brief
from navalkit.core.game import A, Game, O, S
from navalkit.core.registry import as_game, package_of
from navalkit.core.trace import Machine
from navalkit.core.words import SAY, suggested
from .generic import GENERIC, Expectimax, Greedy, Random
from .own import Maker, check_options, declared, owned, pointed, register, tuned

__all__ = ["Expectimax", "Greedy", "Random", "makers", "player", "register"]


def makers(game: Game[Any, Any]) -> dict[str, Callable[..., Machine]]:
    """The makers of all players for ``game`` by name: the generic ones, the game's own, which replace generic ones of
    the same name, and those that are registered or that other packages declare, under names that are not taken."""
    known = {**GENERIC, **package_of(game).bots}
    return {**known, **{name: maker for name, maker in owned(game).items() if name not in known}}


@overload
def player(what: Any, game: Game[S, A, O], /, **options: Any) -> Machine[O, A]: ...


@overload
def player(what: Any, game: str, /, **options: Any) -> Machine: ...


def player(what: Any, game: Game | str, /, **options: Any) -> Machine:
    """A machine player, by name or of your own.

    Parameters
    ----------
    what : str, class or player
        "random", "greedy", "expectimax", one of the game's own, one that an installed package declares under
        ``navalkit.players``, or where one is ("my_bots:Bold"), with options behind a colon, as figures name them
        ("greedy:threshold=0.35,counting=yes"); a class of your own, which is given the game where it asks for one, or a
        player, that is anything with ``decide(observation, legal, rng)``.
    game : Game or str
        What it plays; a name ("uss-lox") is that game with its usual options.
    **options
        What its maker takes, such as ``depth=2``.

    Raises
    ------
    OptionError
        For an unknown player (the sentence lists those there are), an unknown option or a value out of range,
        and for a player that cannot play this game.
    PlayerError
        If a class of your own fails as its player is made.

    Returns
    -------
    Machine

    Examples
    --------
    >>> from navalkit import Match
    >>> match = Match.new("uss-lox", seed=1)
    >>> import numpy as np
    >>> str(player("random", "uss-lox").decide(match.observe(0), match.legal(), np.random.default_rng(0)).action)
    'flip B3'
    >>> class Last:
    ...     def decide(self, observation, legal, rng):
    ...         return legal[-1]
    >>> str(player(Last, "uss-lox").decide(match.observe(0), match.legal()).action)
    'flip C3'
    """
    game = as_game(game)
    if not isinstance(what, str):
        return Maker(what)(game, **options)
    name, given = tuned(what)
    what, options = name, {**given, **options}
    if ":" in what:
        return pointed(what)(game, **options)
    known = makers(game)
    maker = known.get(what) or declared(what)  # one that is declared, and not for this game, says so itself
    if maker is None:
        listed = ", ".join(sorted(known))
        raise OptionError(
            SAY("players.unknown", game=game.name, name=brief(what), near=suggested(what, known), listed=listed)
        )
    if not isinstance(maker, Maker):
        check_options(what, list(signature(maker).parameters.values())[1:], options)  # the first is the game
    return maker(game, **options)
