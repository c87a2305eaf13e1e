"""The suites of rules, odds and records under Pyodide in node: the same records seed for seed, the same fractions.
What Hypothesis would give them is skipped there; a sample of the rest is in `make test`."""

from __future__ import annotations
import os
import subprocess
import sys

import pytest

from ..servers import ROOT
from .conftest import GIVEN, PATIENCE, alone, needs_node, needs_numpy

TREE = "import sys; sys.path.insert(0, sys.argv[1]); import build; print(build.compiled(build.wheel('numpy')) / 'site')"
SUITES = {
    "uss_lox": ("uss_lox/test_rules.py", "uss_lox/test_odds.py"),
    "wolf_pack": ("wolf_pack/test_rules.py", "wolf_pack/test_odds.py"),
    "task_force": ("task_force/test_rules.py", "task_force/test_odds.py"),
    "on_patrol": [f"on_patrol/test_{each}.py" for each in ("rules", "odds", "combat", "escort")],
    "fleet_action": ("fleet_action/rules", "fleet_action/odds"),
}
"""A game's suites of rules and odds; its golden records come with them."""
SLOW = [pytest.param(game, marks=pytest.mark.slow) for game in SUITES if game != "uss_lox"]


@pytest.mark.parametrize("game", ["uss_lox", *SLOW])
def test_a_games_suites_pass_in_the_browsers_python(game, tmp_path_factory):
    needs_numpy()
    needs_node()
    base = tmp_path_factory.getbasetemp()
    with alone((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "static.lock"):
        made = subprocess.run([sys.executable, "-c", TREE, str(ROOT / "lite")], capture_output=True, text=True,
                              env=os.environ | {"NAVALKIT_PYODIDE": GIVEN}, timeout=PATIENCE)
    assert made.returncode == 0, made.stderr
    ours = os.path.dirname(os.path.dirname(pytest.__file__))
    given = [f"tests/golden/{game}", *(f"tests/games/{each}" for each in SUITES[game])]
    run = subprocess.run(
        ["node", str(ROOT / "tests/lite/suite.mjs"), str(ROOT / "lite/node_modules/pyodide/pyodide.mjs"), str(ROOT),
         made.stdout.splitlines()[-1], ours, "-q", "-m", "not slow", "-W", "ignore::DeprecationWarning", *given],
        capture_output=True, text=True, timeout=3 * PATIENCE)
    assert run.returncode == 0 and " passed" in run.stdout, run.stdout[-3000:] + run.stderr[-3000:]
