"""Small faults put into the rules one at a time: the tests of each module must find at least 14 of 15."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from ..servers import ROOT

MODULES = tomllib.loads(Path(__file__).with_name("mutants.toml").read_text(encoding="utf-8"))["module"]
LEAST = 14


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module["name"])
def test_every_mutant_can_be_made(module: dict[str, Any]) -> None:
    assert len(module["mutants"]) == 15 and all((ROOT / test).is_file() for test in module["tests"])
    for mutant in module["mutants"]:
        text = (ROOT / "navalkit" / mutant["file"]).read_text(encoding="utf-8")
        assert text.count(mutant["old"]) == 1 and mutant["old"] != mutant["new"], mutant


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES, ids=lambda module: module["name"])
def test_the_tests_of_a_module_find_its_mutants(module: dict[str, Any], tmp_path: Path) -> None:
    shutil.copytree(ROOT / "navalkit", tmp_path / "navalkit", ignore=shutil.ignore_patterns("__pycache__"))
    assert _passes(module["tests"], tmp_path), "without a mutant all must pass"
    survivors = []
    for mutant in module["mutants"]:
        file = tmp_path / "navalkit" / mutant["file"]
        sound = file.read_text(encoding="utf-8")
        file.write_text(sound.replace(mutant["old"], mutant["new"]), encoding="utf-8")
        if _passes(module["tests"], tmp_path):
            survivors.append(mutant)
        file.write_text(sound, encoding="utf-8")
    print(f"{module['name']}: {15 - len(survivors)} of 15 mutants are found.")
    assert 15 - len(survivors) >= LEAST, survivors


def _passes(tests: list[str], home: Path) -> bool:
    """Whether these tests pass with the package that lies in ``home``."""
    environment = os.environ | {
        "PYTHONPATH": str(home),
        "PYTHONSAFEPATH": "1",  # or the package beside the tests would come first
        "PYTHONPYCACHEPREFIX": str(home / "cache"),
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    order = ["-m", "pytest", "-x", "-q", "-n", "0", "-m", "not slow", "-p", "no:cacheprovider"]
    command = [sys.executable, *order, *tests]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, preexec_fn=_limit)
    return done.returncode == 0


def _limit() -> None:
    """A mutant may run in circles: it has two minutes of a processor."""
    resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
