"""Shared by all tests: a place of their own for saved games, and Hypothesis without a clock."""

from __future__ import annotations
import gc
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings

from navalkit.core import registry

settings.register_profile("navalkit", deadline=None, max_examples=50)
settings.load_profile("navalkit")


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What the tests were read into stays to the end, and the garbage collector need not look through it.

    It comes less often, too.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def navalkit_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test touches the games of the person who runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NAVALKIT_HOME", str(tmp_path_factory.mktemp("navalkit_home")))
        yield


@pytest.fixture(scope="module")
def toys() -> Iterator[ModuleType]:
    """The module of the toy game; ``navalkit.load("toy")`` finds it."""
    spec = importlib.util.spec_from_file_location("navalkit_toy", Path(__file__).with_name("toy.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "navalkit_toy", module)
        patch.setitem(registry._registered, "toy", "navalkit_toy")
        spec.loader.exec_module(module)
        yield module
