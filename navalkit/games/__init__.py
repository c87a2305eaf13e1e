"""The games, one package each. ``navalkit.games()`` is the list of their names."""

from __future__ import annotations
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, overload

from navalkit.core.game import Game
from navalkit.core.registry import load as _load, names

if TYPE_CHECKING:
    from .fleet_action import FleetAction
    from .on_patrol import OnPatrol
    from .task_force import TaskForce
    from .uss_lox import UssLox
    from .wolf_pack import WolfPack

__all__ = ["load", "names"]


@overload
def load(name: Literal["fleet-action"], /, **options: Any) -> FleetAction: ...
@overload
def load(name: Literal["on-patrol"], /, **options: Any) -> OnPatrol: ...
@overload
def load(name: Literal["task-force"], /, **options: Any) -> TaskForce: ...
@overload
def load(name: Literal["uss-lox"], /, **options: Any) -> UssLox: ...
@overload
def load(name: Literal["wolf-pack"], /, **options: Any) -> WolfPack: ...
@overload
def load(name: str, /, **options: Any) -> Game: ...
def load(name: str, /, **options: Any) -> Game:
    """A game by name with its options.

    Parameters
    ----------
    name : str
        One of `names`; underscores are taken for hyphens.
    **options
        The game's own (``load(name).specs`` lists them).

    Returns
    -------
    Game
        Its type is known to a type checker where the name is one of the five.

    Raises
    ------
    OptionError
        For an unknown game or option (the sentence lists those there are, and suggests a near name), or a value out
        of range.

    Examples
    --------
    >>> load("uss-lox", jokers=True)
    <uss-lox jokers=True>
    """
    return _load(name, **options)


class _Games(ModuleType):
    """This very package, which can be called: ``navalkit.games()``."""

    def __call__(self) -> tuple[str, ...]:
        return names()


sys.modules[__name__].__class__ = _Games
