"""A user's script: it runs, and both type checkers know what it holds."""

from __future__ import annotations
import subprocess
import sys

import pytest

from ..servers import ROOT

SCRIPT = ROOT / "examples/first_script.py"


def test_the_script_is_short_and_runs() -> None:
    assert len(SCRIPT.read_text(encoding="utf-8").splitlines()) <= 70
    done = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("checker", [["mypy", "--strict", "--warn-unused-ignores"], ["pyright"]], ids=lambda c: c[0])
def test_a_type_checker_knows_states_actions_and_observations(checker: list[str]) -> None:
    command = [sys.executable, "-m", *checker, SCRIPT]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if "npm" in done.stderr and "error" in done.stderr:
        pytest.skip("pyright could not be fetched from the npm registry")
    assert done.returncode == 0, done.stdout + done.stderr
