"""The machine players of a game by the names that readers know, and who of them can be asked besides."""

from __future__ import annotations
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from navalkit.core.errors import OptionError
from navalkit.core.registry import package_of
from navalkit.core.trace import Machine
from navalkit.core.words import local
from navalkit.players import makers, player
from navalkit.players.own import changes, owned


def made(name: str, game: Any) -> Machine:
    """A machine player by name; OptionError if there is none, or it cannot play this game."""
    return _made(name, game, changes())


@lru_cache(maxsize=64)
def _made(name: str, game: Any, changes: int) -> Machine:
    return player(name, game)


def called(game: Any, captain: str) -> str:
    """The name of a machine player as readers know it: that of the captain it is, or the title of one of your own."""
    known = next((each.called for each in _captains(game) if captain in _names(each)), "")
    yours = owned(game).get(captain) if not known and captain not in package_of(game).bots else None
    return known or (yours.title if yours is not None else captain)


def rivals(game: Any, captain: str) -> tuple[str, ...]:
    """The others who can be asked: the named captains and players of your own, or every machine player who can play
    the game."""
    return _rivals(game, captain, changes())


@lru_cache(maxsize=64)
def _rivals(game: Any, captain: str, changes: int) -> tuple[str, ...]:
    named = tuple(each.name for each in _captains(game))
    found = []
    for name in (*named, *owned(game)) if named else sorted(makers(game)):
        try:
            made(name, game)
        except OptionError:  # one that cannot play where something is hidden
            continue
        found.append(name)
    same = next((_names(each) for each in _captains(game) if captain in _names(each)), ())
    return tuple(name for name in found if name not in (captain, *same))


def _captains(game: Any) -> Sequence[Any]:
    found: Sequence[Any] = package_of(game).offered("CAPTAINS", ())
    return found


def _names(captain: Any) -> tuple[str, ...]:
    """The names of a captain: the player's own too, where it is that player as it is."""
    return (captain.name,) if captain.options or captain.slips else (captain.name, captain.player)


def figure(value: Any) -> str:
    """What an option was found to be worth, as it is told; "" for nothing."""
    if value is None:
        return ""
    number = float(value)
    return local(f"{number:,.0f}" if abs(number) >= 100 else f"{number:,.3g}")
