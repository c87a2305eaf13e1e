"""A user's script: it runs, and both type checkers know what it holds."""

from __future__ import annotations
import subprocess
import sys
from pathlib import Path

import pytest

from ..servers import ROOT

SCRIPT = ROOT / "examples/first_script.py"


def test_the_script_is_short_and_runs() -> None:
    assert len(SCRIPT.read_text(encoding="utf-8").splitlines()) <= 70
    done = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_example_is_typed() -> None:
    command = [sys.executable, "-m", "mypy", "--strict", *sorted((ROOT / "examples").glob("*.py"))]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("checker", [["mypy", "--strict", "--warn-unused-ignores"], ["pyright"]], ids=lambda c: c[0])
def test_a_type_checker_knows_states_actions_and_observations(checker: list[str]) -> None:
    checked(checker, SCRIPT)


def checked(checker: list[str], script: Path) -> None:
    """AssertionError with what a type checker says of a script."""
    command = [sys.executable, "-m", *checker, script]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if "npm" in done.stderr and "error" in done.stderr:
        pytest.skip("pyright could not be fetched from the npm registry")
    assert done.returncode == 0, done.stdout + done.stderr


OWN = """from __future__ import annotations
from collections.abc import Sequence

import numpy as np

from navalkit import load
from navalkit.core.trace import Decision, Machine, Player
from navalkit.games.wolf_pack.state import Action, Observation
from navalkit.players import player


class Bare:
    def decide(self, seen: Observation, legal: Sequence[Action], rng: np.random.Generator) -> Action:
        return legal[0]


class Said:
    def decide(self, o: Observation, all_of_them: Sequence[Action], dice: np.random.Generator) -> str:
        return str(all_of_them[0])


class Reasoned:
    name = "reasoned"

    def decide(self, observation: Observation, legal: Sequence[Action], rng: np.random.Generator) -> Decision[Action]:
        return Decision(legal[0], self.name, "It comes first.")


PLAYERS: list[Player[Observation, Action]] = [Bare(), Said(), Reasoned()]
MACHINES: list[Machine] = [player(each, load("wolf-pack")) for each in PLAYERS]
NAMES: list[str] = [each.name for each in MACHINES]
"""


@pytest.mark.parametrize("checker", [["mypy", "--strict", "--warn-unused-ignores"], ["pyright"]], ids=lambda c: c[0])
def test_any_class_with_one_method_is_a_player(checker: list[str], tmp_path: Path) -> None:
    script = tmp_path / "own.py"
    script.write_text(OWN, encoding="utf-8")
    checked(checker, script)
    other = tmp_path / "other.py"  # the first, changed, may have size and time as before: it would not be read again
    other.write_text(OWN.replace("def decide(self, o", "def choose(self, o"), encoding="utf-8")
    with pytest.raises(AssertionError, match="Said"):
        checked(checker, other)
