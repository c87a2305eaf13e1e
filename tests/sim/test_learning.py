"""Other people's learners: the tutorial learns, and the games go into OpenSpiel."""

from __future__ import annotations
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
CPU = 240
"""Seconds of the processor at most: two minutes of learning, on a machine half as fast, and a hundred games."""


@pytest.mark.slow
def test_the_tutorial_learns_to_beat_random(capsys: pytest.CaptureFixture[str]) -> None:
    """75 of 100 fresh games, and numpy is all it takes."""
    text = (ROOT / "docs/learning.md").read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    outside = set(re.findall(r"^(?:import|from) (\w+)", code, re.MULTILINE)) - set(sys.stdlib_module_names)
    assert outside == {"numpy", "navalkit"}
    names: dict[str, Any] = {"__name__": "tutorial"}
    begun = time.process_time()
    exec(compile(code, "docs/learning.md", "exec"), names)
    assert time.process_time() - begun < CPU
    assert names["won"] >= 75, capsys.readouterr().out


def test_wolf_pack_is_a_game_of_openspiel(monkeypatch: pytest.MonkeyPatch) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="needs OpenSpiel (the package open_spiel)")
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    example = __import__("openspiel_game")
    game = pyspiel.load_game("navalkit_wolf_pack")
    pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)
    state = game.new_initial_state()
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        assert sum(p for _, p in outcomes) == pytest.approx(1)
        state.apply_action(outcomes[0][0])
    assert [str(example.ACTIONS[n]) for n in state.legal_actions()] == [
        state.action_to_string(state.current_player(), n) for n in state.legal_actions()]
    assert set(map(str, example.GAME.legal(state.now))) == {str(example.ACTIONS[n]) for n in state.legal_actions()}


def test_the_example_of_openspiel_says_what_it_needs() -> None:
    """Where the library is missing the example ends with Python's own sentence, and its head says how to get it."""
    file = ROOT / "examples/openspiel_game.py"
    assert "pip install open_spiel" in file.read_text(encoding="utf-8").split('"""')[1]
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, timeout=300)
    assert "plies" in done.stdout or "No module named 'pyspiel'" in done.stderr
