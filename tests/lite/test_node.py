"""The suites of rules, odds and records under Pyodide in node: the same records seed for seed, the same fractions. Nothing
of a browser is in them. What Hypothesis would give them is skipped there; a sample of the rest is in `make test`."""

from __future__ import annotations
import os
import subprocess
import sys

import pytest

from ..servers import ROOT
from .conftest import GIVEN, PATIENCE, alone, needs_node, needs_numpy

TREE = "import sys; sys.path.insert(0, sys.argv[1]); import build; print(build.compiled(build.wheel('numpy')) / 'site')"
SUITES = {
    "uss_lox": ("tests/golden/uss_lox", "tests/games/uss_lox/test_rules.py", "tests/games/uss_lox/test_odds.py"),
    "wolf_pack": ("tests/golden/wolf_pack", "tests/games/wolf_pack/test_rules.py", "tests/games/wolf_pack/test_odds.py"),
    "task_force": ("tests/golden/task_force", "tests/games/task_force/test_rules.py", "tests/games/task_force/test_odds.py"),
    "on_patrol": ("tests/golden/on_patrol", *(f"tests/games/on_patrol/test_{each}.py" for each in ("rules", "odds", "combat", "escort"))),
    "fleet_action": ("tests/golden/fleet_action", "tests/games/fleet_action/rules", "tests/games/fleet_action/odds"),
}
"""A game's suites of rules and odds, and its golden records."""


@pytest.mark.parametrize("game", ["uss_lox", *(pytest.param(game, marks=pytest.mark.slow) for game in SUITES if game != "uss_lox")])
def test_a_games_suites_pass_in_the_browsers_python(game, tmp_path_factory):
    needs_numpy()
    needs_node()
    base = tmp_path_factory.getbasetemp()
    with alone((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "static.lock"):
        made = subprocess.run([sys.executable, "-c", TREE, str(ROOT / "lite")], capture_output=True, text=True,
                              env=os.environ | {"NAVALKIT_PYODIDE": GIVEN}, timeout=PATIENCE)
    assert made.returncode == 0, made.stderr
    ours = os.path.dirname(os.path.dirname(pytest.__file__))
    run = subprocess.run(
        ["node", str(ROOT / "tests" / "lite" / "suite.mjs"), str(ROOT / "lite/node_modules/pyodide/pyodide.mjs"), str(ROOT),
         made.stdout.splitlines()[-1], ours, "-q", "-m", "not slow", "-W", "ignore::DeprecationWarning", *SUITES[game]],
        capture_output=True, text=True, timeout=3 * PATIENCE)
    assert run.returncode == 0 and " passed" in run.stdout, run.stdout[-3000:] + run.stderr[-3000:]
