"""Small faults put into the rules one at a time: the tests of each module must find at least 14 of 15.

A mutant names its code by the definition it is in, a class's method, a function or a constant, anywhere in the package
``home``; of its text, which is there once, blanks and lines do not count.
"""

from __future__ import annotations
import ast
import os
import re
import resource
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from os.path import commonprefix
from pathlib import Path
from typing import Any

import pytest

from ..servers import ROOT
from ..symbols import definitions

MODULES = tomllib.loads(Path(__file__).with_name("mutants.toml").read_text(encoding="utf-8"))["module"]
LEAST = 14
_TOKEN = re.compile(r"\w+|[<>=!+-]=|\S")


@cache
def homes(home: str) -> dict[Path, list[tuple[str, int, int]]]:
    """The modules of a package, with their definitions."""
    files = sorted((ROOT / "navalkit" / home).rglob("*.py"))
    return {file.relative_to(ROOT): list(definitions(file.read_text(encoding="utf-8"))) for file in files}


def mutants(home: str, mutant: dict[str, str]) -> list[tuple[Path, str]]:
    """The module with the fault in it, for each place where it can be put."""
    old, new = (list(_TOKEN.finditer(mutant[each])) for each in ("old", "new"))
    a, b = ([token[0] for token in tokens] for tokens in (old, new))
    first = len(commonprefix([a, b]))  # only what differs is changed, and all else stays as it lies in its lines
    last = min(len(commonprefix([a[::-1], b[::-1]])), min(len(a), len(b)) - first)
    middle = new[first : len(new) - last]
    text = mutant["new"][middle[0].start() : middle[-1].end()] if middle else ""
    parts = a[:first], a[first : len(a) - last], a[len(a) - last :]
    before, there, after = (r"\s*".join(map(re.escape, part)) for part in parts)
    pattern = re.compile(rf"({before}\s*){there}(?=\s*{after})")
    found = []
    for file, names in homes(home).items():
        source = (ROOT / file).read_text(encoding="utf-8")
        for start, end in [(start, end) for name, start, end in names if name == mutant["in"]]:
            for match in pattern.finditer(source, start, end):
                found.append((file, source[: match.end(1)] + (text if there else f"{text} ") + source[match.end() :]))
    return found


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module["name"])
def test_every_mutant_can_be_made(module: dict[str, Any]) -> None:
    assert len(module["mutants"]) == 15 and all((ROOT / test).is_file() for test in module["tests"])
    for mutant in module["mutants"]:
        ((_, text),) = mutants(module["home"], mutant)
        ast.parse(text)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A copy of the package, as it is compiled."""
    shutil.copytree(ROOT / "navalkit", tmp_path / "navalkit")
    return tmp_path


def test_a_mutant_is_found(home: Path) -> None:
    module = next(module for module in MODULES if module["name"] == "the record")
    assert _passes(module["tests"], home) and _found(module, module["mutants"][0], home)


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES, ids=lambda module: module["name"])
def test_the_tests_of_a_module_find_its_mutants(module: dict[str, Any], home: Path) -> None:
    assert _passes(module["tests"], home), "without a mutant all must pass"
    survivors = [mutant for mutant in module["mutants"] if not _found(module, mutant, home)]
    print(f"{module['name']}: {15 - len(survivors)} of 15 mutants are found.")
    assert 15 - len(survivors) >= LEAST, survivors


def _found(module: dict[str, Any], mutant: dict[str, str], home: Path) -> bool:
    """Whether the tests of a module fail with this fault."""
    ((file, text),) = mutants(module["home"], mutant)
    (home / file).write_text(text, encoding="utf-8")
    found = not _passes(module["tests"], home)
    shutil.copy(ROOT / file, home / file)
    return found


def _passes(tests: list[str], home: Path) -> bool:
    """Whether these tests pass with the package that lies in ``home``."""
    environment = os.environ | {
        "PYTHONPATH": str(home),
        "PYTHONSAFEPATH": "1",  # or the package beside the tests would come first
        "PYTHONDONTWRITEBYTECODE": "1",  # what is compiled is the sound package
    }
    order = ["-m", "pytest", "-x", "-q", "-n", "0", "-m", "not slow", "-p", "no:cacheprovider"]
    command = [sys.executable, *order, *tests]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, preexec_fn=_limit)
    return done.returncode == 0


def _limit() -> None:
    """A mutant may run in circles: it has two minutes of a processor."""
    resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
