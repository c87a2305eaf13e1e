"""Players of your own: a class, an object, or a name that an installed package declares.

A player is anything with a method ``decide(observation, legal, rng)`` that returns one of the legal actions, its
notation, or a whole `Decision` with reasons. What else it may have: ``name`` and ``title`` (as it is asked for, and as
pages call it), ``games`` (the names of the games it plays; left out, any), and the methods of `core.trace.Thinker`,
`Weigher` and `Curt`. A class whose first argument is called ``game``, or has no default, is given the game.
"""

from __future__ import annotations
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from inspect import Parameter, signature
from types import ModuleType
from typing import Any

import numpy as np

from navalkit.core import registry
from navalkit.core.awaited import Steps
from navalkit.core.errors import IllegalActionError, NavalkitError, OptionError, PlayerError, brief, cut
from navalkit.core.game import Game
from navalkit.core.trace import Decision, Luck
from navalkit.core.words import SAY, suggested
from .generic import GENERIC

GROUP = "navalkit.players"
"""The group of entry points in which a package declares its players: ``name = "its.module:Class"``."""
_registered: dict[str, Any] = {}
_changes: list[int] = [0]
_PLACED = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


class Own:
    """A player of somebody's own as the library asks for one: what it returns is a decision for a legal action."""

    def __init__(self, inner: Any, name: str) -> None:
        self.inner, self.name = inner, name
        # Protocols are told by what an object has: only what the player itself can is offered.
        if hasattr(inner, "think"):
            self.think = self._think
        for more in ("order", "weigh"):
            if hasattr(inner, more):
                setattr(self, more, getattr(inner, more))

    def decide(self, observation: Any, legal: Sequence[Any], rng: Luck = None) -> Decision:
        with self._blamed():
            answer = self.inner.decide(observation, legal, np.random.default_rng(rng))
        return self._decision(answer, legal)

    def _think(self, observation: Any, legal: Sequence[Any], rng: np.random.Generator) -> Steps[Decision]:
        with self._blamed():
            answer = yield from self.inner.think(observation, legal, rng)
        return self._decision(answer, legal)

    def _decision(self, answer: Any, legal: Sequence[Any]) -> Decision:
        action = answer.action if isinstance(answer, Decision) else answer
        if action not in legal:
            found = [each for each in legal if isinstance(action, str) and str(each) == action]
            if not found:
                few = ", ".join(map(str, legal[:4])) + (", ..." if len(legal) > 4 else "")
                raise IllegalActionError(SAY("own.illegal", who=self.name, action=brief(str(action)), legal=few))
            (action,) = found
        if isinstance(answer, Decision):
            return answer if answer.action is action else replace(answer, action=action)
        return Decision(action, self.name, SAY.phrase("own.bare"))

    @contextmanager
    def _blamed(self) -> Iterator[None]:
        """What goes wrong in a player is told as its own mistake; the error itself is the cause."""
        try:
            yield
        except NavalkitError:
            raise
        except (Exception, SystemExit) as error:  # one that leaves, as scripts do, ends its game and not the run
            told = f"{type(error).__name__}: {error}"
            raise PlayerError(SAY("own.failed", who=self.name, error=cut(repr(told)))) from error


class Maker:
    """Makes a player of somebody's own for a game."""

    def __init__(self, what: Any, name: str = "") -> None:
        """``what``: a class, a function that makes a player, or a player. ``name``: as asked for; else its own."""
        self.what = what
        self.name = name or _name(what)

    @property
    def title(self) -> str:
        """What a page calls it."""
        return str(getattr(self.what, "title", self.name))

    def plays(self, game: Game[Any, Any]) -> bool:
        """Whether it says that it plays this game, or any."""
        games = getattr(self.what, "games", ())
        return not games or game.name in games

    def __call__(self, game: Game[Any, Any], /, **options: Any) -> Own:
        if not self.plays(game):
            listed = ", ".join(self.what.games)
            raise OptionError(SAY("own.games", who=self.name, game=game.name, games=listed))
        made = self.what
        if not (is_player(made) or callable(made)):
            raise OptionError(SAY("own.none", what=brief(self.what)))
        if not is_player(made):
            try:
                parameters = list(signature(made).parameters.values())
            except (TypeError, ValueError):  # such as int, which tells nobody what it takes
                raise OptionError(SAY("own.none", what=brief(self.what))) from None
            first = parameters[0] if parameters else None
            wants = first is not None and first.kind in _PLACED and (
                first.name == "game" or first.default is Parameter.empty)
            check_options(self.name, parameters[wants:], options)
            if lacking := [each.name for each in parameters[wants:] if _asked(each) and each.name not in options]:
                raise OptionError(SAY("own.lacking", who=self.name, names=", ".join(lacking)))
            made = made(game, **options) if wants else made(**options)
        elif options:
            check_options(self.name, (), options)
        if not is_player(made):
            raise OptionError(SAY("own.none", what=brief(self.what)))
        return Own(made, self.name)


def is_player(what: Any) -> bool:
    """Whether it is a player, and no class of players."""
    return not isinstance(what, type) and callable(getattr(what, "decide", None))


def _asked(parameter: Parameter) -> bool:
    """Whether a maker cannot do without it."""
    return parameter.default is Parameter.empty and parameter.kind in (*_PLACED, Parameter.KEYWORD_ONLY)


def _name(what: Any) -> str:
    given = getattr(what, "name", None)
    kind = what if hasattr(what, "__name__") else type(what)
    return given if isinstance(given, str) and given else str(kind.__name__).lower()


def check_options(who: str, parameters: Sequence[Parameter], options: Mapping[str, Any]) -> None:
    """OptionError for an option that is no parameter of a maker; ``parameters``: those besides the game."""
    if any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters):
        return
    valid = [parameter.name for parameter in parameters]
    for option in options:
        if option not in valid:
            listed = ", ".join(valid) or "none"
            near = suggested(option, valid)
            raise OptionError(SAY("players.option", who=who, name=brief(option), near=near, listed=listed))


_WHO = re.compile(r"([\w.]+:[A-Za-z_]\w*|[^:]*)(?::(.*))?")
_FLAGS = {"yes": True, "true": True, "no": False, "false": False}


def tuned(text: str) -> tuple[str, dict[str, Any]]:
    """A player's name and its options, as tables of figures write them: "ismcts:iterations=400,tree=no", or
    "my_bots:Bold:depth=2" for a class."""
    found = _WHO.fullmatch(text)
    name, rest = found.groups() if found else (text, "")
    parts = (part.partition("=") for part in (rest or "").split(",") if part)
    return name, {key.strip(): _value(value.strip()) for key, _, value in parts}


def _value(text: str) -> bool | int | float | str:
    if text.lower() in _FLAGS:
        return _FLAGS[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def pointed(text: str) -> Maker:
    """The player that a text names as an entry point does ("my_bots:Bold"); OptionError if there is none."""
    module, _, name = text.partition(":")
    try:
        return Maker(getattr(import_module(module), name), text)
    except (ImportError, AttributeError, ValueError) as error:
        raise OptionError(SAY("own.pointed", text=brief(text), error=brief(str(error)))) from error


@cache
def _declared() -> Mapping[str, EntryPoint]:
    return {each.name: each for each in entry_points(group=GROUP)}


@cache
def _loaded(name: str) -> Maker | Exception:
    try:
        return Maker(_declared()[name].load(), name)
    except Exception as error:  # of another's package: told to who asks for it, and no page fails for it
        return error


def declared(name: str) -> Maker | None:
    """A player that is registered, or that an installed package declares; OptionError if that cannot be loaded."""
    if name in _registered:
        return Maker(_registered[name], name)
    found = _loaded(name) if name in _declared() else None
    if isinstance(found, Exception):
        told = f"{type(found).__name__}: {found}"
        raise OptionError(SAY("own.broken", name=name, value=_declared()[name].value, error=brief(told))) from found
    return found


def owned(game: Game[Any, Any]) -> dict[str, Maker]:
    """The players that are registered or declared for a game, by name; those that cannot be loaded are left out."""
    found: dict[str, Maker] = {}
    for name in (*_declared(), *_registered):
        try:
            maker = declared(name)
        except OptionError:
            continue
        if maker is not None and maker.plays(game):
            found[name] = maker
    return found


def register(what: ModuleType | str | Any) -> str:
    """Make a game or a player known until Python ends; what is installed with an entry point is known by itself.

    Parameters
    ----------
    what : module, str, class or player
        A game's package or its name: it has ``GAME``, the class of the game. Or a player of your own, or its class:
        pages then offer it as an opponent, and `navalkit.player` finds it by its ``name``.

    Returns
    -------
    str
        The name under which `navalkit.load`, or `navalkit.player`, finds it.

    Raises
    ------
    OptionError
        If there is no such package, it holds no game, another game or player has the name, or it is no text.

    Examples
    --------
    >>> from navalkit import player
    >>> class Bold:
    ...     def decide(self, observation, legal, rng):
    ...         return legal[-1]
    >>> register(Bold)  # doctest: +SKIP
    'bold'
    >>> player("bold", "wolf-pack").name  # doctest: +SKIP
    'bold'
    """
    if isinstance(what, ModuleType | str):
        return registry.register(what)
    if not callable(getattr(what, "decide", None)):
        raise OptionError(SAY("own.none", what=brief(what)))
    name, given = _name(what), getattr(what, "name", None)
    stated = given is not None and not hasattr(given, "__get__")  # a property of its class is no name yet
    if name in GENERIC or name in _declared() or ":" in name or (stated and given != name):
        raise OptionError(SAY("own.taken", name=brief(given if stated else name)))
    _registered[name] = what
    _changes[0] += 1
    return name


def changes() -> int:
    """How often a player was registered: a class that is edited and registered again in a notebook is a new one."""
    return _changes[0]
