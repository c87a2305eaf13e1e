"""Players of your own: a class, an object, or a name that an installed package declares.

A player is anything with a method ``decide(observation, legal, rng)`` that returns one of the legal actions, its
notation, or a whole `Decision` with reasons. What else it may have: ``name`` and ``title`` (as it is asked for, and as
pages call it), ``games`` (the names of the games it plays; left out, any), and the methods of `core.trace.Thinker`,
`Weigher` and `Curt`. A class whose first argument is called ``game``, or has no default, is given the game.
"""

from __future__ import annotations
import dis
import hashlib
import re
import sys
import sysconfig
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copyreg import dispatch_table
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec, resolve_name
from inspect import Parameter, isroutine, signature
from pathlib import Path
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    MappingProxyType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
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
        with _blamed(self.name):
            answer = self.inner.decide(observation, legal, np.random.default_rng(rng))
        return self._decision(answer, legal)

    def _think(self, observation: Any, legal: Sequence[Any], rng: np.random.Generator) -> Steps[Decision]:
        with _blamed(self.name):
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
def _blamed(who: str) -> Iterator[None]:
    """What goes wrong in a player is told as its own mistake; the error itself is the cause."""
    try:
        yield
    except NavalkitError:
        raise
    except (Exception, SystemExit) as error:  # one that leaves, as scripts do, ends its game and not the run
        raise PlayerError(SAY("own.failed", who=who, error=cut(repr(f"{type(error).__name__}: {error}")))) from error


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
            raise OptionError(SAY("own.games", who=self.name, game=game.name, games=", ".join(self.what.games)))
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
            with _blamed(self.name):
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


# -- What a player is, in a print: rows that are kept belong to it, and to no other -----------------

MOST = 1_000_000
"""Parts of a player that its print looks at, at most: some ten seconds."""
DEEPEST = 20_000
"""Calls within one another that this takes, at most."""
_ATOMS = frozenset({type(None), type(...), type(NotImplemented), bool, int, float, complex, str, bytes})
_MADE = frozenset({"__dict__", "__weakref__", "__module__", "__doc__", "__qualname__", "__firstlineno__", "_abc_impl",
                   "__static_attributes__", "__annotations__", "__annotate__", "__annotate_func__",
                   "__annotations_cache__", "__abstractmethods__", "__classdictcell__", "__slotnames__"})
"""What Python itself puts into a class, and what says nothing of how it plays."""
_PASSING = frozenset({"threading", "_thread", "concurrent", "multiprocessing", "asyncio", "logging", "socket",
                      "_socket", "subprocess", "os", "weakref", "_weakref", "_io", "io", "contextvars", "_contextvars"})
"""The standard library's modules whose objects hold what is another in every process."""
_MADE_LATER = 1 << 9
"""A class's flag: by a statement, and not with Python itself."""
_LOADS = frozenset({"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"})
_PLACE = frozenset({"__name__", "__file__", "__builtins__", "__spec__", "__loader__", "__package__", "__path__",
                    "__cached__", "__doc__"})
"""Where a module is, which is another in every process."""
_BY_TEXT = frozenset({"globals", "getattr", "vars", "import_module", "__import__"})
"""Code that calls one of these names things in texts."""


def printed(what: Any, options: Mapping[str, Any]) -> str:
    """A print of what a player is: its code as compiled with what that names, its classes, what it holds, and its
    options. The same in every process, and of a copy. What is in the standard library, in an installed package (other
    than the player's own) or here counts by its name, and its objects by what they hold. OptionError if that is more
    than `MOST` parts."""
    kind = what if isinstance(what, type) or isroutine(what) else type(what)
    top = str(getattr(kind, "__module__", "")).partition(".")[0]
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual, DEEPEST))  # functions that name one another make long ways
    try:
        return _Walk(top if top not in sys.stdlib_module_names else "__main__").look((what, dict(options))).hex()
    except (RecursionError, _LargeError):
        raise OptionError(SAY("own.large", who=brief(_name(what)), most=MOST)) from None
    finally:
        sys.setrecursionlimit(usual)


class _LargeError(Exception):
    """More parts than are looked at."""


@dataclass(frozen=True)
class _Used:
    """A module, and the names that some code may mean by it."""

    module: ModuleType
    names: frozenset[str]


class _Walk:
    """One walk over all that can be seen from a player. Each part becomes a label and its own parts in order."""

    def __init__(self, root: str, left: list[int] | None = None, above: Mapping[Any, int] | None = None) -> None:
        self._root, self._left, self._above = root, left or [MOST], dict(above or {})
        self._done: dict[Any, bytes] = {}
        self._alive: list[Any] = []

    def look(self, value: Any) -> bytes:
        self._left[0] -= 1
        if self._left[0] < 0:
            raise _LargeError
        if type(value) in _ATOMS:
            return _digest(type(value).__name__, _text(value))
        key = (id(value.module), value.names) if isinstance(value, _Used) else id(value)
        if key in self._above:  # a circle: by how far from the player the part is where it closes
            return _digest(f"above {self._above[key]}")
        if key not in self._done:
            self._alive.append(value)  # else another may get its number
            self._above[key] = len(self._above)
            try:
                self._done[key] = self._whole(value)
            finally:
                del self._above[key]
        return self._done[key]

    def _whole(self, value: Any) -> bytes:
        if type(value) in (set, frozenset):  # each for itself: the order in which a set is met is another every time
            return _digest(type(value).__name__, *sorted(
                self.look(each) if type(each) in _ATOMS else _Walk(self._root, self._left, self._above).look(each)
                for each in value))
        if type(value) in (list, tuple, dict):
            if (plain := _plain(value)) is not None:
                return _digest(type(value).__name__, plain)
            label, parts = type(value).__name__, [*value, *value.values()] if type(value) is dict else value
        else:
            label, parts = self._parts(value)
        return _digest(label, *[self.look(each) for each in parts])

    def _parts(self, value: Any) -> tuple[str, Iterable[Any]]:
        if isinstance(value, type):
            return self._of_class(value)
        if isinstance(value, FunctionType):
            return self._of_function(value)
        if isinstance(value, CodeType):
            return _of_code(value)
        if isinstance(value, _Used):
            return self._of_module(value.module, value.names)
        if isinstance(value, ModuleType):
            return self._of_module(value, frozenset())
        if isinstance(value, MethodType):
            return "method", (value.__func__, value.__self__)
        if isinstance(value, BuiltinFunctionType):
            return value.__qualname__, () if isinstance(value.__self__, ModuleType) else (value.__self__,)
        if type(value) is np.ndarray or isinstance(value, np.generic):
            if value.dtype.hasobject:
                return f"array {value.shape} {value.dtype}", (value.tolist(),)
            data = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
            return f"{type(value).__name__} {value.shape} {value.dtype} {data}", ()
        if isinstance(value, Game):
            return "game", (value.name, value.rules_version, dict(value.options))
        if isinstance(value, property):
            return "property", (value.fget, value.fset, value.fdel)
        if isinstance(value, cached_property):
            return "cached", (value.func,)
        name = None if self._own_kind(type(value)) else getattr(value, "__qualname__", None)
        if isinstance(name, str):  # what is called, and written in C
            inner = getattr(value, "__wrapped__", None)
            return (type(value).__qualname__, (inner,)) if inner is not None else (
                f"{getattr(value, '__module__', '')}.{name}", ())
        return self._of_object(value)

    def _own_kind(self, kind: type) -> bool:
        """Whether a class is; one made by `exec` without a name says that it is built in."""
        return self._own("__main__" if kind.__module__ == "builtins" and kind.__flags__ & _MADE_LATER
                         else kind.__module__)

    def _own(self, name: Any, file: Any = None) -> bool:
        """Whether a module is its author's own."""
        top = str(name).partition(".")[0]
        if top in ("builtins", "navalkit") or top in ("__main__", self._root):
            return top not in ("builtins", "navalkit")
        file = file or getattr(sys.modules.get(str(name), sys.modules.get(top)), "__file__", None)
        return not _installed(file) if file else top not in sys.stdlib_module_names

    def _of_class(self, kind: type) -> tuple[str, Iterable[Any]]:
        if not self._own_kind(kind):
            return f"class {kind.__module__}.{kind.__qualname__}", ()
        held = [(name, each) for name, each in sorted(vars(kind).items()) if name not in _MADE]
        return f"class {kind.__qualname__}", (type(kind), *kind.__bases__, *(part for pair in held for part in pair))

    def _of_function(self, function: FunctionType) -> tuple[str, Iterable[Any]]:
        around, cells = function.__globals__, []
        for cell in function.__closure__ or ():
            with suppress(ValueError):  # one that is still empty
                cells.append(cell.cell_contents)
        module = around.get("__name__", "__main__")
        held = [part for name, each in sorted(vars(function).items()) if name != "__wrapped__" for part in (name, each)]
        if not self._own(module, around.get("__file__")):  # such as a decorator's, around a function of one's own
            return f"{module}.{function.__code__.co_qualname}", (*cells, *held)
        names, imports, used = _named(function.__code__)
        met: list[Any] = []
        for name in sorted((names & around.keys()) - _PLACE):
            each = around[name]
            met += name, _Used(each, used) if isinstance(each, ModuleType) else each
        package = str(around.get("__package__") or "")
        met += [_Used(found, used) for name in sorted(imports) if (found := self._imported(name, package))]
        return "function", (function.__code__, function.__defaults__, function.__kwdefaults__, *cells, *held, *met)

    def _imported(self, name: str, package: str) -> ModuleType | None:
        """A module of the author's own that a function imports when it is called: now as well, for once it has been
        called its module can be seen, and the print would be another."""
        with suppress(Exception):
            name = resolve_name(name, package)
            top = name.partition(".")[0]
            if name not in sys.modules:
                found = find_spec(top)
                if not found or not found.origin or not self._own(top, found.origin):
                    return None
            return import_module(name)
        return None

    def _of_module(self, module: ModuleType, names: frozenset[str]) -> tuple[str, Iterable[Any]]:
        """What a module holds under the names that are used of it, and its text, compiled, for those that cannot be
        seen: comments are no change."""
        if not self._own(module.__name__):
            return f"module {module.__name__}", ()
        code = None
        with suppress(Exception):
            code = compile(module.__spec__.loader.get_source(module.__name__), "", "exec", dont_inherit=True)  # type: ignore[union-attr]
        met: list[Any] = []
        for name in sorted((names & vars(module).keys()) - _PLACE):
            each = vars(module)[name]
            met += name, _Used(each, names) if isinstance(each, ModuleType) else each
        return "module", (code, *met)

    def _of_object(self, value: Any) -> tuple[str, Iterable[Any]]:
        kind, own = type(value), self._own_kind(type(value))
        if kind.__module__.partition(".")[0] in _PASSING or kind.__module__ == "navalkit.core.words":
            return kind.__qualname__, ()
        parts: list[Any] = [kind] if own else []
        label = "object" if own else f"object {kind.__module__}.{kind.__qualname__}"
        if isinstance(value, dict | MappingProxyType):
            parts += [dict(value)]
        elif isinstance(value, list | tuple | set | frozenset):
            parts += [next(plain for plain in (list, tuple, set, frozenset) if isinstance(value, plain))(value)]
        elif not own and hasattr(kind, "__array__") and np.ndarray not in kind.__mro__:  # a tensor, a table
            with suppress(Exception):
                return label, [np.asarray(value.detach() if hasattr(value, "detach") else value)]
        told = self._reduced(value)
        if told is not None:
            parts += [told]
        if told is None or own:
            parts += [part for pair in _attributes(value) for part in pair]
        return label, parts

    def _reduced(self, value: Any) -> Any:
        """What an object of another's class tells of itself to be pickled: the only way into those not written in
        Python, and the better one for those that keep what they have worked out (a path its hash)."""
        kind = type(value)
        tells: list[Any] = [dispatch_table.get(kind)]
        for base in kind.__mro__[:-1]:
            if not self._own_kind(base) and base not in (dict, list, tuple, set, frozenset):
                tells += [vars(base).get("__reduce__"), vars(base).get("__reduce_ex__")]
        for tell in tells:
            if tell is not None:
                with suppress(Exception), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    told = tell(value, 4) if getattr(tell, "__name__", "") == "__reduce_ex__" else tell(value)
                    if isinstance(told, str):
                        return told
                    whole = [list(part) if isinstance(part, Iterator) else part for part in told]
                    return whole[:3] if isinstance(value, dict | list | set) else whole
        return None


def _digest(label: str, *parts: bytes) -> bytes:
    found = hashlib.blake2b(f"{label}|{len(parts)}|".encode(errors="backslashreplace"), digest_size=16)
    for part in parts:
        found.update(len(part).to_bytes(8, "big") + part)
    return found.digest()


def _text(value: Any) -> bytes:
    return (f"{value:x}" if type(value) is int else repr(value)).encode(errors="backslashreplace")


def _plain(value: Any) -> bytes | None:
    """A list, tuple or dictionary of nothing but plain values, of which there may be a million."""
    each = [*value, *value.values()] if type(value) is dict else value
    return repr([(type(one).__name__, _text(one)) for one in each]).encode() if all(
        type(one) in _ATOMS for one in each) else None


def _of_code(code: CodeType) -> tuple[str, Iterable[Any]]:
    """What a function does, without where it stands."""
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
    return f"code {code.co_code.hex()}", (counts, code.co_exceptiontable, code.co_names, code.co_varnames,
                                          code.co_freevars, code.co_cellvars, *code.co_consts)


def _named(code: CodeType) -> tuple[set[str], set[str], frozenset[str]]:
    """The globals that some code names, the modules that it imports, and all names that it uses."""
    names, imports, used, texts = set[str](), set[str](), set(code.co_names), set[str]()
    steps = [step for step in dis.get_instructions(code) if step.opname != "EXTENDED_ARG"]
    for at, step in enumerate(steps):
        if step.opname in _LOADS:
            names.add(str(step.argval))
        elif step.opname == "IMPORT_NAME":
            level, some = steps[at - 2].argval or 0, steps[at - 1].argval or ()
            start = "." * level + step.argval
            imports |= {start, *(f"{start}{'.' * bool(step.argval)}{each}" for each in some if each != "*")}
    for each in code.co_consts:
        if isinstance(each, str):
            texts.add(each)
        elif isinstance(each, CodeType):
            for mine, more in zip((names, imports, used), _named(each), strict=True):
                mine |= more
    if _BY_TEXT & used:
        names, used = names | texts, used | texts
    if {"import_module", "__import__"} & used:
        imports |= {each for each in texts if all(part.isidentifier() for part in each.split("."))}
    return names, imports, frozenset(used)


def _attributes(value: Any) -> list[tuple[str, Any]]:
    """What an object holds, in `__dict__` and slots, without what it has only worked out: its class would again."""
    kind: Any = type(value)
    found = dict[str, Any]()
    with suppress(TypeError):
        found.update(vars(value))
    for base in kind.__mro__:
        for name, each in vars(base).items():
            if isinstance(each, MemberDescriptorType) and "__slots__" in vars(base):
                with suppress(AttributeError):  # a slot that is empty
                    found[name] = each.__get__(value)
            elif isinstance(each, cached_property):
                found.pop(name, None)
    passing: Iterable[str] = _passing(kind) if kind.__module__.partition(".")[0] == "navalkit" else ()
    return [(str(name), found[name]) for name in sorted(found, key=str) if name not in passing]


@cache
def _passing(kind: type) -> frozenset[str]:
    """What one of our own objects notes while it plays: all that is set elsewhere than where it is made."""
    return frozenset(
        step.argval for base in kind.__mro__ if base.__module__.partition(".")[0] == "navalkit"
        for name, each in vars(base).items() if isinstance(each, FunctionType) and name not in ("__init__", "__new__")
        for step in dis.get_instructions(each) if step.opname == "STORE_ATTR")


@cache
def _installed(file: str) -> bool:
    """Whether a file belongs to Python or to a package that was installed."""
    path = Path(file)
    at = {Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")}
    return file.startswith("<") or bool({"site-packages", "dist-packages"} & set(path.parts)) or any(
        each in path.parents for each in at)
