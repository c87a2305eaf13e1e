"""Games by name, found and not listed: every folder of `navalkit.games`, the entry points of the group
``navalkit.games`` in other packages, and what was registered by hand. Each is imported only when asked for.

A game is one package. What the rest of the house may ask it for stands in its ``__all__``: ``GAME`` (its class,
always there), ``BOTS``, ``ODDS``, ``simulate``, ``PICTURE`` ..., most of them found when first asked for (`lazily`).
"""

from __future__ import annotations
import pkgutil
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from .errors import OptionError, brief
from .game import Game
from .words import SAY, suggested

GROUP = "navalkit.games"
"""The group of entry points in which a package declares its games: ``name = "its.package"``."""

_registered: dict[str, str] = {}
_ends = [".ipynb"]


def page_url(name: str, query: str = "") -> str:
    """The address of a page ("play_uss_lox"), relative to the folder of pages."""
    return f"{name}{_ends[-1]}{'?' if query else ''}{query}"


def pages_end(ending: str) -> None:
    """Have the addresses of pages end otherwise: they are notebooks (".ipynb"), or files made of them (".html")."""
    _ends[:] = [ending]


@dataclass(frozen=True, slots=True)
class Package:
    """A game's package, not imported yet."""

    name: str
    """Of the game ("uss-lox")."""
    module: str
    """Where it is ("navalkit.games.uss_lox")."""

    def offered(self, what: str, otherwise: Any) -> Any:
        """What the package's ``__all__`` has under that name; ``otherwise`` if it is not there."""
        module = import_module(self.module)
        return getattr(module, what) if what in vars(module).get("__all__", ()) else otherwise

    def text(self, file: str) -> str:
        """A text file of the package ("data/lesson.toml"), without importing it; "" if it has none of that name."""
        spec = find_spec(self.module)
        found = (Path(folder) / file for folder in (spec and spec.submodule_search_locations) or ())
        return next((path.read_text(encoding="utf-8") for path in found if path.is_file()), "")

    @property
    def game(self) -> type[Game[Any, Any]]:
        """The class of the game."""
        return import_module(self.module).GAME  # type: ignore[no-any-return]

    @property
    def bots(self) -> Mapping[str, Callable[..., Any]]:
        """The game's own machine players: name -> maker(game, **options)."""
        return self.offered("BOTS", {})  # type: ignore[no-any-return]

    @property
    def odds(self) -> Mapping[str, Callable[..., Any]]:
        """The game's exact questions by name, plain functions; `navalkit odds` makes its orders from their
        signatures and docstrings."""
        return self.offered("ODDS", {})  # type: ignore[no-any-return]

    @property
    def beginnings(self) -> Sequence[Mapping[str, Any]]:
        """The rows of its ``starts.toml``, the ways to begin that it offers; () if it has none."""
        return tomllib.loads(self.text("starts.toml")).get("start", ())  # type: ignore[no-any-return]

    @property
    def picture(self) -> str:
        """The game's picture for the lobby, an SVG; "" if it has none."""
        return self.offered("PICTURE", "")  # type: ignore[no-any-return]

    def page(self, notebooks: Path) -> str:
        """Its page, relative to the folder of notebooks: its own, or the one that plays any game."""
        own = f"play_{self.name.replace('-', '_')}"
        return page_url(own) if (notebooks / f"{own}.ipynb").is_file() else page_url("play", f"game={self.name}")

    @property
    def stepper(self) -> str:
        """The page that steps through its decisions, relative to the folder of notebooks."""
        return page_url("step", f"game={self.name}")

    @property
    def simulate(self) -> Callable[..., Mapping[str, Any]] | None:
        """The game's own fast simulator, if it has one."""
        return self.offered("simulate", None)  # type: ignore[no-any-return]


@cache
def _found() -> Mapping[str, str]:
    """Name -> package: the folders of navalkit.games first, so that a checkout needs no installation."""
    ours = pkgutil.iter_modules(import_module(GROUP).__path__)
    found = {_hyphened(entry.name): f"{GROUP}.{entry.name}" for entry in ours if entry.ispkg}
    return found | {_hyphened(entry.name): entry.value for entry in entry_points(group=GROUP)}


def _packages() -> Mapping[str, str]:
    return {**_found(), **_registered}


def names() -> tuple[str, ...]:
    """The names of all games, in the order of the alphabet."""
    return tuple(sorted(_packages()))


def package(name: str) -> Package:
    """A game's package by the game's name; underscores are taken for hyphens. OptionError if there is no such game; the
    sentence lists those there are."""
    hyphened = _hyphened(str(name))
    module = _packages().get(hyphened)
    if module is None:
        raise OptionError(
            SAY("registry.unknown", name=brief(name), near=suggested(name, names()), games=", ".join(names()))
        )
    return Package(hyphened, module)


def package_of(game: Game[Any, Any]) -> Package:
    """The package of a game, whether or not it is registered."""
    return Package(game.name, game.package)


def register(package: ModuleType | str) -> str:
    """Make a game known until Python ends; one that is installed with an entry point is known by itself.

    Parameters
    ----------
    package : module or str
        The game's package, or its name; it has ``GAME``, the class of the game.

    Returns
    -------
    str
        The name under which `load` finds the game.

    Raises
    ------
    OptionError
        If there is no such package, it holds no game, or another game has its name.
    """
    module = package if isinstance(package, ModuleType) else _imported(package)
    game = vars(module).get("GAME")
    if not (isinstance(game, type) and issubclass(game, Game)):
        raise OptionError(SAY("registry.no_game", name=module.__name__))
    if _packages().get(game.name, module.__name__) != module.__name__:
        raise OptionError(SAY("registry.taken", name=game.name, name2=_packages()[game.name]))
    _registered[game.name] = module.__name__
    return game.name


def game_class(name: str) -> type[Game[Any, Any]]:
    """The class of a game by its name; OptionError if there is none."""
    return package(name).game


def load(name: str, /, **options: Any) -> Game[Any, Any]:
    """A game by name ("uss-lox") with its options; OptionError for an unknown game, an unknown option or a value out of
    range."""
    return game_class(name)(**options)


def as_game(game: Game[Any, Any] | str) -> Game[Any, Any]:
    """What somebody gave as a game: one made, or a name for the game with its usual options; OptionError for anything
    else."""
    if isinstance(game, str):
        return load(game)
    if not isinstance(game, Game):
        raise OptionError(SAY("registry.given", game=brief(game), games=", ".join(names())))
    return game


def lazily(package: str, **modules: str) -> Callable[[str], Any]:
    """A package's ``__getattr__``: names that are imported from a module of the package when first asked for.
    ``package``: its ``__name__``. ``**modules``: name -> module that has it, as in ``BOTS=".ai"``, or that is it, as in
    ``odds=".odds"``."""

    def find(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(modules[name], package)
        return module if modules[name] == f".{name}" else getattr(module, name)

    return find


def _hyphened(name: str) -> str:
    return name.replace("_", "-").lower()


def _imported(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise OptionError(SAY("registry.no_package", name=brief(name), error=error)) from None
