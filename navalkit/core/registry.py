"""Games by name, imported only when asked for."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from .errors import OptionError
from .game import Game
from .options import brief

_GAMES = {
    "uss-lox": "navalkit.games.uss_lox",
    "task-force": "navalkit.games.task_force",
    "wolf-pack": "navalkit.games.wolf_pack",
    "fleet-action": "navalkit.games.fleet_action",
    "on-patrol": "navalkit.games.on_patrol",
}


def names() -> tuple[str, ...]:
    """The names of all games."""
    return tuple(_GAMES)


def game_class(name: str) -> type[Game[Any, Any]]:
    """The class of a game by its name; underscores are taken for hyphens.

    Raises
    ------
    OptionError
        If there is no such game; the sentence lists those there are.
    """
    module = _GAMES.get(str(name).replace("_", "-").lower())
    if module is None:
        raise OptionError(f"there is no game {brief(name)}; the games are: {', '.join(_GAMES)}.")
    return import_module(module).GAME  # type: ignore[no-any-return]


def load(name: str, /, **options: Any) -> Game[Any, Any]:
    """A game by name ("uss-lox") with its options.

    Raises
    ------
    OptionError
        For an unknown game, an unknown option or a value out of range.
    """
    return game_class(name)(**options)


def drawing(game: Game[Any, Any], name: str) -> ModuleType:
    """The module of that name ("page", "scene") among those of a game that draw: in its room "board", if it has one."""
    package = game.package
    return import_module(f"{package}.board.{name}" if find_spec(f"{package}.board") else f"{package}.{name}")
