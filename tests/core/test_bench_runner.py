"""The runner of the benches collects, prints and writes; what it measures is another matter."""

from __future__ import annotations
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

RUN = Path(__file__).parents[1] / "bench" / "run.py"


@pytest.fixture
def runner(tmp_path: Path) -> ModuleType:
    (tmp_path / "bench_toy.py").write_text(
        "def row(name, ours, base):\n"
        "    return dict(name=name, ours_seconds=ours, baseline='plain', baseline_seconds=base, ratio=base/ours)\n"
        "def bench_one():\n    return row('one', 2e-3, 0.5)\n"
        "def bench_two():\n    return [row('two', 1.5, 0.75), row('three', 3e-7, 4e-6)]\n"
        "def helper():\n    raise AssertionError\n"
    )
    spec = importlib.util.spec_from_file_location("navalkit_bench_runner", RUN)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    real = module.benches
    module.benches = lambda: real(tmp_path)  # type: ignore[attr-defined]
    return module


def test_all_benches_become_rows_of_a_table(
    runner: ModuleType, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert runner.main(["--output", str(tmp_path / "table.md")]) == 0
    out = capsys.readouterr().out
    assert "| one | 2 ms | plain | 500 ms | 250x |" in out
    assert "| two | 1.5 s | plain | 750 ms | 0.50x |" in out
    assert "| three | 300 ns | plain | 4 µs | 13x |" in out
    assert (tmp_path / "table.md").read_text(encoding="utf-8") == out


def test_one_bench_can_be_run_alone(runner: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    runner.main(["--only", "two"])
    out = capsys.readouterr().out
    assert "| two |" in out and "| one |" not in out


def test_the_benches_of_the_project_are_found() -> None:
    done = subprocess.run([sys.executable, RUN, "--list"], capture_output=True, text=True, check=True)
    assert {"bench_core.bench_moves", "bench_lox.bench_table"} <= set(done.stdout.split())
