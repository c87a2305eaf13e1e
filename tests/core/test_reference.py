"""The reference: it can be made, everything public is in it, and the examples in docstrings are true."""

from __future__ import annotations
import doctest
import importlib
import importlib.util
import inspect
from collections.abc import Callable
from functools import cached_property
from types import FunctionType, ModuleType

import pytest

from ..servers import ROOT

CODE = ROOT / "navalkit"


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("site_conf", ROOT / "docs" / "site" / "conf.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCRIPT = _script()
MODULES = SCRIPT.modules()


def _offered(name: str) -> dict[str, object]:
    found: dict[str, object] = SCRIPT.public(importlib.import_module(name))
    return found


_OWN = ("self", "cls")


def test_the_reference_has_every_public_name() -> None:
    pages = SCRIPT.reference()
    assert all(f"   {name}\n" in pages["index"] for name in MODULES)
    for name in MODULES:
        for each, value in _offered(name).items():
            assert inspect.ismodule(value) or any(f"{before}{each}{after}" in pages[name] for before, after in (
                (" ", ","), (" ", "\n"), (".", "`"))), (name, each)


def test_what_programs_are_written_with_is_in_the_reference() -> None:
    """What the documents name beside the first module of its kind: environments, clusters, numbered games, figures."""
    assert {"navalkit.envs", "navalkit.sim.cluster", "navalkit.sim.kept", "navalkit.players.arena",
            "navalkit.core.coding"} <= set(MODULES)


@pytest.mark.parametrize("name", MODULES)
def test_what_is_public_has_a_docstring(name: str) -> None:
    own = [value for value in _offered(name).values() if inspect.isfunction(value) or inspect.isclass(value)]
    assert inspect.getdoc(importlib.import_module(name)) and all(map(inspect.getdoc, own))
    silent = [f"{kind.__qualname__}.{each}" for kind in own if inspect.isclass(kind)
              for each, value in vars(kind).items()
              if not each.startswith("_") and each not in vars(kind).get("__annotations__", {})  # an attribute
              and isinstance(value, FunctionType | property | cached_property | classmethod | staticmethod)
              and not inspect.getdoc(getattr(kind, each))]
    assert silent == []


EXAMPLES = [".".join(("navalkit", *path.relative_to(CODE).with_suffix("").parts)).removesuffix(".__init__")
            for path in sorted(CODE.rglob("*.py")) if ">>> " in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_of_every_module_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS).failed == 0


def test_public_functions_of_three_arguments_tell_all_of_them_what_they_give_and_an_example() -> None:
    offered = (value for name in MODULES for value in _offered(name).values())
    open_ = (each for thing in offered for each in (thing, *_methods(thing)) if inspect.isfunction(each))
    functions = {f"{each.__module__}.{each.__qualname__}": each for each in open_}
    told = {name: each for name, each in functions.items() if not _told_elsewhere(each)}
    assert len(told) > 300
    assert [name for name, each in sorted(told.items()) if not _complete(each)] == []


def _methods(each: object) -> list[Callable[..., object]]:
    """The open methods that a class defines itself."""
    made = vars(each).items() if inspect.isclass(each) else ()
    found = [getattr(value, "__func__", value) for name, value in made if not name.startswith("_")]
    return [value for value in found if inspect.isfunction(value)]


def _told_elsewhere(function: Callable[..., object]) -> bool:
    """Whether it carries out a player's `decide` or `think`, or has its parameters from the method beside it."""
    as_for = "parameters as for `meet`" in (inspect.getdoc(function) or "")
    return as_for or function.__name__ in ("decide", "think") and "self" in inspect.signature(function).parameters


def _complete(function: Callable[..., object]) -> bool:
    told, names = inspect.getdoc(function) or "", [n for n in inspect.signature(function).parameters if n not in _OWN]
    parts = ("Parameters\n---", ">>>")
    nothing = inspect.signature(function).return_annotation in (None, "None")
    gives = nothing or any(f"{word}\n---" in told for word in ("Returns", "Yields"))
    return len(names) < 3 or (gives and all(part in told for part in parts) and all(name in told for name in names))
