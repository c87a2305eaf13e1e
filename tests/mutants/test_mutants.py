"""Small faults put into the rules one at a time, which somebody has to find: the tests of their module, or the referee.

A mutant names its code by the definition it is in, a class's method, a function or a constant, anywhere in the package
``home``; of its text, which is there once, blanks and lines do not count. One of a game names the ``rule`` it breaks;
``referee`` is the seed of a game in which the referee parts from it, left out if there is none, and ``missed`` says
that the tests of its module do not find it. It may name the referee's ``table``, where a game has two.
docs/clauses.md is the table of them.
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

import navalkit as nk
from ..referee import clauses
from ..servers import ROOT
from ..symbols import definitions

MODULES = tomllib.loads(Path(__file__).with_name("mutants.toml").read_text(encoding="utf-8"))["module"]
GAMES = [module for module in MODULES if module["home"].startswith("games/")]
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
    assert len(module["mutants"]) >= 15 and all((ROOT / test).is_file() for test in module["tests"])
    for mutant in module["mutants"]:
        ((_, text),) = mutants(module["home"], mutant)
        ast.parse(text)


def test_of_a_hundred_mutants_of_the_rules_few_escape() -> None:
    """As it stands recorded; the slow tests make it come true."""
    killers = [clauses.killer(mutant) for mutant in clauses.mutants()]
    assert len(killers) >= 100 and all(len(clauses.mutants(game)) >= 10 for game in clauses.GAMES)
    assert sum(killer != "nobody" for killer in killers) >= 0.95 * len(killers)
    assert sum(killer in ("both", "referee") for killer in killers) >= 0.8 * len(killers)
    assert all(mutant["rule"] in nk.load(mutant["game"]).rules() for mutant in clauses.mutants())


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A copy of the package, as it is compiled."""
    shutil.copytree(ROOT / "navalkit", tmp_path / "navalkit")
    return tmp_path


def test_a_mutant_is_found(home: Path) -> None:
    module = next(module for module in MODULES if module["name"] == "the record")
    assert _passes(module["tests"], home) and _found(module, module["mutants"][0], home)


def test_the_referee_finds_a_mutant(home: Path) -> None:
    module = next(module for module in MODULES if module["name"] == "Wolf Pack")
    assert _parted(module, next(mutant for mutant in module["mutants"] if "referee" in mutant), home)


@pytest.mark.slow
@pytest.mark.parametrize("module", GAMES, ids=lambda module: module["name"])
def test_the_referee_finds_the_mutants_it_is_said_to_find(module: dict[str, Any], home: Path) -> None:
    """At once, in the game of the seed that stands with each."""
    said = [mutant for mutant in module["mutants"] if "referee" in mutant]
    survivors = [mutant for mutant in said if not _parted(module, mutant, home)]
    print(f"{module['name']}: the referee finds {len(said) - len(survivors)} of {len(module['mutants'])} mutants.")
    assert not survivors


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES, ids=lambda module: module["name"])
def test_the_tests_of_a_module_find_its_mutants(module: dict[str, Any], home: Path) -> None:
    assert _passes(module["tests"], home), "without a mutant all must pass"
    said = [mutant for mutant in module["mutants"] if not mutant.get("missed")]
    survivors = [mutant for mutant in said if not _found(module, mutant, home)]
    print(f"{module['name']}: {len(said) - len(survivors)} of {len(module['mutants'])} mutants are found.")
    assert not survivors


def _parted(module: dict[str, Any], mutant: dict[str, Any], home: Path) -> bool:
    """Whether the referee parts from the house with this fault in the game of its seed."""
    ((file, text),) = mutants(module["home"], mutant)
    (home / file).write_text(text, encoding="utf-8")
    game = mutant.get("table") or module["home"].removeprefix("games/").replace("_", "-")
    order = [sys.executable, "-m", "tests.mutants.trial", game, str(mutant["referee"]), "once"]
    path = _environment(f"{home}{os.pathsep}{ROOT}")
    done = subprocess.run(order, cwd=ROOT, env=path, capture_output=True, text=True, preexec_fn=_limit)
    shutil.copy(ROOT / file, home / file)
    return not done.stdout.startswith("agreed")


def _found(module: dict[str, Any], mutant: dict[str, str], home: Path) -> bool:
    """Whether the tests of a module fail with this fault."""
    ((file, text),) = mutants(module["home"], mutant)
    (home / file).write_text(text, encoding="utf-8")
    found = not _passes(module["tests"], home)
    shutil.copy(ROOT / file, home / file)
    return found


def _passes(tests: list[str], home: Path) -> bool:
    """Whether these tests pass with the package that lies in ``home``."""
    order = ["-m", "pytest", "-x", "-q", "-n", "0", "-m", "not slow", "-p", "no:cacheprovider"]
    command = [sys.executable, *order, *tests]
    done = subprocess.run(command, cwd=ROOT, env=_environment(str(home)), capture_output=True, preexec_fn=_limit)
    return done.returncode == 0


def _environment(path: str) -> dict[str, str]:
    return os.environ | {
        "PYTHONPATH": path,
        "PYTHONSAFEPATH": "1",  # or the package beside the tests would come first
        "PYTHONDONTWRITEBYTECODE": "1",  # what is compiled is the sound package
    }


def _limit() -> None:
    """A mutant may run in circles: it has two minutes of a processor."""
    resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
