"""What the README shows in Python runs, and gives what it says."""

from __future__ import annotations
import re
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import Any

README = Path(__file__).parents[2] / "README.md"


def test_the_python_of_the_readme_runs_and_its_figures_are_true(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)[1]
    assert len(README.read_text(encoding="utf-8").splitlines()) < 100
    names = {}
    exec(compile(code, "README.md", "exec"), names)
    stated = re.findall(r"^(\S.*?\))\s+# (Fraction\(\d+, \d+\)|\d+)(?=$|:)", code, re.MULTILINE)
    assert len(stated) == 2
    for expression, value in stated:
        assert eval(expression, names) == eval(value, {"Fraction": Fraction}), expression
    assert "[L1]" in capsys.readouterr().out and (tmp_path / "patrol.toml").is_file()


def test_the_cells_of_the_page_on_notebooks_run_one_after_the_other() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (README.parent / "docs" / "notebook.md").read_text("utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "notebook.md", "exec"), names)
    assert len(blocks) == 3 and names["stepper"].decision is not None


def test_the_orders_for_a_hub_are_for_the_folder_that_they_go_to() -> None:
    text = (README.parent / "deploy" / "README.md").read_text(encoding="utf-8")
    orders = re.search(r"```sh\n(.*?)```", text, re.DOTALL)[1]
    source = re.search(r"git clone \S+ (\S+)\n", orders)[1]  # the lessons with their solutions are nowhere else
    assert f"\ncd {source} " in orders and (README.parent / "teaching").is_dir()
    assert (README.parent / re.search(r"--config (\S+)", orders)[1]).is_file()


def test_the_files_that_contributing_names_are_there() -> None:
    text = (README.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+/[a-z_/.]+)`", text))
    places = [README.parent, README.parent / "navalkit", README.parent / "navalkit" / "games"]
    assert len(named) > 10
    assert {name for name in named if not any((place / name).exists() for place in places)} == set()


def test_every_module_that_a_text_bids_to_run_does_run() -> None:
    """One that has no part to be run prints nothing, and says so to nobody."""
    home, named = README.parent, set[str]()
    texts = (*home.glob("*.md"), *(home / "docs").glob("*.md"), *(home / "navalkit").rglob("*.toml"), home / "Makefile")
    for text in texts:
        named |= set(re.findall(r"(?:python|PY\)) -m (navalkit[a-z_.]*[a-z])", text.read_text(encoding="utf-8")))
    assert {"navalkit.games.on_patrol.odds.runs", "navalkit.sim.figures"} <= named
    for name in named:
        spec = find_spec(name)
        assert spec is not None and spec.origin, name
        if spec.submodule_search_locations is not None:
            spec = find_spec(f"{name}.__main__")
        assert spec is not None and spec.origin, name
        home = Path(spec.origin)
        assert home.stem == "__main__" or 'if __name__ == "__main__":' in home.read_text(encoding="utf-8"), name
